// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/orthogonal_factor.hpp"
#include "simulation/fixed_steps.hpp"
#include "simulation/moment_checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/simulation/moreau_jean.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace percute::simulation {

namespace {

/// Changes of velocity below this, relative to velocities, are none.
constexpr double kConverged = 1e-13;
/// Above it, after all iterations, there is no solution.
constexpr double kHopeless = 1e-7;
/// Part of a step that rounding of many steps may leave over.
constexpr double kSliver = 1e-6;
/// Gaps up to this part of the positions they are made of are closed.
constexpr double kTouching = 1e-12;
constexpr int kMostIterations = 50;  ///< of the equation of a step
constexpr double kUnknownRestitution = -1.0;

// ------------------------------------------------------------------------------- the law in steps

/// What a law makes of one impact, or nothing if it has no answer.
bool ask(const AnyLaw& law, const ImpactProblem& problem, Vector& velocity) {
  try {
    const ImpactResult result = law(problem);
    velocity = result.velocity;
    return result.status == Status::Ok && velocity.allFinite();
  } catch (const InvalidInput&) {
    return false;  // a law that needs other contacts than one
  }
}

/// −U_t⁺/U_t⁻ where friction is ample: 1 where a law acts on the mean of sliding velocities before
/// and after an impact (Frémond 1995), 0 where it acts on those after it (Moreau 1988).
double tangential_restitution(const AnyLaw& law) {
  constexpr double kSliding = 0.1;
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector::Ones(2));
  problem.gradients = Matrix(Eigen::Vector2d(0.0, 1.0)).sparseView();
  problem.velocity = Eigen::Vector2d(kSliding, -1.0);
  problem.contacts.emplace_back();
  problem.contacts[0].material.friction = 10.0;
  set_tangents(problem, {Eigen::Vector2d(1.0, 0.0)});
  Vector after;
  if (!ask(law, problem, after)) return 0.0;
  const double restitution = -after[0] / kSliding;
  // A law without friction leaves it as it is.
  return restitution > -0.5 ? std::clamp(restitution, 0.0, 1.0) : 0.0;
}

/// A law of impact at the level of steps: velocities after a step from those before it and those it
/// would lead to without impulses.
class SteppingLaw {
 public:
  /// `known`: of an earlier part of the same run, if there was one.
  SteppingLaw(const AnyLaw& law, int contacts, const MoreauJeanMemory* known)
      : law_(law), tangential_(tangential_restitution(law)) {
    if (known != nullptr) {
      known_ = *known;
    } else {
      known_.restitution.setConstant(contacts, kUnknownRestitution);
    }
  }

  /// What was found of each contact so far.
  const MoreauJeanMemory& known() const { return known_; }

  struct Outcome {
    Vector velocity;    ///< v_{k+1}
    Vector impulse;     ///< one per contact
    double lost = 0.0;  ///< −p · (U_k + U_{k+1})/2, tangential impulses included, J
    Status status = Status::Ok;
    std::string reason = {};
    bool active = false;  ///< some impulse is not 0
  };
  /// `problem` has the contacts that are closed, `indices` in the system, and v_k as its velocity.
  Outcome operator()(const ImpactProblem& problem, const std::vector<int>& indices,
                     const Vector& free) {
    const auto m = static_cast<Eigen::Index>(indices.size());
    Eigen::Index rows = m;
    for (const Contact& contact : problem.contacts) rows += contact.directions;
    Matrix H(free.size(), rows);
    H.leftCols(m) = problem.gradients;
    Eigen::Index row = m;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      const int d = problem.contacts[i].directions;
      if (d > 0) H.middleCols(row, d) = tangents_of(problem, i);
      row += d;
    }
    const Vector U_k = H.transpose() * problem.velocity;
    const Vector U_free = H.transpose() * free;
    const double speed = std::max(U_k.cwiseAbs().maxCoeff(), U_free.cwiseAbs().maxCoeff());

    // ṽ = v_free + M⁻¹ H λ with the rows asked for; the free velocities where nothing was faster.
    Vector change(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const double e =
          i < m ? restitution(problem, static_cast<int>(i), indices[static_cast<std::size_t>(i)],
                              U_k[i] < 0.0 ? -U_k[i] : std::max(speed, 1e-12))
                : tangential_;
      change[i] = e / (1.0 + e) * (U_k[i] - U_free[i]);
    }
    ImpactProblem seen = problem;
    seen.velocity = free;
    if (!change.isZero(0.0)) {
      const Matrix response = problem.mass.solve(H);
      const Matrix G = H.transpose() * response;
      seen.velocity += response * numerics::OrthogonalFactor(G).solve(change);
    }

    const ImpactResult result = law_(seen);
    const bool none = result.status == Status::NoImpact;
    Outcome outcome;
    outcome.status = result.status;
    outcome.reason = result.diagnostics.reason;
    outcome.impulse = result.impulse.size() == m ? result.impulse : Vector(Vector::Zero(m));
    outcome.velocity = none ? free : Vector(free + result.velocity - seen.velocity);
    outcome.active = !none && outcome.impulse.cwiseAbs().maxCoeff() > 0.0;
    if (outcome.active) {
      // Work of all impulses: M (v⁺ − ṽ) is their sum.
      const Vector sum = problem.mass * Vector(result.velocity - seen.velocity);
      outcome.lost = -0.5 * sum.dot(problem.velocity + outcome.velocity);
    }
    return outcome;
  }

 private:
  /// −U⁺/U⁻ of contact i alone, without friction, at this speed; found when it is first closed.
  double restitution(const ImpactProblem& problem, int i, int index, double speed) {
    double& known = known_.restitution[index];
    if (known != kUnknownRestitution) return known;
    ImpactProblem alone;
    alone.mass = problem.mass;
    alone.gradients = problem.gradients.col(i);
    alone.contacts = {problem.contacts[static_cast<std::size_t>(i)]};
    alone.contacts[0].material.friction = 0.0;
    alone.contacts[0].directions = 0;
    const Vector column = Matrix(problem.gradients.col(i)).col(0);
    const Vector response = problem.mass.solve(column);
    alone.velocity = -speed / column.dot(response) * response;
    Vector after;
    const double e = ask(law_, alone, after) ? column.dot(after) / speed
                                             : alone.contacts[0].material.restitution;
    known = std::clamp(e, 0.0, 1.0);
    return known;
  }

  const AnyLaw& law_;
  MoreauJeanMemory known_ = {};
  double tangential_;  ///< restitution of sliding velocities
};

// ------------------------------------------------------------------------------------------ steps

class MoreauJeanRun final : public FixedStepRun {
 public:
  MoreauJeanRun(const MoreauJean& method, const AnySystem& system, const Moment& start,
                const AnyLaw& law, const Observer& observer)
      : FixedStepRun(system, method.run, method.step, observer, start),
        method_(method),
        solver_(system.solver()),
        law_(law, system.contacts(), remembered<MoreauJeanMemory>(start)),
        q_(start.state.position),
        v_(start.state.velocity),
        h_(Vector::Zero(system.contacts())),
        q_mid_(q_),
        v_mid_(v_),
        f_(Vector::Zero(q_.size())) {}

 private:
  void begin(const Moment& /*start*/) override { ledger_.step(time_, q_, v_); }
  /// The last step ends where the run does.
  void step(double left) override {
    const double h = method_.step;
    move(left < (1.0 + kSliver) * h ? left : h);
  }

  Moment moment() override {
    return {.time = time_, .state = {.position = q_, .velocity = v_}, .memory = law_.known()};
  }

  void move(double h) {
    q_contact_ = q_ + 0.5 * h * v_;
    system_.gaps(q_contact_, h_);
    closed_.clear();
    const double rounding = kTouching * std::max(1.0, q_contact_.cwiseAbs().maxCoeff());
    for (int i = 0; i < system_.contacts(); ++i) {
      if (h_[i] <= 0.0 || (h_[i] <= rounding && touches(i))) closed_.push_back(i);
    }
    Vector next = v_;
    Vector free;
    SteppingLaw::Outcome outcome;
    if (!solve(h, next, free, outcome)) return;
    q_ += h * ((1.0 - method_.theta) * v_ + method_.theta * next);
    v_.swap(next);
    const Vector& before = next;
    time_ += h;
    ++ledger_.counts().steps;
    follow_gaps(q_);
    // How far contacts came in a step that closed them: by impulses, before they got there.
    for (std::size_t k = 0; outcome.active && k < closed_.size(); ++k) {
      if (!(outcome.impulse[static_cast<Eigen::Index>(k)] > 0.0)) continue;
      const int i = closed_[k];
      system_.gradient(i, q_contact_, column_);
      note_way(i, before_[i], -h * column_.dot(before), -h * column_.dot(free));
    }
    if (!ledger_.step(time_, q_, v_) || !outcome.active) return;
    Event event = event_without_jump(EventKind::ActiveStep, time_, q_, v_, closed_);
    event.velocity_before = before;
    event.impulse = outcome.impulse;
    event.dissipated = outcome.lost;
    event.status = outcome.status;
    ledger_.event(event);
    if (ledger_.strikes(event, slow_approach_)) ledger_.count_impact(event);
  }

  /// v_{k+1}, and what contacts have to do with it; `free`: without them. An outcome that is not
  /// active has no impulses of more than rounding size.
  bool solve(double h, Vector& next, Vector& free, SteppingLaw::Outcome& outcome) {
    Vector last(v_.size());
    bool acts = false;
    double change = 0.0;
    double pull = 0.0;  // of forces alone: what velocities at rest are small against
    for (int k = 0; k < kMostIterations; ++k) {
      ++ledger_.counts().iterations;
      last = next;
      if (!newton_step(h, next)) {
        fail(RunStatus::Unstable, "velocities are not finite any more");
        return false;
      }
      if (k == 0) {
        pull = (next - v_).cwiseAbs().maxCoeff();
        // What forces take away of gap rates: what rests may fall onto a contact for a step or two.
        double fall = 0.0;
        for (const int i : closed_) {
          const double rate = gap_rate(i, q_contact_, v_);
          fall = std::max(fall, rate - column_.dot(next));
        }
        slow_approach_ = 2.0 * fall;
      }
      if (!closed_.empty()) {
        free = next;
        outcome = law_(contact_problem(h), closed_, next);
        if (!accepted(outcome.status)) {
          fail(RunStatus::NotConverged,
               unanswered(outcome.status, outcome.reason, closed_, system_));
          return false;
        }
        next = outcome.velocity;
      }
      const double scale = std::max({next.cwiseAbs().maxCoeff(), v_.cwiseAbs().maxCoeff(), pull});
      change = (next - last).cwiseAbs().maxCoeff() / std::max(scale, 1e-300);
      acts = !closed_.empty() && (next - free).cwiseAbs().maxCoeff() > kConverged * scale;
      if (change <= kConverged) break;
    }
    outcome.active = outcome.active && acts;
    if (!(change > kHopeless)) return true;
    fail(RunStatus::NotConverged,
         closed_.empty() ? "the equation of a step does not converge; take a shorter step"
                         : "the velocities of a step and what the law makes of contacts " +
                               names_of(closed_, system_) +
                               " in it do not converge; take a shorter step or another law");
    return false;
  }

  /// One Newton step on M (v − v_k) − h f = 0, with the derivative of M + θ²h² K alone.
  bool newton_step(double h, Vector& next) {
    const double theta = method_.theta;
    v_mid_ = (1.0 - theta) * v_ + theta * next;
    q_mid_ = q_ + theta * h * v_mid_;
    if (!solver_->factor(q_mid_, theta * theta * h * h)) return false;
    system_.force(time_ + theta * h, q_mid_, v_mid_, f_);
    next -= v_;
    solver_->multiply(next, column_);
    next += v_;
    column_ = h * f_ - column_;
    solver_->solve(column_);
    next += column_;
    return next.allFinite();
  }

  /// A gap that is nothing but what the roundings of thousands of steps have left between bodies
  /// that move together.
  bool touches(int i) {
    system_.gradient(i, q_contact_, column_);
    return h_[i] <= kTouching * column_.cwiseAbs().dot(q_contact_.cwiseAbs());
  }

  /// Contacts closed where gaps are judged, with the mass of the last Newton step.
  ImpactProblem contact_problem(double h) const {
    ImpactProblem problem = systems::impact_problem(system_, q_contact_, v_, closed_);
    const auto n = system_.coordinates();
    Matrix A(n, n);
    system_.mass(q_mid_, A);
    if (system_.has_stiffness()) {
      Matrix K(n, n);
      system_.stiffness(q_mid_, K);
      A += std::pow(method_.theta * h, 2) * K;
    }
    if (A.isDiagonal(0.0)) {
      problem.mass = MassMatrix::diagonal(A.diagonal());
    } else {
      problem.mass = MassMatrix::dense(0.5 * (A + A.transpose()));
    }
    return problem;
  }

  const MoreauJean& method_;
  std::unique_ptr<systems::MassSolver> solver_;
  SteppingLaw law_;
  Vector q_;
  Vector v_;
  std::vector<int> closed_;
  Vector q_contact_;            ///< where gaps are judged
  double slow_approach_ = 0.0;  ///< contacts that approach no faster are at rest, m/s
  Vector h_;                    ///< gaps at q_contact_
  Vector q_mid_;                ///< q_θ
  Vector v_mid_;                ///< v_θ
  Vector f_;
};

}  // namespace

void validate(const MoreauJean& method) {
  validate_fixed_steps(method);
}

Run MoreauJean::operator()(const systems::AnySystem& system, const Moment& start, const AnyLaw& law,
                           const Observer& observer) const {
  validate(*this);
  refuse_joints(system, "moreau_jean moves systems without joints only; this one has " +
                            std::to_string(system.joints()));
  MoreauJeanRun run_now(*this, system, start, law, observer);
  run_now.ledger().warn_at_start(unresolved_vibration(system, start.state.position, step));
  run_now.ledger().warn_at_start(unresolved_forces(system, start.time, step));
  return run_now.run(start, kSliver);
}

}  // namespace percute::simulation
