// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/compliant.hpp>
#include <percute/laws/lzb.hpp>

namespace percute::selftest {

/// The same impact with contacts that lose nothing but by friction: λ = K ξ^η both ways.
/// Precompression stays: energy stored in a contact puts it on that curve under every law.
ImpactProblem made_elastic(ImpactProblem problem);

/// Of elastic contacts `lzb` with tracked gaps and `compliant` with force `power` are one law:
///
///     ḣ = U_n,   λ = K max(−h, 0)^η,   M v̇ = W λ + T f,   f: Coulomb's law at every instant.
///
/// Both are integrated at 1e-10, within limits that end a run which goes nowhere.
laws::Lzb lzb_of_elastic_contacts();
laws::Compliant compliant_of_elastic_contacts();

/// Both answers to one impact of elastic contacts.
struct ElasticFriction {
  ImpactProblem problem;   ///< elastic
  ImpactResult lzb;        ///< in the form users get: closed for a single contact
  ImpactResult compliant;  ///< with every step in its history
  bool asked = false;      ///< `compliant`: not where `lzb` was cut at its limits
  bool compared = false;   ///< `lzb` has an answer, so that `compliant` must have the same one
  /// `compliant` has one. A cascade that `lzb` cuts at its collapse velocity (`zeno`) is followed
  /// on by `compliant`, to whatever end: there the velocities count, not the status.
  bool answered = false;
  double difference = 0.0;  ///< |Δv⁺|_∞; infinite where `compliant` has no answer
  double allowed = 0.0;     ///< 1e-7 max(|v⁻|_∞, vs): an error of 100 tolerances each, times five
  double spread = 0.0;      ///< outcome_spread(), where the difference is not allowed without it

  bool agree() const { return difference <= allowed; }
  /// They differ by no more than changes of 1e-8, the 100 tolerances by which an answer may be off,
  /// explain. Nothing explains an answer that is missing.
  bool sensitive() const;
};

/// `compliant` may take 20 times the steps of `lzb`, and some, so that no problem takes minutes.
ElasticFriction compare_elastic(const ImpactProblem& problem);

/// How far v⁺ under `lzb` moves as v⁻, gradients and tangents change by 1e-9 of themselves, at one
/// tolerance: an amplification of the impact, and not of how it is computed. Infinite where changed
/// impacts have no answer.
double outcome_spread(const ImpactProblem& elastic, const ImpactResult& lzb);

/// The largest |ΔP_t| − μ ΔP_n between two successive samples of any contact with finite friction,
/// over m_i vs: |f| ≤ μ λ at every instant adds up to ≤ 0.
double beyond_coulomb(const ImpactProblem& problem, const ImpactHistory& history);

/// The largest rise of kinetic and stored energy between any two samples.
double energy_gained(const ImpactHistory& history);

}  // namespace percute::selftest
