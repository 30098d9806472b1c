// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <variant>

namespace percute {

/// Symmetric positive definite mass matrix M, factorised once: diagonal, dense or sparse.
/// A plain value: copies are independent, nothing is shared. Construction throws InvalidInput
/// (field "mass") unless M is finite, symmetric to 1e-12 of its largest entry, and positive
/// definite.
class MassMatrix {
 public:
  MassMatrix() = default;  ///< no coordinates
  /// The same as dense() and sparse(), so that a matrix can be assigned: problem.mass = M.
  template <class Derived>
  MassMatrix(const Eigen::MatrixBase<Derived>& M)  // NOLINT(*-explicit-*)
      : MassMatrix(dense(M)) {}
  MassMatrix(const SparseMatrix& M) : MassMatrix(sparse(M)) {}  // NOLINT(*-explicit-*)
  static MassMatrix diagonal(Vector masses);
  static MassMatrix dense(const Matrix& M);
  static MassMatrix sparse(const SparseMatrix& M);

  enum class Form { Diagonal, Dense, Sparse };
  Form form() const;  ///< as it was given

  Eigen::Index size() const;

  Vector operator*(const Vector& v) const;       ///< M v
  Vector solve(const Vector& b) const;           ///< M⁻¹ b
  Matrix solve(const Matrix& B) const;           ///< M⁻¹ B
  Matrix solve(const SparseMatrix& B) const;     ///< M⁻¹ B
  double kinetic_energy(const Vector& v) const;  ///< ½ vᵀ M v

  /// X = L⁻¹ W for M = L Lᵀ, the factor of the Delassus matrix XᵀX; reuses the memory of X.
  void whiten(const SparseMatrix& W, SparseMatrix& X) const;
  /// Delassus matrix Wᵀ M⁻¹ W, exactly symmetric; keeps zeros between contacts that share no mass.
  SparseMatrix delassus(const SparseMatrix& W) const;
  /// Its diagonal alone: inverse effective masses of the contacts.
  Vector delassus_diagonal(const SparseMatrix& W) const;

  /// Entry M_ij of the matrix as given.
  double operator()(Eigen::Index i, Eigen::Index j) const;

 private:
  struct Diagonal {
    Vector masses;
  };
  struct Dense {
    Matrix M;
    Matrix L;  ///< M = L Lᵀ
  };
  struct Sparse {
    SparseMatrix M;
    SparseMatrix L;                              ///< P M Pᵀ = L Lᵀ, L lower triangular
    Eigen::PermutationMatrix<Eigen::Dynamic> P;  ///< fill-reducing order
  };

  std::variant<Diagonal, Dense, Sparse> form_;
};

}  // namespace percute
