"""The handbook as a site: `make site` builds it into build/site.

Its source is the folder of the whole project, so that a link from a page leads where it does on a forge: to another page, or to a file.
"""

import atexit
import os
import shutil
import sys
import tempfile
from importlib.metadata import version as version_of
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))
os.environ["FIELD_STAFF_DATA"] = tempfile.mkdtemp()  # the games as they come, without the pack of whoever builds it
atexit.register(shutil.rmtree, os.environ["FIELD_STAFF_DATA"], ignore_errors=True)

project = "Field Staff"
author = "the authors of Field Staff"
copyright = author
release = version_of("field-staff")
root_doc = "docs/index"
include_patterns = ["docs/**.md", "*.md"]
exclude_patterns = ["docs/_ext", "docs/_static", "build", ".venv"]

extensions = ["myst_parser", "sphinx_click", "docstrings", "pages", "published", "rules", "sessions"]
myst_heading_anchors = 6
myst_enable_extensions = ["html_image"]  # a picture with its width, which plain Markdown cannot state
default_role = "code"
nitpicky = True
smartquotes = False  # a text in quotes is often what is typed
suppress_warnings = ["ref.python"]  # two modules may each have a `Table`
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

# Colours of our own maps and counters: the strong ones of two sides on clear ground, and their lighter ones for the dark.
_LIGHT = {
    "color-brand-primary": "#2f4f7c",
    "color-brand-content": "#2f4f7c",
    "color-brand-visited": "#4a3a6b",
    "color-foreground-muted": "#5a5e66",
    "color-sidebar-background": "#f8f4e6",
    "color-sidebar-background-border": "#e6dfc8",
    "color-sidebar-caption-text": "#6b4a14",
    "color-background-secondary": "#faf7ee",
    "color-code-background": "#faf7ee",
    "color-highlight-on-target": "#fbe7c6",
    "color-api-name": "#8a3a06",
    "color-api-pre-name": "#5a5e66",
}
_DARK = {
    "color-brand-primary": "#93bae4",
    "color-brand-content": "#a5c8ec",
    "color-brand-visited": "#c4b2e4",
    "color-foreground-muted": "#a4a8b0",
    "color-sidebar-caption-text": "#efc88c",
    "color-background-primary": "#14171c",
    "color-background-secondary": "#1b1f26",
    "color-code-background": "#1b1f26",
    "color-sidebar-background": "#191d23",
    "color-sidebar-background-border": "#2c323b",
    "color-highlight-on-target": "#4a3510",
    "color-api-name": "#efc88c",
    "color-api-pre-name": "#a4a8b0",
}
html_theme = "furo"
html_theme_options = {"light_css_variables": _LIGHT, "dark_css_variables": _DARK}
html_title = "Field Staff"
html_logo = html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_show_sphinx = False
html_copy_source = False
html_domain_indices = False
html_additional_pages = {"index": "start.html"}
templates_path = ["_templates"]
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
