"""A combat before the die: attackers, supporters and defenders with their multiples, the ground, and the column.

Rules 13.2, 14.3 to 14.13, 19.5, 20.2, 21.3 and 22.1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, Helpful, InputError, Parameters, PlaceName, Single, UnitName, View, note
from assistant.mechanics.odds import Bands
from assistant.rules.field import SideField, side_of
from assistant.rules.field.attacks import refuse_idle
from assistant.state.state import Unit, hexside
from assistant.state.vocabulary import AttackedHex, AttackingSide, AttackStrength, DefenceStrength

from ..forces import Formation, formation, formation_taken
from ..ground import SEA, assume_zones, between, exerts_zone, field, has_railroad, is_neutral, negates_zones
from ..seasons import is_hard_in, season
from ..supply.reach import in_reach, note_granted, offensive_reach
from ..terms import AIRBASE, FORTRESS, HEADQUARTERS, PARTISAN, SUPPLY, TRAIN, Multiple

Table = Literal["standard", "shock"]
ENTRENCHED_ARMS = ("infantry", "shock")
"""The unit types that entrenching helps (Opt/Entrench/2)."""
NOT_SEA = "{hexsides} assumed not to be all-sea: zones of control extend across"
ALPINE = "alpine"
"""The type of units that double when they attack rough terrain (21.3)."""
ROUGH = "rough"
COLUMNS = Bands(
    (0, 50, 100, 150, 200, 300, 400, 500, 600),
    ("<=49", "50-99", "100-149", "150-199", "200-299", "300-399", "400-499", "500-599", ">=600"),
)
"""The columns of both Combat Results Tables, by their lowest percentage (14.13)."""
FREEZING_WATER = ("river", "lake")
"""The kinds of water that double a defence, and freeze in winter (22.1)."""


def find_helpers(view: View, side: str, arm: str) -> list[str]:
    """Return the units of a side and type on the map."""
    units = (unit.id for unit in view.units() if unit.place and view.word("arm", unit.id) == arm)
    return [name for name in units if view.side_of(name) == side]


def _propose_headquarters(view: View) -> Iterator[tuple[str, str]]:
    """Yield the Headquarters that may make a refused attack possible (14.10), each with a label."""
    for side in view.game.file.sides:
        for name in find_helpers(view, side, HEADQUARTERS):
            yield f"with {name}", name


class BattleParameters(Parameters, frozen=True):
    """An attack on one hex."""

    at: Annotated[PlaceName, note("the hex attacked")]
    from_: Annotated[tuple[PlaceName, ...], note("the hexes attacked from; all adjacent hexes if left out")] = (
        msgspec.field(default=(), name="from")
    )
    withhold: Annotated[tuple[UnitName, ...], note("units in those hexes that do not attack")] = ()
    hq: Annotated[
        UnitName | None,
        note("the Headquarters that supports the attack"),
        Helpful(_propose_headquarters),
        Single("an attack may use only one Headquarters (19.2)"),
    ] = None
    supply: Annotated[tuple[UnitName, ...], note("supply units expended for Maximum Attack Supply")] = ()
    airbase: Annotated[
        UnitName | None,
        note("the airbase that supports the attack (optional rule)"),
        Single("an attack may use only one airbase (Opt/Air/3)"),
    ] = None
    entrench: Annotated[
        UnitName | None, note("the entrenched supply unit that the defender expends (optional rule)")
    ] = None
    table: Annotated[
        Table,
        note("the Combat Results Table: standard or shock"),
        Helpful(lambda view: [("on the standard table", "standard")]),
    ] = "standard"


class Attacker(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that attacks or supports an attack, with the multiple of its factor."""

    unit: Annotated[Formation, note("the unit")]
    supplied: Annotated[str, note("the supply unit that gives it Maximum Attack Supply, empty for none")] = ""
    alpine: Annotated[bool, note("whether it is an Alpine unit that attacks a rough hex")] = False
    multiple: Multiple = 1

    @property
    def strength(self) -> int:
        """The strength that the unit adds to the attack. Rule: 14.3/2"""
        return self.unit.attack * self.multiple


class Defender(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that defends, with the multiple of its factor."""

    unit: Annotated[Formation, note("the unit")]
    multiple: Multiple = 1

    @property
    def strength(self) -> int:
        """The strength that the unit adds to the defence. Rule: 14.3/3"""
        return self.unit.defence * self.multiple


class Engagement(msgspec.Struct, frozen=True, kw_only=True):
    """A combat before the die."""

    at: AttackedHex
    side: AttackingSide
    attackers: Annotated[tuple[Attacker, ...], note("the units that attack")]
    support: Annotated[tuple[Attacker, ...], note("the Headquarters and the airbase that support them")]
    defenders: Annotated[tuple[Defender, ...], note("the units that defend")]
    concentric: Annotated[bool, note("whether the attackers cover all six hexes around the defender, and this counts")]
    covered: Annotated[int, note("hexes around the defender that attackers occupy or have in their zones of control")]
    held: Annotated[tuple[str, ...], note("the hexes that `covered` counts")] = ()
    terrain: Annotated[str, note("the terrain that doubles the defence, empty for none")] = ""
    across_water: Annotated[bool, note("whether rivers or lakes that all attackers cross double the defence")] = False
    attack: AttackStrength
    defence: DefenceStrength
    percent: Annotated[int, note("the attack as a whole percentage of the defence")]
    column: Annotated[str, note("the percentage column")]

    @property
    def shock(self) -> bool:
        """Whether the Shock table may be chosen. Rule: 14.12, 21.2"""
        return any(attacker.unit.is_shock for attacker in self.attackers)


def read_combat(view: View, parameters: BattleParameters) -> Engagement:
    """Return the combat that a player describes.

    Raises InputError if no unit defends or attacks, MissingFacts for facts that are not stated.

    Rule: 14.3/1, 14.5, 14.7, 15.3
    """
    at = parameters.at
    with view.gather() as facts:
        here = view.stack(at)
        if not here:
            raise InputError(f"nothing defends {at}", hint="place the defender there, or name another hex")
        holders = side_of(facts, here[0])
        around = field(facts).around(*(side for side in view.game.file.sides if side != holders))
        marks = {} if parameters.from_ else {"fought": "it has attacked this phase"}
        near = parameters.from_ or view.board.neighbours(at)
        refuse_idle(facts, parameters.withhold, near, around.side, marks)
        attacking = tuple(read_attackers(facts, parameters, holders))
        if not attacking:
            hint = "place units with an attack factor adjacent to it, or withhold fewer"
            raise InputError(f"nothing attacks {at}", hint=hint)
        defending = tuple(read_defender(facts, unit) for unit in here)
        helpers = [view.unit(name) for name in (parameters.hq, parameters.airbase) if name]
        support = tuple(formation(facts, unit, factors=["attack"]) for unit in helpers)
        supplied = match_supplies(facts, around, parameters.supply, [*attacking, *support])
        covered, crossed = cover_ring(facts, around, attacking, at)
        fortress = any(negates_zones(view, defender.id) for defender in defending)
        led = any(helper.arm == HEADQUARTERS for helper in support)
        concentric = is_concentric(covered, view.board.neighbours(at), fortress=fortress, headquarters=led)
        if concentric:
            for name in crossed:
                view.granted("water", name, (), "13.1", NOT_SEA)
            assume_zones(view, [attacker.id for attacker in attacking])
        rough = facts.word("terrain", at) == ROUGH
        forces = tuple(multiply_factors(view, (*attacking, *support), supplied, concentric=concentric, rough=rough))
        terrain = doubling_terrain(facts, at)
        water = not terrain and all_across_water(facts, at, {attacker.place for attacker in attacking})
        dug_in = ENTRENCHED_ARMS if parameters.entrench else ()
        defenders = []
        for defender in defending:
            entrenched = defender.arm in dug_in
            multiple = defence_multiple(terrain=bool(terrain), all_across_water=water, entrenched=entrenched)
            defenders.append(Defender(unit=defender, multiple=multiple))
    attack = sum(attacker.strength for attacker in forces)
    defence = sum(defender.strength for defender in defenders)
    percent = measure_percentage(attack, defence, up=False)
    rounded_up = measure_percentage(attack, defence, up=True)
    if view.ruling("percent-rounding", find_column(rounded_up) != find_column(percent)) == "up":
        percent = rounded_up
    return Engagement(
        at=at,
        side=around.side,
        attackers=forces[: len(attacking)],
        support=forces[len(attacking) :],
        defenders=tuple(defenders),
        concentric=concentric,
        covered=len(covered),
        held=tuple(sorted(covered)),
        terrain=terrain,
        across_water=water,
        attack=attack,
        defence=defence,
        percent=percent,
        column=find_column(percent),
    )


def multiply_factors(
    view: View, units: Sequence[Formation], supplied: Mapping[str, str], *, concentric: bool, rough: bool
) -> Iterator[Attacker]:
    """Yield the attackers and their supporters, each with the multiple of its factor.

    `supplied`: the supply unit of each unit that has Maximum Attack Supply.
    `concentric`: whether the attack is concentric.
    `rough`: whether the attacked hex is rough.

    Rule: 14.8/1, 14.8/HQ-supply, 14.9, 17.13, 19.4, 21.3, Opt/Air/2
    """
    mixed = concentric and 0 < len(supplied) < len(units)
    for_all = mixed and view.ruling("bonuses") == "all"
    for unit in units:
        alpine = rough and unit.arm == ALPINE
        times = count_multiple(supplied=for_all or unit.id in supplied, concentric=concentric, alpine=alpine)
        yield Attacker(unit=unit, supplied=supplied.get(unit.id, ""), alpine=alpine, multiple=times)


def match_supplies(
    facts: Gather, around: SideField, names: Iterable[str], units: Sequence[Formation]
) -> dict[str, str]:
    """Return the units that get Maximum Attack Supply, each with its supply unit.

    `names`: the expended supply units.

    Rule: 17.9/2, 17.13, 14.8/2, 14.8/HQ-supply, Opt/Partisan
    """
    view = facts.view
    suppliers = dict[str, str]()
    for name in names:
        at = view.unit(name).place
        if facts.word("arm", name) != SUPPLY or not view.board.is_hex(at):
            continue
        reached = in_reach(facts, around, at, offensive_reach(facts, name, at))
        for unit in units:
            if unit.place in reached.cost and unit.id not in suppliers and unit.arm != PARTISAN:
                suppliers[unit.id] = name
                note_granted(view, reached.line(unit.place))
    return suppliers


def read_attackers(facts: Gather, parameters: BattleParameters, holders: str) -> Iterator[Formation]:
    """Yield the units that attack, without those withheld.

    Fortresses, supply units and supporters make no attack. Units that have attacked, and trains without a railroad,
    attack only if their hex is named.

    Rule: 14.4, 14.6, 20.0, 21.4
    """
    view = facts.view
    for place in parameters.from_ or view.board.neighbours(parameters.at):
        for unit in view.stack(place):
            if unit.id in parameters.withhold or side_of(facts, unit) in ("", holders):
                continue
            arm = facts.word("arm", unit.id)
            if arm in (FORTRESS, SUPPLY, HEADQUARTERS, AIRBASE) or facts.flag("support", unit.id):
                continue
            if place in parameters.from_ or not (
                facts.flag("fought", unit.id) or is_off_the_rails(facts, arm, hexside(place, parameters.at))
            ):
                attacker = formation_taken(facts, unit, ["attack"])
                if attacker.attack > 0 or view.fact("attack", unit.id) is None:
                    yield attacker


def read_defender(facts: Gather, unit: Unit) -> Formation:
    """Return a unit that defends.

    A supply unit that entrenches others has a defence factor of 1.

    Rule: Opt/Entrench/1
    """
    if facts.flag("entrenched", unit.id):
        return replace(formation(facts, unit, factors=()), defence=1)
    return formation(facts, unit, factors=["defence"])


def is_off_the_rails(facts: Gather, arm: str, side: str) -> bool:
    """Return whether a unit is an armoured train and no railroad is stated to lead across a hexside. Rule: 21.4"""
    return arm == TRAIN and not has_railroad(facts.view, side)


# --- factors, percentage and column -----------------------------------------------------------------------------------


def count_multiple(*, supplied: bool, concentric: bool, alpine: bool) -> int:
    """Return the multiple of an attack factor: 2 with one bonus, 3 with more.

    `supplied`: whether the unit has Maximum Attack Supply.
    `alpine`: whether an Alpine unit attacks a rough hex.

    Rule: 14.8/2, 14.8/3, 14.9, 21.3, CRT/modifiers
    """
    return 1 + min(supplied + concentric + alpine, 2)


def defence_multiple(*, terrain: bool, all_across_water: bool, entrenched: bool) -> int:
    """Return the multiple of a defence factor: 2 for terrain or for water that all attackers cross.

    Entrenching adds 1.

    Rule: 14.11/1, 14.11/2, CRT/modifiers
    """
    return (2 if terrain or all_across_water else 1) + entrenched


def measure_percentage(attack: int, defence: int, *, up: bool) -> int:
    """Return the attack in whole percents of the defence.

    A defence of 0 counts as 1.

    `up`: whether a fraction counts as a whole percent, by a ruling.

    Rule: 14.3/4
    """
    whole, rest = divmod(100 * attack, max(defence, 1))
    return whole + (1 if up and rest else 0)


def find_column(percent: int) -> str:
    """Return the column of a percentage. Rule: 14.3/5, 14.13"""
    return COLUMNS.of(percent)


# --- the ground of a combat and the hexes around it -------------------------------------------------------------------


def is_concentric(covered: Collection[str], around: Collection[str], *, fortress: bool, headquarters: bool) -> bool:
    """Return whether an attack is concentric: it covers all hexes around the defender.

    A fortress in the attacked hex prevents this unless a Headquarters supports the attack.

    Rule: 14.8/3, 14.8/3-fort, 19.5, 20.2
    """
    return (headquarters or not fortress) and set(covered).issuperset(around)


def cover_ring(
    facts: Gather, around: SideField, attacking: Collection[Formation], at: str
) -> tuple[frozenset[str], list[str]]:
    """Return the hexes around a defender that attackers hold or have in their zones.

    Also returned are the hexsides that zones were assumed to cross. By the ruling concentric-edge, hexes that cannot be
    entered must be covered like others, or count as covered.

    Rule: 14.8/3, 14.8/3-edge, 13.2
    """
    view = facts.view
    ring = facts.view.board.neighbours(at)
    immobile = view.ruling("hq-zones", any(attacker.movement == 0 for attacker in attacking)) == "yes"
    mobile = {
        attacker.place for attacker in attacking if exerts_zone(attacker.arm, attacker.movement, immobile=immobile)
    }
    held = ({attacker.place for attacker in attacking} | around.field.zone_of(around.side, mobile)) & {*ring}
    closed = {place for place in {*ring} - held if _is_unplayable(facts, place)}
    near = {place for place in closed if mobile & {*view.board.neighbours(place)}}
    held |= closed if view.ruling("concentric-edge", near != closed) == "free" else near
    entered = {frozenset((there, here)) for there in mobile for here in ring}
    crossed = [name for name in sorted(around.field.unstated(around.side)) if frozenset(name.split("|")) in entered]
    return frozenset(held), crossed


def _is_unplayable(facts: Gather, at: str) -> bool:
    """Return whether no unit can enter a hex: it is all-sea, neutral or outside the fronts of the game."""
    return facts.view.word("terrain", at) == SEA or is_neutral(facts, facts.view.word("country", at))


def _find_season(facts: Gather, at: str) -> str:
    return "winter" if is_hard_in(facts, at) else "summer"


def _is_doubled(facts: Gather, feature: str, period: str) -> bool:
    return facts.cell("terrain-defence", period, feature).values["multiple"] == 2


def doubling_terrain(facts: Gather, at: str) -> str:
    """Return the terrain that doubles the defence of a hex, or "" if none does. Rule: 14.11/1"""
    terrain = facts.word("terrain", at)
    if terrain in ("", SEA):
        return ""
    if _is_doubled(facts, terrain, "summer" if terrain == "clear" else _find_season(facts, at)):
        return terrain
    city = facts.view.granted("city", at, False, "14.11", "{hexes} assumed not to be a city (not stated)")
    return "city" if city and _is_doubled(facts, "city", _find_season(facts, at)) else ""


def all_across_water(facts: Gather, at: str, places: Iterable[str]) -> bool:
    """Return whether every attacker crosses an unfrozen river or lake that doubles the defence.

    Rule: 14.11/2, 22.1/3
    """
    sides = [between(facts, place, at) for place in sorted(places)]
    if any(side.is_stated and not {*FREEZING_WATER} & facts.view.words("water", side.name) for side in sides):
        return False
    if season(facts) == "winter":
        return False
    crossed = sorted({feature for side in sides for feature in side.lies if feature in FREEZING_WATER})
    return all(_is_doubled(facts, feature, "summer") for feature in crossed)
