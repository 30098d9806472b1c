# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Functions of the extension go to other processes by their names, as those of Python do."""

import copyreg
from typing import Any

from . import _core


def by_name(function: Any) -> str:
    return str(function.__qualname__)


def by_object(method: Any) -> tuple[Any, tuple[Any, str]]:
    return getattr, (method.__self__, method.__name__)


copyreg.pickle(type(_core.resolve), by_name)
copyreg.pickle(type(_core.Material().replace), by_object)
