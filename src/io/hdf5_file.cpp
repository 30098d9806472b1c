// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/hdf5_file.hpp"

#include <percute/io/document.hpp>
#include <percute/version.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <span>
#include <variant>

namespace percute::io {

namespace {

/// Keeps the library from printing its own errors while we report them.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Silence& operator=(Silence&&) = delete;  // neither copied nor moved

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

Handle text_type() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return Handle(type);
}

/// A dataset without entries, and its groups.
hid_t make_dataset(hid_t file, const std::string& path, hid_t type, hid_t space,
                   hid_t creation = H5P_DEFAULT, hid_t access = H5P_DEFAULT) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(links.id(), 1);
  return H5Dcreate2(file, path.c_str(), type, space, links.id(), creation, access);
}

/// Writes a dataset; false if any part fails.
bool write_dataset(hid_t file, const std::string& path, std::span<const hsize_t> shape, hid_t type,
                   const void* data) {
  const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
  const Handle dataset(make_dataset(file, path, type, space.id()));
  return dataset.id() >= 0 &&
         H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
}

constexpr std::size_t kTextBytes = 24;

/// A column as HDF5 takes it.
struct Cells {
  Handle type;
  std::uint64_t width;  ///< entries of a row; 0: one, without a second axis
  const void* data;
  std::uint64_t count;  ///< of all entries
  std::vector<char> texts = {};

  bool numbers() const { return H5Tget_class(type.id()) == H5T_FLOAT; }
  std::uint64_t rows() const { return count / std::max<std::uint64_t>(width, 1); }
};

Cells cells_of(const Column& column, std::size_t contacts) {
  if (const auto* one = std::get_if<OneContact>(&column.rows)) {
    return {Handle(H5Tcopy(H5T_NATIVE_INT)), 0, one->rows.data(), one->rows.size()};
  }
  if (const auto* some = std::get_if<SomeContacts>(&column.rows)) {
    return {Handle(H5Tcopy(H5T_NATIVE_UINT8)), contacts, some->rows.data(), some->rows.size()};
  }
  const auto* texts = std::get_if<std::vector<std::string>>(&column.rows);
  if (texts == nullptr) {
    const std::span<const double> numbers = column.numbers();
    return {Handle(H5Tcopy(H5T_NATIVE_DOUBLE)), column.width(), numbers.data(), numbers.size()};
  }
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, kTextBytes);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_ASCII);
  Cells cells{Handle(type), 0, nullptr, texts->size(),
              std::vector<char>(texts->size() * kTextBytes, '\0')};
  for (std::size_t k = 0; k < texts->size(); ++k) {
    (*texts)[k].copy(&cells.texts[k * kTextBytes], kTextBytes);
  }
  cells.data = cells.texts.data();
  return cells;
}

/// Writes the "end of file address" of a superblock of version 0 or 1 (HDF5 File Format
/// Specification 3.0, section II.A). The library writes it last, so that until then a file that has
/// grown would not reach as far as its own index does.
void set_end_of_file(int file, std::uint64_t end) {
  constexpr off_t kVersionAt = 8;
  constexpr off_t kEndAt = 40;  // version 1 has four bytes more before it
  std::uint8_t version = 0;
  if (pread(file, &version, 1, kVersionAt) != 1 || version > 1) return;
  std::array<std::uint8_t, 8> bytes{};
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(end & 0xFFU);
    end >>= 8U;
  }
  (void)!pwrite(file, bytes.data(), bytes.size(), kEndAt + (version == 1 ? 4 : 0));
}

}  // namespace

Handle::~Handle() {
  const Silence silence;
  if (id_ >= 0) H5Idec_ref(id_);
}

// The library keeps what it knows about datasets in memory and may write single pieces of it at any
// time; on disk they would contradict each other. So nothing of a file that grows leaves its cache
// but by flush(), and an index of chunks is one piece for a long time.
Hdf5File::Hdf5File(const std::filesystem::path& path, bool grows) : name_(path.string()) {
  const Silence silence;
  constexpr unsigned kChunksPerNode = 256;  // half of them
  const Handle creation(H5Pcreate(H5P_FILE_CREATE));
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  if (grows) {
    H5Pset_istore_k(creation.id(), kChunksPerNode);
    H5AC_cache_config_t cache{};
    cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
    H5Pget_mdc_config(access.id(), &cache);
    cache.evictions_enabled = false;
    cache.incr_mode = H5C_incr__off;
    cache.flash_incr_mode = H5C_flash_incr__off;
    cache.decr_mode = H5C_decr__off;
    H5Pset_mdc_config(access.id(), &cache);
  }
  errno = 0;
  file_ = Handle(H5Fcreate(name_.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()));
  check(id() >= 0);
}

void Hdf5File::check(bool fine) const {
  if (fine) return;
  const std::string reason = errno == 0 ? "the HDF5 library refused" : std::strerror(errno);
  throw FileError(name_, "", "cannot write: " + reason);
}

void Hdf5File::write(const Columns& columns) {
  const Silence silence;
  for (const Column& column : columns) {
    const Cells cells = cells_of(column, 0);
    const std::array<hsize_t, 2> shape{cells.rows(), cells.width};
    check(write_dataset(id(), column.path, std::span(shape).first(cells.width == 0 ? 1 : 2),
                        cells.type.id(), cells.data));
    if (cells.numbers()) attribute(column.path, "units", column.unit_of_dataset());
  }
}

void Hdf5File::write(const std::string& path, const std::vector<std::string>& values) {
  const Silence silence;
  std::vector<const char*> pointers;
  pointers.reserve(values.size());
  for (const std::string& value : values) pointers.push_back(value.c_str());
  const std::array<hsize_t, 1> shape{values.size()};
  check(write_dataset(id(), path, shape, text_type().id(),
                      static_cast<const void*>(pointers.data())));
}

void Hdf5File::attribute(const std::string& path, const std::string& name,
                         const std::string& value) {
  const Silence silence;
  const Handle object(H5Oopen(id(), path.c_str(), H5P_DEFAULT));
  H5Adelete(object.id(), name.c_str());  // of an earlier value, if there is one
  const Handle space(H5Screate(H5S_SCALAR));
  const Handle type = text_type();
  const Handle attribute(
      H5Acreate2(object.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT));
  const char* text = value.c_str();
  check(attribute.id() >= 0 &&
        H5Awrite(attribute.id(), type.id(), static_cast<const void*>(&text)) >= 0);
}

void Hdf5File::describe(const std::string& format, const ProblemFile& problem) {
  attribute("/meta", "format", format);
  attribute("/meta", "name", problem.name);
  attribute("/meta", "law", to_json(to_node(problem.law), JsonLayout::Line));
  attribute("/meta", "version", kVersion);
}

void Hdf5File::reserve(std::uint64_t bytes) {
  const Silence silence;
  hsize_t size = 0;
  void* handle = nullptr;
  check(H5Fget_filesize(id(), &size) >= 0 && H5Fget_vfd_handle(id(), H5P_DEFAULT, &handle) >= 0 &&
        handle != nullptr);
  const int descriptor = *static_cast<int*>(handle);
  const int error = posix_fallocate(descriptor, 0, static_cast<off_t>(size + bytes));
  if (error == 0) {
    reserved_ = size + bytes;
    set_end_of_file(descriptor, reserved_);
  }
  // What cannot reserve (EINVAL, EOPNOTSUPP) may still be able to write.
  if (error != ENOSPC && error != EFBIG && error != EDQUOT && error != EIO) return;
  errno = error;
  check(false);
}

void Hdf5File::flush() {
  const Silence silence;
  errno = 0;
  check(H5Fflush(id(), H5F_SCOPE_GLOBAL) >= 0);
}

void Hdf5File::close() {
  const Silence silence;
  flush();
  hsize_t size = 0;
  check(H5Fget_filesize(id(), &size) >= 0);
  errno = 0;
  check(H5Fclose(file_.release()) >= 0);
  // What was reserved and not needed goes back.
  if (reserved_ <= size) return;
  const int descriptor = open(name_.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return;
  set_end_of_file(descriptor, size);
  (void)!ftruncate(descriptor, static_cast<off_t>(size));
  ::close(descriptor);
}

namespace {

// A chunk is written whole: small for little files, large enough for long ones.
constexpr std::uint64_t kChunkBytes = std::uint64_t{1} << 18U;
constexpr std::uint64_t kMostRows = 2048;
constexpr std::uint64_t kLeastRows = 16;

}  // namespace

Hdf5Series::Hdf5Series(Hdf5File& file, const Column& column, std::size_t contacts) : file_(&file) {
  const Silence silence;
  const Cells cells = cells_of(column, contacts);
  width_ = std::max<std::uint64_t>(cells.width, 1);
  axes_ = cells.width == 0 ? 1 : 2;
  row_bytes_ = width_ * H5Tget_size(cells.type.id());
  chunk_rows_ = std::clamp(kChunkBytes / row_bytes_, kLeastRows, kMostRows);
  const std::array<hsize_t, 2> none{0, width_};
  const std::array<hsize_t, 2> limit{H5S_UNLIMITED, width_};
  const std::array<hsize_t, 2> chunk{chunk_rows_, width_};
  const Handle space(H5Screate_simple(axes_, none.data(), limit.data()));
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(creation.id(), axes_, chunk.data());
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  if (cells.numbers()) H5Pset_fill_value(creation.id(), cells.type.id(), &nothing);
  // Without a cache of chunks each row has its place in the file, which was reserved, at once.
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS));
  H5Pset_chunk_cache(access.id(), 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT);
  dataset_ = Handle(make_dataset(file.id(), column.path, cells.type.id(), space.id(), creation.id(),
                                 access.id()));
  file.check(dataset_.id() >= 0);
  // A first row makes the index; taken back, it leaves an index that is there from the start, at
  // the place where the file says it is.
  const std::vector<char> nothing_yet(row_bytes_, '\0');
  append(cells.type.id(), nothing_yet.data(), 1);
  file.check(H5Dset_extent(dataset_.id(), none.data()) >= 0);
  rows_ = 0;
  if (cells.numbers()) file.attribute(column.path, "units", column.unit_of_dataset());
}

void Hdf5Series::append(const Column& column) {
  const Cells cells = cells_of(column, width_);
  append(cells.type.id(), cells.data, cells.rows());
}

void Hdf5Series::append(hid_t type, const void* data, std::uint64_t rows) {
  if (rows == 0) return;
  const Silence silence;
  const std::array<hsize_t, 2> size{rows_ + rows, width_};
  const std::array<hsize_t, 2> start{rows_, 0};
  const std::array<hsize_t, 2> count{rows, width_};
  file_->check(H5Dset_extent(dataset_.id(), size.data()) >= 0);
  const Handle space(H5Dget_space(dataset_.id()));
  H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  const Handle memory(H5Screate_simple(axes_, count.data(), nullptr));
  file_->check(H5Dwrite(dataset_.id(), type, memory.id(), space.id(), H5P_DEFAULT, data) >= 0);
  rows_ += rows;
}

std::uint64_t Hdf5Series::growth(std::uint64_t rows) const {
  const auto chunks = [this](std::uint64_t count) {
    return (count + chunk_rows_ - 1) / chunk_rows_;
  };
  return (chunks(rows_ + rows) - chunks(rows_)) * chunk_rows_ * row_bytes_;
}

}  // namespace percute::io
