# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Laws side by side, where they can take an impact of three balls, and maps over parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from .._analysis import compare
from .._analysis import outcome_plane as reachable
from .._batch import ImpactResults
from .._core import ImpactProblem, ImpactResult, Scene
from .._files import read_scene
from .._motion import simulate
from ._impact import names_of_problem
from ._style import (
    COLUMN,
    GREY,
    LIGHT,
    STYLE,
    VERMILLION,
    by_unit,
    colour_bar,
    colours,
    label,
    picture,
    prefixed,
    pyplot,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# ------------------------------------------------------------------------------------ bars of laws


@dataclass(frozen=True)
class Row:
    """What a law made of an impact."""

    law: str
    velocity: NDArray[np.float64]
    kept: float | None
    """Kinetic energy after over before."""
    admissible: bool
    status: str


def rows_of_comparison(comparison: Any) -> tuple[list[Row], list[str], list[str]]:
    """One row per law; names and units of the coordinates."""
    rows = []
    if isinstance(comparison, Mapping) and comparison.get("format") == "percute-comparison/1":
        for one in comparison["results"]:
            verdicts = [v for k, v in one["consistency"].items() if k != "margins"]
            velocity = np.asarray(one["velocity"], dtype=float)
            kept = one["energy"]["ratio"]
            rows.append(Row(one["law"]["kind"], velocity, kept, all(verdicts), one["status"]))
        names = [f"v{k + 1}" for k in range(len(rows[0].velocity))] if rows else []
        return numbered(rows), names, ["m/s"] * len(names)
    for name, result in comparison.items():
        if not isinstance(result, ImpactResult):
            raise TypeError("a comparison is wanted: percute.compare(problem, laws)")
        energy = result.energy
        kept = energy.after / energy.before if energy.before else None
        verdict = result.consistency.admissible()
        rows.append(Row(name, np.asarray(result.velocity), kept, verdict, result.status))
    problem = next((r.problem for r in comparison.values() if r.problem is not None), None)
    if problem is None:
        n = len(rows[0].velocity) if rows else 0
        return rows, [f"v{k + 1}" for k in range(n)], ["m/s"] * n
    known = names_of_problem(problem)
    return rows, known.coordinates, known.units


def numbered(rows: list[Row]) -> list[Row]:
    """Laws that are there twice, with other options, are told apart by numbers."""
    made = []
    for k, row in enumerate(rows):
        same = [j for j, other in enumerate(rows) if other.law == row.law]
        name = f"{row.law} ({same.index(k) + 1})" if len(same) > 1 else row.law
        made.append(Row(name, row.velocity, row.kept, row.admissible, row.status))
    return made


def laws(comparison: Any, ax: Any = None) -> Any:
    """Velocities after an impact as bars, law by law, with the part of the energy that is kept.

    A cross marks outcomes that are not admissible. With many coordinates colours take the place of
    bars; velocities of different units have panels of their own, and a list of axes comes back.
    """
    rows, names, units = rows_of_comparison(comparison)
    if not rows:
        raise ValueError("the comparison is empty: no law covers this problem")
    groups = by_unit(units)
    longest = max(len(members) for _, members in groups)
    bars = longest <= 9
    per_law = max(0.085 * longest + 0.1, 0.2) if bars else 0.2
    height = 0.95 + per_law * len(rows)
    plt = pyplot()
    with plt.rc_context(STYLE):
        if ax is None:
            _, made = plt.subplots(
                1,
                len(groups),
                figsize=(COLUMN * (1 if len(groups) == 1 else 1.5), min(height, 9.0)),
                layout="constrained",
                squeeze=False,
            )
            axes = list(made[0])
        else:
            axes = list(np.ravel(ax))
        if len(axes) != len(groups):
            raise ValueError(f"this picture has {len(groups)} panels; {len(axes)} axes were given")
        for panel, (unit, members) in zip(axes, groups):
            table = np.array([row.velocity[members] for row in rows])
            titles = [names[k] for k in members]
            (law_bars if bars else law_colours)(panel, table, titles, unit)
            first = panel is axes[0]
            panel.set_yticks(range(len(rows)), [row.law if first else "" for row in rows])
            panel.set_ylim(len(rows) - 0.5, -0.5)
            panel.tick_params(axis="y", length=0)
            panel.spines["left"].set_visible(False)
        for k, row in enumerate(rows):
            kept = "–" if row.kept is None else f"{row.kept:.3f}"
            if row.status not in ("ok", "no_impact", "zeno"):
                kept = "no answer"
            axes[-1].annotate(
                kept if row.admissible or kept == "no answer" else kept + " ✗",
                (1.02, k),
                xycoords=("axes fraction", "data"),
                va="center",
                fontsize=7,
                color="black" if row.admissible else VERMILLION,
            )
        axes[-1].annotate(
            "$T^+/T^-$",
            (1.02, 1.0),
            xycoords="axes fraction",
            xytext=(0, 4),
            textcoords="offset points",
            fontsize=7,
        )
        axes[0].set_title("Velocity after the impact", fontsize=8)
    return axes[0] if len(axes) == 1 else axes


def law_bars(ax: Axes, table: NDArray[np.float64], names: list[str], unit: str) -> None:
    laws_, bodies = table.shape
    scale, scaled_unit = prefixed(table, unit)
    thick = 0.8 / bodies
    for k, colour in enumerate(colours(bodies)):
        places = np.arange(laws_) + (k - (bodies - 1) / 2) * thick
        ax.barh(places, scale * table[:, k], 0.9 * thick, color=colour, label=names[k])
    for k in range(1, laws_):
        ax.axhline(k - 0.5, color=LIGHT, linewidth=0.5, zorder=0)
    ax.axvline(0.0, color="black", linewidth=0.5)
    ax.set_xlabel(label("velocity", scaled_unit))
    room = 5 if max(len(name) for name in names) <= 7 else 3
    ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        borderaxespad=4.4,  # below the numbers and the label of the axis
        ncols=min(bodies, room),
        columnspacing=1.0,
        handlelength=0.9,
    )


def law_colours(ax: Axes, table: NDArray[np.float64], names: list[str], unit: str) -> None:
    scale, scaled_unit = prefixed(table, unit)
    largest = float(np.nanmax(np.abs(scale * table)))
    image = ax.imshow(
        scale * table, aspect="auto", cmap="RdBu_r", vmin=-largest, vmax=largest, origin="upper"
    )
    count = table.shape[1]
    step = 1 + (count - 1) // 6
    ax.set_xticks(
        range(0, count, step), names[::step], rotation=45, ha="right", rotation_mode="anchor"
    )
    colour_bar(image, ax, label("velocity", scaled_unit), location="bottom")


# ----------------------------------------------------------------------------- the plane of outcomes

LAWS = ("newton", "moreau", "poisson", "binary", "lzb")


def impact_of(what: Any, state: Any) -> ImpactProblem:
    """The impact of a problem, a scene, or a system that touches."""
    if isinstance(what, ImpactProblem):
        return what
    if isinstance(what, Scene):
        return what.problem
    if state is None:
        if not hasattr(what, "at_contact"):
            raise TypeError("a problem, a scene or a system is wanted; a system with its state")
        state = what.at_contact(1.0)
    return what.impact(state)  # type: ignore[no-any-return]


def admissible_region(problem: ImpactProblem, corners: int = 720) -> NDArray[np.float64]:
    """Corners of the admissible outcomes U⁺/V of an impact with two contacts.

    Nothing approaches (U⁺ ≥ 0), contacts push (p = G⁻¹(U⁺ − U⁻) ≥ 0), and no energy is made
    (U⁺ᵀ G⁻¹ U⁺ ≤ U⁻ᵀ G⁻¹ U⁻, an ellipse).
    """
    before = np.asarray(problem.gap_rates)
    if before.shape != (2,):
        raise ValueError(f"the plane of outcomes is for two contacts; there are {len(before)}")
    scale = float(np.max(np.abs(before)))
    if scale == 0.0:
        raise ValueError("nothing moves at the contacts: there is no impact")
    u = before / scale
    inverse = np.linalg.inv(problem.delassus())
    # U = L c with L Lᵀ = G: the ellipse is a circle of c.
    low = np.linalg.cholesky(problem.delassus())
    radius = np.sqrt(u @ inverse @ u)
    turn = np.linspace(0.0, 2.0 * np.pi, corners, endpoint=False)
    region: NDArray[np.float64] = radius * np.column_stack([np.cos(turn), np.sin(turn)]) @ low.T
    for normal, offset in (
        (np.array([1.0, 0.0]), 0.0),
        (np.array([0.0, 1.0]), 0.0),
        (inverse[0], float(inverse[0] @ u)),
        (inverse[1], float(inverse[1] @ u)),
    ):
        region = clipped(region, normal, offset)
    return region


def clipped(
    polygon: NDArray[np.float64], normal: NDArray[np.float64], offset: float
) -> NDArray[np.float64]:
    """The part of a convex polygon where normal · x ≥ offset."""
    made = []
    for here, there in zip(polygon, np.roll(polygon, -1, axis=0)):
        a, b = float(normal @ here) - offset, float(normal @ there) - offset
        if a >= 0.0:
            made.append(here)
        if a * b < 0.0:
            made.append(here + (there - here) * (a / (a - b)))
    return np.array(made).reshape(-1, 2)


def outcome_plane(
    problem: Any,
    laws: str | Sequence[str] | Mapping[str, Any] = LAWS,
    *,
    state: Any = None,
    families: bool = True,
    samples: int = 4000,
    ax: Axes | None = None,
) -> Axes:
    """Where laws take an impact with two contacts, such as that of three balls.

    Axes are the gap rates after the impact over the largest one before. Grey is what is admissible:
    nothing approaches, contacts push, no energy is made. A law is a marker; with `families`, what it
    reaches by other parameters is a line or a cloud of its colour.

    Parameters
    ----------
    problem
        An ImpactProblem, a Scene, or a system, which touches in `state` (default: at_contact(1.0)).
    laws
        As for percute.compare(). Functions of your own have no family.
    """
    impact = impact_of(problem, state)
    region = admissible_region(impact)
    found = compare(impact, laws)
    scale = float(np.max(np.abs(impact.gap_rates)))
    kinds = [name for name in found if name.split(":")[0] in _core.law_kinds()]
    clouds: dict[str, Any] = {}
    if families and kinds and not any(c.material.friction for c in impact.contacts):
        for family in reachable(impact, kinds, samples=samples):
            clouds.setdefault(family["law"], family)
    with picture(ax, 3.1) as ax:
        from matplotlib.patches import Polygon

        ax.add_patch(
            Polygon(region, closed=True, facecolor="#EDEDED", edgecolor=GREY, linewidth=0.8)
        )
        marks = "osD^vP*X<>"
        tints = colours(max(len(found), 1))
        # What reaches most lies at the back.
        order = sorted(
            range(len(found)),
            key=lambda k: -clouds.get(list(found)[k].split(":")[0], {"coverage": 0.0})["coverage"],
        )
        for k in order:
            name = list(found)[k]
            cloud = clouds.get(name.split(":")[0])
            if cloud is not None and cloud["parameter_names"]:
                inside = cloud["outcome"][np.asarray(cloud["admissible"], dtype=bool)]
                line = len(cloud["parameter_names"]) == 1
                ax.plot(
                    inside[:, 0],
                    inside[:, 1],
                    ".",
                    markersize=2.0,
                    markeredgewidth=0.0,
                    color=tints[k],
                    alpha=1.0 if line else 0.35,
                    rasterized=True,
                    zorder=1.8 if line else 1.5,
                    label="_family of " + name,
                )
        for k, (name, result) in enumerate(found.items()):
            outcome = np.asarray(result.gap_rate) / scale
            ax.plot(
                outcome[0],
                outcome[1],
                marks[k % len(marks)],
                color=tints[k],
                markeredgecolor="white",
                markeredgewidth=0.6,
                # Laws that agree are seen one inside the other.
                markersize=max(11.0 - 2.2 * k, 4.0),
                linestyle="none",
                label=name,
                zorder=3 + 0.1 * k,
                clip_on=False,
            )
        first, second = impact.contact_names
        ax.set_xlabel(f"$U^+/V$ of contact {first}")
        ax.set_ylabel(f"$U^+/V$ of contact {second}")
        reach = 1.04 * region.max(axis=0)
        ax.set_xlim(-0.03 * reach[0], reach[0])
        ax.set_ylim(-0.03 * reach[1], reach[1])
        ax.set_aspect("equal")
        ax.set_title("Outcomes by law; grey: admissible")
        legend = ax.legend(loc="upper right", handletextpad=0.2)
        handles: list[Any] = legend.legend_handles
        for handle in handles:
            handle.set_markersize(5.0)
    return ax


# --------------------------------------------------------------------------------------------- maps

Quantity = Callable[[ImpactResults], ArrayLike]


def kept(results: ImpactResults) -> NDArray[np.float64]:
    """Kinetic energy after over before."""
    return results.energy_after / results.energy_before


def map(  # noqa: A001 - what it is called
    x: ArrayLike,
    y: ArrayLike,
    values: ArrayLike | ImpactResults | Callable[[float, float], float],
    ax: Axes | None = None,
    *,
    quantity: Quantity = kept,
    xlabel: str = "",
    ylabel: str = "",
    label: str = "",
    title: str = "",
    levels: int | Sequence[float] = 0,
    diverging: bool = False,
) -> Axes:
    """A quantity over two parameters, as colours.

    Parameters
    ----------
    x, y
        Values of the parameters, growing.
    values
        An array, one row per y and one column per x; all of it in one row, x running first; what
        resolve_many() gave for ``xx, yy = np.meshgrid(x, y)`` and ``xx.ravel()``, ``yy.ravel()``,
        of which `quantity` makes numbers (by default the part of the energy that is kept); or a
        function of x and y.
    levels
        Lines of equal value: how many, or where.
    diverging
        Colours around zero.
    """
    columns, rows = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    for name, numbers in (("x", columns), ("y", rows)):
        if numbers.ndim != 1 or len(numbers) < 2 or np.any(np.diff(numbers) <= 0.0):
            raise ValueError(f"{name} must be a row of at least two growing numbers")
    if isinstance(values, ImpactResults):
        table = np.where(values.ok, np.asarray(quantity(values), dtype=float), np.nan)
        label = label or ("$T^+/T^-$" if quantity is kept else "")
    elif callable(values):
        table = np.array([[float(values(a, b)) for a in columns] for b in rows])
    else:
        table = np.asarray(values, dtype=float)
    if table.size != len(columns) * len(rows):
        raise ValueError(
            f"{table.size} values do not fill {len(rows)} rows (y) of {len(columns)} columns (x)"
        )
    table = table.reshape(len(rows), len(columns))
    with picture(ax, 2.6) as ax:
        reach = float(np.nanmax(np.abs(table))) if diverging else None
        image = ax.pcolormesh(
            columns,
            rows,
            table,
            shading="nearest",
            cmap="RdBu_r" if diverging else "viridis",
            vmin=None if reach is None else -reach,
            vmax=reach,
            rasterized=True,
        )
        if not isinstance(levels, int) or levels > 0:
            drawn = ax.contour(columns, rows, table, levels, colors="white", linewidths=0.7)
            ax.clabel(drawn, fontsize=6)
        colour_bar(image, ax, label)
        ax.set_xlabel(xlabel)
        ax.set_ylabel(ylabel)
        ax.set_title(title)
        for spine in ("top", "right"):
            ax.spines[spine].set_visible(True)
    return ax


# ------------------------------------------------------------------------------------ the impacting bar

BAR = """
name = "bar"
[system]
kind = "impacting_bar"
angle_deg = {angle}
gravity = 9.81
[impact]
restitution = {restitution}
[simulation]
method = "event_driven_adaptive"
duration = 0.02
stop_after_quiet = 0.003
"""


def apparent_restitution(angle: float, restitution: float, **values: Any) -> float:
    """Of an impacting bar that falls at this angle [degrees]: mean speed after over speed before."""
    scene = read_scene(BAR.format(angle=float(angle), restitution=float(restitution)), "bar")
    run = simulate(scene.with_values(values) if values else scene)
    value = run.summary["apparent_restitution"]["value"]
    return float("nan") if value is None else float(value)


def bar_restitution(
    curves: Mapping[float, tuple[ArrayLike, ArrayLike]] | None = None,
    *,
    angles: ArrayLike | None = None,
    restitution: Sequence[float] = (1.0, 0.5, 0.0),
    threads: int | None = None,
    ax: Axes | None = None,
    **values: Any,
) -> Axes:
    """Apparent restitution of an impacting bar against the angle at which it falls.

    Parameters
    ----------
    curves
        What to draw: for each restitution of the contact, angles [degrees] and values. Without it
        they are computed, for `angles` and each `restitution`; some seconds.
    **values
        Of the scene: ``segments=9`` or ``{"system.length": 0.3}``.
    """
    if curves is None:
        grid = np.linspace(0.0, 90.0, 31) if angles is None else np.asarray(angles, dtype=float)
        given = {key if "." in key else f"system.{key}": value for key, value in values.items()}
        with ThreadPoolExecutor(threads) as pool:
            tasks = {
                e: [pool.submit(apparent_restitution, angle, e, **given) for angle in grid]
                for e in restitution
            }
            curves = {e: (grid, [task.result() for task in row]) for e, row in tasks.items()}
    with picture(ax, 2.5) as ax:
        for (e, (where, found)), colour in zip(curves.items(), colours(len(curves))):
            style = {"markersize": 2.2, "linewidth": 1.0, "color": colour}
            ax.plot(where, found, "o-", label=f"$e$ = {e:g}", **style)
        ax.set_xlim(0.0, 90.0)
        ax.set_ylim(0.0, 1.02)
        ax.set_xticks(range(0, 91, 15))
        ax.set_xlabel("angle with the floor [degrees]")
        ax.set_ylabel("apparent restitution")
        ax.set_title("What an observer calls restitution")
        ax.legend(loc="lower left")
    return ax
