// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/contact_motion.hpp"

#include <algorithm>
#include <cmath>

namespace percute::simulation {

namespace {

/// Accelerations and loads below this part of what forces without contacts do are rounding.
constexpr double kNothing = 1e-11;

}  // namespace

// All that slides keeps its direction, so that friction is −μ ν s: a linear complementarity problem
// in the normal forces, symmetric without friction.
bool Settling::solve_normal() {
  const auto m = static_cast<Eigen::Index>(contacts());
  Matrix A(m, m);
  Vector b(m);
  bool symmetric = true;
  for (Eigen::Index i = 0; i < m; ++i) {
    const auto row = normal(static_cast<std::size_t>(i));
    b[i] = b_[row];
    for (Eigen::Index j = 0; j < m; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const auto column = normal(at);
      A(i, j) = A_(row, column);
      if (!slides(at)) continue;
      symmetric = false;
      const auto d = tangents(at);
      A(i, j) -= friction_[j] * A_.row(row).segment(column + 1, d).dot(direction_[at].head(d));
    }
  }
  numerics::LcpSolution solution;
  using enum numerics::LcpMethod;
  lcp_.solve(A, b, {.method = symmetric ? ActiveSet : Lemke}, solution);
  if (!solution.solved() && m <= numerics::LcpSolver::kLargestEnumeration) {
    lcp_.solve(A, b, {.method = Enumeration}, solution);
  }
  if (!solution.solved()) return false;
  for (std::size_t j = 0; j < contacts(); ++j) {
    const double nu = solution.z[static_cast<Eigen::Index>(j)];
    force_[normal(j)] = nu;
    force_.segment(normal(j) + 1, tangents(j)) = rubbing(j, nu);
  }
  return true;
}

// Contacts at rest have Coulomb's law in accelerations; those that slide are given the friction of
// the pass before.
bool Settling::solve_coulomb() {
  numerics::CoulombProblem coulomb;
  std::vector<Eigen::Index> rows;
  coulomb.start.push_back(0);
  coulomb.friction = friction_;
  bool any_slides = false;
  for (std::size_t j = 0; j < contacts(); ++j) {
    const Eigen::Index used = slides(j) ? 1 : 1 + tangents(j);
    for (Eigen::Index k = 0; k < used; ++k) rows.push_back(normal(j) + k);
    coulomb.start.push_back(static_cast<int>(rows.size()));
    if (!slides(j)) continue;
    coulomb.friction[static_cast<Eigen::Index>(j)] = 0.0;
    any_slides = true;
  }
  coulomb.A = A_(rows, rows).sparseView();
  numerics::CoulombSolution solution;
  constexpr int kPasses = 200;
  for (int pass = 0; pass < kPasses; ++pass) {
    Vector force = Vector::Zero(b_.size());
    for (std::size_t j = 0; j < contacts(); ++j) {
      if (slides(j)) force.segment(normal(j) + 1, tangents(j)) = rubbing(j, force_[normal(j)]);
    }
    coulomb.b = (b_ + A_ * force)(rows);
    coulomb_.solve(coulomb, {}, solution);
    if (solution.status != numerics::SolverStatus::Solved) return false;
    force(rows) = solution.p;
    const double change = (force - force_).cwiseAbs().maxCoeff();
    force_ = force;
    if (!any_slides || change <= 1e-14 * force.cwiseAbs().maxCoeff()) return true;
  }
  return false;
}

/// Forces of one choice of modes: normal accelerations of closed contacts and tangential ones of
/// those that stick are 0, friction of those that slide is at its limit. False if they violate
/// what the modes suppose.
bool Settling::solve_modes(const std::vector<Mode>& modes, double scale) {
  const auto size = b_.size();
  // Unknowns x with force = F x, one per normal force and one per friction that holds.
  Matrix F = Matrix::Zero(size, size);
  std::vector<Eigen::Index> rows;
  for (std::size_t j = 0; j < modes.size(); ++j) {
    if (modes[j] == Mode::Open) continue;
    const auto row = normal(j);
    const auto column = static_cast<Eigen::Index>(rows.size());
    F(row, column) = 1.0;
    rows.push_back(row);
    if (tangents(j) == 0) continue;
    if (slides(j)) {
      F(row + 1, column) = -coefficient(j) * direction_[j][0];
    } else if (modes[j] == Mode::Sticks) {
      F(row + 1, column + 1) = 1.0;
      rows.push_back(row + 1);
    } else {
      F(row + 1, column) = modes[j] == Mode::SlidesUp ? -coefficient(j) : coefficient(j);
    }
  }
  const auto count = static_cast<Eigen::Index>(rows.size());
  force_ = Vector::Zero(size);
  if (count > 0) {
    const Matrix AF = A_ * F.leftCols(count);
    const numerics::OrthogonalFactor factor(AF(rows, Eigen::all), 1e-12);
    force_ = F.leftCols(count) * factor.solve(-b_(rows));
  }
  const Vector acceleration = A_ * force_ + b_;
  const double slack = 1e-11 * scale;
  for (std::size_t j = 0; j < modes.size(); ++j) {
    const auto row = normal(j);
    const double unit = A_(row, row);
    if (std::abs(acceleration[row]) > slack &&
        (modes[j] != Mode::Open || acceleration[row] < 0.0)) {
      return false;
    }
    if (force_[row] * unit < -slack) return false;
    if (modes[j] == Mode::Open || slides(j) || tangents(j) == 0) continue;
    const double pull = acceleration[row + 1];
    if (modes[j] == Mode::Sticks) {
      const double excess = std::abs(force_[row + 1]) - coefficient(j) * force_[row];
      if (std::abs(pull) > slack || excess * unit > slack) return false;
    } else if ((modes[j] == Mode::SlidesUp ? pull : -pull) < -slack) {
      return false;
    }
  }
  return true;
}

// Every choice of at most 6 contacts with one tangent each at most, closed ones first: that which
// moves least is found first.
bool Settling::solve_by_modes() {
  constexpr std::size_t kMost = 6;
  const std::size_t m = contacts();
  if (m > kMost) return false;
  for (std::size_t j = 0; j < m; ++j) {
    if (tangents(j) > 1) return false;
  }
  const double scale = b_.cwiseAbs().maxCoeff();
  std::vector<Mode> modes(m, Mode::Sticks);
  for (std::size_t j = 0; j < m;) {
    if (solve_modes(modes, scale)) return true;
    // The next choice: contact j counts up, and those before it begin anew.
    for (j = 0; j < m; ++j) {
      const bool two = slides(j) || tangents(j) == 0;
      using enum Mode;
      if (modes[j] == Open) {
        modes[j] = Sticks;
        continue;
      }
      modes[j] = modes[j] == SlidesUp ? SlidesDown : modes[j] == Sticks && !two ? SlidesUp : Open;
      break;
    }
  }
  return false;
}

std::string Settling::settle(const MotionState& at, const std::vector<int>& closed, bool friction,
                             double stick_speed, const std::vector<HeldContact>& slipping,
                             std::vector<HeldContact>& held) {
  held.clear();
  const std::size_t m = closed.size();
  if (m == 0) return {};
  if (!mass_.prepare(at)) return "the mass matrix is not positive definite";

  const AnySystem& system = mass_.system();
  const Vector& free = mass_.free_acceleration();
  start_.assign(1, 0);
  friction_ = Vector::Zero(static_cast<Eigen::Index>(m));
  direction_.assign(m, Eigen::Vector2d::Zero());
  std::vector<Vector> rows;
  std::vector<double> bias;
  Vector column(at.q.size());
  bool resting = false;  // with friction
  for (std::size_t j = 0; j < m; ++j) {
    const int i = closed[j];
    system.gradient(i, at.q, column);
    rows.push_back(column);
    bias.push_back(column.dot(free) + system.gap_curvature(i, at.q, at.v));
    if (friction) {
      const TurningTangents T = turning_tangents(system, i, at);
      const auto d = T.columns.cols();
      if (T.friction > 0.0 && d > 0) {
        friction_[static_cast<Eigen::Index>(j)] = T.friction;
        Eigen::Vector2d u = Eigen::Vector2d::Zero();
        u.head(d) = T.columns.transpose() * at.v;
        const auto told =
            std::find_if(slipping.begin(), slipping.end(),
                         [i](const HeldContact& contact) { return contact.contact == i; });
        if (told != slipping.end()) {
          direction_[j] = told->direction;
        } else if (u.norm() > stick_speed) {
          direction_[j] = u.normalized();
        } else {
          resting = true;
        }
        for (Eigen::Index k = 0; k < d; ++k) {
          rows.emplace_back(T.columns.col(k));
          bias.push_back(rows.back().dot(free) + T.rate[k]);
        }
      }
    }
    start_.push_back(static_cast<int>(rows.size()));
  }
  const auto size = static_cast<Eigen::Index>(rows.size());
  Matrix R(at.q.size(), size);
  Matrix MinvR(at.q.size(), size);
  for (Eigen::Index k = 0; k < size; ++k) R.col(k) = rows[static_cast<std::size_t>(k)];
  solve_columns(R, [this](Vector& x) { mass_.solve(x); }, column, MinvR);
  A_ = R.transpose() * MinvR;
  A_ = (0.5 * (A_ + A_.transpose())).eval();
  b_ = Eigen::Map<const Vector>(bias.data(), size);
  force_ = Vector::Zero(size);
  if (!(resting ? solve_coulomb() : solve_normal()) && !solve_by_modes()) {
    return "no forces keep the closed contacts from penetrating";
  }
  const Vector acceleration = A_ * force_ + b_;

  // Who stays closed, with a load or without, and who moves along.
  double scale = std::max(b_.cwiseAbs().maxCoeff(), 1e-300);
  for (const int i : closed) scale = std::max(scale, mass_.free_size(i, at));
  for (std::size_t j = 0; j < m; ++j) {
    const auto row = normal(j);
    const bool loaded = force_[row] * A_(row, row) > kNothing * scale;
    if (!loaded && acceleration[row] > kNothing * scale) continue;
    HeldContact& contact = held.emplace_back();
    contact.contact = closed[j];
    contact.loaded = loaded;
    contact.slack = 10.0 * kNothing * scale;
    const auto d = tangents(j);
    if (d == 0) continue;
    contact.direction = direction_[j];
    contact.friction = HeldContact::Friction::Slides;
    if (slides(j)) continue;
    Eigen::Vector2d pull = Eigen::Vector2d::Zero();
    pull.head(d) = acceleration.segment(row + 1, d);
    if (pull.norm() <= 100.0 * kNothing * scale) {
      contact.friction = HeldContact::Friction::Sticks;
    } else {
      contact.direction = pull.normalized();
    }
  }
  return {};
}

}  // namespace percute::simulation
