// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"

#include <percute/model/fields.hpp>
#include <percute/model/impact_history.hpp>
#include <percute/model/impact_result.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/model/status.hpp>

#include <cmath>
#include <utility>

namespace percute {

std::string out_of_range(const Range& range, double value, bool integer) {
  if (range.contains(value)) return "";
  const std::string kind = integer || range.infinite ? "" : "a finite number ";
  std::string allowed;
  if (std::isfinite(range.highest)) {
    allowed = (range.above ? "in (" : "in [") + text(range.lowest) + ", " + text(range.highest) +
              (range.below ? ")" : "]");
  } else if (std::isfinite(range.lowest)) {
    allowed = kind + (range.above ? "> " : ">= ") + text(range.lowest);
    if (range.infinite) allowed += " (or infinite)";
  } else {
    allowed = "a finite number";
  }
  return text(value) + " is not " + allowed;
}

void refuse(std::string_view owner, const Field& field, double value, bool integer,
            std::optional<std::size_t> entry) {
  std::string reason = out_of_range(field.range, field.to_file(value), integer);
  std::string name = owner.empty() ? "" : std::string(owner) + ".";
  name += field.key;
  if (field.degrees) {
    if (name.ends_with("_deg")) name.erase(name.size() - 4);
    reason += " degrees";
  }
  if (entry) name += "[" + std::to_string(*entry) + "]";
  throw InvalidInput(name, reason);
}

InvalidInput::InvalidInput(std::string field, const std::string& reason)
    : std::invalid_argument(field.empty() ? reason : field + ": " + reason),
      field_(std::move(field)),
      reason_(reason) {}

const char* name(Status status) {
  static constexpr Names<Status, 12> kNames{{
      {"ok", Status::Ok},
      {"no_impact", Status::NoImpact},
      {"zeno", Status::Zeno},
      {"not_terminated", Status::NotTerminated},
      {"step_underflow", Status::StepUnderflow},
      {"cycle", Status::Cycle},
      {"singular", Status::Singular},
      {"energy_unreachable", Status::EnergyUnreachable},
      {"ray_not_compressive", Status::RayNotCompressive},
      {"not_applicable", Status::NotApplicable},
      {"infeasible", Status::Infeasible},
      {"no_slip_solution", Status::NoSlipSolution},
  }};
  return name_of(status, kNames).data();
}

const char* name(EventKind kind) {
  static constexpr Names<EventKind, 12> kNames{{
      {"activation", EventKind::Activation},
      {"compression_end", EventKind::CompressionEnd},
      {"recompression", EventKind::Recompression},
      {"opening", EventKind::Opening},
      {"closed_out", EventKind::ClosedOut},
      {"plastic_loss", EventKind::PlasticLoss},
      {"re_engagement", EventKind::Reengagement},
      {"yield", EventKind::Yield},
      {"primary_change", EventKind::PrimaryChange},
      {"zeno_stop", EventKind::ZenoStop},
      {"sticking", EventKind::Sticking},
      {"sliding", EventKind::Sliding},
  }};
  return name_of(kind, kNames).data();
}

const char* name(ImpactPhase::Motion motion) {
  using Motion = ImpactPhase::Motion;
  static constexpr Names<Motion, 6> kNames{{
      {"frictionless", Motion::Frictionless},
      {"slip", Motion::Slip},
      {"stick", Motion::Stick},
      {"onset", Motion::Onset},
      {"reverse_slip", Motion::ReverseSlip},
      {"isoclinic_restart", Motion::IsoclinicRestart},
  }};
  return name_of(motion, kNames).data();
}

}  // namespace percute
