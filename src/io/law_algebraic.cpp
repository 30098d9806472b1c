// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/law_kinds.hpp"
#include "io/law_options.hpp"

#include <fmt/format.h>

#include <limits>

namespace percute::io {

namespace {

using laws::Newton;

constexpr Names<Newton::Form, 2> kForms{{
    {"complementarity", Newton::Form::Complementarity},
    {"equality", Newton::Form::Equality},
}};
constexpr Names<laws::Coulomb::OnEnergyGrowth, 3> kGrowth{{
    {"report", laws::Coulomb::OnEnergyGrowth::Report},
    {"fallback_fremond", laws::Coulomb::OnEnergyGrowth::FallbackFremond},
    {"reduce_e", laws::Coulomb::OnEnergyGrowth::ReduceE},
}};

}  // namespace

Law read_moreau(const Value& value) {
  const Table table(value, algebraic_keys({"restitution"}));
  const laws::Moreau law{.restitution = optional_number(table, "restitution"),
                         .options = read_options(table)};
  validate_options(table, law);
  return law;
}

Node law_node(const laws::Moreau& law) {
  Node node = law_start("moreau");
  if (law.restitution) node.add("restitution", *law.restitution);
  add_options(node, law.options);
  return node;
}

Law read_newton(const Value& value) {
  const Table table(value, algebraic_keys({"form"}));
  return Newton{.form = table.choice("form", Newton::Form::Complementarity, kForms),
                .options = read_options(table)};
}

Node law_node(const Newton& law) {
  Node node = law_start("newton");
  node.add("form", name_of(law.form, kForms));
  add_options(node, law.options);
  return node;
}

Law read_poisson(const Value& value) {
  const Table table(value, algebraic_keys({}));
  return laws::Poisson{.options = read_options(table)};
}

Node law_node(const laws::Poisson& law) {
  Node node = law_start("poisson");
  add_options(node, law.options);
  return node;
}

Law read_restitution_matrix(const Value& value) {
  const Table table(value, algebraic_keys({"matrix", "quasi_velocity_matrix"}));
  laws::RestitutionMatrix law{.options = read_options(table)};
  if (const auto matrix = table.find("matrix")) law.matrix = read_matrix(*matrix);
  if (const auto matrix = table.find("quasi_velocity_matrix")) {
    law.quasi_velocity_matrix = read_matrix(*matrix);
  }
  validate_options(table, law);
  return law;
}

Node law_node(const laws::RestitutionMatrix& law) {
  Node node = law_start("restitution_matrix");
  if (law.matrix.size() > 0) node.add("matrix", matrix_node(law.matrix));
  if (law.quasi_velocity_matrix.size() > 0) {
    node.add("quasi_velocity_matrix", matrix_node(law.quasi_velocity_matrix));
  }
  add_options(node, law.options);
  return node;
}

Law read_fremond_quadratic(const Value& value) {
  const Table table(value, algebraic_keys({"kappa"}));
  laws::FremondQuadratic law{.options = read_options(table)};
  const Value kappa = table.required("kappa");
  const auto* list = kappa.node().as<Node::Array>();
  if (list == nullptr) {
    law.kappa = Matrix::Constant(1, 1, kappa.number_or_infinite());
  } else if (!list->empty() && list->front().as<Node::Array>() != nullptr) {
    law.kappa = read_matrix(kappa);
  } else {
    law.kappa.resize(static_cast<Eigen::Index>(kappa.size()), 1);
    for (std::size_t i = 0; i < kappa.size(); ++i) {
      law.kappa(static_cast<Eigen::Index>(i), 0) = kappa[i].number_or_infinite();
    }
  }
  validate_options(table, law);
  return law;
}

Node law_node(const laws::FremondQuadratic& law) {
  Node node = law_start("fremond_quadratic");
  if (law.kappa.size() == 1) {
    node.add("kappa", infinite_or_number(law.kappa(0, 0)));
  } else if (law.kappa.cols() == 1) {
    Node::Array list;
    for (Eigen::Index i = 0; i < law.kappa.rows(); ++i) {
      list.push_back(infinite_or_number(law.kappa(i, 0)));
    }
    node.add("kappa", std::move(list));
  } else {
    node.add("kappa", matrix_node(law.kappa));
  }
  add_options(node, law.options);
  return node;
}

Law read_fremond_cone(const Value& value) {
  const Table table(value, algebraic_keys({"patterns", "restitution"}));
  const laws::FremondCone law{.patterns = read_matrix(table.required("patterns")),
                              .restitution = optional_number(table, "restitution"),
                              .options = read_options(table)};
  validate_options(table, law);
  return law;
}

Node law_node(const laws::FremondCone& law) {
  Node node = law_start("fremond_cone");
  node.add("patterns", matrix_node(law.patterns));
  if (law.restitution) node.add("restitution", *law.restitution);
  add_options(node, law.options);
  return node;
}

Law read_scalar_restitution(const Value& value) {
  const Table table(value, algebraic_keys({"gamma"}));
  const laws::ScalarRestitution law{.gamma = table.number("gamma", 1.0),
                                    .options = read_options(table)};
  validate_options(table, law);
  return law;
}

Node law_node(const laws::ScalarRestitution& law) {
  Node node = law_start("scalar_restitution");
  node.add("gamma", law.gamma);
  add_options(node, law.options);
  return node;
}

Law read_cradle_sort(const Value& value) {
  const Table table(value, algebraic_keys({}));
  return laws::CradleSort{.options = read_options(table)};
}

Node law_node(const laws::CradleSort& law) {
  Node node = law_start("cradle_sort");
  add_options(node, law.options);
  return node;
}

Law read_coulomb(const Value& value) {
  const Table table(value, algebraic_keys({"tangential", "on_energy_growth"}));
  laws::Coulomb law{.options = read_options(table)};
  law.tangential = table.number("tangential", law.tangential);
  law.on_energy_growth = table.choice("on_energy_growth", law.on_energy_growth, kGrowth);
  validate_options(table, law);
  return law;
}

Node law_node(const laws::Coulomb& law) {
  Node node = law_start("coulomb");
  node.add("tangential", law.tangential);
  node.add("on_energy_growth", name_of(law.on_energy_growth, kGrowth));
  add_options(node, law.options);
  return node;
}

}  // namespace percute::io
