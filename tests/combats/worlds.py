"""Random combats on random ground, as positions in notation with the parameters of the combat."""

from __future__ import annotations

import tomllib
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from assistant.installed.registry import load_game
from twilight_in_the_east.ground.calendar import possible_weather

from ..making.chance import Names, fill_in
from ..making.hexes import hexsides, neighbours, within

BOARD = load_game("twilight-in-the-east").board("")
AT = "41.19"
"""The hex that is attacked."""
REACH = 4
"""How far around it the ground is stated, in hexes."""
TURNS = (1, 5, 12, 19, 27, 28, 33, 41, 47)
BYSTANDERS = ("guns",) * 3 + ("cavalry",) + ("train",) * 3 + ("depot", "fortress") + ("divisions",) * 11


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What combats are drawn from: `combats.toml`."""

    sides: dict[str, list[str]]
    names: dict[str, str | list[str]]
    kinds: dict[str, str]


TABLE = msgspec.convert(tomllib.loads((Path(__file__).parent / "combats.toml").read_text("utf-8")), Table)


class World(msgspec.Struct, frozen=True):
    """A combat. text: the position in notation; at: the hex attacked; asked: further parameters of the question `battle`."""

    text: str
    asked: dict[str, Any]
    at: str = AT


class Field:
    """A combat in the making."""

    def __init__(self, random: Random) -> None:
        self.random, self.numbers = random, count(1)
        self.names: Names = {**TABLE.names}
        self.stacks: dict[str, list[str]] = {}
        self.taken: dict[str, str] = {}
        """The side in each hex with units."""
        self.withheld: list[str] = []
        """The units that must stay out of the combat."""

    def fill(self, template: str, **names: Any) -> str:
        """Return a template as chance has it."""
        return fill_in(template, self.random, self.names | names)

    def settle(self, side: str, hex: str) -> None:
        """Let the next units be of a side, in a hex that has none."""
        self.stacks[hex], self.taken[hex] = [], side
        army = "army=First" if self.random.random() < 0.2 else ""
        self.names |= {"nation": self.random.choice(TABLE.sides[side]), "army": army, "arm": "infantry"}

    def place(self, hex: str, kind: str, more: str = "", state: str = "defending", corps: str = "") -> str:
        """Place a unit and return its name."""
        name = f"{kind}{next(self.numbers)}{corps and f'/{corps}'}"
        self.stacks[hex].append(self.fill(f"{TABLE.kinds[kind]} {more}", name=name, state=TABLE.names[state]))
        return name

    def place_fighting(self, side: str, hex: str, arm: str, *, attacks: bool) -> None:
        """Place a stack that fights, with others that are withheld or do not fight."""
        random, state = self.random, "attacking" if attacks else "defending"
        self.settle(side, hex)
        self.names["arm"] = arm
        number = random.choice((1, 1, 2))
        is_alone = not attacks and random.random() < 0.12
        named = [self.place(hex, "asset")] if is_alone else self._place_divisions(hex, number, state)
        formation = "" if is_alone else f"with={random.choice(named)}"
        if not is_alone and self.names["arm"] == "infantry" and random.random() < 0.3:
            self.place(hex, "regiment", formation)
        if random.random() < 0.35:
            self.place(hex, "guns", formation)
        if not attacks and self.names["arm"] == "infantry" and random.random() < 0.2:
            for _ in range(random.choice((1, 1, 2))):
                self.place(hex, "wall")
        if not is_alone and number == 1 and random.random() < (0.15 if attacks else 0.3):
            self.withheld.append(self.place(hex, "brigade"))
        if random.random() < 0.15:
            self.place(hex, random.choice(("train", "depot")))

    def _place_divisions(self, hex: str, number: int, state: str) -> list[str]:
        return [
            self.place(hex, "division", state=state, corps=self.random.choice(("", "3", "17"))) for _ in range(number)
        ]

    def place_bystanders(self, side: str, hex: str) -> None:
        """Place a stack that stands elsewhere: divisions, as many as a hex holds at times, or guns, a train, a depot behind the front."""
        random = self.random
        self.settle(side, hex)
        kind = random.choice(BYSTANDERS)
        if kind == "cavalry":
            self.names["arm"] = kind
        if kind in ("cavalry", "divisions"):
            self._place_divisions(hex, 1 if kind == "cavalry" else random.choice((1, 1, 2, 3)), "defending")
            for _ in range(random.choice((0, 0, 1, 2)) if kind == "divisions" else 0):
                self.place(hex, "guns")
        else:
            displaced = "displaced" if kind == "guns" and random.random() < 0.33 else ""
            self.place(hex, kind, displaced, corps=random.choice(("3", "17")) if kind == "train" else "")

    def state_ground(self, hexes: tuple[str, ...], fighting: set[str]) -> list[str]:
        """Return the lines about the ground, no RR line into the sea; sometimes only about that of the combat itself."""
        random = self.random
        stated = hexes if random.random() < 0.85 else tuple(sorted(fighting))
        lies = "{open}" if random.random() < 0.7 else "{broken}"
        kinds = {
            hex: "{fought-over}" if hex in fighting else "{land}" if hex in self.taken else "{ground}" for hex in stated
        }
        ground = {hex: self.fill(kind) for hex, kind in kinds.items()}
        lines = [f"{hex} {words} {self.fill('{printed}') if words != 'sea' else ''}" for hex, words in ground.items()]
        for one, other in hexsides(hexes):
            if stated is not hexes and AT not in (one, other):
                continue
            is_fought = {one, other} <= fighting and AT in (one, other)
            rail = "no-rail no-road" if "sea" in (ground.get(one), ground.get(other)) else "{rail}"
            lines.append(self.fill(f"{one}|{other} {'{attacked-across}' if is_fought else lies} {rail}"))
        return lines


def world(random: Random) -> World:
    """Make up a combat: who attacks and defends, who stands around, and the ground."""
    field = Field(random)
    attacking, defending = random.sample(sorted(TABLE.sides), 2)
    hexes, near = within(AT, REACH), neighbours(AT)
    from_ = random.sample(near, random.choice((1, 1, 2, 2, 3, 4)))
    arm, other = ("infantry" if random.random() < 0.83 else "cavalry" for _ in range(2))
    for hex in from_:
        field.place_fighting(attacking, hex, arm, attacks=True)
    field.place_fighting(defending, AT, other, attacks=False)
    fighting = {AT, *from_}
    for hex in near if random.random() < 0.15 else ():  # who defends is shut in
        if hex not in field.taken and random.random() < 0.85:
            field.place_bystanders(attacking, hex)
    for side, most in ((attacking, 3), (defending, 5)):
        for hex in random.sample([hex for hex in hexes if hex not in field.taken], random.randint(0, most)):
            field.place_bystanders(side, hex)
    turn = random.choice(TURNS)
    weather = random.choice(sorted(possible_weather(turn)))
    lines = [field.fill("{frame}", turn=str(turn), weather=weather, attacker=attacking)]
    for side in random.sample(sorted(TABLE.sides), random.choice((0, 0, 1, 2))):
        lines.append(f'army "{side} First" area="{" ".join(random.sample(hexes, 30))}"\n')
    lines += [f"{line}\n" for line in field.state_ground(hexes, fighting)]
    free = [hex for hex in hexes if hex not in field.taken]
    for name, kind in (("Tilsit", "landsturm"), ("Elbing", "landsturm"), ("bridgehead", "bridgehead")):
        if random.random() < 0.3:
            hex = free.pop(random.randrange(len(free)))
            field.stacks[hex] = [field.fill(TABLE.kinds[kind], name=name)]
    lines += [f"{hex}: {', '.join(units)}\n" for hex, units in field.stacks.items()]
    for hex, units in field.stacks.items():
        names = [word for unit in units for word in unit.split() if word.startswith("division")]
        if names and (hex == AT or hex not in fighting) and random.random() < 0.3:
            lines.append(field.fill(f"{random.choice(names)} {{task}}") + "\n")
    asked: dict[str, Any] = {"from_": from_}
    for name, values in {
        "attacker_ap": ("all", "none"),
        "defender_ap": ("all", "none"),
        "attacker_policy": ("usual", "strongest", "weakest"),
    }.items():
        asked[name] = random.choice(values)
    if field.withheld:
        asked["withhold"] = field.withheld
    return World("game twilight-in-the-east\n" + "".join(lines), asked)
