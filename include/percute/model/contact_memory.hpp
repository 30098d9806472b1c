// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <array>
#include <vector>

// What contacts with a compliant force remember from step to step: all that a run needs to go on.

namespace percute {

/// Of the force of a contact: whether it acts, and while the contact is closed, on which curve.
struct ContactMemory {
  enum class Mode {
    Apart,     ///< no force until the gap has closed
    Touching,  ///< force of the present branch
    Released,  ///< still indented, but the force has reached 0 and must not pull
  };
  enum class Branch {
    Loading,    ///< first curve
    Plastic,    ///< beyond the yield point
    Unloading,  ///< below the largest indentation, down or up again
  };
  Branch branch = Branch::Loading;
  double largest = 0.0;   ///< δ_m where unloading began
  double force = 0.0;     ///< F_m there
  double residual = 0.0;  ///< δ at which the unloading curve ends
  double damping = 0.0;   ///< χ of the present contact, for laws that set it from the speed
};

/// What the friction of a contact does.
struct FrictionMode {
  enum class Kind {
    Off,    ///< no force yet
    Slide,  ///< f = −μ F u, u = U_t/|U_t|
    Stick,  ///< whatever holds it
  };
  Kind kind = Kind::Off;
  std::array<double, 2> direction = {};  ///< u: in the plane a sign; in space where it began
  std::array<double, 2> offset = {};     ///< added to U_t: what began at rest begins along u
  bool fresh = false;                    ///< has not slid faster than rest yet
  int slow = 0;                          ///< steps in which it slid so slowly that it may be stiff
};

/// Of the friction of all contacts.
struct FrictionMemory {
  std::vector<FrictionMode> modes = {};
  double decided = 0.0;          ///< when, s
  int again = 0;                 ///< decisions at that instant, less one
  std::vector<int> places = {};  ///< tangential rows: among the independent ones that stick, or −1
  std::vector<double> shape =
      {};  ///< tangential rows: shares of redundant contacts; empty: none known
};

}  // namespace percute
