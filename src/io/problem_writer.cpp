// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/law_kinds.hpp"
#include "io/options.hpp"

#include <percute/io/problem_file.hpp>
#include <percute/io/result_file.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace percute::io {

namespace {

Node numbers(const Vector& values) {
  return Node::Array(values.begin(), values.end());
}

Node rows_of(const Matrix& matrix) {
  Node::Array rows;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) rows.push_back(numbers(matrix.row(i)));
  return rows;
}

Node mass_node(const MassMatrix& mass) {
  const Eigen::Index n = mass.size();
  Node node;
  if (mass.form() == MassMatrix::Form::Diagonal) {
    Vector diagonal(n);
    for (Eigen::Index i = 0; i < n; ++i) diagonal[i] = mass(i, i);
    node.add("diagonal", numbers(diagonal));
  } else if (mass.form() == MassMatrix::Form::Dense) {
    Matrix M(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) M(i, j) = mass(i, j);
    }
    node.add("dense", rows_of(M));
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
  if (n <= 8 || 2 * static_cast<Eigen::Index>(index.size()) > n) return numbers(gradient);
  Node node;
  node.add("index", std::move(index));
  node.add("value", std::move(value));
  return node;
}

/// What the force of a compliant law reads of its contact.
void add_force_keys(Node& node, const Material& material, const ForceKeys& used) {
  const std::array<std::pair<std::string_view, double>, 5> values{
      {{"damping", material.damping},
       {"unloading_stiffness", material.unloading_stiffness},
       {"effective_modulus", material.effective_modulus},
       {"effective_radius", material.effective_radius},
       {"yield_pressure", material.yield_pressure}}};
  for (const auto& [key, value] : values) {
    const bool read = std::ranges::find(used.keys, key) != used.keys.end();
    if (read) node.add(std::string(key), value);
  }
}

/// Slopes, exponents and parameters of forces are written where the law uses them.
Node contact_node(const ImpactProblem& problem, std::size_t i, const AnyLaw& law) {
  const Contact& contact = problem.contacts[i];
  const Material& material = contact.material;
  const auto* compliant = law.as<laws::Compliant>();
  const ForceKeys used = compliant != nullptr ? force_keys(compliant->force) : ForceKeys{};
  Node node;
  const auto k = static_cast<Eigen::Index>(i);
  node.add("gradient", column_node(problem.gradients, k));
  Node::Array tangents;
  for (int d = 0; d < contact.directions; ++d) {
    tangents.push_back(column_node(problem.tangents, 2 * k + d));
  }
  if (!tangents.empty()) node.add("tangents", std::move(tangents));
  node.add("restitution", material.restitution);
  node.add("stiffness", material.stiffness);
  if (!used.exponent) node.add("exponent", material.exponent);
  if (material.friction != 0.0) node.add("friction", infinite_or_number(material.friction));
  if (contact.stored_energy != 0.0) node.add("stored_energy", contact.stored_energy);
  if (material.contact_model) {
    node.add("contact_model", name_of(*material.contact_model));
  }
  add_force_keys(node, material, used);
  const bool slopes_used =
      compliant != nullptr
          ? compliant->force == laws::Compliant::Force::TriStiffness
          : material.contact_model.value_or(contact_model(law)) == ContactModel::TriStiffness;
  if (material.tri_stiffness && slopes_used) {
    Node& slopes = node.add("tri_stiffness", {});
    slopes.add("yield_indentation", material.tri_stiffness->yield_indentation);
    slopes.add("plastic_stiffness", material.tri_stiffness->plastic_stiffness);
    slopes.add("unloading_stiffness", material.tri_stiffness->unloading_stiffness);
  }
  return node;
}

}  // namespace

Node to_node(const ProblemFile& file) {
  const ImpactProblem& problem = file.problem;
  Node node;
  node.add("format", "percute-problem/1");
  node.add("name", file.name);
  node.add("mass", mass_node(problem.mass));
  node.add("velocity", numbers(problem.velocity));
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
      entry.add("coordinates", Node::Array(body.coordinates.begin(), body.coordinates.end()));
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

}  // namespace percute::io
