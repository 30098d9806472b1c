// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/hybrid_integrator.hpp"
#include "simulation/accumulation.hpp"
#include "simulation/contact_motion.hpp"

#include <percute/simulation/event_driven.hpp>
#include <percute/simulation/run_ledger.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace percute::simulation {

inline constexpr double kEps = std::numeric_limits<double>::epsilon();

/// One run of EventDriven: steps of smooth motion in event_driven_steps.cpp, what ends them in
/// event_driven_watch.cpp, what happens there in event_driven_events.cpp.
class EventDrivenRun : public numerics::HybridClient {
 public:
  EventDrivenRun(const EventDriven& method, const AnySystem& system, const Moment& start,
                 const AnyLaw& law, const Observer& observer);
  EventDrivenRun(const EventDrivenRun&) = delete;
  EventDrivenRun& operator=(const EventDrivenRun&) = delete;
  Run run(const Moment& moment);

  // What HybridIntegrator asks.
  bool slope(double t, double* y, double* slope);
  double norm(const double* error) const;
  void measure(const double* end);
  double time_scale() const { return std::abs(t_); }
  double longest_step() const { return system_.longest_step(t_); }
  bool trusted();
  bool exact() const { return true; }
  bool prepare_guards();
  int guards() const { return static_cast<int>(watches_.size()); }
  void evaluate_guards(double t, const double* y, double* g, int which);
  bool costly(int k) const { return watched(k).kind != Watch::Kind::Gap; }
  bool oversteps(int k) const { return costly(k); }
  Late late(int k, double g, double t) const;
  int looks(double h) const;
  void passed(double until);

 private:
  /// What a step must not pass.
  struct Watch {
    enum class Kind {
      Gap,      ///< of a free contact reaches 0
      Load,     ///< a held contact would pull, or moves away
      Grip,     ///< friction of a sticking contact reaches its limit
      Sliding,  ///< stops
      Forces,   ///< no forces keep all held contacts as they are
    };
    Kind kind = Kind::Gap;
    int index = -1;      ///< contact, or place in held_
    double above = 0.0;  ///< gaps must be so wide: rounding, where it has not been seen open
  };

  /// Why contacts are looked at anew.
  enum class Settle {
    Impact,  ///< velocities have jumped: slow rebounds are taken as contact
    Forces,  ///< a load, or friction, has reached its limit
  };

  /// Contacts whose bounces are left out from now on, ascending.
  struct Cut {
    std::vector<int> contacts = {};
    bool in_turns = false;  ///< they bounce because of each other
  };

  // The whole.
  bool start(const Moment& moment);
  void refuse_open_joints();
  bool begin();
  void remember(Moment& moment) const;
  void recall(const Moment& start);
  bool fail(RunStatus status, std::string reason);
  std::string names(const std::vector<int>& contacts) const;

  // Steps.
  bool advance(double end);
  void take_step();
  bool restart();
  double first_step();
  void update_scales();
  void update_forced(const double* acceleration);
  void measure_gaps(const Vector& q, const Vector& v, Vector& gaps, Vector& rates);
  void read_state(const double* y, Vector& q, Vector& v) const;
  double peak(int i) const;

  // What ends them.
  bool surely_open(int i, double h) const;
  double held_margin(const Watch& watch, double t);
  bool stays(double t, const Vector& q, const Vector& v);
  const Watch& watched(int k) const { return watches_[static_cast<std::size_t>(k)]; }

  // What happens there.
  bool happen(const Watch& watch, bool at_once);
  bool impact(int contact = -1);
  bool strike(const std::vector<int>& closed, bool& struck);
  Matrix joint_motions() const;
  void note_friction(const ImpactProblem& problem, const ImpactResult& result);
  void note_sliding(int contact);
  bool settle(Settle why, const std::vector<int>& forced = {},
              const std::vector<HeldContact>& slipping = {});
  bool settle_forces(const std::vector<int>& closed, const std::vector<HeldContact>& slipping,
                     ContactMotion::Settled& settled);
  void sort_touching(Settle why, const std::vector<int>& forced, std::vector<int>& closed,
                     std::vector<int>& rebounds);
  void hold(const std::vector<HeldContact>& contacts);
  bool held(int contact) const { return is_held_[static_cast<std::size_t>(contact)] != 0; }
  double lowest_rebound(int i);
  double flight(int i);
  double next_closing(const std::vector<HeldContact>& others);
  Cut foresee(const std::vector<int>& rebounds, const std::vector<HeldContact>& others,
              const Cut& collapsing);
  std::vector<int> impatient(const std::vector<int>& rebounds, bool collapses);
  double time_alone(int i);
  bool slows_down() const;
  double end_slack(double left, const std::vector<int>& rebounds) const;
  Cut follow_collapse(const std::vector<HeldContact>& others);
  void end_turns(const std::vector<HeldContact>& old);
  bool tell_disturbed();
  void warn_of_small_gap(int struck, int left_out);
  bool tell(const Event& event);
  bool tell(EventKind kind, std::vector<int> contacts, const Vector& before,
            double dissipated = 0.0);
  bool tell_changes(const std::vector<HeldContact>& old, const Vector& v_before, double lost);
  bool tell_accumulation(const Accumulation::Ending& ending);
  bool tell_accumulations();

  /// Gaps up to this are closed when contacts are held: the projection onto them moves no more.
  /// A part of the way that the contact came, never less than the last digits of the scene's
  /// lengths.
  double hold_gap(int i) const {
    constexpr double kOfGrouping = 1e-3;
    const double closed = method_.grouping ? *method_.grouping : kSimultaneous * widest_[i];
    return std::max(kOfGrouping * closed, last_digits(i));
  }
  /// Contact i takes part in the impact of another if it approaches and its gap is not wider.
  double grouping_gap(int i, int struck) const {
    if (method_.grouping) return *method_.grouping;
    const double way = struck < 0 ? widest_[i] : std::min(widest_[i], widest_[struck]);
    return std::max(kSimultaneous * way, last_digits(i));
  }
  double last_digits(int i) const {
    constexpr double kDigits = 1e-13;
    return std::max(kDigits * length_, kUnseen * noise_[i]);
  }
  /// Contacts that slide more slowly do not slide: rounding of the fastest, m/s.
  double stick_speed() const {
    return 1e-10 * sliding_unit_ + 1e-8 * ledger_.micro_bounce_velocity();
  }
  /// Contacts close at the same instant if all but this part of their ways is behind them.
  static constexpr double kSimultaneous = 1e-6;
  /// Gaps must open by this many times their rounding to be seen open.
  static constexpr double kUnseen = 4.0;

  const EventDriven& method_;
  const AnySystem& system_;
  const AnyLaw& law_;
  RunLedger ledger_;
  ContactMotion motion_;
  /// q, v, and the energy that sliding of held contacts has taken in the step.
  numerics::HybridIntegrator<EventDrivenRun, 1> integrator_;
  int n_;
  int m_;

  double t_;
  Vector q_;
  Vector v_;
  std::vector<HeldContact> held_;
  std::vector<char> is_held_;  // by contact
  bool resumed_ = false;
  bool stopped_ = false;  // an observer wants to stop
  RunStatus status_ = RunStatus::Ok;
  std::string reason_;

  // Scales of errors.
  double energy_ = 0.0;  // largest kinetic energy of a coordinate by itself
  double forced_ = 0.0;  // that which forces would give to one in a second, from rest
  Vector origin_;        // where the run began
  Vector reach_;         // largest distance from there, by coordinate
  Vector mass_;          // diagonal of M at the start of the step
  Vector unit_;          // of each number of the state, in the present attempt

  // Gaps and their rates at the start of a step and at its end (once it is taken, the other way
  // round), and what of them is rounding.
  Vector gaps_;
  Vector rates_;
  Vector end_gaps_;
  Vector end_rates_;
  Vector rounding_;  // of coordinates
  Vector noise_;
  Vector rate_noise_;
  Vector widest_;            // gap of each contact since it was closed: the way it has to come back
  double length_;            // of the scene, where the run began
  std::vector<int> struck_;  // in the impact that is under way
  Vector
      blind_;  // contacts that were let go and have not been seen open since: how deep they may be
  Vector samples_;  // gaps inside a step
  std::vector<Watch> watches_;

  bool has_friction_ = false;  // some contact has
  bool law_rubs_ = true;       // and the law uses it
  double sliding_unit_ = 0.0;  // fastest sliding of a contact, or more, m/s
  double impact_speed_ = 0.0;  // largest approach of the last impact
  double kept_ = 0.0;          // part of it that a single contact kept
  Accumulation accumulation_;
  double standing_since_ = -Accumulation::kNever;
  int standing_ = 0;  // events since then

  Vector qs_;  // memory to work in
  Vector vs_;
  Vector as_;
  Vector column_;
  Matrix M_;
};

}  // namespace percute::simulation
