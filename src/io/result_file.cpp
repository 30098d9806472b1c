// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/indices.hpp>
#include <percute/io/document.hpp>
#include <percute/io/result_file.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

namespace percute::io {

namespace {

Node numbers(const Vector& values) {
  return Node::Array(values.begin(), values.end());
}

Node contact_node(const ImpactResult& result, std::size_t i) {
  const auto k = static_cast<Eigen::Index>(i);
  const auto part = [i](const std::vector<Vector>& list) {
    return i < list.size() ? numbers(list[i]) : Node(Node::Array{});
  };
  Node node;
  node.add("impulse", result.impulse[k]);
  node.add("tangential_impulse", part(result.tangential_impulse));
  node.add("gap_rate", result.gap_rate[k]);
  node.add("tangential_velocity", part(result.tangential_velocity));
  node.add("dissipated", result.dissipated[k]);
  if (k < result.dissipated_by_friction.size()) {
    node.add("dissipated_by_friction", result.dissipated_by_friction[k]);
  }
  if (i < result.diagnostics.contacts.size()) {
    node.add("compressions", result.diagnostics.contacts[i].compressions);
  }
  return node;
}

Node energy_node(const EnergyLedger& energy) {
  Node node;
  node.add("before", energy.before);
  node.add("after", energy.after);
  node.add("ratio", energy.before > 0.0 ? Node(energy.after / energy.before) : Node());
  node.add("dissipated", energy.dissipated);
  node.add("balance_error", energy.balance_error);
  return node;
}

Node indices_node(const analysis::Indices& indices) {
  const auto known = [](const std::optional<double>& value) {
    return value ? Node(*value) : Node();
  };
  Node node;
  node.add("KER", known(indices.energy_ratio));
  node.add("KER_rel", known(indices.relative_energy_ratio));
  node.add("C_KE", known(indices.dispersion));
  node.add("W_n", indices.normal_work);
  node.add("W_t", indices.tangential_work);
  node.add("D_t", indices.sliding_loss);
  return node;
}

Node consistency_node(const Consistency& verdict) {
  Node node;
  node.add("energetic", verdict.energetic);
  node.add("kinematic", verdict.kinematic);
  node.add("kinetic", verdict.kinetic);
  node.add("friction_cone", verdict.friction_cone);
  Node& margins = node.add("margins", {});
  margins.add("momentum", verdict.margins.momentum);
  margins.add("identity", verdict.margins.identity);
  margins.add("energetic", verdict.margins.energetic);
  margins.add("kinematic", verdict.margins.kinematic);
  margins.add("kinetic", verdict.margins.kinetic);
  margins.add("friction_cone", verdict.margins.friction_cone);
  return node;
}

void add_algebraic(const AlgebraicDiagnostics& diagnostics, Node& node) {
  node.add("evaluations", 0);
  node.add("steps", diagnostics.stages);
  node.add("events", diagnostics.sequence.size());
  node.add("stages", diagnostics.stages);
  node.add("iterations", diagnostics.iterations);
  node.add("residual", diagnostics.residual);
  node.add("multiple_solutions", diagnostics.multiple_solutions);
  if (const auto value = diagnostics.energy_bound) node.add("energy_bound", *value);
  if (const auto value = diagnostics.restitution_factor) node.add("restitution_factor", *value);
  if (diagnostics.fremond_fallback) node.add("fremond_fallback", true);
  if (diagnostics.sequence.empty()) return;
  node.add("collisions", diagnostics.sequence.size());
  Node::Array sequence;
  for (const Collision& collision : diagnostics.sequence) {
    Node entry;
    entry.add("contact", collision.contact);
    entry.add("impulse", collision.impulse);
    entry.add("energy_ratio", collision.energy_ratio);
    sequence.push_back(std::move(entry));
  }
  node.add("sequence", std::move(sequence));
}

Node phases_node(const std::vector<ImpactPhase>& phases) {
  Node::Array list;
  list.reserve(phases.size());
  for (const ImpactPhase& phase : phases) {
    Node entry;
    entry.add("motion", name(phase.motion));
    entry.add("stage", phase.compression ? "compression" : "expansion");
    entry.add("from", phase.from);
    entry.add("to", phase.to);
    list.push_back(std::move(entry));
  }
  return list;
}

Node diagnostics_node(const ImpactResult& result) {
  const Diagnostics& diagnostics = result.diagnostics;
  Node node;
  if (result.consistency.friction_ignored) node.add("friction_ignored", true);
  if (!diagnostics.reason.empty()) node.add("reason", diagnostics.reason);
  if (result.consistency.restitution_ignored) node.add("restitution_ignored", true);
  if (diagnostics.algebraic) {
    add_algebraic(*diagnostics.algebraic, node);
    if (const auto value = diagnostics.residual_velocity) node.add("residual_velocity", *value);
    node.add("stored_energy", result.energy.stored);
    return node;
  }
  node.add("evaluations", diagnostics.evaluations);
  node.add("event_evaluations", diagnostics.event_evaluations);
  node.add("steps", diagnostics.steps);
  node.add("rejected", diagnostics.rejected);
  node.add("events", diagnostics.events);
  node.add("duration", diagnostics.duration);
  node.add("stored_energy", result.energy.stored);
  if (const auto value = diagnostics.residual_velocity) node.add("residual_velocity", *value);
  if (const auto value = diagnostics.verify_difference) node.add("verify_difference", *value);
  if (const auto value = diagnostics.reengagement_difference) {
    node.add("reengagement_difference", *value);
  }
  Node::Array contacts;
  for (const ContactSummary& summary : diagnostics.contacts) {
    Node contact;
    contact.add("impacts", summary.impacts);
    contact.add("maximal_force", summary.maximal_force);
    contact.add("maximal_force_time", summary.maximal_force_time);
    contact.add("first_contact_time", summary.first_contact_time);
    contact.add("opening_time", summary.opening_time);
    contact.add("duration", summary.duration);
    contacts.push_back(std::move(contact));
  }
  node.add("contacts", std::move(contacts));
  if (!diagnostics.phases.empty()) node.add("phases", phases_node(diagnostics.phases));
  return node;
}

}  // namespace

Node to_node(const ImpactResult& result, const ProblemFile& file) {
  Node node;
  node.add("format", "percute-result/1");
  node.add("law", to_node(filled_in(file.law, file.problem)));
  node.add("status", name(result.status));
  node.add("velocity", numbers(result.velocity));
  Node::Array contacts;
  for (std::size_t i = 0; i < file.problem.contacts.size(); ++i) {
    contacts.push_back(contact_node(result, i));
  }
  node.add("contacts", std::move(contacts));
  node.add("energy", energy_node(result.energy));
  node.add("indices", indices_node(analysis::indices(file.problem, result, file.bodies)));
  node.add("consistency", consistency_node(result.consistency));
  node.add("non_unique_impulse", result.non_unique_impulse);
  node.add("diagnostics", diagnostics_node(result));
  return node;
}

std::string to_json(const ImpactResult& result, const ProblemFile& file, JsonLayout layout) {
  return to_json(to_node(result, file), layout);
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  const auto check = [&path](bool fine) {
    if (!fine) {
      throw FileError(path.string(), "", fmt::format("cannot write: {}", std::strerror(errno)));
    }
  };
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"),
                                                       &std::fclose);
  check(file != nullptr);
  check(std::fwrite(text.data(), 1, text.size(), file.get()) == text.size());
  check(std::fclose(file.release()) == 0);
}

}  // namespace percute::io
