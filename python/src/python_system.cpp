// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems.hpp"

#include <percute/model/invalid_input.hpp>

#include <array>
#include <limits>
#include <memory>

namespace percute::python {

namespace {

/// Asks an object of Python what a system is asked. Sizes are checked: C++ relies on them.
class PythonSystem {
 public:
  explicit PythonSystem(nb::handle object)
      : object_(new nb::object(nb::borrow(object)), [](nb::object* held) {
          const nb::gil_scoped_acquire python;
          delete held;
        }) {
    coordinates_ = number("coordinates");
    contacts_ = number("contacts");
    joints_ = has("joints") ? number("joints") : 0;
    for (const char* name : {"mass", "gaps", "gradient", "contact"}) {
      if (!has(name)) no_system(name);
    }
  }

  int coordinates() const { return coordinates_; }
  int contacts() const { return contacts_; }
  int joints() const { return joints_; }
  void mass(const Vector& q, Matrix& M) const {
    const Matrix given = ask<Matrix>("mass", q);
    require("mass", given.rows(), coordinates_);
    M = given.cols() == 1 && coordinates_ > 1 ? Matrix(given.col(0).asDiagonal()) : given;
    require("mass", M.cols(), coordinates_);
  }
  void gaps(const Vector& q, Vector& h) const { vector(h, contacts_, "gaps", q); }
  void gradient(int i, const Vector& q, Vector& column) const {
    vector(column, coordinates_, "gradient", i, q);
  }
  Contact contact(int i, const Vector& q) const {
    const nb::gil_scoped_acquire python;
    const nb::object made = call("contact", i, q);
    Contact contact;
    if (nb::isinstance<Material>(made)) {
      contact.material = nb::cast<const Material&>(made);
    } else if (nb::isinstance<Contact>(made)) {
      contact = nb::cast<const Contact&>(made);
    } else {
      wrong_type(made, "contact(): a Material or a Contact");
    }
    contact.directions = has("tangents") ? static_cast<int>(directions(i, q).cols()) : 0;
    return contact;
  }
  void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const {
    const Matrix given = directions(i, q);
    require("tangents", given.cols(), static_cast<int>(T.cols()));
    T = given;
  }
  double touching(int i) const {
    return has("touching") ? ask<double>("touching", i) : systems::kTouching;
  }
  std::vector<Body> bodies() const { return names<Body>("bodies"); }
  std::vector<std::string> contact_names() const { return names<std::string>("contact_names"); }

  void force(double t, const Vector& q, const Vector& v, Vector& f) const {
    if (!has("force")) no_system("force");
    vector(f, coordinates_, "force", t, q, v);
  }
  double gap_curvature(int i, const Vector& q, const Vector& v) const {
    return has("gap_curvature") ? ask<double>("gap_curvature", i, q, v) : 0.0;
  }
  double potential_energy(const Vector& q) const {
    return has("potential_energy") ? ask<double>("potential_energy", q) : 0.0;
  }
  bool conservative() const {
    return has("conservative") ? ask<bool>("conservative") : has("potential_energy");
  }
  double longest_step(double t) const {
    return has("longest_step") ? ask<double>("longest_step", t)
                               : std::numeric_limits<double>::infinity();
  }
  void joint(const Vector& q, Vector& g) const {
    if (joints_ > 0) vector(g, joints_, "joint", q);
  }
  void joint_gradient(int k, const Vector& q, Vector& column) const {
    vector(column, coordinates_, "joint_gradient", k, q);
  }
  double joint_curvature(int k, const Vector& q, const Vector& v) const {
    return ask<double>("joint_curvature", k, q, v);
  }

 protected:
  bool has(const char* name) const {
    const nb::gil_scoped_acquire python;
    return nb::hasattr(*object_, name);
  }
  [[noreturn]] void no_system(const char* missing) const {
    const nb::gil_scoped_acquire python;
    wrong_type(*object_, std::string("a system (an object with ") + missing + ")");
  }
  template <class... Arguments>
  nb::object call(const char* name, const Arguments&... arguments) const {
    const nb::object member = object_->attr(name);
    return PyCallable_Check(member.ptr()) != 0 ? member(value_to_python(arguments)...) : member;
  }
  template <class T, class... Arguments>
  T ask(const char* name, const Arguments&... arguments) const {
    const nb::gil_scoped_acquire python;
    T answer;
    value_from_python(call(name, arguments...), answer, name);
    return answer;
  }
  int number(const char* name) const {
    if (!has(name)) no_system(name);
    return ask<int>(name);
  }
  static void require(const char* name, Eigen::Index size, Eigen::Index wanted) {
    if (size != wanted) {
      throw InvalidInput(name, "the system gave " + std::to_string(size) +
                                   " numbers; wanted: " + std::to_string(wanted));
    }
  }

 private:
  template <class T>
  std::vector<T> names(const char* name) const {
    return has(name) ? ask<std::vector<T>>(name) : std::vector<T>();
  }
  template <class... Arguments>
  void vector(Vector& to, int size, const char* name, const Arguments&... arguments) const {
    to = ask<Vector>(name, arguments...);
    require(name, to.size(), size);
  }
  /// In which contact i can slide, n × d.
  Matrix directions(int i, const Vector& q) const {
    Matrix given = ask<Matrix>("tangents", i, q);
    if (given.size() == 0) return Matrix(coordinates_, 0);
    require("tangents", given.rows(), coordinates_);
    return given;
  }
  std::shared_ptr<nb::object> object_;
  int coordinates_ = 0;
  int contacts_ = 0;
  int joints_ = 0;
};

/// One that knows how stiff it is, for implicit methods and limits of steps.
class StiffPythonSystem : public PythonSystem {
 public:
  using PythonSystem::PythonSystem;
  void stiffness(const Vector& q, Matrix& K) const {
    const int n = coordinates();
    K = ask<Matrix>("stiffness", q);
    require("stiffness", K.rows(), n);
    require("stiffness", K.cols(), n);
  }
};
static_assert(systems::MovingSystem<PythonSystem>);

}  // namespace

systems::AnySystem python_system(nb::handle value) {
  if (nb::hasattr(value, "stiffness")) return StiffPythonSystem(value);
  return PythonSystem(value);
}

}  // namespace percute::python
