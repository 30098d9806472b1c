// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io.hpp"
#include "io/analysis_file.hpp"
#include "io/comparison.hpp"
#include "reproduction/rows.hpp"

#include <percute/analysis/chain_waves.hpp>
#include <percute/io/problem_file.hpp>
#ifdef PERCUTE_HAS_FIT
#include <percute/io/fit_file.hpp>
#endif

#include <algorithm>

namespace percute::python {

namespace {

/// A problem as the document it would be read from.
io::Document document_of(const Problem& problem) {
  return {.file = problem.name.empty() ? "problem" : problem.name, .root = io::to_node(problem)};
}

nb::dict comparison_to_python(io::Comparison comparison) {
  nb::list outcomes;
  for (io::LawOutcome& one : comparison.outcomes) {
    Outcome outcome{.result = std::move(one.result),
                    .problem = std::make_shared<Problem>(std::move(one.file))};
    outcomes.append(nb::make_tuple(to_python(one.name), nb::cast(std::move(outcome)), one.time));
  }
  nb::dict left_out;
  for (const io::Comparison::LeftOut& law : comparison.left_out) {
    left_out[to_python(law.law)] = to_python(law.reason);
  }
  nb::dict made;
  made["outcomes"] = outcomes;
  made["left_out"] = left_out;
  return made;
}

io::Comparison compare(const io::Document& document, const std::optional<std::string>& laws) {
  const nb::gil_scoped_release alone;
  std::optional<std::vector<io::LawChoice>> choices;
  if (laws) choices = io::parse_law_list(*laws, "laws");
  return io::compare(document, choices, "laws");
}

std::optional<std::string> optional_text(nb::handle value) {
  if (value.is_none()) return {};
  return nb::cast<std::string>(value);
}

nb::object analyze(const Problem& problem, bool choices) {
  io::Node made;
  {
    const nb::gil_scoped_release alone;
    made = io::to_node(analysis::analyze(problem.problem));
    if (choices) made.add("choices", io::to_node(io::open_choices(problem.problem)));
  }
  return to_python(made);
}

double tolerance_of(const AnyLaw& law) {
  const io::Node options = io::to_node(law);
  const io::Node* tolerance = options.find("tolerance");
  return tolerance == nullptr ? 0.0 : *tolerance->as<double>();
}

nb::object waves(const Problem& problem, int samples) {
  io::Node made;
  {
    const nb::gil_scoped_release alone;
    const auto run = [&](const Recording& recording) {
      return resolve(problem.problem, problem.law, recording);
    };
    const analysis::ChainWaves found =
        analysis::watch_waves(problem.problem, analysis::chain_of(problem.problem, problem.bodies),
                              run, {.samples = samples, .tolerance = tolerance_of(problem.law)});
    made = io::to_node(found, problem);
  }
  return to_python(made);
}

nb::object reproduce(const std::vector<std::string>& words) {
  const std::vector<reproduction::Item> all = reproduction::all_items();
  std::vector<std::string> wanted;
  for (const std::string& word : words) {
    for (const reproduction::Item& item : reproduction::select(all, word))
      wanted.push_back(item.id);
  }
  std::vector<reproduction::Reproduction> done;
  for (const reproduction::Item& item : all) {
    if (!words.empty() && std::ranges::find(wanted, item.id) == wanted.end()) continue;
    {
      const nb::gil_scoped_release alone;
      done.push_back(reproduction::reproduce(item));
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  return to_python(reproduction::to_node(done));
}

nb::object reproducible() {
  nb::dict made;
  for (const reproduction::Item& item : reproduction::all_items()) {
    made[to_python(item.id)] = to_python(item.title);
  }
  return made;
}

#ifdef PERCUTE_HAS_FIT
nb::object fit(const io::Document& document) {
  io::FitFile file = io::read_fit(document);
  bool interrupted = false;
  file.options.stop = [&interrupted] {
    const nb::gil_scoped_acquire python;
    interrupted = interrupted || PyErr_CheckSignals() != 0;
    return interrupted;
  };
  io::Node made;
  {
    const nb::gil_scoped_release alone;
    const fit::Fit found = fit::least_squares(io::least_squares_problem(file), file.options);
    made = io::to_node(file, found);
    made.add("warnings", io::Node(io::warnings(file, found)));
  }
  if (interrupted) throw nb::python_error();
  return to_python(made);
}
#endif

}  // namespace

void bind_analysis(nb::module_& m) {
  constexpr const char* kDict = "dict[str, typing.Any]";
  const auto signature = [&](const char* call) {
    return nb::sig(keep(std::string("def ") + call + " -> " + kDict));
  };
  m.def(
      "_compare_problem",
      [](const Problem& problem, nb::handle laws) {
        return comparison_to_python(compare(document_of(problem), optional_text(laws)));
      },
      nb::arg("problem"), nb::arg("laws").none(),
      signature("_compare_problem(problem: ImpactProblem, laws: str | None)"));
  m.def(
      "_compare_scene",
      [](const io::Document& scene, nb::handle laws) {
        return comparison_to_python(compare(scene, optional_text(laws)));
      },
      nb::arg("scene"), nb::arg("laws").none(),
      signature("_compare_scene(scene: Scene, laws: str | None)"));
  m.def("_analyze", &analyze, nb::arg("problem"), nb::arg("choices"),
        signature("_analyze(problem: ImpactProblem, choices: bool)"));
  m.def("_waves", &waves, nb::arg("problem"), nb::arg("samples"),
        signature("_waves(problem: ImpactProblem, samples: int)"));
  m.def(
      "_reproduce",
      [](nb::handle words) {
        std::vector<std::string> list;
        from_python(words, list);
        return reproduce(list);
      },
      nb::arg("words"), signature("_reproduce(words: collections.abc.Sequence[str])"));
  m.def("reproducible", &reproducible, nb::sig("def reproducible() -> dict[str, str]"),
        "Published tables, figures and cases that reproduce() computes again: id and title.");
#ifdef PERCUTE_HAS_FIT
  m.def("_fit", &fit, nb::arg("document"), signature("_fit(document: Scene)"));
#endif
}

}  // namespace percute::python
