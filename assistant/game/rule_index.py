"""The rule index of a game: every rule with an effect, the code that applies it, and the questions that run that code.

The index is the game's `rules.csv`. A function names the rules it applies at the end of its docstring (`Rule: 10.8a,
10.8b`, or `Rule: CRT/shock` for what has no number); this module reads those lines from the source without importing
it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ..util.datafiles import inner, read_rows, read_text
from ..util.errors import InputError, OnFault, Where, stop, suggested
from .course import COURSE, course_file
from .games import Game

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


_RULE = r"(?:[0-9]|[A-Z][A-Za-z-]*/)[\w./-]*"
"""The name of a rule: a number, 10.8a or 14.8/3-edge, or what a rulebook sets apart without one, `CRT/shock`."""

SET_UP_CHANGES = "setups/changes.csv"
"""The file with what options and the like change in set-ups."""
FOLLOWED = ("sequence", "data")
"""The kinds of rules that a question follows by what a file states of them; others have to be computed."""
OF_FILES = {COURSE: "turn", SET_UP_CHANGES: "setup"}
"""The questions that follow what files state."""

DECLARED = re.compile(rf"\bRule:\s*({_RULE}(?:[,\s]+{_RULE})*)\s*\Z")
_MEANT = re.compile(r"(?:^|\s)Rule:\s*(\S.*)\Z", re.DOTALL)
"""What a docstring says behind the word, whether it names rules or not."""


MODULES_KEPT = 1024
"""Of how many modules it is kept what was read from their texts, which takes much longer than to read these: of all modules of some games."""


class RuleRow(msgspec.Struct, frozen=True):
    """A row of the rule index.

    kind: compute, check, state, data, sequence or physical; left_out: why no function applies it, "" if one does; code:
    where to find it, as FILE:LINE FUNCTION in the game's folder, as tracks.toml:TRACK for a fact that a rule reads, or
    as the part of a file that states it, course.toml:PHASE.
    """

    rule: str
    kind: str
    title: str
    left_out: str
    code: tuple[str, ...] = ()


class RuleLine(NamedTuple):
    """A `Rule:` line in the docstring of a function or a class.

    path, line: of the definition; name: of it; is_function: whether it is a function, as only functions declare rules;
    rules: those that are declared; unreadable: the first word that names no rule, for which none of them is read, "" if
    all can be.
    """

    path: str
    line: int
    name: str
    is_function: bool
    rules: tuple[str, ...]
    unreadable: str = ""


def rule_lines(folder: Traversable) -> Iterator[RuleLine]:
    """The `Rule:` lines in the code of a folder. Raises InputError for a file that is too large, or is not Python."""
    for path, text in modules_of(folder):
        yield from _rule_lines_in(path, text)


@lru_cache(MODULES_KEPT)
def _rule_lines_in(path: str, text: str) -> tuple[RuleLine, ...]:
    lines = []
    for node in ast.walk(tree_of(path, text)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            said = ast.get_docstring(node) or ""
            if read := DECLARED.search(said):
                rules, unreadable = tuple(re.split(r"[,\s]+", read[1])), ""
            elif meant := _MEANT.search(said):
                words = re.split(r"[,\s]+", meant[1])
                rules, unreadable = (), next((word for word in words if not re.fullmatch(_RULE, word)), words[0])
            else:
                continue
            lines.append(RuleLine(path, node.lineno, node.name, isinstance(node, ast.FunctionDef), rules, unreadable))
    return tuple(lines)


def declared_rules(folder: Traversable) -> Iterator[tuple[str, str]]:
    """Each rule that a function in a folder declares, with its place: ("10.8a", "combat/odds.py:40 shift_for_terrain").

    Raises InputError for a file that is too large, or is not Python.
    """
    for line in rule_lines(folder):
        for rule in line.rules if line.is_function else ():
            yield rule, f"{line.path}:{line.line} {line.name}"


def modules_of(folder: Traversable, path: str = "") -> Iterator[tuple[str, str]]:
    """The Python modules of a folder and its subfolders, each with its path and its text; a link to another folder is not followed.

    path: of the folder itself. Raises InputError for a file that is too large, or is no text.
    """
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.is_dir():
            if not file.name.startswith(".") and not (isinstance(file, Path) and file.is_symlink()):
                yield from modules_of(file, f"{path}{file.name}/")
        elif file.name.endswith(".py"):
            yield f"{path}{file.name}", read_text(file)


def tree_of(path: str, text: str) -> ast.Module:
    """What a module says, by its path and its text. Raises InputError for what is not Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = error.lineno or 0 if isinstance(error, SyntaxError) else 0
        raise InputError("this is not valid Python", where=Where(path, line), hint="correct the file") from None


def read_index(folder: Traversable, on_fault: OnFault = stop) -> list[dict[str, str]]:
    """The rows of the rule index in the folder of a game, none if it has no index. Each fault goes to `on_fault`."""
    file = inner(folder, "rules.csv")
    rows = read_rows(file, ["rule", "kind", "title", "left_out"], on_fault=on_fault) if file.is_file() else ()
    return [row for row, _ in rows]


def rule_titles(game: Game) -> list[tuple[str, str]]:
    """The rules of the index with their titles, steps of the sequence of play marked as such, in its order; none if the
    game has no index.
    """
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
    followed = {row["rule"] for row in rows if row["kind"] in FOLLOWED and not row["left_out"]}
    for rule, where in dict.fromkeys(stated_rules(game)):
        if rule in followed:
            code.setdefault(rule, []).append(where)
    return [
        RuleRow(row["rule"], row["kind"], row["title"], row["left_out"], tuple(code.get(row["rule"], ())))
        for row in rows
    ]


def stated_rules(game: Game) -> Iterator[tuple[str, str]]:
    """Each rule that a question without code follows from a data file, with its place: a phase of the sequence of play
    (`course.toml:Movement`), what options change in a set-up (`setups/changes.csv:NAME`).
    """
    for phase in course_file(game).phase:
        rules = [phase.rule, *(skip.rule for skip in phase.skipped), *(step.rule for step in phase.steps)]
        yield from ((rule, f"{COURSE}:{phase.title}") for rule in rules if rule)
    if game.has_file(SET_UP_CHANGES):
        for row, _ in read_rows(inner(game.folder, SET_UP_CHANGES), ["scenario", "rule"]):
            if row["rule"]:
                yield row["rule"], f"{SET_UP_CHANGES}:{row['scenario']}"


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
