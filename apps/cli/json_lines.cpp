// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "json_lines.hpp"

#include "stop_signal.hpp"

#include <percute/io/problem_file.hpp>
#include <percute/io/result_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string>

namespace percute::cli {

namespace {

/// Next line without its newline; false at the end. A line beyond the limit for JSON is read to
/// its end, but kept only as far as needed to be refused.
bool next_line(std::FILE* in, std::string& line) {
  line.clear();
  int c = std::getc(in);
  if (c == EOF) return false;
  for (; c != EOF && c != '\n'; c = std::getc(in)) {
    if (line.size() <= io::DocumentLimits::kJsonBytes) line.push_back(static_cast<char>(c));
  }
  return true;
}

/// The answer to one line, and how it went.
std::pair<io::Node, ExitCode> answer(const std::string& line, int number,
                                     const Overrides& overrides) {
  std::string message;
  try {
    io::Document document = io::parse_json(line, "standard input", number);
    overrides.apply(document);
    const io::ProblemFile file = io::read_problem_or_scene(document);
    ImpactResult result = io::resolve(file, document);
    io::try_other_reengagement(file, result);
    return {io::to_node(result, file), result.ok() ? ExitCode::Accepted : ExitCode::NotAccepted};
  } catch (const std::bad_alloc&) {
    message = "not enough memory for this problem";
  } catch (const std::exception& error) {
    message = error.what();
  }
  io::Node node;
  node.add("format", "percute-error/1");
  node.add("line", number);
  node.add("message", message);
  return {std::move(node), ExitCode::BadInput};
}

}  // namespace

ExitCode solve_lines(std::FILE* in, Output& out, const Overrides& overrides) {
  ExitCode worst = ExitCode::Accepted;
  std::string line;
  const StopSignal signals;
  int answered = 0;
  for (int number = 1; next_line(in, line) && !StopSignal::wanted(); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto [node, code] = answer(line, number, overrides);
    out.write(io::to_json(node, io::JsonLayout::Line) + "\n");
    worst = std::max(worst, code);
    ++answered;
  }
  if (StopSignal::wanted()) {
    fmt::print(stderr,
               "percute: stopped by a signal after {} problem{}; every line written is complete\n",
               answered, answered == 1 ? "" : "s");
    return std::max(worst, ExitCode::NotAccepted);
  }
  if (std::ferror(in) != 0)
    throw io::FileError("standard input", "", "could not be read completely");
  return worst;
}

}  // namespace percute::cli
