// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/moment_node.hpp"
#include "io/text.hpp"
#include "simulation/moment_checks.hpp"

#include <percute/io/checkpoint_file.hpp>
#include <percute/version.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>

namespace percute::io {

namespace {

constexpr std::string_view kFormat = "percute-checkpoint/2";

using simulation::RunStatus;
constexpr Names<RunStatus, 5> kStatuses{{{"ok", RunStatus::Ok},
                                         {"unstable", RunStatus::Unstable},
                                         {"not_converged", RunStatus::NotConverged},
                                         {"not_terminated", RunStatus::NotTerminated},
                                         {"interrupted", RunStatus::Interrupted}}};

/// What may change from one part of a run to the next.
constexpr std::array<std::string_view, 3> kFree{"duration", "stop_after_quiet", "max_events"};

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

/// 3 and 3.0 are the same number.
std::optional<double> number(const Node& node) {
  if (const auto* integer = node.as<std::int64_t>()) return static_cast<double>(*integer);
  if (const auto* value = node.as<double>()) return *value;
  return {};
}

/// Path of the first value that differs, and both values; nothing if there is none.
struct Difference {
  std::string path;
  std::string here;
  std::string there;
};

std::optional<Difference> difference(const Node* here, const Node* there, const std::string& path) {
  const auto told = [](const Node* node) {
    return node == nullptr ? std::string("missing") : node->describe();
  };
  const auto differ = [&] {
    return Difference{.path = path, .here = told(here), .there = told(there)};
  };
  if (here == nullptr || there == nullptr) return differ();
  const auto* object = here->as<Node::Object>();
  const auto* other_object = there->as<Node::Object>();
  if (object != nullptr && other_object != nullptr) {
    const std::string dot = path.empty() ? "" : path + ".";
    for (const Node::Member& member : *object) {
      if (auto found = difference(&member.value, there->find(member.key), dot + member.key)) {
        return found;
      }
    }
    for (const Node::Member& member : *other_object) {
      if (here->find(member.key) == nullptr) {
        return difference(nullptr, &member.value, dot + member.key);
      }
    }
    return {};
  }
  const auto* array = here->as<Node::Array>();
  const auto* other_array = there->as<Node::Array>();
  if (array != nullptr && other_array != nullptr && array->size() == other_array->size()) {
    for (std::size_t k = 0; k < array->size(); ++k) {
      auto found = difference(&(*array)[k], &(*other_array)[k], fmt::format("{}[{}]", path, k));
      if (found) return found;
    }
    return {};
  }
  const auto a = number(*here);
  const auto b = number(*there);
  const bool same = a && b ? *a == *b : to_json(*here) == to_json(*there);
  return same ? std::nullopt : std::optional(differ());
}

void require_same(const std::string& file, const std::optional<Difference>& found) {
  if (!found) return;
  throw FileError(file, found->path,
                  fmt::format("is a checkpoint of another run: there it is {}, in the scene {}",
                              found->there, found->here));
}

/// Runs `action`, and reports what it says about a start, or about a moment, at its place in the
/// checkpoint.
template <class Action>
void at_its_place(const Value& moment, const Action& action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    constexpr std::string_view kStart = "start";
    if (!error.field().starts_with(kStart)) return;  // of the scene: the run will tell
    const std::string path =
        moment.path() + (error.field() == kStart ? ".position" : error.field().substr(5));
    throw FileError(moment.document().where(moment.document().nearest(path)), path, error.reason());
  }
}

/// Throws FileError unless a run of this scene could have ended there.
void check_moment(const simulation::Moment& reached, const MotionFile& motion,
                  const Value& moment) {
  simulation::Continuation run{
      .system = motion.system, .start = motion.start, .run = run_options(motion.method)};
  std::visit(
      [&run](const auto& method) {
        if constexpr (requires { method.step; }) run.step = method.step;
        if constexpr (requires { method.grouping; }) run.grouping = method.grouping.value_or(0.0);
      },
      motion.method);
  at_its_place(moment, [&] { simulation::validate(reached, run); });
  // A part that ends with its first step shows whether the method can go on.
  simulation::Observer observer;
  observer.step = [](double, const Vector&, const Vector&) { return false; };
  at_its_place(moment, [&] { simulate(motion, moment.document(), reached, observer); });
}

/// Refuses a moment beyond the end that is asked for. One at the end, where time stepping arrives
/// up to a step late, is that of the finished run.
void refuse_what_is_over(const std::filesystem::path& path, double time, const MotionFile& motion,
                         const Document& document) {
  constexpr double kRounding = 1e-12;  // of instants
  const auto duration = run_options(motion.method).duration;
  if (!duration) return;
  const double step = std::visit(
      [](const auto& method) {
        if constexpr (requires { method.step; }) {
          return method.step;
        } else {
          return 0.0;
        }
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

[[noreturn]] void fail(const std::filesystem::path& path, int reason) {
  throw FileError(path.string(), "", fmt::format("cannot write: {}", std::strerror(reason)));
}

/// Writes a new file and waits until it is on disk.
void write_through(const std::filesystem::path& path, std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail(path, errno);
  int reason = 0;
  while (reason == 0 && !text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written >= 0) text.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR) reason = errno;
  }
  if (reason == 0 && fsync(file) != 0 && errno != EINVAL) reason = errno;
  if (::close(file) != 0 && reason == 0) reason = errno;
  if (reason == 0) return;
  unlink(path.c_str());
  fail(path, reason);
}

}  // namespace

void check_writable(const std::filesystem::path& path) {
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
}

void check_replaceable(const std::filesystem::path& path) {
  std::error_code ignored;
  check_writable(path);
  const bool exists = std::filesystem::exists(path, ignored);
  if (exists && !std::filesystem::is_regular_file(path, ignored)) {
    throw FileError(path.string(), "", "cannot write: is not a regular file");
  }
}

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint,
                      const MotionFile& motion, const Document& document) {
  Node node;
  node.add("format", kFormat);
  node.add("version", kVersion);
  node.add("name", motion.name);
  node.add("scene", scene_node(document));
  node.add("simulation", method_keys(motion));
  node.add("trajectory", checkpoint.trajectory);
  node.add("status", name(checkpoint.status));
  node.add("reason", checkpoint.reason);
  node.add("moment", moment_node(checkpoint.moment));
  // A link stays one: what it points to is replaced.
  std::error_code unknown;
  const std::filesystem::path real = std::filesystem::canonical(path, unknown);
  const std::filesystem::path& target = unknown ? path : real;
  std::filesystem::path fresh = target;
  fresh += fmt::format(".{}.tmp", getpid());
  write_through(fresh, to_json(node) + "\n");
  if (std::rename(fresh.c_str(), target.c_str()) != 0) {
    const int reason = errno;
    unlink(fresh.c_str());
    fail(path, reason);
  }
}

Checkpoint read_checkpoint(const std::filesystem::path& path, const MotionFile& motion,
                           const Document& document) {
  const Document checkpoint = read_document(path);
  const Node* format = checkpoint.root.find("format");
  const auto* word = format == nullptr ? nullptr : format->as<std::string>();
  if (word == nullptr || *word != kFormat) {
    throw FileError(checkpoint.file, "format",
                    fmt::format("must be \"{}\", got {}", kFormat,
                                format == nullptr ? "nothing" : format->describe()));
  }
  const Table table(Value(checkpoint), {"format", "version", "name", "scene", "simulation",
                                        "trajectory", "status", "reason", "moment"});
  const Node scene = scene_node(document);
  const Node method = method_keys(motion);
  require_same(checkpoint.file, difference(&scene, &table.required("scene").node(), ""));
  require_same(checkpoint.file,
               difference(&method, &table.required("simulation").node(), "simulation"));
  const Value moment = table.required("moment");
  Checkpoint read{.moment = read_moment(moment, motion),
                  .trajectory = table.required("trajectory").string(),
                  .status = table.required("status").choice(kStatuses),
                  .reason = table.required("reason").string()};
  if (read.status == RunStatus::NotConverged || read.status == RunStatus::Unstable) {
    table.required("status").fail(fmt::format(
        "the run ended with {} ({}): nothing goes on from there", name(read.status), read.reason));
  }
  check_moment(read.moment, motion, moment);
  refuse_what_is_over(path, read.moment.time, motion, document);
  return read;
}

}  // namespace percute::io
