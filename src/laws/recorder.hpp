// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_history.hpp>
#include <percute/model/impact_problem.hpp>

#include <cstddef>
#include <vector>

namespace percute::laws {

/// Collects samples of a run and turns them into an ImpactHistory.
class Recorder {
 public:
  Recorder(int contacts, const Recording& recording) : m_(contacts), recording_(&recording) {
    if (recording_->watch) recording_->watch(0.0, {});
  }

  /// Is this accepted step one of those to keep?
  bool due() { return recording_->every > 0 && ++since_ >= recording_->every; }

  /// Adds a sample: `contact(i)` gives the ContactSample of contact i.
  template <class Source>
  void sample(double time, Source&& contact) {
    since_ = 0;
    if (recording_->watch) {
      samples_.clear();
    } else {
      time_.push_back(time);
    }
    for (int i = 0; i < m_; ++i) samples_.push_back(contact(i));
    if (recording_->watch) recording_->watch(time, samples_);
  }

  /// Next asked time not later than `until`; false if there is none.
  bool next_time(double until, double& time) {
    if (next_ >= recording_->times.size() || recording_->times[next_] > until) return false;
    time = recording_->times[next_++];
    return true;
  }

  /// The history, with body velocities v = v⁻ + M⁻¹ W P added and events in the order of time.
  ImpactHistory history(const ImpactProblem& problem, std::vector<ImpactEvent> events) const;

 private:
  void add_friction(const ImpactProblem& problem, const std::vector<std::size_t>& order,
                    ImpactHistory& h, Matrix& momentum) const;

  int m_;
  const Recording* recording_;
  int since_ = 0;
  std::size_t next_ = 0;
  std::vector<double> time_;
  std::vector<ContactSample> samples_;  ///< m per instant; watched: of the last one
};

}  // namespace percute::laws
