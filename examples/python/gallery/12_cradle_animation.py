"""
Newton's cradle, as it really swings
====================================

Five steel balls on strings, the first let go at 30°. At every strike all contacts share the impulse, so the balls
that struck do not stop: after a few swings the others swing too.
"""

# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation

import percute

scene = percute.load("examples/motion/cradle_with_gravity.toml")
run = percute.simulate(scene, output_interval=0.06)
length, radius = 0.5, 0.05
pivots = 2 * radius * np.arange(5)

fig, ax = plt.subplots(figsize=(5.5, 4), layout="constrained")
ax.set(xlim=(-0.4, 0.8), ylim=(-0.6, 0.05), aspect="equal", xlabel="x [m]", ylabel="y [m]")
ax.plot([-0.05, 0.45], [0, 0], color="black", linewidth=2)
balls = [ax.add_patch(plt.Circle((0, 0), radius, color=f"C{k}")) for k in range(5)]
strings = [ax.plot([], [], color="0.5", linewidth=0.8)[0] for _ in range(5)]


def draw(frame):
    for k, angle in enumerate(run.position[frame]):
        place = pivots[k] + length * np.sin(angle), -length * np.cos(angle)
        balls[k].center = place
        strings[k].set_data([pivots[k], place[0]], [0, place[1]])
    ax.set_title(f"{run.time[frame]:.2f} s")


film = FuncAnimation(fig, draw, frames=len(run.time), interval=60)
plt.show()
