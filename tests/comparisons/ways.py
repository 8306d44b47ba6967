"""Ways of Twilight in the East: marches, reach, retreats, Repulses, displacement, cavalry, moves by rail and threats on small
fronts.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

from assistant.installed.registry import load_game

from ..conftest import GAME
from . import Case, spoil

CENTRES = ("30.20", "41.19", "52.31")
TERRAINS = ("clear",) * 7 + ("rough", "rough", "wetlands", "mountain", "high-mountain")
BARRIERS = ("open",) * 9 + ("minor-river", "major-river", "grand-river", "ridge", "lake")
LINES = ("",) * 8 + ("primary-road", "secondary-road", "rail1", "rail2", "rail2")
CHART = {
    "clear": "2", "rough": "3", "wetlands": "4", "mountain": "4.5", "high-mountain": "prohibited", "minor-river": "1",
    "major-river": "4", "grand-river": "prohibited", "ridge": "1.5", "bridge": "0.5", "ferry": "2", "pontoon": "0.5",
    "primary-road": "1.5", "secondary-road": "1.5", "rail": "2", "causeway": "1.5", "escarpment": "1",
}  # fmt: skip
CELLS = ("- / W2", "W1 / B1", "W1 / W1", "B1 / B1", "- / W3", "- / -")
COLUMNS = ("1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1")
ARMS = {
    "infantry": "infantry XX {} ({}-{}-0-9) movement=7 back-steps=0 corps={}",
    "weak": "infantry XX {} ({}-{}-0-9) movement=6 -2 back-steps=0 corps={}",
    "brigade": "infantry X {} asset ({}-{}-0-9) movement=6 corps={}",
    "cavalry": "cavalry XX {} ({}-{}-0-9) movement=9 back-steps=0 corps={}",
    "artillery": "artillery - {} (?-{}-{}-?) movement=6 corps={}",
    "train": "corps-train - {} range=5 extended-range=8 movement=7 steps={} defence={} corps={}",
    "depot": "minor-depot - {} movement=4 steps={} defence={} rail-cost={}",
    "fortress": "fortress - {} steps={} defence={} fssm={}",
}
FIGHTING = ("infantry", "infantry", "infantry", "weak", "brigade", "cavalry", "cavalry", "artillery", "train")
OTHERS = (*FIGHTING, "infantry", "infantry", "depot", "fortress")
NATIONS = {"russian": ("russian",), "central-powers": ("german", "german", "austro-hungarian")}
ENEMY = {"russian": "central-powers", "central-powers": "russian"}
RULINGS = (
    "ezoc-leaving=once", "way-back=yes", "ezoc-count=through", "ezoc-levels=each", "off-map-retreat=choice",
    "repulse-step=force", "displaced-to=safe", "picked-up=own", "rail-mode-friend=counts",
)  # fmt: skip


@cache
def _hexes(centre: str, far: int) -> tuple[str, ...]:
    """Return the hexes at most so far from one, the nearest first."""
    board = load_game(GAME).board("")
    hexes = {centre: None}
    for _ in range(far):
        hexes |= {near: None for hex in [*hexes] for near in board.neighbours(hex)}
    return tuple(hexes)


def _near(hex: str) -> list[str]:
    """Return the hexes next to one."""
    return [*load_game(GAME).board("").neighbours(hex)]


class Front:
    """A small front: its ground, who stands where, and whose turn it is."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.centre = chance.choice(CENTRES)
        self.hexes = _hexes(self.centre, 2)
        self.side = chance.choice(sorted(NATIONS))
        self.units = dict[str, list[str]]()
        """By side, the names of its units, those in the centre first."""
        self.places = dict[str, str]()
        self.arms = dict[str, str]()
        self.lines = list[str]()
        self._set_units()

    def name(self, arm: str, side: str) -> str:
        """Return the name of the first unit of an arm, "" without one."""
        return next((name for name in self.units[side] if self.arms[name] == arm), "")

    def _place(self, arm: str, side: str, hex: str, more: str = "") -> str:
        chance = self.chance
        name = f"{side[0].upper()}{len(self.places)}"
        figures = chance.randint(4, 12), chance.randint(4, 12), chance.randint(1, 3)
        if arm not in ("artillery", "depot", "fortress", "train"):
            figures = (figures[0], figures[1], chance.randint(1, 2))
        said = ARMS[arm].format(name, *figures)
        self.lines.append(f"{hex}: {chance.choice(NATIONS[side])} {said} {more}".rstrip())
        self.units.setdefault(side, []).append(name)
        self.places[name], self.arms[name] = hex, arm
        return name

    def add_guns(self, side: str) -> str:
        """Return an artillery unit of a side that stands alone, or with another one."""
        others = [place for name, place in self.places.items() if name in self.units[ENEMY[side]]]
        near = [hex for other in others for hex in _near(other) if hex in self.hexes and hex not in others]
        return self._place("artillery", side, self.chance.choice(near or [self.centre]))

    def _set_units(self) -> None:
        chance, side = self.chance, self.side
        marks = ("",) * 6 + (
            "cel=-2",
            "cel=-4",
            "prepared=" + _near(self.centre)[0],
            "spent=march:2",
            "owes=2",
            "halted",
        )
        first = chance.choice(("infantry", "infantry", "cavalry", "weak", "brigade"))
        self._place(first, side, self.centre, chance.choice(marks))
        for _ in range(chance.choice((0, 0, 1, 2))):
            self._place(chance.choice(FIGHTING), side, self.centre, chance.choice(marks))
        free = [hex for hex in self.hexes if hex != self.centre]
        ring = chance.choice(free[:6])
        held = {ring}
        self._place(chance.choice(("infantry", "infantry", "cavalry", "brigade")), ENEMY[side], ring)
        for _ in range(chance.randint(0, 5)):
            hex = chance.choice(free)
            held.add(hex)
            self._place(chance.choice(OTHERS), ENEMY[side], hex)
        for _ in range(chance.randint(0, 4)):
            hex = chance.choice([hex for hex in free if hex not in held] or [self.centre])
            self._place(chance.choice(OTHERS), side, hex)

    def write(self, phase: str, phasing: str, turn: int = 5) -> str:
        """Return the position."""
        chance = self.chance
        lines = [f"turn={turn} phase={phase} phasing={phasing}{' campaign' if chance.random() < 0.2 else ''}"]
        lines += [f"chart terrain-cost summer {feature} = {cost}" for feature, cost in CHART.items()]
        lines += [f"ruling {ruling}" for ruling in RULINGS if chance.random() < 0.06]
        for hex in self.hexes:
            words = [chance.choice(TERRAINS)]
            words += [f"control={chance.choice(sorted(NATIONS))}"] if chance.random() < 0.5 else []
            words += [f"ip={chance.randint(1, 3)}"] if chance.random() < 0.1 else []
            words += (
                [f"map-edge={chance.choice(sorted(NATIONS))}"]
                if hex in self.hexes[7:] and chance.random() < 0.1
                else []
            )
            words += ["country=romanian"] if hex in self.hexes[7:] and chance.random() < 0.03 else []
            lines.append(f"{hex} {' '.join(words)}")
        shore = [hex for hex in _hexes(self.centre, 3) if hex not in self.hexes]
        lines.append(f"{','.join(shore)} {chance.choice(('sea', 'sea', 'clear'))}")
        for here in self.hexes:
            for there in _near(here):
                if there in self.hexes and here < there:
                    words = [chance.choice(BARRIERS), chance.choice(LINES)]
                    if "river" in words[0] and chance.random() < 0.4:
                        words.append(chance.choice(("bridge", "ferry", "pontoon")))
                    lines.append(f"{here}|{there} {' '.join(filter(None, words))}")
        return "\n".join([*lines, *self.lines])

    def walk(self, hexes: int) -> list[str]:
        """Return a way from the centre."""
        way = list[str]()
        here = self.centre
        for _ in range(hexes):
            here = self.chance.choice(_near(here))
            way.append(here)
        return way


def _march(front: Front) -> tuple[str, str, dict[str, Any]]:
    chance = front.chance
    there = [name for name in front.units[front.side] if front.places[name] == front.centre]
    given: dict[str, Any] = {"units": there[: chance.randint(1, len(there))], "way": front.walk(chance.randint(1, 3))}
    if len(there) > 1 and chance.random() < 0.3:
        given["drop"] = [f"{there[-1]}@{given['way'][0]}"]
    if chance.random() < 0.3:
        given["forced"] = chance.choice((True, False))
    phase, phasing = ("movement", front.side) if chance.random() < 0.7 else ("counter-movement", ENEMY[front.side])
    return "move", front.write(phase, phasing), given


def _reach(front: Front) -> tuple[str, str, dict[str, Any]]:
    chance = front.chance
    there = [name for name in front.units[front.side] if front.places[name] == front.centre]
    given: dict[str, Any] = {"units": there[: chance.randint(1, len(there))]}
    if chance.random() < 0.5:
        given["forced"] = chance.choice((True, False))
    if chance.random() < 0.1:
        given = {"units": given["units"], "to": chance.choice(front.hexes)}
    phase, phasing = ("movement", front.side) if chance.random() < 0.7 else ("counter-movement", ENEMY[front.side])
    return "reach", front.write(phase, phasing), given


def _retreat(front: Front) -> tuple[str, str, dict[str, Any]]:
    chance = front.chance
    given: dict[str, Any] = {"at": front.centre, "hexes": chance.randint(1, 4), "way": front.walk(chance.randint(0, 3))}
    if chance.random() < 0.4:
        given["cause"] = chance.choice(("crt", "check", "repulse"))
    for name in ("last", "withheld"):
        if chance.random() < 0.25:
            given[name] = chance.random() < 0.7
    if chance.random() < 0.2:
        given |= {"before": chance.randint(1, 2), "zones": chance.randint(0, 2)}
    if chance.random() < 0.1:
        given["off"] = True
    if chance.random() < 0.2:
        given["abandoned"] = chance.sample(front.hexes, 2)
    return "retreat", front.write("attack", chance.choice(sorted(NATIONS))), given


def _repulse(front: Front) -> tuple[str, str, dict[str, Any]]:
    chance = front.chance
    enemy = next(name for name in front.units[ENEMY[front.side]])
    given: dict[str, Any] = {"at": front.places[enemy], "from": front.centre}
    if chance.random() < 0.6:
        given["units"] = [front.units[front.side][0]]
    if chance.random() < 0.6:
        given["flanked"] = chance.random() < 0.5
    if chance.random() < 0.4:
        given |= {"during": "retreat", "cause": chance.choice(("crt", "check", "repulse"))}
    text = front.write("movement", front.side) + "\n" + _results(chance)
    if chance.random() < 0.6:
        text += f"\nanswers crt=7 ec={chance.randint(2, 12)}"
    return "repulse", text, given


def _results(chance: random.Random) -> str:
    """Return cells of the charts of a combat."""
    cell = chance.choice(CELLS)
    cells = [f"chart crt summer {column} 7 = {cell}" for column in COLUMNS]
    cells += [
        f"chart slrt summer Medium {number} = {chance.randint(0, 2)} / {chance.randint(0, 1)}"
        for number in range(-2, 9)
    ]
    return "\n".join(cells)


def _battle(front: Front) -> tuple[str, str, dict[str, Any]]:
    chance = front.chance
    enemy = front.places[front.units[ENEMY[front.side]][0]]
    at, start = (front.centre, enemy) if chance.random() < 0.5 else (enemy, front.centre)
    given: dict[str, Any] = {
        "at": at, "from": [start], "attacker-ap": "none", "defender-ap": "none", "flanked": False,
    }  # fmt: skip
    if chance.random() < 0.3:
        given["ways"] = chance.choice(("straight", "priorities"))
    text = front.write("attack", front.side if start == front.centre else ENEMY[front.side])
    text += f"\ntrust charts\n{_results(chance)}"
    if chance.random() < 0.5:
        rolls = f"ec.{start}={chance.randint(2, 12)} ec.{at}={chance.randint(2, 12)}"
        rolls += f" retreat.{at}.1={chance.choice(_near(at))}" if chance.random() < 0.5 else ""
        text += f"\nanswers crt=7 slrt=1/1 {rolls}"
    return "battle", text, given


def _displace(front: Front) -> tuple[str, str, dict[str, Any]]:
    chance = front.chance
    side = chance.choice(sorted(NATIONS))
    movable = [name for name in front.units[side] if front.arms[name] in ("artillery", "train", "depot")]
    unit = chance.choice(movable) if movable else front.add_guns(side)
    given: dict[str, Any] = {"unit": unit}
    if chance.random() < 0.2:
        given["changed"] = [front.centre]
    if chance.random() < 0.1:
        given["crossing"] = chance.choice(_near(front.places[unit]))
    return "displace", front.write("movement", ENEMY[side]), given


def _cavalry(front: Front) -> tuple[str, str, dict[str, Any]]:
    chance = front.chance
    unit = front.name("cavalry", front.side) or front.units[front.side][0]
    enemies = front.units[ENEMY[front.side]]
    given: dict[str, Any] = {"unit": unit, "when": chance.choice(("reaction", "retirement"))}
    if given["when"] == "reaction":
        enemy = chance.choice(enemies)
        given |= {"enemy": [enemy], "left": chance.choice(_near(front.places[enemy]))}
    phase = "movement" if given["when"] == "reaction" else "attack"
    return "cavalry", front.write(phase, chance.choice(sorted(NATIONS))), given


def _rail(front: Front) -> tuple[str, str, dict[str, Any]]:
    """Return a move by rail from one end of a line to the other or a branch, perhaps with two gauges and an enemy beside it."""
    chance, side = front.chance, front.side
    nation = chance.choice(NATIONS[side])
    hexes = [f"40.{row}" for row in range(16, 25)]
    pairs = [*pairwise(hexes), ("40.20", "41.20"), ("41.20", "41.19"), ("41.19", "40.19")]
    lines = [f"turn={chance.choice((5, 9))} phase=movement phasing={side}"]
    turning = chance.choice((None, None, 3, 5))
    for number, (here, there) in enumerate(pairs):
        broad = turning is not None and (number < turning) == (side == "russian")
        gauge = " gauge=both" if chance.random() < 0.1 else f" gauge={'broad' if broad else 'standard'}"
        lines.append(f"{here}|{there} {chance.choice(('rail1', 'rail2', 'rail2'))}{gauge if turning else ''}")
    for hex in dict.fromkeys(hex for pair in pairs for hex in pair):
        operational = chance.choice((side,) * 19 + ("none",))
        station = " station" if hex in (hexes[0], hexes[-1], "41.19") or chance.random() < 0.4 else ""
        linked = f" linked={side}" if hex == hexes[0] or chance.random() < 0.1 else ""
        lines.append(
            f"{hex} operational={operational} control={operational if operational == side else ENEMY[side]}{linked}{station}"
        )
    start = chance.choice((hexes[-1], hexes[-1], "40.19"))
    aboard = " entrained destination=" + chance.choice((hexes[0], "41.19")) if chance.random() < 0.4 else ""
    arm = chance.choice(("infantry XX", "infantry X", "cavalry XX", "artillery -", "corps-train -", "minor-depot -"))
    asset = " asset" if arm == "infantry X" else ""
    lines.append(
        f"{start}: {nation} {arm} A movement=7 rail-cost={chance.choice(('0.5', '1', '2', '4'))}{asset}{aboard}"
    )
    if chance.random() < 0.6:
        enemy = chance.choice(NATIONS[ENEMY[side]])
        lines.append(
            f"{chance.choice(('41.22', '39.18', '44.20', '41.21', '40.22'))}: {enemy} infantry XX E (9-9-0-9) movement=7"
        )
    lines.append("nation german rail-points=10\nnation austro-hungarian rail-points=9")
    lines.append("nation russian rail-points=9 euro-gauge-points=3 warsaw-points=1")
    given: dict[str, Any] = {"units": ["A"], "rate": chance.randint(2, 12)}
    if not aboard or chance.random() < 0.3:
        given["to"] = [chance.choice((hexes[0], "41.19"))]
    if chance.random() < 0.2:
        given["via"] = [chance.choice(("41.20", "40.21"))]
    if aboard and chance.random() < 0.5:
        lines[0] = lines[0].replace(f"phasing={side}", f"phasing={ENEMY[side]}")
        given = {"unit": "A", "changed": chance.sample(hexes, 1)} | (
            {"rate": given["rate"]} if chance.random() < 0.5 else {}
        )
        return "displace", "\n".join(lines), given
    if arm == "minor-depot -" and not aboard:
        return (
            "move-depot",
            "\n".join(lines),
            {"unit": "A", "to": chance.choice((hexes[0], "41.19", "40.21")), "rate": 8},
        )
    return "rail", "\n".join(lines), given


def _threat(front: Front) -> tuple[str, str, dict[str, Any]]:
    chance = front.chance
    given: dict[str, Any] = {"side": front.side, "at": [front.centre], "march": chance.random() < 0.6}
    text = front.write(chance.choice(("movement", "attack")), chance.choice(sorted(NATIONS)))
    return "threat", text + "\ntrust charts", given


def _ezoc(front: Front) -> tuple[str, str, dict[str, Any]]:
    units = front.units[front.side][:1]
    given = {"units": units, "way": front.walk(front.chance.randint(1, 2))}
    return "ezoc", front.write("movement", front.side), given


QUESTIONS: tuple[Callable[[Front], tuple[str, str, dict[str, Any]]], ...] = (
    *(_march,) * 4, *(_reach,) * 4, *(_retreat,) * 6, *(_repulse,) * 3, *(_battle,) * 4, *(_displace,) * 4, *(_rail,) * 3,
    _cavalry, _threat, _ezoc,
)  # fmt: skip
MORE = ("ruling off-map-move=refused", "weather=summer-heat", "ruling excess-off-map=leaves")


def draw(chance: random.Random) -> Case:
    """Make up a question about ways on a front of nineteen hexes."""
    question, text, given = chance.choice(QUESTIONS)(Front(chance))
    lines = text.splitlines()
    kept = [line for line in lines if line.startswith(("chart", "trust", "answers", "ruling", "nation"))]
    spoiled = spoil("\n".join(line for line in lines if line not in kept), chance, [*MORE])
    return Case(question, spoiled + "\n".join([*kept, ""]), given)
