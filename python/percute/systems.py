# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""The systems: what exists, how it moves, and the impact that starts in a state."""

from ._core.systems import *  # noqa: F403
