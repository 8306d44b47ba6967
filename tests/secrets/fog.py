"""Pairs of positions of Kaiser's War in the East with fog of war, which differ only in what a side may not examine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain
from random import Random

from assistant.game.states import Stated, build_state
from assistant.installed.registry import load_game, questions_of
from assistant.state.state import GameState, Unit
from assistant.state.tracks import Fact, Value
from module_builder.vassal.module_setting import ModuleSetting

from ..assistant.formats.vassal.test_positions import setting_of
from .beside import ENDINGS, Pair, file_of, told
from .run import make_search

GAME = load_game("kaisers-war-in-the-east")
OURS, STACKS = ("2418", "2520", "2618"), ("2419", "2421", "2619", "2720", "3010")
"""Where the side stands, and where its enemy may."""
FREE = ("2417", "2420", "2519", "2620")
BOXES = ("Available", "Dead Pile", "set up at Kovno")
_OF_SIDE = {
    side: [unit for unit in GAME.roster if GAME.side_of_unit(Unit(unit, unit, None), {}) == side]
    for side in GAME.file.sides
}
_SHOWN: dict[str, tuple[Value, ...]] = {"moved": (True,), "fought": (True,), "declared": (True,), "marching": (True,)}
_TYPED: dict[str, tuple[Value, ...]] = {
    "attack": (0, 4, 9), "defence": (1, 6, 12), "movement": (0, 4, 6), "radius": (2, 5), "supply": ("in", "out"), "entrenched": (True,),
}  # fmt: skip
"""What a unit has done, as its counter shows it, and what only a typed position can state."""


@cache
def setting() -> ModuleSetting:
    """The module of the game."""
    return setting_of(GAME)


def pair(number: int, seed: int, *, endings: Sequence[str] = ENDINGS, count: int = 6) -> tuple[Pair, Counter[str]]:
    """A pair by its number, the same in any run with this seed, and how much is hidden in it. endings: of the files that it may be;
    count: how many commands are asked.
    """
    random = Random(f"fog {seed} {number}")
    side, enemy = random.sample(sorted(GAME.file.sides), 2)
    ending = random.choice(endings)
    ours, theirs = (random.sample(_OF_SIDE[whose], len(_OF_SIDE[whose])) for whose in (side, enemy))
    known = {at: [ours.pop() for _ in range(random.randint(1, 3))] for at in OURS}
    places = random.sample(STACKS, random.randint(2, 4))
    tops = {at: theirs.pop() for at in places[1:]}  # in the first of them the top unit lies face down
    examined = places[-1] if random.random() < 0.5 else ""
    seen = {at: [top, theirs.pop()] if at == examined else [top] for at, top in tops.items()}
    facts = {("turn", ""): Fact(random.randint(2, 30)), ("options", ""): Fact(("air-units", "fog-of-war"))}
    facts |= {("phasing", ""): Fact(random.choice([side, enemy]))}
    facts |= {("phase", ""): Fact(random.choice(["reorganization", "movement", "first-combat", "second-combat"]))}
    facts |= {("vp", whose): Fact(random.randint(20, 60)) for whose in (side, enemy)}
    for at in random.sample([*STACKS, *FREE, *OURS], 6):
        facts["terrain", at] = Fact(random.choice(["clear", "forest", "marsh"]))
    for unit in [*chain(*known.values()), *chain(*seen.values())]:
        facts |= {(track, unit): Fact(value) for track, value in _states(random, ending)}
    for at, who in {examined: side, random.choice(OURS): enemy}.items() if examined else ():
        facts["examined", at] = Fact((who,))
    kinds, states, files = Counter[str](), list[GameState](), []
    for which in "ab":
        rest = Random(f"fog {seed} {number} {which}")
        state = _filled(rest, {**known, **seen}, places, examined, rest.sample(theirs, len(theirs)), dict(facts), enemy, ending, kinds)  # fmt: skip
        states.append(state)
        files.append(file_of(GAME, setting, state, ending, OURS[0]))
    commands = tuple(random.sample(_commands(random, side, enemy, known, seen, places, theirs), count))
    return Pair(side, ending, (states[0], states[1]), (files[0], files[1]), commands), kinds


def _states(random: Random, ending: str) -> list[tuple[str, Value]]:
    some = _SHOWN if ending == ".vsav" else {**_SHOWN, **_TYPED}
    often = {track: 0.8 if track in ("attack", "defence", "movement", "radius") else 0.2 for track in some}
    return [(track, random.choice(values)) for track, values in some.items() if random.random() < often[track]]


def _filled(
    random: Random,
    stacks: dict[str, list[str]],
    places: list[str],
    examined: str,
    left: list[str],
    facts: dict[tuple[str, str], Fact],
    enemy: str,
    ending: str,
    kinds: Counter[str],
) -> GameState:
    """A position with what the side sees, and any units where it sees none: below the top one or face down, off the map."""
    below = {at: [left.pop() for _ in range(random.randint(0 if at in stacks else 1, 3))] for at in places}
    below[examined] = []
    away = {
        left.pop(): random.choice([*BOXES, None] if ending != ".vsav" else BOXES) for _ in range(random.randint(0, 4))
    }
    for unit in chain(*below.values(), away):
        kinds["units off the map" if unit in away else "units below the top one"] += 1
        facts |= {(track, unit): Fact(value) for track, value in _states(random, ending)}
    for unit in (*below[places[0]][:1], *(unit for unit in chain(*below.values()) if random.random() < 0.3)):
        facts["face-down", unit] = Fact(True)
        kinds["units face down"] += 1
    if ending != ".vsav":
        for nation in GAME.file.sides[enemy]:
            if random.random() < 0.5:
                facts["spare-corps", nation] = Fact(random.randint(0, 9))
                kinds["infantry corps off the map"] += 1
        facts["railed", enemy] = Fact(random.randint(0, 9))
    layers = {at: [*stacks.get(at, ()), *below.get(at, ())] for at in {**stacks, **dict.fromkeys(places)}}
    units = [Unit(unit, unit, at, order) for at, some in layers.items() for order, unit in enumerate(some)]
    units += [Unit(unit, unit, place) for unit, place in away.items()]
    random.shuffle(units)
    return build_state(GAME, Stated(units=units, facts=facts))


def _commands(
    random: Random,
    side: str,
    enemy: str,
    known: dict[str, list[str]],
    seen: dict[str, list[str]],
    places: list[str],
    free: list[str],
) -> list[tuple[str, ...]]:
    """Commands on a position: FILE stands for it, FIRST for the first of the pair, OUT for the beginning of new files."""
    own, other = random.choice(known[OURS[0]]), random.choice([*chain(*seen.values()), *free, "nobody"])
    unit, target, place = random.choice([own, other]), random.choice(places), random.choice([*places, *OURS, *FREE])
    die, form = str(random.randint(1, 6)), random.choice([(), ("--json",), ("--narrow",), ("--forum",)])
    asked = {
        "stack": [(), ("--at", place)], "supply": [("--unit", unit), ()], "attrition": [("--side", side), ("--side", enemy)],
        "zones": [(), ("--at", place), ("--side", enemy)], "move": [("--unit", unit, "--way", place)], "reach": [("--unit", unit)],
        "battle": [("--at", target), ("--at", target, "--answers", f"die={die}"), ("--at", place, "--from", OURS[0])],
        "attacks": [("--side", side), ("--side", enemy)], "need": [("--at", target, "--column", "100")],
        "threat": [("--side", side), ("--side", enemy), ("--at", place)], "retreat": [("--units", unit)],
        "pursue": [("--units", unit, "--at", place)], "victory": [()], "capture": [("--at", place, "--side", side)],
        "turn": [()], "due": [("--until", "30")], "arrivals": [("--side", side), ("--side", enemy)], "setup": [(), ("--scenario", "1914")],
        "place": [("--unit", unit, "--at", place)], "mobilize": [("--unit", unit)], "demobilize": [("--unit", unit)],
        "reorganize": [("--break", unit)], "scout": [("--unit", unit, "--at", place), ("--unit", unit, "--at", target, "--answers", f"scout={die}")],
        "romania": [()], "revolution": [()], "psywar": [("--side", side)], "next": [()],
    }  # fmt: skip
    here = questions_of(GAME)
    return [
        *(("ask", name, "FILE", *random.choice(words), *form) for name, words in asked.items() if name in here),
        ("check", "FILE", *form),
        ("check", "-", *form),
        ("answer", "FILE", *form),
        ("link", "FILE"),
        ("ask", "zones", "FILE", "--picture", "OUT.svg"),
        ("ask", "battle", "FILE", "--at", target, "--picture", "OUT.svg"),
        ("ask", "scout", "FILE", "--unit", own, "--at", target, "--after", random.choice(["OUT.pos", "OUT.json"])),
        ("convert", "FILE"),
        ("convert", "FILE", "--notation"),
        ("compare", "FIRST", "FILE", *form),
        ("explain", "FILE"),
        ("luck", "FILE"),
        ("table", GAME.id, "FILE", f"position\n{place}: {other}\nask stack at={place}\nsave OUT.pos\njournal\n"),
    ]


SEARCH = make_search("secrets-fog", pair, told, "Secrets in fog of war")
