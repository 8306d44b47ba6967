"""The file `proofs.toml`: worked cases of rules, and words for the rows of files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from ...util.datafiles import read_toml, resolve_within
from ...util.notes import note
from ...util.patterns import late_pattern
from ..games import Game

FILE = "proofs.toml"
_CITED = late_pattern(r" \[([^][]+)\]$")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def cited_in(line: str) -> str:
    """Return the rule that a line of an answer cites at its end, or "" if it cites none."""
    match = _CITED.search(line)
    return match[1] if match else ""


def cites_of(rule: str) -> tuple[str, ...]:
    """Return the rules that a line may cite for a row of the rule index: its own, and the numbers above it."""
    section = rule.partition("/")[0]
    return rule, section, section.rstrip(_LETTERS)


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A worked case."""

    rules: Annotated[tuple[str, ...], note("the rules that it shows at work")]
    position: Annotated[str, note("in notation, with the question; the file leaves out the line `game`")]
    answer: Annotated[
        tuple[str, ...], note("the lines of the answer that the rules decide, each with the rule that it cites")
    ]

    def lines_for(self, rule: str) -> tuple[str, ...]:
        """Return the lines of the answer for one of several rules.

        If some line cites the rule, lines that cite another rule are left out.
        """
        if len(self.rules) == 1:
            return self.answer
        cited = {line: cited_in(line) for line in self.answer}
        cited_rule = next((each for each in cites_of(rule) if each in cited.values()), "")
        return tuple(line for line in self.answer if not cited_rule or cited[line] in ("", cited_rule))

    def shows(self, rule: str) -> bool:
        """Return whether some line of the answer cites a rule."""
        return any(cited_in(line) in cites_of(rule) for line in self.answer)


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words for the rows of a file."""

    row: Annotated[
        str,
        note(
            "the sentence of a row, with its cells as `{column}`; a part in square brackets is left out if one of its "
            "cells is empty, and `|` in them parts it from what is said then"
        ),
    ]
    words: Annotated[dict[str, str], note("words for cells that are codes, as `cell` or `column=cell`")] = {}


class _Examples(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `proofs.toml`."""

    example: tuple[Example, ...] = ()
    words: Annotated[dict[str, str], note("words for the codes in the rows of all files")] = {}
    table: Annotated[dict[str, Table], note("the words for the rows of files, by the files' paths")] = {}


def list_examples(game: Game) -> tuple[Example, ...]:
    """Return the worked cases of a game in the order of its file, each with the line that names the game.

    Raises InputError if the file is faulty.
    """
    written = _read_file(game).example
    return tuple(
        msgspec.structs.replace(each, position=f"game {game.id}\n{each.position.strip(chr(10))}") for each in written
    )


def read_examples(game: Game) -> dict[str, Example]:
    """Return the worked cases of a game by their rules.

    Raises InputError if the file is faulty.
    """
    return {rule: example for example in list_examples(game) for rule in example.rules}


def read_tables(game: Game) -> Mapping[str, Table]:
    """Return the words for the rows of a game's files, by the files' paths.

    Raises InputError if the file of the worked cases is faulty.
    """
    written = _read_file(game)
    return {
        path: msgspec.structs.replace(table, words=written.words | table.words) for path, table in written.table.items()
    }


def read_words(game: Game) -> Mapping[str, str]:
    """Return the words for the codes in a game's files. Raises InputError if the file of the worked cases is faulty."""
    return _read_file(game).words


def _read_file(game: Game) -> _Examples:
    file = resolve_within(game.folder, FILE)
    return read_toml(file, _Examples) if file.is_file() else _Examples()
