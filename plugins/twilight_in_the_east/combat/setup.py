"""Who fights in a combat, over what ground: everything the battle rules read, gathered into plain values (10.1 to 10.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from assistant.field.standing import side_of
from assistant.questions.view import Gather, View
from assistant.state.state import Unit, hexside
from assistant.util.errors import InputError

from ..forces.bars import is_barred
from ..forces.reading import fighting, gather_unit
from ..forces.units import CombatUnit, stacking_value
from ..ground import calendar
from ..ground.hexsides import CLOSED, between, bridge, cell_of_high_mountain, needs_chart
from ..ground.improved_positions import level_in
from ..ground.phases import attack_phase
from ..ground.zones import field
from ..terms import COMBAT_ARMS, FORTRESSES, GREAT_RIVERS
from .allocation import stands_idle, with_ammunition
from .engagement import BattleParameters, Engagement, Ring, Surroundings
from .rulings import before_the_dice, read
from .strength import assets_flanked, held_around


def engage(
    view: View, parameters: BattleParameters, barred: Collection[str] = (), *, any_part: bool = False
) -> Engagement:
    """The combat that a position and its parameters describe: one hex, attacked from one or several; who is withheld from
    it may attack another one, and nothing that comes of this one concerns him.

    barred: what may not be crossed in it, so that nobody asks what the chart says of that; any_part: whether it may be fought
    by any part of its attackers, so that what lies on each hexside matters. Raises MissingFacts with all that is missing, InputError for a hex without defenders or attackers.

    Rule: 10.1.1a, 10.1.5e
    """
    at = parameters.at
    neighbours = view.board.neighbours(at)
    with view.gather() as facts:
        here = fighting(facts, view, at)
        if not here:
            raise InputError(f"no unit defends {at}", hint=no_defender(view, at))
        defending_side = side_of(facts, here[0])
        enemies = {
            place: [unit for unit in fighting(facts, view, place) if attacks(facts, unit, defending_side)]
            for place in parameters.from_ or neighbours
        }
        attacking = [unit for stack in enemies.values() for unit in stack if unit.id not in parameters.withhold]
        defending = [unit for unit in here if unit.id not in parameters.withhold]
        left_out = [unit for stack in enemies.values() for unit in stack if unit.id in parameters.withhold]
        if not attacking and not left_out:
            raise InputError(
                f"no enemy stands next to {at}", hint="place the attackers, or name other hexes with from="
            )
        if not attacking or not defending:
            raise InputError(f"withhold: nobody is left to {'defend' if attacking else 'attack'} {at}")
        for unit in here:
            if unit.id in parameters.withhold and always_defends(facts.word("arm", unit.id)):
                raise InputError(f"withhold: {unit.id} is a fortress unit, which cannot be withheld (10.1.5)")
        turn = facts.integer("turn")
        position = level_in(facts, at)
        attackers = with_ammunition(
            facts,
            "attacker-ap",
            parameters.attacker_ap,
            [gather_unit(facts, view, unit, "attacker") for unit in attacking],
        )
        if position:
            attackers = tuple(
                unit._replace(classes=facts.words("artillery-class", unit.id))
                if unit.ap and unit.artillery and not is_barred(unit, "attack")
                else unit
                for unit in attackers
            )
        defenders = with_ammunition(
            facts,
            "defender-ap",
            parameters.defender_ap,
            [gather_unit(facts, view, unit, "defender") for unit in defending],
        )
        idle = tuple(unit for side in (attackers, defenders) for unit in side if stands_idle(unit, side))
        attackers = tuple(unit for unit in attackers if unit not in idle)
        defenders = tuple(unit for unit in defenders if unit not in idle)
        if not attackers or not defenders:
            raise InputError(
                f"only artillery without an AP at {at}", hint="allocate one with attacker-ap or defender-ap"
            )
        places = list(dict.fromkeys(unit.place for unit in attackers))
        engagement = Engagement(
            at=at,
            attackers=attackers,
            defenders=defenders,
            turn=turn,
            terrain=facts.word("terrain", at),
            crossed={place: facts.words("barrier", hexside(at, place)) for place in places if place in neighbours},
            position=position,
            positions={place: level_in(facts, place) for place in places},
            idle=idle,
            withheld=tuple(
                gather_unit(facts, view, unit, "defender") for unit in here if unit.id in parameters.withhold
            ),
            stack=tuple(unit.id for unit in here),
            bound=bound_to(
                [gather_unit(facts, view, unit, None) for unit in left_out if facts.word("prepared", unit.id) == at],
                attackers,
                at,
            ),
            elsewhere={unit.id: unit.prepared for unit in attackers if points_at_others(view, unit, at)},
            campaign=facts.flag("campaign"),
            shift=parameters.shift,
            drm={"attacker": parameters.attacker_drm, "defender": parameters.defender_drm},
        )
        engagement = in_weather(facts, engagement)
        engagement = engagement._replace(
            unbridged=tuple(place for place in places if not crossable(facts, engagement, place))
        )
        engagement = engagement._replace(
            bridged={
                place: bridge(between(view, place, at))
                for place in places
                if GREAT_RIVERS & engagement.crossed.get(place, frozenset())
            }
        )
        prohibited = tuple(place for place in places if is_prohibited(facts, turn, place, at))
        attacking_side = side_of(facts, view.unit(attackers[0].id))
        engagement = engagement._replace(prohibited=prohibited, attack_phase=attack_phase(view, at, attacking_side))
        ring, unsaid = ring_around(facts, engagement)
        engagement = engagement._replace(ring=ring)
        sides = [side - {"", "open"} for side in engagement.crossed.values()]
        if engagement.terrain == "sea" or any(CLOSED & side for side in sides):
            raise InputError(f"nobody attacks {at} over or at sea, lake or an impassable hexside", hint="see 10.1.2")
        unshifting = engagement.mixed and not any_part and view.ruling("river-shift") == "all"
        features = {engagement.terrain} | {
            one for side in sides for one in side if not unshifting and one not in barred
        }
        if any_part or not (
            engagement.unbridged or engagement.prohibited
        ):  # else it is refused, whatever the chart says
            cells = {one: facts.cell("terrain-shift", one) for one in sorted(features - {""})}
            engagement = engagement._replace(shifts={one: int(cell.values["shift"]) for one, cell in cells.items()})
    matters = before_the_dice(engagement)
    matters["flank_occupied"] = parameters.flanked is None and turns_on_bystanders(engagement, any_part)
    engagement = engagement._replace(readings=read(view, engagement.readings, matters))
    return engagement._replace(around=surroundings(engagement, parameters.flanked, unsaid))


def attacks(facts: Gather, unit: Unit, defending: str) -> bool:
    """Whether a unit next to a defender of a side would attack it: an enemy of that side, other than a fortress unit (12.1)."""
    return side_of(facts, unit) != defending and facts.word("arm", unit.id) not in FORTRESSES


def always_defends(arm: str) -> bool:
    """Whether a unit of the defending hex cannot be withheld whatever else stands there: fortress units (10.1.5)."""
    return arm in FORTRESSES


def narrowed(engagement: Engagement, attackers: Sequence[CombatUnit], defenders: Sequence[CombatUnit]) -> Engagement:
    """The same combat fought by some of its units: the others are withheld, artillery that cannot take part stands idle.

    attackers, defenders: some of each side, with the Artillery Ammunition Points that they have now.
    """
    idle = (*engagement.idle, *(unit for side in (attackers, defenders) for unit in side if stands_idle(unit, side)))
    fighting_units = {unit.id for unit in (*attackers, *defenders, *idle)}
    attacking = tuple(unit for unit in attackers if unit not in idle)
    places = {unit.place for unit in attacking}
    left = [unit for unit in engagement.attackers if unit.id not in fighting_units]
    other = engagement._replace(
        attackers=attacking,
        defenders=tuple(unit for unit in defenders if unit not in idle),
        idle=idle,
        withheld=(*engagement.withheld, *(unit for unit in engagement.defenders if unit.id not in fighting_units)),
        crossed={place: crossed for place, crossed in engagement.crossed.items() if place in places},
        positions={place: position for place, position in engagement.positions.items() if place in places},
        unbridged=tuple(place for place in engagement.unbridged if place in places),
        bridged={place: bridged for place, bridged in engagement.bridged.items() if place in places},
        bound=(*engagement.bound, *bound_to(left, attacking, engagement.at)),
        elsewhere={unit: target for unit, target in engagement.elsewhere.items() if unit in fighting_units},
    )
    return other._replace(around=surroundings(other))


def bound_to(left_out: Iterable[CombatUnit], attackers: Sequence[CombatUnit], at: str) -> tuple[str, ...]:
    """The units left out that have to attack a hex: those whose Prepared Attack marker points at it, but for those that cannot,
    for units of another army than one that attacks it, of which the attacker chooses one, and for those too many to attack
    from their hex.

    Rule: 10.3
    """
    chosen = {unit.army for unit in attackers if unit.army and unit.prepared == at}
    found = []
    for unit in left_out:
        other = bool(chosen and unit.army and unit.army not in chosen)
        if unit.prepared == at and not other and not is_barred(unit, "attack"):
            with_it = [*(one for one in attackers if one.place == unit.place), unit]
            divisions = sum((stacking_value(one) for one in with_it), Fraction(0))
            if divisions <= 2 and sum(one.arm == "artillery" for one in with_it) <= 1:
                found.append(unit.id)
    return tuple(found)


def points_at_others(view: View, unit: CombatUnit, at: str) -> bool:
    """Whether a unit's Prepared Attack marker points at another hex, with enemies in it; an empty one binds nobody (10.3)."""
    target = unit.prepared
    if not target or target == at:
        return False
    there = view.stack(target) if view.board.is_hex(target) else ()
    nations = (view.fact("nation", other.id) for other in there)
    side = view.game.side_of(unit.nation) if unit.nation else ""
    return any(fact and view.game.side_of(str(fact.value)) != side for fact in nations)


def crossable(facts: Gather, engagement: Engagement, place: str) -> bool:
    """Whether units may attack from a hex over the hexside: over a Grand River only at a bridge or ferry.

    Rule: 10.1.2e
    """
    if "grand-river" not in engagement.crossed.get(place, ()):
        return True
    over = between(facts, place, engagement.at)
    return bool(bridge(over)) or over.word("crossing") != "no-crossing"


def no_defender(view: View, at: str) -> str:
    """What to do about a hex that nobody defends."""
    lone = next(iter(view.stack(at)), None)
    if lone is None:
        return "place the defender there, or name another hex"
    return f"supply units do not fight: {lone.id} displaces when an enemy comes next to it: ask displace"


def is_prohibited(facts: Gather, turn: int, here: str, there: str) -> bool:
    """Whether the Terrain Effects Chart, which is asked for where it decides, forbids to move from one hex to the next."""
    if here not in facts.view.board.neighbours(there) or not needs_chart(between(facts.view, here, there)):
        return False
    return facts.cell(*cell_of_high_mountain(turn)).values["cost"] == "prohibited"


def in_weather(facts: Gather, engagement: Engagement) -> Engagement:
    """The ground as the weather leaves it: in Freeze minor rivers are nothing and wetlands are clear.

    Rule: 10.8a
    """
    rivers = any("minor-river" in side for side in engagement.crossed.values())
    if (
        not engagement.campaign
        or not (rivers or engagement.terrain == "wetlands")
        or calendar.weather(facts, "freeze") != "freeze"
    ):
        return engagement
    terrain = "clear" if engagement.terrain == "wetlands" else engagement.terrain
    return engagement._replace(
        terrain=terrain, crossed={place: side - {"minor-river"} for place, side in engagement.crossed.items()}
    )


def ring_around(facts: Gather, engagement: Engagement) -> tuple[Ring, frozenset[str]]:
    """What lies around the defender, and the hexsides there of which nothing is said and which zones of control cross."""
    view = facts.view
    if any(unit.arm in FORTRESSES for unit in engagement.defenders):
        return Ring(), frozenset()
    defending_side = side_of(facts, view.unit(engagement.defenders[0].id))
    around = view.board.neighbours(engagement.at)
    stacks_around = {place: view.stack(place) for place in around}
    friends = {p for p, stack in stacks_around.items() if any(side_of(facts, u) == defending_side for u in stack)}
    zones = field(facts, near=())
    sides = tuple((place, between(view, engagement.at, place).lies) for place in around if place not in friends)
    places = dict.fromkeys(unit.place for unit in engagement.attackers)
    reach = {place: zones.zone_of("", [place]) for place in places}
    enemies = frozenset(place for place, stack in stacks_around.items() if stack and place not in friends)
    crossed = {hexside(place, other) for place in places for other in around}
    return Ring(sides, enemies, reach), zones.unstated("") & crossed


def surroundings(engagement: Engagement, said: bool | None = None, unsaid: Collection[str] = ()) -> Surroundings:
    """Whether the defender is flanked, from what the position shows, unless the player says so himself. Depots count as Asset
    Units, which is to say that they never count as formations.

    unsaid: hexsides over which zones were taken to reach. Raises InputError if he says so of a hex with a fortress unit.

    Rule: 10.4.1, 10.4.2, 10.4.5
    """
    if any(unit.arm in FORTRESSES for unit in engagement.defenders):
        if said:
            raise InputError(
                "flanked: a hex with a fortress unit cannot be flank attacked (10.4.5)", hint="leave it out"
            )
        return Surroundings(0, False, ())
    ring = engagement.ring

    attacking = {unit.place for unit in engagement.attackers}

    def held(units: Iterable[CombatUnit], occupied: Collection[str]) -> int:
        reached = frozenset[str]().union(*(ring.reach[unit.place] for unit in units))
        return held_around(ring.sides, occupied, reached)

    occupied = ring.enemies if engagement.readings.flank_occupied == "any" else ring.enemies & attacking
    all_round = held((unit for unit in engagement.attackers if unit.arm in COMBAT_ARMS), occupied)
    formations = [unit for unit in engagement.attackers if unit.formation]
    special = assets_flanked(engagement.attackers, (*engagement.defenders, *engagement.withheld))
    by_formations = held(formations, {unit.place for unit in formations}) if special else 0
    flanked = all_round >= 5 or by_formations >= 3 if said is None else said
    return Surroundings(all_round, flanked, tuple(sorted(unsaid)))


def turns_on_bystanders(engagement: Engagement, any_part: bool) -> bool:
    """Whether it depends on enemies around the defender who do not attack whether it is flanked.

    any_part: whether any part of the attackers may fight, so that the others are such enemies.
    """
    flanked, unaided = (
        surroundings(engagement._replace(readings=engagement.readings._replace(flank_occupied=reading))).flanked
        for reading in ("any", "attackers")
    )
    return flanked and (any_part or not unaided)
