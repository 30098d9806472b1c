// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/icr_file.hpp"

#include "io/format_key.hpp"

#include <cmath>

namespace percute::io {

namespace {

constexpr std::string_view kIcrFormat = "percute-icr/1";

Node number_or_null(double value) {
  return std::isfinite(value) ? Node(value) : Node();
}

}  // namespace

IcrFile read_icr(const Document& document) {
  IcrFile file;
  const Node* format = document.root.find("format");
  const auto* word = format != nullptr ? format->as<std::string>() : nullptr;
  if (word == nullptr || *word != kIcrFormat) {
    file.document = document;
    file.problem = read_problem_or_scene(document);
    return file;
  }
  const Table top(Value(document), {"format", "name", "problem", "measured"});
  file.document = read_named_problem(top.required("problem"));
  file.problem = read_problem_or_scene(file.document);
  if (const auto name = top.find("name")) file.problem.name = name->string();
  const Table measured(top.required("measured"), {"velocity", "impulse"});
  if (measured.has("velocity") == measured.has("impulse")) {
    measured.value().fail(
        "give either 'velocity' (of every coordinate after the impact) or 'impulse' (of every "
        "contact)");
  }
  file.measured = measured.has("velocity") ? "velocity" : "impulse";
  file.values = measured.required(file.measured).numbers();
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
  Node root;
  root.add("format", "percute-icr-result/1");
  root.add("name", file.problem.name);
  root.add("from", file.measured.empty() ? "law" : "measured " + file.measured);
  if (answer.result) {
    root.add("outcome_law", to_node(file.problem.law));
    root.add("status", name(answer.result->status));
  }
  Node::Array contacts;
  for (Eigen::Index i = 0; i < found.impulse.size(); ++i) {
    const bool last = i + 1 == found.impulse.size();
    Node contact;
    contact.add("name", file.problem.contact_names[static_cast<std::size_t>(i)]);
    contact.add("impulse", found.impulse[i]);
    contact.add("direction", found.direction[i]);
    contact.add("next_over_this", last ? Node() : number_or_null(found.next_over_previous[i]));
    contact.add("this_over_next", last ? Node() : number_or_null(found.previous_over_next[i]));
    contacts.push_back(std::move(contact));
  }
  root.add("contacts", std::move(contacts));
  root.add("restitution", number_or_null(found.restitution));
  root.add("energy_ratio", number_or_null(found.energy_ratio));
  if (file.measured == "velocity") root.add("unexplained", number_or_null(found.unexplained));
  root.add("non_unique_impulse", found.non_unique);
  root.add("law", answer.law ? to_node(AnyLaw(*answer.law)) : Node());
  if (!answer.law) root.add("no_law", answer.no_law);
  return root;
}

}  // namespace percute::io
