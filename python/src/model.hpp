// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "values.hpp"

#include <percute/io/problem_file.hpp>
#include <percute/model/impact_history.hpp>
#include <percute/model/impact_result.hpp>
#include <percute/model/state.hpp>
#include <percute/systems/any_system.hpp>

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

/// What to keep of an impact: True or a Recording; none of False.
std::optional<Recording> recording_from_python(nb::handle history);

/// Applies a law, by default that of the problem, and judges the outcome; `history`: True, or a
/// Recording.
Outcome resolve_one(const std::shared_ptr<Problem>& problem, nb::handle law, nb::handle history);

// One function per file of this folder. Types come before those that have members of them.
void bind_model(nb::module_& m);
void bind_laws(nb::module_& m);
void bind_systems(nb::module_& m);
void bind_simulation(nb::module_& m);
void bind_analysis(nb::module_& m);
void bind_io(nb::module_& m);
void bind_pictures(nb::module_& m);

}  // namespace percute::python
