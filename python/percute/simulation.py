# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""The methods that move systems in time, impacts included."""

from ._core.simulation import *  # noqa: F403
