"""Who fights in a combat, over what ground, by which readings of doubtful rules: all that the rules of a battle read, as plain
values (10.1 to 10.6)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from assistant.field import side_of
from assistant.questions import Gather, InputError, Step, View
from assistant.questions.report import MissingFacts
from assistant.state.state import Unit, hexside
from assistant.util.limits import Limit

from ..forces.bars import RETREATED, is_barred
from ..forces.reading import fighting, gather_unit, standing_guard
from ..forces.units import CombatUnit, Role
from ..ground import calendar
from ..ground.calendar import in_campaign
from ..ground.hexsides import between, bridge, cell_of_high_mountain, closed, needs_chart, uncrossed
from ..ground.improved_positions import level_in
from ..ground.phases import attack_phase
from ..terms import COMBAT_ARMS, FORTRESSES, GREAT_RIVERS
from .allocation import reallocated, stands_idle, with_ammunition
from .engagement import BattleParameters, Engagement, Readings
from .flanks import lacking, ring_around, surrounded, turns_on_bystanders
from .legality import kept_out, obliged, only_sound_ones_withheld, smaller_cavalry
from .strength import barrier_shifts, commands_of

FEW = 3
"""Steps left with which a unit may come to its last one in a combat."""
LENIENT = {"defending_arm": "free", "sound_formation": "stack"}
"""The readings under which a defender may withhold any unit that he may under any other."""


def engage(
    view: View, parameters: BattleParameters, barred: Collection[str] = (), *, any_part: bool = False
) -> Engagement:
    """The combat that a position and its parameters describe: one hex, attacked from one or several. A withheld attacker takes no
    part, suffers none of its results, and may attack another hex.

    barred: what may not lie on a hexside that is attacked across, and so is not looked up in the chart; any_part: whether the
    combat may be fought by any part of the attackers, so that every hexside is looked up.

    Raises MissingFacts with all that is missing, InputError for a hex without defenders or attackers.
    Rule: 10.1.1a, 10.1.5e
    """
    with view.gather() as facts:
        engagement = on_the_ground(facts, participants(facts, parameters))
        engagement = msgspec.structs.replace(engagement, ring=ring_around(facts, engagement))
        engagement = msgspec.structs.replace(
            engagement, shifts=terrain_shifts(facts, engagement, barred, any_part=any_part)
        )
    return settled(view, engagement, any_part=any_part)


def engage_obliged(view: View, parameters: BattleParameters) -> tuple[Engagement, BattleParameters, tuple[Step, ...]]:
    """The combat that a position and its parameters describe, those withheld who have to be: with the parameters that name them too, and
    why each is. Raises as `engage` does.
    """
    engagement = engage(view, parameters)
    found = obliged(engagement)
    cavalry = [unit.id for unit in engagement.defenders if unit.id in found and not RETREATED.holds(unit)]
    if cavalry and view.ruling("defending-arm") == "free":
        found = {name: why for name, why in found.items() if name not in cavalry}
    if not found:
        return engagement, parameters, ()
    parameters = msgspec.structs.replace(parameters, withhold=(*parameters.withhold, *found))
    return engage(view, parameters), parameters, tuple(found.values())


def present(facts: Gather, parameters: BattleParameters) -> tuple[list[Unit], list[Unit]]:
    """The units that may fight in a combat, those withheld among them: in the defending hex, and against it.

    Raises InputError for a hex without defenders or attackers, for who cannot be withheld, and where nobody crosses a hexside.
    """
    view, at, out = facts.view, parameters.at, parameters.withhold
    here = [*fighting(facts, at), *(unit for unit in standing_guard(facts, at) if unit.id not in out)]
    if not here:
        hint = "place the defender there, or name another hex"
        for lone in view.stack(at)[:1]:
            hint = f"supply units do not fight: {lone.id} displaces when an enemy comes next to it: ask displace"
        raise InputError(f"no unit defends {at}", hint=hint)
    side = side_of(facts, here[0])
    near = [unit for place in parameters.from_ or view.board.neighbours(at) for unit in fighting(facts, place)]
    around = [
        one for one in near if side_of(facts, one) != side and facts.word("arm", one.id) not in FORTRESSES
    ]  # 12.1
    Limit.COMBAT.check(len(around) + len(here), f"the combat at {at} has")
    if not around:
        if fort := next((one for one in near if side_of(facts, one) != side), None):
            raise InputError(f"{fort.id} is a fortress unit, which never attacks (12.1)", hint="place the attackers")
        raise InputError(f"no enemy stands next to {at}", hint="place the attackers, or name other hexes with from=")
    for units, doing in ((around, "attack"), (here, "defend")):
        if all(unit.id in out for unit in units):
            raise InputError(f"withhold: no unit is left to {doing} {at}")
    if fortress := next((one for one in here if one.id in out and facts.word("arm", one.id) in FORTRESSES), None):
        raise InputError(f"withhold: {fortress.id} is a fortress unit, which cannot be withheld (10.1.5)")
    attacking = [unit for unit in around if unit.id not in out and facts.word("arm", unit.id) in COMBAT_ARMS]
    require_ground_that_is_crossed(view, attacking, at)
    return here, around


def require_ground_that_is_crossed(view: View, attacking: Sequence[Unit], at: str) -> None:
    """Raises InputError for a hex that is attacked at sea, or over a lake, the sea or an impassable hexside.
    Rule: 10.1.2d
    """
    if any(closed(between(view, str(unit.place), at)) for unit in attacking):
        what = f"{at} cannot be attacked: it is sea, or a hexside attacked across is lake, sea or impassable"
        raise InputError(what, hint="see 10.1.2")


def participants(facts: Gather, parameters: BattleParameters) -> Engagement:
    """Who fights and who stays out. Raises InputError as `present` does, and for artillery alone that has no AP."""
    view, at, out = facts.view, parameters.at, parameters.withhold
    here, around = present(facts, parameters)
    side, withheld = side_of(facts, here[0]), [unit for unit in here if unit.id in out]
    turn, position = facts.integer("turn"), level_in(facts, at)

    def armed(role: Role, units: list[Unit], points: tuple[str, ...] | None) -> list[CombatUnit]:
        gathered = [gather_unit(facts, unit, role) for unit in units if unit.id not in out]
        return [*with_ammunition(facts, f"{role}-ap", points, gathered)]

    attackers = armed("attacker", around, parameters.attacker_ap)
    for number, unit in enumerate(attackers if position else ()):
        if unit.ap and unit.artillery and not is_barred(unit, "attack"):
            attackers[number] = msgspec.structs.replace(unit, classes=facts.words("artillery-class", unit.id))
    defenders = armed("defender", here, parameters.defender_ap)
    idle = tuple(unit for units in (attackers, defenders) for unit in units if stands_idle(unit, units))
    attacking, defending = (tuple(one for one in units if one not in idle) for units in (attackers, defenders))
    if not attacking or not defending:
        raise InputError(f"only artillery without an AP at {at}", hint="allocate one with attacker-ap or defender-ap")
    taken = {unit.id for unit in around if unit.id not in out}
    beside = (unit for place in view.board.neighbours(at) for unit in view.stack(place) if unit.id not in taken)
    bearers = [unit for unit in beside if view.word("prepared", unit.id) == at and side_of(facts, unit) != side]
    return Engagement(
        at=at,
        attackers=attacking,
        defenders=defending,
        turn=turn,
        position=position,
        idle=idle,
        withheld=tuple(gather_unit(facts, unit, "defender") for unit in withheld),
        stack=tuple(unit.id for unit in here),
        left_out=tuple(gather_unit(facts, unit, None) for unit in bearers),
        said_flanked=parameters.flanked,
        elsewhere={unit.id: unit.prepared for unit in attacking if points_at_others(view, unit, at)},
        campaign=facts.flag("campaign"),
        shift=parameters.shift,
        drm={"attacker": parameters.attacker_drm, "defender": parameters.defender_drm},
    )


def on_the_ground(facts: Gather, engagement: Engagement) -> Engagement:
    """The combat with the ground that it is fought over, and its phase. The Terrain Effects Chart is asked for where it decides
    whether moves are prohibited."""
    view, at = facts.view, engagement.at
    places = list(dict.fromkeys(unit.place for unit in engagement.attackers))
    near = [place for place in places if place in view.board.neighbours(at)]
    engagement = msgspec.structs.replace(
        engagement,
        terrain=facts.word("terrain", at),
        crossed={place: facts.words("barrier", hexside(at, place)) for place in near},
        positions={place: level_in(facts, place) for place in places},
    )
    engagement = in_weather(facts, engagement)

    def unbridged(place: str) -> bool:
        return uncrossed(between(facts, place, at))

    def prohibited(place: str) -> bool:
        high = cell_of_high_mountain(engagement.turn)
        return needs_chart(between(view, place, at)) and facts.cell(*high).values["cost"] == "prohibited"

    def shut(place: str) -> bool:
        return bool(closed(between(view, place, at))) or unbridged(place) or prohibited(place)

    wet = [place for place, side in engagement.crossed.items() if GREAT_RIVERS & side]
    return msgspec.structs.replace(
        engagement,
        unbridged=tuple(filter(unbridged, near)),
        bridged={place: bridge(between(view, place, at)) for place in wet},
        prohibited=tuple(filter(prohibited, near)),
        left_out=tuple(unit for unit in engagement.left_out if not shut(unit.place)),
        attack_phase=attack_phase(view, at, side_of(facts, view.unit(engagement.attackers[0].id))),
    )


def terrain_shifts(
    facts: Gather, engagement: Engagement, barred: Collection[str] = (), *, any_part: bool = False
) -> dict[str, int]:
    """The Terrain Effects Chart's shift of each feature that may shift the column; barred, any_part: as for `engage`."""
    if not any_part and (engagement.unbridged or engagement.prohibited):
        return {}  # it is refused, whatever the chart says
    features = {engagement.terrain}
    if any_part or not engagement.mixed or facts.view.ruling("river-shift") != "all":
        features = features.union(*engagement.crossed.values()) - set(barred)
    listed = sorted(features - {"", "open"})
    return {one: int(facts.cell("terrain-shift", one).values["shift"]) for one in listed}


def settled(view: View, engagement: Engagement, *, any_part: bool = False) -> Engagement:
    """The combat with the readings of doubtful rules that matter in it, and with whether the defender is flanked.

    Raises MissingFacts for unstated hexsides that decide it.
    """
    matters = rulings_before_dice(engagement)
    matters["last_step"] |= "last-step" in view.state.rulings and any(unit.left <= FEW for unit in engagement.units)
    matters["flank_occupied"] = engagement.said_flanked is None and turns_on_bystanders(engagement, any_part=any_part)
    engagement = msgspec.structs.replace(engagement, readings=agreed(view, engagement.readings, matters))
    if asks := lacking(view, engagement, any_part=any_part):
        raise MissingFacts(asks)
    return surrounded(engagement)


def agreed(view: View, so_far: Readings, matters: Mapping[str, bool]) -> Readings:
    """The readings with those that matter, as the players have agreed or by default. matters: by field."""
    return msgspec.structs.replace(
        so_far, **{name: view.ruling(name.replace("_", "-")) for name, does in matters.items() if does}
    )


def rulings_before_dice(engagement: Engagement) -> dict[str, bool]:
    """Which rulings matter for what is certain before the dice, but for the one on flanks."""
    sides, units = engagement.crossed.values(), engagement.units
    return {
        "several_corps": len(commands_of(engagement.attackers, engagement.attackers)) > 2,
        "river_shift": engagement.mixed or len(set(barrier_shifts(sides, engagement.shifts))) > 1,
        "river_halving": len({bool(GREAT_RIVERS & side) for side in sides}) > 1,
        "last_step": any(unit.left == 1 for unit in units) and len(units) > 2,
        "half_hex_attack": bool(kept_out(engagement)),
        **on_withholding(engagement),
    }


def on_withholding(engagement: Engagement) -> dict[str, bool]:
    """Which rulings matter for the units that the defender withholds."""
    return {"defending_arm": bool(smaller_cavalry(engagement)), "sound_formation": only_sound_ones_withheld(engagement)}


def without(view: View, engagement: Engagement, unit: str, parameters: BattleParameters) -> Engagement | None:
    """The same combat with one more unit withheld, None where that leaves nobody or may not be.

    Raises MissingFacts for what only the others bring up.
    """
    if any(one.id == unit and one.arm in FORTRESSES for one in engagement.defenders):
        return None
    points = (parameters.attacker_ap, parameters.defender_ap)
    attackers, defenders = (
        reallocated([other for other in units if other.id != unit], given)
        for units, given in zip((engagement.attackers, engagement.defenders), points, strict=True)
    )
    other = narrowed(engagement, attackers, defenders)
    if not other.attackers or not other.defenders:
        return None
    with view.gather() as facts:
        other = msgspec.structs.replace(other, shifts=terrain_shifts(facts, other))
    return settled(view, other)


def narrowed(engagement: Engagement, attackers: Sequence[CombatUnit], defenders: Sequence[CombatUnit]) -> Engagement:
    """The same combat fought by some of its units: the others are withheld, artillery that cannot take part stands idle.

    attackers, defenders: some of each side, with the Artillery Ammunition Points that they have now.
    """
    idle = (*engagement.idle, *(unit for side in (attackers, defenders) for unit in side if stands_idle(unit, side)))
    fighting_units = {unit.id for unit in (*attackers, *defenders, *idle)}
    attacking = tuple(unit for unit in attackers if unit not in idle)
    places = {unit.place for unit in attacking}
    left, withheld = (
        [unit for unit in side if unit.id not in fighting_units]
        for side in (engagement.attackers, engagement.defenders)
    )
    shut = (*engagement.unbridged, *engagement.prohibited)
    return surrounded(
        msgspec.structs.replace(
            engagement,
            attackers=attacking,
            defenders=tuple(unit for unit in defenders if unit not in idle),
            idle=idle,
            withheld=(*engagement.withheld, *withheld),
            unbridged=tuple(place for place in engagement.unbridged if place in places),
            prohibited=tuple(place for place in engagement.prohibited if place in places),
            crossed={place: side for place, side in engagement.crossed.items() if place in places},
            left_out=(*engagement.left_out, *(unit for unit in left if unit.place not in shut)),
            elsewhere={unit: target for unit, target in engagement.elsewhere.items() if unit in fighting_units},
        )
    )


def points_at_others(view: View, unit: CombatUnit, at: str) -> bool:
    """Whether a unit's Prepared Attack marker points at another hex, with enemies in it; an empty one binds nobody (10.3)."""
    target = unit.prepared
    there = view.stack(target) if target not in ("", at) and view.board.is_hex(target) else ()
    nations = {unit.nation, *(view.word("nation", other.id) for other in there)} - {""}
    return len({view.game.side_of(nation) for nation in nations}) > 1


def in_weather(facts: Gather, engagement: Engagement) -> Engagement:
    """The ground as the weather leaves it: in Freeze minor rivers are nothing and wetlands are clear. Rule: 10.8a"""
    wetlands = engagement.terrain == "wetlands"
    matters = wetlands or any("minor-river" in side for side in engagement.crossed.values())
    may_freeze = "freeze" in calendar.possible_weather(engagement.turn) and facts.view.state.value("weather") is None
    campaign = in_campaign(facts, matters and may_freeze, "20.1", "Freeze takes minor rivers and wetlands away")
    if not campaign or not matters or calendar.weather(facts, "freeze") != "freeze":
        return engagement
    crossed = {place: side - {"minor-river"} for place, side in engagement.crossed.items()}
    return msgspec.structs.replace(engagement, terrain="clear" if wetlands else engagement.terrain, crossed=crossed)
