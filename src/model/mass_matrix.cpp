// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/model/mass_matrix.hpp>

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>

#include <cmath>
#include <string>
#include <vector>

namespace percute {

namespace {

std::string entry(const char* what, Eigen::Index i, Eigen::Index j) {
  return std::string(what) + "[" + std::to_string(i) + "][" + std::to_string(j) + "]";
}

/// Largest relative difference accepted between M_ij and M_ji: above rounding of a sum of products,
/// far below a mistake in the data.
constexpr double kAsymmetry = 1e-12;

void check_symmetric(double a, double b, double largest, const std::string& field,
                     const std::string& place = "") {
  if (std::abs(a - b) > kAsymmetry * largest) {
    throw InvalidInput(field, place + text(a) + " differs from its mirror " + text(b) +
                                  "; a mass matrix is symmetric");
  }
}

[[noreturn]] void throw_indefinite() {
  throw InvalidInput("mass", "the matrix is not positive definite");
}

/// X ← L⁻¹ X. Few columns are solved one by one: a blocked product takes longer to set up than they
/// take.
template <class Triangle>
void solve_in_place(const Triangle& L, Matrix& X) {
  if (X.cols() > 4) return L.solveInPlace(X);
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    auto column = X.col(j);
    L.solveInPlace(column);
  }
}

}  // namespace

MassMatrix MassMatrix::diagonal(Vector masses) {
  for (Eigen::Index i = 0; i < masses.size(); ++i) {
    if (!std::isfinite(masses[i]) || masses[i] <= 0.0) {
      throw InvalidInput("mass.diagonal[" + std::to_string(i) + "]",
                         text(masses[i]) + " is not a finite positive mass");
    }
  }
  MassMatrix result;
  result.form_ = Diagonal{std::move(masses)};
  return result;
}

MassMatrix MassMatrix::dense(const Matrix& M) {
  if (M.rows() != M.cols()) {
    throw InvalidInput("mass.dense", "has " + std::to_string(M.rows()) + " rows and " +
                                         std::to_string(M.cols()) + " columns; it must be square");
  }
  const double largest = M.size() > 0 ? M.cwiseAbs().maxCoeff() : 0.0;
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    for (Eigen::Index j = 0; j < M.cols(); ++j) {
      if (!std::isfinite(M(i, j))) {
        throw InvalidInput(entry("mass.dense", i, j), text(M(i, j)) + " is not finite");
      }
      if (j < i) check_symmetric(M(i, j), M(j, i), largest, entry("mass.dense", i, j));
    }
  }
  const Matrix symmetric = 0.5 * (M + M.transpose());
  const Eigen::LLT<Matrix> cholesky(symmetric);
  if (cholesky.info() != Eigen::Success) throw_indefinite();
  Matrix L = cholesky.matrixL();
  // A pivot at rounding level of its diagonal entry means a singular matrix that slipped through.
  for (Eigen::Index i = 0; i < L.rows(); ++i) {
    if (!(L(i, i) * L(i, i) > 1e-14 * symmetric(i, i))) throw_indefinite();
  }
  MassMatrix result;
  result.form_ = Dense{.M = symmetric, .L = std::move(L)};
  return result;
}

MassMatrix MassMatrix::sparse(const SparseMatrix& M) {
  if (M.rows() != M.cols()) throw InvalidInput("mass.sparse", "the matrix must be square");
  double largest = 0.0;
  for (int j = 0; j < M.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator it(M, j); it; ++it) {
      if (!std::isfinite(it.value())) {
        throw InvalidInput("mass.sparse", text(it.value()) + " at row " + std::to_string(it.row()) +
                                              ", column " + std::to_string(j) + " is not finite");
      }
      largest = std::max(largest, std::abs(it.value()));
    }
  }
  const SparseMatrix mirror = M.transpose();
  const SparseMatrix difference = M - mirror;
  for (Eigen::Index j = 0; j < difference.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator it(difference, j); it; ++it) {
      if (std::abs(it.value()) <= kAsymmetry * largest) continue;
      check_symmetric(M.coeff(it.row(), j), M.coeff(j, it.row()), largest, "mass.sparse",
                      "entry (" + std::to_string(it.row()) + ", " + std::to_string(j) + "), ");
    }
  }
  const SparseMatrix symmetric = 0.5 * (M + mirror);
  const Eigen::SimplicialLLT<SparseMatrix> cholesky(symmetric);
  if (cholesky.info() != Eigen::Success) throw_indefinite();
  Sparse form{.M = symmetric, .L = SparseMatrix(cholesky.matrixL()), .P = cholesky.permutationP()};
  if (form.P.size() == 0) form.P.setIdentity(M.rows());
  const Vector diagonal = symmetric.diagonal();
  const Vector pivots = form.L.diagonal();
  const Vector permuted = form.P * diagonal;
  for (Eigen::Index i = 0; i < pivots.size(); ++i) {
    if (!(pivots[i] * pivots[i] > 1e-14 * permuted[i])) throw_indefinite();
  }
  MassMatrix result;
  result.form_ = std::move(form);
  return result;
}

MassMatrix::Form MassMatrix::form() const {
  if (std::holds_alternative<Diagonal>(form_)) return Form::Diagonal;
  return std::holds_alternative<Dense>(form_) ? Form::Dense : Form::Sparse;
}

Eigen::Index MassMatrix::size() const {
  if (const auto* form = std::get_if<Diagonal>(&form_)) return form->masses.size();
  if (const auto* form = std::get_if<Dense>(&form_)) return form->M.rows();
  return std::get<Sparse>(form_).M.rows();
}

Vector MassMatrix::operator*(const Vector& v) const {
  if (const auto* form = std::get_if<Diagonal>(&form_)) return form->masses.cwiseProduct(v);
  if (const auto* form = std::get_if<Dense>(&form_)) return form->M * v;
  return std::get<Sparse>(form_).M * v;
}

Matrix MassMatrix::solve(const Matrix& B) const {
  if (B.cols() == 0) return B;
  if (const auto* form = std::get_if<Diagonal>(&form_)) {
    return form->masses.cwiseInverse().asDiagonal() * B;
  }
  if (const auto* form = std::get_if<Dense>(&form_)) {
    Matrix X = B;
    solve_in_place(form->L.triangularView<Eigen::Lower>(), X);
    solve_in_place(form->L.transpose().triangularView<Eigen::Upper>(), X);
    return X;
  }
  const auto& form = std::get<Sparse>(form_);
  Matrix X = form.P * B;
  form.L.triangularView<Eigen::Lower>().solveInPlace(X);
  form.L.transpose().triangularView<Eigen::Upper>().solveInPlace(X);
  return form.P.transpose() * X;
}

Vector MassMatrix::solve(const Vector& b) const {
  if (const auto* form = std::get_if<Diagonal>(&form_)) return b.cwiseQuotient(form->masses);
  return solve(Matrix(b));
}

Matrix MassMatrix::solve(const SparseMatrix& B) const {
  return solve(Matrix(B));
}

double MassMatrix::kinetic_energy(const Vector& v) const {
  return 0.5 * v.dot(*this * v);
}

void MassMatrix::whiten(const SparseMatrix& W, SparseMatrix& X) const {
  if (W.cols() == 0) {
    X = W;
  } else if (const auto* form = std::get_if<Diagonal>(&form_)) {
    X = W;
    for (int j = 0; j < X.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator entry(X, j); entry; ++entry) {
        entry.valueRef() /= std::sqrt(form->masses[entry.row()]);
      }
    }
  } else if (const auto* full = std::get_if<Dense>(&form_)) {
    Matrix dense = W;
    solve_in_place(full->L.triangularView<Eigen::Lower>(), dense);
    X = dense.sparseView(1.0, 0.0);
  } else {
    const auto& factors = std::get<Sparse>(form_);
    X = factors.P * W;
    factors.L.triangularView<Eigen::Lower>().solveInPlace(X);
  }
}

SparseMatrix MassMatrix::delassus(const SparseMatrix& W) const {
  SparseMatrix X;
  whiten(W, X);
  const SparseMatrix G = SparseMatrix(X.transpose()) * X;
  // XᵀX may still differ from its transpose in the last bit.
  return 0.5 * (G + SparseMatrix(G.transpose()));
}

Vector MassMatrix::delassus_diagonal(const SparseMatrix& W) const {
  if (const auto* full = std::get_if<Dense>(&form_)) {
    Matrix dense = W;
    solve_in_place(full->L.triangularView<Eigen::Lower>(), dense);
    return dense.colwise().squaredNorm().transpose();
  }
  SparseMatrix X;
  whiten(W, X);
  Vector diagonal(W.cols());
  for (Eigen::Index i = 0; i < W.cols(); ++i) diagonal[i] = X.col(i).squaredNorm();
  return diagonal;
}

double MassMatrix::operator()(Eigen::Index i, Eigen::Index j) const {
  if (const auto* form = std::get_if<Diagonal>(&form_)) return i == j ? form->masses[i] : 0.0;
  if (const auto* form = std::get_if<Dense>(&form_)) return form->M(i, j);
  return std::get<Sparse>(form_).M.coeff(i, j);
}

}  // namespace percute
