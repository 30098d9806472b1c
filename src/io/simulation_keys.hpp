// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/motion_file.hpp>

namespace percute::io {

/// Reads [simulation]: with law 'compliant' the adaptive method moves its contacts. Throws
/// FileError.
Method read_method(const Value& simulation, const AnyLaw& law);

/// [simulation] with every key of its method, defaults filled in; read_method() accepts it.
Node method_node(const Method& method);

}  // namespace percute::io
