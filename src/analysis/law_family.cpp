// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/law_family.hpp>
#include <percute/analysis/problem_analysis.hpp>
#include <percute/laws/binary.hpp>
#include <percute/laws/fremond.hpp>
#include <percute/laws/impulse_ratios.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/laws/moreau.hpp>
#include <percute/laws/newton.hpp>
#include <percute/laws/poisson.hpp>
#include <percute/laws/restitution_matrix.hpp>
#include <percute/laws/scalar_restitution.hpp>
#include <percute/laws/simultaneous_set.hpp>

#include <cmath>
#include <span>
#include <utility>

namespace percute::analysis {

namespace {

int contacts_of(const ImpactProblem& problem) {
  return static_cast<int>(problem.contacts.size());
}

std::string numbered(const char* letter, int i) {
  return letter + std::to_string(i + 1);
}

void add_restitutions(const ImpactProblem& problem, double highest, LawFamily& family) {
  for (int i = 0; i < contacts_of(problem); ++i) {
    family.parameters.push_back(
        {.name = numbered("e", i), .lowest = 0.0, .highest = highest, .contacts = {i}});
  }
}

/// The problem with other restitution coefficients.
ImpactProblem with_restitutions(ImpactProblem problem, const Vector& e) {
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    problem.contacts[i].material.restitution = e[static_cast<Eigen::Index>(i)];
  }
  return problem;
}

/// A law that takes everything from the restitution coefficients of the contacts.
template <class Law>
LawFamily restitution_family(const ImpactProblem& problem, const char* name, const Law& law,
                             double highest = 1.0) {
  LawFamily family{.name = name};
  add_restitutions(problem, highest, family);
  family.resolve = [law](const ImpactProblem& given, const Vector& e) {
    return percute::resolve(with_restitutions(given, e), law);
  };
  return family;
}

}  // namespace

LawFamily moreau_family(const ImpactProblem& /*problem*/) {
  return {.name = "moreau",
          .parameters = {{.name = "e"}},
          .resolve = [](const ImpactProblem& given, const Vector& x) {
            return percute::resolve(given, laws::Moreau{.restitution = x[0]});
          }};
}

LawFamily newton_family(const ImpactProblem& problem) {
  return restitution_family(problem, "newton", laws::Newton{});
}

LawFamily poisson_family(const ImpactProblem& problem) {
  return restitution_family(problem, "poisson", laws::Poisson{});
}

LawFamily poisson_family_to_two(const ImpactProblem& problem) {
  return restitution_family(problem, "poisson (e to 2)", laws::Poisson{}, 2.0);
}

LawFamily restitution_matrix_family(const ImpactProblem& problem) {
  const OutcomeSet set = outcome_set(problem);
  const int m = contacts_of(problem);
  LawFamily family{.name = "restitution_matrix"};
  // Row by row; no entry needs more than all the energy in one gap rate.
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      family.parameters.push_back({.name = "r" + std::to_string(i + 1) + std::to_string(j + 1),
                                   .lowest = 0.0,
                                   .highest = set.largest[i] / set.speed,
                                   .contacts = {i, j}});
    }
  }
  family.resolve = [](const ImpactProblem& given, const Vector& x) {
    const int size = contacts_of(given);
    Matrix R(size, size);
    for (int i = 0; i < size; ++i) R.row(i) = x.segment(i * size, size).transpose();
    return percute::resolve(given, laws::RestitutionMatrix{.matrix = R});
  };
  return family;
}

LawFamily fremond_quadratic_family(const ImpactProblem& problem) {
  constexpr double kAlmost = 0.999;
  const int m = contacts_of(problem);
  LawFamily family{.name = "fremond_quadratic"};
  for (int i = 0; i < m; ++i) {
    family.parameters.push_back(
        {.name = numbered("s", i), .lowest = -kAlmost, .highest = kAlmost, .contacts = {i}});
  }
  if (m == 2) {
    family.parameters.push_back(
        {.name = "c", .lowest = -kAlmost, .highest = kAlmost, .contacts = {0, 1}});
  }
  family.resolve = [](const ImpactProblem& given, const Vector& x) {
    const Vector G = given.mass.delassus_diagonal(given.gradients);
    const auto s = x.head(G.size()).array();
    const Vector kappa = 2.0 * (1.0 + s) / (G.array() * (1.0 - s));
    Matrix K = kappa.asDiagonal();
    if (G.size() == 2) K(0, 1) = K(1, 0) = x[2] * std::sqrt(kappa[0] * kappa[1]);
    return percute::resolve(given, laws::FremondQuadratic{.kappa = K});
  };
  return family;
}

LawFamily impulse_ratios_family(const ImpactProblem& problem) {
  LawFamily family{.name = "icr"};
  for (int i = 0; i + 1 < contacts_of(problem); ++i) {
    const std::string next = numbered("p", i + 1);
    std::string name = next;
    name.append("/(").append(numbered("p", i)).append("+").append(next).append(")");
    // At 1 the first impulse would be zero and the ratio infinite.
    family.parameters.push_back(
        {.name = std::move(name), .lowest = 0.0, .highest = 0.999, .contacts = {i, i + 1}});
  }
  family.parameters.push_back({.name = "e"});
  family.resolve = [](const ImpactProblem& given, const Vector& x) {
    const Vector share = x.head(x.size() - 1);
    const Vector ratios = share.cwiseQuotient((1.0 - share.array()).matrix());
    const std::span<const double> list(ratios.data(), static_cast<std::size_t>(ratios.size()));
    return percute::resolve(given,
                            laws::ImpulseRatios{.direction = laws::from_next_over_previous(list),
                                                .restitution = x[x.size() - 1]});
  };
  return family;
}

LawFamily binary_family(const ImpactProblem& problem) {
  return restitution_family(problem, "binary", laws::Binary{});
}

LawFamily simultaneous_set_family(const ImpactProblem& problem) {
  return restitution_family(problem, "simultaneous_set", laws::SimultaneousSet{});
}

LawFamily scalar_restitution_family(const ImpactProblem& problem) {
  return restitution_family(problem, "scalar_restitution", laws::ScalarRestitution{});
}

LawFamily lzb_family(const ImpactProblem& problem) {
  constexpr double kDecades = 4.0;
  LawFamily family{.name = "lzb"};
  const int m = contacts_of(problem);
  for (int i = 0; i + 1 < m; ++i) {
    family.parameters.push_back(
        {.name = "log10(" + numbered("K", i + 1) + "/" + numbered("K", i) + ")",
         .lowest = -kDecades,
         .highest = kDecades,
         .contacts = {i, i + 1}});
  }
  add_restitutions(problem, 1.0, family);
  family.resolve = [](const ImpactProblem& given, const Vector& x) {
    const auto size = static_cast<Eigen::Index>(given.contacts.size());
    ImpactProblem changed = with_restitutions(given, x.tail(size));
    for (Eigen::Index i = 0; i + 1 < size; ++i) {
      const auto k = static_cast<std::size_t>(i);
      changed.contacts[k + 1].material.stiffness =
          changed.contacts[k].material.stiffness * std::pow(10.0, x[i]);
    }
    // Enough to see where an outcome lies.
    return percute::resolve(changed, laws::Lzb{.tolerance = 1e-7});
  };
  return family;
}

}  // namespace percute::analysis
