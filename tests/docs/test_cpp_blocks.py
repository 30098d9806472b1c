# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""The blocks of C++ compile: those of a page each inside the one above, in a function that has a `problem`.

PERCUTE_COMPILE is a compiler with its options; without it nothing is compiled.
"""

import os
import subprocess

import pytest
from test_pages import PAGES, blocks_of

COMPILE = os.environ.get("PERCUTE_COMPILE")
HEADERS = """#include <percute/percute.hpp>
#include <percute/analysis/chain_waves.hpp>
#include <percute/analysis/identify_icr.hpp>
#include <percute/analysis/problem_analysis.hpp>
#include <percute/analysis/uniqueness.hpp>
#include <fmt/format.h>
using namespace percute;
"""


@pytest.mark.skipif(not COMPILE, reason="without a compiler")
def test_blocks_of_cpp_compile(tmp_path):
    text = HEADERS
    for page in PAGES:
        code = [block.text for block in blocks_of(page) if block.kind == "cpp"]
        if page == "README.md" or not code:
            continue  # tests/examples compares that of README.md with a program
        body = ""
        for block in reversed(code):  # each sees the names of those above, and may use them again
            lines = [line for line in block.splitlines() if not line.startswith(("#include", "using namespace"))]
            body = "{\n" + "\n".join(lines) + "\n" + body + "}\n"
        name = "".join(letter if letter.isalnum() else "_" for letter in page)
        text += f'#line 1 "{page}"\nvoid {name}(const ImpactProblem& problem) {{\n{body}}}\n'
    source = tmp_path / "blocks.cpp"
    source.write_text(text, encoding="utf-8")
    done = subprocess.run([*COMPILE.split(), "-fsyntax-only", str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
