// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/law_guises.hpp"

#include "selftest/impact_guises.hpp"

#include <algorithm>
#include <cmath>

namespace percute::selftest {

namespace {

using laws::Binary;

Matrix rows_reversed(const Matrix& A) {
  return A.colwise().reverse();
}

/// Parameters for contacts in reverse order; false where there are none.
template <class Law>
bool reverse(Law&) {
  return true;
}
bool reverse(laws::RestitutionMatrix& law) {
  law.matrix = law.matrix.reverse().eval();
  return true;
}
bool reverse(laws::FremondQuadratic& law) {
  law.kappa = rows_reversed(law.kappa);
  return true;
}
bool reverse(laws::FremondCone& law) {
  law.patterns = rows_reversed(law.patterns);
  return true;
}
bool reverse(laws::ImpulseRatios& law) {
  law.direction = law.direction.reverse().eval();
  return true;
}
bool reverse(Binary& law) {
  switch (law.order) {
    case Binary::Order::LeftRight:
      law.order = Binary::Order::RightLeft;
      return true;
    case Binary::Order::RightLeft:
      law.order = Binary::Order::LeftRight;
      return true;
    default:
      return false;  // ties are broken by the index
  }
}
bool reverse(laws::SimultaneousSet&) {
  return false;
}

bool one_restitution(const ImpactProblem& problem) {
  return std::all_of(problem.contacts.begin(), problem.contacts.end(), [&](const Contact& contact) {
    return contact.material.restitution == problem.contacts[0].material.restitution;
  });
}

Matrix first_row_halved(const Matrix& A) {
  Matrix out(A.rows() + 1, A.cols());
  out << A, A.row(0);
  out.row(0) *= 0.5;
  out.row(A.rows()) *= 0.5;
  return out;
}

/// Parameters for the first contact twice, the copy at the end; false where that is another impact.
template <class Law>
bool repeat(Law&, const ImpactProblem&, bool) {
  return true;
}
bool repeat(laws::Poisson&, const ImpactProblem& problem, bool redundant) {
  // E p^c depends on how redundant contacts share p^c, unless all e_i are equal.
  return one_restitution(problem) || !redundant;
}
bool repeat(laws::RestitutionMatrix&, const ImpactProblem&, bool) {
  return false;
}
bool repeat(laws::FremondQuadratic& law, const ImpactProblem&, bool) {
  if (law.kappa.cols() != 1) return false;
  law.kappa = first_row_halved(law.kappa);
  return true;
}
bool repeat(laws::FremondCone& law, const ImpactProblem&, bool) {
  law.patterns = first_row_halved(law.patterns);
  return true;
}
bool repeat(laws::ImpulseRatios& law, const ImpactProblem&, bool) {
  law.direction = first_row_halved(law.direction);
  return true;
}
bool repeat(Binary& law, const ImpactProblem&, bool) {
  return law.order == Binary::Order::LeftRight;  // never comes to the copy
}
bool repeat(laws::SimultaneousSet&, const ImpactProblem&, bool) {
  return false;  // other subsets
}
bool repeat(laws::ScalarRestitution&, const ImpactProblem&, bool) {
  return false;  // the sum over contacts changes
}
bool repeat(laws::CradleSort&, const ImpactProblem&, bool) {
  return false;
}

}  // namespace

std::optional<Guise> with_contacts_reversed(const ImpactProblem& problem, const AlgebraicLaw& law) {
  Guise guise{.law = law};
  if (!std::visit([](auto& which) { return reverse(which); }, guise.law)) return {};
  guise.problem = with_contacts_reversed(problem);
  return guise;
}

std::optional<Guise> with_a_contact_twice(const ImpactProblem& problem, const AlgebraicLaw& law,
                                          bool redundant) {
  Guise guise{.law = law};
  const auto change = [&](auto& which) { return repeat(which, problem, redundant); };
  if (!std::visit(change, guise.law)) return {};
  guise.problem = problem;
  repeat_contact(guise.problem, 0);
  return guise;
}

Guise with_units(const ImpactProblem& problem, const AlgebraicLaw& law, const Units& units) {
  Guise guise{.problem = problem, .law = law};
  change_units(guise.problem, units);
  if (auto* quadratic = std::get_if<laws::FremondQuadratic>(&guise.law)) {
    quadratic->kappa *= std::ldexp(1.0, units.mass);
  }
  return guise;
}

}  // namespace percute::selftest
