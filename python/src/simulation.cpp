// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io.hpp"
#include "io/columns.hpp"
#include "systems.hpp"

#include <percute/io/motion_file.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/simulation/compliant_motion.hpp>
#include <percute/simulation/event_driven.hpp>
#include <percute/simulation/moreau_jean.hpp>
#include <percute/simulation/newmark.hpp>
#include <percute/simulation/paoli_schatzman.hpp>

#include <functional>
#include <optional>
#include <utility>

// Methods have the options of runs among their own, as files do.

namespace percute::simulation {

template <class Method>
  requires requires(Method& method) { method.run; }
void members(Method& method, auto&& visit) {
  fields(method, visit);
  fields(method.run, visit);
}
template <Same<Event> S>
void members(S& event, auto&& visit) {
  visit(Field{"time", "", {}, "s"}, event.time);
  visit(Field{"kind", ""}, event.kind);
  visit(Field{"contacts", "those it concerns, ascending"}, event.contacts);
  visit(Field{"position", "q"}, event.position);
  visit(Field{"velocity_before", "v⁻"}, event.velocity_before);
  visit(Field{"velocity_after", "v⁺"}, event.velocity_after);
  visit(Field{"impulse", "one per contact of `contacts`", {}, "N s"}, event.impulse);
  visit(Field{"dissipated", "kinetic energy lost", {}, "J"}, event.dissipated);
  visit(Field{"status", "of the impact law"}, event.status);
}
template <Same<EnergyRecord> S>
void members(S& energy, auto&& visit) {
  visit(Field{"expected", "at the start", {}, "J"}, energy.expected);
  visit(Field{"mean", "from the first impact on", {}, "J"}, energy.mean);
  visit(Field{"min", "", {}, "J"}, energy.min);
  visit(Field{"max", "", {}, "J"}, energy.max);
  visit(Field{"final", "", {}, "J"}, energy.final);
  visit(Field{"deviation", "population standard deviation", {}, "J"}, energy.deviation);
  visit(Field{"dissipated", "in all events, and by sliding in between", {}, "J"},
        energy.dissipated);
  visit(Field{"samples", ""}, energy.samples);
}

}  // namespace percute::simulation

namespace percute::python {

namespace {

using simulation::Moment;
using simulation::Observer;
using simulation::Run;

/// What is to be done with the states and events of a run besides keeping them.
struct Watchers {
  nb::object on_state = nb::none();  ///< called with time, position, velocity
  nb::object on_event = nb::none();  ///< called with an Event
  io::TrajectoryFile* file = nullptr;
};

/// States and events of a run, as it goes. Ctrl-C ends it, and so does a watcher that says False.
struct Recorder {
  const Watchers& watchers;
  std::vector<double> time = {};
  std::vector<double> position = {};
  std::vector<double> velocity = {};
  std::vector<simulation::Event> events = {};
  std::size_t coordinates = 0;
  int steps = 0;
  bool interrupted = false;

  bool goes_on() {
    constexpr int kSteps = 500;
    if (++steps % kSteps != 0) return true;
    const nb::gil_scoped_acquire python;
    interrupted = PyErr_CheckSignals() != 0;
    return !interrupted;
  }

  template <class... What>
  static bool told(const nb::object& watcher, const What&... what) {
    if (watcher.ptr() == Py_None) return true;
    const nb::gil_scoped_acquire python;
    return watcher(value_to_python(what)...).ptr() != Py_False;
  }

  Observer observer() {
    return {.state =
                [this](double t, const Vector& q, const Vector& v) {
                  time.push_back(t);
                  position.insert(position.end(), q.begin(), q.end());
                  velocity.insert(velocity.end(), v.begin(), v.end());
                  coordinates = static_cast<std::size_t>(q.size());
                  if (watchers.file != nullptr) watchers.file->state(t, q, v);
                  return told(watchers.on_state, t, q, v);
                },
            .event =
                [this](const simulation::Event& event) {
                  events.push_back(event);
                  if (watchers.file != nullptr) watchers.file->event(event);
                  return told(watchers.on_event, event);
                },
            .step = [this](double, const Vector&, const Vector&) { return goes_on(); }};
  }
};

/// Runs without Python's lock, and gives what Python's class Run holds.
nb::dict recorded(const Watchers& watchers, const std::function<Run(const Observer&)>& run) {
  Recorder recorder{.watchers = watchers};
  Run done;
  {
    const nb::gil_scoped_release alone;
    done = run(recorder.observer());
    if (watchers.file != nullptr) watchers.file->close(done);
  }
  if (recorder.interrupted) throw nb::python_error();
  nb::dict all;
  const std::size_t states = recorder.time.size();
  all["time"] = array(std::move(recorder.time));
  all["position"] = array(std::move(recorder.position), states, recorder.coordinates);
  all["velocity"] = array(std::move(recorder.velocity), states, recorder.coordinates);
  all["events"] = value_to_python(recorder.events);
  all["end"] = nb::cast(done.end.state);
  all["end_time"] = done.end.time;
  all["status"] = simulation::name(done.status);
  all["reason"] = to_python(done.reason);
  all["energy"] = nb::cast(done.energy);
  all["steps"] = done.steps;
  all["impacts"] = done.impacts;
  all["first_impact_time"] = value_to_python(done.first_impact_time);
  all["last_contact"] = value_to_python(done.last_contact);
  all["energy_residual"] = value_to_python(done.energy_residual);
  all["warnings"] = to_python(done.warnings);
  all["wall_time"] = done.wall_time;
  return all;
}

void name_parts(nb::dict& all, const std::vector<Body>& bodies,
                const std::vector<std::string>& contact_names, Eigen::Index coordinates) {
  all["bodies"] = value_to_python(bodies);
  all["contact_names"] = to_python(contact_names);
  if (bodies.empty()) return;
  all["coordinate_names"] = to_python(io::coordinate_names(bodies, coordinates));
  all["units"] = to_python(io::coordinate_units(bodies, coordinates));
}

using AnyMethod =
    std::function<Run(const systems::AnySystem&, const Moment&, const AnyLaw&, const Observer&)>;

AnyMethod method_from_python(nb::handle value, const AnyLaw& law) {
  if (nb::isinstance<simulation::EventDriven>(value))
    return nb::cast<simulation::EventDriven>(value);
  if (nb::isinstance<simulation::Newmark>(value)) return nb::cast<simulation::Newmark>(value);
  if (nb::isinstance<simulation::PaoliSchatzman>(value))
    return nb::cast<simulation::PaoliSchatzman>(value);
  if (nb::isinstance<simulation::MoreauJean>(value)) return nb::cast<simulation::MoreauJean>(value);
  if (nb::isinstance<simulation::CompliantMotion>(value)) {
    auto motion = nb::cast<simulation::CompliantMotion>(value);
    const auto* compliant = law.as<laws::Compliant>();
    if (compliant == nullptr)
      throw InvalidInput("law", "must be Compliant for the method CompliantMotion");
    motion.law = *compliant;
    return
        [motion](const systems::AnySystem& system, const Moment& start, const AnyLaw& /*the same*/,
                 const Observer& observer) { return motion(system, start, observer); };
  }
  wrong_type(value, "a method of percute.simulation");
}

nb::dict simulate(nb::handle system, const State& start, nb::handle law, nb::handle method,
                  double time, nb::object on_state, nb::object on_event) {
  const systems::AnySystem moving = system_from_python(system);
  AnyLaw chosen;
  from_python(law, chosen);
  const AnyMethod move = method_from_python(method, chosen);
  const auto n = static_cast<Eigen::Index>(moving.coordinates());
  if (start.position.size() != n || start.velocity.size() != n) {
    throw InvalidInput("start", "must have " + std::to_string(n) + " positions and velocities");
  }
  const AnyLaw judged = [chosen](const ImpactProblem& problem) { return resolve(problem, chosen); };
  const auto* own = chosen.as<laws::Compliant>();
  const Watchers watchers{.on_state = std::move(on_state), .on_event = std::move(on_event)};
  nb::dict all = recorded(watchers, [&](const Observer& observer) {
    return move(moving, {.time = time, .state = start}, own != nullptr ? chosen : judged, observer);
  });
  name_parts(all, moving.bodies(), moving.contact_names(), n);
  return all;
}

nb::dict simulate_scene(const io::Document& document, const std::string& output,
                        nb::object on_state, nb::object on_event) {
  const io::MotionFile file = io::read_motion(document);
  std::optional<io::TrajectoryFile> written;
  Watchers watchers{.on_state = std::move(on_state), .on_event = std::move(on_event)};
  if (!output.empty()) watchers.file = &written.emplace(output, file, document);
  Run kept;
  nb::dict all = recorded(watchers, [&](const Observer& observer) {
    kept = io::simulate(file, document, observer);
    return kept;
  });
  all["name"] = to_python(file.name);
  name_parts(all, file.bodies, file.contact_names, file.start.state.position.size());
  all["summary"] = to_python(io::to_node(kept, file));
  return all;
}

}  // namespace

void bind_simulation(nb::module_& m) {
  nb::module_ made = m.def_submodule("simulation", "How systems move in time, impacts included.");
  bind_result<simulation::Event>(made, "Event", "What happens to contacts while a system moves.");
  bind_result<simulation::EnergyRecord>(
      made, "EnergyRecord", "Energy at every step and after every impact from the first on.");
  bind_fields<simulation::EventDriven>(
      made, "EventDriven", "simulation",
      "Smooth motion between located impacts, with controlled error.");
  bind_fields<simulation::Newmark>(made, "Newmark", "simulation",
                                   "Event-driven, with Newmark's average acceleration in between.");
  bind_fields<simulation::PaoliSchatzman>(made, "PaoliSchatzman", "simulation",
                                          "Time stepping without events (Paoli & Schatzman).");
  bind_fields<simulation::MoreauJean>(made, "MoreauJean", "simulation",
                                      "Time stepping for velocities that jump (Moreau; Jean).");
  bind_fields<simulation::CompliantMotion>(
      made, "CompliantMotion", "simulation",
      "Compliant contacts while everything moves; with law Compliant.");
  m.def(
      "_simulate", &simulate, nb::arg("system"), nb::arg("start"), nb::arg("law"),
      nb::arg("method"), nb::arg("time"), nb::arg("on_state").none(), nb::arg("on_event").none(),
      sig("def _simulate(system: Any, start: State, law: Any, method: Any, time: float, on_state: "
          "Any, on_event: Any) -> dict[str, Any]"));
  m.def("_simulate_scene", &simulate_scene, nb::arg("scene"), nb::arg("output"),
        nb::arg("on_state").none(), nb::arg("on_event").none(),
        sig("def _simulate_scene(scene: Scene, output: str, on_state: Any, on_event: Any) -> "
            "dict[str, Any]"));
}

}  // namespace percute::python
