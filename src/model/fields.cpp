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

bool Range::contains(double value) const {
  if (std::isinf(value) && value > 0.0) return infinite;
  if (!std::isfinite(value)) return false;
  return open ? value > lowest && value < highest : value >= lowest && value <= highest;
}

std::string out_of_range(const Range& range, double value, bool integer) {
  if (range.contains(value)) return "";
  const std::string kind = integer || range.infinite ? "" : "a finite number ";
  std::string allowed;
  if (std::isfinite(range.highest)) {
    allowed = (range.open ? "in (" : "in [") + text(range.lowest) + ", " + text(range.highest) +
              (range.open ? ")" : "]");
  } else if (std::isfinite(range.lowest)) {
    allowed = kind + (range.open ? "> " : ">= ") + text(range.lowest);
  } else {
    allowed = "a finite number";
  }
  return text(value) + " is not " + allowed;
}

void require_in_range(const char* owner, const Field& field, double value, bool integer) {
  const std::string reason = out_of_range(field.range, value, integer);
  if (!reason.empty()) {
    throw InvalidInput(std::string(owner) + "." + std::string(field.key), reason);
  }
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
