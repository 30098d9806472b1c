# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Files of percute, read and written."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from . import _core
from ._analysis import Record
from ._core import (
    Consistency,
    ContactSummary,
    Diagnostics,
    EnergyLedger,
    ImpactEvent,
    ImpactHistory,
    ImpactProblem,
    ImpactResult,
    Margins,
    Scene,
)
from ._errors import InvalidInput
from ._motion import Trajectory, moves_on_springs
from ._tables import optional
from .simulation import Event


def load(path: str | os.PathLike[str]) -> Any:
    """Reads a file: what it is about says what comes back.

    ======================================  =================================================
    a scene (TOML or JSON)                  Scene
    ``percute-problem/1``                   ImpactProblem, with the law the file names
    ``percute-result/1``                    ImpactResult
    a run (HDF5, CSV)                       Trajectory, with its events
    the inside of an impact (HDF5, CSV)     ImpactHistory
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

    told = keys.get("diagnostics", {})
    summaries = [
        filled(ContactSummary, {**one, **inside})
        for one, inside in zip(contacts, told.get("contacts", []))
    ]
    verdict = filled(Consistency, keys["consistency"])
    margins = filled(Margins, keys["consistency"]["margins"])
    return ImpactResult(
        velocity=keys["velocity"],
        impulse=each("impulse"),
        tangential_impulse=each("tangential_impulse"),
        gap_rate=each("gap_rate"),
        tangential_velocity=each("tangential_velocity"),
        dissipated=each("dissipated"),
        status=keys["status"],
        non_unique_impulse=keys["non_unique_impulse"],
        energy=filled(EnergyLedger, {**energy, "stored": told.get("stored_energy", 0.0)}),
        consistency=verdict.replace(margins=margins),
        diagnostics=filled(Diagnostics, told).replace(contacts=summaries),
    )


def filled(of: Any, told: dict[str, Any]) -> Any:
    """An object of a class with the numbers, words and verdicts that a file tells of it."""
    known = of().__getstate__()
    plain = {k: v for k, v in told.items() if isinstance(v, (bool, int, float, str))}
    return of(**{key: value for key, value in plain.items() if key in known})


def load_hdf5(path: Path) -> Any:
    """What `percute simulate -o`, `solve --history` or `waves -o` wrote."""
    h5py = optional("h5py")
    try:
        file = h5py.File(path)
    except OSError as error:
        raise InvalidInput(f"{path}: {error}") from error
    with file:
        groups = {name: read_group(file[name]) for name in file}
    if "space_time" in groups:
        return Record(groups)
    state, events, meta = (groups.get(name, {}) for name in ("state", "events", "meta"))
    if "force" in state:
        names = [list(meta.get(key, [])) for key in ("coordinates", "contacts", "units")]
        return history_of(state, events, names)
    if "q" not in state:
        raise InvalidInput(f"{path}: no run: it has no /state/q")
    contacts = [np.flatnonzero(row) for row in events.get("contacts", [])]
    found = [
        Event(
            time=events["t"][k],
            kind=events["kind"][k],
            contacts=closed.tolist(),
            position=events["q"][k],
            velocity_before=events["v-"][k],
            velocity_after=events["v+"][k],
            impulse=events["impulse"][k][closed],
            dissipated=events["dissipated"][k],
            status=events["status"][k],
        )
        for k, closed in enumerate(contacts)
    ]
    summary, text = meta.get("summary", []), meta.get("scene", [])
    scene = _core._parse_document(text[0], str(path), False) if len(text) else None
    return Trajectory(
        state["t"],
        state["q"],
        state["v"],
        events=found,
        coordinate_names=list(meta.get("coordinates", [])),
        units=list(meta.get("units", [])),
        contact_names=list(meta.get("contacts", [])),
        name=str(meta.get("name", "")),
        summary=json.loads(summary[0]) if len(summary) else {},
        system=scene,
        compliant=scene is not None and moves_on_springs(scene),
    )


def read_group(group: Any) -> dict[str, Any]:
    """Its datasets and attributes, texts as str."""
    read = dict(group.attrs)
    for name, dataset in group.items():
        values = dataset[...]
        if values.dtype.kind in "SO":
            values = [v.decode() if isinstance(v, bytes) else str(v) for v in values]
        read[name] = values
    return read


def load_csv(path: Path) -> Any:
    """The same from CSV, with the events that are in a file beside it."""
    try:
        header, columns = read_csv(path)
        beside = path.with_name(path.stem + ".events.csv")
        events = read_csv(beside)[1] if beside.exists() else {}
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}") from error

    def of(start: str) -> list[str]:
        return [name for name in header if name.startswith(start)]

    def table(names: list[str], of_columns: dict[str, Any] = columns) -> Any:
        return np.array([of_columns[name] for name in names], dtype=float).T

    def labels(names: list[str], start: str) -> list[str]:
        return [name.removeprefix(start) for name in names]

    time = table(["time"])[:, 0] if "time" in columns else np.zeros(0)
    position, velocity = of("position "), of("velocity ")
    if position and len(position) == len(velocity):
        names = labels(position, "position ")
        contacts = labels([n for n in events if n.startswith("impulse ")], "impulse ")
        found = []
        for k in range(len(events.get("time", []))):

            def row(start: str, k: int = k) -> list[float]:
                return [float(events[start + name][k]) for name in names]

            closed = [contacts.index(c) for c in events["contacts"][k].split("; ") if c]
            found.append(
                Event(
                    time=float(events["time"][k]),
                    kind=events["event"][k],
                    contacts=closed,
                    position=row("position "),
                    velocity_before=row("velocity before "),
                    velocity_after=row("velocity after "),
                    impulse=[float(events["impulse " + contacts[i]][k]) for i in closed],
                    dissipated=float(events["dissipated"][k]),
                    status=events["status"][k],
                )
            )
        units = [header[name] for name in velocity]
        return Trajectory(
            time,
            table(position),
            table(velocity),
            events=found,
            coordinate_names=names,
            units=units,
            contact_names=contacts,
            name=path.stem,
        )
    if not of("force "):
        raise InvalidInput(f"{path}: neither a run nor a history: {', '.join(header)}")
    contacts = labels(of("force "), "force ")
    if "total impulse" not in columns:
        balls = labels(velocity, "velocity ")
        held = {"time": time, "velocity": table(velocity), "force": table(of("force "))}
        meta = {"format": "percute-waves/1", "balls": balls, "contacts": contacts}
        return Record(space_time=held, meta=meta)
    state: dict[str, Any] = {"time": time, "velocity": table(velocity)}
    for name in ("total impulse", "kinetic energy"):
        state[name.replace(" ", "_")] = table([name])[:, 0]
    for name in HISTORY:
        state[name] = table(of(name.replace("_", " ") + " "))
    places = {contact: i for i, contact in enumerate(contacts)}
    state["primary"] = [places.get(name, -1) for name in columns["primary contact"]]
    happened: dict[str, Any] = {}
    if events:
        for name in ("time", "impulse", "gap rate", "stored energy", "force"):
            happened[name.replace(" ", "_")] = [float(value) for value in events[name]]
        happened["contact"] = [places.get(name, -1) for name in events["contact"]]
        happened["kind"] = events["event"]
    units = [header[name] for name in velocity]
    return history_of(state, happened, [labels(velocity, "velocity "), contacts, units])


HISTORY = ("impulse", "force", "indentation", "stored_energy", "dissipated", "gap_rate")


def read_csv(path: Path) -> tuple[dict[str, str], dict[str, Any]]:
    """Units of its columns by their names, and their texts."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    if not rows:
        raise InvalidInput(f"{path}: empty")
    units = {}
    for heading in rows[0]:
        name, _, unit = heading.partition(" [")
        units[name] = unit.rstrip("]")
    return units, {name: list(column) for name, column in zip(units, zip(*rows[1:]))}


def history_of(
    state: dict[str, Any], events: dict[str, Any], names: list[list[str]]
) -> ImpactHistory:
    """`names` of coordinates and contacts, and units of velocities, are for pictures."""
    found = [
        ImpactEvent(**{key: events[key][k] for key in events}) for k in range(len(events["time"]))
    ]
    given = {key: state[key] for key in state if key in ImpactHistory.__dict__}
    given["primary"] = [int(place) for place in given["primary"]]
    history = ImpactHistory(**given, events=found)
    history._names = names  # type: ignore[attr-defined]
    return history
