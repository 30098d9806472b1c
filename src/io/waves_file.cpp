// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/waves_file.hpp"

#include "io/hdf5_file.hpp"
#include "io/history_tables.hpp"
#include "io/text.hpp"

#include <percute/io/result_file.hpp>
#include <percute/version.hpp>

#include <fmt/format.h>

#include <functional>
#include <iterator>

namespace percute::io {

namespace {

using analysis::BallPassage;
using analysis::ChainWaves;
using analysis::ContactPassage;
using analysis::ForcePeak;

/// Names along the row.
std::vector<std::string> ball_names(const ChainWaves& waves, const ProblemFile& file) {
  const std::vector<std::string> all = coordinate_names(file);
  std::vector<std::string> names;
  names.reserve(waves.chain.balls.size());
  for (const int ball : waves.chain.balls) names.push_back(all[static_cast<std::size_t>(ball)]);
  return names;
}

std::vector<std::string> contact_names(const ChainWaves& waves, const ProblemFile& file) {
  std::vector<std::string> names;
  names.reserve(waves.chain.contacts.size());
  for (const int contact : waves.chain.contacts) {
    names.push_back(file.contact_names[static_cast<std::size_t>(contact)]);
  }
  return names;
}

Node optional_number(const std::optional<double>& value) {
  return value ? Node(*value) : Node();
}

Node peak_list(const std::vector<ForcePeak>& peaks) {
  Node::Array list;
  list.reserve(peaks.size());
  for (const ForcePeak& peak : peaks) {
    list.emplace_back(Node::Array{Node(peak.time), Node(peak.force)});
  }
  return list;
}

Node contact_node(const ContactPassage& contact, const std::string& name) {
  Node node;
  node.add("name", name);
  node.add("peak_force", contact.peak.force);
  node.add("peak_time", contact.peak.time);
  node.add("first_contact", contact.first_contact);
  node.add("release", contact.release);
  node.add("duration", contact.duration);
  node.add("impulse", contact.impulse);
  node.add("impulse_ratio_to_next", optional_number(contact.ratio_to_next));
  node.add("impacts", contact.impacts);
  node.add("peaks", peak_list(contact.peaks));
  node.add("train", static_cast<std::int64_t>(analysis::wave_train(contact.peaks).size()));
  return node;
}

Node ball_node(const BallPassage& ball, const std::string& name, double mass) {
  Node node;
  node.add("name", name);
  node.add("mass", mass);
  node.add("before", ball.before);
  node.add("after", ball.after);
  node.add("peak_velocity", ball.peak.velocity);
  node.add("peak_time", ball.peak.time);
  return node;
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
  node.add("half_width", optional_number(wave.half_width));
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
  Node node;
  node.add("effective_restitution", rebound.effective_restitution);
  node.add("impulse_restitution", rebound.impulse_restitution);
  node.add("top_velocity", rebound.top_velocity);
  return node;
}

Node outcome_node(const analysis::ChainOutcome& outcome) {
  Node node;
  node.add("resolution", outcome.resolution);
  node.add("at_rest", outcome.at_rest);
  node.add("forward_balls", outcome.forward_balls);
  node.add("forward_energy", outcome.forward_energy);
  node.add("last_ball_energy", outcome.last_ball_energy);
  node.add("KER", optional_number(outcome.energy_ratio));
  node.add("C_KE", optional_number(outcome.dispersion));
  return node;
}

/// One list per ball or contact.
Node rows_of(const Matrix& matrix) {
  Node::Array rows;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const Vector row = matrix.row(i);
    rows.emplace_back(Node::Array(row.begin(), row.end()));
  }
  return rows;
}

std::string csv_of(const ChainWaves& waves, const ProblemFile& file) {
  std::string out = "time [s]";
  for (const std::string& ball : ball_names(waves, file)) {
    out += ',' + csv_cell(fmt::format("velocity {} [m/s]", ball));
  }
  for (const std::string& contact : contact_names(waves, file)) {
    out += ',' + csv_cell(fmt::format("force {} [N]", contact));
  }
  out += '\n';
  auto end = std::back_inserter(out);
  const analysis::SpaceTime& field = waves.field;
  for (Eigen::Index k = 0; k < field.time.size(); ++k) {
    fmt::format_to(end, "{:.17g}", field.time[k]);
    for (const double value : field.velocity.col(k)) fmt::format_to(end, ",{:.17g}", value);
    for (const double value : field.force.col(k)) fmt::format_to(end, ",{:.17g}", value);
    out += '\n';
  }
  return out;
}

template <class Passage>
Vector column(const std::vector<Passage>& passages,
              const std::function<double(const Passage&)>& value) {
  Vector out(static_cast<Eigen::Index>(passages.size()));
  for (Eigen::Index k = 0; k < out.size(); ++k) {
    out[k] = value(passages[static_cast<std::size_t>(k)]);
  }
  return out;
}

void write_hdf5(const std::filesystem::path& path, const ChainWaves& waves,
                const ProblemFile& file) {
  Hdf5File out(path);
  out.write("/space_time/time", waves.field.time, "s");
  out.write("/space_time/velocity", waves.field.velocity, "m/s");
  out.write("/space_time/force", waves.field.force, "N");
  const auto contact = [&](const char* name, const char* unit,
                           const std::function<double(const ContactPassage&)>& value) {
    out.write(std::string("/contacts/") + name, column(waves.contacts, value), unit);
  };
  contact("peak_force", "N", [](const ContactPassage& c) { return c.peak.force; });
  contact("peak_time", "s", [](const ContactPassage& c) { return c.peak.time; });
  contact("release", "s", [](const ContactPassage& c) { return c.release; });
  contact("duration", "s", [](const ContactPassage& c) { return c.duration; });
  contact("impulse", "N s", [](const ContactPassage& c) { return c.impulse; });
  const auto ball = [&](const char* name, const char* unit,
                        const std::function<double(const BallPassage&)>& value) {
    out.write(std::string("/balls/") + name, column(waves.balls, value), unit);
  };
  out.write("/balls/mass", waves.chain.masses, "kg");
  ball("before", "m/s", [](const BallPassage& b) { return b.before; });
  ball("after", "m/s", [](const BallPassage& b) { return b.after; });
  ball("peak_velocity", "m/s", [](const BallPassage& b) { return b.peak.velocity; });
  ball("peak_time", "s", [](const BallPassage& b) { return b.peak.time; });
  out.write("/meta/balls", ball_names(waves, file));
  out.write("/meta/contacts", contact_names(waves, file));
  out.attribute("/meta", "format", "percute-waves/1");
  out.attribute("/meta", "name", file.name);
  out.attribute("/meta", "law", to_json(to_node(file.law), JsonLayout::Line));
  out.attribute("/meta", "version", kVersion);
  out.close();
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
  const std::vector<std::string> of_contacts = contact_names(waves, file);
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
    field.add("time", Node::Array(waves.field.time.begin(), waves.field.time.end()));
    field.add("velocity", rows_of(waves.field.velocity));
    field.add("force", rows_of(waves.field.force));
    node.add("space_time", std::move(field));
  }
  return node;
}

void check_waves_path(const std::filesystem::path& path) {
  const auto suffix = path.extension();
  if (suffix == ".csv" || suffix == ".h5" || suffix == ".hdf5") return;
  throw FileError(path.string(), "",
                  fmt::format("velocities and forces over time are written as .csv, .h5 or .hdf5, "
                              "not \"{}\"",
                              suffix.string()));
}

void write_waves(const std::filesystem::path& path, const ChainWaves& waves,
                 const ProblemFile& file) {
  check_waves_path(path);
  if (history_format(path) == HistoryFormat::Csv) {
    write_text(path, csv_of(waves, file));
  } else {
    write_hdf5(path, waves, file);
  }
}

}  // namespace percute::io
