"""The situations in which lines are typed, and what a session says to a line."""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.states import build_state
from assistant.installed.registry import load_game

GAMES = {
    "twilight": "twilight-in-the-east",
    "kaiser": "kaisers-war-in-the-east",
    "undone": "world-undone-east-prussia-1914",
    "weltkrieg": "der-weltkrieg",
}
_TWILIGHT = """
trust charts
turn=1
40.20 clear 25/3 10-10-5-10 27/3 10-10-5-10
40.19 clear 29/20 10-10-5-10
41.19 clear 1/1 16-16-7-11
41.19|40.20,40.19 open
"""
_STRONG = _TWILIGHT.replace("25/3 10-10-5-10 27/3 10-10-5-10", "25/3 40-10-9-10 27/3 40-10-9-10")
_TWO = _STRONG.replace("40.19 clear 29/20 10-10-5-10\n", "") + "41.19 < 40.20\n"
_STRONG += "41.19 < 40.20 40.19\n"
_GERMANS = """
trust charts
turn=1
41.19 clear 36/17 10-10-5-10 35/17 10-10-5-10
41.17 clear 1/1 12-16-7-11
41.20 rough 28/20 8-9-4-9
40.18 clear 29/20 8-9-4-9
41.20|41.19 open
"""
_KAISER = """
trust charts
turn=2
main-effort=west
2620 clear Ger-8 10-12-4 german "XVII" 3-4-5
2519 clear CP-supply-1
2720 clear Rus-2 9-10-3
2620|2720 open
"""
_UNDONE = """
scenario=historical
turn=3
phasing=german
phase=first-combat
5420 clear XVII/35 7-3 XVII/36 7-3
5420 XVII/35 supply=in XVII/36 supply=in
5421 clear III/25 5-2 supply=in
5422 clear III/27 5-2 supply=in
5520 clear XX/28 5-2 supply=in
5320 clear I/1 9-3 supply=in
5420|5421 open
"""
_TABLE = "".join(
    f"chart german-table 2:1 {die} = {result}\n"
    for die, result in zip(("1-", "2", "3", "4", "5", "6+"), ("D3", "D2", "DE", "EX", "A1", "AE"), strict=True)
)
_WELTKRIEG = """
board map-5-5
turn=aug14/5
3708: german infantry "36" strength=8 move=5, german infantry "35" strength=8 move=5
3709 rough
"""
SITUATIONS = {
    ("twilight", "empty"): "",
    ("twilight", "position"): _TWILIGHT,
    ("twilight", "germans"): _GERMANS,
    ("twilight", "germans attack"): _GERMANS + "41.20 < 41.19\n",
    ("twilight", "germans rolled"): _GERMANS + "41.20 < 41.19\n7\n4\n3\n",
    ("twilight", "battle"): _TWILIGHT + "41.19 < 40.20 40.19\n",
    ("twilight", "attacker's loss die"): _TWILIGHT + "41.19 < 40.20 40.19\n7\n",
    ("twilight", "defender's loss die"): _TWILIGHT + "41.19 < 40.20 40.19\n7\n3\n",
    ("twilight", "a check"): _STRONG + "12\n42.20\n42.21\n4\n3\n1\n2\n",
    ("twilight", "one loss"): _TWILIGHT.replace("40.19 clear 29/20 10-10-5-10\n", "") + "41.19 < 40.20\n12\n42.20\n4\n1\n",
    ("twilight", "two losses"): _TWILIGHT + "41.19 < 40.20 40.19\n7\n3\n4\n",
    ("twilight", "the +1"): _STRONG + "12\n42.20\n42.21\n4\n3\n1\n",
    ("twilight", "first hex of a retreat"): _STRONG + "12\n",
    ("twilight", "second hex of a retreat"): _STRONG + "12\n42.20\n",
    ("twilight", "a turn"): _TWILIGHT.replace("turn=1\n", "") + "41.19 < 40.20 40.19\n",
    ("twilight", "terrain"): _TWILIGHT.replace("41.19|40.20,40.19 open\n", "") + "41.20 clear 28/20\n",
    ("twilight", "advance"): _TWO + "12\n42.20\n42.21\n4\n3\n1\n2\n5\n",
    ("kaiser", "empty"): "",
    ("kaiser", "position"): _KAISER,
    ("kaiser", "battle"): _KAISER + "2720 < 2620\n",
    ("kaiser", "rolled"): _KAISER + "2720 < 2620\n4\n",
    ("undone", "empty"): "",
    ("undone", "position"): _UNDONE,
    ("undone", "battle"): _UNDONE + _TABLE + "5421 < 5420\n",
    ("undone", "rolled"): _UNDONE + _TABLE + "5421 < 5420\n2\n",
    ("undone", "exchange"): _UNDONE + _TABLE + "5421 < 5420\n4\n",
    ("undone", "retreat"): _UNDONE + "retreat units=III/25 hexes=2\n",
    ("kaiser", "retreat"): _KAISER + "retreat units=Rus-2\n",
    ("weltkrieg", "empty"): "",
    ("weltkrieg", "position"): _WELTKRIEG,
}  # fmt: skip


class Row(NamedTuple):
    """A line as somebody typed it. meaning: what he meant; expected: the line that is offered, several with " // " between them; what is read,
    behind a `=`; or what is answered, behind a `!`.
    """

    game: str
    situation: str
    line: str
    meaning: str
    expected: str


def rows(name: str) -> list[Row]:
    """The rows of a file of typed lines."""
    with (Path(__file__).parent / name).open(encoding="utf-8", newline="") as file:
        return [Row(*row) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)][1:]


@cache
def _game(name: str) -> Game:
    return load_game(GAMES[name])


@cache
def _begun(game: str, situation: str) -> Session:
    session = Session(TableState(Position(_game(game), build_state(_game(game)))), 100)
    for line in filter(None, SITUATIONS[game, situation].splitlines()):
        session.enter(line)
        assert not session.fault, (game, situation, line, session.fault)
        assert not session.held, (game, situation, line, session.held)
    return session


def session_at(game: str, situation: str) -> Session:
    """A session in a situation."""
    begun = _begun(game, situation)
    session = Session(begun.table, 100, before=begun.tables[:-1])
    session.shown = begun.shown
    return session


_OFFERED = re.compile(r"\? did you mean (.*)\? \(y or n\)")


def stated(before: TableState, after: TableState) -> str:
    """What a line has stated: dice and choices by their names, and facts."""
    old, new = before.position, after.position
    answers = [f"{name}={text}" for name, text in new.answers.items() if old.answers.get(name) != text]
    facts = new.state.facts_since(old.state).items()
    return "; ".join(
        [*answers, *(old.game.tracks[name].how_to_state(about, fact.value) for (name, about), fact in facts)]
    )


def answered(row: Row) -> str:
    """What a row is answered with, as `expected` has it, in full."""
    session = session_at(row.game, row.situation)
    before = session.table
    text = " ".join(map(str.strip, session.enter(row.line)))
    if match := _OFFERED.search(text):
        return match[1].strip("`").replace("`, then `", " // ")
    return f"!{text}" if session.fault else f"={stated(before, session.table)}"


def fits(row: Row, answer: str) -> bool:
    """Whether a row is answered as it should be."""
    return answer == row.expected or (row.expected[:1] == answer[:1] == "!" and row.expected[1:] in answer)
