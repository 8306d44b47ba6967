"""The rule index of a game: every rule with an effect, and the code that applies it.

The index is the game's `rules.csv`. A function names the rules it applies at the end of its docstring
(`Rule: 10.8a, 10.8b`, or `Rule: CRT/shock` for what has no number); this module reads those lines from the source without importing it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ..util.datafiles import inner, read_rows, read_text
from ..util.errors import InputError, Where
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


def modules_of(folder: Traversable) -> Iterator[tuple[str, ast.Module]]:
    """The Python modules of a folder and its subfolders, each with its path; a link to another folder is not followed.

    Raises InputError for a file that is too large, or is not Python.
    """
    return ((path, _parse(file, path)) for path, file in _modules(folder))


def _parse(file: Traversable, path: str) -> ast.Module:
    try:
        return ast.parse(read_text(file))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if isinstance(error, InputError):
            raise
        line = error.lineno or 0 if isinstance(error, SyntaxError) else 0
        raise InputError(
            "it is not Python that can be read", where=Where(path, line), hint="correct the file"
        ) from None


def _modules(folder: Traversable, path: str = "") -> Iterator[tuple[str, Traversable]]:
    """The Python files of a folder and its subfolders, each with its path; a link to another folder is not followed."""
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.is_dir():
            if not file.name.startswith(".") and not (isinstance(file, Path) and file.is_symlink()):
                yield from _modules(file, f"{path}{file.name}/")
        elif file.name.endswith(".py"):
            yield f"{path}{file.name}", file


def rule_titles(game: Game) -> list[tuple[str, str]]:
    """The rules of the index with their titles, steps of the sequence of play marked as such, in its order; none if the game has no index."""
    file = inner(game.folder, "rules.csv")
    rows = read_rows(file, ["rule", "kind", "title", "left_out"]) if file.is_file() else ()
    return [(row["rule"], row["title"] + f" ({row['kind']})" * (row["kind"] == "sequence")) for row, _ in rows]


def rule_index(game: Game) -> list[RuleRow]:
    """The rule index of a game with the code that applies each row; empty if the game has none."""
    file = inner(game.folder, "rules.csv")
    if not file.is_file():
        return []
    code: dict[str, list[str]] = {}
    for rule, where in declared_rules(game.folder):
        code.setdefault(rule, []).append(where)
    for track in game.tracks.values():
        code.setdefault(track.rule, []).append(f"tracks.toml:{track.name}")
    return [
        RuleRow(row["rule"], row["kind"], row["title"], row["left_out"], tuple(code.get(row["rule"], ())))
        for row, _ in read_rows(file, ["rule", "kind", "title", "left_out"])
    ]
