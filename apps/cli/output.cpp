// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "output.hpp"

#include <percute/io/document.hpp>

#include <cerrno>
#include <cstring>

namespace percute::cli {

Output::Output(const std::string& path) {
  if (path.empty()) return;
  name_ = path;
  file_.reset(std::fopen(path.c_str(), "wb"));
  if (!file_) fail();
}

void Output::write(std::string_view text) {
  std::FILE* file = file_ ? file_.get() : stdout;
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0) {
    fail();
  }
}

void Output::close() {
  if (file_ && std::fclose(file_.release()) != 0) fail();
}

void Output::fail() const {
  if (errno == EPIPE) throw ReaderGone{};
  throw io::FileError(name_, "", std::string("cannot write: ") + std::strerror(errno));
}

}  // namespace percute::cli
