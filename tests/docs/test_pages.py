# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""What the documentation shows is true: every block of every page is used.

* ``python``: run, all blocks of a page one after the other; a ``text`` block right below is what it prints.
* ``sh``: every command runs and ends well. Lines of the ``text`` blocks that follow are lines of what the commands
  before printed, in this order; "…" stands for any lines.
* ``console``: commands behind "$ ", and below each what it prints.
* A comment of a command that starts with "(" holds velocities, "p = (" impulses, "ratio" or "energy ×" the energy
  after over that before; all to their digits.
* ``json`` and ``toml``: the file with the name mentioned last; a scene or problem is one that percute accepts.
* What is not run is in NOT_RUN, with the reason. Nothing may be there that no page shows.

PERCUTE is the program; without it only blocks of Python are run.
"""

import contextlib
import io
import json
import os
import re
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ.get("PERCUTE")
PAGES = ["README.md"] + sorted(
    str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md") if "site" not in path.parts
)

ELSEWHERE = "another test does it"
MINUTES = "takes minutes"
SYSTEM = "changes the system, or needs the network"
NOT_RUN = {  # beginnings of commands; "$": whole ones
    "./run$": ELSEWHERE,
    "./test$": "would run itself",
    "./run docs$": ".ci/run has a stage for it",
    "./run wheel$": SYSTEM,
    "pip install": SYSTEM,
    "sudo apt-get": SYSTEM,
    "rm -rf build": SYSTEM,
    "cmake ": "tests/packaging does it",
    "scripts/fuzz.sh": ".ci/run has a stage for it",
    "build/sanitize/bin/fuzz_problem": "needs a failure of a fuzzer",
    "./run reproduce$": ELSEWHERE + ": tests/reference, every published number",
    "./run bench": MINUTES,
    "./run selftest": ELSEWHERE + ": tests/cli, with fewer impacts",
    "percute solve FILE": "names no file",
}

# Figures that differ from run to run: times of computing; errors of 1e-10 and less, which a change of steps changes.
VOLATILE = re.compile(r"(?<= in )[0-9.e-]+(?= s$)|\s[0-9]+\.[0-9]$|\s[0-9.]+e-1[0-9]$", re.MULTILINE)


@dataclass
class Block:
    kind: str
    text: str
    file: str
    """Mentioned last before it."""


def blocks_of(page):
    blocks, kind, lines, file = [], None, [], ""
    for line in (ROOT / page).read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            if kind is None:
                kind, lines = line[3:], []
            else:
                blocks.append(Block(kind, "\n".join(lines) + "\n", file))
                kind = None
        elif kind is not None:
            lines.append(line)
        else:
            for name in re.findall(r"`([\w./-]+\.(?:json|toml|csv))`", line):
                file = Path(name).name
    return blocks


def commands_of(text):
    """Commands, without their comments: (command, comment)."""
    joined = text.replace("\\\n", " ")
    for line in joined.splitlines():
        command, _, comment = line.partition("  #")
        if command.strip():
            yield " ".join(command.split()), comment.strip()


def matches(command, key):
    return command == key[:-1] if key.endswith("$") else command.startswith(key)


def is_run(command):
    return not any(matches(command, key) for key in NOT_RUN)


class Page:
    """Runs the blocks of a page in a folder of its own, which looks like the repository."""

    def __init__(self, name, folder):
        self.name = name
        self.folder = folder
        self.names = {}
        self.printed = ""
        for part in ("examples", "data", "docs"):
            (folder / part).symlink_to(ROOT / part)

    def shell(self, command):
        line = re.sub(r"^(\./run|percute)\b", f"'{PROGRAM}'", command)
        done = subprocess.run(
            ["bash", "-c", line], cwd=self.folder, capture_output=True, text=True, timeout=300, check=False
        )
        # 1: the outcome is none, or a file says so; some pages show just that.
        assert done.returncode in (0, 1), f"{command}\n{done.stderr}"
        return done

    def run(self, command, comment=""):
        if PROGRAM is None or not is_run(command):
            return ""
        assert command.startswith(("./run ", "percute ")), f"how is this run? {command}"
        done = self.shell(command)
        numbers = r"\(([-+−0-9., ]+)\)"
        for pattern, pick in (
            (r"^" + numbers, lambda found: found["velocity"]),
            (r"p = " + numbers, lambda found: [contact["impulse"] for contact in found["contacts"]]),
            (r"(?:ratio|energy ×) ([0-9.]+)", lambda found: [found["energy"]["after"] / found["energy"]["before"]]),
        ):
            for match in re.finditer(pattern, comment):
                found = json.loads(self.shell(command + " --json").stdout)
                compare(match.group(1), pick(found), command)
        return done.stdout

    def expect(self, printed, shown):
        """The lines shown, in their order, with anything between them only at "…"."""
        lines = [VOLATILE.sub(" #", line).rstrip() for line in printed.splitlines()]
        at, gap = 0, True
        for line in shown.splitlines():
            if line.strip() == "…":
                gap = True
                continue
            wanted = VOLATILE.sub(" #", line).rstrip()
            if not wanted:
                continue
            rest = [k for k in range(at, len(lines)) if lines[k] == wanted]
            assert rest, f"{self.name} shows\n{line}\nbut this is printed:\n{printed}"
            at = rest[0] + 1
        assert gap or at

    def use(self, block, above):
        if block.kind == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.chdir(self.folder):
                exec(compile(block.text, self.name, "exec"), self.names)
            self.printed = out.getvalue()
        elif block.kind == "sh":
            self.printed = "".join(self.run(*one) for one in commands_of(block.text))
        elif block.kind == "console":
            for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                printed = self.run(command)
                if PROGRAM is not None:
                    self.expect(printed, shown)
        elif block.kind == "text" and above == "python":
            assert self.printed == block.text
        elif block.kind == "text" and above and PROGRAM is not None:
            self.expect(self.printed, block.text)
        elif block.kind == "csv":
            assert len({line.count(",") for line in block.text.splitlines()}) == 1, block.text
        elif block.kind in ("json", "toml"):
            self.use_file(block)

    def use_file(self, block):
        content = json.loads(block.text) if block.kind == "json" else tomllib.loads(block.text)
        name = block.file if block.file.endswith(block.kind) else f"shown.{block.kind}"
        (self.folder / name).write_text(block.text, encoding="utf-8")
        if PROGRAM is not None and ("system" in content or content.get("format") == "percute-problem/1"):
            self.shell(f"percute solve {name}")


def compare(text, found, where):
    """Numbers to the digits shown."""
    shown = [word.strip().replace("−", "-") for word in text.split(",")]
    assert len(shown) == len(found), where
    for word, value in zip(shown, found):
        digits = len(word.partition(".")[2]) or 6
        assert abs(float(word) - value) <= 0.5001 * 10.0**-digits, f"{where}: {word} is {value}"


@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_shows_is_true(name, tmp_path):
    page = Page(name, tmp_path)
    above = ""
    for block in blocks_of(name):
        page.use(block, above)
        if block.kind != "text":
            above = block.kind


def test_what_is_not_run_is_shown_somewhere():
    shown = [
        command
        for page in PAGES
        for block in blocks_of(page)
        if block.kind == "sh"
        for command, _ in commands_of(block.text)
    ]
    for key in NOT_RUN:
        assert any(matches(command, key) for command in shown), f"no page shows {key!r}"
