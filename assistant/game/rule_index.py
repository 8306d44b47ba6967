"""The rule index of a game: every rule with an effect, the code that applies it, and the questions that run that code.

The index is the game's `rules.csv`. A function names the rules it applies at the end of its docstring
(`Rule: 10.8a, 10.8b`, or `Rule: CRT/shock` for what has no number); this module reads those lines from the source without importing it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ..util.datafiles import inner, read_rows, read_text
from ..util.errors import InputError, OnFault, Where, stop, suggested
from .games import Game

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


_RULE = r"(?:[0-9]|[A-Z][A-Za-z-]*/)[\w./-]*"
"""The name of a rule: a number, 10.8a or 14.8/3-edge, or what a rulebook sets apart without one, `CRT/shock`."""

DECLARED = re.compile(rf"\bRule:\s*({_RULE}(?:[,\s]+{_RULE})*)\s*\Z")
_MEANT = re.compile(r"(?:^|\s)Rule:\s*(\S.*)\Z", re.DOTALL)
"""What a docstring says behind the word, whether it names rules or not."""


class RuleRow(msgspec.Struct, frozen=True):
    """A row of the rule index.

    kind: compute, check, state, data, sequence or physical; left_out: why no function applies it, "" if one does;
    code: where to find it, as FILE:LINE FUNCTION in the game's folder, or as tracks.toml:TRACK for a fact that a rule reads.
    """

    rule: str
    kind: str
    title: str
    left_out: str
    code: tuple[str, ...] = ()


class RuleLine(NamedTuple):
    """A `Rule:` line in the docstring of a function or a class.

    path, line: of the definition; name: of it; is_function: whether it is a function, as only functions declare rules; rules: those that are
    declared; unreadable: the first word that names no rule, for which none of them is read, "" if all can be.
    """

    path: str
    line: int
    name: str
    is_function: bool
    rules: tuple[str, ...]
    unreadable: str = ""


def rule_lines(folder: Traversable) -> Iterator[RuleLine]:
    """The `Rule:` lines in the code of a folder. Raises InputError for a file that is too large, or is not Python."""
    for path, tree in modules_of(folder):
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                text = ast.get_docstring(node) or ""
                if read := DECLARED.search(text):
                    rules, unreadable = tuple(re.split(r"[,\s]+", read[1])), ""
                elif meant := _MEANT.search(text):
                    words = re.split(r"[,\s]+", meant[1])
                    rules, unreadable = (), next((word for word in words if not re.fullmatch(_RULE, word)), words[0])
                else:
                    continue
                yield RuleLine(path, node.lineno, node.name, isinstance(node, ast.FunctionDef), rules, unreadable)


def declared_rules(folder: Traversable) -> Iterator[tuple[str, str]]:
    """Each rule that a function in a folder declares, with its place: ("10.8a", "combat/odds.py:40 shift_for_terrain").

    Raises InputError for a file that is too large, or is not Python.
    """
    for line in rule_lines(folder):
        for rule in line.rules if line.is_function else ():
            yield rule, f"{line.path}:{line.line} {line.name}"


def modules_of(folder: Traversable, path: str = "") -> Iterator[tuple[str, ast.Module]]:
    """The Python modules of a folder and its subfolders, each with its path; a link to another folder is not followed.

    path: of the folder itself. Raises InputError for a file that is too large, or is not Python.
    """
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.is_dir():
            if not file.name.startswith(".") and not (isinstance(file, Path) and file.is_symlink()):
                yield from modules_of(file, f"{path}{file.name}/")
        elif file.name.endswith(".py"):
            yield f"{path}{file.name}", _parse(file, f"{path}{file.name}")


def _parse(file: Traversable, path: str) -> ast.Module:
    try:
        return ast.parse(read_text(file))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if isinstance(error, InputError):
            raise
        line = error.lineno or 0 if isinstance(error, SyntaxError) else 0
        raise InputError("this is not valid Python", where=Where(path, line), hint="correct the file") from None


def read_index(folder: Traversable, on_fault: OnFault = stop) -> list[dict[str, str]]:
    """The rows of the rule index in the folder of a game, none if it has no index. Each fault goes to `on_fault`."""
    file = inner(folder, "rules.csv")
    rows = read_rows(file, ["rule", "kind", "title", "left_out"], on_fault=on_fault) if file.is_file() else ()
    return [row for row, _ in rows]


def rule_titles(game: Game) -> list[tuple[str, str]]:
    """The rules of the index with their titles, steps of the sequence of play marked as such, in its order; none if the game has no index."""
    rows = read_index(game.folder)
    return [(row["rule"], row["title"] + f" ({row['kind']})" * (row["kind"] == "sequence")) for row in rows]


def rule_index(game: Game) -> list[RuleRow]:
    """The rule index of a game with the code that applies each row; empty if the game has none."""
    rows = read_index(game.folder)
    code: dict[str, list[str]] = {}
    if not rows:
        return []
    for rule, where in declared_rules(game.folder):
        code.setdefault(rule, []).append(where)
    for track in game.tracks.values():
        code.setdefault(track.rule, []).append(f"tracks.toml:{track.name}")
    return [
        RuleRow(row["rule"], row["kind"], row["title"], row["left_out"], tuple(code.get(row["rule"], ())))
        for row in rows
    ]


# --- `Rule:` lines that the index loses -------------------------------------------------------------------------------

SPELLING = "name rules as 10.8a, 14.8/3-edge or CRT/shock, separated by commas, with nothing after them"


def rule_line_faults(game: Game) -> Iterator[InputError]:
    """The `Rule:` lines that cannot be read, that stand where none is read, or that name a rule which is no row of
    `rules.csv`; none in a game without an index. Raises InputError for a file that is not Python.
    """
    known = dict(rule_titles(game))
    for line in rule_lines(game.folder) if known else ():
        where = Where(line.path, line.line)
        if line.unreadable:
            yield InputError(
                f"{line.name}: the Rule: line cannot be read at {line.unreadable!r}", where=where, hint=SPELLING
            )
        elif not line.is_function:
            what = f"{line.name}: the Rule: line of a class is not read"
            yield InputError(what, where=where, hint="write it in the docstring of the function that applies the rule")
        for rule in line.rules if line.is_function else ():
            if rule not in known:
                what = f"{line.name}: Rule: {rule} is not in rules.csv"
                yield InputError(what, where=where, hint=suggested(rule, known))


# --- which questions run which code -----------------------------------------------------------------------------------

Node = tuple[str, str]
"""A module, as `combat.odds`, and what it defines at its top level: a function, a class, a constant."""
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


def questions_by_place(folder: Traversable, questions: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The questions that run each function of a folder, by its place as in `rule_index`: "combat/odds.py:40
    shift_for_terrain".

    questions: the name of each with the module that holds it, as it is imported. Raises InputError for a file that is
    not Python.
    """
    sources = {path.removesuffix(".py").replace("/", "."): Source(path, tree) for path, tree in modules_of(folder)}
    names_at: dict[str, list[str]] = {}

    @cache
    def beyond(at: Node) -> frozenset[Node]:
        named = set(sources[at[0]].names_in(at[1]))
        return frozenset(node for name, attribute in named for node in _definitions_of(sources, at[0], name, attribute))

    for name, module in questions.items():
        for at, definition in sorted(_reach(_declarations(sources, name, module), beyond)):
            for place in sources[at].places.get(definition, ()):
                names_at.setdefault(place, []).append(name)
    return {place: tuple(dict.fromkeys(names)) for place, names in names_at.items()}


class Source:
    """A module of a game. path: of its file; tree: what it says."""

    def __init__(self, path: str, tree: ast.Module) -> None:
        self.path, self.tree = path, tree
        self._package = path.split("/")[:-1]

    @cached_property
    def definitions(self) -> dict[str, Definition]:
        """What is defined at the top level, by name."""
        nodes: dict[str, Definition] = {}
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                nodes[node.name] = node
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                nodes |= {target.id: node for target in targets if isinstance(target, ast.Name)}
        return nodes

    @cached_property
    def places(self) -> dict[str, list[str]]:
        """Where the functions are that stand in each definition, itself among them."""
        return {
            name: [f"{self.path}:{t.lineno} {t.name}" for t in ast.walk(node) if isinstance(t, ast.FunctionDef)]
            for name, node in self.definitions.items()
        }

    @cached_property
    def imported(self) -> dict[str, tuple[str, str]]:
        """What each imported name stands for: a module of the game, and what is taken from it."""
        names: dict[str, tuple[str, str]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.level:
                above = self._package[: len(self._package) - node.level + 1]
                module = ".".join([*above, *(node.module or "").split(".")]).strip(".")
                names |= {name.asname or name.name: (module, name.name) for name in node.names}
        return names

    def names_in(self, definition: str) -> Iterator[tuple[str, str]]:
        """The names that a definition uses, each with the attribute that is taken of it, "" for none; those of
        annotations are left out.
        """
        todo: list[ast.AST] = [self.definitions[definition]]
        while todo:
            node = todo.pop()
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                yield node.value.id, node.attr
            elif isinstance(node, ast.Name):
                yield node.id, ""
            for field, value in ast.iter_fields(node):
                if field not in ("annotation", "returns"):
                    todo += [
                        part for part in (value if isinstance(value, list) else [value]) if isinstance(part, ast.AST)
                    ]


def _declarations(sources: Mapping[str, Source], question: str, module: str) -> Iterator[Node]:
    """What declares a question in the module that holds it: the definition that calls something with its name, or else
    all that is called QUESTION or QUESTIONS.
    """
    parts = module.split(".")
    tails = (".".join(parts[number:]) for number in range(len(parts) + 1))
    at = next((tail or "__init__" for tail in tails if (tail or "__init__") in sources), "__init__")
    own = sources[at].definitions if at in sources else {}
    named = [
        name for name, node in own.items() if isinstance(node, ast.Assign | ast.AnnAssign) and _calls(node, question)
    ]
    yield from ((at, name) for name in named or own if named or name in ("QUESTION", "QUESTIONS"))


def _calls(node: ast.AST, question: str) -> bool:
    """Whether something is called with the name of a question."""
    calls = (t for t in ast.walk(node) if isinstance(t, ast.Call))
    values = (
        value
        for call in calls
        for value in (*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "name"))
    )
    return any(isinstance(value, ast.Constant) and value.value == question for value in values)


def _reach(beginning: Iterable[Node], beyond: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """All that is named by some definitions, by what these name, and so on."""
    reached, todo = set[Node](), list(beginning)
    while todo:
        if (at := todo.pop()) not in reached:
            reached.add(at)
            todo += beyond(at)
    return reached


def _definitions_of(
    sources: Mapping[str, Source], at: str, name: str, attribute: str = "", passed: frozenset[Node] = frozenset()
) -> Iterator[Node]:
    """The definition that a name stands for in a module, through whatever modules it is imported. passed: names on the
    way.
    """
    source = sources[at]
    if name in source.definitions:
        yield at, name
    if name not in source.imported or (at, name) in passed:
        return
    module, taken = source.imported[name]
    for where, what in ((module, taken), (f"{module}.{taken}".strip("."), attribute)):
        file = where if where in sources else f"{where}.__init__".strip(".")
        if what and file in sources:
            yield from _definitions_of(sources, file, what, passed=passed | {(at, name)})
