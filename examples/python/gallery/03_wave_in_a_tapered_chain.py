"""
A wave in a tapered chain
=========================

Each ball is five percent smaller than the one before. The wave that runs through them gets faster from ball to
ball, and leaves no ball at rest: this is how granular chains spread a shock. Time goes upwards, so a slower wave
is a steeper band.
"""

# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
import matplotlib.pyplot as plt
import numpy as np

import percute
from percute import systems

steel = percute.elastic_material("steel")
fig, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
for ax, taper in zip(axes, (0.0, 0.05)):
    radii = systems.tapered_radii(30, 0.01, taper)
    chain = systems.sphere_chain(radii, steel)
    history = chain.impact(chain.at_contact(1.0)).resolve("lzb", history=True).history
    # After the impact nothing changes any more.
    time, velocity = np.append(history.time, 1.0), np.vstack([history.velocity, history.velocity[-1]])
    balls = np.arange(1, 31)
    colours = ax.pcolormesh(balls, 1e6 * time, velocity, shading="nearest", vmin=0, vmax=2.2)
    ax.set(title=f"taper {taper:.0%}", xlabel="ball", ylim=(0, 500))
axes[0].set_ylabel("time [µs]")
fig.colorbar(colours, ax=axes, label="velocity [m/s]", extend="max")

# %%
# In the tapered chain every ball moves in the end, the last one far faster than the first one came:
print("first", velocity[-1, :3].round(4), "… last", velocity[-1, -3:].round(4), "m/s")
plt.show()
