// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/format_key.hpp"
#include "io/material_keys.hpp"
#include "io/scene_reader.hpp"
#include "io/schema.hpp"
#include "io/suggest.hpp"
#include "io/text.hpp"

#include <percute/io/problem_file.hpp>
#include <percute/io/result_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace percute::io {

namespace {

constexpr std::string_view kFormat = "percute-problem/1";

// What the tables of a problem hold. Most is read value by value, in several forms.

struct SparseRowTable {};
constexpr void fields(Same<SparseRowTable> auto&, auto&& visit) {
  visit(Field{"index", "coordinates, from 0"}.needed(), Of<std::vector<int>>{});
  visit(Field{"value", "the numbers there; all others are zero"}.needed(), Of<Vector>{});
}

/// A row of numbers: all of them, or {index, value}.
struct Row {
  static Node schema() {
    return one_of({list_of(typed("number")), schema_of<SparseRowTable>(Writer::People)});
  }
};

/// One or two of them.
struct Tangents {
  static Node schema() { return list_of(Row::schema(), {{"maxItems", 2}}); }
};

struct SparseMassTable {};
constexpr void fields(Same<SparseMassTable> auto&, auto&& visit) {
  visit(Field{"size", "n, as many as velocity has entries"}.needed(), Of<int>{});
  visit(Field{"rows", "of each entry, from 0"}.needed(), Of<std::vector<int>>{});
  visit(Field{"columns", "of each entry, from 0"}.needed(), Of<std::vector<int>>{});
  visit(Field{"values", "the entries, of both halves of the matrix"}.needed(), Of<Vector>{});
}

struct MassTable {};
constexpr void fields(Same<MassTable> auto&, auto&& visit) {
  visit(Field{"diagonal", "M_ii"}, Of<Vector>{});
  visit(Field{"dense", "rows of M"}, Of<Matrix>{});
  visit(Field{"sparse", "entries of M that are not zero"}, Of<SparseMassTable>{});
}

/// One of its forms.
struct Mass {
  static Node schema() {
    Node node = schema_of<MassTable>(Writer::People);
    node.add("minProperties", 1);
    node.add("maxProperties", 1);
    return node;
  }
};

struct ContactTable {
  Material material = {};
  double stored_energy = 0.0;
};
constexpr void fields(Same<ContactTable> auto& contact, auto&& visit) {
  visit(Field{"gradient", "∇h: the gap rate is gradient · velocity, negative where it closes"}
            .needed(),
        Row{});
  visit(Field{"tangents",
              "one row (planar) or two (spatial): the sliding velocity is tangents · "
              "velocity"},
        Tangents{});
  fields(contact.material, [&](const Field& field, auto& member) {
    visit(field, member);
    if (field.key != "friction") return;
    visit(Field{"stored_energy", "of a compression before the impact", Range::not_negative(), "J"},
          contact.stored_energy);
  });
}

struct BodyTable {};
constexpr void fields(Same<BodyTable> auto&, auto&& visit) {
  visit(Field{"name", "in tables; without one 'body 1', …"}, Of<std::string>{});
  visit(Field{"coordinates", "that are its own, from 0"}.needed(), Of<std::vector<int>>{});
}

struct ProblemTable {};
constexpr void fields(Same<ProblemTable> auto&, auto&& visit) {
  visit(Field{"format", "of this file"}.needed(), Of<std::string>{});
  visit(Field{"name", "of the problem; without one that of its file"}, Of<std::string>{});
  visit(Field{"mass", "M of M (v⁺ − v⁻) = W p, symmetric and positive definite"}.needed(), Mass{});
  visit(Field{"velocity", "v⁻, n generalised velocities"}.needed(), Of<Vector>{});
  visit(Field{"contacts", "that are closed"}.needed(), Of<std::vector<ContactTable>>{});
  visit(Field{"bodies",
              "coordinates grouped for tables and for C_KE; without them one body per "
              "coordinate"},
        Of<std::vector<BodyTable>>{});
  visit(Field{"law", "of impact; without one lzb with its defaults"}, LawSchema{});
}

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
  const Table table(value, field_keys<SparseMassTable>());
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
  const Table table(value, field_keys<MassTable>());
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
  const Table table(value, field_keys<SparseRowTable>());
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
    const Table table(value[i], field_keys<ContactTable>());
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
    const Table table(value[i], field_keys<BodyTable>());
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

/// Bodies named alike up to a number ("ball 1", "ball 2") go by their numbers, others by name.
std::vector<std::string> short_names(const std::vector<Body>& bodies) {
  std::vector<std::string> numbers;
  std::vector<std::string> names;
  std::set<std::string> stems;
  for (const Body& body : bodies) {
    const auto space = body.name.rfind(' ');
    const bool numbered = space != std::string::npos && space + 1 < body.name.size() &&
                          body.name.find_first_not_of("0123456789", space + 1) == std::string::npos;
    stems.insert(numbered ? body.name.substr(0, space) : "");
    numbers.push_back(numbered ? body.name.substr(space + 1) : "");
    names.push_back(body.name);
  }
  return stems.size() == 1 && !stems.contains("") ? numbers : names;
}

Node mass_node(const MassMatrix& mass) {
  const Eigen::Index n = mass.size();
  Node node;
  if (mass.form() == MassMatrix::Form::Diagonal) {
    Vector diagonal(n);
    for (Eigen::Index i = 0; i < n; ++i) diagonal[i] = mass(i, i);
    node.add("diagonal", diagonal);
  } else if (mass.form() == MassMatrix::Form::Dense) {
    Matrix M(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) M(i, j) = mass(i, j);
    }
    node.add("dense", M);
  } else {
    Node::Array rows;
    Node::Array columns;
    Node::Array values;
    for (Eigen::Index j = 0; j < n; ++j) {
      for (Eigen::Index i = 0; i < n; ++i) {
        if (mass(i, j) == 0.0) continue;
        rows.emplace_back(i);
        columns.emplace_back(j);
        values.emplace_back(mass(i, j));
      }
    }
    Node& sparse = node.add("sparse", {});
    sparse.add("size", n);
    sparse.add("rows", std::move(rows));
    sparse.add("columns", std::move(columns));
    sparse.add("values", std::move(values));
  }
  return node;
}

/// A column: all numbers when it has few zeros, else index and value.
Node column_node(const SparseMatrix& W, Eigen::Index column) {
  const Vector gradient = W.col(column);
  const Eigen::Index n = gradient.size();
  Node::Array index;
  Node::Array value;
  for (Eigen::Index k = 0; k < n; ++k) {
    if (gradient[k] == 0.0) continue;
    index.emplace_back(k);
    value.emplace_back(gradient[k]);
  }
  if (n <= 8 || 2 * static_cast<Eigen::Index>(index.size()) > n) return gradient;
  Node node;
  node.add("index", std::move(index));
  node.add("value", std::move(value));
  return node;
}

Node contact_node(const ImpactProblem& problem, std::size_t i, const AnyLaw& law) {
  const auto k = static_cast<Eigen::Index>(i);
  const ContactTable contact{.material = problem.contacts[i].material,
                             .stored_energy = problem.contacts[i].stored_energy};
  Node node;
  node.add("gradient", column_node(problem.gradients, k));
  Node::Array tangents;
  for (int d = 0; d < problem.contacts[i].directions; ++d) {
    tangents.push_back(column_node(problem.tangents, 2 * k + d));
  }
  if (!tangents.empty()) node.add("tangents", std::move(tangents));
  fields(contact, [&](const Field& field, const auto& member) {
    if constexpr (!HasSchema<std::remove_cvref_t<decltype(member)>>) {
      const bool written = field.key == "stored_energy"
                               ? contact.stored_energy != 0.0
                               : is_written(field.key, contact.material, law);
      if (written) node.add(std::string(field.key), node_of(member, field));
    }
  });
  return node;
}

}  // namespace

std::vector<Body> one_body_per_coordinate(Eigen::Index coordinates) {
  std::vector<Body> bodies;
  bodies.reserve(static_cast<std::size_t>(coordinates));
  for (int k = 0; k < coordinates; ++k)
    bodies.push_back({.name = fmt::format("body {}", k + 1), .coordinates = {k}});
  return bodies;
}

std::vector<std::string> name_contacts(const SparseMatrix& gradients,
                                       const std::vector<Body>& bodies) {
  const std::vector<std::string> labels = short_names(bodies);
  std::vector<std::size_t> owner(static_cast<std::size_t>(gradients.rows()));
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    for (const int k : bodies[b].coordinates) owner[static_cast<std::size_t>(k)] = b;
  }
  std::vector<std::string> names;
  std::map<std::string, int> uses;
  for (int i = 0; i < gradients.outerSize(); ++i) {
    std::set<std::size_t> touched;
    for (SparseMatrix::InnerIterator entry(gradients, i); entry; ++entry) {
      touched.insert(owner[static_cast<std::size_t>(entry.row())]);
    }
    std::string name = fmt::format("contact {}", i + 1);
    if (touched.size() == 1) name = labels[*touched.begin()] + "–wall";
    if (touched.size() == 2) name = labels[*touched.begin()] + "–" + labels[*touched.rbegin()];
    ++uses[name];
    names.push_back(std::move(name));
  }
  // Several contacts of one pair are told apart by a count.
  std::map<std::string, int> seen;
  for (std::string& name : names) {
    if (uses[name] > 1) name += fmt::format(" #{}", ++seen[name]);
  }
  return names;
}

ProblemFile read_problem(const Value& at) {
  refuse_other_format(at, kFormat);
  const Table table(at, field_keys<ProblemTable>());
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

Node to_node(const ProblemFile& file) {
  const ImpactProblem& problem = file.problem;
  Node node;
  node.add("format", kFormat);
  node.add("name", file.name);
  node.add("mass", mass_node(problem.mass));
  node.add("velocity", problem.velocity);
  Node::Array contacts;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    contacts.push_back(contact_node(problem, i, file.law));
  }
  node.add("contacts", std::move(contacts));
  if (!file.bodies.empty()) {
    Node::Array bodies;
    for (const Body& body : file.bodies) {
      Node entry;
      entry.add("name", body.name);
      entry.add("coordinates", body.coordinates);
      bodies.push_back(std::move(entry));
    }
    node.add("bodies", std::move(bodies));
  }
  node.add("law", to_node(file.law));
  return node;
}

void write_problem(const std::filesystem::path& path, const ProblemFile& file) {
  write_text(path, to_json(to_node(file)) + "\n");
}

Node problem_schema() {
  return schema_of<ProblemTable>(Writer::People);
}

}  // namespace percute::io
