// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/problem_file.hpp>

#include <fmt/format.h>

#include <map>
#include <set>

namespace percute::io {

namespace {

/// Bodies named alike up to a number ("ball 1", "ball 2") go by their numbers, others by name.
std::vector<std::string> short_names(const std::vector<Body>& bodies) {
  std::vector<std::string> numbers;
  std::vector<std::string> names;
  std::set<std::string> stems;
  for (const Body& body : bodies) {
    const auto space = body.name.rfind(' ');
    const bool numbered = space != std::string::npos && space + 1 < body.name.size() &&
                          body.name.find_first_not_of("0123456789", space + 1) == std::string::npos;
    stems.insert(numbered ? body.name.substr(0, space) : "");
    numbers.push_back(numbered ? body.name.substr(space + 1) : "");
    names.push_back(body.name);
  }
  return stems.size() == 1 && !stems.contains("") ? numbers : names;
}

}  // namespace

std::vector<Body> one_body_per_coordinate(Eigen::Index coordinates) {
  std::vector<Body> bodies;
  bodies.reserve(static_cast<std::size_t>(coordinates));
  for (int k = 0; k < coordinates; ++k)
    bodies.push_back({.name = fmt::format("body {}", k + 1), .coordinates = {k}});
  return bodies;
}

std::vector<std::string> name_contacts(const SparseMatrix& gradients,
                                       const std::vector<Body>& bodies) {
  const std::vector<std::string> labels = short_names(bodies);
  std::vector<std::size_t> owner(static_cast<std::size_t>(gradients.rows()));
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    for (const int k : bodies[b].coordinates) owner[static_cast<std::size_t>(k)] = b;
  }
  std::vector<std::string> names;
  std::map<std::string, int> uses;
  for (int i = 0; i < gradients.outerSize(); ++i) {
    std::set<std::size_t> touched;
    for (SparseMatrix::InnerIterator entry(gradients, i); entry; ++entry) {
      touched.insert(owner[static_cast<std::size_t>(entry.row())]);
    }
    std::string name = fmt::format("contact {}", i + 1);
    if (touched.size() == 1) name = labels[*touched.begin()] + "–wall";
    if (touched.size() == 2) name = labels[*touched.begin()] + "–" + labels[*touched.rbegin()];
    ++uses[name];
    names.push_back(std::move(name));
  }
  // Several contacts of one pair are told apart by a count.
  std::map<std::string, int> seen;
  for (std::string& name : names) {
    if (uses[name] > 1) name += fmt::format(" #{}", ++seen[name]);
  }
  return names;
}

}  // namespace percute::io
