// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "analysis/nelder_mead.hpp"

#include <algorithm>
#include <vector>

namespace percute::analysis {

namespace {

struct Vertex {
  Vector x;
  double value = 0.0;
};

}  // namespace

double nelder_mead(const std::function<double(const Vector&)>& function, double step,
                   int evaluations, Vector& x) {
  const Eigen::Index d = x.size();
  int left = evaluations;
  const auto vertex = [&](const Vector& at) {
    --left;
    const Vector inside = at.cwiseMax(0.0).cwiseMin(1.0);
    return Vertex{.x = inside, .value = function(inside)};
  };
  std::vector<Vertex> simplex{vertex(x)};
  for (Eigen::Index k = 0; k < d; ++k) {
    Vector moved = x;
    moved[k] += moved[k] + step <= 1.0 ? step : -step;
    simplex.push_back(vertex(moved));
  }
  const auto by_value = [](const Vertex& a, const Vertex& b) { return a.value < b.value; };
  while (d > 0 && left > 0) {
    std::sort(simplex.begin(), simplex.end(), by_value);
    Vertex& worst = simplex.back();
    if ((worst.x - simplex.front().x).cwiseAbs().maxCoeff() < 1e-12) break;
    Vector centre = Vector::Zero(d);
    for (std::size_t k = 0; k + 1 < simplex.size(); ++k) centre += simplex[k].x;
    centre /= static_cast<double>(d);

    // Away from the worst vertex; further if that is good, less if it is not.
    const Vertex reflected = vertex(2.0 * centre - worst.x);
    if (reflected.value < simplex.front().value) {
      const Vertex further = vertex(3.0 * centre - 2.0 * worst.x);
      worst = further.value < reflected.value ? further : reflected;
    } else if (reflected.value < simplex[simplex.size() - 2].value) {
      worst = reflected;
    } else {
      const bool better = reflected.value < worst.value;
      const Vertex nearer = vertex(0.5 * (centre + (better ? reflected.x : worst.x)));
      if (nearer.value < std::min(reflected.value, worst.value)) {
        worst = nearer;
      } else {
        for (std::size_t k = 1; k < simplex.size(); ++k) {
          simplex[k] = vertex(0.5 * (simplex[k].x + simplex.front().x));
        }
      }
    }
  }
  const auto best = std::min_element(simplex.begin(), simplex.end(), by_value);
  x = best->x;
  return best->value;
}

}  // namespace percute::analysis
