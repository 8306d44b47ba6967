"""A table handed as a value to a process beside the server, and what that answers: a dear question keeps nobody's tap waiting."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ...game.games import Game
from ...game.packs import pack_folder
from ...plugins.registry import named_game
from ...util.files import stamps
from ..desk import StandingTable
from ..messages.requests import Reading
from ..respond import answer_reading, reply_safely
from ..tiles import Pictures, Recent

Question = tuple[bytes, Reading]
"""A table that was handed over, and a request about it."""


def hand_over(table: StandingTable) -> bytes:
    """A table as bytes: its game by its name, and by what its owner's pack is like."""
    written = io.BytesIO()
    _Writer(written, pickle.HIGHEST_PROTOCOL).dump((table.position, table.answer))
    return written.getvalue()


class Reader:
    """What answers in the other process. It keeps the games that it has loaded, and what it has drawn of their boards."""

    def __init__(self) -> None:
        self._games, self._pictures = Recent[Game](2), Pictures()

    def __call__(self, question: Question) -> bytes:
        """The response to a request, as JSON."""
        handed, request = question
        return reply_safely(request, lambda: answer_reading(self._take(handed), request))

    def _take(self, handed: bytes) -> StandingTable:
        position, answer = _Taker(io.BytesIO(handed), self._game).load()
        return StandingTable(position, answer, self._pictures)

    def _game(self, name: str, pack: str) -> Game:
        return self._games.get(f"{name} {pack}", lambda: named_game(name))


class _Writer(pickle.Pickler):
    """Writes values; of a game only which it is."""

    dispatch_table: Mapping[type, Callable[[Any], Any]] = {MappingProxyType: lambda read: (_read_only, (dict(read),))}

    def persistent_id(self, value: object) -> object:
        """What stands for a value, None for itself."""
        if not isinstance(value, Game):
            return None
        return value.home or value.id, repr(sorted(stamps(pack_folder(value.id)).items()))


class _Taker(pickle.Unpickler):
    """Reads what this program itself has written. game: gives a game by what stands for it."""

    def __init__(self, written: io.BytesIO, game: Callable[[str, str], Game]) -> None:
        super().__init__(written)
        self._game = game

    def persistent_load(self, named: tuple[str, str]) -> Game:
        """The game that was written."""
        return self._game(*named)


def _read_only(values: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(values)
