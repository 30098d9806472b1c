// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <string>
#include <vector>

namespace percute::cli::testing {

/// A dataset of numbers with its shape and units, read by the HDF5 library itself.
struct Dataset {
  std::vector<hsize_t> shape;
  std::vector<double> values;
  std::string units;
};

inline std::string text_attribute(hid_t object, const char* name) {
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  EXPECT_GE(attribute, 0) << name;
  const hid_t type = H5Aget_type(attribute);
  EXPECT_GT(H5Tis_variable_str(type), 0);
  char* text = nullptr;
  EXPECT_GE(H5Aread(attribute, type, static_cast<void*>(&text)), 0);
  std::string out = text == nullptr ? "" : text;
  H5free_memory(text);
  H5Tclose(type);
  H5Aclose(attribute);
  return out;
}

inline Dataset dataset(hid_t file, const char* path) {
  Dataset out;
  const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
  EXPECT_GE(set, 0) << path;
  const hid_t space = H5Dget_space(set);
  out.shape.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, out.shape.data(), nullptr);
  out.values.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.values.data()), 0);
  if (H5Aexists(set, "units") > 0) out.units = text_attribute(set, "units");
  H5Sclose(space);
  H5Dclose(set);
  return out;
}

/// Texts of fixed length, without the zeros that fill them.
inline std::vector<std::string> fixed_texts(hid_t file, const char* path) {
  const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
  EXPECT_GE(set, 0) << path;
  const hid_t space = H5Dget_space(set);
  const hid_t type = H5Dget_type(set);
  const std::size_t size = H5Tget_size(type);
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  std::vector<char> bytes(size * count + 1, '\0');
  EXPECT_GE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), 0);
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string text(bytes.data() + k * size, size);
    texts.push_back(text.substr(0, text.find('\0')));
  }
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(set);
  return texts;
}

}  // namespace percute::cli::testing
