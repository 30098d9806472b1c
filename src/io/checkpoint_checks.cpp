// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/checkpoint_checks.hpp"

#include "io/text.hpp"
#include "simulation/scene_length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace percute::io {

namespace {

using simulation::Books;
using simulation::CompliantMotion;
using simulation::ContactCluster;
using simulation::EnergyRecord;
using simulation::Moment;
using simulation::MoreauJean;
using simulation::Newmark;
using simulation::PaoliSchatzman;

/// Parts of the energies that contacts may take between the last sample and the end of a part.
constexpr double kEnergy = 1e-6;
/// Rounding of sums and of instants.
constexpr double kRounding = 1e-9;

/// One checkpoint that is looked through.
class Checks {
 public:
  Checks(const Moment& moment, const MotionFile& motion, const Value& written)
      : moment_(moment), books_(*moment.books), motion_(motion), written_(written) {}

  void all() const {
    times();
    sizes();
    overlap();
    if (std::holds_alternative<PaoliSchatzman>(motion_.method)) previous_position();
    counts();
    energy();
    sums();
    method();
  }

 private:
  /// The value at a path below the moment, as a place for messages.
  [[noreturn]] void fail(const std::string& path, const std::string& reason) const {
    const Document& document = written_.document();
    const std::string full = written_.path() + "." + path;
    throw FileError(document.where(document.nearest(full)), full, reason);
  }

  template <class... Methods>
  bool moves_by() const {
    return (std::holds_alternative<Methods>(motion_.method) || ...);
  }

  void times() const {
    const double start = motion_.start.time;
    if (books_.start_time != start) {
      fail("books.start_time",
           fmt::format("{} s is not where the scene starts, {} s", books_.start_time, start));
    }
    if (moment_.time < start) {
      fail("time", fmt::format("{} s is before the start, {} s", moment_.time, start));
    }
    if (moment_.step < 0.0) fail("step", fmt::format("{} s is not 0 or above", moment_.step));
    const double latest = moment_.time + kRounding * std::max(1.0, std::abs(moment_.time));
    const auto within = [&](const std::string& path, double time) {
      if (time >= start && time <= latest) return;
      fail(path, fmt::format("{} s is not between the start, {} s, and the moment, {} s", time,
                             start, moment_.time));
    };
    const auto& record = books_.record;
    if (record.last_contact) within("books.last_contact", *record.last_contact);
    if (record.first_impact_time) within("books.first_impact_time", *record.first_impact_time);
    const bool asked = run_options(motion_.method).bounce.has_value();
    if (record.bounce.has_value() != asked) {
      fail("books.bounce", asked ? "must not be null: the scene asks about the first bounce"
                                 : "must be null: the scene does not ask about the first bounce");
    }
    if (!asked) return;
    if (record.bounce->end) within("books.bounce.end", *record.bounce->end);
    const auto& clusters = record.bounce->clusters;
    for (std::size_t k = 0; k < clusters.size(); ++k) {
      const ContactCluster& cluster = clusters[k];
      const std::string path = fmt::format("books.bounce.clusters[{}]", k);
      within(path + "[0]", cluster.start);
      within(path + "[1]", cluster.end);
      const double before = k == 0 ? start : clusters[k - 1].end;
      if (cluster.start < before || cluster.end < cluster.start) {
        fail(path, "is not in the order of time");
      }
    }
  }

  void sizes() const {
    const auto m = static_cast<std::size_t>(motion_.system.contacts());
    const std::size_t reaches = moves_by<MoreauJean, PaoliSchatzman, Newmark>() ? m : 0;
    if (books_.reaches.size() != reaches) {
      fail("books.reaches",
           fmt::format("must have {}, got {}", entries(reaches), books_.reaches.size()));
    }
    const std::size_t totals = moves_by<CompliantMotion>() ? m : 0;
    if (books_.record.contacts.size() != totals) {
      fail("books.contacts",
           fmt::format("must have {}, got {}", entries(totals), books_.record.contacts.size()));
    }
    const bool one_each = moves_by<MoreauJean, PaoliSchatzman>();
    if (moment_.memory.empty() && !(one_each && m == 0)) fail("memory", "must not be empty");
    const bool two_steps = moves_by<PaoliSchatzman>();
    if ((moment_.previous_position.size() > 0) != two_steps) {
      fail("previous_position",
           two_steps ? "must have one entry per coordinate, got none"
                     : fmt::format("must be empty for the method {}", kind(motion_.method)));
    }
    for (std::size_t k = 0; k < moment_.sticking.size(); ++k) {
      if (std::ranges::find(moment_.held, moment_.sticking[k]) == moment_.held.end()) {
        fail(fmt::format("sticking[{}]", k),
             fmt::format("contact {} is not among those that are held", moment_.sticking[k]));
      }
    }
  }

  /// Located impacts leave gaps open or closed; fixed steps leave overlap, which they have noted;
  /// compliant contacts live by it.
  void overlap() const {
    if (moves_by<CompliantMotion>()) return;
    const double closed = simulation::kTenDigits *
                          simulation::scene_length(motion_.system, motion_.start.state.position);
    Vector gaps(motion_.system.contacts());
    motion_.system.gaps(moment_.state.position, gaps);
    for (Eigen::Index i = 0; i < gaps.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double noted = books_.reaches.empty() ? 0.0 : books_.reaches[k].overlap;
      if (gaps[i] >= -noted * (1.0 + kRounding) - std::max(closed, 1e-3 * grouping())) continue;
      fail("position", fmt::format("contact {} has gap {} m: bodies must not overlap{}",
                                   motion_.contact_names[k], gaps[i],
                                   noted > 0.0 ? fmt::format(" by more than {} m", noted) : ""));
    }
    for (std::size_t k = 0; k < moment_.held.size(); ++k) {
      const int i = moment_.held[k];
      if (gaps[i] <= std::max(closed, grouping())) continue;
      fail(fmt::format("held[{}]", k),
           fmt::format("contact {} is open by {} m, and cannot be held",
                       motion_.contact_names[static_cast<std::size_t>(i)], gaps[i]));
    }
  }

  double grouping() const {
    return std::visit(
        [](const auto& method) {
          if constexpr (requires { method.grouping; }) {
            return method.grouping.value_or(0.0);
          } else {
            return 0.0;
          }
        },
        motion_.method);
  }

  /// Two-step methods: w = (q − q_previous)/Δt.
  void previous_position() const {
    const double step = std::get<PaoliSchatzman>(motion_.method).step;
    const Vector& q = moment_.state.position;
    const Vector& v = moment_.state.velocity;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const double before = moment_.previous_position[i];
      const double scale = std::max({std::abs(q[i]), std::abs(before), step * std::abs(v[i])});
      if (std::abs(q[i] - step * v[i] - before) <= kRounding * scale) continue;
      fail(fmt::format("previous_position[{}]", i),
           fmt::format("{} is not a step of {} s before the position {} at the velocity {}", before,
                       step, q[i], v[i]));
    }
  }

  void counts() const {
    const auto& record = books_.record;
    const auto at_most = [&](const char* key, std::int64_t count, const char* other,
                             std::int64_t most) {
      if (count <= most) return;
      fail(std::string("books.") + key, fmt::format("{} is above {}, {}", count, other, most));
    };
    at_most("impacts", record.impacts, "events", books_.events);
    at_most("active_steps", record.active_steps, "events", books_.events);
    at_most("contact_phases", record.contact_phases, "events", books_.events);
    at_most("energy.samples", record.energy.samples, "steps, impacts and one",
            record.steps + record.impacts + 1);
    if (record.first_impact_time.has_value() != (record.impacts > 0) ||
        record.first_impact_velocity.has_value() != (record.impacts > 0)) {
      fail("books.impacts", fmt::format("is {}, and the first impact is {}", record.impacts,
                                        record.first_impact_time ? "known" : "not"));
    }
  }

  void energy() const {
    const Vector& q = moment_.state.position;
    const Vector& v = moment_.state.velocity;
    const double kinetic = motion_.system.solver()->kinetic_energy(q, v);
    const double potential = motion_.system.potential_energy(q);
    const double now = kinetic + potential;
    const EnergyRecord& energy = books_.record.energy;
    const double scale = std::max({std::abs(energy.expected), std::abs(energy.final), kinetic,
                                   std::abs(potential), std::abs(energy.dissipated)});
    const double differs = energy.final - now;
    // Contacts that are springs have stored the rest, or have lost it since when they were
    // released.
    const bool stored = moves_by<CompliantMotion>() && differs > 0.0;
    if (stored || std::abs(differs) <= kEnergy * scale) return;
    fail("books.energy.final", fmt::format("{} J is not the energy of the position and velocity, "
                                           "{} J",
                                           energy.final, now));
  }

  /// Of deviations from the expected energy: their mean lies between the least and the largest, and
  /// their squares sum up to no less than the mean squared.
  void sums() const {
    const EnergyRecord& energy = books_.record.energy;
    const auto n = static_cast<double>(energy.samples);
    if (energy.samples == 0) {
      if (books_.energy_sum != 0.0) fail("books.energy_sum", "must be 0 without samples");
      if (books_.energy_squares != 0.0) fail("books.energy_squares", "must be 0 without samples");
      return;
    }
    const double least = energy.min - energy.expected;
    const double largest = energy.max - energy.expected;
    const double mean = books_.energy_sum / n;
    const double slack = kRounding * std::max({std::abs(energy.expected), std::abs(energy.min),
                                               std::abs(energy.max)});
    if (!(energy.min <= energy.final && energy.final <= energy.max)) {
      fail("books.energy.final", fmt::format("{} J is not between min, {} J, and max, {} J",
                                             energy.final, energy.min, energy.max));
    }
    if (!(mean >= least - slack && mean <= largest + slack)) {
      fail("books.energy_sum",
           fmt::format("{} J over {} samples is a mean of {} J, not between min and max, {} and {}",
                       books_.energy_sum, energy.samples, mean, least, largest));
    }
    const double widest = std::max(std::abs(least), std::abs(largest)) + slack;
    const double squares = books_.energy_squares / n;
    if (!(squares >= mean * mean - slack * widest &&
          squares <= widest * widest * (1.0 + kRounding))) {
      fail("books.energy_squares",
           fmt::format("{} J² over {} samples does not agree with their mean {} J and least and "
                       "largest, {} and {} J",
                       books_.energy_squares, energy.samples, mean, least, largest));
    }
  }

  /// A part that ends with its first step shows whether the method can go on.
  void method() const {
    simulation::Observer observer;
    observer.step = [](double, const Vector&, const Vector&) { return false; };
    const std::string start = "start";
    try {
      simulate(motion_, written_.document(), moment_, observer);
    } catch (const FileError& error) {
      const std::string& field = error.field();
      if (!field.starts_with(start)) return;  // of the scene: the run will tell
      fail(field.size() > start.size() ? field.substr(start.size() + 1) : "position",
           error.reason());
    }
  }

  const Moment& moment_;
  const Books& books_;
  const MotionFile& motion_;
  const Value& written_;
};

}  // namespace

void check_moment(const Moment& moment, const MotionFile& motion, const Value& written) {
  Checks(moment, motion, written).all();
}

}  // namespace percute::io
