"""Pairs of positions of The World Undone with hidden movement in use, which differ only in what no unit of a side stands next to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from assistant.formats import json_state, notation_writer
from assistant.formats.positions import Asked, Position
from assistant.formats.vassal.saves import write_save
from assistant.game.games import Game
from assistant.game.states import Stated, build_state
from assistant.installed.registry import load_game, questions_of
from assistant.state.state import GameState, Unit
from assistant.state.tracks import Fact, Value
from module_builder.vassal.module_setting import ModuleSetting
from module_builder.vassal.setups import write_set_up

from ..assistant.formats.vassal.test_positions import setting_of
from .run import make_search
from .telling import Told, lay_out, tell

GAME = load_game("world-undone-east-prussia-1914")
ENDINGS = (".pos", ".json", ".vsav")
OURS = ("3010", "3012", "3115")
"""Where the side stands."""
BOARD = GAME.board("")
NEAR = sorted({place for at in OURS for place in BOARD.neighbours(at)} - {*OURS})
FAR = sorted({f"{column}{row:02}" for column in range(26, 36) for row in range(6, 19)} - {*NEAR, *OURS})
_OF_SIDE = {
    side: [unit for unit in GAME.roster if GAME.side_of_unit(Unit(unit, unit, None), {}) == side]
    for side in GAME.file.sides
}
_STATES: dict[str, tuple[Value, ...]] = {"disrupted": (True,), "entrained": (True,)}
_TYPED: dict[str, tuple[Value, ...]] = {
    "fixed": (True,),
    "over": (True,),
    "supply": ("in", "out"),
    "moved": (True,),
    "fought": (True,),
}


@cache
def setting() -> ModuleSetting:
    """The module of the game."""
    return setting_of(GAME)


class Pair(NamedTuple):
    """Two positions that differ only in what a side may not know, as states and as files, and what is asked of both."""

    side: str
    ending: str
    states: tuple[GameState, GameState]
    files: tuple[bytes, bytes]
    commands: tuple[tuple[str, ...], ...]


def pair(number: int, seed: int, *, endings: Sequence[str] = ENDINGS, count: int = 5) -> tuple[Pair, Counter[str]]:
    """A pair by its number, the same in any run with this seed, and how much is hidden in it. endings: of the files that it may be;
    count: how many commands are asked.
    """
    random = Random(f"beside {seed} {number}")
    side, enemy = random.sample(sorted(GAME.file.sides), 2)
    ending = random.choice(endings)
    ours, theirs = (random.sample(_OF_SIDE[one], len(_OF_SIDE[one])) for one in (side, enemy))
    known = {at: [ours.pop() for _ in range(random.randint(1, 3))] for at in OURS}
    seen = {at: [theirs.pop() for _ in range(random.randint(1, 2))] for at in random.sample(NEAR, 2)}
    unseen = random.sample(FAR, random.randint(1, 3))
    facts = {("turn", ""): Fact(random.randint(2, 9)), ("options", ""): Fact(("hidden-movement",))}
    facts |= {("phasing", ""): Fact(side), ("phase", ""): Fact("first-movement")}
    for at in random.sample([*NEAR, *FAR], 6):
        facts["terrain", at] = Fact(random.choice(["clear", "forest", "swamp"]))
    for unit in [*chain(*known.values()), *chain(*seen.values())]:
        facts |= {(track, unit): Fact(value) for track, value in _states(random, ending)}
    facts["reserved", OURS[0]] = Fact(random.randint(1, 5))
    named = random.choice(theirs)
    noted = f"{random.choice(unseen)}: {named}\n" if random.random() < 0.5 else ""
    kinds, states, files = Counter[str](), list[GameState](), []
    for one in "ab":
        rest = Random(f"beside {seed} {number} {one}")
        free = [
            *rest.sample(theirs, len(theirs)),
            *([named] if rest.random() < 0.5 else []),
        ]  # the last ones come first
        state = _filled(rest, {**known, **seen}, unseen, [*dict.fromkeys(free[::-1])][::-1], dict(facts), ending, kinds)
        states.append(state)
        files.append(file_of(GAME, setting, state, ending, OURS[0], noted))
    commands = tuple(random.sample(_commands(random, side, enemy, known, seen, unseen, theirs), count))
    return Pair(side, ending, (states[0], states[1]), (files[0], files[1]), commands), kinds


def _states(random: Random, ending: str) -> list[tuple[str, Value]]:
    """What a unit has done: what its counter shows, and what only a typed position can state."""
    some = _STATES if ending == ".vsav" else {**_STATES, **_TYPED}
    return [(track, random.choice(values)) for track, values in some.items() if random.random() < 0.3]


def _filled(
    random: Random,
    stacks: dict[str, list[str]],
    unseen: list[str],
    free: list[str],
    facts: dict[tuple[str, str], Fact],
    ending: str,
    kinds: Counter[str],
) -> GameState:
    """A position with what the side sees, and any units where it sees none."""
    left = [*free]
    hidden = {at: [left.pop() for _ in range(random.choice([1, 1, 2, 3, 5]))] for at in unseen}
    away = [left.pop() for _ in range(random.randint(0, 3))] if ending != ".vsav" else []
    for unit in [*chain(*hidden.values()), *away]:
        dummy = (
            "dummies that no unit stands next to" if unit.startswith("Dummy") else "units that no unit stands next to"
        )
        kinds["units off the map" if unit in away else dummy] += 1
        stated = [*_states(random, ending), *([("arrives", random.randint(3, 20))] if unit in away else [])]
        kinds["facts of units"] += len(stated)
        facts |= {(track, unit): Fact(value) for track, value in stated}
    units = [
        Unit(unit, unit, at, order) for at, some in {**stacks, **hidden}.items() for order, unit in enumerate(some)
    ]
    units += [Unit(unit, unit, None) for unit in away]
    random.shuffle(units)
    return build_state(GAME, Stated(units=units, facts=facts))


def file_of(
    game: Game, setting: Callable[[], ModuleSetting], state: GameState, ending: str, at: str, noted: str = ""
) -> bytes:
    """A position as a file. noted: what the public notes of a save say of a unit that may lie elsewhere."""
    position = Position(game, state, (Asked("stack", {"at": at}),))
    if ending == ".pos":
        return notation_writer.write_notation(position).encode()
    if ending == ".json":
        return json_state.write_json(position)
    save = write_set_up(setting(), position).save
    return write_save(msgspec.structs.replace(save, public_notes=f"{save.public_notes}\n{noted}"))


def _commands(
    random: Random,
    side: str,
    enemy: str,
    known: dict[str, list[str]],
    seen: dict[str, list[str]],
    unseen: list[str],
    free: list[str],
) -> list[tuple[str, ...]]:
    """Commands on a position: FILE stands for it, FIRST for the first of the pair, OUT for the beginning of new files."""
    own, other = random.choice(known[OURS[0]]), random.choice([*chain(*seen.values()), *free, "nobody"])
    target, place = random.choice([*seen]), random.choice([*seen, *unseen, *OURS, *NEAR, *FAR])
    form = random.choice([(), ("--json",), ("--narrow",), ("--forum",)])
    asked = {
        "stack": [("--at", place)], "inspect": [(), ("--at", place), ("--side", enemy)], "supply": [("--unit", own), ("--unit", other), ()],
        "zones": [(), ("--at", place), ("--side", enemy)], "move": [("--units", own, "--way", place)], "reach": [("--unit", own)],
        "battle": [("--at", target), ("--at", place)], "attacks": [("--side", side)], "threat": [("--side", side), ("--side", enemy), ("--at", place), ("--if", f"{own}@{place}"), ("--side", side, "--picture", "OUT.svg")], "retreat": [("--units", own, "--hexes", "2")],
        "victory": [()], "turn": [()], "setup": [()], "close": [()], "need": [("--at", target, "--column", "1:1")], "evade": [("--unit", own)],
    }  # fmt: skip
    here = questions_of(GAME)
    found: list[tuple[str, ...]] = [
        ("ask", name, "FILE", *random.choice(words), *form) for name, words in asked.items() if name in here
    ]
    return [
        *found,
        ("check", "FILE", *form),
        ("check", "-", *form),
        ("answer", "FILE", *form),
        ("ask", "zones", "FILE", "--picture", "OUT.svg"),
        ("ask", "inspect", "FILE", "--after", random.choice(["OUT.pos", "OUT.json"])),
        ("convert", "FILE"),
        ("convert", "FILE", "--notation"),
        ("compare", "FIRST", "FILE", *form),
        ("explain", "FILE"),
        ("luck", "FILE"),
        ("table", GAME.id, "FILE", f"position\n{place}: {other}\nask inspect\nsave OUT.pos\njournal\n"),
    ]


def told(found: Pair, which: int, folder: Path) -> list[Told]:
    """All that the side is told of one of a pair. folder: is emptied for each command."""
    return [_told(found, which, command, folder) for command in found.commands]


def _told(found: Pair, which: int, command: tuple[str, ...], folder: Path) -> Told:
    words, typed = lay_out(found, which, command, folder)
    return tell([*words, "--as", found.side], folder, typed, {})


SEARCH = make_search("secrets-beside", pair, told, "Secrets of hidden movement")
