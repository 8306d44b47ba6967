"""The questions `battle`, `attacks` and `need` of a game whose combats are decided by odds and one die.

Odds are rounded down and perhaps shifted, and the die may have DRMs. The chart has two keys, odds and a die, and a
field `result`; only the owner may have it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

import msgspec

from ..asking.permission import holding
from ..asking.question import Parameters, PlaceName, Question, UnitName
from ..asking.report import Part, Step, step
from ..asking.sketch import Remark
from ..asking.view import View
from ..asking.what_if import NextColumn
from ..mechanics.effects import Effects, Fought, Result, ways_to_pay
from ..mechanics.odds import Odds, OddsColumns, odds_down, up
from ..mechanics.procedure import Modifier
from ..state.changes import AnyChange
from ..state.vocabulary import AttackingSide, AttackStrength, DefenceStrength, UnitHex, UnitId, UnitType
from ..util.errors import CodeError, InputError
from ..util.notes import note
from . import battle
from .attacks import AttackNumbers, AttackPlan, AttackRules, attack_questions
from .battle import (
    Attack,
    BattleNumbers,
    BattleRules,
    Combats,
    Fight,
    Following,
    Sensitivity,
    Settled,
    battle_question,
    chart_table,
    odds_columns,
)
from .sketches import CombatPicture, ratio_links, strength_by_hex


class BattleParameters(Parameters, frozen=True):
    """An attack on a hex, or on several in one combat."""

    at: Annotated[tuple[PlaceName, ...], note("the hex attacked, or several")]
    from_: Annotated[tuple[PlaceName, ...], note("the hexes attacked from; all that can if left out")] = msgspec.field(
        default=(), name="from"
    )
    withhold: Annotated[tuple[UnitName, ...], note("units in those hexes that do not attack")] = ()


class Fighter(msgspec.Struct, frozen=True, kw_only=True):
    """A unit in a combat."""

    unit: UnitId
    place: UnitHex
    arm: UnitType = ""
    sp: Annotated[
        int, note("the Strength Points before anything halves or doubles them, and what the unit pays in an exchange")
    ]
    halved: Annotated[
        bool,
        note("whether it is halved as it lacks a line of supply that it needs; for any other cause state `reason`"),
    ] = False
    strength: Annotated[int, note("the strength in the combat, after any halving or doubling")]
    reason: Annotated[str, note("why its strength is not its Strength Points, such as `across the river`")] = ""
    rule: Annotated[str, note("the rule behind that reason")] = ""


class Engagement(msgspec.Struct, frozen=True, kw_only=True):
    """A combat before the die."""

    at: Annotated[tuple[str, ...], note("the hexes that are attacked")]
    side: AttackingSide
    attackers: Annotated[tuple[Fighter, ...], note("the units that attack")]
    defenders: Annotated[tuple[Fighter, ...], note("the units that defend")]
    over: Annotated[dict[str, tuple[str, ...]], note("the units of attacker and defender that do not count")] = {}
    fortress: Annotated[int, note("Strength Points of fortresses in the attacked hexes")] = 0
    fortresses: Annotated[dict[str, int], note("Strength Points of fortresses by hex, if there are several")] = {}
    attack: AttackStrength
    defence: DefenceStrength
    column: Annotated[str, note("the odds column, after shifts")]
    unknown_end: Annotated[
        str, note("the end of the table, first or last, that is not known, where the column may lie beyond it")
    ] = ""
    shifts: Annotated[tuple[Modifier, ...], note("what shifts the column, to the right if positive")] = ()
    modifiers: Annotated[tuple[Modifier, ...], note("what modifies the die")] = ()
    causes: Annotated[
        tuple[Remark, ...], note("the same in a few words, in the hexes or on the hexsides where the causes lie")
    ] = ()
    held: Annotated[
        tuple[str, ...], note("the other hexes around the defenders that attackers have in their zones of control")
    ] = ()
    also: Annotated[tuple[str, ...], note("further hexes with enemies that must be attacked this phase")] = ()
    due: Annotated[int, note("Strength Points that an exchange costs the attacker at least")] = 0

    @property
    def shift(self) -> int:
        """The sum of the shifts."""
        return _sum_amounts(self.shifts)

    def units(self, role: str) -> tuple[Fighter, ...]:
        """Return the units of "attacker" or "defender", or none for ""."""
        return {"attacker": self.attackers, "defender": self.defenders}.get(role, ())

    @property
    def exchanges(self) -> list[tuple[str, ...]]:
        """The groups of units that the attacker may eliminate in an exchange, cheapest first."""
        return ways_to_pay({unit.unit: unit.sp for unit in self.attackers}, self.due)


class OddsBattle(battle.Battle, frozen=True, kw_only=True):
    """An attack: its strengths, its chances before the die, and its result after it."""

    combat: Annotated[Engagement, note("who fights at what odds")]
    lost: Annotated[tuple[str, ...], note("the units that are eliminated, in order")] = ()


ROLES = ("attacker", "defender")
"""The sides of a combat."""
EFFECTS = ("attacker:all", "attacker:over", "attacker:pay", "defender:all", "defender:over")
"""The possible effects of a result: eliminates a side's counted units, its uncounted units, or units chosen to pay."""


class StrengthNumbers(NamedTuple):
    """The numbers of the rules named with the strengths of a combat."""

    strength: Annotated[str, note("the rule of the strength of units and fortresses")]
    supply: Annotated[str, note("the rule of units halved without a line of supply")] = ""
    stacking: Annotated[str, note("the rule of units over the stacking limit, which do not count")] = ""
    must: Annotated[str, note("the rule of further attacks that must be made")] = ""


Described = battle.DescribedCombat[BattleParameters, Engagement]


class OddsRules(NamedTuple):
    """A game's rules of combat by odds."""

    engage: Annotated[
        Callable[[View, BattleParameters], Engagement], note("returns the combat that a player describes")
    ]
    refusals: Annotated[
        Callable[[View, BattleParameters, Engagement], Sequence[Step]],
        note("returns every reason why the combat is not allowed"),
    ]
    chart: Annotated[Callable[[Engagement], str], note("returns the chart of a combat's results")]
    fight: Annotated[Callable[[View, Engagement], Fight], note("returns the fight of a combat")]
    rules: BattleNumbers
    strengths: StrengthNumbers
    following: Following = Following()
    places: Annotated[
        Callable[[View, str], Iterable[str]] | None,
        note("hexes without units that a side can attack, such as fortresses"),
    ] = None
    owes: Annotated[str, note("the track of units with the hexes that they must retreat, or empty")] = ""


def column_of(view: View, chart: str, attack: int, defence: int, shifts: Iterable[Modifier] = ()) -> str:
    """Return the column of two strengths in a chart, within its ends; a defence of 0 counts as 1.

    `shifts`: applied before the column is limited to the chart.

    Raises InputError if the attack has no strength.
    """
    if attack <= 0:
        raise InputError("nothing attacks", hint="place units with strength adjacent to it, or withhold fewer")
    return str(odds_columns(view, chart).of(attack, max(defence, 1), _sum_amounts(shifts)))


def _sum_amounts(modifiers: Iterable[Modifier]) -> int:
    return sum(modifier.amount for modifier in modifiers)


def odds_attacks(rules: OddsRules) -> AttackRules[Described]:
    """Return a game's rules of attacks for `attacks`, `need` and `threat`."""
    combats = Combats(partial(_read_combat, rules), rules.refusals)
    return AttackRules(
        columns=OddsColumns(),
        attacks=lambda view, at: combats.attack(view, BattleParameters(at=(at,))),
        plan=plan_of,
        strengths=_list_strengths,
        without=combats.without,
        rules=AttackNumbers(attack=rules.rules.table, column=rules.rules.table),
        places=rules.places,
        read_in=partial(_find_column, rules),
    )


def odds_questions(title: str, rules: OddsRules, answers: Mapping[str, str]) -> tuple[Question[Any, Any], ...]:
    """Return the three questions of a game.

    `answers`: the die and choices of `battle` with their meanings.
    """
    combats = Combats(partial(_read_combat, rules), rules.refusals)
    return (
        battle_question(
            title,
            BattleParameters,
            BattleRules(
                result=OddsBattle,
                read=partial(_read_attack, rules),
                sensitivity=partial(_show_changes, rules, combats),
                fight=lambda view, asked, combat, code: rules.fight(view, combat),
                where=_list_places,
                who=_list_units,
                shown=assault,
                rules=rules.rules,
                following=rules.following,
                owes=rules.owes,
            ),
            answers,
        ),
        *attack_questions(odds_attacks(rules)),
    )


def _list_places(combat: Engagement) -> list[str]:
    return [unit.place for unit in combat.attackers]


def _list_units(combat: Engagement) -> tuple[list[str], list[str]]:
    return [unit.unit for unit in combat.attackers], [unit.unit for unit in combat.defenders]


def _list_strengths(attack: Described) -> dict[str, int]:
    return {unit.unit: unit.strength for unit in attack.combat.attackers}


def _read_combat(rules: OddsRules, view: View, asked: BattleParameters) -> Engagement:
    """Return a combat, with the end of the table beyond which its column may lie."""
    combat = rules.engage(view, asked)
    end = odds_columns(view, rules.chart(combat)).unknown_end(Odds.parse(combat.column))
    return msgspec.structs.replace(combat, unknown_end=end)


def _read_attack(rules: OddsRules, view: View, asked: BattleParameters) -> Attack[Engagement]:
    if not asked.at:
        raise InputError("at: no hex is named", hint="name the hex that is attacked")
    combat = _read_combat(rules, view, asked)
    name = format_table_name(view, rules.chart, combat)
    table = chart_table(view, rules.chart(combat), combat.column, combat.modifiers, name=name)
    table = table._replace(unknown_end=combat.unknown_end)
    return Attack(
        combat, [table], odds_parts(combat, rules), rules.refusals(view, asked, combat), _list_due(combat, rules)
    )


def _show_changes(
    rules: OddsRules,
    combats: Combats[BattleParameters, Engagement],
    view: View,
    asked: BattleParameters,
    combat: Engagement,
) -> Sensitivity:
    columns = odds_columns(view, rules.chart(combat))
    near = near_columns(columns, max(combat.attack, 1), max(combat.defence, 1), combat.shift)
    units = [unit.unit for unit in combat.attackers if unit.strength]
    return Sensitivity(near, combats.columns_without(view, asked, units), ())


def _find_column(rules: OddsRules, view: View, attack: Described, column: str) -> str:
    return str(odds_columns(view, rules.chart(attack.combat)).within(Odds.parse(column)))


def assault(combat: Engagement) -> CombatPicture:
    """Return the picture of a combat."""
    sides = (("attack", combat.attackers, combat.attack), ("defence", combat.defenders, combat.defence))
    rows = list[tuple[str, str]]()
    for name, fighters, total in sides:
        rows += [(f"{unit.unit} in {unit.place}{_format_reason(unit)}", f"{unit.strength}") for unit in fighters]
        if name == "defence" and combat.fortress:
            rows.append(("the fortress", f"{combat.fortress}"))
        rows.append((name, f"{total}"))
    odds = [("attack", f"{combat.attack}"), ("defence", f"{combat.defence}")]
    odds += _list_odds_links(combat)
    defence = [(unit.place, unit.strength) for unit in combat.defenders]
    defence += combat.fortresses.items() or ([(combat.at[0], combat.fortress)] if combat.fortress else [])
    return CombatPicture(
        attack=strength_by_hex("attack", ((unit.place, unit.strength) for unit in combat.attackers)),
        defence=dict.fromkeys(combat.at, "defence 0") | strength_by_hex("defence", defence),
        side=combat.side,
        causes=combat.causes,
        held=combat.held,
        sum=rows,
        totals=("attack", "defence"),
        odds=odds,
        drms=[(modifier.why, f"{modifier.amount:+} to the die") for modifier in combat.modifiers],
        owed=[f"must be attacked this phase too: {', '.join(combat.also)}"] if combat.also else [],
    )


def _format_reason(unit: Fighter) -> str:
    if unit.reason:
        return f", {unit.reason}"
    return ", halved without a line of supply" if unit.halved else ""


def format_table_name(view: View, chart: Callable[[Engagement], str], combat: Engagement) -> str:
    """Return the name of a combat's table in reports: its side if each side has a table, else its title."""
    sides = view.game.file.sides
    charts = {chart(msgspec.structs.replace(combat, side=side)) for side in sides}
    title = view.game.chart(chart(combat)).title
    return view.title_of(combat.side) if len(charts) > 1 else re.sub(r" [Tt]able$", "", title)


def _list_odds_links(combat: Engagement) -> list[tuple[str, str]]:
    if not combat.shifts:
        return [*ratio_links(combat.attack, combat.defence, combat.column)][:-1]
    links = [*ratio_links(combat.attack, combat.defence, _format_unshifted(combat))]
    return [*links, *((modifier.why, f"{modifier.amount:+}") for modifier in combat.shifts)]


def _format_unshifted(combat: Engagement) -> str:
    """Return the odds of a combat before shifts, even if the chart lacks them."""
    return str(odds_down(max(combat.attack, 1), max(combat.defence, 1)))


def odds_parts(combat: Engagement, rules: OddsRules) -> list[Part]:
    """Return the strengths and the column in words, with duties to attack and the cost of an exchange."""
    numbers = rules.strengths
    column = rules.rules.table
    steps = list[Step]()
    for unit in (*combat.attackers, *combat.defenders):
        rule = numbers.strength
        counts = ", {strength} in this combat" if unit.strength != unit.sp else ""
        if unit.reason:
            rule = unit.rule or rule
            counts = ", {strength} {reason}"
        elif unit.halved:
            rule = numbers.supply
            counts = ", {strength} without a line of supply"
        steps.append(step(rule, "{unit} in {place}: {sp}" + counts, unit))
    over = [name for names in combat.over.values() for name in names]
    clauses = (
        (combat.fortress, numbers.strength, "the fortress adds {fortress}"),
        (over, numbers.stacking, "not counted, as it is over the stacking limit: {over}"),
        (not combat.shifts, column, "{attack} against {defence}: column {column}"),
    )
    steps += holding(clauses, combat, over=over)
    steps += _list_shift_steps(combat, column)
    brief = steps[-1].text
    if combat.shifts:
        brief = step(column, "{attack} against {defence}, shifted {shift:+}: column {column}", combat).text
    parts = [Part("Strengths", tuple(steps), brief)]
    due = _list_due(combat, rules)
    return [*parts, Part("Due", tuple(due), "; ".join(due_step.text for due_step in due))] if due else parts


def _list_due(combat: Engagement, rules: OddsRules) -> list[Step]:
    sp = {unit.unit: unit.sp for unit in combat.attackers}
    ways = combat.exchanges
    least = sum(map(sp.__getitem__, ways[0]))
    cheapest = " or ".join(" and ".join(units) for units in ways if sum(map(sp.__getitem__, units)) == least)
    further = (
        (combat.also, rules.strengths.must, "must be attacked this phase too: {also}"),
        (combat.due, rules.rules.result, "an exchange costs the attacker at least {due} SP: {units} with {least}"),
    )
    return list(holding(further, combat, units=cheapest, least=least))


def _list_shift_steps(combat: Engagement, rule: str) -> Iterator[Step]:
    if combat.shifts:
        yield step(rule, "{attack} against {defence} is {initial}", combat, initial=_format_unshifted(combat))
        yield from (step(modifier.rule, "{amount:+} {why}", modifier) for modifier in combat.shifts)
        yield step(rule, "shifted {shift:+}: column {column}", combat)


def fight_of(
    combat: Engagement,
    results: Mapping[str, Result],
    rule: str,
    changes: Callable[[Fought[str]], Iterable[AnyChange]],
    follows: Callable[[Fighter], bool] = lambda unit: True,
    over: Mapping[str, int | None] = MappingProxyType({}),
) -> Fight:
    """Return the fight of a game whose results eliminate whole units.

    A result eliminates `all` units of a side that count, the uncounted ones `over` the limit, or units chosen to `pay`.

    `follows`: returns whether a unit may follow the enemy.
    `over`: the Strength Points of units that do not count, or None if unknown.

    Raises CodeError if a result has another effect or side.
    """
    for result in results.values():
        for known, words in (EFFECTS, result.effects), (ROLES, filter(None, (result.retreats, result.pursues))):
            for word in words:
                if word not in known:
                    raise CodeError(f"{word!r} of the result {result.code} is unknown", f"known: {', '.join(known)}")

    def ways(role: str, action: str, _: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        if action == "pay":
            return {", ".join(units): units for units in combat.exchanges}
        return {"": combat.over.get(role, ()) if action == "over" else tuple(unit.unit for unit in combat.units(role))}

    def settle(fought: Fought[str]) -> Settled:
        result = effects.result(fought.code)
        lost = fought.fates
        steps = [step(rule, "{unit} is eliminated", unit=unit) for unit in lost]
        retreating = tuple(unit.unit for unit in combat.units(result.retreats))
        return Settled(
            lost, steps, retreating, any(map(follows, combat.units(result.pursues))), partial(changes, fought)
        )

    points: dict[str, int | None] = {**over, **{unit.unit: unit.sp for unit in (*combat.attackers, *combat.defenders)}}
    sides = {role: {*(unit.unit for unit in combat.units(role)), *combat.over.get(role, ())} for role in ROLES}

    def lost(fought: Fought[str]) -> dict[str, int]:
        gone = {role: [points.get(unit) for unit in fought.fates if unit in units] for role, units in sides.items()}
        known = {role: [amount for amount in amounts if amount is not None] for role, amounts in gone.items()}
        return {f"{role}.lost": sum(known[role]) for role in ROLES} if known == gone else {}

    titles = {"pay": f"which units the {{}} eliminates, of {combat.due} SP at least"}
    effects = Effects[str](results, ways, titles, lambda fate: None, lambda fought: {}, rule, rule, lost)
    return Fight(effects, settle)


def near_columns(columns: OddsColumns, attack: int, defence: int, shift: int = 0) -> NextColumn:
    """Return the distance of two strengths from other columns. Both must be at least 1."""
    now = columns.of(attack, defence, shift)
    least = 1 if now == columns.first else up(now.shifted(-shift).strength(defence))
    if now == columns.last:
        return NextColumn(None, "", attack - least)
    more = up(columns.after(now).shifted(-shift).strength(defence)) - attack
    return NextColumn(more, str(columns.of(attack + more, defence, shift)), attack - least)


def plan_of(attack: Described) -> AttackPlan:
    """Return an attack as plain values."""
    combat = attack.combat
    changed = (("shifted", combat.shift), ("die", _sum_amounts(combat.modifiers)))
    return AttackPlan(
        attackers=tuple(unit.unit for unit in combat.attackers),
        attack=combat.attack,
        defence=combat.defence,
        column=combat.column,
        unknown_end=combat.unknown_end,
        remarks=tuple(f"{what} {amount:+}" for what, amount in changed if amount),
    )
