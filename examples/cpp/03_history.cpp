// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors

// What happens inside an impact: three steel balls, the first striking at 1 m/s.

#include <percute/percute.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

int main() {
  using namespace percute;
  const Material steel{.restitution = 0.9, .stiffness = 1.0e9, .exponent = 1.5};
  const systems::BallChain chain{.balls = 3, .mass = 0.1, .material = steel};

  const ImpactProblem problem = chain.impact(chain.at_contact(1.0));
  const ImpactResult result = resolve(problem, laws::Lzb{.tolerance = 1e-10}, Recording{});

  // Every change of a contact, in order. Contacts count from 0.
  for (const ImpactEvent& event : result.history.events) {
    fmt::print("{:5.1f} µs  contact {}  {:<15} {:6.1f} N\n", 1e6 * event.time, event.contact,
               name(event.kind), event.force);
  }

  // How each contact fared as a whole.
  for (const ContactSummary& contact : result.diagnostics.contacts) {
    fmt::print("largest force {:.1f} N at {:.1f} µs, loaded for {:.1f} µs\n", contact.maximal_force,
               1e6 * contact.maximal_force_time, 1e6 * contact.duration);
  }

  // The samples in between: energy is kinetic, stored in the contacts, or lost.
  const ImpactHistory& history = result.history;
  double defect = 0.0;
  for (Eigen::Index k = 0; k < history.time.size(); ++k) {
    const double total = history.kinetic_energy[k] + history.stored_energy.col(k).sum() +
                         history.dissipated.col(k).sum();
    defect = std::max(defect, std::abs(total - result.energy.before));
  }
  fmt::print("energy is accounted for {}\n", defect < 1e-9 ? "throughout" : "only in part");
}
