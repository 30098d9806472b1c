// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "analysis/random.hpp"

#include <percute/analysis/law_family.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace percute::analysis {

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

}  // namespace

std::vector<Vector> sample_box(const std::vector<Parameter>& parameters, long samples) {
  constexpr std::size_t kCorners = 10;  // 2^10 of them
  const std::size_t d = parameters.size();
  std::vector<Vector> points;
  const auto add = [&](const auto& place) {
    Vector point(static_cast<Eigen::Index>(d));
    for (std::size_t k = 0; k < d; ++k) {
      const Parameter& parameter = parameters[k];
      point[static_cast<Eigen::Index>(k)] =
          parameter.lowest + (parameter.highest - parameter.lowest) * place(k);
    }
    points.push_back(std::move(point));
  };
  if (d == 0) return {Vector(0)};
  if (d <= kCorners) {
    for (std::size_t corner = 0; corner < (std::size_t{1} << d); ++corner) {
      add([corner](std::size_t k) { return static_cast<double>((corner >> k) & 1U); });
    }
  }
  Random random(1, 0);
  for (long n = 0; n < samples; ++n) {
    add([&random](std::size_t) { return random.uniform(); });
  }
  return points;
}

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
  for (Vector& point : sample_box(family.parameters, options.samples)) {
    const ImpactResult result = family.resolve(problem, point);
    OutcomeSample sample{.parameters = std::move(point),
                         .outcome = result.gap_rate / set.speed,
                         .energy_ratio = set.energy_ratio(result.gap_rate)};
    sample.admissible = result.ok() && set.contains(result.gap_rate, options.tolerance);
    if (sample.admissible) cells.hit(result.gap_rate);
    out.samples.push_back(std::move(sample));
  }
  cells.count(out);
  return out;
}

}  // namespace percute::analysis
