// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io.hpp"
#include "io/scene_reader.hpp"
#include "systems.hpp"

#include <percute/io/motion_file.hpp>
#include <percute/io/problem_file.hpp>
#include <percute/model/invalid_input.hpp>

#include <utility>

// What pictures show beside results: systems of scenes, gaps and energies along a motion.

namespace percute::python {

namespace {

/// The system of a scene and where it starts.
nb::tuple system_of(const io::Document& scene) {
  const io::Table table(io::Value(scene), {"name", "system", "material", "contact", "start", "law",
                                           "impact", "simulation"});
  const io::Value system = table.required("system");
  const bool moves = table.has("simulation");
  const io::SceneSystem made =
      io::find_scene_reader(system, moves)({.table = table, .system = system, .moves = moves});
  return nb::make_tuple(system_to_python(made.concrete), nb::cast(made.start));
}

systems::AnySystem moving_system(nb::handle value) {
  if (!nb::isinstance<io::Document>(value)) return system_from_python(value);
  return io::read_motion(nb::cast<const io::Document&>(value)).system;
}

/// Positions or velocities, one row per state.
Matrix states(nb::handle value, const char* name, const systems::AnySystem& system) {
  Matrix given;
  from_python(value, given);
  if (given.cols() != system.coordinates()) {
    throw InvalidInput(name, "must have one row per state and " +
                                 std::to_string(system.coordinates()) + " columns");
  }
  return given;
}

nb::object gaps(nb::handle value, nb::handle positions) {
  const systems::AnySystem system = moving_system(value);
  const Matrix q = states(positions, "position", system);
  std::vector<double> all;
  {
    const nb::gil_scoped_release alone;
    Vector h(system.contacts());
    for (Eigen::Index k = 0; k < q.rows(); ++k) {
      system.gaps(q.row(k), h);
      all.insert(all.end(), h.begin(), h.end());
    }
  }
  return array(std::move(all), static_cast<std::size_t>(q.rows()),
               static_cast<std::size_t>(system.contacts()));
}

/// Gaps and energies at every state of a motion, one row per state.
nb::dict along(nb::handle value, nb::handle positions, nb::handle velocities) {
  const systems::AnySystem system = moving_system(value);
  const Matrix q = states(positions, "position", system);
  const Matrix v = states(velocities, "velocity", system);
  if (v.rows() != q.rows()) throw InvalidInput("velocity", "must have one row per position");
  std::vector<double> kinetic;
  std::vector<double> potential;
  {
    const nb::gil_scoped_release alone;
    const std::unique_ptr<systems::MassSolver> solver = system.solver();
    for (Eigen::Index k = 0; k < q.rows(); ++k) {
      kinetic.push_back(solver->kinetic_energy(q.row(k), v.row(k)));
      potential.push_back(system.potential_energy(q.row(k)));
    }
  }
  nb::dict all;
  all["gap"] = gaps(value, positions);
  all["kinetic_energy"] = array(std::move(kinetic));
  all["potential_energy"] = array(std::move(potential));
  all["conservative"] = system.conservative();
  all["contact_names"] = to_python(system.contact_names());
  return all;
}

}  // namespace

void bind_pictures(nb::module_& m) {
  m.def("_system_of", &system_of, nb::arg("scene"),
        sig("def _system_of(scene: Scene) -> tuple[Any, State]"));
  m.def("_gaps", &gaps, nb::arg("system"), nb::arg("position"),
        sig("def _gaps(system: Any, position: Any) -> Any"));
  m.def("_along", &along, nb::arg("system"), nb::arg("position"), nb::arg("velocity"),
        sig("def _along(system: Any, position: Any, velocity: Any) -> dict[str, Any]"));
}

}  // namespace percute::python
