// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/stick_set.hpp"

#include <array>
#include <vector>

namespace percute::laws {

/// Coulomb friction of the contacts that are loaded: with normal forces λ and sliding velocities
/// U_t,
///
///     sliding    f = −μ λ u,  u = U_t/|U_t|,
///     sticking   dU_t/dτ = 0 for all contacts that stick, together.
///
/// Who slides and who sticks is kept between events, and so is the direction of planar sliding:
/// forces are smooth within a step and may be continued beyond an event.
///
/// In space a contact that slides from rest is drawn to one direction the faster the slower it
/// slides. While it is slow its direction is not that of U_t but follows from the forces: the one
/// in which friction and drive agree, dU_t/dτ along u; slow_sliding.cpp adds how it lags behind.
class FrictionModes {
 public:
  enum class Mode : unsigned char { Off, Slide, Stick };
  using Direction = std::array<double, 2>;

  /// Sliding slower than `stop` has stopped; a contact that began to slide is slow below `slow`.
  void assign(const FrictionSetup& setup, double stop, double slow);

  Mode mode(int i) const { return now_.modes[static_cast<std::size_t>(i)]; }
  bool slides(int i) const { return mode(i) == Mode::Slide; }
  bool sticks(int i) const { return mode(i) == Mode::Stick; }
  bool slow(int i) const { return now_.slow[static_cast<std::size_t>(i)] != 0; }
  bool any_slow() const { return now_.slow_count > 0; }
  const Direction& direction(int i) const { return now_.direction[static_cast<std::size_t>(i)]; }

  /// Tangential forces in the present modes, whatever the limits of sticking. Slow contacts have
  /// the direction they were given last.
  void forces(const double* lambda, const double* U_t, double* f);
  void direct(int i, const Direction& u) { now_.direction[static_cast<std::size_t>(i)] = u; }
  /// forces() with limits; redundant contacts share them so that all limits are kept, if they can
  /// be.
  void forces_within(const double* lambda, const double* U_t, double* f);
  /// The share of redundant contacts in the impulses from p0 to p1 (normal, then tangential rows)
  /// is changed so that it is within the limits. Velocities do not change.
  void share_impulses(const double* p0, double* p1);
  /// Positive while contact i can stick, with the forces of the last
  /// forces_within(): μ λ − |f|.
  double margin(int i, const double* lambda, const double* f) const;
  /// |f|/(μ λ) of contact i, that sticks; 0 where friction is infinite.
  double strain(int i, const double* lambda, const double* f) const;

  /// Positive while contact i slides on: its velocity along its direction at the last refresh.
  double along(int i, const double* U_t) const;
  double speed(int i, const double* U_t) const;
  double stop_speed() const { return stop_; }
  bool stopped(int i, const double* U_t) const;
  /// Takes over the present directions of sliding.
  void refresh(const double* U_t);

  /// Largest speed of slow contacts, over what is slow.
  double outrun(const double* U_t) const;
  /// Contact i is not slow any more.
  void hurry(int i);
  void turn_off(int i);
  /// Contact i has just been loaded. False if it is at rest, to be settled.
  bool begin(int i, const double* U_t);
  /// Decides who of the contacts that stick, and of `resting`, sticks and who slides where to.
  void settle(const std::vector<int>& resting, const double* lambda, const double* U_t);
  /// Contact i is at its limit, with the forces f: slides the way it was held from.
  void release(int i, const double* f, const double* U_t);
  bool redundant() const { return stick_.redundant(); }
  bool any_stick() const { return !stick_.empty(); }
  /// Keeps who slides and who sticks, to be restored.
  void remember() { kept_ = now_; }
  void restore();

 private:
  /// Who slides and who sticks, one entry per contact.
  struct State {
    std::vector<Mode> modes;
    std::vector<Direction> direction;
    std::vector<Direction> origin;  ///< U_t where the contact last began to slide from rest
    std::vector<char> slow;
    int slow_count = 0;
  };

  Direction sliding(int i, const double* U_t) const;
  void slide_forces(const double* lambda, const double* U_t, double* f);
  void stick_forces(const double* lambda, double* f);
  void find_limits(const double* lambda);
  void drive(const double* lambda, const double* f);
  bool share(const double* f);
  bool slow_down(const double* U_t);
  void let_go(int i, Direction direction, const double* U_t);
  void gather();

  const FrictionSetup* setup_ = nullptr;
  double stop_ = 0.0;
  double slow_speed_ = 0.0;
  State now_;
  State kept_;
  StickSet stick_;
  bool held_ = true;  ///< redundant contacts: the limits admit forces that hold them
  std::vector<int> list_;
  std::vector<double> c_;      ///< rows of the stick set
  std::vector<double> limit_;  ///< contacts of the stick set
  std::vector<double> f_;      ///< rows of the stick set
  std::vector<double> rate_;   ///< rows of the stick set
  std::vector<double> trial_;  ///< tangential rows
};

}  // namespace percute::laws
