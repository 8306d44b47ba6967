"""Position notation: a state typed in a minute, the questions asked of it, and the answers.

The grammar is in docs/reference/notation.md. Words that state facts come from the game's tracks, so this reader knows
no game; its errors name line and column and suggest the nearest known word.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ..game.games import Game
from ..state.hidden import UNSEEN
from ..state.sources import Value
from ..state.state import FactKey, GameState
from ..util.errors import InputError, Where
from .positions import Format, Position
from .reader import Reader


def read(data: bytes, name: str, load_game: Callable[[str], Game]) -> Position:
    """The position that a text holds. Raises InputError with line and column, and what was meant perhaps."""
    hint = "name it NAME.vsav" if data.startswith(b"PK\x03\x04") else "save it as UTF-8"
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("this is no UTF-8 text", where=Where(name, _line(data, error.start)), hint=hint) from None
    except InputError as error:
        raise error.at(Where(name)) from None
    if "\0" in text:  # as UTF-16 has it
        raise InputError("this is no UTF-8 text", where=Where(name, _line(data, data.index(b"\0"))), hint=hint)
    try:
        return Reader(name, load_game).read(text)
    except InputError as error:
        raise error.at(Where(name)) from None


def _line(data: bytes, at: int) -> int:
    return data[:at].count(b"\n") + 1


def read_remarks(text: str, name: str, position: Position, shows: Callable[[FactKey], bool]) -> Position:
    """A position with what further lines of notation say of it, its units being placed already.

    shows: whether a counter on the map shows a fact, be it by showing nothing; it overrules a line that is not sure of it.
    Raises InputError with line and column in the text, which messages call `name`; for what no line says without a place.
    """
    return Reader(name, lambda _: position.game, position, shows).read(text)


def read_on(text: str, position: Position, name: str = "") -> Position:
    """A position after further lines of notation: what they say takes the place of what was said before.

    A stack that they name is just as they name it: who stood there before leaves the map, and nobody else stands there unseen.
    name: of the text, for messages. What the text asks takes the place of what was asked. What ends with a fact of the game ends when that becomes another one. Raises InputError for what no line says.
    """
    reader = Reader(name, lambda _: position.game, position, restates=True)
    after, before = reader.read(text), position.state
    now = _of_the_game(after.state)
    new = {name for name, value in _of_the_game(before).items() if now.get(name) != value}
    gone = {(UNSEEN, place) for place in reader.named_places}
    facts = {
        key: fact
        for key, fact in after.state.facts.items()
        if key in reader.said or (key not in gone and new.isdisjoint(position.game.tracks[key[0]].ends_with))
    }
    state = msgspec.structs.replace(after.state, facts=facts, unread=before.unread, seen_by=before.seen_by)
    return after._replace(state=state)


def _of_the_game(state: GameState) -> dict[str, Value]:
    """What is stated of the game itself."""
    return {name: fact.value for (name, subject), fact in state.facts.items() if not subject}


FORMAT = Format("position notation", (".pos", ".txt"), read)
