// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_history.hpp>

#include <optional>
#include <vector>

namespace percute::analysis {

/// A maximum of a contact force.
struct ForcePeak {
  double time = 0.0;   ///< s
  double force = 0.0;  ///< N
};

/// Forces at the ends of the compressions of a contact, in the order of time. These instants are
/// located by the laws, not sampled. Where the force depends on the indentation alone (elastic,
/// bi- and mono-stiffness contacts) they are its local maxima; a damped force is largest before.
std::vector<ForcePeak> force_peaks(const ImpactHistory& history, int contact);

/// The largest; zero force if there is none.
ForcePeak largest(const std::vector<ForcePeak>& peaks);

/// The peaks above a part of the largest, in the order of time: the pulses of a wave train.
std::vector<ForcePeak> wave_train(const std::vector<ForcePeak>& peaks, double least = 0.05);

/// Shortest and longest time from one peak to the next.
struct Period {
  double shortest = 0.0;  ///< s
  double longest = 0.0;   ///< s
};
/// The last interval does not count: the end of the column shortens it. Nothing where no other is.
std::optional<Period> period(const std::vector<ForcePeak>& peaks);

}  // namespace percute::analysis
