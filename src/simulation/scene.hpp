// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/invalid_input.hpp>
#include <percute/model/status.hpp>
#include <percute/systems/any_system.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

// What all methods ask of a system: its length, the names of its contacts, how they stop.

namespace percute::simulation {

using systems::AnySystem;

/// Where bodies are at an instant, and how they move.
struct MotionState {
  double time = 0.0;  ///< s
  Vector q = {};
  Vector v = {};

  /// From numbers (q, v, …) of an integrator.
  void read(double t, const double* y) {
    time = t;
    q = Eigen::Map<const Vector>(y, q.size());
    v = Eigen::Map<const Vector>(y + q.size(), q.size());
  }
};

/// Of the scene: what positions written with ten digits may overlap, or be apart and still touch.
inline constexpr double kTenDigits = 1e-9;

/// The length that lengths of a scene are small or large against: the largest distance, from centre
/// to centre, of bodies that can touch. Gaps h between bodies are distances less what is fixed, so
/// that ∇h · q is the distance itself (Euler), wherever the origin of two that move is. Metres
/// where a scene tells no length, all its coordinates being 0.
inline double scene_length(const AnySystem& system, const Vector& q) {
  Vector gaps(system.contacts());
  Vector column(system.coordinates());
  system.gaps(q, gaps);
  double length = 0.0;
  for (int i = 0; i < system.contacts(); ++i) {
    system.gradient(i, q, column);
    length = std::max({length, std::abs(column.dot(q)), std::abs(gaps[i])});
  }
  return length > 0.0 && std::isfinite(length) ? length : 1.0;
}

/// Whether some contact has friction.
inline bool has_friction(const AnySystem& system, const Vector& q) {
  for (int i = 0; i < system.contacts(); ++i) {
    if (system.contact(i, q).material.friction > 0.0) return true;
  }
  return false;
}

/// Throws InvalidInput for a method without joints where the system has some.
inline void refuse_joints(const AnySystem& system, const std::string& reason) {
  if (system.joints() > 0) throw InvalidInput("simulation.method", reason);
}

/// Columns Y = A⁻¹ W, `solve` turning x into A⁻¹ x; `x` is memory to work in.
template <class Columns, class Solve>
void solve_columns(const Columns& W, Solve&& solve, Vector& x, Matrix& Y) {
  for (Eigen::Index k = 0; k < W.cols(); ++k) {
    x = W.col(k);
    solve(x);
    Y.col(k) = x;
  }
}

/// When a gap that is h now, and grows with the rate u and the acceleration a, is closed:
/// h + u t + ½ a t² = 0, and not the instant at which a contact is left. Infinite if never.
inline double closing_time(double h, double u, double a) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  if (h == 0.0) return u > 0.0 && a < 0.0 ? 2.0 * u / -a : kNever;
  const double square = u * u - 2.0 * a * h;
  if (square < 0.0) return kNever;
  const double root = std::sqrt(square);
  return root > u ? 2.0 * h / (root - u) : kNever;
}

/// Takes away the gap rate with which a contact leaves that is to stay closed, where the gap is
/// itself a coordinate: this coordinate stops, the others go on as they were. False where it is
/// not: then rates are taken away in the kinetic metric.
///
/// Both rules are errors of the order of the bounce that is cut off. The kinetic one is that of the
/// bounces to come; the curves the impacting bar is checked against were computed with this one,
/// and their digits depend on it (35°, e = 1/4: 3e-4 at the default cut of 1e-5 m/s).
inline bool stop_coordinate(const Vector& gradient, Vector& v) {
  Eigen::Index only = -1;
  for (Eigen::Index k = 0; k < gradient.size(); ++k) {
    if (gradient[k] == 0.0) continue;
    if (only >= 0) return false;
    only = k;
  }
  if (only < 0) return false;
  v[only] = 0.0;
  return true;
}

/// "1–2, 2–3", of the system's contacts.
inline std::string names_of(const std::vector<int>& contacts, const AnySystem& system) {
  const std::vector<std::string> all = system.contact_names();
  std::string text;
  for (const int i : contacts) {
    if (!text.empty()) text += ", ";
    text += all[static_cast<std::size_t>(i)];
  }
  return text;
}

/// "contact 1–2", "contacts 1–2, 2–3".
inline std::string named(const std::vector<int>& contacts, const AnySystem& system) {
  return (contacts.size() == 1 ? "contact " : "contacts ") + names_of(contacts, system);
}

/// What a law says of contacts[k] of an impact, said of the system's contact contacts[k].
inline std::string with_names(const std::string& text, const std::vector<int>& contacts,
                              const AnySystem& system) {
  const std::string key = "contacts[";
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, from)) {
    const std::size_t digits = at + key.size();
    const std::size_t end = text.find(']', digits);
    if (end == std::string::npos || text.find_first_not_of("0123456789", digits) != end) break;
    const auto k = static_cast<std::size_t>(std::stoul(text.substr(digits, end - digits)));
    if (k >= contacts.size()) break;
    out += text.substr(from, at - from) + named({contacts[k]}, system);
    from = end + 1;
  }
  return out + text.substr(from);
}

/// Why a run ends at an impact of these contacts that the law has no answer to.
inline std::string unanswered(Status status, const std::string& reason,
                              const std::vector<int>& contacts, const AnySystem& system) {
  const std::string why = reason.empty() ? "" : " (" + with_names(reason, contacts, system) + ")";
  return "the law answers " + std::string(name(status)) + " to the impact of " +
         named(contacts, system) + why;
}

}  // namespace percute::simulation
