// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/first_order.hpp"

#include <cmath>

namespace percute::bench {

namespace {

constexpr double kCoarseTarget = 1e-3;
constexpr double kFineTarget = 1e-6;
constexpr long kFirstRung = 100;
constexpr long kLastRung = 1'000'000'000;

/// 100, 200, 500, 1000, …
long next_rung(long n) {
  long decade = 1;
  while (decade * 10 <= n) decade *= 10;
  return n / decade == 2 ? n / 2 * 5 : n * 2;
}

struct Attempt {
  long n = 0;
  Run run = {};
  double error = 0.0;
};

Row row_of(const FirstOrderMethod& method, const Attempt& attempt, double target) {
  return {.method = method.name,
          .target = target,
          .knob = method.knob,
          .setting = method.setting(attempt.n),
          .error = attempt.error,
          .seconds = attempt.run.seconds,
          .median = attempt.run.median,
          .repeats = attempt.run.repeats,
          .evaluations = attempt.run.evaluations,
          .steps = attempt.run.steps,
          .events = attempt.run.events};
}

Row missed(const FirstOrderMethod& method, double target) {
  return {.method = method.name, .target = target, .knob = method.knob, .reached = false};
}

/// What a finer run would cost if its error fell in proportion to its steps.
Row extrapolated(const FirstOrderMethod& method, const Attempt& attempt, double target) {
  const double factor = attempt.error / target;
  Row row = row_of(method, attempt, target);
  row.setting = method.setting(std::lround(static_cast<double>(attempt.n) * factor));
  row.error = target;
  row.seconds *= factor;
  row.median *= factor;
  row.repeats = 0;
  row.extrapolated = true;
  row.evaluations = row.steps = row.events = 0;
  return row;
}

}  // namespace

double relative_error(const Vector& v, const Vector& reference) {
  return (v - reference).cwiseAbs().maxCoeff() / reference.cwiseAbs().maxCoeff();
}

std::vector<Row> measure(const FirstOrderMethod& method, const Vector& reference, double budget) {
  const auto attempt = [&](long n) -> std::optional<Attempt> {
    std::optional<Run> run = method.run(n);
    if (!run) return {};
    const double error = relative_error(run->velocity, reference);
    return Attempt{.n = n, .run = std::move(*run), .error = error};
  };
  // Up the ladder until two rungs in a row meet the coarse target: one alone may be luck.
  std::optional<Attempt> last;
  std::optional<Attempt> coarse;
  for (long n = kFirstRung; n <= kLastRung; n = next_rung(n)) {
    std::optional<Attempt> now = attempt(n);
    const bool met = now && now->error <= kCoarseTarget;
    if (met && coarse) {
      last = std::move(now);
      break;
    }
    coarse = met ? now : std::nullopt;
    if (now) last = std::move(now);
    if (last && last->run.seconds > budget) break;
  }
  // A rung may overshoot: what first order promises to be just enough is tried too.
  const auto sparing = [&](Attempt rung, double target) {
    const double factor = 1.1 * rung.error / target;
    if (factor > 0.9) return rung;
    const long n = std::lround(factor * static_cast<double>(rung.n));
    std::optional<Attempt> less = n > 0 ? attempt(n) : std::nullopt;
    return less && less->error <= target && less->run.seconds < rung.run.seconds ? *less : rung;
  };
  std::vector<Row> rows;
  if (!coarse || !last) return {missed(method, kCoarseTarget), missed(method, kFineTarget)};
  rows.push_back(row_of(method, sparing(*coarse, kCoarseTarget), kCoarseTarget));

  // Straight to the rung that first order promises, then up as long as it is affordable.
  while (last->error > kFineTarget) {
    const double factor = last->error / kFineTarget;
    long n = next_rung(last->n);
    while (static_cast<double>(n) < factor * static_cast<double>(last->n)) n = next_rung(n);
    const double cost = last->run.seconds * static_cast<double>(n) / static_cast<double>(last->n);
    if (cost > budget || n > kLastRung) break;
    std::optional<Attempt> finer = attempt(n);
    if (!finer) break;
    last = std::move(finer);
  }
  rows.push_back(last->error <= kFineTarget
                     ? row_of(method, sparing(*last, kFineTarget), kFineTarget)
                     : extrapolated(method, *last, kFineTarget));
  return rows;
}

}  // namespace percute::bench
