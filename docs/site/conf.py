# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""The documentation as a site; scripts/docs.sh calls Sphinx with what it needs."""

import os
import re
import shutil
import sys
from pathlib import Path

from docutils import nodes
from matplotlib import animation
from pygments.lexers.special import TextLexer
from sphinx import addnodes

ROOT = Path(os.environ["PERCUTE_SOURCE"])  # the repository; Sphinx works in a copy of its pages
sys.path.insert(0, str(ROOT / "docs" / "site"))
sys.path.insert(0, os.environ["PERCUTE_PACKAGE"])  # the package of Python, as built

import pages  # noqa: E402  (docs/site/pages.py)

project = "percute"
author = "The percute authors"
copyright = author
release = re.search(r"project\(percute VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
version = release

extensions = [
    "breathe",
    "katex",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_gallery.gen_gallery",
]

# ------------------------------------------------------------------------------------- pages

root_doc = "README"
include_patterns = [
    "README.md",
    "CHANGELOG.md",
    "apps/cli/README.md",
    "docs/**.md",
    "examples/*/index.md",
    "gallery/**.rst",
    "include/percute/**.md",
    "selftest/README.md",
    "src/*/README.md",
]
exclude_patterns = ["docs/site", "gallery/sg_execution_times.rst", "sg_execution_times.rst"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
# A formula beside a "$" of a shell is no formula.
myst_dmath_allow_digits = True

# -------------------------------------------------------------------------------- interfaces

breathe_projects = {"percute": os.environ["PERCUTE_DOXYGEN"]}
breathe_default_project = "percute"
breathe_default_members = ("members",)
# A namespace is opened in many headers, and tidy_interfaces() takes it out again.
suppress_warnings = ["duplicate_declaration.cpp"]
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_typehints = "none"
add_module_names = False
toc_object_entries_show_parents = "hide"
napoleon_google_docstring = False
napoleon_use_param = False  # types are words, not names to look up

# ------------------------------------------------------------------------------------ gallery

sphinx_gallery_conf = {
    "examples_dirs": "examples/python/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 60,
    "abort_on_example_error": True,
    "matplotlib_animations": True,
    "first_notebook_cell": "%matplotlib inline",
}

# Players of animations take the signs on their buttons from the network; percute.css has them.
animation.JS_INCLUDE = re.sub(r"<link[^>]*>", "", animation.JS_INCLUDE)

# -------------------------------------------------------------------------------------- looks

html_theme = "furo"
html_title = "percute"
html_static_path = ["static"]
html_css_files = ["percute.css"]
html_copy_source = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "monokai"


def make_pages(app):
    pages.generate(app.srcdir, os.environ["PERCUTE_SCHEMAS"])


def prepare(app, docname, source):
    """README.md stays free of what only the site needs; links lead to pages of the site."""
    if app.env.doc2path(docname).suffix == ".md":
        source[0] = pages.rewrite(app.srcdir, docname, source[0])
    if docname == root_doc:
        source[0] += "\n\n" + (ROOT / "docs/site/toctree.md").read_text(encoding="utf-8")


def escape_bars(app, what, name, object_, options, lines):
    """|U| is an absolute value, not a substitution of reStructuredText."""
    lines[:] = [line.replace("|", "\\|") for line in lines]


def tidy_interfaces(app, doctree):
    """A page per header needs no boxes around boxes, "namespace percute", "namespace laws"; and fields(), names()
    and title() are how options describe themselves to programs."""
    for node in list(doctree.findall(addnodes.desc)):
        if node["objtype"] == "type" and node[0].astext().startswith("namespace "):
            node.replace_self(node[-1].children)
        elif node["objtype"] == "function":
            own = [name.astext() for name in node[0].findall(addnodes.desc_name)]
            if own and own[0] in ("fields", "names", "title"):
                node.parent.remove(node)
    # Headings of what is empty now.
    for rubric in list(doctree.findall(nodes.container)):
        if "breathe-sectiondef" in rubric["classes"] and not list(rubric.findall(addnodes.desc)):
            rubric.parent.remove(rubric)


def write_index(app, exception):
    if exception is None and app.builder.name == "html":
        shutil.copy(Path(app.outdir) / f"{root_doc}.html", Path(app.outdir) / "index.html")


def setup(app):
    app.add_lexer("csv", TextLexer)
    app.connect("builder-inited", make_pages)
    app.connect("source-read", prepare)
    app.connect("autodoc-process-docstring", escape_bars)
    app.connect("doctree-read", tidy_interfaces, priority=100)  # before the contents of pages are collected
    app.connect("build-finished", write_index)
