"""Slips of the keyboard at the prompt: every line that it suggests in place of one can be typed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import NamedTuple

from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Position
from assistant.game.states import build_state
from assistant.installed.registry import load_game
from tests.assistant.faces.prompt.slips import KINDS, SCRIPTS
from tests.comparing.search import Search

TYPED = {
    "twilight-in-the-east": SCRIPTS,
    "kaisers-war-in-the-east": (
        ("turn=3", "2622 forest Rus-2 2-3-4 < 2623 river Ger-11 3-4-4 Ger-12 = ", "5", "Rus-2 > 2522 2422"),
        ("turn=2 weather=clear", "2622: Rus-2, Rus-4", "2622=2522=2422 AH-4", "Rus-2 disrupted", "supply Rus-2"),
    ),
    "world-undone-east-prussia-1914": (
        ("turn=3 phase=first-combat", "2622 forest 8A/41KB < 2623 1A/1HA 2-3", "threat side=german"),
        ("turn=2", "2622=2522-2422c 8A/41KB 3-4", "8A/41KB > 2522 2422", "2522 control=german"),
    ),
}
"""Lines that are typed one after the other, by game."""
WIDTH = 100_000
_PLACEHOLDER = re.compile(r"[.]{3}|\b[A-Z]{3,}\b|\bN\b|<[a-z ]+>|[(]about ")
"""What stands in forms that are to be filled in, or to be typed about something else, and in no line."""
_ASKED = re.compile(r"\? .*?did you mean (`.*`)(?: \(n: as typed\))?\? \(y or n\)")
_MEANT = re.compile(r"did you mean (.+?)\?(?= |$)")
_WRITTEN = re.compile(r"(?:\bwrite:|put a new unit in quotes:) (.+?)(?=; |$)")
_REMARK = re.compile(r" \([^()]*\)$")


def drop_hyphen(line: str, random: Random) -> str:
    """Return a line without one of its hyphens."""
    hyphens = [match.start() for match in re.finditer("-", line)]
    at = random.choice(hyphens or [0])
    return line[:at] + line[at + 1 :]


def drop_quotes(line: str, random: Random) -> str:
    """Return a line without its quotes."""
    return line.replace('"', "")


SLIPS: tuple[Callable[[str, Random], str], ...] = (*KINDS, drop_hyphen, drop_hyphen, drop_quotes)
"""The kinds of slips; one that suggests ratings is made twice as often."""


def begin_session(table: TableState) -> Session:
    """Return a session that goes on from a table."""
    session = Session(table, WIDTH)
    session.begin()
    return session


@cache
def list_steps(game: str) -> tuple[tuple[TableState, str], ...]:
    """Return each line of the scripts of a game with the table before it."""
    playing = load_game(game)
    steps = []
    for script in TYPED[game]:
        session = begin_session(TableState(Position(playing, build_state(playing))))
        for line in script:
            steps.append((session.table, line))
            session.enter(line)
    return tuple(steps)


def list_suggested(said: list[str]) -> Iterator[str]:
    """Yield what an answer suggests to type, as it stands in it."""
    for line in said:
        if asked := _ASKED.fullmatch(line):
            yield from re.findall("`(.+?)`", asked[1])
    if not said or not said[0].startswith("! "):
        return
    for line in said[1:]:
        for meant in _MEANT.findall(line):
            if "(about " in meant:
                continue  # all of them are facts about something else
            yield from re.split(r" or |, ", meant)
        for written in _WRITTEN.findall(_MEANT.sub("", line)):
            yield from re.split(r" or |, (?=\S+ \S)", written)


def is_typed_well(table: TableState, slipped: str, fault: str, suggested: str) -> bool:
    """Return whether what is suggested can be typed: as a line, or in place of what is at fault in the line.

    `fault`: the first line of the refusal.
    """
    text = _REMARK.sub("", suggested).strip("`")
    lines = [text]
    parts = [name for name in re.findall("'([^']+)'", fault) if name in slipped] or [fault[2:].split(" ")[0]]
    for part in parts:
        at = slipped.find(part)
        while at >= 0:
            lines.append(slipped[:at] + text + slipped[at + len(part) :])
            at = slipped.find(part, at + 1)
    return any(is_read(table, line) for line in lines)


def is_read(table: TableState, line: str) -> bool:
    """Return whether a line is understood at a table."""
    said = begin_session(table).enter(line)
    return not (said and said[0].startswith("! "))


class Slip(NamedTuple):
    """A line with a slip, typed at a table."""

    table: TableState
    line: str


def make_slip(number: int, seed: int) -> Slip:
    """Make a slip of a line of the scripts, the longer a line the more often."""
    random = Random(f"{seed}/{number}")
    steps = [step for game in TYPED for step in list_steps(game)]
    weights = [len(line) for _, line in steps]
    while True:
        ((table, line),) = random.choices(steps, weights)
        slipped = random.choice(SLIPS)(line, random)
        if slipped != line and slipped.strip():
            return Slip(table, slipped)


def find_faults(slip: Slip, seen: Counter[str]) -> Iterator[str]:
    """Yield each suggestion that answers a slip and cannot be typed."""
    said = begin_session(slip.table).enter(slip.line)
    for suggested in list_suggested(said):
        if not _PLACEHOLDER.search(suggested):
            seen["suggestions"] += 1
            if not is_typed_well(slip.table, slip.line, said[0], suggested):
                yield f"cannot be typed: {suggested}\n{slip.line}\n{' / '.join(said[:3])}"


SEARCH = Search("suggestions", make_slip, find_faults, 2000, write=lambda slip: slip.line, chunk=50)
