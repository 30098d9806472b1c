# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""How all pictures look: column width, colours that everybody can tell apart, units with prefixes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._tables import optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMN = 3.4
"""Width of a column in a journal [in]."""

OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Colours that people with any kind of colour vision can tell apart (Okabe & Ito 2008)."""
BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK = OKABE_ITO
GREY = "#8C8C8C"
LIGHT = "#D9D9D9"

STYLE: dict[str, Any] = {
    "figure.dpi": 150,
    "savefig.dpi": 300,
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.titlelocation": "left",
    "axes.titlepad": 5,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.formatter.limits": (-3, 4),
    "axes.formatter.use_mathtext": True,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "legend.fontsize": 7,
    "legend.frameon": True,
    "legend.framealpha": 0.85,
    "legend.edgecolor": "none",
    "legend.handlelength": 1.4,
    "legend.borderpad": 0.2,
    "legend.labelspacing": 0.3,
    "lines.linewidth": 1.3,
    "lines.markersize": 3.5,
    "pdf.fonttype": 42,
    "svg.hashsalt": "percute",
    "animation.html": "none",
    "animation.embed_limit": 50.0,
}

NAMED = 7
"""Lines beyond these have colours of a scale, and only some of them have names."""


def pyplot() -> Any:
    """matplotlib, when it is needed and not before."""
    return optional("matplotlib.pyplot")


@contextmanager
def picture(ax: Axes | None, height: float = 2.3) -> Iterator[Axes]:
    """The axes given, or new ones of column width; what is drawn within has our style."""
    plt = pyplot()
    with plt.rc_context(STYLE):
        if ax is None:
            _, ax = plt.subplots(figsize=(COLUMN, height), layout="constrained")
        yield ax


@contextmanager
def pictures(
    axes: Sequence[Axes] | None, rows: int, height: float, **options: Any
) -> Iterator[list[Axes]]:
    """The same for panels below each other."""
    plt = pyplot()
    with plt.rc_context(STYLE):
        if axes is None:
            _, made = plt.subplots(
                rows, 1, figsize=(COLUMN, height), layout="constrained", squeeze=False, **options
            )
            axes = list(made[:, 0])
        else:
            axes = list(np.atleast_1d(np.asarray(axes, dtype=object)).ravel())
        if len(axes) != rows:
            raise ValueError(f"this picture has {rows} panels; {len(axes)} axes were given")
        yield axes
        figure_of(axes[0]).align_ylabels([ax for ax in axes if ax.get_ylabel()])


def figure_of(ax: Axes) -> Any:
    """Of axes that are in one."""
    return ax.get_figure()


def colour_bar(image: Any, ax: Axes, words: str, **options: Any) -> None:
    """What colours mean, beside the axes."""
    options = {"aspect": 28, "pad": 0.02, **options}
    bar = figure_of(ax).colorbar(image, ax=ax, **options)
    bar.outline.set_linewidth(0.5)
    bar.set_label(words)


PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G"}


def prefixed(values: ArrayLike, unit: str) -> tuple[float, str]:
    """A factor for numbers of this size, and their unit then: (1e6, "µs")."""
    sizes = np.abs(np.asarray(values, dtype=float))
    largest = float(np.max(sizes[np.isfinite(sizes)], initial=0.0))
    if largest == 0.0 or unit in ("", "rad", "rad/s"):
        return 1.0, unit
    if 0.1 <= largest < 1e4:  # easy to read as it is
        return 1.0, unit
    power = int(np.floor(np.log10(largest) / 3.0)) * 3
    power = min(max(power, -12), 9)
    return 10.0**-power, PREFIXES[power] + unit


def label(words: str, unit: str) -> str:
    """What stands at an axis."""
    return f"{words} [{unit}]" if unit else words


def colours(count: int) -> list[Any]:
    """One per line: few ones of their own, many from a scale."""
    if count <= NAMED:
        return list(OKABE_ITO[:count])
    scale = optional("matplotlib").colormaps["viridis"]
    return [scale(0.92 * k / (count - 1)) for k in range(count)]


def named(count: int) -> list[int]:
    """Of many lines, those that get a name."""
    if count <= NAMED + 2:
        return list(range(count))
    return sorted({round(k * (count - 1) / 4) for k in range(5)})


def lines(ax: Axes, x: ArrayLike, columns: NDArray[np.float64], names: Sequence[str]) -> list[Any]:
    """One line per column, with its name as label."""
    made = []
    count = columns.shape[1]
    known = set(named(count))
    for k, colour in enumerate(colours(count)):
        text = names[k] if k in known else "_" + names[k]
        made += ax.plot(x, columns[:, k], color=colour, label=text)
    return made


def name_at_ends(ax: Axes, drawn: Sequence[Any]) -> None:
    """Names of lines beside their last point, without overlaps: no legend to look up."""
    chosen = [line for line in drawn if not str(line.get_label()).startswith("_")]
    if not chosen:
        return
    ax.get_ylim()  # which looks at what has been drawn
    to_axes = ax.transScale + ax.transLimits
    ends = [
        float(to_axes.transform((line.get_xdata()[-1], line.get_ydata()[-1]))[1]) for line in chosen
    ]
    size = 7.0
    points = 72.0 * ax.get_window_extent().height / figure_of(ax).dpi
    places = spread(ends, 1.25 * size / max(points, 30.0))
    for line, place in zip(chosen, places):
        ax.text(
            1.02,
            place,
            line.get_label(),
            transform=ax.transAxes,
            color=line.get_color(),
            fontsize=size,
            va="center",
            ha="left",
        )


def spread(values: Sequence[float], distance: float) -> list[float]:
    """The same places moved apart by at least `distance`, in order, within 0 and 1."""
    order = np.argsort(values, kind="stable")
    groups: list[list[float]] = []  # [sum of wanted first places, count]
    for index in order:
        groups.append([float(values[index]), 1.0])
        # Places of a group are first, first + d, …; two that touch become one.
        while len(groups) > 1:
            low, high = groups[-2], groups[-1]
            if low[0] / low[1] + low[1] * distance <= high[0] / high[1]:
                break
            groups.pop()
            groups[-1] = [low[0] + high[0] - high[1] * low[1] * distance, low[1] + high[1]]
    placed: list[float] = []
    for total, count in groups:
        placed += [total / count + k * distance for k in range(int(count))]
    # None leaves the axes, as far as there is room.
    last = len(placed) - 1
    placed = [min(place, 1.0 - (last - k) * distance) for k, place in enumerate(placed)]
    placed = [max(place, k * distance) for k, place in enumerate(placed)]
    result = [0.0] * len(placed)
    for place, index in zip(placed, order):
        result[int(index)] = place
    return result


def by_unit(units: Sequence[str]) -> list[tuple[str, list[int]]]:
    """Coordinates that may share an axis."""
    groups: dict[str, list[int]] = {}
    for k, unit in enumerate(units):
        groups.setdefault(unit, []).append(k)
    return list(groups.items())


def margins(ax: Axes) -> None:
    """Time runs from edge to edge."""
    ax.margins(x=0.0, y=0.06)
