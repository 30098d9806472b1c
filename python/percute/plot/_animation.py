# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Motions and impacts as moving pictures."""

from __future__ import annotations

import base64
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._core import ImpactResult, Scene, State
from .._motion import Run, Trajectory, simulate
from .._tables import optional
from ._shapes import Disc, Drawing, Line, Polygon, Shape, Wall, drawing
from ._style import COLUMN, GREY, LIGHT, OKABE_ITO, STYLE, prefixed, pyplot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SECONDS = 6.0
"""How long a moving picture lasts if nobody says otherwise."""

MOVIES = (".mp4", ".gif", ".webm")


class Animation:
    """A moving picture: shows itself in notebooks, and save() writes it."""

    def __init__(self, figure: Any, frames: int, fps: float, draw: Any) -> None:
        self.figure = figure
        self.frames = frames
        self.fps = fps
        self._draw = draw

    @property
    def axes(self) -> Axes:
        """Where it is drawn."""
        axes: Axes = self.figure.axes[0]
        return axes

    def show(self, frame: int) -> Any:
        """The figure as it is in one frame."""
        if not 0 <= frame < self.frames:
            raise IndexError(f"frame {frame} is not in 0 … {self.frames - 1}")
        self._draw(frame)
        return self.figure

    def save(self, path: str | os.PathLike[str], *, dpi: float = 200.0) -> None:
        """Writes .mp4 or .webm, where there is the program ffmpeg, .gif, or one frame as a picture."""
        animation = optional("matplotlib.animation")
        suffix = Path(path).suffix.lower()
        if suffix not in MOVIES:
            raise ValueError(f"{path}: the suffix must be one of {', '.join(MOVIES)}")
        if suffix == ".gif":
            writer: Any = animation.PillowWriter(fps=self.fps)
        else:
            if not has_ffmpeg():
                raise RuntimeError(
                    f"{path}: films need the program ffmpeg (apt install ffmpeg); "
                    "without it there is .gif"
                )
            codec = {".mp4": "h264", ".webm": "libvpx-vp9"}[suffix]
            # Players want even numbers of points and this way of colours.
            even = ["-pix_fmt", "yuv420p", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"]
            writer = animation.FFMpegWriter(fps=self.fps, codec=codec, extra_args=even)
        with pyplot().rc_context(STYLE), writer.saving(self.figure, str(path), dpi):
            for frame in range(self.frames):
                self._draw(frame)
                writer.grab_frame()

    def _repr_html_(self) -> str:
        """A film where there is ffmpeg, else a GIF, as part of the page."""
        suffix = ".mp4" if has_ffmpeg() else ".gif"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / ("animation" + suffix)
            self.save(path, dpi=150.0)
            data = base64.b64encode(path.read_bytes()).decode("ascii")
        if suffix == ".mp4":
            return (
                f'<video controls loop autoplay muted src="data:video/mp4;base64,{data}"></video>'
            )
        return f'<img alt="animation" src="data:image/gif;base64,{data}">'

    def __repr__(self) -> str:
        return f"<Animation: {self.frames} frames, {self.fps:g} per second>"


def has_ffmpeg() -> bool:
    return bool(optional("matplotlib.animation").FFMpegWriter.isAvailable())


# ------------------------------------------------------------------------------------ what moves


def flight(
    result: ImpactResult, system: Any, how: Drawing, places: NDArray[np.float64]
) -> Trajectory:
    """Free motion before and after an impact: as far as all is large, or until bodies meet again."""
    problem = result.problem
    if problem is None:
        raise ValueError("nobody has judged this result: percute.resolve() does")
    before, after = np.asarray(problem.velocity), np.asarray(result.velocity)
    if len(places) != len(after):
        raise ValueError(f"the system has {len(places)} coordinates, the result {len(after)}")
    low, high = extent(how.shapes(places))
    size = float(np.max(high - low)) or 1.0
    fastest = max(speed_of(how, places, before), speed_of(how, places, after))
    if fastest == 0.0:
        raise ValueError("nothing moves, before and after")
    reach = size / fastest
    time = np.linspace(0.0, reach, 101)
    path = places + np.outer(time, after)
    try:
        gap = _core._gaps(system, path)
    except TypeError:  # a cluster has contacts in a state only
        gap = np.zeros((len(time), 1))
    again = np.flatnonzero((gap < -1e-3 * size).any(axis=1))
    if again.size and again[0] > 1:
        time = time[: again[0]]
    end = float(time[-1])
    start = -0.5 * min(reach, 2.0 * end)
    position = np.array([places + start * before, places, places + end * after])
    return Trajectory(np.array([start, 0.0, end]), position, np.array([before, after, after]))


def speed_of(how: Drawing, places: NDArray[np.float64], velocity: NDArray[np.float64]) -> float:
    """Of the fastest point that is drawn."""
    largest = float(np.abs(velocity).max())
    if largest == 0.0:
        return 0.0
    step = 1e-6 / largest
    now, soon = how.shapes(places), how.shapes(places + step * velocity)
    moved = [np.nanmax(np.abs(marks(b) - marks(a)), initial=0.0) for a, b in zip(now, soon)]
    return float(max(moved)) / step


def marks(shape: Shape) -> NDArray[np.float64]:
    """Points that move with a shape."""
    if not isinstance(shape, Disc):
        return shape.points
    angle = shape.angle or 0.0
    centre = np.array([shape.x, shape.y])
    return np.array([centre, centre + shape.radius * np.array([np.cos(angle), np.sin(angle)])])


def extent(shapes: Sequence[Shape]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Corners of the box around shapes."""
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for shape in shapes:
        if isinstance(shape, Disc):
            centre = np.array([shape.x, shape.y])
            low, high = (
                np.minimum(low, centre - shape.radius),
                np.maximum(high, centre + shape.radius),
            )
        else:
            low = np.fmin(low, np.nanmin(shape.points, axis=0, initial=np.inf))
            high = np.fmax(high, np.nanmax(shape.points, axis=0, initial=-np.inf))
    return low, high


def moving(what: Any, system: Any, state: State | None) -> tuple[Trajectory, Drawing]:
    """States, and how to draw them."""
    if isinstance(what, Scene):
        system = what
        what = simulate(what) if "simulation" in what.keys else what.resolve()
    if isinstance(what, Trajectory):
        system = system if system is not None else getattr(what, "system", None)
        if system is None:
            raise ValueError("animate(run, system): this run does not say what moves")
        if isinstance(system, Scene):
            system, _ = _core._system_of(system)
        return what, drawing(system)
    if isinstance(what, ImpactResult):
        if isinstance(system, Scene):
            system, state = _core._system_of(system)
        if system is None:
            raise ValueError("animate(result, system): a result does not say what its bodies are")
        how = drawing(system)
        places = np.asarray(state.position) if state is not None else how.origin
        if places is None:
            raise ValueError(
                "animate(result, system, state=…): where the system touches is missing"
            )
        return flight(what, system, how, places), how
    raise TypeError("a run, a scene, or a result with its system are wanted")


def animate(
    run: Run | Trajectory | ImpactResult | Scene,
    system: Any = None,
    *,
    state: State | None = None,
    fps: float = 25.0,
    seconds: float | None = None,
    speed: float | None = None,
    ax: Axes | None = None,
) -> Animation:
    """A motion as a moving picture; of one impact, free motion before and after it.

    Parameters
    ----------
    run
        What simulate() gave, a Scene, or the result of an impact.
    system
        What moves, where the run does not say it: one of percute.systems, a Scene, or an object
        with a function draw(q).
    state
        Of an impact: where the system touches, if that is not where it is built.
    seconds, speed
        How long it lasts, or how much faster than in reality it runs; by default as in reality if
        that is between 1 and 10 s, else 6 s.
    """
    trajectory, how = moving(run, system, state)
    time = np.asarray(trajectory.time)
    span = float(time[-1] - time[0])
    if span <= 0.0:
        raise ValueError("the run has no duration")
    if seconds is None:
        usual = span if 1.0 <= span <= 10.0 else SECONDS
        seconds = span / speed if speed is not None else usual
    frames = max(int(round(seconds * fps)), 2)
    instants = np.linspace(time[0], time[-1], frames)
    # States of one instant, before and after something, are in the right order.
    columns = [np.interp(instants, time, column) for column in np.asarray(trajectory.position).T]
    positions = np.column_stack(columns)
    drawn = [how.shapes(q) for q in positions]
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for shapes in drawn:
        a, b = extent(shapes)
        low, high = np.minimum(low, a), np.maximum(high, b)
    with pyplot().rc_context(STYLE):
        stage = Stage(ax, how, drawn[0], low, high)
        t, unit = prefixed(time, "s")

        def draw(frame: int) -> None:
            stage.draw(drawn[frame], f"{t * instants[frame]:.{decimals(t * span)}f} {unit}")

        draw(0)
    return Animation(stage.figure, frames, fps, draw)


def decimals(span: float) -> int:
    return max(0, 2 - int(np.floor(np.log10(span))))


class Stage:
    """The axes on which shapes move."""

    def __init__(
        self,
        ax: Axes | None,
        how: Drawing,
        shapes: Sequence[Shape],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
    ) -> None:
        for line in how.lines:
            if line.body != -2:  # a grid is cut where the picture ends
                low = np.minimum(low, line.points.min(axis=0))
                high = np.maximum(high, line.points.max(axis=0))
        for wall in how.walls:
            low, high = np.minimum(low, wall.point), np.maximum(high, wall.point)
        size = float(max(high - low)) or 1.0
        self.size = size
        # Walls have room for their hatching, chains some height, particles some size.
        low, high = low - 0.06 * size, high + 0.06 * size
        least = 0.18 * size
        for k in range(2):
            missing = least - (high[k] - low[k])
            if missing > 0.0:
                low[k], high[k] = low[k] - 0.5 * missing, high[k] + 0.5 * missing
        wide, tall = high - low
        if ax is None:
            width, height = COLUMN, COLUMN * tall / wide
            if height > 3.4:
                width, height = max(3.4 * wide / tall, 1.6), 3.4
                wider = 0.5 * (tall * width / height - wide)
                low[0], high[0] = low[0] - wider, high[0] + wider
            self.figure = pyplot().figure(figsize=(width, height + 0.2))
            ax = self.figure.add_axes((0.0, 0.0, 1.0, height / (height + 0.2)))
        else:
            self.figure = ax.get_figure()
        self.ax = ax
        ax.set_xlim(low[0], high[0])
        ax.set_ylim(low[1], high[1])
        ax.set_aspect("equal")
        ax.set_axis_off()
        self.clock = ax.text(
            0.02, 1.0, "", transform=ax.transAxes, fontsize=7, va="bottom", color="#444444"
        )
        self.fixed(how, low, high)
        self.parts = [self.part(shape) for shape in shapes]

    def fixed(self, how: Drawing, low: Any, high: Any) -> None:
        from matplotlib.patches import Polygon as Patch

        for line in how.lines:
            colour = LIGHT if line.body == -2 else "#555555"
            self.ax.plot(*line.points.T, color=colour, linewidth=line.width, zorder=0)
        far = 2.0 * float(np.linalg.norm(high - low))
        for wall in how.walls:
            normal = wall.normal / np.linalg.norm(wall.normal)
            along = np.array([-normal[1], normal[0]])
            a, b = (wall.point + np.clip(end, -far, far) * along for end in wall.ends)
            # A half-plane would hide what other walls leave free: each is a strip.
            deep = 0.05 * self.size * normal
            self.ax.add_patch(
                Patch(
                    np.array([a, b, b - deep, a - deep]),
                    facecolor="#EFEFEF",
                    edgecolor=GREY,
                    hatch="//////",
                    linewidth=0.0,
                    zorder=-1,
                )
            )
            self.ax.plot(*np.array([a, b]).T, color="#333333", linewidth=0.9, zorder=0)

    def part(self, shape: Shape) -> tuple[Any, Any]:
        from matplotlib.patches import Circle
        from matplotlib.patches import Polygon as Patch

        colour = OKABE_ITO[shape.body % 6] if shape.body >= 0 else "#333333"
        if isinstance(shape, Disc):
            radius = shape.radius or 0.02 * self.size
            circle = Circle((0.0, 0.0), radius, facecolor=colour, edgecolor="black", linewidth=0.5)
            self.ax.add_patch(circle)
            mark = None
            if shape.angle is not None:
                (mark,) = self.ax.plot([], [], color="white", linewidth=0.9, zorder=2)
            return circle, mark
        if isinstance(shape, Polygon):
            patch = Patch(shape.points, closed=True, edgecolor="black", linewidth=0.6)
            patch.set_facecolor(shaded(colour, shape.shade))
            self.ax.add_patch(patch)
            return patch, colour
        colour = "#333333" if shape.body < 0 else colour
        (line,) = self.ax.plot([], [], color=colour, linewidth=shape.width, zorder=1.5)
        line.set_solid_capstyle("round")
        return line, None

    def draw(self, shapes: Sequence[Shape], clock: str) -> None:
        for shape, (part, more) in zip(shapes, self.parts):
            if isinstance(shape, Disc):
                part.center = (shape.x, shape.y)
                if more is not None and shape.angle is not None:
                    out = shape.radius * np.array([np.cos(shape.angle), np.sin(shape.angle)])
                    more.set_data([shape.x, shape.x + out[0]], [shape.y, shape.y + out[1]])
            elif isinstance(shape, Polygon):
                part.set_xy(shape.points)
                part.set_visible(shape.shown)
                part.set_facecolor(shaded(more, shape.shade))
            else:
                part.set_data(*shape.points.T)
                part.set_visible(shape.shown)
        self.clock.set_text(clock)


def shaded(colour: str, shade: float) -> Any:
    """A colour in more or less light."""
    rgb = np.array(optional("matplotlib.colors").to_rgb(colour))
    return tuple(np.clip(rgb * shade + 0.25 * shade * (1.0 - rgb), 0.0, 1.0))


__all__ = ["Animation", "Disc", "Line", "Polygon", "Wall", "animate"]
