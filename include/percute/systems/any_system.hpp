// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/body.hpp>
#include <percute/model/fields.hpp>
#include <percute/model/impact_problem.hpp>
#include <percute/model/state.hpp>
#include <percute/numerics/linear_algebra.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace percute::systems {

/// Solves with the mass matrix of one system, in memory of its own: one per run. A system whose
/// structure allows better than a dense factor brings its own (MovingSystem, solver()).
class MassSolver {
 public:
  MassSolver() = default;
  MassSolver(const MassSolver&) = delete;
  MassSolver& operator=(const MassSolver&) = delete;
  virtual ~MassSolver() = default;

  /// Prepares multiply() and solve() with M(q) and c K(q), K the stiffness of the system (0 where
  /// it is not known). False if M + c K is not positive definite there.
  virtual bool factor(const Vector& q, double c) = 0;
  bool factor(const Vector& q) { return factor(q, 0.0); }
  virtual void multiply(const Vector& x, Vector& y) = 0;  ///< y = M x
  virtual void solve(Vector& x) = 0;                      ///< x := (M + c K)⁻¹ x

  /// ½ vᵀ M(q) v, at any q; leaves the factors alone.
  virtual double kinetic_energy(const Vector& q, const Vector& v) = 0;
};

/// A point or a vector of the plane, (x, y).
using Point = Eigen::Vector2d;

/// Largest gap of what still touches, in lengths of the system (m where it has none): rounding of
/// positions and angles, added up along a tall stack or a long chain.
inline constexpr double kTouching = 1e-9;

/// First coordinate and number of coordinates of two bodies; {0, 0} for none.
using Blocks = std::array<std::array<int, 2>, 2>;

/// What a system is: where it has mass and where it touches, at any position q,
///
///     M(q),   gaps h(q) ≥ 0,   W(q) = ∇h,   tangents T(q),
///
/// from which the impact follows that starts in a state. Contacts are all its unilateral
/// constraints, closed or not, in an order that never changes. It does not know which law will be
/// applied; materials are judged with the problem they end up in. Output arguments come with the
/// right size and with contents of no meaning; everything must be written. The systems of this
/// folder have a function validate(), which throws InvalidInput, naming the field, unless they can
/// be built; their other functions do so, too.
///
/// Optional, found by name:
// clang-format off
///     const Vector& diagonal_mass() const       instead of mass(): M = diag of this, at any q
///     void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const   tangents of contact i, n × d,
///                                               where contact(i, q).directions = d > 0; takes no memory
///     double touching(int i) const              m: largest gap of contact i that an impact takes for
///                                               closed; else kTouching
///     Blocks blocks(int i) const                coordinates of the bodies that meet at contact i:
///                                               gradient() and tangents() then get zeros, to change
///                                               there alone. For many bodies
///     std::vector<Body> bodies() const          names of its parts
///     std::vector<std::string> contact_names() const     names of its contacts: "1–2", "3–wall"
// clang-format on
template <class S>
concept System =
    requires(const S& system, const Vector& q, int i, Vector& x) {
      { system.coordinates() } -> std::convertible_to<int>;  // n
      { system.contacts() } -> std::convertible_to<int>;     // m
      system.gaps(q, x);                                     // h(q), m
      system.gradient(i, q, x);                              // ∇h_i(q), n
      { system.contact(i, q) } -> std::same_as<Contact>;  // material, and directions of sliding
    } &&
    (requires(const S& system, const Vector& q, Matrix& M) {
      system.mass(q, M);  // M(q), n × n, symmetric positive definite
    } || requires(const S& system) {
      { system.diagonal_mass() } -> std::same_as<const Vector&>;
    });

/// A system that can also be moved in time, by any method of percute::simulation:
///
///     q' = v,   M(q) v' = f(t, q, v) + W(q) λ,   0 ≤ h(q) ⟂ λ ≥ 0.
///
/// A system of one's own needs these nine functions and nothing else.
///
/// Optional, found by name:
// clang-format off
///     std::unique_ptr<MassSolver> solver() const         M⁻¹ faster than by a dense factor
///     void stiffness(const Vector& q, Matrix& K) const   Hessian of the elastic potential: for limits
///                                                        of steps and for implicit methods
///     bool conservative() const                          false where f does work of its own
///     double longest_step(double t) const                s, where f depends on time: adaptive steps
///                                                        from t on are not longer
///
/// and bilateral constraints g(q) = 0:
///
///     int joints() const
///     void joint(const Vector& q, Vector& g) const
///     void joint_gradient(int k, const Vector& q, Vector& column) const
///     double joint_curvature(int k, const Vector& q, const Vector& v) const
// clang-format on
template <class S>
concept MovingSystem = System<S> && requires(const S& system, double t, const Vector& q,
                                             const Vector& v, int i, Vector& x) {
  system.force(t, q, v, x);  // f: gravity, springs, drives, Coriolis and centrifugal terms
  // vᵀ ∇²h_i v, so that h_i″ = ∇h_i · v′ + that.
  { system.gap_curvature(i, q, v) } -> std::convertible_to<double>;
  { system.potential_energy(q) } -> std::convertible_to<double>;  // J
};

/// Prescribed acceleration of the base that a system stands on, in one direction:
///
///     a(t) = A sin(2π f (t − t₀) + φ)   from t₀ to t₀ + cycles/f,   0 before and after.
///
/// Half a cycle is a half-sine pulse (Housner 1963), one cycle a one-sine pulse, as in studies of
/// blocks in earthquakes; without an end the base vibrates, with displacements of A/(2π f)². A
/// system in motion is written in the frame of its base: positions and velocities are relative to
/// it, and a mass m feels the force −m a(t) beside its weight.
struct BaseMotion {
  double acceleration = 0.0;                                ///< A, m/s²; 0: the base is fixed
  double frequency = 1.0;                                   ///< f > 0, Hz
  double phase = 0.0;                                       ///< φ, rad
  double start = 0.0;                                       ///< t₀, s
  double cycles = std::numeric_limits<double>::infinity();  ///< > 0

  bool moves() const { return acceleration != 0.0; }
  double at(double time) const;  ///< a, m/s²
  /// Longest step from `time` on that sees the motion, s: to its start, an eighth of a cycle, to
  /// its end; infinite once it is over.
  double longest_step(double time) const;
};

template <Same<BaseMotion> S>
void fields(S& base, auto&& visit) {
  visit(Field{"acceleration", "A", {}, "m/s²"}.needed(), base.acceleration);
  visit(Field{"frequency", "f", Range::positive(), "Hz"}.needed(), base.frequency);
  visit(Field{"phase_deg", "φ"}.in_degrees(), base.phase);
  visit(Field{"start", "t₀", {}, "s"}, base.start);
  visit(Field{"cycles", "how many, from then on", Range::positive().or_infinite()}, base.cycles);
}

/// What most systems have that move.
inline constexpr Field kGravity("gravity", "downwards, for motion only", Range::not_negative(),
                                "m/s²");

/// Motion of a base in the plane.
struct PlanarBaseMotion {
  BaseMotion horizontal = {};  ///< positive to the right
  BaseMotion vertical = {};    ///< positive upwards

  bool moves() const { return horizontal.moves() || vertical.moves(); }
  double longest_step(double time) const;  ///< that of both
};

/// Throws InvalidInput: contact i has directions of sliding, but its system has no tangents().
[[noreturn]] void no_tangents(int i);
/// Throws InvalidInput: a system without force() is to move.
[[noreturn]] void no_motion();

/// Any system, as a value. It has the functions of MovingSystem, with those that are optional
/// filled in; the methods of percute::simulation work with it. What has no force() is for impacts
/// alone, and says so when it is to move.
class AnySystem {
 public:
  template <class S>
    requires(!std::same_as<S, AnySystem> && System<S>)
  AnySystem(S system)  // NOLINT(google-explicit-constructor): any system is one
      : self_(std::make_shared<const Model<S>>(std::move(system))),
        local_(requires(const S& s) { s.blocks(0); }) {}

  /// The impact that starts in this state: of the contacts whose gap is touching(i) at most.
  ImpactProblem impact(const State& state) const;
  /// Their places among all contacts, and what they are called.
  std::vector<int> closed(const Vector& q) const;
  std::vector<std::string> contact_names(const State& state) const;
  /// The same with these materials, one per contact.
  AnySystem with_materials(std::vector<Material> materials) const;

  int coordinates() const { return self_->coordinates(); }
  int contacts() const { return self_->contacts(); }
  void mass(const Vector& q, Matrix& M) const { self_->mass(q, M); }
  MassMatrix mass_matrix(const Vector& q) const;
  void gaps(const Vector& q, Vector& h) const { self_->gaps(q, h); }
  void gradient(int i, const Vector& q, Vector& column) const {
    if (local_) column.setZero();
    self_->gradient(i, q, column);
  }
  Contact contact(int i, const Vector& q) const {
    Contact contact = self_->contact(i, q);
    if (materials_) contact.material = (*materials_)[static_cast<std::size_t>(i)];
    return contact;
  }
  // NOLINTNEXTLINE(performance-unnecessary-value-param): a view, written to
  void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const {
    if (local_) T.setZero();
    self_->tangents(i, q, T);
  }
  Matrix tangents(int i, const Vector& q) const;  ///< n × d
  double touching(int i) const { return self_->touching(i); }
  std::vector<Body> bodies() const { return self_->bodies(); }  ///< empty: not told
  std::vector<std::string> contact_names() const;               ///< "1", "2", … where not told

  void force(double t, const Vector& q, const Vector& v, Vector& f) const {
    self_->force(t, q, v, f);
  }
  double gap_curvature(int i, const Vector& q, const Vector& v) const {
    return self_->gap_curvature(i, q, v);
  }
  double potential_energy(const Vector& q) const { return self_->potential_energy(q); }
  std::unique_ptr<MassSolver> solver() const;  ///< the system's own, or by a dense factor
  bool has_stiffness() const { return self_->has_stiffness(); }
  void stiffness(const Vector& q, Matrix& K) const { self_->stiffness(q, K); }
  bool conservative() const { return self_->conservative(); }
  double longest_step(double t) const { return self_->longest_step(t); }  ///< s; infinite: no limit
  int joints() const { return self_->joints(); }
  void joint(const Vector& q, Vector& g) const { self_->joint(q, g); }
  void joint_gradient(int k, const Vector& q, Vector& column) const {
    self_->joint_gradient(k, q, column);
  }
  double joint_curvature(int k, const Vector& q, const Vector& v) const {
    return self_->joint_curvature(k, q, v);
  }

 private:
  friend ImpactProblem impact_problem(const AnySystem& system, const Vector& q, const Vector& v,
                                      const std::vector<int>& closed);

  struct Concept {
    Concept() = default;
    Concept(const Concept&) = delete;
    Concept& operator=(const Concept&) = delete;
    virtual ~Concept() = default;
    virtual int coordinates() const = 0;
    virtual int contacts() const = 0;
    virtual const Vector* diagonal_mass() const = 0;  // nullptr: M is not known to be diagonal
    virtual void mass(const Vector& q, Matrix& M) const = 0;
    virtual void gaps(const Vector& q, Vector& h) const = 0;
    virtual void gradient(int i, const Vector& q, Vector& column) const = 0;
    virtual Contact contact(int i, const Vector& q) const = 0;
    virtual void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const = 0;
    virtual double touching(int i) const = 0;
    virtual Blocks blocks(int i) const = 0;
    virtual void force(double t, const Vector& q, const Vector& v, Vector& f) const = 0;
    virtual double gap_curvature(int i, const Vector& q, const Vector& v) const = 0;
    virtual double potential_energy(const Vector& q) const = 0;
    virtual std::unique_ptr<MassSolver> solver() const = 0;
    virtual bool has_stiffness() const = 0;
    virtual void stiffness(const Vector& q, Matrix& K) const = 0;
    virtual bool conservative() const = 0;
    virtual double longest_step(double t) const = 0;
    virtual int joints() const = 0;
    virtual void joint(const Vector& q, Vector& g) const = 0;
    virtual void joint_gradient(int k, const Vector& q, Vector& column) const = 0;
    virtual double joint_curvature(int k, const Vector& q, const Vector& v) const = 0;
    virtual std::vector<Body> bodies() const = 0;
    virtual std::vector<std::string> contact_names() const = 0;
  };

  template <class S>
  struct Model final : Concept {
    explicit Model(S&& value) : system(std::move(value)) {}
    S system;

    static constexpr bool kMoves = MovingSystem<S>;
    static constexpr bool kJointed = requires(const S& s) { s.joints(); };

    int coordinates() const override { return system.coordinates(); }
    int contacts() const override { return system.contacts(); }
    const Vector* diagonal_mass() const override {
      if constexpr (requires { system.diagonal_mass(); }) return &system.diagonal_mass();
      return nullptr;
    }
    void mass(const Vector& q, Matrix& M) const override {
      if constexpr (requires { system.mass(q, M); }) {
        system.mass(q, M);
      } else {
        M = system.diagonal_mass().asDiagonal();
      }
    }
    void gaps(const Vector& q, Vector& h) const override { system.gaps(q, h); }
    void gradient(int i, const Vector& q, Vector& column) const override {
      system.gradient(i, q, column);
    }
    Contact contact(int i, const Vector& q) const override { return system.contact(i, q); }
    void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const override {
      if constexpr (requires { system.tangents(i, q, T); }) {
        system.tangents(i, q, T);
      } else {
        no_tangents(i);
      }
    }
    double touching([[maybe_unused]] int i) const override {
      if constexpr (requires { system.touching(i); }) return system.touching(i);
      return kTouching;
    }
    Blocks blocks([[maybe_unused]] int i) const override {
      if constexpr (requires { system.blocks(i); }) return system.blocks(i);
      return {{{0, coordinates()}, {0, 0}}};
    }
    void force(double t, const Vector& q, const Vector& v, Vector& f) const override {
      if constexpr (kMoves) {
        system.force(t, q, v, f);
      } else {
        no_motion();
      }
    }
    double gap_curvature(int i, const Vector& q, const Vector& v) const override {
      if constexpr (kMoves) return system.gap_curvature(i, q, v);
      no_motion();
    }
    double potential_energy(const Vector& q) const override {
      if constexpr (kMoves) return system.potential_energy(q);
      no_motion();
    }
    std::unique_ptr<MassSolver> solver() const override {
      if constexpr (requires { system.solver(); }) return system.solver();
      return nullptr;
    }
    bool has_stiffness() const override {
      return requires(const Vector& q, Matrix& K) { system.stiffness(q, K); };
    }
    void stiffness(const Vector& q, Matrix& K) const override {
      if constexpr (requires { system.stiffness(q, K); }) {
        system.stiffness(q, K);
      } else {
        K.setZero(coordinates(), coordinates());
      }
    }
    bool conservative() const override {
      if constexpr (requires { system.conservative(); }) return system.conservative();
      return true;
    }
    double longest_step([[maybe_unused]] double t) const override {
      if constexpr (requires { system.longest_step(t); }) return system.longest_step(t);
      return std::numeric_limits<double>::infinity();
    }
    int joints() const override {
      if constexpr (kJointed) return system.joints();
      return 0;
    }
    void joint(const Vector& q, Vector& g) const override {
      if constexpr (kJointed) system.joint(q, g);
    }
    void joint_gradient(int k, const Vector& q, Vector& column) const override {
      if constexpr (kJointed) system.joint_gradient(k, q, column);
    }
    double joint_curvature(int k, const Vector& q, const Vector& v) const override {
      if constexpr (kJointed) return system.joint_curvature(k, q, v);
      return 0.0;
    }
    std::vector<Body> bodies() const override {
      if constexpr (requires { system.bodies(); }) return system.bodies();
      return {};
    }
    std::vector<std::string> contact_names() const override {
      if constexpr (requires { system.contact_names(); }) return system.contact_names();
      return {};
    }
  };

  std::shared_ptr<const Concept> self_;
  std::shared_ptr<const std::vector<Material>> materials_ = {};
  bool local_ = false;
};

/// The impact of the contacts in `closed` (indices, ascending) with velocities v before it.
ImpactProblem impact_problem(const AnySystem& system, const Vector& q, const Vector& v,
                             const std::vector<int>& closed);

}  // namespace percute::systems
