"""Docstrings as they are written here, prose with names in backticks, made into what the site's generator reads."""

from __future__ import annotations

import ast
import functools
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Annotated, Any, TypeVar, get_origin, get_type_hints

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import stringify_annotation

from assistant.asking import question
from assistant.asking.sketch import Drawable
from assistant.state import vocabulary
from assistant.util.notes import field_meaning, notes_of

_CODE = re.compile(r"(`[^`]+`)")
_MARKUP = re.compile(r"[*|\\]|(?<=\w)_(?!\w)")
"""What would be read as markup outside of backticks."""
_LONGEST = 40
"""How many characters of a default are shown."""


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


def home_of(name: str, module: str) -> str:
    """The full name of what a module calls by a name: where a class or a type is made, wherever it is imported from."""
    meant = vars(sys.modules[module]).get(name)
    if inspect.isclass(meant):
        return f"{meant.__module__}.{meant.__qualname__}"
    homes = (loaded for loaded in sorted(sys.modules) if loaded.partition(".")[0] == "assistant")
    made = (home for home in homes if vars(sys.modules[home]).get(name) is meant and _makes(home, name))
    return f"{next(made, module)}.{name}"


@functools.cache
def _source(module: str) -> str:
    return inspect.getsource(sys.modules[module])


def _makes(module: str, name: str) -> bool:
    """Whether a module makes what has a name in it, and does not only import it."""
    return re.search(rf"^{name}\b[^=\n]*= ", _source(module), re.MULTILINE) is not None


def types_of(kind: Any) -> dict[str, str]:
    """The types of the fields of a class as its author writes them, without their notes, each name in full behind a `~`; a
    word of the vocabulary is the plain type that it stands for.
    """
    types: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        for field, annotation in vars(base).get("__annotations__", {}).items():
            written = getattr(annotation, "__forward_arg__", annotation)
            tree = ast.parse(
                written if isinstance(written, str) else stringify_annotation(written, "smart"), mode="eval"
            )
            types[field] = ast.unparse(_InFull(base.__module__).visit(tree)).replace("~ ", "~")
    return types


class _InFull(ast.NodeTransformer):
    """Writes a type without notes, and the names of our own types in full."""

    def __init__(self, module: str) -> None:
        self._module = module

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if ast.unparse(node.value) == "Annotated" and isinstance(node.slice, ast.Tuple):
            return self.visit(node.slice.elts[0])
        if ast.unparse(node.value) == "Literal":
            return node
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if get_origin(word := vars(vocabulary).get(node.id)) is Annotated:
            return ast.parse(stringify_annotation(plain(word), "smart"), mode="eval").body
        home = home_of(node.id, self._module)
        known = home.startswith("assistant.") and not isinstance(vars(sys.modules[self._module]).get(node.id), TypeVar)
        return ast.Name(f"~{home}") if known else node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return self.visit(ast.parse(node.value, mode="eval").body) if isinstance(node.value, str) else node


def default_of(value: Any) -> str:
    """What a field is if it is left out, in words."""
    if value is inspect.Parameter.empty:
        return ""
    name = getattr(value, "__name__", "")
    written = name if inspect.isroutine(value) or isinstance(value, type) else "{}" if value == {} else repr(value)
    if "<lambda>" in written or "<" in written or len(written) > _LONGEST:
        return "may be left out"
    return f"default `{written}`"


def listed(kind: Any) -> Iterator[str]:
    """The fields of a class, each with its type, its note and its default."""
    given, types, notes = inspect.signature(kind).parameters, types_of(kind), notes_of(kind)
    for field in fields_of(kind):
        text = [
            part for part in (notes.get(field, ""), default_of(given[field].default) if field in given else "") if part
        ]
        (said,) = markup_of(["; ".join(text)])
        yield f":param {field}: {said}"
        if field in types:
            yield f":type {field}: {types[field]}"


def rewrite(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """A docstring as markup; below that of a class its fields with their types, notes and defaults."""
    try:
        names = [*inspect.signature(thing).parameters]
    except (TypeError, ValueError):
        names = []
    shown = [*markup_of(lines, names)]
    with suppress(NameError):  # of a class that names what it imports for a type checker alone
        shown += ["", *listed(thing), ""] if fields_of(thing) else []
    lines[:] = shown


def sign(app: Sphinx, what: str, name: str, thing: Any, options: Any, signature: str, returned: str) -> Any:
    """The fields by which a class is built, `=...` for one that may be left out, those behind `*` by their names alone; what
    they are stands below it.
    """
    if not fields_of(thing):
        return None
    parameters = [*inspect.signature(thing).parameters.values()]
    names = [each.name if each.default is each.empty else f"{each.name}=..." for each in parameters]
    by_name = [number for number, each in enumerate(parameters) if each.kind is each.KEYWORD_ONLY]
    if by_name:
        names.insert(by_name[0], "*")
    return f"({', '.join(names)})", None


class Types(SphinxDirective):
    """A directive that lists the types of a module that are others under a name that says more, such as that of a unit."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """An entry for each of them."""
        module = import_module(self.arguments[0])
        lines = [f".. py:currentmodule:: {module.__name__}", ""]
        for name in getattr(module, "__all__", vars(module)):
            alias = getattr(module, name)
            if get_origin(alias) is not None:
                home, _, own = home_of(name, module.__name__).rpartition(".")
                options = [f"   :type: {stringify_annotation(plain(alias), 'smart')}", f"   :canonical: {home}.{own}"]
                said = field_meaning(alias) or " ".join(ModuleAnalyzer.for_module(home).find_attr_docs()["", own])
                said = f"{said[:1].upper()}{said[1:]}".strip().removesuffix(".")
                lines += [f".. py:data:: {name}", *options, "", f"   {said}.", ""]
        return self.parse_text_to_nodes("\n".join(lines))


def plain(annotation: Any) -> Any:
    """A type without the notes in it."""
    return get_type_hints(type("Of", (), {"__annotations__": {"it": annotation}}))["it"]


def skip_fields(app: Sphinx, what: str, name: str, thing: Any, skipped: bool, options: Any) -> bool | None:
    """Skip the fields of a named tuple, of which Python says only that they are fields."""
    return True if (getattr(thing, "__doc__", "") or "").startswith("Alias for field number") else None


def show_as_text(app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: nodes.TextElement) -> Any:
    """A name in a signature that no page describes: shown without a link, which is no fault."""
    return shown if node.get("refdomain") == "py" else None


def end_with_colons(app: Sphinx, doctree: nodes.document) -> None:
    """Write a colon behind the type of a field, where Sphinx writes two hyphens."""
    for field in doctree.findall(nodes.field):
        for text in [*field.findall(nodes.Text)]:
            if text == " -- ":
                text.parent.replace(text, nodes.Text(": "))


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of it."""
    vars(question).update(Drawable=Drawable)  # which it imports for a type checker alone
    app.setup_extension("sphinx.ext.autodoc")
    app.add_directive("types", Types)
    app.connect("autodoc-process-docstring", rewrite)
    app.connect("autodoc-process-signature", sign)
    app.connect("autodoc-skip-member", skip_fields)
    app.connect("doctree-read", end_with_colons)
    app.connect("missing-reference", show_as_text)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
