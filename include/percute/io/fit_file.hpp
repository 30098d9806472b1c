// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/fit/least_squares.hpp>
#include <percute/io/problem_file.hpp>

#include <string>
#include <vector>

namespace percute::io {

/// What of an impact was measured.
enum class Quantity {
  Velocity,          ///< of a coordinate after the impact, m/s
  Rebound,           ///< height a coordinate rises to afterwards, v²/2g, m; 0 if it moves down
  GapRate,           ///< of a contact after the impact, m/s
  Impulse,           ///< of a contact, N s
  EnergyRatio,       ///< KER = T(v⁺)/T(v⁻)
  Force,             ///< of a contact at an instant of the impact, N
  MaximalForce,      ///< of a contact, N
  MaximalForceTime,  ///< instant of it, from the start of the impact, s
  Duration,          ///< time during which a contact carried a force, s
};

constexpr Names<Quantity, 9> names(Quantity) {
  return {{{"velocity", Quantity::Velocity},
           {"rebound_height", Quantity::Rebound},
           {"gap_rate", Quantity::GapRate},
           {"impulse", Quantity::Impulse},
           {"energy_ratio", Quantity::EnergyRatio},
           {"force", Quantity::Force},
           {"maximal_force", Quantity::MaximalForce},
           {"maximal_force_time", Quantity::MaximalForceTime},
           {"duration", Quantity::Duration}}};
}

/// One measured number.
struct FitMeasurement {
  std::size_t experiment = 0;
  Quantity quantity = Quantity::Velocity;
  int index = 0;         ///< coordinate or contact
  double gravity = 0.0;  ///< of Rebound, m/s², along the positive coordinate: negative is downwards
  double time = 0.0;     ///< of Force, s
  double value = 0.0;
  double sigma = 1.0;
  std::string of = {};    ///< "tennis ball", "1–2", "1–2 at 2e-05 s"
  std::string path = {};  ///< of its table in the file
};

/// One impact under conditions of its own.
struct FitExperiment {
  std::string name = {};
  std::size_t table = 0;   ///< the [[experiment]] it comes from: one for each setting of its data
  Document document = {};  ///< problem or scene, its settings applied
  std::vector<double> times = {};  ///< ascending instants at which forces were measured
};

/// What a parameter changes: one value in the documents of some experiments.
struct FitKey {
  std::string path = {};    ///< "material.restitution[1]"
  std::string origin = {};  ///< how messages about the value begin
};

struct FitFile {
  std::string file = {};  ///< for messages
  std::string name = {};
  std::vector<fit::Parameter> parameters = {};
  std::vector<std::vector<FitKey>> keys = {};     ///< of each parameter
  std::vector<std::vector<bool>> concerned = {};  ///< experiments of each parameter
  std::vector<FitExperiment> experiments = {};
  std::vector<FitMeasurement> measurements = {};
  fit::FitOptions options = {};
};

/// Reads a `percute-fit/1` document; problems it names are files beside it. Throws FileError.
FitFile read_fit(const Document& document);

/// What the law says instead of the measurements, for given parameters. Throws FileError where
/// they cannot be applied, or the law refuses them; that it finds no answer is a failure.
fit::Prediction predict(const FitFile& file, const Vector& parameters);

/// The least-squares problem of a file, which must outlive it.
fit::LeastSquaresProblem least_squares_problem(const FitFile& file);

/// A `percute-fit-result/1` object.
Node to_node(const FitFile& file, const fit::Fit& fit);

/// What must be said about a fit beyond its numbers, one sentence each: parameters at bounds or not
/// identifiable, other minima, a law without an answer, residuals too large for the stated sigma.
std::vector<std::string> warnings(const FitFile& file, const fit::Fit& fit);

}  // namespace percute::io
