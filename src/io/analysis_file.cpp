// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/analysis_file.hpp"

#include "io/hdf5_file.hpp"
#include "io/schema.hpp"

#include <percute/io/problem_file.hpp>
#include <percute/laws/complementarity.hpp>
#include <percute/laws/sequences.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace percute::io {

namespace {

/// What friction can do at a contact.
Node friction_node(const analysis::LocalFriction& local) {
  return Node::Object{{"contact", local.contact},
                      {"friction", infinite_or_number(local.friction)},
                      {"sliding_velocity", local.sliding_velocity},
                      {"A_nn", local.A_nn},
                      {"A_tn", local.A_tn},
                      {"A_tt", local.A_tt},
                      {"stick_coefficient", local.stick_coefficient},
                      {"sticks", local.sticks},
                      {"jam_coefficient", local.jam_coefficient},
                      {"may_jam", local.may_jam},
                      {"jams", local.jams}};
}

Node distinct_node(const analysis::DistinctOutcomes& outcomes) {
  return Node::Object{{"velocities", outcomes.velocities}, {"counts", outcomes.counts},
                      {"spread", outcomes.spread},         {"tried", outcomes.tried},
                      {"failed", outcomes.failed},         {"complete", outcomes.complete}};
}

constexpr std::string_view kIcrFormat = "percute-icr/1";

}  // namespace

OpenChoices open_choices(const ImpactProblem& problem, const laws::Coulomb& friction) {
  OpenChoices out;
  out.orders = analysis::over_orders(problem);
  out.sequence = analysis::termination(resolve(problem, laws::Binary{}));
  out.collapse_threshold = analysis::collapse_threshold(problem);
  const bool rubs = std::ranges::any_of(problem.contacts, friction_acts);
  if (!rubs) return out;
  try {
    out.modes = analysis::over_modes(problem, friction);
  } catch (const InvalidInput& error) {
    out.no_modes = error.reason();
  }
  out.starting_points = analysis::over_starting_points(problem, friction);
  return out;
}

Node to_node(const OpenChoices& choices) {
  Node node(Node::Object{{"orders", distinct_node(choices.orders)},
                         {"sequence", Node::Object{{"end", name(choices.sequence.diagnosis)},
                                                   {"collisions", choices.sequence.collisions},
                                                   {"contraction", choices.sequence.contraction}}},
                         {"collapse_threshold", choices.collapse_threshold}});
  if (!choices.starting_points) return node;
  node.add("modes", choices.modes ? distinct_node(*choices.modes) : Node());
  node.add("starting_points", distinct_node(*choices.starting_points));
  return node;
}

Node to_node(const analysis::ProblemAnalysis& analysis) {
  constexpr double kDegrees = 180.0 / std::numbers::pi;
  // The angle of a contact with itself means nothing: NaN is written as null.
  Matrix angles = kDegrees * analysis.kinetic_angles;
  angles.diagonal().setConstant(std::numeric_limits<double>::quiet_NaN());
  Node node(Node::Object{{"format", "percute-analysis/1"},
                         {"delassus", analysis.delassus},
                         {"rank", analysis.rank},
                         {"kinetic_angles_deg", angles},
                         {"gap_rates", analysis.gap_rates},
                         {"active", analysis.active},
                         {"reachable_energy", analysis.reachable_energy},
                         {"kinetic_energy", analysis.kinetic_energy},
                         {"redundant", analysis.redundant}});
  if (analysis.friction.empty()) return node;
  node.add("redundant_sticking", analysis.redundant_sticking);
  node.add("friction", each(analysis.friction, friction_node));
  return node;
}

IcrFile read_icr(const Document& document) {
  IcrFile file;
  if (document.root.word("format") != kIcrFormat) {
    file.document = document;
    file.problem = read_problem_or_scene(document);
    return file;
  }
  const Table top(Value(document), {"format", "name", "problem", "measured"});
  file.document = read_named_problem(top.required("problem"));
  file.problem = read_problem_or_scene(file.document);
  if (const auto name = top.find("name")) file.problem.name = name->string();
  const auto [key, values] =
      Table(top.required("measured"), {"velocity", "impulse"})
          .one_of({"velocity", "impulse"},
                  "give either 'velocity' (of every coordinate after the impact) or 'impulse' (of "
                  "every contact)");
  file.measured = key;
  file.values = values.numbers();
  return file;
}

IcrAnswer identify_icr(const IcrFile& file, const Document& document) {
  IcrAnswer answer;
  const ImpactProblem& problem = file.problem.problem;
  try {
    if (file.measured == "velocity") {
      answer.ratios = analysis::identify_icr_from_velocities(problem, file.values);
    } else if (file.measured == "impulse") {
      answer.ratios = analysis::identify_icr_from_impulses(problem, file.values);
    } else {
      answer.result = resolve(file.problem, file.document);
      answer.ratios = analysis::identify_icr(problem, *answer.result);
    }
  } catch (const FileError&) {
    throw;
  } catch (const InvalidInput& error) {
    const bool of_measurement = !file.measured.empty() && error.field().starts_with(file.measured);
    if (!of_measurement) throw located(error, file.document, file.problem.contact_names);
    const std::string path = "measured." + error.field();
    throw FileError(document.where(document.nearest(path)), path, error.reason());
  }
  try {
    answer.law = answer.ratios.law();
  } catch (const InvalidInput& error) {
    answer.no_law = error.field() + ": " + error.reason();
  }
  return answer;
}

Node to_node(const IcrFile& file, const IcrAnswer& answer) {
  const analysis::IcrIdentification& found = answer.ratios;
  Node root(Node::Object{{"format", "percute-icr-result/1"},
                         {"name", file.problem.name},
                         {"from", file.measured.empty() ? "law" : "measured " + file.measured}});
  if (answer.result) {
    root.add("outcome_law", to_node(file.problem.law));
    root.add("status", name(answer.result->status));
  }
  Node::Array contacts;
  for (Eigen::Index i = 0; i < found.impulse.size(); ++i) {
    // The last contact has no next one.
    const auto to_next = [i](const Vector& ratios) {
      return i < ratios.size() ? Node(ratios[i]) : Node();
    };
    contacts.emplace_back(
        Node::Object{{"name", file.problem.contact_names[static_cast<std::size_t>(i)]},
                     {"impulse", found.impulse[i]},
                     {"direction", found.direction[i]},
                     {"next_over_this", to_next(found.next_over_previous)},
                     {"this_over_next", to_next(found.previous_over_next)}});
  }
  root.add("contacts", std::move(contacts));
  root.add("restitution", found.restitution);
  root.add("energy_ratio", found.energy_ratio);
  if (file.measured == "velocity") root.add("unexplained", found.unexplained);
  root.add("non_unique_impulse", found.non_unique);
  root.add("law", answer.law ? to_node(AnyLaw(*answer.law)) : Node());
  if (!answer.law) root.add("no_law", answer.no_law);
  return root;
}

// -------------------------------------------------------------------- waves through chains

namespace {

using analysis::BallPassage;
using analysis::ChainWaves;
using analysis::ContactPassage;
using analysis::ForcePeak;

/// Names along the row.
std::vector<std::string> names_of(const std::vector<int>& row,
                                  const std::vector<std::string>& all) {
  return each(row, [&all](int k) { return all[static_cast<std::size_t>(k)]; });
}

std::vector<std::string> ball_names(const ChainWaves& waves, const ProblemFile& file) {
  return names_of(waves.chain.balls, coordinate_names(file.bodies, file.problem.velocity.size()));
}

Node peak_list(const std::vector<ForcePeak>& peaks) {
  return each(peaks,
              [](const ForcePeak& peak) -> Node { return Node::Array{peak.time, peak.force}; });
}

Node contact_node(const ContactPassage& contact, const std::string& name) {
  return Node::Object{{"name", name},
                      {"peak_force", contact.peak.force},
                      {"peak_time", contact.peak.time},
                      {"first_contact", contact.first_contact},
                      {"release", contact.release},
                      {"duration", contact.duration},
                      {"impulse", contact.impulse},
                      {"impulse_ratio_to_next", Node(contact.ratio_to_next)},
                      {"impacts", contact.impacts},
                      {"peaks", peak_list(contact.peaks)},
                      {"train", analysis::wave_train(contact.peaks).size()}};
}

Node ball_node(const BallPassage& ball, const std::string& name, double mass) {
  return Node::Object{{"name", name},
                      {"mass", mass},
                      {"before", ball.before},
                      {"after", ball.after},
                      {"peak_velocity", ball.peak.velocity},
                      {"peak_time", ball.peak.time}};
}

Node wave_node(const analysis::Wave& wave) {
  Node theory;
  if (wave.theory) {
    theory = Node::Object{{"speed", wave.theory->speed},
                          {"peak_force", wave.theory->peak_force},
                          {"support", wave.theory->support},
                          {"half_width", wave.theory->half_width}};
  }
  return Node::Object{{"speed", wave.speed},
                      {"contacts", Node::Array{wave.first_contact, wave.last_contact}},
                      {"ball", wave.ball},
                      {"peak_velocity", wave.peak.velocity},
                      {"height", wave.height},
                      {"peak_time", wave.peak.time},
                      {"peak_force", wave.peak_force},
                      {"balls_above_1_percent", wave.balls_above_percent},
                      {"balls_above_0.1_percent", wave.balls_above_permille},
                      {"half_width", wave.half_width},
                      {"steady_from", wave.steady_from},
                      {"nesterenko", std::move(theory)}};
}

/// What is known of each contact and each ball, for HDF5 only.
Columns passage_columns(const ChainWaves& waves) {
  const auto contact = [&](const char* name, const char* unit, auto value) {
    return Column{std::string("/contacts/") + name, "", unit, each(waves.contacts, value)};
  };
  const auto ball = [&](const char* name, const char* unit, auto value) {
    return Column{std::string("/balls/") + name, "", unit, each(waves.balls, value)};
  };
  return {contact("peak_force", "N", [](const ContactPassage& c) { return c.peak.force; }),
          contact("peak_time", "s", [](const ContactPassage& c) { return c.peak.time; }),
          contact("release", "s", &ContactPassage::release),
          contact("duration", "s", &ContactPassage::duration),
          contact("impulse", "N s", &ContactPassage::impulse),
          {"/balls/mass", "", "kg", entries_of(waves.chain.masses)},
          ball("before", "m/s", &BallPassage::before),
          ball("after", "m/s", &BallPassage::after),
          ball("peak_velocity", "m/s", [](const BallPassage& b) { return b.peak.velocity; }),
          ball("peak_time", "s", [](const BallPassage& b) { return b.peak.time; })};
}

}  // namespace

Node to_node(const ChainWaves& waves, const ProblemFile& file) {
  Node::Array contacts;
  const std::vector<std::string> of_contacts = names_of(waves.chain.contacts, file.contact_names);
  for (std::size_t k = 0; k < waves.contacts.size(); ++k) {
    contacts.push_back(contact_node(waves.contacts[k], of_contacts[k]));
  }
  Node::Array balls;
  const std::vector<std::string> of_balls = ball_names(waves, file);
  for (std::size_t k = 0; k < waves.balls.size(); ++k) {
    balls.push_back(
        ball_node(waves.balls[k], of_balls[k], waves.chain.masses[static_cast<Eigen::Index>(k)]));
  }
  Node rebound;
  if (const auto& column = waves.rebound) {
    rebound = Node::Object{{"effective_restitution", column->effective_restitution},
                           {"impulse_restitution", column->impulse_restitution},
                           {"top_velocity", column->top_velocity}};
  }
  const analysis::ChainOutcome& outcome = waves.outcome;
  Node node(Node::Object{
      {"format", "percute-waves/1"},
      {"name", file.name},
      {"law", to_node(file.law)},
      {"status", name(waves.result.status)},
      {"duration", waves.result.diagnostics.duration},
      {"wall_first", waves.chain.wall_first},
      {"wall_last", waves.chain.wall_last},
      {"contacts", std::move(contacts)},
      {"balls", std::move(balls)},
      {"outcome", Node::Object{{"resolution", outcome.resolution},
                               {"at_rest", outcome.at_rest},
                               {"forward_balls", outcome.forward_balls},
                               {"forward_energy", outcome.forward_energy},
                               {"last_ball_energy", outcome.last_ball_energy},
                               {"KER", outcome.energy_ratio},
                               {"C_KE", outcome.dispersion}}},
      {"column", std::move(rebound)},
      {"period",
       waves.period ? Node(Node::Array{waves.period->shortest, waves.period->longest}) : Node()},
      {"wave", waves.wave ? wave_node(*waves.wave) : Node()}});
  if (waves.field.time.size() > 0) {
    node.add("space_time", Node::Object{{"time", waves.field.time},
                                        {"velocity", waves.field.velocity},
                                        {"force", waves.field.force}});
  }
  return node;
}

void write_waves(const std::filesystem::path& path, const ChainWaves& waves,
                 const ProblemFile& file) {
  const std::vector<std::string> balls = ball_names(waves, file);
  const std::vector<std::string> contacts = names_of(waves.chain.contacts, file.contact_names);
  const Columns field{
      {"/space_time/time", "time", "s", entries_of(waves.field.time)},
      {"/space_time/velocity", "velocity", "m/s", entries_of(waves.field.velocity), &balls},
      {"/space_time/force", "force", "N", entries_of(waves.field.force), &contacts}};
  if (is_csv(path)) {
    const auto instants = static_cast<std::size_t>(waves.field.time.size());
    return write_text(path, csv_header(field) + csv_rows(field, instants, contacts));
  }
  Hdf5File out(path);
  out.write(field);
  out.write(passage_columns(waves));
  out.write("/meta/balls", balls);
  out.write("/meta/contacts", contacts);
  out.describe("percute-waves/1", file);
  out.close();
}

}  // namespace percute::io
