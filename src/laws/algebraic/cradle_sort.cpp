// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/stages.hpp"

#include <percute/laws/cradle_sort.hpp>

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

bool read_link(const SparseMatrix& W, Eigen::Index contact, Link& link) {
  std::vector<std::pair<int, double>> entries;
  for (SparseMatrix::InnerIterator entry(W, contact); entry; ++entry) {
    if (entry.value() != 0.0) entries.emplace_back(static_cast<int>(entry.row()), entry.value());
  }
  if (entries.size() != 2 || entries[0].second != -entries[1].second) return false;
  const bool forward = entries[0].second < 0.0;
  link.left = entries[forward ? 0 : 1].first;
  link.right = entries[forward ? 1 : 0].first;
  link.factor = std::abs(entries[0].second);
  return true;
}

/// Rows of balls, each as the contacts along it, or what keeps the system from being rows of them.
struct Rows {
  std::vector<Link> links;             ///< of each contact
  std::vector<std::vector<int>> rows;  ///< contacts from left to right
  std::string obstacle = {};
};

/// What keeps this contact from being one between equal elastic balls; empty if nothing does.
std::string obstacle_at(const ImpactProblem& problem, Eigen::Index contact, Link& link) {
  if (problem.contacts[static_cast<std::size_t>(contact)].material.restitution != 1.0) {
    return "has a restitution below 1";
  }
  if (!read_link(problem.gradients, contact, link)) return "is not between two balls on a line";
  const double left = problem.mass(link.left, link.left);
  const double right = problem.mass(link.right, link.right);
  if (std::abs(left - right) > 1e-12 * std::max(left, right)) return "is between unequal masses";
  return {};
}

Rows find_rows(const ImpactProblem& problem) {
  const auto m = static_cast<Eigen::Index>(problem.contacts.size());
  std::vector<int> to_the_right(static_cast<std::size_t>(problem.velocity.size()), -1);
  std::vector<int> to_the_left = to_the_right;
  Rows found;
  found.links.resize(problem.contacts.size());
  const auto refuse = [&](Eigen::Index contact, const std::string& why) {
    found.obstacle = "contacts[" + std::to_string(contact) + "] " + why;
    return found;
  };
  for (Eigen::Index i = 0; i < m; ++i) {
    Link& link = found.links[static_cast<std::size_t>(i)];
    const std::string obstacle = obstacle_at(problem, i, link);
    if (!obstacle.empty()) return refuse(i, obstacle);
    int& after = to_the_right[static_cast<std::size_t>(link.left)];
    int& before = to_the_left[static_cast<std::size_t>(link.right)];
    if (after >= 0 || before >= 0) return refuse(i, "is beside another one of the same ball");
    after = before = static_cast<int>(i);
  }
  std::size_t covered = 0;
  for (std::size_t ball = 0; ball < to_the_left.size(); ++ball) {
    if (to_the_left[ball] >= 0 || to_the_right[ball] < 0) continue;
    std::vector<int> row;
    for (int i = to_the_right[ball]; i >= 0;) {
      row.push_back(i);
      i = to_the_right[static_cast<std::size_t>(found.links[static_cast<std::size_t>(i)].right)];
    }
    covered += row.size();
    found.rows.push_back(std::move(row));
  }
  if (covered != problem.contacts.size()) found.obstacle = "balls in a ring have no first one";
  return found;
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
  const Rows found = find_rows(problem);
  if (!decoupled(problem.mass) || !found.obstacle.empty()) {
    result.status = Status::NotApplicable;
    result.diagnostics.reason = "equal elastic balls in a row only: " +
                                (found.obstacle.empty() ? "masses are coupled" : found.obstacle);
    return result;
  }
  if (!space.approaching(space.U)) return result;
  result.status = Status::Ok;
  notes_of(result).stages = 1;
  for (const std::vector<int>& row : found.rows) {
    std::vector<int> balls{found.links[static_cast<std::size_t>(row.front())].left};
    for (const int i : row) balls.push_back(found.links[static_cast<std::size_t>(i)].right);
    std::vector<double> sorted;
    sorted.reserve(balls.size());
    for (const int ball : balls) sorted.push_back(problem.velocity[ball]);
    std::sort(sorted.begin(), sorted.end());
    // Each contact passes on what the balls to its left have lost.
    const double mass = problem.mass(balls.front(), balls.front());
    double lost = 0.0;
    for (std::size_t k = 0; k < balls.size(); ++k) {
      result.velocity[balls[k]] = sorted[k];
      lost += mass * (problem.velocity[balls[k]] - sorted[k]);
      if (k < row.size()) {
        result.impulse[row[k]] = lost / found.links[static_cast<std::size_t>(row[k])].factor;
      }
    }
  }
  // Rounding of the sums must not pull.
  result.impulse = result.impulse.cwiseMax(0.0);
  return result;
}

}  // namespace percute::laws
