# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Type stubs: mypy --strict takes what is right, and only that."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import percute

SAMPLE = Path(__file__).with_name("sample_for_mypy.py")


def test_mypy_finds_what_is_wrong_and_nothing_else(tmp_path):
    pytest.importorskip("mypy")
    environment = dict(os.environ)
    package = Path(percute.__file__).parents[1]
    if package.name != "site-packages":  # in a build tree, which mypy does not look for by itself
        environment["MYPYPATH"] = str(package)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", "--cache-dir"]
    done = subprocess.run(
        [*command, str(tmp_path), str(SAMPLE)],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env=environment,
        text=True,
    )
    found = {
        int(line): code
        for line, code in re.findall(
            r"sample_for_mypy\.py:(\d+): error: .*\[([a-z-]+)\]", done.stdout
        )
    }
    marked = {
        number: code
        for number, line in enumerate(SAMPLE.read_text().splitlines(), 1)
        for code in re.findall(r"# error: ([a-z-]+)", line)
    }
    assert found == marked, done.stdout + done.stderr
