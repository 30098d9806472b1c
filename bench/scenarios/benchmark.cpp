// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/benchmark.hpp"

#include "bench/scenarios/bar.hpp"
#include "bench/scenarios/chain.hpp"
#include "bench/scenarios/friction.hpp"
#include "bench/scenarios/laws.hpp"
#include "bench/scenarios/simulation.hpp"
#include "bench/scenarios/small.hpp"

#include <algorithm>

namespace percute::bench {

bool Report::ok() const {
  return std::all_of(rows.begin(), rows.end(),
                     [](const Row& row) { return row.reached || row.method != "percute"; }) &&
         std::all_of(goals.begin(), goals.end(),
                     [](const Goal& goal) { return goal.met() || !goal.judged; });
}

const std::vector<Benchmark>& benchmarks() {
  static const std::vector<Benchmark> all{
      {.name = "small", .title = "one impact with 2 to 12 contacts", .run = &run_small},
      {.name = "chain",
       .title = "rows of 10 to 100 000 balls, struck at one end",
       .run = &run_chain},
      {.name = "laws",
       .title = "algebraic laws on 10 contacts, friction on 1000",
       .run = &run_laws},
      {.name = "friction",
       .title = "friction inside the impact, on one and two contacts",
       .run = &run_friction},
      {.name = "simulation",
       .title = "six seconds of a cradle with gravity",
       .run = &run_simulation},
      {.name = "bar", .title = "a bar dropped on a floor, by two methods", .run = &run_bar},
  };
  return all;
}

}  // namespace percute::bench
