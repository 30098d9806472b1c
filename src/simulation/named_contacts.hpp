// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/status.hpp>
#include <percute/systems/any_system.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace percute::simulation {

/// "1–2, 2–3", of the system's contacts.
inline std::string names_of(const std::vector<int>& contacts, const systems::AnySystem& system) {
  const std::vector<std::string> all = system.contact_names();
  std::string text;
  for (const int i : contacts) {
    if (!text.empty()) text += ", ";
    text += all[static_cast<std::size_t>(i)];
  }
  return text;
}

/// What a law says of contacts[k] of an impact, said of the system's contact contacts[k].
inline std::string with_names(const std::string& text, const std::vector<int>& contacts,
                              const systems::AnySystem& system) {
  const std::vector<std::string> names = system.contact_names();
  const std::string key = "contacts[";
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, from)) {
    const std::size_t digits = at + key.size();
    const std::size_t end = text.find(']', digits);
    if (end == std::string::npos || text.find_first_not_of("0123456789", digits) != end) break;
    const auto k = static_cast<std::size_t>(std::stoul(text.substr(digits, end - digits)));
    if (k >= contacts.size()) break;
    out += text.substr(from, at - from) + "contact " + names[static_cast<std::size_t>(contacts[k])];
    from = end + 1;
  }
  return out + text.substr(from);
}

/// Why a run ends at an impact of these contacts that the law has no answer to.
inline std::string unanswered(Status status, const std::string& reason,
                              const std::vector<int>& contacts, const systems::AnySystem& system) {
  const std::string why = reason.empty() ? "" : " (" + with_names(reason, contacts, system) + ")";
  return "the law answers " + std::string(name(status)) + " to the impact of contact" +
         (contacts.size() == 1 ? " " : "s ") + names_of(contacts, system) + why;
}

}  // namespace percute::simulation
