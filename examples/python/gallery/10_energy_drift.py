"""
What a time step costs
======================

Newton's cradle with elastic balls keeps its energy. The event-driven method meets every impact at its instant; the
time-stepping scheme of Moreau and Jean has one step length, and its error shows in the energy of each swing.
"""

# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
import matplotlib.pyplot as plt
import numpy as np

import percute
from percute import simulation, systems

cradle = systems.Cradle(balls=3, gravity=9.81)
start = cradle.at(np.radians([-30.0, 0.0, 0.0]), np.zeros(3))
methods = {
    "event-driven, tolerance 1e-10": simulation.EventDriven(tolerance=1e-10),
    "Moreau–Jean, 1 ms": simulation.MoreauJean(step=1e-3),
    "Moreau–Jean, 0.1 ms": simulation.MoreauJean(step=1e-4),
}

weight, length = cradle.mass * cradle.gravity, cradle.length
inertia = cradle.mass * length**2
fig, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
for k, (name, method) in enumerate(methods.items()):
    run = percute.simulate(cradle, start, "newton", method, duration=5.0, output_interval=0.01)
    kinetic = 0.5 * inertia * np.sum(run.velocity**2, axis=1)
    potential = weight * length * np.sum(1 - np.cos(run.position), axis=1)
    energy = kinetic + potential
    error = np.abs(energy / energy[0] - 1)
    ax.semilogy(run.time, np.maximum(error, 1e-16), color=f"C{k}", label=name)
    print(f"{name:30} largest error of energy {error.max():.0e}")
ax.set(xlabel="time [s]", ylabel="relative error of energy", ylim=(1e-16, 10))
ax.legend(loc="upper right", ncols=2)
plt.show()
