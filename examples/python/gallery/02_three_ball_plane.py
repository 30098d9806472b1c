"""
Who wins the plane of three balls?
==================================

A ball strikes two that touch. Momentum leaves two numbers open: how fast each contact opens. Plotted against each
other they make a plane, in which every law is a point. The shaded part is all that physics allows: contacts that
open, impulses that push, and no energy out of nothing.
"""

# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
import matplotlib.pyplot as plt
import numpy as np

import percute

problem = percute.cradle(3)

# M (v⁺ − v⁻) = W p gives velocities and energy for every pair of gap rates.
W = problem.gradients
G = W.T @ (W / problem.mass[:, np.newaxis])
before = W.T @ problem.velocity
u1, u2 = np.meshgrid(np.linspace(0, 1.1, 400), np.linspace(0, 1.1, 400))
jump = np.stack([u1, u2], axis=-1) - before
p = jump @ np.linalg.inv(G)
gained = 0.5 * np.sum(p * (np.stack([u1, u2], axis=-1) + before), axis=-1)  # W = pᵀ (U⁺ + U⁻)/2
allowed = (p >= 0).all(axis=-1) & (gained <= 1e-12)

fig, ax = plt.subplots(figsize=(5.5, 5), layout="constrained")
ax.contourf(u1, u2, allowed, levels=[0.5, 1.5], colors=["#dce8f2"])
ax.contour(u1, u2, gained, levels=[0], colors=["#0072b2"], linewidths=1)
ax.annotate("all energy kept", (0.62, 0.75), color="#0072b2", fontsize=9)

# As restitution goes from 0 to 1, the laws of Moreau, Newton and Poisson walk along the lower edge, where balls 2 and 3
# stay together; collisions one by one end in the corner above; LZB takes a way of its own.
restitution = np.linspace(0, 1, 41)
for k, law in enumerate(("moreau", "newton", "poisson", "binary", "lzb")):
    if law == "moreau":
        results = [problem.resolve(percute.laws.Moreau(restitution=e)) for e in restitution]
        u = np.array([r.gap_rate for r in results])
    else:
        many = percute.resolve_many(problem, law, restitution=restitution)
        u = many.velocity @ W
    ax.plot(u[:, 0], u[:, 1], color=f"C{k + 1}", linewidth=1.2)
    ax.plot(*u[-1], "os^Dv"[k], markersize=11 - 2 * k, color=f"C{k + 1}", label=f"{law}, e = 1")
ax.set(xlabel="1 and 2 part at [m/s]", ylabel="2 and 3 part at [m/s]", aspect="equal",
       xlim=(-0.05, 1.1), ylim=(-0.05, 1.1))
ax.legend(loc="upper right")
plt.show()
