// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/granular_pile.hpp"

#include "numerics/coulomb_contact.hpp"

#include <percute/model/mass_matrix.hpp>

#include <algorithm>
#include <numbers>
#include <vector>

namespace percute::bench {

namespace {

constexpr int kWide = 112;  ///< disks in the first row, one less in every second
constexpr int kRows = 5;
constexpr double kRadius = 0.5;
constexpr double kFriction = 0.3;

/// Directions of all contacts, normal and tangential in turn; disks are (x, y, angle).
struct Contacts {
  std::vector<Eigen::Triplet<double>> entries = {};
  int columns = 0;

  /// The disk touches with its point at radius · (−n): sliding there is t·v − r ω.
  void add(int disk, double nx, double ny, double sign) {
    const double tx = -ny;
    const double ty = nx;
    entries.emplace_back(3 * disk, columns, sign * nx);
    entries.emplace_back(3 * disk + 1, columns, sign * ny);
    entries.emplace_back(3 * disk, columns + 1, sign * tx);
    entries.emplace_back(3 * disk + 1, columns + 1, sign * ty);
    entries.emplace_back(3 * disk + 2, columns + 1, -kRadius);
  }
  void on_wall(int disk, double nx, double ny) {
    add(disk, nx, ny, 1.0);
    columns += 2;
  }
  /// Normal from the first to the second disk.
  void between(int first, int second, double nx, double ny) {
    add(first, nx, ny, -1.0);
    add(second, nx, ny, 1.0);
    columns += 2;
  }
};

int row_width(int row) {
  return row % 2 == 0 ? kWide : kWide - 1;
}

Contacts pile_contacts(int& disks) {
  Contacts contacts;
  const double height = 0.5 * std::numbers::sqrt3;
  int first = 0;
  for (int row = 0; row < kRows; ++row) {
    const int width = row_width(row);
    const int above = first + width;
    for (int k = 0; k < width; ++k) {
      if (row == 0) contacts.on_wall(k, 0.0, 1.0);
      if (row + 1 == kRows) continue;
      // Even rows stick out by half a disk on both sides of the odd ones.
      const int left = row % 2 == 0 ? k - 1 : k;
      for (const int j : {left, left + 1}) {
        if (j < 0 || j >= row_width(row + 1)) continue;
        contacts.between(first + k, above + j, j == left ? -0.5 : 0.5, height);
      }
    }
    first = above;
  }
  disks = first;
  return contacts;
}

}  // namespace

numerics::CoulombProblem granular_pile() {
  int disks = 0;
  const Contacts contacts = pile_contacts(disks);
  SparseMatrix H(3 * disks, contacts.columns);
  H.setFromTriplets(contacts.entries.begin(), contacts.entries.end());
  Vector masses(3 * disks);
  Vector velocity(3 * disks);
  for (int i = 0; i < disks; ++i) {
    masses.segment<3>(3 * i) << 1.0, 1.0, 0.5 * kRadius * kRadius;
    velocity.segment<3>(3 * i) << 0.1 * ((7 * i) % 11 - 5) / 5.0, -1.0,
        0.2 * ((3 * i) % 7 - 3) / 3.0;
  }
  numerics::CoulombProblem problem;
  problem.A = MassMatrix::diagonal(masses).delassus(H);
  problem.b = H.transpose() * velocity;
  for (int row = 0; row <= contacts.columns; row += 2) problem.start.push_back(row);
  problem.friction = Vector::Constant(contacts.columns / 2, kFriction);
  return problem;
}

double coulomb_error(const numerics::CoulombProblem& problem, const Vector& p) {
  const Vector z = problem.A * p + problem.b;
  double worst = 0.0;
  for (std::size_t i = 0; i + 1 < problem.start.size(); ++i) {
    const int at = problem.start[i];
    const int size = problem.start[i + 1] - at;
    const Matrix block = Matrix(problem.A.middleCols(at, size)).middleRows(at, size);
    numerics::CoulombContact contact;
    contact.assign(block.data(), size, size, problem.friction[static_cast<Eigen::Index>(i)]);
    worst = std::max(worst, contact.error(p.data() + at, z.data() + at));
  }
  return worst;
}

}  // namespace percute::bench
