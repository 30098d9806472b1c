# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""The command line: python -m percute ARGUMENTS is percute ARGUMENTS."""

from percute_command import main

if __name__ == "__main__":
    main()
