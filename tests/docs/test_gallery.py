# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""The examples of the gallery run, are short, and draw something with names and units on its axes."""

import re
import runpy
import warnings
from pathlib import Path

import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = Path(__file__).parents[2]
GALLERY = sorted((ROOT / "examples/python/gallery").glob("*.py"))


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_an_example_draws(path, monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    monkeypatch.chdir(ROOT)
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 60
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Animation was deleted")  # nobody watches it here
        runpy.run_path(str(path))
    figures = [plt.figure(number) for number in plt.get_fignums()]
    assert figures
    for figure in figures:
        figure.canvas.draw()
        for ax in figure.axes:
            assert ax.has_data() or ax.patches or ax.collections
            assert ax.get_xlabel() or ax.get_ylabel()
    plt.close("all")


def test_there_are_twelve():
    assert len(GALLERY) == 12
    for path in GALLERY:
        assert re.match(r'"""\n.+\n=+\n', path.read_text(encoding="utf-8")), path
