// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/orthogonal_factor.hpp"
#include "simulation/settling.hpp"

#include <cmath>
#include <vector>

namespace percute::simulation {

namespace {

/// How a contact may go on: at rest in the plane all four, one that slides open or closed only.
enum class Mode { Open, Sticks, SlidesUp, SlidesDown };

/// Forces of one choice of modes: normal accelerations of closed contacts and tangential ones of
/// those that stick are 0, friction of those that slide is at its limit. False if they violate
/// what the modes suppose.
bool forces(const std::vector<Mode>& modes, double scale, Settling& problem) {
  const auto size = problem.b.size();
  // Unknowns x with force = F x, one per normal force and one per friction that holds.
  Matrix F = Matrix::Zero(size, size);
  std::vector<Eigen::Index> rows;
  for (std::size_t j = 0; j < modes.size(); ++j) {
    if (modes[j] == Mode::Open) continue;
    const auto row = problem.normal(j);
    const auto column = static_cast<Eigen::Index>(rows.size());
    F(row, column) = 1.0;
    rows.push_back(row);
    if (problem.tangents(j) == 0) continue;
    const double friction = problem.friction[static_cast<Eigen::Index>(j)];
    if (problem.slides(j)) {
      F(row + 1, column) = -friction * problem.direction[j][0];
    } else if (modes[j] == Mode::Sticks) {
      F(row + 1, column + 1) = 1.0;
      rows.push_back(row + 1);
    } else {
      F(row + 1, column) = modes[j] == Mode::SlidesUp ? -friction : friction;
    }
  }
  const auto count = static_cast<Eigen::Index>(rows.size());
  problem.force = Vector::Zero(size);
  if (count > 0) {
    const Matrix AF = problem.A * F.leftCols(count);
    const numerics::OrthogonalFactor factor(AF(rows, Eigen::all), 1e-12);
    problem.force = F.leftCols(count) * factor.solve(-problem.b(rows));
  }
  const Vector acceleration = problem.A * problem.force + problem.b;
  const double slack = 1e-11 * scale;
  for (std::size_t j = 0; j < modes.size(); ++j) {
    const auto row = problem.normal(j);
    const double unit = problem.A(row, row);
    if (std::abs(acceleration[row]) > slack &&
        (modes[j] != Mode::Open || acceleration[row] < 0.0)) {
      return false;
    }
    if (problem.force[row] * unit < -slack) return false;
    if (modes[j] == Mode::Open || problem.slides(j) || problem.tangents(j) == 0) continue;
    const double friction = problem.friction[static_cast<Eigen::Index>(j)];
    const double pull = acceleration[row + 1];
    if (modes[j] == Mode::Sticks) {
      const double excess = std::abs(problem.force[row + 1]) - friction * problem.force[row];
      if (std::abs(pull) > slack || excess * unit > slack) return false;
    } else if ((modes[j] == Mode::SlidesUp ? pull : -pull) < -slack) {
      return false;
    }
  }
  return true;
}

}  // namespace

// Every choice, closed contacts first: that which moves least is found first.
bool solve_by_modes(Settling& problem) {
  constexpr std::size_t kMost = 6;
  const std::size_t m = problem.contacts();
  if (m > kMost) return false;
  for (std::size_t j = 0; j < m; ++j) {
    if (problem.tangents(j) > 1) return false;
  }
  const double scale = problem.b.cwiseAbs().maxCoeff();
  std::vector<Mode> modes(m, Mode::Sticks);
  for (;;) {
    if (forces(modes, scale, problem)) return true;
    std::size_t j = 0;
    for (; j < m; ++j) {
      const bool two = problem.slides(j) || problem.tangents(j) == 0;
      if (modes[j] == Mode::Sticks) {
        modes[j] = two ? Mode::Open : Mode::SlidesUp;
      } else if (modes[j] == Mode::SlidesUp) {
        modes[j] = Mode::SlidesDown;
      } else if (modes[j] == Mode::SlidesDown) {
        modes[j] = Mode::Open;
      } else {
        modes[j] = Mode::Sticks;
        continue;
      }
      break;
    }
    if (j == m) return false;
  }
}

}  // namespace percute::simulation
