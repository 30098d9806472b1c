# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Plots as SVG with the standard library alone, for the figures beside this file."""

import math
from pathlib import Path

INK, PALE = "#222222", "#e9eef5"


class Plot:
    """A box of an SVG with axes; x to the right, y upwards."""

    def __init__(self, left, top, size, x, y):
        self.left, self.top, self.size, self.x, self.y = left, top, size, x, y
        self.parts = []

    def at(self, x, y):
        (x0, x1), (y0, y1) = self.x, self.y
        width, height = self.size
        return (self.left + (x - x0) / (x1 - x0) * width, self.top + (y1 - y) / (y1 - y0) * height)

    def line(self, points, colour=INK, width=1.0, dash=""):
        text = " ".join("%.2f,%.2f" % self.at(*p) for p in points)
        extra = ' stroke-dasharray="%s"' % dash if dash else ""
        self.parts.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="%g"%s/>'
                          % (text, colour, width, extra))

    def area(self, points, colour):
        text = " ".join("%.2f,%.2f" % self.at(*p) for p in points)
        self.parts.append('<polygon points="%s" fill="%s" stroke="none"/>' % (text, colour))

    def dot(self, x, y, colour=INK, radius=3.5):
        self.parts.append('<circle cx="%.2f" cy="%.2f" r="%g" fill="%s"/>'
                          % (*self.at(x, y), radius, colour))

    def arrow(self, a, b, colour, size=7.0):
        """A head in the middle of the way from a to b."""
        (x0, y0), (x1, y1) = self.at(*a), self.at(*b)
        x, y = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
        length = math.hypot(x1 - x0, y1 - y0)
        if length == 0.0:
            return
        ux, uy = (x1 - x0) / length * size, (y1 - y0) / length * size
        corners = ((x + 0.6 * ux, y + 0.6 * uy), (x - 0.6 * ux - 0.5 * uy, y - 0.6 * uy + 0.5 * ux),
                   (x - 0.6 * ux + 0.5 * uy, y - 0.6 * uy - 0.5 * ux))
        self.parts.append('<polygon points="%s" fill="%s"/>'
                          % (" ".join("%.2f,%.2f" % c for c in corners), colour))

    def text(self, x, y, words, dx=0, dy=0, anchor="middle", colour=INK, size=13, style=""):
        px, py = self.at(x, y)
        self.parts.append('<text x="%.2f" y="%.2f" text-anchor="%s" fill="%s" font-size="%g"%s>%s</text>'
                          % (px + dx, py + dy, anchor, colour, size, style, words))

    def axes(self, x_name, y_name):
        self.line(((self.x[0], 0.0), (self.x[1], 0.0)), INK, 1.0)
        self.line(((0.0, self.y[0]), (0.0, self.y[1])), INK, 1.0)
        self.text(self.x[1], 0.0, x_name, dx=-2, dy=-6, anchor="end")
        self.text(0.0, self.y[1], y_name, dx=6, dy=10, anchor="start")


def write(name, width, height, plots, title):
    body = "\n".join(part for plot in plots for part in plot.parts)
    svg = ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
           'font-family="sans-serif">\n<title>%s</title>\n'
           '<rect width="%d" height="%d" fill="#ffffff"/>\n%s\n</svg>\n'
           % (width, height, width, height, title, width, height, body))
    (Path(__file__).parent / name).write_text(svg, encoding="utf-8")
