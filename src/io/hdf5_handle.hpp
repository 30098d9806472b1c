// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <hdf5.h>

namespace percute::io {

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
  Handle(Handle&& other) noexcept : id_(other.id_) { other.id_ = -1; }
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

}  // namespace percute::io
