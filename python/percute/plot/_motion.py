# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Motions in time: waves through chains, gaps, contact phases, energy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._core import ImpactHistory, ImpactResult
from .._motion import Run, Trajectory
from ._impact import history_of
from ._style import (
    BLACK,
    BLUE,
    GREY,
    LIGHT,
    ORANGE,
    SKY,
    VERMILLION,
    by_unit,
    colour_bar,
    label,
    lines,
    margins,
    name_at_ends,
    picture,
    pictures,
    prefixed,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# ------------------------------------------------------------------------------- space and time


@dataclass(frozen=True)
class Field:
    """Something of every ball, or of every contact, over time."""

    time: NDArray[np.float64]
    values: NDArray[np.float64]
    names: list[str]


def field_of(what: Any, quantity: str) -> Field:
    if isinstance(what, (ImpactHistory, ImpactResult)):
        history, names = history_of(what)
        if quantity == "velocity":
            return Field(history.time, history.velocity, names.coordinates)
        return Field(history.time, history.force, names.contacts)
    if isinstance(what, Mapping) and format_of(what) == "percute-waves/1":
        held = what.get("space_time")
        if not held:
            raise ValueError(
                "these waves have no instants: percute.waves(problem, samples=400), "
                "`percute waves --samples 400 --json`, or a file of `percute waves -o`"
            )
        of = "balls" if quantity == "velocity" else "contacts"
        # In JSON one list per ball, in files one column.
        values = np.asarray(held[quantity], dtype=float)
        time = np.asarray(held["time"], dtype=float)
        called = [str(one["name"]) for one in what[of]] if "format" in what else what["meta"][of]
        if values.shape[0] == len(called) and values.shape[1] == len(time):
            values = values.T
        return Field(time, values, list(called))
    raise TypeError("waves, a history or a result are wanted: percute.waves(problem, samples=400)")


def format_of(record: Mapping[str, Any]) -> str:
    """What a record is: JSON says so itself, HDF5 in its group /meta."""
    meta = record.get("meta")
    inside = meta.get("format") if isinstance(meta, Mapping) else None
    return str(record.get("format", inside or "no format"))


def edges(centres: NDArray[np.float64]) -> NDArray[np.float64]:
    """Borders of cells around these places."""
    inner = 0.5 * (centres[1:] + centres[:-1])
    return np.concatenate([centres[:1], inner, centres[-1:]])


def wave(waves_or_history: Any, ax: Axes | None = None, *, quantity: str = "velocity") -> Axes:
    """Space–time diagram of an impact that runs through a row of balls.

    Colours are velocities of balls, or with ``quantity="force"`` forces of contacts; where a
    solitary wave was measured, the dashed line has its speed.
    """
    if quantity not in ("velocity", "force"):
        raise ValueError(f"quantity={quantity!r}: 'velocity' or 'force'")
    field = field_of(waves_or_history, quantity)
    if len(field.time) < 2:
        raise ValueError("a wave needs more than one instant")
    count = len(field.names)
    keep = np.concatenate([[True], np.diff(field.time) > 0.0])
    time, values = field.time[keep], field.values[keep]
    with picture(ax, 3.0) as ax:
        t, t_unit = prefixed(time, "s")
        scale, unit = prefixed(values, "m/s" if quantity == "velocity" else "N")
        largest = float(np.abs(scale * values).max()) or 1.0
        signed = quantity == "velocity"
        image = ax.pcolormesh(
            np.arange(count + 1) + 0.5,
            t * edges(time),
            scale * values,
            cmap="RdBu_r" if signed else "cividis",
            vmin=-largest if signed else 0.0,
            vmax=largest,
            rasterized=True,
        )
        colour_bar(image, ax, label(quantity, unit))
        found = waves_or_history.get("wave") if isinstance(waves_or_history, Mapping) else None
        if found and signed:
            ball = np.array([1.0, float(count)])
            passes = float(found["peak_time"]) + (ball - 1.0 - found["ball"]) / found["speed"]
            words = f"{abs(found['speed']):.4g} balls/s"
            ax.plot(ball, t * passes, color=BLACK, linewidth=0.7, dashes=(5, 5), label=words)
            ax.legend(loc="upper left")
        ax.set_ylim(0.0, t * time[-1])
        ax.set_xlim(0.5, count + 0.5)
        if count <= 10:
            short = [name.removeprefix("ball ") for name in field.names]
            ax.set_xticks(range(1, count + 1), short)
        ax.set_xlabel("ball" if signed else "contact")
        ax.set_ylabel(label("time", t_unit))
        ax.set_title("Velocity of each ball" if signed else "Force of each contact")
    return ax


# ----------------------------------------------------------------------------------- motions


def trajectory_of(what: Any) -> Trajectory:
    if not isinstance(what, Trajectory):
        raise TypeError(f"a run is wanted: percute.simulate(…), not {type(what).__name__}")
    if len(what) == 0:
        raise ValueError("the run has no states")
    return what


def names_of_contacts(run: Trajectory) -> list[str]:
    """Of all contacts, closed or not."""
    return run.contact_names or [f"contact {k + 1}" for k in range(run.gap.shape[1])]


def gaps(run: Trajectory, ax: Axes | None = None, *, log: bool = False) -> Axes:
    """Gaps of all contacts over time; with `log`, on a logarithmic scale: bounces that end."""
    run = trajectory_of(run)
    gap, names = run.gap, names_of_contacts(run)
    with picture(ax) as ax:
        t, t_unit = prefixed(run.time, "s")
        scale, unit = prefixed(gap, "m")
        shown = scale * gap
        if log:
            shown = np.where(shown > 0.0, shown, np.nan)
            ax.set_yscale("log")
        drawn = lines(ax, t * run.time, shown, names)
        if not log:
            ax.axhline(0.0, color=BLACK, linewidth=0.5, zorder=0)
        margins(ax)
        ax.set_xlabel(label("time", t_unit))
        ax.set_ylabel(label("gap", unit))
        ax.set_title("Gap of each contact" if gap.shape[1] > 1 else f"Gap of {names[0]}")
        if gap.shape[1] > 1:
            if log:
                ax.legend(loc="best")
            else:
                name_at_ends(ax, drawn)
    return ax


@dataclass(frozen=True)
class Phase:
    """A contact that stays, in one mode of friction."""

    contact: int
    start: float
    end: float
    mode: str
    """contact (where friction is not told), sticking or sliding."""


def end_of(run: Trajectory) -> float:
    """When it ended: at its last state, or after it."""
    return float(max(run.time[-1], getattr(run, "end_time", run.time[-1])))


def phases_of(run: Trajectory) -> list[Phase]:
    """Phases of lasting contact, from the events of a run."""
    made: list[Phase] = []
    open_: dict[int, tuple[float, str]] = {}

    def close(contact: int, time: float) -> None:
        start, mode = open_.pop(contact)
        if time > start:
            made.append(Phase(contact, start, time, mode))

    for event in run.events:
        for contact in event.contacts:
            if event.kind in ("contact_begins", "accumulation"):
                open_.setdefault(contact, (event.time, "contact"))
            elif event.kind in ("sticking", "sliding"):
                if contact in open_:
                    start, mode = open_[contact]
                    # Where friction is told at all, the mode before is the other one.
                    other = "sliding" if event.kind == "sticking" else "sticking"
                    open_[contact] = (start, other if mode == "contact" else mode)
                    close(contact, event.time)
                open_[contact] = (event.time, event.kind)
            elif event.kind == "contact_ends" and contact in open_:
                close(contact, event.time)
    for contact in list(open_):
        close(contact, end_of(run))
    return made


MODES = {"contact": SKY, "sticking": BLUE, "sliding": ORANGE}


def phases(run: Trajectory, ax: Axes | None = None) -> Axes:
    """When contacts last, as bars, and when they are struck, as ticks."""
    run = trajectory_of(run)
    names, end = names_of_contacts(run), end_of(run)
    found = phases_of(run)
    height = 0.95 + 0.2 * min(len(names), 30)
    with picture(ax, height) as ax:
        times = np.append(run.time, end)
        t, t_unit = prefixed(times, "s")
        for k in range(len(names)):
            ax.axhline(k, color=LIGHT, linewidth=0.5, zorder=0)
        told: set[str] = set()
        for mode, colour in MODES.items():
            for contact in range(len(names)):
                spans = [
                    (t * p.start, t * (p.end - p.start))
                    for p in found
                    if p.contact == contact and p.mode == mode
                ]
                if spans:
                    words = {"contact": "lasting contact"}.get(mode, mode)
                    ax.broken_barh(
                        spans,
                        (contact - 0.3, 0.6),
                        facecolors=colour,
                        label=words if mode not in told else "_",
                    )
                    told.add(mode)
        for kind, colour, words in (
            ("impact", VERMILLION, "impact"),
            ("active_step", GREY, "step in contact"),
        ):
            at = [(t * e.time, c) for e in run.events if e.kind == kind for c in e.contacts]
            if at:
                x, y = np.array(at).T
                ax.vlines(x, y - 0.4, y + 0.4, color=colour, linewidth=0.8, label=words, zorder=3)
        rows = 1 + len(names) // 25
        ax.set_yticks(range(0, len(names), rows), names[::rows])
        ax.set_ylim(len(names) - 0.4, -0.6)
        ax.tick_params(axis="y", length=0)
        ax.set_xlim(t * run.time[0], t * end)
        ax.set_xlabel(label("time", t_unit))
        ax.set_title("Contacts")
        handles, words_ = ax.get_legend_handles_labels()
        if handles:
            ax.legend(
                loc="lower right",
                bbox_to_anchor=(1.0, 1.0),
                ncols=len(words_),
                columnspacing=1.0,
                borderaxespad=0.1,
            )
    return ax


def run(run: Trajectory, axes: Sequence[Axes] | None = None) -> list[Axes]:
    """Gaps of a motion, and below them the phases of its contacts."""
    whole = trajectory_of(run)
    rows = min(len(names_of_contacts(whole)), 30)
    below = 0.55 + 0.2 * rows
    options = {"sharex": True, "gridspec_kw": {"height_ratios": [2.0, below]}}
    with pictures(axes, 2, min(2.9 + below, 9.0), **options) as made:
        gaps(whole, made[0])
        phases(whole, made[1])
        made[0].set_xlabel("")
        made[1].set_title("")
    return made


def motion(run: Trajectory, axes: Sequence[Axes] | None = None) -> list[Axes]:
    """Positions over time, a panel for each unit."""
    states = trajectory_of(run)
    names = states.names()
    units = [unit.removesuffix("/s") for unit in states.units] or ["m"] * len(names)
    groups = by_unit(units)
    with pictures(axes, len(groups), 1.0 + 1.3 * len(groups), sharex=True) as made:
        t, t_unit = prefixed(states.time, "s")
        for panel, (unit, members) in zip(made, groups):
            columns = states.position[:, members]
            scale, scaled_unit = prefixed(columns, unit)
            drawn = lines(panel, t * states.time, scale * columns, [names[k] for k in members])
            margins(panel)
            panel.set_ylabel(label("angle" if unit == "rad" else "position", scaled_unit))
            name_at_ends(panel, drawn)
        made[0].set_title("Motion")
        made[-1].set_xlabel(label("time", t_unit))
    return made


def drift(run: Trajectory) -> NDArray[np.float64]:
    """(T + V + what contacts have taken − energy at the start)/energy at the start, per state.

    Where contacts are springs (compliant contacts) what they hold is not known between events:
    instants at which a contact is pressed are NaN.
    """
    if not run.conservative:
        raise ValueError(
            "energy is not kept in this motion: forces other than weight and springs do work"
        )
    energy = run.kinetic_energy + run.potential_energy
    times = np.array([event.time for event in run.events])
    lost = np.array([event.dissipated for event in run.events])
    order = np.argsort(times, kind="stable")
    taken = np.concatenate([[0.0], np.cumsum(lost[order])])
    # A state at the very instant of an event is that before or after it: the one that fits.
    before = energy + taken[np.searchsorted(times[order], run.time, side="left")]
    after = energy + taken[np.searchsorted(times[order], run.time, side="right")]
    start = before[0]
    error = np.where(np.abs(after - start) < np.abs(before - start), after - start, before - start)
    if run.compliant:
        error = np.where((run.gap < 0.0).any(axis=1), np.nan, error)
    scale = max(abs(start), float(np.nanmax(run.kinetic_energy)))
    relative: NDArray[np.float64] = error / (scale or 1.0)
    return relative


def energy_drift(run: Trajectory, ax: Axes | None = None) -> Axes:
    """What nothing accounts for: energy with what contacts took, minus that at the start.

    Relative to the energy at the start, or to the largest kinetic energy if that is more. Energy
    that friction takes while contacts slide for a while is not in the events of all methods, and
    then shows here.
    """
    whole = trajectory_of(run)
    values = drift(whole)
    with picture(ax) as ax:
        t, t_unit = prefixed(whole.time, "s")
        ax.axhline(0.0, color=GREY, linewidth=0.6)
        ax.plot(t * whole.time, values, color=BLUE)
        largest = float(np.nanmax(np.abs(values)))
        ax.margins(x=0.0, y=0.1)
        if largest < 1e-15:  # a drift of rounding has no shape to look at
            ax.set_ylim(-1e-15, 1e-15)
        ax.set_xlabel(label("time", t_unit))
        ax.set_ylabel("energy error, relative")
        # Unless friction took some between events, which is no error.
        told = sum(event.dissipated for event in whole.events)
        lost = whole.summary.get("energy", {}).get("dissipated", told)
        lost = whole.energy.dissipated if isinstance(whole, Run) else lost
        drifts = lost - told <= 1e-6 * abs(lost)
        words = "Energy drift" if drifts else "Energy drift, and what sliding took"
        ax.set_title(f"{words}: {largest:.1e} at most")
    return ax
