// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/compliant/contact_dynamics.hpp"
#include "model/text.hpp"
#include "simulation/contact_gaps.hpp"
#include "simulation/moment_checks.hpp"
#include "simulation/moving_mechanism.hpp"
#include "simulation/run_ledger.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/simulation/compliant_motion.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace percute::simulation {

namespace {

/// Forces start and end with fractional powers, where the error estimate of a Runge–Kutta pair says
/// up to a hundred times too little.
constexpr double kEstimateDeficit = 0.01;
constexpr double kFirstStep = 1e-3;       ///< after a touch, of its time scale
constexpr double kStepAfterEvent = 1e-2;  ///< of the time scale
constexpr double kLongestStep = 1e6;      ///< s
constexpr int kMostEventsAtOnce = 1000;

/// How long time has stood still: events without time between them, and the steps taken since it
/// last went on by as much as a compression takes.
struct Standstill {
  int events = 0;
  std::vector<int> contacts;  ///< of these events, ascending
  double start = 0.0;         ///< of a stretch as long as a compression, s
  long steps = 0;             ///< when it began, taken and rejected
};

/// One run of CompliantMotion.
class CompliantRun final : public laws::ContactDynamics {
 public:
  CompliantRun(const CompliantMotion& method, const AnySystem& system, MovingMechanism& mechanism,
               const contact::FrictionRows& rows, const Moment& start, const Observer& observer)
      : ContactDynamics(mechanism, rows, method.law),
        method_(method),
        system_(system),
        bodies_(mechanism),
        ledger_(system, method.run, observer, start),
        memory_{.forces = std::vector<CompliantMemory::Force>(contacts_.size()),
                .phases = std::vector<CompliantMemory::Phase>(contacts_.size())},
        totals_(contacts_.size()),
        outlook_(system) {
    begin(start);
  }
  Run run() {
    const auto when = [this] { return " at t = " + text(integrator_.time()) + " s"; };
    const bool restarted = integrator_.restarted();  // it begins with a change, not after a step
    const bool defined = integrator_.restart();
    if (failed_ || !defined) return finish(RunStatus::NotConverged, failure() + when());
    integrator_.set_restarted(restarted);
    still_.start = integrator_.time();
    first_step();
    if (ledger_.next_output() <= integrator_.time()) {
      const MotionState now = motion();
      ledger_.output(now.time, now.q, now.v);
    }
    while (!ledger_.stopped() && integrator_.time() < ledger_.end_time()) {
      if (ledger_.too_many_events()) {
        return finish(RunStatus::NotTerminated, ledger_.limit_reached() + when());
      }
      if (integrator_.time() > 1e6 * kLongestStep) {
        return finish(RunStatus::NotTerminated, "nothing ever touches");
      }
      if (still_.events > kMostEventsAtOnce) {
        return finish(RunStatus::NotConverged, "changes without end at one instant of " +
                                                   named(still_.contacts, system_) + when());
      }
      if (stalls()) {
        return finish(RunStatus::NotTerminated,
                      "law.max_steps = " + std::to_string(law_.max_steps) + " steps covered only " +
                          text(integrator_.time() - still_.start) + " s; one compression takes " +
                          text(units_.time) + " s;" + loaded_contacts() + when());
      }
      if (!advance()) return finish(RunStatus::NotConverged, failure() + when());
    }
    return finish(RunStatus::Ok, {});
  }
  void warn(std::string warning) { ledger_.warn(std::move(warning)); }

  /// Outputs inside the step, and the largest force of damped contacts; others have theirs where
  /// compression ends.
  void passed(double until) override {
    const double start = integrator_.time();
    const double h = integrator_.step();
    ledger_.outputs(start + until * h, [&](double asked) {
      MotionState inside = motion();
      inside.read(asked, integrator_.inside(std::clamp((asked - start) / h, 0.0, until)));
      ledger_.output(asked, inside.q, inside.v);
    });
    find_peaks(until, [&](int i, double theta, double F) { note_force(i, start + theta * h, F); });
  }
  bool interrupted() override { return false; }
  double time_scale() const override { return std::abs(integrator_.time()); }

 private:
  using Mode = laws::CompliantContact::Mode;

  /// No contact has a force.
  bool in_flight() const {
    return std::none_of(contacts_.begin(), contacts_.end(),
                        [](const auto& one) { return one.touching(); });
  }
  /// Whether some other contact is compressed or released faster than contacts at rest are.
  bool impact_under_way(int except) const {
    for (int i = 0; i < m(); ++i) {
      if (i == except || !contact(i).touching()) continue;
      if (std::abs(now_.U[i]) > micro_bounce()) return true;
    }
    return false;
  }
  bool advance() {
    const double time = integrator_.time();
    const double end = std::min(ledger_.end_time(), time + system_.longest_step(time));
    const double wanted = std::min(integrator_.next_step(), kLongestStep);
    const double smooth = smooth_step(std::min(wanted, end - time));
    integrator_.set_next_step(smooth < end - time ? smooth : wanted);
    const long before = evaluations_;
    const auto step = integrator_.advance(end);
    if (step.failed) return false;
    ++ledger_.counts().steps;
    ledger_.counts().iterations += evaluations_ - before;
    units_.energy = std::max(0.5 * bodies_.speed() * bodies_.speed(), 1e-300);
    if (!refresh()) return false;
    const double now = integrator_.time();
    const bool moved = now > time;
    if (moved) finish_step();
    const bool event = step.event >= 0;
    const bool died = !event && friction_.decides() && !in_flight() &&
                      friction_.died(now_.U.data() + m(), now_.a.data() + m());
    if (!event && !died) return true;
    note_at_once(moved, event ? watched(step.event).contact : -1);
    if (died) return restart(true);
    const laws::ContactWatch watch = watched(step.event);
    if (watch.change == Change::Close && still_open(watch.contact)) return true;
    apply(watch.contact, watch.change);
    if (watch.change == Change::Close) close_touching();
    return restart(laws::is_felt(watch.change));
  }
  /// Tells the state at the end of a step.
  void finish_step() {
    const MotionState now = motion();
    for (int i = 0; i < m(); ++i) {
      if (contact(i).touching()) note_force(i, now.time, now_.F[i]);
    }
    ledger_.set_stored_energy(stored());
    ledger_.step(now.time, now.q, now.v, true);
    if (!in_flight()) ledger_.in_contact(now.time);
  }
  /// After every change: friction is decided anew, and the slope. `felt`: by forces.
  bool restart(bool felt) {
    if (!refresh()) return false;
    measure_contacts();
    set_tolerances();
    if (!decide() || !integrator_.restart()) return false;
    if (!felt) return true;
    memory_.smooth_until = 0.0;  // other contacts are open
    if (!in_flight()) {
      integrator_.set_next_step(std::min(integrator_.next_step(), kStepAfterEvent * units_.time));
    }
    return true;
  }
  void set_tolerances() {
    bodies_.set_units(units_.time, units_.speed);
    units_.tolerance = in_flight() ? method_.tolerance : kEstimateDeficit * law_.tolerance;
    units_.energy = std::max(0.5 * bodies_.speed() * bodies_.speed(), 1e-300);
  }
  /// Speeds of contacts with a force, and the shortest time of a compression.
  void measure_contacts() {
    const contact::FrictionRows& rows = friction_.rows();
    double shortest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < m(); ++i) {
      if (!contact(i).touching()) continue;
      memory_.fastest = std::max(memory_.fastest, std::abs(now_.U[i]));
      for (int k = m() + rows.row(i); k < m() + rows.row(i) + rows.size(i); ++k) {
        memory_.fastest = std::max(memory_.fastest, std::abs(now_.U[k]));
      }
      shortest = std::min(shortest, memory_.phases[static_cast<std::size_t>(i)].time);
    }
    units_.speed = std::max({memory_.fastest, memory_.approach, 1e-300});
    if (std::isfinite(shortest)) units_.time = shortest;
  }
  /// A small part of the time in which velocities change by themselves, or of the run.
  void first_step() {
    if (integrator_.next_step() > 0.0) return;
    const Eigen::Index n = system_.coordinates();
    Vector moved(n);
    const Vector acceleration = Eigen::Map<const Vector>(integrator_.slope() + n, n);
    bodies_.solver().multiply(acceleration, moved);
    const double size = std::sqrt(std::max(acceleration.dot(moved), 0.0));
    double h = 1e-3 * method_.run.duration.value_or(1.0);
    if (bodies_.speed() > 0.0 && size > 0.0) h = std::min(h, 1e-2 * bodies_.speed() / size);
    if (!in_flight()) h = std::min(h, kFirstStep * units_.time);
    // From both of its ends many turns of a body may look like none: up from steps without a turn.
    constexpr int kDoublings = 20;
    double sure = std::ldexp(h, -kDoublings);
    while (sure < h && smooth_step(2.0 * sure) > sure) sure *= 2.0;
    integrator_.set_next_step(sure);
  }
  /// The longest step, at most h, in which gaps do nothing that looks at them would miss.
  double smooth_step(double h) {
    constexpr int kHalvings = 60;  // from the longest step to 1e-12 s
    const double now = integrator_.time();
    if (now + h <= memory_.smooth_until) return h;
    outlook_.begin(now, integrator_.state(), integrator_.slope());
    for (int i = 0; i < m(); ++i) {
      if (contact(i).mode == Mode::Apart) outlook_.add(i);
    }
    if (outlook_.empty()) return h;
    for (int k = 0; k < kHalvings && !outlook_.smooth(h); ++k) h *= 0.5;
    // One look for the steps to come: if nothing turns by 1 rad in h, both halves of 8 h are not
    // turns.
    constexpr double kSteps = 8.0;
    memory_.smooth_until = now + (outlook_.smooth(kSteps * h) ? kSteps * h : h);
    return h;
  }
  /// Touches are found by interpolation, whose error may leave a gap where the step ends: then the
  /// next step, as long as that gap is wide, finds the touch.
  bool still_open(int i) {
    constexpr double kClosed = 10.0;  // times rounding of gaps
    constexpr double kShort = 1e-13;  // of times: what closes within their rounding is closed
    const double gap = now_.gap[i];
    if (!(gap > kClosed * mechanism_.gap_noise(i))) return false;
    if (now_.U[i] >= 0.0) return true;  // it passed
    const double left = gap / -now_.U[i];
    if (left <= kShort * time_scale()) return false;
    integrator_.set_next_step(std::min(integrator_.next_step(), 2.0 * left));
    return true;
  }
  void note_force(int i, double time, double force) {
    ContactTotals& total = totals_[static_cast<std::size_t>(i)];
    if (force <= total.peak_force) return;
    total.peak_force = force;
    total.peak_force_time = time;
  }

  /// The force of contact i as it closes here, with the mass that is effective here.
  void make_force(int i) {
    contact(i).law = laws::ContactForce(system_.contact(i, motion().q).material, law_.force,
                                        mechanism_.effective_mass(i), i);
  }
  /// What closes no faster than rebounds that are none, or than its load would let it settle, has
  /// the damping, and the time scale, of one that does, m/s.
  double slowest_closing(int i) const {
    constexpr double kPart = 1e-3;
    const Eigen::Index n = system_.coordinates();
    Vector gradient(n);
    system_.gradient(i, motion().q, gradient);
    const double load =
        std::abs(gradient.dot(Eigen::Map<const Vector>(integrator_.slope() + n, n)));
    return std::max(
        {kPart * memory_.approach, micro_bounce(), kPart * contact(i).law.settling_speed(load)});
  }
  void apply(int i, Change change) {
    laws::CompliantContact& state = contact(i);
    const bool touched = state.touching();
    const double U = now_.U[i];
    const double lost_before = lost(i);  // what a contact released too early stored may come back
    const double time = integrator_.time();
    if (change == Change::Close) {
      make_force(i);
      memory_.approach = std::max(memory_.approach, -U);
    }
    state.apply(change, now_.gap[i], U, law_.minimum_speed.value_or(slowest_closing(i)));
    if (touched == state.touching()) return;
    ContactTotals& total = totals_[static_cast<std::size_t>(i)];
    CompliantMemory::Phase& phase = memory_.phases[static_cast<std::size_t>(i)];
    if (touched) {
      friction_.turn_off(i);
      total.duration += time - phase.start;
      tell(i, EventKind::ContactEnds);
      return;
    }
    const bool impact = -U > micro_bounce() && !impact_under_way(i);
    ++total.phases;
    double closing = std::max(-U, slowest_closing(i));
    if (!(closing > 0.0))
      closing = std::max(bodies_.speed(), 1.0);  // nothing moves, nothing presses
    memory_.fastest = std::max(memory_.fastest, closing);
    phase = {.start = time,
             .impulse = integrator_.state()[impulse() + i],
             .lost = lost_before,
             .time = state.law.time_scale(closing)};
    integrator_.set_next_step(std::min(integrator_.next_step(), kFirstStep * phase.time));
    tell(i, EventKind::ContactBegins);
    if (impact) ledger_.count_impact(time, U);
  }
  void close(int i) override { apply(i, Change::Close); }
  void friction_changed(int i, bool sticks) override {
    tell(i, sticks ? EventKind::Sticking : EventKind::Sliding);
  }
  /// Slower rebounds are none, m/s.
  double micro_bounce() const { return method_.run.micro_bounce_where(memory_.approach); }
  double rest_rate() const override { return 1e-9 * memory_.approach; }
  void tell(int i, EventKind kind) {
    const CompliantMemory::Phase& phase = memory_.phases[static_cast<std::size_t>(i)];
    const MotionState now = motion();
    Event event = event_without_jump(kind, now.time, now.q, now.v, {i});
    if (kind == EventKind::ContactEnds) {
      event.impulse[0] = integrator_.state()[impulse() + i] - phase.impulse;
      event.dissipated = lost(i) - phase.lost;
    }
    ledger_.event(event);
  }
  /// Counts events without time between them, of contact i, or, −1, of all that rub.
  void note_at_once(bool moved, int i) {
    if (moved) {
      still_.events = 0;
      still_.contacts.clear();
      return;
    }
    ++still_.events;
    for (int k = 0; k < m(); ++k) {
      const bool its = i < 0 ? contact(k).touching() && friction_.rows().acts(k) : k == i;
      const auto place = std::lower_bound(still_.contacts.begin(), still_.contacts.end(), k);
      if (its && (place == still_.contacts.end() || *place != k)) still_.contacts.insert(place, k);
    }
  }
  /// Whether time stands still: the steps of the law's limit are not enough for a compression.
  /// While nothing has a force gaps alone limit steps.
  bool stalls() {
    const long steps = integrator_.steps() + integrator_.rejected();
    if (in_flight() || !(integrator_.time() - still_.start < units_.time)) {
      still_.start = integrator_.time();
      still_.steps = steps;
    }
    return steps - still_.steps >= law_.max_steps;
  }
  /// Why there is no next step, or no first one. What the motion is not defined by, the last state
  /// that was tried tells: with steps ever shorter that is next to the present one.
  std::string failure() const {
    using Undefined = MovingMechanism::Undefined;
    if (without_solution() >= 0) {
      return "infinite friction parts " + named({without_solution()}, system_) + " as it touches";
    }
    if (bodies_.undefined() == Undefined::Masses) return "the mass matrix is not positive definite";
    if (bodies_.undefined() == Undefined::Forces) return "forces are not finite";
    for (int i = 0; i < m(); ++i) {
      if (!contact(i).touching()) continue;
      if (!std::isfinite(force(i, bodies_.gap(i), bodies_.rate(i)))) {
        return "the force of " + named({i}, system_) + " is not finite";
      }
    }
    return "steps became too short" + loaded_contacts();
  }
  /// " under the load of contact 1", or " in flight".
  std::string loaded_contacts() const {
    std::vector<int> loaded;
    for (int i = 0; i < m(); ++i) {
      if (contact(i).touching()) loaded.push_back(i);
    }
    return loaded.empty() ? " in flight" : " under the load of " + named(loaded, system_);
  }
  /// Energy stored in all contacts, J.
  double stored() const {
    double sum = 0.0;
    for (int i = 0; i < m(); ++i) sum += ContactDynamics::stored(i, now_.gap[i]);
    return sum;
  }

  // ----------------------------------------------------------------------------- ends of a run

  void begin(const Moment& start) {
    double* y = integrator_.state();
    std::copy(start.state.position.begin(), start.state.position.end(), y);
    std::copy(start.state.velocity.begin(), start.state.velocity.end(), y + system_.coordinates());
    integrator_.set_time(start.time);
    integrator_.set_next_step(start.step);
    refresh();
    bodies_.measure(y, true);
    for (int i = 0; i < m(); ++i) make_force(i);  // so that bad parameters are told at once
    if (const auto* memory = remembered<CompliantMemory>(start)) {
      recall(*memory);
    } else {
      failed_ = !integrator_.restart();  // what presses contacts together
      units_.speed = 0.0;
      for (int i = 0; i < m(); ++i) units_.speed = std::max(units_.speed, std::abs(now_.U[i]));
      for (int i = 0; i < m(); ++i) {
        if (!(now_.gap[i] < -mechanism_.gap_noise(i))) continue;
        apply(i, Change::Close);
        y[work() + i] = ContactDynamics::stored(i, now_.gap[i]);
      }
      // What presses contacts at rest, infinite friction holds at once.
      close_touching(friction_.rows().infinite);
      failed_ = failed_ || !restart(true);
    }
    start_energy_ = balance();
    RunRecord& record = ledger_.counts();
    if (record.energy_residual) {
      start_energy_ -= *record.energy_residual;
    } else if (record.contacts.empty()) {
      record.energy.expected += stored();
    }
  }
  void recall(const CompliantMemory& memory) {
    memory_ = memory;
    bodies_.set_speed(memory.speed);
    units_.time = memory.unit_time;
    if (ledger_.counts().contacts.size() == totals_.size()) totals_ = ledger_.counts().contacts;
    const auto rows = static_cast<std::size_t>(friction_.rows().tangential());
    if (memory.friction.places.size() != rows) {
      throw InvalidInput("start.memory.friction.places",
                         "must have " + std::to_string(rows) + " entries, one per tangent, got " +
                             std::to_string(memory.friction.places.size()));
    }
    double* y = integrator_.state();
    const Vector q = motion().q;
    for (int i = 0; i < m(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const CompliantMemory::Force& own = memory.forces[k];
      laws::CompliantContact& state = contact(i);
      state.mode = own.mode;
      state.compressing = own.compressing;
      state.memory = own.curve;
      state.law =
          laws::ContactForce(system_.contact(i, q).material, law_.force, own.effective_mass, i);
      y[impulse() + i] = totals_[k].impulse;
      y[work() + i] = memory.phases[k].work;
      if (friction_.any()) y[friction_loss() + i] = totals_[k].dissipated_by_friction;
      if (state.touching()) totals_[k].duration -= integrator_.time() - memory_.phases[k].start;
    }
    units_.speed = memory.unit_speed;
    integrator_.set_restarted(memory.restarted);
    set_tolerances();
    resume(memory.friction);
  }
  /// The state now.
  MotionState motion() const {
    MotionState now{.q = Vector(system_.coordinates()), .v = Vector(system_.coordinates())};
    now.read(integrator_.time(), integrator_.state());
    return now;
  }
  /// Energy now, with all that contacts have stored.
  double mechanical_energy() {
    const MotionState now = motion();
    return bodies_.solver().kinetic_energy(now.q, now.v) + system_.potential_energy(now.q) +
           stored();
  }
  /// The same, with all that they have lost.
  double balance() {
    double sum = mechanical_energy();
    for (int i = 0; i < m(); ++i) sum += lost(i);
    return sum;
  }
  Moment moment() const {
    const MotionState now = motion();
    Moment moment{.time = now.time,
                  .state = {.position = now.q, .velocity = now.v},
                  .step = integrator_.next_step()};
    CompliantMemory memory = memory_;
    memory.speed = bodies_.speed();
    memory.unit_time = units_.time;
    memory.unit_speed = units_.speed;
    memory.restarted = integrator_.restarted();
    memory.friction = friction_.memory();
    for (int i = 0; i < m(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const laws::CompliantContact& state = contact(i);
      if (state.touching()) moment.held.push_back(i);
      if (friction_.sticks(i)) moment.sticking.push_back(i);
      memory.forces[k] = {.mode = state.mode,
                          .compressing = state.compressing,
                          .effective_mass = state.law.effective_mass(),
                          .curve = state.memory};
      memory.phases[k].work = integrator_.state()[work() + i];
    }
    moment.memory = std::move(memory);
    return moment;
  }
  Run finish(RunStatus status, std::string reason) {
    RunRecord& run = ledger_.counts();
    const double* y = integrator_.state();
    for (int i = 0; i < m(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      ContactTotals& total = totals_[k];
      total.impulse = y[impulse() + i];
      total.dissipated_by_friction = friction_.any() ? y[friction_loss() + i] : 0.0;
      total.dissipated = lost(i);
      if (contact(i).touching()) total.duration += integrator_.time() - memory_.phases[k].start;
    }
    run.contacts = totals_;
    if (system_.conservative()) run.energy_residual = balance() - start_energy_;
    Run ended = ledger_.finish(moment(), status, std::move(reason));
    // What contacts that are still closed have lost, which is counted when they end, and what
    // the last event, after the last step, has changed.
    ended.energy.final = mechanical_energy();
    for (int i = 0; i < m(); ++i) {
      if (!contact(i).touching()) continue;
      ended.energy.dissipated += lost(i) - memory_.phases[static_cast<std::size_t>(i)].lost;
    }
    return ended;
  }

  const CompliantMotion& method_;
  const AnySystem& system_;
  MovingMechanism& bodies_;
  RunLedger ledger_;
  CompliantMemory memory_;  ///< scales and phases: kept up to date; the rest where a run ends
  std::vector<ContactTotals> totals_;
  GapOutlook outlook_;  ///< of contacts that are apart
  Standstill still_;
  double start_energy_ = 0.0;  ///< J
  bool failed_ = false;        ///< at the start
};

}  // namespace

void validate(const CompliantMotion& method) {
  laws::validate(method.law);
  require_ranges("simulation", method);
  validate(method.run);
}

Run CompliantMotion::operator()(const systems::AnySystem& system, const Moment& start,
                                const Observer& observer) const {
  validate(*this);
  refuse_joints(system, "moves compliant contacts of systems without joints only; this one has " +
                            std::to_string(system.joints()));
  std::vector<int> all(static_cast<std::size_t>(system.contacts()));
  std::iota(all.begin(), all.end(), 0);
  const ImpactProblem problem =
      systems::impact_problem(system, start.state.position, start.state.velocity, all);
  laws::check_applicable(problem, law);
  const contact::FrictionRows rows = contact::friction_rows(problem.contacts);
  MovingMechanism mechanism(system, rows);
  CompliantRun motion(*this, system, mechanism, rows, start, observer);
  const bool lossy =
      std::any_of(problem.contacts.begin(), problem.contacts.end(),
                  [](const Contact& contact) { return contact.material.restitution < 1.0; });
  if (lossy && !law.uses_restitution()) {
    motion.warn("this force has no coefficient of restitution: material.restitution is not used");
  }
  return motion.run();
}

}  // namespace percute::simulation
