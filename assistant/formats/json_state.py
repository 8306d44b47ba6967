"""States as JSON, for programs. The schema is published: `assistant schema`."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Annotated, Any, TypeVar

import msgspec

from ..game.games import Game
from ..game.states import Stated, build_state
from ..game.viewpoint import check_viewpoint
from ..state.state import Cell, CellKey, FactKey, GameState, Unit, Unread
from ..state.tracks import Fact, Source
from ..state.trust import DEFAULT_SOURCES
from ..util.console import encode_json
from ..util.errors import InputError, UnknownWord, Where, has_unknown_word, located, written_by_program
from ..util.limits import Limit
from ..util.notes import note
from .positions import Asked, Position, pose_position

K = TypeVar("K")
V = TypeVar("V")


class FactEntry(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A fact."""

    track: Annotated[str, note("what it states")]
    value: Annotated[bool | int | str | tuple[str, ...], note("the value")]
    subject: Annotated[str, note('what it is of: a hex, a unit, a side; "" for the game itself')] = ""
    source: Annotated[Source, note("where it comes from")] = Source.STATED
    assumed: Annotated[bool, note("whether it was taken for granted, and not stated")] = False
    line: Annotated[str, note("the line that alone states it, if one does")] = ""


class CellEntry(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A chart cell."""

    chart: Annotated[str, note("the chart, by its name")]
    key: Annotated[tuple[int | str, ...], note("the keys that lead to the cell")]
    values: Annotated[dict[str, int | str], note("what stands in it, by field")]
    source: Annotated[Source, note("where it comes from")] = Source.STATED


class AskEntry(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A question and its parameters."""

    question: Annotated[str, note("the question, by its name")]
    parameters: Annotated[dict[str, Any], note("the parameters, by name")] = {}
    answers: Annotated[dict[str, str], note("the rolls and choices, by name")] = {}


class StateFile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A state, with the questions asked of it and the answers to their rolls and choices."""

    game: Annotated[str, note("the game, by its id")]
    board: Annotated[str, note('the board, "" for the usual one')] = ""
    units: Annotated[tuple[Unit, ...], note("the units in play")] = ()
    facts: Annotated[tuple[FactEntry, ...], note("what is known of hexes, hexsides, units, sides and the game")] = ()
    cells: Annotated[tuple[CellEntry, ...], note("cells of charts")] = ()
    rulings: Annotated[dict[str, str], note("the reading of each doubtful rule that is not the usual one")] = {}
    lines: Annotated[dict[str, tuple[str, ...]], note("named paths, the source first")] = {}
    elsewhere: Annotated[tuple[FactEntry, ...], note("the facts of each hex or hexside not otherwise known")] = ()
    accepts: Annotated[
        tuple[Source, ...], note("sources that answers may rest on, besides the certain and drawn ones")
    ] = ()
    own_map: Annotated[bool, note("whether answers may not rest on a drawn map")] = False
    unread: Annotated[tuple[Unread, ...], note("what of a file was not understood")] = ()
    seen_by: Annotated[str, note('the side whose knowledge this is, "umpire", or "" if not stated')] = ""
    asks: Annotated[tuple[AskEntry, ...], note("the questions asked of it")] = ()
    answers: Annotated[dict[str, str], note("rolls and choices for each question that waits for them, by name")] = {}


def read_json(data: bytes, name: str, load_game: Callable[[str], Game]) -> Position:
    """Return the position in a JSON file.

    Raises InputError with the place in the document or the name of the file.
    """
    here = Where(name)
    with located(here), written_by_program():
        file = _decode_file(data)
        game = load_game(file.game)
        facts = _group_by_line(file.facts)
        state = build_state(
            game,
            Stated(
                board=file.board,
                units=file.units,
                facts=facts.pop(""),
                cells=_index_once(
                    (((cell.chart, cell.key), Cell(cell.values, cell.source)) for cell in file.cells), _format_cell_key
                ),
                rulings=file.rulings,
                lines=file.lines,
                line_facts=facts,
                elsewhere=_index_once(
                    ((entry.track, Fact(entry.value, entry.source, entry.assumed)) for entry in file.elsewhere),
                    lambda track: f"{track} of all other hexes",
                ),
                accepts=frozenset(file.accepts) - DEFAULT_SOURCES
                if file.own_map
                else DEFAULT_SOURCES | {*file.accepts},
                unread=file.unread,
            ),
        )
        state = msgspec.structs.replace(state, seen_by=check_viewpoint(game, file.seen_by))
    asks = tuple(
        Asked(ask.question, ask.parameters, dict.fromkeys(("", *ask.parameters, *ask.answers), here), ask.answers)
        for ask in file.asks
    )
    return pose_position(game, state, asks, file.answers, dict.fromkeys(file.answers, here))


def _decode_file(data: bytes) -> StateFile:
    Limit.JSON.check(len(data), "it holds")
    try:
        file = msgspec.json.decode(data.removeprefix(BOM_UTF8), type=StateFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if isinstance(error, UnicodeDecodeError) or str(error).startswith("Invalid UTF-8"):  # msgspec 0.23 and later
            raise InputError("this is not UTF-8 text", hint="save it as UTF-8") from None
        kind = UnknownWord if has_unknown_word(error) else InputError
        raise kind(str(error), hint="`assistant schema` prints the schema") from None
    Limit.UNITS.check(len(file.units), "it holds")
    Limit.ASKS.check(len(file.asks), "it asks")
    for ask in file.asks:
        _check_nesting(ask.parameters)
    return file


def _group_by_line(entries: Iterable[FactEntry]) -> dict[str, dict[FactKey, Fact]]:
    """Return the facts by the line that states them, with "" for facts outside lines."""
    by_line: dict[str, list[tuple[FactKey, Fact]]] = {"": []}
    for entry in entries:
        fact = Fact(entry.value, entry.source, entry.assumed)
        by_line.setdefault(entry.line, []).append(((entry.track, entry.subject), fact))
    return {line: _index_once(facts, _format_fact_key) for line, facts in by_line.items()}


def _format_fact_key(key: FactKey) -> str:
    track, subject = key
    return f"{track} of {subject or 'the game'}"


def _format_cell_key(key: CellKey) -> str:
    chart, keys = key
    return f"chart cell {' '.join(map(str, (chart, *keys)))}"


def _check_nesting(value: Any) -> None:
    level = _list_inner(value)
    depth = 0
    while level:
        depth += 1
        Limit.NESTING.check(depth, "a question's parameters are nested by")
        level = [inner for outer in level for inner in _list_inner(outer)]


def _list_inner(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value.values()]
    return value if isinstance(value, list) else []


def _index_once(entries: Iterable[tuple[K, V]], format_key: Callable[[K], str]) -> dict[K, V]:
    """Return the entries by key.

    Raises InputError if a key occurs twice.
    """
    by_key: dict[K, V] = {}
    for key, value in entries:
        if key in by_key:
            raise InputError(f"{format_key(key)} is stated twice", hint="leave out one")
        by_key[key] = value
    return by_key


def write_json(position: Position, *, one_line: bool = False) -> bytes:
    """Return a position as JSON. Reading it gives the same state, questions and answers."""
    state: GameState = position.state
    file = StateFile(
        game=state.game,
        board=state.board,
        units=tuple(state.units.values()),
        facts=tuple(chain(_list_facts(state.facts), *(_list_facts(own, of) for of, own in state.line_facts.items()))),
        cells=tuple(
            CellEntry(chart, key, dict(cell.values), cell.source) for (chart, key), cell in state.cells.items()
        ),
        rulings=dict(state.rulings),
        lines=dict(state.lines),
        elsewhere=tuple(
            FactEntry(track, fact.value, source=fact.source, assumed=fact.assumed)
            for track, fact in state.elsewhere.items()
        ),
        accepts=tuple(sorted(state.accepts - DEFAULT_SOURCES)),
        own_map=not state.accepts >= DEFAULT_SOURCES,
        unread=state.unread,
        seen_by=state.seen_by,
        asks=tuple(AskEntry(ask.question, dict(ask.parameters), dict(ask.answers)) for ask in position.asks),
        answers=dict(position.answers),
    )
    return encode_json(file, one_line=one_line)


def _list_facts(facts: Mapping[FactKey, Fact], line: str = "") -> list[FactEntry]:
    return [
        FactEntry(track, fact.value, subject, fact.source, fact.assumed, line)
        for (track, subject), fact in facts.items()
    ]


def position_schema(game: Game | None = None) -> dict[str, Any]:
    """Return the JSON Schema of a position file; for a game, with the allowed values of each of its tracks."""
    published = msgspec.json.schema(StateFile)
    if game is not None:
        entry = published["$defs"]["FactEntry"]
        entry["allOf"] = []
        for track in game.tracks.values():
            named = {"properties": {"track": {"const": track.name}}}
            entry["allOf"].append({"if": named, "then": {"properties": {"value": track.schema()}}})
        entry["properties"]["track"] = {"enum": list(game.tracks)}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **published}
