// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "numerics/orthogonal_factor.hpp"
#include "simulation/fixed_steps.hpp"
#include "simulation/held_contacts.hpp"
#include "simulation/moment_checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/simulation/newmark.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace percute::simulation {

namespace {

/// Gaps that are closed, as parts of the scene's length: to the last digit where an impact is
/// located, among digits that roundings of many steps have changed, and with such digits at the
/// start of a run.
constexpr double kClosed = 1e-16;
constexpr double kDigits = 1e-13;
constexpr double kTouches = 1e-11;
constexpr double kTogether = 1e-6;  // of the ways of two contacts: they close together
constexpr double kNoGap = 1e-3;     // of the grouping: closed at an impact
constexpr int kCuts = 60;           // tries to find the instant of an impact

constexpr int kNewtonIterations = 60;
// Parts of the largest coordinate, or of how far one moves in the step.
constexpr double kCorrection = 5e-17;  // no position changes any more
constexpr double kStagnation = 5e-15;  // corrections below this that no longer halve are rounding

/// Where a system is, how fast, and how its velocity changes.
struct NewmarkState : MotionState {
  Vector a;      ///< F
  Vector force;  ///< of each held contact, N
};

// ------------------------------------------------------------------------------------------ steps

/// Newmark's average acceleration with some contacts held closed: M F = f + W λ with h″ = 0 of the
/// held ones. Keeps its memory; takes none while the number of held contacts is 0 or 1.
class NewmarkStep {
 public:
  /// `iterations` are counted.
  NewmarkStep(const AnySystem& system, std::int64_t& iterations)
      : system_(system),
        stiffened_(system.solver()),
        mass_(system),
        motion_(mass_),
        settling_(mass_),
        iterations_(iterations),
        f_(system.coordinates()),
        r_(system.coordinates()),
        column_(system.coordinates()),
        gaps_(system.contacts()),
        W_(system.coordinates(), system.contacts()),
        Y_(system.coordinates(), system.contacts()) {}

  systems::MassSolver& solver() { return mass_.solver(); }

  /// Acceleration and forces of the held contacts at (t, q, v). False: M has no factor there.
  bool accelerate(double t, const std::vector<int>& held, NewmarkState& state) {
    if (!solver().factor(state.q)) return false;
    std::vector<HeldContact> contacts;
    for (const int i : held) contacts.push_back({.contact = i});
    state.force.setZero(static_cast<Eigen::Index>(held.size()));
    // Forces that are not finite end the next step.
    state.time = t;
    motion_.accelerate(state, contacts, state.a);
    if (!held.empty()) state.force = motion_.load();
    return true;
  }

  /// From `from` at time t to `to`, dt later. False: did not converge.
  /// Newton on F₁ for r = M(q₁) F₁ − f(q₁, v₁) − W λ, with the matrix M + Δt²/4 K of the start.
  bool advance(double t, double dt, const std::vector<int>& held, const NewmarkState& from,
               NewmarkState& to) {
    const double c = 0.25 * dt * dt;
    if (!stiffened_->factor(from.q, c)) return false;
    const auto k = static_cast<Eigen::Index>(held.size());
    if (k > 0) prepare(held, from.q);
    to.a = from.a;
    to.force = from.force;
    const double size =
        std::max({from.q.lpNorm<Eigen::Infinity>(), dt * from.v.lpNorm<Eigen::Infinity>(),
                  c * from.a.lpNorm<Eigen::Infinity>()});
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kNewtonIterations; ++i) {
      ++iterations_;
      to.q = from.q + dt * from.v + c * (from.a + to.a);
      to.v = from.v + 0.5 * dt * (from.a + to.a);
      if (!solver().factor(to.q)) return false;
      solver().multiply(to.a, r_);
      system_.force(t + dt, to.q, to.v, f_);
      r_ -= f_;
      for (Eigen::Index j = 0; j < k; ++j) {
        system_.gradient(held[static_cast<std::size_t>(j)], to.q, column_);
        W_.col(j) = column_;
        r_ -= to.force[j] * column_;
      }
      stiffened_->solve(r_);
      if (k > 0) {
        for (Eigen::Index j = 0; j < k; ++j) {
          b_[j] = W_.col(j).dot(r_) - W_.col(j).dot(to.a) - bend(held, j, to);
        }
        solve_small(b_, x_);
        to.force += x_;
        r_.noalias() -= Y_.leftCols(k) * x_;
      }
      to.a -= r_;
      const double correction = c * r_.lpNorm<Eigen::Infinity>();
      if (correction <= kCorrection * size ||
          (correction <= kStagnation * size && correction > 0.5 * before)) {
        to.q = from.q + dt * from.v + c * (from.a + to.a);
        to.v = from.v + 0.5 * dt * (from.a + to.a);
        return true;
      }
      if (!std::isfinite(correction)) return false;
      before = correction;
    }
    return false;
  }

  /// Removes what little gap and gap rate the held contacts have.
  void hold(const std::vector<int>& held, NewmarkState& state) {
    for (const int contact : held) {
      system_.gaps(state.q, gaps_);
      system_.gradient(contact, state.q, column_);
      const double square = column_.squaredNorm();
      state.q -= gaps_[contact] / square * column_;
      state.v -= column_.dot(state.v) / square * column_;
    }
  }

  /// Those of the closed contacts, all at rest, that push: 0 ≤ λ ⟂ h″ ≥ 0. Why there is no answer,
  /// or "".
  std::string settle(const std::vector<int>& closed, const NewmarkState& state,
                     std::vector<int>& held) {
    std::vector<HeldContact> settled;
    std::string reason = settling_.settle(state, closed, false, 0.0, {}, settled);
    for (const HeldContact& c : settled) {
      if (c.loaded) held.push_back(c.contact);
    }
    return reason;
  }

  /// Takes the gap rates of these contacts away: see stop_coordinate().
  void stop(const std::vector<int>& contacts, NewmarkState& state) {
    bool all = true;
    for (const int contact : contacts) {
      system_.gradient(contact, state.q, column_);
      all = stop_coordinate(column_, state.v) && all;
    }
    if (!all) mass_.project_velocity({}, contacts, state);
  }

 private:
  /// W, Y = (M + c K)⁻¹ W and A = Wᵀ Y of the held contacts.
  void prepare(const std::vector<int>& held, const Vector& q) {
    const auto k = static_cast<Eigen::Index>(held.size());
    for (Eigen::Index j = 0; j < k; ++j) {
      system_.gradient(held[static_cast<std::size_t>(j)], q, column_);
      W_.col(j) = column_;
    }
    solve_columns(W_.leftCols(k), [&](Vector& x) { stiffened_->solve(x); }, column_, Y_);
    A_.noalias() = W_.leftCols(k).transpose() * Y_.leftCols(k);
    b_.resize(k);
    x_.resize(k);
  }

  /// vᵀ ∇²h v of the contact in place j.
  double bend(const std::vector<int>& held, Eigen::Index j, const NewmarkState& state) const {
    return system_.gap_curvature(held[static_cast<std::size_t>(j)], state.q, state.v);
  }

  /// A x = b; of least norm where contacts are redundant.
  void solve_small(const Vector& b, Vector& x) const {
    if (b.size() == 1) {
      x[0] = b[0] / A_(0, 0);
    } else {
      x = numerics::OrthogonalFactor(A_).solve(b);
    }
  }

  const AnySystem& system_;
  std::unique_ptr<systems::MassSolver> stiffened_;  // of the step; the mass is that inside it
  JointedMass mass_;
  ContactMotion motion_;
  Settling settling_;
  std::int64_t& iterations_;
  Vector f_, r_, column_, gaps_;
  Vector b_, x_;      // one per held contact
  Matrix W_, Y_, A_;  // W, (M + c K)⁻¹ W, Wᵀ Y
};

// -------------------------------------------------------------------------------------------- run

class NewmarkRun final : public FixedStepRun {
 public:
  NewmarkRun(const Newmark& method, const AnySystem& system, const Moment& start, const AnyLaw& law,
             const Observer& observer)
      : FixedStepRun(system, method.run, method.step, observer, start),
        method_(method),
        law_(law),
        step_(system, ledger_.counts().iterations),
        length_(scene_length(system, start.state.position)),
        held_(start.held),
        now_{{.time = start.time, .q = start.state.position, .v = start.state.velocity}, {}, {}},
        gaps1_(system.contacts()) {
    now_.a.resize(now_.q.size());
  }

 private:
  /// Contacts that are closed at the start: an impact if any approaches, else they may stay.
  void begin(const Moment& start) override {
    if (const auto* memory = remembered<NewmarkMemory>(start)) {
      now_.a = memory->acceleration;
      now_.force = memory->force;
      for (const int contact : held_) gaps_[contact] = 0.0;
      return;
    }
    std::vector<int> closed;
    bool approaches = false;
    for (int i = 0; i < system_.contacts(); ++i) {
      if (gaps_[i] > kTouches * length_) continue;
      gaps_[i] = 0.0;
      closed.push_back(i);
      approaches = approaches || gap_rate(i, now_.q, now_.v) < 0.0;
    }
    held_.clear();
    if (approaches) {
      impact(closed);
    } else {
      choose_held(closed);
    }
  }

  void step(double left) override { one_step(std::min(method_.step, left)); }
  bool too_many() const override { return ledger_.too_many_events(); }
  /// A run that goes on from here takes the acceleration as it was solved for.
  Moment moment() override {
    return {.time = time_,
            .state = {.position = now_.q, .velocity = now_.v},
            .held = held_,
            .memory = NewmarkMemory{.acceleration = now_.a, .force = now_.force}};
  }

  void one_step(double dt) {
    if (!step_.advance(time_, dt, held_, now_, next_)) {
      status_ = RunStatus::NotConverged;
      reason_ = "a step from t = " + text(time_) + " s could not be solved; take a shorter step";
      return;
    }
    int struck = -1;
    int grazing = -1;
    double cut = dt;
    system_.gaps(next_.q, gaps1_);
    for (int i = 0; i < system_.contacts(); ++i) {
      if (!(gaps1_[i] < 0.0) || is_held(i)) continue;
      const auto root = literal_cut(i, dt);
      if (!root) {
        grazing = i;
      } else if (struck < 0 || *root < cut) {
        struck = i;
        cut = *root;
      }
    }
    if (struck >= 0) {
      strike(struck, cut, dt);
    } else if (grazing >= 0) {
      graze(grazing);
    } else {
      accept(dt);
    }
  }

  bool is_held(int contact) const {
    return std::find(held_.begin(), held_.end(), contact) != held_.end();
  }

  /// next_, whose gaps are known and where some contacts are on the surface, is the present state.
  void arrive(double dt, const std::vector<int>& on_surface) {
    time_ += dt;
    ++ledger_.counts().steps;
    std::swap(now_, next_);
    gaps_.swap(gaps1_);
    note_gaps();
    for (const int contact : on_surface) gaps_[contact] = 0.0;
  }

  void accept(double dt) {
    if (!held_.empty()) {
      step_.hold(held_, next_);
      system_.gaps(next_.q, gaps1_);
    }
    arrive(dt, held_);
    if (!held_.empty()) ledger_.in_contact(time_);
    ledger_.step(time_, now_.q, now_.v);
    if (!held_.empty() && now_.force.minCoeff() < 0.0) choose_held(std::vector<int>(held_));
  }

  /// No positive instant at which the gap closes, yet it has: it never left the surface. It is held
  /// for a step at least.
  void graze(int contact) {
    tell(EventKind::ContactBegins, {contact});
    held_.insert(std::upper_bound(held_.begin(), held_.end(), contact), contact);
    step_.stop(held_, now_);
    gaps_[contact] = 0.0;
    if (!step_.accelerate(time_, held_, now_)) {
      fail(RunStatus::NotConverged, "the mass matrix is singular");
    }
  }

  /// trial_: where the parabola of the step in next_ is after the time `cut`.
  void set_parabola(double cut) {
    trial_.q = now_.q + cut * now_.v + 0.25 * cut * cut * (now_.a + next_.a);
    trial_.v = now_.v + 0.5 * cut * (now_.a + next_.a);
  }

  /// Where the parabola of the step in next_ takes the gap to 0 (equation 17 of the paper); gaps
  /// that are not linear in q need corrections.
  std::optional<double> literal_cut(int contact, double dt) {
    const double h = std::max(gaps_[contact], 0.0);
    const double u = gap_rate(contact, now_.q, now_.v);
    // On the surface, and back on it within the step at less than a bounce is worth: contact.
    if (h == 0.0 && u < ledger_.micro_bounce_velocity()) return {};
    const double bends =
        0.5 * column_.dot(now_.a + next_.a) + system_.gap_curvature(contact, now_.q, now_.v);
    const double closes = closing_time(h, u, bends);
    if (!std::isfinite(closes)) return {};
    double cut = std::min(closes, dt);
    for (int i = 0; i < 8; ++i) {
      set_parabola(cut);
      system_.gaps(trial_.q, gaps1_);
      const double gap = gaps1_[contact];
      if (std::abs(gap) <= kClosed * length_) break;
      const double next = cut - gap / gap_rate(contact, trial_.q, trial_.v);
      if (!(next > 0.0 && next <= dt) || next == cut) break;
      cut = next;
    }
    system_.gaps(next_.q, gaps1_);
    return cut;
  }

  /// The instant at which the gap closes, the step being solved again for each try; leaves the
  /// state there in next_. By Newton's method, bisection where that leaves its bounds.
  std::optional<double> resolved_cut(int contact, double cut, double dt) {
    double low = 0.0;
    double high = dt;
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kCuts; ++i) {
      if (!step_.advance(time_, cut, held_, now_, next_)) return {};
      system_.gaps(next_.q, gaps1_);
      const double gap = gaps1_[contact];
      if (std::abs(gap) <= kClosed * length_) return cut;
      (gap > 0.0 ? low : high) = cut;
      double next = cut - gap / gap_rate(contact, next_.q, next_.v);
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      // Rounding: no further.
      const bool rounds = std::abs(gap) < kDigits * length_ && std::abs(gap) >= 0.5 * best;
      if (next == cut || rounds) return cut;
      best = std::min(best, std::abs(gap));
      cut = next;
    }
    return cut;
  }

  /// The state at the impact, in next_; another contact may turn out to be the first.
  bool locate(int& contact, double& cut, double dt) {
    for (int i = 0; i < system_.contacts(); ++i) {
      const auto found = resolved_cut(contact, cut, dt);
      if (!found) return false;
      cut = *found;
      int earlier = -1;
      for (int j = 0; j < system_.contacts(); ++j) {
        if (j == contact || is_held(j) || gaps1_[j] >= -kTouches * length_) continue;
        if (earlier < 0 || gaps1_[j] < gaps1_[earlier]) earlier = j;
      }
      if (earlier < 0) break;
      contact = earlier;
      dt = cut;
      cut *= 0.5;
    }
    return true;
  }

  void strike(int contact, double cut, double dt) {
    if (method_.event == Newmark::Event::Literal) {
      set_parabola(cut);
      std::swap(trial_, next_);
    } else if (!locate(contact, cut, dt)) {
      status_ = RunStatus::NotConverged;
      reason_ = "an impact after t = " + text(time_) + " s could not be located";
      return;
    }
    // On the surface exactly.
    system_.gaps(next_.q, gaps1_);
    system_.gradient(contact, next_.q, column_);
    next_.q -= gaps1_[contact] / column_.squaredNorm() * column_;
    system_.gaps(next_.q, gaps1_);
    next_.a.resize(now_.q.size());
    arrive(cut, {contact});
    ledger_.step(time_, now_.q, now_.v);
    std::vector<int> closed;
    for (int i = 0; i < system_.contacts(); ++i) {
      if (i == contact || is_held(i) || takes_part(i, contact)) closed.push_back(i);
    }
    impact(closed);
  }

  /// Closed, or about to close: contacts that open are none of an impact's, however near.
  bool takes_part(int contact, int struck) {
    const double grouping =
        method_.grouping.value_or(kTogether * std::min(widest(contact), widest(struck)));
    const double closed = kTouches * length_;
    if (gaps_[contact] > std::max(grouping, closed)) return false;
    return gaps_[contact] <= std::max(kNoGap * grouping, closed) ||
           gap_rate(contact, now_.q, now_.v) <= 0.0;
  }

  void impact(const std::vector<int>& closed) {
    const ImpactProblem problem = systems::impact_problem(system_, now_.q, now_.v, closed);
    const ImpactResult result = law_(problem);
    if (!result.ok() || result.velocity.size() != now_.v.size() || !result.velocity.allFinite()) {
      fail(RunStatus::NotConverged,
           unanswered(result.status, result.diagnostics.reason, closed, system_));
      return;
    }
    Event event = event_without_jump(EventKind::Impact, time_, now_.q, now_.v, closed);
    event.velocity_after = result.velocity;
    event.impulse = result.impulse;
    event.dissipated = step_.solver().kinetic_energy(now_.q, now_.v) -
                       step_.solver().kinetic_energy(now_.q, result.velocity);
    event.status = result.status;
    ledger_.event(event);
    now_.v = result.velocity;
    choose_held(closed);
  }

  /// Which of these closed contacts stay closed: those at rest that push at the level of
  /// accelerations, 0 ≤ λ ⟂ h″ ≥ 0.
  void choose_held(const std::vector<int>& closed) {
    const std::vector<int> before = std::exchange(held_, {});
    std::vector<int> resting;
    bool bounced = false;
    const double micro_bounce = ledger_.micro_bounce_velocity();
    for (const int contact : closed) {
      const double u = gap_rate(contact, now_.q, now_.v);
      const bool stays = std::abs(u) < micro_bounce || u == 0.0;
      if (gaps_[contact] > kTouches * length_ || !stays) continue;
      resting.push_back(contact);
      bounced = bounced || u > 0.0;
    }
    std::string reason = "the mass matrix is singular";
    if (step_.accelerate(time_, held_, now_)) {
      reason = step_.settle(resting, now_, held_);
    }
    if (!reason.empty()) return fail(RunStatus::NotConverged, reason);
    const auto missing_from = [](const std::vector<int>& all, const std::vector<int>& some) {
      std::vector<int> missing;
      std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                          std::back_inserter(missing));
      return missing;
    };
    tell(EventKind::ContactEnds, missing_from(before, held_));
    tell(bounced ? EventKind::Accumulation : EventKind::ContactBegins, missing_from(held_, before));
    if (held_.empty()) return;
    step_.stop(held_, now_);
    for (const int contact : held_) gaps_[contact] = 0.0;
    step_.accelerate(time_, held_, now_);
  }

  void tell(EventKind kind, std::vector<int> contacts) {
    if (contacts.empty()) return;
    ledger_.event(event_without_jump(kind, time_, now_.q, now_.v, std::move(contacts)));
  }

  const Newmark& method_;
  const AnyLaw& law_;
  NewmarkStep step_;
  double length_;  // of the scene, m
  std::vector<int> held_;
  NewmarkState now_;  // its gaps are 0 exactly for contacts on the surface
  NewmarkState next_;
  NewmarkState trial_;
  Vector gaps1_;  // of next_
};

}  // namespace

void validate(const Newmark& method) {
  validate_fixed_steps(method);
  if (method.run.duration && method.step > *method.run.duration) {
    throw InvalidInput("simulation.step", text(method.step) + " s is longer than the run, " +
                                              text(*method.run.duration) + " s");
  }
}

Run Newmark::operator()(const systems::AnySystem& system, const Moment& start, const AnyLaw& law,
                        const Observer& observer) const {
  validate(*this);
  refuse_joints(system, "event_driven knows no joints: choose event_driven_adaptive");
  NewmarkRun run_now(*this, system, start, law, observer);
  const Vector& q = start.state.position;
  run_now.ledger().warn_at_start(unresolved_vibration(system, q, step));
  run_now.ledger().warn_at_start(unresolved_forces(system, start.time, step));
  if (has_friction(system, q)) {
    run_now.ledger().warn("contacts that stay closed are taken as frictionless");
  }
  return run_now.run(start, 1e-6);  // rounding of time
}

}  // namespace percute::simulation
