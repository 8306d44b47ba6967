"""Made-up cases of attachment: what belongs to what, who may be attached anew, detachments, and Attachment markers (6, 23.5 to 24.5)."""

from __future__ import annotations

import random
from typing import Any

from . import Case, spoil

RUSSIAN = ("First", "Second", "Tenth", "Warsaw Garrison")
GERMAN = ("Eighth", "Ninth", "AG W", "First")
AUSTRIAN = ("First", "Third", "AG P-B", "Przemysl Garrison")
HEXES = {
    nation: tuple(f"{column}.{row}" for column in columns for row in (18, 20, 22))
    for nation, columns in {"russian": (41, 42, 44), "german": (37, 38, 40), "austro-hungarian": (37, 39, 40)}.items()
}
CORPS = {"russian": ("13", "3", "1 C"), "german": ("1", "KG", "3 LW"), "austro-hungarian": ("HN", "2", "6")}
AREAS = {
    "russian": (
        "41.17-41.23 42.17-42.23",
        "43.17-43.23 44.17-44.23",
        "41.16-41.19 42.16-42.19",
        "41.20-41.24 42.20-42.24",
    ),
    "central-powers": (
        "37.17-37.23 38.17-38.23 39.17-39.23 40.17-40.23",
        "37.16-37.19 38.16-38.19 39.16-39.19 40.16-40.19",
        "37.20-37.24 38.20-38.24 39.20-39.24 40.20-40.24",
        "38.20 40.20",
    ),
}
SOME = [
    "free-attachment",
    "campaign",
    "campaign=no",
    "turn=29",
    "turn=3",
    "phase=attachment phasing=russian",
    "phase=attachment",
    "phase=supply phasing=central-powers",
    "phasing=russian",
    "ruling corps-or-area=corps",
    "ruling cross-nation=letter",
    "ruling front-of-train=any",
    "ruling boundary-bend=hex",
    'army "russian First" front="42.20"',
    'army "russian Second" front=""',
    'army "russian Second" plan plan-outcome=abandoned',
    "leaders=francois",
    "leaders=francois+artamonov",
    "hidden-units=on-map",
    "hidden-units=concealment",
    "warsaw-complete",
    "41.20: russian artillery - guns",
    "42.20: russian infantry III brigade asset army=First",
]


def _write(value: str) -> str:
    return f'"{value}"' if " " in value or not value else value


def _draw_unit(chance: random.Random, name: str, nation: str, armies: tuple[str, ...]) -> list[str]:
    """Return the lines of a formation: where it stands, and what is known of it."""
    corps = chance.choice(CORPS[nation])
    ident = f"{name}/{corps}" if chance.random() < 0.6 else f"{name}{nation[0]}"
    arm = chance.choice(["infantry", "infantry", "infantry", "cavalry"])
    words = [f"army={_write(chance.choice(armies))}"] if chance.random() < 0.85 else []
    words += (
        [f"corps={_write(chance.choice((corps, corps, corps, '', *CORPS[nation])))}"] if chance.random() < 0.6 else []
    )
    words += [f"cel=-{chance.randrange(1, 5)}"] if chance.random() < 0.2 else []
    words += ["concealed"] if chance.random() < 0.1 else []
    words += ["isolated"] if chance.random() < 0.1 else []
    words += ["entrained"] if chance.random() < 0.05 else []
    size = chance.choice(["XX", "XX", "XX", "X"])
    lines = [f"{chance.choice(HEXES[nation])}: {nation} {arm} {size} {_write(ident)}"]
    return [*lines, f"{_write(ident)} {' '.join(words)}"] if words else lines


def _draw_train(chance: random.Random, corps: str, nation: str, armies: tuple[str, ...]) -> list[str]:
    """Return the lines of a Corps Train."""
    name = f"T-{corps.replace(' ', '')}"
    facts = f"corps={_write(corps)} army={_write(chance.choice(armies))} corps-limit={chance.randrange(1, 4)}"
    facts += f" extended-range={chance.randrange(1, 8)}"
    facts += chance.choice(["", "", "", " entrained", " cavalry-corps"])
    return [f"{chance.choice(HEXES[nation])}: {nation} corps-train - {name}", f"{name} {facts}"]


def _draw_display(chance: random.Random) -> list[str]:
    """Return the lines of a position with one or two sides and their displays."""
    lines = list[str]()
    sides = chance.choice([("russian",), ("russian", "german"), ("german", "austro-hungarian"), ("russian", "german")])
    number = 0
    for nation in sides:
        armies = {"russian": RUSSIAN, "german": GERMAN, "austro-hungarian": AUSTRIAN}[nation]
        few = armies if chance.random() < 0.5 else chance.sample(armies, 2)
        for corps in chance.sample(CORPS[nation], chance.randrange(0, 4)):
            lines += _draw_train(chance, corps, nation, tuple(few))
        for _ in range(chance.randrange(2, 5)):
            number += 1
            name = chance.choice(
                [f"{number}", f"{number} r", f"{number}", "2 c" if nation == "russian" else f"{number} lw"]
            )
            lines += _draw_unit(chance, name, nation, tuple(few))
        side = "russian" if nation == "russian" else "central-powers"
        for army in few:
            if "Garrison" in army and chance.random() < 0.9:
                continue
            facts = [f"attachment-limit={chance.randrange(2, 5)}"]
            facts += ["cavalry-track"] if chance.random() < 0.3 else []
            facts += [chance.choice(["plan=no", "plan=no", "plan"])] if chance.random() < 0.8 else []
            facts += [f'area="{chance.choice(AREAS[side])}"'] if chance.random() < 0.5 else []
            facts += [f'front="{chance.choice(HEXES[nation])}"'] if chance.random() < 0.2 else []
            lines += [f'army "{side} {army}" {fact}' for fact in facts]
    if chance.random() < 0.3:
        lines += ["41.20: russian artillery - guns", f"guns army=Second{chance.choice(['', ' with=1r', ' asset'])}"]
    if chance.random() < 0.3:
        lines += ["44.20: russian infantry III lone", "lone asset army=First"]
    if chance.random() < 0.3:
        lines += [
            "38.20: german artillery - fort-guns",
            f"fort-guns {chance.choice(['army=Ninth', 'began-in-eighth'])}",
        ]
    return lines


def _draw_front(chance: random.Random) -> list[str]:
    """Return the lines of a position with the areas of two armies side by side, which face an enemy."""
    last = chance.choice([44, 48, 49, 49, 50])
    edge = chance.choice([19, 19, 18])
    lines = list[str]()
    for army, first_row, last_row in (("Eighth", 16, 19), ("Ninth", edge + 1, 24)):
        deep = range(40, last + 1)
        area = " ".join(f"{column}.{first_row}-{column}.{last_row}" for column in deep if chance.random() < 0.98)
        lines += [f'army "central-powers {army}" area="{area}"', f'army "central-powers {army}" attachment-limit=3']
    for hex, name, army in (("42.18", "A/1", "Eighth"), ("42.22", "B", "Ninth"), ("44.20", "C/17", "Ninth")):
        lines += [f"{hex}: german infantry XX {name}", f"{name} army={army}"]
    lines += ['43.20: german corps-train - "1 Train"', '"1 Train" corps=1 army=Eighth corps-limit=2 extended-range=2']
    return [*lines, f"{chance.choice(['40.20', '40.20', '38.20'])}: russian infantry XX R", "R army=First"]


def _draw_clock(chance: random.Random) -> list[str]:
    lines = [f"turn={chance.choice([2, 5, 12, 18, 20, 30])}"] if chance.random() < 0.8 else []
    lines += [chance.choice(["campaign", "campaign", "campaign=no"])] if chance.random() < 0.7 else []
    lines += [f"phase={chance.choice(['attachment', 'attachment', 'movement'])}"] if chance.random() < 0.7 else []
    lines += [f"phasing={chance.choice(['russian', 'central-powers'])}"] if chance.random() < 0.7 else []
    lines += [f"hidden-units={chance.choice(['on-map', 'concealment'])}"] if chance.random() < 0.15 else []
    return lines


def _draw_depots(chance: random.Random) -> list[str]:
    """Return the lines of a position with the depots whose army is named in play."""
    praga = chance.choice(["", "army=Second", "army=Second changed-attachment", "army=First"])
    karpaten = chance.choice(["", "", "army=Third"])
    return [
        "60.46: russian major-depot - PRAGA",
        f"PRAGA range=7 {praga}".strip(),
        "61.40: russian infantry XX A",
        "A army=Second",
        "62.40: russian infantry XX B",
        "B army=First",
        f"40.100: Karpaten {karpaten}".strip(),
        "41.90: austro-hungarian infantry XX C",
        "C army=Third",
        "42.90: austro-hungarian infantry XX D",
        "D army=First",
        "43.90: german infantry XX E",
        "E army=Ninth",
    ]


def _draw_przemysl(chance: random.Random) -> list[str]:
    """Return the lines of a position at Przemysl."""
    garrison = 'army="Przemysl Garrison"'
    lines = []
    for hex, name in (("42.88", "H"), ("41.88", "I"), ("40.88", "O")):
        lines += [f"{hex}: austro-hungarian infantry XX {name}"]
        lines += [f"{name} {chance.choice(['army=Third', 'army=Third', garrison])}"]
        lines += [f"{name} isolated"] if chance.random() < 0.6 else []
    lines += ["42.88: austro-hungarian fortress - P", "P complex=P", "41.88: austro-hungarian fort - Q"]
    lines += [f"Q complex={chance.choice('PPR')}"]
    if chance.random() < 0.3:
        lines += ["42.88: austro-hungarian artillery - G", "G isolated"]
    return [*lines, f'army "central-powers Third" {chance.choice(["plan=no", "plan=no", "plan"])}']


def _draw_warsaw(chance: random.Random) -> list[str]:
    """Return the lines of a position with units of the Warsaw Garrison."""
    lines = ["warsaw-complete"] if chance.random() < 0.4 else []
    for name, hex in (("K", "58.52"), ("L", "58.52"), ("M", "57.48"), ("N", "58.51")):
        lines += [f"{hex}: russian infantry XX {name}", f"{name} steps={chance.choice([8, 12, 16])} lost=0"]
        lines += [f"{name} army={chance.choice([_write(RUSSIAN[3]), _write(RUSSIAN[3]), 'Second', 'First'])}"]
    return [*lines, f'army "russian Second" {chance.choice(["plan=no", "plan"])}', 'army "russian First" plan=no']


def _draw_detachment(chance: random.Random) -> list[str]:
    """Return the lines of a position with a detachment and units that may be its parents."""
    name = chance.choice(["det 4+16/6", "det 4+16/6", "det 43/2", "1-det 11"])
    lines = [
        f'51.40: russian infantry III "{name}"',
        f'"{name}" withdrawal={chance.choice([9, 19, 31])} asset army=Second',
    ]
    lines += [f'"{name}" steps={chance.randrange(2, 5)} lost={chance.randrange(0, 2)}']
    for parent in chance.sample(["4/6", "16/6", "43/2", "11/11"], chance.randrange(1, 4)):
        nation = chance.choice(["russian"] * 9 + ["german"])
        hex = chance.choice(["51.40", "51.40", "52.40"])
        lines += [
            f"{hex}: {nation} infantry XX {parent}",
            f"{parent} army=Second steps=10 lost={chance.randrange(0, 5)}",
        ]
        lines += [f"{parent} back-steps=5{chance.choice(['', '', ' reduced'])}"]
    return lines


POSITIONS = {
    "front": _draw_front,
    "display": _draw_display,
    "depots": _draw_depots,
    "przemysl": _draw_przemysl,
    "warsaw": _draw_warsaw,
    "detachment": _draw_detachment,
}


def _list_units(lines: list[str]) -> list[tuple[str, str]]:
    """Return the units that lines place on the map, each with its side."""
    units = list[tuple[str, str]]()
    for line in lines:
        place, colon, unit = line.partition(": ")
        if colon and place[0].isdigit():
            name = unit.split('"')[1] if '"' in unit else unit.split()[-1]
            units.append(("Karpaten" if "Karpaten" in unit else name, unit.split()[0]))
    return units


def _draw_reunite(chance: random.Random, units: list[str]) -> dict[str, Any]:
    given: dict[str, Any] = {"unit": units[0]}
    if chance.random() < 0.85:
        given["ends"] = chance.random() < 0.8
    parents = [unit for unit in units[1:] if unit.partition("/")[0] in units[0]]
    if parents and chance.random() < 0.4:
        given["parent"] = chance.choice(parents)
    return given


def _draw_attach(chance: random.Random, kind: str, lines: list[str]) -> dict[str, Any]:
    units = [unit for unit in _list_units(lines) if unit[0] not in "PQ" or chance.random() < 0.1]
    unit, nation = chance.choice(units)
    if kind == "depots" and chance.random() < 0.8:
        unit = chance.choice(["PRAGA", "Karpaten"])
    given: dict[str, Any] = {"unit": unit}
    if chance.random() < 0.8:
        given["attachment-phase"] = chance.random() < 0.85
    side = "russian" if nation == "russian" else "central-powers"
    named = [line.split('"')[1].partition(" ")[2] for line in lines if line.startswith(f'army "{side}')]
    named = {
        "przemysl": ["Third", "Przemysl Garrison", "Przemysl Garrison"],
        "warsaw": [*RUSSIAN],
        "depots": ["First", "Second"] if unit == "PRAGA" else ["First", "Third", "Third", "Ninth"],
    }.get(kind, named or ["Second"])
    if chance.random() < 0.85:
        given["army"] = chance.choice(named)
    if kind == "display" and (chance.random() < 0.4 or "army" not in given):
        given["corps"] = chance.choice([*CORPS.get(nation, ["3"]), "none"])
    return given


def _draw_parameters(chance: random.Random, kind: str, lines: list[str]) -> tuple[str, dict[str, Any]]:
    """Return a question with its parameters."""
    units = [unit for unit, _ in _list_units(lines)]
    if kind == "detachment" and chance.random() < 0.95:
        return "reunite", _draw_reunite(chance, units)
    asked = "attach"
    if kind in ("display", "front"):
        asked = chance.choice(["attach", "attach", "attach", "attach", "attachment", "attachment", "markers"])
    if asked == "attach":
        return asked, _draw_attach(chance, kind, lines)
    given = dict[str, Any]()
    if asked == "attachment" and chance.random() < 0.25:
        given["army"] = chance.choice(["russian Second", "russian First", "central-powers Eighth"])
    elif chance.random() < 0.2:
        given["units"] = chance.sample(units, 1)
    return asked, given


def draw(chance: random.Random) -> Case:
    """Return a made-up case."""
    kind = chance.choice([*["display"] * 7, "front", "depots", "przemysl", "warsaw", "detachment", "detachment"])
    lines = [*_draw_clock(chance), *POSITIONS[kind](chance)]
    question, given = _draw_parameters(chance, kind, lines)
    heads = {line.partition("=")[0] for line in lines}
    more = [line for line in SOME if line.partition("=")[0] not in heads]
    return Case(question, spoil("\n".join(lines), chance, more), given)
