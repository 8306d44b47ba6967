"""A combat before the dice, in plain values: what is asked, who fights, what lies around, how doubtful rules are read."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Literal

import msgspec

from assistant.questions import AnyName, Parameters, PlaceName, UnitName, note

from ..forces.units import CombatUnit, Role
from ..ground import calendar
from ..ground.phases import AttackPhase
from .strength import artillery_value, attack_strength, defence_strength

Units = tuple[CombatUnit, ...]

POINTS = note(
    "who is allocated Artillery Ammunition Points: corps, hexes for stacks of independent units, magazine:HEX for a stack that a "
    "fortress magazine serves, or Boyen; `all` for as many as may be allocated, or `none`"
)
CHOOSING = note(
    "how a side settles its choices before the dice: usual (losses to the unit that has lost least, then to the one with most "
    "steps left; +1 on a check to the Force that can best afford it), strongest (losses to the strongest units, +1 as usual), "
    "weakest (losses to the weakest units, +1 to the Force that can least afford it), or units in the order in which they take "
    "losses and +1"
)
WAYS = note(
    "how retreats go before the dice: straight (the legal way that costs least), or priorities (the hex that comes first by 11.2.2); no Repulse is tried"
)
Points = Annotated[tuple[AnyName, ...] | None, POINTS]
ALL_ROUND, BY_FORMATIONS = 5, 3
"""How many hexes around it flank a defender, and lone Asset Units (10.4.1, 10.4.2)."""
Drm = Annotated[int, note("further modifiers of both rolls for step losses")]
Choosing = Annotated[tuple[AnyName, ...], CHOOSING]


class BattleParameters(Parameters, frozen=True, rename="kebab"):
    """A combat to be looked at."""

    at: Annotated[PlaceName, note("the defending hex")]
    from_: Annotated[tuple[PlaceName, ...], note("attacking hexes, every adjacent hex with enemies if left out")] = ()
    withhold: Annotated[tuple[UnitName, ...], note("units of either side that stay out")] = ()
    attacker_ap: Points = None
    defender_ap: Points = None
    flanked: Annotated[bool | None, note("whether the defender is flanked; if not stated, the position decides")] = None
    shift: Annotated[int, note("further odds columns, positive to the right, for rules such as leaders")] = 0
    attacker_drm: Drm = 0
    defender_drm: Drm = 0
    attacker_policy: Choosing = ("usual",)
    defender_policy: Choosing = ("usual",)
    ways: Annotated[Literal["straight", "priorities"], WAYS] = "straight"


class Ring(msgspec.Struct, frozen=True):
    """What lies around a defender, whoever attacks it.

    sides: the adjacent hexes without its friends, each with what lies on its hexside; enemies: those with enemies; reach: by
    attacking hex the zone of the units there; unsaid: hexsides of unstated terrain that zones were taken to cross; open_if_unsaid:
    those of the adjacent hexes between which and the defender nothing is stated, and nothing is taken to lie.
    """

    sides: tuple[tuple[str, frozenset[str]], ...] = ()
    enemies: frozenset[str] = frozenset()
    reach: Mapping[str, frozenset[str]] = MappingProxyType({})
    unsaid: tuple[str, ...] = ()
    open_if_unsaid: frozenset[str] = frozenset()


class Flank(msgspec.Struct, frozen=True):
    """How far a defender is surrounded.

    held: how many hexes around it are in enemy hands or zones; by_formations: how many are by attacking formations alone, where lone
    Asset Units are attacked strongly enough, or else 0; fortress: whether a fortress unit stands in its hex.
    """

    held: int = 0
    by_formations: int = 0
    fortress: bool = False

    @property
    def rule(self) -> str:
        """The rule that decides: for all defenders, for Asset Units, for a hex with a fortress unit."""
        if self.fortress:
            return "10.4.5"
        return "10.4.2" if self.by_formations and self.held < ALL_ROUND else "10.4.1"

    @property
    def holds(self) -> bool:
        """Whether it makes the defender flanked."""
        return not self.fortress and (self.held >= ALL_ROUND or self.by_formations >= BY_FORMATIONS)


class Readings(msgspec.Struct, frozen=True):
    """The readings that hold in a combat, each field named as its ruling in rulings.csv; one that does not matter in it keeps
    the value it has here."""

    several_corps: str = "once"
    river_shift: str = "all"
    last_step: str = "owner"
    marsch_first: str = "others"
    flank_occupied: str = "any"
    river_halving: str = "own"
    defending_arm: str = "larger"
    sound_formation: str = "stack"
    fortress_steps: str = "retreat"
    level_4_hardship: str = "always"
    disordered_again: str = "worse"
    beyond_chart: str = "final"
    half_hex_attack: str = "allowed"


class Engagement(msgspec.Struct, frozen=True):
    """A combat before the dice, in plain values.

    crossed: by attacking hex, what lies on the hexside; position, positions: levels of the Improved Positions of the defending
    hex and the attacking ones, 0 for none; flank: how far the position shows the defender surrounded; flanked: whether it is
    flanked, by what the players say if they do; shifts: the Terrain Effects Chart by feature; idle: artillery units that cannot
    take part; withheld: other units of the defending hex; stack: all units there from the top, by id; left_out: who stays out
    of the attack though nothing on the hexside stops it, among them all whose Prepared Attack marker points at the hex;
    said_flanked: what the players say of flanking; elsewhere: the target of attackers whose marker points at another hex with
    enemies; unbridged: attacking hexes behind a Grand River without a crossing; bridged: by attacking hex behind a Major or
    Grand River whether there is a bridge, None if not stated; prohibited: attacking hexes that the Terrain Effects Chart shuts;
    shift, drm: what the players add for rules beyond these.
    """

    at: str
    attackers: Units
    defenders: Units
    turn: int
    terrain: str = ""
    crossed: Mapping[str, frozenset[str]] = MappingProxyType({})
    position: int = 0
    positions: Mapping[str, int] = MappingProxyType({})
    ring: Ring = Ring()
    flank: Flank = Flank()
    flanked: bool = False
    shifts: Mapping[str, int] = MappingProxyType({})
    readings: Readings = Readings()
    idle: Units = ()
    withheld: Units = ()
    stack: tuple[str, ...] = ()
    left_out: Units = ()
    said_flanked: bool | None = None
    elsewhere: Mapping[str, str] = MappingProxyType({})
    unbridged: tuple[str, ...] = ()
    bridged: Mapping[str, bool | None] = MappingProxyType({})
    prohibited: tuple[str, ...] = ()
    attack_phase: AttackPhase = AttackPhase()
    campaign: bool = False
    shift: int = 0
    drm: Mapping[Role, int] = MappingProxyType({})

    @property
    def mixed(self) -> bool:
        """Whether something lies on the hexsides of some attackers and nothing on those of others."""
        said = [bool(side - {"", "open"}) for side in self.crossed.values()]
        return any(said) and not all(said)

    @property
    def season(self) -> str:
        """The season of the tables."""
        return calendar.season(self.turn)

    @property
    def units(self) -> Units:
        """The units of both sides, attackers first."""
        return (*self.attackers, *self.defenders)

    @property
    def in_the_hex(self) -> Units:
        """The units in the defending hex, whether they fight or not."""
        every = (*self.defenders, *self.idle, *self.withheld)
        return tuple(unit for unit in every if unit.place == self.at)

    def side(self, role: Role) -> Units:
        """The units of one side."""
        return self.attackers if role == "attacker" else self.defenders

    def present(self, role: Role) -> Units:
        """The units of one side with its artillery units that cannot take part."""
        idle = (unit for unit in self.idle if (unit.place == self.at) == (role == "defender"))
        return (*self.side(role), *idle)

    def all_german(self, role: Role) -> bool:
        """Whether all units of one side that fight are German (10.9.1, 10.10.3)."""
        return all(unit.nation == "german" for unit in self.side(role))

    def across(self, place: str) -> frozenset[str]:
        """What lies on the hexside that the attackers of a hex cross, or by ruling river-halving on that of any attacker."""
        own = self.crossed.get(place, frozenset())
        return own if self.readings.river_halving == "own" else own.union(*self.crossed.values())

    def strengths(self, unit: CombatUnit, role: Role) -> tuple[Fraction, Fraction]:
        """A unit's strength on one side with the rivers that it attacks across, and the artillery value in it. Rule: 10.6.1"""
        if role == "defender":
            return defence_strength(unit), artillery_value(unit)
        across = self.across(unit.place)
        return attack_strength(unit, across), artillery_value(unit, across)

    def artillery(self, role: Role) -> Fraction:
        """The artillery value of one side, with its APs and the rivers it attacks across. Rule: 10.10.3c, 10.6.1"""
        return sum((self.strengths(unit, role)[1] for unit in self.side(role)), Fraction(0))
