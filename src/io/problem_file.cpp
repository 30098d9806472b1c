// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"
#include "io/schema.hpp"
#include "io/text.hpp"

#include <percute/io/problem_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <span>
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

using Entries = std::vector<Eigen::Triplet<double>>;

/// Parallel lists of the entries of a matrix, none of which may be named twice: where they are,
/// rows before columns, and their values. Without a list of columns all are in one.
Entries read_entries(const Table& table, std::span<const std::string_view> keys, Eigen::Index n,
                     int column) {
  const bool one_column = keys.size() == 2;
  const auto rows = table.required(keys[0]).integers(0, n - 1);
  const auto columns = one_column ? std::vector<long>(rows.size(), column)
                                  : table.required(keys[1]).integers(0, n - 1);
  const Vector values = table.required(keys.back()).numbers();
  if (rows.size() != columns.size() || index(rows.size()) != values.size()) {
    table.value().fail(
        fmt::format("{} must have the same length, got {}{} and {}", join(keys), rows.size(),
                    one_column ? "" : fmt::format(", {}", columns.size()), values.size()));
  }
  Entries entries;
  std::set<std::pair<long, long>> seen;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!seen.insert({rows[k], columns[k]}).second) {
      table.value().fail(one_column
                             ? fmt::format("coordinate {} is given twice", rows[k])
                             : fmt::format("entry ({}, {}) is given twice, again at position {}",
                                           rows[k], columns[k], k));
    }
    entries.emplace_back(static_cast<int>(rows[k]), static_cast<int>(columns[k]), values[index(k)]);
  }
  return entries;
}

/// In one of its forms.
MassMatrix read_mass(const Value& value, Eigen::Index n) {
  const auto [key, form] = Table(value, field_keys<MassTable>())
                               .one_of({"diagonal", "dense", "sparse"},
                                       "must have exactly one of the keys diagonal, dense, sparse");
  if (key == "diagonal") return MassMatrix::diagonal(coordinates(form, n));
  if (key == "dense") {
    if (index(form.size()) != n) {
      form.fail(fmt::format("must have {} rows, as many as velocity has entries, got {}", n,
                            form.size()));
    }
    Matrix M(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      M.row(i) = coordinates(form[static_cast<std::size_t>(i)], n).transpose();
    }
    return MassMatrix::dense(M);
  }
  const Table table(form, field_keys<SparseMassTable>());
  if (const long size = table.required("size").integer(0, 1L << 31U); size != n) {
    table.fail("size", fmt::format("is {}, but velocity has {} entries", size, n));
  }
  constexpr std::array<std::string_view, 3> kLists{"rows", "columns", "values"};
  const Entries entries = read_entries(table, kLists, n, 0);
  SparseMatrix M(n, n);
  M.setFromTriplets(entries.begin(), entries.end());
  return MassMatrix::sparse(M);
}

/// A gradient or tangent, dense or as {index, value}, as entries of a column.
void read_column(const Value& value, int column, Eigen::Index n, Entries& entries) {
  if (value.node().as<Node::Object>() != nullptr) {
    constexpr auto kLists = field_keys<SparseRowTable>();
    for (const auto& entry : read_entries(Table(value, kLists), kLists, n, column)) {
      if (entry.value() != 0.0) entries.push_back(entry);
    }
    return;
  }
  if (value.node().as<Node::Array>() == nullptr) {
    value.fail("must be an array of numbers or an object with index and value, got " +
               value.node().describe());
  }
  const Vector all = coordinates(value, n);
  for (int k = 0; k < n; ++k) {
    if (all[k] != 0.0) entries.emplace_back(k, column, all[k]);
  }
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
    contact.material = read_material([&table](std::string_view key) { return table.find(key); },
                                     table.value(), law);
    contact.stored_energy = table.number("stored_energy", 0.0);
    const auto rows = table.find("tangents");
    if (!rows) continue;
    contact.directions = static_cast<int>(rows->size());
    if (contact.directions > 2) {
      rows->fail(fmt::format("must have one row (planar) or two (spatial), got {}", rows->size()));
    }
    for (int d = 0; d < contact.directions; ++d) {
      read_column((*rows)[static_cast<std::size_t>(d)], 2 * column + d, n, tangents);
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

/// Places and values of the entries of a matrix that are not zero, column by column.
struct EntryLists {
  Node::Array rows = {};
  Node::Array columns = {};
  Node::Array values = {};
};
template <class Entry>
EntryLists entries_of(Eigen::Index rows, Eigen::Index columns, const Entry& entry) {
  EntryLists lists;
  for (Eigen::Index j = 0; j < columns; ++j) {
    for (Eigen::Index i = 0; i < rows; ++i) {
      if (entry(i, j) == 0.0) continue;
      lists.rows.emplace_back(i);
      lists.columns.emplace_back(j);
      lists.values.emplace_back(entry(i, j));
    }
  }
  return lists;
}

Node mass_node(const MassMatrix& mass) {
  const Eigen::Index n = mass.size();
  if (mass.form() == MassMatrix::Form::Diagonal) {
    return Node::Object{{"diagonal", Vector(Vector::NullaryExpr(
                                         n, [&mass](Eigen::Index i) { return mass(i, i); }))}};
  }
  if (mass.form() == MassMatrix::Form::Dense) {
    return Node::Object{{"dense", Matrix(Matrix::NullaryExpr(n, n, std::cref(mass)))}};
  }
  EntryLists lists = entries_of(n, n, mass);
  return Node::Object{{"sparse", Node::Object{{"size", n},
                                              {"rows", std::move(lists.rows)},
                                              {"columns", std::move(lists.columns)},
                                              {"values", std::move(lists.values)}}}};
}

/// A column: all numbers when it has few zeros, else index and value.
Node column_node(const SparseMatrix& W, Eigen::Index column) {
  const Vector gradient = W.col(column);
  const Eigen::Index n = gradient.size();
  EntryLists lists = entries_of(n, 1, [&](Eigen::Index i, Eigen::Index) { return gradient[i]; });
  if (n <= 8 || 2 * index(lists.rows.size()) > n) return gradient;
  return Node::Object{{"index", std::move(lists.rows)}, {"value", std::move(lists.values)}};
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
    throw located(InvalidInput(table.path(error.field()), error.reason()), at.document());
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
  if (const auto* placed = dynamic_cast<const FileError*>(&error)) return *placed;
  const bool scene = document.root.find("system") != nullptr;
  const std::string path =
      scene ? scene_path(error.field(), document, contact_names) : error.field();
  std::string reason = error.reason();
  if (path == "system" && error.field().starts_with("contacts[")) {
    // A scene has no list of contacts: say which one it is.
    const auto i = std::stoul(error.field().substr(error.field().find('[') + 1));
    if (i < contact_names.size()) {
      reason = fmt::format("contact {}: {}", printable(contact_names[i]), reason);
    }
  }
  return {document.where(document.nearest(path)), path, reason};
}

ImpactResult resolve(const ProblemFile& file, const Document& document,
                     const std::optional<Recording>& recording) {
  const auto run = [&] {
    return recording ? resolve(file.problem, file.law, *recording)
                     : resolve(file.problem, file.law);
  };
  return located_in(document, run, file.contact_names);
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
      bodies.push_back(Node::Object{{"name", body.name}, {"coordinates", body.coordinates}});
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
