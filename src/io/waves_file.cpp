// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/waves_file.hpp"

#include "io/hdf5_file.hpp"

#include <percute/io/result_file.hpp>

#include <optional>

namespace percute::io {

namespace {

constexpr std::string_view kSuffixes =
    "velocities and forces over time are written as .csv, .h5 or .hdf5";

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
  Node node;
  node.add("speed", wave.speed);
  node.add("contacts", Node::Array{Node(wave.first_contact), Node(wave.last_contact)});
  node.add("ball", wave.ball);
  node.add("peak_velocity", wave.peak.velocity);
  node.add("height", wave.height);
  node.add("peak_time", wave.peak.time);
  node.add("peak_force", wave.peak_force);
  node.add("balls_above_1_percent", wave.balls_above_percent);
  node.add("balls_above_0.1_percent", wave.balls_above_permille);
  node.add("half_width", Node(wave.half_width));
  node.add("steady_from", wave.steady_from);
  Node theory;
  if (wave.theory) {
    theory.add("speed", wave.theory->speed);
    theory.add("peak_force", wave.theory->peak_force);
    theory.add("support", wave.theory->support);
    theory.add("half_width", wave.theory->half_width);
  }
  node.add("nesterenko", std::move(theory));
  return node;
}

Node rebound_node(const analysis::Rebound& rebound) {
  return Node::Object{{"effective_restitution", rebound.effective_restitution},
                      {"impulse_restitution", rebound.impulse_restitution},
                      {"top_velocity", rebound.top_velocity}};
}

Node outcome_node(const analysis::ChainOutcome& outcome) {
  return Node::Object{{"resolution", outcome.resolution},
                      {"at_rest", outcome.at_rest},
                      {"forward_balls", outcome.forward_balls},
                      {"forward_energy", outcome.forward_energy},
                      {"last_ball_energy", outcome.last_ball_energy},
                      {"KER", Node(outcome.energy_ratio)},
                      {"C_KE", Node(outcome.dispersion)}};
}

/// Velocities and forces at the instants asked for.
Columns field_columns(const analysis::SpaceTime& field, const std::vector<std::string>& balls,
                      const std::vector<std::string>& contacts) {
  return {{"/space_time/time", "time", "s", entries_of(field.time)},
          {"/space_time/velocity", "velocity", "m/s", entries_of(field.velocity), &balls},
          {"/space_time/force", "force", "N", entries_of(field.force), &contacts}};
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
  Node node;
  node.add("format", "percute-waves/1");
  node.add("name", file.name);
  node.add("law", to_node(file.law));
  node.add("status", name(waves.result.status));
  node.add("duration", waves.result.diagnostics.duration);
  node.add("wall_first", waves.chain.wall_first);
  node.add("wall_last", waves.chain.wall_last);
  Node::Array contacts;
  const std::vector<std::string> of_contacts = names_of(waves.chain.contacts, file.contact_names);
  for (std::size_t k = 0; k < waves.contacts.size(); ++k) {
    contacts.push_back(contact_node(waves.contacts[k], of_contacts[k]));
  }
  node.add("contacts", std::move(contacts));
  Node::Array balls;
  const std::vector<std::string> of_balls = ball_names(waves, file);
  for (std::size_t k = 0; k < waves.balls.size(); ++k) {
    balls.push_back(
        ball_node(waves.balls[k], of_balls[k], waves.chain.masses[static_cast<Eigen::Index>(k)]));
  }
  node.add("balls", std::move(balls));
  node.add("outcome", outcome_node(waves.outcome));
  node.add("column", waves.rebound ? rebound_node(*waves.rebound) : Node());
  node.add("period", waves.period ? Node(Node::Array{Node(waves.period->shortest),
                                                     Node(waves.period->longest)})
                                  : Node());
  node.add("wave", waves.wave ? wave_node(*waves.wave) : Node());
  if (waves.field.time.size() > 0) {
    Node field;
    field.add("time", waves.field.time);
    field.add("velocity", waves.field.velocity);
    field.add("force", waves.field.force);
    node.add("space_time", std::move(field));
  }
  return node;
}

void check_waves_path(const std::filesystem::path& path) {
  (void)is_csv(path, kSuffixes);
}

void write_waves(const std::filesystem::path& path, const ChainWaves& waves,
                 const ProblemFile& file) {
  const std::vector<std::string> balls = ball_names(waves, file);
  const std::vector<std::string> contacts = names_of(waves.chain.contacts, file.contact_names);
  const Columns field = field_columns(waves.field, balls, contacts);
  if (is_csv(path, kSuffixes)) {
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
