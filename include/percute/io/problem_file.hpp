// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/document.hpp>
#include <percute/laws/any_law.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/model/body.hpp>
#include <percute/model/impact_problem.hpp>
#include <percute/model/impact_result.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace percute::io {

using percute::Body;

// ------------------------------------------------------------------------------------------ laws

/// Reads a `law` object. Without one, or where it names no kind, the law is the usual one.
AnyLaw read_law(const std::optional<Value>& value, AnyLaw usual = make_law("lzb"));

/// The `law` object with every option, defaults filled in; read_law() accepts it.
Node to_node(AnyLaw law);

/// The law with the one restitution coefficient it takes from the contacts, if it names none.
AnyLaw filled_in(AnyLaw law, const ImpactProblem& problem);

/// Replaces the law of a document by another kind, with its defaults; the options of the same kind
/// are kept. `origin` is how messages about it will begin.
void override_law(Document& document, const std::string& kind, const std::string& origin);

// -------------------------------------------------------------------------------------- problems

/// All a file says about one impact: the problem, the names of its parts, the law to apply.
struct ProblemFile {
  std::string name;
  ImpactProblem problem;
  std::vector<Body> bodies;                ///< each coordinate belongs to exactly one
  std::vector<std::string> contact_names;  ///< "1–2", "3–wall", "contact 4"
  AnyLaw law = laws::Lzb{};
};

/// Reads a `percute-problem/1` document, or an object of that shape inside another document
/// (`at`). The problem and the options of its law are validated. Throws FileError.
ProblemFile read_problem(const Document& document);
ProblemFile read_problem(const Value& at);

/// Reads a problem or a scene, whichever the document is. Throws FileError.
ProblemFile read_problem_or_scene(const Document& document);

/// A `percute-problem/1` object; read_problem() gives the same problem back, bit by bit. Without
/// bodies in `file` none are written.
Node to_node(const ProblemFile& file);

/// Writes it as JSON. Throws FileError.
void write_problem(const std::filesystem::path& path, const ProblemFile& file);

/// resolve() on a file's problem with its law. What the law itself refuses is reported as a
/// FileError with the place in `document` it came from.
ImpactResult resolve(const ProblemFile& file, const Document& document,
                     const std::optional<Recording>& recording = {});

/// What law `lzb` gives by the other rule of re-engagement; the difference goes to the diagnostics
/// of `result`, the outcome of the file's law. Nothing where that rule plays no part, and for other
/// laws.
std::optional<laws::OtherReengagement> try_other_reengagement(const ProblemFile& file,
                                                              ImpactResult& result);

/// An error of the core, whose field is a path in the problem, as an error about the document the
/// problem was read from; a FileError stays what it is. The names of the contacts lead to those a
/// scene describes one by one.
FileError located(const InvalidInput& error, const Document& document,
                  const std::vector<std::string>& contact_names = {});

/// What `work` returns; an error of the core becomes one about the document.
template <class Work>
auto located_in(const Document& document, Work&& work,
                const std::vector<std::string>& contact_names = {}) {
  try {
    return work();
  } catch (const InvalidInput& error) {
    throw located(error, document, contact_names);
  }
}

/// Default names: bodies "body 1", …; contacts after the bodies their gradient touches.
std::vector<Body> one_body_per_coordinate(Eigen::Index coordinates);
std::vector<std::string> name_contacts(const SparseMatrix& gradients,
                                       const std::vector<Body>& bodies);

// --------------------------------------------------------------------------------------- results

/// A `percute-result/1` object.
Node to_node(const ImpactResult& result, const ProblemFile& file);

/// The same as text, without a final newline.
std::string to_json(const ImpactResult& result, const ProblemFile& file,
                    JsonLayout layout = JsonLayout::Pretty);

/// Writes a text file. Throws FileError if that fails, also when the disk is full.
void write_text(const std::filesystem::path& path, std::string_view text);

/// Writes the evolution during an impact, result.history.
///
/// CSV: one row per sample, one header row with units; "run.events.csv" beside it for the events.
/// HDF5: /state (time and one row per sample and quantity), /events (one entry per event), /meta
/// (names and units of the coordinates, law, format); each dataset has an attribute `units`.
/// Throws FileError if the file cannot be written.
void write_history(const std::filesystem::path& path, const ImpactResult& result,
                   const ProblemFile& file);

}  // namespace percute::io
