"""
How bouncy is a tennis ball on a basketball?
============================================

Dropped together, a tennis ball on top of a basketball flies off to twice the height it fell from. Rebound heights of
three drops tell the restitution of both contacts, each with an interval; the lines are what the fitted law says.
"""

# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
import matplotlib.pyplot as plt
import numpy as np

import percute

fit = percute.fit("examples/fit/tennis_on_basketball.toml")
for one in fit.parameters:
    low, high = one.interval
    print(f"{one.name}: {one.value:.4f} ± {one.standard_error:.4f}, 95 % from {low:.4f} to {high:.4f}")

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
for k, ball in enumerate(("basketball", "tennis ball")):
    rows = [row for row in fit.measurements if row.of == ball]
    heights = np.array([float(row.experiment.split()[0]) for row in rows])
    left.errorbar(heights, [r.value for r in rows], [r.sigma for r in rows], fmt="o", color=f"C{k}", label=ball)
    left.plot(heights, [r.predicted for r in rows], color=f"C{k}")
left.set(xlabel="dropped from [m]", ylabel="rebound to [m]")
left.legend()

# The ellipse holds the two restitutions with 95 % probability: they are found almost independently.
errors = np.array([one.standard_error for one in fit.parameters])
covariance = np.array(fit.correlation) * np.outer(errors, errors)
turn = np.linspace(0, 2 * np.pi, 200)
circle = np.sqrt(5.991) * np.linalg.cholesky(covariance) @ [np.cos(turn), np.sin(turn)]
values = [one.value for one in fit.parameters]
right.plot(values[0] + circle[0], values[1] + circle[1], color="C2")
right.plot(*values, "o", color="C2")
right.set(xlabel="restitution, basketball on floor", ylabel="restitution, ball on ball")
plt.show()
