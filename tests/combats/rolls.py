"""Whether a phase that owes a roll is left, in *Kaiser's War in the East* and *The World Undone*.

Random positions of the phases in which dice are due. `next` must wait as long as a plain account of the rulebook says that one
is due (17.8, Variable Romanian Entry, Russian Revolutions; 9.4, 10.5, 10.6.2), and go on once all are thrown, each in its turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from assistant.formats.positions import Position

from ..comparing.search import Search
from ..conftest import answered, typed
from .faults import thrown


class Rolls(NamedTuple):
    """A position and the rolls that it owes."""

    text: str
    due: dict[str, dict[str, Any]]
    """The question of each die that is due, with its parameters, by a name for the roll."""


# --- Kaiser's War in the East -----------------------------------------------------------------------------------------

SEASONS = {2: "summer", 4: "winter", 6: "thaw"}
TERRAINS = ("clear", "forest", "rough", "marsh", "city")
HEXES = ("2418", "2420", "2422", "2618", "2620", "2622", "2818", "2820")
SIDES = {"allies": ("russian", "romanian"), "central-powers": ("german", "austro-hungarian")}


def draw_attrition(random: Random) -> Rolls:
    """Units of both sides with and without supply in an Attrition Phase: those check that are out of General Supply, not in a
    fortification's hex, at war, on terrain where the chart asks for it, and have not checked yet (17.7, 17.8)."""
    turn, season = random.choice(sorted(SEASONS.items()))
    side = random.choice(sorted(SIDES))
    checks = {terrain: random.choice((True, True, False)) for terrain in TERRAINS}
    lines = [
        "game kaisers-war-in-the-east",
        f"trust charts\nturn={turn} main-effort=west phasing={side} phase=attrition",
        "elsewhere no-rail open country=russia objective=no",
        *(f"chart terrain-attrition {season} {name} = {'yes' if check else 'no'}" for name, check in checks.items()),
        "chart reorganization russian infantry-army = 3",
    ]
    due = dict[str, dict[str, Any]]()
    number = 0
    for at in random.sample(HEXES, random.randint(1, 5)):
        here = random.choice(TERRAINS)
        lines.append(f"{at} {'clear city=yes' if here == 'city' else f'{here} city=no'}")
        whose = random.choice(sorted(SIDES))
        fort = random.random() < 0.15
        for _ in range(random.choice((1, 1, 2))):
            number += 1
            nation = random.choice(SIDES[whose]) if whose == "allies" else SIDES[whose][0]
            supplied, checked = random.random() < 0.3, random.random() < 0.2
            facts = f"supply={'in' if supplied else 'out'}{' checked' if checked else ''}"
            lines.append(f"{at}: {nation} infantry XXX U{number} (4-4-4) {facts}")
            if whose == side and nation != "romanian" and not supplied and not checked and not fort and checks[here]:
                due[f"U{number}"] = {"question": "attrition", "unit": [f"U{number}"]}
        if fort:
            number += 1
            lines.append(f"{at}: {SIDES[whose][0]} fortress - F{number} defence=4 supply=out")
    return Rolls("\n".join(lines) + "\n", due)


def draw_mobilization(random: Random) -> Rolls:
    """A Mobilization Phase with the dice of optional rules: Romania's from May to September 1916, the First Revolution's in an
    Allied player turn from 1917 on at 25 Victory Points or fewer."""
    side = random.choice(sorted(SIDES))
    turn = random.choice((15, 16, 17, 18, 19, 20, 21, 22, 23, 23, 24, 30, 40))
    points = random.choice((11, 20, 24, 25, 25, 26, 60))
    options = [name for name in ("variable-romania", "revolutions") if random.random() < 0.7]
    settled = [name for name in ("romania", "revolution") if random.random() < 0.2]
    entered = random.choice((0, 0, 14))
    revolutions = random.choice((0, 0, 1))
    lines = [
        "game kaisers-war-in-the-east",
        f"trust charts\nturn={turn} scenario=1914 main-effort=west phasing={side} phase=mobilization",
        f"side allies vp={points}\nside central-powers vp=50\nrevolution={revolutions}",
        *([f"options={'+'.join(options)}"] if options else []),
        *([f"settled={'+'.join(settled)}"] if settled else []),
        *([f"romania-enters={entered}"] if entered else []),
        "elsewhere no-rail open country=russia city=no objective=no",
    ]
    due = dict[str, dict[str, Any]]()
    if "variable-romania" in options and 16 <= turn <= 20 and not entered and "romania" not in settled:
        due["romania"] = {"question": "romania"}
    early = turn < 23 or points > 25 or revolutions > 0
    if "revolutions" in options and side == "allies" and not early and "revolution" not in settled:
        due["revolution"] = {"question": "revolution"}
    return Rolls("\n".join(lines) + "\n", due)


# --- The World Undone -------------------------------------------------------------------------------------------------

PHASES = ("first-movement", "first-combat", "second-movement", "second-combat")
LOST = ("I/1", "XX/28", "VI/4", "XV/6")
OPTIONS = ("russian-headquarters", "samsonov", "replacements")


def draw_undone(random: Random) -> Rolls:
    """Any phase, with headquarters and units that are lost: armies without a headquarters in the two turns after its loss, 41KB
    from turn 20 on, Samsonov's fate at 25 lost Strength Points, and the return of lost units."""
    side, phase = random.choice(("russian", "german")), random.choice((*PHASES, "first-movement"))
    masurian = random.random() < 0.4
    turn = random.randint(20, 25) if masurian else random.randint(5, 18)
    options = [name for name in OPTIONS if random.random() < 0.8]
    lines = [
        "game world-undone-east-prussia-1914",
        f"turn={turn} scenario={'masurian-lakes' if masurian else 'historical'} phasing={side} phase={phase}",
        "first-attacks=3 rivalry-ended",
        *([f"options={'+'.join(options)}"] if options else []),
    ]
    due = dict[str, dict[str, Any]]()
    for army in ("first", "second"):
        if random.random() < 0.5:
            since, released = random.randint(0, 4), random.random() < 0.2
            lines.append(f'army "russian {army}" headquarters-lost={turn - since}{" released=no" if released else ""}')
            begins = (side, phase) == ("russian", "first-movement")
            if "russian-headquarters" in options and begins and since in (1, 2) and not released:
                due[army] = {"question": "recover", "army": army}
    lost, fate = random.choice((0, 24, 25, 40)), random.random() < 0.3
    lines.append(f'army "russian second" army-lost={lost}')
    if fate:
        lines.append("samsonov=survives\nsamsonov-turn=4")
    if "samsonov" in options and lost >= 25 and not fate:
        due["samsonov"] = {"question": "samsonov"}
    if masurian:
        fixed, rolled = random.random() < 0.7, random.random() < 0.3
        lines.append(f"4432: 8A/41KB{' fixed' if fixed else ''}{' rolled' if rolled else ''}")
        if fixed and not rolled and (side, phase) == ("german", "first-movement"):
            due["41KB"] = {"question": "release"}
    for unit in random.sample(LOST, random.randint(0, 2)):
        returns = random.choice((0, 0, turn + 2, turn - 2))
        lines.append(f"off-map: {unit}{f' arrives={returns}' if returns else ''}")
        if "replacements" in options and returns <= turn:
            due[unit] = {"question": "replace", "unit": unit}
    return Rolls("\n".join(lines) + "\n", due)


DRAWS: tuple[Callable[[Random], Rolls], ...] = (draw_attrition, draw_undone, draw_attrition, draw_mobilization)


# --- what must hold ---------------------------------------------------------------------------------------------------


def roll(position: Position, given: dict[str, Any], random: Random) -> Position:
    """The position once a die is thrown."""
    question, more = given["question"], {name: value for name, value in given.items() if name != "question"}
    report = answered(position, question, **more)
    answers = {ask.name: thrown(ask, random) for ask in report.asks}
    return position.after(answered(position, question, **more, answers=answers).changes)


def find_faults(rolls: Rolls, seen: Counter[str]) -> Iterator[str]:
    """Each moment at which `next` goes on though a die is due, or waits though none is."""
    seen.update(given["question"] for given in rolls.due.values())
    seen["positions without a roll"] += not rolls.due
    position, random = typed(rolls.text), Random(rolls.text)
    left = dict(rolls.due)
    while True:
        onward = answered(position, "next")
        if left and onward.verdict.kind != "no":
            yield f"{sorted(left)} not thrown, and next says: {onward.verdict.text}"
            return
        if not left and onward.verdict.kind != "figure":
            yield f"no die is due, and next says: {onward.verdict.text}; {rolls.text}"
            return
        if not left:
            return
        name = random.choice(sorted(left))
        position = roll(position, left.pop(name), random)


def make_rolls(number: int, seed: int) -> Rolls:
    """Make a position of one of the games."""
    return DRAWS[number % len(DRAWS)](Random(f"{seed} {number}"))


SEARCH = Search("rolls", make_rolls, find_faults, 2000, write=lambda rolls: rolls.text, chunk=50)
