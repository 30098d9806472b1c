# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""A tennis ball on top of a basketball, dropped from 1.5 m: how high does it fly?

Data of Liu, Zhao, Brogliato (2008), Table 11.
"""

import percute

GRAVITY = 9.81  # m/s²
HEIGHT = 1.5  # m

# From the floor up. Pressure and radius of inflated balls make the stiffness of their contacts.
stack = percute.systems.StackedBalls(
    masses=[0.58, 0.058],
    radii=[0.38, 0.0325],
    pressures=[1.0e5, 1.0e5],
    names=["basketball", "tennis ball"],
)

# The better the tennis ball bounces off the basketball, the higher it goes.
for restitution in (0.4, 0.5, 0.55, 1.0):
    floor, between = (percute.Material(restitution=e) for e in (0.8, restitution))
    stack.materials = [floor, between]
    state = stack.dropped_from(HEIGHT, GRAVITY)
    result = stack.impact(state).resolve(percute.laws.Lzb(tolerance=1e-10))
    assert result.ok()
    basketball, up = result.velocity
    print(
        f"restitution {restitution:.2f}: basketball {basketball:+.3f} m/s, "
        f"tennis ball {up:+.3f} m/s, to {up * up / (2.0 * GRAVITY):.2f} m"
    )
