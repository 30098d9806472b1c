// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
//
// scene FILE: reads a scene, resolves its impact and writes the result to a string.
#include <percute/io/problem_file.hpp>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const percute::io::Document document = percute::io::read_document(argv[1]);
    const percute::io::ProblemFile file = percute::io::read_problem_or_scene(document);
    const percute::ImpactResult result = percute::io::resolve(file, document);
    const percute::io::Node node = percute::io::to_node(result, file);
    std::printf("%s\n", percute::io::to_json(node).c_str());
    return result.ok() && result.velocity.size() == file.problem.velocity.size() ? 0 : 1;
  } catch (const percute::InvalidInput& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
