"""Slips of the keyboard: lines of sessions at the table, each with one slip, and what must be said of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.game.games import Game

SCRIPTS = (
    (
        "t=1",
        "4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10 27/3 = 4019o 29/20 = -3",
        *("2+5", "3 4", "3", "12", "5", "6", "4021"),
    ),
    (
        "t=30 weather=normal",
        "4119 rough ip=2 1/1 12-16-7-11 2/1 = -2 <4020mi 25/3 10--5-10 27/3 = ap=3 dap=none",
        "27/3 cel=-1 supply=low",
        "4019|4119 major-river",
        "field",
        "-27/3",
    ),
    (
        "t=3",
        "4119 Lötzen 4-5-1-8 < 4020 22/1 10--5-10 russian cavalry 8/8 3-3-1-10 4019 99/9 10-12-5-9",
        "99/9 displaced",
        "< 4120 4/6 10-12-5-10",
        "shift=1 flanked=yes",
    ),
    ("t=5 campaign", "4119 1/1 12-16-7-11", "4020 25/3 27/3 29/20", "retreat at=4119 hexes=2 cause=crt", "way=4219"),
    (
        "t=2 phasing=russian",
        "4020: 25/3 (10-12-5-10), 27/3 -2",
        "4119 wetlands german 901/91 4-4-1-7",
        "4119 <",
        "off 27/3",
    ),
    (
        "t=2",
        "4023 3train range=3 extended-range=6 supply=in",
        "4020 25/3",
        "4023m:4022:4021r/4020r 4022=4122-4123",
        "supply 25/3",
        "4023 linked=none",
        "25/3 other-line=no",
    ),
)
OTHERS = (
    "swamp", "low", "ridge", "freeze", "+1", "20lw", "movement", "heavy", "rail2", "12", "russian", "ferry",
    "12-16-7",
)  # fmt: skip
"""Words of other tracks, and what is not a word at all."""


class Slip(NamedTuple):
    """A slip: the table before the line, the line, the line with its slip, and the table that was meant."""

    before: TableState
    line: str
    slipped: str
    meant: TableState


def slips(new_session: Callable[[TableState | None], Session], count: int, seed: int) -> Iterator[Slip]:
    """As many slips over the scripts as wished, always the same for a seed."""
    random = Random(seed)
    steps: list[tuple[TableState, str, TableState]] = []
    for script in SCRIPTS:
        session = new_session(None)
        for line in script:
            before = session.table
            said = session.enter(line)
            assert not said[:1] or not said[0].startswith("!"), (line, said)
            steps.append((before, line, session.table))
    weighted = [step for step in steps for _ in range(1 + len(step[1]) // 12)]
    while count:
        before, line, meant = random.choice(weighted)
        slipped = random.choice(KINDS)(line, random)
        if slipped != line and slipped.strip():
            count -= 1
            yield Slip(before, line, slipped, meant)


def _dropped_value(line: str, random: Random) -> str:
    """A value of a row, or a whole word, is missing."""
    parts = re.findall(r"[^\s-]+|-|\s+", line)
    del parts[random.randrange(len(parts))]
    return "".join(parts)


def _doubled(line: str, random: Random) -> str:
    at = random.randrange(len(line))
    return line[:at] + line[at] + line[at:]


def _dropped(line: str, random: Random) -> str:
    at = random.randrange(len(line))
    return line[:at] + line[at + 1 :]


def _transposed(line: str, random: Random) -> str:
    at = random.randrange(max(len(line) - 1, 1))
    return line[:at] + line[at + 1 : at + 2] + line[at : at + 1] + line[at + 2 :]


def _without_a_blank(line: str, random: Random) -> str:
    blanks = [at for at, letter in enumerate(line) if letter == " "]
    at = random.choice(blanks or [0])
    return line[:at] + line[at + 1 :]


def _of_another_track(line: str, random: Random) -> str:
    words = line.split(" ")
    words[random.randrange(len(words))] = random.choice(OTHERS)
    return " ".join(words)


KINDS = (_dropped_value, _doubled, _dropped, _transposed, _without_a_blank, _of_another_track)


def unsaid(slip: Slip, after: TableState, first: str, game: Game) -> list[str]:
    """What a slip has made that was not meant and that the first line of the answer does not say."""
    return [text for text, words in _made(slip, after, game) if not all(word in first for word in words)]


def _made(slip: Slip, after: TableState, game: Game) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What a line with a slip has made and the line that was meant would not: in words, and what must be said of it."""
    was, now, meant = (table.position.state for table in (slip.before, after, slip.meant))
    for unit in now.units.values():
        old, wished = was.units.get(unit.id), meant.units.get(unit.id)
        if (wished is None or wished.place != unit.place) and (old is None or old.place != unit.place):
            yield f"{unit.id} at {unit.place}", (unit.id, unit.place or "the map")
            if old is None and unit.type not in game.roster:
                yield f"new unit {unit.id}", ("not in the roster", unit.id)
    for key, fact in now.facts.items():
        known = [state.facts[key].value for state in (was, meant) if key in state.facts]
        if fact.value not in known:
            name, subject = key
            track = game.tracks[name]
            said = track.write(fact.value) if track.name in game.file.notation.brackets else track.word(fact.value)
            yield f"{subject} {track.word(fact.value)}", (said, *subject.split("|"))
    answers = slip.before.position.answers, slip.meant.position.answers
    for name, text in after.position.answers.items():
        if all(given.get(name) != text for given in answers):
            yield f"{name}={text}", (f"{text} for ",)
    if after.asked:
        known_asked = [table.asked.parameters for table in (slip.before, slip.meant) if table.asked]
        for name, value in after.asked.parameters.items():
            if all(parameters.get(name) != value for parameters in known_asked):
                yield f"{name}={value}", tuple(str(value).split(","))
