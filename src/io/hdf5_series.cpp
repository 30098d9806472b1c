// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/hdf5_series.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace percute::io {

namespace {

constexpr std::size_t kTextBytes = 24;
// A chunk is written whole: small for little files, large enough for long ones.
constexpr std::uint64_t kChunkBytes = std::uint64_t{1} << 18U;
constexpr std::uint64_t kMostRows = 2048;
constexpr std::uint64_t kLeastRows = 16;

Datatype fixed_text() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, kTextBytes);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_ASCII);
  return Datatype(type);
}

hid_t make_dataset(const Hdf5File& file, const std::string& path, std::array<hsize_t, 2> row,
                   int axes, hid_t type, std::uint64_t chunk_rows, const void* fill) {
  const std::array<hsize_t, 2> none{0, row[1]};
  const std::array<hsize_t, 2> limit{H5S_UNLIMITED, row[1]};
  const std::array<hsize_t, 2> chunk{chunk_rows, row[1]};
  const Dataspace space(H5Screate_simple(axes, none.data(), limit.data()));
  const Properties links(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(links.id(), 1);
  const Properties creation(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(creation.id(), axes, chunk.data());
  if (fill != nullptr) H5Pset_fill_value(creation.id(), type, fill);
  // Without a cache of chunks each row has its place in the file, which was reserved, at once.
  const Properties access(H5Pcreate(H5P_DATASET_ACCESS));
  H5Pset_chunk_cache(access.id(), 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT);
  return H5Dcreate2(file.id(), path.c_str(), type, space.id(), links.id(), creation.id(),
                    access.id());
}

}  // namespace

Hdf5Series::Hdf5Series(Hdf5File& file, const std::string& path, int width, Datatype type,
                       const void* fill)
    : file_(&file),
      type_(std::move(type)),
      width_(static_cast<std::uint64_t>(std::max(width, 1))),
      axes_(width == 0 ? 1 : 2),
      row_bytes_(width_ * H5Tget_size(type_.id())),
      chunk_rows_(std::clamp(kChunkBytes / row_bytes_, kLeastRows, kMostRows)),
      dataset_(make_dataset(file, path, {0, width_}, axes_, type_.id(), chunk_rows_, fill)) {
  file.check(dataset_.id() >= 0);
  // A first row makes the index; taken back, it leaves an index that is there from the start, at
  // the place where the file says it is.
  const std::vector<char> nothing(row_bytes_, '\0');
  append(nothing.data(), 1);
  const std::array<hsize_t, 2> none{0, width_};
  file.check(H5Dset_extent(dataset_.id(), none.data()) >= 0);
  rows_ = 0;
}

Hdf5Series Hdf5Series::numbers(Hdf5File& file, const std::string& path, int width,
                               const std::string& units) {
  const Silence silence;
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  Hdf5Series series(file, path, width, Datatype(H5Tcopy(H5T_NATIVE_DOUBLE)), &nothing);
  file.attribute(path, "units", units);
  return series;
}

Hdf5Series Hdf5Series::texts(Hdf5File& file, const std::string& path) {
  const Silence silence;
  return {file, path, 0, fixed_text(), nullptr};
}

Hdf5Series Hdf5Series::flags(Hdf5File& file, const std::string& path, int width) {
  const Silence silence;
  return {file, path, width, Datatype(H5Tcopy(H5T_NATIVE_UINT8)), nullptr};
}

void Hdf5Series::append(const std::vector<double>& values) {
  append(values.data(), values.size() / width_);
}

void Hdf5Series::append(const std::vector<std::uint8_t>& flags) {
  append(flags.data(), flags.size() / width_);
}

void Hdf5Series::append(const std::vector<std::string>& texts) {
  std::vector<char> bytes(texts.size() * kTextBytes, '\0');
  for (std::size_t k = 0; k < texts.size(); ++k) {
    std::copy_n(texts[k].begin(), std::min(texts[k].size(), kTextBytes),
                bytes.begin() + static_cast<std::ptrdiff_t>(k * kTextBytes));
  }
  append(bytes.data(), texts.size());
}

void Hdf5Series::append(const void* data, std::uint64_t rows) {
  if (rows == 0) return;
  const Silence silence;
  const std::array<hsize_t, 2> size{rows_ + rows, width_};
  const std::array<hsize_t, 2> start{rows_, 0};
  const std::array<hsize_t, 2> count{rows, width_};
  file_->check(H5Dset_extent(dataset_.id(), size.data()) >= 0);
  const Dataspace space(H5Dget_space(dataset_.id()));
  H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  const Dataspace memory(H5Screate_simple(axes_, count.data(), nullptr));
  file_->check(H5Dwrite(dataset_.id(), type_.id(), memory.id(), space.id(), H5P_DEFAULT, data) >=
               0);
  rows_ += rows;
}

std::uint64_t Hdf5Series::growth(std::uint64_t rows) const {
  const auto chunks = [this](std::uint64_t count) {
    return (count + chunk_rows_ - 1) / chunk_rows_;
  };
  return (chunks(rows_ + rows) - chunks(rows_)) * chunk_rows_ * row_bytes_;
}

}  // namespace percute::io
