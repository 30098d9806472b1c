// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/stages.hpp"

#include <percute/laws/sequences.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace percute::laws {

namespace {

/// A contact between two balls: the gap rate is factor (v[right] − v[left]).
struct Link {
  int left = 0;
  int right = 0;
  double factor = 1.0;
};

/// The balls of each contact, or what keeps it from being one between equal elastic balls in a row.
std::vector<Link> find_links(const ImpactProblem& problem, std::string& obstacle) {
  const auto n = static_cast<std::size_t>(problem.velocity.size());
  std::vector<char> has_right(n, 0);
  std::vector<char> has_left(n, 0);
  std::vector<Link> links(problem.contacts.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto refuse = [&](const char* why) {
      obstacle = "contacts[" + std::to_string(i) + "] " + why;
      return links;
    };
    if (problem.contacts[i].material.restitution != 1.0) return refuse("has a restitution below 1");
    std::vector<std::pair<int, double>> entries;
    for (SparseMatrix::InnerIterator entry(problem.gradients, static_cast<Eigen::Index>(i)); entry;
         ++entry) {
      if (entry.value() != 0.0) entries.emplace_back(static_cast<int>(entry.row()), entry.value());
    }
    if (entries.size() != 2 || entries[0].second != -entries[1].second) {
      return refuse("is not between two balls on a line");
    }
    if (entries[0].second > 0.0) std::swap(entries[0], entries[1]);
    const Link& link = links[i] = {entries[0].first, entries[1].first, entries[1].second};
    const double left = problem.mass(link.left, link.left);
    const double right = problem.mass(link.right, link.right);
    if (std::abs(left - right) > 1e-12 * std::max(left, right)) {
      return refuse("is between unequal masses");
    }
    char& after = has_right[static_cast<std::size_t>(link.left)];
    char& before = has_left[static_cast<std::size_t>(link.right)];
    if (after != 0 || before != 0) return refuse("is beside another one of the same ball");
    after = before = 1;
  }
  return links;
}

/// Other coordinates must not feel the balls: M diagonal.
bool decoupled(const MassMatrix& mass) {
  if (mass.form() == MassMatrix::Form::Diagonal) return true;
  for (Eigen::Index i = 0; i < mass.size(); ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      if (mass(i, j) != 0.0) return false;
    }
  }
  return true;
}

}  // namespace

ImpactResult CradleSort::operator()(const ImpactProblem& problem) const {
  NormalSpace space;
  space.assign(problem);
  ImpactResult result = start_result(problem);
  note_common(problem, space, result);
  std::string obstacle;
  const std::vector<Link> links = find_links(problem, obstacle);
  if (obstacle.empty() && !decoupled(problem.mass)) obstacle = "masses are coupled";
  if (obstacle.empty() && space.approaching(space.U)) {
    // Equal elastic balls exchange their velocities: neighbours in the wrong order do so, round by
    // round, until all are sorted. In a ring that has no end.
    bool exchanged = true;
    for (std::size_t round = 0; exchanged && round <= 2 * links.size(); ++round) {
      exchanged = false;
      for (std::size_t i = 0; i < links.size(); ++i) {
        double& left = result.velocity[links[i].left];
        double& right = result.velocity[links[i].right];
        if (!(left > right)) continue;
        const double mass = problem.mass(links[i].left, links[i].left);
        result.impulse[static_cast<Eigen::Index>(i)] += mass * (left - right) / links[i].factor;
        std::swap(left, right);
        exchanged = true;
      }
    }
    if (exchanged) obstacle = "balls in a ring have no first one";
    result.status = Status::Ok;
    notes_of(result).stages = 1;
  }
  if (!obstacle.empty()) {
    result.velocity = problem.velocity;
    result.impulse.setZero();
    result.status = Status::NotApplicable;
    result.diagnostics.reason = "equal elastic balls in a row only: " + obstacle;
  }
  return result;
}

}  // namespace percute::laws
