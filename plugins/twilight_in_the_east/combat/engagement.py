"""A combat before the dice, in plain values: what is asked, who fights, what lies around, how doubtful rules are read."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, NamedTuple

import msgspec

from assistant.questions import Parameters, PlaceName, UnitName, note

from ..forces.units import CombatUnit, Role
from ..ground import calendar
from ..ground.phases import AttackPhase
from .strength import artillery_value

Points = Annotated[
    tuple[str, ...] | None,
    msgspec.Meta(
        description="who is allocated Artillery Ammunition Points: corps, hexes for stacks of independent units, "
        "magazine:HEX for a stack that a fortress magazine serves, or Boyen; `all` that can use one, or `none`"
    ),
]

Choosing = Annotated[
    tuple[str, ...],
    note(
        "how a side settles its choices before the dice: usual (losses to the unit that has lost least, then to the one with "
        "most steps left; +1 on a check to the Force that can best afford it), strongest (losses to the strongest units, +1 as "
        "usual), weakest (losses to the weakest units, +1 to the Force that can least afford it), or units in the order in "
        "which they take losses and +1"
    ),
]


class BattleParameters(Parameters, frozen=True):
    """A combat to be looked at."""

    at: Annotated[PlaceName, note("the defending hex")]
    from_: Annotated[tuple[PlaceName, ...], note("attacking hexes, every adjacent hex with enemies if left out")] = (
        msgspec.field(default=(), name="from")
    )
    withhold: Annotated[tuple[UnitName, ...], note("units of either side that stay out")] = ()
    attacker_ap: Points = msgspec.field(default=None, name="attacker-ap")
    defender_ap: Points = msgspec.field(default=None, name="defender-ap")
    flanked: Annotated[bool | None, note("yes or no where the map shows more than the position")] = None
    shift: Annotated[int, note("further odds columns, to the right positive, for rules such as leaders")] = 0
    attacker_drm: Annotated[int, note("further modifiers of both rolls for step losses")] = msgspec.field(
        default=0, name="attacker-drm"
    )
    defender_drm: Annotated[int, note("further modifiers of both rolls for step losses")] = msgspec.field(
        default=0, name="defender-drm"
    )
    attacker_policy: Choosing = msgspec.field(default=("usual",), name="attacker-policy")
    defender_policy: Choosing = msgspec.field(default=("usual",), name="defender-policy")


class Surroundings(NamedTuple):
    """The hexes around a defender: how many are in enemy hands, and whether that flanks it."""

    held: int = 0
    flanked: bool = False


class Ring(NamedTuple):
    """What lies around a defender, whoever attacks it.

    sides: the adjacent hexes without its friends, each with what lies on the hexside to it; enemies: those with enemies in
    them; reach: for each attacking hex the hexes in the zone of units there; unsaid: the hexsides that zones were taken to cross
    though nobody has stated what lies on them.
    """

    sides: tuple[tuple[str, frozenset[str]], ...] = ()
    enemies: frozenset[str] = frozenset()
    reach: Mapping[str, frozenset[str]] = MappingProxyType({})
    unsaid: tuple[str, ...] = ()


class Readings(NamedTuple):
    """The readings that hold in a combat, each field named as its ruling in rulings.csv; one that does not matter in it keeps
    the value it has here."""

    several_corps: str = "once"
    river_shift: str = "all"
    last_step: str = "spared"
    flank_occupied: str = "any"
    river_halving: str = "own"
    defending_arm: str = "larger"
    sound_formation: str = "stack"
    fortress_steps: str = "retreat"
    level_4_hardship: str = "always"
    disordered_again: str = "worse"
    beyond_chart: str = "final"


class Engagement(NamedTuple):
    """A combat before the dice, in plain values.

    crossed: for each attacking hex, what lies on the hexside; position, positions: Improved Positions of the defending
    hex and of the attacking ones, 0 for none; shifts: the Terrain Effects Chart by feature; readings: of doubtful rules; idle: artillery units that
    cannot take part; withheld: other units of the defending hex; stack: all units there from the top, by id; left_out: attackers
    withheld whose Prepared Attack marker points at the hex; said_flanked: what the players say of flanking, None if nothing; elsewhere: attackers whose marker points at another
    hex with enemies, by unit; unbridged: attacking hexes behind a Grand River without a crossing; bridged: for attacking
    hexes behind a Major or Grand River, whether there is a bridge, None if that is not stated; prohibited: attacking hexes
    that the Terrain Effects Chart shuts; attack_phase: the phase of the combat; shift, drm: what the players add for
    rules beyond these.
    """

    at: str
    attackers: tuple[CombatUnit, ...]
    defenders: tuple[CombatUnit, ...]
    turn: int
    terrain: str
    crossed: Mapping[str, frozenset[str]]
    position: int
    positions: Mapping[str, int]
    ring: Ring = Ring()
    around: Surroundings = Surroundings()
    shifts: Mapping[str, int] = MappingProxyType({})
    readings: Readings = Readings()
    idle: tuple[CombatUnit, ...] = ()
    withheld: tuple[CombatUnit, ...] = ()
    stack: tuple[str, ...] = ()
    left_out: tuple[CombatUnit, ...] = ()
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
    def flanked(self) -> bool:
        """Whether the defender is flanked."""
        return self.around.flanked

    @property
    def mixed(self) -> bool:
        """Whether something lies on the hexsides of some attackers and nothing on those of others."""
        said = [bool(side - {"", "open"}) for side in self.crossed.values()]
        return any(said) and not all(said)

    @property
    def season(self) -> str:
        """The season of the tables."""
        return calendar.season(self.turn)

    def side(self, role: Role) -> tuple[CombatUnit, ...]:
        """The units of one side."""
        return self.attackers if role == "attacker" else self.defenders

    def present(self, role: Role) -> tuple[CombatUnit, ...]:
        """The units of one side with its artillery units that cannot take part."""
        idle = (unit for unit in self.idle if (unit.place == self.at) == (role == "defender"))
        return (*self.side(role), *idle)

    def across(self, place: str) -> frozenset[str]:
        """What lies on the hexside that the attackers of a hex cross, or by ruling river-halving on that of any attacker."""
        own = self.crossed.get(place, frozenset())
        return own if self.readings.river_halving == "own" else own.union(*self.crossed.values())

    def artillery(self, role: Role) -> Fraction:
        """The artillery value of one side, with its APs and the rivers it attacks across. Rule: 10.10.3c, 10.6.1"""
        if role == "defender":
            return sum((artillery_value(unit) for unit in self.defenders), Fraction(0))
        values = (artillery_value(unit, self.across(unit.place)) for unit in self.attackers)
        return sum(values, Fraction(0))
