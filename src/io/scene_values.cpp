// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_values.hpp"

#include "io/text.hpp"

#include <fmt/format.h>

#include <numbers>

namespace percute::io {

Vector read_numbers(const Value& value, Eigen::Index count, std::string_view form) {
  Vector numbers = value.numbers();
  if (numbers.size() != count) {
    value.fail(fmt::format("must have {}, {}, got {}", entries(count), form, numbers.size()));
  }
  return numbers;
}

systems::Point read_point(const Value& value) {
  const Vector numbers = value.numbers();
  if (numbers.size() != 2) {
    value.fail("must be two numbers, [x, y], got " + value.node().describe());
  }
  return numbers;
}

std::vector<systems::Point> read_points(const Value& value) {
  std::vector<systems::Point> points;
  points.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) points.push_back(read_point(value[i]));
  return points;
}

Eigen::Vector3d read_vector(const Value& value) {
  const Vector numbers = value.numbers();
  if (numbers.size() != 3) {
    value.fail("must be three numbers, [x, y, z], got " + value.node().describe());
  }
  return numbers;
}

std::vector<Eigen::Vector3d> read_vectors(const Value& value, std::size_t count,
                                          std::string_view per) {
  const Vector rows = read_rows(value, count, 3, per, "[x, y, z]");
  std::vector<Eigen::Vector3d> vectors(count);
  for (std::size_t i = 0; i < count; ++i) {
    vectors[i] = rows.segment<3>(3 * static_cast<Eigen::Index>(i));
  }
  return vectors;
}

Vector read_rows(const Value& value, std::size_t count, Eigen::Index columns, std::string_view per,
                 std::string_view form) {
  if (value.size() != count) {
    value.fail(fmt::format("must have {}, one {} per {}, got {}", entries(count), form, per,
                           value.size()));
  }
  Vector rows(static_cast<Eigen::Index>(count) * columns);
  for (std::size_t i = 0; i < count; ++i) {
    rows.segment(static_cast<Eigen::Index>(i) * columns, columns) =
        read_numbers(value[i], columns, form);
  }
  return rows;
}

void require_few(const Value& list, std::string_view per) {
  if (list.size() < 1 || list.size() > kMaxPoints) {
    list.fail(fmt::format("must have from 1 to {} entries, one per {}, got {}", kMaxPoints, per,
                          list.size()));
  }
}

double radians(double degrees) {
  return degrees * std::numbers::pi / 180.0;
}

}  // namespace percute::io
