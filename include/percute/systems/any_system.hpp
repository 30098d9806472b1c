// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/body.hpp>
#include <percute/systems/mass_solver.hpp>
#include <percute/systems/moving_system.hpp>

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace percute::systems {

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
        T.setZero();
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
