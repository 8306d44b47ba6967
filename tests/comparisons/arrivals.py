"""Made-up cases of what comes back or comes new: replacements, substitutions, supply units that return, the call of reinforcements (15, 16)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from . import Case, spoil

SOME = [
    "turn=3",
    "turn=7",
    "phase=movement",
    "phasing=central-powers",
    "ruling repl-isolated=marked",
    "ruling substitute-room=lost",
    "ruling lone-brigade=whole",
    "ruling entry-control=closed",
    "nation russian repl=0",
    "campaign",
    "western-call=5",
    "western-front=no",
]
NATIONS = ("german", "german", "austro-hungarian", "russian")
HEXES = {"russian": ("44.20", "44.22"), "german": ("40.20", "40.22"), "austro-hungarian": ("40.20", "40.24")}


def _draw_clock(chance: random.Random, turns: tuple[int, ...], phases: tuple[str, ...]) -> list[str]:
    lines = [f"turn={chance.choice(turns)}"] if chance.random() < 0.85 else []
    lines += [f"phase={chance.choice(phases)}"] if chance.random() < 0.8 else []
    return (
        [*lines, f"phasing={chance.choice(['russian', 'russian', 'central-powers'])}"]
        if chance.random() < 0.7
        else lines
    )


def _draw_replace(chance: random.Random) -> tuple[str, list[str], dict[str, Any]]:
    lines = _draw_clock(chance, (3, 3, 6, 6, 7), ("replacements", "replacements", "replacements", "movement"))
    for nation in sorted(set(NATIONS)):
        if chance.random() < 0.8:
            lines += [f'nation "{nation}" repl={chance.randrange(4)} cav-repl={chance.randrange(3)}']
    units = list[tuple[str, str]]()
    for number in range(chance.randrange(1, 5)):
        nation = chance.choice(NATIONS)
        arm = chance.choice(["infantry", "infantry", "infantry", "cavalry", "artillery"])
        size = chance.choice(["XX", "XX", "X", "III"])
        place = f"{chance.choice(HEXES[nation])}: " if chance.random() < 0.9 else ""
        facts = f"steps={chance.choice([6, 8])} back-steps=4 lost={chance.choice([0, 1, 2])}"
        facts += chance.choice(["", "", "", " reduced", " isolated", " supply=out", " repl-taken=1", " repl-taken=2"])
        name = f"U{number}"
        start = f"{place}{nation} {arm} {size} {name}" if place else f"!{name} {nation} {arm} {size} arrives=9"
        lines += [start, f"{name} {facts}"]
        units.append((name, nation))
    given = dict[str, Any]()
    if chance.random() < 0.85:
        given["unit"] = chance.choice(units)[0]
        if chance.random() < 0.5:
            given["steps"] = chance.choice([1, 1, 1, 2, 2, 3])
    if chance.random() < 0.25:
        given["nation"] = chance.choice(NATIONS)
    return "replace", lines, given


def _draw_substitute(chance: random.Random) -> tuple[str, list[str], dict[str, Any]]:
    lines = _draw_clock(chance, (6, 7, 7, 7, 8, 9), ("reinforcement", "reinforcement", "reinforcement", "movement"))
    given: dict[str, Any] = {"unit": "A"}
    if chance.random() < 0.5:
        lines += ["41.19: russian infantry X B", f"B steps=6 back-steps=5 lost={chance.randrange(5)} army=First"]
        lines += [f"B cel=-{chance.randrange(1, 4)}"] if chance.random() < 0.5 else []
        lines += [f"B supply={chance.choice(['in', 'low', 'out', 'out'])}"] if chance.random() < 0.5 else []
        lines += ["B disorder=1"] if chance.random() < 0.2 else []
        lines += ["!A russian infantry XX arrives=7", f"A steps=12 back-steps=6 lost={chance.choice([1, 4, 8])}"]
        lines += ["A substitute-for=B"] if chance.random() < 0.8 else []
        lines += ["A voluntary"] if chance.random() < 0.2 else []
        lines += ["41.21: russian artillery - G", "G with=B"] if chance.random() < 0.3 else []
        if chance.random() < 0.3:
            given["exchanged"] = ["B"]
        if chance.random() < 0.15:
            given["destroyed"] = ["B"]
        return "substitute", lines, given
    if chance.random() < 0.6:
        given["unit"] = "12/12"
        places = chance.choice([("41.19", "41.19"), ("41.19", "41.19"), ("41.19", "41.20"), ("41.19", "")])
        for name, place in zip("CD", places, strict=True):
            start = f"{place}: russian infantry X {name}" if place else f"!{name} russian infantry X arrives=20"
            lines += [start, f"{name} steps=6 back-steps=5 lost={chance.randrange(5)} army=First"]
            lines += [f"{name} supply=out"] if chance.random() < 0.2 else []
        lines += ["!12/12 arrives=7", '12/12 substitute-for="C,D"', "12/12 steps=12 back-steps=6 lost=0"]
        if chance.random() < 0.15:
            given["destroyed"] = chance.choice([["C"], ["C", "D"], ["D"]])
        return "substitute", lines, given
    depot = chance.choice(["Karpaten", "NINTH Minor Depot", "German EIGHTH Minor Depot", "3 C Train", ""])
    lines += [f'!"{depot}" arrives=7'] if depot else []
    lines += ['41.90: austro-hungarian minor-depot - "M"', '44.20: "FR Train"']
    if depot != "German EIGHTH Minor Depot":
        lines += ['52.20: "German EIGHTH Minor Depot"']
        lines += [f'"German EIGHTH Minor Depot" supply={chance.choice(["in", "low", "out"])}']
    lines += [f"41.90 province={chance.choice(['hungary', 'bukowina'])}"] if chance.random() < 0.8 else []
    given = {"unit": depot} if depot else {}
    if depot == "Karpaten":
        given["exchanged"] = [chance.choice(["M", "M", "German EIGHTH Minor Depot"])]
    return "substitute", lines, given


def _draw_return(chance: random.Random) -> tuple[str, list[str], dict[str, Any]]:
    lines = _draw_clock(chance, (7, 8, 8, 8, 9), ("reinforcement", "reinforcement", "movement"))
    lines += ["trust charts", "weather=normal", "40.20 clear", "40.20|40.19 open"]
    lines += ['!"3 Train" arrives=8', '"3 Train" range=5 extended-range=8']
    foe = chance.choice(["", "", "40.19: german infantry XX G (6-6-1-9)", "40.20: german infantry XX G (6-6-1-9)"])
    lines += [f"!{foe}"] if foe else []
    lines += [f"40.20 control={chance.choice(['russian', 'central-powers'])}"] if chance.random() < 0.5 else []
    given: dict[str, Any] = {"unit": "3 Train"}
    if chance.random() < 0.85:
        given["at"] = "40.20"
    if chance.random() < 0.7:
        given["in-supply"] = chance.random() < 0.8
    return "return", lines, given


def _draw_call(chance: random.Random) -> tuple[str, list[str], dict[str, Any]]:
    lines = _draw_clock(chance, (4, 5, 6), ("reinforcement", "reinforcement", "other", "movement"))
    lines = [line.replace("=russian", "=central-powers") if chance.random() < 0.6 else line for line in lines]
    lines += [f"scenario={chance.choice(['29.2', '29.5'])}"] if chance.random() < 0.4 else []
    return "call", lines, {}


def _draw_activate(chance: random.Random) -> tuple[str, list[str], dict[str, Any]]:
    army = chance.choice(["Ninth", "Ninth", "Eleventh", "AG P-B"])
    lines = _draw_clock(
        chance, (9, 10, 15, 16, 20, 21, 24, 25), ("reinforcement", "reinforcement", "other", "movement")
    )
    if army != "Eleventh" and chance.random() < 0.8:
        lines = [line.replace("=russian", "=central-powers") for line in lines]
    lines += ["!campaign"] if chance.random() < 0.85 else []
    lines += [f"ninth-army-free={chance.choice([10, 12])}"] if chance.random() < 0.2 else []
    lines += ["hungary-entered=15"] if chance.random() < 0.5 else []
    lines += (
        [f"{chance.choice(['ninth-army', 'eleventh-army', 'karpatensicherung'])}=20"] if chance.random() < 0.15 else []
    )
    if chance.random() < 0.7:
        lines += ["51.23: russian corps-train - T", f"51.23 country={chance.choice(['german', 'german', 'russian'])}"]
    if chance.random() < 0.6:
        lines += [
            f"75.60: russian {chance.choice(['infantry', 'infantry', 'cavalry'])} {chance.choice(['XX', 'X', 'III'])} R"
        ]
        lines += [f"75.60 vistula={chance.choice(['west', 'west', 'east'])}"]
    given: dict[str, Any] = {"army": army}
    if chance.random() < 0.15:
        given["at"] = ["60.17"]
    return "activate", lines, given


def _draw_arrive(chance: random.Random) -> tuple[str, list[str], dict[str, Any]]:
    lines = _draw_clock(chance, (4, 5, 5, 5, 6), ("reinforcement", "reinforcement", "reinforcement", "movement"))
    lines = [line.replace("=russian", "=central-powers") if chance.random() < 0.9 else line for line in lines]
    lines += ["!trust charts", "!weather=normal", "!44.19: russian artillery - Far", "85.27 clear", "85.26 clear"]
    lines += ["!campaign"] if chance.random() < 0.4 else []
    units = list[str]()
    for name in ("A", "B", "C"):
        if chance.random() < 0.7:
            arm = chance.choice(
                ["infantry XX (6-6-1-9)", "infantry XX (6-6-1-9)", "cavalry XX (3-3-1-9)", "artillery -"]
            )
            due = chance.choice([f" arrives={turn}" for turn in (4, 5, 5, 5, 6)] + [""])
            lines += [f"!{name} german {arm}{due}" if due else f"!{name} german {arm} arrives=5 entry=85.26"]
            lines += [f"{name} movement=7 rail-cost=3 {chance.choice(['army=Eighth', ''])}".strip()]
            lines += [f"{name} entry={chance.choice(['85.27', '85.27', '85.26'])}"] if due else []
            lines += [f"{name} substitute-for=Z"] if chance.random() < 0.1 else []
            units.append(name)
    if chance.random() < 0.3:
        lines += ['!"NINTH Minor Depot" german minor-depot - arrives=5']
        units.append("NINTH Minor Depot")
    lines += (
        [chance.choice(["!85.27: russian infantry XX R (6-6-1-9)", "!85.26: russian infantry XX R (6-6-1-9)"])]
        if chance.random() < 0.25
        else []
    )
    given = dict[str, Any]()
    if units and chance.random() < 0.8:
        given["units"] = chance.sample(units, min(len(units), chance.choice([1, 1, 2])))
        if chance.random() < 0.5:
            given["at"] = chance.choice(["85.27", "85.27", "85.26", "84.27"])
        if chance.random() < 0.3:
            given["army"] = chance.choice(["Eighth", "Ninth"])
    return "arrive", lines, given


KINDS: list[Callable[[random.Random], tuple[str, list[str], dict[str, Any]]]] = [
    *[_draw_replace] * 4,
    *[_draw_substitute] * 5,
    *[_draw_return] * 2,
    *[_draw_activate] * 3,
    *[_draw_arrive] * 4,
    _draw_call,
]


def draw(chance: random.Random) -> Case:
    """Return a made-up case."""
    question, lines, given = chance.choice(KINDS)(chance)
    heads = {line.partition("=")[0] for line in lines}
    more = [line for line in SOME if line.partition("=")[0] not in heads]
    fixed = "".join(f"{line[1:]}\n" for line in lines if line[0] == "!")
    return Case(question, fixed + spoil("\n".join(line for line in lines if line[0] != "!"), chance, more), given)
