# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""What a user may write, for mypy --strict; test_typing.py expects the errors that are marked."""

import numpy as np
from numpy.typing import NDArray

import percute
from percute import laws, simulation, systems

steel = percute.Material(restitution=1.0, stiffness=1e9, exponent=1.5)
chain = systems.BallChain(balls=3, mass=0.1, radius=0.01, material=steel, wall="right")
problem: percute.ImpactProblem = chain.impact(chain.at_contact(1.0))
result = percute.resolve(problem, laws.Lzb(tolerance=1e-10), history=True)
velocity: NDArray[np.float64] = result.velocity
force: NDArray[np.float64] = result.history.force
kept: float = result.energy.after / result.energy.before
kinds: list[str] = [event.kind for event in result.history.events]


def plastic(problem: percute.ImpactProblem) -> percute.ImpactResult:
    return percute.ImpactResult(velocity=problem.velocity, impulse=[0.0, 0.0])


mine: percute.ImpactResult = problem.resolve(plastic)
many: percute.ImpactResults = percute.resolve_many(problem, "lzb", restitution=[0.5, 1.0])
ball = systems.BouncingBall(gravity=9.81)
run: percute.Run = percute.simulate(
    ball, ball.at(1.0), laws.Newton(), simulation.EventDriven(tolerance=1e-9), duration=1.0
)
where: percute.State = run.end
path: NDArray[np.float64] = run.position
region: bool = percute.analysis.outcome_set(problem).contains([0.1, 0.9])
stiffness: float = laws.stiffness_from_time_to_peak(1e-4, 1.5, 0.1, 1.0)
start: percute.State = chain.at_contact([1.0, 0.0, 0.0])
rack: systems.BallCluster = systems.rack(5, radius=0.03)
comparison: percute.Comparison = percute.compare(problem, ["newton", laws.Moreau(restitution=0.5)])

laws.Lzb(tolerence=1e-9)  # error: call-arg
laws.Lzb(reload="again")  # error: arg-type
percute.Material(friction="much")  # error: arg-type
systems.rack(rows=5)  # error: call-arg
result.velocity = result.impulse  # error: misc
result.velocty  # error: attr-defined
