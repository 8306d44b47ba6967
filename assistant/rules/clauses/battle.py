"""The questions `battle`, `attacks` and `need`: strengths, shifts and DRMs of a combat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, product
from typing import Any, NamedTuple

from ...asking.permission import holding
from ...asking.question import Question
from ...asking.report import Step, step
from ...asking.sketch import Remark
from ...asking.view import Gather, View
from ...game.games import Game
from ...game.rule_file import Shift
from ...mechanics.procedure import Modifier
from ...state.state import Unit, hexside
from ...util.errors import InputError
from ..battle import BattleNumbers, Following
from ..field import SideField
from ..field.attacks import attacking_hexes, bars_by_turn, common_ring, defender_of
from ..odds_battle import BattleParameters, Engagement, Fighter, OddsRules, StrengthNumbers, column_of, odds_questions
from .compiled import Compiled, Rules, facts_of, rules_of
from .ground import field
from .movement import halve, list_hexside_words
from .overrides import CombatCase, FighterCase
from .results import fight_of, has_exchange, results_of
from .supply import is_supplied

FOUGHT = "fought"
"""The flag of units that have attacked this phase; a game may lack it."""


class Combat(NamedTuple):
    """A combat as its clauses are read."""

    facts: Gather
    rules: Rules
    at: tuple[str, ...]
    attackers: Sequence[Unit]
    defenders: Sequence[Unit]

    @property
    def crossings(self) -> list[tuple[str, str]]:
        """The hexes of attackers, each with a hex that it attacks."""
        places = sorted({str(unit.place) for unit in self.attackers})
        beside = self.facts.view.board.neighbours
        return [(place, at) for place, at in product(places, self.at) if at in beside(place)]


# --- strengths --------------------------------------------------------------------------------------------------------


def fighter_of(combat: Combat, around: SideField, unit: Unit, role: str) -> Fighter:
    """Return a unit in a combat with the strength that it counts."""
    facts, rules = combat.facts, combat.rules
    battle = rules.battle
    place = str(unit.place)
    printed = facts.integer(battle.attack if role == "attacker" else battle.defence, unit.id)
    strength = printed
    applied = list[Compiled[Any]]()
    for each in rules.strengths:
        clause = each.clause
        if clause.role not in (None, role):
            continue
        fits = (
            each.is_in_force(facts)
            and each.is_for(facts, unit.id)
            and _is_placed(combat, each, place, role)
            and (clause.supplied is None or is_supplied(facts, around, unit.id)() == clause.supplied)
            and each.is_chosen(facts)
        )
        if fits:
            before, strength = strength, halve(strength, clause.halved) * clause.times + clause.add
            if strength != before:
                applied.append(each)
    case = partial(_fighter_case, combat, unit, around.side, role)
    settled = rules.overrides.settle("battle.strength", strength, case)
    reasons = [each.clause.says for each in applied if each.clause.says]
    rule = applied[0].rule if applied else ""
    if settled != strength:
        reasons.append("by override")
        rule = rule or rules.overrides.rule_at("battle.strength")
    arm = facts.word("arm", unit.id) if "arm" in facts.view.game.tracks else ""
    return Fighter(
        unit=unit.id, place=place, arm=arm, sp=printed, strength=settled, reason=", ".join(reasons), rule=rule
    )


def _is_placed(combat: Combat, each: Compiled[Any], place: str, role: str) -> bool:
    """Return whether a clause holds where a unit fights.

    An attacker attacks such a hex, across such a hexside. A defender stands in such a hex, and all attacks on it cross
    such hexsides.
    """
    facts = combat.facts
    if role == "attacker":
        targets = [at for at in combat.at if at in facts.view.board.neighbours(place)]
        return any(each.is_into(facts, at) and each.is_over(facts, place, at) for at in targets)
    pairs = [pair for pair in combat.crossings if pair[1] == place]
    return each.is_into(facts, place) and (not each.clause.over or _do_all_cross(combat, each, pairs))


def _do_all_cross(combat: Combat, each: Compiled[Any], pairs: Sequence[tuple[str, str]]) -> bool:
    """Return whether all attacks between pairs of hexes cross such hexsides as a clause wants, and there is a pair.

    Asks for hexsides that are not stated, unless a stated one decides.
    """
    view = combat.facts.view
    stated = [pair for pair in pairs if all(view.fact(track, hexside(*pair)) for track in each.clause.over)]
    if any(not each.is_over(view, *pair) for pair in stated):
        return False
    crossed = [each.is_over(combat.facts, *pair) for pair in pairs]
    return bool(crossed) and all(crossed)


def _fighter_case(combat: Combat, unit: Unit, side: str, role: str) -> FighterCase:
    facts = facts_of(combat.facts, unit.id, "unit")
    return FighterCase(unit.id, side, str(unit.place), role, combat.at, facts)


# --- shifts and DRMs --------------------------------------------------------------------------------------------------


class Cause(NamedTuple):
    """A shift or a DRM, and where its cause lies on the map."""

    rule: str
    why: str
    column: int
    die: int
    where: tuple[str, ...]
    """The hexes or hexsides of the cause."""


def list_causes(combat: Combat) -> Iterator[Cause]:
    """Yield the shifts and DRMs of a combat: those of clauses, then those of the terrain."""
    places = tuple(dict.fromkeys(str(unit.place) for unit in combat.attackers))
    for each in combat.rules.shifts:
        if _is_shifted(combat, each):
            where = combat.at if each.clause.into else places
            yield Cause(each.rule, each.clause.says, each.clause.column, each.clause.die, where)
    yield from _list_terrain_causes(combat)


def _is_shifted(combat: Combat, each: Compiled[Shift]) -> bool:
    facts, clause = combat.facts, each.clause
    return (
        each.is_in_force(facts)
        and (not (clause.unit or clause.but) or any(each.is_for(facts, unit.id) for unit in combat.attackers))
        and not (clause.against and any(each.is_against(facts, unit.id) for unit in combat.defenders))
        and any(each.is_into(facts, at) for at in combat.at)
        and (not clause.over or _do_all_cross(combat, each, combat.crossings))
        and each.is_chosen(facts)
    )


def _list_terrain_causes(combat: Combat) -> Iterator[Cause]:
    """Yield what rows of terrain shift: for an attacked hex of that ground, or if all attack across such a hexside."""
    facts, rules = combat.facts, combat.rules
    ground = {at: facts.word(rules.file.ground.hex, at) for at in combat.at}
    crossings = [hexside(*pair) for pair in combat.crossings]
    crossed = [{*list_hexside_words(rules, facts, between)} for between in crossings]
    for name, row in rules.file.terrain.items():
        if not (row.shift or row.die):
            continue
        hexes = tuple(at for at, word in ground.items() if word == name)
        across = bool(crossed) and all(name in words for words in crossed)
        if hexes or across:
            rules.met.add(f"terrain.{name}")
            why = name if hexes else f"all attack across a {name}"
            yield Cause(row.rule, why, row.shift, row.die, hexes or tuple(crossings))


# --- the combat -------------------------------------------------------------------------------------------------------


def read_combat(view: View, asked: BattleParameters) -> Engagement:
    """Return the combat that a player describes.

    Raises InputError if no unit defends or attacks, MissingFacts for facts that are not stated.
    """
    rules = rules_of(view.game)
    battle = rules.battle
    with view.gather() as facts:
        who = field(facts)
        defender = defender_of(view, asked.at)
        side = next(side for side in view.game.file.sides if side != defender)
        near = chain.from_iterable(map(view.stack, attacking_hexes(view, asked.at, asked.from_, side)))
        attacking = [unit for unit in near if unit.id not in asked.withhold]
        if not asked.from_:
            attacking = [unit for unit in attacking if not _list_idle(rules, facts, unit.id)]
        if not attacking:
            hint = "withhold fewer" if asked.withhold else "place units adjacent to it, or name their hexes: from=HEX"
            raise InputError(f"nothing attacks {' and '.join(asked.at)}", hint=hint)
        combat = Combat(facts, rules, asked.at, attacking, [*chain.from_iterable(map(view.stack, asked.at))])
        attackers = tuple(fighter_of(combat, who.around(side), unit, "attacker") for unit in combat.attackers)
        defenders = tuple(fighter_of(combat, who.around(defender), unit, "defender") for unit in combat.defenders)
        causes = [*list_causes(combat)]
        shifts = tuple(Modifier(cause.rule or battle.rule, cause.why, cause.column) for cause in causes if cause.column)
        shifts = _settle_shifts(combat, side, shifts)
    attack, defence = (sum(unit.strength for unit in units) for units in (attackers, defenders))
    return Engagement(
        at=asked.at,
        side=side,
        attackers=attackers,
        defenders=defenders,
        attack=attack,
        defence=defence,
        column=column_of(view, battle.chart, attack, defence, shifts),
        shifts=shifts,
        modifiers=tuple(Modifier(cause.rule or battle.rule, cause.why, cause.die) for cause in causes if cause.die),
        causes=tuple(_list_remarks(causes)),
        due=sum(unit.sp for unit in defenders) if has_exchange(view.game) else 0,
    )


def _list_idle(rules: Rules, facts: Gather, unit: str) -> list[Step]:
    """Return the reasons why a unit does not attack: a clause, or an attack made before."""
    idle = [step(each.rule, each.clause.says, unit=unit) for each in rules.idle if each.holds_for(facts, unit)]
    has_fought = FOUGHT in facts.view.game.tracks and facts.flag(FOUGHT, unit)
    return [*idle, *holding([(has_fought, rules.battle.rule, "{unit} has already attacked this phase")], unit=unit)]


def _settle_shifts(combat: Combat, side: str, shifts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the shifts of a combat as the game's override decides their sum."""
    rules = combat.rules
    total = sum(shift.amount for shift in shifts)

    def make_case() -> CombatCase:
        other = next(other for other in combat.facts.view.game.file.sides if other != side)
        return CombatCase(
            side,
            combat.at,
            tuple(_fighter_case(combat, unit, side, "attacker") for unit in combat.attackers),
            tuple(_fighter_case(combat, unit, other, "defender") for unit in combat.defenders),
        )

    settled = rules.overrides.settle("battle.shift", total, make_case)
    if settled == total:
        return shifts
    rule = rules.overrides.rule_at("battle.shift") or rules.battle.rule
    return (*shifts, Modifier(rule, "by override", settled - total))


def _list_remarks(causes: Sequence[Cause]) -> Iterator[Remark]:
    for cause in causes:
        for number, place in enumerate(cause.where):
            amount = cause.column or cause.die
            yield Remark(where=place, text=f"({cause.why})" if number else f"{amount:+}: {cause.why}")


def list_refusals(view: View, asked: BattleParameters, combat: Engagement) -> list[Step]:
    """Return why an attack is not allowed: the phase, a hex that is not adjacent, a unit that may not attack."""
    rules = rules_of(view.game)
    battle = rules.battle
    ring = common_ring(view.board, combat.at)
    bars = bars_by_turn(view, combat.side, battle.phases, battle.rule) if battle.phases else []
    with view.gather() as facts:
        for unit in combat.attackers:
            not_adjacent = (unit.place not in ring, battle.rule, "{unit} in {place} is not adjacent to {at}")
            bars += holding([not_adjacent], unit, at=list(combat.at))
            bars += _list_idle(rules, facts, unit.unit)
    return bars


# --- the questions ----------------------------------------------------------------------------------------------------

TITLE = "odds and chances of an attack, or what its die leads to"
ANSWERS = {
    "die": "the die on the table",
    "attacker.step": "the unit of the attacker that loses a step",
    "attacker.step.N": "the unit of the attacker that loses the Nth step",
    "attacker.pay": "the units that the attacker eliminates in an exchange",
    "defender.step": "the unit of the defender that loses a step",
    "defender.step.N": "the unit of the defender that loses the Nth step",
}


def odds_rules(game: Game) -> OddsRules:
    """Return the rules of combat of a game."""
    rules = rules_of(game)
    battle = rules.battle
    rule = battle.rule
    supply_rule = next((each.rule for each in rules.strengths if each.clause.supplied is False), "")
    following = Following("advance", "advance") if rules.file.advance else Following()
    return OddsRules(
        read_combat,
        list_refusals,
        lambda combat: battle.chart,
        fight_of,
        BattleNumbers(rule, rule, rule, battle.retreat or rule, battle.pursuit or rule),
        StrengthNumbers(strength=rule, supply=supply_rule),
        following,
    )


def make_questions(game: Game) -> tuple[Question[Any, Any], ...]:
    """Return the questions `battle`, `attacks` and `need` of a game."""
    results_of(game)  # effects that cannot be read are reported before the first die
    return odds_questions(TITLE, odds_rules(game), ANSWERS)
