// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/moment_checks.hpp"

#include "model/text.hpp"
#include "simulation/moment_fields.hpp"
#include "simulation/scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace percute::simulation {

namespace {

/// Parts of the energies that contacts may take between the last sample and the end of a part.
constexpr double kEnergy = 1e-6;
/// Rounding of sums and of instants.
constexpr double kOfSums = 1e-9;

std::string indexed(const std::string& path, std::size_t k) {
  return path + "[" + std::to_string(k) + "]";
}

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw InvalidInput("start." + path, reason);
}

void require_size(const std::string& path, std::size_t size, std::size_t right, const char* of) {
  if (size == right) return;
  refuse(path, "must have " + std::to_string(right) + (right == 1 ? " entry" : " entries") +
                   ", one per " + of + ", got " + std::to_string(size));
}
void require_size(const std::string& path, const Vector& x, int right, const char* of) {
  require_size(path, static_cast<std::size_t>(x.size()), static_cast<std::size_t>(right), of);
}

/// Throws unless the condition holds.
void require(bool good, const std::string& path, const std::string& reason) {
  if (!good) refuse(path, reason);
}

/// Looks through all fields of a moment in a system with so many contacts.
struct Fields {
  int contacts;

  template <class T>
  void look(const std::string& path, T& x, Allowed allowed) const {
    if constexpr (std::is_same_v<T, double>) {
      const bool finite = allowed == Allowed::Infinite ? !std::isnan(x) : std::isfinite(x);
      if (!finite) refuse(path, "must be a finite number, got " + text(x));
      if (allowed == Allowed::NotNegative && x < 0.0) {
        refuse(path, "must be 0 or above, got " + text(x));
      }
    } else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::int64_t>) {
      if (x < 0) refuse(path, "must be 0 or above, got " + std::to_string(x));
    } else if constexpr (std::is_same_v<T, std::vector<int>>) {
      look_at_contacts(path, x);
    } else if constexpr (HasFields<T>) {
      fields(x, [&](const char* name, auto& field, Allowed its = Allowed::Finite) {
        look(path.empty() ? std::string(name) : path + "." + name, field, its);
      });
    } else if constexpr (requires { x.has_value(); }) {
      if (x) look(path, *x, allowed);
    } else if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, std::string>) {
      std::size_t k = 0;
      for (auto& one : x) look(indexed(path, k++), one, allowed);
    }
  }
  /// Contacts of the system, each once.
  void look_at_contacts(const std::string& path, const std::vector<int>& list) const {
    for (auto one = list.begin(); one != list.end(); ++one) {
      if (std::find(list.begin(), one, *one) != one) {
        refuse(path, "has contact " + std::to_string(*one) + " twice");
      }
      if (*one >= 0 && *one < contacts) continue;
      refuse(path,
             std::to_string(*one) + " is not a contact; there are " + std::to_string(contacts));
    }
  }
};

/// Sizes, and what numbers of a meaning may be.
struct Sizes {
  const Moment& start;
  int n;
  int m;

  void of_contacts(const char* path, std::size_t size) const {
    require_size(path, size, static_cast<std::size_t>(m), "contact");
  }

  void operator()(const std::monostate& /*start*/) const {}
  void operator()(const EventDrivenMemory& memory) const {
    require_size("memory.origin", memory.origin, n, "coordinate");
    require_size("memory.reach", memory.reach, n, "coordinate");
    require_size("memory.depth", memory.depth, m, "contact");
    require_size("memory.widest", memory.widest, m, "contact");
    const AccumulationMemory& bounces = memory.accumulation;
    const std::vector<AccumulationMemory::Impact>& impacts = bounces.impacts;
    of_contacts("memory.accumulation.alone", bounces.alone.size());
    require(bounces.endings.size() <= static_cast<std::size_t>(m), "memory.accumulation.endings",
            "are more than there are contacts");
    require(impacts.size() <= AccumulationMemory::kMostImpacts, "memory.accumulation.impacts",
            "are more than the last " + std::to_string(AccumulationMemory::kMostImpacts));
    for (std::size_t k = 1; k < impacts.size(); ++k) {
      require(impacts[k].time >= impacts[k - 1].time,
              indexed("memory.accumulation.impacts", k) + ".time", "is before the one above");
    }
  }
  void operator()(const NewmarkMemory& memory) const {
    require_size("memory.acceleration", memory.acceleration, n, "coordinate");
    require_size("memory.force", memory.force, static_cast<int>(start.held.size()), "held contact");
  }
  void operator()(const PaoliSchatzmanMemory& memory) const {
    require_size("memory.previous_position", memory.previous_position, n, "coordinate");
  }
  void operator()(const MoreauJeanMemory& memory) const {
    require_size("memory.restitution", memory.restitution, m, "contact");
    for (Eigen::Index i = 0; i < memory.restitution.size(); ++i) {
      const double e = memory.restitution[i];
      if (e == -1.0 || (e >= 0.0 && e <= 1.0)) continue;
      refuse(indexed("memory.restitution", static_cast<std::size_t>(i)),
             "must be from 0 to 1, or -1, got " + text(e));
    }
  }
  void operator()(const CompliantMemory& memory) const {
    of_contacts("memory.forces", memory.forces.size());
    of_contacts("memory.phases", memory.phases.size());
    of_contacts("memory.frictions", memory.frictions.size());
    const auto up_to_two = [](const std::string& path, int x) {
      require(x <= 2, path, "must be 0, 1 or 2, got " + std::to_string(x));
    };
    for (std::size_t k = 0; k < memory.forces.size(); ++k) {
      up_to_two(indexed("memory.forces", k) + ".mode", memory.forces[k].mode);
      up_to_two(indexed("memory.forces", k) + ".branch", memory.forces[k].branch);
      up_to_two(indexed("memory.frictions", k) + ".kind", memory.frictions[k].kind);
    }
  }
};

/// Totals and state of a run that ended there.
struct Checks {
  const Moment& moment;
  const Continuation& run;
  const RunTotals& totals;
  const RunRecord& record;

  template <class... Memories>
  bool moves_by() const {
    return (std::holds_alternative<Memories>(moment.memory) || ...);
  }

  void times() const {
    const double start = run.start.time;
    const std::string from_start = "the start, " + text(start) + " s";
    require(totals.start_time == start, "books.start_time",
            text(totals.start_time) + " s is not where the scene starts, " + text(start) + " s");
    require(!(moment.time < start), "time", text(moment.time) + " s is before " + from_start);
    const double latest = moment.time + kOfSums * std::max(1.0, std::abs(moment.time));
    const auto within = [&](const std::string& path, std::optional<double> time) {
      require(!time || (*time >= start && *time <= latest), path,
              text(time.value_or(0.0)) + " s is not between " + from_start + ", and the moment, " +
                  text(moment.time) + " s");
    };
    within("books.last_contact", record.last_contact);
    within("books.first_impact_time", record.first_impact_time);
    const bool asked = run.run.bounce.has_value();
    const std::optional<Bounce>& bounce = record.bounce;
    require(bounce.has_value() == asked, "books.bounce",
            asked ? "must not be null: the scene asks about the first bounce"
                  : "must be null: the scene does not ask about the first bounce");
    if (!bounce) return;
    within("books.bounce.end", bounce->end);
    double before = start;
    for (std::size_t k = 0; k < bounce->clusters.size(); ++k) {
      const ContactCluster& cluster = bounce->clusters[k];
      const std::string path = indexed("books.bounce.clusters", k);
      within(path + ".start", cluster.start);
      within(path + ".end", cluster.end);
      require(cluster.start >= before && cluster.end >= cluster.start, path,
              "is not in the order of time");
      before = cluster.end;
    }
  }

  void sizes() const {
    require(!moves_by<std::monostate>(), "memory", "must not be empty");
    const auto m = static_cast<std::size_t>(run.system.contacts());
    const bool fixed_steps = moves_by<MoreauJeanMemory, PaoliSchatzmanMemory, NewmarkMemory>();
    require_size("books.reaches", totals.reaches.size(), fixed_steps ? m : 0, "contact");
    require_size("books.contacts", record.contacts.size(), moves_by<CompliantMemory>() ? m : 0,
                 "contact");
    for (std::size_t k = 0; k < moment.sticking.size(); ++k) {
      const int i = moment.sticking[k];
      require(std::find(moment.held.begin(), moment.held.end(), i) != moment.held.end(),
              indexed("sticking", k),
              "contact " + std::to_string(i) + " is not among those that are held");
    }
  }

  /// Located impacts leave gaps open or closed; fixed steps leave overlap, which they have noted;
  /// compliant contacts live by it.
  void overlap() const {
    if (moves_by<CompliantMemory>()) return;
    const std::vector<std::string> names = run.system.contact_names();
    const double closed = kTenDigits * scene_length(run.system, run.start.state.position);
    Vector gaps(run.system.contacts());
    run.system.gaps(moment.state.position, gaps);
    for (Eigen::Index i = 0; i < gaps.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double noted = totals.reaches.empty() ? 0.0 : totals.reaches[k].overlap;
      require(gaps[i] >= -noted * (1.0 + kOfSums) - std::max(closed, 1e-3 * run.grouping),
              "position",
              "contact " + names[k] + " has gap " + text(gaps[i]) + " m: bodies must not overlap" +
                  (noted > 0.0 ? " by more than " + text(noted) + " m" : ""));
    }
    for (std::size_t k = 0; k < moment.held.size(); ++k) {
      const int i = moment.held[k];
      require(gaps[i] <= std::max(closed, run.grouping), indexed("held", k),
              "contact " + names[static_cast<std::size_t>(i)] + " is open by " + text(gaps[i]) +
                  " m, and cannot be held");
    }
  }

  /// Two-step methods: w = (q − q_previous)/Δt.
  void previous_position() const {
    const auto* memory = std::get_if<PaoliSchatzmanMemory>(&moment.memory);
    if (memory == nullptr) return;
    const Vector& q = moment.state.position;
    const Vector& v = moment.state.velocity;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const double before = memory->previous_position[i];
      const double way = run.step * v[i];
      const double scale = std::max({std::abs(q[i]), std::abs(before), std::abs(way)});
      require(std::abs(q[i] - way - before) <= kOfSums * scale,
              indexed("memory.previous_position", static_cast<std::size_t>(i)),
              text(before) + " is not a step of " + text(run.step) + " s before the position " +
                  text(q[i]) + " at the velocity " + text(v[i]));
    }
  }

  void counts() const {
    const auto at_most = [&](const std::string& key, std::int64_t count, const char* other,
                             std::int64_t most) {
      require(count <= most, "books." + key,
              std::to_string(count) + " is above " + other + ", " + std::to_string(most));
    };
    at_most("impacts", record.impacts, "events", totals.events);
    at_most("active_steps", record.active_steps, "events", totals.events);
    at_most("contact_phases", record.contact_phases, "events", totals.events);
    at_most("energy.samples", record.energy.samples, "steps, impacts and one",
            record.steps + record.impacts + 1);
    const bool any = record.impacts > 0;
    require(record.first_impact_time.has_value() == any &&
                record.first_impact_velocity.has_value() == any,
            "books.impacts",
            "is " + std::to_string(record.impacts) + ", and the first impact is " +
                (record.first_impact_time ? "known" : "not"));
  }

  void energy() const {
    const Vector& q = moment.state.position;
    const double kinetic = run.system.solver()->kinetic_energy(q, moment.state.velocity);
    const double potential = run.system.potential_energy(q);
    const EnergyRecord& energy = record.energy;
    const double scale = std::max({std::abs(energy.expected), std::abs(energy.final), kinetic,
                                   std::abs(potential), std::abs(energy.dissipated)});
    const double differs = energy.final - (kinetic + potential);
    // Contacts that are springs have stored the rest, or have lost it since when they were
    // released.
    const bool stored = moves_by<CompliantMemory>() && differs > 0.0;
    require(stored || std::abs(differs) <= kEnergy * scale, "books.energy.final",
            text(energy.final) + " J is not the energy of the position and velocity, " +
                text(kinetic + potential) + " J");
  }

  /// Of deviations from the expected energy: their mean lies between the least and the largest, and
  /// their squares sum up to no less than the mean squared.
  void sums() const {
    const EnergyRecord& energy = record.energy;
    if (energy.samples == 0) {
      require(totals.energy_sum == 0.0, "books.energy_sum", "must be 0 without samples");
      require(totals.energy_squares == 0.0, "books.energy_squares", "must be 0 without samples");
      return;
    }
    const auto n = static_cast<double>(energy.samples);
    const double least = energy.min - energy.expected;
    const double largest = energy.max - energy.expected;
    const double mean = totals.energy_sum / n;
    const double squares = totals.energy_squares / n;
    const double slack =
        kOfSums * std::max({std::abs(energy.expected), std::abs(energy.min), std::abs(energy.max)});
    const double widest = std::max(std::abs(least), std::abs(largest)) + slack;
    const std::string samples = " over " + std::to_string(energy.samples) + " samples ";
    require(energy.min <= energy.final && energy.final <= energy.max, "books.energy.final",
            text(energy.final) + " J is not between min, " + text(energy.min) + " J, and max, " +
                text(energy.max) + " J");
    require(mean >= least - slack && mean <= largest + slack, "books.energy_sum",
            text(totals.energy_sum) + " J" + samples + "is a mean of " + text(mean) +
                " J, not between min and max, " + text(least) + " and " + text(largest));
    require(squares >= mean * mean - slack * widest && squares <= widest * widest * (1.0 + kOfSums),
            "books.energy_squares",
            text(totals.energy_squares) + " J²" + samples + "does not agree with their mean " +
                text(mean) + " J and least and largest, " + text(least) + " and " + text(largest) +
                " J");
  }
};

}  // namespace

void validate(Moment start, const AnySystem& system) {
  Fields{.contacts = system.contacts()}.look("", start, Allowed::Finite);
  require_size("position", start.state.position, system.coordinates(), "coordinate");
  require_size("velocity", start.state.velocity, system.coordinates(), "coordinate");
  std::visit(Sizes{.start = start, .n = system.coordinates(), .m = system.contacts()},
             start.memory);
}

void validate(const Moment& moment, const Continuation& run) {
  validate(moment, run.system);
  if (!moment.totals) refuse("books", "must not be null");
  const Checks checks{
      .moment = moment, .run = run, .totals = *moment.totals, .record = moment.totals->record};
  checks.times();
  checks.sizes();
  checks.overlap();
  checks.previous_position();
  checks.counts();
  checks.energy();
  checks.sums();
}

}  // namespace percute::simulation
