// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/model/impact_history.hpp>
#include <percute/model/impact_result.hpp>
#include <percute/model/status.hpp>

namespace percute {

const char* name(Status status) {
  switch (status) {
    case Status::Ok:
      return "ok";
    case Status::NoImpact:
      return "no_impact";
    case Status::Zeno:
      return "zeno";
    case Status::NotTerminated:
      return "not_terminated";
    case Status::StepUnderflow:
      return "step_underflow";
    case Status::Cycle:
      return "cycle";
    case Status::Singular:
      return "singular";
    case Status::EnergyUnreachable:
      return "energy_unreachable";
    case Status::RayNotCompressive:
      return "ray_not_compressive";
    case Status::NotApplicable:
      return "not_applicable";
    case Status::Infeasible:
      return "infeasible";
    case Status::NoSlipSolution:
      return "no_slip_solution";
  }
  return "unknown";
}

const char* name(EventKind kind) {
  switch (kind) {
    case EventKind::Activation:
      return "activation";
    case EventKind::CompressionEnd:
      return "compression_end";
    case EventKind::Recompression:
      return "recompression";
    case EventKind::Opening:
      return "opening";
    case EventKind::ClosedOut:
      return "closed_out";
    case EventKind::PlasticLoss:
      return "plastic_loss";
    case EventKind::Reengagement:
      return "re_engagement";
    case EventKind::Yield:
      return "yield";
    case EventKind::PrimaryChange:
      return "primary_change";
    case EventKind::ZenoStop:
      return "zeno_stop";
    case EventKind::Sticking:
      return "sticking";
    case EventKind::Sliding:
      return "sliding";
  }
  return "unknown";
}

const char* name(ImpactPhase::Motion motion) {
  using Motion = ImpactPhase::Motion;
  switch (motion) {
    case Motion::Frictionless:
      return "frictionless";
    case Motion::Slip:
      return "slip";
    case Motion::Stick:
      return "stick";
    case Motion::Onset:
      return "onset";
    case Motion::ReverseSlip:
      return "reverse_slip";
    case Motion::IsoclinicRestart:
      return "isoclinic_restart";
  }
  return "unknown";
}

}  // namespace percute
