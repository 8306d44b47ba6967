"""The questions `attacks` and `need` of a game with a chart of columns.

`attacks` lists every hex that a side can attack, ranked by the column within reach. `need` returns the cheapest attack
that reaches a column. Of the largest attacks, one that expends the fewest units and needs no support comes first; the
cheapest has the fewest strength points.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from ..asking.bounds import CountVerdict
from ..asking.messages import SAY
from ..asking.permission import holding
from ..asking.question import Parameters, PlaceName, Question, declare
from ..asking.ranking import AttacksAsked, RankedPlace, Way, cheapest, find_targets, rank_places
from ..asking.report import Part, Report, Step, Verdict, as_sentence, step, verdict
from ..asking.view import View
from ..state.vocabulary import AttackedHex, AttackingSide, AttackStrength, Column, DefenceStrength
from ..util.errors import InputError
from ..util.notes import note

A = TypeVar("A")
MAX_GROUPS_PER_STRENGTH = 8
"""The number of groups of equal strength to try, because rules may forbid one and allow another."""


class AttackPlan(msgspec.Struct, frozen=True, kw_only=True):
    """An allowed attack, and what it spends."""

    attackers: Annotated[tuple[str, ...], note("the units that attack")]
    support: Annotated[tuple[str, ...], note("the units that support the attack")] = ()
    expended: Annotated[tuple[str, ...], note("the units that the attack expends")] = ()
    attack: AttackStrength
    defence: DefenceStrength
    column: Column
    unknown_end: Annotated[
        str, note("the end of the table, first or last, that is not known, where the column may lie beyond it")
    ] = ""
    remarks: Annotated[tuple[str, ...], note("remarks on the attack, in words")] = ()


class Target(RankedPlace, frozen=True, kw_only=True):
    """A hex that can be attacked."""

    plans: Annotated[
        tuple[AttackPlan, ...],
        note("the largest attack without support or expense, the largest with only support, and the best, each once"),
    ] = ()
    best: Annotated[AttackPlan | None, note("the cheapest attack in the highest column that can be reached")] = None


class AttacksResult(msgspec.Struct, frozen=True):
    """The attacks of a side."""

    side: AttackingSide
    targets: Annotated[tuple[Target, ...], note("the hexes, the highest column first")]


class NeedParameters(Parameters, frozen=True):
    """A hex and the column that an attack on it should reach."""

    at: Annotated[PlaceName, note("the hex attacked")]
    column: Annotated[str, note("the column of the chart, or a whole percentage in it")]


class NeedResult(msgspec.Struct, frozen=True, kw_only=True):
    """The cheapest attack that reaches a column, or the best there is."""

    at: AttackedHex
    column: Annotated[str, note("the column wanted")]
    plan: Annotated[
        AttackPlan | None,
        note(
            "the attack that reaches the column with the fewest strength points, then the fewest units; null if none does"
        ),
    ] = None
    best: Annotated[
        AttackPlan | None,
        note("if no attack reaches the column, the cheapest attack in the highest column within reach"),
    ] = None


class CombatColumns(Protocol):
    """The columns of a combat table."""

    def named(self, text: str, /) -> str:
        """Return the column that a player names.

        Raises InputError if the text names no column.
        """

    def rank(self, name: str, /) -> int:
        """Return the place of a column; higher is better for the attacker."""


class AttackNumbers(NamedTuple):
    """The numbers of the rules named in reports on attacks."""

    attack: str
    column: str
    support: str = ""


class AttackRules(NamedTuple, Generic[A]):
    """A game's rules of attacks."""

    columns: Annotated[CombatColumns, note("the columns of its table, such as Bands or OddsColumns")]
    attacks: Annotated[
        Callable[[View, str], Iterable[A]], note("returns the allowed attacks on a hex, the largest of each kind")
    ]
    plan: Annotated[Callable[[A], AttackPlan], note("returns an attack as plain values")]
    strengths: Annotated[
        Callable[[A], Mapping[str, int]], note("returns the strength that each unit adds to an attack")
    ]
    without: Annotated[
        Callable[[View, A, Collection[str]], A | None],
        note("returns an attack without some of its units, or None if not allowed"),
    ]
    rules: AttackNumbers
    places: Annotated[
        Callable[[View, str], Iterable[str]] | None,
        note("hexes without units that a side can attack, such as fortresses"),
    ] = None
    read_in: Annotated[
        Callable[[View, A, str], str], note("returns the column of an attack's table for a named column")
    ] = lambda view, attack, column: column

    def by_column(self, attacks: Iterable[A]) -> Mapping[int, A]:
        """Return the cheapest attack that reaches each column, by the column's rank, from left to right."""
        plans = [(attack, self.plan(attack)) for attack in attacks]
        ways = [
            Way(attack, self.columns.rank(plan.column), (len(plan.expended), len(plan.support), -plan.attack))
            for attack, plan in plans
        ]
        places = [way.column for way in ways]
        reached = cheapest(ways, range(min(places), max(places) + 1)) if ways else {}
        return {place: way.what for place, way in reached.items()}

    def smallest(self, view: View, at: str) -> Iterator[AttackPlan]:
        """Yield the cheapest attack on a hex in each column within reach, from left to right.

        Raises InputError and MissingFacts as the game does.
        """
        attacks = self.by_column(self.attacks(view, at))
        rank: int | None = None
        while attack := next((attack for place, attack in attacks.items() if rank is None or place >= rank), None):
            plan = self.plan(_trim_attack(self, view, attack, rank))
            yield plan
            rank = self.columns.rank(plan.column) + 1


def attack_questions(rules: AttackRules[A]) -> tuple[Question[Any, Any], ...]:
    """Return the questions `attacks` and `need` of a game."""
    attacks = partial(_answer_attacks, rules)
    need = partial(_answer_need, rules)
    return (
        declare("attacks", "the attacks that a side can make, ranked by column, with what would help", attacks),
        declare("need", "the cheapest attack on a hex that reaches a column", need),
    )


def _answer_attacks(rules: AttackRules[A], view: View, asked: AttacksAsked) -> Report[AttacksResult]:
    """Return the report on a side's attacks, each as if it were the only one.

    Facts missing for one hex do not stop the others.
    """
    hexes = find_targets(view, asked, rules.places(view, asked.side) if rules.places else ())
    targets, asks = rank_places(view, hexes, Target, partial(_find_target, rules, view), partial(_rank_target, rules))
    return Report(
        title=f"Attacks of {view.game.file.the_side(asked.side)}",
        verdict=_choose_verdict(targets),
        parts=tuple(Part(f"Attack on {target.at}", tuple(_list_target_steps(rules, target))) for target in targets),
        asks=asks,
        result=AttacksResult(asked.side, targets),
    )


def _choose_verdict(targets: Sequence[Target]) -> Verdict:
    count = sum(bool(target.plans) for target in targets)
    missing = sum(bool(target.missing) for target in targets)
    return verdict(*TARGET_COUNT.word(count, missing), targets=count, missing=missing)


TARGET_COUNT = CountVerdict(
    "{targets:#hex} to attack", "facts are missing about {missing:#hex}", "nothing to attack", ("targets",)
)
"""The verdict on the number of hexes that can be attacked."""


def _find_target(rules: AttackRules[A], view: View, at: str) -> Target:
    attacks = list(rules.attacks(view, at))
    if not attacks:
        return Target(at=at, barred=("no attack on it is allowed (ask battle)",))
    plans = [rules.plan(attack) for attack in attacks]
    without_expense = [plan for plan in plans if not plan.expended]
    by_support = [[plan for plan in without_expense if bool(plan.support) is supported] for supported in (False, True)]
    largest = [
        max(plans_of_kind, key=lambda plan: Fraction(plan.attack, max(plan.defence, 1)))
        for plans_of_kind in by_support
        if plans_of_kind
    ]
    best = rules.plan([*rules.by_column(attacks).values()][-1])
    return Target(at=at, plans=tuple(dict.fromkeys((*largest, best))), best=best)


def _rank_target(rules: AttackRules[A], target: Target) -> tuple[Any, ...]:
    """Return the sort key of a hex: by column, then by the cost of reaching it."""
    if not (best := target.best):
        return 1, bool(target.missing), target.at
    ratio = Fraction(best.attack, max(best.defence, 1))
    return 0, -rules.columns.rank(best.column), len(best.expended), len(best.support), -ratio, target.at


def _list_target_steps(rules: AttackRules[A], target: Target) -> Iterator[Step]:
    yield from (step(rules.rules.attack, "{why}", why=why) for why in target.barred)
    yield from (SAY(rules.rules.attack, "need.missing", how=how) for how in target.missing)
    for plan in target.plans:
        text = f"{{attack}} against {{defence}}, column {{column}}{_format_unknown_end(plan)}: {{attackers}}"
        if plan.support:
            text += " with {support}"
        if plan.expended:
            text += ", expending {expended}"
        if plan.remarks:
            text += " ({remarks})"
        yield step(rules.rules.column, text, plan)


def _answer_need(rules: AttackRules[A], view: View, asked: NeedParameters) -> Report[NeedResult]:
    at = asked.at
    try:
        wanted = rules.columns.named(asked.column)
    except InputError as error:
        raise InputError(f"column: {error.what}", hint=error.hint) from None
    attacks = rules.by_column(rules.attacks(view, at))
    if attacks:
        wanted = rules.read_in(view, next(iter(attacks.values())), wanted)
    rank = rules.columns.rank(wanted)
    reached = next((attack for place, attack in attacks.items() if place >= rank), None)
    plan = rules.plan(_trim_attack(rules, view, reached, rank)) if reached is not None else None
    best = None if plan or not attacks else rules.plan([*attacks.values()][-1])
    outcome = SAY.verdict("no", "need.refused", asked)
    short = [as_sentence(rules.rules.attack, outcome)]
    steps = list[Step]()
    if best:
        short = [SAY(rules.rules.column, "need.largest", best, asked, wanted=wanted)]
        steps = [SAY(rules.rules.column, "need.attack", best)]
        outcome = verdict(
            "no", f"the largest attack reaches column {{column}}{_format_unknown_end(best)}: {{attackers}}", best
        )
    if plan:
        outcome = verdict(
            "yes", f"{{attackers}}: {{attack}} against {{defence}}, column {{column}}{_format_unknown_end(plan)}", plan
        )
        clauses = [
            (True, rules.rules.column, "{attackers} attack: none of them can be withheld"),
            (plan.support, rules.rules.support, "supported by {support}"),
            (plan.expended, rules.rules.support, "expending {expended}"),
            (plan.remarks, rules.rules.column, "{remarks}"),
        ]
        steps = holding(clauses, plan)
        short = [*_format_plan(rules.rules, plan, at)]
    result = NeedResult(at=at, column=wanted, plan=plan, best=best)
    return Report(
        title=f"Column {wanted} against {at}",
        verdict=outcome,
        short=tuple(short),
        parts=(Part("Attack", tuple(steps)),),
        result=result,
    )


def _format_plan(numbers: AttackNumbers, plan: AttackPlan, at: str) -> Iterator[Step]:
    yield SAY(numbers.column, "need.reached", plan, at=at, end=_format_unknown_end(plan))
    if len(plan.attackers) > 1:
        yield SAY(numbers.column, "need.all")
    if plan.support:
        yield SAY(numbers.support, "need.support", plan)
    if plan.expended:
        yield SAY(numbers.support, "need.expended", plan)
    if plan.remarks:
        yield SAY(numbers.column, "need.remarks", plan)


def _format_unknown_end(plan: AttackPlan) -> str:
    """Return the note that the end of the table on the attack's side is unknown, or "" if it is known."""
    return f" (the {plan.unknown_end} column of the table is not known)" if plan.unknown_end else ""


def _trim_attack(rules: AttackRules[A], view: View, attack: A, rank: int | None) -> A:
    """Return the cheapest part of an attack that reaches a column.

    No unit of it can be spared, and no smaller strength is enough.
    """
    strengths = rules.strengths(attack)

    def reaches(part: A) -> bool:
        return rank is None or rules.columns.rank(rules.plan(part).column) >= rank

    trimmed = attack
    spared = list[str]()
    for unit in sorted(strengths, key=lambda name: (strengths[name], name)):
        fewer = rules.without(view, attack, [*spared, unit])
        if fewer is not None and reaches(fewer):
            trimmed = fewer
            spared.append(unit)
    enough = sum(strengths[unit] for unit in strengths if unit not in spared)
    for total, groups in sorted(_group_by_strength(strengths).items()):
        if total >= enough:
            break
        for group in groups:
            part = rules.without(view, attack, [unit for unit in strengths if unit not in group])
            if part is not None and reaches(part):
                return part
            if part is not None and rules.plan(part).attack == total:
                break  # the column depends on this strength alone, so no other such group reaches more
    return trimmed


def _group_by_strength(strengths: Mapping[str, int]) -> dict[int, list[tuple[str, ...]]]:
    """Return the smallest groups of units by the sum of their strengths.

    For each sum there are at most `MAX_GROUPS_PER_STRENGTH`.
    """
    groups: dict[int, list[tuple[str, ...]]] = {0: [()]}
    for name, strength in strengths.items():
        grown = [(total + strength, (*group, name)) for total, some in groups.items() for group in some]
        for total, group in grown:
            groups[total] = sorted((*groups.get(total, ()), group), key=len)[:MAX_GROUPS_PER_STRENGTH]
    return {total: [group for group in some if group] for total, some in groups.items()}
