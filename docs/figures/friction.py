#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Figures of docs/theory/friction.md, as SVG beside this file: python3 docs/figures/friction.py

Nothing but the standard library is needed. The paths are those of the closed form of one contact
(Routh), and in space of a Runge-Kutta integration of the slip.
"""

import math

from svg_plot import INK, PALE, Plot, write

SLIP, STICK, REVERSE = "#1f5fa8", "#2a8a4a", "#c4561a"


def impact(a, c, g, mu, e, Un, Ut):
    """Phases of one planar contact: (motion, (U_t, U_n) from, to, normal impulse from, to)."""
    s = (Ut > 0) - (Ut < 0)
    rest = (("stick", a - c * c / g, 0.0) if abs(c) <= mu * g else
            ("reverse slip", a - mu * abs(c), c - math.copysign(mu * g, c)))
    stop = -Ut / (c - mu * g * s) if s and s * (c - mu * g * s) < 0 else math.inf
    parts = [("slip", a - mu * c * s, c - mu * g * s, stop)] if s else []
    if not s or stop < math.inf:
        parts.append((*rest, math.inf))
    out, p, W, Wc = [], 0.0, 0.0, None
    for motion, kn, kt, length in parts:
        while length > 0.0:
            if Wc is None:  # compression, to U_n = 0
                step = -Un / kn if kn > 0.0 else math.inf
            else:  # expansion, to W = (1 - e^2) W_c
                step = (-Un + math.sqrt(max(Un * Un - 2 * kn * (W - (1 - e * e) * Wc), 0.0))) / kn
            d = min(step, length)
            start = (Ut, Un)
            W += Un * d + 0.5 * kn * d * d
            Un, Ut, length = Un + kn * d, Ut + kt * d, length - d
            out.append((motion, start, (Ut, Un), p, p + d))
            p += d
            if d == step:
                if Wc is not None:
                    return out
                Wc, Un = W, 0.0
        Ut = 0.0
    return out


COLOURS = {"slip": SLIP, "stick": STICK, "reverse slip": REVERSE}


def phase_plane():
    """Four impacts in the plane of sliding and gap rate."""
    cases = (("slip to the end", (1.0, 0.25, 3.0, 0.12, 0.7, -1.0, 0.9)),
             ("slip, then stick", (1.0, 0.3, 2.0, 0.5, 0.7, -1.0, 0.6)),
             ("slip, then reverse slip", (1.0, -1.0, 2.0, 0.3, 0.7, -1.0, 0.8)),
             ("jam: approach speeds up first", (1.0, 1.5, 3.0, 1.0, 0.5, -1.0, 0.5)))
    plots = []
    for k, (name, case) in enumerate(cases):
        plot = Plot(20 + 245 * k, 34, (225, 250), (-0.75, 1.25), (-1.35, 1.0))
        plot.area(((-0.75, -1.35), (1.25, -1.35), (1.25, 0.0), (-0.75, 0.0)), PALE)
        plot.axes("U_t", "U_n")
        plot.text(0.25, 1.0, name, dy=-12, size=14)
        plot.text(-0.72, -1.3, "compression", anchor="start", size=11, colour="#667788")
        phases = impact(*case)
        for motion, a, b, _, _ in phases:
            plot.line((a, b), COLOURS[motion], 2.6)
        for motion, a, b, _, _ in phases:
            if math.hypot(b[0] - a[0], b[1] - a[1]) > 0.25:
                plot.arrow(a, b, COLOURS[motion])
            plot.dot(*a, COLOURS[motion])
        plot.dot(*phases[-1][2])
        a, c, g, mu, e = case[:5]
        plot.text(0.25, -1.35, "A = (%g, %g; %g, %g), μ = %g, e = %g" % (a, c, c, g, mu, e), dy=18, size=11)
        plots.append(plot)
    legend = Plot(20, 330, (960, 20), (0, 960), (0, 20))
    for k, motion in enumerate(COLOURS):
        legend.line(((300 + 150 * k, 8), (330 + 150 * k, 8)), COLOURS[motion], 2.6)
        legend.text(338 + 150 * k, 8, motion, dy=4, anchor="start")
    write("friction_phase_plane.svg", 1000, 360, plots + [legend],
          "Slip, stick, reverse slip and jam in the plane of sliding velocity and gap rate")


def phase_diagram():
    """What becomes of slip, by coupling and friction."""
    top = 2.6
    plot = Plot(70, 24, (560, 380), (-1.0, 1.0), (0.0, top))
    plot.area(((-1, 1), (0, 0), (1, 1), (1, top), (-1, top)), "#e2f1e6")
    plot.area(((-1, 0), (0, 0), (-1, 1)), "#f8e6da")
    plot.area(((0, 0), (1, 0), (1, 1)), "#e1eaf5")
    jam = [(1 / m, m) for m in (1 + (top - 1) * i / 60 for i in range(61))]
    plot.area(jam + [(1, top)], "#f3d9e2")
    plot.line(((-1, 1), (0, 0)), REVERSE, 2.0)
    plot.line(((0, 0), (1, 1)), SLIP, 2.0)
    plot.line(jam, "#a02050", 2.0)
    plot.line(((-1, 0), (1, 0), (1, top), (-1, top), (-1, 0)), INK, 1.0)
    plot.line(((0, 0), (0, top)), "#999999", 1.0, "4 4")
    plot.text(-0.3, 1.5, "slip stops, then stick", size=15, colour=STICK)
    plot.text(-0.72, 0.25, "slip stops,", size=13, colour=REVERSE)
    plot.text(-0.72, 0.12, "then reverse slip", size=13, colour=REVERSE)
    plot.text(0.72, 0.25, "slips on,", size=13, colour=SLIP)
    plot.text(0.72, 0.12, "ever faster", size=13, colour=SLIP)
    plot.text(0.80, 2.1, "jam,", size=13, colour="#a02050")
    plot.text(0.80, 1.97, "then stick", size=13, colour="#a02050")
    for x in (-1, -0.5, 0, 0.5, 1):
        plot.text(x, 0, "%g" % x, dy=18, size=12)
    for y in (0, 0.5, 1, 1.5, 2, 2.5):
        plot.text(-1, y, "%g" % y, dx=-8, dy=4, anchor="end", size=12)
    plot.text(0, 0, "coupling κ = sign(U_t⁻) A_tn / √(A_nn A_tt)", dy=42, size=14)
    x, y = plot.at(-1, 0.5 * top)
    plot.parts.append('<text transform="translate(%.1f,%.1f) rotate(-90)" text-anchor="middle" '
                      'fill="%s" font-size="14">friction m = μ √(A_tt / A_nn)</text>' % (x - 42, y, INK))
    plot.text(-0.42, 0.5, "m = |κ|: the stick coefficient", dx=4, dy=-4, anchor="start", size=11,
              colour="#555555")
    plot.text(0.66, 1.52, "m κ = 1", size=11, dx=-34, colour="#555555")
    write("friction_phase_diagram.svg", 660, 460, [plot], "What becomes of slip in a planar impact")


def hodograph():
    """Sliding velocities of impacts in space, in the tangent plane."""
    b, C = (0.3, -0.2), ((2.0, 0.4), (0.4, 1.5))

    def rate(mu, u):
        s = math.hypot(*u)
        w = (u[0] / s, u[1] / s)
        return tuple(b[i] - mu * (C[i][0] * w[0] + C[i][1] * w[1]) for i in range(2))

    def path(mu, u, length):
        points, p = [u], 0.0
        while p < length and math.hypot(*u) > 2e-3 and max(map(abs, u)) < 0.99:
            h = min(0.01, 0.2 * math.hypot(*u))
            k1 = rate(mu, u)
            k2 = rate(mu, (u[0] + 0.5 * h * k1[0], u[1] + 0.5 * h * k1[1]))
            u = (u[0] + h * k2[0], u[1] + h * k2[1])
            p += h
            points.append(u)
        return points

    def restart(mu):
        """The direction u* that slip from rest takes: b - mu C u* = alpha u*, alpha > 0."""
        best = None
        for i in range(3600):
            f = math.radians(0.1 * i)
            u = (math.cos(f), math.sin(f))
            w = rate(mu, u)
            if u[0] * w[0] + u[1] * w[1] > 0:
                turn = abs(-u[1] * w[0] + u[0] * w[1])
                if best is None or turn < best[0]:
                    best = (turn, u)
        return best[1]

    plots = []
    for k, (mu, name) in enumerate(((0.1, "μ = 0.1: slip turns towards u*"),
                                    (0.5, "μ = 0.5: slip stops, then stick"))):
        plot = Plot(20 + 400 * k, 40, (370, 370), (-1.0, 1.0), (-1.0, 1.0))
        plot.line(((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)), "#999999", 1.0)
        plot.axes("U_t1", "U_t2")
        plot.text(0.0, 1.0, name, dy=-14, size=14)
        starts = [(0.95 * math.cos(math.radians(f)), 0.95 * math.sin(math.radians(f)))
                  for f in range(0, 360, 30)]
        for start in starts:
            way = path(mu, start, 20.0)
            plot.line(way[:: max(1, len(way) // 80)] + [way[-1]], SLIP, 1.6)
            middle = len(way) // 3
            plot.arrow(way[middle], way[min(middle + 2, len(way) - 1)], SLIP, 6.0)
            plot.dot(*start, SLIP, 2.5)
        if mu < 0.2:
            u = restart(mu)
            plot.line(((0.0, 0.0), (0.98 * u[0], 0.98 * u[1])), REVERSE, 2.6)
            plot.arrow((0.4 * u[0], 0.4 * u[1]), (0.6 * u[0], 0.6 * u[1]), REVERSE)
            plot.text(0.8 * u[0], 0.8 * u[1], "u*", dx=-14, dy=14, colour=REVERSE, size=14)
        plot.dot(0.0, 0.0, STICK if mu > 0.2 else REVERSE, 4.5)
        plots.append(plot)
    write("friction_hodograph.svg", 810, 430, plots, "Sliding velocity during impacts in space")


if __name__ == "__main__":
    phase_plane()
    phase_diagram()
    hodograph()
