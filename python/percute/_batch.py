# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Many impacts at once."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._core import ImpactProblem, ImpactResult, _resolve_many, _statuses
from ._tables import html_table, numbers, optional, summary

Law = Callable[[ImpactProblem], ImpactResult]


@dataclass(frozen=True, repr=False)
class ImpactResults:
    """Outcomes of many impacts: row k of each array belongs to impact k."""

    problem: ImpactProblem
    velocity: NDArray[np.float64]
    """v⁺, impacts × coordinates."""
    impulse: NDArray[np.float64]
    """p, impacts × contacts [N s]."""
    gap_rate: NDArray[np.float64]
    """U⁺, impacts × contacts [m/s]."""
    energy_before: NDArray[np.float64]
    energy_after: NDArray[np.float64]
    dissipated: NDArray[np.float64]
    """Of all contacts [J]."""
    balance_error: NDArray[np.float64]
    status_code: NDArray[np.int64]
    """Place of the status in ImpactResults.statuses."""
    steps: NDArray[np.int64]

    statuses = tuple(_statuses())

    def __len__(self) -> int:
        return len(self.velocity)

    def __repr__(self) -> str:
        answered = int(self.ok.sum())
        return f"<ImpactResults: {len(self)} impacts, {answered} ok · {summary(self.problem)}>"

    def _repr_html_(self) -> str:
        lowest, highest = self.velocity.min(0), self.velocity.max(0)
        columns = [
            ("v⁺", self.problem.coordinate_names),
            ("lowest", numbers(lowest)),
            ("highest", numbers(highest)),
        ]
        return f"<p>{html.escape(repr(self).strip('<>'))}</p>" + html_table(columns)

    @cached_property
    def status(self) -> list[str]:
        """How the law ended, in words."""
        return [self.statuses[code] for code in self.status_code]

    @cached_property
    def ok(self) -> NDArray[np.bool_]:
        """Where the law answered."""
        accepted = [self.statuses.index(word) for word in ("ok", "no_impact", "zeno")]
        return np.isin(self.status_code, accepted)

    def to_dataframe(self) -> Any:
        """One row per impact, as pandas' DataFrame."""
        data: dict[Any, Any] = {"status": self.status}
        for name in ("energy_before", "energy_after", "dissipated", "balance_error"):
            data[name] = getattr(self, name)
        names = {"velocity": self.problem.coordinate_names}
        names["impulse"] = names["gap_rate"] = self.problem.contact_names
        for quantity, labels in names.items():
            for label, column in zip(labels, getattr(self, quantity).T):
                data[f"{quantity} {label}"] = column
        return optional("pandas").DataFrame(data)

    def to_xarray(self) -> Any:
        """As xarray's Dataset with dimensions impact, coordinate and contact."""
        data: dict[str, Any] = {
            "velocity": (("impact", "coordinate"), self.velocity, {"units": "m/s"}),
            "impulse": (("impact", "contact"), self.impulse, {"units": "N s"}),
            "gap_rate": (("impact", "contact"), self.gap_rate, {"units": "m/s"}),
            "status": ("impact", self.status),
        }
        for name in ("energy_before", "energy_after", "dissipated"):
            data[name] = ("impact", getattr(self, name), {"units": "J"})
        names = {
            "coordinate": self.problem.coordinate_names,
            "contact": self.problem.contact_names,
        }
        return optional("xarray").Dataset(data, names)


def resolve_many(
    problem: ImpactProblem,
    law: str | Law | None = None,
    *,
    threads: int = 0,
    **arrays: ArrayLike,
) -> ImpactResults:
    """Resolves one impact many times, with other velocities or parameters each time.

    The loop is in C++, on all cores; the bits do not depend on how many there are. For a map over
    two parameters, give both as ``X.ravel()`` of ``numpy.meshgrid`` and reshape what comes back.

    Parameters
    ----------
    problem
        What does not change.
    law
        As for resolve(). A function of Python is called under Python's lock, one at a time.
    threads
        How many; 0: as many as there are cores.
    **arrays
        One row per impact: ``velocity`` and ``mass`` (diagonal) with one column per coordinate;
        ``restitution``, ``stiffness``, ``exponent``, ``friction``, ``damping``,
        ``unloading_stiffness`` and ``stored_energy`` with one column per contact, or one number
        for all contacts. Numbers of the law by the keys of files: ``**{"law.restitution": e}``.
        An array of one row holds for all impacts.

    Examples
    --------
    >>> e = np.linspace(0.5, 1.0, 6)
    >>> resolve_many(percute.cradle(3), "lzb", restitution=e).velocity[:, -1]
    """
    return ImpactResults(problem, **_resolve_many(problem, law, threads, arrays))
