# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Motion in time, impacts included."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import simulation
from ._core import ImpactProblem, ImpactResult, Scene, State, _simulate, _simulate_scene
from ._tables import optional

Law = Callable[[ImpactProblem], ImpactResult]


@dataclass(frozen=True)
class Trajectory:
    """States of a motion: one row per instant."""

    time: NDArray[np.float64]
    """[s]"""
    position: NDArray[np.float64]
    """q, instants × coordinates."""
    velocity: NDArray[np.float64]
    """v, instants × coordinates."""

    def __len__(self) -> int:
        return len(self.time)

    def names(self) -> list[str]:
        """Of the coordinates."""
        return [f"q{k + 1}" for k in range(self.position.shape[1])]

    def to_dataframe(self) -> Any:
        """One row per instant, as pandas' DataFrame."""
        data: dict[Any, Any] = {"time": self.time}
        for quantity in ("position", "velocity"):
            for name, column in zip(self.names(), getattr(self, quantity).T):
                data[f"{quantity} {name}"] = column
        return optional("pandas").DataFrame(data)

    def to_xarray(self) -> Any:
        """As xarray's Dataset with dimensions time and coordinate."""
        data = {
            "position": (("time", "coordinate"), self.position),
            "velocity": (("time", "coordinate"), self.velocity),
        }
        coordinates = {"time": ("time", self.time, {"units": "s"}), "coordinate": self.names()}
        return optional("xarray").Dataset(data, coordinates)


@dataclass(frozen=True)
class Run(Trajectory):
    """What came out of a run: states, events, and how it ended."""

    events: list[simulation.Event] = field(repr=False)
    end: State = field(repr=False)
    """Where another run can go on."""
    end_time: float
    status: str
    """ok, unstable, not_converged, not_terminated or interrupted."""
    reason: str
    """Why it is not ok."""
    energy: simulation.EnergyRecord
    steps: int
    impacts: int
    first_impact_time: float | None
    last_contact: float | None
    energy_residual: float | None
    warnings: list[str]
    wall_time: float
    """[s]"""
    bodies: list[Any] = field(default_factory=list, repr=False)
    contact_names: list[str] = field(default_factory=list, repr=False)
    name: str = ""
    summary: dict[str, Any] = field(default_factory=dict, repr=False)
    """percute-run/1, of scenes."""

    def ok(self) -> bool:
        """Whether the run reached its end."""
        return self.status == "ok"

    def names(self) -> list[str]:
        names = super().names()
        for body in self.bodies:
            for k, coordinate in enumerate(body.coordinates):
                axis = f" {body.axes[k]}" if body.axes else f" ({k + 1})"
                names[coordinate] = body.name + (axis if len(body.coordinates) > 1 else "")
        return names

    def __repr__(self) -> str:
        return (
            f"<Run: {self.status} · {self.end_time:g} s · {len(self)} states · "
            f"{self.impacts} impacts · {self.steps} steps>"
        )


def simulate(
    system: Any,
    start: State | None = None,
    law: str | Law = "lzb",
    method: Any = None,
    *,
    time: float = 0.0,
    **options: Any,
) -> Run:
    """Moves a system in time; impacts are resolved by any law.

    Parameters
    ----------
    system
        One of percute.systems, a Scene (which says all the rest), or any object with the functions
        of a system: coordinates, contacts, mass(q), gaps(q), gradient(i, q), contact(i, q),
        force(t, q, v), and where they are known gap_curvature(i, q, v) and potential_energy(q).
    start
        Where it is and how it moves, at `time`.
    law
        As for resolve().
    method
        One of percute.simulation; EventDriven() by default, CompliantMotion() with law Compliant.
    **options
        Fields of the method: ``duration``, ``output_interval``, ``tolerance``, …; of a Scene, its
        keys under [simulation].
    """
    if isinstance(system, Scene):
        values = {f"simulation.{key}": value for key, value in options.items()}
        return Run(**_simulate_scene(system.with_values(values) if values else system))
    if start is None:
        raise TypeError("simulate() needs a start: a State")
    if method is None:
        compliant = law == "compliant" or isinstance(law, laws_compliant())
        method = simulation.CompliantMotion() if compliant else simulation.EventDriven()
    if options:
        method = method.replace(**options)
    told = _simulate(system, start, law, method, time)
    if hasattr(system, "bodies"):
        told["bodies"] = system.bodies() if callable(system.bodies) else system.bodies
    return Run(**told)


def laws_compliant() -> type:
    from . import laws

    return laws.Compliant
