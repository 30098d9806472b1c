// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/siconos_numerics.hpp"

#include "bench/scenarios/driver.hpp"

#include <percute/io/document.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <fstream>

namespace percute::bench {

namespace {

std::string text_of(const SparseMatrix& A, const Vector& b, const Vector& friction) {
  std::string out = fmt::format("{} {}\n", A.rows(), A.nonZeros());
  for (int column = 0; column < A.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(A, column); entry; ++entry) {
      out += fmt::format("{} {} {:.17g}\n", entry.row(), column, entry.value());
    }
  }
  for (const double x : b) out += fmt::format("{:.17g}\n", x);
  for (const double x : friction) out += fmt::format("{:.17g}\n", x);
  return out;
}

std::optional<PeerSolution> parse(const std::string& text) {
  if (text.empty()) return {};
  try {
    const io::Document document = io::parse_json(text, "the Siconos driver");
    const io::Table table(
        io::Value(document),
        std::array<std::string_view, 6>{"peer", "seconds", "repeats", "info", "iterations", "z"});
    PeerSolution out;
    if (table.required("info").integer(-1000, 1000) != 0) return {};
    out.z = table.required("z").numbers();
    out.seconds = table.required("seconds").number();
    out.repeats = table.required("repeats").integer(1, 1000);
    out.iterations = table.required("iterations").integer(0, 1'000'000'000);
    return out;
  } catch (const io::FileError&) {
    return {};  // numbers that are not finite
  }
}

}  // namespace

std::optional<PeerSolution> siconos_numerics(const std::filesystem::path& drivers,
                                             const std::string& solver, double tolerance,
                                             const SparseMatrix& A, const Vector& b,
                                             const Vector& friction) {
  const std::filesystem::path driver = drivers / "percute-siconos-numerics";
  std::error_code ignored;
  if (!std::filesystem::exists(driver, ignored)) return {};
  const std::filesystem::path file = std::filesystem::temp_directory_path(ignored) /
                                     fmt::format("percute-bench-{}.txt", ::getpid());
  std::ofstream(file) << text_of(A, b, friction);
  const auto out =
      parse(run_driver(driver, fmt::format("{} {:.17g} {}", solver, tolerance, quoted(file))));
  std::filesystem::remove(file, ignored);
  return out;
}

}  // namespace percute::bench
