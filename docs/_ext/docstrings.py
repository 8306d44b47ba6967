"""Docstrings as they are written here, prose with names in backticks, made into what the site's generator reads."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from assistant.drawing.scene import Rows, Scene
from assistant.questions import question
from assistant.questions.sketch import Sketch
from assistant.util.notes import notes_of

_CODE = re.compile(r"(`[^`]+`)")
_MARKUP = re.compile(r"[*|\\]|(?<=\w)_(?!\w)")
"""What would be read as markup outside of backticks."""


def markup_of(lines: Sequence[str], names: Sequence[str] = ()) -> Iterator[str]:
    """The lines of a docstring as reStructuredText. names: of parameters, shown as code where their meaning follows."""
    meant = re.compile(rf"(^|[;.] )({'|'.join(map(re.escape, names))})(?=(?:, [\w, ]+)?: )") if names else None
    block = False
    for number, line in enumerate(lines):
        if line.startswith("    ") and (block or (number and not lines[number - 1].strip())):
            if not block:
                yield from (".. code-block:: python", "")
            block = True
            yield line
        elif not line.strip():
            yield ""
        else:
            block = False
            parts = _CODE.split(meant.sub(r"\1`\2`", line) if meant else line)
            yield "".join(part if part.startswith("`") else _MARKUP.sub(r"\\\g<0>", part) for part in parts)


def fields_of(thing: Any) -> tuple[str, ...]:
    """The fields of a class that is built by its fields, which carry notes; none for anything else."""
    if not inspect.isclass(thing):
        return ()
    ways = ("__struct_fields__", "_fields", "__dataclass_fields__")
    return next((tuple(getattr(thing, names)) for names in ways if hasattr(thing, names)), ())


def rewrite(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """A docstring as markup; below that of a class its fields with their notes."""
    try:
        names = [*inspect.signature(thing).parameters]
    except (TypeError, ValueError):
        names = []
    shown = [*markup_of(lines, names)]
    fields = fields_of(thing)
    with suppress(NameError):  # of a class that names what it imports for a type checker alone
        notes = notes_of(thing) if fields else {}
        listed = [f"- `{field}`: {notes[field]}" for field in fields if notes.get(field)]
        shown += ["", *markup_of(listed), ""] if listed else []
    lines[:] = shown


def sign(app: Sphinx, what: str, name: str, thing: Any, options: Any, signature: str, returned: str) -> Any:
    """The fields by which a class is built, `=...` for one that may be left out; their notes stand below it."""
    if not fields_of(thing):
        return None
    parameters = inspect.signature(thing).parameters.values()
    names = (each.name if each.default is each.empty else f"{each.name}=..." for each in parameters)
    return f"({', '.join(names)})", None


def skip_fields(app: Sphinx, what: str, name: str, thing: Any, skipped: bool, options: Any) -> bool | None:
    """Skip the fields of a named tuple, of which Python says only that they are fields."""
    return True if (getattr(thing, "__doc__", "") or "").startswith("Alias for field number") else None


def show_as_text(app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: nodes.TextElement) -> Any:
    """A name in a signature that no page describes: shown without a link, which is no fault."""
    return shown if node.get("refdomain") == "py" else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of it."""
    vars(question).update(Rows=Rows, Scene=Scene, Sketch=Sketch)  # which it imports for a type checker alone
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", rewrite)
    app.connect("autodoc-process-signature", sign)
    app.connect("autodoc-skip-member", skip_fields)
    app.connect("missing-reference", show_as_text)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
