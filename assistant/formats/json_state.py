"""States as JSON, for programs. The schema is published: `assistant schema state`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from ..errors import InputError, Where
from ..games import Game
from ..positions import Asked, Format, Position
from ..sources import Fact, Source
from ..state import Cell, GameState, Unit


class FactEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fact: its track, what it speaks of ("" for the game itself), its value."""

    track: str
    value: bool | int | str | tuple[str, ...]
    subject: str = ""
    source: Source = Source.STATED
    assumed: bool = False


class CellEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A chart cell: the chart, the keys that lead to it, its fields."""

    chart: str
    key: tuple[int | str, ...]
    values: dict[str, int | str]
    source: Source = Source.STATED


class AskEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question and its parameters."""

    question: str
    parameters: dict[str, Any] = {}


class StateFile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A state, with the questions asked of it and the answers to their rolls and choices."""

    game: str
    board: str = ""
    units: tuple[Unit, ...] = ()
    facts: tuple[FactEntry, ...] = ()
    cells: tuple[CellEntry, ...] = ()
    rulings: dict[str, str] = {}
    lines: dict[str, tuple[str, ...]] = {}
    accepts: tuple[Source, ...] = ()
    asks: tuple[AskEntry, ...] = ()
    answers: dict[str, str] = {}


def read(data: bytes, name: str, load_game: Callable[[str], Game]) -> Position:
    """The position that a JSON file holds. Raises InputError with the place in the document that is at fault."""
    try:
        file = msgspec.json.decode(data, type=StateFile)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(str(error), where=Where(name), hint="`assistant schema state` prints the schema") from None
    try:
        game = load_game(file.game)
        state = game.state(
            board=file.board,
            units=file.units,
            facts={(fact.track, fact.subject): Fact(fact.value, fact.source, fact.assumed) for fact in file.facts},
            cells={(cell.chart, cell.key): Cell(cell.values, cell.source) for cell in file.cells},
            rulings=file.rulings,
            lines=file.lines,
            accepts=file.accepts,
        )
    except InputError as error:
        raise error.at(Where(name)) from None
    return Position(game, state, tuple(Asked(ask.question, ask.parameters) for ask in file.asks), file.answers)


def write(position: Position) -> bytes:
    """A position as JSON; reading it back gives the same state, questions and answers."""
    state: GameState = position.state
    file = StateFile(
        game=state.game,
        board=state.board,
        units=tuple(state.units.values()),
        facts=tuple(
            FactEntry(track, fact.value, subject, fact.source, fact.assumed)
            for (track, subject), fact in state.facts.items()
        ),
        cells=tuple(
            CellEntry(chart, key, dict(cell.values), cell.source) for (chart, key), cell in state.cells.items()
        ),
        rulings=dict(state.rulings),
        lines=dict(state.lines),
        accepts=tuple(sorted(state.accepts)),
        asks=tuple(AskEntry(ask.question, dict(ask.parameters)) for ask in position.asks),
        answers=dict(position.answers),
    )
    return msgspec.json.format(msgspec.json.encode(file), indent=2)


def schema() -> dict[str, Any]:
    """The JSON Schema of a state's file."""
    found = msgspec.json.schema(StateFile)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}


FORMAT = Format("JSON", (".json",), read)
