// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/law_file.hpp>
#include <percute/io/problem_file.hpp>
#include <percute/io/suggest.hpp>

#include <fmt/format.h>

#include <algorithm>
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

/// Kinds of law that exist by name; this version has the first one.
constexpr std::array<std::string_view, 15> kKinds{"lzb",
                                                  "moreau",
                                                  "newton",
                                                  "poisson",
                                                  "binary",
                                                  "coulomb",
                                                  "icr",
                                                  "restitution_matrix",
                                                  "cradle_sort",
                                                  "fremond_cone",
                                                  "compliant",
                                                  "fremond_quadratic",
                                                  "scalar_restitution",
                                                  "simultaneous_set",
                                                  "darboux_keller_single"};
constexpr std::span<const std::string_view> kAvailable{kKinds.data(), 1};

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

Lzb read_lzb(const Value& value) {
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
  try {
    validate(law);
  } catch (const InvalidInput& error) {
    // The field is the option, with or without "law." in front.
    const std::string option = error.field().substr(error.field().rfind('.') + 1);
    table.fail(option, error.reason());
  }
  return law;
}

Node lzb_node(const Lzb& law) {
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

}  // namespace

Law read_law(const std::optional<Value>& value) {
  if (!value) return Lzb{};
  if (value->node().as<Node::Object>() == nullptr) {
    value->fail("must be an object, got " + value->node().describe());
  }
  // Options without a kind are those of the law that applies where a file names none.
  const Node* kind = value->node().find("kind");
  if (kind == nullptr) return read_lzb(*value);
  const Value named(value->document(), *kind, value->path() + ".kind");
  const std::string& word = named.string();
  if (word == "lzb") return read_lzb(*value);
  if (std::ranges::find(kKinds, word) != kKinds.end()) {
    named.fail(fmt::format("law '{}' is not available in this version (available: {})", word,
                           join(kAvailable)));
  }
  named.fail(fmt::format("unknown law {}{}; available: {}", kind->describe(),
                         did_you_mean(word, kKinds), join(kAvailable)));
}

Node to_node(const Law& law) {
  return std::visit([](const Lzb& lzb) { return lzb_node(lzb); }, law);
}

std::string_view kind(const Law& law) {
  return std::visit([](const Lzb&) -> std::string_view { return "lzb"; }, law);
}

std::string title(const Law& law) {
  const auto lzb_title = [](const Lzb& lzb) {
    if (lzb.integrator == Lzb::Integrator::EulerImpulse) {
      return fmt::format("lzb (euler_impulse, {} steps)", lzb.steps);
    }
    std::string tolerance = fmt::format("{:g}", lzb.tolerance);
    if (const auto zero = tolerance.find("e-0"); zero != std::string::npos) {
      tolerance.erase(zero + 2, 1);
    }
    return fmt::format("lzb (tol {})", tolerance);
  };
  return std::visit(lzb_title, law);
}

ImpactResult resolve(const ImpactProblem& problem, const Law& law) {
  return std::visit([&](const auto& chosen) { return percute::resolve(problem, chosen); }, law);
}

ImpactResult resolve(const ImpactProblem& problem, const Law& law, const Recording& recording) {
  return std::visit(
      [&](const auto& chosen) { return percute::resolve(problem, chosen, recording); }, law);
}

}  // namespace percute::io
