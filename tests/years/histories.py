"""Histories: what happens at a table, step by step, without regard to what the program answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from ..served.disk import WAYS
from ..served.scenes import CP, GE, RU, SCENES, TWILIGHT
from ..served.seats import LAPTOP, LINK

EAST_PRUSSIA = "world-undone-east-prussia-1914"
BOOKS = "der-weltkrieg"
STEPS = 40
"""The number of steps of a history."""


class Play(NamedTuple):
    """What is played: a position, and of what lines are made up."""

    game: str
    position: str
    sides: tuple[str, ...]
    nations: dict[str, str]
    """The nation of each side, by which it describes new units."""
    hexes: tuple[str, ...]
    unit: str
    """The description of a new unit, with `{}` for its name."""
    covers: dict[str, tuple[str, str]]
    """By side, a hex and the unit on top there; what lies beneath is hidden from the others."""
    facts: tuple[str, ...]
    others: tuple[str, ...]
    """Whole lines."""


def _cover(hex: str, nation: str, name: str) -> str:
    return f"{hex} clear: {nation} infantry X {name} (4-4-1-7)\n"


_GROUND = "".join(f"{hex} clear\n" for hex in ("42.20", "41.20", "45.25", "45.26", "46.25", "36.22"))
PLAYS = (
    Play(
        TWILIGHT,
        SCENES["marches"].position + _GROUND + _cover("44.20", "german", "gcover") + _cover("39.25", RU, "rcover"),
        (CP, RU),
        {CP: "german", RU: "russian"},
        ("41.19", "40.20", "42.20", "41.20", "45.25", "45.26", "46.25", "36.22"),
        "infantry X {} (4-4-1-7)",
        {CP: ("44.20", "gcover"), RU: ("39.25", "rcover")},
        ("disorder=1", "disorder=2", "lost=1"),
        (
            "t=3",
            "t=4",
            "41.19 announced",
            "1/1 lost=1",
            "25/3 lost=1",
            "41.19 rough",
            "41.19 < 40.20",
            "drop",
            "done",
            "next",
            "2+5",
            "3",
            "nonsense",
            "need at=41.19 column=2:1",
            "undo together",
        ),
    ),
    Play(
        EAST_PRUSSIA,
        SCENES["combat"].position,
        (GE, "russian"),
        {},
        (),
        "",
        {},
        (),
        (
            "5420 < 5320, 5321",
            "die=3",
            "die=2",
            "undo together",
            "III/25 supply=in",
            "done",
            "drop",
            "5421: III/25",
            "5420 clear",
            "turn=5",
            "next",
            "moved",
        ),
    ),
    Play(
        BOOKS,
        "",
        (),
        {},
        (),
        "",
        {},
        (),
        (
            "turn next",
            "ge dm 5",
            "ru dm 7",
            "ah dm 3 Sabac",
            "fr dm 2",
            "ge spend 1",
            "ah spend 1",
            "morale ge",
            "done",
            "why dm ah",
            "due ge",
        ),
    ),
)


class Step(NamedTuple):
    """What happens once."""

    kind: str
    """`line`: a seat enters one; `prompt`: the prompt does; `add`: the command `journal add` does; `restart`; `back`: a line and its
    undo; `between`: a line, another's line, and the undo of the first; `crowd`: several seats at once."""
    seat: str = ""
    text: str = ""
    tap: str = ""
    way: str = ""
    """How the disk fails meanwhile, if it does: killed, lost or full."""
    share: float = 0
    """Where among the calls that happens."""
    seed: int = 0


class History(NamedTuple):
    """A table, and the steps that are taken at it."""

    play: int
    seed: str
    steps: tuple[Step, ...]


def make_history(number: int, seed: int, steps: int = STEPS) -> History:
    """Make up a history."""
    which = number % len(PLAYS) if number % 6 else 0
    name = f"{seed} {number}"
    return History(which, name, tuple(_make_steps(Random(name), PLAYS[which], steps)))


def _make_steps(chance: Random, play: Play, count: int) -> Iterator[Step]:
    seats = (LAPTOP, LINK, *play.sides, *play.sides)
    own = {side: list[str]() for side in play.nations}
    entered = list[Step]()
    for number in range(count):
        seat = chance.choice(seats)
        line = _make_line(chance, play, own, seat, number)
        tap = f"tap {number}"
        share, seed = chance.random(), chance.randrange(10**6)
        kind = chance.choices(
            ("line", "again", "prompt", "add", "restart", "back", "between", "crowd"), (58, 8, 5, 5, 6, 6, 6, 6)
        )[0]
        if kind == "again" and entered:
            again = chance.choice(entered)
            seat, line, tap = again.seat, again.text, again.tap
        if kind == "add":
            line = chance.choice(
                (f"strike {chance.randint(1, number + 1)}", f"late {line}", _amend(chance, own, number))
            )
        kind = "line" if kind == "again" else kind
        way = chance.choice(WAYS) if kind == "line" and chance.random() < 0.35 else ""
        step = Step(kind, seat, line, tap, way, share, seed)
        if kind == "line":
            entered.append(step)
        yield step


def _make_line(chance: Random, play: Play, own: dict[str, list[str]], seat: str, number: int) -> str:
    kind = chance.random()
    if kind < 0.15:
        return "undo"
    if not play.hexes or kind > 0.75:
        return chance.choice(play.others)
    side = seat if seat in own else chance.choice([*own])
    nation = play.nations[side]
    if kind < 0.35 or not own[side]:
        own[side].append(f"x{number}")
        return f"{chance.choice(play.hexes)}: {nation} {play.unit.format(own[side][-1])}"
    unit = chance.choice(own[side])
    if kind < 0.52:
        return f"{chance.choice(play.hexes)}: {unit}"
    if kind < 0.58:
        return f"{chance.choice(play.hexes)} -{unit}"
    if kind < 0.66:
        return f"{unit} {chance.choice(play.facts)}"
    place, cover = play.covers[side]
    return f"{place}: {cover}, {nation} {play.unit.format(secret_of(side) + str(number))}"


def _amend(chance: Random, own: dict[str, list[str]], number: int) -> str:
    unit = chance.choice([name for names in own.values() for name in names] or ["ge dm"])
    value = chance.randint(1, 9) if unit == "ge dm" else "lost=1"
    return f"amend {chance.randint(1, number + 1)} {'' if unit == 'ge dm' else 'fact '}{unit} {value}"


def secret_of(side: str) -> str:
    """Return the beginning of the names of units that only one side may know."""
    return f"zq{side[0]}"


def fewer_steps(history: History) -> Iterator[History]:
    """Yield a history without a half, a quarter or one of its steps, then without one of its failures."""
    steps = history.steps
    size = len(steps) // 2
    while size:
        for at in range(0, len(steps), size):
            yield history._replace(steps=steps[:at] + steps[at + size :])
        size //= 2
    for at, step in enumerate(steps):
        if step.way:
            yield history._replace(steps=(*steps[:at], step._replace(way=""), *steps[at + 1 :]))


def write_history(history: History) -> str:
    """Return a history as a script, which `python -m tests.years FILE` plays."""
    head = json.dumps([history.play, history.seed])
    return "\n".join([head, *map(json.dumps, history.steps), ""])


def read_history(text: str) -> History:
    """Return the history of a script."""
    rows = [json.loads(line) for line in text.splitlines() if line and not line.startswith("#")]
    return History(*rows[0], tuple(Step(*row) for row in rows[1:]))
