// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/body.hpp>
#include <percute/model/impact_problem.hpp>
#include <percute/numerics/linear_algebra.hpp>

#include <concepts>
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

  /// Prepares multiply() and solve() with M(q). False if M is not positive definite there.
  virtual bool factor(const Vector& q) = 0;
  virtual void multiply(const Vector& x, Vector& y) = 0;  ///< y = M x
  virtual void solve(Vector& x) = 0;                      ///< x := M⁻¹ x

  /// ½ vᵀ M(q) v, at any q; leaves the factors alone.
  virtual double kinetic_energy(const Vector& q, const Vector& v) = 0;

  /// Prepares solve_stiffened() with M(q) + c K(q), K the stiffness of the system (0 where it is
  /// not known). False if that is not positive definite.
  virtual bool factor_stiffened(const Vector& q, double c) = 0;
  virtual void solve_stiffened(Vector& x) = 0;
};

/// What a system offers to be moved in time by any method of percute::simulation:
///
///     q' = v,   M(q) v' = f(t, q, v) + W(q) λ,   0 ≤ h(q) ⟂ λ ≥ 0,   W = ∇h.
///
/// Contacts are all its unilateral constraints, closed or not, in an order that never changes.
/// Output arguments come with the right size and with contents of no meaning; everything must be
/// written. A system of one's own needs these nine functions and nothing else.
///
/// Optional, found by name:
// clang-format off
///     std::unique_ptr<MassSolver> solver() const         M⁻¹ faster than by a dense factor
///     void stiffness(const Vector& q, Matrix& K) const   Hessian of the elastic potential: for limits
///                                                        of steps and for implicit methods
///     bool conservative() const                          false where f does work of its own
///     double longest_step(double t) const                s, where f depends on time: adaptive steps
///                                                        from t on are not longer
///     void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const   tangents of contact i, n × d,
///                                                        where contact(i, q).directions = d > 0;
///                                                        takes no memory
///     std::vector<Body> bodies() const                   names of its parts
///     std::vector<std::string> contact_names() const     names of its contacts
///
/// and bilateral constraints g(q) = 0:
///
///     int joints() const
///     void joint(const Vector& q, Vector& g) const
///     void joint_gradient(int k, const Vector& q, Vector& column) const
///     double joint_curvature(int k, const Vector& q, const Vector& v) const
// clang-format on
template <class S>
concept MovingSystem = requires(const S& system, double t, const Vector& q, const Vector& v, int i,
                                Vector& x, Matrix& M) {
  { system.coordinates() } -> std::convertible_to<int>;  // n
  { system.contacts() } -> std::convertible_to<int>;     // m
  system.mass(q, M);                                     // M(q), n × n, symmetric positive definite
  system.force(t, q, v, x);  // f: gravity, springs, drives, Coriolis and centrifugal terms
  system.gaps(q, x);         // h(q), m
  system.gradient(i, q, x);  // ∇h_i(q), n
  // vᵀ ∇²h_i v, so that h_i″ = ∇h_i · v′ + that.
  { system.gap_curvature(i, q, v) } -> std::convertible_to<double>;
  { system.contact(i, q) } -> std::same_as<Contact>;  // material, and directions of sliding
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

/// Throws InvalidInput, naming the field after `base` ("base.frequency"), unless it makes sense.
void validate(const BaseMotion& motion, const std::string& base);

/// Motion of a base in the plane.
struct PlanarBaseMotion {
  BaseMotion horizontal = {};  ///< positive to the right
  BaseMotion vertical = {};    ///< positive upwards

  bool moves() const { return horizontal.moves() || vertical.moves(); }
  double longest_step(double time) const;  ///< that of both
};

/// Throws InvalidInput: contact i has directions of sliding, but its system has no tangents().
[[noreturn]] void no_tangents(int i);

/// Any moving system, as a value: what the methods of percute::simulation work with. It has the
/// functions of MovingSystem, with those that are optional filled in.
class AnySystem {
 public:
  template <class S>
    requires(!std::same_as<S, AnySystem> && MovingSystem<S>)
  AnySystem(S system)  // NOLINT(google-explicit-constructor): any moving system is one
      : self_(std::make_shared<const Model<S>>(std::move(system))) {}

  int coordinates() const { return self_->coordinates(); }
  int contacts() const { return self_->contacts(); }
  void mass(const Vector& q, Matrix& M) const { self_->mass(q, M); }
  void force(double t, const Vector& q, const Vector& v, Vector& f) const {
    self_->force(t, q, v, f);
  }
  void gaps(const Vector& q, Vector& h) const { self_->gaps(q, h); }
  void gradient(int i, const Vector& q, Vector& column) const { self_->gradient(i, q, column); }
  double gap_curvature(int i, const Vector& q, const Vector& v) const {
    return self_->gap_curvature(i, q, v);
  }
  Contact contact(int i, const Vector& q) const { return self_->contact(i, q); }
  // NOLINTNEXTLINE(performance-unnecessary-value-param): a view, written to
  void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const { self_->tangents(i, q, T); }
  Matrix tangents(int i, const Vector& q) const;  ///< n × d
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
  std::vector<Body> bodies() const { return self_->bodies(); }  ///< empty: not told
  std::vector<std::string> contact_names() const;               ///< "1", "2", … where not told

 private:
  struct Concept {
    Concept() = default;
    Concept(const Concept&) = delete;
    Concept& operator=(const Concept&) = delete;
    virtual ~Concept() = default;
    virtual int coordinates() const = 0;
    virtual int contacts() const = 0;
    virtual void mass(const Vector& q, Matrix& M) const = 0;
    virtual void force(double t, const Vector& q, const Vector& v, Vector& f) const = 0;
    virtual void gaps(const Vector& q, Vector& h) const = 0;
    virtual void gradient(int i, const Vector& q, Vector& column) const = 0;
    virtual double gap_curvature(int i, const Vector& q, const Vector& v) const = 0;
    virtual Contact contact(int i, const Vector& q) const = 0;
    virtual void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const = 0;
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

    static constexpr bool kJointed = requires(const S& s) { s.joints(); };

    int coordinates() const override { return system.coordinates(); }
    int contacts() const override { return system.contacts(); }
    void mass(const Vector& q, Matrix& M) const override { system.mass(q, M); }
    void force(double t, const Vector& q, const Vector& v, Vector& f) const override {
      system.force(t, q, v, f);
    }
    void gaps(const Vector& q, Vector& h) const override { system.gaps(q, h); }
    void gradient(int i, const Vector& q, Vector& column) const override {
      system.gradient(i, q, column);
    }
    double gap_curvature(int i, const Vector& q, const Vector& v) const override {
      return system.gap_curvature(i, q, v);
    }
    Contact contact(int i, const Vector& q) const override { return system.contact(i, q); }
    void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const override {
      if constexpr (requires { system.tangents(i, q, T); }) {
        system.tangents(i, q, T);
      } else {
        no_tangents(i);
      }
    }
    double potential_energy(const Vector& q) const override { return system.potential_energy(q); }
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
};

/// The impact of the contacts in `closed` (indices, ascending) with velocities v before it.
ImpactProblem impact_problem(const AnySystem& system, const Vector& q, const Vector& v,
                             const std::vector<int>& closed);

}  // namespace percute::systems
