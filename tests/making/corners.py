"""Corners of a paper map with units of both sides, drawn from a table of templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random

import msgspec

from . import hexes
from .chance import Names, fill_in

FAR = 2
"""How far a corner reaches from its centre, in hexes."""
LONGEST = 3
"""The number of hexes of the longest way."""


class Corner(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a corner is drawn from. Texts are templates (`chance`)."""

    centres: Sequence[str]
    sides: Mapping[str, Sequence[str]]
    """The nations of each of the two sides."""
    hex: str
    """What is stated of a hex."""
    rim: str = ""
    """What is stated of a hex on the rim besides."""
    hexside: str
    beyond: str = ""
    """What is stated of the hexes around the corner together."""
    lines: str = ""
    """Lines that precede the ground."""
    kinds: Mapping[str, str]
    """Units by their kind, with `{name}` and `{nation}`."""
    first: str
    """Kinds of the first unit in the centre."""
    among: str
    """Kinds of other units there."""
    foe: str
    """Kinds of an enemy beside it."""
    others: str
    """Kinds of any other unit."""
    mark: str = ""
    """What is stated of the units in the centre besides."""
    most: Sequence[int] = (2, 5, 4)
    """The largest numbers of other units in the centre, of other enemies, of other friends."""
    besides: Mapping[str, str] = {}
    """Lines by side, which may name a hex that the side holds as `{there}`."""
    rosters: Mapping[str, Sequence[str]] = {}
    """The names of units by side, if they are those of the game."""


class Placed(msgspec.Struct, frozen=True):
    """A unit of a corner."""

    name: str
    kind: str
    side: str
    at: str


def draw_corner(random: Random, table: Corner) -> Names:
    """Return what templates may name of a corner.

    - `corner`: its lines, without phase and turn; `ground` and `units` are parts of it.
    - `centre`, `near` (the hexes around it), `hexes` (all), `beside` (one next to it); `own` and `enemy`, the sides.
    - `way0` to `way3`: the beginnings of a way from the centre; `aside0` to `aside3`: of one from `beside`; `rails1` to `rails3`: railways along
      the first.
    - `held` (the hexes of a side's own units), `nation` (its nations).
    - `first`, `stack` (some units in the centre, one at least), `last`, `all` (all there), `foe` with `foe-at` and `foe-near`; `foes`; `exposed`, the hexes
      of the corner beside `foe` without enemies.
    - `KIND` of each kind: a unit of the kind with `KIND-near`, or the first unit.
    """
    centre = random.choice(table.centres)
    inside = hexes.within(centre, FAR)
    own, enemy = random.sample(sorted(table.sides), 2)
    names: Names = {"centre": centre, "near": inside[1:7], "hexes": inside, "own": own, "enemy": enemy}
    names["beside"] = random.choice(inside[1:7])
    units, lines = list[Placed](), list[str]()
    free = {side: random.sample(table.rosters[side], len(table.rosters[side])) for side in table.rosters}

    def place(kind: str, side: str, at: str, mark: str = "") -> None:
        kind = fill_in(kind, random)
        name = free[side].pop() if free.get(side) else f"{side[0].upper()}{len(units)}"
        units.append(Placed(name, kind, side, at))
        about: Names = {**names, "name": name, "nation": table.sides[side]}
        lines.append(f"{at}: {fill_in(f'{table.kinds[kind]} {mark}', random, about)}")

    place(table.first, own, centre, table.mark)
    for _ in range(random.randint(0, table.most[0])):
        place(table.among, own, centre, table.mark)
    place(table.foe, enemy, random.choice(inside[1:7]))
    for _ in range(random.randint(0, table.most[1])):
        place(table.others, enemy, random.choice(inside[1:]))
    held = {unit.at for unit in units if unit.side == enemy}
    for _ in range(random.randint(0, table.most[2])):
        place(table.others, own, random.choice([hex for hex in inside[1:] if hex not in held] or [centre]))

    names |= {"held": [unit.at for unit in units if unit.side == own], "nation": table.sides[own]}
    for side, template in table.besides.items():
        there = [unit.at for unit in units if unit.side == side]
        lines.append(fill_in(template, random, {**names, "there": there}))
    here = [unit.name for unit in units if (unit.side, unit.at) == (own, centre)]
    foes = [unit for unit in units if unit.side == enemy]
    names |= {"first": here[0], "last": here[-1], "stack": ",".join(here[: random.randint(1, len(here))])}
    names |= {"all": ",".join(here), "foes": [unit.name for unit in foes], "foe": foes[0].name}
    names["exposed"] = [hex for hex in hexes.neighbours(foes[0].at) if hex in inside and hex not in held] or [centre]
    names |= {"foe-at": foes[0].at, "foe-near": hexes.neighbours(foes[0].at)}
    for kind in table.kinds:
        unit = random.choice([unit for unit in units if unit.kind == kind] or units[:1])
        names |= {kind: unit.name, f"{kind}-near": hexes.neighbours(unit.at)}
    way = hexes.walk(random, centre, LONGEST, returns=True)
    aside = hexes.walk(random, str(names["beside"]), LONGEST, returns=True)
    for steps in range(LONGEST + 1):
        names[f"way{steps}"], names[f"aside{steps}"] = ",".join(way[:steps]), ",".join(aside[:steps])
        names[f"rails{steps}"] = "\n".join(f"{here}|{there} rail" for here, there in pairwise([centre, *way[:steps]]))
    names["ground"] = "".join(_draw_ground(random, table, names, inside))
    names["units"] = "\n".join(filter(None, lines))
    names["corner"] = f"{fill_in(table.lines, random, names)}\n{names['ground']}{names['units']}"
    return names


def _draw_ground(random: Random, table: Corner, names: Names, inside: Sequence[str]) -> list[str]:
    """Return the lines about hexes and hexsides of a corner."""
    rim = inside[7:]
    lines = [f"{hex} {fill_in(table.hex + (f' {table.rim}' if hex in rim else ''), random, names)}\n" for hex in inside]
    beyond = [hex for hex in hexes.within(inside[0], FAR + 1) if hex not in inside]
    lines += [f"{','.join(beyond)} {fill_in(table.beyond, random, names)}\n"] if table.beyond else []
    return lines + [f"{'|'.join(side)} {fill_in(table.hexside, random, names)}\n" for side in hexes.hexsides(inside)]
