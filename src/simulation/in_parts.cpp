// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/simulation/run.hpp>

#include <exception>
#include <utility>

namespace percute::simulation {

Run run_in_parts(const std::function<Run(const Moment& from, const Observer& observer)>& move,
                 Moment from, const Care& care) {
  std::exception_ptr failure;  // the first one is the one to tell
  bool due = false;
  bool stopped = false;
  const auto guarded = [&](const auto& action) {
    try {
      if (action()) return true;
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
    stopped = true;
    return false;
  };
  Observer observer;
  if (const auto& state = care.observer.state) {
    observer.state = [&](double time, const Vector& q, const Vector& v) {
      return guarded([&] { return state(time, q, v); });
    };
  }
  if (const auto& event = care.observer.event) {
    observer.event = [&](const Event& what) { return guarded([&] { return event(what); }); };
  }
  observer.step = [&](double time, const Vector& q, const Vector& v) {
    const auto& step = care.observer.step;
    if (step && !guarded([&] { return step(time, q, v); })) return false;
    due = care.due && care.due();
    return !due;
  };
  for (;;) {
    due = false;
    Run part = move(from, observer);
    if (care.keep) {
      guarded([&] {
        care.keep(part);
        return true;
      });
    }
    if (failure) std::rethrow_exception(failure);
    if (part.status != RunStatus::Interrupted || !due || stopped) return part;
    from = std::move(part.end);
  }
}

}  // namespace percute::simulation
