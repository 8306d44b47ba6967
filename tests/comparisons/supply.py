"""Supply: of a unit, of several, of a side; along a typed line; what it depends on; and the Supply Phase (14).

The ground is the sample board, or a few railways and roads of a paper map, or a place with rules of its own.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from assistant.game.boards.files import read_board
from assistant.installed.registry import load_game

from ..conftest import GAME, SAMPLE
from ..supplies.worlds import along_line, behind_railway, one_meaning, over_network, own, text_of
from . import Case, spoil

HEXES = [f"{column}.{row}" for column in range(63, 73) for row in range(31, 42) if (column, row) != (66, 40)]
"""Those of the sample board on which units may stand."""
RAILS = ("65.37", "64.38", "64.39", "63.39", "63.40", "63.41")
ARMIES = {"russian": ("Second", "First"), "german": ("Eighth", "Eighth")}
FACTS = "steps=4 back-steps=2 effectiveness=6"
MORE = {
    "sample": (
        "65.37 operational=none",
        "64.38 operational=none",
        "66.37|67.36 no-rail no-road",
        "63.41 map-edge=none",
        "66.37 control=russian",
        "68.37 control=russian",
        "69.36 unseen=russian",
        "side russian supply-phase-done=5",
        "ruling isolation-railway-hex=counted",
        "ruling supply-rounding=half-up",
        "campaign",
    ),
    "paper": (
        "elsewhere clear open control=russian",
        "elsewhere clear open",
        "campaign",
        "32.24 unseen=russian",
        "33.24 complete",
        "34.23 linked=none",
        "33.22 operational=none",
        "side russian whole-network",
        "side central-powers whole-network",
        "ruling supply-rounding=half-up",
    ),
}

BUKOWINA = """turn=12
17.112: austro-hungarian infantry XX U steps=4 effectiveness=6 army=Third
17.111: austro-hungarian infantry XX V bukowina army=Third
17.112: austro-hungarian cavalry XX W {w} army=Third
16.112: austro-hungarian infantry X Fischer {f} army=Third
17.109: austro-hungarian corps-train - "9 Train" corps=9 range=2 extended-range=4 army=Third
16.111: russian infantry XX R
17.111: austro-hungarian artillery III g asset
line way: 17.114 17.113 mountain 17.112 {ground} 17.111 clear
17.113|17.114 open no-road no-rail
17.112|17.113 open no-road no-rail
17.112|17.111 open road no-rail
17.111|17.110 open {rail} no-road
17.110|17.109 open rail1 no-road
17.109 {edge} control=central-powers
"""
BOYEN = """turn={turn}
49.27: Boyen
51.27: german infantry X Lötzen army=Eighth
51.27: german infantry X "11/20" army=Eighth
50.27: german infantry XX "1/3 LW" corps="3 LW" army=Eighth
53.27: german corps-train - "3 LW Train" corps="3 LW" army=Eighth range=3 extended-range=5
53.28: german corps-train - "KG Train" army=Eighth range=5 corps=KG
52.28: german infantry XX 1/KG army=Eighth corps=KG
52.28: german artillery III "1 h" asset
54.27: german cavalry XX "8 c" army=Eighth {drawing}
52.26: russian cavalry XX R army=First
49.27|50.27 open no-road no-rail
50.27|51.27 {river} road no-rail
51.27|52.27 open rail1
52.27|53.27 open rail1
53.27|53.28 open road
52.28|53.28 open road
53.27|54.27 open {link}
50.27 clear
51.27 {terrain}
52.27 clear {edge}
53.27 clear
"""
GARRISON = """turn={turn} {campaign}
60.54: russian infantry XX "1/W" army="Warsaw Garrison" other-line=no {facts}
58.47: russian infantry XX "1/S" army=Second other-line=no {facts}
57.52: russian major-depot - PRAGA army=Second range=7 {changed}
56.52: russian major-depot - W army="Warsaw Garrison" range=7 extended-range=8
59.53: russian corps-train - "23 Train" corps=23 army=Second range=1 extended-range={far}
60.54: 2/23
58.49: russian infantry III a asset army=Second
58.50: russian fortress - Keep {symbol}
5752:5852:5853:5953:5954:6054 5752:5751:5851:5850:5849:5848:5847
5652-5752-5751
57.51 map-edge=russian
57.52,56.52 {station}
{whole}
"""


def draw(chance: random.Random) -> Case:
    """Make up a case."""
    kind = chance.choice(("sample", "sample", "paper", "paper", "paper", "special"))
    if kind == "sample":
        own_side, names, text = _draw_sample(chance)
        return _ask(chance, own_side, names, spoil(text, chance, [*MORE["sample"]]), RAILS, HEXES, {})
    if kind == "special":
        own_side, names, text, hexes = _draw_special(chance)
        lines = {"way": ["V", "V", "U"]} if "line way" in text else {}
        return _ask(chance, own_side, names, spoil(text, chance, [*MORE["paper"]]), hexes, hexes, lines)
    world = one_meaning(chance.choice((along_line, over_network, over_network, behind_railway))(chance))
    text = text_of(world).partition("\n")[2]
    if chance.random() < 0.5:
        text = "".join(
            f"{line} {FACTS}\n" if ": " in line and " infantry " in line else f"{line}\n" for line in text.splitlines()
        )
    names = sorted(own(world))
    lines = {
        line.split('"')[1]: [name for name in names if world["units"][name]["place"] == line[-5:]]
        for line in text.splitlines()
        if line.startswith("line ")
    }
    hexes = sorted(world["hexes"])
    rails = [hex for hex in hexes if "operational" in world["hexes"][hex]] or hexes
    return _ask(chance, world["side"], names, spoil(text, chance, [*MORE["paper"]]), rails, hexes, lines)


def _ask(
    chance: random.Random,
    side: str,
    names: Sequence[str],
    text: str,
    rails: Sequence[str],
    hexes: Sequence[str],
    lines: Mapping[str, Sequence[str]],
) -> Case:
    """Return one of the questions about a position. lines: that are typed, each with the units at its end."""
    question = chance.choice(("unit", "unit", "unit", "unit", "several", "side", "side", "side", "lifelines", "phase"))
    given: dict[str, Any]
    if question == "unit":
        given = {"unit": chance.choice(names)}
        for line, units in lines.items():
            if chance.random() < 0.5:
                given = {"unit": chance.choice(units or names), "line": line}
        return Case("supply", text, given)
    if question == "several":
        return Case("supply", text, {"unit": ",".join(chance.sample(names, min(len(names), 2)))})
    if question == "side":
        return Case("supply", text, chance.choice(({"side": side}, {"side": side}, {})))
    given = {"side": side}
    if question == "phase":
        if chance.random() < 0.3:
            given["extended"] = ",".join(
                name for name in names if name != "KG Train" and "Train" in name and chance.random() < 0.7
            )
        if "changed-attachment" in text or chance.random() < 0.05:
            given["praga_changed"] = chance.random() < 0.5
        if chance.random() < 0.1:
            text += f"answers surrender.{quoted(chance.choice(names))}={chance.randint(1, 6)}\n"
        return Case("supply-phase", text, given)
    if chance.random() < 0.4:
        given = {"unit": chance.choice(names)}
    where = chance.choice((*rails, *hexes[:: max(1, len(hexes) // 8)]))
    supposed = (
        f"{where} enemy",
        f"off {chance.choice(names)}",
        f"{where} operational=none",
        f"{where} control=russian",
    )
    about = chance.choice(("through", "if", "if", "hanging"))
    if about == "through":
        given["through"] = where
    elif about == "if":
        given["if_"] = chance.choice(supposed)
    if chance.random() < 0.3:
        given["zone"] = True
    return Case("lifelines", text, given)


def quoted(name: str) -> str:
    """Return a name as it stands in an answer."""
    return f'"{name}"' if " " in name else name


def _draw_sample(chance: random.Random) -> tuple[str, list[str], str]:
    """Return a side, its units and a position on the sample board."""
    game = load_game(GAME)
    if SAMPLE.name not in game._boards:
        game._boards[SAMPLE.name] = game._overlay(read_board(SAMPLE, game.tracks))
    side, enemy = ("russian", "german") if chance.random() < 0.85 else ("german", "russian")
    area = [hex for hex in HEXES if (hex < "68") == (side == "russian")] if chance.random() < 0.7 else HEXES
    units = dict[str, str]()
    armies = ARMIES[side]

    def add(name: str, hexes: Sequence[str], what: str, more: str = "", army: str = "") -> None:
        where = chance.choice(hexes)
        units[name] = (
            f'{where}: {side} {what} "{name}" army={army or chance.choice(armies[:1] * 4 + armies[1:])} {more}'
        )

    def ranges() -> str:
        near = chance.randint(1, 3)
        marks = chance.choice(("", "", "", "extended", "supply=out", "ap-spent=1"))
        return f"range={near} extended-range={near + chance.randint(1, 2)} {marks}"

    for corps in ("1", "2", "3 C")[: chance.randint(1, 3)]:
        marked = chance.choice(("", "", "", "entrained", "incomplete=1 incomplete-range=1"))
        add(f"{corps} Train", chance.choice((RAILS, area)), "corps-train -", f'corps="{corps}" {ranges()} {marked}')
        arm = "cavalry" if corps == "3 C" else "infantry"
        for number in range(chance.randint(0, 2)):
            state = chance.choice(("", "", "", "supply=out", "entrained", "cel=-2", "supply=low"))
            add(f"{number}/{corps}", area, f"{arm} XX", f'corps="{corps}" {FACTS} {state}')
    if chance.random() < 0.7:
        moved = chance.choice(("", "", "relocation=relocating"))
        add("Depot", RAILS, chance.choice(("major-depot -", "minor-depot -")), f"{ranges()} {moved}")
    for name in "ABC"[: chance.randint(0, 3)]:
        drawing = chance.choice(("", "", 'draws-on="1 Train"', 'draws-on="2 Train"'))
        add(name, chance.choice((area, ["65.36", "66.37"])), "cavalry XX", f"{FACTS} {drawing}")
    places = [text.partition(":")[0] for text in units.values()]
    for name in ("g", "h")[: chance.randint(0, 2)]:
        formation = chance.choice(("", "", 'with="0/1"'))
        add(
            name,
            chance.choice((places, area)),
            chance.choice(("artillery III", "infantry III")),
            f"asset {FACTS} {formation}",
        )
    if chance.random() < 0.2:
        add("Keep", area, "fortress -", chance.choice(("supply-symbol", "")))
    if chance.random() < 0.15:
        add("Bridge", area, "fort -")
    free = [hex for hex in HEXES if hex not in {text.partition(":")[0] for text in units.values()}]
    foes = [
        f"{hex}: {enemy} {chance.choice(('infantry', 'infantry', 'cavalry', 'artillery'))} XX e{number} army={ARMIES[enemy][0]}"
        for number, hex in enumerate(chance.sample(free, chance.choice((0, 2, 4, 6, 8))))
    ]
    edge = "62.41 map-edge=russian\n" if side == "russian" else "72.35 map-edge=central-powers\n"
    head = f"board sample\ntrust counters\nturn={chance.choice((5, 7, 9, 20))}\n{edge if chance.random() < 0.1 else ''}"
    side = "central-powers" if side == "german" else side
    return side, sorted(units), head + "\n".join([*units.values(), *foes]) + "\n"


def _draw_special(chance: random.Random) -> tuple[str, list[str], str, list[str]]:
    """Return a side, its units, a position in a place with rules of its own, and hexes of it."""
    one = chance.choice

    def options(**words: tuple[str, ...]) -> Mapping[str, str]:
        return {name: one(each) for name, each in words.items()}

    whole = one(("", "", "side central-powers whole-network\n"))
    kind = one(("bukowina", "boyen", "garrison"))
    if kind == "bukowina":
        words = options(
            w=("", "bukowina"),
            f=("", "corps=Fischer"),
            ground=("mountain", "rough"),
            rail=("rail1", "no-rail"),
            edge=("map-edge=central-powers", "linked=none", "operational=none", ""),
        )
        names = ["U", "V", "W", "Fischer", "9 Train", "g"]
        return (
            "central-powers",
            names,
            BUKOWINA.format(**words) + whole,
            ["17.113", "17.112", "17.111", "17.110", "17.109"],
        )
    if kind == "boyen":
        words = options(
            turn=("5", "9", "12"),
            drawing=("", 'draws-on="3 LW Train"'),
            river=("open", "major-river"),
            link=("road no-rail", "rail1"),
            terrain=("clear", "rough", "mountain"),
            edge=("map-edge=central-powers", "", "linked=none"),
        )
        names = ["Boyen", "Lötzen", "11/20", "1/3 LW", "3 LW Train", "KG Train", "1/KG", "1 h", "8 c"]
        return "central-powers", names, BOYEN.format(**words) + whole, ["50.27", "51.27", "52.27", "53.27"]
    words = options(
        turn=("6", "10"),
        campaign=("", "campaign", "campaign=no"),
        facts=(FACTS, ""),
        changed=("", "changed-attachment", "extended"),
        far=("2", "3"),
        symbol=("", "supply-symbol"),
        station=("station", "station=no", "control=russian"),
        whole=("", "", "side russian whole-network"),
    )
    names = ["1/W", "1/S", "PRAGA", "W", "23 Train", "2/23", "a", "Keep"]
    return "russian", names, GARRISON.format(**words), ["57.52", "57.51", "58.52", "58.49"]
