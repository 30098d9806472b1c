// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/document.hpp>

#include <fmt/format.h>

#include <filesystem>

namespace percute::io {

/// Refuses a file of another format. This comes before its keys are looked at, which would only be
/// unknown; a missing key 'format' is left to them.
inline void refuse_other_format(const Value& at, std::string_view format) {
  const auto given = at.find("format");
  if (given && given->string() != format) {
    given->fail(fmt::format("must be \"{}\", got {}", format, given->node().describe()));
  }
}

/// A problem or a scene that a file of another format names: in a file beside it (a string), or
/// right there (an object).
inline Document read_named_problem(const Value& value) {
  if (value.node().as<Node::Object>() != nullptr) {
    return {.file = value.document().file, .root = value.node(), .toml = value.document().toml};
  }
  const std::filesystem::path path(value.string());
  const std::filesystem::path folder = std::filesystem::path(value.document().file).parent_path();
  const std::filesystem::path file = path.is_absolute() ? path : folder / path;
  try {
    return read_document(file);
  } catch (const FileError& error) {
    // Where the file as a whole is no good, its name here may be the mistake.
    if (error.where() == file.string()) value.fail(error.what());
    throw;
  }
}

}  // namespace percute::io
