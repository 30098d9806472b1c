// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "analysis/random.hpp"

#include <percute/analysis/law_family.hpp>
#include <percute/analysis/problem_analysis.hpp>
#include <percute/laws/complementarity.hpp>
#include <percute/laws/fremond.hpp>
#include <percute/laws/impulse_ratios.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/laws/restitution_matrix.hpp>
#include <percute/laws/scalar_restitution.hpp>
#include <percute/laws/sequences.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
template <class Law, int highest = 1>
LawFamily restitution_family(const ImpactProblem& problem) {
  LawFamily family{.name = std::string(Law::kKind)};
  if (highest == 2) family.name.append(" (e to 2)");
  add_restitutions(problem, highest, family);
  family.resolve = [](const ImpactProblem& given, const Vector& e) {
    return percute::resolve(with_restitutions(given, e), Law{});
  };
  return family;
}

LawFamily moreau_family(const ImpactProblem& /*problem*/) {
  return {.name = "moreau",
          .parameters = {{.name = "e"}},
          .resolve = [](const ImpactProblem& given, const Vector& x) {
            return percute::resolve(given, laws::Moreau{.restitution = x[0]});
          }};
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

using Varied = std::pair<std::string_view, LawFamily (*)(const ImpactProblem&)>;

constexpr std::array<Varied, 11> kFamilies{{
    {laws::Moreau::kKind, moreau_family},
    {laws::Newton::kKind, restitution_family<laws::Newton>},
    {laws::Poisson::kKind, restitution_family<laws::Poisson>},
    {laws::Poisson::kKind, restitution_family<laws::Poisson, 2>},
    {laws::RestitutionMatrix::kKind, restitution_matrix_family},
    {laws::FremondQuadratic::kKind, fremond_quadratic_family},
    {laws::ImpulseRatios::kKind, impulse_ratios_family},
    {laws::Binary::kKind, restitution_family<laws::Binary>},
    {laws::SimultaneousSet::kKind, restitution_family<laws::SimultaneousSet>},
    {laws::ScalarRestitution::kKind, restitution_family<laws::ScalarRestitution>},
    {laws::Lzb::kKind, lzb_family},
}};

}  // namespace

std::vector<FamilyMaker> family_makers(std::string_view kind) {
  std::vector<FamilyMaker> makers;
  for (const auto& [own, make] : kFamilies) {
    if (own == kind) makers.emplace_back(make);
  }
  return makers;
}

namespace {

/// A grid over the box around the set of outcomes.
class Cells {
 public:
  Cells(const OutcomeSet& set, int per_axis) : set_(set), per_axis_(per_axis) {
    const auto m = set.before.size();
    long total = 1;
    for (Eigen::Index i = 0; i < m; ++i) total *= per_axis;
    inside_.resize(static_cast<std::size_t>(total));
    hit_.resize(inside_.size());
    for (long k = 0; k < total; ++k) {
      Vector centre(m);
      long rest = k;
      for (Eigen::Index i = 0; i < m; ++i, rest /= per_axis) {
        centre[i] = (static_cast<double>(rest % per_axis) + 0.5) * set.largest[i] / per_axis;
      }
      inside_[static_cast<std::size_t>(k)] = set.contains(centre) ? 1 : 0;
    }
  }

  void hit(const Vector& after) {
    long index = 0;
    long stride = 1;
    for (Eigen::Index i = 0; i < after.size(); ++i, stride *= per_axis_) {
      const double place = std::floor(after[i] / set_.largest[i] * per_axis_);
      index += stride * static_cast<long>(std::clamp(place, 0.0, per_axis_ - 1.0));
    }
    hit_[static_cast<std::size_t>(index)] = 1;
  }

  void count(Coverage& coverage) const {
    for (std::size_t k = 0; k < inside_.size(); ++k) {
      coverage.cells += inside_[k];
      coverage.covered += inside_[k] & hit_[k];
    }
  }

 private:
  const OutcomeSet& set_;
  int per_axis_;
  std::vector<unsigned char> inside_;
  std::vector<unsigned char> hit_;
};

/// The corners of the unit cube if there are at most 2^10, then random points, the same every time.
std::vector<Vector> sample_cube(std::size_t dimensions, long samples) {
  constexpr std::size_t kCorners = 10;  // 2^10 of them
  const auto d = static_cast<Eigen::Index>(dimensions);
  if (d == 0) return {Vector(0)};
  std::vector<Vector> points;
  for (std::size_t corner = 0; dimensions <= kCorners && corner < (std::size_t{1} << dimensions);
       ++corner) {
    Vector& point = points.emplace_back(d);
    for (Eigen::Index k = 0; k < d; ++k) point[k] = static_cast<double>((corner >> k) & 1U);
  }
  Random random(1, 0);
  for (long n = 0; n < samples; ++n) {
    for (double& place : points.emplace_back(d)) place = random.uniform();
  }
  return points;
}

/// The parameters at a point of the unit cube.
Vector parameters_at(const LawFamily& family, const Vector& point) {
  Vector values(point.size());
  for (Eigen::Index k = 0; k < point.size(); ++k) {
    const Parameter& parameter = family.parameters[static_cast<std::size_t>(k)];
    values[k] = parameter.lowest + (parameter.highest - parameter.lowest) * point[k];
  }
  return values;
}

}  // namespace

Coverage coverage(const ImpactProblem& problem, const LawFamily& family,
                  const CoverageOptions& options) {
  constexpr std::size_t kMostContacts = 6;
  if (problem.contacts.size() > kMostContacts) {
    throw InvalidInput("contacts", "coverage is for at most " + std::to_string(kMostContacts) +
                                       " contacts, got " + std::to_string(problem.contacts.size()));
  }
  if (options.samples < 0 || options.cells_per_axis < 1) {
    throw InvalidInput("samples", "must not be negative, and there must be cells");
  }
  const OutcomeSet set = outcome_set(problem);
  Cells cells(set, options.cells_per_axis);
  Coverage out;
  for (const Vector& point : sample_cube(family.parameters.size(), options.samples)) {
    Vector parameters = parameters_at(family, point);
    const ImpactResult result = family.resolve(problem, parameters);
    OutcomeSample sample{.parameters = std::move(parameters),
                         .outcome = result.gap_rate / set.speed,
                         .energy_ratio = set.energy_ratio(result.gap_rate)};
    sample.admissible = result.ok() && set.contains(result.gap_rate, options.tolerance);
    if (sample.admissible) cells.hit(result.gap_rate);
    out.samples.push_back(std::move(sample));
  }
  cells.count(out);
  return out;
}

namespace {

struct Vertex {
  Vector x;
  double value = 0.0;
};

/// Minimises a function on the unit cube by the simplex method (Nelder, Mead 1965), from a point
/// and steps of size `step` along the axes. `x` becomes the best point; its value is returned.
double nelder_mead(const std::function<double(const Vector&)>& function, double step,
                   int evaluations, Vector& x) {
  const Eigen::Index d = x.size();
  int left = evaluations;
  const auto vertex = [&](const Vector& at) {
    --left;
    const Vector inside = at.cwiseMax(0.0).cwiseMin(1.0);
    return Vertex{.x = inside, .value = function(inside)};
  };
  std::vector<Vertex> simplex{vertex(x)};
  for (Eigen::Index k = 0; k < d; ++k) {
    Vector moved = x;
    moved[k] += moved[k] + step <= 1.0 ? step : -step;
    simplex.push_back(vertex(moved));
  }
  const auto by_value = [](const Vertex& a, const Vertex& b) { return a.value < b.value; };
  while (d > 0 && left > 0) {
    std::sort(simplex.begin(), simplex.end(), by_value);
    Vertex& worst = simplex.back();
    if ((worst.x - simplex.front().x).cwiseAbs().maxCoeff() < 1e-12) break;
    Vector centre = Vector::Zero(d);
    for (std::size_t k = 0; k + 1 < simplex.size(); ++k) centre += simplex[k].x;
    centre /= static_cast<double>(d);

    // Away from the worst vertex; further if that is good, less if it is not.
    const Vertex reflected = vertex(2.0 * centre - worst.x);
    if (reflected.value < simplex.front().value) {
      const Vertex further = vertex(3.0 * centre - 2.0 * worst.x);
      worst = further.value < reflected.value ? further : reflected;
    } else if (reflected.value < simplex[simplex.size() - 2].value) {
      worst = reflected;
    } else {
      const bool better = reflected.value < worst.value;
      const Vertex nearer = vertex(0.5 * (centre + (better ? reflected.x : worst.x)));
      if (nearer.value < std::min(reflected.value, worst.value)) {
        worst = nearer;
      } else {
        for (std::size_t k = 1; k < simplex.size(); ++k) {
          simplex[k] = vertex(0.5 * (simplex[k].x + simplex.front().x));
        }
      }
    }
  }
  const auto best = std::min_element(simplex.begin(), simplex.end(), by_value);
  x = best->x;
  return best->value;
}

double misfit(const ImpactProblem& problem, const LawFamily& family, const Vector& parameters,
              const Vector& velocity) {
  const ImpactResult result = family.resolve(problem, parameters);
  if (!result.ok()) return std::numeric_limits<double>::infinity();
  const double scale = scales(problem).velocity;
  const double distance = (result.velocity - velocity).norm();
  return scale > 0.0 ? distance / scale : distance;
}

/// Position in the whole of the parameter of a part; −1 if there is none.
int counterpart(const Parameter& parameter, const std::vector<int>& contacts,
                const LawFamily& whole, std::size_t global_rank) {
  std::vector<int> wanted;
  wanted.reserve(parameter.contacts.size());
  for (const int i : parameter.contacts) wanted.push_back(contacts[static_cast<std::size_t>(i)]);
  // Several parameters may speak of the same contacts (or of all): the first meets the first.
  std::size_t rank = 0;
  for (std::size_t k = 0; k < whole.parameters.size(); ++k) {
    if (whole.parameters[k].contacts != wanted) continue;
    if (rank++ == global_rank) return static_cast<int>(k);
  }
  return -1;
}

}  // namespace

Identification identify(const ImpactProblem& problem, const LawFamily& family,
                        const Vector& velocity, long samples) {
  constexpr std::size_t kStarts = 3;
  constexpr double kStep = 0.1;
  constexpr int kEvaluations = 400;
  const auto misfit_at = [&](const Vector& point) {
    return misfit(problem, family, parameters_at(family, point), velocity);
  };
  std::vector<std::pair<double, Vector>> tried;
  for (Vector& point : sample_cube(family.parameters.size(), samples)) {
    const double value = misfit_at(point);
    tried.emplace_back(value, std::move(point));
  }
  std::stable_sort(tried.begin(), tried.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  tried.resize(std::min(tried.size(), kStarts));
  Identification best{.parameters = parameters_at(family, tried.front().second),
                      .misfit = tried.front().first};
  for (auto& [value, point] : tried) {
    const double reached = nelder_mead(misfit_at, kStep, kEvaluations, point);
    if (reached < best.misfit) best = {parameters_at(family, point), reached};
  }
  return best;
}

ImpactProblem part_of(const ImpactProblem& problem, const std::vector<int>& contacts) {
  ImpactProblem part;
  part.mass = problem.mass;
  part.velocity = problem.velocity;
  part.gradients.resize(problem.gradients.rows(), static_cast<Eigen::Index>(contacts.size()));
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<Matrix> tangents;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const int i = contacts[k];
    if (i < 0 || i >= static_cast<int>(problem.contacts.size())) {
      throw InvalidInput("contacts", "there is no contact " + std::to_string(i) + " of " +
                                         std::to_string(problem.contacts.size()) +
                                         " (they count from 0)");
    }
    for (SparseMatrix::InnerIterator entry(problem.gradients, i); entry; ++entry) {
      entries.emplace_back(static_cast<int>(entry.row()), static_cast<int>(k), entry.value());
    }
    tangents.emplace_back(tangents_of(problem, static_cast<std::size_t>(i)));
    part.contacts.push_back(problem.contacts[static_cast<std::size_t>(i)]);
  }
  part.gradients.setFromTriplets(entries.begin(), entries.end());
  set_tangents(part, tangents);
  return part;
}

Transfer transferability(const ImpactProblem& problem, const FamilyMaker& family,
                         const Reference& reference, const std::vector<int>& contacts,
                         long samples) {
  const ImpactProblem part = part_of(problem, contacts);
  const LawFamily of_whole = family(problem);
  const LawFamily of_part = family(part);
  const Vector wanted = reference(part).velocity;
  Transfer out;
  out.whole = identify(problem, of_whole, reference(problem).velocity, samples);
  out.part = identify(part, of_part, wanted, samples);

  Vector carried(out.part.parameters.size());
  for (std::size_t k = 0; k < of_part.parameters.size(); ++k) {
    const Parameter& parameter = of_part.parameters[k];
    std::size_t rank = 0;
    for (std::size_t j = 0; j < k; ++j) {
      if (of_part.parameters[j].contacts == parameter.contacts) ++rank;
    }
    const int from = counterpart(parameter, contacts, of_whole, rank);
    if (from < 0) {
      throw InvalidInput("contacts", "parameter " + parameter.name +
                                         " of the part means nothing in the whole system");
    }
    const auto here = static_cast<Eigen::Index>(k);
    carried[here] = out.whole.parameters[from];
    const double range = parameter.highest - parameter.lowest;
    out.change = std::max(out.change, std::abs(carried[here] - out.part.parameters[here]) / range);
  }
  out.error = misfit(part, of_part, carried, wanted);
  return out;
}

}  // namespace percute::analysis
