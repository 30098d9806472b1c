// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"
#include "io/text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace percute::io {

namespace {

const Node* find(const Document& document, std::string_view table, std::string_view key) {
  const Node* node = document.root.find(table);
  return node == nullptr ? nullptr : node->find(key);
}

/// A path that begins with an entry of a list: "contacts[12].tri_stiffness.yield_indentation".
struct EntryPath {
  std::size_t index;
  std::string key;   ///< "tri_stiffness"
  std::string rest;  ///< ".yield_indentation"
};

std::optional<EntryPath> entry_path(std::string_view path, std::string_view list) {
  if (!path.starts_with(list)) return {};
  path.remove_prefix(list.size());
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), index);
  if (error != std::errc{} || end == path.data() + path.size() || *end != ']') return {};
  path.remove_prefix(static_cast<std::size_t>(end - path.data()) + 1);
  if (path.starts_with('.')) path.remove_prefix(1);
  const auto dot = path.find('.');
  return EntryPath{.index = index,
                   .key = std::string(path.substr(0, dot)),
                   .rest = dot == std::string_view::npos ? "" : std::string(path.substr(dot))};
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
      const Node* name = (*list)[k].find("name");
      const auto* text = name == nullptr ? nullptr : name->as<std::string>();
      if (text != nullptr && plain_name(*text) == wanted && (*list)[k].find(path.key) != nullptr) {
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

/// Fields of systems and problems, and the keys of [system] they may come from.
constexpr std::array<std::pair<std::string_view, std::array<std::string_view, 4>>, 9> kSources{
    {{"masses", {"masses", "mass", "density", "made_of"}},
     {"mass", {"masses", "mass", "density", "made_of"}},
     {"radii", {"radii", "radius", "radius", "radius"}},
     {"pressures", {"pressures", "pressure", "pressure", "pressure"}},
     {"inertia_factors", {"inertia_factors", "inertia_factor", "inertia_factor", "inertia_factor"}},
     {"places", {"places", "length", "length", "length"}},
     {"sides", {"box", "box", "box", "box"}},
     {"widths", {"widths", "width", "width", "width"}},
     {"heights", {"heights", "height", "height", "height"}}}};

/// What says in [start] where bodies are.
std::string start_path(const Document& document) {
  for (const char* key : {"position", "gaps", "height", "angles_deg", "angle_deg"}) {
    if (find(document, "start", key) != nullptr) return fmt::format("start.{}", key);
  }
  return "start";
}

}  // namespace

std::string scene_path(const std::string& problem_path, const Document& document,
                       const std::vector<std::string>& contact_names) {
  for (const char* list : {"contacts[", "materials["}) {
    if (const auto path = entry_path(problem_path, list)) {
      return material_path(*path, document, contact_names);
    }
  }
  const bool angles = problem_path == "angles" && find(document, "start", "angles_deg") != nullptr;
  if (angles || problem_path == "start.position") return start_path(document);
  const std::string field = problem_path.substr(0, problem_path.find_first_of(".["));
  if (field == "velocity") {
    for (const char* key : {"speed", "height", "angular_velocity"}) {
      if (find(document, "start", key) != nullptr) return fmt::format("start.{}", key);
    }
    const std::string_view entry = std::string_view(problem_path).substr(field.size());
    if (find(document, "start", "rates") != nullptr) return fmt::format("start.rates{}", entry);
    return "start." + problem_path;
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

}  // namespace percute::io
