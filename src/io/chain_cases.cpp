// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/embedded.hpp"

#include <percute/io/chain_cases.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/systems/ball_chain.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace percute::io {

namespace {

constexpr std::array<std::string_view, 14> kChainKeys{
    "balls", "mass",     "masses", "radii",    "stiffness",      "exponent",         "restitution",
    "wall",  "velocity", "speed",  "strikers", "wall_stiffness", "wall_restitution", "note"};

constexpr Names<systems::BallChain::Wall, 2> kWalls{{
    {"left", systems::BallChain::Wall::Left},
    {"right", systems::BallChain::Wall::Right},
}};

constexpr Names<ChainRelation::Kind, 8> kRelations{{
    {"least", ChainRelation::Kind::Least},
    {"greatest", ChainRelation::Kind::Greatest},
    {"argmax", ChainRelation::Kind::ArgMax},
    {"slope", ChainRelation::Kind::Slope},
    {"intercept", ChainRelation::Kind::Intercept},
    {"deviation", ChainRelation::Kind::Deviation},
    {"change_percent", ChainRelation::Kind::ChangePercent},
    {"exponent", ChainRelation::Kind::Exponent},
}};

std::string text(const Table& table, std::string_view key) {
  const auto found = table.find(key);
  return found ? found->string() : std::string();
}

/// A case's own values before those of its item.
class Layers {
 public:
  Layers(const std::optional<Value>& own, const std::optional<Value>& common) {
    if (own) tables_.emplace_back(*own, kChainKeys);
    if (common) tables_.emplace_back(*common, kChainKeys);
  }

  std::optional<Value> find(std::string_view key) const {
    for (const Table& table : tables_) {
      if (auto found = table.find(key)) return found;
    }
    return {};
  }
  double number(std::string_view key, double otherwise) const {
    const auto found = find(key);
    return found ? found->number() : otherwise;
  }

 private:
  std::vector<Table> tables_;
};

std::vector<double> list(const Value& value) {
  const Vector numbers = value.numbers();
  return {numbers.begin(), numbers.end()};
}

/// One number for every contact, from a number or a list.
std::vector<double> of_contacts(const Layers& chain, std::string_view key, double otherwise,
                                std::size_t contacts) {
  const auto found = chain.find(key);
  if (found && found->node().as<Node::Array>() != nullptr) return list(*found);
  return std::vector<double>(contacts, found ? found->number() : otherwise);
}

/// Dimensionless spheres of one material: m = R³, K = √(2 R₁R₂/(R₁ + R₂)), at a wall √(2R).
std::vector<double> sphere_stiffness(const std::vector<double>& radii, bool wall_on_right) {
  std::vector<double> stiffness;
  stiffness.reserve(radii.size());
  for (std::size_t k = 0; k + 1 < radii.size(); ++k) {
    stiffness.push_back(std::sqrt(2.0 * radii[k] * radii[k + 1] / (radii[k] + radii[k + 1])));
  }
  if (wall_on_right) stiffness.push_back(std::sqrt(2.0 * radii.back()));
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
    for (const double radius : list(*radii)) system.masses.push_back(radius * radius * radius);
  } else if (const auto masses = chain.find("masses")) {
    system.masses = list(*masses);
  }
  system.mass = chain.number("mass", 1.0);
  const auto balls = chain.find("balls");
  system.balls =
      balls ? static_cast<int>(balls->integer(1, 100000)) : static_cast<int>(system.masses.size());

  const auto contacts = static_cast<std::size_t>(system.contacts());
  const std::vector<double> stiffness = radii
                                            ? sphere_stiffness(list(*radii), system.wall_on_right())
                                            : of_contacts(chain, "stiffness", 1.0, contacts);
  const std::vector<double> restitution = of_contacts(chain, "restitution", 1.0, contacts);
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

// ------------------------------------------------------------------------------------- numbers

/// Names and tolerances, those of a case before those of its item and of all.
class Tolerances {
 public:
  void add(const std::optional<Value>& table) {
    if (table) tables_.push_back(*table);
  }

  /// Absolute tolerance for a value; 0 for counts.
  double of(const std::string& name, double value, double speed) const {
    const std::string word = name.substr(0, name.find('['));
    for (const Value& table : tables_) {
      const Node* found = table.node().find(word);
      if (found == nullptr) continue;
      const double part = Value(table.document(), *found, word).number();
      return part * scale(word, value, speed);
    }
    return 0.0;
  }

 private:
  static double scale(const std::string& word, double value, double speed) {
    static constexpr std::array<std::string_view, 5> kVelocities{"velocity", "v_first", "v_last",
                                                                 "v_top", "profile"};
    static constexpr std::array<std::string_view, 7> kAbsolute{
        "e_eff",     "dispersion",   "forward_percent", "last_ball_percent",
        "asymmetry", "wave_profile", "theory_profile"};
    const auto is = [&](std::string_view other) { return word == other; };
    if (std::any_of(kVelocities.begin(), kVelocities.end(), is)) return speed;
    if (std::any_of(kAbsolute.begin(), kAbsolute.end(), is)) return 1.0;
    return std::abs(value);
  }

  std::vector<Value> tables_;
};

struct Flat {
  std::string name;
  double value = 0.0;
};

// "impulse[1]": 0.5 from "impulse": [0, 0.5].
void flatten(const std::string& name, const Value& value, std::vector<Flat>& result) {
  if (value.node().as<Node::Array>() != nullptr) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      flatten(name + "[" + std::to_string(i) + "]", value[i], result);
    }
    return;
  }
  result.push_back({.name = name, .value = value.number()});
}

std::vector<Flat> flat_numbers(const Value& value) {
  std::vector<Flat> result;
  const auto* members = value.node().as<Node::Object>();
  if (members == nullptr) value.fail("must be an object, got " + value.node().describe());
  for (const auto& [key, node] : *members) {
    if (key == "where" || key == "tolerance") continue;
    flatten(key, Value(value.document(), node, value.path() + "." + key), result);
  }
  return result;
}

void read_published(const Value& value, ChainCase& result) {
  const Node* where = value.node().find("where");
  const Node* tolerance = value.node().find("tolerance");
  if (where == nullptr || tolerance == nullptr) value.fail("needs 'where' and 'tolerance'");
  const std::string place = Value(value.document(), *where, value.path()).string();
  result.note = result.note.empty() ? place : place + "; " + result.note;
  for (const auto& [name, printed] : flat_numbers(value)) {
    for (ChainNumber& number : result.expected) {
      if (number.name != name) continue;
      number.published = printed;
      if (!tolerance->is_null()) {
        number.published_tolerance = Value(value.document(), *tolerance, value.path()).number();
      }
    }
  }
}

ChainCase read_case(const Value& value, const Table& item, const Value& common) {
  static constexpr std::array<std::string_view, 11> kKeys{
      "id",       "label",     "chain",    "law",   "status", "tolerance",
      "expected", "published", "instants", "curve", "note"};
  static constexpr std::array<std::string_view, 2> kCurveKeys{"step", "force"};
  static constexpr double kTolerance = 1e-10;
  const Table table(value, kKeys);
  ChainCase result{.id = table.required("id").string(),
                   .label = table.required("label").string(),
                   .problem = read_chain(Layers(table.find("chain"), item.find("chain"))),
                   .law = laws::Lzb{.tolerance = kTolerance},
                   .note = text(table, "note")};
  if (const auto law = table.has("law") ? table.find("law") : item.find("law")) {
    result.law = read_law(law);
  }
  if (const auto status = table.find("status")) result.status = status->string();
  if (const auto instants = table.find("instants")) result.instants = list(*instants);

  Tolerances tolerances;
  tolerances.add(table.find("tolerance"));
  tolerances.add(item.find("tolerance"));
  tolerances.add(common);
  const double speed = result.problem.velocity.cwiseAbs().maxCoeff();
  for (auto& [name, number] : flat_numbers(table.required("expected"))) {
    const double tolerance = tolerances.of(name, number, speed);
    result.expected.push_back({.name = name, .value = number, .tolerance = tolerance});
  }
  if (const auto curve = table.find("curve")) {
    const Table entry(*curve, kCurveKeys);
    result.curve_step = entry.required("step").number();
    result.curve = entry.required("force").numbers();
    result.expected.push_back(
        {.name = "curve", .value = 0.0, .tolerance = tolerances.of("curve", 1.0, speed)});
  }
  if (const auto published = table.find("published")) read_published(*published, result);
  return result;
}

ChainRelation read_relation(const Value& value) {
  static constexpr std::array<std::string_view, 9> kKeys{
      "id",        "label",     "op",
      "of",        "over",      "reference",
      "tolerance", "published", "published_tolerance"};
  const Table table(value, kKeys);
  ChainRelation result{.id = table.required("id").string(),
                       .label = table.required("label").string(),
                       .kind = table.required("op").choice(kRelations),
                       .of = table.required("of").string(),
                       .over = {},
                       .expected = {.name = table.required("op").string(),
                                    .value = table.required("reference").number(),
                                    .tolerance = table.required("tolerance").number()}};
  if (const auto over = table.find("over")) {
    for (std::size_t i = 0; i < over->size(); ++i) result.over.push_back((*over)[i].string());
  }
  if (const auto published = table.find("published")) {
    result.expected.published = published->number();
    result.expected.published_tolerance = table.required("published_tolerance").number();
  }
  return result;
}

ChainItem read_item(const Value& value, const Value& tolerances) {
  static constexpr std::array<std::string_view, 9> kKeys{
      "id", "title", "source", "note", "chain", "law", "tolerance", "cases", "relations"};
  const Table table(value, kKeys);
  ChainItem result{.id = table.required("id").string(),
                   .title = table.required("title").string(),
                   .source = table.required("source").string(),
                   .note = text(table, "note")};
  const Value cases = table.required("cases");
  result.cases.reserve(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    result.cases.push_back(read_case(cases[i], table, tolerances));
  }
  if (const auto relations = table.find("relations")) {
    for (std::size_t i = 0; i < relations->size(); ++i) {
      result.relations.push_back(read_relation((*relations)[i]));
    }
  }
  return result;
}

}  // namespace

std::vector<ChainItem> chain_items() {
  static constexpr std::array<std::string_view, 5> kKeys{"format", "sources", "conventions",
                                                         "tolerances", "items"};
  const Document document = parse_json(embedded::chains_reference(), "data/reference/chains.json");
  const Table table(Value(document), kKeys);
  const Value items = table.required("items");
  const Value tolerances = table.required("tolerances");
  std::vector<ChainItem> result;
  result.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    result.push_back(read_item(items[i], tolerances));
  }
  return result;
}

}  // namespace percute::io
