"""Mistakes in a game's rules: in chapters, in `Rule:` lines, and in the rules that data files name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ..util.datafiles import read_rows, read_text, resolve_within
from ..util.errors import InputError, Where, format_suggestion, ignore
from ..util.texts import natural
from .games import CLAUSES, Game
from .rule_index import (
    INDEX,
    KINDS_OF_RULES,
    REMINDER,
    chapter_of,
    is_under,
    list_files_ending,
    read_rules,
    rule_index,
    rule_lines,
    rule_titles,
)


def chapter_faults(game: Game) -> Iterator[InputError]:
    """Yield chapters without a title, and missing chapters of rules and rulings.

    A game that names no chapters has no such faults.
    """
    chapters = game.file.chapters
    where = Where("game.toml")
    for chapter, title in chapters.items():
        if not title.strip():
            hint = "write the heading that the rulebook has"
            yield InputError(f"[chapters] {chapter!r} has no title", where=where, hint=hint)
    rules = [rule for rule, _ in rule_titles(game)] + [ruling.rule for ruling in game.rulings.values()]
    missing = dict.fromkeys(chapter_of(rule, chapters) for rule in rules) if chapters else {}
    for chapter in missing:
        if chapter not in chapters:
            yield InputError(f"[chapters] has no {chapter!r}", where=where, hint=f'write: "{chapter}" = "its heading"')


SPELLING_HINT = "name rules as 10.8a, 14.8/3-edge or CRT/shock, separated by commas, with nothing after them"


def rule_line_faults(game: Game) -> Iterator[InputError]:
    """Yield an error for each `Rule:` line that is unreadable, belongs to a class, or names an unknown rule.

    The known rules are in `rules.csv`; a game without this file has no faults.

    Raises InputError if a file is not Python.
    """
    known = dict(rule_titles(game))
    if not known:
        return
    for line in rule_lines(game.folder):
        where = Where(line.path, line.line)
        if line.unreadable:
            yield InputError(
                f"{line.name}: the Rule: line cannot be read at {line.unreadable!r}", where=where, hint=SPELLING_HINT
            )
        elif not line.is_function:
            what = f"{line.name}: the Rule: line of a class is not read"
            yield InputError(what, where=where, hint="write it in the docstring of the function that applies the rule")
        if line.is_function:
            for rule in line.rules:
                if rule not in known and rule not in line.passed:
                    what = f"{line.name}: Rule: {rule} is not in rules.csv"
                    yield InputError(what, where=where, hint=format_suggestion(rule, known))


def data_rule_faults(game: Game) -> Iterator[InputError]:
    """Yield unknown kinds of rules, and unknown rules in tables and TOML files.

    A rule is known if it is in `rules.csv` or a chapter of it, as 10.8 is a chapter of 10.8a. A game without an index
    has no faults.
    """
    index = _list_rules(game)
    if not index:
        return
    for row, where in read_rows(resolve_within(game.folder, INDEX), ["kind"], INDEX, ignore):
        if (kind := row["kind"]) not in KINDS_OF_RULES:
            yield InputError(
                f"{kind!r} is not a kind of rule", where=where, hint=format_suggestion(kind, KINDS_OF_RULES)
            )
    for where, text in _find_data_rules(game):
        rules, unreadable = read_rules(text)
        if unreadable and any(natural(letter) is not None for letter in unreadable):
            yield InputError(f"the rule cannot be read at {unreadable!r}", where=where, hint=SPELLING_HINT)
        for rule in rules:
            if rule in text and not _is_indexed(rule, index):
                yield InputError(f"rule {rule} is not in {INDEX}", where=where, hint=format_suggestion(rule, index))


@lru_cache(16)
def with_chapters(rules: tuple[str, ...]) -> frozenset[str]:
    """Return rules with all chapters above them (see `is_under`), such as 10.8 and 10 for 10.8a.

    The result is cached, because every checked answer needs the rules of its game.
    """
    return frozenset(rule[:at] for rule in rules for at in range(1, len(rule) + 1) if is_under(rule, rule[:at]))


def _list_rules(game: Game) -> tuple[str, ...]:
    return tuple(rule for rule, _ in rule_titles(game))


def _is_indexed(rule: str, index: tuple[str, ...]) -> bool:
    """Return whether a rule is in an index or is a chapter of the index; 10.0 is 10."""
    return rule.removesuffix(".0") in with_chapters(index)


def quoted_rule_faults(game: Game, texts: Iterable[str], by: str) -> Iterator[InputError]:
    """Yield the rules in some texts that are neither in `rules.csv` nor chapters of it.

    A game without an index has no faults.

    `by`: the source of the texts, in words.
    """
    index = _list_rules(game)
    if not index:
        return
    for rule in dict.fromkeys(rule for text in texts for rule in read_rules(text)[0]):
        if not _is_indexed(rule, index):
            yield InputError(f"{by} names rule {rule}, which is not in {INDEX}", hint=format_suggestion(rule, index))


def rule_remarks(game: Game) -> Iterator[str]:
    """Yield a remark on rules to be computed or reminded of that no code applies and `left_out` does not explain."""
    idle = [
        row.rule for row in rule_index(game) if row.kind in ("compute", REMINDER) and not (row.code or row.left_out)
    ]
    if idle:
        remainder = f" and {len(idle) - _MAX_RULES_NAMED} more" if len(idle) > _MAX_RULES_NAMED else ""
        named = ", ".join(idle[:_MAX_RULES_NAMED]) + remainder
        hint = f"name each in the docstring of its function, `Rule: {idle[0]}`, or say in left_out why none does"
        yield f"{INDEX}: no code applies {named}; {hint}"


_MAX_RULES_NAMED = 12
"""The maximum number of rules in a remark."""


def _find_clause_rules(game: Game) -> Iterator[tuple[Where, str]]:
    """Yield the rules that `rules.toml` names under other keys than `rule`, with their lines."""
    from .rule_file import list_rules, read_rule_file  # imported late, as few games have the file

    lines = read_text(resolve_within(game.folder, CLAUSES)).splitlines()
    for named in list_rules(read_rule_file(game, ignore)):
        number = next((number for number, line in enumerate(lines, 1) if f'"{named.text}"' in line), 0)
        yield Where(CLAUSES, number), named.text


def _find_data_rules(game: Game) -> Iterator[tuple[Where, str]]:
    for path, file in list_files_ending(game.folder, ".csv"):
        if path != INDEX:
            for row, where in read_rows(file, [], path, ignore):
                yield where, row.get("rule", "")
    if game.has_file(CLAUSES):
        yield from _find_clause_rules(game)
    for path, file in list_files_ending(game.folder, ".toml"):
        for number, line in enumerate(read_text(file, path).splitlines(), 1):
            yield from ((Where(path, number), rule) for rule in re.findall(r'\brule = "([^"]*)"', line))
