# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""What systems look like: discs, polygons and lines at every position.

Bodies in space are seen from above and from the side, without perspective.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import systems

Points = NDArray[np.float64]


@dataclass
class Disc:
    """A ball, with a mark on its rim where `angle` [rad] says how it is turned."""

    x: float
    y: float
    radius: float
    angle: float | None = None
    body: int = 0
    """Chooses the colour."""


@dataclass
class Polygon:
    """A rigid body, or the face of one; `shade` from 0, dark, to 1."""

    points: Points
    body: int = 0
    shade: float = 1.0
    shown: bool = True


@dataclass
class Line:
    """A rod, a string, a mark: thin."""

    points: Points
    body: int = -1
    """−1: black, thin."""
    width: float = 1.0
    """Of the line [points]."""
    shown: bool = True


@dataclass
class Wall:
    """Fixed: a line through a point; bodies are on the side of the normal."""

    point: Points
    normal: Points
    ends: tuple[float, float] = (-np.inf, np.inf)
    """Of the line, from the point; positive to the left of the normal [m]."""


Shape = Disc | Polygon | Line


@dataclass
class Drawing:
    """How to draw a system."""

    shapes: Callable[[Points], list[Shape]]
    """Of a position, always as many, in the same order."""
    walls: list[Wall] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    """Fixed ones."""
    origin: Points | None = None
    """A position at contact, for impacts."""


def point(*numbers: float) -> Points:
    return np.array(numbers, dtype=float)


FLOOR = Wall(point(0.0, 0.0), point(0.0, 1.0))


def rotated(angle: float, points: ArrayLike) -> Points:
    c, s = np.cos(angle), np.sin(angle)
    made: Points = np.asarray(points, dtype=float) @ np.array([[c, s], [-s, c]])
    return made


def each(values: ArrayLike, one: float, count: int) -> Points:
    """One per ball: the list, or the same for all."""
    list_ = np.asarray(values, dtype=float)
    return list_ if list_.size else np.full(count, float(one))


# ------------------------------------------------------------------------------------ balls in rows


def ball_chain(chain: Any) -> Drawing:
    radii = each(chain.radii, chain.radius, chain.balls)
    walls = []
    places = chain.first + np.concatenate([[0.0], np.cumsum(radii[1:] + radii[:-1])])
    if chain.wall in ("left", "both"):
        walls.append(Wall(point(places[0] - radii[0], 0.0), point(1.0, 0.0)))
    if chain.wall in ("right", "both"):
        walls.append(Wall(point(places[-1] + radii[-1], 0.0), point(-1.0, 0.0)))
    return Drawing(
        lambda q: [Disc(q[k], 0.0, r, None, k) for k, r in enumerate(radii)], walls, [], places
    )


def upright(radii: Points) -> Drawing:
    """Balls on top of each other; coordinates are the heights of their centres."""
    places = np.concatenate([[radii[0]], radii[0] + np.cumsum(radii[1:] + radii[:-1])])
    return Drawing(
        lambda q: [Disc(0.0, q[k], r, None, k) for k, r in enumerate(radii)], [FLOOR], [], places
    )


def bead_column(column: Any) -> Drawing:
    return upright(np.full(column.beads, float(column.radius)))


def stacked_balls(stack: Any) -> Drawing:
    return upright(np.asarray(stack.radii, dtype=float))


def bouncing_ball(ball: Any) -> Drawing:
    def shapes(q: Points) -> list[Shape]:
        return [Disc(0.0, q[0] + ball.radius, ball.radius, None, 0)]

    return Drawing(shapes, [FLOOR], [], point(0.0))


def cradle(cradle: Any) -> Drawing:
    pitch = 2.0 * cradle.radius + cradle.spacing

    def shapes(q: Points) -> list[Shape]:
        made: list[Shape] = []
        for k, angle in enumerate(q):
            pivot = point(k * pitch, 0.0)
            centre = pivot + cradle.length * point(np.sin(angle), -np.cos(angle))
            made.append(Line(np.array([pivot, centre]), width=0.6))
            made.append(Disc(centre[0], centre[1], cradle.radius, None, k))
        return made

    half = cradle.radius
    beam = Line(np.array([[-half, 0.0], [(cradle.balls - 1) * pitch + half, 0.0]]), width=2.0)
    return Drawing(shapes, [], [beam], np.zeros(cradle.balls))


def ball_cluster(cluster: Any) -> Drawing:
    positions = np.asarray(cluster.positions, dtype=float)
    radii = each(cluster.radii, cluster.radius, len(positions))
    walls = [Wall(np.asarray(w.point), np.asarray(w.normal)) for w in cluster.walls]

    def shapes(q: Points) -> list[Shape]:
        return [Disc(q[2 * k], q[2 * k + 1], r, None, k) for k, r in enumerate(radii)]

    return Drawing(shapes, walls, [], positions.ravel())


# ----------------------------------------------------------------------------- bodies in the plane


def rectangle(width: float, height: float) -> Points:
    return 0.5 * np.array([[-width, -height], [width, -height], [width, height], [-width, height]])


def rocking_block(block: Any) -> Drawing:
    corners = rectangle(block.width, block.height)

    def shapes(q: Points) -> list[Shape]:
        return [Polygon(q[:2] + rotated(q[2], corners))]

    return Drawing(shapes, [FLOOR], [], point(0.0, 0.5 * block.height, 0.0))


def block_stack(stack: Any) -> Drawing:
    widths, heights = np.asarray(stack.widths), np.asarray(stack.heights)
    corners = [rectangle(w, h) for w, h in zip(widths, heights)]
    offsets = each(stack.offsets, 0.0, len(widths))
    places = np.column_stack([offsets, np.cumsum(heights) - 0.5 * heights, 0.0 * offsets])

    def shapes(q: Points) -> list[Shape]:
        return [
            Polygon(q[3 * k : 3 * k + 2] + rotated(q[3 * k + 2], corner), k)
            for k, corner in enumerate(corners)
        ]

    return Drawing(shapes, [FLOOR], [], places.ravel())


def ball_rod(rod: Any) -> Drawing:
    places, radii = np.asarray(rod.places, dtype=float), np.asarray(rod.radii, dtype=float)
    masses = np.asarray(rod.masses, dtype=float)
    along = places - masses @ places / masses.sum()

    def shapes(q: Points) -> list[Shape]:
        centres = q[:2] + rotated(q[2], np.column_stack([along, 0.0 * along]))
        made: list[Shape] = [Line(centres, width=2.0)]
        made += [Disc(x, y, r, q[2], k) for k, ((x, y), r) in enumerate(zip(centres, radii))]
        return made

    return Drawing(shapes, [FLOOR], [], np.asarray(rod.at_contact(np.zeros(3)).position))


def planar_body(body: Any) -> Drawing:
    """Its contact points in order around it, or lines to them where that is no outline."""
    at = np.array([np.asarray(p.at, dtype=float) for p in body.points])
    radii = [float(p.radius) for p in body.points]
    walls = []
    for place, p in zip(at, body.points):
        normal = np.asarray(p.normal, dtype=float)
        normal = normal / np.linalg.norm(normal)
        border = np.asarray(body.position) + rotated(body.angle, place)
        walls.append(Wall(border - (p.radius + p.gap) * normal, normal))
    # Only these points touch their obstacles: those of different walls are small plates.
    first = walls[0]
    one = all(
        np.allclose(w.normal, first.normal)
        and abs(first.normal @ (w.point - first.point)) < 1e-6 * np.abs(at).max()
        for w in walls
    )
    if not one:
        reach = 0.3 * float(np.abs(at).max())
        walls = [Wall(w.point, w.normal, (-reach, reach)) for w in walls]
    order = np.argsort(np.arctan2(at[:, 1], at[:, 0]))
    outline = hull(np.vstack([at, [0.0, 0.0]]))

    def shapes(q: Points) -> list[Shape]:
        made: list[Shape] = []
        if len(outline) > 2:
            made.append(Polygon(q[:2] + rotated(q[2], outline)))
        else:
            made.append(Line(q[:2] + rotated(q[2], at[order]), 0, 2.5))
        for place, radius in zip(at, radii):
            x, y = q[:2] + rotated(q[2], place)
            if radius > 0.0:
                made.append(Disc(x, y, radius, q[2], 0))
        return made

    origin = np.array([*np.asarray(body.position, dtype=float), float(body.angle)])
    return Drawing(shapes, walls, [], origin)


def hull(points: Points) -> Points:
    """Corners of the convex hull, counter-clockwise (monotone chain)."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    if len(ordered) < 3:
        return np.array(ordered)

    def half(run: list[tuple[float, float]]) -> list[tuple[float, float]]:
        made: list[tuple[float, float]] = []
        for p in run:
            while len(made) > 1:
                (ax, ay), (bx, by) = made[-2], made[-1]
                if (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > 0.0:
                    break
                made.pop()
            made.append(p)
        return made[:-1]

    return np.array(half(ordered) + half(ordered[::-1]))


def v_groove(groove: Any) -> Drawing:
    rise = 0.5 * (np.pi - groove.opening)
    left = point(np.sin(rise), np.cos(rise))
    bottom, right = point(0.0, 0.0), left * point(-1.0, 1.0)
    walls = [Wall(bottom, left, (0.0, np.inf)), Wall(bottom, right, (-np.inf, 0.0))]
    return Drawing(lambda q: [Disc(q[0], q[1], 0.0)], walls, [], point(0.0, 0.0))


def rods(lengths: Points, angles: Points) -> Points:
    """Ends of the rods of a pendulum, from the fixed point on."""
    steps = np.column_stack([lengths * np.sin(angles), -lengths * np.cos(angles)])
    return np.vstack([[0.0, 0.0], np.cumsum(steps, axis=0)])


def pendulum(lengths: ArrayLike, walls: list[Wall], origin: Points | None) -> Drawing:
    long = np.asarray(lengths, dtype=float)
    size = 0.02 * long.sum()

    def shapes(q: Points) -> list[Shape]:
        ends = rods(long, q)
        made: list[Shape] = [Line(ends[k : k + 2], k, 3.0) for k in range(len(long))]
        made += [Disc(x, y, size, None, -1) for x, y in ends]
        return made

    return Drawing(shapes, walls, [], origin)


def double_pendulum(system: Any) -> Drawing:
    angles = np.asarray(system.angles, dtype=float)
    tip = rods(np.asarray(system.lengths, dtype=float), angles)[-1]
    walls = [Wall(tip, point(0.0, 1.0))]
    if system.wall != "none":
        walls.append(Wall(tip, point(1.0 if system.wall == "left" else -1.0, 0.0)))
    return pendulum(system.lengths, walls, angles)


def multiple_pendulum(system: Any) -> Drawing:
    walls = [
        Wall(np.asarray(o.through, dtype=float), np.asarray(o.normal, dtype=float))
        for o in system.obstacles
    ]
    return pendulum(system.lengths, walls, None)


def impacting_bar(bar: Any) -> Drawing:
    """The axis of the bar; a segment of the chain is as long as it is stretched."""
    n = bar.segments
    half = (bar.length - bar.radius) / (2.0 * n)
    separate = str(bar.model).lower() in ("1", "separate_springs", "separatesprings")

    def shapes(q: Points) -> list[Shape]:
        angles, stretch = q[2 : 2 + n], q[2 + n :]
        long = 2.0 * (stretch if separate else half + stretch)
        steps = np.column_stack([long * np.cos(angles), long * np.sin(angles)])
        start = point(q[0], q[1] + bar.radius)
        axis = np.vstack([start, start + np.cumsum(steps, axis=0)])
        # Normals at the joints, for the two sides.
        bent = np.concatenate([angles[:1], 0.5 * (angles[1:] + angles[:-1]), angles[-1:]])
        side = bar.radius * np.column_stack([-np.sin(bent), np.cos(bent)])
        return [
            Disc(start[0], start[1], bar.radius, None, 0),
            Polygon(np.vstack([axis + side, (axis - side)[::-1]])),
        ]

    return Drawing(shapes, [FLOOR], [], np.asarray(bar.at_contact(-1.0).position, dtype=float))


# ------------------------------------------------------------------------------- bodies in space

LEVEL = np.radians(18.0)
"""How far the eye is above the horizon."""
TURN = np.radians(-62.0)
"""Direction from which it looks, from x counter-clockwise."""
RIGHT = np.array([-np.sin(TURN), np.cos(TURN), 0.0])
TOWARDS = np.array([np.cos(LEVEL) * np.cos(TURN), np.cos(LEVEL) * np.sin(TURN), np.sin(LEVEL)])
UP = np.cross(TOWARDS, RIGHT)
LIGHT_FROM = (TOWARDS + 1.5 * UP - 0.6 * RIGHT) / np.linalg.norm(TOWARDS + 1.5 * UP - 0.6 * RIGHT)


def seen(points: ArrayLike) -> Points:
    """Where places in space are in the picture."""
    made: Points = np.asarray(points, dtype=float) @ np.column_stack([RIGHT, UP])
    return made


def turned(vector: ArrayLike) -> Points:
    """Rotation by a vector, whose length is the angle (Rodrigues)."""
    axis = np.asarray(vector, dtype=float)
    angle = float(np.linalg.norm(axis))
    if angle == 0.0:
        return np.eye(3)
    x, y, z = axis / angle
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    made: Points = np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross
    return made


def box(sides: Points, centre: Points, rotation: Points, body: int = 0) -> list[Shape]:
    """The six faces of a block; those that look away are not shown."""
    made: list[Shape] = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal = sign * np.eye(3)[axis]
            a, b = (axis + 1) % 3, (axis + 2) % 3
            corners = []
            for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                corner = 0.5 * sign * sides * np.eye(3)[axis]
                corner = corner + 0.5 * s * sides * np.eye(3)[a] + 0.5 * t * sides * np.eye(3)[b]
                corners.append(corner)
            out = rotation @ normal
            shade = 0.45 + 0.55 * max(float(out @ LIGHT_FROM), 0.0)
            visible = bool(out @ TOWARDS > 0.0)
            face = seen(centre + np.array(corners) @ rotation.T)
            made.append(Polygon(face, body, shade, visible))
    return made


def ground(lowest: float, around: Points, size: float) -> list[Line]:
    """A grid on the plane z = lowest."""
    step = 10.0 ** np.floor(np.log10(size)) if size > 0.0 else 1.0
    while size / step < 3.0:
        step *= 0.5
    reach = np.ceil(size / step) * step
    low = np.floor((around[:2] - reach) / step) * step
    count = int(round(2.0 * reach / step)) + 1
    made = []
    for k in range(count + 1):
        x, y = low[0] + k * step, low[1] + k * step
        ends = low + count * step
        made.append(Line(seen([[x, low[1], lowest], [x, ends[1], lowest]]), -2, 0.5))
        made.append(Line(seen([[low[0], y, lowest], [ends[0], y, lowest]]), -2, 0.5))
    return made


def sphere(centre: Points, radius: float, rotation: Points, body: int) -> list[Shape]:
    """A disc with the halves of two great circles that are in front."""
    x, y = seen(centre)
    made: list[Shape] = [Disc(x, y, radius, None, body)]
    turn = np.linspace(0.0, 2.0 * np.pi, 49)
    for axis in (0, 2):
        a, b = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
        ring = radius * (np.outer(np.cos(turn), a) + np.outer(np.sin(turn), b)) @ rotation.T
        front = np.where((ring @ TOWARDS >= 0.0)[:, None], seen(centre + ring), np.nan)
        made.append(Line(front, width=0.7))
    return made


def spatial_body(body: Any) -> Drawing:
    """The uniform block that has the same inertia, and legs to points outside of it."""
    inertia = np.asarray(body.inertia, dtype=float)
    moments, axes = np.linalg.eigh(inertia)
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] *= -1.0
    squares = 6.0 / body.mass * (moments.sum() - 2.0 * moments)
    sides = np.sqrt(np.maximum(squares, 1e-12 * squares.max()))
    at = np.array([np.asarray(p.at, dtype=float) for p in body.points])
    start = turned(body.rotation)
    outside = np.abs(at @ axes) > 0.5 * sides * (1.0 + 1e-6)
    legs = at[outside.any(axis=1)]
    centre = np.asarray(body.position, dtype=float)

    def shapes(q: Points) -> list[Shape]:
        rotation = turned(q[3:6]) @ start
        made: list[Shape] = [Line(seen([q[:3], q[:3] + rotation @ leg]), width=1.2) for leg in legs]
        return made + box(sides, q[:3], rotation @ axes)

    touching = centre + at @ start.T
    size = 2.0 * float(max(sides.max(), np.abs(at).max()))
    lines = ground(float(touching[:, 2].min()), centre, size)
    return Drawing(shapes, [], lines, np.concatenate([centre, np.zeros(3)]))


def four_foot_plate(plate: Any) -> Drawing:
    feet = np.array([np.asarray(f, dtype=float) for f in plate.feet]).reshape(-1, 2)
    if len(feet) == 0:
        feet = 0.5 * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * [plate.length, plate.width]
    high = plate.height or 0.15 * min(plate.length, plate.width)
    sides = np.array([plate.length, plate.width, 0.04 * max(plate.length, plate.width)])
    down = np.column_stack([feet, np.full(len(feet), -high)])

    def shapes(q: Points) -> list[Shape]:
        if plate.sliding:
            centre, turn = q[:3], q[3:]
        else:
            centre, turn = np.array([0.0, 0.0, q[0]]), np.array([q[1], q[2], 0.0])
        rotation = turned(turn)
        made: list[Shape] = [
            Line(seen(centre + np.array([foot * [1, 1, 0], foot]) @ rotation.T), width=1.5)
            for foot in down
        ]
        return made + box(sides, centre, rotation)

    # A plate without a height is drawn with feet, which go below its coordinate.
    origin = np.array([0.0, 0.0, plate.height, 0.0, 0.0, 0.0]) if plate.sliding else np.zeros(3)
    lines = ground(plate.height - high, np.zeros(3), max(plate.length, plate.width))
    return Drawing(shapes, [], lines, origin)


def sphere_on_plane(system: Any) -> Drawing:
    normal = np.asarray(system.normal, dtype=float)
    normal = normal / np.linalg.norm(normal)
    origin = np.concatenate([system.radius * normal, np.zeros(3)])

    def shapes(q: Points) -> list[Shape]:
        return sphere(q[:3], system.radius, turned(q[3:6]), 0)

    return Drawing(shapes, [], plane_grid(normal, 3.0 * system.radius), origin)


def plane_grid(normal: Points, size: float) -> list[Line]:
    """A grid on the plane through the origin with this normal."""
    helper = np.eye(3)[int(np.argmin(np.abs(normal)))]
    a = np.cross(normal, helper)
    a = a / np.linalg.norm(a)
    b = np.cross(normal, a)
    made = []
    for k in np.linspace(-size, size, 7):
        made.append(Line(seen([k * a - size * b, k * a + size * b]), -2, 0.5))
        made.append(Line(seen([k * b - size * a, k * b + size * a]), -2, 0.5))
    return made


def two_spheres(system: Any) -> Drawing:
    centres = [np.asarray(c, dtype=float) for c in system.centres]
    radii = np.asarray(system.radii, dtype=float)
    origin = np.concatenate([centres[0], np.zeros(3), centres[1], np.zeros(3)])

    def shapes(q: Points) -> list[Shape]:
        first = sphere(q[0:3], radii[0], turned(q[3:6]), 0)
        second = sphere(q[6:9], radii[1], turned(q[9:12]), 1)
        return first + second

    return Drawing(shapes, [], [], origin)


def rotating_chain(chain: Any) -> Drawing:
    radii = each(chain.radii, chain.radius, chain.balls)
    places = np.concatenate([[0.0], np.cumsum(radii[1:] + radii[:-1])])
    per = 6 if chain.spatial else 3
    origin = np.zeros(per * chain.balls)
    origin[::per] = places

    def flat(q: Points) -> list[Shape]:
        return [Disc(q[3 * k], q[3 * k + 1], r, q[3 * k + 2], k) for k, r in enumerate(radii)]

    def deep(q: Points) -> list[Shape]:
        made: list[Shape] = []
        for k, r in enumerate(radii):
            made += sphere(q[6 * k : 6 * k + 3], r, turned(q[6 * k + 3 : 6 * k + 6]), k)
        return made

    walls = []
    if not chain.spatial:
        if chain.wall in ("left", "both"):
            walls.append(Wall(point(-radii[0], 0.0), point(1.0, 0.0)))
        if chain.wall in ("right", "both"):
            walls.append(Wall(point(places[-1] + radii[-1], 0.0), point(-1.0, 0.0)))
    return Drawing(deep if chain.spatial else flat, walls, [], origin)


# ------------------------------------------------------------------------------------- all of them

KNOWN: dict[type, Callable[[Any], Drawing]] = {
    systems.BallChain: ball_chain,
    systems.BeadColumn: bead_column,
    systems.StackedBalls: stacked_balls,
    systems.BouncingBall: bouncing_ball,
    systems.Cradle: cradle,
    systems.BallCluster: ball_cluster,
    systems.SphereOnPlane: sphere_on_plane,
    systems.TwoSpheres: two_spheres,
    systems.RotatingChain: rotating_chain,
    systems.PlanarBody: planar_body,
    systems.RockingBlock: rocking_block,
    systems.BallRod: ball_rod,
    systems.VGroove: v_groove,
    systems.BlockStack: block_stack,
    systems.SpatialBody: spatial_body,
    systems.FourFootPlate: four_foot_plate,
    systems.DoublePendulum: double_pendulum,
    systems.MultiplePendulum: multiple_pendulum,
    systems.ImpactingBar: impacting_bar,
}


def drawing(system: Any) -> Drawing:
    """How to draw a system; those of your own say it by a function draw(q)."""
    made = KNOWN.get(type(system))
    if made is not None:
        return made(system)
    if callable(getattr(system, "draw", None)):
        return Drawing(lambda q: list(system.draw(q)), list(getattr(system, "walls", [])))
    raise TypeError(
        f"nobody has said how to draw a {type(system).__name__}: give it a function draw(q) that "
        "returns percute.plot.Disc, Polygon and Line"
    )
