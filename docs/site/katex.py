# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Formulas become HTML while the site is built: no page loads or runs anything for them.

KaTeX is that of Debian (libjs-katex); V8 runs it (mini-racer). A formula it cannot read is a warning.
"""

import html
import json
import shutil
from functools import cache
from pathlib import Path

from docutils import nodes
from py_mini_racer import MiniRacer
from sphinx.util import logging

KATEX = Path("/usr/share/javascript/katex")
logger = logging.getLogger(__name__)


@cache
def engine():
    context = MiniRacer()
    context.eval((KATEX / "katex.min.js").read_text(encoding="utf-8"))
    return context


def render(node, display):
    formula = node.astext()
    options = {"displayMode": display, "throwOnError": True, "strict": "error", "trust": False}
    try:
        call = f"katex.renderToString({json.dumps(formula)}, {json.dumps(options)})"
        return engine().eval(call)
    except Exception as error:  # whatever V8 passes on
        logger.warning("formula: %s", str(error).splitlines()[0], location=node)
        return f"<code>{html.escape(formula)}</code>"


def inline(translator, node):
    translator.body.append(render(node, False))
    raise nodes.SkipNode


def block(translator, node):
    translator.body.append(f'<div class="math">{render(node, True)}</div>\n')
    raise nodes.SkipNode


def copy_files(app, exception):
    if exception is None and app.builder.format == "html":
        folder = Path(app.outdir) / "_static" / "katex"
        (folder / "fonts").mkdir(parents=True, exist_ok=True)
        shutil.copy(KATEX / "katex.min.css", folder)
        for font in (KATEX / "fonts").glob("*.woff2"):
            shutil.copy(font, folder / "fonts")


def setup(app):
    app.add_html_math_renderer("katex", (inline, None), (block, None))
    app.config.html_math_renderer = "katex"
    app.add_css_file("katex/katex.min.css")
    app.connect("build-finished", copy_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
