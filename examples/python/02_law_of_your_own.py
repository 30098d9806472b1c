# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""A law is any function that turns a problem into a result.

resolve() adds energies, gap rates and the verdict on the outcome.
"""

import numpy as np

import percute


def perfectly_plastic(problem):
    """All contacts stick together: Wᵀ v⁺ = 0, whatever it takes (p may come out negative)."""
    W, v = problem.gradients, problem.velocity  # M (v⁺ − v⁻) = W p
    p = np.linalg.solve(problem.delassus(), -W.T @ v)
    return percute.ImpactResult(velocity=v + W @ p / problem.mass, impulse=p)  # M is diagonal


def show(name, result):
    velocity = "".join(f" {v:+.6f}" for v in result.velocity)
    verdict = "consistent" if result.consistency.all() else "inconsistent"
    print(f"{name:<17}{velocity}   {result.energy.dissipated:.6f} J lost, {verdict}")


chain = percute.systems.BallChain(balls=3, material=percute.Material(restitution=0.0))

# Ball 1 strikes two at rest: all three go on together under either law.
struck = chain.impact(chain.at_contact(1.0))
show("perfectly plastic", struck.resolve(perfectly_plastic))
show("lzb, e = 0", struck.resolve("lzb"))

# Ball 3 already leaves: to make it stick takes a pull, which no contact can give.
parting = chain.impact(chain.at_contact([1.0, 0.0, 2.0]))
show("perfectly plastic", parting.resolve(perfectly_plastic))
show("lzb, e = 0", parting.resolve("lzb"))
