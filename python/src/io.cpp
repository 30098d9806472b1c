// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io.hpp"

#include <percute/io/problem_file.hpp>

#include <algorithm>

namespace percute::python {

namespace {

bool is_number(const io::Node& node) {
  return node.as<double>() != nullptr || node.as<std::int64_t>() != nullptr;
}
double number(const io::Node& node) {
  return node.as<double>() != nullptr ? *node.as<double>()
                                      : static_cast<double>(*node.as<std::int64_t>());
}

/// Numbers with a fraction among them; lists of integers are indices and counts.
bool is_numbers(const io::Node::Array& list) {
  return !list.empty() && std::ranges::all_of(list, is_number) &&
         std::ranges::any_of(list, [](const io::Node& one) { return one.as<double>() != nullptr; });
}

/// The value at a path of a scene as text that override_value() reads.
std::string text_of(nb::handle value) {
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  nb::object plain = nb::borrow(value);
  if (nb::hasattr(value, "tolist")) plain = value.attr("tolist")();
  return nb::cast<std::string>(nb::module_::import_("json").attr("dumps")(plain));
}

io::Document changed(const io::Document& document, const nb::dict& values) {
  io::Document made = document;
  for (const auto& [key, value] : values) {
    const auto path = nb::cast<std::string>(key);
    const std::string text = text_of(value);
    io::override_value(made, path, text, path + "=" + text);
  }
  return made;
}

Outcome resolve_scene(const io::Document& document, nb::handle law, nb::handle history) {
  io::ProblemFile file = io::read_problem_or_scene(document);
  if (!law.is_none()) from_python(law, file.law);
  const std::optional<Recording> recording = recording_from_python(history);
  const nb::gil_scoped_release alone;
  ImpactResult result =
      recording ? io::resolve(file, document, *recording) : io::resolve(file, document);
  return {.result = std::move(result), .problem = std::make_shared<Problem>(std::move(file))};
}

}  // namespace

nb::object to_python(const io::Node& node) {
  if (const auto* value = node.as<bool>()) return to_python(*value);
  if (const auto* value = node.as<std::int64_t>()) return to_python(*value);
  if (const auto* value = node.as<double>()) return to_python(*value);
  if (const auto* value = node.as<std::string>()) return to_python(*value);
  if (const auto* list = node.as<io::Node::Array>()) {
    if (is_numbers(*list)) {
      std::vector<double> numbers;
      for (const io::Node& one : *list) numbers.push_back(number(one));
      return to_python(numbers);
    }
    nb::list made;
    for (const io::Node& one : *list) made.append(to_python(one));
    return made;
  }
  if (const auto* object = node.as<io::Node::Object>()) {
    nb::dict made;
    for (const io::Node::Member& member : *object) {
      made[to_python(member.key)] = to_python(member.value);
    }
    return made;
  }
  return nb::none();
}

void bind_io(nb::module_& m) {
  nb::class_<io::Document> scene(m, "Scene",
                                 "A file that names a system, where it starts, a law, and how it "
                                 "moves. with_values() makes another one.");
  scene.def_prop_ro(
      "file", [](const io::Document& self) { return self.file; }, "Name, in messages.");
  scene.def_prop_ro(
      "keys", [](const io::Document& self) { return to_python(self.root); },
      sig("def keys(self) -> dict[str, Any]"), "All that is written in it.");
  scene.def_prop_ro(
      "problem", [](const io::Document& self) { return io::read_problem_or_scene(self); },
      sig("def problem(self) -> ImpactProblem"), "The impact at its start.");
  scene.def("with_values", &changed, nb::arg("values"),
            sig("def with_values(self, values: Mapping[str, Any]) -> Scene"),
            "The same with other values: {\"material.restitution\": 0.9}, as `percute --set` takes "
            "them.");
  scene.def(
      "resolve", &resolve_scene, nb::arg("law") = nb::none(), nb::kw_only(),
      nb::arg("history") = false,
      sig("def resolve(self, law: Law | None = None, *, history: bool | Recording = False) -> "
          "ImpactResult"),
      "Resolves the impact at its start.");
  scene.def(
      "__getstate__",
      [](const io::Document& self) { return nb::make_tuple(self.file, io::to_json(self.root)); },
      sig("def __getstate__(self) -> tuple[str, str]"));
  scene.def(
      "__setstate__",
      [](io::Document& self, const nb::tuple& state) {
        new (&self) io::Document(
            io::parse_json(nb::cast<std::string>(state[1]), nb::cast<std::string>(state[0])));
      },
      sig("def __setstate__(self, state: tuple[str, str], /) -> None"));

  m.def(
      "_read_document", [](const std::string& path) { return io::read_document(path); },
      nb::arg("path"));
  scene.def(
      "__repr__",
      [](const io::Document& self) {
        std::string keys;
        if (const auto* object = self.root.as<io::Node::Object>()) {
          for (const io::Node::Member& member : *object) {
            keys += (keys.empty() ? "" : ", ") + member.key;
          }
        }
        return to_python("<Scene: " + self.file + " · " + keys + ">");
      },
      sig("def __repr__(self) -> str"));
  scene.def(
      "__eq__",
      [](const io::Document& self, nb::handle other) -> nb::object {
        if (!nb::isinstance<io::Document>(other)) return nb::borrow(Py_NotImplemented);
        return to_python(io::to_json(self.root) ==
                         io::to_json(nb::cast<const io::Document&>(other).root));
      },
      sig("def __eq__(self, other: object, /) -> bool"));
  scene.attr("__hash__") = nb::none();
  m.def(
      "_parse_document",
      [](const std::string& text, const std::string& name, bool toml) {
        return toml ? io::parse_toml(text, name) : io::parse_json(text, name);
      },
      nb::arg("text"), nb::arg("name"), nb::arg("toml"));
  m.def(
      "_problem_to_json", [](const Problem& problem) { return io::to_json(io::to_node(problem)); },
      nb::arg("problem"));
  m.def(
      "_result_to_json",
      [](const Outcome& outcome) {
        if (!outcome.problem) throw InvalidInput("result", "nobody has judged it: resolve() does");
        return io::to_json(io::to_node(outcome.result, *outcome.problem));
      },
      nb::arg("result"));
  m.def(
      "_write_history",
      [](const std::string& path, const Outcome& outcome) {
        if (!outcome.problem) throw InvalidInput("result", "nobody has judged it: resolve() does");
        io::write_history(path, outcome.result, *outcome.problem);
      },
      nb::arg("path"), nb::arg("result"));
}

}  // namespace percute::python
