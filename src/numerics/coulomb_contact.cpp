// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/coulomb_contact.hpp"

#include "numerics/bracketed_root.hpp"

#include <percute/numerics/linear_algebra.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace percute::numerics {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Roots in [0, 1] of a polynomial, coefficients of ascending powers, in increasing order: between
/// two neighbouring roots of its derivative there is at most one.
std::vector<double> roots_in_unit_interval(const std::vector<double>& power) {
  if (power.size() < 2) return {};
  std::vector<double> derivative;
  for (std::size_t k = 1; k < power.size(); ++k) {
    derivative.push_back(static_cast<double>(k) * power[k]);
  }
  const auto value = [&power](double y) {
    double sum = 0.0;
    for (auto c = power.rbegin(); c != power.rend(); ++c) sum = sum * y + *c;
    return sum;
  };
  std::vector<double> roots;
  double left = 0.0;
  std::vector<double> ends = roots_in_unit_interval(derivative);
  ends.push_back(1.0);
  for (const double right : ends) {
    if ((value(left) <= 0.0) != (value(right) <= 0.0)) {
      roots.push_back(bracketed_root(value, left, right, 1e-16));
    }
    left = right;
  }
  return roots;
}

}  // namespace

void CoulombContact::assign(const double* block, int stride, int size, double friction,
                            double floor) {
  size_ = size;
  friction_ = size == 1 ? 0.0 : friction;
  floor_ = floor;
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) A(i, j) = block[i * stride + j];
  }
  mass_ = A(0, 0) > 0.0 ? 1.0 / A(0, 0) : 0.0;
  const Eigen::Vector3d eigenvalues =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(A, Eigen::EigenvaluesOnly).eigenvalues();
  step_ = eigenvalues[2] > 0.0 ? 1.0 / eigenvalues[2] : 0.0;
  // Blocks of two are solved without dividing by a determinant; those of three want one.
  regularisation_ = 0.0;
  if (size == 3 && eigenvalues[0] < 1e-10 * eigenvalues[2]) {
    regularisation_ = 1e-8 * eigenvalues[2];
    A.diagonal().array() += regularisation_;
  }
  for (int i = 0; i < 9; ++i) block_[i] = A(i / 3, i % 3);

  // Eigenbasis of A_tt
  normal_ = A(0, 0);
  basis_[0] = 1.0;
  basis_[1] = 0.0;
  if (size == 3) {
    const double angle = 0.5 * std::atan2(2.0 * A(1, 2), A(1, 1) - A(2, 2));
    basis_[0] = std::cos(angle);
    basis_[1] = std::sin(angle);
  }
  const double mean = 0.5 * (A(1, 1) + A(2, 2));
  const double half = std::hypot(0.5 * (A(1, 1) - A(2, 2)), A(1, 2));
  tangent_[0] = size == 3 ? mean + half : A(1, 1);
  tangent_[1] =
      size == 3
          ? std::max(0.0, (A(1, 1) * A(2, 2) - A(1, 2) * A(1, 2)) / std::max(mean + half, 1e-300))
          : 0.0;
  coupling_[0] = basis_[0] * A(1, 0) + basis_[1] * A(2, 0);
  coupling_[1] = basis_[0] * A(2, 0) - basis_[1] * A(1, 0);

  // dz_n/ds ≥ A_nn − |c|²/λ_min − μ |c| √(λ_max/λ_min), c = A_tn; planar A_nn − μ |c|.
  const double c = std::hypot(coupling_[0], coupling_[1]);
  const double least = size == 3 ? tangent_[1] : tangent_[0];
  monotone_ =
      c == 0.0 || (size == 2 && friction * c < normal_) ||
      (size == 3 && c * c / least + friction * c * std::sqrt(tangent_[0] / least) < normal_);
}

ContactOutcome CoulombContact::solve(const double* b, double* p) const {
  for (int i = 0; i < size_; ++i) p[i] = 0.0;
  if (normal_ <= 0.0) return {.found = b[0] >= 0.0};
  if (friction_ == 0.0) {
    p[0] = std::max(floor_, -b[0] / normal_);
    return {};
  }
  if (std::isinf(friction_)) return solve_without_sliding(b, p);
  return size_ == 2 ? solve_planar(b, p) : solve_spatial(b, p);
}

void CoulombContact::shift(const double* z, const double* p, double* b) const {
  for (int i = 0; i < size_; ++i) {
    b[i] = z[i];
    for (int j = 0; j < size_; ++j) b[i] -= block_[3 * i + j] * p[j];
  }
}

double CoulombContact::error(const double* p, const double* z) const {
  double x[3] = {};
  double sum = 0.0;
  if (mass_ <= 0.0) return std::max(0.0, -z[0]);
  if (std::isinf(friction_)) {
    // Closed: z_t = 0. Open (only without a floor): p = 0.
    const double normal = p[0] - std::max(floor_, p[0] - step_ * z[0]);
    double closed = normal * normal;
    double open = std::min(0.0, step_ * z[0]) * std::min(0.0, step_ * z[0]) + p[0] * p[0];
    for (int i = 1; i < size_; ++i) {
      closed += step_ * z[i] * step_ * z[i];
      open += p[i] * p[i];
    }
    return std::sqrt(floor_ > 0.0 ? closed : std::min(open, closed)) / mass_;
  }
  double sliding = 0.0;
  for (int i = 1; i < size_; ++i) sliding += z[i] * z[i];
  for (int i = 0; i < size_; ++i) x[i] = p[i] - step_ * z[i];
  x[0] -= step_ * friction_ * std::sqrt(sliding);
  project_on_friction_cone(x, size_, friction_, floor_);
  for (int i = 0; i < size_; ++i) sum += (p[i] - x[i]) * (p[i] - x[i]);
  return std::sqrt(sum) / mass_;
}

/// μ = ∞: A_tt p_t = −(b_t + c s), hence z_n(s) is linear.
ContactOutcome CoulombContact::solve_without_sliding(const double* b, double* p) const {
  if (floor_ == 0.0 && b[0] >= 0.0) return {};
  const double bt[2] = {basis_[0] * b[1] + (size_ > 2 ? basis_[1] * b[2] : 0.0),
                        size_ > 2 ? basis_[0] * b[2] - basis_[1] * b[1] : 0.0};
  double slope = normal_;
  double value = b[0];
  for (int j = 0; j < size_ - 1; ++j) {
    if (tangent_[j] <= 0.0) continue;
    slope -= coupling_[j] * coupling_[j] / tangent_[j];
    value -= coupling_[j] * bt[j] / tangent_[j];
  }
  ContactOutcome outcome;
  outcome.found = slope > 0.0 || value >= 0.0;
  const double s = slope > 0.0 ? std::max(floor_, -value / slope) : floor_;
  double pt[2] = {};
  for (int j = 0; j < size_ - 1; ++j) {
    if (tangent_[j] > 0.0) pt[j] = -(bt[j] + coupling_[j] * s) / tangent_[j];
  }
  p[0] = s;
  p[1] = basis_[0] * pt[0] - basis_[1] * pt[1];
  if (size_ > 2) p[2] = basis_[1] * pt[0] + basis_[0] * pt[1];
  return outcome;
}

/// One tangent: p_t(s) = −(b_t + c s)/a held within ±μ s, a walk along the pieces of z_n(s).
ContactOutcome CoulombContact::solve_planar(const double* b, double* p) const {
  const double a = tangent_[0];
  const double c = coupling_[0];
  const double mu = friction_;
  const auto tangential = [&](double s) {
    const double w = -(b[1] + c * s);
    if (w > a * mu * s) return mu * s;
    return w < -a * mu * s ? -mu * s : (a > 0.0 ? w / a : 0.0);
  };
  const auto velocity = [&](double s) { return normal_ * s + c * tangential(s) + b[0]; };

  // Corners of p_t(s) above the floor, and a point beyond for the last slope.
  double corner[3];
  int count = 0;
  for (const double slope : {c + mu * a, c - mu * a}) {
    if (slope != 0.0 && -b[1] / slope > floor_) corner[count++] = -b[1] / slope;
  }
  if (count == 2 && corner[1] < corner[0]) std::swap(corner[0], corner[1]);
  corner[count] =
      2.0 * (count > 0 ? corner[count - 1] : floor_) + std::abs(b[0]) / normal_ + 1e-300;

  ContactOutcome outcome{.found = false};
  const auto accept = [&](double s) {
    if (outcome.found) {
      outcome.multiple_solutions = outcome.multiple_solutions || s > p[0];
      return;
    }
    outcome.found = true;
    p[0] = s;
    p[1] = tangential(s);
  };
  double s0 = floor_;
  double z0 = velocity(s0);
  if (z0 >= 0.0) accept(s0);
  if (outcome.found && monotone_) return outcome;
  for (int k = 0; k <= count; ++k) {
    const double s1 = corner[k];
    const double z1 = velocity(s1);
    const double middle = 0.5 * (s0 + s1);
    const double w = -(b[1] + c * middle);
    const bool stick = std::abs(w) <= a * mu * middle;
    const double r = w > 0.0 ? mu : -mu;
    // z_n(s) = slope s + value on this piece
    const double slope = stick && a > 0.0 ? normal_ - c * c / a : normal_ + c * r;
    const double value = stick && a > 0.0 ? b[0] - c * b[1] / a : b[0];
    const bool last = k == count;
    const bool crosses =
        (z0 < 0.0) != (z1 < 0.0) || (last && (z0 < 0.0 ? slope > 0.0 : slope < 0.0));
    if (crosses && slope != 0.0) {
      double s = std::max(-value / slope, s0);
      if (!last) s = std::min(s, s1);
      accept(s);
      if (monotone_) return outcome;
    }
    s0 = s1;
    z0 = z1;
  }
  return outcome;
}

/// argmin ½ pᵀA_tt p + wᵀp on the disc |p| ≤ radius, in the eigenbasis: p = −w/(a + κ), where κ ≥ 0
/// solves 1/|p(κ)| = 1/radius; Newton converges monotonically from κ = 0 (Moré & Sorensen 1983).
void CoulombContact::impulse_on_disc(const double* w, double radius, double* p) const {
  double kappa = tangent_[1] > 0.0 ? 0.0 : 1e-15 * tangent_[0];
  p[0] = p[1] = 0.0;
  if (radius <= 0.0 || (w[0] == 0.0 && w[1] == 0.0)) return;
  for (int k = 0; k < 60; ++k) {
    for (int j = 0; j < 2; ++j) p[j] = -w[j] / (tangent_[j] + kappa);
    const double length = std::hypot(p[0], p[1]);
    if (length <= radius * (1.0 + 1e-15)) return;
    const double slope = p[0] * p[0] / (tangent_[0] + kappa) + p[1] * p[1] / (tangent_[1] + kappa);
    const double step = length * length / slope * (length / radius - 1.0);
    if (!(kappa + step > kappa)) break;
    kappa += step;
  }
  const double factor = std::min(1.0, radius / std::hypot(p[0], p[1]));
  p[0] *= factor;
  p[1] *= factor;
}

/// Two tangents. With κ = a (1 − y)/y, a = λ_max(A_tt), the equations of sliding give
///
///   p_n = −N/D,  p_t = −(y/a) L/D,  N and D quadratic, L linear in y,  D > 0 on [0, 1],
///
/// so that |p_t| = μ p_n is h(y) = (y/a) |L| + μ N = 0. y = 1 is sticking, y → 0 sliding at
/// infinite speed.
ContactOutcome CoulombContact::solve_spatial(const double* b, double* p) const {
  const double mu = friction_;
  const double a = tangent_[0];
  const double* c = coupling_;
  if (floor_ == 0.0 && b[0] >= 0.0 && monotone_) return {};
  const double bt[2] = {basis_[0] * b[1] + basis_[1] * b[2], basis_[0] * b[2] - basis_[1] * b[1]};

  ContactOutcome outcome{.found = false};
  double least = kInfinity;
  double best[2] = {};
  const auto accept = [&](double s, double t0, double t1) {
    // What differs by rounding only is the same solution.
    const bool same = std::abs(s - least) + std::abs(t0 - best[0]) + std::abs(t1 - best[1]) <=
                      1e-8 * (std::abs(s) + std::abs(t0) + std::abs(t1));
    if (outcome.found && !same) outcome.multiple_solutions = true;
    if (outcome.found && (same || s >= least)) return;
    outcome.found = true;
    least = s;
    best[0] = t0;
    best[1] = t1;
  };
  const auto finish = [&] {
    if (!outcome.found) return outcome;
    p[0] = least;
    p[1] = basis_[0] * best[0] - basis_[1] * best[1];
    p[2] = basis_[1] * best[0] + basis_[0] * best[1];
    return outcome;
  };

  // p_n at the floor
  double pt[2] = {};
  const double w[2] = {bt[0] + c[0] * floor_, bt[1] + c[1] * floor_};
  impulse_on_disc(w, mu * floor_, pt);
  if (normal_ * floor_ + c[0] * pt[0] + c[1] * pt[1] + b[0] >= 0.0) {
    accept(floor_, pt[0], pt[1]);
    if (monotone_) return finish();
  }

  // N, D, L as polynomials in y
  const double beta = 1.0 - tangent_[1] / a;
  const double N[3] = {b[0], -beta * b[0] - (c[0] * bt[0] + c[1] * bt[1]) / a,
                       beta * c[0] * bt[0] / a};
  const double D[3] = {normal_, -beta * normal_ - (c[0] * c[0] + c[1] * c[1]) / a,
                       beta * c[0] * c[0] / a};
  const double cross = (bt[0] * c[1] - c[0] * bt[1]) / a;
  const double l0 = bt[0] * normal_ - c[0] * b[0];
  const double l1 = bt[1] * normal_ - c[1] * b[0];
  const double L[2][2] = {{l0, -beta * l0 - c[1] * cross}, {l1, c[0] * cross}};
  const auto h = [&](double y) {
    return y / a * std::hypot(L[0][0] + y * L[0][1], L[1][0] + y * L[1][1]) +
           mu * (N[0] + y * (N[1] + y * N[2]));
  };
  const auto consider = [&](double y, bool slips) {
    const double d = D[0] + y * (D[1] + y * D[2]);
    const double s = -(N[0] + y * (N[1] + y * N[2])) / d;
    if (!(s >= floor_)) return;
    double t0 = -y / a * (L[0][0] + y * L[0][1]) / d;
    double t1 = -y / a * (L[1][0] + y * L[1][1]) / d;
    if (slips) {
      const double length = std::hypot(t0, t1);
      if (length > 0.0) {
        t0 *= mu * s / length;
        t1 *= mu * s / length;
      }
    }
    accept(s, t0, t1);
  };

  const bool sticks = h(1.0) <= 0.0;
  if (sticks) consider(1.0, false);
  if (outcome.found && monotone_) return finish();
  if (!monotone_) {
    // All roots of (y/a)² |L|² − μ² N², of which those with N < 0 are roots of h.
    std::vector<double> g(5, 0.0);
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        g[2 + i + j] += (L[0][i] * L[0][j] + L[1][i] * L[1][j]) / (a * a);
      }
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) g[i + j] -= mu * mu * N[i] * N[j];
    }
    for (const double y : roots_in_unit_interval(g)) consider(y, true);
  }
  if (!outcome.found && h(0.0) < 0.0 && !sticks) {
    consider(bracketed_root(h, 0.0, 1.0, 1e-16), true);
  }
  return finish();
}

}  // namespace percute::numerics
