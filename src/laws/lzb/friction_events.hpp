// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/friction_step.hpp"

#include <array>
#include <vector>

namespace percute::laws {

/// A function that announces an event of a contact: positive until it happens.
struct FrictionWatch {
  enum class Kind : unsigned char {
    GapRate,  ///< ±U_n
    Target,   ///< ±(ξ − target)
    Stop,     ///< velocity along the direction of sliding
    Slip,     ///< μ λ − |f| of a contact that sticks
  };
  int contact = -1;
  Kind kind = Kind::GapRate;
  double sign = 1.0;
  double floor = 0.0;  ///< below it, the function counts as zero
};

/// An event inside a step, at the fraction θ of it; θ = 2 if there is none.
struct FrictionCrossing {
  FrictionWatch watch;
  double theta = 2.0;
  bool armed = true;  ///< false: the function was never positive, the event belongs to the start
};

/// Finds the events inside a step of an impact with friction: only the ends of the step, and the
/// cubic between them, are looked at unless they give reason for suspicion.
class FrictionEvents {
 public:
  void assign(const ImpactSetup& setup, const FrictionSetup& friction, const ContactPhases& phases);

  /// True if the dense output is needed to tell what happened.
  bool suspect(FrictionStep& step, double h);
  FrictionCrossing earliest(FrictionStep& step);

  double value(const FrictionWatch& w, const FrictionStep& step, const double* y,
               const double* U) const;
  double slope(const FrictionWatch& w, const FrictionStep& step, const double* f,
               const double* a) const;

  /// Calls visit(FrictionWatch) for what contact i is watched by, Slip excepted.
  template <class Visit>
  void for_each_watch(int i, const FrictionStep& step, Visit&& visit) const {
    using Kind = FrictionWatch::Kind;
    const ContactState& s = (*phases_)[i];
    const double still = 10.0 * setup_->noise;
    double sign = 0.0;
    if (s.phase == Phase::Compressing) sign = -1.0;
    if (s.phase == Phase::Expanding || (s.phase == Phase::Open && !setup_->tracked_gap)) sign = 1.0;
    if (sign != 0.0) {
      visit(FrictionWatch{.contact = i, .kind = Kind::GapRate, .sign = sign, .floor = still});
    }
    if (s.has_target && i != step.landing()) {
      const bool above = s.phase == Phase::Expanding || (s.phase != Phase::Open && s.passive);
      visit(FrictionWatch{.contact = i,
                          .kind = Kind::Target,
                          .sign = above ? 1.0 : -1.0,
                          .floor = setup_->closest[i]});
    }
    if (step.modes.slides(i)) {
      visit(FrictionWatch{.contact = i, .kind = Kind::Stop, .floor = still});
    }
  }

  /// Forces of all rows at the state y with velocities U: λ, then f.
  const double* forces(FrictionStep& step, const double* y, const double* U);

 private:
  using RK = FrictionStep::RK;
  using Coefficients = RK::DenseCoefficients;

  static constexpr int kPlaces = 4;
  using Margins = std::array<double, kPlaces>;

  void suspect_slips(FrictionStep& step, double h);
  bool suspicious(const FrictionWatch& w, const FrictionStep& step, double h) const;
  Coefficients coefficients(const FrictionWatch& w, const FrictionStep& step) const;
  FrictionCrossing crossing(const FrictionWatch& w, const FrictionStep& step) const;
  FrictionCrossing slip(const FrictionWatch& w, FrictionStep& step, double until);

  const ImpactSetup* setup_ = nullptr;
  const FrictionSetup* friction_ = nullptr;
  const ContactPhases* phases_ = nullptr;
  std::vector<FrictionWatch> suspects_;
  std::vector<double> forces_;  ///< rows
  std::vector<double> U_;       ///< rows
  std::vector<double> inside_;  ///< ξ, P and P_t inside a step
  std::vector<Margins> margins_;
};

}  // namespace percute::laws
