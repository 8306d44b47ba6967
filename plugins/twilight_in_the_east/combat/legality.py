"""The legality of a combat: which units may attack, when, together, and which may be withheld (4.2, 10.0, 10.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from assistant.asking import Step, holding, step
from assistant.util.errors import quoted

from ..forces.bars import FOUGHT, RETREATED, bars, is_barred
from ..forces.units import SIDES, CombatUnit, Role, formations_with, stacking_order, stacking_value, stacks
from ..ground.calendar import ATTACK_PHASES, AttackPhase
from ..ground.hexsides import Entry, entry_bar
from ..terms import COMBAT_ARMS, KG_TRAIN, LANDSTURM
from .allocation import MAX_POINTS, points_allocated
from .engagement import Engagement, bars_of_guns

MAX_FIGHTING_DIVISIONS = 2
"""Maximum division equivalents of one hex that may fight in a combat (4.2.2)."""
MAX_FIGHTING_GUNS = 1
"""Maximum artillery units of one hex that may fight in a combat (4.2.2)."""


def stands_idle(unit: CombatUnit, side: Sequence[CombatUnit]) -> bool:
    """Return whether an artillery unit cannot take part: it has no usable AP, or no combat unit is with it.

    Rule: 10.1.4c
    """
    with_it = any(other.arm in COMBAT_ARMS and other.place == unit.place for other in side)
    clauses = (*bars_of_guns(unit), (not with_it, "10.1.4", "not stacked with a combat unit"))
    return unit.arm == "artillery" and any(holds for holds, _, _ in clauses)


def refusals(engagement: Engagement) -> list[Step]:
    """Return a line for every rule that this combat breaks.

    If units must be withheld, their owner chooses which, so the lines only say that some must be.

    Rule: 10.1, 10.1.5a, 10.5b
    """
    return [
        *bound_steps(engagement),
        *withholding_steps(engagement),
        *ground_steps(engagement),
        *retreated_steps(engagement),
        *(line for unit in engagement.attackers for line in attacker_steps(unit, engagement.at, engagement.around)),
        *aimed_elsewhere_steps(engagement),
        *(line for role in SIDES for line in combining_steps(engagement.side(role), role)),
    ]


def out_of_turn_steps(engagement: Engagement) -> list[Step]:
    """Return the bars to a combat in this phase: the phase itself, or an earlier combat of the hex or of a unit.

    Rule: 10.1b
    """
    return [*phase_steps(engagement.attack_phase, engagement.at), *fought_before_steps(engagement.units)]


def fought_before_steps(units: Iterable[CombatUnit]) -> list[Step]:
    """Return a line naming the units of a combat that have been in another one of its phase. Rule: 10.1b, 10.1.1b"""
    text = "already in a combat of this phase: {units} (if a new phase has begun, state it, or fought=no for each)"
    fought = [unit.id for unit in units if FOUGHT.holds(unit)]
    return holding([(fought, "10.1", text)], units=fought)


def phase_steps(now: AttackPhase, at: str) -> list[Step]:
    """Return the bars to any combat in a hex in this phase.

    `at`: the defending hex.

    Rule: 2.2a, 10.1b
    """
    out_of_phase = now.phase and now.phase not in ATTACK_PHASES
    others_attack = now.active and now.active != now.attacking
    clauses = (
        (out_of_phase, "10.0", "combats are fought only in attack phases, and the phase is {phase}"),
        (others_attack and not out_of_phase, "10.0", "the {title} side attacks in this phase"),
        (
            now.attacked,
            "10.1",
            "{at} has already been attacked in this phase (if a new phase has begun, state it, or {at} attacked=no)",
        ),
        (
            now.unannounced,
            "10.2",
            "the attack on {at} was not announced before the first combat (if it was, state {at} announced)",
        ),
    )
    return holding(clauses, now, at=at)


def attacker_steps(unit: CombatUnit, at: str, neighbours: Sequence[str]) -> Iterator[Step]:
    """Yield the bars to a unit attacking a hex, alone or with others (8.2.4, 8.2.5). Rule: 10.1, 10.1.2b"""
    far = (unit.place not in neighbours, "10.1", "{unit} in {place} is not adjacent to {at}")
    yield from holding([far], unit, unit=unit.id, at=at)
    for bar in bars(unit, "attack"):
        of_one_side = bar not in (RETREATED, FOUGHT)  # other steps report these two for both sides
        yield from holding([(of_one_side, bar.rule, "{unit} {why}")], unit=unit.id, why=bar.text("attack"))


def aimed_elsewhere_steps(engagement: Engagement) -> Iterator[Step]:
    """Yield the attackers whose Prepared Attack marker points at other enemies. Rule: 10.1.5a"""
    text = "{unit} has a Prepared Attack marker on {hex}: withhold it here (withhold={name})"
    for unit, target in engagement.elsewhere.items():
        yield from holding([(True, "10.1.5", text)], unit=unit, hex=target, name=quoted(unit))


def combining_steps(units: Sequence[CombatUnit], role: Role) -> Iterator[Step]:
    """Yield the bars to units of one side fighting together: arms, armies, APs, limits of a hex. Rule: 10.5b"""
    yield from incompatible_steps(units, role)
    points = len(points_allocated(units))
    several = (points > MAX_POINTS, "10.5", "{role}: {points} APs, but a combat allows only two")
    yield from holding([several], role=role, points=points)
    for place, stack in stacks(units).items():
        yield from crowding_steps(place, stack, role)


def crowding_steps(place: str, stack: Sequence[CombatUnit], role: Role) -> list[Step]:
    """Return a line if the units of one hex exceed the number that may fight together. Rule: 4.2.2, 4.2.2b"""
    text = (
        "{role}: {divisions} divisions and {guns} artillery units in {place}, but only {limit} and {gun_limit} can "
        "fight: withhold some (withhold=UNIT,UNIT)"
    )
    divisions, guns = _count_divisions(stack), _count_guns(stack)
    limits = {"limit": MAX_FIGHTING_DIVISIONS, "gun_limit": MAX_FIGHTING_GUNS}
    clause = too_many(stack), "4.2.2", text
    return holding([clause], role=role, divisions=divisions, guns=guns, place=place, **limits)


def incompatible_steps(units: Sequence[CombatUnit], role: Role) -> Iterator[Step]:
    """Yield the bars to units of one side fighting together wherever they stand: their arms and their armies.

    The Warsaw Garrison counts as an army here.

    Rule: 6.3.1c, 10.1.4a, 10.1.4b, 24.1.2c
    """
    arms = {unit.arm for unit in units} & {*COMBAT_ARMS}
    text = "{role}: cavalry and infantry cannot fight together: withhold one of the two (withhold=UNIT)"
    yield from holding([(len(arms) > 1, "10.1.4", text)], role=role)
    armies = armies_of(units)
    text = "{role}: units of different armies ({armies}) cannot combine: withhold those of one (withhold=UNIT)"
    yield from holding([(len(armies) > 1, "10.1.4", text)], role=role, armies=armies)


def units_without_army(units: Sequence[CombatUnit]) -> tuple[str, ...]:
    """Return a side's formations without a stated army, or () if no unit of the side has one (6.3.1)."""
    bare = tuple(unit.id for unit in units if unit.formation and not unit.army)
    return bare if armies_of(units) else ()


def ground_steps(engagement: Engagement) -> Iterator[Step]:
    """Yield the attacks over ground that no unit may cross.

    - A Grand River without bridge or ferry.
    - Ground prohibited by the Terrain Effects Chart.
    - By ruling half-hex-attack, half-hexes closed to the attackers for good (23.4.1).

    `require_ground_that_is_crossed` refuses seas, lakes and impassable hexsides.

    Rule: 10.1.2d, 10.1.2e
    """
    yield from river_steps(engagement.at, engagement.unbridged)
    for place in engagement.prohibited:
        text = "the Terrain Effects Chart prohibits moving, and therefore attacking, from {place} to {at}"
        yield from holding([(True, "10.1.2", text)], engagement, place=place)
    if engagement.readings.half_hex_attack == "barred":
        units = [*attackers_kept_out(engagement)]
        barred = (units, "23.4.1", "{units} cannot attack {at}, which they may never enter")
        yield from holding([barred], engagement, units=units)


def river_steps(at: str, places: Iterable[str]) -> list[Step]:
    """Return a line for each hex whose attack would cross a Grand River without bridge or ferry.

    Rule: 10.1.2d, 10.1.2e
    """
    text = "an attack across a Grand River needs a bridge or ferry, but {place}|{at} has none"
    return [each for place in places for each in holding([(True, "10.1.2", text)], at=at, place=place)]


def attackers_kept_out(engagement: Engagement) -> tuple[str, ...]:
    """Return the attackers that may never enter the defending hex. Rule: 23.4.1"""
    return tuple(
        attacker.id for attacker in engagement.attackers if entry_bar(Entry(engagement.at, (attacker.nation,)))
    )


def retreated_steps(engagement: Engagement) -> list[Step]:
    """Return a line for each unit that has retreated in this attack phase and so does not fight.

    If nobody else defends, the hex cannot be attacked.

    Rule: 10.1c
    """
    deserted = deserted_steps(engagement.at, engagement.in_the_hex)
    return deserted or [_retreated_step(unit) for unit in engagement.units if RETREATED.holds(unit)]


def _retreated_step(unit: CombatUnit) -> Step:
    return step("10.1.5", "{unit} {why}", unit=unit.id, why=RETREATED.text("defend"))


def deserted_steps(at: str, here: Sequence[CombatUnit]) -> list[Step]:
    """Return a line if all units in a hex have retreated in this attack phase, so that nobody can be attacked there.

    Rule: 10.1c
    """
    text = "all in {at} have retreated in this phase and may not be attacked again: {units}"
    clause = (here and all(map(RETREATED.holds, here)), "10.1", text)
    return holding([clause], at=at, units=[unit.id for unit in here])


def bound_steps(engagement: Engagement) -> Iterator[Step]:
    """Yield the units left out although their Prepared Attack marker obliges them to attack the hex.

    A marker does not bind a unit that cannot attack, or if another army attacks the hex instead. Nor does it bind if as
    many units of the unit's hex attack as may fight together.

    Rule: 10.1.2c, 10.1.5c, 10.1.5d, 10.3
    """
    at = engagement.at
    attackers = engagement.attackers
    chosen = {unit.army for unit in attackers if unit.army and unit.prepared == at}
    for unit in engagement.left_out:
        gives_way = bool(chosen and unit.army and unit.army not in chosen)
        with_it = [*(attacker for attacker in attackers if attacker.place == unit.place), unit]
        clause = (
            unit.prepared == at and not gives_way and not is_barred(unit, "attack") and not too_many(with_it),
            "10.1.5",
            "{unit} has a Prepared Attack marker on {at} and cannot be withheld",
        )
        yield from holding([clause], engagement, unit=unit.id)


def must_withhold(engagement: Engagement) -> dict[str, Step]:
    """Return the units that must be withheld from a combat, each with the reason, if their owner has no choice.

    - Units that have retreated in this phase.
    - Attackers whose Prepared Attack marker points at other enemies.
    - Defending cavalry worth fewer divisions than infantry beside it that is not Demoralized.

    Rule: 10.1.5a, 10.1.5b, 10.1c
    """
    steps = {unit.id: _retreated_step(unit) for unit in engagement.units if RETREATED.holds(unit)}
    for name, hex in engagement.elsewhere.items():
        [steps[name]] = holding([(True, "10.1.5", "{unit} has a Prepared Attack marker on {hex}")], unit=name, hex=hex)
    defenders = [unit for unit in engagement.defenders if unit.id not in steps]
    riders = [unit for unit in defenders if unit.arm == "cavalry"]
    cavalry = _count_divisions(riders)
    infantry = _count_divisions(unit for unit in defenders if unit.arm == "infantry" and not unit.demoralized)
    text = "{unit}: cavalry worth {cavalry:#division} cannot defend beside infantry worth {infantry:#division}"
    for rider in riders:
        for bar in holding([(cavalry < infantry, "10.1.5", text)], unit=rider.id, cavalry=cavalry, infantry=infantry):
            steps[rider.id] = bar
    can_fight = all(any(unit.id not in steps for unit in engagement.side(role)) for role in SIDES)
    return steps if can_fight else {}


def too_many(stack: Sequence[CombatUnit]) -> bool:
    """Return whether units of one hex exceed two divisions or one artillery unit, and so cannot all fight together.

    Rule: 4.2.2
    """
    return _count_divisions(stack) > MAX_FIGHTING_DIVISIONS or _count_guns(stack) > MAX_FIGHTING_GUNS


def withholding_steps(engagement: Engagement) -> list[Step]:
    """Return a line for each mistake in withholding defenders.

    Not allowed are the top unit, any unit if no formation is sound (not Demoralized), and infantry in favour of less
    cavalry. Required is withholding one arm if both are present, and units that cannot fight beside the others.

    Rule: 10.1.3b, 10.1.5a, 10.1.5b
    """
    retreated = {unit.id for unit in engagement.withheld if unit.retreated}
    defending = {unit.arm for unit in engagement.defenders}
    there = {unit.arm for unit in engagement.in_the_hex if not unit.retreated}
    mixed = there.issuperset(COMBAT_ARMS)
    aside = {arm for arm in COMBAT_ARMS if mixed and arm not in defending}
    left_out = [unit for unit in engagement.withheld if unit.arm not in aside and unit.id not in retreated]
    chosen = [unit.id for unit in left_out if not _must_stay_out(unit, engagement.defenders)]
    top = top_of(engagement)
    sound = _has_sound_formation(engagement.in_the_hex)
    none_defends = engagement.readings.sound_formation == "defending" and only_sound_ones_withheld(engagement)
    smaller = smaller_cavalry(engagement) if engagement.readings.defending_arm == "larger" else None
    clauses = (
        (
            chosen and not sound,
            "10.1.3",
            "no unit in {at} may be withheld: no formation there is free of Demoralization",
        ),
        (
            left_out and none_defends,
            "10.1.3",
            "no unit in {at} may be withheld: no formation that defends is free of Demoralization",
        ),
        (
            top in [unit.id for unit in left_out] and not mixed and (sound or not chosen) and not none_defends,
            "10.1.3",
            "{unit} is the top unit and cannot be withheld",
        ),
        (
            smaller,
            "10.1.5",
            "cavalry worth {cavalry:#division} cannot defend in place of infantry worth {infantry:#division}: withhold the cavalry",
        ),
    )
    cavalry, infantry = smaller or (None, None)
    return holding(clauses, engagement, unit=top, cavalry=cavalry, infantry=infantry)


def _must_stay_out(unit: CombatUnit, defending: Sequence[CombatUnit]) -> bool:
    """Return whether a unit cannot defend beside others: they would be too many, or of several armies.

    Rule: 10.1.5a
    """
    together = [*defending, unit]
    return too_many(together) or len(armies_of(together)) > 1


def top_of(engagement: Engagement) -> str:
    """Return the top unit of the defenders that have not retreated in this phase, or "" if all have.

    Rule: 10.1.3b
    """
    able = [unit for unit in engagement.in_the_hex if not unit.retreated]
    places = {name: number for number, name in enumerate(engagement.stack)}
    as_they_lie = sorted(able, key=lambda unit: places.get(unit.id, len(places)))
    return next(iter(stacking_order(as_they_lie, in_position=engagement.position > 0)), "")


def _has_sound_formation(units: Iterable[CombatUnit]) -> bool:
    return any(unit.formation and not unit.demoralized for unit in units)


def only_sound_ones_withheld(engagement: Engagement) -> bool:
    """Return whether the hex has formations that are not Demoralized, and all are withheld by choice (10.1.3)."""
    there = engagement.in_the_hex
    kept = (unit for unit in there if unit.retreated or unit not in engagement.withheld)
    return _has_sound_formation(there) and not _has_sound_formation(kept)


def smaller_cavalry(engagement: Engagement) -> tuple[Fraction, Fraction] | None:
    """Return the divisions of defending cavalry and of more infantry withheld in its favour, or None (10.1.5)."""
    there = [unit for unit in engagement.in_the_hex if not unit.retreated]
    riders = [unit for unit in engagement.defenders if unit.arm == "cavalry"]
    infantry = _count_divisions(unit for unit in there if unit.arm == "infantry" and not unit.demoralized)
    withheld = any(not unit.retreated for unit in engagement.withheld)
    smaller = (
        withheld and riders and any(unit.arm == "cavalry" for unit in there) and _count_divisions(riders) < infantry
    )
    return (_count_divisions(riders), infantry) if smaller else None


def armies_of(units: Iterable[CombatUnit]) -> list[str]:
    """Return the stated armies of the units, in alphabetical order."""
    return sorted({unit.army for unit in units if unit.army})


def assumption_steps(engagement: Engagement) -> Iterator[Step]:
    """Yield the assumptions about units.

    Formations without a stated army belong to that of the others on their side (6.3.1). Asset Units join the first of
    several formations in their hex (6.4.1).
    """
    sides = (engagement.attackers, engagement.defenders)
    for units in sides:
        if bare := units_without_army(units):
            text = "{units}: army not stated, assumed to be that of the others, {armies}"
            yield step("6.3.1", text, units=list(bare), armies=armies_of(units))
    for units in sides:
        for unit in units:
            formations = formations_with(unit, units)
            if len(formations) > 1 and unit.with_ not in formations:
                text = "{unit} is assumed to be attached to {force}, not to {others} (state {unit} with=...)"
                yield step("6.4.1", text, unit=unit.id, force=formations[0], others=list(formations[1:]))


def fleeting_steps(engagement: Engagement) -> Iterator[Step]:
    """Yield the units of the defending hex that are removed or destroyed instead of retreating (22.4, 22.5.1).

    Landsturm Abteilungen are removed once Russian infantry is adjacent. Immobile batteries and the Train of Königsberg
    are destroyed if they would have to retreat.
    """
    near = any(unit.nation == "russian" and unit.arm == "infantry" for unit in engagement.attackers)
    left = "{unit} is destroyed if it must retreat"
    flees = (
        "{unit} is removed as soon as Russian infantry is adjacent to it, so there is nothing to attack (ask displace)"
    )
    for unit in engagement.in_the_hex:
        if unit.id in LANDSTURM:
            yield step("22.4.1", flees if near else left, unit=unit.id)
        elif unit.emplaced:
            yield step("22.4.2", left, unit=unit.id)
        elif unit.id == KG_TRAIN:
            yield step("22.5.1", "{unit} is destroyed if the result makes it retreat", unit=unit.id)


def _count_divisions(units: Iterable[CombatUnit]) -> Fraction:
    return sum(map(stacking_value, units), Fraction(0))


def _count_guns(units: Iterable[CombatUnit]) -> int:
    return sum(unit.arm == "artillery" for unit in units)
