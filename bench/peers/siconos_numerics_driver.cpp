// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
//
// Solves one complementarity or friction problem with a solver of Siconos numerics and prints one
// line of JSON: what it took and what came out. Started by `percute bench`:
//
//     siconos_numerics_driver SOLVER TOLERANCE FILE
//
// SOLVER is lcp_lemke, lcp_enum or fc2d_nsgs. FILE holds numbers: rows n, nonzeros k; k times row,
// column, entry of A; the n numbers of b; for friction the n/2 coefficients μ (rows in pairs,
// normal first). Timed is the call of the solver alone, from z = 0.
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <lcp_cst.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Problem {
  int n = 0;
  std::vector<int> row;
  std::vector<int> column;
  std::vector<double> entry;
  std::vector<double> b;
  std::vector<double> friction;
};

Problem read_problem(const char* path, bool friction) {
  std::ifstream file(path);
  Problem problem;
  std::size_t nonzeros = 0;
  file >> problem.n >> nonzeros;
  for (std::size_t k = 0; k < nonzeros; ++k) {
    int row = 0;
    int column = 0;
    double entry = 0.0;
    file >> row >> column >> entry;
    problem.row.push_back(row);
    problem.column.push_back(column);
    problem.entry.push_back(entry);
  }
  problem.b.resize(static_cast<std::size_t>(problem.n));
  for (double& x : problem.b) file >> x;
  if (friction) {
    problem.friction.resize(problem.b.size() / 2);
    for (double& x : problem.friction) file >> x;
  }
  if (!file) throw std::runtime_error("the problem file is cut short");
  return problem;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What one call of a solver gave.
struct Solution {
  std::vector<double> z;
  int info = 0;
  int iterations = 0;
  double seconds = 0.0;
};

/// A solver ready to be called again and again.
using Solver = std::function<Solution()>;

Solver lcp(Problem& problem, int method, double tolerance) {
  const auto n = static_cast<std::size_t>(problem.n);
  // Dense matrices are stored by columns there.
  auto* dense = static_cast<double*>(std::calloc(n * n, sizeof(double)));
  for (std::size_t k = 0; k < problem.entry.size(); ++k) {
    dense[static_cast<std::size_t>(problem.row[k]) +
          n * static_cast<std::size_t>(problem.column[k])] = problem.entry[k];
  }
  auto* data = new LinearComplementarityProblem{};
  data->size = problem.n;
  data->M = NM_create_from_data(NM_DENSE, problem.n, problem.n, dense);
  data->q = problem.b.data();
  return [=] {
    Solution out{.z = std::vector<double>(n, 0.0)};
    std::vector<double> w(n, 0.0);
    SolverOptions* options = solver_options_create(method);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    const double start = cpu_seconds();
    out.info = linearComplementarity_driver(data, out.z.data(), w.data(), options);
    out.seconds = cpu_seconds() - start;
    out.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    solver_options_delete(options);
    return out;
  };
}

Solver fc2d(Problem& problem, double tolerance) {
  const auto n = static_cast<std::size_t>(problem.n);
  RawNumericsMatrix* triplet = NM_create(NM_SPARSE, problem.n, problem.n);
  NM_triplet_alloc(triplet, static_cast<CS_INT>(problem.entry.size()));
  for (std::size_t k = 0; k < problem.entry.size(); ++k) {
    NM_entry(triplet, problem.row[k], problem.column[k], problem.entry[k]);
  }
  auto* blocks = SBM_new();
  if (SBM_from_csparse(2, NM_csc(triplet), blocks) != 0) throw std::runtime_error("no blocks");
  auto* data = new FrictionContactProblem{};
  data->dimension = 2;
  data->numberOfContacts = problem.n / 2;
  data->M = NM_create_from_data(NM_SPARSE_BLOCK, problem.n, problem.n, blocks);
  data->q = problem.b.data();
  data->mu = problem.friction.data();
  return [=] {
    Solution out{.z = std::vector<double>(n, 0.0)};
    std::vector<double> w(n, 0.0);
    SolverOptions* options = solver_options_create(SICONOS_FRICTION_2D_NSGS);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
    const double start = cpu_seconds();
    out.info = fc2d_driver(data, out.z.data(), w.data(), options);
    out.seconds = cpu_seconds() - start;
    out.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    solver_options_delete(options);
    return out;
  };
}

void run(const std::string& name, double tolerance, const char* path) {
  const bool friction = name == "fc2d_nsgs";
  Problem problem = read_problem(path, friction);
  Solver solve;
  if (friction) {
    solve = fc2d(problem, tolerance);
  } else if (name == "lcp_lemke") {
    solve = lcp(problem, SICONOS_LCP_LEMKE, tolerance);
  } else if (name == "lcp_enum") {
    solve = lcp(problem, SICONOS_LCP_ENUM, tolerance);
  } else {
    throw std::invalid_argument("unknown solver " + name);
  }
  Solution best = solve();
  double total = best.seconds;
  int repeats = 1;
  for (; repeats < 200 && total < 1.0; ++repeats) {
    const Solution next = solve();
    total += next.seconds;
    best.seconds = std::min(best.seconds, next.seconds);
  }
  std::printf(R"({"peer": "Siconos", "seconds": %.9g, "repeats": %d, "info": %d, )", best.seconds,
              repeats, best.info);
  std::printf(R"("iterations": %d, "z": [)", best.iterations);
  const char* separator = "";
  for (const double z : best.z) {
    std::printf("%s%.17g", separator, z);
    separator = ", ";
  }
  std::printf("]}\n");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4) throw std::invalid_argument("needs a solver, a tolerance and a file");
    run(argv[1], std::strtod(argv[2], nullptr), argv[3]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "siconos_numerics_driver: %s\n", error.what());
  }
  return 1;
}
