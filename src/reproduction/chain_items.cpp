// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction/embedded.hpp"
#include "reproduction/reading.hpp"

#include <percute/laws/lzb.hpp>
#include <percute/systems/ball_chain.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace percute::reproduction {

namespace {

using Words = std::initializer_list<std::string_view>;

constexpr Names<systems::BallChain::Wall, 2> kWalls{{
    {"left", systems::BallChain::Wall::Left},
    {"right", systems::BallChain::Wall::Right},
}};

constexpr Names<Relation::Kind, 8> kRelations{{
    {"least", Relation::Kind::Least},
    {"greatest", Relation::Kind::Greatest},
    {"argmax", Relation::Kind::ArgMax},
    {"slope", Relation::Kind::Slope},
    {"intercept", Relation::Kind::Intercept},
    {"deviation", Relation::Kind::Deviation},
    {"change_percent", Relation::Kind::ChangePercent},
    {"exponent", Relation::Kind::Exponent},
}};

/// One number for every contact, from a number or a list.
std::vector<double> of_contacts(const Layers& chain, std::string_view key, std::size_t contacts) {
  const auto found = chain.find(key);
  if (found && found->node().as<Node::Array>() != nullptr) return list(found->numbers());
  return std::vector<double>(contacts, found ? found->number() : 1.0);
}

/// Dimensionless spheres of one material: m = R³, K = √(2 R₁R₂/(R₁ + R₂)), at a wall √(2R).
std::vector<double> sphere_stiffness(const Vector& radii, bool wall_on_right) {
  std::vector<double> stiffness;
  for (Eigen::Index k = 0; k + 1 < radii.size(); ++k) {
    stiffness.push_back(std::sqrt(2.0 * radii[k] * radii[k + 1] / (radii[k] + radii[k + 1])));
  }
  if (wall_on_right) stiffness.push_back(std::sqrt(2.0 * radii[radii.size() - 1]));
  return stiffness;
}

Vector velocities(const Layers& chain, int balls) {
  if (const auto given = chain.find("velocity")) return given->numbers();
  Vector v = Vector::Zero(balls);
  long strikers = 1;
  if (const auto given = chain.find("strikers")) {
    const auto* word = given->node().as<std::string>();
    strikers = word != nullptr && *word == "all" ? balls : given->integer(1, balls);
  }
  v.head(strikers).setConstant(chain.number("speed", 1.0));
  return v;
}

ImpactProblem read_chain(const Layers& chain) {
  systems::BallChain system{.radius = 1.0};
  if (const auto wall = chain.find("wall")) system.wall = wall->choice(kWalls);
  const auto radii = chain.find("radii");
  if (radii) {
    for (const double radius : radii->numbers()) system.masses.push_back(radius * radius * radius);
  } else if (const auto masses = chain.find("masses")) {
    system.masses = list(masses->numbers());
  }
  system.mass = chain.number("mass", 1.0);
  const auto balls = chain.find("balls");
  system.balls =
      static_cast<int>(balls ? balls->integer(1, 100000) : static_cast<long>(system.masses.size()));

  const auto contacts = static_cast<std::size_t>(system.contacts());
  const std::vector<double> stiffness =
      radii ? sphere_stiffness(radii->numbers(), system.wall_on_right())
            : of_contacts(chain, "stiffness", contacts);
  const std::vector<double> restitution = of_contacts(chain, "restitution", contacts);
  system.materials.resize(contacts);
  for (std::size_t j = 0; j < contacts; ++j) {
    system.materials[j] = {.restitution = restitution.at(j),
                           .stiffness = stiffness.at(j),
                           .exponent = chain.number("exponent", 1.5)};
  }
  if (system.wall_on_left()) {
    Material& wall = system.materials.front();
    wall.stiffness = chain.number("wall_stiffness", wall.stiffness);
    wall.restitution = chain.number("wall_restitution", wall.restitution);
  }
  return system.impact(system.at_contact(velocities(chain, system.balls)));
}

Value checked_chain(const Value& value) {
  return table_of(value, {"balls", "mass", "masses", "radii", "stiffness", "exponent",
                          "restitution", "wall", "velocity", "speed", "strikers", "wall_stiffness",
                          "wall_restitution", "note"})
      .value();
}

/// Absolute tolerance of a number, from that of its word: a part of the speed, absolute, or a part
/// of the number itself. 0 for counts.
double tolerance_of(const Layers& tolerances, const std::string& name, double value, double speed) {
  const std::string word = name.substr(0, name.find('['));
  const auto is_one_of = [&](Words words) { return std::ranges::find(words, word) != words.end(); };
  double scale = std::abs(value);
  if (is_one_of({"velocity", "v_first", "v_last", "v_top", "profile"})) scale = speed;
  if (is_one_of({"e_eff", "dispersion", "forward_percent", "last_ball_percent", "asymmetry",
                 "wave_profile", "theory_profile"})) {
    scale = 1.0;
  }
  return tolerances.number(word, 0.0) * scale;
}

std::vector<Named> read_numbers(const Value& object) {
  std::vector<Named> result;
  for (const auto& [key, entry] : members(object)) {
    if (key == "where" || key == "tolerance") continue;
    const auto more = flat_numbers(key, entry);
    result.insert(result.end(), more.begin(), more.end());
  }
  return result;
}

void set_published(Expected& number, double printed, const Value& tolerance) {
  number.published = printed;
  number.decimals = decimals_of(printed);
  if (!tolerance.node().is_null()) number.published_tolerance = tolerance.number();
}

Case read_case(const Value& value, const Table& item, const Value& common) {
  const Table table = table_of(value, {"id", "label", "chain", "law", "status", "tolerance",
                                       "expected", "published", "instants", "curve", "note"});
  Layers chain;
  for (const Table* where : {&table, &item}) {
    if (const auto found = where->find("chain")) chain.add(checked_chain(*found));
  }
  Impact impact{.instants = list(numbers(table, "instants"))};
  impact.file.problem = read_chain(chain);
  impact.file.bodies = io::one_body_per_coordinate(impact.file.problem.velocity.size());
  impact.file.law = laws::Lzb{.tolerance = 1e-10};
  if (const auto law = table.has("law") ? table.find("law") : item.find("law")) {
    impact.file.law = io::read_law(law);
  }
  Case result{.id = table.required("id").string(),
              .label = table.required("label").string(),
              .note = text(table, "note")};
  if (const auto status = table.find("status")) result.status = status->string();

  Layers tolerances;
  tolerances.add(table.find("tolerance"));
  tolerances.add(item.find("tolerance"));
  tolerances.add(common);
  const double speed = impact.file.problem.velocity.cwiseAbs().maxCoeff();
  for (const auto& [name, number] : read_numbers(table.required("expected"))) {
    result.expected.push_back({.name = name,
                               .value = number,
                               .tolerance = tolerance_of(tolerances, name, number, speed)});
  }
  if (const auto curve = table.find("curve")) {
    const Table entry = table_of(*curve, {"step", "force"});
    impact.curve_step = entry.required("step").number();
    impact.curve = numbers(entry, "force");
    result.expected.push_back({.name = "curve",
                               .value = 0.0,
                               .tolerance = tolerance_of(tolerances, "curve", 1.0, speed)});
  }
  if (const auto published = table.find("published")) {
    const std::string where = member(*published, "where").string();
    result.note = result.note.empty() ? where : where + "; " + result.note;
    for (const auto& [name, printed] : read_numbers(*published)) {
      const auto found = std::ranges::find(result.expected, name, &Expected::name);
      if (found == result.expected.end()) published->fail("has no expected '" + name + "'");
      set_published(*found, printed, member(*published, "tolerance"));
    }
  }
  result.subject = std::move(impact);
  return result;
}

Relation read_relation(const Value& value) {
  const Table table = table_of(value, {"id", "label", "op", "of", "over", "reference", "tolerance",
                                       "published", "published_tolerance"});
  Relation result{.id = table.required("id").string(),
                  .label = table.required("label").string(),
                  .kind = table.required("op").choice(kRelations),
                  .of = table.required("of").string(),
                  .over = {},
                  .expected = {.name = table.required("op").string(),
                               .value = table.required("reference").number(),
                               .tolerance = table.required("tolerance").number()}};
  for (const Value& id : entries(table.find("over"))) result.over.push_back(id.string());
  if (const auto published = table.find("published")) {
    set_published(result.expected, published->number(), table.required("published_tolerance"));
  }
  return result;
}

Item read_item(const Value& value, const Table& common) {
  const Table table = table_of(
      value, {"id", "title", "source", "note", "chain", "law", "tolerance", "cases", "relations"});
  Item item = head_of(table);
  item.heading += " (" + item.source + ")";
  for (const Value& entry : entries(table.required("cases"))) {
    item.cases.push_back(read_case(entry, table, common.required("tolerances")));
  }
  for (const Value& entry : entries(table.find("relations"))) {
    item.relations.push_back(read_relation(entry));
  }
  return item;
}

}  // namespace

std::vector<Item> chain_items() {
  return read_items(embedded::chains_reference(), "chains.json", "items", read_item);
}

}  // namespace percute::reproduction
