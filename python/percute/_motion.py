# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Motion in time, impacts included."""

from __future__ import annotations

import html
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import laws, simulation
from ._core import (
    Body,
    ImpactProblem,
    ImpactResult,
    Scene,
    State,
    _along,
    _simulate,
    _simulate_scene,
)
from ._tables import html_table, numbers, optional

Law = Callable[[ImpactProblem], ImpactResult]
Watcher = Callable[..., object]


@dataclass(frozen=True)
class Trajectory:
    """States of a motion, one row per instant, and what happened on the way."""

    time: NDArray[np.float64]
    """[s]"""
    position: NDArray[np.float64]
    """q, instants × coordinates."""
    velocity: NDArray[np.float64]
    """v, instants × coordinates."""
    events: list[simulation.Event] = field(default_factory=list, repr=False, kw_only=True)
    coordinate_names: list[str] = field(default_factory=list, repr=False, kw_only=True)
    units: list[str] = field(default_factory=list, repr=False, kw_only=True)
    """Of the velocities, one per coordinate; empty where they are not known."""
    contact_names: list[str] = field(default_factory=list, repr=False, kw_only=True)
    name: str = field(default="", kw_only=True)
    summary: dict[str, Any] = field(default_factory=dict, repr=False, kw_only=True)
    """percute-run/1, of scenes."""
    system: Any = field(default=None, repr=False, kw_only=True)
    """What moved: one of percute.systems, an object of your own, or a Scene."""
    compliant: bool = field(default=False, repr=False, kw_only=True)
    """Whether contacts were springs."""

    def __len__(self) -> int:
        return len(self.time)

    def names(self) -> list[str]:
        """Of the coordinates; q1, q2, … where they have none."""
        return self.coordinate_names or [f"q{k + 1}" for k in range(self.position.shape[1])]

    @cached_property
    def _along(self) -> dict[str, Any]:
        if self.system is None:
            raise ValueError(
                "the run does not say what moved, so gaps and energies are not known: CSV does not "
                "tell, HDF5 does"
            )
        return dict(_along(self.system, self.position, self.velocity))

    @property
    def gap(self) -> NDArray[np.float64]:
        """Gaps h of all contacts, instants × contacts [m]."""
        gap: NDArray[np.float64] = self._along["gap"]
        return gap

    @property
    def kinetic_energy(self) -> NDArray[np.float64]:
        """T at each instant [J]."""
        energy: NDArray[np.float64] = self._along["kinetic_energy"]
        return energy

    @property
    def potential_energy(self) -> NDArray[np.float64]:
        """V at each instant, without that of compliant contacts [J]."""
        energy: NDArray[np.float64] = self._along["potential_energy"]
        return energy

    @property
    def conservative(self) -> bool:
        """Whether T + V and what contacts take add up."""
        return bool(self._along["conservative"])

    def plot(self, axes: Any = None) -> Any:
        """Gaps and phases of contacts; positions where it is not known what moved."""
        from . import plot

        return plot.motion(self, axes) if self.system is None else plot.run(self, axes)

    def animate(self, **options: Any) -> Any:
        """The motion as a moving picture: percute.plot.animate()."""
        from . import plot

        return plot.animate(self, **options)

    def _table(self) -> list[tuple[str, list[str]]]:
        return [
            ("coordinate", self.names()),
            ("first q", numbers(self.position[0])),
            ("first v", numbers(self.velocity[0])),
            ("last q", numbers(self.position[-1])),
            ("last v", numbers(self.velocity[-1])),
        ]

    def _repr_html_(self) -> str:
        words = f"{self!r}".strip("<>")
        return f"<p>{html.escape(words)}</p>" + (html_table(self._table()) if len(self) else "")

    def __repr__(self) -> str:
        span = f"{self.time[0]:g} s to {self.time[-1]:g} s" if len(self) else "empty"
        return f"<Trajectory: {span} · {len(self)} states · {len(self.events)} events>"

    def to_dataframe(self) -> Any:
        """One row per instant, as pandas' DataFrame."""
        data: dict[Any, Any] = {"time": self.time}
        for quantity in ("position", "velocity"):
            for name, column in zip(self.names(), getattr(self, quantity).T):
                data[f"{quantity} {name}"] = column
        return optional("pandas").DataFrame(data)

    def to_xarray(self) -> Any:
        """As xarray's Dataset with dimensions time and coordinate."""
        data: dict[str, Any] = {
            "position": (("time", "coordinate"), self.position),
            "velocity": (("time", "coordinate"), self.velocity),
        }
        coordinates: dict[str, Any] = {
            "time": ("time", self.time, {"units": "s"}),
            "coordinate": self.names(),
        }
        units = set(self.units)
        if len(units) == 1:
            (unit,) = units
            data["velocity"] += ({"units": unit},)
            data["position"] += ({"units": unit.removesuffix("/s")},)
        elif units:
            coordinates["velocity_units"] = ("coordinate", self.units)
        return optional("xarray").Dataset(data, coordinates, {"name": self.name})

    def events_dataframe(self) -> Any:
        """One row per event, as pandas' DataFrame."""
        rows = []
        for event in self.events:
            names = [self.contact_names[i] if self.contact_names else i for i in event.contacts]
            rows.append(
                {
                    "time": event.time,
                    "kind": event.kind,
                    "contacts": names,
                    "impulse": event.impulse.sum(),
                    "dissipated": event.dissipated,
                    "status": event.status,
                }
            )
        return optional("pandas").DataFrame(rows)


@dataclass(frozen=True, repr=False)
class Run(Trajectory):
    """What came out of a run: states, events, and how it ended."""

    end: State
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
    bodies: list[Body] = field(default_factory=list)

    def ok(self) -> bool:
        """Whether the run reached its end."""
        return self.status == "ok"

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
    output: str | os.PathLike[str] | None = None,
    on_state: Watcher | None = None,
    on_event: Watcher | None = None,
    **options: Any,
) -> Run:
    """Moves a system in time; impacts are resolved by any law.

    Parameters
    ----------
    system
        One of percute.systems, a Scene (which says all the rest), or any object with the functions
        of a system: coordinates, contacts, mass(q), gaps(q), gradient(i, q), contact(i, q) and
        force(t, q, v). Where it has them, also gap_curvature(i, q, v), potential_energy(q),
        tangents(i, q), touching(i), bodies(), contact_names(), stiffness(q), conservative(),
        longest_step(t), joints, joint(q), joint_gradient(k, q) and joint_curvature(k, q, v).
    start
        Where it is and how it moves, at `time`.
    law
        As for resolve().
    method
        One of percute.simulation; EventDriven() by default, CompliantMotion() with law Compliant.
    output
        Of a Scene: a file (.h5 or .csv) that is written while the run goes, as by
        ``percute simulate -o``.
    on_state, on_event
        Called with (time, position, velocity), or with an Event, as the run goes; where they
        return False it ends.
    **options
        Fields of the method: ``duration`` [s], ``output_interval`` [s], ``tolerance``, …; of a
        Scene, its keys under [simulation].
    """
    if isinstance(system, Scene):
        values = {f"simulation.{key}": value for key, value in options.items()}
        scene = system.with_values(values) if values else system
        path = "" if output is None else os.fspath(output)
        told = _simulate_scene(scene, path, on_state, on_event)
        return Run(**told, system=scene, compliant=moves_on_springs(scene))
    if start is None:
        raise TypeError("simulate() needs a start: a State")
    if output is not None:
        raise TypeError("output is for scenes, which the file names")
    if method is None:
        compliant = law == "compliant" or isinstance(law, laws.Compliant)
        method = simulation.CompliantMotion() if compliant else simulation.EventDriven()
    if options:
        method = method.replace(**options)
    told = _simulate(system, start, law, method, time, on_state, on_event)
    # Systems can be changed; what has moved stays as it was.
    moved = system.replace() if hasattr(system, "replace") else system
    springs = isinstance(method, simulation.CompliantMotion)
    return Run(**told, system=moved, compliant=springs)


def moves_on_springs(scene: Scene) -> bool:
    """Whether the contacts of a scene are compliant."""
    keys = scene.keys
    law, method = keys.get("law", {}), keys.get("simulation", {}).get("method")
    return law.get("kind") == "compliant" and method in (None, "event_driven_adaptive")
