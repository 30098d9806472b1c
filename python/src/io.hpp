// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "model.hpp"

#include <percute/io/document.hpp>

namespace percute::python {

/// A tree of values: dicts, lists, numbers; lists of numbers become arrays.
nb::object to_python(const io::Node& node);

}  // namespace percute::python
