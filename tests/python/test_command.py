# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""What the wheel brings beside the package: the program, and one version."""

import importlib.metadata
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import percute

ROOT = Path(__file__).parents[2]
PROGRAM = Path(percute.__file__).parent / "bin" / "percute"


def test_the_version_is_that_of_cmake():
    stated = re.search(r"project\(percute VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert stated is not None
    assert percute.__version__ == stated[1]
    if PROGRAM.exists():
        assert importlib.metadata.version("percute") == stated[1]


@pytest.mark.skipif(not PROGRAM.exists(), reason="a build tree, not an installed wheel")
def test_the_command_comes_with_the_package():
    scene = ROOT / "examples/scenes/cradle.toml"
    command = [str(Path(sys.executable).with_name("percute")), "solve", str(scene), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["velocity"] == percute.load(scene).resolve().velocity.tolist()
    module = [sys.executable, "-m", "percute", "--version"]
    told = subprocess.run(module, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == f"percute {percute.__version__}"
    refused = subprocess.run([*command[:2], "nowhere.toml"], capture_output=True, check=False)
    assert refused.returncode == 2
