"""Worked cases of rules without a clause, which the games' authors take from their tests: `proofs.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from ...util.datafiles import read_toml, resolve_within
from ...util.notes import note
from ..games import Game

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FILE = "proofs.toml"


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A worked case."""

    rules: Annotated[tuple[str, ...], note("the rules that it shows at work")]
    position: Annotated[str, note("in notation, with the question")]
    answer: Annotated[str, note("the line of the answer that the rules decide, or its verdict")]
    test: Annotated[str, note("the test that asks it")] = ""


class _Examples(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file."""

    example: tuple[Example, ...] = ()


def read_examples(game: Game) -> dict[str, Example]:
    """Return the worked cases of a game by their rules.

    Raises InputError if the file is faulty.
    """
    file = resolve_within(game.folder, FILE)
    if not file.is_file():
        return {}
    return {rule: example for example in read_cases(file) for rule in example.rules}


def read_cases(file: Traversable) -> tuple[Example, ...]:
    """Return the worked cases of a file. Raises InputError if it is faulty."""
    return read_toml(file, _Examples).example
