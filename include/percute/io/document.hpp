// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/file_error.hpp>
#include <percute/io/node.hpp>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace percute::io {

/// What a file may be at most; beyond, it is refused with a message.
struct DocumentLimits {
  static constexpr std::size_t kJsonBytes = std::size_t{64} << 20U;
  static constexpr std::size_t kTomlBytes = std::size_t{8} << 20U;
  static constexpr std::size_t kValues = 5'000'000;
  static constexpr int kDepth = 64;
};

/// A file as a tree, with what is needed to say where a value came from.
struct Document {
  std::string file;                              ///< name used in messages
  Node root;                                     ///< an object
  std::vector<std::string> overrides = {};       ///< "--set law.tolerance=1e-8", in order
  std::vector<std::string> override_texts = {};  ///< their values as typed, "1e-8"

  /// "cradle.toml:12", or the override that brought the value.
  std::string where(const Node& node) const;

  /// What was typed for a number, a truth value or null that an override brought, as where a string
  /// is wanted "5" needs no quotes; nullptr for any other node.
  const std::string* typed_text(const Node& node) const;

  /// The value at "contacts[1].restitution", or the last one met on the way to it.
  const Node& nearest(std::string_view path) const;
};

/// Parses JSON (RFC 8259; a byte order mark is tolerated) whose top level is an object. Repeated
/// keys, invalid UTF-8 and anything after the object are errors. Throws FileError.
/// `first_line` is the line of `file_name` at which the text starts.
Document parse_json(std::string_view text, std::string file_name, int first_line = 1);

/// Parses TOML 1.0. Dates and times have no use here and are errors. Throws FileError.
Document parse_toml(std::string_view text, std::string file_name);

/// Reads a file; its suffix (.json, .toml) says which syntax, otherwise a leading brace means JSON.
/// Throws FileError.
Document read_document(const std::filesystem::path& path);

/// The same for what is left of an open file, such as stdin.
Document read_document(std::FILE* in, const std::string& name);

/// Sets the value at a path such as "law.tolerance" or "contacts[0].restitution", making the
/// objects on the way that are missing. `text` is JSON or TOML, or else a plain string; where a
/// string is wanted, a number is taken as it was typed. `origin` is how messages about this value
/// will begin. Throws FileError.
void override_value(Document& document, const std::string& path, const std::string& text,
                    const std::string& origin);

/// Takes out the key at a path such as "law.tolerance", as if the file did not have it. `origin` is
/// how messages begin. Throws FileError, also if there is no such key.
void remove_value(Document& document, const std::string& path, const std::string& origin);

}  // namespace percute::io
