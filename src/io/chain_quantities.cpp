// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/chain_cases.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace percute::io {

namespace {

using analysis::ChainMotion;
using analysis::ForcePeak;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Distance of the entries of "wave_profile" and "theory_profile", in balls.
constexpr double kProfileStep = 0.25;

// "opening[0][1]" in its parts.
struct Name {
  std::string word;
  std::vector<std::size_t> indices = {};

  std::size_t index(std::size_t k = 0) const { return indices.at(k); }
};

Name split(const std::string& text) {
  Name name{.word = text.substr(0, text.find('['))};
  for (std::size_t at = text.find('['); at != text.npos; at = text.find('[', at + 1)) {
    name.indices.push_back(std::stoul(text.substr(at + 1)));
  }
  return name;
}

// How closely a run must be watched for its numbers.
enum class Watching { Outcome, Events, Waves };

Watching watching_for(const std::vector<ChainNumber>& numbers) {
  static constexpr std::array<std::string_view, 7> kEvents{
      "peak_", "train", "period", "opening", "closing", "profile", "first_peak"};
  static constexpr std::array<std::string_view, 5> kWaves{"wave_", "theory_", "half_", "balls_",
                                                          "steady_"};
  const auto any = [&](const auto& words) {
    return std::any_of(numbers.begin(), numbers.end(), [&](const ChainNumber& number) {
      return number.name == "curve" ||
             std::any_of(words.begin(), words.end(),
                         [&](std::string_view word) { return number.name.starts_with(word); });
    });
  };
  if (any(kWaves) && !any(kEvents)) return Watching::Waves;
  return any(kEvents) ? Watching::Events : Watching::Outcome;
}

double entry(const std::vector<double>& list, std::size_t k) {
  return k < list.size() ? list[k] : kMissing;
}

/// One solved case and whatever can be asked of it.
class Answers {
 public:
  explicit Answers(const ChainCase& reference)
      : case_(reference), chain_(analysis::chain_of(reference.problem)) {
    const auto run = [&](const Recording& recording) {
      return resolve(case_.problem, case_.law, recording);
    };
    switch (watching_for(reference.expected)) {
      case Watching::Outcome:
        result_ = resolve(case_.problem, case_.law);
        break;
      case Watching::Events:
        result_ = run({.every = 0, .times = instants()});
        break;
      case Watching::Waves:
        waves_ = analysis::watch_waves(case_.problem, chain_, run);
        result_ = waves_->result;
        motion_.emplace(chain_, result_.history);
        break;
    }
    velocity_ = chain_.of_balls(result_.velocity);
    outcome_ = analysis::outcome_of(case_.problem, chain_, result_);
  }

  const ImpactResult& result() const { return result_; }

  double number(const std::string& text) const {
    const Name name = split(text);
    for (const auto part : {&Answers::of_outcome, &Answers::of_contacts, &Answers::of_wall,
                            &Answers::of_events, &Answers::of_wave}) {
      if (const auto value = (this->*part)(name)) return *value;
    }
    throw InvalidInput("expected", "an impact in a chain has no number called '" + text + "'");
  }

 private:
  std::vector<double> instants() const {
    std::vector<double> times = case_.instants;
    times.reserve(times.size() + static_cast<std::size_t>(case_.curve.size()));
    for (Eigen::Index k = 0; k < case_.curve.size(); ++k) {
      times.push_back(case_.curve_step * static_cast<double>(k));
    }
    std::sort(times.begin(), times.end());
    return times;
  }

  const ContactSummary& summary(std::size_t j) const {
    return result_.diagnostics.contacts.at(static_cast<std::size_t>(chain_.contacts.at(j)));
  }
  std::size_t wall() const { return chain_.wall_last ? chain_.contacts.size() - 1 : 0; }
  std::vector<ForcePeak> peaks(std::size_t j) const {
    return analysis::force_peaks(result_.history, chain_.contacts.at(j));
  }

  std::optional<double> of_outcome(const Name& name) const {
    const auto& word = name.word;
    const auto last = velocity_.size() - 1;
    if (word == "velocity") return velocity_[static_cast<Eigen::Index>(name.index())];
    if (word == "v_first") return velocity_[0];
    if (word == "v_last") return velocity_[last];
    if (word == "impulse") {
      return result_.impulse[chain_.contacts.at(name.index())];
    }
    if (word == "impulse_ratio") {
      return outcome_.impulse_ratios[static_cast<Eigen::Index>(name.index())];
    }
    if (word == "ratio") return outcome_.impulse_ratios[0];
    if (word == "dispersion") return outcome_.dispersion.value_or(kMissing);
    if (word == "energy_ratio") return outcome_.energy_ratio.value_or(kMissing);
    if (word == "forward_balls") return outcome_.forward_balls;
    if (word == "forward_percent") return 100.0 * outcome_.forward_energy;
    if (word == "last_ball_percent") return 100.0 * outcome_.last_ball_energy;
    // v_i = −v_{n+1−i} where both ends are struck alike.
    if (word == "asymmetry") return (velocity_ + velocity_.reverse()).cwiseAbs().maxCoeff();
    return {};
  }

  std::optional<double> of_contacts(const Name& name) const {
    const std::size_t last = chain_.contacts.size() - 1;
    if (name.word == "force") return summary(name.index()).maximal_force;
    if (name.word == "force_time") return summary(name.index()).maximal_force_time;
    if (name.word == "last_force") return summary(last).maximal_force;
    if (name.word == "last_force_time") return summary(last).maximal_force_time;
    if (name.word == "last_release") return summary(last).opening_time;
    return {};
  }

  std::optional<double> of_wall(const Name& name) const {
    if (name.word == "F_max") return summary(wall()).maximal_force;
    if (name.word == "t_F_max") return summary(wall()).maximal_force_time;
    if (name.word == "release") return summary(wall()).opening_time;
    if (name.word == "wall_contacts") return summary(wall()).impacts;
    if (name.word != "e_eff" && name.word != "v_top") return {};
    const auto rebound = analysis::rebound_of(case_.problem, chain_, result_);
    if (!rebound) return kMissing;
    return name.word == "e_eff" ? rebound->effective_restitution : rebound->top_velocity;
  }

  std::optional<double> of_events(const Name& name) const {
    const auto& word = name.word;
    const auto at = [&](const std::vector<ForcePeak>& list, std::size_t k, bool time) {
      if (k >= list.size()) return kMissing;
      return time ? list[k].time : list[k].force;
    };
    if (word == "peak_force" || word == "peak_time") {
      return at(peaks(wall()), name.index(), word == "peak_time");
    }
    if (word == "first_peak_force" || word == "first_peak_time") {
      return at(peaks(name.index()), 0, word == "first_peak_time");
    }
    if (word == "train") {
      return static_cast<double>(analysis::wave_train(peaks(wall())).size());
    }
    if (word == "train_force" || word == "train_time") {
      return at(analysis::wave_train(peaks(wall())), name.index(), word == "train_time");
    }
    if (word == "period_shortest" || word == "period_longest") {
      const auto period = analysis::period(peaks(wall()));
      if (!period) return kMissing;
      return word == "period_shortest" ? period->shortest : period->longest;
    }
    if (word == "opening" || word == "closing") {
      return entry(changes(name.index(), word == "opening"), name.index(1));
    }
    if (word == "profile") {
      const auto field = analysis::space_time(chain_, result_, case_.instants);
      return field.velocity(static_cast<Eigen::Index>(name.index(1)),
                            static_cast<Eigen::Index>(name.index(0)));
    }
    if (word == "curve") return curve_distance();
    return {};
  }

  /// Instants at which a contact let go, or was met after the start.
  std::vector<double> changes(std::size_t j, bool opening) const {
    std::vector<double> times;
    for (const ImpactEvent& event : result_.history.events) {
      if (event.contact != chain_.contacts.at(j)) continue;
      const bool met = event.kind == EventKind::Activation || event.kind == EventKind::Reengagement;
      if (opening ? event.kind == EventKind::Opening : met && event.time > 0.0) {
        times.push_back(event.time);
      }
    }
    return times;
  }

  double curve_distance() const {
    std::vector<double> times;
    times.reserve(static_cast<std::size_t>(case_.curve.size()));
    for (Eigen::Index k = 0; k < case_.curve.size(); ++k) {
      times.push_back(case_.curve_step * static_cast<double>(k));
    }
    const auto field = analysis::space_time(chain_, result_, times);
    const Vector force = field.force.row(static_cast<Eigen::Index>(wall()));
    return (force - case_.curve).cwiseAbs().maxCoeff() / case_.curve.maxCoeff();
  }

  std::optional<double> of_wave(const Name& name) const {
    const auto& word = name.word;
    if (!waves_ || !motion_) return {};
    if (!waves_->wave) return kMissing;
    const analysis::Wave& wave = *waves_->wave;
    if (word == "wave_speed") return wave.speed;
    if (word == "wave_peak_velocity") return wave.peak.velocity;
    if (word == "wave_force") return wave.peak_force;
    if (word == "half_width") return wave.half_width.value_or(kMissing);
    if (word == "balls_above_percent") return wave.balls_above_percent;
    if (word == "balls_above_permille") return wave.balls_above_permille;
    if (word == "steady_from") return wave.steady_from + 1;
    if (word == "wave_profile") {
      const double x = kProfileStep * static_cast<double>(name.index());
      const double ahead = waves_->balls[static_cast<std::size_t>(wave.ball)].before;
      const double v = motion_->velocity(wave.ball, wave.peak.time + x / wave.speed);
      return (v - ahead) / (wave.peak.velocity - ahead);
    }
    if (!wave.theory) return kMissing;
    if (word == "theory_speed") return wave.theory->speed;
    if (word == "theory_force") return wave.theory->peak_force;
    if (word == "theory_support") return wave.theory->support;
    if (word == "theory_half_width") return wave.theory->half_width;
    if (word == "theory_profile") {
      const double x = kProfileStep * static_cast<double>(name.index());
      return wave.theory->velocity(x) / wave.theory->peak_velocity;
    }
    return {};
  }

  const ChainCase& case_;
  analysis::Chain chain_;
  ImpactResult result_;
  Vector velocity_;
  analysis::ChainOutcome outcome_;
  std::optional<analysis::ChainWaves> waves_;
  std::optional<ChainMotion> motion_;
};

}  // namespace

std::vector<double> numbers_of(const ChainCase& reference, std::string& status) {
  const Answers answers(reference);
  status = name(answers.result().status);
  std::vector<double> numbers;
  numbers.reserve(reference.expected.size());
  for (const ChainNumber& expected : reference.expected) {
    numbers.push_back(answers.number(expected.name));
  }
  return numbers;
}

}  // namespace percute::io
