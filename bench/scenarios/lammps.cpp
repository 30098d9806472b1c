// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/lammps.hpp"

#include "bench/scenarios/driver.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numbers>
#include <sstream>

namespace percute::bench {

namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "/usr/bin/lmp";

/// Large balls, so that only neighbours overlap.
constexpr double kRadius = 100.0;

/// A folder of its own that is removed in the end.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "percute-lammps-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  Folder(Folder&&) = delete;
  Folder& operator=(Folder&&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write_balls(const fs::path& file, int balls) {
  const double density = 1.0 / (4.0 / 3.0 * std::numbers::pi * std::pow(kRadius, 3));
  std::ofstream out(file);
  out << fmt::format("balls in a row\n\n{} atoms\n1 atom types\n", balls);
  out << fmt::format("{} {} xlo xhi\n", -kRadius, 2.0 * kRadius * balls);
  out << fmt::format("{0} {1} ylo yhi\n{0} {1} zlo zhi\n\nAtoms # sphere\n\n", -kRadius, kRadius);
  for (int i = 0; i < balls; ++i) {
    out << fmt::format("{} 1 {} {:.17g} {} 0 0\n", i + 1, 2.0 * kRadius, density,
                       2.0 * kRadius * i);
  }
  out << "\nVelocities\n\n";
  for (int i = 0; i < balls; ++i) out << fmt::format("{} {} 0 0 0 0 0\n", i + 1, i == 0 ? 1 : 0);
}

/// The wave needs 1.19 per ball.
long steps_of(int balls, double time_step) {
  return std::lround((1.19 * balls + 20.0) / time_step);
}

void write_script(const fs::path& file, int balls, double time_step) {
  // F = k √(R/2) δ^(3/2) is to have a stiffness of 1.
  std::ofstream out(file);
  out << "units lj\natom_style sphere\nboundary s f f\nnewton off\ncomm_modify vel yes\n"
      << "read_data balls.data\n"
      << fmt::format("pair_style gran/hertz/history {:.17g} 0 0 0 0 0\n",
                     1.0 / std::sqrt(0.5 * kRadius))
      << "pair_coeff * *\n"
      << fmt::format("neighbor {} bin\n", 0.1 * kRadius)
      << "neigh_modify every 1 delay 0 check yes\n"
      << fmt::format("timestep {:.17g}\n", time_step) << "fix motion all nve/sphere\n"
      << fmt::format("thermo 0\nrun {}\n", steps_of(balls, time_step))
      << "write_dump all custom velocities.txt id vx modify sort id format float %.17g\n";
}

/// CPU time of the loop, from "Loop time of 1.23 on …" and "98.7% CPU use with …"; negative if the
/// words are missing.
double loop_seconds(const std::string& text) {
  constexpr std::string_view kLoop = "Loop time of ";
  const auto loop = text.find(kLoop);
  const auto use = text.find("% CPU use");
  if (loop == std::string::npos || use == std::string::npos) return -1.0;
  const auto line = text.rfind('\n', use) + 1;
  const double wall = std::strtod(text.c_str() + loop + kLoop.size(), nullptr);
  const double percent = std::strtod(text.c_str() + line, nullptr);
  return wall * percent / 100.0;
}

bool read_velocities(const fs::path& file, Vector& velocity) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("ITEM: ATOMS")) continue;
    long id = 0;
    for (double& v : velocity) {
      if (!(in >> id >> v)) return false;
    }
    return true;
  }
  return false;
}

}  // namespace

bool lammps_installed() {
  std::error_code ignored;
  return fs::exists(kProgram, ignored);
}

std::optional<Run> run_lammps(int balls, double time_step) {
  const Folder folder;
  if (folder.path().empty()) return {};
  write_balls(folder.path() / "balls.data", balls);
  write_script(folder.path() / "in.chain", balls, time_step);
  const std::string text =
      run_driver("/usr/bin/env", fmt::format("-C {} OMP_NUM_THREADS=1 {} -in in.chain -log none",
                                             quoted(folder.path()), kProgram));
  Run run;
  run.seconds = run.median = loop_seconds(text);
  run.steps = steps_of(balls, time_step);
  run.velocity.resize(balls);
  if (!(run.seconds > 0.0)) return {};
  if (!read_velocities(folder.path() / "velocities.txt", run.velocity)) return {};
  return run;
}

}  // namespace percute::bench
