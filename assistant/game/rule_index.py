"""The rule index of a game: its rules, the code of each, and the questions that run it.

The index is the game's `rules.csv`. A function names its rules at the end of its docstring (`Rule: 10.8a, 10.8b`, or
`Rule: CRT/shock` for what has no number); this module reads those lines without importing the function.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec

from ..util.datafiles import read_rows, read_text, resolve_within
from ..util.errors import FREE_MEMORY, NO_MEMORY, InputError, OnFault, Where, ignore, stop
from ..util.notes import note
from ..util.patterns import late_pattern
from .course import COURSE, TABLES, course_file
from .games import CLAUSES, SCHEDULES, Game

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


_RULE = r"(?:[0-9]|[A-Z][A-Za-z-]*/)[\w./+-]*"
"""A rule's name: a number such as 10.8a, 3-14 or 14.8/3-edge, or a word and a stroke for one without, `CRT/shock`."""

INDEX = "rules.csv"
REMINDER = "reminder"
KINDS_OF_RULES = ("compute", "check", "state", "data", "sequence", "physical", REMINDER)
SET_UP_CHANGES = "setups/changes.csv"
"""The file of changes that options make in set-ups."""
FOLLOWED_KINDS = ("sequence", "data")
"""The kinds of rules that a question can follow from a data file alone; others need code."""
FILE_QUESTIONS = {COURSE: "turn", SET_UP_CHANGES: "setup", SCHEDULES: "due"}
"""The questions that follow the rules in a data file, or in the files of a folder."""
SECTION_QUESTIONS = {
    "ground": ("zones", "reach", "move", "supply", "battle", "attacks", "need", "threat", "victory"),
    "terrain": ("reach", "move", "battle", "attacks", "need", "threat"),
    "zones": ("zones", "reach", "move", "supply", "retreat", "advance", "threat"),
    "stacking": ("stack", "move", "retreat", "advance", "threat"),
    "movement": ("reach", "move", "threat"),
    "supply": ("supply", "reach", "move", "battle", "attacks", "need", "threat"),
    "battle": ("battle", "attacks", "need", "threat"),
    "retreat": ("retreat",),
    "advance": ("advance",),
    "victory": ("victory",),
}
"""The questions that follow the clauses of each section of `rules.toml`."""
NO_INDEX = f"add {INDEX} to its folder: rule,kind,title,left_out"
"""The hint for a game without a rule index."""
IN_PART = "in part: "
"""The beginning of `left_out` for a rule that is computed in part. The text then names that part."""
A_REMINDER = "a reminder: the program says it at its time and does not judge it"
A_FACT = "a fact of the game"
"""The beginning of `left_out` for a rule that only states data of the game's files, with nothing to apply."""

_RULE_LINE = late_pattern(r"(?:^|\s)Rule:\s*(\S.*)\Z", re.DOTALL)
"""The text after `Rule:` at the end of a docstring, whether it names rules or not."""
_RANGE = late_pattern(rf"({_RULE})\s+to\s+({_RULE})")
_NUMBERED = late_pattern(r"(.*?)([0-9]+)")


def declared_in(docstring: str) -> tuple[tuple[str, ...], str]:
    """Return the rules at the end of a docstring, and the first word there that is not a rule, or ""."""
    rule_line = _RULE_LINE.search(docstring)
    return read_rules(rule_line[1]) if rule_line else ((), "")


def read_rules(text: str) -> tuple[tuple[str, ...], str]:
    """Return the rules in a text, and the first word that is not a rule, or "".

    Commas, semicolons or blanks separate the rules. `3-14 to 3-16` is 3-14, 3-15 and 3-16.
    """
    unfolded = _RANGE.sub(lambda match: ", ".join(_list_between(match[1], match[2])) or match[0], text)
    words = [word for word in re.split(r"[,;\s]+", unfolded.strip()) if word]
    rules = tuple(word for word in words if re.fullmatch(_RULE, word))
    others = [word for word in words if not re.fullmatch(_RULE, word)]
    return (rules if len(rules) > len(others) else ()), "".join(others[:1])  # otherwise the text is a sentence


def _list_between(first: str, last: str) -> list[str]:
    """Return the rules from first to last, or [] if the two differ in more than their last number."""
    start, end = _NUMBERED.fullmatch(first), _NUMBERED.fullmatch(last)
    if not (start and end and start[1] == end[1] and 0 < int(end[2]) - int(start[2]) < 200):
        return []
    return [f"{start[1]}{number}" for number in range(int(start[2]), int(end[2]) + 1)]


MAX_CACHED_MODULES = 1024
"""The maximum number of modules with cached findings, enough for a few games. Parsing is slow."""


class RuleRow(msgspec.Struct, frozen=True):
    """A row of the rule index."""

    rule: str
    kind: Annotated[str, note("one of `KINDS_OF_RULES`")]
    title: str
    left_out: Annotated[
        str, note("why no function applies it, what is done of it (`IN_PART`), or that it is a fact (`A_FACT`)")
    ]
    code: Annotated[
        tuple[str, ...],
        note("FILE:LINE FUNCTION, tracks.toml:TRACK, course.toml:PHASE, rules.toml:CLAUSE or tables/FILE"),
    ] = ()

    @property
    def is_reminder(self) -> bool:
        """Whether the program only reminds the players of the rule."""
        return self.kind == REMINDER and not self.left_out

    @property
    def left(self) -> str:
        """The part of the rule that is left to the players, with the reason in words, or "" if all is computed."""
        if self.is_reminder:
            return A_REMINDER
        is_complete = self.left_out.startswith((IN_PART, A_FACT)) or not self.left_out
        return self.left_out if is_complete else f"left to the players: {self.left_out}"


class RuleLine(NamedTuple):
    """A `Rule:` line in the docstring of a function or a class."""

    path: Annotated[str, note("path of the file with the definition; `line` and `name` are of the definition too")]
    line: int
    name: str
    is_function: Annotated[bool, note("whether it is a function, as only functions declare rules")]
    rules: tuple[str, ...]
    unreadable: Annotated[str, note('the first word there that names no rule, "" if all do')] = ""
    passed: Annotated[
        frozenset[str], note("rules that a range passes without naming them, which the index may lack")
    ] = frozenset()


def rule_lines(folder: Traversable) -> Iterator[RuleLine]:
    """Yield the `Rule:` lines in the code of a folder.

    Raises InputError if a file is too large, or is not Python.
    """
    for path, text in modules_of(folder):
        yield from _read_rule_lines(path, text)


@lru_cache(MAX_CACHED_MODULES)
def _read_rule_lines(path: str, text: str) -> tuple[RuleLine, ...]:
    lines = []
    for node in ast.walk(tree_of(path, text)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            docstring = ast.get_docstring(node) or ""
            rules, unreadable = declared_in(docstring)
            if not (rules or unreadable):
                continue
            passed = frozenset(rules) - frozenset(re.findall(_RULE, docstring))
            is_function = isinstance(node, ast.FunctionDef)
            lines.append(RuleLine(path, node.lineno, node.name, is_function, rules, unreadable, passed))
    return tuple(lines)


def declared_rules(folder: Traversable) -> Iterator[tuple[str, str]]:
    """Yield each rule that a function declares, with its place, such as `combat/odds.py:40 shift_for_terrain`.

    Raises InputError if a file is too large, or is not Python.
    """
    for line in rule_lines(folder):
        if line.is_function:
            for rule in line.rules:
                yield rule, f"{line.path}:{line.line} {line.name}"


def modules_of(folder: Traversable) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each Python module in a folder and its subfolders.

    Raises InputError if a file is too large, or is not text.
    """
    for path, file in list_files_ending(folder, ".py"):
        yield path, read_text(file)


def list_files_ending(folder: Traversable, *endings: str, path: str = "") -> Iterator[tuple[str, Traversable]]:
    """Yield the path and the file of each file with one of the suffixes in a folder and its subfolders.

    Hidden folders, bytecode and links to folders are left out.
    """
    for name, is_folder in sorted(_list_entries(folder)):
        if is_folder and not name.startswith((".", "__")):
            yield from list_files_ending(folder / name, *endings, path=f"{path}{name}/")
        elif not is_folder and name.endswith(endings):
            yield f"{path}{name}", folder / name


def _list_entries(folder: Traversable) -> Iterator[tuple[str, bool]]:
    if not isinstance(folder, Path):
        yield from ((entry.name, entry.is_dir()) for entry in folder.iterdir())
        return
    with os.scandir(folder) as entries:  # faster than `iterdir`, as folders are known without a call for each entry
        for entry in entries:
            if not entry.is_dir():
                yield entry.name, False
            elif not entry.is_symlink():
                yield entry.name, True


def tree_of(path: str, text: str) -> ast.Module:
    """Return the syntax tree of a module, or raise InputError if its text is not Python."""
    try:
        return ast.parse(text)
    except MemoryError:  # Python also raises MemoryError for deep nesting
        what = f"this nests too deep for Python, or there is {NO_MEMORY}"
        raise InputError(what, where=Where(path), hint=f"correct the file, or {FREE_MEMORY}") from None
    except (SyntaxError, ValueError, RecursionError) as error:
        line = error.lineno or 0 if isinstance(error, SyntaxError) else 0
        why = f": {error.msg}" if isinstance(error, SyntaxError) else ""
        raise InputError(f"this is not valid Python{why}", where=Where(path, line), hint="correct the file") from None


def read_index(folder: Traversable, on_fault: OnFault = stop) -> list[dict[str, str]]:
    """Return the rows of the rule index in a game's folder, or [] if there is no index."""
    file = resolve_within(folder, INDEX)
    rows = read_rows(file, ["rule", "kind", "title", "left_out"], on_fault=on_fault) if file.is_file() else ()
    return [row for row, _ in rows]


def rule_titles(game: Game) -> list[tuple[str, str]]:
    """Return the rules of the index with their titles. The titles of steps of play end with `(sequence)`."""
    rows = read_index(game.folder)
    return [(row["rule"], row["title"] + (" (sequence)" if row["kind"] == "sequence" else "")) for row in rows]


def rule_index(game: Game) -> list[RuleRow]:
    """Return the rule index of a game with the code or data that applies each row, or [] without an index."""
    rows = read_index(game.folder)
    code: dict[str, list[str]] = {}
    if not rows:
        return []
    for rule, where in declared_rules(game.folder):
        code.setdefault(rule, []).append(where)
    for track in game.tracks.values():
        code.setdefault(track.rule, []).append(f"tracks.toml:{track.name}")
    followed = {row["rule"] for row in rows if row["kind"] in FOLLOWED_KINDS and not row["left_out"]}
    for rule, where in dict.fromkeys(_find_stated_rules(game)):
        if rule in followed:
            code.setdefault(rule, []).append(where)
    for rule, where in dict.fromkeys(_find_scheduled_rules(game)):
        code.setdefault(rule, []).append(where)
    for rule, where in dict.fromkeys(_find_clause_rules(game)):
        code.setdefault(rule, []).append(where)
    for rule, where in dict.fromkeys(_find_tabled_rules(game.folder)):
        if rule in code:  # rows do nothing without a function that reads them
            code[rule].append(where)
    return [
        RuleRow(row["rule"], row["kind"], row["title"], row["left_out"], tuple(code.get(row["rule"], ())))
        for row in rows
    ]


def _find_stated_rules(game: Game) -> Iterator[tuple[str, str]]:
    """Yield each rule that a question without code follows from a data file, with its place.

    Places are `course.toml:order of play`, `course.toml:Movement` or `setups/changes.csv:NAME`.
    """
    course = course_file(game)
    yield from ((rule, f"{COURSE}:order of play") for rule in read_rules(course.turns.rule)[0])
    for phase in course.phase:
        rules = [phase.rule, *(skip.rule for skip in phase.skipped), *(step.rule for step in phase.steps)]
        yield from ((rule, f"{COURSE}:{phase.title}") for text in rules for rule in read_rules(text)[0])
    if game.has_file(SET_UP_CHANGES):
        for row, _ in read_rows(resolve_within(game.folder, SET_UP_CHANGES), ["scenario", "rule"]):
            if row["rule"]:
                yield row["rule"], f"{SET_UP_CHANGES}:{row['scenario']}"


def _find_scheduled_rules(game: Game) -> Iterator[tuple[str, str]]:
    """Yield each rule in a row of a schedule or of `events.toml`, with its place: `schedules/regular.csv:12`.

    `due` and every journal follow these rows without code, so rules of any kind count.
    """
    from .events import EVENTS, read_events  # imported late, as most reads use a cached index
    from .schedule_files import read_schedules

    for row, where in read_schedules(game).located:
        yield from ((rule, str(where)) for rule in read_rules(row.rule)[0])
    events = read_events(game)
    named = [(word, kind.rule) for word, event in events.event.items() for kind in (event, *event.kinds.values())]
    named += [(part.title, part.rule) for parts in (events.level, events.debt, events.barred) for part in parts]
    for title, text in named:
        yield from ((rule, f"{EVENTS}:{title}") for rule in read_rules(text)[0])


def _find_clause_rules(game: Game) -> Iterator[tuple[str, str]]:
    """Yield each rule that `rules.toml` names, with its place: `rules.toml:zones.barred 1`."""
    if game.has_file(CLAUSES):
        from .rule_file import list_rules, read_rule_file  # imported late, as few games have the file

        for named in list_rules(read_rule_file(game)):
            yield from ((rule, f"{CLAUSES}:{named.place}") for rule in read_rules(named.text)[0])


def _find_tabled_rules(folder: Traversable) -> Iterator[tuple[str, str]]:
    for path, file in list_files_ending(folder, ".csv"):
        if path.startswith(f"{TABLES}/"):
            for row, _ in read_rows(file, [], path, ignore):
                yield from ((rule, path) for rule in read_rules(row.get("rule", ""))[0])


# --- chapters ---------------------------------------------------------------------------------------------------------

_BEGINNING = late_pattern(r"\w+")


def is_under(rule: str, number: str) -> bool:
    """Return whether a rule has this number or name, or is below it.

    10.8a is under 10.8 and 10, but 10 is not under 1, nor Option/3 under Opt. All rules are under "".
    """
    if not rule.casefold().startswith(number.casefold()):
        return False
    # Two digits or two letters at the end of `number` mean that the rule's own number or word continues.
    joint = rule[len(number) - 1 : len(number) + 1] if number else ""
    return len(joint) < 2 or not (joint.isdecimal() or joint.isalpha())


def title_of_chapter(rule: str, chapters: Mapping[str, str]) -> str:
    """Return the number and the title of the chapter of a rule, `11 Combat Results`, or only its number."""
    chapter = chapter_of(rule, chapters)
    return f"{chapter} {chapters.get(chapter, '')}".strip()


def chapter_of(rule: str, chapters: Iterable[str]) -> str:
    """Return the longest of `chapters` that a rule is under, such as Opt/Fog for Opt/Fog/3.

    If there is none, return the text before the first point, hyphen or stroke: 10 for 10.8a.
    """
    if containing := [chapter for chapter in chapters if is_under(rule, chapter)]:
        return max(containing, key=len)
    beginning = _BEGINNING.match(rule)
    return beginning[0] if beginning else rule
