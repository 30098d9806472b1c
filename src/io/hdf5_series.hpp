// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "io/hdf5_file.hpp"
#include "io/hdf5_handle.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace percute::io {

/// A dataset of a growing file to whose end rows are added. Rows that a killed run had no time to
/// write read as NaN, "" or 0.
class Hdf5Series {
 public:
  /// One row of `width` numbers at a time, or of one number without a second axis (width 0).
  static Hdf5Series numbers(Hdf5File& file, const std::string& path, int width,
                            const std::string& units);
  static Hdf5Series texts(Hdf5File& file, const std::string& path);  ///< of 24 bytes at most
  static Hdf5Series flags(Hdf5File& file, const std::string& path, int width);  ///< 0 or 1

  void append(const std::vector<double>& values);
  void append(const std::vector<std::string>& texts);
  void append(const std::vector<std::uint8_t>& flags);

  /// Bytes by which the file may grow if so many rows are added.
  std::uint64_t growth(std::uint64_t rows) const;

 private:
  Hdf5Series(Hdf5File& file, const std::string& path, int width, Datatype type, const void* fill);
  void append(const void* data, std::uint64_t rows);

  Hdf5File* file_;
  Datatype type_;
  std::uint64_t width_;  ///< entries of a row, at least 1
  int axes_;
  std::uint64_t row_bytes_;
  std::uint64_t chunk_rows_;
  Dataset dataset_;
  std::uint64_t rows_ = 0;
};

}  // namespace percute::io
