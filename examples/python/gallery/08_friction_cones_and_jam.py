"""
Friction cones, and when a contact jams
=======================================

The tip of a rod strikes a floor. Pressing it down drives it sideways too: the cross term A_tn of its inverse mass is
not zero. With little friction the tip slides; from the stick coefficient on it may stick; above the jam coefficient
pressing closes the contact however hard it presses, and a rigid body has no answer but a jump.
"""

# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
import matplotlib.pyplot as plt
import numpy as np

import percute
from percute import systems

lean = np.radians(np.linspace(5, 85, 161))
stick, jam = np.full(lean.size, np.nan), np.full(lean.size, np.nan)
for k, angle in enumerate(lean):
    rod = systems.PlanarBody(
        mass=1.0, inertia=1 / 12, angle=angle,  # a uniform rod of one metre
        points=[systems.BodyPoint(at=[-0.5, 0.0], normal=[0.0, 1.0])],
        material=percute.Material(restitution=0.0, friction=0.3),
    )
    found = percute.analyze(rod.impact(rod.at_contact([0.0, -1.0, 0.0]))).friction[0]
    stick[k] = found.stick_coefficient
    jam[k] = np.inf if found.jam_coefficient is None else found.jam_coefficient

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
degrees = np.degrees(lean)
left.fill_between(degrees, 0, stick, color="C0", alpha=0.25, label="slides")
left.fill_between(degrees, stick, np.minimum(jam, 4), color="C2", alpha=0.25, label="may stick")
left.fill_between(degrees, np.minimum(jam, 4), 4, color="C1", alpha=0.35, label="may jam")
left.set(xlabel="angle with the floor [°]", ylabel="coefficient of friction μ", xlim=(5, 85), ylim=(0, 4))
left.legend(loc="upper right")

# At 60°, the reachable changes of the velocity of the tip, for impulses in the cone of μ: the more friction, the more
# of them lean over; where the cone contains impulses that press the tip into the floor, it may jam.
angle = np.radians(60)
arm = -0.5 * np.array([np.cos(angle), np.sin(angle)])  # from the centre of mass to the tip
A = np.eye(2) + 12 * np.outer([-arm[1], arm[0]], [-arm[1], arm[0]])  # tangent, normal
for k, mu in enumerate((0.3, 1.0, 3.0)):
    edges = 10 * np.array([[-mu, 1.0], [0.0, 0.0], [mu, 1.0]]) @ A
    right.fill(*edges.T, color=f"C{k}", alpha=0.25)
    right.plot(*edges.T, color=f"C{k}", label=f"μ = {mu:g}")
right.axhline(0, color="0.5", linewidth=0.8)
right.set(xlabel="tangential change [m/s per N s]", ylabel="normal change [m/s per N s]", xlim=(-4, 4), ylim=(-1.5, 4))
right.legend(loc="upper right")
plt.show()
