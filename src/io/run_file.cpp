// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/motion_file.hpp>

#include <optional>

namespace percute::io {

namespace {

Node known(const std::optional<double>& value) {
  return value ? Node(*value) : Node();
}

Node energy_node(const simulation::EnergyRecord& energy) {
  // Samples begin with the first impact.
  const auto sampled = [&energy](double value) {
    return energy.samples > 0 ? Node(value) : Node();
  };
  const double scale = energy.expected;
  Node node;
  node.add("expected", energy.expected);
  node.add("mean", sampled(energy.mean));
  node.add("min", sampled(energy.min));
  node.add("max", sampled(energy.max));
  node.add("final", energy.final);
  node.add("d_rel", scale == 0.0 ? Node() : sampled((energy.expected - energy.mean) / scale));
  node.add("s_rel", scale == 0.0 ? Node() : sampled(energy.deviation / scale));
  node.add("dissipated", energy.dissipated);
  return node;
}

Node moment_node(const simulation::Moment& moment) {
  const auto numbers = [](const Vector& values) {
    return Node(Node::Array(values.begin(), values.end()));
  };
  Node node;
  node.add("position", numbers(moment.state.position));
  node.add("velocity", numbers(moment.state.velocity));
  return node;
}

}  // namespace

Node to_node(const simulation::Run& run, const MotionFile& file) {
  Node node;
  node.add("format", "percute-run/1");
  node.add("status", name(run.status));
  if (!run.reason.empty()) node.add("reason", run.reason);
  node.add("system", file.system_keys);
  node.add("impact", file.impact_keys);
  node.add("simulation", file.simulation_keys);
  Node& time = node.add("time", {});
  time.add("start", run.end.totals ? run.end.totals->start_time : file.start.time);
  time.add("end", run.end.time);
  node.add("steps", run.steps);
  node.add("iterations", run.iterations);
  node.add("wall_time", run.wall_time);
  node.add("impacts", run.impacts);
  node.add("active_steps", run.active_steps);
  node.add("contact_phases", run.contact_phases);
  const simulation::Bounce bounce = run.bounce.value_or(simulation::Bounce{});
  node.add("contact_clusters", run.bounce ? Node(bounce.clusters.size()) : Node());
  Node& first = node.add("first_impact", {});
  first.add("time", known(run.first_impact_time));
  first.add("velocity", known(run.first_impact_velocity));
  Node& cluster = node.add("first_cluster", {});
  const bool any = !bounce.clusters.empty();
  cluster.add("impacts", any ? Node(bounce.clusters.front().impacts) : Node());
  cluster.add("duration",
              any ? Node(bounce.clusters.front().end - bounce.clusters.front().start) : Node());
  node.add("last_contact", {}).add("time", known(run.bounce ? bounce.end : run.last_contact));
  Node& restitution = node.add("apparent_restitution", {});
  const auto& asked = run_options(file.method).bounce;
  restitution.add("window", asked ? Node(asked->restitution_window) : Node());
  restitution.add("value", known(bounce.apparent_restitution));
  node.add("energy", energy_node(run.energy));
  node.add("stability", stability(file));
  node.add("final", moment_node(run.end));
  Node::Array warnings(run.warnings.begin(), run.warnings.end());
  node.add("warnings", std::move(warnings));
  return node;
}

}  // namespace percute::io
