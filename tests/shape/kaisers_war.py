"""Kaiser's War in the East: strengths in combat, concentric attacks and the percentage column (14.8 to 14.13).

A probe of the core's types, no plugin. The readings of doubtful places are the recommended ones: percentages drop their
fraction, one bonus doubles a unit and two or more triple it. What comes of a combat is in `kaisers_war_results.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import product
from typing import Literal, NamedTuple

from assistant.game.hexes import Hex, HexGrid
from assistant.mechanics.crossings import compile_crossings
from assistant.mechanics.odds import Bands
from assistant.mechanics.tracing import cost_field, zone
from assistant.state.state import hexside

Kind = Literal["army", "abteilung", "corps", "headquarters", "fortress", "supply"]
#: How many corps an army is broken into, by its kind. Rule: 10.4, 10.5
CORPS_IN: Mapping[str, int] = {"army": 3, "abteilung": 2}


class Combatant(NamedTuple):
    """A unit in a battle: its printed factors, and whether it has Maximum Attack Supply."""

    id: str
    nation: str
    kind: Kind
    attack: int
    defence: int
    movement: int
    place: str
    shock: bool = False
    alpine: bool = False
    supplied: bool = False

    @property
    def is_army(self) -> bool:
        """Whether it bears the symbol of an army or an army abteilung (14.15)."""
        return self.kind in CORPS_IN


# --- attack and defence strength --------------------------------------------------------------------------------------


def multiplier(bonuses: int) -> int:
    """How often a factor counts: doubled by one bonus, tripled by two or more.

    Rule: 14.8, 14.9, 21.3
    """
    return 1 + min(bonuses, 2)


def attack_of(unit: Combatant, concentric: bool, rough: bool = False) -> int:
    """What one unit, or the supporting HQ, adds to the attack.

    rough: whether the defending hex is rough, which helps Alpine units.

    Rule: 14.8, 14.9, 17.13, 21.3
    """
    return unit.attack * multiplier(unit.supplied + concentric + (unit.alpine and rough))


def attack_strength(
    attackers: Iterable[Combatant], headquarters: Combatant | None, concentric: bool, rough: bool = False
) -> int:
    """The strength of the attack, with at most one HQ.

    Rule: 14.8, 19.1, 19.2
    """
    involved = (*attackers, headquarters) if headquarters else attackers
    return sum(attack_of(unit, concentric, rough) for unit in involved)


def defence_strength(defenders: Iterable[Combatant], terrain_doubles: bool, all_across_water: bool) -> int:
    """The strength of the defence: doubled by terrain or by river and lake hexsides, never more than doubled.

    Rule: 14.11
    """
    return sum(unit.defence for unit in defenders) * (2 if terrain_doubles or all_across_water else 1)


def across_water(attackers: Iterable[Combatant], at: str, water: Collection[str]) -> bool:
    """Whether every attacker attacks across a river or lake hexside.

    Rule: 14.11
    """
    return all(hexside(unit.place, at) in water for unit in attackers)


def may_attack_together(attackers: Iterable[Combatant], headquarters: Combatant | None) -> bool:
    """Whether these units may make one attack: of one nation, or with an HQ of the nation of one of them.

    Rule: 14.10, 19.2, 19.3
    """
    nations = {unit.nation for unit in attackers}
    return headquarters.nation in nations if headquarters else len(nations) == 1


# --- places -----------------------------------------------------------------------------------------------------------


def six_around(grid: HexGrid, at: str) -> tuple[str, ...]:
    """The six hexes around a hex, those off the map too, which have to be covered like any other.

    Rule: 14.8
    """
    return tuple(map(grid.name, grid.around(grid.parse(at)).values()))


def covered(
    attackers: Iterable[Combatant],
    grid: HexGrid,
    *,
    enemy_fortresses: Collection[str] = (),
    all_sea: Collection[str] = (),
    unplayable: Collection[str] = (),
) -> frozenset[str]:
    """The hexes that attackers stand in or have in their zones of control.

    A zone does not enter a hex with an enemy fortress, nor cross an all-sea hexside unless the hex beyond is one that
    cannot be played, which counts as if it could. Units without movement have no zone.

    Rule: 13.0, 13.1, 13.2, 14.8
    """

    def extends(here: str, there: str) -> bool:
        return there not in enemy_fortresses and (there in unplayable or hexside(here, there) not in all_sea)

    attackers = tuple(attackers)
    exerting = [unit.place for unit in attackers if unit.movement > 0]
    return zone(exerting, lambda at: six_around(grid, at), extends) | {unit.place for unit in attackers}


def is_concentric(
    at: str,
    attackers: Iterable[Combatant],
    grid: HexGrid,
    headquarters: Combatant | None = None,
    *,
    enemy_fortresses: Collection[str] = (),
    all_sea: Collection[str] = (),
    unplayable: Collection[str] = (),
) -> bool:
    """Whether the attack on a hex is concentric: all six hexes around it are covered by attackers alone.

    A fortress in the hex prevents it unless an HQ supports the attack.

    Rule: 14.8, 19.5, 20.2
    """
    if at in enemy_fortresses and headquarters is None:
        return False
    reached = covered(attackers, grid, enemy_fortresses=enemy_fortresses, all_sea=all_sea, unplayable=unplayable)
    return reached.issuperset(six_around(grid, at))


def in_radius(
    source: str, radius: int, grid: HexGrid, enemies: Collection[str], enemy_zone: Collection[str]
) -> frozenset[str]:
    """The hexes in the radius of a supply unit or an HQ: into an enemy zone, not out of one, not into enemy units.

    A source in an enemy zone reaches its own hex only; `ends` would let it out, for it holds a line where it enters.

    Rule: 17.2, 17.3, 17.4, 19.1
    """
    columns, rows = (range(first, last + 1) for first, last in (grid.columns, grid.rows))
    hexes = [grid.name(Hex(column, row)) for column, row in product(columns, rows)]
    crossings = compile_crossings(
        hexes,
        lambda at: map(grid.name, grid.neighbours(grid.parse(at)).values()),
        ground=lambda at: (),
        over=lambda here, there: (),
    )
    limit = 0 if source in enemy_zone else radius
    return frozenset(
        cost_field(crossings, lambda step: 1, {source: 0}, closed=enemies, ends=enemy_zone, limit=limit).cost
    )


# --- the percentage column --------------------------------------------------------------------------------------------

COLUMNS = Bands(
    (0, 50, 100, 150, 200, 300, 400, 500, 600),
    ("<=49", "50-99", "100-149", "150-199", "200-299", "300-399", "400-499", "500-599", ">=600"),
)


def percentage(attack: int, defence: int) -> int:
    """The attack in whole percents of the defence, the fraction dropped.

    Rule: 14.13
    """
    return 100 * attack // defence


def column(attack: int, defence: int) -> str:
    """The column of the Combat Results Tables.

    Rule: 14.13
    """
    return COLUMNS.of(percentage(attack, defence))
