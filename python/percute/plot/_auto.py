# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""The right picture of whatever there is."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .._analysis import Comparison, compare, waves
from .._core import ImpactHistory, ImpactProblem, ImpactResult, Recording, Scene
from .._errors import InvalidInput
from .._files import load
from .._motion import Trajectory, simulate
from . import _animation, _impact, _laws, _motion


def record(record: Mapping[str, Any], ax: Any = None) -> Any:
    """The picture of what a command prints with --json: a comparison, or waves."""
    kind = _motion.format_of(record)
    if kind == "percute-comparison/1":
        return _laws.laws(record, ax)
    if kind == "percute-waves/1":
        return _motion.wave(record, ax)
    if kind == "percute-run/1":
        raise ValueError(
            "percute-run/1 is the summary of a run, without its states: "
            "`percute simulate SCENE -o run.h5` writes them"
        )
    raise ValueError(f"there is no picture of {kind}; {KINDS_OF_FILES}")


KINDS_OF_FILES = (
    "pictures are made of scenes, problems, results, histories, comparisons, waves and runs"
)


INSTANTS = 400
"""Beside the steps of the law: lines without corners."""


def solved(impact: ImpactProblem | Scene) -> ImpactResult:
    """With what happens inside, where the law tells."""
    try:
        first = impact.resolve(history=True)
    except InvalidInput as error:
        if "no inner time" not in str(error):
            raise
        return impact.resolve()
    if len(first.history) < 2:
        return first
    problem = impact.problem if isinstance(impact, Scene) else impact
    times = np.linspace(0.0, first.history.time[-1], INSTANTS)[1:-1]
    return problem.resolve(history=Recording(times=times))


def auto(what: Any) -> Any:
    """The picture that suits an object, or the file at a path.

    ==========================  =====================================================
    a scene that moves          gaps and contact phases of its run
    a scene, a problem          impulses and stored energies; see the next
    a result, a history         the same; velocities and impulses where there is no inside
    a comparison                bars of its laws
    waves                       space–time diagram
    a run                       gaps and contact phases
    a run in CSV                positions
    ==========================  =====================================================
    """
    if isinstance(what, (str, os.PathLike)):
        what = load(Path(what))
    if isinstance(what, Scene):
        what = simulate(what) if "simulation" in what.keys else solved(what)
    if isinstance(what, ImpactProblem):
        what = solved(what)
    if isinstance(what, ImpactResult):
        return _impact.history(what) if len(what.history) else _impact.result(what)
    if isinstance(what, ImpactHistory):
        return _impact.history(what)
    if isinstance(what, Trajectory):
        return what.plot()
    if isinstance(what, Comparison):
        return _laws.laws(what)
    if isinstance(what, Mapping):
        return record(what)
    raise TypeError(f"there is no picture of a {type(what).__name__}; {KINDS_OF_FILES}")


# ------------------------------------------------------------------------------- pictures by name


def impact_of(what: Any) -> Any:
    """An impact with its inside, from a scene, a problem, a result or a history."""
    return solved(what) if isinstance(what, (Scene, ImpactProblem)) else what


def run_of(what: Any) -> Any:
    return simulate(what) if isinstance(what, Scene) else what


def compared(what: Any, laws: str | None) -> Any:
    return compare(what, laws) if isinstance(what, (Scene, ImpactProblem)) else what


def watched(what: Any) -> Any:
    if isinstance(what, (Scene, ImpactProblem)):
        return waves(what, samples=400)
    return what


BY_NAME: dict[str, Callable[[Any, str | None], Any]] = {
    "auto": lambda what, laws: auto(what),
    "animation": lambda what, laws: _animation.animate(what),
    "energies": lambda what, laws: _impact.energies(impact_of(what)),
    "energy_drift": lambda what, laws: _motion.energy_drift(run_of(what)),
    "forces": lambda what, laws: _impact.forces(impact_of(what)),
    "gaps": lambda what, laws: _motion.gaps(run_of(what)),
    "impulses": lambda what, laws: _impact.impulses(impact_of(what)),
    "laws": lambda what, laws: _laws.laws(compared(what, laws)),
    "motion": lambda what, laws: _motion.motion(run_of(what)),
    "outcome_plane": lambda what, laws: _laws.outcome_plane(what, laws or _laws.LAWS),
    "phases": lambda what, laws: _motion.phases(run_of(what)),
    "velocities": lambda what, laws: _impact.velocities(impact_of(what)),
    "wave": lambda what, laws: _motion.wave(watched(what)),
}
"""Pictures that the command line can be asked for."""
