// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "simulation/accumulation.hpp"
#include "simulation/contact_motion.hpp"

#include <percute/numerics/runge_kutta.hpp>
#include <percute/simulation/event_driven.hpp>
#include <percute/simulation/run_ledger.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace percute::simulation {

inline constexpr double kEps = std::numeric_limits<double>::epsilon();

/// One run of EventDriven: steps of smooth motion in event_driven_steps.cpp, what ends them in
/// event_driven_watch.cpp, what happens there in event_driven_events.cpp.
class EventDrivenRun {
 public:
  EventDrivenRun(const EventDriven& method, const AnySystem& system, const Moment& start,
                 const AnyLaw& law, const Observer& observer);
  Run run(const Moment& moment);

 private:
  /// q, v, and the energy that sliding of held contacts has taken in the step.
  using RungeKutta = numerics::RungeKutta<numerics::DormandPrince8, 1>;

  /// What a step must not pass.
  struct Watch {
    enum class Kind {
      None,
      Rough,    ///< gaps cannot be followed in steps of this length
      Gap,      ///< of a free contact reaches 0
      Load,     ///< a held contact would pull, or moves away
      Grip,     ///< friction of a sticking contact reaches its limit
      Sliding,  ///< stops
      Forces,   ///< no forces keep all held contacts as they are
    };
    Kind kind = Kind::None;
    int index = -1;     ///< contact, or place in held_
    double low = 0.0;   ///< s after the start of the step: not yet
    double high = 0.0;  ///< s: already
    double near = 0.0;  ///< s: about then
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
  bool rhs(double t, double* y, double* slope);
  void set_units(double h);
  double error_norm(const double* error) const;
  bool advance(double end);
  bool try_step(double& h);
  void take_step(double time);
  void tell_outputs(double d);
  bool restart();
  double first_step();
  void update_scales();
  void measure(const Vector& q, const Vector& v, Vector& gaps, Vector& rates);
  void read_state(const double* y, Vector& q, Vector& v) const;
  void write_state();

  // What ends them.
  Watch first_watch(double h);
  bool gaps_are_smooth(double h);
  bool surely_open(int i, double h) const;
  void look_at_gaps(double h, Watch& watch);
  void look_at_held(double h, Watch& watch);
  double dip(int contact, double from, double to, double& at);
  double gap_at(int contact, double theta);
  void dense_state(double theta, Vector& q, Vector& v);
  double held_margin(std::size_t place, Watch::Kind kind, double t, const Vector& q,
                     const Vector& v);
  bool stays(double t, const Vector& q, const Vector& v);
  double value(const Watch& watch, double d);
  double locate(Watch& watch, double h);
  double locate_gap(const Watch& watch, double h);
  double locate_crossing(const Watch& watch);

  // What happens there.
  bool happen(const Watch& watch);
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
  RungeKutta rk_;
  int n_;
  int m_;

  double t_;
  Vector q_;
  Vector v_;
  std::vector<HeldContact> held_;
  std::vector<char> is_held_;  // by contact
  double h_;                   // next step to try
  double proposed_ = 0.0;      // after the present one
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

  // Gaps and their rates at the start of a step and at its end, and what of them is rounding.
  Vector gaps_;
  Vector rates_;
  Vector end_gaps_;
  Vector end_rates_;
  Vector rounding_;  // of coordinates
  Vector noise_;
  Vector rate_noise_;
  Vector widest_;            // gap of each contact since it was closed: the way it has to come back
  Vector peaks_;             // widest in the present attempt
  double length_;            // of the scene, where the run began
  std::vector<int> struck_;  // in the impact that is under way
  Vector
      blind_;  // contacts that were let go and have not been seen open since: how deep they may be
  std::vector<RungeKutta::DenseCoefficients> dense_;
  Vector samples_;  // gaps at one point of the dense output
  Vector before_;   // and at the two before
  Vector earlier_;

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
