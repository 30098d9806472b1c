# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Well-known impacts in one line: percute.cradle(5).resolve("lzb").velocity."""

from __future__ import annotations

import math
from collections.abc import Sequence

from . import systems
from ._core import ImpactProblem, Material


def cradle(
    balls: int = 5,
    *,
    speed: float = 1.0,
    strikers: int = 1,
    mass: float = 0.1,
    radius: float = 0.01,
    material: Material | None = None,
) -> ImpactProblem:
    """Equal balls in a row, the first ones striking at `speed` [m/s]."""
    chain = systems.BallChain(
        balls=balls, mass=mass, radius=radius, material=material or Material()
    )
    return chain.impact(chain.at_contact(speed, strikers))


def rack(
    rows: int = 5,
    *,
    speed: float = 1.0,
    mass: float = 0.17,
    radius: float = 0.028575,
    material: Material | None = None,
) -> ImpactProblem:
    """The break shot: a ball strikes the apex of a triangle of equal balls at `speed` [m/s]."""
    cluster = systems.rack(rows, radius).replace(mass=mass, material=material or Material())
    return cluster.impact(cluster.at_contact(0, (speed, 0.0)))


def bernoulli(
    half_angle: float = math.pi / 6,
    *,
    speed: float = 1.0,
    mass: float = 1.0,
    radius: float = 0.01,
    material: Material | None = None,
) -> ImpactProblem:
    """Bernoulli's problem: a ball strikes two others at once, at ± half_angle [rad]."""
    cluster = systems.bernoulli(half_angle, radius, radius)
    cluster = cluster.replace(mass=mass, material=material or Material())
    return cluster.impact(cluster.at_contact(1, (speed, 0.0)))


def stack(
    masses: Sequence[float],
    *,
    speed: float = 1.0,
    radii: Sequence[float] | None = None,
    material: Material | None = None,
) -> ImpactProblem:
    """Balls on top of each other, the lowest first, falling on a floor at `speed` [m/s]."""
    balls = systems.StackedBalls(
        masses=masses,
        radii=radii if radii is not None else [0.01] * len(masses),
        material=material or Material(),
    )
    return balls.impact(balls.at_contact(speed))
