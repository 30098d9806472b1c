// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string_view>

namespace percute::selftest {

/// 0 ≤ w = A z + b ⟂ z ≥ 0.
struct LcpCase {
  Matrix A = {};
  Vector b = {};
};

/// Random problems of impact mechanics, A = WᵀW and b = Wᵀv unless said otherwise; the same on
/// every machine, because only the bits of the generator are used.
class RandomLcp {
 public:
  explicit RandomLcp(unsigned seed) : bits_(seed) {}

  enum class Kind {
    Regular,       ///< at least as many coordinates as contacts
    Redundant,     ///< fewer coordinates than contacts
    Repeated,      ///< columns of W that repeat or oppose others: the same contact twice, clamping
    WholeNumbers,  ///< W and v of −1, 0, 1: ties, zeros, dependent contacts
    Degenerate,    ///< z_i = w_i = 0 for a third of the contacts
    Scaled,        ///< diagonals of A over eight decades
    Chain,         ///< balls in a row, many of them at rest
  };
  static constexpr Kind kKinds[] = {Kind::Regular,      Kind::Redundant,  Kind::Repeated,
                                    Kind::WholeNumbers, Kind::Degenerate, Kind::Scaled,
                                    Kind::Chain};

  static std::string_view name(Kind kind) {
    constexpr std::string_view names[] = {"regular",    "redundant", "repeated", "whole numbers",
                                          "degenerate", "scaled",    "chain"};
    return names[static_cast<int>(kind)];
  }

  LcpCase make(Kind kind, int largest) {
    const int m = whole(1, largest);
    if (kind == Kind::Chain) return chain(m, 1.0);
    int n = m + whole(0, 3);
    if (kind == Kind::Redundant) n = whole(1, std::max(1, m - 1));
    if (kind == Kind::WholeNumbers) n = whole(1, m + 2);
    const bool coarse = kind == Kind::WholeNumbers;
    const auto number = [&] { return coarse ? double(whole(-1, 1)) : real(-1.0, 1.0); };
    Matrix W(n, m);
    for (int j = 0; j < m; ++j) {
      for (int i = 0; i < n; ++i) W(i, j) = number();
      if (W.col(j).squaredNorm() < 1e-2) W(0, j) = 1.0;
      if (kind == Kind::Repeated && j > 0 && whole(0, 2) == 0) {
        W.col(j) = (whole(0, 1) == 0 ? -1.0 : 1.0) * W.col(whole(0, j - 1));
      }
      if (kind == Kind::Scaled) W.col(j) *= std::pow(10.0, real(-2.0, 2.0));
    }
    LcpCase out{.A = W.transpose() * W};
    if (kind == Kind::Degenerate || kind == Kind::Scaled) {
      // A known solution; impulses in the unit of each contact.
      Vector z = Vector::Zero(m);
      Vector w = Vector::Zero(m);
      for (int i = 0; i < m; ++i) {
        const int side = whole(0, 2);
        if (side == 0) z[i] = real(0.1, 1.0) / out.A(i, i);
        if (side == 1) w[i] = real(0.1, 1.0);
      }
      out.b = w - out.A * z;
    } else {
      Vector v(n);
      for (int i = 0; i < n; ++i) v[i] = number();
      out.b = W.transpose() * v;
    }
    return out;
  }

  /// Karush–Kuhn–Tucker conditions of min ½ xᵀQ x + cᵀx, Bᵀx ≥ d, x ≥ 0: the matrix
  /// [Q −B; Bᵀ 0] is positive semidefinite but not symmetric. Built around a solution.
  LcpCase quadratic_program(int largest) {
    const int m = whole(1, largest);
    const int k = whole(1, m);
    const int n = whole(1, m + 2);
    const bool coarse = whole(0, 1) == 0;
    const auto number = [&] { return coarse ? double(whole(-1, 1)) : real(-1.0, 1.0); };
    Matrix W(n, m);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < m; ++j) W(i, j) = number();
    }
    Matrix B(m, k);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < k; ++j) B(i, j) = number();
    }
    LcpCase out{.A = Matrix::Zero(m + k, m + k)};
    out.A.topLeftCorner(m, m) = W.transpose() * W;
    out.A.topRightCorner(m, k) = -B;
    out.A.bottomLeftCorner(k, m) = B.transpose();
    Vector z = Vector::Zero(m + k);
    Vector w = Vector::Zero(m + k);
    for (int i = 0; i < m + k; ++i) {
      const int side = whole(0, 2);
      if (side == 0) z[i] = coarse ? whole(1, 3) : real(0.1, 2.0);
      if (side == 1) w[i] = coarse ? whole(1, 3) : real(0.1, 2.0);
    }
    out.b = w - out.A * z;
    return out;
  }

  /// Planar friction with the unknowns normal impulse, sliding to one side, friction impulse to the
  /// other side of m contacts (Pfeiffer & Glocker 1996, ch. 8), on bodies with three coordinates.
  LcpCase friction(int largest) {
    const int m = whole(1, largest);
    const int bodies = whole(1, std::max(1, m / 2));
    Matrix N = Matrix::Zero(3 * bodies, m);
    Matrix T = Matrix::Zero(3 * bodies, m);
    for (int c = 0; c < m; ++c) {
      const int body = 3 * whole(0, bodies - 1);
      const double angle = real(0.0, 6.28);
      const Eigen::Vector2d normal(std::cos(angle), std::sin(angle));
      const Eigen::Vector2d arm(real(-1.0, 1.0), real(-1.0, 1.0));
      N.col(c).segment<3>(body) << normal, arm.x() * normal.y() - arm.y() * normal.x();
      T.col(c).segment<3>(body) << -normal.y(), normal.x(), arm.dot(normal);
    }
    Vector v(3 * bodies);
    for (int i = 0; i < v.size(); ++i) v[i] = real(-1.0, 1.0);
    Vector mu(m);
    for (int i = 0; i < m; ++i) mu[i] = real(0.0, 1.0);
    const Matrix D = mu.asDiagonal();
    const Matrix one = Matrix::Identity(m, m);
    const Matrix zero = Matrix::Zero(m, m);
    const Matrix Nmu = N - T * D;
    LcpCase out{.A = Matrix(3 * m, 3 * m), .b = Vector(3 * m)};
    out.A << N.transpose() * Nmu, N.transpose() * T, zero,  //
        T.transpose() * Nmu, T.transpose() * T, one,        //
        2.0 * D, -one, zero;
    out.b << N.transpose() * v, T.transpose() * v, Vector::Zero(m);
    return out;
  }

  double real(double low, double high) {
    return low + (high - low) * static_cast<double>(bits_() >> 11) * 0x1p-53;
  }
  int whole(int low, int high) {
    return low + static_cast<int>(bits_() % static_cast<unsigned long>(high - low + 1));
  }

  /// m + 1 balls in a row, masses within that many decades of one.
  LcpCase chain(int m, double decades) {
    LcpCase out{.A = Matrix::Zero(m, m), .b = Vector(m)};
    Vector mass(m + 1);
    Vector v(m + 1);
    for (int i = 0; i <= m; ++i) {
      mass[i] = whole(0, 1) == 0 ? 1.0 : std::pow(10.0, real(-decades, decades));
      v[i] = whole(0, 1) == 0 ? 0.0 : real(-1.0, 1.0);
    }
    for (int i = 0; i < m; ++i) {
      out.A(i, i) = 1.0 / mass[i] + 1.0 / mass[i + 1];
      if (i > 0) out.A(i, i - 1) = out.A(i - 1, i) = -1.0 / mass[i];
      out.b[i] = v[i + 1] - v[i];
    }
    return out;
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace percute::selftest
