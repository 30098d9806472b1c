# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""What happens inside an impact: three steel balls, the first striking at 1 m/s."""

import numpy as np

import percute

steel = percute.Material(restitution=0.9, stiffness=1.0e9, exponent=1.5)
chain = percute.systems.BallChain(balls=3, mass=0.1, material=steel)

problem = chain.impact(chain.at_contact(1.0))
result = problem.resolve(percute.laws.Lzb(tolerance=1e-10), history=True)

# Every change of a contact, in order. Contacts count from 0.
for event in result.history.events:
    time = f"{1e6 * event.time:5.1f} µs"
    print(f"{time}  contact {event.contact}  {event.kind:<15} {event.force:6.1f} N")

# How each contact fared as a whole.
for contact in result.diagnostics.contacts:
    print(
        f"largest force {contact.maximal_force:.1f} N at {1e6 * contact.maximal_force_time:.1f} µs,"
        f" loaded for {1e6 * contact.duration:.1f} µs"
    )

# The samples in between: energy is kinetic, stored in the contacts, or lost.
history = result.history
total = history.kinetic_energy + history.stored_energy.sum(1) + history.dissipated.sum(1)
defect = np.abs(total - result.energy.before).max()
print("energy is accounted for", "throughout" if defect < 1e-9 else "only in part")
