# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Materials, problems, results: values of Python made of C++ structs."""

import copy
import math
import pickle

import numpy as np
import pytest

import percute
from percute import laws, systems


def two_balls(**changes):
    given = dict(mass=[1.0, 2.0], gradients=[[-1.0], [1.0]], velocity=[1.0, 0.0])
    return percute.ImpactProblem(**(given | changes))


def test_defaults_are_those_of_cpp():
    steel = percute.Material()
    assert (steel.restitution, steel.stiffness, steel.exponent, steel.friction) == (1, 1, 1.5, 0)
    assert steel.contact_model is None
    assert laws.Lzb().tolerance == 1e-9
    assert systems.BallChain().balls == 2


def test_fields_can_be_changed_compared_and_written():
    steel = percute.Material(restitution=0.9, stiffness=1e9)
    steel.friction = 0.3
    assert steel == percute.Material(restitution=0.9, stiffness=1e9, friction=0.3)
    assert steel != percute.Material()
    assert steel != "steel"
    assert repr(steel) == "Material(restitution=0.9, stiffness=1000000000.0, friction=0.3)"
    assert eval(repr(steel), {"Material": percute.Material}) == steel
    assert steel.replace(friction=0.0).friction == 0.0
    assert steel.friction == 0.3
    with pytest.raises(TypeError):
        hash(steel)


def test_nested_values_are_copies():
    chain = systems.BallChain(material=percute.Material(restitution=0.5))
    chain.material.restitution = 0.1
    assert chain.material.restitution == 0.5


@pytest.mark.parametrize(
    ("make", "field", "words"),
    [
        (lambda: percute.Material(restitution=-1), "material.restitution", "-1 is not in [0, 2]"),
        (lambda: laws.Lzb(tolerance=2), "law.tolerance", "2 is not in [1e-13, 0.001]"),
        (lambda: laws.Lzb(max_steps=0), "law.max_steps", "0 is not >= 1"),
        (lambda: laws.Lzb(reload="retrase"), "law.reload", "did you mean 'retrace'?"),
        (lambda: laws.Binary(order="left"), "law.order", 'unknown value "left"'),
    ],
)
def test_bad_values_are_refused_with_field_and_range(make, field, words):
    with pytest.raises(percute.InvalidInput) as caught:
        make()
    assert caught.value.field == field
    assert words in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_unknown_names_and_wrong_types_are_type_errors():
    with pytest.raises(TypeError, match="did you mean 'restitution'"):
        percute.Material(resitution=1)
    with pytest.raises(TypeError, match="Material.friction: a number is wanted, not 'much'"):
        percute.Material(friction="much")
    with pytest.raises(TypeError):
        laws.Lzb(verify=1)
    with pytest.raises(TypeError):
        laws.Lzb(max_steps=1.5)
    with pytest.raises(TypeError):
        laws.Lzb(1e-9)


@pytest.mark.parametrize(
    "value",
    [
        percute.Material(restitution=0.7, contact_model="mono_stiffness"),
        percute.Material(
            contact_model="tri_stiffness",
            tri_stiffness=percute.TriStiffness(
                yield_indentation=1e-5, plastic_stiffness=2.0, unloading_stiffness=3.0
            ),
        ),
        laws.Lzb(tolerance=1e-6, reengagement="tracked_gap"),
        laws.ImpulseRatios(direction=[1.0, 0.5]),
        systems.BallChain(balls=3, masses=[1.0, 2.0, 3.0]),
        systems.BallCluster(positions=[[0.0, 0.0], [0.02, 0.0]]),
        systems.TwoSpheres(),
        systems.SpatialBody(
            inertia=np.diag([1.0, 2.0, 2.5]), points=[systems.SpatialPoint(at=[0, 0, -1])]
        ),
        percute.State(position=[1.0], velocity=[2.0]),
        percute.Body(name="ball", coordinates=[0, 1], axes=["x", "y"]),
    ],
)
def test_values_survive_pickling_and_copying(value):
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.deepcopy(value) == value
    assert copy.copy(value) == value


def test_every_class_documents_its_fields():
    assert "tolerance : float, default 1e-09" in laws.Lzb.__doc__
    assert "[m/s²]" in systems.BallChain.gravity.__doc__


@pytest.mark.parametrize("form", ["diagonal", "dense", "sparse", "lists"])
def test_masses_in_any_form_give_the_same(form):
    sparse = pytest.importorskip("scipy.sparse")
    W = np.array([[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]])
    masses = np.array([1.0, 2.0, 3.0])
    mass = {
        "diagonal": masses,
        "dense": np.diag(masses),
        "sparse": sparse.coo_matrix(np.diag(masses)),
        "lists": [1, 2, 3],
    }[form]
    gradients = sparse.csr_array(W) if form == "sparse" else W
    problem = percute.ImpactProblem(mass, gradients, [1, 0, 0])
    plain = percute.ImpactProblem(masses, W, [1.0, 0.0, 0.0])
    assert np.array_equal(problem.gradients, W)
    assert np.array_equal(problem.sparse_gradients.toarray(), W)
    assert np.allclose(problem.resolve().velocity, plain.resolve().velocity, atol=1e-9)
    assert pickle.loads(pickle.dumps(problem)) == problem


def test_arrays_of_other_libraries_are_taken():
    class Strange:
        """Knows DLPack and nothing else."""

        def __init__(self, values):
            self.values = np.asarray(values)

        def __dlpack__(self, **options):
            return self.values.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.values.__dlpack_device__()

    problem = two_balls(velocity=Strange([1.0, 0.0]))
    assert problem.velocity.tolist() == [1.0, 0.0]


def test_a_problem_says_what_is_wrong():
    with pytest.raises(percute.InvalidInput, match=r"contacts\[0\].tri_stiffness"):
        two_balls(contacts=percute.Material(contact_model="tri_stiffness"))
    with pytest.raises(percute.InvalidInput) as caught:
        two_balls(velocity=[1.0, 0.0, 0.0])
    assert caught.value.field
    with pytest.raises(percute.InvalidInput, match="mass"):
        two_balls(mass=[1.0, -2.0])
    with pytest.raises(percute.InvalidInput, match="bodies"):
        two_balls(bodies=[percute.Body(name="a", coordinates=[0])])
    with pytest.raises(TypeError, match="matrix of numbers"):
        two_balls(gradients="much")


def test_a_problem_is_not_changed_but_replaced():
    problem = two_balls()
    with pytest.raises(ValueError):
        problem.velocity[0] = 5.0
    with pytest.raises(AttributeError):
        problem.velocity = [5.0, 0.0]
    faster = problem.replace(velocity=[2.0, 0.0])
    assert faster.velocity[0] == 2.0
    assert problem.velocity[0] == 1.0
    assert faster != problem
    assert np.allclose(faster.resolve().velocity, 2 * problem.resolve().velocity)


def test_results_show_their_memory_without_copies():
    result = two_balls().resolve()
    assert result.velocity.base is not None or not result.velocity.flags.owndata
    assert np.shares_memory(result.velocity, result.velocity)
    with pytest.raises(ValueError):
        result.velocity[0] = 0.0
    velocity = result.velocity
    del result
    assert math.isclose(velocity[0], -1 / 3, abs_tol=1e-9)  # the memory lives as long as the array


def test_results_survive_pickling():
    result = percute.cradle(3).resolve(history=True)
    again = pickle.loads(pickle.dumps(result))
    assert np.array_equal(again.velocity, result.velocity)
    assert again.energy == result.energy
    assert again.consistency == result.consistency
    assert again.problem == result.problem
    assert np.array_equal(again.history.force, result.history.force)
    assert again.history.events == result.history.events
    assert str(again) == str(result)


def test_tangents_give_friction():
    # A ball that slides on the floor: one tangent.
    problem = percute.ImpactProblem(
        mass=[1.0, 1.0],
        gradients=[[0.0], [1.0]],
        velocity=[1.0, -1.0],
        contacts=percute.Material(restitution=0.0, friction=0.5),
        tangents=[[[1.0], [0.0]]],
    )
    assert problem.contacts[0].directions == 1
    result = problem.resolve("coulomb")
    assert np.allclose(result.velocity, [0.5, 0.0], atol=1e-9)
    assert np.allclose(result.tangential_impulse[0], [-0.5], atol=1e-9)
    assert pickle.loads(pickle.dumps(problem)) == problem
