// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors

// A law is any value that turns a problem into a result; there is no base class to inherit from.
// resolve() adds energies, gap rates and the verdict on the outcome.

#include <percute/percute.hpp>

#include <Eigen/Cholesky>
#include <fmt/format.h>

// All contacts stick together: Wᵀ v⁺ = 0, whatever it takes (p may come out negative).
struct PerfectlyPlastic {
  percute::ImpactResult operator()(const percute::ImpactProblem& problem) const {
    const auto& [M, W, v, contacts, T] = problem;  // M (v⁺ − v⁻) = W p
    const percute::Matrix MinvW = M.solve(W);      // M diagonal, dense or sparse
    const percute::Matrix G = W.transpose() * MinvW;
    const percute::Vector p = G.ldlt().solve(-W.transpose() * v);
    return {.velocity = v + MinvW * p, .impulse = p};
  }
};
static_assert(percute::ImpactLaw<PerfectlyPlastic>);

namespace {

void show(const char* name, const percute::ImpactResult& result) {
  fmt::print("{:<17}", name);
  for (const double v : result.velocity) fmt::print(" {:+.6f}", v);
  fmt::print("   {:.6f} J lost, {}\n", result.energy.dissipated,
             result.consistency.all() ? "consistent" : "inconsistent");
}

}  // namespace

int main() {
  using namespace percute;
  const systems::BallChain chain{.balls = 3, .material = {.restitution = 0.0}};

  // Ball 1 strikes two at rest: all three go on together under either law.
  const ImpactProblem struck = chain.impact(chain.at_contact(1.0));
  show("perfectly plastic", resolve(struck, PerfectlyPlastic{}));
  show("lzb, e = 0", resolve(struck, laws::Lzb{}));

  // Ball 3 already leaves: to make it stick takes a pull, which no contact can give.
  const ImpactProblem parting = chain.impact(chain.at_contact(Vector{{1.0, 0.0, 2.0}}));
  show("perfectly plastic", resolve(parting, PerfectlyPlastic{}));
  show("lzb, e = 0", resolve(parting, laws::Lzb{}));
}
