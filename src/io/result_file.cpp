// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/hdf5_file.hpp"
#include "io/schema.hpp"

#include <percute/analysis/problem_analysis.hpp>
#include <percute/io/document.hpp>
#include <percute/io/problem_file.hpp>

#include <fmt/format.h>

#include <optional>

// What percute-result/1 has of each part of a result: found by its type, and used in this file
// alone.

namespace percute {

static constexpr void fields(Same<Consistency::Margins> auto& margins, auto&& visit) {
  visit(Field{"momentum", "|M (v⁺ − v⁻) − W p|_∞"}, margins.momentum);
  visit(Field{"identity", "T⁺ − T⁻ − ½ pᵀ (U⁺ + U⁻)", {}, "J"}, margins.identity);
  visit(Field{"energetic", "energy lost", {}, "J"}, margins.energetic);
  visit(Field{"kinematic", "min U⁺", {}, "m/s"}, margins.kinematic);
  visit(Field{"kinetic", "min p_i / (m_i v)"}, margins.kinetic);
  visit(Field{"friction_cone", "min μ_i p_i − |p_t,i|", {}, "N s"}, margins.friction_cone);
}

static constexpr void fields(Same<Consistency> auto& verdict, auto&& visit) {
  visit(Field{"energetic", "no energy is created"}, verdict.energetic);
  visit(Field{"kinematic", "nothing approaches any more"}, verdict.kinematic);
  visit(Field{"kinetic", "contacts only push"}, verdict.kinetic);
  visit(Field{"friction_cone", "tangential impulses are inside Coulomb's cone"},
        verdict.friction_cone);
  visit(Field{"margins", "by how much; momentum and identity: the defect"}, verdict.margins);
}

static void fields(Same<Collision> auto& collision, auto&& visit) {
  visit(Field{"contact", "its number, from 0"}, collision.contact);
  visit(Field{"impulse", "", {}, "N s"}, collision.impulse);
  visit(Field{"energy_ratio", "kinetic energy after it over that before the impact"},
        collision.energy_ratio);
}

static void fields(Same<ContactSummary> auto& contact, auto&& visit) {
  visit(Field{"impacts", "times it closed or was driven together again"}, contact.impacts);
  visit(Field{"maximal_force", "", {}, "N"}, contact.maximal_force);
  visit(Field{"maximal_force_time", "", {}, "s"}, contact.maximal_force_time);
  visit(Field{"first_contact_time", "", {}, "s"}, contact.first_contact_time);
  visit(Field{"opening_time", "at which it let go for good", {}, "s"}, contact.opening_time);
  visit(Field{"duration", "time during which it carried a force", {}, "s"}, contact.duration);
}

enum class PhaseStage { Compression, Expansion };
static constexpr Names<PhaseStage, 2> names(PhaseStage) {
  return {{{"compression", PhaseStage::Compression}, {"expansion", PhaseStage::Expansion}}};
}

static void fields(Same<ImpactPhase> auto& phase, auto&& visit) {
  visit(Field{"motion", ""}, phase.motion);
  visit(Field{"stage", ""},
        [&phase] { return phase.compression ? PhaseStage::Compression : PhaseStage::Expansion; });
  visit(Field{"from", "normal impulse", {}, "N s"}, phase.from);
  visit(Field{"to", "normal impulse", {}, "N s"}, phase.to);
}

static void fields(Same<EnergyLedger> auto& energy, auto&& visit) {
  visit(Field{"before", "kinetic", {}, "J"}, energy.before);
  visit(Field{"after", "kinetic", {}, "J"}, energy.after);
  visit(Field{"ratio", "KER = after / before; null at rest"}, [&energy] {
    return energy.before > 0.0 ? std::optional(energy.after / energy.before) : std::nullopt;
  });
  visit(Field{"dissipated", "at all contacts", {}, "J"}, energy.dissipated);
  visit(Field{"balance_error", "defect of the balance of energy, relative"}, energy.balance_error);
}

namespace analysis {
static void fields(Same<Indices> auto& indices, auto&& visit) {
  visit(Field{"KER", "kinetic energy after over before"}, indices.energy_ratio);
  visit(Field{"KER_rel", "the same of the part that the contacts can reach"},
        indices.relative_energy_ratio);
  visit(Field{"C_KE", "how unevenly the energy is spread over the bodies"}, indices.dispersion);
  visit(Field{"W_n", "work of the normal impulses", {}, "J"}, indices.normal_work);
  visit(Field{"W_t", "work of the tangential impulses", {}, "J"}, indices.tangential_work);
  visit(Field{"D_t", "lost in sliding", {}, "J"}, indices.sliding_loss);
}
}  // namespace analysis

}  // namespace percute

namespace percute::io {

namespace {

constexpr std::string_view kFormat = "percute-result/1";

struct ContactView {
  const ImpactResult* result = nullptr;
  std::size_t i = 0;

  auto k() const { return static_cast<Eigen::Index>(i); }
  Vector part(const std::vector<Vector>& list) const {
    return i < list.size() ? list[i] : Vector();
  }
};

void fields(Same<ContactView> auto& view, auto&& visit) {
  visit(Field{"impulse", "p", {}, "N s"},
        [&view] { return double{view.result->impulse[view.k()]}; });
  visit(Field{"tangential_impulse", "one number per tangent; empty: none", {}, "N s"},
        [&view] { return view.part(view.result->tangential_impulse); });
  visit(Field{"gap_rate", "U⁺", {}, "m/s"},
        [&view] { return double{view.result->gap_rate[view.k()]}; });
  visit(Field{"tangential_velocity", "after the impact", {}, "m/s"},
        [&view] { return view.part(view.result->tangential_velocity); });
  visit(Field{"dissipated", "energy lost here", {}, "J"},
        [&view] { return double{view.result->dissipated[view.k()]}; });
  visit(Field{"dissipated_by_friction", "of it, in sliding", {}, "J"}.where_known(), [&view] {
    const Vector& lost = view.result->dissipated_by_friction;
    return view.k() < lost.size() ? std::optional<double>(lost[view.k()]) : std::nullopt;
  });
  visit(Field{"compressions", "phases of compression; laws with an inner time"}.where_known(),
        [&view] {
          const auto& known = view.result->diagnostics.contacts;
          return view.i < known.size() ? std::optional(known[view.i].compressions) : std::nullopt;
        });
}

struct DiagnosticsView {
  const ImpactResult* result = nullptr;
};

/// Nothing for what is as usual, so that it is left out.
template <class T>
std::optional<T> unless_usual(const T& value, const T& usual = {}) {
  return value == usual ? std::nullopt : std::optional<T>(value);
}

void fields(Same<DiagnosticsView> auto& view, auto&& visit) {
  // A schema asks for types alone.
  static const ImpactResult none;
  static const AlgebraicDiagnostics not_algebraic;
  const ImpactResult& result = view.result != nullptr ? *view.result : none;
  const Diagnostics& d = result.diagnostics;
  const AlgebraicDiagnostics& a = d.algebraic ? *d.algebraic : not_algebraic;
  const auto timed = [&d](const auto& value) {
    return d.algebraic ? std::nullopt : std::optional(value);
  };
  const auto algebraic = [&d](const auto& value) {
    return d.algebraic ? std::optional(value) : std::nullopt;
  };
  visit(
      Field{"friction_ignored", "the law does not know friction, and there is some"}.where_known(),
      unless_usual(result.consistency.friction_ignored));
  visit(Field{"reason", "of a status that is no answer"}.where_known(), unless_usual(d.reason));
  visit(Field{"restitution_ignored", "the law does not use the restitution of the contacts"}
            .where_known(),
        unless_usual(result.consistency.restitution_ignored));
  visit(Field{"evaluations", "of right-hand sides"}, d.algebraic ? 0 : d.evaluations);
  visit(Field{"event_evaluations", "of these, to locate events"}.where_known(),
        timed(d.event_evaluations));
  visit(Field{"steps", "accepted; of algebraic laws the stages"},
        d.algebraic ? long{a.stages} : d.steps);
  visit(Field{"rejected", "steps"}.where_known(), timed(d.rejected));
  visit(Field{"events", "changes of contact state; collisions in turn"},
        d.algebraic ? static_cast<long>(a.sequence.size()) : d.events);
  visit(Field{"duration", "of the impact", {}, "s"}.where_known(), timed(d.duration));
  visit(Field{"stages", "times the law was applied"}.where_known(), algebraic(a.stages));
  visit(Field{"iterations", "of all stages"}.where_known(), algebraic(a.iterations));
  visit(Field{"residual", "largest scaled error of what was solved"}.where_known(),
        algebraic(a.residual));
  visit(Field{"multiple_solutions", "velocities may be one choice of several"}.where_known(),
        algebraic(a.multiple_solutions));
  visit(Field{"energy_bound", "energy_unreachable: the smallest ratio possible"}.where_known(),
        a.energy_bound);
  visit(Field{"restitution_factor", "reduce_e: what all coefficients were cut by"}.where_known(),
        a.restitution_factor);
  visit(Field{"fremond_fallback", "θ = 1 was used"}.where_known(),
        unless_usual(a.fremond_fallback));
  visit(Field{"collisions", "how many are in sequence"}.where_known(),
        unless_usual(a.sequence.size()));
  visit(Field{"sequence", "collisions in turn"}.where_known(),
        a.sequence.empty() ? std::nullopt : std::optional(a.sequence));
  visit(Field{"stored_energy", "still, where the law was cut short", {}, "J"},
        result.energy.stored);
  visit(Field{"residual_velocity", "zeno: max |U| where the rest was finished", {}, "m/s"}
            .where_known(),
        d.residual_velocity);
  visit(Field{"verify_difference", "max |Δv⁺| against a tenth of the tolerance"}.where_known(),
        timed(d.verify_difference));
  visit(Field{"reengagement_difference", "max |Δv⁺| against the other rule, over max |v⁻|"}
            .where_known(),
        timed(d.reengagement_difference));
  visit(Field{"contacts", "what each went through"}.where_known(), timed(d.contacts));
  visit(Field{"phases", "of a single contact with friction"}.where_known(),
        d.algebraic || d.phases.empty() ? std::nullopt : std::optional(d.phases));
}

struct ResultView {
  const ImpactResult* result = nullptr;
  const ProblemFile* file = nullptr;
};

void fields(Same<ResultView> auto& view, auto&& visit) {
  const auto& result = view.result;
  visit(Field{"format", "of this object"}, kFormat);
  visit(Field{"law", "with every option"}, [&view] {
    return Shaped<LawSchema>{to_node(filled_in(view.file->law, view.file->problem))};
  });
  visit(Field{"status", "how the law ended; ok, no_impact and zeno are answers"},
        [&result] { return result->status; });
  visit(Field{"velocity", "v⁺"}, [&result] { return result->velocity; });
  visit(Field{"contacts", "in the order of the problem"}, [&view] {
    std::vector<ContactView> contacts(view.file->problem.contacts.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) contacts[i] = {view.result, i};
    return contacts;
  });
  visit(Field{"energy", ""}, [&result] { return result->energy; });
  visit(Field{"indices", "of the whole impact"},
        [&view] { return analysis::indices(view.file->problem, *view.result, view.file->bodies); });
  visit(Field{"consistency", "verdicts"}, [&result] { return result->consistency; });
  visit(Field{"non_unique_impulse", "contacts are redundant: other impulses do the same"},
        [&result] { return result->non_unique_impulse; });
  visit(Field{"diagnostics", "cost and quality of the computation"},
        [&result] { return DiagnosticsView{result}; });
}

}  // namespace

Node to_node(const ImpactResult& result, const ProblemFile& file) {
  return node_of(ResultView{.result = &result, .file = &file});
}

Node result_schema() {
  return schema_of<ResultView>(Writer::Percute);
}

std::string to_json(const ImpactResult& result, const ProblemFile& file, JsonLayout layout) {
  return to_json(to_node(result, file), layout);
}

// ------------------------------------------------------------ what went on during the impact

namespace {

/// Name of every tangential row: the contact, and the number of the tangent where it has two. Empty
/// without friction.
std::vector<std::string> tangent_names(const ImpactHistory& history, const ProblemFile& file) {
  std::vector<std::string> names;
  if (history.tangential_impulse.size() == 0) return names;
  for (std::size_t i = 0; i < file.contact_names.size(); ++i) {
    const int d = file.problem.contacts[i].directions;
    for (int k = 0; k < d; ++k) {
      names.push_back(d == 1 ? file.contact_names[i]
                             : fmt::format("{} tangent {}", file.contact_names[i], k + 1));
    }
  }
  return names;
}

Columns event_columns(const std::vector<ImpactEvent>& events) {
  const auto text = [](const ImpactEvent& event) -> std::string { return name(event.kind); };
  return {
      {"/events/time", "time", "s", each(events, &ImpactEvent::time)},
      {"/events/contact", "contact", "", OneContact{each(events, &ImpactEvent::contact)}},
      {"/events/kind", "event", "", each(events, text)},
      {"/events/impulse", "impulse", "N s", each(events, &ImpactEvent::impulse)},
      {"/events/gap_rate", "gap rate", "m/s", each(events, &ImpactEvent::gap_rate)},
      {"/events/stored_energy", "stored energy", "J", each(events, &ImpactEvent::stored_energy)},
      {"/events/force", "force", "N", each(events, &ImpactEvent::force)}};
}

}  // namespace

void write_history(const std::filesystem::path& path, const ImpactResult& result,
                   const ProblemFile& file) {
  const ImpactHistory& history = result.history;
  const std::vector<std::string>* contacts = &file.contact_names;
  const std::vector<std::string> tangents = tangent_names(history, file);
  const std::vector<std::string> names =
      coordinate_names(file.bodies, file.problem.velocity.size());
  const std::vector<std::string> units =
      coordinate_units(file.bodies, file.problem.velocity.size());
  Columns states{
      {"/state/time", "time", "s", entries_of(history.time)},
      {"/state/total_impulse", "total impulse", "N s", entries_of(history.total_impulse)},
      {"/state/kinetic_energy", "kinetic energy", "J", entries_of(history.kinetic_energy)},
      {"/state/primary", "primary contact", "", OneContact{history.primary}},
      {"/state/impulse", "impulse", "N s", entries_of(history.impulse), contacts},
      {"/state/force", "force", "N", entries_of(history.force), contacts},
      {"/state/indentation", "indentation", "m", entries_of(history.indentation), contacts},
      {"/state/stored_energy", "stored energy", "J", entries_of(history.stored_energy), contacts},
      {"/state/dissipated", "dissipated", "J", entries_of(history.dissipated), contacts},
      {"/state/gap_rate", "gap rate", "m/s", entries_of(history.gap_rate), contacts}};
  if (!tangents.empty()) {
    states.emplace_back("/state/tangential_impulse", "tangential impulse", "N s",
                        entries_of(history.tangential_impulse), &tangents);
  }
  states.emplace_back("/state/velocity", "velocity", "", entries_of(history.velocity), &names,
                      &units);
  const Columns events = event_columns(history.events);

  if (is_csv(path)) {
    const auto text = [contacts](const Columns& columns, std::size_t rows) {
      return csv_header(columns) + csv_rows(columns, rows, *contacts);
    };
    write_text(path, text(states, static_cast<std::size_t>(history.time.size())));
    write_text(events_path(path), text(events, history.events.size()));
    return;
  }
  Hdf5File out(path);
  out.write(states);
  out.write(events);
  if (!tangents.empty()) out.write("/meta/tangents", tangents);
  out.write("/meta/contacts", *contacts);
  out.write("/meta/coordinates", names);
  out.write("/meta/units", units);
  out.describe("percute-history/1", file);
  out.close();
}

}  // namespace percute::io
