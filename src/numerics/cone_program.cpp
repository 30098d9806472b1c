// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/cone_program.hpp"

#include "numerics/cone_projection.hpp"
#include "numerics/orthogonal_factor.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace percute::numerics {

namespace {

/// min ½ xᵀP x + qᵀx subject to s = h − G x ∈ C, C a product of cones: `cones` lists their
/// dimensions in the order of the rows, 1 for s ≥ 0, k > 1 for the second-order cone s_0 ≥ |s̄|. P
/// is positive semidefinite; P and G together have full column rank.
struct ConicQuadratic {
  Matrix P = {};
  Vector q = {};
  Matrix G = {};
  Vector h = {};
  std::vector<int> cones = {};
};

struct ConicSolution {
  Vector x = {};
  Vector z = {};  ///< multipliers: P x + q + Gᵀz = 0, C ∋ z ⟂ s ∈ C
  int iterations = 0;
  bool solved = false;
  bool infeasible = false;  ///< certificate found: Gᵀz = 0, z ∈ C, hᵀz < 0
};

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

/// Primal–dual interior point method with Nesterov–Todd scaling and Mehrotra's corrector
/// (Nesterov & Todd 1997). Small and dense. Works until no step improves the residuals any more.
ConicSolution solve_conic(const ConicQuadratic& problem) {
  constexpr int kMost = 100;
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
  for (int k = 0; k < kMost; ++k) {
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

void check(const ConeProgram& program) {
  const auto require = [](bool condition, const std::string& what) {
    if (!condition) throw std::invalid_argument("cone program: " + what);
  };
  require(!program.start.empty() && program.start.front() == 0, "start must begin with 0");
  const int m = static_cast<int>(program.start.size()) - 1;
  const int n = program.start.back();
  for (int i = 0; i < m; ++i) {
    const int size = program.start[i + 1] - program.start[i];
    require(size >= 1 && size <= 3,
            "contact " + std::to_string(i) + " has " + std::to_string(size) + " rows, not 1 to 3");
  }
  require(program.b.size() == n, "b needs " + std::to_string(n) + " entries");
  require(program.A.rows() == n && program.A.cols() == n,
          "A must be square with " + std::to_string(n) + " rows");
  require(program.friction.size() == m, "friction needs " + std::to_string(m) + " entries");
  require(m == 0 || program.friction.minCoeff() >= 0.0, "friction must be at least 0");
  require(program.d.size() == program.C.rows(), "C and d need the same number of rows");
  require(program.C.rows() == 0 || program.C.cols() == n,
          "C needs " + std::to_string(n) + " columns");
  require(program.A.allFinite() && program.b.allFinite() && program.C.allFinite() &&
              program.d.allFinite(),
          "A, b, C and d must be finite");
}

/// The program in units that make A, b and the rows of C of order one.
struct Units {
  double matrix = 1.0;   ///< largest diagonal entry of A
  double vector = 1.0;   ///< max|b|
  double impulse = 1.0;  ///< vector/matrix
  Vector row;            ///< |C_k|

  explicit Units(const ConeProgram& program) : row(program.C.rowwise().norm()) {
    if (program.A.size() > 0) matrix = program.A.diagonal().maxCoeff();
    if (program.b.size() > 0) vector = program.b.cwiseAbs().maxCoeff();
    if (!(matrix > 0.0)) matrix = 1.0;
    if (!(vector > 0.0)) vector = 1.0;
    impulse = vector / matrix;
    for (double& x : row) x = x > 0.0 ? x : 1.0;
  }
};

/// h − G x ∈ cones; the tangential impulses of frictionless contacts are no unknowns.
ConicQuadratic conic_form(const ConeProgram& program, const Units& units,
                          std::vector<int>& unknowns) {
  const int m = static_cast<int>(program.start.size()) - 1;
  const int n = program.start.back();
  Matrix rows = Matrix::Zero(2 * n + program.C.rows(), n);
  ConicQuadratic form;
  int count = 0;
  for (int i = 0; i < m; ++i) {
    const int first = program.start[i];
    const int size = program.start[i + 1] - first;
    const double mu = program.friction[i];
    unknowns.push_back(first);
    for (int r = 1; r < size && mu > 0.0; ++r) unknowns.push_back(first + r);
    if (size == 1 || mu == 0.0 || std::isinf(mu)) {
      rows(count++, first) = 1.0;
      form.cones.push_back(1);
    } else if (size == 2) {
      for (const double sign : {1.0, -1.0}) {
        rows(count, first) = mu;
        rows(count++, first + 1) = sign;
        form.cones.push_back(1);
      }
    } else {
      rows(count, first) = mu;
      rows(count + 1, first + 1) = 1.0;
      rows(count + 2, first + 2) = 1.0;
      count += 3;
      form.cones.push_back(3);
    }
  }
  const int linear = static_cast<int>(program.C.rows());
  form.h = Vector::Zero(count + linear);
  for (int k = 0; k < linear; ++k) {
    rows.row(count + k) = program.C.row(k) / units.row[k];
    form.h[count + k] = program.d[k] / (units.row[k] * units.impulse);
    form.cones.push_back(1);
  }
  const int size = static_cast<int>(unknowns.size());
  form.P.resize(size, size);
  form.q.resize(size);
  form.G.resize(count + linear, size);
  for (int c = 0; c < size; ++c) {
    form.q[c] = program.b[unknowns[c]] / units.vector;
    form.G.col(c) = -rows.col(unknowns[c]).head(count + linear);
    for (int r = 0; r < size; ++r) {
      form.P(r, c) = program.A(unknowns[r], unknowns[c]) / units.matrix;
    }
  }
  return form;
}

/// The optimality conditions as an equation F(p, y) = 0 in the units above:
///
///   F_p = p − proj_K(p − g),  g = A p + b − Cᵀy,      F_y = min(y, C p + d).
class NaturalMap {
 public:
  NaturalMap(const ConeProgram& program, const Units& units)
      : program_(program),
        A_(program.A / units.matrix),
        b_(program.b / units.vector),
        C_(units.row.cwiseInverse().asDiagonal() * program.C),
        d_(program.d.cwiseQuotient(units.row) / units.impulse) {
    if (C_.rows() == 0) C_.resize(0, b_.size());
  }

  int size() const { return static_cast<int>(b_.size() + d_.size()); }

  Vector value(const Vector& u) const { return evaluate(u, nullptr); }
  Vector evaluate(const Vector& u, Matrix* J) const;

 private:
  const ConeProgram& program_;
  Matrix A_;
  Vector b_;
  Matrix C_;
  Vector d_;
};

/// Derivative of the projection on { |x_t| ≤ μ x_n } at x.
Eigen::Matrix3d projection_derivative(const double* x, int size, double mu) {
  Eigen::Matrix3d B = Eigen::Matrix3d::Zero();
  if (size == 1 || mu == 0.0 || std::isinf(mu)) {
    B(0, 0) = x[0] > 0.0 ? 1.0 : 0.0;
    for (int r = 1; r < size && mu > 0.0; ++r) B(r, r) = 1.0;
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
  Eigen::Vector3d ray(1.0, mu * t[0] / length, mu * t[1] / length);
  B = ray * ray.transpose() / (1.0 + mu * mu);
  if (size > 2) {
    const Eigen::Vector2d across(-t[1] / length, t[0] / length);
    B.bottomRightCorner<2, 2>() += mu * normal / length * across * across.transpose();
  }
  return B;
}

Vector NaturalMap::evaluate(const Vector& u, Matrix* J) const {
  const int n = static_cast<int>(b_.size());
  const int linear = static_cast<int>(d_.size());
  const auto p = u.head(n);
  const auto y = u.tail(linear);
  const Vector x = p - (A_ * p + b_ - C_.transpose() * y);
  const Vector slack = C_ * p + d_;
  Vector F(n + linear);
  if (J != nullptr) J->setZero(n + linear, n + linear);
  for (int i = 0; i + 1 < static_cast<int>(program_.start.size()); ++i) {
    const int first = program_.start[i];
    const int size = program_.start[i + 1] - first;
    double projected[3];
    std::copy(x.data() + first, x.data() + first + size, projected);
    project_on_friction_cone(projected, size, program_.friction[i]);
    for (int r = 0; r < size; ++r) F[first + r] = p[first + r] - projected[r];
    if (J == nullptr) continue;
    const Matrix B = projection_derivative(x.data() + first, size, program_.friction[i])
                         .topLeftCorner(size, size);
    J->block(first, 0, size, n) = B * A_.middleRows(first, size);
    J->block(first, first, size, size) += Matrix::Identity(size, size) - B;
    J->block(first, n, size, linear) = -B * C_.middleCols(first, size).transpose();
  }
  for (int k = 0; k < linear; ++k) {
    F[n + k] = std::min(y[k], slack[k]);
    if (J == nullptr) continue;
    if (y[k] < slack[k]) {
      (*J)(n + k, n + k) = 1.0;
    } else {
      J->row(n + k).head(n) = C_.row(k);
    }
  }
  return F;
}

/// Newton with the shortest steps: multipliers of redundant constraints are not unique.
int polish(const NaturalMap& map, Vector& u) {
  Matrix J;
  Vector F = map.evaluate(u, &J);
  int steps = 0;
  while (steps < 40 && F.cwiseAbs().maxCoeff() > 1e-15) {
    ++steps;
    bool moved = false;
    for (const double threshold : {1e-11, 1e-7, 1e-4}) {
      const OrthogonalFactor factors(J, threshold);
      const Vector step = -factors.solve(F);
      for (double t = 1.0; t > 1e-3 && !moved; t *= 0.5) {
        const Vector trial = u + t * step;
        moved = map.value(trial).norm() < (1.0 - 1e-3 * t) * F.norm();
        if (moved) u = trial;
      }
      if (moved) break;
    }
    if (!moved) break;
    F = map.evaluate(u, &J);
  }
  return steps;
}

/// Largest violation of −Cᵀy ∈ K*, where y ≥ 0 are the multipliers over the rows of C in the units
/// above: what the projection of Cᵀy on K leaves.
double certificate_defect(const ConeProgram& program, const Units& units, const Vector& y) {
  Vector x = program.C.transpose() * y.cwiseQuotient(units.row);
  double worst = 0.0;
  for (std::size_t i = 0; i + 1 < program.start.size(); ++i) {
    const int first = program.start[i];
    const int size = program.start[i + 1] - first;
    project_on_friction_cone(x.data() + first, size, program.friction[static_cast<int>(i)]);
    worst = std::max(worst, x.segment(first, size).norm());
  }
  return worst;
}

/// Whether no p satisfies the constraints, with a certificate: y ≥ 0 with yᵀ(C p + d) < 0 for all p
/// in the cones up to 1e7 max|b|/max A_ii (Farkas). False where none was found, too.
bool proved_infeasible(const ConeProgram& program) {
  const int linear = static_cast<int>(program.C.rows());
  if (linear == 0) return false;
  const Units units(program);
  std::vector<int> unknowns;
  ConicQuadratic form = conic_form(program, units, unknowns);
  const Eigen::Index n = form.q.size();
  const Eigen::Index rows = form.h.size();
  // min t + small |p|², C p + d + t ≥ 0, t ≥ 0: always feasible, and t > 0 where the program is not
  form.q = Vector::Unit(n + 1, n);
  form.P = Matrix::Zero(n + 1, n + 1);
  form.P.topLeftCorner(n, n).diagonal().setConstant(1e-10);
  form.G.conservativeResize(rows + 1, n + 1);
  form.G.row(rows).setZero();
  form.G.col(n).setZero();
  form.G.col(n).tail(linear + 1).setConstant(-1.0);
  form.h.conservativeResize(rows + 1);
  form.h[rows] = 0.0;
  form.cones.push_back(1);
  const Vector y = solve_conic(form).z.segment(rows - linear, linear).cwiseMax(0.0);
  const double sum = y.sum();
  if (!(sum > 0.0)) return false;
  const Vector d = program.d.cwiseQuotient(units.row) / units.impulse;
  // For every p in the cones yᵀ(C p + d) ≤ yᵀd + defect |p|: negative unless p is beyond reason.
  constexpr double kReason = 1e7;
  return y.dot(d) < -1e-8 * sum - kReason * certificate_defect(program, units, y);
}

}  // namespace

ConeProgramSolution solve_cone_program(const ConeProgram& program) {
  check(program);
  const Units units(program);
  const int n = static_cast<int>(program.b.size());
  const int linear = static_cast<int>(program.C.rows());
  ConeProgramSolution solution;
  solution.p = Vector::Zero(n);
  solution.multiplier = Vector::Zero(linear);
  if (n == 0) {
    const bool feasible = linear == 0 || program.d.minCoeff() >= 0.0;
    solution.status = feasible ? ConeProgramStatus::Solved : ConeProgramStatus::Infeasible;
    return solution;
  }
  std::vector<int> unknowns;
  const ConicQuadratic form = conic_form(program, units, unknowns);
  const NaturalMap map(program, units);
  const double scale = std::max(program.scale, units.vector);
  bool infeasible = false;
  solution.error = std::numeric_limits<double>::infinity();
  // Where A is singular the interior point method wanders off along free directions unless held
  // back a little; polishing removes what that adds. How little is best differs.
  for (const double hold : {1e-8, 0.0, 1e-5, 1e-11}) {
    ConicQuadratic held = form;
    held.P.diagonal().array() += hold;
    const ConicSolution conic = solve_conic(held);
    Vector u = Vector::Zero(n + linear);
    for (int k = 0; k < static_cast<int>(unknowns.size()); ++k) u[unknowns[k]] = conic.x[k];
    u.tail(linear) = conic.z.tail(linear);
    solution.iterations += conic.iterations + polish(map, u);
    const double error = map.value(u).cwiseAbs().maxCoeff() * units.vector / scale;
    infeasible = infeasible || conic.infeasible;
    if (error < solution.error) {
      solution.error = error;
      solution.p = units.impulse * u.head(n);
      solution.multiplier = units.vector * u.tail(linear).cwiseQuotient(units.row);
    }
    if (solution.error <= 1e-10 || infeasible) break;
  }
  if (solution.error <= 1e-10) {
    solution.status = ConeProgramStatus::Solved;
  } else if (infeasible || proved_infeasible(program)) {
    solution.status = ConeProgramStatus::Infeasible;
  }
  return solution;
}

}  // namespace percute::numerics
