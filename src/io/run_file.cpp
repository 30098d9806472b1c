// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/schema.hpp"
#include "simulation/fixed_steps.hpp"

#include <percute/io/motion_file.hpp>

#include <functional>
#include <optional>

namespace percute::io {

namespace {

constexpr std::string_view kFormat = "percute-run/1";

// What the parts of percute-run/1 hold.

struct EnergyView {
  simulation::EnergyRecord energy = {};
};
void fields(Same<EnergyView> auto& view, auto&& visit) {
  const simulation::EnergyRecord& energy = view.energy;
  // Samples begin with the first impact.
  const auto sampled = [&energy](double value) {
    return energy.samples > 0 ? std::optional(value) : std::nullopt;
  };
  const auto relative = [&energy, sampled](double value) {
    return energy.expected == 0.0 ? std::nullopt : sampled(value / energy.expected);
  };
  visit(Field{"expected", "at the start", {}, "J"}, energy.expected);
  visit(Field{"mean", "from the first impact on", {}, "J"}, sampled(energy.mean));
  visit(Field{"min", "", {}, "J"}, sampled(energy.min));
  visit(Field{"max", "", {}, "J"}, sampled(energy.max));
  visit(Field{"final", "", {}, "J"}, energy.final);
  visit(Field{"d_rel", "(expected - mean) / expected"}, relative(energy.expected - energy.mean));
  visit(Field{"s_rel", "standard deviation / expected"}, relative(energy.deviation));
  visit(Field{"dissipated", "in all events, and by sliding in between", {}, "J"},
        energy.dissipated);
}

/// Small vibrations: null where the system has no elastic forces or is too large.
struct Stability {
  std::optional<double> omega_max = {};
  std::optional<double> step_limit = {};
  std::optional<double> first_bending_hz = {};
};
void fields(Same<Stability> auto& stability, auto&& visit) {
  visit(Field{"omega_max", "largest frequency of small vibrations", {}, "rad/s"},
        stability.omega_max);
  visit(Field{"step_limit", "2 / omega_max", {}, "s"}, stability.step_limit);
  visit(Field{"first_bending_hz", "of a bar", {}, "Hz"}, stability.first_bending_hz);
}

Stability stability(const MotionFile& file) {
  const auto omega = simulation::highest_frequency(file.system, file.start.state.position);
  Stability stability{.first_bending_hz = file.first_bending_hz};
  if (omega && *omega > 0.0) {
    stability.omega_max = omega;
    stability.step_limit = 2.0 / *omega;
  }
  return stability;
}

struct Impact {
  static Node schema() {
    ObjectSchema impact;
    const Node number = typed("number");
    impact.add({"restitution", "of all contacts, or one number each"},
               one_of({number, list_of(number), typed("null")}), true);
    impact.add({"law", "its kind"}, words_schema(law_kinds()), true);
    impact.add({"options", "of the law"}, LawSchema::schema(), true);
    return std::move(impact).node();
  }
};

struct RunView {
  const simulation::Run* run = nullptr;
  const MotionFile* file = nullptr;
};

void fields(Same<RunView> auto& view, auto&& visit) {
  using simulation::Run;
  // Called where there is a run: a schema calls none of these.
  const auto of = [&view](auto member) {
    return [&view, member] { return std::invoke(member, *view.run); };
  };
  visit(Field{"format", "of this object"}, kFormat);
  visit(Field{"status", "how the run ended"}, of(&Run::status));
  visit(Field{"reason", "why it is not ok"}.where_known(), of([](const Run& run) {
          return run.reason.empty() ? std::nullopt : std::optional(run.reason);
        }));
  visit(Field{"system", "[system] of the scene, defaults filled in"},
        [&view] { return view.file->system_keys; });
  visit(Field{"impact", "law and restitution"},
        [&view] { return Shaped<Impact>{view.file->impact_keys}; });
  visit(Field{"simulation", "[simulation] of the scene, defaults filled in"},
        [&view] { return Shaped<MethodSchema>{view.file->simulation_keys}; });
  visit(Field{"time", ""}, Part{[&](auto&& part) {
          part(Field{"start", "", {}, "s"}, [&view] {
            const auto& totals = view.run->end.totals;
            return totals ? totals->start_time : view.file->start.time;
          });
          part(Field{"end", "", {}, "s"}, of([](const Run& run) { return run.end.time; }));
        }});
  visit(Field{"steps", ""}, of(&Run::steps));
  visit(Field{"iterations", "Newton or fixed-point passes; adaptive: right-hand sides"},
        of(&Run::iterations));
  visit(Field{"wall_time", "of the computation", {}, "s"}, of(&Run::wall_time));
  visit(Field{"impacts", "instants at which velocities jumped"}, of(&Run::impacts));
  visit(Field{"active_steps", "time stepping: steps with an impulse"}, of(&Run::active_steps));
  visit(Field{"contact_phases", "times that contacts began to be held closed"},
        of(&Run::contact_phases));
  const auto bounce = [&view](auto member) {
    return [&view, member] {
      return std::invoke(member, view.run->bounce.value_or(simulation::Bounce{}));
    };
  };
  const auto cluster = [bounce](auto member) {
    return bounce([member](const simulation::Bounce& all) {
      using Known =
          std::decay_t<std::invoke_result_t<decltype(member), simulation::ContactCluster>>;
      return all.clusters.empty() ? std::nullopt
                                  : std::optional<Known>(std::invoke(member, all.clusters.front()));
    });
  };
  visit(Field{"contact_clusters", "of the first bounce of a body that vibrates"},
        of([](const Run& run) {
          return run.bounce ? std::optional(run.bounce->clusters.size()) : std::nullopt;
        }));
  visit(Field{"first_impact", ""}, Part{[&](auto&& part) {
          part(Field{"time", "", {}, "s"}, of(&Run::first_impact_time));
          part(Field{"velocity", "lowest gap rate just before it", {}, "m/s"},
               of(&Run::first_impact_velocity));
        }});
  visit(Field{"first_cluster", ""}, Part{[&](auto&& part) {
          part(Field{"impacts", ""}, cluster(&simulation::ContactCluster::impacts));
          part(Field{"duration", "", {}, "s"},
               cluster([](const simulation::ContactCluster& c) { return c.end - c.start; }));
        }});
  visit(Field{"last_contact", ""}, Part{[&](auto&& part) {
          part(Field{"time", "its end", {}, "s"},
               of([](const Run& run) { return run.bounce ? run.bounce->end : run.last_contact; }));
        }});
  visit(Field{"apparent_restitution", "of the flight after the first bounce"},
        Part{[&](auto&& part) {
          part(Field{"window", "after the last contact", {}, "s"}, [&view] {
            const auto& asked = run_options(view.file->method).bounce;
            return asked ? std::optional(asked->restitution_window) : std::nullopt;
          });
          part(Field{"value", ""}, bounce(&simulation::Bounce::apparent_restitution));
        }});
  visit(Field{"energy", ""}, [&view] { return EnergyView{view.run->energy}; });
  visit(Field{"stability", "of steps; null without elastic forces, or of a large system"},
        [&view] { return stability(*view.file); });
  visit(Field{"final", "state at the end"}, Part{[&](auto&& part) {
          part(Field{"position", "q"}, of([](const Run& run) { return run.end.state.position; }));
          part(Field{"velocity", "v"}, of([](const Run& run) { return run.end.state.velocity; }));
        }});
  visit(Field{"warnings", ""}, of(&Run::warnings));
}

}  // namespace

Node to_node(const simulation::Run& run, const MotionFile& file) {
  return node_of(RunView{.run = &run, .file = &file});
}

Node run_schema() {
  return schema_of<RunView>(Writer::Percute);
}

}  // namespace percute::io
