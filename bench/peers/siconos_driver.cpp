// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
//
// Resolves one impact with the multiple-impact solver of Siconos (BiStiffness) and prints one line
// of JSON: what it took and what came out. Started by `percute bench`; by hand, three balls:
//
//     siconos_driver 1e-4 1 3 2   1 1  1 0  1 0   0 1 1 1 1.5 1   1 2 1 1 1.5 1
//
// Arguments: impulse step, dimension d, bodies, contacts; mass and velocity (d numbers) of each
// body; two bodies, normal from the first to the second (d numbers), stiffness, exponent and
// restitution of each contact. Timed is the impact loop alone, without set-up and without the
// assembly of the Delassus matrix.
#include <SiconosKernel.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

struct Touch {
  int first = 0;
  int second = 0;
  std::vector<double> normal;
  double stiffness = 0.0;
  double exponent = 0.0;
  double restitution = 0.0;
};

struct Impact {
  double impulse_step = 0.0;
  int dimension = 0;
  std::vector<double> masses;
  std::vector<std::vector<double>> velocities;
  std::vector<Touch> touches;
};

/// The numbers of the command line, one after the other.
class Arguments {
 public:
  Arguments(int argc, char** argv) : left_(argv + 1, argv + argc) {}
  double number() {
    if (next_ == left_.size()) throw std::invalid_argument("too few arguments");
    char* end = nullptr;
    const double value = std::strtod(left_[next_], &end);
    if (*end != '\0') throw std::invalid_argument("not a number");
    ++next_;
    return value;
  }
  int integer() { return static_cast<int>(number()); }
  std::vector<double> numbers(int count) {
    std::vector<double> out;
    for (int k = 0; k < count; ++k) out.push_back(number());
    return out;
  }

 private:
  std::vector<char*> left_;
  std::size_t next_ = 0;
};

Impact read_impact(Arguments arguments) {
  Impact impact;
  impact.impulse_step = arguments.number();
  impact.dimension = arguments.integer();
  const int bodies = arguments.integer();
  const int contacts = arguments.integer();
  for (int i = 0; i < bodies; ++i) {
    impact.masses.push_back(arguments.number());
    impact.velocities.push_back(arguments.numbers(impact.dimension));
  }
  for (int i = 0; i < contacts; ++i) {
    Touch touch;
    touch.first = arguments.integer();
    touch.second = arguments.integer();
    touch.normal = arguments.numbers(impact.dimension);
    touch.stiffness = arguments.number();
    touch.exponent = arguments.number();
    touch.restitution = arguments.number();
    impact.touches.push_back(std::move(touch));
  }
  return impact;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// An event-driven simulation that stands at an impact of all contacts: bodies are coordinates
/// that touch at the origin, the gap of a contact is y = [−n n] q.
class Model {
 public:
  explicit Model(const Impact& impact) {
    auto system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 1.0);
    const auto d = static_cast<unsigned>(impact.dimension);
    auto smooth = std::make_shared<LsodarOSI>();
    std::vector<SP::LagrangianLinearTIDS> bodies;
    for (std::size_t i = 0; i < impact.masses.size(); ++i) {
      auto position = std::make_shared<SiconosVector>(d);
      auto velocity = std::make_shared<SiconosVector>(d);
      auto mass = std::make_shared<SimpleMatrix>(d, d);
      for (unsigned k = 0; k < d; ++k) {
        velocity->setValue(k, impact.velocities[i][k]);
        mass->setValue(k, k, impact.masses[i]);
      }
      bodies.push_back(std::make_shared<LagrangianLinearTIDS>(position, velocity, mass));

      system->insertDynamicalSystem(bodies.back());
    }
    for (const Touch& touch : impact.touches) {
      auto gradient = std::make_shared<SimpleMatrix>(1, 2 * d);
      for (unsigned k = 0; k < d; ++k) {
        gradient->setValue(0, k, -touch.normal[k]);
        gradient->setValue(0, d + k, touch.normal[k]);
      }
      auto law =
          std::make_shared<MultipleImpactNSL>(touch.restitution, touch.stiffness, touch.exponent);
      auto relation = std::make_shared<LagrangianLinearTIR>(gradient);
      contacts_.push_back(std::make_shared<Interaction>(law, relation));
      system->link(contacts_.back(), bodies[static_cast<std::size_t>(touch.first)],
                   bodies[static_cast<std::size_t>(touch.second)]);
    }
    auto times = std::make_shared<TimeDiscretisation>(0.0, 0.1);
    simulation_ = std::make_shared<EventDriven>(system, times);
    simulation_->insertIntegrator(smooth);

    solver_ = std::make_shared<MultipleImpact>("BiStiffness", impact.impulse_step);
    // Its tolerances are absolute and stop small motions early: the error could not fall below
    // 1e-5 with the defaults.
    solver_->SetTolVel(1e-30);
    solver_->SetTolEner(1e-30);
    solver_->SetZeroVelEndImp(1e-30);
    solver_->SetZeroEnerEndImp(1e-30);
    // Runs that never end are cut: a chain of n balls takes less than n times its impulse over dP.
    double impulse = 0.0;
    for (std::size_t i = 0; i < impact.masses.size(); ++i) {
      for (const double v : impact.velocities[i]) impulse += impact.masses[i] * std::abs(v);
    }
    const double steps =
        20.0 * static_cast<double>(impact.masses.size()) * impulse / impact.impulse_step;
    solver_->SetNstepMax(static_cast<unsigned>(std::min(steps, 4e9)));
    simulation_->insertNonSmoothProblem(solver_, SICONOS_OSNSP_ED_IMPACT);
    simulation_->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
    simulation_->initialize();
    for (auto& contact : contacts_) contact->swapInOldVariables();
    simulation_->updateIndexSet(1);
    if (simulation_->indexSet(1)->size() != contacts_.size()) {
      throw std::runtime_error("Siconos takes only a part of the contacts for active");
    }
  }

  /// Seconds of one impact loop.
  double resolve() {
    solver_->PreComputeImpact();
    const double start = cpu_seconds();
    solver_->ComputeImpact();
    const double end = cpu_seconds();
    solver_->PostComputeImpact();
    return end - start;
  }

  std::vector<double> impulses() const {
    std::vector<double> out;
    for (const auto& contact : contacts_) out.push_back(contact->lambda(1)->getValue(0));
    return out;
  }

 private:
  std::vector<SP::Interaction> contacts_;
  std::shared_ptr<EventDriven> simulation_;
  std::shared_ptr<MultipleImpact> solver_;
};

/// v⁺ = v⁻ + M⁻¹ W p.
std::vector<double> velocities_after(const Impact& impact, const std::vector<double>& p) {
  std::vector<double> out;
  for (const auto& velocity : impact.velocities)
    out.insert(out.end(), velocity.begin(), velocity.end());
  const auto d = static_cast<std::size_t>(impact.dimension);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Touch& touch = impact.touches[i];
    const auto a = static_cast<std::size_t>(touch.first);
    const auto b = static_cast<std::size_t>(touch.second);
    for (std::size_t k = 0; k < d; ++k) {
      out[a * d + k] -= touch.normal[k] * p[i] / impact.masses[a];
      out[b * d + k] += touch.normal[k] * p[i] / impact.masses[b];
    }
  }
  return out;
}

void run(const Impact& impact) {
  Model model(impact);
  double fastest = model.resolve();
  double total = fastest;
  int repeats = 1;
  for (; (repeats < 9 && total < 0.5) || (repeats < 3 && total < 15.0); ++repeats) {
    const double seconds = model.resolve();
    fastest = std::min(fastest, seconds);
    total += seconds;
  }
  std::printf(R"({"peer": "Siconos", "seconds": %.9g, "repeats": %d, "velocity": [)", fastest,
              repeats);
  const char* separator = "";
  for (const double v : velocities_after(impact, model.impulses())) {
    std::printf("%s%.17g", separator, v);
    separator = ", ";
  }
  std::printf("]}\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::cout.setstate(std::ios::failbit);  // the library reports its progress there
  try {
    run(read_impact({argc, argv}));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "siconos_driver: %s\n", error.what());
  } catch (...) {
    std::fprintf(stderr, "siconos_driver: Siconos gave up\n");
  }
  return 1;
}
