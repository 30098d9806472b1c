// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model.hpp"

#include "io/columns.hpp"

#include <percute/model/elastic_material.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>

// Structs without fields() in files have members() here: what Python sees of them, in the order of
// C++.

namespace percute {

template <Same<ElasticMaterial> S>
void members(S& material, auto&& visit) {
  visit(Field{"youngs_modulus", "E; infinite: rigid", Range::positive().or_infinite(), "Pa"},
        material.youngs_modulus);
  visit(Field{"poisson_ratio", "ν, above −1 and up to 1/2", Range{-1.0, 0.5, true}},
        material.poisson_ratio);
  visit(Field{"density", "ρ; only where masses follow from it", Range::not_negative(), "kg/m³"},
        material.density);
}
template <Same<Body> S>
void members(S& body, auto&& visit) {
  visit(Field{"name", ""}, body.name);
  visit(Field{"coordinates", "indices into the generalised coordinates"}, body.coordinates);
  visit(Field{"axes", "one per coordinate, e.g. \"x\"; empty: numbered"}, body.axes);
  visit(Field{"units", "of velocities, one per coordinate; empty: all m/s"}, body.units);
}
template <Same<Contact> S>
void members(S& contact, auto&& visit) {
  visit(Field{"material", ""}, contact.material);
  visit(Field{"stored_energy", "of precompression", Range::not_negative(), "J"},
        contact.stored_energy);
}
template <Same<State> S>
void members(S& state, auto&& visit) {
  visit(Field{"position", "q, generalised coordinates"}, state.position);
  visit(Field{"velocity", "v, generalised velocities"}, state.velocity);
}

template <Same<EnergyLedger> S>
void members(S& energy, auto&& visit) {
  visit(Field{"before", "kinetic, T(v⁻)", {}, "J"}, energy.before);
  visit(Field{"after", "kinetic, T(v⁺)", {}, "J"}, energy.after);
  visit(Field{"dissipated", "Σ over the contacts", {}, "J"}, energy.dissipated);
  visit(Field{"stored", "still stored when the law ended", {}, "J"}, energy.stored);
  visit(Field{"balance_error", "defect of the ledger over the energy that was there"},
        energy.balance_error);
}
template <Same<Consistency::Margins> S>
void members(S& margins, auto&& visit) {
  visit(Field{"momentum", "|M (v⁺ − v⁻) − W p|_∞"}, margins.momentum);
  visit(Field{"identity", "T⁺ − T⁻ − ½ pᵀ (U⁺ + U⁻)", {}, "J"}, margins.identity);
  visit(Field{"energetic", "energy lost", {}, "J"}, margins.energetic);
  visit(Field{"kinematic", "min U_i⁺", {}, "m/s"}, margins.kinematic);
  visit(Field{"kinetic", "min p_i / (m_i vs)"}, margins.kinetic);
  visit(Field{"friction_cone", "min μ_i p_i − |p_t,i|", {}, "N s"}, margins.friction_cone);
}
template <Same<Consistency> S>
void members(S& verdict, auto&& visit) {
  visit(Field{"momentum", ""}, verdict.momentum);
  visit(Field{"identity", ""}, verdict.identity);
  visit(Field{"energetic", "no energy is created"}, verdict.energetic);
  visit(Field{"kinematic", "nothing approaches any more"}, verdict.kinematic);
  visit(Field{"kinetic", "contacts only push"}, verdict.kinetic);
  visit(Field{"friction_cone", "tangential impulses are inside Coulomb's cone"},
        verdict.friction_cone);
  visit(Field{"friction_ignored", "contacts have friction that the law left out"},
        verdict.friction_ignored);
  visit(Field{"restitution_ignored", "contacts have a restitution that the law left out"},
        verdict.restitution_ignored);
  visit(Field{"margins", ""}, verdict.margins);
}
template <Same<ContactSummary> S>
void members(S& contact, auto&& visit) {
  visit(Field{"compressions", "number of compression phases"}, contact.compressions);
  visit(Field{"impacts", "activations and re-engagements"}, contact.impacts);
  visit(Field{"maximal_force", "", {}, "N"}, contact.maximal_force);
  visit(Field{"maximal_force_time", "τ of it", {}, "s"}, contact.maximal_force_time);
  visit(Field{"first_contact_time", "τ at which it was first loaded", {}, "s"},
        contact.first_contact_time);
  visit(Field{"opening_time", "τ at which it let go for good", {}, "s"}, contact.opening_time);
  visit(Field{"duration", "total τ during which it carried a force", {}, "s"}, contact.duration);
}
template <Same<ImpactPhase> S>
void members(S& phase, auto&& visit) {
  visit(Field{"motion", ""}, phase.motion);
  visit(Field{"compression", "bodies still approach"}, phase.compression);
  visit(Field{"from_impulse", "normal, at its begin", {}, "N s"}, phase.from);
  visit(Field{"to_impulse", "normal, at its end", {}, "N s"}, phase.to);
}
template <Same<Collision> S>
void members(S& collision, auto&& visit) {
  visit(Field{"contact", "index in the problem"}, collision.contact);
  visit(Field{"impulse", "", {}, "N s"}, collision.impulse);
  visit(Field{"energy_ratio", "kinetic energy after it over that before the impact"},
        collision.energy_ratio);
}
template <Same<AlgebraicDiagnostics> S>
void members(S& told, auto&& visit) {
  visit(Field{"stages", "times the law was applied, one after the other"}, told.stages);
  visit(Field{"iterations", "pivots, sweeps or Newton steps of all stages"}, told.iterations);
  visit(Field{"residual", "largest scaled error of what was solved"}, told.residual);
  visit(Field{"sequence", "collisions in turn"}, told.sequence);
  visit(Field{"energy_bound", "energy_unreachable: the smallest ratio possible"},
        told.energy_bound);
  visit(Field{"restitution_factor", "reduce_e: what all coefficients were cut by"},
        told.restitution_factor);
  visit(Field{"fremond_fallback", "fallback_fremond: θ = 1 was used"}, told.fremond_fallback);
  visit(Field{"multiple_solutions", "velocities may be one choice of several"},
        told.multiple_solutions);
}
template <Same<Diagnostics> S>
void members(S& told, auto&& visit) {
  visit(Field{"tolerance", "relative accuracy asked for; 0: closed form"}, told.tolerance);
  visit(Field{"evaluations", "right-hand sides"}, told.evaluations);
  visit(Field{"event_evaluations", "of these, spent on locating events"}, told.event_evaluations);
  visit(Field{"steps", "accepted"}, told.steps);
  visit(Field{"rejected", "rejected steps"}, told.rejected);
  visit(Field{"events", "changes of contact state"}, told.events);
  visit(Field{"duration", "pseudo-time at the end, τ", {}, "s"}, told.duration);
  visit(Field{"residual_velocity", "zeno: max |U| when the collapse rule applied", {}, "m/s"},
        told.residual_velocity);
  visit(Field{"verify_difference", "max |Δv⁺| against the run at tolerance/10", {}, "m/s"},
        told.verify_difference);
  visit(
      Field{"reengagement_difference", "max |Δv⁺| between zero_gap and tracked_gap over max |v⁻|"},
      told.reengagement_difference);
  visit(Field{"contacts", "empty for laws without an inner time"}, told.contacts);
  visit(Field{"algebraic", "laws without an inner time only"}, told.algebraic);
  visit(Field{"phases", "laws of a single contact only"}, told.phases);
  visit(Field{"reason", "of a status that is no answer"}, told.reason);
}

template <Same<ImpactEvent> S>
void members(S& event, auto&& visit) {
  visit(Field{"time", "pseudo-time τ", {}, "s"}, event.time);
  visit(Field{"contact", "−1 when it concerns all contacts"}, event.contact);
  visit(Field{"kind", ""}, event.kind);
  visit(Field{"impulse", "of that contact", {}, "N s"}, event.impulse);
  visit(Field{"gap_rate", "", {}, "m/s"}, event.gap_rate);
  visit(Field{"stored_energy", "just before the event", {}, "J"}, event.stored_energy);
  visit(Field{"force", "just before the event", {}, "N"}, event.force);
}
template <Same<ImpactHistory> S>
void members(S& history, auto&& visit) {
  visit(Field{"time", "pseudo-time τ of each sample", {}, "s"}, history.time);
  visit(Field{"impulse", "P_i, one row per sample", {}, "N s"}, history.impulse);
  visit(Field{"tangential_impulse", "contact by contact; empty without friction", {}, "N s"},
        history.tangential_impulse);
  visit(Field{"force", "λ_i", {}, "N"}, history.force);
  visit(Field{"indentation", "ξ_i", {}, "m"}, history.indentation);
  visit(Field{"stored_energy", "E_i", {}, "J"}, history.stored_energy);
  visit(Field{"dissipated", "D_i", {}, "J"}, history.dissipated);
  visit(Field{"gap_rate", "U_i", {}, "m/s"}, history.gap_rate);
  visit(Field{"velocity", "v", {}, "m/s"}, history.velocity);
  visit(Field{"kinetic_energy", "T of each sample", {}, "J"}, history.kinetic_energy);
  visit(Field{"total_impulse", "Σ_i P_i", {}, "N s"}, history.total_impulse);
  visit(Field{"primary", "contact with the largest stored energy; −1 if none is loaded"},
        history.primary);
  visit(Field{"events", ""}, history.events);
}
template <Same<Recording> S>
void members(S& recording, auto&& visit) {
  visit(Field{"every", "keep every k-th accepted step; 0: events and `times` only",
              Range::not_negative()},
        recording.every);
  visit(Field{"times", "ascending extra instants τ", {}, "s"}, recording.times);
}

namespace python {

template <Same<Outcome> S>
void members(S& outcome, auto&& visit) {
  auto& result = outcome.result;
  visit(Field{"velocity", "v⁺"}, result.velocity);
  visit(Field{"impulse", "p ≥ 0, one per contact", {}, "N s"}, result.impulse);
  visit(Field{"tangential_impulse", "one per contact; empty: all zero", {}, "N s"},
        result.tangential_impulse);
  visit(Field{"dissipated", "energy lost at each contact", {}, "J"}, result.dissipated);
  visit(
      Field{
          "dissipated_by_friction", "of it, lost in sliding; empty: the law cannot tell", {}, "J"},
      result.dissipated_by_friction);
  visit(Field{"gap_rate", "U⁺", {}, "m/s"}, result.gap_rate);
  visit(Field{"tangential_velocity", "U_t⁺ of each contact", {}, "m/s"},
        result.tangential_velocity);
  visit(Field{"status", "how the law ended"}, result.status);
  visit(Field{"energy", "the ledger"}, result.energy);
  visit(Field{"consistency", "verdicts with their margins"}, result.consistency);
  visit(Field{"non_unique_impulse", "redundant contacts: velocities are unique, impulses are not"},
        result.non_unique_impulse);
  visit(Field{"diagnostics", "cost and quality of the computation"}, result.diagnostics);
  visit(Field{"history", "empty unless asked for"}, result.history);
  visit(Field{"problem", "what was resolved; none before resolve() has judged it"},
        outcome.problem);
}

namespace {

/// What is written in Python about a class, percute._tables: `kind`_frame and so on.
template <class Class>
void add_tables(Class& of, const char* frame, const char* dataset, const char* rows) {
  python_method(of, "to_dataframe", "percute._tables", frame, "def to_dataframe(self) -> Any",
                rows);
  python_method(of, "to_xarray", "percute._tables", dataset, "def to_xarray(self) -> Any",
                "As xarray's Dataset, with units.");
}
template <class Class>
void add_text(Class& of, const char* repr, const char* html) {
  python_method(of, "__repr__", "percute._tables", repr, "def __repr__(self) -> str",
                "In one line.");
  if (html == nullptr) return;
  python_method(of, "_repr_html_", "percute._tables", html, "def _repr_html_(self) -> str",
                "Tables of bodies and contacts.");
}

void bind_history(nb::module_& m) {
  bind_result<ImpactEvent>(m, "ImpactEvent", "A change of a contact inside an impact.");
  auto history = bind_result<ImpactHistory>(
      m, "ImpactHistory",
      "Evolution inside the impact. Entry k of each array, and row k where there is one column per "
      "contact or coordinate, is one sample; an event that makes the state jump appears twice, "
      "before and after.",
      nb::dynamic_attr());
  history.def(
      "__len__", [](const ImpactHistory& self) { return self.time.size(); },
      sig("def __len__(self) -> int"), "How many samples.");
  add_text(history, "history_repr", nullptr);
  add_tables(history, "history_frame", "history_dataset",
             "One row per sample, as pandas' DataFrame.");
  python_method(history, "plot", "percute.plot", "history",
                "def plot(self, axes: Any = None) -> Any",
                "Impulses and stored energies through the impact.");
}

void bind_outcome(nb::module_& m) {
  auto result = bind_result<Outcome>(m, "ImpactResult",
                                     "What happened, and how sure we are. A law of your own fills "
                                     "in velocity and impulse; resolve() derives the rest.");
  // A history knows what it is of: pictures have the names of bodies and contacts.
  result.def_prop_ro(
      "history",
      [](nb::handle self) {
        auto& outcome = nb::cast<Outcome&>(self);
        nb::object history =
            nb::cast(&outcome.result.history, nb::rv_policy::reference_internal, self);
        if (outcome.problem) history.attr("_problem") = nb::cast(outcome.problem);
        return history;
      },
      sig("def history(self) -> ImpactHistory"),
      "Evolution inside the impact; empty unless asked for.");
  result.def(
      "ok", [](const Outcome& self) { return self.result.ok(); },
      "Whether the law answered: its status is ok, no_impact or zeno.");
  add_text(result, "result_repr", "result_html");
  python_method(result, "__str__", "percute._tables", "result_text", "def __str__(self) -> str",
                "Tables of bodies and contacts.");
  add_tables(result, "result_frame", "result_dataset",
             "One row per coordinate, as pandas' DataFrame.");
  python_method(result, "plot", "percute.plot", "result", "def plot(self, axes: Any = None) -> Any",
                "Velocities before and after, and impulses.");
}

// ------------------------------------------------------------------------------------------------
// problems

MassMatrix mass_from_python(nb::handle value) {
  if (nb::hasattr(value, "tocoo")) return MassMatrix::sparse(sparse_from_python(value));
  Matrix M;
  from_python(value, M);
  const bool list = !nb::hasattr(value, "ndim") ? M.cols() == 1 && M.rows() > 0
                                                : nb::cast<int>(value.attr("ndim")) < 2;
  if (list) return MassMatrix::diagonal(M.reshaped());
  return MassMatrix::dense(M);
}

nb::object mass_to_python(const MassMatrix& mass) {
  const Eigen::Index n = mass.size();
  if (mass.form() == MassMatrix::Form::Diagonal) {
    Vector diagonal(n);
    for (Eigen::Index i = 0; i < n; ++i) diagonal[i] = mass(i, i);
    return to_python(diagonal);
  }
  if (mass.form() == MassMatrix::Form::Dense) {
    Matrix M(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      for (Eigen::Index i = 0; i < n; ++i) M(i, j) = mass(i, j);
    }
    return to_python(M);
  }
  SparseMatrix M(n, n);
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      if (const double entry = mass(i, j); entry != 0.0) entries.emplace_back(i, j, entry);
    }
  }
  M.setFromTriplets(entries.begin(), entries.end());
  return sparse_to_python(M);
}

std::vector<Contact> contacts_from_python(nb::handle value, Eigen::Index m) {
  if (value.is_none()) return std::vector<Contact>(static_cast<std::size_t>(m));
  if (nb::isinstance<Material>(value)) {
    return std::vector<Contact>(static_cast<std::size_t>(m),
                                {.material = nb::cast<const Material&>(value)});
  }
  std::vector<Contact> contacts;
  for (const nb::handle one : nb::iter(value)) {
    if (nb::isinstance<Material>(one)) {
      contacts.push_back({.material = nb::cast<const Material&>(one)});
    } else if (nb::isinstance<Contact>(one)) {
      contacts.push_back(nb::cast<const Contact&>(one));
    } else {
      wrong_type(one, "contacts: a Material or a Contact");
    }
  }
  return contacts;
}

std::vector<Matrix> tangents_from_python(nb::handle value, Eigen::Index n) {
  std::vector<Matrix> tangents;
  for (const nb::handle one : nb::iter(value)) {
    Matrix T(n, 0);
    if (!one.is_none()) from_python(one, T);
    if (T.size() == 0) T.resize(n, 0);
    tangents.push_back(std::move(T));
  }
  return tangents;
}

nb::list tangents_to_python(const ImpactProblem& problem) {
  nb::list list;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const int d = problem.contacts[i].directions;
    list.append(d == 0 ? to_python(Matrix(problem.velocity.size(), 0))
                       : to_python(Matrix(tangents_of(problem, i))));
  }
  return list;
}

/// Everything ImpactProblem() takes; with defaults where a key is missing.
Problem problem_from_python(const nb::dict& given) {
  const auto has = [&](const char* key) { return given.contains(key) && !given[key].is_none(); };
  const auto value = [&](const char* key) { return nb::borrow(given[key]); };
  Problem made;
  ImpactProblem& problem = made.problem;
  problem.mass = mass_from_python(value("mass"));
  problem.gradients = sparse_from_python(value("gradients"));
  from_python(value("velocity"), problem.velocity);
  const Eigen::Index n = problem.velocity.size();
  problem.contacts = contacts_from_python(has("contacts") ? value("contacts") : nb::none(),
                                          problem.gradients.cols());
  for (Contact& contact : problem.contacts) contact.directions = 0;
  if (has("tangents")) set_tangents(problem, tangents_from_python(value("tangents"), n));
  validate(problem);
  if (has("bodies")) value_from_python(value("bodies"), made.bodies, "bodies");
  if (made.bodies.empty()) {
    made.bodies = io::one_body_per_coordinate(n);
    for (Body& body : made.bodies) body.units.resize(body.coordinates.size());
  }
  std::vector<bool> named(static_cast<std::size_t>(n), false);
  for (const Body& body : made.bodies) {
    for (const int k : body.coordinates) {
      if (k < 0 || k >= n || named[static_cast<std::size_t>(k)]) {
        throw InvalidInput("bodies", "coordinate " + std::to_string(k) + " of " + body.name +
                                         " is not there, or belongs to another body");
      }
      named[static_cast<std::size_t>(k)] = true;
    }
  }
  if (std::ranges::find(named, false) != named.end()) {
    throw InvalidInput("bodies", "each coordinate must belong to one of them");
  }
  if (has("contact_names")) from_python(value("contact_names"), made.contact_names);
  if (made.contact_names.empty()) {
    made.contact_names = io::name_contacts(problem.gradients, made.bodies);
  }
  if (made.contact_names.size() != problem.contacts.size()) {
    throw InvalidInput("contact_names", "must be one per contact");
  }
  if (has("name")) from_python(value("name"), made.name);
  if (has("law")) from_python(value("law"), made.law);
  return made;
}

nb::dict problem_state(const Problem& problem) {
  nb::dict state;
  state["mass"] = mass_to_python(problem.problem.mass);
  state["gradients"] = sparse_to_python(problem.problem.gradients);
  state["velocity"] = to_python(problem.problem.velocity);
  state["contacts"] = value_to_python(problem.problem.contacts);
  state["tangents"] = problem.problem.tangents.size() > 0
                          ? nb::object(tangents_to_python(problem.problem))
                          : nb::none();
  state["bodies"] = value_to_python(problem.bodies);
  state["contact_names"] = to_python(problem.contact_names);
  state["name"] = to_python(problem.name);
  state["law"] = to_python(problem.law);
  return state;
}

constexpr const char* kProblemDoc =
    "A multiple impact, frozen at the instant of contact:\n\n"
    "    M (v⁺ − v⁻) = W p,      gap rates U = Wᵀ v,      p ≥ 0 pushes apart.\n\n"
    "Column i of W is the gradient of the gap of closed contact i, so a negative gap rate means "
    "approach. A value "
    "that does not change: replace() makes another one.\n\n"
    "Parameters\n----------\n"
    "mass : array\n    M: n numbers (diagonal), n × n, or a sparse matrix of SciPy [kg]\n"
    "gradients : array\n    W, n × m, dense or sparse\n"
    "velocity : array\n    v⁻, n numbers [m/s]\n"
    "contacts : Material, or one Material or Contact per column of W; default Material()\n"
    "tangents : one matrix n × d per contact, d = 0, 1 or 2 directions of sliding; default none\n"
    "bodies : list of Body, names of what the coordinates belong to\n"
    "contact_names : list of str\n"
    "name : str\n"
    "law : what resolve() applies where it is given none; default lzb\n";

void bind_problem(nb::module_& m) {
  auto problem = nb::class_<Problem>(m, "ImpactProblem", kProblemDoc);
  problem.def(
      "__init__",
      [](Problem* self, nb::handle mass, nb::handle gradients, nb::handle velocity,
         nb::handle contacts, nb::kwargs more) {
        more["mass"] = mass;
        more["gradients"] = gradients;
        more["velocity"] = velocity;
        more["contacts"] = contacts;
        new (self) Problem(problem_from_python(more));
      },
      nb::arg("mass"), nb::arg("gradients"), nb::arg("velocity"), nb::arg("contacts") = nb::none(),
      nb::arg("more"),
      sig("def __init__(self, mass: Any, gradients: Any, velocity: ArrayLike, contacts: Material | "
          "Sequence[Material | Contact] | None = None, *, tangents: Sequence[ArrayLike | None] | "
          "None = None, bodies: Sequence[Body] | None = None, contact_names: Sequence[str] | None "
          "= None, name: str = '', law: Law | None = None) -> None"));
  const auto show = [&](const char* name, const char* type, auto read, const char* doc) {
    problem.def_prop_ro(
        name,
        [read](nb::handle self) -> nb::object {
          if constexpr (std::invocable<decltype(read), const Problem&, nb::handle>) {
            return read(nb::cast<const Problem&>(self), self);
          } else {
            return value_to_python(read(nb::cast<const Problem&>(self)));
          }
        },
        sig(std::string("def ") + name + "(self) -> " + type), doc);
  };
  using P = const Problem&;
  show(
      "mass", "Any", [](P self, nb::handle) { return mass_to_python(self.problem.mass); },
      "M as it was given: diagonal, dense or sparse [kg].");
  show(
      "gradients", "Array", [](P self) { return Matrix(self.problem.gradients); },
      "W, n × m, a copy.");
  show(
      "sparse_gradients", "Any",
      [](P self, nb::handle) { return sparse_to_python(self.problem.gradients); },
      "W, n × m, as SciPy's csc_array.");
  show(
      "velocity", "Array",
      [](P self, nb::handle owner) { return view(self.problem.velocity, owner); }, "v⁻ [m/s].");
  show(
      "contacts", "list[Contact]", [](P self) { return self.problem.contacts; },
      "The closed contacts, copies.");
  show(
      "tangents", "list[Array]",
      [](P self, nb::handle) -> nb::object { return tangents_to_python(self.problem); },
      "One matrix n × d per contact.");
  show(
      "bodies", "list[Body]", [](P self) { return self.bodies; },
      "What the coordinates belong to.");
  show(
      "contact_names", "list[str]", [](P self) { return self.contact_names; },
      "One per contact: \"1–2\".");
  show(
      "coordinate_names", "list[str]",
      [](P self) { return io::coordinate_names(self.bodies, self.problem.velocity.size()); },
      "One per coordinate.");
  show(
      "units", "list[str]",
      [](P self) { return io::coordinate_units(self.bodies, self.problem.velocity.size()); },
      "Of the velocities, one per coordinate; empty where it is not known.");
  show("name", "str", [](P self) { return self.name; }, "What tables call it.");
  show(
      "law", "Any", [](P self) { return self.law; },
      "What resolve() applies where it is given none.");
  show(
      "gap_rates", "Array",
      [](P self) { return Vector(self.problem.gradients.transpose() * self.problem.velocity); },
      "U⁻ = Wᵀ v⁻ [m/s].");
  show(
      "kinetic_energy", "float",
      [](P self) { return self.problem.mass.kinetic_energy(self.problem.velocity); },
      "Before the impact [J].");
  problem.def(
      "delassus",
      [](P self) { return to_python(Matrix(self.problem.mass.delassus(self.problem.gradients))); },
      sig("def delassus(self) -> Array"), "Wᵀ M⁻¹ W, m × m [1/kg].");
  problem.def(
      "replace",
      [](P self, const nb::kwargs& changes) {
        const nb::dict state = problem_state(self);
        for (const auto& [key, value] : changes) {
          if (!state.contains(key)) {
            throw nb::type_error(
                ("ImpactProblem has no '" + nb::cast<std::string>(key) + "'").c_str());
          }
          state[key] = value;
        }
        return problem_from_python(state);
      },
      sig("def replace(self, **changes: Any) -> ImpactProblem"),
      "The same with some of what ImpactProblem() takes changed.");
  problem.def("__getstate__", &problem_state, sig("def __getstate__(self) -> dict[str, Any]"));
  problem.def(
      "__setstate__",
      [](Problem& self, const nb::dict& state) { new (&self) Problem(problem_from_python(state)); },
      sig("def __setstate__(self, state: dict[str, Any], /) -> None"));
  problem.def(
      "__eq__",
      [](P self, nb::handle other) -> nb::object {
        if (!nb::isinstance<Problem>(other)) return nb::borrow(Py_NotImplemented);
        const auto line = [](P of) { return io::to_json(io::to_node(of), io::JsonLayout::Line); };
        return to_python(line(self) == line(nb::cast<P>(other)));
      },
      sig("def __eq__(self, other: object, /) -> bool"));
  problem.attr("__hash__") = nb::none();
  problem.def("resolve", &resolve_one, nb::arg("law") = nb::none(), nb::kw_only(),
              nb::arg("history") = false,
              sig("def resolve(self, law: Law | None = None, *, history: bool | Recording = False) "
                  "-> ImpactResult"),
              "The same as percute.resolve(problem, law, history=history).");
  add_text(problem, "problem_repr", "problem_html");
  add_tables(problem, "problem_frame", "problem_dataset",
             "One row per contact, as pandas' DataFrame.");
}

}  // namespace

Problem problem_of(ImpactProblem impact, std::vector<Body> bodies,
                   std::vector<std::string> contact_names, std::string name) {
  return {.name = std::move(name),
          .problem = std::move(impact),
          .bodies = std::move(bodies),
          .contact_names = std::move(contact_names)};
}

void bind_model(nb::module_& m) {
  bind_fields<TriStiffness>(
      m, "TriStiffness", "tri_stiffness",
      "Slopes of a tri-stiffness contact beyond its first one, Material.stiffness.");
  bind_fields<Material>(
      m, "Material", "material",
      "Contact law of one contact: λ = K δ^η while loading, E = K δ^(1+η)/(1+η).");
  bind_fields<ElasticMaterial>(m, "ElasticMaterial", "material",
                               "What a body is made of, isotropic and linear.");
  m.def(
      "elastic_material", [](const std::string& name) { return elastic_material(name); },
      nb::arg("name"), sig("def elastic_material(name: str) -> ElasticMaterial"),
      "The material with this name; InvalidInput has all names if there is none.");
  bind_fields<Body>(m, "Body", "body", "Coordinates that move together, and what to call them.");
  bind_fields<Contact>(m, "Contact", "contact",
                       "One closed contact: its material and what it carries into the impact.")
      .def_prop_ro(
          "directions", [](const Contact& self) { return self.directions; },
          "In which it can slide: 0, 1 or 2.");
  bind_fields<State>(m, "State", "state", "Where a system is and how it moves.");

  bind_result<EnergyLedger>(m, "EnergyLedger",
                            "before + Σ E0 = after + dissipated + still stored.");
  bind_result<Consistency::Margins>(m, "Margins",
                                    "Signed slack of each verdict, positive when satisfied.");
  bind_result<Consistency>(m, "Consistency", "Verdicts on one impact.")
      .def("all", &Consistency::all,
           "Everything the problem says was used, and the outcome is what bodies may do.")
      .def("admissible", &Consistency::admissible, "The outcome is what bodies may do.");
  bind_result<ContactSummary>(m, "ContactSummary",
                              "What one contact went through (laws with an inner time only).");
  bind_result<ImpactPhase>(m, "ImpactPhase",
                           "A stretch of the impact of a single contact with friction.");
  bind_result<Collision>(m, "Collision", "One collision of a sequence.");
  bind_result<AlgebraicDiagnostics>(m, "AlgebraicDiagnostics",
                                    "What only algebraic laws can tell.");
  bind_result<Diagnostics>(m, "Diagnostics", "Cost and quality of the computation.");
  bind_fields<Recording>(m, "Recording", "recording", "What to keep of the evolution.");
  bind_history(m);
  bind_problem(m);
  bind_outcome(m);
}

}  // namespace python
}  // namespace percute
