# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""The command `percute` of the package: it becomes the program, without waiting for NumPy."""

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    program = os.path.join(here, "percute", "bin", "percute")
    if os.path.exists(program):
        # Pictures are drawn by the interpreter that has the package.
        os.environ.setdefault("PERCUTE_PYTHON", sys.executable)
        os.execv(program, [program, *sys.argv[1:]])
    sys.exit("percute: this package came without the command line program; build it with ./run")
