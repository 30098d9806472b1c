# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""The examples print what their twins in C++ print."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples/python").glob("[0-9]*.py"))


def test_every_example_has_a_twin():
    twins = {path.stem for path in (ROOT / "examples/cpp").glob("*.cpp")}
    assert {path.stem for path in EXAMPLES} == twins


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_what_its_twin_does(path):
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    expected = (ROOT / "tests/examples" / f"{path.stem}.txt").read_text(encoding="utf-8")
    assert (done.stdout, done.stderr) == (expected, "")
    assert len(path.read_text(encoding="utf-8").splitlines()) < 60
