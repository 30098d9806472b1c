// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/material_keys.hpp"
#include "io/scene_reader.hpp"
#include "io/suggest.hpp"
#include "io/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace percute::io {

namespace {

/// Keys of a [[contact]]: its name, and what is its own.
constexpr auto kSceneContactKeys = [] {
  std::array<std::string_view, kMaterialKeys.size() + 1> keys{"name"};
  std::copy(kMaterialKeys.begin(), kMaterialKeys.end(), keys.begin() + 1);
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
      : names_(contact_names),
        general_(general_material(scene)),
        own_(contact_names.size(), kNone) {
    for (const std::string_view key : kMaterialKeys) {
      if (const auto value = general_.find(key)) check_list(*value);
    }
    if (const auto contacts = scene.find("contact")) read_contacts(*contacts);
  }

  /// Whether contact i has a [[contact]] of its own with this key.
  bool is_own(std::size_t i, std::string_view key) const {
    return own_[i] != kNone && tables_[own_[i]].has(key);
  }

  /// What is given for contact i: by its own [[contact]], else by [material], where a list has one
  /// entry per contact.
  std::optional<Value> find(std::size_t i, std::string_view key) const {
    if (is_own(i, key)) return tables_[own_[i]].find(key);
    auto value = general_.find(key);
    if (value && value->node().as<Node::Array>() != nullptr) return (*value)[i];
    return value;
  }

  /// The table to blame when contact i lacks a key.
  const Value& owner(std::size_t i) const {
    return own_[i] == kNone ? general_.value() : tables_[own_[i]].value();
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

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
      tables_.emplace_back(contacts[k], kSceneContactKeys);
      const Value name = tables_.back().required("name");
      const auto found = places.find(plain_name(name.string()));
      if (found == places.end()) refuse_name(name);
      std::size_t& own = own_[found->second];
      if (own != kNone) {
        name.fail(fmt::format("contact {} was described before, on line {}", name.node().describe(),
                              tables_[own].value().node().line));
      }
      own = k;
    }
  }

  [[noreturn]] void refuse_name(const Value& name) const {
    const std::vector<std::string_view> known(names_.begin(), names_.end());
    name.fail(fmt::format("there is no contact {}{}; the contacts are {}", name.node().describe(),
                          did_you_mean(name.string(), known), some(names_)));
  }

  const std::vector<std::string>& names_;
  Table general_;
  std::vector<Table> tables_;     ///< the [[contact]]s
  std::vector<std::size_t> own_;  ///< of each contact, its place in tables_
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
  try {
    require_possible(materials);
  } catch (const InvalidInput& error) {
    throw located(error, scene.value().document(), contact_names);
  }
}

}  // namespace percute::io
