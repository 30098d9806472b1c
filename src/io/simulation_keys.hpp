// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/motion_file.hpp>

namespace percute::io {

/// Reads [simulation]. `scene` is all of the file, `restitution` that of all contacts, if they
/// agree. Throws FileError.
Method read_method(const Value& simulation, const AnyLaw& law);

/// [simulation] with every key of its method, defaults filled in; read_method() accepts it.
Node method_node(const Method& method);

}  // namespace percute::io
