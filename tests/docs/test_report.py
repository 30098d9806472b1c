# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""`percute reproduce --report`: a page with tables, and pictures where Python is there."""

import json
import os
import re
import subprocess
import sys

import pytest

import percute

PROGRAM = os.environ.get("PERCUTE")
needs_program = pytest.mark.skipif(PROGRAM is None, reason="without the program")


def report(folder, *names, python=sys.executable):
    return subprocess.run(
        [PROGRAM, "reproduce", *names, "--quiet", "--report", str(folder)],
        env={**os.environ, "PERCUTE_PYTHON": python},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@needs_program
def test_a_page_with_pictures(tmp_path):
    pytest.importorskip("matplotlib")
    done = report(tmp_path / "new" / "folder", "handbook2024.fig6d", "lzb2008.table6.2to8", "threeball2003")
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "new" / "folder"
    page = (folder / "index.html").read_text(encoding="utf-8")
    items = json.loads((folder / "reproduction.json").read_text(encoding="utf-8"))["items"]
    for item in items:
        assert f'id="{item["id"]}"' in page
    # Published, computed, converged; and why they differ.
    assert re.search(r"<td>≈</td><td>v2</td><td>-0.0481</td><td>-0.04801925\d+</td>", page)
    assert "step error of the explicit Euler scheme" in page
    pictures = set(re.findall(r'src="([^"]+)"', page))
    assert pictures == {path.name for path in folder.glob("*.svg")}
    assert {"handbook2024.fig6d.svg", "threeball2003.fig1.svg", "threeball2003.fig2.svg"} <= pictures
    assert "http" not in re.sub(r"<td>.*?</td>", "", page)  # nothing is fetched


@needs_program
def test_without_python_there_are_tables(tmp_path):
    done = report(tmp_path, "handbook2024.fig8a", python="/nowhere/python3")
    assert done.returncode == 0
    assert "pictures" in done.stderr
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "<td>dispersion</td>" in page
    assert "<img" not in page


@needs_program
def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    done = report(tmp_path / "file", "handbook2024.fig8a")
    assert done.returncode == 2
    assert "file" in done.stderr


def test_curves_show_every_computed_number(tmp_path):
    plt = pytest.importorskip("matplotlib.pyplot")
    from percute import _report

    item = percute.reproduce("handbook2024.fig8a")["items"][0]
    _, ax = plt.subplots()
    _report.curves(ax, item["rows"], _report.FIGURES[r"handbook2024\.fig8a"])
    rows = [r for r in item["rows"] if r["quantity"] == "dispersion" and "k2/k1" in r["label"]]
    drawn = {float(y) for line in ax.lines for y in line.get_ydata()}
    assert drawn == {row["computed"] for row in rows}
    assert len(ax.lines) == 5  # exponents
    plt.close("all")
