"""Random sessions at the table, of combats, facts, dice, answers and slips: what lies on the table is always what a file may say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from random import Random
from tempfile import TemporaryDirectory

import pytest

from assistant.faces.prompt.line_reading import format_stated_again
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.notation import read_notation
from assistant.formats.notation_writer import write_notation
from assistant.formats.positions import Position
from assistant.game.states import build_state
from assistant.installed.registry import load_game
from assistant.service import ask, check_asked
from assistant.util.errors import InputError
from tests.comparing.search import Search
from tests.hostile.inputs.grammar import Words

from .grammar import GAMES

_LINES = 25
_FOUGHT = (
    "trust charts",
    "t=3",
    "4119c 1/1 12-16-7-11 < 4020o 25/3 10-12-5-10 27/3 = 4019o 29/20 =",
    "12",
    "1",
    "5 5",
)
"""A battle with dice, with which every other session begins of the game that has its units."""
_LEAVES = ("picture", "save", "keep", "charts", "quit", "q")
"""What writes files, or ends the session."""


def refused(position: Position) -> str:
    """Why a file that says what lies on the table is not the same position, or its question is refused; "" if all is well."""
    written = write_notation(position)
    try:
        again = read_notation(written.encode(), "table", load_game)
        for asked in again.asks:
            check_asked(again, asked)
            ask(again, asked)
    except InputError as error:
        return f"{error}\n{written}"
    said, read_back = said_by(position), said_by(again)
    return "" if said == read_back else f"not read back as it was\n{written}"


def said_by(position: Position) -> tuple[object, ...]:
    """What a file says of a position: the stacks from the top, all facts, the questions and answers."""
    state = position.state
    places = {unit.place for unit in state.units.values()}
    stacks = {place: [unit.id for unit in state.stack(place)] for place in places if place}
    return stacks, state.facts, [(asked.question, asked.parameters) for asked in position.asks], position.answers


def taken_from_a_battle(before: TableState, after: TableState) -> str:
    """What a line has taken from a battle whose dice lie on the table, or has counted a second time, without a yes; "" if nothing."""
    combat, now = before.combat, after.combat
    if not (combat and combat.answers and now) or now.number != combat.number or after.done != before.done:
        return ""
    if not now.answers.items() >= combat.answers.items():
        return f"the dice of {combat.words} are gone"
    if again := format_stated_again(before.position, after.position, combat):
        return f"stated while the dice of {combat.words} lie: {again}"
    return ""


def typed_lines(words: Words, random: Random, session: Session) -> Iterator[str]:
    """Lines for a session, with what is asked for among them."""
    for _ in range(_LINES):
        line = words.typed(session.pending, random)
        if line.split(maxsplit=1)[:1] not in [[word] for word in _LEAVES]:
            yield line


class Sitting:
    """A session of a game by chance. `typed`: the lines so far."""

    def __init__(self, number: int, seed: int) -> None:
        self.game = load_game(GAMES[number % len(GAMES)])
        self.begun = _FOUGHT if number % 4 == 0 else ()
        self.random = Random(f"{seed}/{number}")
        self.typed: list[str] = []

    def __str__(self) -> str:
        return "\n".join(self.typed)


def find_faults(sitting: Sitting, seen: Counter[str]) -> Iterator[str]:
    """Yield what is wrong with the table after the last line. What the session keeps in a pack is gone afterwards."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIELD_STAFF_DATA", folder)
        session = Session(TableState(Position(sitting.game, build_state(sitting.game))), 80)
        for line in chain(sitting.begun, typed_lines(Words(sitting.game), sitting.random, session)):
            before, answers = session.table, session.pending is not None and session.pending.kind == "fact"
            count = len(session.tables)
            session.enter(line)
            sitting.typed.append(line)
            seen["lines"] += 1
            agreed = answers or line.casefold() in ("y", "yes") or len(session.tables) != count + 1
            wrong = "" if agreed else taken_from_a_battle(before, session.table)
            if session.is_over:
                wrong = wrong or "the session is over"
            elif session.table != before:
                wrong = wrong or refused(session.table.position)
            if wrong:
                yield f"{wrong}\n{sitting}"
                return


SEARCH = Search("stored", Sitting, find_faults, 5000, 29)
