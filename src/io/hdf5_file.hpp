// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace percute::io {

/// An HDF5 file being written. Paths such as "/state/time" make their groups. Each call throws
/// FileError if it fails; nothing is printed.
class Hdf5File {
 public:
  explicit Hdf5File(const std::filesystem::path& path);  ///< replaces an existing file
  /// The same for a file that grows over a long time: whatever ends the process, the file on disk
  /// is that of the last flush().
  static std::unique_ptr<Hdf5File> growing(const std::filesystem::path& path);
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
  /// One text, of any length.
  void write(const std::string& path, const std::string& text);
  void attribute(const std::string& path, const std::string& name, const std::string& value);
  /// Replaces an attribute, or makes it.
  void replace_attribute(const std::string& path, const std::string& name,
                         const std::string& value);

  /// Makes sure that the file can grow by so many bytes, before anything is written: a disk that is
  /// full then leaves the file as it was.
  void reserve(std::uint64_t bytes);
  void flush();
  void close();  ///< reports what the system reports last

  long id() const { return file_; }
  void check(bool fine) const;  ///< throws FileError unless fine, with the reason the system gave

 private:
  Hdf5File(const std::filesystem::path& path, long creation, long access);

  std::string name_;
  long file_ = -1;              ///< hid_t
  std::uint64_t reserved_ = 0;  ///< bytes the file may have grown to ahead of its contents
};

}  // namespace percute::io
