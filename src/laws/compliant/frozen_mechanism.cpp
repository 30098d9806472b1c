// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/compliant/frozen_mechanism.hpp"

#include <algorithm>
#include <cmath>

namespace percute::laws {

namespace {

using ConstMap = Eigen::Map<const Vector>;
using Map = Eigen::Map<Vector>;

SparseMatrix response(const MassMatrix& mass, const SparseMatrix& H) {
  if (mass.form() != MassMatrix::Form::Diagonal) return mass.solve(H).sparseView();
  SparseMatrix scaled = H;  // NOLINT(misc-const-*,performance-*): iterators write to it
  for (int j = 0; j < scaled.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(scaled, j); entry; ++entry) {
      entry.valueRef() /= mass(entry.row(), entry.row());
    }
  }
  return scaled;
}

}  // namespace

FrozenMechanism::FrozenMechanism(const ImpactProblem& problem, const contact::FrictionRows& rows)
    : contacts_(static_cast<Eigen::Index>(problem.contacts.size())),
      H_(contact::all_directions(problem, rows)),
      response_(response(problem.mass, H_)),
      normal_mobility_(problem.mass.delassus_diagonal(problem.gradients)),
      before_(H_.transpose() * problem.velocity),
      U_(before_),
      rows_(H_.cols()),
      v_(H_.rows()) {
  const SparseMatrix T = H_.rightCols(rows.tangential());
  A_ = Matrix(SparseMatrix(T.transpose()) * SparseMatrix(response_.rightCols(rows.tangential())));
  A_ = (0.5 * (A_ + A_.transpose())).eval();
  tangents_ = Matrix(T);
  answers_ = Matrix(response_.rightCols(rows.tangential()));
}

contact::Mobility FrozenMechanism::mobility() {
  return {.first = A_.data(),
          .stride = A_.outerStride(),
          .rows = tangents_.data(),
          .answers = answers_.data(),
          .coordinates = static_cast<int>(tangents_.rows())};
}

void FrozenMechanism::set_units(std::vector<double> lengths, double speed) {
  lengths_ = std::move(lengths);
  speed_ = speed;
}

bool FrozenMechanism::look(double /*time*/, const double* y, const char* /*loaded*/, bool /*all*/,
                           double* gap, double* U) {
  std::copy_n(y, contacts_, gap);
  U_ = before_;
  U_.noalias() += H_.transpose() * ConstMap(y + contacts_, H_.rows());
  std::copy_n(U_.data(), U_.size(), U);
  return true;
}

bool FrozenMechanism::slope(const double* forces, double* out) {
  std::copy_n(U_.data(), contacts_, out);
  Map(out + contacts_, H_.rows()).noalias() = response_ * ConstMap(forces, H_.cols());
  return true;
}

void FrozenMechanism::accelerations(const double* slope, double* a) {
  Map(a, H_.cols()).noalias() = H_.transpose() * ConstMap(slope + contacts_, H_.rows());
}

void FrozenMechanism::drive(const double* F, double* c) {
  v_.noalias() = response_.leftCols(contacts_) * ConstMap(F, contacts_);
  Map(c, A_.rows()).noalias() = H_.rightCols(A_.rows()).transpose() * v_;
}

void FrozenMechanism::respond(const double* p, double* change) {
  const Eigen::Index t = A_.rows();
  Map(change + contacts_, H_.rows()) += response_.rightCols(t) * ConstMap(p, t);
}

void FrozenMechanism::sense(int k, double* row) {
  for (SparseMatrix::InnerIterator entry(H_, contacts_ + k); entry; ++entry) {
    row[contacts_ + entry.row()] = entry.value();
  }
}

double FrozenMechanism::norm(const double* error, double /*step*/) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < contacts_; ++i) {
    largest = std::max(largest, std::abs(error[i]) / lengths_[static_cast<std::size_t>(i)]);
  }
  if (H_.cols() == 0) return largest;
  rows_.noalias() = H_.transpose() * ConstMap(error + contacts_, H_.rows());
  return std::max(largest, rows_.cwiseAbs().maxCoeff() / speed_);
}

}  // namespace percute::laws
