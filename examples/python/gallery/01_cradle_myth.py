"""
The myth of Newton's cradle
===========================

Only the last ball flies off, and all others stand still: so says every book. Momentum and energy allow it, but
they allow infinitely many other outcomes too. Equal balls that touch, with Hertz's contacts between them, choose
another one: the balls that struck roll back a little, and the last ball shares what it gets with its neighbour.
"""

# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
import matplotlib.pyplot as plt
import numpy as np

import percute

fig, axes = plt.subplots(1, 3, figsize=(9, 3), sharey=True, layout="constrained")
for ax, strikers in zip(axes, (1, 2, 3)):
    problem = percute.cradle(5, strikers=strikers)
    balls = np.arange(1, 6)
    myth = problem.resolve("cradle_sort").velocity
    real = problem.resolve("lzb").velocity
    ax.bar(balls - 0.2, myth, 0.38, color="0.75", label="the books")
    ax.bar(balls + 0.2, real, 0.38, color="C0", label="Hertz contacts (LZB)")
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set(title=f"{strikers} of 5 balls strike", xlabel="ball", xticks=balls)
axes[0].set_ylabel("velocity after [m/s]")
axes[0].legend(loc="upper left")

# %%
# Both outcomes keep momentum and energy to the last digit:
for law in ("cradle_sort", "lzb"):
    result = percute.cradle(5).resolve(law)
    v = result.velocity
    print(f"{law:12} momentum {v.sum():.6f}  energy kept {result.energy.after / result.energy.before:.6f}")

plt.show()
