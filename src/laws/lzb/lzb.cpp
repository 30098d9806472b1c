// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/stages.hpp"
#include "laws/lzb/adaptive.hpp"
#include "laws/lzb/euler_impulse.hpp"
#include "laws/lzb/frictional.hpp"
#include "laws/lzb/slow_approach.hpp"
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
  AdaptiveIntegrator integrator;
  Vector last;                                 ///< impulses of a last plastic step
  std::unique_ptr<FrictionalMemory> friction;  ///< once there was friction
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

ImpactResult unchanged(const ImpactProblem& problem) {
  ImpactResult result;
  result.velocity = problem.velocity;
  result.impulse = Vector::Zero(static_cast<Eigen::Index>(problem.contacts.size()));
  result.dissipated = result.impulse;
  result.status = Status::NoImpact;
  result.diagnostics.reengagement_difference = 0.0;
  result.diagnostics.contacts.resize(problem.contacts.size());
  return result;
}

/// v = v⁻ + M⁻¹ W p
Vector velocity_after(const ImpactProblem& problem, const Vector& impulse) {
  Vector v = problem.mass.solve(Vector(problem.gradients * impulse));
  v += problem.velocity;
  return v;
}

/// One contact without friction leaves as e times as fast as it came: U⁺ = −e U⁻, so that the
/// digits that the integration cannot know are known. It takes and gives back all energy itself.
void use_restitution(const ImpactSetup& setup, ImpactResult& result) {
  if (setup.m != 1 || setup.initial_energy[0] > 0.0 || result.status != Status::Ok) return;
  if (setup.contact[0].model() == ContactModel::TriStiffness) return;
  const double e = setup.contact[0].restitution();
  const double momentum = setup.effective_mass[0] * -setup.U_before[0];
  result.impulse[0] = (1.0 + e) * momentum;
  result.dissipated[0] = 0.5 * (1.0 - e) * (1.0 + e) * momentum * -setup.U_before[0];
}

/// Integrates from impulses, and once more by way of the velocities of the bodies where impulses
/// have become too large to tell gap rates from them.
Status integrate(const ImpactProblem& problem, const Lzb& law, Memory& memory,
                 const Recording* recording, std::optional<Recorder>& recorder) {
  const auto run = [&] {
    if (recording) recorder.emplace(memory.setup.m, *recording);
    return memory.integrator.run(memory.setup, law, memory.phases, recorder ? &*recorder : nullptr);
  };
  const Status status = run();
  if (!memory.integrator.lost_digits()) return status;
  memory.setup.bodies.assign(problem);
  return run();
}

ImpactResult run_adaptive(const ImpactProblem& problem, const Lzb& law, Memory& memory,
                          const Recording* recording) {
  AdaptiveIntegrator& integrator = memory.integrator;
  const ImpactSetup& setup = memory.setup;
  ContactPhases& phases = memory.phases;
  std::optional<Recorder> recorder;
  phases.record_log(recording != nullptr);

  ImpactResult result;
  result.status = integrate(problem, law, memory, recording, recorder);

  // Energies: what was absorbed and is not stored any more is lost.
  // Rounding may leave a contact that was hardly loaded with less than nothing.
  Vector& P = result.impulse;
  P = Eigen::Map<const Vector>(integrator.impulse(), setup.m).cwiseMax(0.0);
  result.dissipated.resize(setup.m);
  for (int i = 0; i < setup.m; ++i) {
    const double stored = phases.stored_energy(i, integrator.indentation()[i]);
    result.energy.stored += stored;
    const double absorbed = phases.absorbed_work(i, integrator.indentation()[i]);
    result.dissipated[i] = setup.initial_energy[i] + absorbed - stored;
  }
  use_restitution(setup, result);
  // A last plastic step, and the state after it.
  Vector& last = memory.last;
  last.setZero(setup.m);
  const auto end_plastically = [&](const std::vector<double>& U) {
    P += last;
    if (!recorder) return;
    recorder->sample(integrator.time(), [&](int i) {
      return ContactSample{.impulse = P[i],
                           .dissipated = result.dissipated[i],
                           .gap_rate = U[i] + setup.G.row(i, last.data())};
    });
  };
  Diagnostics& d = result.diagnostics;
  if (result.status == Status::Zeno) {
    const std::vector<double>& U = integrator.gap_rates();
    d.residual_velocity = 0.0;
    for (const double u : U) d.residual_velocity = std::max(*d.residual_velocity, std::abs(u));
    phases.log_zeno(integrator.time());
    if (law.finish == Lzb::Finish::Moreau0) {
      for (int i = 0; i < setup.m; ++i) {
        result.dissipated[i] += phases.stored_energy(i, integrator.indentation()[i]);
      }
      result.energy.stored = 0.0;
      if (!finish_plastically(setup, U, last, result.dissipated)) {
        result.status = Status::NotTerminated;
        d.reason = kUnfinished;
      }
      end_plastically(U);
    } else {
      result.status = Status::NotTerminated;
    }
  } else if (result.status == Status::Ok && law.finish == Lzb::Finish::Moreau0) {
    std::vector<double> U = integrator.gap_rates();
    const double removed = remove_slow_approach(setup, U, last, result.dissipated);
    if (removed > 0.0) {
      d.residual_velocity = removed;
      end_plastically(integrator.gap_rates());
    }
  }
  if (setup.bodies.used()) {
    result.velocity = velocity_after(problem, last);
    result.velocity += Eigen::Map<const Vector>(integrator.velocities(), problem.velocity.size());
  } else {
    result.velocity = velocity_after(problem, P);
  }
  if (!result.velocity.allFinite()) result.status = Status::StepUnderflow;
  if (integrator.reason() != nullptr && d.reason.empty()) d.reason = integrator.reason();
  d.tolerance = law.tolerance;
  d.evaluations = integrator.evaluations();
  d.event_evaluations = integrator.counts().event_evaluations;
  d.steps = integrator.counts().steps;
  d.rejected = integrator.counts().rejected;
  d.events = phases.events();
  d.duration = integrator.time();
  d.contacts = phases.summaries();
  if (recorder) result.history = recorder->history(problem, phases.log());
  return result;
}

/// Σ_ij |M_ij| |v_j⁻| (report (78)); precompression adds Σ √(2 m_i E0_i).
double estimated_impulse(const ImpactProblem& problem, const ImpactSetup& setup) {
  double sum = 0.0;
  const Eigen::Index n = problem.velocity.size();
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      sum += std::abs(problem.mass(i, j)) * std::abs(problem.velocity[j]);
    }
  }
  for (int i = 0; i < setup.m; ++i) {
    sum += std::sqrt(2.0 * setup.effective_mass[i] * setup.initial_energy[i]);
  }
  return sum;
}

ImpactResult run_euler(const ImpactProblem& problem, const Lzb& law, const ImpactSetup& setup,
                       const Recording* recording) {
  std::optional<Recorder> recorder;
  if (recording) recorder.emplace(setup.m, *recording);
  const double step = estimated_impulse(problem, setup) / static_cast<double>(law.steps);
  EulerOutcome outcome = run_euler_impulse(setup, law, step, recorder ? &*recorder : nullptr);
  ImpactResult result;
  result.status = outcome.status;
  result.impulse = Eigen::Map<const Vector>(outcome.P.data(), setup.m);
  result.velocity = velocity_after(problem, result.impulse);
  result.dissipated = Eigen::Map<const Vector>(outcome.dissipated.data(), setup.m);
  for (const double E : outcome.E) result.energy.stored += E;
  Diagnostics& d = result.diagnostics;
  d.evaluations = d.steps = outcome.steps;
  d.events = outcome.changes;
  d.duration = outcome.time;
  d.contacts = std::move(outcome.summary);
  if (recorder) result.history = recorder->history(problem, std::move(outcome.events));
  return result;
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
  const bool friction = friction_acts(problem);
  if (friction && recording == nullptr && has_closed_form(problem, law)) {
    ImpactResult result = DarbouxKellerSingle{}(problem);
    if (result.ok()) result.diagnostics.reengagement_difference = 0.0;
    return result;
  }
  ImpactSetup& setup = memory.setup;
  setup.assign(problem, law);
  bool impact = false;
  for (int i = 0; i < setup.m; ++i) {
    impact = impact || setup.U_before[i] < -setup.gap_rate_tol || setup.initial_energy[i] > 0.0;
  }
  if (!impact) return unchanged(problem);
  if (law.integrator == Lzb::Integrator::EulerImpulse) {
    return run_euler(problem, law, setup, recording);
  }
  const auto run = [&](double tolerance, const Recording* kept) {
    Lzb at = law;
    at.tolerance = tolerance;
    if (!friction) return run_adaptive(problem, at, memory, kept);
    if (!memory.friction) memory.friction = std::make_unique<FrictionalMemory>();
    return run_frictional(problem, at, setup, memory.phases, *memory.friction, kept);
  };
  ImpactResult result = run(law.tolerance, recording);
  if (result.ok() && !rule_plays_a_part(law, setup, memory.phases)) {
    result.diagnostics.reengagement_difference = 0.0;
  }
  if (law.verify) {
    const ImpactResult finer = run(std::max(0.1 * law.tolerance, 1e-13), nullptr);
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
