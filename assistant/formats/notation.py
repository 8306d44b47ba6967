"""Position notation: a state typed in a minute, the questions asked of it, and the answers.

The grammar is in docs/reference/notation.md. The words that state facts come from the game's tracks, so this reader
knows no particular game. Its errors name line and column and suggest the nearest known word.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ..game.games import Game
from ..state.hidden import UNSEEN
from ..state.sources import Value
from ..state.state import FactKey, GameState
from ..util.errors import InputError, OnFault, Where, located, stop
from .draft import Draft
from .positions import Format, Position
from .reader import NotationReader


def read(data: bytes, name: str, load_game: Callable[[str], Game], on_fault: OnFault = stop) -> Position:
    """The position in a text. Each faulty line or unit goes to `on_fault`, with line and column and the nearest known
    words.

    Raises InputError for a fault after which nothing can be read.
    """
    hint = "name it NAME.vsav" if data.startswith(b"PK\x03\x04") else "save it as UTF-8"
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("this is not UTF-8 text", where=Where(name, _line(data, error.start)), hint=hint) from None
    if "\0" in text:  # as in UTF-16
        raise InputError("this is not UTF-8 text", where=Where(name, _line(data, data.index(b"\0"))), hint=hint)
    with located(Where(name)):
        return NotationReader(name, load_game, on_fault=on_fault).read(text)


def _line(data: bytes, at: int) -> int:
    return data[:at].count(b"\n") + 1


def read_remarks(text: str, name: str, position: Position, shows: Callable[[FactKey], bool]) -> Position:
    """A position whose units are already placed, with the facts that further lines of notation add.

    name: what messages call the text; shows: whether a counter on the map shows a fact, even by showing nothing, which
    overrides an assumption in the text. Raises InputError with line and column, or without for a fault of the whole
    map.
    """
    draft = Draft(position.game, position.state, shows)
    return NotationReader(name, lambda _: position.game, draft).read(text)


def read_on(text: str, position: Position, name: str = "", *, same_moment: bool = False) -> Position:
    """A position after further lines of notation, which replace what was stated before.

    name: what messages call the text; same_moment: whether the lines complete the position, as the answer to what is
    asked for does. A stack is exactly as the lines state it: units that stood there before leave the map, and no unseen
    unit stays. Questions replace those asked before. A fact that `ends_with` a track of the game lapses when that track
    changes, or is stated for the first time, for play has gone on; what the same lines state stays, as all that a file
    states does. Raises InputError for a fault of the whole position.
    """
    before = position.state
    draft = Draft(position.game, before, restates=True)
    after = NotationReader(name, lambda _: position.game, draft).read(text)
    was, now = _of_the_game(before), _of_the_game(after.state)
    new = {name for name in (was.keys() if same_moment else now.keys() | was.keys()) if now.get(name) != was.get(name)}
    gone = {(UNSEEN, place) for place in draft.named_places}
    facts = {
        key: fact
        for key, fact in after.state.facts.items()
        if key in draft.stated or (key not in gone and new.isdisjoint(position.game.tracks[key[0]].ends_with))
    }
    state = msgspec.structs.replace(after.state, facts=facts, unread=before.unread, seen_by=before.seen_by)
    return after.with_state(state)


def _of_the_game(state: GameState) -> dict[str, Value]:
    """The stated facts of the game itself."""
    return {name: fact.value for (name, subject), fact in state.facts.items() if not subject}


FORMAT = Format("position notation", (".pos", ".txt"), read)
