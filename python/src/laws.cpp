// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/text.hpp"
#include "model.hpp"

#include <percute/laws/complementarity.hpp>
#include <percute/laws/compliant.hpp>
#include <percute/laws/darboux_keller_single.hpp>
#include <percute/laws/fremond.hpp>
#include <percute/laws/impulse_ratios.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/laws/restitution_matrix.hpp>
#include <percute/laws/scalar_restitution.hpp>
#include <percute/laws/sequences.hpp>
#include <percute/laws/single_contact.hpp>
#include <percute/model/invalid_input.hpp>

#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace percute::python {

namespace {

// ------------------------------------------------------------------------------------------------
// laws as values

/// How a law goes from C++ to Python and back, by its class and by its kind.
struct KnownLaw {
  std::string_view kind;
  nb::handle type;
  AnyLaw (*from)(nb::handle value);
  nb::object (*to)(const AnyLaw& law);
};
std::vector<KnownLaw>& known_laws() {
  static auto& known = *new std::vector<KnownLaw>;
  return known;
}

/// A function of Python as a law. The last copy goes where it may: there Python is asked for.
struct PythonLaw {
  static constexpr std::string_view kKind = "custom";

  explicit PythonLaw(nb::handle given)
      : function(new nb::object(nb::borrow(given)), [](nb::object* held) {
          const nb::gil_scoped_acquire python;
          delete held;
        }) {}

  ImpactResult operator()(const ImpactProblem& problem) const;

  std::shared_ptr<nb::object> function;
};

/// What a function made of a problem, if it can be that.
ImpactResult call(nb::handle function, nb::handle problem, const ImpactProblem& given) {
  const nb::object made = function(problem);
  if (!nb::isinstance<Outcome>(made)) wrong_type(made, "an ImpactResult from a law");
  ImpactResult result = nb::cast<const Outcome&>(made).result;
  const auto require = [](const char* field, Eigen::Index size, Eigen::Index wanted) {
    if (size != wanted) {
      throw InvalidInput(
          field, "the law gave " + std::to_string(size) + " numbers for " + std::to_string(wanted));
    }
  };
  const auto m = static_cast<Eigen::Index>(given.contacts.size());
  require("velocity", result.velocity.size(), given.velocity.size());
  require("impulse", result.impulse.size(), m);
  if (result.dissipated.size() > 0) require("dissipated", result.dissipated.size(), m);
  if (result.dissipated_by_friction.size() > 0) {
    require("dissipated_by_friction", result.dissipated_by_friction.size(), m);
  }
  if (!result.tangential_impulse.empty()) {
    require("tangential_impulse", static_cast<Eigen::Index>(result.tangential_impulse.size()), m);
    for (std::size_t i = 0; i < given.contacts.size(); ++i) {
      require("tangential_impulse", result.tangential_impulse[i].size(),
              given.contacts[i].directions);
    }
  }
  return result;
}

ImpactResult PythonLaw::operator()(const ImpactProblem& problem) const {
  const nb::gil_scoped_acquire python;
  std::vector<Body> bodies = io::one_body_per_coordinate(problem.velocity.size());
  std::vector<std::string> names = io::name_contacts(problem.gradients, bodies);
  return call(*function, nb::cast(problem_of(problem, std::move(bodies), std::move(names), "")),
              problem);
}

/// A law of percute's own; none for what is only known to be callable.
std::optional<AnyLaw> own_law(nb::handle value) {
  if (nb::isinstance<nb::str>(value)) {
    const auto kind = nb::cast<std::string>(value);
    AnyLaw law = make_law(kind);
    if (!law) {
      const std::vector<std::string_view> kinds = law_kinds();
      throw InvalidInput("law", "unknown kind \"" + kind + "\"" + io::did_you_mean(kind, kinds) +
                                    "; allowed: " + io::join(kinds));
    }
    return law;
  }
  const nb::handle type = value.type();
  for (const KnownLaw& known : known_laws()) {
    if (known.type.is(type)) return known.from(value);
  }
  return {};
}

template <class Law>
void bind_law(nb::module_& m, const char* name, const char* doc) {
  auto made = bind_fields<Law>(m, name, "law", doc);
  made.def(
      "__call__",
      [](const Law& self, const Problem& problem) {
        const nb::gil_scoped_release alone;
        return Outcome{.result = self(problem.problem)};
      },
      sig("def __call__(self, problem: ImpactProblem, /) -> ImpactResult"),
      "What the law makes of a problem, not judged: resolve() does that.");
  made.attr("kind") = to_python(Law::kKind);
  known_laws().push_back(
      {.kind = Law::kKind,
       .type = nb::type<Law>(),
       .from = [](nb::handle value) { return AnyLaw(nb::cast<const Law&>(value)); },
       .to = [](const AnyLaw& law) { return nb::cast(*law.as<Law>()); }});
}

// ------------------------------------------------------------------------------------------------
// one impact

/// Applies a law, with memory that a thread has used before where the law has such.
ImpactResult apply(const ImpactProblem& problem, const AnyLaw& law, const Recording* recording) {
  if (recording != nullptr) return resolve(problem, law, *recording);
  constexpr std::size_t kSmall = 1000;  // contacts: memory of larger problems is not kept
  if (const auto* lzb = law.as<laws::Lzb>(); lzb != nullptr && problem.contacts.size() <= kSmall) {
    thread_local laws::LzbWorkspace workspace;
    return resolve(problem, *lzb, workspace);
  }
  return resolve(problem, law);
}

// ------------------------------------------------------------------------------------------------
// many impacts

/// Numbers that differ from impact to impact, one row each: memory of the array that was given.
struct Varied {
  using Setter = std::function<void(ImpactProblem& problem, AnyLaw& law, const double* row)>;

  nb::ndarray<const double, nb::c_contig> numbers;
  std::size_t rows;
  std::size_t columns;
  Setter set;

  const double* row(std::size_t impact) const {
    return numbers.data() + (rows == 1 ? 0 : impact * columns);
  }
};

/// A number of all contacts in one column, or one column per contact.
template <class Set>
Varied::Setter of_contacts(const std::string& key, std::size_t columns, std::size_t m, Set set) {
  if (columns != 1 && columns != m) {
    throw InvalidInput(key, "has " + std::to_string(columns) +
                                " columns; allowed: one, or one for each of " + std::to_string(m) +
                                " contacts");
  }
  return [columns, set](ImpactProblem& problem, AnyLaw&, const double* row) {
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      set(problem.contacts[i], row[columns == 1 ? 0 : i]);
    }
  };
}

/// Those fields of a material that are numbers, by their place among them.
double& number(Material& material, std::size_t place) {
  double* found = nullptr;
  std::size_t k = 0;
  fields(material, [&](const Field&, auto& member) {
    if constexpr (std::same_as<std::remove_cvref_t<decltype(member)>, double>) {
      if (k++ == place) found = &member;
    }
  });
  return *found;
}
std::vector<std::string_view> keys_of_numbers() {
  std::vector<std::string_view> keys;
  const Material material;
  fields(material, [&](const Field& field, const auto& member) {
    if (std::same_as<std::remove_cvref_t<decltype(member)>, double>) keys.push_back(field.key);
  });
  return keys;
}

/// An option of a law that is a number, by the words "law." and its key.
Varied::Setter of_law(const std::string& key, std::size_t columns, AnyLaw law) {
  std::vector<std::string_view> keys;
  law.visit([&](const Field& field, const Option& option) {
    if (std::holds_alternative<double*>(option) ||
        std::holds_alternative<std::optional<double>*>(option)) {
      keys.push_back(field.key);
    }
  });
  const std::string_view wanted = std::string_view(key).substr(4);
  if (std::ranges::find(keys, wanted) == keys.end()) {
    throw nb::type_error(("resolve_many: law " + std::string(law.kind()) + " has no number '" +
                          std::string(wanted) + "'" + io::did_you_mean(std::string(wanted), keys) +
                          "; it has: " + io::join(keys))
                             .c_str());
  }
  if (columns != 1) throw InvalidInput(key, "has several columns; allowed: one");
  return [option_key = std::string(wanted)](ImpactProblem&, AnyLaw& to, const double* row) {
    to.visit([&](const Field& field, const Option& option) {
      if (field.key != option_key) return;
      if (const auto* number = std::get_if<double*>(&option)) **number = *row;
      if (const auto* number = std::get_if<std::optional<double>*>(&option)) **number = *row;
    });
    to.check();
  };
}

Varied::Setter setter(const std::string& key, std::size_t columns, const ImpactProblem& problem,
                      const AnyLaw& law) {
  if (key.starts_with("law.")) return of_law(key, columns, law);
  const Eigen::Index n = problem.velocity.size();
  if (key == "velocity" || key == "mass") {
    if (static_cast<Eigen::Index>(columns) != n) {
      throw InvalidInput(key, "has " + std::to_string(columns) + " columns for " +
                                  std::to_string(n) + " coordinates");
    }
    if (key == "mass") {
      return [n](ImpactProblem& to, AnyLaw&, const double* row) {
        to.mass = MassMatrix::diagonal(Eigen::Map<const Vector>(row, n));
      };
    }
    return [n](ImpactProblem& to, AnyLaw&, const double* row) {
      to.velocity = Eigen::Map<const Vector>(row, n);
    };
  }
  if (key == "stored_energy") {
    return of_contacts(key, columns, problem.contacts.size(),
                       [](Contact& contact, double energy) { contact.stored_energy = energy; });
  }
  const std::vector<std::string_view> keys = keys_of_numbers();
  if (const auto found = std::ranges::find(keys, key); found != keys.end()) {
    const auto place = static_cast<std::size_t>(found - keys.begin());
    return of_contacts(
        key, columns, problem.contacts.size(),
        [place](Contact& contact, double value) { number(contact.material, place) = value; });
  }
  std::vector<std::string_view> known{"velocity", "mass", "stored_energy"};
  known.insert(known.end(), keys.begin(), keys.end());
  throw nb::type_error(("resolve_many: no '" + key + "'" + io::did_you_mean(key, known) +
                        "; arrays may be given of " + io::join(known) +
                        ", and of numbers of the law, \"law.…\"")
                           .c_str());
}

Varied varied(const std::string& key, nb::handle value, const ImpactProblem& problem,
              const AnyLaw& law) {
  Varied one{.numbers = nb::cast<nb::ndarray<const double, nb::c_contig>>(
                 rows_of_numbers(value, 2, "a matrix of numbers")),
             .rows = 1,
             .columns = 1,
             .set = {}};
  // One dimension: an impact's velocities or masses, or a number for all contacts of each impact.
  const bool of_bodies = key == "velocity" || key == "mass";
  if (one.numbers.ndim() == 1) (of_bodies ? one.columns : one.rows) = one.numbers.shape(0);
  if (one.numbers.ndim() == 2) {
    one.rows = one.numbers.shape(0);
    one.columns = one.numbers.shape(1);
  }
  one.set = setter(key, one.columns, problem, law);
  return one;
}

/// Numbers of all outcomes, one row each.
struct Outcomes {
  std::size_t n;
  std::size_t m;
  std::vector<double> velocity, impulse, gap_rate, before, after, dissipated, balance_error;
  std::vector<std::int64_t> status, steps;

  Outcomes(std::size_t count, std::size_t coordinates, std::size_t contacts)
      : n(coordinates),
        m(contacts),
        velocity(count * n),
        impulse(count * m),
        gap_rate(count * m),
        before(count),
        after(count),
        dissipated(count),
        balance_error(count),
        status(count),
        steps(count) {}

  void keep(std::size_t k, const ImpactResult& result) {
    std::ranges::copy(result.velocity, velocity.begin() + static_cast<std::ptrdiff_t>(k * n));
    std::ranges::copy(result.impulse, impulse.begin() + static_cast<std::ptrdiff_t>(k * m));
    std::ranges::copy(result.gap_rate, gap_rate.begin() + static_cast<std::ptrdiff_t>(k * m));
    before[k] = result.energy.before;
    after[k] = result.energy.after;
    dissipated[k] = result.energy.dissipated;
    balance_error[k] = result.energy.balance_error;
    status[k] = static_cast<std::int64_t>(result.status);
    steps[k] = result.diagnostics.steps;
  }

  /// Their memory goes to the arrays.
  nb::dict arrays() && {
    const std::size_t count = before.size();
    nb::dict all;
    all["velocity"] = array(std::move(velocity), count, n);
    all["impulse"] = array(std::move(impulse), count, m);
    all["gap_rate"] = array(std::move(gap_rate), count, m);
    all["energy_before"] = array(std::move(before));
    all["energy_after"] = array(std::move(after));
    all["dissipated"] = array(std::move(dissipated));
    all["balance_error"] = array(std::move(balance_error));
    all["status_code"] = array(std::move(status));
    all["steps"] = array(std::move(steps));
    return all;
  }
};

/// Does work(first, last) on parts of 0 … count, on so many threads; the first error is thrown.
void in_threads(std::size_t count, int threads,
                const std::function<void(std::atomic<std::size_t>& next)>& work) {
  const auto most = std::max<std::size_t>(
      1, std::min<std::size_t>(count, threads > 0 ? static_cast<std::size_t>(threads)
                                                  : std::thread::hardware_concurrency()));
  std::atomic<std::size_t> next = 0;
  std::exception_ptr error;
  std::mutex one_at_a_time;
  const auto guarded = [&] {
    try {
      work(next);
    } catch (...) {
      const std::lock_guard lock(one_at_a_time);
      if (!error) error = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> others;
  for (std::size_t k = 1; k < most; ++k) others.emplace_back(guarded);
  guarded();
  for (std::thread& other : others) other.join();
  if (error) std::rethrow_exception(error);
}

nb::dict resolve_many(const std::shared_ptr<Problem>& problem, nb::handle law, int threads,
                      const nb::dict& arrays) {
  AnyLaw chosen = problem->law;
  if (!law.is_none()) from_python(law, chosen);
  std::vector<Varied> all;
  for (const auto& [key, value] : arrays) {
    all.push_back(varied(nb::cast<std::string>(key), value, problem->problem, chosen));
  }
  if (all.empty())
    throw InvalidInput("resolve_many",
                       "nothing differs: give an array of velocities or parameters");
  const std::size_t total = std::ranges::max_element(all, {}, &Varied::rows)->rows;
  for (const Varied& one : all) {
    if (one.rows != total && one.rows != 1) {
      throw InvalidInput("resolve_many", "arrays of " + std::to_string(one.rows) + " and " +
                                             std::to_string(total) + " impacts do not go together");
    }
  }
  Outcomes outcomes(total, static_cast<std::size_t>(problem->problem.velocity.size()),
                    problem->problem.contacts.size());
  const nb::gil_scoped_release alone;
  in_threads(total, threads, [&](std::atomic<std::size_t>& next) {
    constexpr std::size_t kAtOnce = 64;
    ImpactProblem own = problem->problem;
    AnyLaw law_here = chosen;
    for (std::size_t from = next.fetch_add(kAtOnce); from < total; from = next.fetch_add(kAtOnce)) {
      for (std::size_t k = from; k < std::min(from + kAtOnce, total); ++k) {
        try {
          for (const Varied& one : all) one.set(own, law_here, one.row(k));
          outcomes.keep(k, apply(own, law_here, nullptr));
        } catch (const InvalidInput& error) {
          throw InvalidInput("impact " + std::to_string(k) + ": " + error.field(), error.reason());
        }
      }
    }
  });
  const nb::gil_scoped_acquire python;
  return std::move(outcomes).arrays();
}

}  // namespace

std::optional<Recording> recording_from_python(nb::handle history) {
  if (nb::isinstance<Recording>(history)) return nb::cast<const Recording&>(history);
  bool wanted = false;
  from_python(history, wanted);
  return wanted ? std::optional<Recording>(std::in_place) : std::nullopt;
}

Outcome resolve_one(const std::shared_ptr<Problem>& problem, nb::handle law, nb::handle history) {
  std::optional<AnyLaw> own = law.is_none() ? problem->law : own_law(law);
  const std::optional<Recording> recording = recording_from_python(history);
  if (own && own->as<PythonLaw>() != nullptr) {
    law = *own->as<PythonLaw>()->function;
    own.reset();
  }
  if (own) {
    const nb::gil_scoped_release alone;
    return {.result = apply(problem->problem, *own, recording ? &*recording : nullptr),
            .problem = problem};
  }
  if (!PyCallable_Check(law.ptr())) wrong_type(law, "a law, the kind of one, or a function");
  if (recording)
    throw InvalidInput("history", "a function of your own has no inner time to record");
  Outcome outcome{.result = call(law, nb::cast(problem), problem->problem), .problem = problem};
  note_left_out(problem->problem, {}, true, outcome.result);
  complete(problem->problem, outcome.result);
  return outcome;
}

nb::object to_python(const AnyLaw& law) {
  if (!law) return nb::none();
  if (const auto* own = law.as<PythonLaw>()) return *own->function;
  const auto& all = known_laws();
  const auto known = std::ranges::find(all, law.kind(), &KnownLaw::kind);
  return known == all.end() ? nb::none() : known->to(law);
}

void from_python(nb::handle value, AnyLaw& to) {
  if (std::optional<AnyLaw> own = own_law(value)) {
    to = std::move(*own);
  } else if (PyCallable_Check(value.ptr())) {
    to = PythonLaw(value);
  } else {
    wrong_type(value, "a law, the kind of one, or a function");
  }
}

namespace {

/// Restitution of a single contact in closed form.
void bind_single_contacts(nb::module_& m) {
  using namespace laws;
  define(m, "kelvin_voigt_restitution", &kelvin_voigt_restitution, "zeta",
         "Of damping ratio ζ = c/(2√(k m)), letting go at zero force.");
  define(m, "kelvin_voigt_restitution_with_tension", &kelvin_voigt_restitution_with_tension, "zeta",
         "The same where the contact may pull: exp(−πζ/√(1−ζ²)).");
  define(m, "kelvin_voigt_damping_ratio", &kelvin_voigt_damping_ratio, "e",
         "ζ for a wanted restitution, letting go at zero force.");
  define(m, "hunt_crossley_restitution", &hunt_crossley_restitution, "x",
         "Of x = χ v0: (1 + e) x = ln((1 + x)/(1 − e x)).");
  define(m, "hunt_crossley_damping", &hunt_crossley_damping, "e", "x = χ v0 for a wanted e.");
  define(m, "lankarani_nikravesh_restitution", &lankarani_nikravesh_restitution, "coefficient",
         "The restitution that a coefficient of Lankarani and Nikravesh really gives.");
  define(m, "tsuji_restitution_with_tension", &tsuji_restitution_with_tension, "beta",
         "Tsuji, Tanaka, Ishida, pulling allowed: exp(−πβ/√(5 − β²)).");
  define(m, "tsuji_beta", &tsuji_beta, "e", "β for a wanted e, pulling allowed.");
  define(m, "walton_braun_restitution", &walton_braun_restitution, "loading, unloading",
         "√(k1/k2).");
  define(m, "elastoplastic_restitution", &elastoplastic_restitution, "ratio",
         "Elastoplastic spheres (Thornton 1997) at this speed over yield speed.");
  define(m, "linear_duration", &linear_duration, "stiffness, mass",
         "Of a linear spring, π√(m/k) [s].");
  define(m, "largest_indentation", &largest_indentation, "stiffness, exponent, mass, speed",
         "Of a power law k δ^n [m].");
  define(m, "power_law_time_to_peak", &power_law_time_to_peak, "stiffness, exponent, mass, speed",
         "Of a power law k δ^n: from touching to the largest force [s].");
  define(m, "power_law_duration", &power_law_duration,
         "stiffness, exponent, mass, speed, restitution=1.0",
         "Of a power law k δ^n with bi-stiffness unloading [s].");
  define(m, "stiffness_from_time_to_peak", &stiffness_from_time_to_peak,
         "time_to_peak, exponent, mass, speed", "k from a measured time [N/m^n].");
  define(m, "stiffness_from_contact_duration", &stiffness_from_contact_duration,
         "contact_duration, exponent, mass, speed, restitution=1.0",
         "k from a measured duration [N/m^n].");
}

}  // namespace

void bind_laws(nb::module_& m) {
  nb::module_ made = m.def_submodule("laws", "The laws: what an impact does, given as a problem.");
  bind_law<laws::Lzb>(
      made, "Lzb",
      "Liu–Zhao–Brogliato law: contacts store and return energy, and impulses divide accordingly.");
  bind_law<laws::Moreau>(made, "Moreau", "One restitution coefficient for the whole impact.");
  bind_law<laws::Newton>(made, "Newton", "Each contact has its own restitution of velocity.");
  bind_law<laws::Poisson>(made, "Poisson",
                          "Compression, then restitution of impulse, with Coulomb friction.");
  bind_law<laws::RestitutionMatrix>(made, "RestitutionMatrix", "U⁺ = −R U⁻ with a given matrix R.");
  bind_law<laws::FremondQuadratic>(
      made, "FremondQuadratic", "Frémond's law with a quadratic pseudo-potential of dissipation.");
  bind_law<laws::FremondCone>(made, "FremondCone",
                              "Frémond's law: impulses combine given patterns.");
  bind_law<laws::ImpulseRatios>(
      made, "ImpulseRatios", "Impulse correlation ratios: the direction of the impulses is given.");
  bind_law<laws::Binary>(made, "Binary", "A sequence of collisions at one contact each.");
  bind_law<laws::SimultaneousSet>(made, "SimultaneousSet",
                                  "Sets of contacts collide at once, one after the other.");
  bind_law<laws::ScalarRestitution>(made, "ScalarRestitution",
                                    "Compression with one scalar of restitution, and friction.");
  bind_law<laws::CradleSort>(made, "CradleSort", "Equal balls in a row exchange velocities.");
  bind_law<laws::Coulomb>(made, "Coulomb", "Restitution and Coulomb friction, solved together.");
  bind_law<laws::DarbouxKellerSingle>(
      made, "DarbouxKellerSingle",
      "A single contact with friction, in the variable of its impulse.");
  bind_law<laws::Compliant>(made, "Compliant",
                            "Contacts are springs and dampers, integrated in time.");
  bind_single_contacts(made);
  define(
      made, "from_next_over_previous",
      +[](const std::vector<double>& ratios) { return laws::from_next_over_previous(ratios); },
      "ratios", "Direction of ImpulseRatios along a row of contacts from the ratios p_(i+1)/p_i.");
  m.def(
      "law_kinds",
      [] {
        std::vector<std::string> kinds;
        for (const std::string_view kind : law_kinds()) kinds.emplace_back(kind);
        return to_python(kinds);
      },
      sig("def law_kinds() -> list[str]"), "The kinds of laws, as files name them.");
  m.def(
      "make_law",
      [](const std::string& kind, const nb::kwargs& options) {
        const nb::object law = to_python(*own_law(to_python(kind)));
        return law.attr("replace")(**options);
      },
      nb::arg("kind"), nb::arg("options"),
      sig("def make_law(kind: str, **options: Any) -> Callable[[ImpactProblem], ImpactResult]"),
      "The law of a kind.");

  m.def(
      "resolve", &resolve_one, nb::arg("problem"), nb::arg("law") = nb::none(), nb::kw_only(),
      nb::arg("history") = false,
      sig("def resolve(problem: ImpactProblem, law: Law | None = None, *, history: bool | "
          "Recording = False) -> ImpactResult"),
      "Applies a law to a problem and judges the outcome.\n\n"
      "The law is one of percute.laws, the kind of one (\"lzb\", with its defaults), or any "
      "function that makes an ImpactResult of an ImpactProblem; without one, that of the problem. "
      "With history=True, or a Recording, result.history holds the evolution inside the impact.");
  m.def(
      "_statuses",
      [] {
        std::vector<std::string> words;
        for (const std::string_view word : words_of<Status>()) words.emplace_back(word);
        return to_python(words);
      },
      sig("def _statuses() -> list[str]"));
  m.def(
      "_time_resolve",
      [](const Problem& problem, nb::handle law, int count) {
        AnyLaw chosen;
        from_python(law, chosen);
        const nb::gil_scoped_release alone;
        const auto begin = std::chrono::steady_clock::now();
        for (int k = 0; k < count; ++k) apply(problem.problem, chosen, nullptr);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      },
      nb::arg("problem"), nb::arg("law"), nb::arg("count"),
      sig("def _time_resolve(problem: ImpactProblem, law: Law, count: int) -> float"),
      "Seconds that C++ alone takes: for measurements.");
  m.def("_resolve_many", &resolve_many, nb::arg("problem"), nb::arg("law").none(),
        nb::arg("threads"), nb::arg("arrays"),
        sig("def _resolve_many(problem: ImpactProblem, law: Law | None, threads: int, arrays: "
            "dict[str, Any]) -> dict[str, Any]"));
}

}  // namespace percute::python
