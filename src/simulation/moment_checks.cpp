// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/moment_checks.hpp"

#include "model/text.hpp"
#include "simulation/accumulation.hpp"
#include "simulation/moment_fields.hpp"
#include "simulation/scene_length.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace percute::simulation {

namespace {

using systems::AnySystem;

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

/// Looks through all fields of a moment.
class Fields {
 public:
  explicit Fields(int contacts) : contacts_(contacts) {}

  void look(const std::string& path, double x, Allowed allowed) const {
    if (std::isnan(x) || (allowed != Allowed::Infinite && !std::isfinite(x))) {
      refuse(path, "must be a finite number, got " + text(x));
    }
    if (allowed == Allowed::NotNegative && x < 0.0) {
      refuse(path, "must be 0 or above, got " + text(x));
    }
  }
  void look(const std::string& path, std::int64_t x, Allowed /*allowed*/) const {
    if (x < 0) refuse(path, "must be 0 or above, got " + std::to_string(x));
  }
  void look(const std::string& path, int x, Allowed allowed) const {
    look(path, std::int64_t{x}, allowed);
  }
  void look(const std::string& /*path*/, bool /*x*/, Allowed /*allowed*/) const {}
  void look(const std::string& /*path*/, std::string& /*x*/, Allowed /*allowed*/) const {}
  /// Contacts of the system, each once.
  void look(const std::string& path, std::vector<int>& list, Allowed /*allowed*/) const {
    for (std::size_t k = 0; k < list.size(); ++k) {
      const auto here = list.begin() + static_cast<std::ptrdiff_t>(k);
      if (std::find(list.begin(), here, list[k]) != here) {
        refuse(path, "has contact " + std::to_string(list[k]) + " twice");
      }
      if (list[k] >= 0 && list[k] < contacts_) continue;
      refuse(path,
             std::to_string(list[k]) + " is not a contact; there are " + std::to_string(contacts_));
    }
  }
  template <HasFields T>
  void look(const std::string& path, T& x, Allowed /*allowed*/) const {
    fields(x, [&](const char* name, auto& field, Allowed allowed = Allowed::Finite) {
      look(path.empty() ? std::string(name) : path + "." + name, field, allowed);
    });
  }
  template <class T>
  void look(const std::string& path, std::optional<T>& x, Allowed allowed) const {
    if (x) look(path, *x, allowed);
  }
  template <class List>
    requires requires(List& list) { list.begin(); }
  void look(const std::string& path, List& list, Allowed allowed) const {
    std::size_t k = 0;
    for (auto& x : list) look(indexed(path, k++), x, allowed);
  }

 private:
  int contacts_;
};

/// Sizes, and what numbers of a meaning may be.
class Sizes {
 public:
  Sizes(const Moment& start, const AnySystem& system)
      : start_(start), n_(system.coordinates()), m_(system.contacts()) {}

  void operator()(const std::monostate& /*start*/) const {}
  void operator()(const EventDrivenMemory& memory) const {
    require_size("memory.origin", memory.origin, n_, "coordinate");
    require_size("memory.reach", memory.reach, n_, "coordinate");
    require_size("memory.depth", memory.depth, m_, "contact");
    require_size("memory.widest", memory.widest, m_, "contact");
    const AccumulationMemory& bounces = memory.accumulation;
    of_contacts("memory.accumulation.alone", bounces.alone.size());
    if (bounces.endings.size() > static_cast<std::size_t>(m_)) {
      refuse("memory.accumulation.endings", "are more than there are contacts");
    }
    if (bounces.impacts.size() > Accumulation::kKept) {
      refuse("memory.accumulation.impacts",
             "are more than the last " + std::to_string(Accumulation::kKept));
    }
    for (std::size_t k = 1; k < bounces.impacts.size(); ++k) {
      if (bounces.impacts[k].time >= bounces.impacts[k - 1].time) continue;
      refuse(indexed("memory.accumulation.impacts", k) + ".time", "is before the one above");
    }
  }
  void operator()(const NewmarkMemory& memory) const {
    require_size("memory.acceleration", memory.acceleration, n_, "coordinate");
    require_size("memory.force", memory.force, static_cast<int>(start_.held.size()),
                 "held contact");
  }
  void operator()(const PaoliSchatzmanMemory& memory) const {
    require_size("memory.previous_position", memory.previous_position, n_, "coordinate");
  }
  void operator()(const MoreauJeanMemory& memory) const {
    require_size("memory.restitution", memory.restitution, m_, "contact");
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
    for (std::size_t k = 0; k < memory.forces.size(); ++k) {
      up_to_two(indexed("memory.forces", k) + ".mode", memory.forces[k].mode);
      up_to_two(indexed("memory.forces", k) + ".branch", memory.forces[k].branch);
      up_to_two(indexed("memory.frictions", k) + ".kind", memory.frictions[k].kind);
    }
  }

 private:
  void of_contacts(const char* path, std::size_t size) const {
    require_size(path, size, static_cast<std::size_t>(m_), "contact");
  }
  static void up_to_two(const std::string& path, int x) {
    if (x > 2) refuse(path, "must be 0, 1 or 2, got " + std::to_string(x));
  }

  const Moment& start_;
  int n_;
  int m_;
};

/// Books and state of a run that ended there.
class Checks {
 public:
  Checks(const Moment& moment, const Continuation& run)
      : moment_(moment), books_(*moment.books), run_(run) {}

  void all() const {
    times();
    sizes();
    overlap();
    previous_position();
    counts();
    energy();
    sums();
  }

 private:
  template <class... Memories>
  bool moves_by() const {
    return (std::holds_alternative<Memories>(moment_.memory) || ...);
  }

  void times() const {
    const double start = run_.start.time;
    const std::string from_start = "the start, " + text(start) + " s";
    if (books_.start_time != start) {
      refuse("books.start_time",
             text(books_.start_time) + " s is not where the scene starts, " + text(start) + " s");
    }
    if (moment_.time < start) {
      refuse("time", text(moment_.time) + " s is before " + from_start);
    }
    const double latest = moment_.time + kOfSums * std::max(1.0, std::abs(moment_.time));
    const auto within = [&](const std::string& path, double time) {
      if (time >= start && time <= latest) return;
      refuse(path, text(time) + " s is not between " + from_start + ", and the moment, " +
                       text(moment_.time) + " s");
    };
    const auto& record = books_.record;
    if (record.last_contact) within("books.last_contact", *record.last_contact);
    if (record.first_impact_time) within("books.first_impact_time", *record.first_impact_time);
    const bool asked = run_.run.bounce.has_value();
    if (record.bounce.has_value() != asked) {
      refuse("books.bounce", asked ? "must not be null: the scene asks about the first bounce"
                                   : "must be null: the scene does not ask about the first bounce");
    }
    if (!asked) return;
    if (record.bounce->end) within("books.bounce.end", *record.bounce->end);
    double before = start;
    for (std::size_t k = 0; k < record.bounce->clusters.size(); ++k) {
      const ContactCluster& cluster = record.bounce->clusters[k];
      const std::string path = indexed("books.bounce.clusters", k);
      within(path + ".start", cluster.start);
      within(path + ".end", cluster.end);
      if (cluster.start < before || cluster.end < cluster.start) {
        refuse(path, "is not in the order of time");
      }
      before = cluster.end;
    }
  }

  void sizes() const {
    if (std::holds_alternative<std::monostate>(moment_.memory)) {
      refuse("memory", "must not be empty");
    }
    const auto m = static_cast<std::size_t>(run_.system.contacts());
    const bool fixed_steps = moves_by<MoreauJeanMemory, PaoliSchatzmanMemory, NewmarkMemory>();
    require_size("books.reaches", books_.reaches.size(), fixed_steps ? m : 0, "contact");
    require_size("books.contacts", books_.record.contacts.size(),
                 moves_by<CompliantMemory>() ? m : 0, "contact");
    for (std::size_t k = 0; k < moment_.sticking.size(); ++k) {
      const int i = moment_.sticking[k];
      if (std::find(moment_.held.begin(), moment_.held.end(), i) != moment_.held.end()) continue;
      refuse(indexed("sticking", k),
             "contact " + std::to_string(i) + " is not among those that are held");
    }
  }

  /// Located impacts leave gaps open or closed; fixed steps leave overlap, which they have noted;
  /// compliant contacts live by it.
  void overlap() const {
    if (moves_by<CompliantMemory>()) return;
    const std::vector<std::string> names = run_.system.contact_names();
    const double closed = kTenDigits * scene_length(run_.system, run_.start.state.position);
    Vector gaps(run_.system.contacts());
    run_.system.gaps(moment_.state.position, gaps);
    for (Eigen::Index i = 0; i < gaps.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double noted = books_.reaches.empty() ? 0.0 : books_.reaches[k].overlap;
      if (gaps[i] >= -noted * (1.0 + kOfSums) - std::max(closed, 1e-3 * run_.grouping)) continue;
      refuse("position", "contact " + names[k] + " has gap " + text(gaps[i]) +
                             " m: bodies must not overlap" +
                             (noted > 0.0 ? " by more than " + text(noted) + " m" : ""));
    }
    for (std::size_t k = 0; k < moment_.held.size(); ++k) {
      const int i = moment_.held[k];
      if (gaps[i] <= std::max(closed, run_.grouping)) continue;
      refuse(indexed("held", k), "contact " + names[static_cast<std::size_t>(i)] + " is open by " +
                                     text(gaps[i]) + " m, and cannot be held");
    }
  }

  /// Two-step methods: w = (q − q_previous)/Δt.
  void previous_position() const {
    const auto* memory = std::get_if<PaoliSchatzmanMemory>(&moment_.memory);
    if (memory == nullptr) return;
    const Vector& q = moment_.state.position;
    const Vector& v = moment_.state.velocity;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const double before = memory->previous_position[i];
      const double way = run_.step * v[i];
      const double scale = std::max({std::abs(q[i]), std::abs(before), std::abs(way)});
      if (std::abs(q[i] - way - before) <= kOfSums * scale) continue;
      refuse(indexed("memory.previous_position", static_cast<std::size_t>(i)),
             text(before) + " is not a step of " + text(run_.step) + " s before the position " +
                 text(q[i]) + " at the velocity " + text(v[i]));
    }
  }

  void counts() const {
    const auto& record = books_.record;
    const auto at_most = [&](const char* key, std::int64_t count, const char* other,
                             std::int64_t most) {
      if (count <= most) return;
      refuse(std::string("books.") + key,
             std::to_string(count) + " is above " + other + ", " + std::to_string(most));
    };
    at_most("impacts", record.impacts, "events", books_.events);
    at_most("active_steps", record.active_steps, "events", books_.events);
    at_most("contact_phases", record.contact_phases, "events", books_.events);
    at_most("energy.samples", record.energy.samples, "steps, impacts and one",
            record.steps + record.impacts + 1);
    if (record.first_impact_time.has_value() != (record.impacts > 0) ||
        record.first_impact_velocity.has_value() != (record.impacts > 0)) {
      refuse("books.impacts", "is " + std::to_string(record.impacts) +
                                  ", and the first impact is " +
                                  (record.first_impact_time ? "known" : "not"));
    }
  }

  void energy() const {
    const Vector& q = moment_.state.position;
    const double kinetic = run_.system.solver()->kinetic_energy(q, moment_.state.velocity);
    const double potential = run_.system.potential_energy(q);
    const EnergyRecord& energy = books_.record.energy;
    const double scale = std::max({std::abs(energy.expected), std::abs(energy.final), kinetic,
                                   std::abs(potential), std::abs(energy.dissipated)});
    const double differs = energy.final - (kinetic + potential);
    // Contacts that are springs have stored the rest, or have lost it since when they were
    // released.
    const bool stored = moves_by<CompliantMemory>() && differs > 0.0;
    if (stored || std::abs(differs) <= kEnergy * scale) return;
    refuse("books.energy.final", text(energy.final) +
                                     " J is not the energy of the position and velocity, " +
                                     text(kinetic + potential) + " J");
  }

  /// Of deviations from the expected energy: their mean lies between the least and the largest, and
  /// their squares sum up to no less than the mean squared.
  void sums() const {
    const EnergyRecord& energy = books_.record.energy;
    const auto n = static_cast<double>(energy.samples);
    if (energy.samples == 0) {
      if (books_.energy_sum != 0.0) refuse("books.energy_sum", "must be 0 without samples");
      if (books_.energy_squares != 0.0) refuse("books.energy_squares", "must be 0 without samples");
      return;
    }
    const double least = energy.min - energy.expected;
    const double largest = energy.max - energy.expected;
    const double mean = books_.energy_sum / n;
    const double slack =
        kOfSums * std::max({std::abs(energy.expected), std::abs(energy.min), std::abs(energy.max)});
    const std::string samples = " over " + std::to_string(energy.samples) + " samples ";
    if (!(energy.min <= energy.final && energy.final <= energy.max)) {
      refuse("books.energy.final", text(energy.final) + " J is not between min, " +
                                       text(energy.min) + " J, and max, " + text(energy.max) +
                                       " J");
    }
    if (!(mean >= least - slack && mean <= largest + slack)) {
      refuse("books.energy_sum", text(books_.energy_sum) + " J" + samples + "is a mean of " +
                                     text(mean) + " J, not between min and max, " + text(least) +
                                     " and " + text(largest));
    }
    const double widest = std::max(std::abs(least), std::abs(largest)) + slack;
    const double squares = books_.energy_squares / n;
    if (!(squares >= mean * mean - slack * widest &&
          squares <= widest * widest * (1.0 + kOfSums))) {
      refuse("books.energy_squares", text(books_.energy_squares) + " J²" + samples +
                                         "does not agree with their mean " + text(mean) +
                                         " J and least and largest, " + text(least) + " and " +
                                         text(largest) + " J");
    }
  }

  const Moment& moment_;
  const Books& books_;
  const Continuation& run_;
};

}  // namespace

void validate(Moment start, const AnySystem& system) {
  Fields(system.contacts()).look("", start, Allowed::Finite);
  require_size("position", start.state.position, system.coordinates(), "coordinate");
  require_size("velocity", start.state.velocity, system.coordinates(), "coordinate");
  std::visit(Sizes(start, system), start.memory);
}

void validate(const Moment& moment, const Continuation& run) {
  validate(moment, run.system);
  Checks(moment, run).all();
}

}  // namespace percute::simulation
