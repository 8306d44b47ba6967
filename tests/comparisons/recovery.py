"""Random cases of what a unit spends its Movement Points on where it stands, and of its Forced March (8.3, 8.4, 8.6, 8.7, 8.9, 13.1, 24.3)."""

from __future__ import annotations

import random
from typing import Any

from . import Case, spoil

ENEMIES = {1: "42.19", 2: "43.19", 3: "44.19", 4: "45.19", 5: "46.19", 6: "47.19"}
"""A hex at each distance from the unit, which stands in 41.19."""
COVER = (
    "42.19 ip={}\n42.19: german infantry XX B\n42.20 ip={}\n42.20: german infantry XX C",
    "41.19 ip={}\n42.19 ip={}",
)
RULINGS = {
    "half-march": ["down", "exact"],
    "march-rounding": ["sum"],
    "recovery-distance": ["between"],
    "disorder-nearer": ["continued"],
    "recovery-own-zone": ["others"],
    "complex-demoralized": ["sheltered"],
    "complex-points": ["lost", "kept"],
    "dig-in-distance": ["nearer", "between"],
    "rebuilding": ["formation"],
    "rebuilding-cost": ["none"],
    "rebuilding-dates": ["usual"],
    "rebuilding-home": ["nation"],
    "rebuilt-level-4": ["general"],
    "position-marker": ["unit"],
    "marker-at-friends": ["refused"],
    "marker-without-attack": ["refused"],
    "vacant-hex": ["any"],
    "ended-spends": ["stationary"],
    "ersatz-nation": ["any"],
    "ersatz-absorbed": ["eliminated"],
}
MARKS = (
    "A prepared=42.19",
    "A half",
    "A entrained",
    "A halted",
    "A ended",
    "A checked",
    "A displaced",
    "A supply=low",
    "A supply=out",
    "A D2",
    "A task=position expended=3",
    "A task=recovery expended=4",
    "A task=disorder expended=6",
    "41.19: german infantry XX F task=position expended=2",
    "41.19 worked-on",
    "41.19: german fortress - K1 complex=K fssm=4",
    "41.19: german fortress - K2 fssm=4",
    "42.19: russian infantry XX R (5-5-0-7) prepared=41.19",
    "40.19: german infantry XX G spent=march:3",
)
"""What else may be true, as lines of notation."""
ACCOUNTS = (
    "march:4",
    "march:6.5",
    "march:9",
    "march:7+position:2",
    "position:3",
    "recovery:2",
    "recovery:3+march:5",
    "incomplete:3",
)


def setting(chance: random.Random) -> str:
    """The game turn, its phase and the readings of rulings."""
    turn = chance.choice([1, 5, 8, 9, 12, 20, 22, 30, 35])
    phase = chance.choice(["movement"] * 12 + ["counter-movement"] * 4 + ["attack", ""])
    own, others = "central-powers", "russian"
    phasing = chance.choice([own] * 9 + [others] if phase != "counter-movement" else [others] * 6 + [own])
    weather = chance.choice(["", "weather=normal\n", "weather=summer-heat\n" if turn < 10 else ""])
    campaign = chance.choice(["", "", "campaign\n", "campaign=no\n"])
    named = chance.sample([*RULINGS], 4)
    rulings = "".join(f"ruling {name}={chance.choice(RULINGS[name])}\n" for name in named)
    now = f"phase={phase}\nphasing={phasing}\n" if phase else ""
    return f"turn={turn}\n{now}{weather}{campaign}trust charts\n{rulings}"


def enemy(chance: random.Random, distances: list[int]) -> str:
    """An enemy at one of some distances, and friends between."""
    far = chance.choice(distances)
    text = f"{ENEMIES[far]}: russian infantry XX E (5-5-0-7)\n" if far else ""
    if far == 2 and chance.random() < 0.7:
        text += chance.choice(COVER).format(chance.randint(0, 3), chance.randint(0, 3)) + "\n"
    return text


def account(chance: random.Random) -> str:
    """What a unit has spent in the phase."""
    spent = chance.choice(ACCOUNTS) if chance.random() < 0.35 else ""
    return f" spent={spent}" if spent else ""


def marching(chance: random.Random) -> tuple[str, dict[str, Any]]:
    """A Forced March."""
    arm = chance.choice(
        ["infantry XX"] * 6 + ["infantry X"] * 2 + ["cavalry XX"] * 4 + ["artillery -", "corps-train -"]
    )
    marks = chance.choice(["", "", "", " cel=-2", " cel=-4", " D1", " asset=yes", " supply=low", " prepared=42.19"])
    unit = f"41.19: german {arm} A (7-7-0-9)\nA movement={chance.choice([5, 7, 10])}{marks}{account(chance)}\n"
    if chance.random() < 0.2:
        unit += "41.19: german infantry XX B (7-7-0-9)\nB movement=7\n"
    dice = chance.choice(["", "answers ec=9\n", "answers ec=12\n", "answers ec=4\n"])
    given: dict[str, Any] = {"unit": "A"}
    how = chance.choice(["points", "points", "spent", "account"])
    if how == "points":
        given["points"] = chance.choice([0.5, 1, 1, 1.5, 2, 2, 3, 4, 6, 7])
    elif how == "spent":
        given["spent"] = chance.choice([5, 7, 8, 8.5, 10, 12])
    if chance.random() < 0.5:
        given["purpose"] = chance.choice(
            ["move", "move", "prepared", "prepared", "position", "position", "recovery", "disorder", "ersatz", "rail"]
        )
    if chance.random() < 0.3:
        given["alone"] = chance.choice([True, False])
    return unit + enemy(chance, [0, 1, 3]) + dice, given


def recovering(chance: random.Random) -> tuple[str, dict[str, Any]]:
    """A recovery."""
    arm = chance.choice(
        ["infantry XX"] * 4 + ["cavalry XX"] * 4 + ["corps-train -", "corps-train -", "infantry X", "artillery -"]
    )
    marks = chance.choice(
        ["cel=-1"] * 3 + ["cel=-2"] * 3 + ["cel=-3", "cel=-4", "cel=-1 D1", "D1", "D1", "D2", "cel=0"]
    )
    if arm == "corps-train -" and chance.random() < 0.8:
        marks = chance.choice(["incomplete=1", "incomplete=2"])
    movement = chance.choice([7, 7, 12, 20])
    task = chance.choice(
        ["", "", "", "", " task=recovery expended=3", " task=recovery expended=6", " task=disorder expended=3"]
    )
    spent = account(chance)
    unit = f"41.19: german {arm} A (7-7-0-9)\nA movement={movement} {marks}{task}{spent}\n"
    given: dict[str, Any] = {"unit": "A", "points": chance.choice([0, 1, 3.5, 4, 7, 7, 7, 14])}
    if chance.random() < 0.3:
        given["carried"] = chance.choice([0, 3, 6])
    return unit + enemy(chance, [0, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6]), given


def digging(chance: random.Random) -> tuple[str, dict[str, Any]]:
    """Work on an Improved Position."""
    arm = chance.choice(["infantry XX"] * 6 + ["infantry X", "cavalry XX"])
    marks = chance.choice(["", "", "", "", " cel=-4", " supply=low", " task=position expended=4"])
    unit = f"41.19: german {arm} A (7-7-0-9)\nA movement={chance.choice([7, 12])}{marks}{account(chance)}\n"
    ground = chance.choice(
        [
            "",
            "41.19 ip=1\n",
            "41.19 ip=2\n",
            "41.19 ip=3\n",
            "41.19 ip=4\n",
            "41.19 ip=2 marker-points=4\n",
            "41.19 printed-ip=central-powers ruined=yes\n",
            "41.19 printed-ip=central-powers ruined=yes country=german\n",
            "41.19 printed-ip=central-powers ruined=yes country=austro-hungarian\n",
            "41.19 printed-ip=central-powers ruined=yes ip=3\n",
            "41.19 printed-ip=russian\n",
        ]
    )
    given: dict[str, Any] = {"unit": "A", "points": chance.choice([0, 3, 4, 4.5, 7, 8, 10])}
    if chance.random() < 0.2:
        given["carried"] = chance.choice([0, 3, 6])
    if chance.random() < 0.3:
        given["home"] = chance.choice([True, False])
    return unit + ground + enemy(chance, [0, 1, 2, 2, 2, 3, 3, 4]), given


def placing(chance: random.Random) -> tuple[str, dict[str, Any]]:
    """Prepared Attack markers."""
    arm = chance.choice(["infantry XX"] * 4 + ["artillery -", "cavalry XX"])
    marks = chance.choice(["", "", "", " cel=-4", " army=8", " half=yes"])
    unit = f"41.19: german {arm} A (7-7-0-9)\nA movement={chance.choice([7, 12])}{marks}{account(chance)}\n"
    others = [
        "41.19: german infantry XX B army=9 prepared=42.19\n",
        "41.20: german infantry XX F\n",
        "41.19|42.19 lake\n",
        "41.19|42.19 grand-river\n",
        "40.20: german artillery - G prepared=41.20\n",
    ]
    unit += "".join(chance.sample(others, chance.choice([0, 1, 2])))
    if chance.random() < 0.2:
        return unit + enemy(chance, [1, 0]), {}
    given: dict[str, Any] = {"unit": "A", "at": chance.choice(["42.19", "42.19", "42.19", "43.19", "41.20"])}
    how = chance.choice(["", "", "points", "spent"])
    if how:
        given[how] = chance.choice([0, 1, 3, 4.5, 7, 9])
    return unit + enemy(chance, [0, 1, 1, 2]), given


def relocating(chance: random.Random) -> tuple[str, dict[str, Any]]:
    """A depot that goes along the railway."""
    side = chance.choice(["german", "german", "russian"])
    depot = chance.choice(["D"] * 6 + ["PRAGA"])
    kind = chance.choice(["major-depot", "minor-depot"])
    marks = chance.choice(
        ["", " relocation=relocating", " spent=rail:1", " spent=rail:6", " ended=yes", " rail-allowance=2"]
    )
    unit = f"4023=4022=4021=4020-4019-4018\n40.23: {side} {kind} - {depot}\n{depot} movement=0{marks}\n"
    others = [
        "40.21 operational=russian\n",
        "41.20: russian infantry XX E\n",
        "40.20 station=no\n",
        "40.22|40.23,40.21|40.22 gauge=broad\n40.20|40.21 gauge=standard\n",
        "40.21 control=russian\n",
        "40.22: german infantry XX B\n",
    ]
    unit += "".join(chance.sample(others, chance.choice([0, 1, 2])))
    given: dict[str, Any] = {"unit": depot, "to": chance.choice(["40.22", "40.20", "40.19", "40.18"])}
    if chance.random() < 0.7:
        given["rate"] = chance.choice([1, 3, 9])
    if chance.random() < 0.2:
        given["spent"] = chance.choice([0, 1, 6])
    return unit, given


def replacing(chance: random.Random) -> tuple[str, dict[str, Any]]:
    """Ersatz replacements."""
    giver = chance.choice(["austro-hungarian infantry X"] * 3 + ["german infantry X"])
    unit = f"41.19: {giver} A (3-3-0-6)\nA movement=7 ersatz={chance.choice(['both', 'both', 'front', 'none'])}{account(chance)}\n"
    unit += f"{chance.choice(['41.19', '41.19', '40.19'])}: austro-hungarian infantry XX B (7-7-0-9)\n"
    unit += f"B movement={chance.choice([7, 12])} lost={chance.choice([0, 1, 2, 2])}{chance.choice(['', ' task=ersatz expended=4'])}\n"
    given: dict[str, Any] = {"from_": ("A",), "to": ("B",)}
    if chance.random() < 0.5:
        given["steps"] = (chance.choice([1, 2, 3]),)
    if chance.random() < 0.5:
        given["points"] = chance.choice([0, 3, 7, 8])
    return unit + enemy(chance, [0, 1, 3]), given


KINDS = {
    "forced-march": (marching, 8),
    "recover": (recovering, 8),
    "dig-in": (digging, 5),
    "prepared": (placing, 4),
    "move-depot": (relocating, 3),
    "ersatz": (replacing, 2),
}
"""What makes up the position and the parameters of each question, and how often it is asked."""


def draw(chance: random.Random) -> Case:
    """Make up a case: a unit that spends Movement Points where it stands, or by a Forced March."""
    question = chance.choices([*KINDS], [often for _, often in KINDS.values()])[0]
    text, given = KINDS[question][0](chance)
    if question in ("recover", "dig-in") and chance.random() < 0.2:
        given["spent"] = chance.choice([0, 2, 5])
    if question != "prepared" and chance.random() < 0.08:
        given["counter"] = chance.choice([True, False])
    more = [line for line in MARKS if chance.random() < 0.5] if chance.random() < 0.5 else []
    more = [line for line in more if question not in ("move-depot", "ersatz") or " A " in f" {line} "]
    if question == "move-depot":
        more = [mark.replace("A ", f"{given['unit']} ", 1) for mark in more]
    return Case(question, spoil(setting(chance) + text, chance, more), given)
