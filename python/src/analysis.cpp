// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io.hpp"
#include "io/analysis_file.hpp"
#include "io/comparison.hpp"
#include "reproduction/rows.hpp"

#include <percute/analysis/chain_waves.hpp>
#include <percute/analysis/problem_analysis.hpp>
#include <percute/io/problem_file.hpp>
#include <percute/model/invalid_input.hpp>
#ifdef PERCUTE_HAS_FIT
#include <percute/io/fit_file.hpp>
#endif

#include <algorithm>

// Structs that no file has are listed here.

namespace percute::analysis {

template <Same<Indices> S>
void members(S& indices, auto&& visit) {
  visit(Field{"energy_ratio", "KER = T⁺/T⁻; none where nothing moved"}, indices.energy_ratio);
  visit(Field{"relative_energy_ratio", "KER_rel, the same for every observer"},
        indices.relative_energy_ratio);
  visit(Field{"dispersion", "C_KE: 0 where all bodies have the same energy"}, indices.dispersion);
  visit(Field{"normal_work", "W_n", {}, "J"}, indices.normal_work);
  visit(Field{"tangential_work", "W_t", {}, "J"}, indices.tangential_work);
  visit(Field{"sliding_loss", "D_t", {}, "J"}, indices.sliding_loss);
}
template <Same<OutcomeSet> S>
void members(S& set, auto&& visit) {
  visit(Field{"inverse_delassus", "G⁻¹, m × m", {}, "kg"}, set.inverse_delassus);
  visit(Field{"before", "U⁻", {}, "m/s"}, set.before);
  visit(Field{"largest", "box around it: 0 ≤ U_i⁺ ≤ this", {}, "m/s"}, set.largest);
  visit(Field{"speed", "V = max |U⁻|", {}, "m/s"}, set.speed);
  visit(Field{"kinetic_energy", "T⁻", {}, "J"}, set.kinetic_energy);
  visit(Field{"reachable_energy", "all that normal impulses could take", {}, "J"},
        set.reachable_energy);
}
template <Same<IcrIdentification> S>
void members(S& icr, auto&& visit) {
  visit(Field{"impulse", "p", {}, "N s"}, icr.impulse);
  visit(Field{"direction", "p / max p"}, icr.direction);
  visit(Field{"next_over_previous", "p_(i+1)/p_i"}, icr.next_over_previous);
  visit(Field{"previous_over_next", "p_i/p_(i+1)"}, icr.previous_over_next);
  visit(Field{"restitution", "along the direction"}, icr.restitution);
  visit(Field{"energy_ratio", "KER"}, icr.energy_ratio);
  visit(Field{"unexplained", "share of a measured jump that no pushing contact explains"},
        icr.unexplained);
  visit(Field{"non_unique", "other impulses give the same velocities"}, icr.non_unique);
}
template <Same<DistinctOutcomes> S>
void members(S& found, auto&& visit) {
  visit(Field{"velocities", "v⁺, each different from the others"}, found.velocities);
  visit(Field{"counts", "how often each was met"}, found.counts);
  visit(Field{"spread", "largest distance of two of them"}, found.spread);
  visit(Field{"tried", "choices that led to an answer"}, found.tried);
  visit(Field{"failed", "choices that led to none"}, found.failed);
  visit(Field{"complete", "every choice was tried"}, found.complete);
}
template <Same<Termination> S>
void members(S& end, auto&& visit) {
  visit(Field{"diagnosis", "how a law came to its end"}, end.diagnosis);
  visit(Field{"collisions", "of a sequence, or changes of contact state"}, end.collisions);
  visit(Field{"stages", "times an algebraic law was applied"}, end.stages);
  visit(Field{"iterations", "pivots, sweeps, Newton or integration steps"}, end.iterations);
  visit(Field{"residual", "approach left when a cascade was cut off", {}, "m/s"}, end.residual);
  visit(Field{"contraction", "by what impulses shrink from visit to visit"}, end.contraction);
}
template <Same<SolitaryWave> S>
void members(S& wave, auto&& visit) {
  visit(Field{"peak_velocity", "v_peak", {}, "m/s"}, wave.peak_velocity);
  visit(Field{"exponent", "η"}, wave.exponent);
  visit(Field{"speed", "V", {}, "balls/s"}, wave.speed);
  visit(Field{"peak_force", "", {}, "N"}, wave.peak_force);
  visit(Field{"support", "L", {}, "balls"}, wave.support);
  visit(Field{"half_width", "full width at half maximum of the velocity", {}, "balls"},
        wave.half_width);
}

}  // namespace percute::analysis

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

/// What laws can reach by their parameters, as arrays: one dict per family of a law.
nb::object outcome_plane(const Problem& problem, const std::string& laws, long samples) {
  const io::Comparison comparison = compare(document_of(problem), laws);
  std::vector<io::PlaneLaw> found;
  {
    const nb::gil_scoped_release alone;
    found = io::outcome_plane(comparison, {.samples = samples});
  }
  nb::list all;
  for (const io::PlaneLaw& law : found) {
    const std::vector<analysis::OutcomeSample>& list = law.coverage.samples;
    std::vector<double> parameters;
    std::vector<double> outcome;
    std::vector<double> energy_ratio;
    nb::list admissible;
    for (const analysis::OutcomeSample& one : list) {
      parameters.insert(parameters.end(), one.parameters.begin(), one.parameters.end());
      outcome.insert(outcome.end(), one.outcome.begin(), one.outcome.end());
      energy_ratio.push_back(one.energy_ratio);
      admissible.append(one.admissible);
    }
    nb::list names;
    for (const analysis::Parameter& one : law.family.parameters) names.append(one.name.c_str());
    nb::dict made;
    made["law"] = to_python(law.family.name);
    made["parameter_names"] = names;
    made["parameters"] = array(std::move(parameters), list.size(), law.family.parameters.size());
    made["outcome"] = array(std::move(outcome), list.size(), problem.problem.contacts.size());
    made["energy_ratio"] = array(std::move(energy_ratio));
    made["admissible"] = nb::module_::import_("numpy").attr("asarray")(admissible);
    made["coverage"] = law.coverage.fraction();
    all.append(made);
  }
  return all;
}

/// A result of resolve(), with its problem.
const Problem& judged(const Outcome& outcome) {
  if (!outcome.problem) throw InvalidInput("result", "nobody has judged it: resolve() does");
  return *outcome.problem;
}

void bind_questions(nb::module_& m) {
  using namespace analysis;
  bind_result<Indices>(m, "Indices", "Numbers by which outcomes of different laws are compared.");
  define(
      m, "indices",
      +[](const Outcome& result) {
        const Problem& problem = judged(result);
        return indices(problem.problem, result.result, problem.bodies);
      },
      "result", "Of what resolve() gave.");
  define(
      m, "reachable_energy",
      +[](const Problem& problem) { return reachable_energy(problem.problem); }, "problem",
      "All that impulses at the contacts could take [J].");

  auto set = bind_result<OutcomeSet>(
      m, "OutcomeSet",
      "All outcomes an impact without friction may have, in the space of its gap rates: nothing "
      "approaches, contacts only push, no energy is created.");
  define(set, "contains", &OutcomeSet::contains, "gap_rate, tolerance=1e-10",
         "Whether gap rates after the impact belong to it.");
  define(set, "energy_ratio", &OutcomeSet::energy_ratio, "gap_rate",
         "KER of gap rates after the impact.");
  define(
      m, "outcome_set", +[](const Problem& problem) { return outcome_set(problem.problem); },
      "problem", "Of a problem without friction and with independent contacts.");

  auto icr = bind_result<IcrIdentification>(
      m, "IcrIdentification", "Impulse correlation ratios of one outcome, and how far it went.");
  using Closure = laws::ImpulseRatios::Closure;
  define(icr, "law", taking<Closure, double>(&IcrIdentification::law),
         "closure='ray_energetic', tolerance=1e-6",
         "The law ImpulseRatios that repeats the outcome.");
  define(
      m, "identify_icr",
      +[](const Outcome& result) { return identify_icr(judged(result).problem, result.result); },
      "result", "Of what a law did.");
  define(
      m, "identify_icr_from_impulses",
      +[](const Problem& problem, const Vector& impulse) {
        return identify_icr_from_impulses(problem.problem, impulse);
      },
      "problem, impulse", "Of given normal impulses [N s].");
  define(
      m, "identify_icr_from_velocities",
      +[](const Problem& problem, const Vector& velocity) {
        return identify_icr_from_velocities(problem.problem, velocity);
      },
      "problem, velocity", "Of velocities measured after the impact.");

  bind_result<Termination>(m, "Termination", "How a law came to its end, and at what cost.");
  define(
      m, "termination", +[](const Outcome& result) { return termination(result.result); }, "result",
      "Of what resolve() gave.");
  define(
      m, "collapses",
      +[](const Problem& problem, double restitution) {
        return collapses(problem.problem, restitution);
      },
      "problem, restitution", "Whether collisions one after another never end.");
  define(
      m, "collapse_threshold",
      +[](const Problem& problem) { return collapse_threshold(problem.problem); }, "problem",
      "Restitution below which they never do.");

  bind_result<DistinctOutcomes>(
      m, "DistinctOutcomes",
      "The different answers a law gives to one impact where it may choose.");
  define(
      m, "over_orders",
      +[](const Problem& problem, const std::optional<laws::Binary>& law, long most) {
        return over_orders(problem.problem, law.value_or(laws::Binary()), most);
      },
      "problem, law=None, most=10000", "Over all orders of collisions one after another.");
  define(
      m, "over_modes",
      +[](const Problem& problem, const std::optional<laws::Coulomb>& law) {
        return over_modes(problem.problem, law.value_or(laws::Coulomb()));
      },
      "problem, law=None", "Over open, sticking and sliding contacts.");
  define(
      m, "over_starting_points",
      +[](const Problem& problem, const std::optional<laws::Coulomb>& law, int starts,
          std::int64_t seed) {
        return over_starting_points(problem.problem, law.value_or(laws::Coulomb()), starts,
                                    static_cast<std::uint64_t>(seed));
      },
      "problem, law=None, starts=100, seed=1", "Over random impulses to start from.");

  auto wave = bind_result<SolitaryWave>(
      m, "SolitaryWave", "Nesterenko's wave in a chain of equal balls, in the long-wave limit.");
  define(wave, "velocity", &SolitaryWave::velocity, "x", "At x balls from the maximum [m/s].");
  define(m, "solitary_wave", &solitary_wave, "mass, stiffness, exponent, peak_velocity",
         "In a chain of balls of this mass [kg] and stiffness [N/m^η].");
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
  const auto signature = [](const char* call) {
    return sig(std::string("def ") + call + " -> dict[str, Any]");
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
  m.def("_outcome_plane", &outcome_plane, nb::arg("problem"), nb::arg("laws"), nb::arg("samples"),
        sig("def _outcome_plane(problem: ImpactProblem, laws: str, samples: int) -> list[dict[str, "
            "Any]]"));
  m.def(
      "_reproduce",
      [](nb::handle words) {
        std::vector<std::string> list;
        from_python(words, list);
        return reproduce(list);
      },
      nb::arg("words"), signature("_reproduce(words: Sequence[str])"));
  m.def("reproducible", &reproducible, sig("def reproducible() -> dict[str, str]"),
        "Published tables, figures and cases that reproduce() computes again: id and title.");
#ifdef PERCUTE_HAS_FIT
  m.def("_fit", &fit, nb::arg("document"), signature("_fit(document: Scene)"));
#endif
  nb::module_ made = m.def_submodule("analysis", "Questions about impacts and their outcomes.");
  bind_questions(made);
}

}  // namespace percute::python
