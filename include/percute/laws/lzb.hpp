// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/impact_law.hpp>
#include <percute/model/fields.hpp>

#include <memory>
#include <optional>

namespace percute::laws {

/// Scratch memory of the LZB law. Reusing it saves allocations and never changes a result; one
/// workspace serves one thread at a time.
class LzbWorkspace {
 public:
  LzbWorkspace();
  ~LzbWorkspace();
  LzbWorkspace(LzbWorkspace&&) noexcept;
  LzbWorkspace& operator=(LzbWorkspace&&) noexcept;
  LzbWorkspace(const LzbWorkspace&) = delete;
  LzbWorkspace& operator=(const LzbWorkspace&) = delete;

  struct Memory;

 private:
  friend struct Lzb;
  std::unique_ptr<Memory> memory_;
};

/// Liu–Zhao–Brogliato law for multiple impacts (Proc. R. Soc. A 465 (2009) 1–23; INRIA report
/// inria-00204018): Darboux–Keller dynamics of a frozen configuration whose contacts store and
/// return energy through their stiffness,
///
///     λ_i = K_i ξ_i^η_i,    E_i = K_i ξ_i^(1+η_i) / (1+η_i),
///     dP_i/dτ = λ_i,        U = U⁻ + G P,
///     dξ_i/dτ = −U_i  in compression (U_i < 0),  −U_i/e_i²  in expansion (bi-stiffness).
///
/// Equivalent to the distributing rule dP_i/dP_j = λ_i/λ_j in the impulse variable.
///
/// Contacts with tangents and friction μ > 0 obey Coulomb's law at every instant: with U_t the
/// sliding velocity, U = U⁻ + A (P, P_t) and dP_t/dτ = f,
///
///     sliding    f = −μ λ U_t/|U_t|,
///     sticking   dU_t/dτ = 0 for all contacts that stick, together, as long as |f| ≤ μ λ.
///
/// A single bi-stiffness contact is DarbouxKellerSingle: stiffness and time play no part (a history
/// integrates it all the same). Friction may wedge bodies between contacts that stay compressed:
/// NotTerminated, with the reason in the diagnostics. Infinite friction stops sliding by an impulse
/// where a contact closes; where no pressure follows the status is NoSlipSolution.
///
/// On status Ok: p ≥ 0, |p_t| ≤ μ p, U⁺ ≥ −tol_U, and no energy is created beyond 10 tolerances per
/// contact. The velocity error was at most 100 tolerance · vs (10 for tolerances of 1e-5 and
/// looser) on all published cases, vs being the largest gap rate; problems that amplify small
/// differences may exceed it.
///
/// With more than 16 contacts, approach slower than δ = max(1e-10, tolerance) vs starts nothing:
/// its sign is an error of the integration, and balls in a row could sort such errors out for ever.
/// What is left of it in the end is removed by one plastic step. There only contacts near loaded
/// ones are integrated, so that long chains cost a constant time per ball.
struct Lzb {
  static constexpr std::string_view kKind = "lzb";
  static constexpr bool uses_friction() { return true; }

  /// When does an open contact that is driven together again take part?
  ///
  /// Gaps that open during an impact are as small as indentations, but no smaller: the two rules do
  /// not come closer as bodies get harder. They are the same where nothing re-engages, and far
  /// apart where a hard contact opens and closes beside a soft one that stays compressed. Three
  /// equal balls, v⁻ = (1, 0.3, −0.5), linear contacts, K₂/K₁ = 1e-4:
  ///
  ///     ZeroGap         −0.167  −0.166  1.133   balls 1 and 2 go on together
  ///     TrackedGap      −0.485   0.268  1.017   ball 2 leaves ball 1 and strikes it again later
  ///     springs         −0.485   0.268  1.017   law Compliant
  ///
  /// Take TrackedGap for what springs would do: stiffnesses a factor of ten or more apart, or
  /// bodies that are struck again. Take ZeroGap for the numbers of the papers and for long chains,
  /// where it is faster. Diagnostics::reengagement_difference tells how much depends on it.
  enum class Reengagement {
    ZeroGap,     ///< at once: displacements during an impact are neglected (the papers' rule)
    TrackedGap,  ///< when the gap opened meanwhile has closed again (frozen geometry)
  };
  enum class Integrator {
    Adaptive,      ///< error-controlled, events located: the default
    EulerImpulse,  ///< first-order scheme of the papers in the impulse of the primary contact;
                   ///< without friction
  };
  /// Mono-stiffness: W_c in E_end = (1 − e²) W_c after several compressions.
  enum class CompressionWork {
    Stored,    ///< all that is stored at the end of the last compression
    LastWork,  ///< only the work of the last compression
  };
  /// Tri-stiffness: path of a contact that compresses again before it has opened.
  enum class Reload {
    LoadingLaw,  ///< on the loading curve from the current force
    Retrace,     ///< back along the unloading slope to the largest force, then the loading curve
  };
  /// What to do with the rest of an infinite cascade of impacts.
  enum class Finish {
    Moreau0,  ///< one plastic step on the residual velocities
    None,     ///< keep the residual; status NotTerminated
  };
  enum class EulerRestart { Paper, Exact };         ///< first increment of a starting contact
  enum class EulerPrimary { MaxEnergy, MaxForce };  ///< choice of the primary contact
  enum class EulerCriticalPoints { None, Locate };  ///< shorten steps to the phase changes

  ContactModel contact_model = ContactModel::BiStiffness;  ///< where the material names none
  Reengagement reengagement = Reengagement::ZeroGap;
  Integrator integrator = Integrator::Adaptive;
  double tolerance = 1e-9;
  bool verify = false;

  CompressionWork compression_work = CompressionWork::Stored;
  Reload reload = Reload::LoadingLaw;
  Finish finish = Finish::Moreau0;
  double collapse_velocity = 1e-8;
  /// Limits are per 1000 contacts if there are more, and up to 100 times as many where some
  /// contacts last 25'000 times as long as others.
  long max_steps = 1'000'000;
  long max_events = 100'000;

  // Of EulerImpulse:
  long steps = 10'000;
  EulerRestart restart = EulerRestart::Paper;
  EulerPrimary primary = EulerPrimary::MaxEnergy;
  EulerCriticalPoints critical_points = EulerCriticalPoints::None;

  ImpactResult operator()(const ImpactProblem& problem) const;
  ImpactResult operator()(const ImpactProblem& problem, LzbWorkspace& workspace) const;
  ImpactResult operator()(const ImpactProblem& problem, const Recording& recording) const;
  ImpactResult operator()(const ImpactProblem& problem, LzbWorkspace& workspace,
                          const Recording& recording) const;
};

constexpr Names<Lzb::Reengagement, 2> names(Lzb::Reengagement) {
  return {
      {{"zero_gap", Lzb::Reengagement::ZeroGap}, {"tracked_gap", Lzb::Reengagement::TrackedGap}}};
}
constexpr Names<Lzb::Integrator, 2> names(Lzb::Integrator) {
  return {
      {{"adaptive", Lzb::Integrator::Adaptive}, {"euler_impulse", Lzb::Integrator::EulerImpulse}}};
}
constexpr Names<Lzb::CompressionWork, 2> names(Lzb::CompressionWork) {
  return {
      {{"stored", Lzb::CompressionWork::Stored}, {"last_work", Lzb::CompressionWork::LastWork}}};
}
constexpr Names<Lzb::Reload, 2> names(Lzb::Reload) {
  return {{{"loading_law", Lzb::Reload::LoadingLaw}, {"retrace", Lzb::Reload::Retrace}}};
}
constexpr Names<Lzb::Finish, 2> names(Lzb::Finish) {
  return {{{"moreau0", Lzb::Finish::Moreau0}, {"none", Lzb::Finish::None}}};
}
constexpr Names<Lzb::EulerRestart, 2> names(Lzb::EulerRestart) {
  return {{{"paper", Lzb::EulerRestart::Paper}, {"exact", Lzb::EulerRestart::Exact}}};
}
constexpr Names<Lzb::EulerPrimary, 2> names(Lzb::EulerPrimary) {
  return {
      {{"max_energy", Lzb::EulerPrimary::MaxEnergy}, {"max_force", Lzb::EulerPrimary::MaxForce}}};
}
constexpr Names<Lzb::EulerCriticalPoints, 2> names(Lzb::EulerCriticalPoints) {
  return {{{"none", Lzb::EulerCriticalPoints::None}, {"locate", Lzb::EulerCriticalPoints::Locate}}};
}

template <Same<Lzb> Law>
void fields(Law& law, auto&& visit) {
  visit(Field{"contact_model", "of contacts that name none"}, law.contact_model);
  visit(Field{"reengagement", "when an open contact that is driven together takes part again"},
        law.reengagement);
  visit(Field{"integrator", "error-controlled, or the first-order scheme of the papers"},
        law.integrator);
  visit(Field{"tolerance", "accuracy relative to the problem's scales", Range::closed(1e-13, 1e-3)},
        law.tolerance);
  visit(Field{"verify",
              "repeat at a tenth of the tolerance, and by the other reengagement where "
              "that plays a part; report how far v⁺ moves"},
        law.verify);
  visit(Field{"wc", "mono-stiffness: work of compression that counts"}, law.compression_work);
  visit(Field{"reload", "tri-stiffness: path of recompression"}, law.reload);
  visit(Field{"finish", "rest of an endless cascade: one plastic step, or left"}, law.finish);
  visit(Field{"collapse_velocity", "part of the velocity scale below which a cascade is endless",
              Range::between(0.0, 1.0)},
        law.collapse_velocity);
  visit(Field{"max_steps", "accepted and rejected steps; then not_terminated", Range::count()},
        law.max_steps);
  visit(Field{"max_events", "changes of contact state; then not_terminated", Range::count()},
        law.max_events);
  const auto of_euler = [&law](const Field& field) {
    return field.used(law.integrator == Lzb::Integrator::EulerImpulse,
                      "integrator 'euler_impulse'");
  };
  visit(of_euler({"steps", "the estimated total impulse is divided into these", Range::count()}),
        law.steps);
  visit(of_euler({"restart", "first increment of a starting contact"}), law.restart);
  visit(of_euler({"primary", "choice of the primary contact"}), law.primary);
  visit(of_euler({"critical_points", "shorten steps to the changes of phase"}),
        law.critical_points);
}

/// "lzb (tol 1e-9)".
std::string title(const Lzb& law);
/// Throws InvalidInput, naming the option, unless all options are in range.
void validate(const Lzb& law);

/// What the other rule of re-engagement makes of the same impact.
struct OtherReengagement {
  Lzb::Reengagement rule = Lzb::Reengagement::TrackedGap;
  Status status = Status::Ok;
  Vector velocity = {};  ///< v⁺ under that rule
  /// Largest |Δv⁺| over max |v⁻| (over max |v⁺| where nothing moved before); none without an
  /// answer.
  std::optional<double> difference = {};
};

/// Tries the other rule on an impact whose outcome under `law` is `result`. Nothing where that
/// outcome tells that the rule plays no part, is no answer, or comes from EulerImpulse, which has
/// only one rule. The other run ends after five million steps times contacts, about a second.
std::optional<OtherReengagement> other_reengagement(const ImpactProblem& problem, const Lzb& law,
                                                    const ImpactResult& result);

}  // namespace percute::laws
