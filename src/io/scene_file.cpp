// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"
#include "io/text.hpp"

#include <percute/laws/compliant.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <unordered_map>
#include <utility>

// Scenes: a system by its name, the materials of its contacts, and where in the file the values of
// the problem come from.

namespace percute::io {

namespace {

/// All kinds of system, and what reads them.
std::vector<SceneKind> all_kinds() {
  std::vector<SceneKind> kinds(ball_kinds().begin(), ball_kinds().end());
  kinds.insert(kinds.end(), body_kinds().begin(), body_kinds().end());
  return kinds;
}

/// [system] and [start]. A start anywhere is what only motion has.
SceneSystem read_touching(SceneReader read, const Scene& scene) {
  try {
    return read(scene);
  } catch (const FileError& error) {
    if (!scene.table.has("simulation") || !error.field().starts_with("start")) throw;
    throw FileError(
        error.where(), error.field(),
        error.reason() + "; this is a scene of motion, with [simulation]: use 'percute simulate'");
  }
}

const Node* find(const Document& document, std::string_view table, std::string_view key) {
  const Node* node = document.root.find(table);
  return node == nullptr ? nullptr : node->find(key);
}

/// A path below an entry of a list: "contacts[12].tri_stiffness.yield_indentation".
struct EntryPath {
  std::size_t index;
  std::string key;   ///< "tri_stiffness"
  std::string rest;  ///< ".yield_indentation"
};

/// Paths come from the core and are well formed.
EntryPath entry_path(std::string_view path) {
  const std::size_t index =
      std::strtoul(std::string(path.substr(path.find('[') + 1)).c_str(), nullptr, 10);
  const std::string_view below = path.substr(std::min(path.find(']') + 2, path.size()));
  const auto dot = std::min(below.find('.'), below.size());
  return {.index = index,
          .key = std::string(below.substr(0, dot)),
          .rest = std::string(below.substr(dot))};
}

/// Keys of a contact: of its own [[contact]], else of [material].
std::string material_path(const EntryPath& path, const Document& document,
                          const std::vector<std::string>& contact_names) {
  if (path.key == "gradient") return "system";
  const Node* contacts = document.root.find("contact");
  const auto* list = contacts == nullptr ? nullptr : contacts->as<Node::Array>();
  if (list != nullptr && path.index < contact_names.size()) {
    const std::string wanted = plain_name(contact_names[path.index]);
    for (std::size_t k = 0; k < list->size(); ++k) {
      const Node& own = (*list)[k];
      if (plain_name(own.word("name")) == wanted && own.find(path.key) != nullptr) {
        return fmt::format("contact[{}].{}{}", k, path.key, path.rest);
      }
    }
  }
  const Node* general = find(document, "material", path.key);
  if (path.key == "stiffness" && general == nullptr) {
    // What makes the stiffness in its place: that of the wall of a column first.
    const bool at_wall =
        path.index < contact_names.size() && contact_names[path.index].starts_with("wall");
    for (const std::string_view key :
         {"wall_stiffness", "wall_measured", "pressure", "pressures", "made_of", "stiffness"}) {
      if (key.starts_with("wall") && !at_wall) continue;
      if (find(document, "system", key) != nullptr) return fmt::format("system.{}", key);
    }
  }
  if (general != nullptr && general->as<Node::Array>() != nullptr) {
    return fmt::format("material.{}[{}]{}", path.key, path.index, path.rest);
  }
  return path.key.empty() ? "material" : fmt::format("material.{}{}", path.key, path.rest);
}

/// Fields of systems and problems, and the keys of [system] they may come from, the first that is
/// there. Lists come from those of the same name.
constexpr std::array<std::pair<std::string_view, std::array<std::string_view, 4>>, 11> kSources{
    {{"masses", {"masses", "mass", "density", "made_of"}},
     {"mass", {"masses", "mass", "density", "made_of"}},
     {"radii", {"radii", "radius"}},
     {"pressures", {"pressures", "pressure"}},
     {"positions", {"positions", "arrangement"}},
     {"inertia_factors", {"inertia_factors", "inertia_factor"}},
     {"places", {"places", "length"}},
     {"sides", {"box"}},
     {"youngs_modulus", {"made_of"}},
     {"widths", {"widths", "width"}},
     {"heights", {"heights", "height"}}}};

/// The first of these keys that is in [start]; [start] if none is.
std::string start_path(const Document& document, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (find(document, "start", key) != nullptr) return fmt::format("start.{}", key);
  }
  return "start";
}

/// Keys of a [[contact]]: its name, and what is its own.
constexpr auto kSceneContactKeys = [] {
  std::array<std::string_view, kMaterialKeys.size() + 1> keys{"name"};
  std::ranges::copy(kMaterialKeys, keys.begin() + 1);
  return keys;
}();

/// "1–2, 2–3, 3–4, …".
std::string some(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 4;
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) {
    out += (i == 0 ? "" : ", ") + names[i];
  }
  return out + (names.size() > kShown ? ", …" : "");
}

/// [material], or an empty table in its place.
Table general_material(const Table& scene) {
  static const Node nothing(Node::Object{});
  const auto material = scene.find("material");
  return {material.value_or(Value(scene.value().document(), nothing, "material")), kMaterialKeys};
}

/// [material] and the [[contact]]s of a scene, as seen from each contact.
class Materials {
 public:
  Materials(const Table& scene, const std::vector<std::string>& contact_names)
      : names_(contact_names), general_(general_material(scene)), own_(contact_names.size()) {
    for (const std::string_view key : kMaterialKeys) {
      if (const auto value = general_.find(key)) check_list(*value);
    }
    if (const auto contacts = scene.find("contact")) read_contacts(*contacts);
  }

  /// Whether contact i has a [[contact]] of its own with this key.
  bool is_own(std::size_t i, std::string_view key) const { return own_[i] && own_[i]->has(key); }

  /// What is given for contact i: by its own [[contact]], else by [material], where a list has one
  /// entry per contact.
  std::optional<Value> find(std::size_t i, std::string_view key) const {
    if (is_own(i, key)) return own_[i]->find(key);
    auto value = general_.find(key);
    if (value && value->node().as<Node::Array>() != nullptr) return (*value)[i];
    return value;
  }

  /// The table to blame when contact i lacks a key.
  const Value& owner(std::size_t i) const { return own_[i] ? own_[i]->value() : general_.value(); }

 private:
  void check_list(const Value& value) const {
    const auto* list = value.node().as<Node::Array>();
    if (list == nullptr || list->size() == names_.size()) return;
    value.fail(names_.empty() ? fmt::format("is a list with one entry per contact, but there is no "
                                            "contact; got {} entries",
                                            list->size())
                              : fmt::format("must have {} entries, one per contact ({}), got {}",
                                            names_.size(), some(names_), list->size()));
  }

  void read_contacts(const Value& contacts) {
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < names_.size(); ++i) places.emplace(plain_name(names_[i]), i);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      Table table(contacts[k], kSceneContactKeys);
      const Value name = table.required("name");
      const auto found = places.find(plain_name(name.string()));
      if (found == places.end()) {
        const std::vector<std::string_view> known(names_.begin(), names_.end());
        name.fail(fmt::format("there is no contact {}{}; the contacts are {}",
                              name.node().describe(), did_you_mean(name.string(), known),
                              some(names_)));
      }
      std::optional<Table>& own = own_[found->second];
      if (own) {
        name.fail(fmt::format("contact {} was described before, on line {}", name.node().describe(),
                              own->value().node().line));
      }
      own = std::move(table);
    }
  }

  const std::vector<std::string>& names_;
  Table general_;
  std::vector<std::optional<Table>> own_;  ///< the [[contact]] of each contact
};

bool is_tri_stiffness(const std::optional<Value>& model, const AnyLaw& law) {
  const auto general = contact_model(law);
  return (model ? model->choice(names(ContactModel{})) : general) == ContactModel::TriStiffness;
}

/// Contacts that move as springs go in by what their stiffness says: 1 N/m is nobody's intention.
void require_stiffness(const Table& scene, const AnyLaw& law,
                       const std::vector<std::string>& contact_names) {
  const auto* compliant = law.as<laws::Compliant>();
  if (compliant == nullptr || compliant->force == laws::Compliant::Force::Elastoplastic) return;
  const Materials materials(scene, contact_names);
  for (std::size_t i = 0; i < contact_names.size(); ++i) {
    if (materials.find(i, "stiffness")) continue;
    materials.owner(i).fail(
        fmt::format("in motion law 'compliant' needs the key 'stiffness' (N/m^exponent), which has "
                    "no default there; contact {} has none",
                    printable(contact_names[i])));
  }
}

/// As a problem would refuse them, before there is one.
void require_possible(const std::vector<Material>& materials) {
  const auto m = static_cast<Eigen::Index>(materials.size());
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector::Ones(m));
  problem.gradients.resize(m, m);
  problem.gradients.setIdentity();
  problem.velocity = Vector::Zero(m);
  for (const Material& material : materials) problem.contacts.push_back({.material = material});
  validate(problem);
}

}  // namespace

SceneReader find_scene_reader(const Value& system, bool moves) {
  const std::vector<SceneKind> kinds = all_kinds();
  std::vector<std::string_view> names;
  for (const SceneKind& kind : kinds) {
    if (kind.use != (moves ? For::Impact : For::Motion)) names.push_back(kind.name);
  }
  const std::string available = join(names);
  (void)system.object();
  const auto kind = system.find("kind");
  if (!kind) {
    system.fail(fmt::format("the key 'kind' is missing; {}: {}",
                            moves ? "systems that move" : "available", available));
  }
  const std::string& word = kind->string();
  const auto found = std::ranges::find(kinds, word, &SceneKind::name);
  const bool known = found != kinds.end();
  if (known && std::ranges::find(names, word) != names.end()) return found->read;
  if (known && !moves) {
    kind->fail(
        fmt::format("'{}' is a system that moves in time, not one impact: use 'percute simulate' "
                    "(systems for one impact: {})",
                    word, available));
  }
  kind->fail(fmt::format("{} {}{}{}; available: {}", moves ? "no system" : "unknown system",
                         kind->node().describe(), moves ? " that moves in time" : "",
                         did_you_mean(word, names), available));
}

ProblemFile read_scene(const Document& document) {
  constexpr std::array<std::string_view, 7> kKeys{"name",  "system", "material",  "contact",
                                                  "start", "law",    "simulation"};
  // A system that does not exist is the first thing to say; its tables may have other names.
  const Value scene_value(document);
  const auto named = scene_value.find("system");
  const SceneReader read = named ? find_scene_reader(*named, false) : nullptr;
  const Table table(scene_value, kKeys);
  ProblemFile file;
  file.name = std::filesystem::path(document.file).stem().string();
  if (const auto name = table.find("name")) file.name = name->string();
  file.law = read_law(table.find("law"));

  const Value system = table.required("system");
  try {
    const SceneSystem scene =
        read_touching(read, {.table = table, .system = system, .moves = false});
    file.bodies = scene.system.bodies();
    file.contact_names = scene.system.contact_names(scene.start);
    file.problem = scene.system.impact(scene.start);
    std::vector<Contact>& contacts = file.problem.contacts;
    std::vector<Material> own;
    own.reserve(contacts.size());
    for (const Contact& contact : contacts) own.push_back(contact.material);
    own = read_materials(table, file.law, file.contact_names, std::move(own), scene.stiffness_from);
    for (std::size_t i = 0; i < contacts.size(); ++i) contacts[i].material = own[i];
    validate(file.problem);
  } catch (const InvalidInput& error) {
    throw located(error, document, file.contact_names);
  }
  return file;
}

std::string scene_path(const std::string& problem_path, const Document& document,
                       const std::vector<std::string>& contact_names) {
  if (problem_path.starts_with("contacts[") || problem_path.starts_with("materials[")) {
    return material_path(entry_path(problem_path), document, contact_names);
  }
  const bool angles = problem_path == "angles" && find(document, "start", "angles_deg") != nullptr;
  if (angles || problem_path == "start.position") {
    return start_path(document, {"position", "gaps", "height", "angles_deg", "angle_deg"});
  }
  const std::string field = problem_path.substr(0, problem_path.find_first_of(".["));
  if (field == "velocity") {
    const std::string path = start_path(document, {"speed", "height", "angular_velocity", "rates"});
    const std::string entry = problem_path.substr(field.size());
    if (path == "start.rates") return path + entry;
    return path == "start" ? "start." + problem_path : path;
  }
  for (const auto& [name, keys] : kSources) {
    if (field != name) continue;
    for (const std::string_view key : keys) {
      if (find(document, "system", key) == nullptr) continue;
      const bool list = key == field && field != "mass";  // "mass" is that of the problem
      return list ? "system." + problem_path : fmt::format("system.{}", key);
    }
  }
  for (const char* table : {"system", "start"}) {
    if (find(document, table, field) != nullptr) return fmt::format("{}.{}", table, problem_path);
    // Angles are in degrees, and say so.
    const std::string degrees = field + "_deg";
    if (find(document, table, degrees) != nullptr) {
      return fmt::format("{}.{}{}", table, degrees, problem_path.substr(field.size()));
    }
  }
  return problem_path;
}

std::vector<Material> read_materials(const Table& scene, const AnyLaw& law,
                                     const std::vector<std::string>& contact_names,
                                     std::vector<Material> own, std::string_view stiffness_from) {
  own.resize(contact_names.size());
  const Materials materials(scene, contact_names);
  std::vector<bool> tri(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    tri[i] = is_tri_stiffness(materials.find(i, "contact_model"), law);
  }
  const bool some_tri = std::ranges::find(tri, true) != tri.end();

  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto find = [&](std::string_view key) -> std::optional<Value> {
      // The slopes of [material] are for those contacts that use them.
      const bool of_others = some_tri && !tri[i] && !materials.is_own(i, key);
      if (key == "tri_stiffness" && of_others) return {};
      auto value = materials.find(i, key);
      if (value && !stiffness_from.empty() && (key == "stiffness" || key == "exponent")) {
        value->fail(fmt::format("follows from {0}; leave out this key, or {0}", stiffness_from));
      }
      return value;
    };
    own[i] = read_material(find, materials.owner(i), law, own[i]);
  }
  return own;
}

void check_materials(const Table& scene, const AnyLaw& law,
                     const std::vector<std::string>& contact_names,
                     const std::vector<Material>& materials, std::string_view stiffness_from) {
  if (stiffness_from.empty()) require_stiffness(scene, law, contact_names);
  located_in(scene.value().document(), [&] { require_possible(materials); }, contact_names);
}

}  // namespace percute::io
