// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/compliant/contact_friction.hpp"

#include <percute/numerics/orthogonal_factor.hpp>

#include <algorithm>
#include <cmath>

namespace percute::laws {

namespace {

using Eigen::Vector2d;

/// A contact that slides from rest is drawn to one direction the faster the slower it slides: below
/// this many speeds of a stop it is taken to have that direction.
constexpr double kSlow = 1e5;
/// Below this part of the speed of a stop a velocity has no direction.
constexpr double kNothing = 1e-4;

}  // namespace

FrictionRows::FrictionRows(const ImpactProblem& problem) {
  const auto m = static_cast<int>(problem.contacts.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < m; ++i) {
    for (SparseMatrix::InnerIterator entry(problem.gradients, i); entry; ++entry) {
      entries.emplace_back(static_cast<int>(entry.row()), i, entry.value());
    }
  }
  start.push_back(0);
  for (const Contact& contact : problem.contacts) {
    const bool slides = contact.material.friction > 0.0;
    const int d = slides ? static_cast<int>(contact.tangents.cols()) : 0;
    for (int k = 0; k < d; ++k) {
      for (Eigen::Index row = 0; row < contact.tangents.rows(); ++row) {
        const double value = contact.tangents(row, k);
        if (value != 0.0) {
          entries.emplace_back(static_cast<int>(row), m + start.back() + k, value);
        }
      }
    }
    start.push_back(start.back() + d);
  }
  directions.resize(problem.velocity.size(), m + start.back());
  directions.setFromTriplets(entries.begin(), entries.end());
}

ContactFriction::ContactFriction(const ImpactProblem& problem, const FrictionRows& rows,
                                 const SparseMatrix& A, double stop,
                                 std::optional<double> regularisation)
    : start_(rows.start),
      A_(A),
      m_(static_cast<int>(problem.contacts.size())),
      stop_(stop),
      regularisation_(regularisation) {
  const std::size_t count = problem.contacts.size();
  friction_.resize(count);
  for (std::size_t i = 0; i < count; ++i) friction_[i] = problem.contacts[i].material.friction;
  modes_.assign(count, Mode::Off);
  direction_.assign(count, Vector2d(1.0, 0.0));
  offset_.assign(count, Vector2d(0.0, 0.0));
  restarts_.assign(count, false);
  trial_.assign(static_cast<std::size_t>(rows.tangential()), 0.0);
  acceleration_ = Vector::Zero(rows.tangential());
}

void ContactFriction::move_to(const SparseMatrix& A, const Vector& acceleration) {
  A_ = A;
  acceleration_ = acceleration;
  gather();
}

Vector2d ContactFriction::sliding(int i, const double* U_t) const {
  Vector2d U(0.0, 0.0);
  for (int k = 0; k < size(i); ++k) U[k] = U_t[row(i) + k];
  return U - offset_[static_cast<std::size_t>(i)];
}

double ContactFriction::turns_above(std::size_t i) const {
  return (restarts_[i] ? kSlow : kNothing) * stop_;
}

/// Forces of sliding contacts; 0 elsewhere. Past a stop the direction is continued, so that the
/// stop can be located from both sides.
void ContactFriction::slide_forces(const std::vector<double>& F, const double* U_t,
                                   double* f) const {
  for (int i = 0; i < m_; ++i) {
    if (!acts(i)) continue;
    const auto k = static_cast<std::size_t>(i);
    Vector2d u = direction_[k];
    if (regularised()) {
      const Vector2d U = sliding(i, U_t);
      u = U / std::max(U.norm(), regularisation_.value_or(0.0));
    } else if (mode(i) != Mode::Slide) {
      u.setZero();
    } else if (size(i) == 2) {
      const Vector2d U = sliding(i, U_t);
      const double speed = U.norm();
      if (speed > turns_above(k)) u = U / (U.dot(u) < 0.0 ? -speed : speed);
    }
    const double push = F[k] != 0.0 ? friction_[k] * F[k] : 0.0;
    for (int d = 0; d < size(i); ++d) f[row(i) + d] = u[d] == 0.0 ? 0.0 : -push * u[d];
  }
}

/// c = A_tn F + A_tt f of the rows that stick, and their limits.
void ContactFriction::drive(const std::vector<double>& F, const double* f) {
  for (std::size_t r = 0; r < stick_rows_.size(); ++r) {
    double sum = acceleration_[stick_rows_[r]];
    for (SparseMatrix::InnerIterator entry(A_, m_ + stick_rows_[r]); entry; ++entry) {
      const auto j = static_cast<int>(entry.row());
      sum += entry.value() * (j < m_ ? F[static_cast<std::size_t>(j)] : f[j - m_]);
    }
    stick_.c[static_cast<Eigen::Index>(r)] = sum;
  }
  for (std::size_t s = 0; s < sticking_.size(); ++s) {
    const auto i = static_cast<std::size_t>(sticking_[s]);
    stick_.limit[static_cast<Eigen::Index>(s)] =
        std::isinf(friction_[i]) ? friction_[i] : friction_[i] * std::max(F[i], 0.0);
  }
}

/// Forces that keep all sticking contacts from sliding, whatever their limits. Of redundant
/// contacts the velocities do not depend on how they share them out: in proportion to the limits.
void ContactFriction::stick_forces(const std::vector<double>& F, double* f) {
  if (sticking_.empty()) return;
  drive(F, f);
  Vector held;
  if (!redundant_) {
    held = factor_.solve(-stick_.c);
  } else {
    const double largest = std::max(stick_.limit.maxCoeff(), 1e-300);
    Vector weight(stick_.c.size());
    for (std::size_t s = 0; s < sticking_.size(); ++s) {
      const double limit = stick_.limit[static_cast<Eigen::Index>(s)];
      const double share = std::isinf(largest) ? 1.0 : limit / largest;
      weight.segment(stick_.start[s], stick_.start[s + 1] - stick_.start[s])
          .setConstant(std::sqrt(std::max(share, 1e-12)));
    }
    const numerics::OrthogonalFactor factor(stick_.A * weight.asDiagonal(), 1e-10);
    held = weight.cwiseProduct(factor.solve(-stick_.c));
  }
  for (std::size_t r = 0; r < stick_rows_.size(); ++r) {
    f[stick_rows_[r]] = held[static_cast<Eigen::Index>(r)];
  }
}

void ContactFriction::forces(const std::vector<double>& F, const double* U_t, double* f) {
  slide_forces(F, U_t, f);
  stick_forces(F, f);
}

double ContactFriction::along(int i, const double* U_t) const {
  return sliding(i, U_t).dot(direction_[static_cast<std::size_t>(i)]);
}

/// Solves for all sticking contacts with their limits; returns the place of contact i among them.
std::size_t ContactFriction::solve_sticking(int i, const std::vector<double>& F,
                                            const double* U_t) {
  slide_forces(F, U_t, trial_.data());
  drive(F, trial_.data());
  solver_.solve(stick_, solution_);
  return static_cast<std::size_t>(std::find(sticking_.begin(), sticking_.end(), i) -
                                  sticking_.begin());
}

Vector2d ContactFriction::escape(int i, const std::vector<double>& F, const double* U_t) {
  Vector2d direction(0.0, 0.0);
  if (redundant_) {
    const std::size_t place = solve_sticking(i, F, U_t);
    for (int d = 0; d < size(i); ++d) direction[d] = solution_.rate[stick_.start[place] + d];
    return direction;
  }
  forces(F, U_t, trial_.data());
  for (int d = 0; d < size(i); ++d)
    direction[d] = -trial_[static_cast<std::size_t>(row(i)) + static_cast<std::size_t>(d)];
  return direction;
}

double ContactFriction::margin(int i, const std::vector<double>& F, const double* U_t) {
  const auto k = static_cast<std::size_t>(i);
  if (std::isinf(friction_[k]) || F[k] <= 0.0) return 1.0;
  if (redundant_) return solution_.slides[solve_sticking(i, F, U_t)] ? -1.0 : 1.0;
  forces(F, U_t, trial_.data());
  const double held = Eigen::Map<const Vector>(trial_.data() + row(i), size(i)).norm();
  return friction_[k] * F[k] - held;
}

int ContactFriction::refresh(const std::vector<double>& F, const double* U_t) {
  if (regularised()) return -1;
  forces(F, U_t, trial_.data());
  int died = -1;
  for (int i = 0; i < m_; ++i) {
    if (mode(i) != Mode::Slide || size(i) != 2) continue;
    const Vector2d U = sliding(i, U_t);
    const double speed = U.norm();
    const auto k = static_cast<std::size_t>(i);
    if (restarts_[k] && speed <= turns_above(k)) {
      follow_drive(i, F);
      continue;
    }
    restarts_[k] = false;
    if (speed > kNothing * stop_) direction_[k] = U / speed;
    if (speed > stop_ || speed == 0.0) continue;
    Vector2d rate = acceleration_.segment<2>(row(i));
    for (int d = 0; d < 2; ++d) {
      for (SparseMatrix::InnerIterator entry(A_, m_ + row(i) + d); entry; ++entry) {
        const auto j = static_cast<int>(entry.row());
        rate[d] += entry.value() * (j < m_ ? F[static_cast<std::size_t>(j)]
                                           : trial_[static_cast<std::size_t>(j - m_)]);
      }
    }
    if (rate.dot(U) < 0.0) died = i;
  }
  return died;
}

/// Direction in which contact i is driven from rest, with all other forces as in trial_.
void ContactFriction::follow_drive(int i, const std::vector<double>& F) {
  const auto k = static_cast<std::size_t>(i);
  Eigen::Matrix2d own = Eigen::Matrix2d::Zero();
  Vector2d drive = acceleration_.segment<2>(row(i));
  for (int d = 0; d < 2; ++d) {
    for (SparseMatrix::InnerIterator entry(A_, m_ + row(i) + d); entry; ++entry) {
      const int j = static_cast<int>(entry.row()) - m_;
      if (j >= row(i) && j < row(i) + 2) {
        own(d, j - row(i)) = entry.value();
      } else {
        drive[d] += entry.value() * (j < 0 ? F[static_cast<std::size_t>(entry.row())]
                                           : trial_[static_cast<std::size_t>(j)]);
      }
    }
  }
  Vector2d f;
  numerics::minimise_on_disc(own.data(), 2, 2, drive.data(), friction_[k] * std::max(F[k], 0.0),
                             f.data());
  if (f.norm() > 0.0) direction_[k] = -f.normalized();
}

void ContactFriction::turn_off(int i) {
  if (!acts(i)) return;
  const bool stuck = sticks(i);
  modes_[static_cast<std::size_t>(i)] = Mode::Off;
  if (stuck) gather();
}

std::vector<int> ContactFriction::begin(const std::vector<int>& contacts, const double* U_t,
                                        bool& infinite) {
  std::vector<int> resting;
  for (const int i : contacts) {
    if (!acts(i)) continue;
    if (!starts_sliding(i, U_t)) {
      resting.push_back(i);
    } else if (std::isinf(coefficient(i))) {
      infinite = true;
      resting.push_back(i);
    }
  }
  return resting;
}

bool ContactFriction::starts_sliding(int i, const double* U_t) {
  const auto k = static_cast<std::size_t>(i);
  offset_[k].setZero();
  const Vector2d U = sliding(i, U_t);
  if (regularised()) {
    modes_[k] = Mode::Slide;
    return true;
  }
  if (U.norm() <= stop_) return false;
  direction_[k] = U.normalized();
  modes_[k] = Mode::Slide;
  restarts_[k] = false;
  return true;
}

bool ContactFriction::stopped(int i, const double* U_t) const {
  return size(i) == 1 || sliding(i, U_t).norm() <= stop_;
}

void ContactFriction::release(int i, const double* direction, const double* U_t) {
  const auto k = static_cast<std::size_t>(i);
  offset_[k].setZero();
  offset_[k] = sliding(i, U_t);
  direction_[k].setZero();
  for (int d = 0; d < size(i); ++d) direction_[k][d] = direction[d];
  direction_[k].normalize();
  modes_[k] = Mode::Slide;
  restarts_[k] = true;
  gather();
}

void ContactFriction::settle(const std::vector<int>& resting, const std::vector<double>& F,
                             const double* U_t) {
  for (const int i : resting) modes_[static_cast<std::size_t>(i)] = Mode::Stick;
  gather();
  if (sticking_.empty()) return;
  slide_forces(F, U_t, trial_.data());
  drive(F, trial_.data());
  solver_.solve(stick_, solution_);
  const std::vector<int> candidates = sticking_;
  const numerics::StickForces found = solution_;
  const std::vector<int> begin = stick_.start;
  for (std::size_t s = 0; s < candidates.size(); ++s) {
    if (found.slides[s]) release(candidates[s], found.rate.data() + begin[s], U_t);
  }
}

/// The rows that stick, and their matrix.
void ContactFriction::gather() {
  sticking_.clear();
  stick_rows_.clear();
  stick_.start.assign(1, 0);
  for (int i = 0; i < m_; ++i) {
    if (!acts(i) || !sticks(i)) continue;
    sticking_.push_back(i);
    for (int d = 0; d < size(i); ++d) stick_rows_.push_back(row(i) + d);
    stick_.start.push_back(static_cast<int>(stick_rows_.size()));
  }
  const auto n = static_cast<Eigen::Index>(stick_rows_.size());
  stick_.A.resize(n, n);
  stick_.c.resize(n);
  stick_.limit.resize(static_cast<Eigen::Index>(sticking_.size()));
  for (Eigen::Index r = 0; r < n; ++r) {
    for (Eigen::Index c = 0; c < n; ++c) {
      stick_.A(r, c) = A_.coeff(m_ + stick_rows_[static_cast<std::size_t>(r)],
                                m_ + stick_rows_[static_cast<std::size_t>(c)]);
    }
  }
  redundant_ = false;
  if (n == 0) return;
  factor_.compute(stick_.A);
  const Vector diagonal = Matrix(factor_.matrixL()).diagonal();
  redundant_ = factor_.info() != Eigen::Success ||
               (diagonal.array().square() <= 1e-11 * stick_.A.diagonal().array()).any();
}

Vector ContactFriction::stopping_impulse(const double* U_t) const {
  std::vector<int> rows;
  for (int i = 0; i < m_; ++i) {
    if (!acts(i) || mode(i) == Mode::Off || !std::isinf(friction_[static_cast<std::size_t>(i)])) {
      continue;
    }
    for (int d = 0; d < size(i); ++d) rows.push_back(row(i) + d);
  }
  const auto n = static_cast<Eigen::Index>(rows.size());
  Matrix A(n, n);
  Vector U(n);
  for (Eigen::Index r = 0; r < n; ++r) {
    U[r] = U_t[rows[static_cast<std::size_t>(r)]];
    for (Eigen::Index c = 0; c < n; ++c) {
      A(r, c) =
          A_.coeff(m_ + rows[static_cast<std::size_t>(r)], m_ + rows[static_cast<std::size_t>(c)]);
    }
  }
  Vector p = Vector::Zero(start_.back());
  if (n == 0) return p;
  const Vector held = numerics::OrthogonalFactor(A).solve(-U);
  for (Eigen::Index r = 0; r < n; ++r) p[rows[static_cast<std::size_t>(r)]] = held[r];
  return p;
}

}  // namespace percute::laws
