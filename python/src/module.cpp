// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model.hpp"

#include <percute/io/document.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/version.hpp>

#include <exception>

namespace {

namespace nb = nanobind;

/// Bad input is an exception of its own, with the field and the reason beside the message.
void translate(const std::exception_ptr& error, void* type) {
  try {
    std::rethrow_exception(error);
  } catch (const percute::InvalidInput& bad) {
    const nb::handle cls(static_cast<PyObject*>(type));
    const nb::object made = cls(bad.what());
    made.attr("field") = bad.field();
    made.attr("reason") = bad.reason();
    PyErr_SetObject(cls.ptr(), made.ptr());
  }
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The C++ library. Use percute, percute.laws, percute.systems and percute.simulation.";
  m.attr("_version") = percute::kVersion;
  // Classes live as long as the interpreter: their defaults, and what a thread still keeps, too.
  nb::set_leak_warnings(false);
  const nb::object errors = nb::module_::import_("percute._errors");
  const nb::handle invalid_input = nb::object(errors.attr("InvalidInput")).release();
  nb::register_exception_translator(translate, invalid_input.ptr());
  percute::python::bind_model(m);
  percute::python::bind_laws(m);
  percute::python::bind_systems(m);
  percute::python::bind_io(m);
  percute::python::bind_simulation(m);
  percute::python::bind_analysis(m);
  percute::python::bind_pictures(m);
}
