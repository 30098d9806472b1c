// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/law_kinds.hpp"

#include <fmt/format.h>

#include <limits>

namespace percute::io {

namespace {

using laws::Lzb;

constexpr Names<Lzb::Reengagement, 2> kReengagements{{
    {"zero_gap", Lzb::Reengagement::ZeroGap},
    {"tracked_gap", Lzb::Reengagement::TrackedGap},
}};
constexpr Names<Lzb::Integrator, 2> kIntegrators{{
    {"adaptive", Lzb::Integrator::Adaptive},
    {"euler_impulse", Lzb::Integrator::EulerImpulse},
}};
constexpr Names<Lzb::CompressionWork, 2> kCompressionWorks{{
    {"stored", Lzb::CompressionWork::Stored},
    {"last_work", Lzb::CompressionWork::LastWork},
}};
constexpr Names<Lzb::Reload, 2> kReloads{{
    {"loading_law", Lzb::Reload::LoadingLaw},
    {"retrace", Lzb::Reload::Retrace},
}};
constexpr Names<Lzb::Finish, 2> kFinishes{{
    {"moreau0", Lzb::Finish::Moreau0},
    {"none", Lzb::Finish::None},
}};
constexpr Names<Lzb::EulerRestart, 2> kRestarts{{
    {"paper", Lzb::EulerRestart::Paper},
    {"exact", Lzb::EulerRestart::Exact},
}};
constexpr Names<Lzb::EulerPrimary, 2> kPrimaries{{
    {"max_energy", Lzb::EulerPrimary::MaxEnergy},
    {"max_force", Lzb::EulerPrimary::MaxForce},
}};
constexpr Names<Lzb::EulerCriticalPoints, 2> kCriticalPoints{{
    {"none", Lzb::EulerCriticalPoints::None},
    {"locate", Lzb::EulerCriticalPoints::Locate},
}};

constexpr std::array<std::string_view, 16> kLzbKeys{
    "kind",       "contact_model", "reengagement", "integrator",        "tolerance", "verify",
    "wc",         "reload",        "finish",       "collapse_velocity", "steps",     "max_steps",
    "max_events", "restart",       "primary",      "critical_points"};

/// An option of the first-order scheme that differs from its default would have no effect on the
/// adaptive integrator.
void refuse_unused(const Table& table, const Lzb& law) {
  if (law.integrator == Lzb::Integrator::EulerImpulse) return;
  const Lzb other;
  const auto check = [&](std::string_view key, bool written) {
    if (written) table.fail(key, "is used by integrator 'euler_impulse' only");
  };
  check("steps", law.steps != other.steps);
  check("restart", law.restart != other.restart);
  check("primary", law.primary != other.primary);
  check("critical_points", law.critical_points != other.critical_points);
}

}  // namespace

Law read_lzb(const Value& value) {
  const Table table(value, kLzbKeys);
  constexpr long kMany = std::numeric_limits<long>::max();
  Lzb law;
  law.contact_model = table.choice("contact_model", law.contact_model, kContactModels);
  law.reengagement = table.choice("reengagement", law.reengagement, kReengagements);
  law.integrator = table.choice("integrator", law.integrator, kIntegrators);
  law.tolerance = table.number("tolerance", law.tolerance);
  law.verify = table.boolean("verify", law.verify);
  law.compression_work = table.choice("wc", law.compression_work, kCompressionWorks);
  law.reload = table.choice("reload", law.reload, kReloads);
  law.finish = table.choice("finish", law.finish, kFinishes);
  law.collapse_velocity = table.number("collapse_velocity", law.collapse_velocity);
  law.max_steps = table.integer("max_steps", law.max_steps, 1, kMany);
  law.max_events = table.integer("max_events", law.max_events, 1, kMany);
  law.steps = table.integer("steps", law.steps, 1, kMany);
  law.restart = table.choice("restart", law.restart, kRestarts);
  law.primary = table.choice("primary", law.primary, kPrimaries);
  law.critical_points = table.choice("critical_points", law.critical_points, kCriticalPoints);
  refuse_unused(table, law);
  validate_options(table, law);
  return law;
}

Node law_node(const Lzb& law) {
  Node node;
  node.add("kind", "lzb");
  node.add("contact_model", name_of(law.contact_model, kContactModels));
  node.add("reengagement", name_of(law.reengagement, kReengagements));
  node.add("integrator", name_of(law.integrator, kIntegrators));
  node.add("tolerance", law.tolerance);
  node.add("verify", law.verify);
  node.add("wc", name_of(law.compression_work, kCompressionWorks));
  node.add("reload", name_of(law.reload, kReloads));
  node.add("finish", name_of(law.finish, kFinishes));
  node.add("collapse_velocity", law.collapse_velocity);
  node.add("max_steps", law.max_steps);
  node.add("max_events", law.max_events);
  node.add("steps", law.steps);
  node.add("restart", name_of(law.restart, kRestarts));
  node.add("primary", name_of(law.primary, kPrimaries));
  node.add("critical_points", name_of(law.critical_points, kCriticalPoints));
  return node;
}

ContactModel contact_model(const Law& law) {
  const auto* lzb = std::get_if<Lzb>(&law);
  return lzb != nullptr ? lzb->contact_model : Lzb{}.contact_model;
}

std::string tolerance_text(double tolerance) {
  std::string text = fmt::format("{:g}", tolerance);
  if (const auto zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

std::string law_title(const Lzb& law) {
  if (law.integrator == Lzb::Integrator::EulerImpulse) {
    return fmt::format("lzb (euler_impulse, {} steps)", law.steps);
  }
  return fmt::format("lzb (tol {})", tolerance_text(law.tolerance));
}

}  // namespace percute::io
