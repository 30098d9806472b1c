// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reengagement_note.hpp"

#include "io/printable.hpp"
#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace percute::cli {

namespace {

/// Errors of v⁺ stay below it in units of the tolerance (laws::Lzb): a smaller difference may be
/// one of the integration.
constexpr double kTolerances = 100.0;
/// Tables show six decimals of the velocities.
constexpr double kShown = 1e-6;

}  // namespace

std::string reengagement_note(const io::ProblemFile& file, const ImpactResult& result,
                              const laws::OtherReengagement& other) {
  const bool tracking = other.rule == laws::Lzb::Reengagement::TrackedGap;
  const char* own = tracking ? "zero_gap" : "tracked_gap";
  const char* tried = tracking ? "tracked_gap" : "zero_gap";
  if (!other.difference) {
    return fmt::format("the difference between {} and {} is not known: {} ends with {}", own, tried,
                       tried, name(other.status));
  }
  if (*other.difference <= std::max(kTolerances * result.diagnostics.tolerance, kShown)) return "";

  Eigen::Index most = 0;
  (result.velocity - other.velocity).cwiseAbs().maxCoeff(&most);
  const double scale =
      std::max(result.velocity.cwiseAbs().maxCoeff(), other.velocity.cwiseAbs().maxCoeff());
  std::string where;
  for (const Body& body : file.bodies) {
    for (std::size_t k = 0; k < body.coordinates.size(); ++k) {
      if (body.coordinates[k] != most) continue;
      const std::string unit = body.unit(k);
      where = fmt::format("{}: {} and {}{}{}", io::printable(body.coordinate_name(k)),
                          number_text(result.velocity[most], scale, true),
                          number_text(other.velocity[most], scale, true), unit.empty() ? "" : " ",
                          unit);
    }
  }
  return fmt::format("{} and {} differ by {:.2g} of the largest speed, most for {}", own, tried,
                     *other.difference, where);
}

}  // namespace percute::cli
