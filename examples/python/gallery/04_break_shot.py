"""
The break shot
==============

A cue ball strikes the apex of fifteen balls at 8 m/s. Thirty contacts close at the same instant; the law says
where every ball goes, in a few milliseconds of computing. Arrows are velocities; colours, the part of the energy.
"""

# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
import matplotlib.pyplot as plt
import numpy as np

import percute
from percute import systems

radius = 0.028575
rack = systems.rack(5, radius).replace(mass=0.17, material=percute.Material(restitution=0.95))
result = rack.impact(rack.at_contact(0, (8.0, 0.0))).resolve("lzb")

places = np.array(rack.positions)
velocity = result.velocity.reshape(-1, 2)
energy = np.sum(velocity**2, axis=1) / 8.0**2

fig, ax = plt.subplots(figsize=(6.5, 4.5), layout="constrained")
colour = plt.get_cmap("viridis_r")
for place, part in zip(places, energy):
    ax.add_patch(plt.Circle(place, radius, facecolor=colour(part / energy.max()), edgecolor="white"))
ax.quiver(*places.T, *velocity.T, angles="xy", scale_units="xy", scale=25, width=0.006)
scalar = plt.cm.ScalarMappable(plt.Normalize(0, 100 * energy.max()), colour)
fig.colorbar(scalar, ax=ax, label="part of the energy [%]")
ax.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", xlim=(-0.15, 0.36), ylim=(-0.21, 0.21))

# %%
# Mirror images have equal speeds, though nothing in the law knows about mirrors.
print("contacts", len(result.impulse), " energy kept", round(result.energy.after / result.energy.before, 4))
print("the two corners:", np.sort(np.linalg.norm(velocity, axis=1))[-2:].round(6), "m/s")
plt.show()
