# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""The blocks of Python in the documentation are run, and print what is shown below them."""

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCKS = re.compile(r"```python\n(.*?)```(?:\n+```text\n(.*?)```)?", re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/howto/python.md"])
def test_blocks_print_what_is_shown(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    blocks = BLOCKS.findall((ROOT / page).read_text(encoding="utf-8"))
    assert blocks
    names: dict[str, object] = {}
    for code, shown in blocks:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, page, "exec"), names)
        assert out.getvalue() == shown
