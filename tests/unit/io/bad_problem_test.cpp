// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

namespace percute::io {
namespace {

using testing::expect_error;
using testing::kThreeBalls;
using testing::problem;
using testing::with;

/// One mistake in the three balls, and what the message must name: line and path, and a reason.
struct Mistake {
  const char* name;
  const char* part;
  const char* other;
  const char* where;
  const char* reason;
};

class BadProblem : public ::testing::TestWithParam<Mistake> {};

TEST_P(BadProblem, IsRefusedWithFileLineAndKey) {
  const Mistake& mistake = GetParam();
  expect_error([&] { problem(with(kThreeBalls, mistake.part, mistake.other)); },
               {std::string("p.json:") + mistake.where, mistake.reason});
}

constexpr const char* kMass = R"({"diagonal": [1, 1, 1]})";
constexpr const char* kFirst = R"({"gradient": [-1, 1, 0]})";
constexpr const char* kSecond = R"({"gradient": [0, -1, 1]})";
constexpr const char* kLaw = R"({"kind": "lzb", "tolerance": 1e-10})";

INSTANTIATE_TEST_SUITE_P(
    Mass, BadProblem,
    ::testing::Values(
        Mistake{"negative", "[1, 1, 1]", "[1, -1, 1]", "4: mass", "-1"},
        Mistake{"zero", "[1, 1, 1]", "[1, 0, 1]", "4: mass", "0"},
        Mistake{"short", "[1, 1, 1]", "[1, 1]", "4: mass.diagonal", "3 entries"},
        Mistake{"text", "[1, 1, 1]", "[1, \"a\", 1]", "4: mass.diagonal[1]", "must be a number"},
        Mistake{"number", kMass, "1", "4: mass", "must be an object"},
        Mistake{"no_form", kMass, "{}", "4: mass", "exactly one"},
        Mistake{"two_forms", kMass, R"({"diagonal": [1, 1, 1], "dense": []})", "4: mass",
                "exactly one"},
        Mistake{"unknown_form", kMass, R"({"diagnal": [1, 1, 1]})", "4: mass.diagnal",
                "did you mean 'diagonal'?"},
        Mistake{"indefinite", kMass, R"({"dense": [[1, 2, 0], [2, 1, 0], [0, 0, 1]]})", "4: mass",
                "positive definite"},
        Mistake{"asymmetric", kMass, R"({"dense": [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]})", "4: mass",
                "symmetric"},
        Mistake{"ragged", kMass, R"({"dense": [[1, 0, 0], [0, 1], [0, 0, 1]]})", "4: mass.dense[1]",
                "3 entries"},
        Mistake{"rows", kMass, R"({"dense": [[1, 0, 0]]})", "4: mass.dense", "3 rows"},
        Mistake{"sparse_twice", kMass,
                R"({"sparse": {"size": 3, "rows": [0, 0], "columns": [0, 0], "values": [1, 1]}})",
                "4: mass.sparse", "(0, 0) is given twice"},
        Mistake{"sparse_size", kMass,
                R"({"sparse": {"size": 4, "rows": [], "columns": [], "values": []}})",
                "4: mass.sparse.size", "velocity has 3"},
        Mistake{"sparse_huge", kMass,
                R"({"sparse": {"size": 1000000000000, "rows": [], "columns": [], "values": []}})",
                "4: mass.sparse.size", "1000000000000"},
        Mistake{"sparse_range", kMass,
                R"({"sparse": {"size": 3, "rows": [3], "columns": [0], "values": [1]}})",
                "4: mass.sparse.rows[0]", "from 0 to 2"},
        Mistake{"sparse_lengths", kMass,
                R"({"sparse": {"size": 3, "rows": [1], "columns": [0], "values": [1, 2]}})",
                "4: mass.sparse", "same length"},
        Mistake{"sparse_asymmetric", kMass,
                R"({"sparse": {"size": 3, "rows": [0, 0, 1, 1, 2], "columns": [0, 1, 0, 1, 2],
                    "values": [2, 1, 0.5, 2, 1]}})",
                "4: mass.sparse", "entry (1, 0), 0.5 differs from its mirror 1"},
        Mistake{"sparse_hole", kMass,
                R"({"sparse": {"size": 3, "rows": [0], "columns": [0], "values": [1]}})", "4: mass",
                "positive"}),
    [](const auto& instance) { return std::string(instance.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Contact, BadProblem,
    ::testing::Values(
        Mistake{"restitution_above", kFirst, R"({"gradient": [-1, 1, 0], "restitution": 2.5})",
                "7: contacts[0].restitution", "2.5"},
        Mistake{"restitution_below", kSecond, R"({"gradient": [0, -1, 1], "restitution": -0.1})",
                "8: contacts[1].restitution", "-0.1"},
        Mistake{"exponent", kSecond, R"({"gradient": [0, -1, 1], "exponent": 0.5})",
                "8: contacts[1].exponent", "0.5"},
        Mistake{"stiffness", kFirst, R"({"gradient": [-1, 1, 0], "stiffness": 0})",
                "7: contacts[0].stiffness", "0"},
        Mistake{"friction", kFirst, R"({"gradient": [-1, 1, 0], "friction": -1})",
                "7: contacts[0].friction", "-1"},
        Mistake{"stored_energy", kFirst, R"({"gradient": [-1, 1, 0], "stored_energy": -1})",
                "7: contacts[0].stored_energy", "-1"},
        Mistake{"zero_gradient", kFirst, R"({"gradient": [0, 0, 0]})", "7: contacts[0].gradient",
                "zero"},
        Mistake{"short_gradient", kFirst, R"({"gradient": [-1, 1]})", "7: contacts[0].gradient",
                "3 entries"},
        Mistake{"gradient_twice", kFirst, R"({"gradient": {"index": [0, 0], "value": [1, 2]}})",
                "7: contacts[0].gradient", "twice"},
        Mistake{"gradient_range", kFirst, R"({"gradient": {"index": [3], "value": [1]}})",
                "7: contacts[0].gradient.index[0]", "from 0 to 2"},
        Mistake{"gradient_lengths", kFirst, R"({"gradient": {"index": [0], "value": [1, 2]}})",
                "7: contacts[0].gradient", "same length"},
        Mistake{"gradient_type", kFirst, R"({"gradient": 1})", "7: contacts[0].gradient",
                "array of numbers"},
        Mistake{"no_gradient", kFirst, R"({"restitution": 1})", "7: contacts[0]",
                "'gradient' is missing"},
        Mistake{"misspelt", kFirst, R"({"gradient": [-1, 1, 0], "restitutoin": 1})",
                "7: contacts[0].restitutoin", "did you mean 'restitution'?"},
        Mistake{"boolean", kFirst, R"({"gradient": [-1, 1, 0], "restitution": true})",
                "7: contacts[0].restitution", "must be a number, got true"},
        Mistake{"null", kFirst, R"({"gradient": [-1, 1, 0], "restitution": null})",
                "7: contacts[0].restitution", "must be a number, got null"},
        Mistake{"model", kFirst, R"({"gradient": [-1, 1, 0], "contact_model": "bi_stifness"})",
                "7: contacts[0].contact_model", "did you mean 'bi_stiffness'?"},
        Mistake{"compliant_key", kFirst, R"({"gradient": [-1, 1, 0], "damping": 1})",
                "7: contacts[0].damping", "law 'compliant' only"},
        Mistake{"tangent_rows", kFirst,
                R"({"gradient": [-1, 1, 0], "tangents": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]})",
                "7: contacts[0].tangents", "one row"},
        Mistake{"tangent_length", kFirst, R"({"gradient": [-1, 1, 0], "tangents": [[1, 0]]})",
                "7: contacts[0].tangents[0]", "3 entries"},
        Mistake{"not_an_object", kFirst, "3", "7: contacts[0]", "must be an object"}),
    [](const auto& instance) { return std::string(instance.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Top, BadProblem,
    ::testing::Values(
        Mistake{"format", "percute-problem/1", "percute-problem/2", "2: format",
                "percute-problem/1"},
        Mistake{"velocity_text", "[1, 0, 0]", "\"fast\"", "5: velocity", "must be an array"},
        Mistake{"velocity_length", "[1, 0, 0]", "[1, 0]", "4: mass.diagonal", "2 entries"},
        Mistake{"overflow", "[1, 0, 0]", "[1e400, 0, 0]", "5: not valid JSON", "1e400"},
        Mistake{"unknown", "\"velocity\"", "\"velocities\"", "5: velocities",
                "did you mean 'velocity'?"},
        Mistake{"missing", "\"velocity\": [1, 0, 0],", "", "1: ", "'velocity' is missing"},
        Mistake{"body_missing", "\"law\"", R"("bodies": [{"coordinates": [0, 1]}], "law")",
                "10: bodies", "coordinate 2 belongs to no body"},
        Mistake{"body_twice", "\"law\"", R"("bodies": [{"coordinates": [0, 1, 2, 1]}], "law")",
                "10: bodies[0].coordinates", "coordinate 1 already"},
        Mistake{"body_range", "\"law\"", R"("bodies": [{"coordinates": [3]}], "law")",
                "10: bodies[0].coordinates[0]", "from 0 to 2"},
        Mistake{"law_text", kLaw, "\"lzb\"", "10: law", "must be an object"},
        Mistake{"law_termination", kLaw,
                R"({"kind": "darboux_keller_single", "termination": "stronge"})",
                "10: law.termination", "energetic, poisson, newton"},
        Mistake{"law_unknown", kLaw, R"({"kind": "moreu"})", "10: law.kind",
                "did you mean 'moreau'?"},
        Mistake{"law_key", "tolerance", "tolerence", "10: law.tolerence",
                "did you mean 'tolerance'?"},
        Mistake{"tolerance", "1e-10", "-1e-10", "10: law.tolerance", "-1e-10"},
        Mistake{"max_steps", "\"tolerance\": 1e-10", "\"max_steps\": 1.5", "10: law.max_steps",
                "must be an integer"},
        Mistake{"unused_steps", "\"tolerance\": 1e-10", "\"steps\": 5", "10: law.steps",
                "'euler_impulse' only"}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(BadDocument, ThatIsNeitherProblemNorSceneIsRefusedOnOneLine) {
  const Document document = parse_json(R"({"format\n": 1})", "p.json");
  expect_error(
      [&] { read_problem_or_scene(document); },
      {"p.json: is neither a problem", R"('format\x0a' on line 1)", "did you mean 'format'?"});
}

}  // namespace
}  // namespace percute::io
