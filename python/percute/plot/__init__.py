# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Pictures, one line each; matplotlib draws them: pip install matplotlib.

All are as wide as a column of a journal, have units at their axes and colours that everybody can tell
apart. Each takes axes to draw on, and returns those it drew on.

>>> result = percute.cradle(5).resolve(history=True)
>>> result.history.plot()
>>> percute.plot.laws(percute.compare(percute.cradle(3)))
>>> percute.plot.auto("run.h5")
"""

from ._animation import Animation, animate
from ._auto import auto, record
from ._impact import energies, forces, history, impulses, result, stored, velocities
from ._laws import admissible_region, bar_restitution, laws, map, outcome_plane
from ._motion import energy_drift, gaps, motion, phases, run, wave
from ._shapes import Disc, Line, Polygon, Wall
from ._style import COLUMN, OKABE_ITO, STYLE

__all__ = [
    "COLUMN",
    "OKABE_ITO",
    "STYLE",
    "Animation",
    "Disc",
    "Line",
    "Polygon",
    "Wall",
    "admissible_region",
    "animate",
    "auto",
    "bar_restitution",
    "energies",
    "energy_drift",
    "forces",
    "gaps",
    "history",
    "impulses",
    "laws",
    "map",
    "motion",
    "outcome_plane",
    "phases",
    "record",
    "result",
    "run",
    "stored",
    "velocities",
    "wave",
]
