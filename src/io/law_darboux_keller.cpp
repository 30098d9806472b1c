// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/law_kinds.hpp"
#include "io/law_options.hpp"

namespace percute::io {

namespace {

using laws::DarbouxKellerSingle;
using Termination = DarbouxKellerSingle::Termination;

constexpr Names<Termination, 3> kTerminations{{
    {"energetic", Termination::Energetic},
    {"poisson", Termination::Poisson},
    {"newton", Termination::Newton},
}};
constexpr std::array<std::string_view, 3> kKeys{"kind", "termination", "impact_without_collision"};

}  // namespace

Law read_darboux_keller_single(const Value& value) {
  const Table table(value, kKeys);
  DarbouxKellerSingle law;
  law.termination = table.choice("termination", law.termination, kTerminations);
  law.impact_without_collision =
      table.boolean("impact_without_collision", law.impact_without_collision);
  return law;
}

Node law_node(const DarbouxKellerSingle& law) {
  Node node = law_start("darboux_keller_single");
  node.add("termination", name_of(law.termination, kTerminations));
  node.add("impact_without_collision", law.impact_without_collision);
  return node;
}

}  // namespace percute::io
