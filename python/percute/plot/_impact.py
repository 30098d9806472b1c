# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""The inside of one impact: impulses, energies, velocities, forces; and its outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core import ImpactHistory, ImpactResult
from .._tables import names_of
from ._style import (
    BLUE,
    GREEN,
    GREY,
    VERMILLION,
    by_unit,
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


@dataclass(frozen=True)
class Names:
    """What the columns of a history are called."""

    coordinates: list[str]
    contacts: list[str]
    units: list[str]
    """Of velocities, one per coordinate."""


def names_of_problem(problem: Any) -> Names:
    units = ["m/s"] * len(problem.velocity)
    for body in problem.bodies:
        for coordinate, unit in zip(body.coordinates, body.units):
            units[coordinate] = unit
    return Names(problem.coordinate_names, problem.contact_names, units)


def history_of(what: ImpactHistory | ImpactResult) -> tuple[ImpactHistory, Names]:
    """A history and the names of what is in it."""
    history = what.history if isinstance(what, ImpactResult) else what
    if not isinstance(history, ImpactHistory):
        raise TypeError(f"a history or a result is wanted, not {type(what).__name__}")
    if len(history) == 0:
        raise ValueError("the history is empty: resolve(…, history=True) records one")
    loaded = getattr(history, "_names", None)
    problem = getattr(history, "_problem", None)
    known = names_of_problem(problem) if problem is not None else None
    if loaded is not None:
        known = Names(*loaded)
    if known is None:
        n, m = history.velocity.shape[1], history.impulse.shape[1]
        known = Names(
            [f"v{k + 1}" for k in range(n)], [f"contact {i + 1}" for i in range(m)], ["m/s"] * n
        )
    return history, known


def over_time(
    ax: Axes, history: ImpactHistory, columns: Any, names: Sequence[str], unit: str
) -> tuple[list[Any], float, str]:
    """Columns of a history against time, both with prefixes; the lines, the scale, its unit."""
    t, t_unit = prefixed(history.time, "s")
    scale, scaled_unit = prefixed(columns, unit)
    drawn = lines(ax, t * history.time, scale * columns, names)
    ax.set_xlabel(label("time", t_unit))
    margins(ax)
    return drawn, scale, scaled_unit


def impulses(history: ImpactHistory | ImpactResult, ax: Axes | None = None) -> Axes:
    """Impulse of every contact through an impact; dots mark the ends of compression."""
    inside, names = history_of(history)
    with picture(ax) as ax:
        drawn, scale, unit = over_time(ax, inside, inside.impulse, names.contacts, "N s")
        t, _ = prefixed(inside.time, "s")
        ends = [event for event in inside.events if event.kind == "compression_end"]
        if ends and inside.impulse.shape[1] <= 7:
            for k, event in enumerate(ends):
                ax.plot(
                    t * event.time,
                    scale * event.impulse,
                    "o",
                    color=drawn[event.contact].get_color(),
                    markersize=3,
                    label="end of compression" if k == 0 else "_",
                    zorder=3,
                )
            ax.set_title("Impulse of each contact; dots: compression ends")
        else:
            ax.set_title("Impulse of each contact")
        ax.set_ylabel(label("impulse", unit))
        name_at_ends(ax, drawn)
    return ax


def stored(history: ImpactHistory | ImpactResult, ax: Axes | None = None) -> Axes:
    """Energy stored in every contact through an impact."""
    inside, names = history_of(history)
    with picture(ax) as ax:
        _, _, unit = over_time(ax, inside, inside.stored_energy, names.contacts, "J")
        ax.set_ylabel(label("stored energy", unit))
        ax.set_title("Energy stored in each contact")
        ax.legend(loc="best")
    return ax


def energies(history: ImpactHistory | ImpactResult, ax: Axes | None = None) -> Axes:
    """Kinetic energy, what contacts hold and what they have taken, through an impact.

    The three add up to the dashed line, which is level.
    """
    inside, _ = history_of(history)
    held = inside.stored_energy.sum(axis=1)
    lost = inside.dissipated.sum(axis=1)
    total = inside.kinetic_energy + held + lost
    with picture(ax) as ax:
        t, t_unit = prefixed(inside.time, "s")
        scale, unit = prefixed(total, "J")
        time = t * inside.time
        drawn = ax.plot(time, scale * total, "--", color=GREY, linewidth=0.9, label="sum")
        drawn += ax.plot(time, scale * inside.kinetic_energy, color=BLUE, label="kinetic")
        drawn += ax.plot(time, scale * held, color=VERMILLION, label="stored")
        # What rounding leaves of an elastic impact is no line to look at.
        if lost.max(initial=0.0) > 1e-9 * total.max(initial=0.0):
            drawn += ax.plot(time, scale * lost, color=GREEN, label="lost")
        margins(ax)
        ax.set_ylim(bottom=0.0)
        ax.set_xlabel(label("time", t_unit))
        ax.set_ylabel(label("energy", unit))
        ax.set_title("Energy through the impact")
        name_at_ends(ax, drawn)
    return ax


def velocities(history: ImpactHistory | ImpactResult, ax: Any = None) -> Any:
    """Velocities against the impulse of all contacts together.

    Velocities of different units have panels of their own; a list of axes comes back then.
    """
    inside, names = history_of(history)
    groups = by_unit(names.units)
    given = None if ax is None else list(np.ravel(ax))
    with pictures(given, len(groups), 1.0 + 1.3 * len(groups)) as axes:
        p, p_unit = prefixed(inside.total_impulse, "N s")
        for panel, (unit, members) in zip(axes, groups):
            columns = inside.velocity[:, members]
            scale, scaled_unit = prefixed(columns, unit)
            drawn = lines(
                panel,
                p * inside.total_impulse,
                scale * columns,
                [names.coordinates[k] for k in members],
            )
            margins(panel)
            panel.set_ylabel(label("velocity", scaled_unit))
            name_at_ends(panel, drawn)
        axes[0].set_title("Velocity against impulse")
        axes[-1].set_xlabel(label("impulse of all contacts", p_unit))
    return axes[0] if len(axes) == 1 else axes


def forces(history: ImpactHistory | ImpactResult, ax: Axes | None = None) -> Axes:
    """Force of every contact over time."""
    inside, names = history_of(history)
    with picture(ax) as ax:
        _, _, unit = over_time(ax, inside, inside.force, names.contacts, "N")
        ax.set_ylabel(label("force", unit))
        ax.set_title("Force of each contact")
        ax.legend(loc="best")
    return ax


def history(
    history: ImpactHistory | ImpactResult, axes: Sequence[Axes] | None = None
) -> list[Axes]:
    """Impulses, and below them the energies that contacts store, through an impact."""
    with pictures(axes, 2, 3.9, sharex=True) as made:
        impulses(history, made[0])
        stored(history, made[1])
        made[0].set_xlabel("")
        made[0].set_title("Inside the impact; dots: compression ends")
        made[1].set_title("")
        legend = made[1].get_legend()
        if legend is not None:  # the names are beside the lines above
            legend.remove()
    return made


def result(result: ImpactResult, axes: Sequence[Axes] | None = None) -> list[Axes]:
    """Velocities before and after an impact as bars, and the impulses of the contacts."""
    coordinates, contacts = names_of(result)
    n, m = len(result.velocity), len(result.impulse)
    problem = result.problem
    units = names_of_problem(problem).units if problem is not None else ["m/s"] * n
    groups = by_unit(units)
    before = problem.velocity if problem is not None else None
    ratios = [max(len(members), 2) for _, members in groups] + [max(m, 2)]
    height = 1.1 + 0.45 * len(ratios) + 0.16 * (n + m)
    options = {"gridspec_kw": {"height_ratios": ratios}}
    with pictures(axes, len(ratios), min(height, 8.0), **options) as made:
        for panel, (unit, members) in zip(made, groups):
            rows = np.arange(len(members))
            both = [result.velocity[members]] + ([] if before is None else [before[members]])
            scale, scaled_unit = prefixed(both, unit)
            if before is not None:
                panel.barh(rows - 0.2, scale * before[members], 0.36, color=GREY, label="before")
            panel.barh(
                rows + 0.2, scale * result.velocity[members], 0.36, color=BLUE, label="after"
            )
            rows_of(panel, [coordinates[k] for k in members])
            panel.set_xlabel(label("velocity", scaled_unit))
        scale, unit = prefixed(result.impulse, "N s")
        made[-1].barh(np.arange(m), scale * result.impulse, 0.55, color=VERMILLION)
        rows_of(made[-1], contacts)
        made[-1].set_xlabel(label("impulse", unit))
        made[0].set_title("Before and after the impact")
        if before is not None:
            made[0].legend(loc="best")
    return made


def rows_of(ax: Axes, names: Sequence[str]) -> None:
    """Names of rows, the first on top; of many only some."""
    step = 1 + len(names) // 25
    ax.set_yticks(np.arange(0, len(names), step), names[::step])
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.axvline(0.0, color="black", linewidth=0.5)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
