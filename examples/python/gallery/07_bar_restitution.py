"""
The restitution of a bar that vibrates
======================================

A steel bar of 20 cm falls on one end. Its contact gives every bit of energy back (e = 1), and still the bar bounces
with half its speed, because the rest goes into vibrations. How much depends on the angle, with a dip near 69°, where
two clusters of micro-impacts become one (Paoli and Schatzman 2007).
"""

# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
from concurrent.futures import ThreadPoolExecutor

import matplotlib.pyplot as plt
import numpy as np

import percute

bar = percute.load("examples/motion/impacting_bar.toml")
angles = np.concatenate([np.arange(0, 60, 5), np.arange(60, 91, 1.5)])


def apparent(restitution, angle):
    """How fast the bar leaves over how fast it came, 2.5 ms after the first bounce."""
    drop = bar.with_values({
        "impact.restitution": restitution,
        "system.angle_deg": float(angle),
        "system.tip_height": 0.0064,
        "simulation.step": 2e-7,
        "simulation.stop_after_quiet": 0.0026,
        "simulation.output_interval": 1e-3,
    })
    value = percute.simulate(drop).summary["apparent_restitution"]["value"]
    return np.nan if value is None else value


fig, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
with ThreadPoolExecutor() as pool:
    for k, e in enumerate((1.0, 0.5, 0.0)):
        curve = list(pool.map(lambda angle: apparent(e, angle), angles))
        ax.plot(angles, curve, "o-", markersize=3, color=f"C{k}", label=f"e = {e:g} at the contact")
ax.set(xlabel="angle with the floor [°]", ylabel="apparent restitution", xlim=(0, 90), ylim=(0, 1))
ax.legend(loc="upper left")
plt.show()
