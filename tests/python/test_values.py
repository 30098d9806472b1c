# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""What all classes have in common: they are pickled, described, and shown in notebooks."""

import copy
import inspect
import pickle

import numpy as np
import pytest

import percute
from percute import analysis, laws, simulation, systems

# What cannot be made without saying what it is of.
GIVEN = {
    percute.ImpactProblem: lambda: percute.cradle(3),
    percute.ElasticMaterial: lambda: percute.elastic_material("steel"),
    percute.Scene: lambda: percute.read_scene('name = "nothing"'),
    percute.Comparison: lambda: percute.compare(percute.cradle(3), "newton,lzb"),
    percute.ImpactResults: lambda: percute.resolve_many(percute.cradle(3), restitution=[0.5, 1.0]),
    percute.Trajectory: lambda: percute.Trajectory(np.zeros(2), np.zeros((2, 1)), np.ones((2, 1))),
    percute.Run: lambda: percute.simulate(
        systems.BouncingBall(gravity=9.81),
        percute.State(position=[0.1], velocity=[0.0]),
        duration=0.2,
    ),
    percute.InvalidInput: lambda: percute.InvalidInput("no"),
    laws.RestitutionMatrix: lambda: laws.RestitutionMatrix(matrix=np.eye(2)),
    laws.FremondQuadratic: lambda: laws.FremondQuadratic(kappa=[[1.0]]),
    laws.FremondCone: lambda: laws.FremondCone(patterns=[[1.0], [1.0]]),
    laws.ImpulseRatios: lambda: laws.ImpulseRatios(direction=[1.0, 0.5]),
    systems.StackedBalls: lambda: systems.StackedBalls(masses=[0.6, 0.06], radii=[0.1, 0.03]),
    systems.BallCluster: lambda: systems.rack(2, 0.03),
    systems.BlockStack: lambda: systems.BlockStack(widths=[1.0], heights=[1.0], masses=[1.0]),
    systems.BallRod: lambda: systems.BallRod(places=[0, 1], masses=[1, 1], radii=[0.1, 0.1]),
    systems.PlanarBody: lambda: systems.PlanarBody(points=[systems.BodyPoint(at=[0, -1])]),
    systems.SpatialBody: lambda: systems.SpatialBody(points=[systems.SpatialPoint(at=[0, 0, -1])]),
    systems.MultiplePendulum: lambda: systems.MultiplePendulum(
        obstacles=[systems.PendulumObstacle(rod=1, normal=[1, 0], through=[0, -1])]
    ),
    systems.ImpactingBar: lambda: systems.ImpactingBar(angle=1.0),
}
CLASSES = sorted(
    {
        value
        for module in (percute, analysis, laws, simulation, systems)
        for value in vars(module).values()
        if inspect.isclass(value) and value.__module__.startswith("percute")
    },
    key=lambda value: (value.__module__, value.__name__),
)


def made(of):
    return GIVEN.get(of, of)()


@pytest.mark.parametrize("of", CLASSES, ids=lambda value: value.__name__)
def test_everything_is_pickled(of):
    value = made(of)
    again = pickle.loads(pickle.dumps(value))
    assert type(again) is of
    assert repr(again) == repr(value)
    assert len(repr(value)) < 1000
    assert repr(copy.deepcopy(value)) == repr(value)


@pytest.mark.parametrize("of", CLASSES, ids=lambda value: value.__name__)
def test_everything_is_described_and_shown(of):
    assert of.__doc__
    value = made(of)
    if of not in (percute.InvalidInput, percute.Scene, percute.ImpactResult):
        assert "<table>" in value._repr_html_()
    for name, member in inspect.getmembers(of):
        if not name.startswith("_") and callable(member):
            assert member.__doc__, name


def test_functions_are_described():
    for module in (percute, analysis, laws, systems):
        for name, value in vars(module).items():
            if not name.startswith("_") and callable(value):
                assert value.__doc__, f"{module.__name__}.{name}"


def test_results_cannot_be_changed():
    result = percute.cradle(3).resolve(history=True)
    for owner, name in ((result, "velocity"), (result.energy, "after"), (result.history, "time")):
        with pytest.raises(AttributeError):
            setattr(owner, name, getattr(owner, name))
    changed = result.replace(energy=result.energy.replace(after=1.0))
    assert changed.energy.after == 1.0
    assert result.energy.after != 1.0
    assert changed != result


def test_parts_of_results_share_their_memory():
    result = percute.cradle(3).resolve(history=True)
    history, force = result.history, result.history.force
    assert np.shares_memory(force, history.force)
    assert force.shape == (len(history), 2)
    del result, history
    assert force.max() > 0.0


def test_a_history_made_by_hand_is_as_it_is_seen():
    made = percute.ImpactHistory(time=[0.0, 1.0], force=[[1.0, 2.0], [3.0, 4.0]])
    assert made.force.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert pickle.loads(pickle.dumps(made)).force.tolist() == made.force.tolist()


def test_arrays_go_out_by_dlpack():
    velocity = np.from_dlpack(percute.cradle(3).resolve().velocity)
    assert velocity.shape == (3,)


def test_wrong_arguments_of_functions_are_named():
    chain = systems.BallChain(balls=3)
    with pytest.raises(TypeError, match=r"apart\(\): 'velocity' is missing"):
        chain.apart([0.1, 0.1])
    with pytest.raises(TypeError, match="did you mean 'gaps'"):
        chain.apart(gap=[0.1, 0.1], velocity=[0, 0, 0])
    with pytest.raises(TypeError, match="at_contact"):
        chain.at_contact("fast")
    with pytest.raises(TypeError, match="3 numbers is wanted"):
        systems.PlanarBody(points=[systems.BodyPoint(at=[0, -1])]).at_contact([1.0])
    with pytest.raises(percute.InvalidInput, match="did you mean 'left'"):
        systems.RockingBlock(width=1.0, height=2.0).rotating_about("lefft", 1.0)
