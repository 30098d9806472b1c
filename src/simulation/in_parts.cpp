// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/simulation/run.hpp>

#include <exception>
#include <utility>

namespace percute::simulation {

namespace {

/// One part, and why it ended.
class Part {
 public:
  explicit Part(const Care& care) : care_(care) {}

  Run run(const std::function<Run(const Moment&, const Observer&)>& move, const Moment& from) {
    Observer observer;
    if (const auto& state = care_.observer.state) {
      observer.state = [&](double time, const Vector& q, const Vector& v) {
        return guarded([&] { return state(time, q, v); });
      };
    }
    if (const auto& event = care_.observer.event) {
      observer.event = [&](const Event& what) { return guarded([&] { return event(what); }); };
    }
    observer.step = [&](double time, const Vector& q, const Vector& v) {
      const auto& step = care_.observer.step;
      if (step && !guarded([&] { return step(time, q, v); })) return false;
      due_ = care_.due && care_.due();
      return !due_;
    };
    Run part = move(from, observer);
    if (care_.keep) {
      guarded([&] {
        care_.keep(part);
        return true;
      });
    }
    if (failure_) std::rethrow_exception(failure_);  // the first one is the one to tell
    return part;
  }

  bool goes_on(const Run& part) const {
    return part.status == RunStatus::Interrupted && due_ && !stopped_;
  }

 private:
  template <class Action>
  bool guarded(const Action& action) {
    try {
      if (action()) return true;
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
    stopped_ = true;
    return false;
  }

  const Care& care_;
  std::exception_ptr failure_;
  bool due_ = false;
  bool stopped_ = false;
};

}  // namespace

Run run_in_parts(const std::function<Run(const Moment& from, const Observer& observer)>& move,
                 Moment from, const Care& care) {
  while (true) {
    Part part(care);
    Run run = part.run(move, from);
    if (!part.goes_on(run)) return run;
    from = std::move(run.end);
  }
}

}  // namespace percute::simulation
