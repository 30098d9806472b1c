// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/contact_law.hpp"

#include <algorithm>

namespace percute::laws {

ContactLaw::ContactLaw(const Contact& contact, const Lzb& law)
    : model_(contact.material.contact_model.value_or(law.contact_model)),
      e_(contact.material.restitution),
      K_(contact.material.stiffness),
      eta_(contact.material.exponent) {
  if (model_ == ContactModel::TriStiffness) {
    // Lzb has refused problems without these slopes.
    const TriStiffness tri = contact.material.tri_stiffness.value_or(TriStiffness{});
    power_ = Power::Tri;
    eta_ = 1.0;
    d_y_ = tri.yield_indentation;
    k2_ = tri.plastic_stiffness;
    k3_ = tri.unloading_stiffness;
  } else if (eta_ == 1.0) {
    power_ = Power::Linear;
  } else if (eta_ == 1.5) {
    power_ = Power::Hertz;
  } else if (eta_ == 2.0) {
    power_ = Power::Square;
  } else {
    power_ = Power::General;
  }
}

ContactLaw::Polynomial ContactLaw::polynomial(bool plastic) const {
  switch (power_) {
    case Power::Linear:
      return {.linear = K_};
    case Power::Hertz:
      return {.hertz = K_};
    case Power::Square:
      return {.square = K_};
    case Power::Tri:
      if (!plastic) return {.linear = K_};
      return {.constant = (K_ - k2_) * d_y_, .linear = k2_};
    case Power::General:
      break;
  }
  return {};
}

double ContactLaw::slope(double xi, bool plastic) const {
  if (power_ == Power::Tri) return plastic ? k2_ : K_;
  if (power_ == Power::Linear) return K_;
  if (power_ == Power::Hertz) return 1.5 * K_ * std::sqrt(std::max(xi, 0.0));
  return eta_ * K_ * std::pow(std::max(xi, 0.0), eta_ - 1.0);
}

double ContactLaw::energy(double xi) const {
  if (xi <= 0.0) return 0.0;
  if (power_ != Power::Tri) return force(xi, false) * xi / (1.0 + eta_);
  if (xi <= d_y_) return 0.5 * K_ * xi * xi;
  const double x = xi - d_y_;
  return 0.5 * K_ * d_y_ * d_y_ + K_ * d_y_ * x + 0.5 * k2_ * x * x;
}

double ContactLaw::negligible_indentation(double energy, double full) const {
  // 10^(−24/(1+η))
  if (power_ == Power::Hertz) return 2.5118864315095823e-10 * full;
  if (power_ == Power::Linear) return 1e-12 * full;
  if (power_ == Power::Square) return 1e-8 * full;
  return indentation(1e-24 * energy);
}

double ContactLaw::indentation(double energy) const {
  if (energy <= 0.0) return 0.0;
  if (power_ != Power::Tri) return std::pow((1.0 + eta_) * energy / K_, 1.0 / (1.0 + eta_));
  const double rest = energy - 0.5 * K_ * d_y_ * d_y_;
  if (rest <= 0.0) return std::sqrt(2.0 * energy / K_);
  // ½ k2 x² + F_y x = rest, in the form without cancellation.
  const double F_y = K_ * d_y_;
  return d_y_ + 2.0 * rest / (F_y + std::sqrt(F_y * F_y + 2.0 * k2_ * rest));
}

}  // namespace percute::laws
