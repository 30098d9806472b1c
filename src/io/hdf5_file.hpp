// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "io/columns.hpp"

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace percute::io {

/// Owner of an HDF5 identifier of any kind.
class Handle {
 public:
  explicit Handle(hid_t id = -1) : id_(id) {}
  ~Handle();
  Handle(Handle&& other) noexcept : id_(other.release()) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }

  hid_t id() const { return id_; }
  hid_t release() { return std::exchange(id_, -1); }

 private:
  hid_t id_;
};

/// An HDF5 file being written. Paths such as "/state/time" make their groups. Each call throws
/// FileError if it fails; nothing is printed.
class Hdf5File {
 public:
  /// Replaces an existing file. Of one that grows over a long time the file on disk is that of the
  /// last flush(), whatever ends the process.
  explicit Hdf5File(const std::filesystem::path& path, bool grows = false);

  void write(const Columns& columns);  ///< a dataset each, numbers with their unit
  void write(const std::string& path, const std::vector<std::string>& values);
  /// Makes an attribute, or replaces it.
  void attribute(const std::string& path, const std::string& name, const std::string& value);
  /// What the file is, and of which problem and law, as attributes of /meta.
  void describe(const std::string& format, const ProblemFile& problem);

  /// Makes sure that the file can grow by so many bytes, before anything is written: a disk that is
  /// full then leaves the file as it was.
  void reserve(std::uint64_t bytes);
  void flush();
  void close();  ///< reports what the system reports last

  hid_t id() const { return file_.id(); }
  void check(bool fine) const;  ///< throws FileError unless fine, with the reason the system gave

 private:
  std::string name_;
  Handle file_;
  std::uint64_t reserved_ = 0;  ///< bytes the file may have grown to ahead of its contents
};

/// A dataset of a growing file to whose end rows are added. Rows that a killed run had no time to
/// write read as NaN, "" or 0.
class Hdf5Series {
 public:
  /// Numbers, texts of 24 bytes at most, or for each of so many contacts 0 or 1.
  Hdf5Series(Hdf5File& file, const Column& column, std::size_t contacts);

  void append(const Column& column);

  /// Bytes by which the file may grow if so many rows are added.
  std::uint64_t growth(std::uint64_t rows) const;

 private:
  void append(hid_t type, const void* data, std::uint64_t rows);

  Hdf5File* file_;
  std::uint64_t width_ = 1;  ///< entries of a row, at least 1
  int axes_ = 1;
  std::uint64_t row_bytes_ = 0;
  std::uint64_t chunk_rows_ = 0;
  Handle dataset_;
  std::uint64_t rows_ = 0;
};

}  // namespace percute::io
