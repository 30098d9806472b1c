# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""A system is any object with these functions.

Every method of percute.simulation moves it, under any law of impact. A light ball on a heavy one,
dropped together: coordinates are the heights of their lowest points above where each would lie, so
that gaps are their difference.
"""

import percute


class TwoBalls:
    heavy, light = 0.6, 0.06  # kg
    gravity = 9.81
    floor = percute.Material(restitution=0.8, stiffness=50.0)  # only the ratio matters
    between = percute.Material(restitution=0.8, stiffness=1.0)

    coordinates = 2
    contacts = 2  # floor – heavy, heavy – light

    def mass(self, q):
        return [self.heavy, self.light]

    def force(self, t, q, v):
        return [-self.heavy * self.gravity, -self.light * self.gravity]

    def gaps(self, q):
        return [q[0], q[1] - q[0]]

    def gradient(self, i, q):
        return [1.0, 0.0] if i == 0 else [-1.0, 1.0]

    def contact(self, i, q):
        return self.floor if i == 0 else self.between

    def potential_energy(self, q):
        return self.gravity * (self.heavy * q[0] + self.light * q[1])


start = percute.State(position=[1.0, 1.0], velocity=[0.0, 0.0])  # they touch
run = percute.simulate(TwoBalls(), start, "lzb", duration=1.2, output_interval=0.001)
for event in run.events:
    contacts = "".join(f" {i + 1}" for i in event.contacts)
    heavy, light = event.velocity_after + 0.0
    print(
        f"{event.time:8.6f} s  {event.kind:<14} contacts{contacts}"
        f"   velocities {heavy:+.4f} {light:+.4f} m/s"
    )
highest = run.position[:, 1].max()
print(f"{run.status}: the light ball, dropped from 1 m, has been at {highest:.3f} m")
