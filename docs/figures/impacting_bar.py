#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Figure of docs/theory/impacting_bar.md, as SVG beside this file: python3 docs/figures/impacting_bar.py

Nothing but the standard library is needed. The values are the converged ones of data/reference/bar.json,
which `percute reproduce bar2007.fig5 bar2007.dip` computes again.
"""

import json
from pathlib import Path

from svg_plot import INK, Plot, write

DATA = Path(__file__).parent / "../../data/reference/bar.json"
CURVES = (("1", "#c4561a"), ("0.75", "#b58a00"), ("0.5", "#2a8a4a"), ("0.25", "#1f5fa8"), ("0", "#5b3a8c"))


def rows(item, start):
    """{angle: apparent restitution} of the cases whose id starts so, empty if there are none."""
    found = [c for c in item["cases"] if c["id"].startswith(start + ".a")]
    return {c["set"]["system.angle_deg"]: {r[0]: r[1] for r in c["expected"]}["apparent_restitution"] for c in found}


def pieces(values, angles):
    """Runs of neighbouring angles that have a value: (angle, value), ..."""
    piece = []
    for angle in angles:
        if angle in values:
            piece.append((angle, values[angle]))
        elif piece:
            yield piece
            piece = []
    if piece:
        yield piece


def restitution():
    """Apparent restitution against the angle of the bar."""
    items = {item["id"]: item for item in json.loads(DATA.read_text(encoding="utf-8"))["items"]}
    coarse, fine = items["bar2007.fig5"], items["bar2007.dip"]
    grid = sorted({**rows(coarse, "adaptive.e0"), **rows(fine, "n9.e0")})
    plot = Plot(64, 24, (600, 360), (0.0, 90.0), (0.0, 1.0))
    for y in (0.2, 0.4, 0.6, 0.8):
        plot.line(((0, y), (90, y)), "#e4e4e4", 1.0)
    plot.line(((69, 0), (69, 1)), "#999999", 1.0, "4 4")
    plot.text(69, 0.93, "69°: from here on", dx=-6, anchor="end", size=12, colour="#555555")
    plot.text(69, 0.88, "one cluster of contacts", dx=-6, anchor="end", size=12, colour="#555555")
    for k, (e, colour) in enumerate(CURVES):
        for piece in pieces({**rows(coarse, "adaptive.e" + e), **rows(fine, "n9.e" + e)}, grid):
            plot.line(piece, colour, 1.8)
            for point in piece:
                plot.dot(*point, colour, 2.2)
        plot.line(((5, 0.37 - 0.06 * k), (11, 0.37 - 0.06 * k)), colour, 1.8)
        plot.text(12.5, 0.37 - 0.06 * k, "e = " + e, dy=4, anchor="start", size=12)
    plot.line(((0, 0), (90, 0), (90, 1), (0, 1), (0, 0)), INK, 1.0)
    for x in range(0, 91, 15):
        plot.text(x, 0, "%d°" % x, dy=18, size=12)
    for y in (0, 0.2, 0.4, 0.6, 0.8, 1):
        plot.text(0, y, "%g" % y, dx=-8, dy=4, anchor="end", size=12)
    plot.text(45, 0, "angle with the floor", dy=42, size=14)
    x, y = plot.at(0, 0.5)
    plot.parts.append('<text transform="translate(%.1f,%.1f) rotate(-90)" text-anchor="middle" '
                      'fill="%s" font-size="14">apparent restitution</text>' % (x - 42, y, INK))
    write("impacting_bar_restitution.svg", 690, 440, [plot], "Apparent restitution of a bar against its angle")


if __name__ == "__main__":
    restitution()
