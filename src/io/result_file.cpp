// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/result_fields.hpp"
#include "io/schema.hpp"

#include <percute/analysis/indices.hpp>
#include <percute/io/document.hpp>
#include <percute/io/result_file.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

namespace percute::io {

namespace {

constexpr std::string_view kFormat = "percute-result/1";

struct ContactView {
  const ImpactResult* result = nullptr;
  std::size_t i = 0;

  auto k() const { return static_cast<Eigen::Index>(i); }
  Vector part(const std::vector<Vector>& list) const {
    return i < list.size() ? list[i] : Vector();
  }
};

void fields(Same<ContactView> auto& view, auto&& visit) {
  visit(Field{"impulse", "p", {}, "N s"},
        [&view] { return double{view.result->impulse[view.k()]}; });
  visit(Field{"tangential_impulse", "one number per tangent; empty: none", {}, "N s"},
        [&view] { return view.part(view.result->tangential_impulse); });
  visit(Field{"gap_rate", "U⁺", {}, "m/s"},
        [&view] { return double{view.result->gap_rate[view.k()]}; });
  visit(Field{"tangential_velocity", "after the impact", {}, "m/s"},
        [&view] { return view.part(view.result->tangential_velocity); });
  visit(Field{"dissipated", "energy lost here", {}, "J"},
        [&view] { return double{view.result->dissipated[view.k()]}; });
  visit(Field{"dissipated_by_friction", "of it, in sliding", {}, "J"}.where_known(), [&view] {
    const Vector& lost = view.result->dissipated_by_friction;
    return view.k() < lost.size() ? std::optional<double>(lost[view.k()]) : std::nullopt;
  });
  visit(Field{"compressions", "phases of compression; laws with an inner time"}.where_known(),
        [&view] {
          const auto& known = view.result->diagnostics.contacts;
          return view.i < known.size() ? std::optional(known[view.i].compressions) : std::nullopt;
        });
}

struct DiagnosticsView {
  const ImpactResult* result = nullptr;
};

/// Nothing for what is as usual, so that it is left out.
template <class T>
std::optional<T> unless_usual(const T& value, const T& usual = {}) {
  return value == usual ? std::nullopt : std::optional<T>(value);
}

void fields(Same<DiagnosticsView> auto& view, auto&& visit) {
  const auto all = [&view](auto of) {
    return [&view, of] { return of(*view.result, view.result->diagnostics); };
  };
  const auto timed = [&view](auto member) {
    return [&view, member] {
      const Diagnostics& d = view.result->diagnostics;
      return d.algebraic ? std::nullopt : std::optional(d.*member);
    };
  };
  const auto algebraic = [&view](auto of) {
    return [&view, of] {
      const auto& d = view.result->diagnostics.algebraic;
      using Known = std::decay_t<std::invoke_result_t<decltype(of), const AlgebraicDiagnostics&>>;
      return d ? std::optional<Known>(std::invoke(of, *d)) : std::nullopt;
    };
  };
  using A = AlgebraicDiagnostics;
  using D = Diagnostics;
  using R = ImpactResult;
  visit(
      Field{"friction_ignored", "the law does not know friction, and there is some"}.where_known(),
      all([](const R& r, const D&) { return unless_usual(r.consistency.friction_ignored); }));
  visit(Field{"reason", "of a status that is no answer"}.where_known(),
        all([](const R&, const D& d) { return unless_usual(d.reason); }));
  visit(Field{"restitution_ignored", "the law does not use the restitution of the contacts"}
            .where_known(),
        all([](const R& r, const D&) { return unless_usual(r.consistency.restitution_ignored); }));
  visit(Field{"evaluations", "of right-hand sides"},
        all([](const R&, const D& d) { return d.algebraic ? 0 : d.evaluations; }));
  visit(Field{"event_evaluations", "of these, to locate events"}.where_known(),
        timed(&D::event_evaluations));
  visit(Field{"steps", "accepted; of algebraic laws the stages"}, all([](const R&, const D& d) {
          return d.algebraic ? long{d.algebraic->stages} : d.steps;
        }));
  visit(Field{"rejected", "steps"}.where_known(), timed(&D::rejected));
  visit(Field{"events", "changes of contact state; collisions in turn"},
        all([](const R&, const D& d) {
          return d.algebraic ? static_cast<long>(d.algebraic->sequence.size()) : d.events;
        }));
  visit(Field{"duration", "of the impact", {}, "s"}.where_known(), timed(&D::duration));
  visit(Field{"stages", "times the law was applied"}.where_known(), algebraic(&A::stages));
  visit(Field{"iterations", "of all stages"}.where_known(), algebraic(&A::iterations));
  visit(Field{"residual", "largest scaled error of what was solved"}.where_known(),
        algebraic(&A::residual));
  visit(Field{"multiple_solutions", "velocities may be one choice of several"}.where_known(),
        algebraic(&A::multiple_solutions));
  visit(Field{"energy_bound", "energy_unreachable: the smallest ratio possible"}.where_known(),
        algebraic([](const A& d) { return d.energy_bound; }));
  visit(Field{"restitution_factor", "reduce_e: what all coefficients were cut by"}.where_known(),
        algebraic([](const A& d) { return d.restitution_factor; }));
  visit(Field{"fremond_fallback", "θ = 1 was used"}.where_known(),
        algebraic([](const A& d) { return unless_usual(d.fremond_fallback); }));
  visit(Field{"collisions", "how many are in sequence"}.where_known(),
        algebraic([](const A& d) { return unless_usual(d.sequence.size()); }));
  visit(Field{"sequence", "collisions in turn"}.where_known(), algebraic([](const A& d) {
          return d.sequence.empty() ? std::nullopt : std::optional(d.sequence);
        }));
  visit(Field{"stored_energy", "still, where the law was cut short", {}, "J"},
        all([](const R& r, const D&) { return r.energy.stored; }));
  visit(Field{"residual_velocity", "zeno: max |U| where the rest was finished", {}, "m/s"}
            .where_known(),
        all([](const R&, const D& d) { return d.residual_velocity; }));
  visit(Field{"verify_difference", "max |Δv⁺| against a tenth of the tolerance"}.where_known(),
        timed(&D::verify_difference));
  visit(Field{"reengagement_difference", "max |Δv⁺| against the other rule, over max |v⁻|"}
            .where_known(),
        timed(&D::reengagement_difference));
  visit(Field{"contacts", "what each went through"}.where_known(), timed(&D::contacts));
  visit(Field{"phases", "of a single contact with friction"}.where_known(),
        all([](const R&, const D& d) {
          return d.algebraic || d.phases.empty() ? std::nullopt : std::optional(d.phases);
        }));
}

struct ResultView {
  const ImpactResult* result = nullptr;
  const ProblemFile* file = nullptr;
};

void fields(Same<ResultView> auto& view, auto&& visit) {
  const auto& result = view.result;
  visit(Field{"format", "of this object"}, kFormat);
  visit(Field{"law", "with every option"}, [&view] {
    return Shaped<LawSchema>{to_node(filled_in(view.file->law, view.file->problem))};
  });
  visit(Field{"status", "how the law ended; ok, no_impact and zeno are answers"},
        [&result] { return result->status; });
  visit(Field{"velocity", "v⁺"}, [&result] { return result->velocity; });
  visit(Field{"contacts", "in the order of the problem"}, [&view] {
    std::vector<ContactView> contacts(view.file->problem.contacts.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) contacts[i] = {view.result, i};
    return contacts;
  });
  visit(Field{"energy", ""}, [&result] { return result->energy; });
  visit(Field{"indices", "of the whole impact"},
        [&view] { return analysis::indices(view.file->problem, *view.result, view.file->bodies); });
  visit(Field{"consistency", "verdicts"}, [&result] { return result->consistency; });
  visit(Field{"non_unique_impulse", "contacts are redundant: other impulses do the same"},
        [&result] { return result->non_unique_impulse; });
  visit(Field{"diagnostics", "cost and quality of the computation"},
        [&result] { return DiagnosticsView{result}; });
}

}  // namespace

Node to_node(const ImpactResult& result, const ProblemFile& file) {
  return node_of(ResultView{.result = &result, .file = &file});
}

Node result_schema() {
  return schema_of<ResultView>(Writer::Percute);
}

std::string to_json(const ImpactResult& result, const ProblemFile& file, JsonLayout layout) {
  return to_json(to_node(result, file), layout);
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  const auto check = [&path](bool fine) {
    if (!fine) {
      throw FileError(path.string(), "", fmt::format("cannot write: {}", std::strerror(errno)));
    }
  };
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"),
                                                       &std::fclose);
  check(file != nullptr);
  check(std::fwrite(text.data(), 1, text.size(), file.get()) == text.size());
  check(std::fclose(file.release()) == 0);
}

}  // namespace percute::io
