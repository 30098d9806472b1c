// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "model.hpp"

#include <percute/systems/any_system.hpp>

#include <any>

namespace percute::python {

/// A system of percute, or any object with the functions of one.
systems::AnySystem system_from_python(nb::handle value);

/// An object of percute.systems from the system that it holds; None where it holds none.
nb::object system_to_python(const std::any& system);

/// An object of Python that has the functions of a MovingSystem (any_system.hpp), or those for
/// impacts alone; arrays are returned, not written to. Throws TypeError where one is missing.
systems::AnySystem python_system(nb::handle value);

}  // namespace percute::python
