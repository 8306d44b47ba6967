"""A combat before the dice in plain values: units, strengths, odds, column shifts and magnitude.

Also the parameters of a question about a combat (3.4, 10.1 to 10.8, 10.10).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Literal

import msgspec

from assistant.asking import AnyName, Parameters, PlaceName, UnitName, note
from assistant.asking.permission import Clause
from assistant.mechanics.odds import Odds, half_up, odds_from_midpoint
from assistant.mechanics.procedure import Modifier
from assistant.state.state import hexside

from ..forces.bars import is_barred
from ..forces.units import CombatUnit, Role, stacking_value
from ..ground import calendar
from ..ground.calendar import AttackPhase
from ..leaders.combat import BRIGADES_PER_DIVISION, Led, does_lead, effective, format_reason, rolls_of, shift_of
from ..leaders.command import Leader
from ..terms import FORTRESSES, GREAT_RIVERS
from .allocation import command_holder, commands_of

MIN_ODDS = Odds.parse("1:4")
MAX_ODDS = Odds.parse("6:1")
PREPARED_RULE = "10.3.1"
"""The rule of the column shift for a Prepared Attack."""
FLANK_COLUMNS = 2
"""The column shift to the right against a flanked defender (10.4.3)."""
FLANK_LOSS_DRM = 2
"""The modifier of a flanked defender's step loss roll (10.4.3)."""
FLANK_CHECK_DRM = 1
"""The modifier of a flanked defender's checks (10.4.3)."""
FLANKING_HEXES = 5
"""The number of adjacent hexes in enemy hands or zones that makes a defender flanked (10.4.1)."""
FLANKING_HEXES_OF_ASSETS = 3
"""The same number for lone Asset Units, of hexes in the hands or zones of formations (10.4.2)."""

Units = tuple[CombatUnit, ...]
Cause = Literal["crt", "check", "repulse"]
WayPolicy = Literal["straight", "priorities"]
ShiftCause = Literal["terrain", "prepared", "flank", "corps", "position", "attacker", "defender", "players"]
"""Causes of column shifts: `terrain` includes hexsides, and `attacker` and `defender` are leaders of that side."""
POINTS = note(
    "who is allocated Artillery Ammunition Points: corps, hexes for stacks of independent units, magazine:HEX for a "
    "stack that a fortress magazine serves, or Boyen; `all` for as many as may be allocated, or `none`"
)
CHOOSING = note(
    "how a side makes its choices before dice are rolled: usual (losses to the unit that has lost least, then to the "
    "one with most steps left; +1 on a check to the Force that can best afford it), strongest (losses to the "
    "strongest units, +1 as usual), weakest (losses to the weakest units, +1 to the Force that can least afford it), "
    "or units in the order in which they take losses and +1"
)
WAYS = note(
    "how stacks retreat before dice are rolled: straight (the legal route that costs least), or priorities (the "
    "hex that comes first by 11.2.2); no Repulse is attempted"
)
Points = Annotated[tuple[AnyName, ...] | None, POINTS]
Givers = Annotated[
    tuple[UnitName, ...],
    note("depots and Corps Trains that give the APs of a side; those that record least if left out"),
]
Drm = Annotated[int, note("further DRMs of both step loss rolls")]
Chosen = Annotated[
    tuple[Literal["brusilov", "francois"], ...],
    note("leaders whose special characteristic their players use in this combat: brusilov, francois, or both"),
]
Choosing = Annotated[tuple[AnyName, ...], CHOOSING]


class BattleParameters(Parameters, frozen=True, rename="kebab"):
    """Parameters of a question about a combat."""

    at: Annotated[PlaceName, note("the defending hex")]
    from_: Annotated[tuple[PlaceName, ...], note("attacking hexes, every adjacent hex with enemies if left out")] = ()
    withhold: Annotated[tuple[UnitName, ...], note("units of either side that stay out")] = ()
    attacker_ap: Points = None
    defender_ap: Points = None
    attacker_ap_from: Givers = ()
    defender_ap_from: Givers = ()
    flanked: Annotated[bool | None, note("whether the defender is flanked; if not stated, the position decides")] = None
    shift: Annotated[int, note("further column shifts, positive to the right, beside those of the rules")] = 0
    leader: Chosen = ()
    attacker_drm: Drm = 0
    defender_drm: Drm = 0
    attacker_policy: Choosing = ("usual",)
    defender_policy: Choosing = ("usual",)
    ways: Annotated[Literal["straight", "priorities"], WAYS] = "straight"


class Ring(msgspec.Struct, frozen=True):
    """The hexes around a defender, as all attackers find them."""

    sides: Annotated[
        tuple[tuple[str, frozenset[str]], ...],
        note("adjacent hexes without friends of the defender, each with the features of its hexside"),
    ] = ()
    enemies: Annotated[frozenset[str], note("adjacent hexes with enemies")] = frozenset()
    reach: Annotated[
        Mapping[str, frozenset[str]], note("zone of control of the units in each attacking hex, by that hex")
    ] = MappingProxyType({})
    unsaid: Annotated[tuple[str, ...], note("hexsides of unstated terrain that zones are assumed to cross")] = ()
    open_if_unsaid: Annotated[
        frozenset[str], note("adjacent hexes across a hexside of unstated terrain, which is assumed to be open")
    ] = frozenset()


class Flank(msgspec.Struct, frozen=True):
    """The hexes around a defender that are held against it, and whether they make it flanked."""

    hexes: tuple[str, ...] = ()
    """Hexes around the defender in enemy hands or zones."""
    by_formations: int = 0
    """Number of hexes in the hands or zones of attacking formations, or 0 if the rule on lone Asset Units is idle."""
    fortress: bool = False
    """Whether a fortress unit defends."""

    @property
    def held(self) -> int:
        """The number of hexes around the defender in enemy hands or zones."""
        return len(self.hexes)

    @property
    def rule(self) -> str:
        """The number of the rule that decides: on fortress units, on lone Asset Units, or on any defender."""
        if self.fortress:
            return "10.4.5"
        return "10.4.2" if self.by_formations and self.held < FLANKING_HEXES else "10.4.1"

    @property
    def holds(self) -> bool:
        """Whether the hexes make the defender flanked."""
        return not self.fortress and (self.held >= FLANKING_HEXES or self.by_formations >= FLANKING_HEXES_OF_ASSETS)


class Readings(msgspec.Struct, frozen=True):
    """The players' readings of doubtful rules in a combat, each named after its ruling in `rulings.csv`.

    A reading that does not matter in the combat keeps its default.
    """

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
    leaders_loss_roll: str = "own"
    leaders_brigades: str = "pair"
    leaders_together: str = "each"


class Engagement(msgspec.Struct, frozen=True):
    """A combat before the dice, in plain values."""

    at: Annotated[str, note("the defending hex")]
    attackers: Units
    defenders: Units
    turn: int
    around: Annotated[tuple[str, ...], note("hexes adjacent to the defending hex")] = ()
    terrain: Annotated[str, note("terrain of the defending hex")] = ""
    crossed: Annotated[
        Mapping[str, frozenset[str]], note("features of the hexside that attackers cross, by attacking hex")
    ] = MappingProxyType({})
    position: Annotated[int, note("level of the Improved Position in the defending hex, or 0")] = 0
    positions: Annotated[Mapping[str, int], note("levels of the Improved Positions in the attacking hexes, by hex")] = (
        MappingProxyType({})
    )
    ring: Ring = Ring()
    flank: Annotated[Flank, note("hexes around the defender that the position shows as held against it")] = Flank()
    flanked: Annotated[bool, note("whether the defender is flanked, as the players or else the position state")] = False
    shifts: Annotated[Mapping[str, int], note("column shifts of the Terrain Effects Chart, by feature")] = (
        MappingProxyType({})
    )
    readings: Readings = Readings()
    idle: Annotated[Units, note("artillery units that cannot take part")] = ()
    withheld: Annotated[Units, note("units of the defending hex withheld from the combat")] = ()
    stack: Annotated[tuple[str, ...], note("ids of all units in the defending hex, top of the stack first")] = ()
    left_out: Annotated[
        Units,
        note("adjacent units that do not attack although the ground allows it and their marker points at the hex"),
    ] = ()
    said_flanked: Annotated[bool | None, note("whether the players state that the defender is flanked, or None")] = None
    elsewhere: Annotated[
        Mapping[str, str],
        note("hexes at which Prepared Attack markers of attackers point, if other hexes with enemies, by unit"),
    ] = MappingProxyType({})
    unbridged: Annotated[tuple[str, ...], note("attacking hexes behind a Grand River without bridge or ferry")] = ()
    bridged: Annotated[
        Mapping[str, bool | None],
        note("whether a Major or Grand River is bridged, by attacking hex behind it; None if not stated"),
    ] = MappingProxyType({})
    prohibited: Annotated[
        tuple[str, ...], note("attacking hexes from which the Terrain Effects Chart prohibits the move")
    ] = ()
    attack_phase: AttackPhase = AttackPhase()
    campaign: bool = False
    leaders: Annotated[tuple[Leader, ...], note("leaders in command who may apply")] = ()
    used: Annotated[Mapping[str, int], note("earlier combats in which each leader was used")] = MappingProxyType({})
    shift: Annotated[int, note("column shift that the players add for other rules")] = 0
    drm: Annotated[
        Mapping[Role, int], note("modifier of each side's step loss roll that the players add for other rules")
    ] = MappingProxyType({})

    @property
    def mixed(self) -> bool:
        """Whether some but not all attackers cross a hexside with a feature such as a river."""
        across = [bool(side - {"", "open"}) for side in self.crossed.values()]
        return any(across) and not all(across)

    @property
    def season(self) -> str:
        """The season of the game turn, which decides the tables in use."""
        return calendar.season(self.turn)

    @property
    def units(self) -> Units:
        """The units of both sides, attackers first."""
        return (*self.attackers, *self.defenders)

    @property
    def everybody(self) -> Units:
        """The units of both sides, with idle and withheld ones."""
        return (*self.units, *self.idle, *self.withheld)

    @property
    def in_the_hex(self) -> Units:
        """The units in the defending hex, whether they fight or not."""
        return tuple(unit for unit in self.everybody if unit.place == self.at)

    def side(self, role: Role) -> Units:
        """Return the units of one side."""
        return self.attackers if role == "attacker" else self.defenders

    def present(self, role: Role) -> Units:
        """Return the units of one side, including artillery that cannot take part."""
        idle = (unit for unit in self.idle if (unit.place == self.at) == (role == "defender"))
        return (*self.side(role), *idle)

    def all_german(self, role: Role) -> bool:
        """Return whether all units of one side that fight are German (10.9.1, 10.10.3)."""
        return all(unit.nation == "german" for unit in self.side(role))

    def across(self, place: str) -> frozenset[str]:
        """Return the features of the hexside that the attackers in a hex cross.

        By ruling river-halving, the features of all attackers' hexsides may count instead.
        """
        own = self.crossed.get(place, frozenset())
        return own if self.readings.river_halving == "own" else own.union(*self.crossed.values())

    def strengths(self, unit: CombatUnit, role: Role) -> tuple[Fraction, Fraction]:
        """Return a unit's strength on one side, and the part of it that is artillery.

        Both are halved if the unit attacks across a Major or Grand River.

        Rule: 10.6.1
        """
        if role == "defender":
            return defence_strength(unit), artillery_value(unit)
        across = self.across(unit.place)
        return attack_strength(unit, across), artillery_value(unit, across)

    def total(self, role: Role) -> int:
        """Return the total strength of one side, rounded."""
        return rounded_total([self.strengths(unit, role)[0] for unit in self.side(role)])

    def as_led(self, role: Role) -> tuple[Led, ...]:
        """Return one side's units in the combat in the form that the rules on leaders read."""
        side = self.side(role)
        return units_as_led(side, (*side, *self.withheld, *self.left_out))

    def telling(self) -> tuple[tuple[Leader, Role], ...]:
        """Return the leaders who apply in the combat, each with the role of his units."""
        if not self.leaders:
            return ()
        roles: tuple[Role, ...] = ("attacker", "defender")
        led = {role: self.as_led(role) for role in roles}
        reading = self.readings.leaders_brigades
        return tuple(
            (leader, role) for leader in self.leaders for role in roles if does_lead(leader, role, led[role], reading)
        )

    def in_effect(self) -> Sequence[tuple[Leader, Role]]:
        """Return the leaders whose commands apply, each with the role of his units (25.4)."""
        applying = self.telling()
        return effective(applying, self.readings.leaders_together) if applying else ()

    def artillery(self, role: Role) -> Fraction:
        """Return the artillery value of one side, with APs and rivers counted.

        Rule: 10.10.3c, 10.6.1
        """
        return sum((self.strengths(unit, role)[1] for unit in self.side(role)), Fraction(0))


def units_as_led(units: Iterable[CombatUnit], present: Sequence[CombatUnit]) -> tuple[Led, ...]:
    """Return units in the form that the rules on leaders read (25.1.2).

    An Asset Unit has the corps and army of the formation that it stands with.

    `present`: all units of the side in the hexes of the combat.
    """
    led = []
    for unit in units:
        holder = command_holder(unit, present)
        brigades = (
            {"XX": BRIGADES_PER_DIVISION, "X": 1}.get(unit.size, 0) if unit.formation and unit.arm == "infantry" else 0
        )
        led.append(Led(unit.nation, holder.corps, holder.army, brigades))
    return tuple(led)


def column_shifts(engagement: Engagement) -> tuple[Modifier, ...]:
    """Return every shift of a combat's column, positive to the right. Rule: 10.8e"""
    return tuple([shift for shifts in _group_shifts(engagement).values() for shift in shifts])


def _group_shifts(engagement: Engagement) -> dict[ShiftCause, tuple[Modifier, ...]]:
    crossed = list(engagement.crossed.values())
    readings = engagement.readings
    return {
        "terrain": shift_for_terrain(engagement.terrain, crossed, engagement.shifts, readings.river_shift),
        "prepared": shift_for_prepared(engagement.attackers, engagement.at),
        "flank": shift_for_flank(flanked=engagement.flanked),
        "corps": shift_for_corps(engagement.attackers, readings.several_corps),
        "position": shift_for_position(engagement.position, engagement.attackers),
        "attacker": _list_leader_shifts(engagement, "attacker"),
        "defender": _list_leader_shifts(engagement, "defender"),
        "players": modifiers("", ("added by the players", engagement.shift)),
    }


def shift_for_terrain(
    terrain: str, crossed: Sequence[Collection[str]], shifts: Mapping[str, int], reading: str
) -> tuple[Modifier, ...]:
    """Return the shifts for the defender's terrain, and for rivers and ridges that the attackers cross.

    The worst feature of each hexside counts.

    `crossed`: for each attacking hex, the features on its hexside.
    `shifts`: shifts of the Terrain Effects Chart, by feature.
    `reading`: ruling river-shift. By `all` the attacking hex with the mildest shift decides, even if it crosses
    nothing; by `any` the hex with the worst shift decides.

    Rule: 10.8a
    """
    worst = barrier_shifts(crossed, shifts)
    names = sorted({feature for side in crossed for feature in side if shifts.get(feature, 0)})
    across = (max if reading == "all" else min)(worst, default=0)
    return modifiers("10.8", (f"{terrain} terrain", shifts[terrain]), (f"across {' and '.join(names)}", across))


def barrier_shifts(crossed: Iterable[Collection[str]], shifts: Mapping[str, int]) -> list[int]:
    """Return the worst shift on the hexside of each attacking hex, or 0 if there is none. Rule: 10.8a"""
    return [min((shifts.get(feature, 0) for feature in side), default=0) for side in crossed]


def shift_for_prepared(units: Sequence[CombatUnit], target: str) -> tuple[Modifier, ...]:
    """Return a shift of one column right if every attacker has a Prepared Attack marker pointing at the defending hex.

    Rule: 10.3.1
    """
    return modifiers(PREPARED_RULE, ("Prepared Attack", all(unit.prepared == target for unit in units)))


def shift_for_flank(*, flanked: bool) -> tuple[Modifier, ...]:
    """Return a shift of two columns right if the defender is flanked. Rule: 10.4.3, 10.8b"""
    return modifiers("10.4.3", ("defender flanked", FLANK_COLUMNS * flanked))


def shift_for_corps(units: Sequence[CombatUnit], reading: str) -> tuple[Modifier, ...]:
    """Return a shift to the left if the attackers belong to more than one corps.

    `reading`: ruling several-corps: one column in all, or one for `each` further corps.

    Rule: 10.8c
    """
    more = max(len(commands_of(units, units)) - 1, 0)
    shift = more if reading == "each" else min(more, 1)
    return modifiers("10.8", (f"attackers of {more + 1} corps or independent stacks", -shift))


def shift_for_position(level: int, attackers: Sequence[CombatUnit]) -> tuple[Modifier, ...]:
    """Return a shift of one column left for each level of the defender's Improved Position.

    Attacking artillery with an AP may negate columns. Level 1 is negated by high trajectory or heavy artillery; of
    Levels 2 to 4 each of the two negates one column.

    Rule: 10.8d, 13.3.1b
    """
    kinds = {kind for unit in attackers if artillery_value(unit) for kind in unit.classes}
    negating = sorted(kinds & {"heavy", "high-trajectory"})
    return modifiers(
        "10.8",
        (f"Level {level} Improved Position", -level),
        (f"negated by {' and '.join(negating)} artillery", min(len(negating), level)),
    )


def _list_leader_shifts(engagement: Engagement, role: Role) -> tuple[Modifier, ...]:
    """Return the shifts for leaders of one side (25.4 to 25.7)."""
    shifts: list[Modifier] = []
    for leader, of in engagement.in_effect():
        if of == role:
            reason = format_reason(leader, engagement.used.get(leader.leader, 0))
            shifts += modifiers(leader.rule, (reason, shift_of(leader, of)))
    return tuple(shifts)


def losses_for_leaders(engagement: Engagement, role: Role) -> tuple[Modifier, ...]:
    """Return the modifiers of leaders to the step loss roll of a side (25.2 to 25.7)."""
    reading = engagement.readings.leaders_loss_roll
    drms: list[Modifier] = []
    for leader, of in engagement.in_effect():
        if rolls_of(leader, of, reading) == role:
            reason = format_reason(leader, engagement.used.get(leader.leader, 0))
            drms += modifiers(leader.rule, (reason, leader.drm))
    return tuple(drms)


def shift_places(engagement: Engagement) -> list[tuple[str, ...]]:
    """Return the hexes or hexsides that cause each shift, in the order of `column_shifts`.

    - Hexsides, for features that attackers cross.
    - The attackers' hexes, for several corps, a Prepared Attack and the attackers' leaders.
    - The defending hex, for all other shifts.
    """
    at = engagement.at
    crossed = engagement.crossed
    stand = tuple(dict.fromkeys(unit.place for unit in engagement.attackers))
    shifting = [word for word, shift in engagement.shifts.items() if shift]
    over = tuple(hexside(place, at) for place, features in crossed.items() if not features.isdisjoint(shifting))
    ground = shift_for_terrain(engagement.terrain, (), engagement.shifts, engagement.readings.river_shift)
    places = list[tuple[str, ...]]()
    for cause, shifts in _group_shifts(engagement).items():
        for number in range(len(shifts)):
            if cause == "terrain" and number >= len(ground):
                places.append(over)
            else:
                places.append(stand if cause in ("corps", "prepared", "attacker") else (at,))
    return places


def bars_of_guns(unit: CombatUnit) -> Iterator[Clause]:
    """Yield the reasons why a unit's artillery does not count in a combat. Rule: 3.5.1, 10.5a"""
    yield not unit.armed, "10.5", "without an AP"
    yield is_barred(unit, "use AP"), "10.5", "barred from using one"


def artillery_value(unit: CombatUnit, across: Collection[str] = ()) -> Fraction:
    """Return the artillery strength that a unit adds to a combat.

    Artillery counts only with an AP, and half across a Major or Grand River. Half of a fortress unit's strength is
    artillery, and needs no AP.

    `across`: the features of the hexside over which the unit attacks.

    Rule: 3.4.3, 3.5.1, 3.7.2
    """
    if unit.arm in FORTRESSES:
        return Fraction(unit.left * unit.fssm, 2)
    if any(holds for holds, _, _ in bars_of_guns(unit)):
        return Fraction(0)
    return Fraction(unit.artillery, 2 if GREAT_RIVERS & set(across) else 1)


def attack_strength(unit: CombatUnit, across: Collection[str] = ()) -> Fraction:
    """Return a unit's strength in attack: steps left and artillery.

    Both are halved across a Major or Grand River.

    `across`: as in `artillery_value`.

    Rule: 3.4.1, 3.5.1, 10.6.1
    """
    steps = 0 if unit.arm == "artillery" else unit.left
    return Fraction(steps, 2 if GREAT_RIVERS & set(across) else 1) + artillery_value(unit, across)


def defence_strength(unit: CombatUnit) -> Fraction:
    """Return a unit's strength in defence: printed strength less steps lost, plus artillery.

    A 1/2 marker halves the strength without artillery.

    Rule: 3.4.2, 3.7.2, 10.6.2, 12.2
    """
    if unit.arm in FORTRESSES:
        return Fraction(unit.left * unit.fssm)
    strength = 0 if unit.arm == "artillery" else max(unit.defence - unit.lost, 0)
    return Fraction(strength, 2 if unit.half else 1) + artillery_value(unit)


def rounded_total(strengths: Sequence[Fraction]) -> int:
    """Return the sum of a side's strengths, rounded once. Rule: 4.4, 4.5c, 10.1.3a"""
    return half_up(sum(strengths, Fraction(0)))


def initial_odds(attack: int, defence: int) -> Odds:
    """Return the odds before shifts.

    They are the highest odds of the chart without a defending strength, and the lowest without an attacking strength.

    Rule: 4.4.1, 10.7
    """
    if defence <= 0:
        return MAX_ODDS
    return odds_from_midpoint(attack, defence) if attack > 0 else MIN_ODDS


def odds_of_modifiers(initial: Odds, final: Odds, reading: str) -> Odds:
    """Return the odds that decide the modifiers of losses and checks.

    `reading`: ruling beyond-chart. By `final` the final odds count even past an end of the chart. Otherwise they do so
    only if the odds were past an end before any shift.

    Rule: 10.8e
    """
    begun = initial != initial.within(MIN_ODDS, MAX_ODDS)
    return final if reading == "final" or begun else final.within(MIN_ODDS, MAX_ODDS)


def modifiers(rule: str, *amounts: tuple[str, int]) -> tuple[Modifier, ...]:
    """Return the modifiers of a rule, without those of 0.

    `amounts`: the reason and the amount of each modifier.
    """
    return tuple([Modifier(rule, why, int(amount)) for why, amount in amounts if amount])


def final_odds(attack: int, defence: int, shifts: Sequence[Modifier]) -> tuple[int, Odds]:
    """Return the net shift, and the odds after it.

    Nothing shifts if a side has no strength, as there is no ratio.

    Rule: 10.7
    """
    net = sum(shift.amount for shift in shifts) if defence > 0 and attack > 0 else 0
    return net, initial_odds(attack, defence).shifted(net)


def divisions(units: Iterable[CombatUnit]) -> Fraction:
    """Return the division equivalents of units for a combat's magnitude, before its losses.

    An infantry division counts 1. An infantry brigade, a reduced infantry division, a cavalry division and a Fortress
    count one half. Artillery, Forts, cavalry brigades and smaller units count nothing.

    Rule: 10.10.1, 12.0
    """
    fortress = Fraction(1, 2)
    return sum((fortress if unit.arm == "fortress" else stacking_value(unit) for unit in units), Fraction(0))


def magnitude(attacking: Fraction, defending: Fraction) -> str:
    """Return the magnitude of a combat by the divisions of both sides.

    It is Small under 2 divisions, Medium under 4, Large under 6, and Massive from 6 on. With fewer than 2 defending
    divisions it is at most Large.

    Rule: 10.10.1, 10.10.1b
    """
    both = attacking + defending
    if both < 4:
        return "Small" if both < 2 else "Medium"
    return "Massive" if both >= 6 and defending >= 2 else "Large"


def total_of(modifiers: Iterable[Modifier]) -> int:
    """Return the sum of the amounts."""
    return sum(modifier.amount for modifier in modifiers)
