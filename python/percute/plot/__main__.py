# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""What `percute plot` and the option --plot start: python3 -m percute.plot FILE -o FIGURE."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .._tables import optional

STILL = (".svg", ".png", ".pdf")
MOVING = (".gif", ".mp4")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 -m percute.plot", description=__doc__)
    parser.add_argument(
        "file", metavar="FILE", help="scene, problem, result, history, waves, run …"
    )
    parser.add_argument("-o", "--output", metavar="FIGURE", required=True)
    parser.add_argument("--what", default="auto", help="picture to draw instead of the usual one")
    parser.add_argument("--laws", default=None, help="of the pictures that compare laws")
    parser.add_argument(
        "--impact", action="store_true", help="of a scene that moves too: the impact at its start"
    )
    parser.add_argument("--say", action="store_true", help="print the name of the figure")
    return parser.parse_args()


def draw(options: argparse.Namespace) -> None:
    """Draws what is asked for; the suffix decides between pictures and films."""
    optional("matplotlib").use("Agg")
    from .._core import Scene
    from . import _style
    from .._files import load
    from ._auto import BY_NAME

    output = Path(options.output)
    suffix = output.suffix.lower()
    if suffix not in STILL + MOVING:
        wanted = ", ".join(STILL + MOVING)
        raise ValueError(
            f"{output}: '{output.suffix}' is no format of pictures; there are {wanted}"
        )
    if options.what not in BY_NAME:
        raise ValueError(f"there is no picture '{options.what}'; there are {', '.join(BY_NAME)}")
    what = load(options.file)
    if options.impact and isinstance(what, Scene) and suffix not in MOVING:
        what = what.problem
    if suffix in MOVING:
        from ._animation import animate

        if options.what not in ("auto", "animation"):
            raise ValueError(f"{output}: '{options.what}' does not move; write {', '.join(STILL)}")
        animate(what).save(output)
        return
    made = BY_NAME[options.what](what, options.laws)
    plt = _style.pyplot()
    figure = plt.gcf()
    if options.what == "animation":
        figure = made.show(0)
    with plt.rc_context(_style.STYLE):
        # Nothing of the hour in the file: the same input gives the same bytes.
        stamp = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix, {})
        figure.savefig(output, metadata=stamp)


def main() -> int:
    options = arguments()
    try:
        draw(options)
    except (ValueError, TypeError, ImportError, RuntimeError, OSError) as error:
        print(f"percute: {error}", file=sys.stderr)
        return 2
    if options.say:
        print(options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
