// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/interior_point.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::numerics {

namespace {

/// Algebra of the product of cones: ∘ is the Jordan product, e its identity.
class Cones {
 public:
  explicit Cones(const std::vector<int>& dimensions) : dimensions_(dimensions) {}

  int degree() const { return static_cast<int>(dimensions_.size()); }

  Vector identity(int rows) const {
    Vector e = Vector::Zero(rows);
    int row = 0;
    for (const int k : dimensions_) {
      e[row] = 1.0;
      row += k;
    }
    return e;
  }

  /// Smallest eigenvalue: x_0 − |x̄| of every cone.
  double smallest(const Vector& x) const {
    double least = std::numeric_limits<double>::infinity();
    int row = 0;
    for (const int k : dimensions_) {
      least = std::min(least, x[row] - x.segment(row + 1, k - 1).norm());
      row += k;
    }
    return least;
  }

  Vector product(const Vector& x, const Vector& y) const {
    Vector out(x.size());
    int row = 0;
    for (const int k : dimensions_) {
      out[row] = x.segment(row, k).dot(y.segment(row, k));
      out.segment(row + 1, k - 1) =
          x[row] * y.segment(row + 1, k - 1) + y[row] * x.segment(row + 1, k - 1);
      row += k;
    }
    return out;
  }

  /// The y with x ∘ y = b.
  Vector quotient(const Vector& b, const Vector& x) const {
    Vector out(x.size());
    int row = 0;
    for (const int k : dimensions_) {
      const auto tail = x.segment(row + 1, k - 1);
      const double determinant = (x[row] - tail.norm()) * (x[row] + tail.norm());
      const double inner = tail.dot(b.segment(row + 1, k - 1));
      out[row] = (x[row] * b[row] - inner) / determinant;
      out.segment(row + 1, k - 1) = (b.segment(row + 1, k - 1) - out[row] * tail) / x[row];
      row += k;
    }
    return out;
  }

  /// Largest step with x + t d in C, at most 1/0.99.
  double step(const Vector& x, const Vector& d) const {
    double t = 1.0 / 0.99;
    int row = 0;
    for (const int k : dimensions_) {
      const auto xt = x.segment(row + 1, k - 1);
      const auto dt = d.segment(row + 1, k - 1);
      // Zeros of (x_0 + t d_0)² − |x̄ + t d̄|²
      const double a = d[row] * d[row] - dt.squaredNorm();
      const double b = x[row] * d[row] - xt.dot(dt);
      const double c = (x[row] - xt.norm()) * (x[row] + xt.norm());
      const double root = b * b - a * c;
      if (k == 1) {
        if (d[row] < 0.0) t = std::min(t, -x[row] / d[row]);
      } else if (root >= 0.0) {
        const double w = -(b + std::copysign(std::sqrt(root), b));
        for (const double candidate : {a != 0.0 ? w / a : -1.0, w != 0.0 ? c / w : -1.0}) {
          if (candidate > 0.0) t = std::min(t, candidate);
        }
      }
      row += k;
    }
    return t;
  }

 private:
  const std::vector<int>& dimensions_;
};

/// Nesterov–Todd scaling: symmetric block-diagonal W with W z = W⁻¹ s = λ.
struct Scaling {
  Matrix W;
  Matrix inverse;

  Scaling(const std::vector<int>& cones, const Vector& s, const Vector& z)
      : W(Matrix::Zero(s.size(), s.size())), inverse(Matrix::Zero(s.size(), s.size())) {
    int row = 0;
    for (const int k : cones) {
      if (k == 1) {
        W(row, row) = std::sqrt(s[row] / z[row]);
        inverse(row, row) = 1.0 / W(row, row);
        ++row;
        continue;
      }
      const auto determinant = [&](const Vector& x) {
        const double tail = x.segment(row + 1, k - 1).norm();
        return std::sqrt((x[row] - tail) * (x[row] + tail));
      };
      const double ds = determinant(s);
      const double dz = determinant(z);
      const double eta = std::sqrt(ds / dz);
      Vector J = Vector::Constant(k, -1.0);
      J[0] = 1.0;
      const Vector sn = s.segment(row, k) / ds;
      const Vector zn = z.segment(row, k) / dz;
      const double gamma = std::sqrt(0.5 * (1.0 + sn.dot(zn)));
      Vector v = (sn + J.cwiseProduct(zn)) / (2.0 * gamma);
      v[0] += 1.0;
      v /= std::sqrt(2.0 * v[0]);
      const Vector u = J.cwiseProduct(v);
      const Matrix Jm = J.asDiagonal();
      W.block(row, row, k, k) = eta * (2.0 * v * v.transpose() - Jm);
      inverse.block(row, row, k, k) = (2.0 * u * u.transpose() - Jm) / eta;
      row += k;
    }
  }
};

/// Steps of Newton's method for given scaling.
class Newton {
 public:
  Newton(const ConicQuadratic& problem, const Matrix& inverse)
      : inverse_(inverse), scaled_(inverse * problem.G) {
    K_ = problem.P + scaled_.transpose() * scaled_;
    const double tiny = 1e-15 * std::max(K_.diagonal().cwiseAbs().maxCoeff(), 1e-300);
    Matrix shifted = K_;
    shifted.diagonal().array() += tiny;
    factors_.compute(shifted);
  }

  /// P dx + Gᵀdz = a, G dx − W² dz = b; `Wb` = W⁻¹ b.
  void solve(const Vector& a, const Vector& Wb, Vector& dx, Vector& dz) const {
    const Vector right = a + scaled_.transpose() * Wb;
    dx = factors_.solve(right);
    for (int k = 0; k < 3; ++k) dx += factors_.solve(right - K_ * dx);
    dz = inverse_ * (scaled_ * dx - Wb);
  }

 private:
  const Matrix& inverse_;
  Matrix scaled_;  ///< W⁻¹ G
  Matrix K_;
  Eigen::LDLT<Matrix> factors_;
};

}  // namespace

ConicSolution solve_conic(const ConicQuadratic& problem, int max_iterations) {
  const int rows = static_cast<int>(problem.h.size());
  const Cones cones(problem.cones);
  const Vector e = cones.identity(rows);
  ConicSolution solution;
  Vector x;
  Vector z;

  // Start: the least-squares problem without cones, moved inside.
  const Matrix unit = Matrix::Identity(rows, rows);
  Newton(problem, unit).solve(-problem.q, problem.h, x, z);
  Vector s = -z;
  for (Vector* y : {&s, &z}) {
    const double least = cones.smallest(*y);
    if (least < 1e-8 * std::max(1.0, y->norm())) *y += (1.0 - least) * e;
  }

  const double primal_unit = std::max({1e-300, problem.h.norm(), s.norm()});
  const double dual_unit = std::max({1e-300, problem.q.norm(), z.norm()});
  double best = std::numeric_limits<double>::infinity();
  int since_best = 0;
  for (int k = 0; k < max_iterations; ++k) {
    const Vector rx = problem.P * x + problem.q + problem.G.transpose() * z;
    const Vector rz = problem.G * x + s - problem.h;
    const double gap = s.dot(z);
    const double quality =
        std::max({rx.norm() / dual_unit, rz.norm() / primal_unit, gap / (primal_unit * dual_unit)});
    if (quality < best) {
      best = quality;
      since_best = 0;
      solution.x = x;
      solution.z = z;
    } else if (++since_best > 5) {
      break;
    }
    solution.iterations = k;
    if (quality < 1e-15) break;
    const double hz = problem.h.dot(z);
    if (hz < 0.0 && (problem.G.transpose() * z).norm() < -1e-9 * hz &&
        rz.norm() > 1e-6 * primal_unit) {
      solution.infeasible = true;
      break;
    }

    const Scaling scaling(problem.cones, s, z);
    const Vector lambda = scaling.W * z;
    if (!lambda.allFinite()) break;
    const Newton newton(problem, scaling.inverse);
    Vector dx;
    Vector dz;
    // ds = W (λ\d − W dz) makes λ∘(W dz + W⁻¹ ds) = d.
    const auto direction = [&](const Vector& quotient, Vector& ds) {
      newton.solve(-rx, -(scaling.inverse * rz) - quotient, dx, dz);
      ds = scaling.W * (quotient - scaling.W * dz);
    };
    Vector ds;
    direction(-lambda, ds);
    const double affine = std::min({1.0, cones.step(s, ds), cones.step(z, dz)});
    const double sigma = std::pow(1.0 - affine, 3);
    const Vector corrector = -cones.product(lambda, lambda) -
                             cones.product(scaling.inverse * ds, scaling.W * dz) +
                             sigma * gap / cones.degree() * e;
    direction(cones.quotient(corrector, lambda), ds);
    if (!dx.allFinite() || !dz.allFinite()) break;
    const double t = std::min(1.0, 0.99 * std::min(cones.step(s, ds), cones.step(z, dz)));
    x += t * dx;
    s += t * ds;
    z += t * dz;
    if (!(cones.smallest(s) > 0.0) || !(cones.smallest(z) > 0.0)) break;
  }
  solution.solved = best < 1e-8 && !solution.infeasible;
  return solution;
}

}  // namespace percute::numerics
