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
  }

  int coordinates() const { return coordinates_; }
  int contacts() const { return contacts_; }
  void mass(const Vector& q, Matrix& M) const {
    const nb::gil_scoped_acquire python;
    Matrix given;
    from_python(object_->attr("mass")(to_python(q)), given);
    require("mass", given.rows(), coordinates_);
    M = given.cols() == 1 && coordinates_ > 1 ? Matrix(given.col(0).asDiagonal()) : given;
    require("mass", M.cols(), coordinates_);
  }
  void gaps(const Vector& q, Vector& h) const { vector("gaps", contacts_, h, q); }
  void gradient(int i, const Vector& q, Vector& column) const {
    const nb::gil_scoped_acquire python;
    from_python(object_->attr("gradient")(i, to_python(q)), column);
    require("gradient", column.size(), coordinates_);
  }
  Contact contact(int i, const Vector& q) const {
    const nb::gil_scoped_acquire python;
    const nb::object made = object_->attr("contact")(i, to_python(q));
    if (nb::isinstance<Material>(made)) return {.material = nb::cast<const Material&>(made)};
    if (!nb::isinstance<Contact>(made)) wrong_type(made, "contact(): a Material or a Contact");
    return nb::cast<const Contact&>(made);
  }
  void force(double t, const Vector& q, const Vector& v, Vector& f) const {
    const nb::gil_scoped_acquire python;
    from_python(object_->attr("force")(t, to_python(q), to_python(v)), f);
    require("force", f.size(), coordinates_);
  }
  double gap_curvature(int i, const Vector& q, const Vector& v) const {
    const nb::gil_scoped_acquire python;
    if (!nb::hasattr(*object_, "gap_curvature")) return 0.0;
    return nb::cast<double>(object_->attr("gap_curvature")(i, to_python(q), to_python(v)));
  }
  double potential_energy(const Vector& q) const {
    const nb::gil_scoped_acquire python;
    if (!nb::hasattr(*object_, "potential_energy")) return 0.0;
    return nb::cast<double>(object_->attr("potential_energy")(to_python(q)));
  }
  bool conservative() const {
    const nb::gil_scoped_acquire python;
    return nb::hasattr(*object_, "potential_energy");
  }

 private:
  int number(const char* name) const {
    if (!nb::hasattr(*object_, name)) {
      wrong_type(*object_, std::string("a system (an object with ") + name + ")");
    }
    const nb::object value = object_->attr(name);
    return nb::cast<int>(PyCallable_Check(value.ptr()) ? value() : value);
  }
  template <class... Arguments>
  void vector(const char* name, int size, Vector& to, const Arguments&... arguments) const {
    const nb::gil_scoped_acquire python;
    from_python(object_->attr(name)(to_python(arguments)...), to);
    require(name, to.size(), size);
  }
  static void require(const char* name, Eigen::Index size, Eigen::Index wanted) {
    if (size != wanted) {
      throw InvalidInput(name, "the system gave " + std::to_string(size) +
                                   " numbers; wanted: " + std::to_string(wanted));
    }
  }

  std::shared_ptr<nb::object> object_;
  int coordinates_ = 0;
  int contacts_ = 0;
};
static_assert(systems::MovingSystem<PythonSystem>);

}  // namespace

systems::AnySystem python_system(nb::handle value) {
  return PythonSystem(value);
}

}  // namespace percute::python
