// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/friction_left_out.hpp>

#include <fmt/format.h>

namespace percute::io {

namespace {

constexpr std::size_t kMostNames = 8;

/// "contact 1–2", "contacts 1–2, 2–3".
std::string listed(const std::vector<std::string>& names) {
  std::string out = names.size() == 1 ? "contact " : "contacts ";
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k == kMostNames) return out + fmt::format(" and {} more", names.size() - k);
    out += (k == 0 ? "" : ", ") + names[k];
  }
  return out;
}

}  // namespace

bool knows_friction(const Law& law) {
  return std::holds_alternative<laws::Lzb>(law) || std::holds_alternative<laws::Coulomb>(law) ||
         std::holds_alternative<laws::Poisson>(law) ||
         std::holds_alternative<laws::ScalarRestitution>(law) ||
         std::holds_alternative<laws::DarbouxKellerSingle>(law) ||
         std::holds_alternative<laws::Compliant>(law);
}

std::string friction_left_out(const Law& law, std::span<const Contact> contacts,
                              const std::vector<std::string>& names) {
  const bool known = knows_friction(law);
  std::vector<std::string> out;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Contact& contact = contacts[k];
    if (!(contact.material.friction > 0.0) || (known && contact.tangents.cols() > 0)) continue;
    out.push_back(k < names.size() ? names[k] : std::to_string(k + 1));
  }
  if (out.empty()) return "";
  if (!known) return fmt::format("the law {} has no friction ({})", kind(law), listed(out));
  return fmt::format("{} {} no tangents", listed(out), out.size() == 1 ? "has" : "have");
}

}  // namespace percute::io
