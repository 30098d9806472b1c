# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Multiple impacts in mechanics: what bodies do when several contacts close at the same instant.

>>> import percute
>>> percute.cradle(3).resolve("lzb").velocity.round(6)
array([-0.070952,  0.076403,  0.994549])
"""

import importlib
from typing import TYPE_CHECKING, Any

from . import _pickling as _pickling
from . import analysis, laws, simulation, systems
from ._analysis import Comparison, Record, analyze, compare, fit, outcome_plane, reproduce, waves
from ._batch import ImpactResults, resolve_many
from ._core import (
    AlgebraicDiagnostics,
    Body,
    Collision,
    Consistency,
    Contact,
    ContactSummary,
    Diagnostics,
    ElasticMaterial,
    EnergyLedger,
    ImpactEvent,
    ImpactHistory,
    ImpactPhase,
    ImpactProblem,
    ImpactResult,
    Margins,
    Material,
    Recording,
    Scene,
    State,
    TriStiffness,
    elastic_material,
    impact,
    law_kinds,
    make_law,
    reproducible,
    resolve,
)
from ._core import _version as __version__
from ._errors import InvalidInput
from ._files import load, read_scene, save
from ._motion import Run, Trajectory, simulate
from ._shortcuts import bernoulli, cradle, rack, stack

if TYPE_CHECKING:
    from . import plot

__all__ = [
    "AlgebraicDiagnostics",
    "Body",
    "Collision",
    "Comparison",
    "Consistency",
    "Contact",
    "ContactSummary",
    "Diagnostics",
    "ElasticMaterial",
    "EnergyLedger",
    "ImpactEvent",
    "ImpactHistory",
    "ImpactPhase",
    "ImpactProblem",
    "ImpactResult",
    "ImpactResults",
    "InvalidInput",
    "Margins",
    "Material",
    "Record",
    "Recording",
    "Run",
    "Scene",
    "State",
    "Trajectory",
    "TriStiffness",
    "__version__",
    "analysis",
    "analyze",
    "bernoulli",
    "compare",
    "cradle",
    "elastic_material",
    "fit",
    "impact",
    "law_kinds",
    "laws",
    "load",
    "make_law",
    "outcome_plane",
    "plot",
    "rack",
    "read_scene",
    "reproduce",
    "reproducible",
    "resolve",
    "resolve_many",
    "save",
    "simulate",
    "simulation",
    "stack",
    "systems",
    "waves",
]


if not TYPE_CHECKING:  # which would take any name then

    def __getattr__(name: str) -> Any:
        """percute.plot is loaded when it is asked for: most programs draw nothing."""
        if name != "plot":
            raise AttributeError(f"module 'percute' has no attribute {name!r}")
        return importlib.import_module(".plot", __name__)
