// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/document.hpp>
#include <percute/laws/any_law.hpp>

#include <optional>
#include <string>

namespace percute::io {

/// Reads a `law` object. Without one, or where it names no kind, the law is the usual one.
AnyLaw read_law(const std::optional<Value>& value, AnyLaw usual = make_law("lzb"));

/// The `law` object with every option, defaults filled in; read_law() accepts it.
Node to_node(AnyLaw law);

/// The law with the one restitution coefficient it takes from the contacts, if it names none.
AnyLaw filled_in(AnyLaw law, const ImpactProblem& problem);

/// Replaces the law of a document by another kind, with its defaults; the options of the same kind
/// are kept. `origin` is how messages about it will begin.
void override_law(Document& document, const std::string& kind, const std::string& origin);

}  // namespace percute::io
