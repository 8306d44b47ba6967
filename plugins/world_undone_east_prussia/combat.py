"""The questions of an attack (6.0 to 6.5).

`battle`: the chances of the attack and its result.
`attacks`: the hexes that a side can attack.
`need`: the cheapest attack that reaches an odds column.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path

from assistant.asking import Gather, InputError, Step, View, changed, holding
from assistant.asking.sketch import Remark
from assistant.mechanics.effects import Fought, Result
from assistant.mechanics.odds import Odds, down, up
from assistant.mechanics.procedure import Modifier
from assistant.rules import odds_battle
from assistant.rules.battle import BattleNumbers, Fight, Following
from assistant.rules.field import SideField
from assistant.rules.field.attacks import (
    all_across,
    attacking_hexes,
    bars_by_turn,
    common_ring,
    defender_of,
    enemies_in_zones,
    is_surrounded,
    refuse_idle,
)
from assistant.rules.following import let_follow, list_following
from assistant.rules.odds_battle import BattleParameters, Engagement, Fighter, column_of, fight_of
from assistant.rules.stacks import find_still_over
from assistant.state.changes import AnyChange, Change, Gain
from assistant.state.state import hexside
from assistant.util.datafiles import read_records

from . import terms
from .forces import army_of, count_regained, eliminate_unit
from .ground import NO_RIVER, RIVER, TRACKS, between, does_zone_extend, field, fortress, fortresses_of_the_enemy
from .stacking import fits_in_hex
from .supply import out_of_supply

RESULTS = {result.code: result for result in read_records(Path(__file__).parent / "results.csv", Result)}
"""The results of both tables (6.4)."""
EXCHANGE = "EX"
TERRAIN = {"forest": 1, "swamp": 2}
"""The DRM by the terrain of a defending hex (6.3)."""
IDLE_FLAGS = {"disrupted": "it is disrupted", "fought": "it has attacked this phase"}
"""The flags of units that attack only if their hex is named (3.5, 6.1)."""


def read_combat(view: View, asked: BattleParameters) -> Engagement:
    """Return the combat that a player describes.

    Raises InputError if no unit defends or attacks, MissingFacts for facts that are not stated.

    Rule: 6.0/attack, 6.0/odds, 6.1/total, 6.1/multi-hex, 6.1/fortress, 6.4/EX, 6.5/overstack
    """
    at = asked.at
    with view.gather() as facts:
        who = field(facts)  # first, because it asks for nations without which defenders may be overlooked
        defender = defender_of(view, at, holder_of)
        side = next(side for side in view.game.file.sides if side != defender)
        attacking_side = who.around(side)
        defending_side = who.around(defender)
        attacking_from = attacking_hexes(view, at, asked.from_, side)
        refuse_idle(facts, asked.withhold, attacking_from, side, {} if asked.from_ else IDLE_FLAGS)
        beyond = {name for place in (*attacking_from, *at) for name in find_still_over(facts, place, fits_in_hex)}
        if not (names := attackers_in(facts, asked, attacking_from, beyond)):
            hint = (
                f"from={','.join(attacking_from)} says why not"
                if attacking_from
                else "place units with Strength Points adjacent to it"
            )
            raise InputError(f"nothing attacks {' and '.join(at)}", hint="withhold fewer" if asked.withhold else hint)
        attacking = gather_fighters(facts, attacking_side, names)
        defenders = real_units(facts, at)
        defending = gather_fighters(facts, defending_side, [name for name in defenders if name not in beyond])
        places = sorted({unit.place for unit in attacking})
        modifiers = [*modifiers_of(facts, at, attacking, defending)]
        also = enemies_in_zones(who, side, places, at, TRACKS, "3.3", NO_RIVER)
        sides = {"attacker": real_units(facts, places), "defender": defenders}
        over = {role: tuple(name for name in there if name in beyond) for role, there in sides.items()}
    attack = sum(unit.strength for unit in attacking)
    fortresses = {place: points for place in at if (points := fortress(view, place))}
    fortress_strength = sum(fortresses.values())
    defence = fortress_strength + sum(unit.strength for unit in defending)
    printed = fortress_strength + sum(unit.sp for unit in defending)
    exchanged = view.ruling("exchange-strength", defence != printed)
    return Engagement(
        at=at,
        side=side,
        attackers=attacking,
        defenders=defending,
        over=over,
        fortress=fortress_strength,
        fortresses=fortresses,
        attack=attack,
        defence=defence,
        column=column_of(view, table_of(side), max(attack, 1), defence),
        modifiers=tuple(modifier for modifier, _ in modifiers),
        causes=tuple(cause for _, causes in modifiers for cause in causes),
        held=tuple(_find_held_hexes(view.quiet_view(), at, places)),
        also=tuple(place for place in also if is_due(view, place)),
        due=up(Fraction(defence if exchanged == "modified" else printed, 2)),
    )


def holder_of(view: View, at: str) -> str:
    """Return the side that defends a hex with units or a fortress, or "" if neither is there.

    Raises InputError if only dummies stand there.

    Rule: 6.0/attack
    """
    there = view.stack(at)
    sides = (view.side_of(unit.id) for unit in there if view.word("arm", unit.id) != terms.DUMMY)
    side = next(sides, terms.GERMAN if fortress(view, at) else "")
    if there and not side:
        names = ", ".join(unit.id for unit in there)
        raise InputError(
            f"only dummies stand in {at}: {names} (10.1)", hint="they leave the map as they are revealed: ask inspect"
        )
    return side


def is_due(view: View, at: str) -> bool:
    """Return whether enemies in a hex must still be attacked.

    They need not if an attack was made or cavalry has spared them.

    Rule: 6.0/attack, 10.2.2/release
    """
    return not (view.flag("attacked", at) or view.flag("spared", at))


def real_units(facts: Gather, places: Iterable[str]) -> list[str]:
    """Return the units in hexes, without dummies. Rule: 6.1/total"""
    there = (unit.id for place in places for unit in facts.view.stack(place))
    return [name for name in there if facts.word("arm", name) != terms.DUMMY]


def attackers_in(
    facts: Gather, asked: BattleParameters, places: Iterable[str], over_limit: Collection[str]
) -> list[str]:
    """Return the units that attack from hexes.

    Units that may not attack are left out unless their hex is named; they are then refused.

    `over_limit`: units over the stacking limit, which do not count.

    Rule: 6.1/participants, 6.5/overstack, 3.1/artillery, 3.5
    """
    attacking = list[str]()
    for place in places:
        there = [name for name in real_units(facts, [place]) if name not in over_limit and name not in asked.withhold]
        if not asked.from_:
            there = [name for name in there if not (facts.flag("disrupted", name) or facts.flag("fought", name))]
        if asked.from_ or any(facts.word("arm", name) != terms.ARTILLERY for name in there):
            attacking += there
    return attacking


def gather_fighters(facts: Gather, around: SideField, names: Sequence[str]) -> tuple[Fighter, ...]:
    """Return the units of a side with the Strength Points as which each of them counts.

    Heavy artillery alone in its hex counts 1 in defence. Units in a hex with a fortress need no line of supply.

    Rule: 6.2, 3.4/combat, 3.1/artillery, 10.6.2.1/survives
    """
    view = facts.view
    place = {name: str(facts.view.unit(name).place) for name in names}
    arm = {name: facts.word("arm", name) for name in names}
    accompanied = {place[name] for name in names if arm[name] != terms.ARTILLERY}
    guns = {name: int(place[name] not in accompanied) for name in names if arm[name] == terms.ARTILLERY}
    printed = {name: guns[name] if name in guns else facts.integer("sp", name) for name in names}
    sp = {name: count and count + count_regained(facts, name) for name, count in printed.items()}
    cut_off = out_of_supply(facts, around, [name for name in names if sp[name] and not fortress(view, place[name])])
    half = up if view.ruling("halving", any(sp[name] % 2 for name in cut_off)) == "up" else down
    fighters = []
    for name in names:
        halved = name in cut_off
        strength = half(Fraction(sp[name], 2)) if halved else sp[name]
        fighters.append(
            Fighter(unit=name, place=place[name], arm=arm[name], sp=sp[name], halved=halved, strength=strength)
        )
    return tuple(fighters)


def modifiers_of(
    facts: Gather, at: Sequence[str], attacking: Sequence[Fighter], defending: Sequence[Fighter]
) -> Iterator[tuple[Modifier, Iterable[Remark]]]:
    """Yield the die roll modifiers, each with its causes on the map. They add up.

    Rule: 6.3/cumulative, 6.3/river, 6.3/flank, 6.3/artillery
    """
    view = facts.view
    places = sorted({unit.place for unit in attacking})
    stated = [facts.word("terrain", place) for place in at]
    grounds = sorted((ground for ground in stated if ground in TERRAIN), key=TERRAIN.__getitem__)
    highest = view.ruling("several-grounds", len(grounds) > 1) == "highest"
    if highest:
        grounds = grounds[-1:]
    for ground in grounds:
        hexes = tuple(place for place, word in zip(at, stated, strict=True) if word == ground)
        yield (
            Modifier("6.3", f"{ground} in the defending hex", TERRAIN[ground]),
            _list_remarks(TERRAIN[ground], ground, hexes),
        )
    near = [pair for pair in product(places, at) if pair[1] in view.board.neighbours(pair[0])]
    if all_across(facts, (between(view, *pair) for pair in near), "barrier", RIVER):
        yield (
            Modifier("6.3", "all attackers across a river", 3),
            _list_remarks(3, "river", [hexside(*pair) for pair in near]),
        )
    if is_surrounded(facts, at, places, partial(between, view), partial(does_zone_extend, view), "barrier"):
        yield Modifier("6.3", "flanking attack", -1), _list_remarks(-1, "flanked", at)
    guns = -sum(unit.arm == terms.ARTILLERY for unit in attacking)
    enemy_guns = sum(unit.arm == terms.ARTILLERY and not unit.sp for unit in defending)
    if view.ruling("artillery-each", max(-guns, enemy_guns) > 1) == "one":
        guns = max(guns, -1)
        enemy_guns = min(enemy_guns, 1)
    for why, drm, units in (("attacking", guns, attacking), ("defending", enemy_guns, defending)):
        if drm:
            hexes_of_guns = dict.fromkeys(unit.place for unit in units if unit.arm == terms.ARTILLERY)
            yield Modifier("6.3", f"{why} heavy artillery", drm), _list_remarks(drm, "heavy artillery", hexes_of_guns)


def _list_remarks(amount: int, why: str, places: Iterable[str]) -> Iterator[Remark]:
    """Yield the causes of a modifier at their places, the first with the amount."""
    for number, place in enumerate(places):
        yield Remark(where=place, text=f"({why})" if number else f"{amount:+}: {why}")


def _find_held_hexes(view: View, at: Sequence[str], places: Collection[str]) -> Iterator[str]:
    """Yield the hexes around the attacked ones that are in the attackers' zones of control.

    The attackers' own hexes are left out.
    """
    beside = view.board.neighbours
    for place in sorted({place for target in at for place in beside(target)}.difference(at, places)):
        if any(place in beside(start) and does_zone_extend(view, between(view, start, place)) for start in places):
            yield place


def list_refusals(view: View, combat: Engagement) -> list[Step]:
    """Return the reasons why an attack is not allowed. Rule: 6.0/attack, 10.2.1"""
    arms = {unit.arm for unit in combat.attackers}
    against = any(unit.arm in terms.INFANTRY for unit in combat.defenders)
    alone = against and terms.CAVALRY in arms and not arms.intersection(terms.INFANTRY)
    barred = alone and "cavalry-attacks" in view.words("options")
    return [
        *bars_by_turn(view, combat.side, terms.COMBAT_PHASES, "4.0"),
        *holding([(barred, "10.2.1", "cavalry attacks infantry only with infantry")]),
        *(reason for unit in combat.attackers for reason in bars_to_attacking(view, unit, combat)),
    ]


def bars_to_attacking(view: View, unit: Fighter, combat: Engagement) -> list[Step]:
    """Return the reasons why a unit may not attack. Rule: 3.1/artillery, 3.5, 6.1/participants, 6.1/multi-hex"""
    ring = common_ring(view.board, combat.at)
    able = [place for place in ring if any(view.side_of(other.id) == combat.side for other in view.stack(place))]
    is_accompanied = any(other.place == unit.place and other.arm != terms.ARTILLERY for other in combat.attackers)
    clauses = [
        (view.flag("disrupted", unit.unit), "3.5", "{unit} is disrupted"),
        (view.flag("fought", unit.unit), "6.1", "{unit} has already attacked this phase"),
        (unit.place not in ring, "6.1", "{unit} in {place} is not adjacent to {at}; adjacent to it: {able}"),
        (not is_accompanied, "3.1", "{unit} attacks only with another unit of its hex"),
    ]
    return holding(clauses, unit, combat, able=able or ["nobody"])


def table_of(side: str) -> str:
    """Return the Combat Results Table on which a side attacks. Rule: 6.0/crt"""
    return f"{side}-table"


def resolve_combat(view: View, combat: Engagement) -> Fight:
    """Return the effects of each result.

    They are units eliminated, units that retreat, and whether any unit is left to advance. Units over the stacking
    limit are eliminated by every adverse result.

    Rule: 6.4/AE, 6.4/DE, 6.4/EX, 6.4/AR, 6.4/DR, 6.5/overstack, 6.6/who
    """
    changes = partial(combat_changes, view, combat)
    points = read_excess_points(view, combat)
    return fight_of(combat, RESULTS, "6.4", changes, lambda unit: unit.arm in terms.ADVANCING_ARMS, points)


def read_excess_points(view: View, combat: Engagement) -> dict[str, int | None]:
    """Return the Strength Points of units over the stacking limit, or None if not stated. Rule: 6.5/overstack"""
    quiet = view.quiet_view()  # nothing is asked about a unit that does not count
    facts = {name: quiet.fact("sp", name) for names in combat.over.values() for name in names}
    return {name: int(str(fact.value)) if fact else None for name, fact in facts.items()}


def combat_changes(view: View, combat: Engagement, fought: Fought[str]) -> Iterator[AnyChange]:
    """Yield the changes of a combat."""
    with view.gather() as facts:
        first = facts.word("phase") == terms.FIRST_COMBAT
        duty = [*count_duty(facts, combat)]
    for unit in fought.fates:
        yield from eliminate_unit(view, unit, "6.4")
    yield from mark_attackers(view, combat, fought, first=first)
    yield from lose_reserve(view, combat)
    yield from mark_attacked(view, combat)
    yield from mark_exchange(view, combat, fought)
    yield from let_advance(view, combat, fought)
    yield from duty


def mark_attackers(view: View, combat: Engagement, fought: Fought[str], *, first: bool) -> Iterator[Change]:
    """Yield the changes of surviving attackers: they have fought, and in the First Combat Phase they are disrupted.

    `first`: whether it is the First Combat Phase.

    Rule: 6.0/disruption, 3.5
    """
    for attacker in combat.attackers:
        if attacker.unit not in fought.fates:
            yield changed(view, "fought", attacker.unit, True, "6.1")
            if first:
                yield changed(view, "disrupted", attacker.unit, True, "3.5")


def lose_reserve(view: View, combat: Engagement) -> Iterator[Change]:
    """Yield the changes that remove MP Reserved markers from the attackers' hexes. Rule: 5.1/combat"""
    for place in dict.fromkeys(unit.place for unit in combat.attackers):
        if view.integer("reserved", place):
            yield changed(view, "reserved", place, None, "5.1")


def mark_attacked(view: View, combat: Engagement) -> Iterator[Change]:
    """Yield the changes that mark attacked hexes, and other hexes that must be attacked. Rule: 6.0/attack"""
    for place in combat.at:
        yield changed(view, "attacked", place, True, "6.0")
    for place in combat.at:
        if view.flag("must-be-attacked", place):
            yield changed(view, "must-be-attacked", place, None, "6.0")
    for place in combat.also:
        yield changed(view, "must-be-attacked", place, True, "6.0")


def mark_exchange(view: View, combat: Engagement, fought: Fought[str]) -> Iterator[Change]:
    """Yield the changes that bar advances into the attacked hexes after an exchange, or allow them. Rule: 6.4/EX"""
    stay = fought.code == EXCHANGE
    for place in combat.at:
        if stay != view.flag("exchanged", place):
            yield changed(view, "exchanged", place, stay or None, "6.4")


def let_advance(view: View, combat: Engagement, fought: Fought[str]) -> Iterator[AnyChange]:
    """Yield the changes that let infantry and cavalry of the victors advance into the hexes of the losers.

    Rule: 6.6/who
    """
    role = RESULTS[fought.code].pursues
    hexes = combat.at if role == "attacker" else sorted({unit.place for unit in combat.attackers})
    victors = [unit.unit for unit in combat.units(role) if unit.arm in terms.ADVANCING_ARMS]
    beaten = [unit.unit for unit in combat.defenders if unit.unit in list_following(view)]
    others = [name for name in (*(unit.unit for unit in combat.attackers), *beaten) if name not in fought.fates]
    yield from let_follow(view, dict.fromkeys(victors, hexes), others, "6.6")


def count_duty(facts: Gather, combat: Engagement) -> Iterator[Gain]:
    """Yield the gain of an attack that counts toward the Germans' duty in the first turn. Rule: 7.1/attacks"""
    against = any(army_of(facts.view, unit.unit) == terms.FIRST_ARMY for unit in combat.defenders)
    if against and Odds.parse(combat.column) >= Odds(1) and facts.integer("turn") == 1:
        yield Gain("first-attacks", "", 1, "7.1")


RULES = odds_battle.OddsRules(
    read_combat,
    lambda view, asked, combat: list_refusals(view, combat),
    chart=lambda combat: table_of(combat.side),
    fight=resolve_combat,
    rules=BattleNumbers(die="6.3", table="6.0", result="6.4", retreat="6.5", pursuit="6.6"),
    strengths=odds_battle.StrengthNumbers(strength="6.1", supply="6.2", stacking="6.5", must="6.0"),
    following=Following("advance", "advance"),
    owes=terms.OWES,
    places=fortresses_of_the_enemy,
)
"""The combats of the game."""
QUESTIONS = odds_battle.odds_questions(
    "odds column, modifiers and chances of an attack, or what its die leads to",
    RULES,
    {"die": "the die on the Combat Results Table", "attacker.pay": "the units that the attacker eliminates"},
)
