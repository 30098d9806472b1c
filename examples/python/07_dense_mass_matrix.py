# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""A mechanism of your own: mass matrix, velocity and gap gradients are all that percute needs.

A rod hangs from a cart; the buffer of the cart and the tip of the rod strike a wall together.
"""

import math

import percute

CART = 2.0  # kg
ROD = 1.0  # kg
LENGTH = 0.6  # m
ANGLE = math.pi / 6.0  # of the rod from the vertical

# Coordinates: position of the cart, m, and angle of the rod, rad.
coupling = 0.5 * ROD * LENGTH * math.cos(ANGLE)
problem = percute.ImpactProblem(
    mass=[[CART + ROD, coupling], [coupling, ROD * LENGTH * LENGTH / 3.0]],
    # Columns: gradients of the gaps between buffer and wall, and between tip and wall.
    gradients=[[-1.0, -1.0], [0.0, -LENGTH * math.cos(ANGLE)]],
    velocity=[1.0, 0.0],
    contacts=[
        percute.Material(restitution=0.9, stiffness=1.0e6, exponent=1.0),
        percute.Material(restitution=0.7, stiffness=1.0e6, exponent=1.0),
    ],
)

result = problem.resolve("lzb")
assert result.ok()
print(f"cart {result.velocity[0]:+.6f} m/s, rod {result.velocity[1]:+.6f} rad/s")
print(f"impulses of buffer {result.impulse[0]:.6f} N s, tip {result.impulse[1]:.6f} N s")
