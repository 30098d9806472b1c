"""
Infinitely many bounces in four seconds
=======================================

A ball that keeps eight tenths of its speed at each bounce bounces for ever, and yet it lies still after 4.06 s: the
flights shrink like a geometric series. The run finds that instant, and goes on at rest.
"""

# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
import matplotlib.pyplot as plt
import numpy as np

import percute
from percute import systems

e, g, h = 0.8, 9.81, 1.0
ball = systems.BouncingBall(gravity=g, material=percute.Material(restitution=e))
run = percute.simulate(ball, ball.at(h), "newton", duration=5.0, output_interval=0.005)

rest = np.sqrt(2 * h / g) * (1 + e) / (1 - e)
impacts = np.array([event.time for event in run.events if event.kind == "impact"])
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
left.plot(run.time, run.position[:, 0], color="C0")
left.axvline(rest, color="0.6", linestyle="--")
left.set(xlabel="time [s]", ylabel="height [m]")
right.semilogy(rest - impacts, "o", markersize=3, color="C1")
right.set(xlabel="bounce", ylabel="time left until rest [s]")

# %%
end = next(event.time for event in run.events if event.kind == "accumulation")
print(f"{len(impacts)} bounces computed; at rest after {end:.6f} s, by the geometric series {rest:.6f} s")
plt.show()
