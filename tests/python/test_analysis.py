# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Questions about impacts whose answers are known."""

import math

import numpy as np
import pytest

import percute
from percute import analysis, laws


def test_indices():
    result = percute.cradle(3).resolve("newton")
    told = analysis.indices(result)
    assert told.energy_ratio == pytest.approx(1.0)
    assert told.dispersion == pytest.approx(0.471405, abs=1e-6)
    with pytest.raises(percute.InvalidInput, match="resolve"):
        analysis.indices(percute.ImpactResult(velocity=[0.0], impulse=[]))


def test_the_set_of_outcomes():
    region = analysis.outcome_set(percute.cradle(3))
    for law in ("newton", "binary", "lzb"):
        assert region.contains(percute.cradle(3).resolve(law).gap_rate, tolerance=1e-8)
    assert not region.contains([1.0, 1.0])
    # Three equal balls: KER = (1 + 2 (x² + x y + y²))/3.
    assert region.energy_ratio([0.5, 0.5]) == pytest.approx((1 + 2 * 0.75) / 3)


def test_the_outcome_plane():
    poisson = {plane.law: plane for plane in percute.outcome_plane(percute.cradle(3), samples=200)}
    assert len(poisson) > 2
    for plane in poisson.values():
        assert plane.outcome.shape == (len(plane.parameters), 2)
        assert plane.parameters.shape[1] == len(plane.parameter_names)
        assert len(plane.admissible) == len(plane.energy_ratio) == len(plane.outcome)
    with pytest.raises(percute.InvalidInput):
        percute.outcome_plane(percute.cradle(4), "lzb")


def test_impulse_ratios():
    result = percute.cradle(3).resolve()
    found = analysis.identify_icr(result)
    assert found.next_over_previous[0] == pytest.approx(result.impulse[1] / result.impulse[0])
    law = found.law(tolerance=1e-6)
    assert isinstance(law, laws.ImpulseRatios)
    assert np.allclose(percute.cradle(3).resolve(law).velocity, result.velocity, atol=1e-7)
    same = analysis.identify_icr_from_velocities(percute.cradle(3), result.velocity)
    assert np.allclose(same.impulse, result.impulse, atol=1e-9)


def test_collisions_one_after_another():
    problem = percute.cradle(3)
    assert analysis.collapse_threshold(problem) == pytest.approx(7 - 4 * math.sqrt(3), abs=1e-5)
    assert analysis.collapses(problem, 0.05)
    assert not analysis.collapses(problem, 0.5)
    assert analysis.over_orders(problem).complete
    ended = analysis.termination(problem.resolve("binary"))
    assert (ended.diagnosis, ended.collisions) == ("finite", 2)


def test_a_solitary_wave():
    wave = analysis.solitary_wave(mass=1.0, stiffness=1.0, exponent=1.5, peak_velocity=1.0)
    assert wave.support == pytest.approx(5 * math.pi / math.sqrt(10))
    assert wave.velocity(0.0) == pytest.approx(1.0)
    assert wave.velocity(wave.support) == 0.0


def test_single_contacts():
    zeta = laws.kelvin_voigt_damping_ratio(0.5)
    assert laws.kelvin_voigt_restitution(zeta) == pytest.approx(0.5)
    assert laws.linear_duration(stiffness=1.0, mass=1.0) == pytest.approx(math.pi)
    assert laws.stiffness_from_contact_duration(
        laws.power_law_duration(1e9, 1.5, 0.1, 1.0), 1.5, 0.1, 1.0
    ) == pytest.approx(1e9)
    with pytest.raises(percute.InvalidInput):
        laws.kelvin_voigt_damping_ratio(2.0)
