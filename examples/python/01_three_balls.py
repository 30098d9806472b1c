# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors

import percute

steel = percute.Material(restitution=1.0, stiffness=1.0e9, exponent=1.5)
cradle = percute.systems.BallChain(balls=3, mass=0.1, radius=0.01, material=steel)

problem = cradle.impact(cradle.at_contact(1.0))  # striker speed, m/s
result = percute.resolve(problem, percute.laws.Lzb(tolerance=1e-10))
assert result.ok()

for v in result.velocity:
    print(f"{v:+.6f} m/s")
print(f"energy kept {result.energy.after / result.energy.before:.6f}")
