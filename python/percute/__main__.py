# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""The command line: python -m percute ARGUMENTS is percute ARGUMENTS."""

import os
import sys
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    """Becomes the program that came with this package, or the one found on PATH."""
    program = Path(__file__).parent / "bin" / "percute"
    if program.exists():
        os.execv(program, [str(program), *sys.argv[1:]])
    sys.exit("percute: this package came without the command line program; build it with ./run")


if __name__ == "__main__":
    main()
