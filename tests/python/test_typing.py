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


def mypy(folder, *arguments):
    environment = dict(os.environ)
    package = Path(percute.__file__).parents[1]
    if package.name != "site-packages":  # in a build tree, which mypy does not look for by itself
        environment["MYPYPATH"] = str(package)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", ""]
    done = subprocess.run(
        [*command, "--cache-dir", str(folder), *arguments],
        capture_output=True,
        check=False,
        cwd=folder,
        env=environment,
        text=True,
    )
    return done.stdout + done.stderr


def test_mypy_finds_what_is_wrong_and_nothing_else(tmp_path):
    pytest.importorskip("mypy")
    told = mypy(tmp_path, str(SAMPLE))
    found = {
        int(line): code
        for line, code in re.findall(r"sample_for_mypy\.py:(\d+): error: .*\[([a-z-]+)\]", told)
    }
    marked = {
        number: code
        for number, line in enumerate(SAMPLE.read_text().splitlines(), 1)
        for code in re.findall(r"# error: ([a-z-]+)", line)
    }
    assert found == marked, told


def test_the_package_itself_is_typed(tmp_path):
    pytest.importorskip("mypy")
    told = mypy(tmp_path, "-p", "percute")
    assert told.startswith("Success"), told
