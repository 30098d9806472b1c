// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/hdf5_file.hpp"

#include <percute/io/file_error.hpp>

#include <hdf5.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <span>

namespace percute::io {

namespace {

/// Owner of an HDF5 identifier.
template <herr_t (*close)(hid_t)>
class Handle {
 public:
  explicit Handle(hid_t id) : id_(id) {}
  ~Handle() {
    if (id_ >= 0) close(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle(Handle&&) = delete;
  Handle& operator=(Handle&&) = delete;

  hid_t id() const { return id_; }

 private:
  hid_t id_;
};

using Dataset = Handle<H5Dclose>;
using Dataspace = Handle<H5Sclose>;
using Datatype = Handle<H5Tclose>;
using Attribute = Handle<H5Aclose>;
using Object = Handle<H5Oclose>;
using Properties = Handle<H5Pclose>;

/// Keeps the library from printing its own errors while we report them.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  Silence(Silence&&) = delete;
  Silence& operator=(Silence&&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

Datatype text_type() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return Datatype(type);
}

/// Writes a dataset, with its groups; false if any part fails.
bool write_dataset(hid_t file, const std::string& path, std::span<const hsize_t> shape, hid_t type,
                   const void* data) {
  const Dataspace space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
  const Properties links(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(links.id(), 1);
  const Dataset dataset(
      H5Dcreate2(file, path.c_str(), type, space.id(), links.id(), H5P_DEFAULT, H5P_DEFAULT));
  return dataset.id() >= 0 &&
         H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
}

}  // namespace

Hdf5File::Hdf5File(const std::filesystem::path& path) : name_(path.string()) {
  const Silence silence;
  errno = 0;
  file_ = H5Fcreate(name_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  check(file_ >= 0);
}

Hdf5File::~Hdf5File() {
  const Silence silence;
  if (file_ >= 0) H5Fclose(file_);
}

void Hdf5File::check(bool fine) const {
  if (fine) return;
  const std::string reason = errno == 0 ? "the HDF5 library refused" : std::strerror(errno);
  throw FileError(name_, "", "cannot write: " + reason);
}

void Hdf5File::write(const std::string& path, const Vector& values, const std::string& units) {
  const Silence silence;
  const std::array<hsize_t, 1> shape{static_cast<hsize_t>(values.size())};
  check(write_dataset(file_, path, shape, H5T_NATIVE_DOUBLE, values.data()));
  attribute(path, "units", units);
}

void Hdf5File::write(const std::string& path, const Matrix& values, const std::string& units) {
  const Silence silence;
  // Our storage by columns is the storage by rows of the transposed dataset.
  const std::array<hsize_t, 2> shape{static_cast<hsize_t>(values.cols()),
                                     static_cast<hsize_t>(values.rows())};
  check(write_dataset(file_, path, shape, H5T_NATIVE_DOUBLE, values.data()));
  attribute(path, "units", units);
}

void Hdf5File::write(const std::string& path, const std::vector<int>& values) {
  const Silence silence;
  const std::array<hsize_t, 1> shape{values.size()};
  check(write_dataset(file_, path, shape, H5T_NATIVE_INT, values.data()));
}

void Hdf5File::write(const std::string& path, const std::vector<std::string>& values) {
  const Silence silence;
  std::vector<const char*> pointers;
  pointers.reserve(values.size());
  for (const std::string& value : values) pointers.push_back(value.c_str());
  const std::array<hsize_t, 1> shape{values.size()};
  check(write_dataset(file_, path, shape, text_type().id(),
                      static_cast<const void*>(pointers.data())));
}

void Hdf5File::attribute(const std::string& path, const std::string& name,
                         const std::string& value) {
  const Silence silence;
  const Object object(H5Oopen(file_, path.c_str(), H5P_DEFAULT));
  const Dataspace space(H5Screate(H5S_SCALAR));
  const Datatype type = text_type();
  const Attribute attribute(
      H5Acreate2(object.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT));
  const char* text = value.c_str();
  check(attribute.id() >= 0 &&
        H5Awrite(attribute.id(), type.id(), static_cast<const void*>(&text)) >= 0);
}

void Hdf5File::close() {
  const Silence silence;
  const hid_t file = file_;
  file_ = -1;
  check(H5Fclose(file) >= 0);
}

}  // namespace percute::io
