// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/gap_watch.hpp"

#include "model/text.hpp"
#include "simulation/scene_length.hpp"

#include <algorithm>

namespace percute::simulation {

namespace {

/// Steps in which a contact must come through the widest gap for its impacts to mean something.
constexpr double kFewestSteps = 3.0;

}  // namespace

GapWatch::GapWatch(const systems::AnySystem& system, const Vector& start,
                   std::vector<ContactReach>& reaches)
    : system_(system), reaches_(reaches), closed_(kTenDigits * scene_length(system, start)) {}

void GapWatch::note(const Vector& gaps) {
  if (reaches_.empty()) {
    reaches_.resize(static_cast<std::size_t>(gaps.size()));
    for (Eigen::Index i = 0; i < gaps.size(); ++i) {
      reaches_[static_cast<std::size_t>(i)].start = gaps[i];
    }
  }
  for (Eigen::Index i = 0; i < gaps.size(); ++i) {
    ContactReach& reach = reaches_[static_cast<std::size_t>(i)];
    reach.gap = std::max(reach.gap, gaps[i]);
    reach.overlap = std::max(reach.overlap, -gaps[i]);
  }
}

// What has never been open came no way, and what forces do to a closed contact is weight it
// carries. Contacts that rest from the start lift off by less than their fall in a step without
// meaning it.
void GapWatch::note_way(int contact, double gap, double approach, double fall) {
  ContactReach& reach = reaches_[static_cast<std::size_t>(contact)];
  if (reach.gap <= closed_ || (reach.start <= closed_ && reach.gap < fall)) return;
  reach.way = std::max({reach.way, approach, gap > closed_ ? fall : 0.0});
}

// Time stepping sees an impact up to a step late, and a body by |U| h too far on. Against the
// widest gap that any contact came through, G, that is the error of an impact in parts of the
// motion: a ball that falls from G has |U| h/G = 2 h/T with T the time it falls. Later, smaller
// bounces are shorter than any step, and are small against G all the same.
std::string GapWatch::coarse_step(double step, const RunOptions& run) const {
  double widest = 0.0;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < reaches_.size(); ++i) {
    if (reaches_[i].way > 0.0) widest = std::max(widest, reaches_[i].gap);
    if (reaches_[i].way > reaches_[worst].way) worst = i;
  }
  if (run.duration && step > *run.duration) {
    return "simulation.step: " + text(step) + " s is longer than the run, " + text(*run.duration) +
           " s";
  }
  if (reaches_.empty() || kFewestSteps * reaches_[worst].way <= widest) return {};
  return "simulation.step: " + text(step) + " s is too long for this motion: contact " +
         system_.contact_names()[worst] + " closes by " + text(reaches_[worst].way) +
         " m in one step, and no contact that closes was " + "ever open by more than " +
         text(widest) + " m; impacts mean something where that takes " + text(kFewestSteps) +
         " steps or more";
}

}  // namespace percute::simulation
