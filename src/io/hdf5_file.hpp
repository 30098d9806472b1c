// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace percute::io {

/// An HDF5 file being written. Paths such as "/state/time" make their groups. Each call throws
/// FileError if it fails; nothing is printed.
class Hdf5File {
 public:
  explicit Hdf5File(const std::filesystem::path& path);  ///< replaces an existing file
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;
  Hdf5File(Hdf5File&&) = delete;
  Hdf5File& operator=(Hdf5File&&) = delete;

  void write(const std::string& path, const Vector& values, const std::string& units);
  /// Column k of `values` becomes row k of the dataset: one row per sample.
  void write(const std::string& path, const Matrix& values, const std::string& units);
  void write(const std::string& path, const std::vector<int>& values);
  void write(const std::string& path, const std::vector<std::string>& values);
  void attribute(const std::string& path, const std::string& name, const std::string& value);

  void close();  ///< reports what the system reports last

 private:
  void check(bool fine) const;

  std::string name_;
  long file_ = -1;  ///< hid_t
};

}  // namespace percute::io
