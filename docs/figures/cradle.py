#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""The picture at the top of README.md, as SVG beside this file: python3 docs/figures/cradle.py

Needs percute and matplotlib. The first swing of Newton's cradle, at its highest point, as books tell it and as the
law of Liu, Zhao and Brogliato has it; angles are those of the speeds after the impact.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import percute

BALLS, RADIUS, LENGTH, START = 5, 0.05, 0.5, np.radians(30.0)
STEEL, STRUCK, INK = "#9aa7b4", "#0072B2", "#333333"


def draw(ax, title, angles, words):
    pivots = 2 * RADIUS * np.arange(BALLS)
    ax.plot([pivots[0] - 0.06, pivots[-1] + 0.06], [0, 0], color=INK, linewidth=3, solid_capstyle="round")
    for pivot, angle, word in zip(pivots, angles, words):
        x, y = pivot + LENGTH * np.sin(angle), -LENGTH * np.cos(angle)
        moved = abs(angle) > np.radians(0.2)
        ax.plot([pivot, pivot], [0, -LENGTH], color="#dddddd", linewidth=0.8, zorder=0)
        ax.plot([pivot, x], [0, y], color=INK, linewidth=0.9)
        ax.add_patch(plt.Circle((x, y), RADIUS, facecolor=STRUCK if moved else STEEL, edgecolor="white", linewidth=0.8))
        ax.text(pivot, -LENGTH - 0.11, word, ha="center", va="center", fontsize=7, color=STRUCK if moved else INK)
    ax.text(pivots[-1] + 0.13, -LENGTH - 0.11, "m/s", ha="center", va="center", fontsize=7, color=INK)
    ax.set_title(title, fontsize=11, color=INK)
    ax.set(xlim=(-0.36, 0.76), ylim=(-0.64, 0.03), aspect="equal")
    ax.axis("off")


def swing(velocity):
    """How high a speed lifts: v = 2 √(g l) sin(angle/2)."""
    return 2 * np.arcsin(np.clip(velocity * np.sin(START / 2), -1, 1))


def number(velocity):
    return f"{velocity:.2f}".replace("-", "−") if abs(velocity) > 5e-3 else "0"


def main():
    plt.rcParams["svg.hashsalt"] = "percute"
    fig, axes = plt.subplots(1, 3, figsize=(10, 2.5), layout="constrained")
    before = percute.cradle(BALLS)
    draw(axes[0], "before", swing(-before.velocity), [number(v) for v in before.velocity])
    for ax, title, law in ((axes[1], "as books have it", "cradle_sort"), (axes[2], "with elastic contacts", "lzb")):
        v = before.resolve(law).velocity
        draw(ax, title, swing(v), [number(x) for x in v])
    fig.savefig(Path(__file__).parent / "cradle.svg", metadata={"Date": None}, transparent=False)


if __name__ == "__main__":
    main()
