# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Problems, results and histories as tables: text, HTML for notebooks, pandas, xarray."""

from __future__ import annotations

import html
import importlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ._core import ImpactHistory, ImpactProblem, ImpactResult


def optional(module: str) -> Any:
    """A module that percute can do without, with what to do where it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        message = f"{error}; install it: pip install {module.split('.')[0]}"
        raise ImportError(message) from error


def number(value: float, scale: float) -> str:
    """Six decimals; numbers that are no more than rounding beside `scale` are zero."""
    if abs(value) <= 1e-12 * scale:
        value = 0.0
    if value != 0.0 and not 1e-4 <= abs(value) < 1e6:
        return f"{value:+.6e}"
    return f"{value:+.6f}" if value else "0.000000"


def numbers(values: Iterable[float]) -> list[str]:
    values = list(values)
    scale = max((abs(v) for v in values), default=0.0)
    return [number(v, scale) for v in values]


Columns = Sequence[tuple[str, Sequence[str]]]


def text_table(columns: Columns) -> str:
    """The first column to the left, the others to the right."""
    widths = [max(map(len, (heading, *cells))) for heading, cells in columns]
    rows = zip(*([heading, *cells] for heading, cells in columns))
    lines = []
    for row in rows:
        cells = [c.ljust(w) if k == 0 else c.rjust(w) for k, (c, w) in enumerate(zip(row, widths))]
        lines.append("  " + "   ".join(cells).rstrip())
    return "\n".join(lines)


def html_table(columns: Columns) -> str:
    head = "".join(f"<th>{html.escape(heading)}</th>" for heading, _ in columns)
    rows = zip(*(cells for _, cells in columns))
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def velocity_heading(problem: ImpactProblem, symbol: str) -> str:
    units = set(problem.units)
    return f"{symbol} [{units.pop()}]" if len(units) == 1 and units != {""} else symbol


def coordinates(problem: ImpactProblem, result: ImpactResult | None) -> Columns:
    columns = [
        ("body", problem.coordinate_names),
        (velocity_heading(problem, "v⁻"), numbers(problem.velocity)),
    ]
    if result is not None:
        columns.append((velocity_heading(problem, "v⁺"), numbers(result.velocity)))
    return columns


def contacts(problem: ImpactProblem, result: ImpactResult | None) -> Columns:
    columns = [
        ("contact", problem.contact_names),
        ("gap rate⁻", numbers(problem.gap_rates)),
    ]
    if result is None:
        materials = [contact.material for contact in problem.contacts]
        columns.append(("restitution", [f"{m.restitution:g}" for m in materials]))
        columns.append(("stiffness", [f"{m.stiffness:g}" for m in materials]))
        columns.append(("exponent", [f"{m.exponent:g}" for m in materials]))
        if any(m.friction for m in materials):
            columns.append(("friction", [f"{m.friction:g}" for m in materials]))
        return columns
    columns.append(("gap rate⁺", numbers(result.gap_rate)))
    columns.append(("impulse [N s]", numbers(result.impulse)))
    if len(result.dissipated):
        columns.append(("lost [J]", numbers(result.dissipated)))
    return columns


def summary(problem: ImpactProblem) -> str:
    n, m = len(problem.velocity), len(problem.contact_names)
    name = f"{problem.name} · " if problem.name else ""
    return f"{name}{n} coordinate{'s' * (n != 1)} · {m} closed contact{'s' * (m != 1)}"


def energies(result: ImpactResult) -> str:
    energy = result.energy
    return f"kinetic energy {energy.before:.6g} J → {energy.after:.6g} J, status {result.status}"


def array_text(values: Any) -> str:
    return "[" + ", ".join(f"{v:.6g}" for v in values) + "]"


def problem_repr(problem: ImpactProblem) -> str:
    velocity = array_text(problem.velocity) if len(problem.velocity) <= 8 else "…"
    return f"<ImpactProblem: {summary(problem)} · v⁻ {velocity}>"


def result_repr(result: ImpactResult) -> str:
    velocity = array_text(result.velocity) if len(result.velocity) <= 8 else "…"
    return f"<ImpactResult: {result.status} · v⁺ {velocity}>"


def history_repr(history: ImpactHistory) -> str:
    return f"<ImpactHistory: {len(history)} samples, {len(history.events)} events>"


def problem_html(problem: ImpactProblem) -> str:
    tables = html_table(coordinates(problem, None)) + html_table(contacts(problem, None))
    return f"<p>{html.escape(summary(problem))}</p>{tables}"


def result_html(result: ImpactResult) -> str:
    problem = result.problem
    if problem is None:
        return f"<p>{html.escape(result_repr(result))}</p>"
    tables = html_table(coordinates(problem, result)) + html_table(contacts(problem, result))
    words = html.escape(f"{summary(problem)} · {energies(result)}")
    return f"<p>{words}</p>{tables}"


def result_text(result: ImpactResult) -> str:
    problem = result.problem
    if problem is None:
        return result_repr(result)
    tables = [text_table(coordinates(problem, result)), text_table(contacts(problem, result))]
    return "\n\n".join([summary(problem), *tables, "  " + energies(result)])


def names_of(result: ImpactResult) -> tuple[list[str], list[str]]:
    """Of the coordinates and of the contacts."""
    problem = result.problem
    if problem is not None:
        return problem.coordinate_names, problem.contact_names
    return (
        [f"body {k + 1}" for k in range(len(result.velocity))],
        [f"contact {i + 1}" for i in range(len(result.impulse))],
    )


def fields_html(value: Any) -> str:
    """Any class that is made of a list of fields."""
    fields = value.__getstate__()
    cells = [text if len(text := repr(v)) <= 200 else text[:200] + "…" for v in fields.values()]
    words = html.escape(type(value).__name__)
    return f"<p>{words}</p>" + html_table([("field", list(fields)), ("value", cells)])


def problem_frame(problem: ImpactProblem) -> Any:
    pandas = optional("pandas")
    materials = [contact.material.__getstate__() for contact in problem.contacts]
    data: dict[str, Any] = {"gap_rate": problem.gap_rates}
    for key in materials[0] if materials else ():
        data[key] = [material[key] for material in materials]
    return pandas.DataFrame(data, index=pandas.Index(problem.contact_names, name="contact"))


def problem_dataset(problem: ImpactProblem) -> Any:
    xarray = optional("xarray")
    data: dict[str, Any] = {
        "velocity": ("coordinate", problem.velocity),
        "gradients": (("coordinate", "contact"), problem.gradients),
        "gap_rate": ("contact", problem.gap_rates, {"units": "m/s"}),
    }
    names = {
        "coordinate": problem.coordinate_names,
        "contact": problem.contact_names,
        "velocity_units": ("coordinate", problem.units),
    }
    return xarray.Dataset(data, names, {"name": problem.name})


def result_frame(result: ImpactResult) -> Any:
    pandas = optional("pandas")
    names, _ = names_of(result)
    data: dict[str, Any] = {}
    if result.problem is not None:
        data["velocity_before"] = result.problem.velocity
    data["velocity"] = result.velocity
    return pandas.DataFrame(data, index=pandas.Index(names, name="coordinate"))


def result_dataset(result: ImpactResult) -> Any:
    xarray = optional("xarray")
    names, contact_names = names_of(result)
    data: dict[str, Any] = {"velocity": ("coordinate", result.velocity)}
    coordinates: dict[str, Any] = {"coordinate": names, "contact": contact_names}
    if result.problem is not None:
        data["velocity_before"] = ("coordinate", result.problem.velocity)
        coordinates["velocity_units"] = ("coordinate", result.problem.units)
    for name, unit in (("impulse", "N s"), ("gap_rate", "m/s"), ("dissipated", "J")):
        values = getattr(result, name)
        if len(values):
            data[name] = ("contact", values, {"units": unit})
    attributes = {"status": result.status}
    return xarray.Dataset(data, coordinates, attributes)


UNITS = {
    "impulse": "N s",
    "force": "N",
    "indentation": "m",
    "stored_energy": "J",
    "dissipated": "J",
    "gap_rate": "m/s",
}


def history_frame(history: ImpactHistory) -> Any:
    pandas = optional("pandas")
    data: dict[Any, Any] = {
        ("time", ""): history.time,
        ("kinetic_energy", ""): history.kinetic_energy,
        ("total_impulse", ""): history.total_impulse,
        ("primary", ""): np.asarray(history.primary, dtype=int),
    }
    for k, column in enumerate(history.velocity.T):
        data["velocity", k] = column
    for name in UNITS:
        for i, column in enumerate(getattr(history, name).T):
            data[name, i] = column
    return pandas.DataFrame(data)


def history_dataset(history: ImpactHistory) -> Any:
    xarray = optional("xarray")
    data: dict[str, Any] = {
        "velocity": (("time", "coordinate"), history.velocity),
        "kinetic_energy": ("time", history.kinetic_energy, {"units": "J"}),
        "total_impulse": ("time", history.total_impulse, {"units": "N s"}),
    }
    for name, unit in UNITS.items():
        data[name] = (("time", "contact"), getattr(history, name), {"units": unit})
    return xarray.Dataset(data, {"time": ("time", history.time, {"units": "s"})})
