// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/format_key.hpp"
#include "io/material_keys.hpp"
#include "io/scene_reader.hpp"
#include "io/suggest.hpp"
#include "io/text.hpp"

#include <percute/io/problem_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace percute::io {

namespace {

constexpr std::string_view kFormat = "percute-problem/1";

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// Numbers that must be as many as there are coordinates.
Vector coordinates(const Value& value, Eigen::Index n) {
  Vector out = value.numbers();
  if (out.size() != n) {
    value.fail(fmt::format("must have {} entries, as many as velocity, got {}", n, out.size()));
  }
  return out;
}

/// Parallel lists of the non-zero entries of a matrix; a place may be named only once.
SparseMatrix read_sparse(const Value& value, Eigen::Index n) {
  const Table table(value, std::array<std::string_view, 4>{"size", "rows", "columns", "values"});
  if (const long size = table.required("size").integer(0, 1L << 31U); size != n) {
    table.fail("size", fmt::format("is {}, but velocity has {} entries", size, n));
  }
  const auto rows = table.required("rows").integers(0, n - 1);
  const auto columns = table.required("columns").integers(0, n - 1);
  const Vector values = table.required("values").numbers();
  if (rows.size() != columns.size() || index(rows.size()) != values.size()) {
    value.fail(fmt::format("rows, columns and values must have the same length, got {}, {} and {}",
                           rows.size(), columns.size(), values.size()));
  }
  std::vector<Eigen::Triplet<double>> entries;
  std::set<std::pair<long, long>> seen;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!seen.insert({rows[k], columns[k]}).second) {
      value.fail(fmt::format("entry ({}, {}) is given twice, again at position {}", rows[k],
                             columns[k], k));
    }
    entries.emplace_back(static_cast<int>(rows[k]), static_cast<int>(columns[k]), values[index(k)]);
  }
  SparseMatrix M(n, n);
  M.setFromTriplets(entries.begin(), entries.end());
  return M;
}

/// Rows of numbers, each with one entry per coordinate.
Matrix read_rows(const Value& value, Eigen::Index n) {
  Matrix out(index(value.size()), n);
  for (std::size_t i = 0; i < value.size(); ++i) {
    out.row(index(i)) = coordinates(value[i], n).transpose();
  }
  return out;
}

MassMatrix read_mass(const Value& value, Eigen::Index n) {
  const Table table(value, std::array<std::string_view, 3>{"diagonal", "dense", "sparse"});
  if (value.node().as<Node::Object>()->size() != 1) {
    value.fail("must have exactly one of the keys diagonal, dense, sparse");
  }
  if (const auto diagonal = table.find("diagonal")) {
    return MassMatrix::diagonal(coordinates(*diagonal, n));
  }
  if (const auto sparse = table.find("sparse")) return MassMatrix::sparse(read_sparse(*sparse, n));
  const Value dense = table.required("dense");
  if (index(dense.size()) != n) {
    dense.fail(
        fmt::format("must have {} rows, as many as velocity has entries, got {}", n, dense.size()));
  }
  return MassMatrix::dense(read_rows(dense, n));
}

using Entries = std::vector<Eigen::Triplet<double>>;

/// A gradient or tangent, dense or as {index, value}, as entries of a column.
void read_column(const Value& value, int column, Eigen::Index n, Entries& entries) {
  if (value.node().as<Node::Array>() != nullptr) {
    const Vector all = coordinates(value, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      if (all[k] != 0.0) entries.emplace_back(static_cast<int>(k), column, all[k]);
    }
    return;
  }
  if (value.node().as<Node::Object>() == nullptr) {
    value.fail("must be an array of numbers or an object with index and value, got " +
               value.node().describe());
  }
  const Table table(value, std::array<std::string_view, 2>{"index", "value"});
  const auto rows = table.required("index").integers(0, n - 1);
  const Vector values = table.required("value").numbers();
  if (index(rows.size()) != values.size()) {
    value.fail(fmt::format("index and value must have the same length, got {} and {}", rows.size(),
                           values.size()));
  }
  std::set<long> seen;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!seen.insert(rows[k]).second) {
      value.fail(fmt::format("coordinate {} is given twice", rows[k]));
    }
    if (values[index(k)] == 0.0) continue;
    entries.emplace_back(static_cast<int>(rows[k]), column, values[index(k)]);
  }
}

/// One or two rows, as columns 2 i and 2 i + 1 of T. Returns how many.
int read_tangents(const Value& value, int contact, Eigen::Index n, Entries& entries) {
  if (value.size() > 2) {
    value.fail(fmt::format("must have one row (planar) or two (spatial), got {}", value.size()));
  }
  for (std::size_t d = 0; d < value.size(); ++d) {
    read_column(value[d], 2 * contact + static_cast<int>(d), n, entries);
  }
  return static_cast<int>(value.size());
}

/// Contacts, and the columns of W and T.
void read_contacts(const Value& value, const AnyLaw& law, ImpactProblem& problem) {
  const Eigen::Index n = problem.velocity.size();
  Entries gradients;
  Entries tangents;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Table table(value[i], kContactKeys);
    const auto column = static_cast<int>(i);
    read_column(table.required("gradient"), column, n, gradients);
    Contact& contact = problem.contacts.emplace_back();
    contact.material = read_material(table, law);
    contact.stored_energy = table.number("stored_energy", 0.0);
    if (const auto rows = table.find("tangents")) {
      contact.directions = read_tangents(*rows, column, n, tangents);
    }
  }
  problem.gradients.resize(n, index(value.size()));
  problem.gradients.setFromTriplets(gradients.begin(), gradients.end());
  problem.tangents.resize(n, 2 * index(value.size()));
  problem.tangents.setFromTriplets(tangents.begin(), tangents.end());
}

std::vector<Body> read_bodies(const Value& value, Eigen::Index n) {
  std::vector<Body> bodies;
  std::vector<bool> taken(static_cast<std::size_t>(n), false);
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Table table(value[i], std::array<std::string_view, 2>{"name", "coordinates"});
    Body body{.name = fmt::format("body {}", i + 1), .coordinates = {}};
    if (const auto name = table.find("name")) body.name = name->string();
    const Value list = table.required("coordinates");
    for (const long k : list.integers(0, n - 1)) {
      if (taken[static_cast<std::size_t>(k)]) {
        list.fail(fmt::format("coordinate {} already belongs to a body", k));
      }
      taken[static_cast<std::size_t>(k)] = true;
      body.coordinates.push_back(static_cast<int>(k));
    }
    bodies.push_back(std::move(body));
  }
  const auto missing = std::ranges::find(taken, false);
  if (missing != taken.end()) {
    value.fail(fmt::format("coordinate {} belongs to no body", missing - taken.begin()));
  }
  return bodies;
}

}  // namespace

ProblemFile read_problem(const Value& at) {
  constexpr std::array<std::string_view, 7> kKeys{"format",   "name",   "mass", "velocity",
                                                  "contacts", "bodies", "law"};
  refuse_other_format(at, kFormat);
  const Table table(at, kKeys);
  (void)table.required("format");
  ProblemFile file;
  file.name = std::filesystem::path(at.document().file).stem().string();
  if (const auto name = table.find("name")) file.name = name->string();
  file.law = read_law(table.find("law"));
  ImpactProblem& problem = file.problem;
  problem.velocity = table.required("velocity").numbers();
  const Eigen::Index n = problem.velocity.size();
  try {
    problem.mass = read_mass(table.required("mass"), n);
    read_contacts(table.required("contacts"), file.law, problem);
    validate(problem);
  } catch (const FileError&) {
    throw;
  } catch (const InvalidInput& error) {
    const std::string prefix = at.path().empty() ? "" : at.path() + ".";
    throw located(InvalidInput(prefix + error.field(), error.reason()), at.document());
  }
  const auto bodies = table.find("bodies");
  file.bodies = bodies ? read_bodies(*bodies, n) : one_body_per_coordinate(n);
  // A coordinate may be a length, an angle or anything else: the format does not say.
  for (Body& body : file.bodies) body.units.resize(body.coordinates.size());
  file.contact_names = name_contacts(problem.gradients, file.bodies);
  return file;
}

ProblemFile read_problem(const Document& document) {
  return read_problem(Value(document));
}

ProblemFile read_problem_or_scene(const Document& document) {
  const Node& root = document.root;
  if (root.find("system") != nullptr) return read_scene(document);
  if (root.find("format") != nullptr) return read_problem(document);

  // Neither: a misspelt first key deserves its suggestion.
  constexpr std::array<std::string_view, 2> kMarks{"format", "system"};
  std::string guess;
  for (const Node::Member& member : *root.as<Node::Object>()) {
    if (guess.empty() && !closest(member.key, kMarks).empty()) {
      guess = fmt::format("; '{}' on line {}{}", printable(member.key), member.value.line,
                          did_you_mean(member.key, kMarks));
    }
  }
  throw FileError(document.file, "",
                  fmt::format("is neither a problem (format = \"{}\") nor a scene (a table "
                              "'system'){}",
                              kFormat, guess));
}

FileError located(const InvalidInput& error, const Document& document,
                  const std::vector<std::string>& contact_names) {
  const bool scene = document.root.find("system") != nullptr;
  const std::string path =
      scene ? scene_path(error.field(), document, contact_names) : error.field();
  return {document.where(document.nearest(path)), path, error.reason()};
}

ImpactResult resolve(const ProblemFile& file, const Document& document) {
  try {
    return resolve(file.problem, file.law);
  } catch (const InvalidInput& error) {
    throw located(error, document, file.contact_names);
  }
}

ImpactResult resolve(const ProblemFile& file, const Document& document,
                     const Recording& recording) {
  try {
    return resolve(file.problem, file.law, recording);
  } catch (const InvalidInput& error) {
    throw located(error, document, file.contact_names);
  }
}

std::optional<laws::OtherReengagement> try_other_reengagement(const ProblemFile& file,
                                                              ImpactResult& result) {
  const auto* law = file.law.as<laws::Lzb>();
  if (law == nullptr) return {};
  auto other = laws::other_reengagement(file.problem, *law, result);
  if (other) result.diagnostics.reengagement_difference = other->difference;
  return other;
}

}  // namespace percute::io
