// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "values.hpp"

#include <percute/io/problem_file.hpp>
#include <percute/model/impact_history.hpp>
#include <percute/model/impact_result.hpp>
#include <percute/model/state.hpp>
#include <percute/systems/any_system.hpp>

#include <nanobind/stl/shared_ptr.h>

#include <memory>
#include <string>
#include <utility>

namespace percute::python {

/// An impact with the names of its parts and the law that its file or its maker chose: class
/// ImpactProblem of Python, which cannot be changed, so that results may refer to it.
using Problem = io::ProblemFile;

/// What a law made of a problem: class ImpactResult of Python.
struct Outcome {
  ImpactResult result = {};
  std::shared_ptr<Problem> problem = {};  ///< none: a law made it, and nobody has judged it yet
};

/// The impact of a system in a state, with its names.
Problem problem_of(ImpactProblem impact, std::vector<Body> bodies,
                   std::vector<std::string> contact_names, std::string name);

/// Applies a law, by default that of the problem, and judges the outcome; `history`: True, or a
/// Recording.
Outcome resolve_one(const std::shared_ptr<Problem>& problem, nb::handle law, nb::handle history);

/// Takes a method out of a class, so that another one is not only a second choice beside it.
inline void forget(nb::handle of, const char* name) {
  if (nb::cast<bool>(of.attr("__dict__").attr("__contains__")(name))) nb::delattr(of, name);
}

/// A method that is written in Python: `function` of percute.`module` is given the object and what
/// else there is.
template <class Class>
void python_method(Class& of, const char* name, const char* module, const char* function,
                   const char* signature, const char* doc) {
  forget(of, name);
  of.def(
      name,
      [module, function](nb::handle self, const nb::args& more, const nb::kwargs& keywords) {
        return nb::module_::import_(module).attr(function)(self, *more, **keywords);
      },
      nb::sig(signature), doc);
}

// One function per file of this folder. Types come before those that have members of them.
void bind_model(nb::module_& m);
void bind_laws(nb::module_& m);
void bind_systems(nb::module_& m);
void bind_simulation(nb::module_& m);
void bind_analysis(nb::module_& m);
void bind_io(nb::module_& m);

}  // namespace percute::python
