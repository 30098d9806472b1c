// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/motion_file.hpp>

#include <cstdint>
#include <memory>

namespace percute::cli {

/// How far a run has got, on stderr: simulated time, events per second, energy drift. Only on a
/// terminal, a few times a second.
class RunProgress {
 public:
  RunProgress(const io::MotionFile& file, bool wanted);  ///< the reference is kept
  ~RunProgress();
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;
  RunProgress(RunProgress&&) = delete;
  RunProgress& operator=(RunProgress&&) = delete;

  /// A part of the run that begins, from where another one ended or from the start.
  void start(const simulation::Moment& from);
  void event(const simulation::Event& event);
  void step(double now, double time, const Vector& q, const Vector& v);  ///< now: s, of any clock
  void clear();  ///< wipes the line; before anything else is written

 private:
  const io::MotionFile& file_;
  bool wanted_;
  bool adds_up_;
  bool shown_ = false;
  std::unique_ptr<systems::MassSolver> solver_;
  double end_ = 0.0;  ///< s; infinite: not known
  double expected_ = 0.0;
  double dissipated_ = 0.0;
  std::int64_t events_ = 0;
  std::int64_t events_shown_ = 0;
  double last_ = 0.0;  ///< when a line was last written
};

}  // namespace percute::cli
