# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""The break shot: a cue ball strikes the apex of fifteen billiard balls, all touching."""

import percute

table = percute.systems.rack(rows=5, radius=0.028575)
table.mass = 0.17
table.material = percute.Material(restitution=0.95, stiffness=1.0e9, exponent=1.5)

problem = table.impact(table.at_contact(0, (8.0, 0.0)))  # striker, m/s
result = problem.resolve(percute.laws.Lzb(tolerance=1e-9))
assert result.ok()

# Row by row: the corner balls of the last row take most. Balls on the axis stay on it, up to
# rounding, which is not shown.
for body in problem.bodies:
    vx, vy = result.velocity[body.coordinates].round(3) + 0.0
    print(f"{body.name:<8} {vx:+7.3f} {vy:+7.3f} m/s")

# The largest impulses, by the names of their contacts; mirror images are equal up to rounding.
names = problem.contact_names
order = sorted(range(len(names)), key=lambda i: -result.impulse[i].round(6))
for i in order[:3]:
    print(f"{names[i]:<6} {result.impulse[i]:.3f} N s")
kept = result.energy.after / result.energy.before
print(f"{len(names)} contacts, energy kept {kept:.3f}")
