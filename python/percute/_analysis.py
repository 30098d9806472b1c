# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Questions about impacts: laws side by side, what is possible, waves, published results, parameters."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import _core
from ._core import ImpactProblem, ImpactResult, Scene, resolve
from ._tables import html_table, numbers, optional, text_table

Law = Callable[[ImpactProblem], ImpactResult]


class Record(dict[str, Any]):
    """What a file or an answer holds; its keys are attributes too."""

    def __getattr__(self, key: str) -> Any:
        try:
            value = self[key]
        except KeyError:
            known = ", ".join(self)
            raise AttributeError(f"no {key!r}; there are: {known}") from None
        if isinstance(value, dict):
            return Record(value)
        if isinstance(value, list):
            return [Record(one) if isinstance(one, dict) else one for one in value]
        return value

    def __repr__(self) -> str:
        shown = [
            f"{key}={value!r}" if isinstance(value, (bool, int, float, str, type(None))) else key
            for key, value in self.items()
        ]
        return f"<Record: {', '.join(shown)}>"

    def _repr_html_(self) -> str:
        cells = [text if len(text := repr(v)) <= 200 else text[:200] + "…" for v in self.values()]
        return html_table([("key", list(self)), ("value", cells)])

    def plot(self, ax: Any = None) -> Any:
        """The picture of a comparison, or of waves."""
        from . import plot

        return plot.record(self, ax)

    def to_dataframe(self) -> Any:
        """Its one list of objects as pandas' DataFrame."""
        lists = [v for v in self.values() if isinstance(v, list) and v and isinstance(v[0], dict)]
        if len(lists) != 1:
            raise ValueError("more than one list, or none: take one of them")
        return optional("pandas").DataFrame(lists[0])


@dataclass(frozen=True)
class Comparison(Mapping[str, ImpactResult]):
    """The same impact under several laws: comparison["lzb"] is an ImpactResult."""

    results: dict[str, ImpactResult]
    time: dict[str, float] = field(default_factory=dict)
    """Of one run of each law [s]."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Laws that do not cover this problem, and why."""

    def __getitem__(self, law: str) -> ImpactResult:
        return self.results[law]

    def __iter__(self) -> Any:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def _columns(self) -> list[tuple[str, list[str]]]:
        columns = [("law", list(self.results))]
        results = list(self.results.values())
        if not results:
            return columns
        problem = results[0].problem
        names = problem.coordinate_names if problem is not None else []
        for k, name in enumerate(names):
            columns.append((name, numbers(float(r.velocity[k]) for r in results)))
        kept = [
            r.energy.after / r.energy.before if r.energy.before else float("nan") for r in results
        ]
        columns.append(("KER", [f"{value:.6f}" for value in kept]))
        words = ["✓" if r.consistency.admissible() else "✗" for r in results]
        columns.append(("admissible", words))
        columns.append(("status", [r.status for r in results]))
        return columns

    def __repr__(self) -> str:
        return text_table(self._columns())

    def _repr_html_(self) -> str:
        return html_table(self._columns())

    def plot(self, ax: Any = None) -> Any:
        """Velocities after the impact as bars, law by law."""
        from . import plot

        return plot.laws(self, ax)

    def to_dataframe(self) -> Any:
        """One row per law, as pandas' DataFrame."""
        rows = []
        for law, result in self.results.items():
            problem = result.problem
            names = problem.coordinate_names if problem is not None else []
            row: dict[str, Any] = {"law": law, "status": result.status}
            row.update(zip(names, result.velocity))
            row["energy_before"] = result.energy.before
            row["energy_after"] = result.energy.after
            row["admissible"] = result.consistency.admissible()
            rows.append(row)
        return optional("pandas").DataFrame(rows).set_index("law")

    def to_xarray(self) -> Any:
        """As xarray's Dataset with dimension law."""
        xarray = optional("xarray")
        data = [result.to_xarray() for result in self.results.values()]
        names = xarray.IndexVariable("law", list(self.results))
        return xarray.concat(data, names, combine_attrs="drop_conflicts")


def compare(
    problem: ImpactProblem | Scene,
    laws: str | Sequence[str | Law] | Mapping[str, str | Law] | None = None,
) -> Comparison:
    """The same impact under several laws.

    Laws are kinds ("lzb"), kinds with options after colons ("coulomb:tangential=0"), laws, or
    functions of your own; in a mapping they have names. Without any, every law that needs no
    parameters and covers the problem.
    """
    if laws is None or isinstance(laws, str):
        text = laws
    elif not isinstance(laws, Mapping) and all(isinstance(law, str) for law in laws):
        text = ",".join(str(law) for law in laws)
    else:
        named = laws if isinstance(laws, Mapping) else {law_name(law): law for law in laws}
        impact = problem.problem if isinstance(problem, Scene) else problem
        return Comparison({name: resolve(impact, law) for name, law in named.items()})
    if isinstance(problem, Scene):
        told = _core._compare_scene(problem, text)
    else:
        told = _core._compare_problem(problem, text)
    outcomes = told["outcomes"]
    return Comparison(
        {name: result for name, result, _ in outcomes},
        {name: time for name, _, time in outcomes},
        told["left_out"],
    )


def outcome_plane(
    problem: ImpactProblem | Scene,
    laws: str | Sequence[str] = "moreau,poisson,lzb",
    *,
    samples: int = 10_000,
) -> list[Record]:
    """What laws can reach by their parameters, in an impact with two contacts without friction.

    One record per law: ``law``, ``parameter_names``, ``parameters``, ``outcome`` (U⁺ over the
    largest gap rate before), ``energy_ratio`` (KER), ``admissible`` and ``coverage``, the part of
    the admissible outcomes that it reaches. ``percute.analysis.outcome_set`` is the region itself.
    """
    impact = problem.problem if isinstance(problem, Scene) else problem
    text = laws if isinstance(laws, str) else ",".join(laws)
    return [Record(one) for one in _core._outcome_plane(impact, text, samples)]


def law_name(law: str | Law) -> str:
    if isinstance(law, str):
        return law
    return str(getattr(law, "kind", None) or getattr(law, "__name__", None) or law)


def analyze(problem: ImpactProblem | Scene, *, choices: bool = False) -> Record:
    """What holds whatever the law: `percute-analysis/1`.

    Delassus matrix, rank and redundancy, kinetic angles, reachable energy, the admissible set; with
    `choices`, whether collisions end and their order matters.
    """
    impact = problem.problem if isinstance(problem, Scene) else problem
    return Record(_core._analyze(impact, choices))


def waves(
    problem: ImpactProblem | Scene, law: str | Law | None = None, *, samples: int = 0
) -> Record:
    """How an impact runs through a row of balls: `percute-waves/1`.

    Peaks of forces and velocities, speed and width of the wave, what leaves at the end; with
    `samples`, velocities and forces at so many instants.
    """
    impact = problem.problem if isinstance(problem, Scene) else problem
    if law is not None:
        impact = impact.replace(law=law)
    return Record(_core._waves(impact, samples))


def reproduce(*words: str) -> Record:
    """Computes published results again: published, computed and right values, with a verdict each.

    Words are parts of the names that reproducible() lists; without any all of them, which takes
    minutes.
    """
    return Record(_core._reproduce(list(words)))


def fit(source: str | os.PathLike[str] | Mapping[str, Any]) -> Record:
    """Estimates parameters from measurements: `percute-fit-result/1`, and its warnings.

    `source` is a file as for `percute fit`, or what would be in one.
    """
    if not hasattr(_core, "_fit"):
        raise NotImplementedError(
            "built without Ceres Solver: install percute from source for fit()"
        )
    if isinstance(source, Mapping):
        document = _core._parse_document(json.dumps(source), "fit", False)
    else:
        document = _core._read_document(str(Path(source)))
    return Record(_core._fit(document))
