"""
A rocking block
===============

A slender block, let go at eight degrees, rocks from corner to corner. Each time it passes the upright position the
other corner strikes. Every impact takes the same part of the speed, so they follow each other faster and faster,
and infinitely many are over after 5.3 s: the block stands.
"""

# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
import matplotlib.pyplot as plt
import numpy as np

import percute

scene = percute.load("examples/motion/rocking_block.toml")
run = percute.simulate(scene, duration=6.0)
angle = np.degrees(run.position[:, 2])

fig, (above, below) = plt.subplots(2, 1, figsize=(7, 5), sharex=True, layout="constrained")
above.plot(run.time, angle, color="C0")
above.axhline(0, color="0.7", linewidth=0.8)
above.set(ylabel="angle [°]")
impacts = np.array([event.time for event in run.events if event.kind == "impact"])
below.semilogy(impacts[1:], np.diff(impacts), "o", color="C1", markersize=3)
below.set(xlabel="time [s]", ylabel="time since the last impact [s]")

# %%
# Every impact leaves the same part of the speed:
after = [abs(event.velocity_after[2]) for event in run.events if event.kind == "impact"]
print("speed kept per impact:", [f"{b / a:.6f}" for a, b in zip(after[:4], after[1:5])])
print("stands after", round(next(e.time for e in run.events if e.kind == "accumulation"), 4), "s")
plt.show()
