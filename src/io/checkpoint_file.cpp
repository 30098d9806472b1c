// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/columns.hpp"
#include "io/text.hpp"
#include "simulation/moment_fields.hpp"

#include <percute/io/motion_file.hpp>
#include <percute/version.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace percute::io {

namespace {

constexpr std::string_view kFormat = "percute-checkpoint/3";

using simulation::RunStatus;

/// What may change from one part of a run to the next.
constexpr std::array<std::string_view, 3> kFree{"duration", "stop_after_quiet", "max_events"};

// An instant with its totals as JSON, field by field.

using simulation::HasFields;
using simulation::Moment;

template <class T>
concept Listed = requires(T& list) { list.begin()[0]; };

template <class T>
Node node_of_moment(T& x) {
  if constexpr (std::same_as<T, double>) {
    return std::isfinite(x) ? Node(x) : std::isnan(x) ? Node() : Node(x > 0.0 ? "inf" : "-inf");
  } else if constexpr (HasFields<T>) {
    Node node(Node::Object{});
    fields(x, [&node](const char* name, auto& field) { node.add(name, node_of_moment(field)); });
    return node;
  } else if constexpr (requires { x.has_value(); }) {
    return x ? node_of_moment(*x) : Node();
  } else if constexpr (Listed<T> && !std::same_as<T, std::string>) {
    Node::Array nodes;
    for (auto& entry : x) nodes.push_back(node_of_moment(entry));
    return nodes;
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<int>(x);
  } else {
    return x;
  }
}

template <class T>
void read(const Value& value, T& x) {
  if constexpr (std::same_as<T, double>) {
    x = value.node().as<std::string>() != nullptr && value.string() == "-inf"
            ? -std::numeric_limits<double>::infinity()
            : value.number_or_infinite();
  } else if constexpr (std::same_as<T, bool>) {
    x = value.boolean();
  } else if constexpr (std::integral<T>) {
    x = static_cast<T>(value.integer(-1, std::numeric_limits<T>::max()));
  } else if constexpr (std::is_enum_v<T>) {
    x = static_cast<T>(value.integer(0, std::numeric_limits<int>::max()));
  } else if constexpr (std::same_as<T, std::string>) {
    x = value.string();
  } else if constexpr (HasFields<T>) {
    std::vector<std::string_view> names;
    fields(x, [&names](const char* name, auto&) { names.emplace_back(name); });
    const Table table(value, names);
    fields(x, [&table](const char* name, auto& field) { read(table.required(name), field); });
  } else if constexpr (requires { x.has_value(); }) {
    if (!value.node().is_null()) read(value, x.emplace());
  } else {
    const auto size = static_cast<decltype(x.size())>(value.size());
    if constexpr (requires { x.resize(size); }) x.resize(size);
    if (x.size() != size) value.fail(fmt::format("must have {} entries", x.size()));
    std::size_t k = 0;
    for (auto& entry : x) read(value[k++], entry);
  }
}

/// Of a run of this scene.
Moment read_moment(const Value& value, const MotionFile& motion) {
  Moment moment;
  std::visit(
      [&moment](const auto& method) {
        moment.memory.emplace<typename std::decay_t<decltype(method)>::Memory>();
      },
      motion.method);
  read(value, moment);
  if (!moment.totals) value.fail("has no totals");
  return moment;
}

/// FNV-1a of all but itself: whatever is changed by hand shows.
std::string checksum(Node file) {
  std::erase_if(*file.as<Node::Object>(), [](const auto& one) { return one.key == "checksum"; });
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : to_json(file, JsonLayout::Line)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  return fmt::format("{:016x}", hash);
}

/// The tables of a scene that say what moves, and how.
Node scene_node(const Document& document) {
  Node node(Node::Object{});
  for (const char* key : {"system", "material", "contact", "start", "law", "impact"}) {
    if (const Node* table = document.root.find(key)) node.add(key, *table);
  }
  return node;
}

Node method_keys(const MotionFile& motion) {
  Node node(Node::Object{});
  for (const Node::Member& member : *motion.simulation_keys.as<Node::Object>()) {
    if (std::ranges::find(kFree, member.key) == kFree.end()) node.add(member.key, member.value);
  }
  return node;
}

/// The values of a tree by their paths; 3 and 3.0 are the same number.
using Values = std::map<std::string, std::string>;
void add_values(const Node& node, const std::string& path, Values& values) {
  const auto* object = node.as<Node::Object>();
  const auto* list = node.as<Node::Array>();
  values.emplace(path, object != nullptr || list != nullptr ? node.describe() : to_json(node));
  if (object != nullptr) {
    for (const auto& [key, value] : *object) {
      add_values(value, path.empty() ? key : path + "." + key, values);
    }
  } else if (list != nullptr) {
    for (std::size_t k = 0; k < list->size(); ++k) {
      add_values((*list)[k], fmt::format("{}[{}]", path, k), values);
    }
  }
}

/// Refuses a checkpoint that has another value somewhere than the scene.
void require_same(const std::string& file, const Node& here, const Node& there,
                  const std::string& path) {
  Values ours;
  Values theirs;
  add_values(here, path, ours);
  add_values(there, path, theirs);
  Values all = ours;
  all.insert(theirs.begin(), theirs.end());
  for (const auto& [place, unused] : all) {
    const auto at = [&place = place](const Values& values) {
      const auto found = values.find(place);
      return found == values.end() ? "missing" : found->second;
    };
    if (at(ours) == at(theirs)) continue;
    throw FileError(file, place,
                    fmt::format("is a checkpoint of another run: there it is {}, in the scene {}",
                                at(theirs), at(ours)));
  }
}

/// Refuses a moment beyond the end that is asked for. One at the end, where time stepping arrives
/// up to a step late, is that of the finished run.
void refuse_what_is_over(const std::filesystem::path& path, double time, const MotionFile& motion,
                         const Document& document) {
  constexpr double kRounding = 1e-12;  // of instants
  const auto duration = run_options(motion.method).duration;
  if (!duration) return;
  double step = 0.0;
  std::visit(
      [&step](const auto& method) {
        if constexpr (requires { method.step; }) step = method.step;
      },
      motion.method);
  const double end = motion.start.time + *duration;
  if (time <= end + kRounding * std::abs(end) + step) return;
  throw FileError(
      document.where(document.nearest("simulation.duration")), "simulation.duration",
      fmt::format("{} s ends before the checkpoint {}, which is at {} s: nothing is left to run; "
                  "give a longer one",
                  *duration, printable(path.string(), 200), time));
}

}  // namespace

void check_writable(const std::filesystem::path& path, bool replaced) {
  std::error_code ignored;
  const auto refuse = [&path](const std::string& reason) {
    throw FileError(path.string(), "", "cannot write: " + reason);
  };
  if (std::filesystem::is_directory(path, ignored)) refuse("is a directory");
  const bool exists = std::filesystem::exists(path, ignored);
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  if (access((exists ? path : folder).c_str(), W_OK) != 0) {
    refuse(exists ? std::strerror(errno)
                  : fmt::format("folder {}: {}", folder.string(), std::strerror(errno)));
  }
  if (!exists && !std::filesystem::is_directory(folder, ignored)) {
    refuse(fmt::format("{} is not a folder", folder.string()));
  }
  if (replaced && exists && !std::filesystem::is_regular_file(path, ignored)) {
    refuse("is not a regular file");
  }
}

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint,
                      const MotionFile& motion, const Document& document) {
  Moment moment = checkpoint.moment;
  Node node;
  node.add("format", kFormat);
  node.add("version", kVersion);
  node.add("name", motion.name);
  node.add("scene", scene_node(document));
  node.add("simulation", method_keys(motion));
  node.add("trajectory", checkpoint.trajectory);
  node.add("status", name(checkpoint.status));
  node.add("reason", checkpoint.reason);
  node.add("moment", node_of_moment(moment));
  node.add("checksum", checksum(node));
  // A link stays one: what it points to is replaced.
  std::error_code unknown;
  const std::filesystem::path real = std::filesystem::canonical(path, unknown);
  const std::filesystem::path& target = unknown ? path : real;
  std::filesystem::path fresh = target;
  fresh += fmt::format(".{}.tmp", getpid());
  try {
    Lines file(fresh);
    file.append(to_json(node) + "\n");
    file.sync();
    file.close();
    std::filesystem::rename(fresh, target);
  } catch (const FileError&) {
    std::filesystem::remove(fresh, unknown);
    throw;
  } catch (const std::filesystem::filesystem_error& error) {
    std::filesystem::remove(fresh, unknown);
    throw FileError(path.string(), "", "cannot write: " + error.code().message());
  }
}

Checkpoint read_checkpoint(const std::filesystem::path& path, const MotionFile& motion,
                           const Document& document) {
  const Document checkpoint = read_document(path);
  if (checkpoint.root.word("format") != kFormat) {
    throw FileError(checkpoint.file, "format", fmt::format("must be \"{}\"", kFormat));
  }
  const Table table(Value(checkpoint), {"format", "version", "name", "scene", "simulation",
                                        "trajectory", "status", "reason", "moment", "checksum"});
  if (table.required("checksum").string() != checksum(checkpoint.root)) {
    table.fail("checksum", "the file was changed since it was written: nothing goes on from there");
  }
  const Node scene = scene_node(document);
  const Node method = method_keys(motion);
  require_same(checkpoint.file, scene, table.required("scene").node(), "");
  require_same(checkpoint.file, method, table.required("simulation").node(), "simulation");
  Checkpoint read{.moment = read_moment(table.required("moment"), motion),
                  .trajectory = table.required("trajectory").string(),
                  .status = table.required("status").choice(names(RunStatus{})),
                  .reason = table.required("reason").string()};
  if (read.status == RunStatus::NotConverged || read.status == RunStatus::Unstable) {
    table.required("status").fail(fmt::format(
        "the run ended with {} ({}): nothing goes on from there", name(read.status), read.reason));
  }
  refuse_what_is_over(path, read.moment.time, motion, document);
  return read;
}

}  // namespace percute::io
