# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Questions about impacts and their outcomes; more are in percute itself: analyze, compare, waves."""

from ._core.analysis import *  # noqa: F403
