"""Questions on building and converting: `build-line`, `pontoon`, `railhead`, `railways` (17, 18)."""

from __future__ import annotations

import random
from collections.abc import Callable

from . import Case, Given, some, spoil

FIELD = """turn=6
49.75 station clear control=central-powers
48.75 clear
49.75|48.75 major-river ferry secondary-road
"""
ROADLESS = """turn=6
49.75 station clear control=central-powers
48.75 clear control=central-powers
49.75|48.75 minor-river bridge no-road no-rail
50.76 mountain
49.75|50.76 open secondary-road
"""
NARROW = """campaign
new-railways
turn=8
84.43 station country=german control=central-powers
84.43|83.43 open road
83.43 control=central-powers
83.43|83.44 rail2
84.43|84.44 minor-river road no-crossing
84.44 control=russian
"""
OVER_PONTOON = """campaign
new-railways
turn=8
84.43 station country=german
84.43|83.43 major-river road pontoon
83.43 control=central-powers
"""
RAILROAD = """campaign
new-railways
turn=8
43.66 station country=russian control=russian
44.67 control=russian
45.67 control=russian
43.67 control=russian
43.66|44.67 open
44.67|45.67 open rail2 standard
44.67|43.67 minor-river no-road no-rail ferry
"""
BESIDE = """campaign
new-railways
turn=8
43.66 station country=russian control=russian
44.67 control=russian
43.66|44.67 major-river bridge rail1 broad
"""
LONG = " ".join(["49.75", *(f"49.{row}" for row in range(76, 88))])
SITES = {
    "49.75": (FIELD, FIELD, ROADLESS, f"{FIELD}49.88, 49.89 clear\n49.87|49.88, 49.88|49.89 open secondary-road\n"),
    "84.43": (NARROW, NARROW, OVER_PONTOON),
    "43.66": (RAILROAD, RAILROAD, BESIDE),
}
"""Where a line begins, with what lies around it."""
RECORDS = {
    "49.75": {
        ("48.75", "48.75", "50.76"): 'built-line="49.75" built-kind=field built-by=austro-hungarian',
        ("47.74", "49.75"): 'built-line="49.75 48.75" built-kind=field built-by=austro-hungarian',
        ("49.88", "49.88", "49.76"): f'built-line="{LONG}" built-kind=field built-by=austro-hungarian',
        ("49.89",): f'built-line="{LONG} 49.88" built-kind=field built-by=austro-hungarian',
    },
    "84.43": {
        ("83.43", "83.43", "84.44"): 'built-line="84.43" built-kind=narrow-gauge built-by=german',
        ("83.44", "82.43"): 'built-line="84.43 83.43" built-kind=narrow-gauge built-by=german',
    },
    "43.66": {
        ("44.67", "44.67", "43.67"): 'built-line="43.66" built-kind=railroad built-by=russian built-to=49.75'
        " built-gauge=russian",
        ("45.67", "43.67"): 'built-line="43.66 44.67" built-kind=railroad built-by=russian built-to=49.75'
        " built-gauge=russian",
        ("44.67", "45.67"): 'built-line="43.66 44.67" built-kind=railroad built-by=russian built-to=49.75'
        " built-gauge=russian built-half",
        ("45.67",): 'built-line="43.66 44.67" built-kind=railroad built-by=russian built-gauge=european',
    },
}
"""Lines under construction from there, by the hexes into which they may be built next."""
COMMON = [
    "phase=movement",
    "phase=engineering",
    "phasing=russian",
    "phasing=central-powers",
    "campaign",
    "new-railways",
]
BUILDING = {
    "49.75": [
        *COMMON,
        "48.75: russian infantry XX R",
        "47.74: russian infantry XX R",
        "47.74: russian infantry XX R\n48.75: austro-hungarian infantry XX A",
        "48.75: russian artillery - R",
        "50.76: russian infantry XX R",
        "ruling field-railway-length=all",
        "ruling field-railway-length=all",
        "nation austro-hungarian field-railways=0",
        "nation austro-hungarian field-railways=3",
        "nation russian field-railways=2",
        "48.75 mountain",
        "49.75 mountain",
        "48.75 control=russian",
        "49.75|48.75 pontoon",
    ],
    "84.43": [
        *COMMON,
        "83.43: russian cavalry XX R",
        "84.43: german infantry XX G",
        "ruling narrow-gauge-pontoon=printed",
        "ruling narrow-gauge-pontoon=printed",
        "84.43 country=russian",
        "83.43 control=russian",
        "84.43 operational=central-powers\n83.43 operational=central-powers",
        "84.43|83.43 major-river",
        "84.43|83.43 rail1 narrow",
    ],
    "43.66": [
        *COMMON,
        "44.67: german infantry XX G",
        "44.67 control=central-powers",
        "ruling new-line-toward=free",
        "ruling new-line-toward=free",
        "43.66 country=austro-hungarian",
        "43.66|44.67 major-river no-road pontoon",
        "43.66|44.67 minor-river no-road no-crossing",
        "43.66|44.67 rail2 standard",
        "43.66|44.67 rail2",
    ],
}
"""Lines that may be added, by where the line begins."""

SAN = """turn=4
41.19 control=central-powers
42.19 control=central-powers
41.19|42.19 major-river no-road no-rail no-crossing
"""
WAY = "line way: 43.19 42.19 clear\n43.19|42.19 open no-road no-rail\n"
LAYING = (
    f"{SAN}43.19: german corps-train - T range=3 extended-range=5\n{WAY}",
    f"{SAN}43.19: german corps-train - T range=3 extended-range=5\n",
    f"{SAN}43.19: german corps-train - T range=3 extended-range=5\nside central-powers whole-network\n43.19:42.19\n",
    f"{SAN}42.19: german corps-train - T range=3 extended-range=5\n"
    "42.20: austro-hungarian corps-train - U range=3 extended-range=5\n",
    f"{SAN}47.19: austro-hungarian corps-train - T range=0 extended-range=2\n"
    f"43.19: german corps-train - U range=3 extended-range=5\n{WAY}",
    f"{SAN}42.19: russian corps-train - R range=2 extended-range=3\n"
    "43.19: german corps-train - T range=3 extended-range=5\n",
)
MARKERS = "".join(f"20.{row}|21.{row} pontoon pontoon-of=german\n" for row in range(30, 34))
PONTOONS = (
    "turn=4\n42.19|41.19 pontoon pontoon-of=german\n20.30|21.30 pontoon pontoon-of=russian\n42.20: russian infantry XX R\n",
    "turn=4\n42.19|41.19 pontoon pontoon-of=german\n20.30|21.30 pontoon\n",
    f"turn=4\n{MARKERS}42.19|41.19 pontoon pontoon-of=german\n",
)
CROSSING = [
    "T pontoon-laid",
    "T entrained",
    "T extended",
    "T incomplete=1 incomplete-range=1",
    "phase=pontoon",
    "phase=attack",
    "phase=movement",
    "phase=counter-movement",
    "phasing=central-powers",
    "phasing=russian",
    "40.19: russian infantry XX R\n40.19|41.19 open",
    "40.19: russian infantry XX R\n40.19|41.19 open\n41.19: german infantry XX G",
    "41.19: russian infantry XX R",
    "41.19: german infantry XX G",
    "41.19: german artillery - G",
    "20.30: german cavalry XX C",
    "42.19: russian cavalry XX C",
    "41.19|42.19 bridge",
    "41.19|42.19 minor-river",
    "41.19|42.19 secondary-road ferry",
    "20.20|20.21 pontoon",
    f"{MARKERS}20.40|21.40 pontoon",
    f"{MARKERS}20.40|21.40 pontoon pontoon-of=german",
    "41.19 control=russian",
    "ruling pontoon-next-to=around",
]

ALLIED = """turn=12
phasing=central-powers
40.23|40.22 rail2
40.22|40.21 rail2
40.21|40.20 rail2
40.23 map-edge=central-powers operational=central-powers country=german
40.22 country=german control=central-powers operational=none
40.21 country=austro-hungarian control=central-powers operational=none
40.20 country=russian control=central-powers operational=none
"""
RUSSIAN = """turn=3
phasing=russian
line one: 40.23 -rail2- 40.22 -rail2- 40.21 -rail2- 40.20 -rail2- 40.19 -rail2- 40.18
line two: 40.22 -rail2- 39.21 -rail2- 38.21
40.23 map-edge=russian
40.22,40.21,40.20,40.19,40.18,39.21 control=russian
"""
CUT = """turn=3
phasing=russian
40.23|40.22 rail2
40.22|40.21 rail1
40.21|40.20 rail1
40.22 operational=russian
40.21 control=russian
40.20 control=central-powers
"""
MAIN = """turn=5
line main: 40.23 -rail2- 40.22 -rail2- 40.21 -rail1- 40.20 -rail1- 40.19
40.23 map-edge=russian operational=russian
40.22 operational=russian
40.21 operational=russian
40.20 operational=russian
40.19 operational=none
"""
TYPED = "turn=5\n4023=4022=4021:4020\n40.20: russian infantry XX 1/1\n"
FIELD_LINE = '40.21 built-line="40.21 41.21 41.22" built-kind=field built-by=russian built-turn=3\n'
NEW_LINE = (
    '40.21 built-line="40.21 41.21" built-kind=railroad built-by=russian built-turn=3 built-to=43.22\n'
    "40.21|41.21 rail1 broad\n41.21 operational=russian\n"
)
FRONT = "".join(
    f"{hex}: german infantry XX G{hex[:2]} army=Eighth\n" for hex in ("38.21", "39.22", "41.22", "42.21")
) + ('army "central-powers Eighth" front="38.21 39.22 40.22 41.22 42.21"')
LINES = (ALLIED, RUSSIAN, RUSSIAN, CUT, MAIN, TYPED)
RAILS = [
    "phase=movement",
    "phase=engineering",
    "phasing=russian",
    "phasing=central-powers",
    "40.21: russian cavalry XX Q",
    "40.22: german infantry XX G",
    "40.23: german artillery - G",
    "41.22: german infantry XX G",
    "40.22 converted operational=central-powers",
    "40.22 converted operational=russian",
    "40.21 converted operational=russian",
    "ruling railhead-line=stretch",
    "40.20 control=central-powers",
    "40.21 control=russian",
    "40.23 linked=none",
    "40.23 linked=russian",
    "side russian whole-network",
    "side central-powers whole-network",
    "campaign\njaroslau-blown=1",
    FRONT,
]
HEXES = ["40.22", "40.21", "40.20", "40.19", "40.18", "39.21", "38.21", "50.28"]


def _spoiled(base: str, chance: random.Random, more: list[str], kept: str = "") -> str:
    """Return a position, spoiled but for the lines that are kept, half the time in a known phase."""
    phase = chance.choice(["", "", "", "phase=other\n"])
    known = [line for line in more if not line.startswith("T ") or "- T" in base]
    if chance.random() < 0.4:
        return phase + base + "\n".join(chance.sample(known, chance.choice([0, 1, 2]))) + "\n" + kept
    return phase + spoil(base, chance, known) + kept


def _building(chance: random.Random) -> Case:
    at = chance.choice(list(SITES))
    base = chance.choice(SITES[at])
    if chance.random() < 0.35:
        given = {
            "at": at,
            **some(
                chance,
                {
                    "kind": (0.97, {"49.75": ["field"] * 4, "84.43": ["narrow-gauge"] * 4, "43.66": ["railroad"] * 4}[at]
                    + ["field", "narrow-gauge", "railroad"]),
                    "nation": (0.6, ["austro-hungarian", "russian", "german"]),
                },
            ),
        }  # fmt: skip
        if given.get("kind") == "field" and chance.random() < 0.9:
            given["nation"] = chance.choice(["austro-hungarian", "austro-hungarian", "russian"])
        if given.get("kind") == "railroad":
            given |= some(
                chance, {"objective": (0.85, ["49.75", "49.75", "20.20"]), "gauge": (0.85, ["russian", "european"])}
            )
        return Case("build-line", _spoiled(base, chance, BUILDING[at]), given)
    records = RECORDS[at]
    ends = chance.choice([next(iter(records)), *records])
    turn = "" if chance.random() < 0.15 else f" built-turn={chance.choice([3, 5, 5, 7, 8])}"
    given = {
        "at": at,
        "to": chance.choice(ends),
        **some(chance, {"kind": (0.1, ["field", "narrow-gauge", "railroad"])}),
    }
    return Case("build-line", _spoiled(base, chance, BUILDING[at], f"{at} {records[ends]}{turn}\n"), given)


def _crossing(chance: random.Random) -> Case:
    if chance.random() < 0.3:
        given = chance.choice([{}, {"at": "42.19", "to": "41.19", "remove": True}])
        return Case("pontoon", _spoiled(chance.choice(PONTOONS), chance, CROSSING), given)
    given = {
        "at": "42.19",
        "to": "41.19",
        **some(
            chance,
            {
                "train": (0.3, "T"),
                "nation": (0.25, ["german", "austro-hungarian", "russian"]),
                "in-range": (0.2, [True, False]),
            },
        ),
    }
    return Case("pontoon", _spoiled(chance.choice(LAYING), chance, CROSSING), given)


def _points(chance: random.Random, side: str) -> Given:
    """Return RR Engineer points of a side, and now and then of the other one."""
    names = ["russian"] if side == "russian" else ["german", "home", "austro-hungarian"]
    often = chance.choice([0.3, 0.9])
    given = some(chance, dict.fromkeys(names, (often, [0, 1, 2, 5])))
    return given | some(chance, {"home" if side == "russian" else "russian": (0.02, 1)})


def _railheads(chance: random.Random) -> Case:
    base = chance.choice(LINES)
    side = "central-powers" if base == ALLIED else "russian"
    given = _points(chance, side) | some(chance, {"side": (0.6, [side] * 9 + ["central-powers"])})
    if base in (MAIN, TYPED):
        given["side"] = side
    far = chance.choice([0, 1, 1, 2, 3, 6])
    hexes = HEXES[:far] if chance.random() < 0.7 else chance.sample(HEXES, far)
    if hexes:
        given["hexes"] = ",".join(hexes)
    return Case("railhead", _spoiled(base, chance, RAILS), given)


def _railways(chance: random.Random) -> Case:
    kept = chance.choice(["", "", FIELD_LINE, NEW_LINE])
    given = some(
        chance,
        {
            "side": (0.7, ["russian", "russian", "central-powers"]),
            "at": (0.4, ["40.20", "40.21", "50.50", "40.20,40.19"]),
            "passed": (0.15, ["40.22", "40.21"]),
            "railheads": (0.15, ["40.21", "40.22"]),
        },
    )
    if not {"passed", "railheads"}.isdisjoint(given):
        given.setdefault("side", "russian")
    return Case("railways", _spoiled(chance.choice(LINES), chance, RAILS, kept), given)


QUESTIONS: tuple[Callable[[random.Random], Case], ...] = (
    _building,
    _building,
    _crossing,
    _crossing,
    _railheads,
    _railways,
)


def draw(chance: random.Random) -> Case:
    """Return a case of the chapter."""
    return chance.choice(QUESTIONS)(chance)
