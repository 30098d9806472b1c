"""
A dimer that walks
==================

Two balls on a rod bounce on a plate that shakes up and down. Nothing pushes them sideways but friction in the
impacts, and still the dimer drifts, as Dorbolo and others saw in 2005: the two balls strike in turn, and their
friction does not cancel.
"""

# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
import matplotlib.pyplot as plt
import numpy as np

import percute

dimer = percute.load("examples/motion/bouncing_dimer.toml")
run = percute.simulate(dimer)
x, y, angle = run.position.T

fig, axes = plt.subplots(3, 1, figsize=(7, 6), sharex=True, layout="constrained")
axes[0].plot(run.time, 1e3 * x, color="C0")
axes[0].set_ylabel("sideways [mm]")
axes[1].plot(run.time, 1e3 * y, color="C1", linewidth=0.8)
axes[1].set_ylabel("height over\nthe plate [mm]")
axes[2].plot(run.time, np.degrees(angle), color="C2", linewidth=0.8)
axes[2].set(ylabel="angle of\nthe rod [°]", xlabel="time [s]")

# %%
impacts = [event for event in run.events if event.kind == "impact"]
print(f"{len(impacts)} impacts in {run.end_time:g} s, {1e3 * (x[-1] - x[0]):.1f} mm sideways")
plt.show()
