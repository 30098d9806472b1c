# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""The laws: values that turn an ImpactProblem into an ImpactResult."""

from ._core.laws import *  # noqa: F403
