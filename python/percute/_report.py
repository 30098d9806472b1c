# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Figures of `percute reproduce --report`: python3 -m percute._report FOLDER.

FOLDER/reproduction.json holds what `percute reproduce --json` prints; every published figure whose numbers
are there is drawn again as FOLDER/ID.svg: lines and dots are computed, circles are printed values.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ._tables import optional

Row = dict[str, Any]
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")


@dataclass(frozen=True)
class Curve:
    """A quantity against a number in the label of its row; what else the label says is the curve."""

    x: str
    quantity: str
    xlabel: str
    ylabel: str
    only: str = ""
    """Labels without it are left out."""
    log: bool = False
    line: str = "-"


RESTITUTION = Curve("angle", "apparent_restitution", "angle with the floor [°]", "apparent restitution")
BEADS = Curve("N", "F_max", "beads", "largest force at the wall [N]")
FIGURES: dict[str, Curve | str] = {
    r"lzb2008\.fig35": Curve("N", "v_top", "beads", "velocity of the top bead [m/s]"),
    r"lzb2008\.(fig3|fig40)": BEADS,
    r"lzb2009\.fourball": "bars",
    r"handbook2024\.fig(6|7a)": "plane",
    r"handbook2024\.fig8a": Curve(
        "k2/k1", "dispersion", "stiffness ratio k₂/k₁", "dispersion C_KE", "k2/k1", log=True
    ),
    r"handbook2024\.fig8b": Curve("theta12", "dispersion", "kinetic angle [°]", "dispersion C_KE", line=""),
    r"handbook2024\.fig2": "forces",
    r"threeball2003\.fig1": "forces",
    r"threeball2003\.fig2": "ratios",
    r"bar2007\.fig5": Curve(**{**RESTITUTION.__dict__, "only": "model 2, adaptive"}),
    r"bar2007\.(fig6|dip)": RESTITUTION,
    r"bar2007\.fig[89]": Curve("phase", "apparent_restitution", "phase of the vibration [°]", "apparent restitution"),
}


def number_in(label: str, name: str) -> tuple[float | None, str]:
    """The number behind a name in a label, and the label without it."""
    found = re.search(rf"(?:^|, ){re.escape(name)} ?=? ?(-?[0-9.]+(?:e-?[0-9]+)?)", label)
    if found is None:
        return None, label
    rest = (label[: found.start()] + label[found.end() :]).strip(", ")
    return float(found.group(1)), rest


def curves(ax: Any, rows: Iterable[Row], what: Curve) -> None:
    lines: dict[str, list[tuple[float, float, float | None]]] = {}
    for row in rows:
        if row["quantity"] != what.quantity or row["computed"] is None or what.only not in row["label"]:
            continue
        x, name = number_in(row["label"], what.x)
        if x is not None:
            name = name.replace(what.only, "").strip(", ") if what.only != what.x else name
            lines.setdefault(name, []).append((x, row["computed"], row["published"]))
    for k, (name, points) in enumerate(lines.items()):
        points.sort(key=lambda point: point[0])
        colour = COLOURS[k % len(COLOURS)]
        ax.plot(*np.array([p[:2] for p in points]).T, "." + what.line, color=colour, linewidth=1, label=name or "computed")
        printed = np.array([(p[0], p[2]) for p in points if p[2] is not None])
        if len(printed):
            ax.plot(*printed.T, "o", color=colour, fillstyle="none", markersize=7, label="printed")
    if what.log:
        ax.set_xscale("log")
    ax.set(xlabel=what.xlabel, ylabel=what.ylabel)
    if what.quantity == "F_max":
        ax.set_ylim(bottom=0.0)
    if len(lines) > 1 or any("printed" == text for text in ax.get_legend_handles_labels()[1]):
        ax.legend(fontsize=7, ncols=2 if len(lines) > 5 else 1)


def plane(ax: Any, rows: Iterable[Row]) -> None:
    """Outcomes of three equal balls: gap rates over the speed of the striker."""
    turn = np.linspace(0.0, 1.0, 200)
    edge = np.array([turn, 0.5 * (-turn + np.sqrt(4.0 - 3.0 * turn**2))])  # x² + x y + y² = 1
    ax.fill([*edge[0], 0.0], [*edge[1], 0.0], color="#e6e6e6", zorder=0)
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        if row["quantity"] in ("gap_rate[0]", "gap_rate[1]"):
            found.setdefault(row["label"], {})[row["quantity"]] = row["computed"]
    series: dict[str, list[tuple[float, float]]] = {}
    for label, gap in found.items():
        name = re.sub(r"(, )?\b(e|U\+) = (\([^)]*\)|[-0-9.]+)", "", label).strip(", ")
        series.setdefault(name, []).append((gap["gap_rate[0]"], gap["gap_rate[1]"]))
    for k, (name, points) in enumerate(series.items()):
        ax.plot(*np.array(points).T, ".", color=COLOURS[k % len(COLOURS)], label=name or None)
    ax.set(xlabel="U₁⁺/V", ylabel="U₂⁺/V", aspect="equal", xlim=(-0.05, 1.1), ylim=(-0.05, 1.1))
    if any(series):
        ax.legend(fontsize=7)


def ratios(ax: Any, rows: Iterable[Row]) -> None:
    """Quantities with a place in brackets against that place."""
    lines: dict[str, list[tuple[int, float]]] = {}
    for row in rows:
        place = re.fullmatch(r"impulse_ratio\[(\d+)\]", row["quantity"])
        if place and row["computed"] is not None:
            lines.setdefault(row["label"], []).append((int(place.group(1)) + 1, row["computed"]))
    for k, (name, points) in enumerate(lines.items()):
        ax.plot(*np.array(points).T, ".-", color=COLOURS[k % len(COLOURS)], linewidth=1, label=name)
    ax.set(xlabel="place i in the chain", ylabel="impulse ratio p_i/p_(i+1)")
    ax.legend(fontsize=7)


def bars(ax: Any, rows: Iterable[Row]) -> None:
    """Printed and computed numbers side by side."""
    both = [row for row in rows if row["published"] is not None and row["computed"] is not None]
    places = np.arange(len(both))
    if not both:
        return
    ax.bar(places - 0.2, [row["published"] for row in both], 0.38, color="#bbbbbb", label="printed")
    ax.bar(places + 0.2, [row["computed"] for row in both], 0.38, color=COLOURS[0], label="computed")
    ax.set_xticks(places, [row["quantity"] for row in both])
    ax.axhline(0.0, color="black", linewidth=0.6)
    ax.set_ylabel("velocity [m/s]")
    ax.legend(fontsize=7)


def forces(ax: Any, force: Literal["hertz", "linear"]) -> None:
    """Three balls and two springs, for the stiffness ratios of the figure."""
    from . import Material, cradle, laws

    exponent = 1.5 if force == "hertz" else 1.0
    for k, ratio in enumerate((1.0, 100.0)):
        springs = [Material(stiffness=s, exponent=exponent) for s in (1.0, ratio)]
        problem = cradle(3, mass=1.0).replace(contacts=springs)
        history = problem.resolve(laws.Compliant(force=force), history=True).history
        for contact, style in ((0, "-"), (1, "--")):
            name = f"contact {contact + 1}–{contact + 2}, k₂/k₁ = {ratio:g}"
            ax.plot(history.time, history.force[:, contact], style, color=COLOURS[k], label=name)
    ax.set(xlabel="time", ylabel="force", title="mass, speed of the striker and k₁ are one")
    ax.legend(fontsize=7)


def draw(folder: Path) -> list[str]:
    """All figures of the items in a folder; their names."""
    plt = optional("matplotlib.pyplot")
    items = json.loads((folder / "reproduction.json").read_text(encoding="utf-8"))["items"]
    drawers: dict[str, Callable[..., None]] = {"plane": plane, "ratios": ratios, "bars": bars}
    made = []
    for item in items:
        what = next((value for key, value in FIGURES.items() if re.match(key, item["id"])), None)
        if what is None:
            continue
        with plt.rc_context({"svg.hashsalt": "percute", "font.size": 9}):
            figure, ax = plt.subplots(figsize=(5.2, 3.4), layout="constrained")
            if isinstance(what, Curve):
                curves(ax, item["rows"], what)
            elif what == "forces":
                forces(ax, "hertz" if "handbook" in item["id"] else "linear")
            else:
                drawers[what](ax, item["rows"])
            if ax.has_data():
                figure.savefig(folder / f"{item['id']}.svg", metadata={"Date": None})
                made.append(item["id"])
            plt.close(figure)
    return made


def main() -> int:
    try:
        optional("matplotlib").use("Agg")
        draw(Path(sys.argv[1]))
    except ImportError as error:
        print(f"percute: the report has no pictures: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
