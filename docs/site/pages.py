# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Pages that nobody writes: listings of the examples, one page per header and schema; and links to them.

The Markdown links to files and folders of the repository. Here these links lead to the page that shows them.
"""

import json
import os
import posixpath
import re
from pathlib import Path

LANGUAGES = {".cpp": "cpp", ".py": "python", ".toml": "toml", ".json": "json"}
EXAMPLES = {
    "examples/cpp": ("Examples in C++", "*.cpp", "Each is a whole program; `./test` runs them all."),
    "examples/python": ("Examples in Python", "*.py", "Twins of those in C++: they print the same."),
    "examples/scenes": ("Scenes", "*.*", "`percute solve FILE` resolves the impact of each; [every key](../../docs/reference/scenes.md)."),
    "examples/motion": ("Scenes in motion", "*.*", "`percute simulate FILE` moves each; [how](../../docs/howto/simulate.md)."),
    "examples/fit": ("Measurements", "*.*", "`percute fit FILE` finds their parameters; [how](../../docs/howto/fit.md)."),
    "examples/icr": ("Measured impulse ratios", "*.*", "`percute identify-icr FILE`; [what it means](../../docs/theory/impulse_ratios.md)."),
}
HEADERS = "include/percute"
SCHEMAS = "docs/reference/schemas"
LINK = re.compile(r"\[([^\[\]]*)\]\(([^()\s#:]+)\)")


def write(path, text):
    """Only what changed, so that Sphinx reads no more than it must."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def listing(folder, title, pattern, words):
    lines = [f"# {title}", "", words, ""]
    for file in sorted(folder.glob(pattern)):
        if file.suffix in LANGUAGES:
            lines += [f"## {file.name}", "", f"```{{literalinclude}} {file.name}",
                      f":language: {LANGUAGES[file.suffix]}", "```", ""]
    return "\n".join(lines)


def headers(source):
    """One page per header, one index per folder."""
    root = source / HEADERS
    index = ["# C++", "", "One page per header; `#include <percute/percute.hpp>` brings all but `io` and `fit`.", ""]
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        names = sorted(file.stem for file in folder.glob("*.hpp"))
        readme = []
        index += ["```{toctree}", f":caption: {folder.name}", ":maxdepth: 1"]
        index += [f"{folder.name}/{name}" for name in readme + names] + ["```", ""]
        for name in names:
            path = f"{folder.name}/{name}.hpp"
            write(folder / f"{name}.md",
                  f"# percute/{path}\n\n```{{doxygenfile}} {name}.hpp\n"
                  ":sections: briefdescription detaileddescription innernamespace innerclass enum func typedef var "
                  "public-attrib public-func public-static-attrib public-static-func public-type\n```\n")
    write(root / "index.md", "\n".join(index))


def rows(schema, prefix=""):
    """Keys of an object of a schema: name, type, words."""
    for key, value in schema.get("properties", {}).items():
        name = prefix + key
        yield name, kind(value), value.get("description", "")
        inner = value
        while inner.get("type") == "array" and "items" in inner:
            inner, name = inner["items"], name + "[]"
        for one in [inner, *inner.get("anyOf", []), *inner.get("oneOf", [])]:
            if one.get("type") == "object":
                yield from rows(one, name + ".")


def kind(value):
    if "const" in value:
        return f"`{json.dumps(value['const'])}`"
    if "enum" in value:
        return " · ".join(f"`{json.dumps(one)}`" for one in value["enum"])
    if "anyOf" in value or "oneOf" in value:
        return ", or ".join(dict.fromkeys(kind(one) for one in value.get("anyOf", value.get("oneOf"))))
    text = value.get("type", "")
    if isinstance(text, list):
        text = " or ".join(text)
    if text == "array" and value.get("items"):
        text = "list of " + kind(value["items"])
    limits = [f"{sign} {value[key]:g}" for key, sign in
              (("minimum", "≥"), ("exclusiveMinimum", ">"), ("maximum", "≤"), ("exclusiveMaximum", "<"))
              if key in value]
    if limits:
        text += " " + ", ".join(limits)
    if "default" in value:
        text += f", default `{json.dumps(value['default'], ensure_ascii=False)}`"
    return text


def schemas(source, folder):
    """The schemas that percute prints, as tables."""
    for file in sorted(Path(folder).glob("*.json")):
        schema = json.loads(file.read_text(encoding="utf-8"))
        name = file.name.split(".")[0]
        lines = [f"# Schema of {name} files", "",
                 f"What `percute schema {name}` prints ({{download}}`the file <{file.name}>`), as a table.", "",
                 "| key | type | meaning |", "| --- | --- | --- |"]
        for key, type_, words in dict.fromkeys(rows(schema)):
            cells = (f"`{key}`", type_, words)
            lines.append("| " + " | ".join(cell.replace("|", "\\|").replace("[", "\\[").replace("$", "\\$") if i else cell
                                            for i, cell in enumerate(cells)) + " |")
        write(source / SCHEMAS / f"{name}.md", "\n".join(lines) + "\n")
        write(source / SCHEMAS / file.name, file.read_text(encoding="utf-8"))


def generate(source, schema_folder):
    source = Path(source)
    for folder, (title, pattern, words) in EXAMPLES.items():
        write(source / folder / "index.md", listing(source / folder, title, pattern, words))
    headers(source)
    schemas(source, schema_folder)


def rewrite(source, docname, text):
    """Links to files and folders of the repository lead to their pages; to other folders nowhere."""
    here = posixpath.dirname(docname)

    def replace(match):
        words, target = match.groups()
        path = posixpath.normpath(posixpath.join(here, target))
        folder, name = posixpath.split(path)

        def to(page):
            return f"[{words}]({posixpath.relpath(page, here or '.')})"

        if folder == "examples/python/gallery" and path.endswith(".py"):
            return to(f"gallery/{name[:-3]}.rst")
        if path == "examples/python/gallery":
            return to("gallery/index.rst")
        if folder in EXAMPLES and name != "index.md":
            anchor = re.sub(r"[^a-z0-9_-]", "", name.lower())
            return to(f"{folder}/index.md")[:-1] + f"#{anchor})"
        if path in EXAMPLES or path == HEADERS:
            return to(f"{path}/index.md")
        if path.startswith(HEADERS) and path.endswith(".hpp") and folder != HEADERS:
            return to(path[:-4] + ".md")
        readme = f"{path}/README.md"
        if os.path.exists(os.path.join(source, readme)):
            return to(readme)
        here_too = "://" in target or os.path.isfile(os.path.join(source, path))
        return match.group(0) if here_too else words

    return LINK.sub(replace, text)
