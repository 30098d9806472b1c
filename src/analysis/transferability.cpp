// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/law_family.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace percute::analysis {

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
  std::vector<std::pair<double, Vector>> tried;
  for (Vector& point : sample_box(family.parameters, samples)) {
    const double value = misfit(problem, family, point, velocity);
    tried.emplace_back(value, std::move(point));
  }
  std::stable_sort(tried.begin(), tried.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  tried.resize(std::min(tried.size(), kStarts));

  const auto d = static_cast<Eigen::Index>(family.parameters.size());
  Vector lowest(d);
  Vector range(d);
  for (Eigen::Index k = 0; k < d; ++k) {
    const Parameter& parameter = family.parameters[static_cast<std::size_t>(k)];
    lowest[k] = parameter.lowest;
    range[k] = parameter.highest - parameter.lowest;
  }
  const auto point_of = [&](const Vector& unit) -> Vector {
    return lowest + range.cwiseProduct(unit);
  };
  Identification best{.parameters = tried.front().second, .misfit = tried.front().first};
  for (const auto& [value, point] : tried) {
    Vector unit = (point - lowest).cwiseQuotient(range);
    const auto function = [&](const Vector& at) {
      return misfit(problem, family, point_of(at), velocity);
    };
    const double reached = nelder_mead(function, kStep, kEvaluations, unit);
    if (reached < best.misfit) best = {.parameters = point_of(unit), .misfit = reached};
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
