// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/compliant/contact_dynamics.hpp"
#include "laws/compliant/frozen_mechanism.hpp"
#include "laws/recorder.hpp"

#include <vector>

namespace percute::laws {

/// One impact by the law Compliant: the bodies are frozen, their contacts are not.
class CompliantRun final : public ContactDynamics {
 public:
  CompliantRun(const ImpactProblem& problem, const Compliant& law, FrozenMechanism& mechanism,
               const contact::FrictionRows& rows, Recorder* recorder);

  /// All but what every law's result has.
  ImpactResult run();

  void passed(double until) override;
  bool interrupted() override;

 private:
  using Mode = CompliantContact::Mode;

  double time() const { return elapsed_ + integrator_.time(); }  ///< since the impact began, s
  void set_units();
  void precompress(int i, double energy);
  bool begin();
  Status integrate();
  Status stopped();
  bool fly();
  bool idle(int i) const;  ///< apart, or touching without force or motion
  bool over() const;
  bool wedged() const;
  bool restart();
  void apply(int i, Change change);
  void close(int i) override { apply(i, Change::Close); }
  /// What the location of events leaves of a gap rate.
  double rest_rate() const override { return 1e-11 * units_.speed; }
  void friction_changed(int i, bool sticks) override {
    log(i, sticks ? EventKind::Sticking : EventKind::Sliding);
  }

  void log(int i, EventKind kind);
  void note_force(int i, double time, double force);
  void note_progress();
  ContactSample sample(int i, const double* y, const ContactView& view) const;
  void record();
  ImpactResult result(Status status) const;

  const ImpactProblem& problem_;
  Recorder* recorder_;
  ImpactScales scale_;
  double minimum_speed_ = 0.0;
  double elapsed_ = 0.0;  ///< time from which the integrator counts, s
  bool precompressed_ = false;
  Diagnostics diagnostics_;
  std::vector<ImpactEvent> events_;
};

}  // namespace percute::laws
