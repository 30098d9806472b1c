# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Systems, the impacts that start in them, and their motion in time."""

import math
import pickle

import numpy as np
import pytest

import percute
from percute import laws, simulation, systems

STEEL = percute.Material(restitution=0.9, stiffness=1e9)
FRICTION = STEEL.replace(friction=0.3)

# Each system with a start at contact.
STARTS = {
    "ball_chain": (lambda: systems.BallChain(balls=3), lambda s: s.at_contact(1.0)),
    "ball_chain_array": (lambda: systems.BallChain(balls=2), lambda s: s.at_contact([1.0, -1.0])),
    "both_ends": (lambda: systems.BallChain(balls=4), lambda s: s.struck_at_both_ends(1.0)),
    "bead_column": (lambda: systems.BeadColumn(beads=3), lambda s: s.dropped_from(0.1, 9.81)),
    "stacked_balls": (
        lambda: systems.StackedBalls(masses=[0.6, 0.06], radii=[0.12, 0.03]),
        lambda s: s.at_contact(5.0),
    ),
    "cradle": (lambda: systems.Cradle(balls=3), lambda s: s.at_contact([1.0, 0.0, 0.0])),
    "rack": (lambda: systems.rack(3, 0.03), lambda s: s.at_contact(0, (1.0, 0.0))),
    "bernoulli": (
        lambda: systems.bernoulli(math.pi / 6, 0.01, 0.01),
        lambda s: s.at_contact(1, (1.0, 0.0)),
    ),
    "block_stack": (
        lambda: systems.BlockStack(widths=[1, 1], heights=[1, 1], masses=[1, 1], material=STEEL),
        lambda s: s.falling(1.0),
    ),
    "double_pendulum": (
        lambda: systems.DoublePendulum(material=FRICTION),
        lambda s: s.at_contact([-1.0, -1.0]),
    ),
    "multiple_pendulum": (
        lambda: systems.MultiplePendulum(
            obstacles=[systems.PendulumObstacle(rod=1, normal=[1, 0], through=[0, -1])]
        ),
        lambda s: s.at([0.0], [-1.0]),
    ),
    "rocking_block": (
        lambda: systems.RockingBlock(width=1.0, height=2.0, material=STEEL),
        lambda s: s.rotating_about("left", -1.0),
    ),
    "planar_body": (
        lambda: systems.PlanarBody(points=[systems.BodyPoint(at=[0, -1])], material=FRICTION),
        lambda s: s.at_contact([1.0, -1.0, 0.0]),
    ),
    "ball_rod": (
        lambda: systems.BallRod(places=[0, 1], masses=[1, 1], radii=[0.1, 0.1]),
        lambda s: s.at_contact([0.0, -1.0, 0.5]),
    ),
    "v_groove": (lambda: systems.VGroove(opening=1.0), lambda s: s.at_contact([0.1, -1.0])),
    "spatial_body": (
        lambda: systems.SpatialBody(points=[systems.SpatialPoint(at=[0.1, 0, -1])]),
        lambda s: s.at_contact([0, 0, -1, 0, 0, 0]),
    ),
    "four_foot_plate": (lambda: systems.FourFootPlate(), lambda s: s.at_contact([-1, 0.1, 0.0])),
    "sphere_on_plane": (
        lambda: systems.SphereOnPlane(material=FRICTION),
        lambda s: s.at_contact([1, 0, -1], [0, 1, 0]),
    ),
    "two_spheres": (lambda: systems.TwoSpheres(), lambda s: s.at_contact([[1, 0, 0], [0, 0, 0]])),
    "rotating_chain": (
        lambda: systems.RotatingChain(balls=3, material=FRICTION),
        lambda s: s.struck_by([1.0, 0.2, 0.0]),
    ),
    "impacting_bar": (lambda: systems.ImpactingBar(angle=1.0), lambda s: s.at_contact(-1.0)),
    "bouncing_ball": (lambda: systems.BouncingBall(), lambda s: s.at(0.0, -1.0)),
}


@pytest.mark.parametrize("name", STARTS)
def test_every_system_gives_an_impact(name):
    make, start = STARTS[name]
    system = make()
    problem = system.impact(start(system))
    assert problem.name == type(system).__name__
    assert len(problem.contact_names) == len(problem.contacts) > 0
    assert sum(len(body.coordinates) for body in problem.bodies) == len(problem.velocity)
    result = problem.resolve(laws.Compliant() if name == "four_foot_plate" else laws.Lzb())
    assert result.ok(), result.diagnostics.reason
    assert np.all(result.gap_rate >= -1e-7)
    assert pickle.loads(pickle.dumps(system)) == system


def test_what_cannot_be_built_is_refused():
    with pytest.raises(percute.InvalidInput, match="balls: 0 is not >= 1"):
        systems.BallChain(balls=0)
    with pytest.raises(percute.InvalidInput, match="masses"):
        systems.BallChain(balls=3, masses=[1.0, 2.0])
    with pytest.raises(percute.InvalidInput, match="unknown value"):
        systems.BallChain(wall="up")


def test_walls_radii_and_spheres():
    chain = systems.BallChain(balls=2, wall="right")
    assert len(chain.impact(chain.at_contact(1.0)).contacts) == 2
    radii = systems.tapered_radii(4, 0.01, 0.1)
    assert np.allclose(radii, 0.01 * 0.9 ** np.arange(4))
    made = systems.sphere_chain(radii, percute.elastic_material("steel"))
    assert made.masses[0] == pytest.approx(
        systems.sphere_mass(percute.elastic_material("steel").density, 0.01)
    )


def test_one_liners():
    assert np.allclose(
        percute.cradle(5).resolve("lzb").velocity,
        [-0.0710850171, -0.0302737641, -0.0144636290, 0.1270449861, 0.9887774241],
        atol=1e-7,
    )
    assert percute.rack(4).resolve().ok()
    assert percute.bernoulli().resolve().velocity[0] == pytest.approx(
        percute.bernoulli().resolve().velocity[4], abs=1e-9
    )
    rebound = percute.stack([0.6, 0.06], speed=5.0).resolve().velocity
    assert rebound[1] > 5.0


# ---------------------------------------------------------------------------------- motion


def test_a_ball_bounces():
    ball = systems.BouncingBall(gravity=9.81, material=percute.Material(restitution=0.8))
    run = percute.simulate(ball, ball.at(1.0), "newton", duration=1.0, output_interval=0.1)
    fall = math.sqrt(2 / 9.81)
    assert run.ok()
    assert np.allclose(run.time, np.linspace(0.0, 1.0, 11))
    assert run.position.shape == run.velocity.shape == (11, 1)
    assert run.first_impact_time == pytest.approx(fall, abs=1e-12)
    event = run.events[0]
    assert event.kind == "impact"
    assert event.velocity_after[0] == pytest.approx(-0.8 * event.velocity_before[0])
    after = 1.0 - fall
    height = 0.8 * math.sqrt(2 * 9.81) * after - 9.81 * after**2 / 2
    assert run.position[-1, 0] == pytest.approx(height, abs=1e-9)
    assert run.energy.dissipated == pytest.approx(9.81 * (1 - 0.64))
    assert pickle.loads(pickle.dumps(run)).impacts == run.impacts


@pytest.mark.parametrize(
    ("method", "error"),
    [
        (simulation.EventDriven(), 1e-9),
        (simulation.Newmark(step=1e-3), 1e-5),
        (simulation.PaoliSchatzman(step=1e-4), 1e-2),
        (simulation.MoreauJean(step=1e-4), 1e-2),
    ],
)
def test_every_method_moves(method, error):
    ball = systems.BouncingBall(gravity=10.0, material=percute.Material(restitution=0.5))
    run = percute.simulate(ball, ball.at(0.8), "newton", method, duration=0.6)
    # Falls for 0.4 s, rebounds at 2 m/s.
    assert run.velocity[-1, 0] == pytest.approx(2.0 - 10.0 * 0.2, abs=error)


def test_compliant_motion():
    ball = systems.BouncingBall(gravity=9.81, material=percute.Material(stiffness=1e6))
    run = percute.simulate(ball, ball.at(0.1), laws.Compliant(), duration=0.2)
    assert run.ok()
    assert run.impacts == 1
    assert {event.kind for event in run.events} == {"contact_begins", "contact_ends"}


def test_a_motion_with_a_law_of_ones_own():
    def sticky(problem):
        W = problem.gradients
        p = np.linalg.solve(problem.delassus(), -W.T @ problem.velocity)
        return percute.ImpactResult(velocity=problem.velocity + W @ p / problem.mass, impulse=p)

    ball = systems.BouncingBall(gravity=9.81)
    run = percute.simulate(ball, ball.at(0.1), sticky, duration=0.5)
    assert run.ok()
    assert run.position[-1, 0] == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(ZeroDivisionError):
        percute.simulate(ball, ball.at(0.1), lambda problem: 1 / 0, duration=0.5)


class Pendulum:
    """A mass on a string of one metre that strikes a wall where it hangs down."""

    coordinates = 1
    contacts = 1

    def mass(self, q):
        return [[1.0]]

    def gaps(self, q):
        return [q[0]]

    def gradient(self, i, q):
        return [1.0]

    def contact(self, i, q):
        return percute.Material(restitution=0.5)

    def force(self, t, q, v):
        return [-9.81 * math.sin(q[0])]

    def gap_curvature(self, i, q, v):
        return 0.0

    def potential_energy(self, q):
        return 9.81 * (1 - math.cos(q[0]))


def test_a_system_of_ones_own_moves():
    start = percute.State(position=[0.3], velocity=[0.0])
    run = percute.simulate(Pendulum(), start, "newton", duration=1.0)
    assert run.ok()
    speed = math.sqrt(2 * 9.81 * (1 - math.cos(0.3)))
    assert run.events[0].velocity_after[0] == pytest.approx(0.5 * speed, abs=1e-8)
    with pytest.raises(TypeError, match="coordinates"):
        percute.simulate(object(), start, duration=1.0)
    with pytest.raises(percute.InvalidInput, match="start"):
        percute.simulate(Pendulum(), percute.State(position=[0.0, 1.0]), duration=1.0)


def test_a_system_of_ones_own_strikes():
    state = percute.State(position=[0.0], velocity=[-2.0])
    problem = percute.impact(Pendulum(), state)
    assert problem.name == "Pendulum"
    assert problem.resolve("newton").velocity[0] == pytest.approx(1.0)
    chain = systems.BallChain(balls=3)
    assert percute.impact(chain, chain.at_contact(1.0)) == chain.impact(chain.at_contact(1.0))
    with pytest.raises(percute.InvalidInput, match="state"):
        percute.impact(Pendulum(), percute.State(position=[0.0, 1.0], velocity=[0.0, 0.0]))


class SlidingBlock:
    """A mass that slides on the floor, by all that a system may have."""

    coordinates = 2
    contacts = 1

    def mass(self, q):
        return [2.0, 2.0]

    def gaps(self, q):
        return [q[1]]

    def gradient(self, i, q):
        return [0.0, 1.0]

    def tangents(self, i, q):
        return [[1.0], [0.0]]

    def contact(self, i, q):
        return percute.Material(restitution=0.0, friction=0.5)

    def force(self, t, q, v):
        return [0.0, -2.0 * 10.0]

    def conservative(self):
        return True

    def potential_energy(self, q):
        return 20.0 * q[1]

    def touching(self, i):
        return 1e-6

    def longest_step(self, t):
        return 0.01

    def bodies(self):
        return [percute.Body(name="block", coordinates=[0, 1], axes=["x", "y"])]

    def contact_names(self):
        return ["floor"]


def test_a_system_of_ones_own_may_have_friction_and_names():
    start = percute.State(position=[0.0, 0.0], velocity=[1.0, 0.0])
    run = percute.simulate(SlidingBlock(), start, "coulomb", duration=0.5)
    assert run.ok()
    assert run.names() == ["block x", "block y"]
    # Comes to rest after v/(μ g) = 0.2 s and v²/(2 μ g) = 0.1 m.
    assert run.end.position[0] == pytest.approx(0.1, abs=1e-8)
    struck = percute.State(position=[0.0, 5e-7], velocity=[1.0, -1.0])
    problem = percute.impact(SlidingBlock(), struck)
    assert problem.contact_names == ["floor"]
    assert problem.contacts[0].directions == 1
    assert problem.resolve("coulomb").velocity[0] == pytest.approx(0.5)


class PendulumByJoint:
    """A point held at one metre from the origin by a bilateral constraint."""

    coordinates = 2
    contacts = 1
    joints = 1

    def mass(self, q):
        return [1.0, 1.0]

    def gaps(self, q):
        return [q[1] + 2.0]  # a floor that it never reaches

    def gradient(self, i, q):
        return [0.0, 1.0]

    def contact(self, i, q):
        return percute.Material()

    def force(self, t, q, v):
        return [0.0, -9.81]

    def potential_energy(self, q):
        return 9.81 * q[1]

    def joint(self, q):
        return [(q[0] ** 2 + q[1] ** 2 - 1.0) / 2]

    def joint_gradient(self, k, q):
        return q

    def joint_curvature(self, k, q, v):
        return v @ v


def test_a_system_of_ones_own_may_have_joints():
    start = percute.State(position=[1.0, 0.0], velocity=[0.0, 0.0])
    run = percute.simulate(PendulumByJoint(), start, "newton", duration=1.0)
    assert run.ok(), run.reason
    assert np.allclose(np.linalg.norm(run.position, axis=1), 1.0, atol=1e-6)
    energy = 0.5 * (run.velocity**2).sum(1) + 9.81 * run.position[:, 1]
    assert np.allclose(energy, 0.0, atol=1e-6)


def test_a_run_is_watched_and_ended():
    ball = systems.BouncingBall(gravity=9.81)
    told = []

    def enough(event):
        told.append(event.kind)
        return len(told) < 2

    run = percute.simulate(ball, ball.at(0.1), "newton", duration=10.0, on_event=enough)
    assert told == ["impact", "impact"]
    assert run.status == "interrupted"
    times = []
    percute.simulate(
        ball,
        ball.at(0.1),
        duration=0.1,
        output_interval=0.05,
        on_state=lambda t, q, v: times.append((t, len(q), len(v))),
    )
    assert times == [(0.0, 1, 1), (0.05, 1, 1), (0.1, 1, 1)]
    with pytest.raises(ZeroDivisionError):
        percute.simulate(ball, ball.at(0.1), duration=1.0, on_state=lambda *state: 1 / 0)


def test_a_run_goes_on_where_one_ended():
    ball = systems.BouncingBall(gravity=9.81, material=percute.Material(restitution=0.8))
    whole = percute.simulate(ball, ball.at(1.0), "newton", duration=1.0)
    half = percute.simulate(ball, ball.at(1.0), "newton", duration=0.6)
    rest = percute.simulate(ball, half.end, "newton", time=half.end_time, duration=0.4)
    assert rest.end_time == pytest.approx(1.0)
    assert rest.end.position[0] == pytest.approx(whole.end.position[0], abs=1e-9)


def test_options_of_methods_are_checked():
    ball = systems.BouncingBall(gravity=9.81)
    with pytest.raises(percute.InvalidInput, match="duration"):
        percute.simulate(ball, ball.at(1.0), duration=-1.0)
    with pytest.raises(TypeError, match="did you mean 'tolerance'"):
        percute.simulate(ball, ball.at(1.0), duration=1.0, tolerence=1e-9)
    with pytest.raises(percute.InvalidInput, match="Compliant"):
        percute.simulate(ball, ball.at(1.0), "newton", simulation.CompliantMotion(), duration=1.0)
