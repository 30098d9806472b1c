// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/euler_impulse.hpp"
#include "laws/lzb/frictional_run.hpp"
#include "laws/lzb/frictionless_run.hpp"
#include "model/text.hpp"

#include <percute/laws/darboux_keller_single.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace percute::laws {

/// All memory of a run; one per thread, reused from problem to problem.
struct LzbWorkspace::Memory {
  ImpactSetup setup;
  ContactPhases phases;
  FrictionlessRun run;
  Vector last;  ///< impulses of a last plastic step

  struct Friction {
    FrictionSetup setup;
    FrictionalRun run;
  };
  std::unique_ptr<Friction> friction;  ///< once there was some
};

LzbWorkspace::LzbWorkspace() : memory_(std::make_unique<Memory>()) {}
LzbWorkspace::~LzbWorkspace() = default;
LzbWorkspace::LzbWorkspace(LzbWorkspace&&) noexcept = default;
LzbWorkspace& LzbWorkspace::operator=(LzbWorkspace&&) noexcept = default;

namespace {

using Memory = LzbWorkspace::Memory;

/// Steps times contacts that a try of the other rule of re-engagement may take: about a second.
/// Gaps that are tracked make every contact of a long chain take part in every step.
constexpr long kOtherRuleSteps = 5'000'000;

ImpactResult unchanged(const ImpactProblem& problem, Status status) {
  ImpactResult result;
  result.velocity = problem.velocity;
  result.impulse = Vector::Zero(static_cast<Eigen::Index>(problem.contacts.size()));
  result.status = status;
  for (const Contact& c : problem.contacts) result.energy.stored += c.stored_energy;
  return result;
}

ImpactResult no_impact(const ImpactProblem& problem) {
  ImpactResult result = unchanged(problem, Status::NoImpact);
  result.dissipated = result.impulse;
  result.diagnostics.reengagement_difference = 0.0;
  result.diagnostics.contacts.resize(problem.contacts.size());
  return result;
}

ImpactResult no_slip_solution(const ImpactProblem& problem, int contact) {
  ImpactResult result = unchanged(problem, Status::NoSlipSolution);
  result.diagnostics.reason = "contacts[" + std::to_string(contact) +
                              "] separates where its sliding is stopped: infinite friction would "
                              "act without pressure";
  return result;
}

/// One contact without friction leaves as e times as fast as it came: U⁺ = −e U⁻, so that the
/// digits that the integration cannot know are known. It takes and gives back all energy itself.
void use_restitution(const ImpactSetup& setup, ImpactResult& result) {
  if (setup.m != 1 || setup.contact[0].initial_energy > 0.0 || result.status != Status::Ok) return;
  if (setup.contact[0].model() == ContactModel::TriStiffness) return;
  const double e = setup.contact[0].restitution();
  const double momentum = setup.contact[0].effective_mass * -setup.U_before[0];
  result.impulse[0] = (1.0 + e) * momentum;
  result.dissipated[0] = 0.5 * (1.0 - e) * (1.0 + e) * momentum * -setup.U_before[0];
}

/// A run when it is over: of all contacts.
struct RunEnd {
  Status status = Status::Ok;
  double time = 0.0;
  const double* xi = nullptr;
  const double* impulse = nullptr;          ///< normal ones, then those of friction
  const double* velocity_change = nullptr;  ///< of the bodies, if they were integrated
  const std::vector<double>* U = nullptr;   ///< gap rates first
  RunCounts counts = {};
  const Memory::Friction* friction = nullptr;     ///< if there was some
  const EulerRun* euler = nullptr;                ///< if it was that scheme
  const std::vector<ImpactEvent>* log = nullptr;  ///< events beside those of the phases
};

/// A contact whose sliding infinite friction has stopped, and that no pressure came to; −1 if there
/// is none.
int held_without_pressure(const ImpactSetup& setup, const FrictionSetup& friction,
                          const ImpactResult& result) {
  for (int i = 0; i < setup.m; ++i) {
    if (!friction.acts(i) || !std::isinf(friction.mu(i))) continue;
    const double unit = 1e-10 * setup.contact[i].effective_mass * setup.velocity_scale;
    const Vector& p_t = result.tangential_impulse[static_cast<std::size_t>(i)];
    if (result.impulse[i] <= unit && p_t.norm() > unit) return i;
  }
  return -1;
}

/// Impulses of friction and what they have taken.
void set_friction(const ImpactProblem& problem, const Memory::Friction& friction, const RunEnd& end,
                  ImpactResult& result) {
  const int m = static_cast<int>(problem.contacts.size());
  for (int i = 0; i < m; ++i) {
    result.tangential_impulse.emplace_back(
        Vector::Zero(problem.contacts[static_cast<std::size_t>(i)].directions));
    if (friction.setup.acts(i)) {
      result.tangential_impulse.back() =
          Eigen::Map<const Vector>(end.impulse + m + friction.setup.row(i), friction.setup.size(i));
    }
  }
  result.dissipated_by_friction = Eigen::Map<const Vector>(friction.run.friction_loss(), m);
}

/// v⁺ = v⁻ + M⁻¹ (W p + T p_t)
Vector velocity_after(const ImpactProblem& problem, const Vector& impulse,
                      const std::vector<Vector>& tangential) {
  Vector momentum = problem.gradients * impulse;
  for (std::size_t i = 0; i < tangential.size(); ++i) {
    if (problem.contacts[i].directions == 0) continue;
    momentum += tangents_of(problem, i) * tangential[i];
  }
  Vector v = problem.mass.solve(momentum);
  v += problem.velocity;
  return v;
}

/// Ends the rest of a cascade, or removes slow approach, by a plastic step without friction: both
/// are slower than all that was resolved. Its impulses are left in memory.last; true if there are
/// any.
bool end_plastically(const Lzb& law, Memory& memory, const RunEnd& end, ImpactResult& result) {
  const ImpactSetup& setup = memory.setup;
  const bool cascade = result.status == Status::Zeno;
  std::optional<double>& residual = result.diagnostics.residual_velocity;
  if (cascade) {
    residual = 0.0;
    for (int i = 0; i < setup.m; ++i) residual = std::max(*residual, std::abs((*end.U)[i]));
    memory.phases.log_zeno(end.time);
    if (law.finish == Lzb::Finish::None) {
      result.status = Status::NotTerminated;
      return false;
    }
    for (int i = 0; i < setup.m; ++i) {
      result.dissipated[i] += memory.phases.stored_energy(i, end.xi[i]);
    }
    result.energy.stored = 0.0;
  } else {
    const double fastest = -*std::min_element(end.U->begin(), end.U->begin() + setup.m);
    const bool seen = fastest > setup.gap_rate_tol;
    if (result.status != Status::Ok || law.finish == Lzb::Finish::None || !seen) return false;
    residual = fastest;
  }
  if (!plastic_step(setup, *end.U, memory.last, result.dissipated) && cascade) {
    result.status = Status::NotTerminated;
    result.diagnostics.reason =
        "the rest of an infinite cascade could not be ended by a plastic step";
  }
  return true;
}

/// What follows from the end of a run.
ImpactResult conclude(const ImpactProblem& problem, const Lzb& law, Memory& memory,
                      const RunEnd& end, Recorder* recorder) {
  const ImpactSetup& setup = memory.setup;
  const ContactPhases& phases = memory.phases;
  const Memory::Friction* friction = end.friction;
  ImpactResult result;
  result.status = end.status;
  // Rounding may leave a contact that was hardly loaded with less than nothing.
  Vector& P = result.impulse;
  P = Eigen::Map<const Vector>(end.impulse, setup.m).cwiseMax(0.0);
  if (friction != nullptr) {
    set_friction(problem, *friction, end, result);
    const int held = held_without_pressure(setup, friction->setup, result);
    if (held >= 0 && accepted(result.status)) return no_slip_solution(problem, held);
  }
  // Energies: what was absorbed and is not stored any more is lost.
  result.dissipated.resize(setup.m);
  for (int i = 0; i < setup.m; ++i) {
    const double stored = phases.stored_energy(i, end.xi[i]);
    result.energy.stored += stored;
    result.dissipated[i] = end.euler != nullptr ? end.euler->dissipated(i)
                                                : setup.contact[i].initial_energy +
                                                      phases.absorbed_work(i, end.xi[i]) - stored;
  }
  if (friction != nullptr) {
    result.dissipated += result.dissipated_by_friction;
  } else if (end.euler == nullptr) {
    use_restitution(setup, result);
  }
  Diagnostics& d = result.diagnostics;
  if (end.counts.reason != nullptr) d.reason = end.counts.reason;
  memory.last.setZero(setup.m);
  const bool finished = end_plastically(law, memory, end, result);
  if (finished) P += memory.last;
  if (end.velocity_change != nullptr) {
    result.velocity = velocity_after(problem, memory.last, {});
    result.velocity += Eigen::Map<const Vector>(end.velocity_change, problem.velocity.size());
  } else {
    result.velocity = velocity_after(problem, P, result.tangential_impulse);
  }
  if (finished && recorder != nullptr) {
    const Vector after = problem.gradients.transpose() * result.velocity;
    recorder->sample(end.time, [&](int i) {
      ContactSample s{.impulse = P[i], .dissipated = result.dissipated[i], .gap_rate = after[i]};
      for (int k = 0; friction != nullptr && k < friction->setup.size(i); ++k) {
        s.tangential_impulse[static_cast<std::size_t>(k)] =
            result.tangential_impulse[static_cast<std::size_t>(i)][k];
      }
      return s;
    });
  }
  if (!result.velocity.allFinite()) result.status = Status::StepUnderflow;
  if (end.euler == nullptr) d.tolerance = law.tolerance;
  d.evaluations = end.counts.evaluations;
  d.event_evaluations = end.counts.event_evaluations;
  d.steps = end.counts.steps;
  d.rejected = end.counts.rejected;
  d.events = phases.events() + end.counts.friction_events;
  d.duration = end.time;
  d.contacts = phases.summaries();
  if (recorder != nullptr) {
    std::vector<ImpactEvent> events = phases.log();
    if (end.log != nullptr) events.insert(events.end(), end.log->begin(), end.log->end());
    result.history = recorder->history(problem, std::move(events));
  }
  return result;
}

ImpactResult run(const ImpactProblem& problem, const Lzb& law, bool friction, Memory& memory,
                 const Recording* recording) {
  ImpactSetup& setup = memory.setup;
  std::optional<Recorder> recorder;
  const auto fresh = [&]() -> Recorder* {
    if (recording == nullptr) return nullptr;
    recorder.emplace(setup.m, *recording);
    return &*recorder;
  };
  memory.phases.record_log(recording != nullptr);
  const auto end_of = [](Status status, const auto& run) {
    return RunEnd{.status = status,
                  .time = run.time(),
                  .xi = run.indentation(),
                  .impulse = run.impulse(),
                  .U = &run.gap_rates(),
                  .counts = run.counts()};
  };
  RunEnd end;
  EulerRun euler;
  if (law.integrator == Lzb::Integrator::EulerImpulse) {
    end = end_of(euler.run(problem, setup, law, memory.phases, fresh()), euler);
    end.euler = &euler;
    end.log = &euler.log();
  } else if (!friction) {
    FrictionlessRun& run = memory.run;
    Status status = run.run(setup, law, memory.phases, fresh());
    if (run.lost_digits()) {
      // Impulses have become too large to tell gap rates from them: once more by way of the
      // velocities of the bodies.
      setup.bodies.assign(problem);
      status = run.run(setup, law, memory.phases, fresh());
    }
    end = end_of(status, run);
    if (setup.bodies.used()) end.velocity_change = run.velocities();
  } else {
    if (!memory.friction) memory.friction = std::make_unique<Memory::Friction>();
    auto& [rows, run] = *memory.friction;
    rows.assign(problem, setup);
    const Status status = run.run(setup, rows, law, memory.phases, fresh());
    if (status == Status::NoSlipSolution) {
      return no_slip_solution(problem, run.without_solution());
    }
    end = end_of(status, run);
    end.friction = memory.friction.get();
    end.log = &run.log();
  }
  return conclude(problem, law, memory, end, recorder ? &*recorder : nullptr);
}

void check_applicable(const ImpactProblem& problem, const Lzb& law) {
  const bool euler = law.integrator == Lzb::Integrator::EulerImpulse;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Material& material = problem.contacts[i].material;
    const auto field = [&](const char* name) {
      return "contacts[" + std::to_string(i) + "]." + name;
    };
    if (material.restitution > 1.0) {
      throw InvalidInput(field("restitution"), text(material.restitution) + " is not in [0, 1]");
    }
    if (euler && friction_acts(problem.contacts[i])) {
      throw InvalidInput(field("friction"),
                         text(material.friction) +
                             " is not part of integrator euler_impulse, which is frictionless; use "
                             "integrator adaptive");
    }
    const bool tri =
        material.contact_model.value_or(law.contact_model) == ContactModel::TriStiffness;
    if (tri && !material.tri_stiffness) {
      throw InvalidInput(field("tri_stiffness"),
                         "is missing; contact_model tri_stiffness needs yield_indentation, "
                         "plastic_stiffness and unloading_stiffness");
    }
    if (tri && euler) {
      throw InvalidInput(field("contact_model"),
                         "tri_stiffness is not part of integrator euler_impulse; use "
                         "bi_stiffness, mono_stiffness or integrator adaptive");
    }
  }
}

/// One contact that stores nothing beforehand has a closed form in the impulse (one tangent), or
/// one integration of the sliding direction (two): no time is needed.
bool has_closed_form(const ImpactProblem& problem, const Lzb& law) {
  if (problem.contacts.size() != 1 || law.integrator != Lzb::Integrator::Adaptive) return false;
  const Contact& contact = problem.contacts.front();
  const ContactModel model = contact.material.contact_model.value_or(law.contact_model);
  return model == ContactModel::BiStiffness && contact.stored_energy == 0.0;
}

/// Whether the rule of re-engagement may have had a say in the run just made. With tracked gaps a
/// contact may have approached while open and turned back, which leaves no trace. A contact alone
/// that has opened moves apart for good.
bool rule_plays_a_part(const Lzb& law, const ImpactSetup& setup, const ContactPhases& phases) {
  if (setup.m == 1) return false;
  return law.reengagement == Lzb::Reengagement::TrackedGap || phases.reengaged();
}

ImpactResult solve(const ImpactProblem& problem, const Lzb& law, Memory& memory,
                   const Recording* recording) {
  validate(law);
  check_applicable(problem, law);
  const bool friction = std::any_of(problem.contacts.begin(), problem.contacts.end(),
                                    [](const Contact& contact) { return friction_acts(contact); });
  if (friction && recording == nullptr && has_closed_form(problem, law)) {
    ImpactResult result = DarbouxKellerSingle{}(problem);
    if (result.ok()) result.diagnostics.reengagement_difference = 0.0;
    return result;
  }
  ImpactSetup& setup = memory.setup;
  setup.assign(problem, law);
  bool impact = false;
  for (int i = 0; i < setup.m; ++i) {
    impact =
        impact || setup.U_before[i] < -setup.gap_rate_tol || setup.contact[i].initial_energy > 0.0;
  }
  if (!impact) return no_impact(problem);
  ImpactResult result = run(problem, law, friction, memory, recording);
  if (law.integrator == Lzb::Integrator::EulerImpulse) return result;
  if (result.ok() && !rule_plays_a_part(law, setup, memory.phases)) {
    result.diagnostics.reengagement_difference = 0.0;
  }
  if (law.verify) {
    Lzb tighter = law;
    tighter.tolerance = std::max(0.1 * law.tolerance, 1e-13);
    const ImpactResult finer = run(problem, tighter, friction, memory, nullptr);
    result.diagnostics.verify_difference = (finer.velocity - result.velocity).cwiseAbs().maxCoeff();
    if (const auto other = other_reengagement(problem, law, result)) {
      result.diagnostics.reengagement_difference = other->difference;
    }
  }
  return result;
}

void validate(const Recording& recording) {
  if (recording.every < 0) {
    throw InvalidInput("recording.every", std::to_string(recording.every) + " is not at least 0");
  }
  for (std::size_t k = 0; k < recording.times.size(); ++k) {
    const bool ordered = k == 0 || recording.times[k - 1] <= recording.times[k];
    if (!std::isfinite(recording.times[k]) || recording.times[k] < 0.0 || !ordered) {
      throw InvalidInput(
          "recording.times[" + std::to_string(k) + "]",
          text(recording.times[k]) + " is not finite, negative, or not in ascending order");
    }
  }
}

}  // namespace

std::string title(const Lzb& law) {
  if (law.integrator == Lzb::Integrator::EulerImpulse) {
    return "lzb (euler_impulse, " + std::to_string(law.steps) + " steps)";
  }
  return "lzb (tol " + tolerance_text(law.tolerance) + ")";
}

void validate(const Lzb& law) {
  require_ranges("law", law);
  if (law.integrator == Lzb::Integrator::EulerImpulse &&
      law.reengagement == Lzb::Reengagement::TrackedGap) {
    throw InvalidInput("law.reengagement",
                       "tracked_gap is not part of integrator euler_impulse, which knows zero_gap "
                       "only");
  }
  if (law.verify && law.tolerance < 1e-12) {
    throw InvalidInput(
        "law.verify",
        "needs a tolerance of at least 1e-12, to repeat the run at a tenth of it; it is " +
            text(law.tolerance));
  }
  if (law.integrator == Lzb::Integrator::EulerImpulse && law.verify) {
    throw InvalidInput("law.verify",
                       "is not part of integrator euler_impulse, which has no "
                       "tolerance to tighten");
  }
}

std::optional<OtherReengagement> other_reengagement(const ImpactProblem& problem, const Lzb& law,
                                                    const ImpactResult& result) {
  using Rule = Lzb::Reengagement;
  const bool known = result.diagnostics.reengagement_difference == 0.0;
  if (known || !result.ok() || law.integrator != Lzb::Integrator::Adaptive) return {};
  Lzb changed = law;
  changed.reengagement = law.reengagement == Rule::ZeroGap ? Rule::TrackedGap : Rule::ZeroGap;
  changed.verify = false;
  const auto contacts = static_cast<long>(problem.contacts.size());
  changed.max_steps = std::min(law.max_steps, std::max(1L, kOtherRuleSteps / contacts));
  const ImpactResult outcome = changed(problem);

  OtherReengagement other{
      .rule = changed.reengagement, .status = outcome.status, .velocity = outcome.velocity};
  if (!outcome.ok()) return other;
  if (outcome.diagnostics.reengagement_difference == 0.0) {
    other.difference = 0.0;
    return other;
  }
  double speed = problem.velocity.cwiseAbs().maxCoeff();
  if (speed == 0.0) speed = result.velocity.cwiseAbs().maxCoeff();
  const double change = (outcome.velocity - result.velocity).cwiseAbs().maxCoeff();
  other.difference = speed > 0.0 ? change / speed : 0.0;
  return other;
}

ImpactResult Lzb::operator()(const ImpactProblem& problem) const {
  LzbWorkspace workspace;
  return solve(problem, *this, *workspace.memory_, nullptr);
}

ImpactResult Lzb::operator()(const ImpactProblem& problem, LzbWorkspace& workspace) const {
  if (!workspace.memory_) workspace = LzbWorkspace();  // its memory was moved elsewhere
  return solve(problem, *this, *workspace.memory_, nullptr);
}

ImpactResult Lzb::operator()(const ImpactProblem& problem, const Recording& recording) const {
  LzbWorkspace workspace;
  return (*this)(problem, workspace, recording);
}

ImpactResult Lzb::operator()(const ImpactProblem& problem, LzbWorkspace& workspace,
                             const Recording& recording) const {
  validate(recording);
  if (!workspace.memory_) workspace = LzbWorkspace();
  return solve(problem, *this, *workspace.memory_, &recording);
}

}  // namespace percute::laws
