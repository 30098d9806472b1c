// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors

// A system is any value with these nine functions; there is no base class to inherit from. Every
// method of percute::simulation moves it, under any law of impact.

#include <percute/percute.hpp>

#include <fmt/format.h>

// A light ball on a heavy one, dropped together: coordinates are the heights of their lowest points
// above where each would lie, so that gaps are their difference.
struct TwoBalls {
  double heavy = 0.6;   // kg
  double light = 0.06;  // kg
  double gravity = 9.81;
  percute::Material floor = {.restitution = 0.8, .stiffness = 50.0};  // only the ratio matters
  percute::Material between = {.restitution = 0.8, .stiffness = 1.0};

  int coordinates() const { return 2; }
  int contacts() const { return 2; }  // floor – heavy, heavy – light
  void mass(const percute::Vector&, percute::Matrix& M) const { M << heavy, 0.0, 0.0, light; }
  void force(double, const percute::Vector&, const percute::Vector&, percute::Vector& f) const {
    f << -heavy * gravity, -light * gravity;
  }
  void gaps(const percute::Vector& q, percute::Vector& h) const { h << q[0], q[1] - q[0]; }
  void gradient(int i, const percute::Vector&, percute::Vector& w) const {
    w << (i == 0 ? 1.0 : -1.0), (i == 0 ? 0.0 : 1.0);
  }
  double gap_curvature(int, const percute::Vector&, const percute::Vector&) const { return 0.0; }
  percute::Contact contact(int i, const percute::Vector&) const {
    return {.material = i == 0 ? floor : between};
  }
  double potential_energy(const percute::Vector& q) const {
    return gravity * (heavy * q[0] + light * q[1]);
  }
};

int main() {
  using namespace percute;
  const simulation::Moment start{.state = {.position = Vector{{1.0, 1.0}},  // they touch
                                           .velocity = Vector::Zero(2)}};
  double highest = 0.0;
  simulation::Observer observer;
  observer.state = [&](double, const Vector& q, const Vector&) {
    highest = std::max(highest, q[1]);
    return true;
  };
  observer.event = [&](const simulation::Event& event) {
    fmt::print("{:8.6f} s  {:<14} contacts", event.time, name(event.kind));
    for (const int i : event.contacts) fmt::print(" {}", i + 1);
    fmt::print("   velocities {:+.4f} {:+.4f} m/s\n", event.velocity_after[0] + 0.0,
               event.velocity_after[1] + 0.0);
    return true;
  };
  const simulation::EventDriven method{.run = {.duration = 1.2, .output_interval = 0.001}};
  const simulation::Run run = method(TwoBalls{}, start, laws::Lzb{}, observer);
  fmt::print("{}: the light ball, dropped from 1 m, has been at {:.3f} m\n", name(run.status),
             highest);
}
