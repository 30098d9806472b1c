// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/cone_program.hpp"

#include "numerics/coulomb_methods.hpp"
#include "numerics/lcp.hpp"
#include "numerics/orthogonal_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

// Every impulse in a friction cone is a sum of pushes along its rays, p = R λ with λ ≥ 0. For given
// rays the conditions of the least are a linear complementarity problem of λ and the multipliers y,
//
//     0 ≤ Rᵀ (A R λ + b − Cᵀ y) ⟂ λ ≥ 0,        0 ≤ C R λ + d ⟂ y ≥ 0,
//
// positive semidefinite but not symmetric: Lemke's method solves it. Without friction the normal is
// the one ray, in the plane there are two. In space eight of them make a pyramid inside the cone;
// from its solution Newton's method goes on with the cones themselves, and where it does not
// arrive, rays are added in the directions in which contacts would slide.

namespace percute::numerics {

namespace {

constexpr int kSides = 8;          ///< of the pyramids
constexpr double kSteep = 1e6;     ///< infinite coefficients of friction
constexpr double kSolved = 1e-10;  ///< error that Solved promises
constexpr double kExact = 1e-12;   ///< error of a solution that Newton's method need not improve

void check(const ConeProgram& program) {
  const bool constraints = program.d.size() == program.C.rows() &&
                           (program.C.rows() == 0 || program.C.cols() == program.b.size()) &&
                           program.C.allFinite() && program.d.allFinite();
  require_contacts("cone program", program.start, program.A.rows(), program.A.cols(), program.b,
                   program.friction, constraints && program.A.allFinite());
}

int contacts_of(const ConeProgram& program) {
  return static_cast<int>(program.start.size()) - 1;
}

void add_ray(Matrix& R, int row, double normal, double t1 = 0.0, double t2 = 0.0) {
  R.conservativeResize(Eigen::NoChange, R.cols() + 1);
  auto ray = R.rightCols<1>();
  ray.setZero();
  ray(row) = normal;
  if (t1 != 0.0) ray(row + 1) = t1;
  if (t2 != 0.0) ray(row + 2) = t2;
}

/// Rays of all contacts, by columns: of pyramids inside the cones, or around them. A steep cone has
/// its normal as a ray of its own, since what is left of opposite ones is their rounding.
Matrix rays_of(const ConeProgram& program, bool around) {
  Matrix R(program.b.size(), 0);
  for (int i = 0; i < contacts_of(program); ++i) {
    const int row = program.start[i];
    const int size = program.start[i + 1] - row;
    const double mu = program.friction[i];
    if (size == 1 || mu == 0.0) {
      add_ray(R, row, 1.0);
    } else if (mu >= kSteep) {
      const double pressed = around ? 0.0 : 1.0 / mu;
      add_ray(R, row, 1.0);
      for (const double sign : {1.0, -1.0}) {
        add_ray(R, row, pressed, sign);
        if (size > 2) add_ray(R, row, pressed, 0.0, sign);
      }
    } else if (size == 2) {
      for (const double sign : {1.0, -1.0}) add_ray(R, row, 1.0, sign * mu);
    } else {
      const double radius = around ? mu / std::cos(std::numbers::pi / kSides) : mu;
      for (int k = 0; k < kSides; ++k) {
        const double angle = 2.0 * std::numbers::pi * k / kSides;
        add_ray(R, row, 1.0, radius * std::cos(angle), radius * std::sin(angle));
      }
    }
  }
  return R;
}

/// The point (p, y) with p = R λ; its pivots are added to `iterations`.
Vector solve_on_rays(const ConeProgram& program, const Matrix& R, double scale, int& iterations) {
  const Eigen::Index rays = R.cols();
  const Eigen::Index linear = program.d.size();
  const Matrix CR = program.C * R;
  Matrix M = Matrix::Zero(rays + linear, rays + linear);
  M.topLeftCorner(rays, rays) = R.transpose() * program.A * R;
  M.topRightCorner(rays, linear) = -CR.transpose();
  M.bottomLeftCorner(linear, rays) = CR;
  Vector q(rays + linear);
  q << R.transpose() * program.b, program.d;
  const LcpSolution lcp = solve_lcp(M, q, {.method = LcpMethod::Lemke, .scale = scale});
  iterations += lcp.iterations;
  Vector u(R.rows() + linear);
  u << R * lcp.z.head(rays), lcp.z.tail(linear);
  return u;
}

/// Velocities that the cones feel, A p + b − Cᵀ y.
Vector pulled(const ConeProgram& program, const Vector& u) {
  return program.A * u.head(program.b.size()) + program.b -
         program.C.transpose() * u.tail(program.d.size());
}

/// Adds rays where contacts would slide in a direction that has none near; false: nowhere.
bool add_rays(const ConeProgram& program, const Vector& u, double scale, Matrix& R) {
  constexpr double kNear = 1e-3;
  const Vector z = pulled(program, u);
  const Eigen::Index before = R.cols();
  for (int i = 0; i < contacts_of(program); ++i) {
    const int row = program.start[i];
    const double mu = program.friction[i];
    if (program.start[i + 1] - row < 3 || mu == 0.0 || mu >= kSteep) continue;
    const Eigen::Vector2d t = z.segment<2>(row + 1);
    if (z[row] >= mu * t.norm() - 1e-12 * scale) continue;
    const Eigen::Vector2d radius = -mu * t.normalized();
    bool near = false;
    for (Eigen::Index k = 0; k < before; ++k) {
      near =
          near || (R(row, k) > 0.0 && (R.col(k).segment<2>(row + 1) - radius).norm() < kNear * mu);
    }
    if (!near) add_ray(R, row, 1.0, radius[0], radius[1]);
  }
  return R.cols() > before;
}

/// Derivative of the projection on { |x_t| ≤ μ x_n } at x.
Eigen::Matrix3d projection_derivative(const double* x, int size, double mu) {
  Eigen::Matrix3d B = Eigen::Matrix3d::Zero();
  if (size == 1 || mu == 0.0) {
    B(0, 0) = x[0] > 0.0 ? 1.0 : 0.0;
    return B;
  }
  const Eigen::Vector2d t(x[1], size > 2 ? x[2] : 0.0);
  const double length = t.norm();
  if (length <= mu * x[0]) {
    for (int r = 0; r < size; ++r) B(r, r) = 1.0;
    return B;
  }
  const double normal = (x[0] + mu * length) / (1.0 + mu * mu);
  if (normal <= 0.0) return B;
  const Eigen::Vector3d ray(1.0, mu * t[0] / length, mu * t[1] / length);
  B = ray * ray.transpose() / (1.0 + mu * mu);
  if (size > 2) {
    const Eigen::Vector2d across(-t[1] / length, t[0] / length);
    B.bottomRightCorner<2, 2>() += mu * normal / length * across * across.transpose();
  }
  return B;
}

/// The conditions as an equation F(p, y) = 0, and its Jacobian where asked for:
///
///   F_p = p − proj_K(p − z),  z = A p + b − Cᵀy,      F_y = min(y, C p + d).
Vector natural_map(const ConeProgram& program, const Vector& u, Matrix* J) {
  const Eigen::Index n = program.b.size();
  const Eigen::Index linear = program.d.size();
  const Vector x = u.head(n) - pulled(program, u);
  const Vector slack = program.C * u.head(n) + program.d;
  Vector F(n + linear);
  if (J != nullptr) J->setZero(n + linear, n + linear);
  for (int i = 0; i < contacts_of(program); ++i) {
    const int first = program.start[i];
    const int size = program.start[i + 1] - first;
    double projected[3];
    std::copy_n(x.data() + first, size, projected);
    project_on_friction_cone(projected, size, program.friction[i]);
    for (int r = 0; r < size; ++r) F[first + r] = u[first + r] - projected[r];
    if (J == nullptr) continue;
    const Matrix B = projection_derivative(x.data() + first, size, program.friction[i])
                         .topLeftCorner(size, size);
    J->block(first, 0, size, n) = B * program.A.middleRows(first, size);
    J->block(first, first, size, size) += Matrix::Identity(size, size) - B;
    J->block(first, n, size, linear) = -B * program.C.middleCols(first, size).transpose();
  }
  for (Eigen::Index k = 0; k < linear; ++k) {
    F[n + k] = std::min(u[n + k], slack[k]);
    if (J == nullptr) continue;
    if (u[n + k] < slack[k]) {
      (*J)(n + k, n + k) = 1.0;
    } else {
      J->row(n + k).head(n) = program.C.row(k);
    }
  }
  return F;
}

double largest(const Vector& x) {
  return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
}

/// Newton's method with the shortest steps, as multipliers of redundant constraints are not unique;
/// returns their number.
int polish(const ConeProgram& program, Vector& u) {
  Matrix J;
  Vector F = natural_map(program, u, &J);
  int steps = 0;
  for (bool moved = true; moved && steps < 40 && largest(F) > 1e-15; ++steps) {
    moved = false;
    for (const double threshold : {1e-11, 1e-7, 1e-4}) {
      const Vector step = -OrthogonalFactor(J, threshold).solve(F);
      for (double t = 1.0; t > 1e-3 && !moved; t *= 0.5) {
        const Vector trial = u + t * step;
        moved = natural_map(program, trial, nullptr).norm() < (1.0 - 1e-3 * t) * F.norm();
        if (moved) u = trial;
      }
      if (moved) break;
    }
    F = natural_map(program, u, &J);
  }
  return steps;
}

/// Whether no p in the cones satisfies C p + d ≥ 0, by a certificate (Farkas): y ≥ 0 with Cᵀ y ≤ 0
/// along all rays around the cones, and yᵀd < 0.
bool proved_infeasible(const ConeProgram& program) {
  const Eigen::Index linear = program.d.size();
  if (linear == 0) return false;
  const Matrix CR = program.C * rays_of(program, true);
  Matrix G(linear + CR.cols() + 1, linear);
  G << Matrix::Identity(linear, linear), -CR.transpose(), -program.d.transpose();
  Vector y;
  return least_distance(G, Vector::Unit(G.rows(), G.rows() - 1), y);
}

/// Power of 4 near a size: dividing by it, and by its root, changes no digits.
double unit_of(double size) {
  return size > 0.0 ? std::ldexp(1.0, 2 * (std::ilogb(size) / 2)) : 1.0;
}

}  // namespace

ConeProgramSolution solve_cone_program(const ConeProgram& given) {
  check(given);
  // In units that make A, b and the rows of C of order one.
  const double mobility = unit_of(largest(given.A.diagonal()));
  const double velocity = unit_of(largest(given.b));
  // A contact with infinite friction sticks under pressure only, as in the limit of ever larger
  // coefficients: a very large one stands for all, if what it gives solves the program itself.
  ConeProgram program = given;
  program.friction = given.friction.cwiseMin(kSteep);
  program.A /= mobility;
  program.b /= velocity;
  if (program.d.size() == 0) program.C.resize(0, program.b.size());
  for (Eigen::Index k = 0; k < program.d.size(); ++k) {
    const double unit = unit_of(program.C.row(k).norm());
    program.C.row(k) /= unit;
    program.d[k] *= mobility / (velocity * unit);
  }
  const double fastest = std::max(given.scale / velocity, largest(program.b));
  const double scale = fastest > 0.0 ? fastest : 1.0;

  const auto error = [&](const Vector& u) {
    return largest(natural_map(program, u, nullptr)) / scale;
  };

  ConeProgramSolution solution;
  Vector best;
  solution.error = std::numeric_limits<double>::infinity();
  constexpr int kRounds = 8;
  Matrix R = rays_of(program, false);
  for (int round = 0; round < kRounds; ++round) {
    const Vector on_rays = solve_on_rays(program, R, scale, solution.iterations);
    Vector u = on_rays;
    if (!(error(u) <= kExact)) solution.iterations += polish(program, u);
    if (round == 0 || error(u) < solution.error) {
      solution.error = error(u);
      best = u;
    }
    if (solution.error <= kSolved || !add_rays(program, on_rays, scale, R)) break;
  }
  solution.p = velocity / mobility * best.head(program.b.size());
  if (solution.error <= kSolved) {
    program.friction = given.friction;
    solution.status = error(best) <= kSolved ? SolverStatus::Solved : SolverStatus::NoSlipSolution;
  } else if (proved_infeasible(program)) {
    solution.status = SolverStatus::Infeasible;
  }
  return solution;
}

}  // namespace percute::numerics
