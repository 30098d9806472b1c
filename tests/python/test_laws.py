# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Laws of percute and of one's own, one impact and many."""

import threading
import time

import numpy as np
import pytest

import percute
from percute import laws

THREE_BALLS = [-0.0709523537, 0.0764030391, 0.9945493146]  # Hertz contacts, to ten digits


def test_three_balls():
    result = percute.resolve(percute.cradle(3), laws.Lzb(tolerance=1e-10))
    assert result.ok()
    assert result.status == "ok"
    assert np.allclose(result.velocity, THREE_BALLS, atol=1e-9)
    assert result.energy.after == pytest.approx(result.energy.before, abs=1e-10)
    assert result.consistency.all()
    assert result.diagnostics.steps > 0
    assert result.diagnostics.contacts[0].compressions == 1


REQUIRED = {
    "restitution_matrix": {"matrix": [[1.0, 0.0], [0.0, 1.0]]},
    "fremond_quadratic": {"kappa": 1.0},
    "fremond_cone": {"patterns": [[1.0], [1.0]]},
    "icr": {"direction": laws.from_next_over_previous([0.5])},
}


@pytest.mark.parametrize("kind", percute.law_kinds())
def test_every_kind_has_a_class_with_the_same_defaults(kind):
    options = REQUIRED.get(kind, {})
    law = percute.make_law(kind, **options)
    assert law.kind == kind
    assert type(law) in vars(laws).values()
    assert law == type(law)(**options)
    assert all(f"{key}=" in repr(law) for key in options)
    if options:
        with pytest.raises(percute.InvalidInput, match="is missing"):
            percute.make_law(kind)
    problem = percute.cradle(3 if kind != "darboux_keller_single" else 2)
    assert problem.resolve(law).ok()


def test_a_law_by_name_by_value_and_of_the_problem_are_the_same():
    problem = percute.cradle(4)
    by_name = problem.resolve("lzb").velocity
    assert np.array_equal(by_name, problem.resolve(laws.Lzb()).velocity)
    assert np.array_equal(by_name, problem.resolve().velocity)
    newton = problem.replace(law="newton")
    assert newton.law == laws.Newton()
    assert np.array_equal(newton.resolve().velocity, problem.resolve(laws.Newton()).velocity)


def test_unknown_laws_are_refused():
    with pytest.raises(percute.InvalidInput, match=r"did you mean 'newton'"):
        percute.cradle(3).resolve("neuton")
    with pytest.raises(TypeError, match="a law"):
        percute.cradle(3).resolve(3)
    with pytest.raises(TypeError, match="ImpactResult"):
        percute.cradle(3).resolve(lambda problem: problem)


def perfectly_plastic(problem):
    """M (v⁺ − v⁻) = W p with Wᵀ v⁺ = 0."""
    W = problem.gradients
    MinvW = W / problem.mass[:, np.newaxis]
    p = np.linalg.solve(W.T @ MinvW, -W.T @ problem.velocity)
    return percute.ImpactResult(velocity=problem.velocity + MinvW @ p, impulse=p)


def test_a_law_of_ones_own_is_judged_like_any_other():
    result = percute.cradle(3).resolve(perfectly_plastic)
    assert np.allclose(result.velocity, 1 / 3)
    assert np.allclose(result.gap_rate, 0.0, atol=1e-12)
    assert result.energy.after == pytest.approx(result.energy.before / 3)
    assert result.consistency.momentum
    assert result.problem == percute.cradle(3)
    moreau = percute.cradle(3).resolve(laws.Moreau(restitution=0.0))
    assert np.allclose(result.impulse, moreau.impulse)


def test_a_law_of_ones_own_may_use_another():
    def half(problem):
        result = laws.Newton()(problem)
        return result.replace(velocity=0.5 * (problem.velocity + result.velocity))

    result = percute.cradle(3).resolve(half)
    assert not result.consistency.momentum


@pytest.mark.parametrize(
    ("velocity", "impulse"), [([0.0], [0.0, 0.0]), ([0.0, 0.0, 0.0], [0.0]), ([], [])]
)
def test_a_law_of_ones_own_must_give_all_numbers(velocity, impulse):
    made = percute.ImpactResult(velocity=velocity, impulse=impulse)
    with pytest.raises(percute.InvalidInput, match="numbers"):
        percute.cradle(3).resolve(lambda problem: made)


def test_errors_in_a_law_of_ones_own_come_through():
    def broken(problem):
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        percute.cradle(3).resolve(broken)
    with pytest.raises(RuntimeError, match="broken"):
        percute.resolve_many(percute.cradle(3), broken, velocity=np.ones((5, 3)))


def test_history():
    result = percute.cradle(3).resolve(history=True)
    history = result.history
    assert len(history) == len(history.time) == history.force.shape[0]
    assert history.force.shape[1] == 2
    assert history.velocity.shape == (len(history), 3)
    assert np.all(np.diff(history.time) >= 0.0)
    assert np.allclose(history.impulse[-1], result.impulse, atol=1e-8)
    assert np.allclose(history.velocity[-1], result.velocity, atol=1e-8)
    # Energy on its way: kinetic, stored and lost add up.
    total = history.kinetic_energy + history.stored_energy.sum(1) + history.dissipated.sum(1)
    assert np.allclose(total, result.energy.before, rtol=1e-7)
    assert {event.kind for event in history.events} >= {"activation", "compression_end", "opening"}
    assert len(percute.cradle(3).resolve().history) == 0


def test_history_at_given_times():
    recording = percute.Recording(every=0, times=[1e-3, 2e-3])
    history = percute.cradle(3).resolve(history=recording).history
    for wanted in recording.times:
        assert np.abs(history.time - wanted).min() < 1e-15
    with pytest.raises(percute.InvalidInput):
        percute.cradle(3).resolve("newton", history=True)


def test_two_threads_make_progress():
    long, short = percute.cradle(10_000), percute.cradle(3)
    times = []
    done = threading.Event()

    def resolve_short_ones():
        while not done.is_set():
            short.resolve("newton")
            times.append(time.perf_counter())

    other = threading.Thread(target=resolve_short_ones)
    other.start()
    while not times:
        time.sleep(0.001)
    begin = time.perf_counter()
    result = long.resolve()
    end = time.perf_counter()
    done.set()
    other.join()
    assert result.ok()
    # While this thread was in one resolve(); one or two if it kept Python's lock.
    assert sum(begin < one < end for one in times) > 20


# ------------------------------------------------------------------------------- many at once


def test_many_are_the_same_as_one_by_one():
    problem = percute.cradle(3)
    e = np.linspace(0.0, 1.0, 7)
    many = percute.resolve_many(problem, restitution=e)
    assert len(many) == 7
    for k, restitution in enumerate(e):
        material = percute.Material(restitution=restitution)
        one = problem.replace(contacts=material).resolve()
        assert np.array_equal(many.velocity[k], one.velocity)
        assert np.array_equal(many.impulse[k], one.impulse)
        assert many.energy_after[k] == one.energy.after
        assert many.status[k] == one.status
    assert many.ok.all()


def test_many_take_arrays_per_contact_and_per_coordinate():
    problem = percute.cradle(3)
    rng = np.random.default_rng(1)
    stiffness = rng.uniform(1.0, 10.0, (5, 2))
    mass = rng.uniform(0.1, 1.0, (5, 3))
    velocity = np.array([[2.0, 0.0, 0.0]])
    many = percute.resolve_many(problem, stiffness=stiffness, mass=mass, velocity=velocity)
    for k in range(5):
        contacts = [percute.Material(stiffness=s) for s in stiffness[k]]
        one = problem.replace(mass=mass[k], contacts=contacts, velocity=velocity[0]).resolve()
        assert np.array_equal(many.velocity[k], one.velocity)


def test_the_number_of_threads_changes_no_bit():
    velocity = np.random.default_rng(2).normal(size=(500, 4))
    problem = percute.cradle(4)
    one = percute.resolve_many(problem, velocity=velocity, threads=1)
    four = percute.resolve_many(problem, velocity=velocity, threads=4)
    assert np.array_equal(one.velocity, four.velocity)
    assert np.array_equal(one.status_code, four.status_code)


def test_many_with_a_law_of_ones_own():
    velocity = np.random.default_rng(3).normal(size=(20, 3))
    many = percute.resolve_many(percute.cradle(3), perfectly_plastic, velocity=velocity)
    assert np.allclose(many.velocity, velocity.mean(1, keepdims=True))


def test_many_take_numbers_of_the_law():
    e = np.linspace(0.0, 1.0, 5)
    many = percute.resolve_many(percute.cradle(3), "moreau", **{"law.restitution": e})
    for k, restitution in enumerate(e):
        one = percute.cradle(3).resolve(laws.Moreau(restitution=restitution))
        assert np.array_equal(many.velocity[k], one.velocity)
    with pytest.raises(TypeError, match="did you mean 'restitution'"):
        percute.resolve_many(percute.cradle(3), "moreau", **{"law.restitutin": e})
    with pytest.raises(percute.InvalidInput, match="impact 1: .*restitution"):
        percute.resolve_many(percute.cradle(3), "moreau", **{"law.restitution": [0.5, 2.0]})


def test_many_say_which_impact_is_wrong():
    with pytest.raises(percute.InvalidInput, match=r"impact 2: contacts\[0\].restitution"):
        percute.resolve_many(percute.cradle(3), restitution=[0.5, 1.0, 3.0])
    with pytest.raises(TypeError, match="did you mean 'stiffness'"):
        percute.resolve_many(percute.cradle(3), stifness=[1.0])
    with pytest.raises(percute.InvalidInput, match="do not go together"):
        percute.resolve_many(percute.cradle(3), restitution=[1.0] * 3, stiffness=[1.0] * 2)
    with pytest.raises(percute.InvalidInput, match="columns"):
        percute.resolve_many(percute.cradle(3), velocity=np.ones((3, 2)))
