// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/laws/any_law.hpp>
#include <percute/laws/complementarity.hpp>
#include <percute/laws/compliant.hpp>
#include <percute/laws/darboux_keller_single.hpp>
#include <percute/laws/fremond.hpp>
#include <percute/laws/impulse_ratios.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/laws/restitution_matrix.hpp>
#include <percute/laws/scalar_restitution.hpp>
#include <percute/laws/sequences.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>

namespace percute {

namespace {

struct KindOfLaw {
  std::string_view name;
  AnyLaw (*make)();
};

template <class Law>
constexpr KindOfLaw kind_of_law() {
  return {Law::kKind, [] { return AnyLaw(Law{}); }};
}

/// In the order in which they are listed for users.
constexpr std::array kKindsOfLaws{
    kind_of_law<laws::Lzb>(),
    kind_of_law<laws::Moreau>(),
    kind_of_law<laws::Newton>(),
    kind_of_law<laws::Poisson>(),
    kind_of_law<laws::RestitutionMatrix>(),
    kind_of_law<laws::FremondQuadratic>(),
    kind_of_law<laws::FremondCone>(),
    kind_of_law<laws::ImpulseRatios>(),
    kind_of_law<laws::Binary>(),
    kind_of_law<laws::SimultaneousSet>(),
    kind_of_law<laws::ScalarRestitution>(),
    kind_of_law<laws::CradleSort>(),
    kind_of_law<laws::Coulomb>(),
    kind_of_law<laws::DarbouxKellerSingle>(),
    kind_of_law<laws::Compliant>(),
};

/// "contact 1–2", "contacts 1–2, 2–3".
std::string listed_contacts(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 8;
  std::string out = names.size() == 1 ? "contact " : "contacts ";
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k == kMostNames) return out + " and " + std::to_string(names.size() - k) + " more";
    out += (k == 0 ? "" : ", ") + names[k];
  }
  return out;
}

}  // namespace

std::string friction_left_out(const AnyLaw& law, std::span<const Contact> contacts,
                              const std::vector<std::string>& names) {
  const bool known = law.uses_friction().value_or(false);
  std::vector<std::string> out;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Contact& contact = contacts[k];
    if (!(contact.material.friction > 0.0) || (known && contact.directions > 0)) continue;
    out.push_back(k < names.size() ? names[k] : std::to_string(k + 1));
  }
  if (out.empty()) return "";
  if (!known) {
    return "the law " + std::string(law.kind()) + " has no friction (" + listed_contacts(out) + ")";
  }
  return listed_contacts(out) + (out.size() == 1 ? " has" : " have") + " no tangents";
}

std::vector<std::string_view> law_kinds() {
  std::vector<std::string_view> kinds;
  for (const KindOfLaw& kind : kKindsOfLaws) kinds.push_back(kind.name);
  return kinds;
}

AnyLaw make_law(std::string_view kind) {
  const auto found = std::find_if(kKindsOfLaws.begin(), kKindsOfLaws.end(),
                                  [&](const KindOfLaw& known) { return known.name == kind; });
  return found == kKindsOfLaws.end() ? AnyLaw() : found->make();
}

const AnyLaw::Held& AnyLaw::held() const {
  if (!law_) throw InvalidInput("law", "is missing");
  return *law_;
}

void AnyLaw::visit(const OptionVisitor& visit) {
  if (!law_) return;
  if (law_.use_count() > 1) law_ = law_->copy();
  law_->visit(visit);
}

void AnyLaw::check() const {
  held().check();
}

ImpactResult AnyLaw::operator()(const ImpactProblem& problem) const {
  ImpactResult result = held().apply(problem, nullptr);
  note_left_out(problem, uses_friction(), uses_restitution(), result);
  return result;
}

ImpactResult AnyLaw::operator()(const ImpactProblem& problem, const Recording& recording) const {
  if (!held().records()) {
    throw InvalidInput("law.kind", "'" + std::string(kind()) +
                                       "' has no inner time, hence no history; laws with one: lzb, "
                                       "compliant");
  }
  ImpactResult result = held().apply(problem, &recording);
  note_left_out(problem, uses_friction(), uses_restitution(), result);
  return result;
}

}  // namespace percute
