// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/moment_node.hpp"

#include "simulation/moment_fields.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace percute::io {

namespace {

using simulation::Allowed;
using simulation::HasFields;
using simulation::Moment;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct ToNode {
  static Node of(double x) {
    if (std::isfinite(x)) return x;
    return std::isnan(x) ? Node() : Node(x > 0.0 ? "inf" : "-inf");
  }
  static Node of(bool x) { return x; }
  static Node of(int x) { return x; }
  static Node of(std::int64_t x) { return x; }
  static Node of(std::string& x) { return x; }
  template <HasFields T>
  static Node of(T& x) {
    Node node(Node::Object{});
    fields(x, [&node](const char* name, auto& field, Allowed = {}) { node.add(name, of(field)); });
    return node;
  }
  template <class T>
  static Node of(std::optional<T>& x) {
    return x ? of(*x) : Node();
  }
  template <class List>
    requires requires(List& list) { list.begin()[0]; }
  static Node of(List& list) {
    Node::Array nodes;
    for (auto& x : list) nodes.push_back(of(x));
    return nodes;
  }
};

struct FromNode {
  static void read(const Value& value, double& x, Allowed allowed) {
    const auto* word = value.node().as<std::string>();
    const bool infinite = allowed == Allowed::Infinite && word != nullptr;
    if (infinite && (*word == "inf" || *word == "-inf")) {
      x = *word == "inf" ? kInfinite : -kInfinite;
    } else {
      x = value.number();
    }
  }
  static void read(const Value& value, bool& x, Allowed /*allowed*/) { x = value.boolean(); }
  static void read(const Value& value, int& x, Allowed /*allowed*/) {
    x = static_cast<int>(value.integer(0, std::numeric_limits<int>::max()));
  }
  static void read(const Value& value, std::int64_t& x, Allowed /*allowed*/) {
    x = value.integer(0, std::numeric_limits<long>::max());
  }
  static void read(const Value& value, std::string& x, Allowed /*allowed*/) { x = value.string(); }
  template <HasFields T>
  static void read(const Value& value, T& x, Allowed /*allowed*/) {
    std::vector<std::string_view> names;
    fields(x, [&names](const char* name, auto&&...) { names.emplace_back(name); });
    const Table table(value, names);
    fields(x, [&table](const char* name, auto& field, Allowed allowed = {}) {
      read(table.required(name), field, allowed);
    });
  }
  template <class T>
  static void read(const Value& value, std::optional<T>& x, Allowed allowed) {
    if (!value.node().is_null()) read(value, x.emplace(), allowed);
  }
  template <class List>
    requires requires(List& list) { list.begin()[0]; }
  static void read(const Value& value, List& list, Allowed allowed) {
    const auto size = static_cast<decltype(list.size())>(value.size());
    if constexpr (requires { list.resize(size); }) list.resize(size);
    if (list.size() != size) value.fail(fmt::format("must have {} entries", list.size()));
    std::size_t k = 0;
    for (auto& x : list) read(value[k++], x, allowed);
  }
};

}  // namespace

Node moment_node(Moment moment) {
  return ToNode::of(moment);
}

Moment read_moment(const Value& value, const MotionFile& motion) {
  Moment moment;
  std::visit(
      [&moment](const auto& method) {
        moment.memory.emplace<typename std::decay_t<decltype(method)>::Memory>();
      },
      motion.method);
  FromNode::read(value, moment, Allowed::Finite);
  if (!moment.totals) value.fail("has no books");
  return moment;
}

}  // namespace percute::io
