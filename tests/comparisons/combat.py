"""Questions on combats and what surrounds them: `battle` with and without dice, `need`, `attacks`, `ammunition`, and those on
what a side owes, holds and scores (7, 10, 11, 12, 21, 24, 26, 27).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from . import Case, Given, some, spoil

OPEN = "41.19|40.20,40.19,41.18,41.20,42.19,42.20 open\n"
AROUND_OPEN = "40.20|40.19,41.20 open\n40.19|41.18 open\n41.20|42.20 open\n42.20|42.19 open\n41.18|42.19 open\n"
GROUND = "".join(f"{hex} clear\n" for hex in ("40.20", "40.19", "41.18", "41.20", "42.19", "42.20")) + AROUND_OPEN
HEAD = "turn=1\ntrust charts counters\n"
FRONTS = (
    f"""{HEAD}40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)
40.19: 29/20 (10-?-5-10) -3
41.19 clear
41.19: 1/1 (12-16-7-11)
{OPEN}""",
    f"""{HEAD}40.20: russian infantry XX A1 (12-12-0-10), russian infantry XX A2 (12-12-3-10)
40.19: russian cavalry XX C1 (5-5-1-9), russian artillery - Guns (1-?-4-?) heavy
41.19 rough ip=2
41.19: german infantry XX Da (6-6-0-4), german infantry XX Db (6-6-2-9)
{OPEN}""",
    f"""{HEAD}40.20: russian infantry XX A1 (12-12-2-10) army=First corps=3
40.20: russian infantry X b (5-5-2-9) army=First corps=3
40.19: russian infantry XX B1 (9-9-2-10) army=Second corps=6
41.20: russian cavalry XX R (6-6-0-9)
41.19 clear
41.19: german cavalry XX K (6-6-0-9), german infantry XX G1 (6-6-3-9) corps=17
41.19|40.20 minor-river no-crossing
41.19|40.19,41.18,41.20,42.19,42.20 open
42.17: german infantry XX N (10-12-4-9) corps=17
""",
    f"""{HEAD}40.20: russian infantry III a (2-2-0-9), russian infantry XX A1 (9-9-2-10) prepared=41.19
40.19: russian infantry XX A3 (9-9-2-10) prepared=41.19
41.18: russian infantry XX A4 (9-9-2-10) prepared=42.18
41.19 clear
41.19: german fort - F (4-0-3-9) fssm=2, german infantry X g (4-3-1-9) back-steps=0
{OPEN}""",
    f"""{HEAD}40.20: german infantry XX A1 (12-10-4-11), german infantry XX A2 (12-10-4-11) corps=1
41.19 clear control=russian
41.19: russian infantry XX Ea (9-9-3-9), russian infantry III e (2-3-0-8)
42.20: german infantry XX A3 (12-10-4-11) corps=17
41.19|40.20,42.20 major-river bridge
41.19|40.19,41.18,41.20,42.19 open
""",
)
"""Small fronts around 41.19."""
AROUND = [
    "phase=attack phasing=russian",
    "phase=attack phasing=central-powers",
    "phase=movement phasing=russian",
    "campaign",
    "weather=summer-heat",
    "turn=20",
    "turn=34",
    "weather=freeze",
    "41.19 attacked",
    "41.19 announced",
    "41.19 swamp",
    "41.19 ip=1",
    "41.19 ip=3",
    "41.19 ip=4",
    "40.20 ip=2",
    "41.19|40.20 major-river bridge",
    "41.19|40.19 grand-river no-crossing",
    "41.19|40.20 minor-river",
    "41.19|42.19,42.20,41.18 lake",
    "42.19: german infantry XX Friend (6-6-0-9)",
    "41.18: russian infantry XX East (6-6-0-9)",
    "42.20: russian cavalry XX Rider (6-6-0-9)",
    "42.20: russian infantry XX West (12-12-0-10) retreated",
    "41.20: russian infantry XX South (12-12-0-10) fought",
    "39.19: russian corps-train - Train (0-0-0-0)",
    "42.19: german corps-train - Train (0-0-0-0)",
    "25/3 fought",
    "1/1 cel=-4",
    "A1 supply=low",
    "A1 supply=out",
    "A1 cel=-4",
    "A2 D1",
    "Da retreated",
    "G1 cel=-4",
    "Ea cel=-3",
    "A1 -6",
    "ruling defending-arm=larger",
    "ruling river-halving=all",
    "ruling flank-occupied=any",
    "chart crt summer 2:1 7 = +1 / W1",
    "chart slrt summer Large 3 = 2 / 1",
    "Hindenburg at=41.19",
    "41.19 mountain",
    "41.19 city",
]
"""Lines that may be added to a front."""
COLUMNS = ("1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1")
NAMES = ["25/3", "27/3", "29/20", "A1", "A2", "C1", "Guns", "Da", "Db", "K", "G1", "g", "a", "b", "R", "e", "F", "A3"]

CHAIN = """turn=3
40.20: 25/3 (10-?-5-10) army=First
40.20: 27/3 (10-?-5-10) army=First
40.23: "3 Train" range=2 extended-range=4 army=First
40.27: "Russian FIRST Major Depot" range=2 extended-range=4
line one: 40.27 -rail2- 40.26 -rail2- 40.25 -rail2- 40.24 40.23 clear
line two: 40.23 -rail2- 40.22 -rail2- 40.21 -road- 40.20 rough
41.19 clear
41.19: german infantry XX A (9-5-2-10)
41.19|40.20 open
"""
MINOR = CHAIN.replace("Major", "Minor")
STRAIGHT = MINOR.replace("40.23:", "40.24:").replace("range=2 extended-range=4\n", "range=4 extended-range=6\n")
ON_MARKERS = [
    '"Russian FIRST Minor Depot" ap-spent=1',
    '"Russian FIRST Minor Depot" ap-spent=3',
    '"Russian FIRST Minor Depot" ap-spent=4',
    '"Russian FIRST Major Depot" ap-spent=2',
    '"3 Train" extended',
    '"3 Train" entrained',
    "40.20: russian infantry XX 26/2 (10-?-5-10) army=First corps=2 back-steps=0",
    "40.20: russian artillery - Guns (1-?-4-?) army=First",
    "40.22: german infantry XX Cut (9-9-0-9)",
    "phase=attack phasing=russian",
    "weather=mud",
    "turn=20",
    "campaign",
    'army "russian First" plan',
]

PLANNED = """turn=6 phase=attachment phasing=russian
army "russian First" plan
army "russian Second" plan
45.19: russian infantry XX A (9-9-0-9) army=First
45.25: russian infantry XX B (9-9-0-9) army=First
45.25: russian cavalry XX C (5-5-0-9) army=First
61.35: russian infantry XX D (9-9-0-9) army=Second
61.32: russian artillery - E army=Second
61.32: russian infantry III F (1-1-0-9) army=Second
"""
ON_PLANS = [
    "campaign",
    "turn=4",
    "turn=7",
    "phase=movement",
    "phasing=central-powers",
    'army "russian First" plan=no',
    'army "russian First" plan-turn=5',
    'army "austro-hungarian First" plan',
    "scenario=29.1",
    "last-turn=6",
    "side russian vp-plans=-3",
    "A army=Second",
    "43.18 control=russian",
    "43.17: russian infantry XX Near (9-9-0-9) army=First",
    "ruling plan-cost=counters",
]
GARRISON = """board east
campaign
turn=3
phase=movement
phasing=russian
58.52: russian infantry XX A (14-9-0-10) army="Warsaw Garrison"
58.52: russian infantry XX B (12-9-0-10) army="Warsaw Garrison"
61.48: russian infantry XX C (9-9-0-10) army="Warsaw Garrison"
"""
ON_GARRISON = [
    "turn=6",
    "turn=5",
    "warsaw-complete",
    "campaign=no",
    "58.53: russian infantry III D (4-4-0-9)",
    'B army="Second"',
    "phase=supply",
    '66.60: russian infantry XX E (9-9-0-10) army="Warsaw Garrison"',
    "A -4",
    "B steps=9",
]
FORT = "campaign\nturn=5\n11.103: austro-hungarian fort - Z (1-?-?-?) fssm=1 abandonment=1\n12.103: russian infantry XX R\n"
ON_FORT = [
    "Z tested",
    "Z supply=out",
    "11.103: austro-hungarian cavalry XX C",
    "11.103: austro-hungarian infantry III c",
    "13.103: austro-hungarian infantry XX H",
    "Z abandonment=4",
    "Z abandonment=0",
    "phase=movement phasing=russian",
]
TURNING = """turn=5 phase=movement phasing=russian
44.20: russian infantry XX A (10-10-2-10) task=position expended=4 movement=6
44.22: russian cavalry XX B (3-3-1-9) prepared=44.23 movement=8
44.23: german infantry XX D (10-10-2-10) movement=5
44.30: german cavalry XX E (3-3-1-9) cel=-4
44.31: russian infantry XX F (10-10-2-10) D1 half
44.22|44.23 open
44.30|44.31 open
44.40: russian infantry XX H arrives=5
"""
PHASES = [
    *("weather", "reinforcement", "attachment", "supply", "movement", "counter-movement", "attack", "post-combat"),
    *("administrative", "engineering", "inter-phase", "pontoon", "joint-administrative"),
]
ON_TURN = [
    *(f"phase={phase}" for phase in PHASES),
    "phasing=central-powers",
    "campaign",
    "campaign=no",
    "turn=1",
    "turn=7",
    "turn=20",
    "last-turn=5",
    "weather=summer-heat",
    'at-front=north other-clock="4 central-powers supply"',
    'army "russian First" plan',
    "A army=First spent=march:2",
    "A spent=march:5.5",
    "A task=entraining",
    "B entrained",
    "44.20 capped",
    "hidden-units=caps",
    "hidden-units=concealment",
    "nation german special-allotments=2",
    "nation german special-allotments=1 special-turn=5",
    "44.20: russian infantry XX M1 (9-9-0-9), russian infantry XX M2 (9-9-0-9), russian infantry XX M3 (9-9-0-9)",
    "44.20: russian artillery - Gun1, russian artillery - Gun2",
    "44.22|44.23 pontoon pontoon-of=russian",
    "side russian vp-towns=3",
    '58.52: russian infantry XX W (14-9-0-10) army="Warsaw Garrison"',
    "11.103: austro-hungarian fort - Z (1-?-?-?) fssm=1 abandonment=1",
    "44.23 attacked",
    "44.23 announced",
    "F prepared=44.30",
    "Hindenburg at=44.23",
]
HIDDEN = """turn=3 phase=movement phasing=russian hidden-units=caps
trust counters
40.20: 25/3, 27/3
40.17: 1/1
"""
CRESTS = HIDDEN.replace("=caps", "=concealment").replace("25/3, 27/3", "27/3, 25/3 concealed")
ON_HIDDEN = [
    "40.18: 2/1",
    "40.20 capped",
    "phase=attack",
    "phase=counter-movement",
    "phasing=central-powers",
    "hidden-units=on-map",
    "nation russian concealment-markers=0",
    "nation russian concealment-markers=2",
    "nation german concealment-markers=1\n40.17: german dummy - Xaver movement=6",
    "45.20: russian dummy - Rumour movement=6",
    "45.20: 29/20 spent=march:1",
    "40.20: russian infantry III Det",
    "40.16: german cavalry XX Scout concealed",
]
LINES = "\n".join(
    [
        "turn=4",
        *(f"42.{row}: german infantry XX G{row} army=Eighth" for row in (18, 20, 22)),
        "45.20: german infantry XX reserve army=Eighth",
        "40.20: russian infantry XX R army=First",
        "37.20: russian corps-train - T army=First",
        "46.20: german corps-train - U army=Eighth",
        "",
    ]
)
ON_LINES = [
    'army "central-powers Eighth" front="42.18-42.23"',
    "44.22 control=russian",
    "30.30 control=russian",
    "44.20 control=central-powers",
    "48.20: german infantry XX N army=Ninth",
    "41.22: russian infantry XX S army=Second",
    "43.24: russian cavalry XX Q",
    "11.103: austro-hungarian fort - Z (1-?-?-?) fssm=1",
]
SCORES = """turn=5
side russian vp-attacks=2 vp-plans=-3 vp-towns=3
side central-powers vp-divisions=4 vp-supply-units=2 vp-call=-2
"""
ON_SCORES = [
    "campaign",
    "scenario=29.1",
    "last-turn=5",
    "turn=30",
    'army "russian First" plan',
    'army "russian Second" plan\n45.19: russian infantry XX A (9-9-0-9) army=Second',
    "41.19 country=german star=3 control=russian",
    "41.19 country=german star=3",
    "40.20: russian infantry XX R (9-9-0-9) prepared=41.19\n41.19: german infantry XX G (9-9-0-9)",
    "phase=attachment phasing=russian",
    "side russian vp-call=20",
]
CONDITION = "41.19: german infantry XX A (9-9-0-11)\n41.20: russian cavalry XX C (4-4-0-9) cel=-4\n42.20: russian artillery - G\n"
ON_CONDITION = [
    "A cel=-3",
    "A cel=-4",
    "A D2 cel=-2",
    "C D1",
    "A supply=out",
    "A supply=low",
    "C supply=out",
    "C supply=in",
    "A supply=in",
    "turn=20 weather=mud",
]


def _spoiled(base: str, chance: random.Random, more: list[str]) -> str:
    """Return a position, half the time spoiled, with lines added that fit it; what they say of the game replaces what it says."""
    text = spoil(base, chance, []) if chance.random() < 0.5 else base
    for line in chance.sample(more, chance.choice([0, 0, 1, 1, 2])):
        head, *rest = line.split(" ")
        if "=" in head:
            for fact in (head, *rest):
                track = fact.partition("=")[0]
                text = re.sub(rf"^(.* )?{track}=[^ \n]*", r"\1", text, flags=re.MULTILINE)
        known = (head[:1].isdigit() and "." in head) or head[:1].islower() or f" {head} " in text.replace(",", " ")
        if known:
            text += f"{line}\n"
    return re.sub(r"^ +| +$|(?<=\n)\n", "", text, flags=re.MULTILINE)


def _front(chance: random.Random, often: float) -> str:
    """Return a small front. often: how often all ground around the defender is stated."""
    front = chance.choice(FRONTS)
    return front + (GROUND if chance.random() < often else "")


def _charts(chance: random.Random) -> str:
    """Return charts on which each cell is the same."""
    cell = chance.choice(["- / -", "+1 / W1", "W1 / -", "- / W2", "+1 * / W1", "W1 / W1"])
    lost = chance.choice(["0 / 0", "1 / 0", "2 / 1"])
    charts = [f"chart crt summer {column} 7 = {cell}" for column in COLUMNS]
    sizes = ("Small", "Medium", "Large", "Massive")
    charts += [f"chart slrt summer {size} {n} = {lost}" for size in sizes for n in range(-2, 15)]
    return "\n".join([*charts, ""])


def _dice(chance: random.Random) -> str:
    """Return some answers, of which the last may be owed still."""
    answers = ["crt=7", f"slrt={chance.randint(1, 6)}/{chance.randint(1, 6)}"]
    answers += [f"ec.{hex}={chance.choice([2, 5, 8, 11, 12])}" for hex in ("41.19", "40.20", "40.19")]
    more = ["retreat.41.19=42.20", "retreat.41.19=42.19,43.19", "advance=none", "advance=A1", "retreat.40.20=39.20"]
    answers += chance.sample(more, chance.choice([0, 1, 1]))
    return f"answers {' '.join(answers[: chance.choice([1, 2, 4, 5, 5, 6, 6])])}\n"


def _fighting(chance: random.Random, text: str) -> Given:
    names = [name for name in NAMES if f" {name} (" in text] or NAMES
    points = ["all", "none"] * 6 + ["41.19", "40.20"]
    return {
        "at": "41.19",
        **some(
            chance,
            {
                "from": (0.15, ["40.20", "40.20,40.19", "40.19"]),
                "withhold": (0.25, names),
                "attacker-ap": (0.85, points),
                "defender-ap": (0.85, points),
                "flanked": (0.7, [True, False, False]),
                "shift": (0.1, [-1, 1, 2]),
                "leader": (0.02, ["Hindenburg", "Rennenkampf"]),
                "attacker-drm": (0.05, 1),
                "attacker-policy": (0.1, ["weakest", "strongest", "usual"]),
                "defender-policy": (0.1, ["weakest", "strongest"]),
                "ways": (0.1, ["straight", "priorities"]),
            },
        ),
    }


def _battle(chance: random.Random) -> Case:
    text = _spoiled(_front(chance, 0.4), chance, AROUND)
    return Case("battle", text, _fighting(chance, text))


def _dicing(chance: random.Random) -> Case:
    text = _spoiled(_front(chance, 0.4), chance, AROUND)
    charts = _charts(chance) if chance.random() < 0.9 else ""
    return Case("battle", text + charts + _dice(chance), _fighting(chance, text))


def _spending(chance: random.Random) -> Case:
    text = _spoiled(chance.choice([CHAIN, MINOR, STRAIGHT]), chance, ON_MARKERS)
    given = {"at": "41.19", "attacker-ap": "all", "defender-ap": "none", "flanked": False}
    answers = "answers crt=7 slrt=3/3 ec.40.20=2 ec.41.19=2 advance=none\n"
    return Case("battle", text + _charts(chance) + answers, given)


def _need(chance: random.Random) -> Case:
    text = _spoiled(_front(chance, 0.4), chance, AROUND)
    given = _fighting(chance, text)
    for name in ("attacker-policy", "ways"):
        given.pop(name, None)
    given |= {"column": chance.choice([*COLUMNS, "8:1"])} | some(chance, {"without": (0.1, NAMES)})
    return Case("need", text, given)


def _attacks(chance: random.Random) -> Case:
    points = ["all", "none"]
    odds: dict[str, tuple[float, object]] = {
        "at": (0.2, ["41.19", "42.19"]),
        "attacker-ap": (0.8, points),
        "defender-ap": (0.8, points),
    }
    given = {"side": chance.choice(["russian", "russian", "central-powers"]), **some(chance, odds)}
    return Case("attacks", _spoiled(_front(chance, 0.7), chance, AROUND), given)


def _ammunition(chance: random.Random) -> Case:
    odds: dict[str, tuple[float, object]] = {
        "command": (0.2, ["3", "2", "First"]),
        "through": (0.15, ["3 Train"]),
        "in-range": (0.15, ["3 Train", "Russian FIRST Minor Depot"]),
        "in-extended-range": (0.1, ["3 Train"]),
    }
    text = _spoiled(chance.choice([CHAIN, MINOR, STRAIGHT]), chance, ON_MARKERS)
    return Case("ammunition", text, {"at": chance.choice(["40.20"] * 4 + ["41.19"]), **some(chance, odds)})


def _plans(chance: random.Random) -> Case:
    text = _spoiled(PLANNED, chance, ON_PLANS)
    armies = ["russian First", "russian Second", "austro-hungarian First"]
    if chance.random() < 0.6:
        return Case("plans", text, some(chance, {"army": (0.3, armies), "side": (0.2, ["russian", "central-powers"])}))
    return Case("abandon", text, {"army": chance.choice(armies), **some(chance, {"distance": (0.2, [0, 3, 9])})})


def _fortress(chance: random.Random) -> Case:
    if chance.random() < 0.5:
        return Case("garrison", _spoiled(GARRISON, chance, ON_GARRISON), {})
    answers = chance.choice(["", "", "answers abandon=1\n", "answers abandon=2\n"])
    given = {"unit": "Z", **some(chance, {"isolated": (0.2, [True, False])})}
    return Case("bridgehead", _spoiled(FORT, chance, ON_FORT) + answers, given)


def _turn(chance: random.Random) -> Case:
    text = _spoiled(TURNING, chance, ON_TURN)
    question = chance.choice(["turn", "turn", "next", "clock"])
    if question == "clock":
        return Case("clock", text, some(chance, {"front": (0.8, ["north", "south"])}))
    given = some(chance, {"whole": (0.5, True)}) if question == "turn" else {}
    return Case(question, text, given)


def _hidden(chance: random.Random) -> Case:
    text = _spoiled(chance.choice([HIDDEN, CRESTS]), chance, ON_HIDDEN)
    if chance.random() < 0.25:
        return Case("intercepts", text, some(chance, {"reveal": (0.6, ["40.20", "40.20", "45.20"])}))
    if chance.random() < 0.2:
        return Case("conceal", text, {"side": chance.choice(["russian", "central-powers"])})
    given = chance.choice([{"at": "40.20"}, {"units": "25/3"}, {"units": "27/3"}, {"at": "40.20", "dummy": "New"}])
    odds: dict[str, tuple[float, object]] = {"movement": (0.7 if "dummy" in given else 0.0, 5), "off": (0.2, True)}
    return Case("conceal", text, {**given, **some(chance, odds)})


def _holding(chance: random.Random) -> Case:
    odds: dict[str, tuple[float, object]] = {
        "at": (0.6, ["42.20,44.20,44.22,30.30", "44.20", "41.20", "39.20"]),
        "armies": (0.2, ["russian First", "central-powers Eighth"]),
        "vacated": (0.1, ["42.20", "40.20"]),
        "isolated": (0.1, ["G18", "R"]),
    }
    return Case("control", _spoiled(LINES, chance, ON_LINES), some(chance, odds))


def _scoring(chance: random.Random) -> Case:
    if chance.random() < 0.25:
        text = _spoiled(SCORES, chance, ON_SCORES)
        return Case("scenario", text, some(chance, {"scenario": (0.6, ["29.1", "29.4", "29.11"])}))
    return Case("victory", _spoiled(SCORES, chance, ON_SCORES), {})


def _condition(chance: random.Random) -> Case:
    return Case(
        "condition",
        _spoiled(CONDITION, chance, ON_CONDITION),
        {"unit": chance.choice(["A", "A", "A", "C", "C", "C", "G"])},
    )


QUESTIONS: tuple[Callable[[random.Random], Case], ...] = (
    *(_battle, _battle, _battle, _dicing, _dicing, _dicing, _dicing),
    *(_spending, _need, _attacks, _ammunition, _ammunition),
    *(_plans, _plans, _fortress, _turn, _turn, _turn, _hidden, _hidden, _holding, _scoring, _condition),
)


def draw(chance: random.Random) -> Case:
    """Return a case of the chapter."""
    return chance.choice(QUESTIONS)(chance)
