# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Files of percute, read and written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from . import _core
from ._analysis import Record
from ._core import EnergyLedger, ImpactProblem, ImpactResult, Scene
from ._errors import InvalidInput
from ._motion import Trajectory
from ._tables import optional

Loaded = Scene | ImpactProblem | ImpactResult | Trajectory | Record


def load(path: str | os.PathLike[str]) -> Any:
    """Reads a file: what it is about says what comes back.

    ======================================  =================================================
    a scene (TOML or JSON)                  Scene
    ``percute-problem/1``                   ImpactProblem, with the law the file names
    ``percute-result/1``                    ImpactResult
    a run or a history (HDF5, CSV)          Trajectory
    ``percute-comparison/1`` and others     Record: its keys as attributes
    ======================================  =================================================

    Messages about files that cannot be used are those of the command line.
    """
    path = Path(path)
    if path.suffix in (".h5", ".hdf5"):
        return load_hdf5(path)
    if path.suffix == ".csv":
        return load_csv(path)
    document = _core._read_document(str(path))
    keys = document.keys
    if "system" in keys:
        return document
    kind = keys.get("format")
    if kind == "percute-result/1":
        return result_from(keys)
    if isinstance(kind, str) and kind != "percute-problem/1" and kind.startswith("percute-"):
        return Record(keys)
    return document.problem


def read_scene(text: str, name: str = "scene", *, toml: bool = True) -> Scene:
    """A scene from text, TOML or JSON; `name` is what messages call it."""
    return _core._parse_document(text, name, toml)


def save(path: str | os.PathLike[str], what: ImpactProblem | ImpactResult) -> None:
    """Writes a problem or a result as JSON; a history by suffix .csv or .h5 of a result that has one."""
    path = Path(path)
    if isinstance(what, ImpactProblem):
        path.write_text(_core._problem_to_json(what) + "\n", encoding="utf-8")
    elif path.suffix in (".csv", ".h5", ".hdf5"):
        _core._write_history(str(path), what)
    else:
        path.write_text(_core._result_to_json(what) + "\n", encoding="utf-8")


def result_from(keys: dict[str, Any]) -> ImpactResult:
    """A `percute-result/1` object, as far as it tells."""
    contacts = keys["contacts"]
    energy = keys["energy"]

    def each(key: str) -> list[Any]:
        return [contact[key] for contact in contacts]

    ledger = EnergyLedger(
        **{k: energy[k] for k in ("before", "after", "dissipated", "balance_error")}
    )
    result = ImpactResult(
        velocity=keys["velocity"],
        impulse=each("impulse"),
        tangential_impulse=each("tangential_impulse"),
        gap_rate=each("gap_rate"),
        tangential_velocity=each("tangential_velocity"),
        dissipated=each("dissipated"),
        status=keys["status"],
        non_unique_impulse=keys["non_unique_impulse"],
    )
    return result.replace(energy=ledger)


def load_hdf5(path: Path) -> Trajectory:
    """The states of a run that `percute simulate -o` wrote."""
    h5py = optional("h5py")
    with h5py.File(path) as file:
        if "state" not in file or "q" not in file["state"]:
            raise InvalidInput(f"{path}: no run: it has no /state/q")
        state = file["state"]
        return Trajectory(state["t"][...], state["q"][...], state["v"][...])


def load_csv(path: Path) -> Trajectory:
    """The same from CSV: time, then positions, then velocities."""
    table = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    n = (table.shape[1] - 1) // 2
    if table.shape[1] != 2 * n + 1 or n == 0:
        raise InvalidInput(f"{path}: no run: {table.shape[1]} columns are not time, q and v")
    return Trajectory(table[:, 0], table[:, 1 : n + 1], table[:, n + 1 :])
