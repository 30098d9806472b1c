// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

// All tolerances of Coulomb's law in the contact core. Units: vs, the largest velocity of a contact
// before the impact (or so far); T, the shortest time of a compression; A_ii, the mobility of a
// contact along its tangents, so that vs/(A_ii T) is a force.

namespace percute::contact {

/// Sliding slower than this, in vs, is rest: far above what rounding leaves of the velocity of a
/// contact that is held (2e-13), far below what a result shows.
constexpr double kRest = 1e-11;

/// A decision looks so many times further than what is rest: over δ = kGrip kRest vs/(largest
/// tangential acceleration) contacts that slow down may stop.
constexpr double kGrip = 10.0;

/// A decision uses the forces so much later, in T: contacts that have just closed have no force
/// yet, but forces that are about to grow have ratios.
constexpr double kAhead = 1e-5;

/// Friction μλ below this force does nothing yet: the contact is decided about when it has grown.
constexpr double kForceless = 1e-13;

/// A contact at rest begins to slide if what is left of its acceleration exceeds this part of what
/// its own friction could do; and it is beyond its limit if it misses this part of it. A row of A
/// of which less than kGrip times this is independent of others follows them: friction could not
/// change that part by more than what is rest.
constexpr double kSlip = 1e-10;

/// Accelerations below this part of all that drives the contacts are rounding; and so is what is
/// left of a row of A that depends on others, where friction has no limit.
constexpr double kStill = 1e-11;

/// Sliding that begins in space has this speed, in vs, in the direction decided.
constexpr double kOffset = 1e-12;

/// Sliding turns so many times faster than anything else happens: then it is stiff.
constexpr double kStiff = 100.0;

/// The least part of the largest limit by which a redundant contact counts when forces are shared:
/// so small that it hardly takes part, so large that no matrix becomes singular.
constexpr double kLeastShare = 1e-6;

/// The least smoothing of |u| in a decision, over the scale of velocities.
constexpr double kSmoothest = 1e-13;

/// Newton's method for a smoothing ε is over when velocities change by less than this part of ε.
constexpr double kEnough = 0.01;

/// A step of Newton's method is short enough where the slope along it is this part of what it was.
constexpr double kFlatter = 0.3;

}  // namespace percute::contact
