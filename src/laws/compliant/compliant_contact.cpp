// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/compliant/compliant_contact.hpp"

#include "model/text.hpp"

#include <percute/laws/single_contact.hpp>
#include <percute/model/invalid_input.hpp>

#include <cmath>
#include <numbers>
#include <string>

namespace percute::laws {

namespace {

using Force = Compliant::Force;
using Branch = ContactMemory::Branch;

/// δ^n; odd continuation below 0 for n = 1, nothing there otherwise.
double power(double d, double n) {
  if (n == 1.0) return d;
  if (d <= 0.0) return 0.0;
  if (n == 1.5) return d * std::sqrt(d);
  return std::pow(d, n);
}

void require_parameter(bool good, int i, const char* key, double value, const char* allowed) {
  if (good) return;
  throw InvalidInput("contacts[" + std::to_string(i) + "]." + key,
                     text(value) + " is not " + allowed);
}

}  // namespace

ContactForce::ContactForce(const Material& material, Force force, double effective_mass, int i)
    : force_(force),
      k_(material.stiffness),
      n_(material.exponent),
      e_(material.restitution),
      mass_(effective_mass) {
  const double damping = material.damping;
  switch (force) {
    case Force::Hertz:
      n_ = 1.5;
      break;
    case Force::Linear:
      n_ = 1.0;
      break;
    case Force::Power:
      break;
    case Force::KelvinVoigt:
      n_ = 1.0;
      [[fallthrough]];
    case Force::HuntCrossley:
      require_parameter(std::isfinite(damping) && damping >= 0.0, i, "damping", damping,
                        "a finite number >= 0");
      c_ = damping;
      break;
    case Force::KuwabaraKono:
    case Force::Tsuji:
      n_ = 1.5;
      require_parameter(std::isfinite(damping) && damping >= 0.0, i, "damping", damping,
                        "a finite number >= 0");
      c_ = beta_ = damping;
      if (force == Force::Tsuji) set_mass(mass_);
      break;
    case Force::LankaraniNikravesh:
      require_parameter(e_ >= 0.0 && e_ <= 1.0, i, "restitution", e_, "in [0, 1]");
      break;
    case Force::ExactRestitution:
    case Force::BiStiffness:
      require_parameter(e_ > 0.0 && e_ <= 1.0, i, "restitution", e_, "in (0, 1]");
      break;
    case Force::WaltonBraun:
      n_ = 1.0;
      k2_ = material.unloading_stiffness;
      require_parameter(std::isfinite(k2_) && k2_ >= k_, i, "unloading_stiffness", k2_,
                        "a finite number >= stiffness");
      break;
    case Force::TriStiffness:
      n_ = 1.0;
      if (!material.tri_stiffness) {
        throw InvalidInput("contacts[" + std::to_string(i) + "].tri_stiffness",
                           "is missing; force tri_stiffness needs yield_indentation, "
                           "plastic_stiffness and unloading_stiffness");
      }
      yield_ = material.tri_stiffness->yield_indentation;
      yield_force_ = k_ * yield_;
      k2_ = material.tri_stiffness->plastic_stiffness;
      k3_ = material.tri_stiffness->unloading_stiffness;
      break;
    case Force::Elastoplastic: {
      n_ = 1.5;
      modulus_ = material.effective_modulus;
      radius_ = material.effective_radius;
      const double pressure = material.yield_pressure;
      require_parameter(std::isfinite(modulus_) && modulus_ > 0.0, i, "effective_modulus", modulus_,
                        "a finite number > 0");
      require_parameter(std::isfinite(radius_) && radius_ > 0.0, i, "effective_radius", radius_,
                        "a finite number > 0");
      require_parameter(std::isfinite(pressure) && pressure > 0.0, i, "yield_pressure", pressure,
                        "a finite number > 0");
      // Hertz: F_y and δ_y where the largest pressure reaches p_y.
      const double strain = std::numbers::pi * pressure / (2.0 * modulus_);
      yield_ = radius_ * strain * strain;
      k_ = 4.0 / 3.0 * modulus_ * std::sqrt(radius_);
      yield_force_ = k_ * power(yield_, 1.5);
      k2_ = std::numbers::pi * pressure * radius_;
      break;
    }
  }
}

double ContactForce::unloading(double d, const ContactMemory& memory) const {
  const double above = d - memory.residual;
  switch (force_) {
    case Force::BiStiffness:
      return memory.force * power(above / (memory.largest - memory.residual), n_);
    case Force::WaltonBraun:
      return k2_ * above;
    case Force::TriStiffness:
      return k3_ * above;
    default:
      // Hertz with the larger radius R_p that passes through (δ_m, F_m).
      return memory.force * power(above / (memory.largest - memory.residual), 1.5);
  }
}

double ContactForce::operator()(double d, double rate, const ContactMemory& memory) const {
  if (memory.branch == Branch::Unloading) return unloading(d, memory);
  if (memory.branch == Branch::Plastic) return yield_force_ + k2_ * (d - yield_);
  const double elastic = k_ * power(d, n_);
  switch (force_) {
    case Force::KelvinVoigt:
      return elastic + c_ * rate;
    case Force::HuntCrossley:
    case Force::LankaraniNikravesh:
    case Force::ExactRestitution:
      return elastic * (1.0 + memory.damping * rate);
    case Force::KuwabaraKono:
      return d > 0.0 ? elastic + c_ * std::sqrt(d) * rate : 0.0;
    case Force::Tsuji:
      return d > 0.0 ? elastic + c_ * std::sqrt(std::sqrt(d)) * rate : 0.0;
    default:
      return elastic;
  }
}

double ContactForce::push(double d, double rate, const ContactMemory& memory) const {
  if (memory.branch == Branch::Unloading) return d - memory.residual;
  switch (force_) {
    case Force::KelvinVoigt:
      return k_ * d + c_ * rate;
    case Force::HuntCrossley:
    case Force::LankaraniNikravesh:
    case Force::ExactRestitution:
      return 1.0 + memory.damping * rate;
    case Force::KuwabaraKono:
      return k_ * d + c_ * rate;
    case Force::Tsuji:
      return k_ * (d > 0.0 ? d * std::sqrt(std::sqrt(d)) : d) + c_ * rate;
    default:
      return d;
  }
}

double ContactForce::stored(double d, const ContactMemory& memory) const {
  if (memory.branch == Branch::Unloading) {
    if (d <= memory.residual) return 0.0;
    const double n = force_ == Force::Elastoplastic ? 1.5 : n_;
    return unloading(d, memory) * (d - memory.residual) / (n + 1.0);
  }
  if (d <= 0.0) return 0.0;
  // A curve the contact would leave gives back what the curve down from here encloses.
  if (hysteretic(memory.branch)) {
    ContactMemory turned = memory;
    turn(d, turned);
    return stored(d, turned);
  }
  return k_ * power(d, n_) * d / (n_ + 1.0);
}

bool ContactForce::hysteretic(Branch branch) const {
  if (branch == Branch::Unloading) return false;
  if (force_ == Force::BiStiffness || force_ == Force::WaltonBraun) return true;
  return branch == Branch::Plastic;
}

bool ContactForce::conservative() const {
  return force_ == Force::Hertz || force_ == Force::Linear || force_ == Force::Power;
}

bool ContactForce::damped() const {
  return force_ == Force::KelvinVoigt || force_ == Force::HuntCrossley ||
         force_ == Force::LankaraniNikravesh || force_ == Force::ExactRestitution ||
         force_ == Force::KuwabaraKono || force_ == Force::Tsuji;
}

ContactMemory ContactForce::closed_at(double speed, double minimum_speed) const {
  ContactMemory memory;
  const double v0 = std::max(speed, minimum_speed);
  if (force_ == Force::HuntCrossley) memory.damping = c_;
  if (force_ == Force::LankaraniNikravesh) memory.damping = 0.75 * (1.0 - e_ * e_) / v0;
  if (force_ == Force::ExactRestitution) memory.damping = hunt_crossley_damping(e_) / v0;
  return memory;
}

void ContactForce::turn(double d, ContactMemory& memory) const {
  memory.force = (*this)(d, 0.0, memory);
  memory.largest = d;
  switch (force_) {
    case Force::BiStiffness:
      memory.residual = (1.0 - e_ * e_) * d;
      break;
    case Force::WaltonBraun:
      memory.residual = d * (1.0 - k_ / k2_);
      break;
    case Force::TriStiffness:
      memory.residual = d - memory.force / k3_;
      break;
    default: {
      // R_p = (4E*/3F_m)(R* δ_m)^(3/2);  δ_m − δ_p = (3F_m/(4E*√R_p))^(2/3)
      const double stretch = 4.0 * modulus_ / (3.0 * memory.force) * power(radius_ * d, 1.5);
      memory.residual =
          d - std::cbrt(std::pow(3.0 * memory.force / (4.0 * modulus_ * std::sqrt(stretch)), 2.0));
      break;
    }
  }
  memory.branch = Branch::Unloading;
}

void ContactForce::set_mass(double effective_mass) {
  mass_ = effective_mass;
  c_ = beta_ * std::sqrt(mass_ * k_);
}

double ContactForce::indentation_of(double energy) const {
  return std::pow((n_ + 1.0) * energy / k_, 1.0 / (n_ + 1.0));
}

double ContactForce::negligible_indentation(double speed) const {
  return indentation_of(1e-24 * 0.5 * mass_ * speed * speed);
}

bool ContactForce::precompressible(Force force) {
  return force != Force::LankaraniNikravesh && force != Force::ExactRestitution &&
         force != Force::TriStiffness && force != Force::Elastoplastic;
}

double ContactForce::time_scale(double speed) const {
  return std::pow(mass_ / (k_ * std::pow(speed, n_ - 1.0)), 1.0 / (n_ + 1.0));
}

double ContactForce::settling_speed(double acceleration) const {
  return std::pow(std::pow(acceleration, n_ + 1.0) * mass_ / k_, 0.5 / n_);
}

// ------------------------------------------------------------------------------------- changes

double CompliantContact::watch(ContactChange change, double gap, double U) const {
  switch (change) {
    case ContactChange::Close:
      return gap;
    case ContactChange::Reopen:
      return -gap;
    case ContactChange::Release:
      return law.push(-gap, -U, memory);
    case ContactChange::Reload:
      return -law.push(-gap, -U, memory);
    case ContactChange::Turn:
    case ContactChange::CompressionEnd:
      return -U;
    case ContactChange::Recompress:
      return U;
    case ContactChange::Return:
      return memory.largest + gap;
    case ContactChange::Yield:
      return law.yield() + gap;
    case ContactChange::Pass:
      return -U;
    case ContactChange::Friction:
      break;
  }
  return 1.0;
}

void CompliantContact::apply(ContactChange change, double gap, double U, double minimum_speed) {
  switch (change) {
    case ContactChange::Close:
      memory = law.closed_at(-U, minimum_speed);
      mode = Mode::Touching;
      compressing = true;
      break;
    case ContactChange::Reopen:
      mode = Mode::Apart;
      break;
    case ContactChange::Release:
      mode = Mode::Released;
      break;
    case ContactChange::Reload:
      mode = Mode::Touching;
      compressing = U < 0.0;
      break;
    case ContactChange::Turn:
      law.turn(-gap, memory);
      compressing = false;
      break;
    case ContactChange::CompressionEnd:
      compressing = false;
      break;
    case ContactChange::Recompress:
      compressing = true;
      break;
    case ContactChange::Return:
      memory.branch =
          law.yields() ? ContactMemory::Branch::Plastic : ContactMemory::Branch::Loading;
      break;
    case ContactChange::Yield:
      memory.branch = ContactMemory::Branch::Plastic;
      break;
    case ContactChange::Pass:
    case ContactChange::Friction:
      break;
  }
}

}  // namespace percute::laws
