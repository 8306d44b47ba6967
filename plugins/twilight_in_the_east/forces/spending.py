"""Movement Points spent on tasks, and Forced Marches beyond the allowance (8.3, 8.9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, InputError, Step, View, note, step
from assistant.asking.asks import Ask
from assistant.asking.case import Case, fact, list_bars_with
from assistant.asking.permission import Clause
from assistant.asking.wording import fill
from assistant.mechanics.odds import down, half_up
from assistant.mechanics.procedure import Dice, Modifier
from assistant.rules.field import side_of
from assistant.state.state import Unit
from assistant.state.vocabulary import UnitId

from ..ground import calendar
from ..ground.calendar import is_counter_movement, why_no_movement
from ..ground.hexsides import field
from ..leaders.khan import COMMAND_EFFECTS_RULE, march_after
from ..terms import COMBAT_ARMS, SUPPLY_ARMS
from .account import TASKS_BARRING_MARCH, Account, SpendingPurpose, counted_now, points_before, read_account, used_for
from .armies import company_of, is_asset_unit
from .leaders import khan_result
from .markers import TASK_COST, points_carried, task_first_steps
from .movement_points import allowance_now, bar_of_marker, excess_points_now, parse_points
from .unit import is_unit_demoralized, low_supply, supply_status

MAX_MARCH_POINTS = {"infantry": 3, "cavalry": 6}
"""Movement Points that a Forced March may add, by arm (8.3)."""
CHECK_PER_POINT = {"infantry": 2, "cavalry": 1}
"""The modifier of a Forced March check for each added point after the first, by arm (8.3.2)."""
Purpose = Literal["move", "prepared", "position", "recovery", "disorder", "ersatz", "rail"]
"""Purposes for which a unit might spend Movement Points beyond its allowance."""
PURPOSES_BARRING_MARCH = {
    "recovery": "CEL Recovery",
    "disorder": "recovery from Disorder",
    "ersatz": "incorporating Ersatz replacements",
    "rail": "entraining or detraining",
}
"""Purposes that rule out a Forced March, each as messages name it (8.3)."""
INFANTRY_WORK = ("prepared", "position")
"""Purposes open only to infantry that is not Demoralized (8.4.1, 13.1)."""


class ForcedMarch(Case):
    """A unit that would spend Movement Points beyond its allowance."""

    unit: Unit
    arm: str
    """The arm of the unit, or "" if it is not stated."""
    read_excess: Callable[[Gather], Fraction]
    """A function that reads the points beyond the allowance; called only if a clause needs them."""
    purpose: Purpose
    counter: bool
    """Whether it is the Counter Movement Phase."""
    bound: Iterable[Step]
    """Reasons from `list_march_bounds` against spending points beyond the allowance now."""
    spent: Mapping[str, Fraction]
    """Movement Points spent in the phase, by purpose."""
    khan: str
    """The result of the unit's die for Khan Nakhichevanski, or "" without a die."""
    alone: bool | None = None
    """Whether an Asset Unit leaves the formation in its hex, or None to ask."""

    @property
    def points(self) -> Fraction:
        with self.view.gather() as facts:
            return self.read_excess(facts)

    @property
    def most(self) -> int:
        """The Movement Points that a Forced March may add, or 0 for an arm that makes none."""
        return march_after(MAX_MARCH_POINTS.get(self.arm, 0), self.khan)

    @property
    def kind(self) -> str:
        return "a supply unit" if self.arm in SUPPLY_ARMS else self.arm

    @property
    def task(self) -> str:
        """The words of a purpose in `PURPOSES_BARRING_MARCH`."""
        return PURPOSES_BARRING_MARCH[self.purpose]

    @fact
    def marches(self) -> bool:
        """It is infantry or cavalry."""
        return self.facts.word("arm", self.unit.id) in COMBAT_ARMS

    @property
    def doings(self) -> str:
        """The unit's activity in the phase that rules out a Forced March, in words, or "" if none does."""
        return next((words for task, words in TASKS_BARRING_MARCH.items() if self.spent.get(task)), "")

    @fact
    def can_work(self) -> bool:
        """It is infantry that is not Demoralized."""
        return self.facts.word("arm", self.unit.id) == "infantry" and not is_unit_demoralized(self.facts, self.unit)

    @fact
    def attached(self) -> bool:
        """It is an Asset Unit that marches with the formation in its hex."""
        company = company_of(self.facts, self.unit)
        if company and self.alone is None:
            title = f"whether {self.unit.id} marches without {company}"
            self.facts.ask(Ask(kind="parameter", name="alone", rule="6.4.1", title=title, how="alone=yes, or no"))
        return self.alone is False and is_asset_unit(self.facts, self.unit.id)

    @fact
    def too_long(self) -> bool:
        """It spends more points beyond its allowance than units of its arm may."""
        return self.points > MAX_MARCH_POINTS.get(self.arm, 0)

    @fact
    def too_long_for_khan(self) -> bool:
        """It spends more points beyond its allowance than its die for Khan Nakhichevanski allows."""
        return self.points > self.most

    def bars_of_unit(self) -> Iterator[Clause | Step]:
        """Yield the bars to a Forced March of any length.

        They are the kind of unit, a marker, the phase, other activities in the phase, and the purpose of the points.

        Rule: 8.3b, 8.3.1
        """
        yield not self.marches, "8.3.1", "{kind} makes no Forced March"
        yield from self.bound
        yield self.doings, "8.3.1", "it {doings} in this phase and makes no Forced March"
        yield self.purpose in PURPOSES_BARRING_MARCH, "8.3", "no Forced March for {task}"
        too_late = "no Prepared Attack marker is placed in the Counter Movement Phase"
        yield self.purpose == "prepared" and self.counter, "8.4", too_late
        for_infantry = "only infantry that is not Demoralized may do that"
        yield self.purpose == "prepared" and not self.can_work, "8.4.1", for_infantry
        yield self.purpose == "position" and not self.can_work, "13.1", for_infantry

    def bars_of_asset(self) -> Iterator[Clause]:
        """Yield the bar to a Forced March by an Asset Unit alone. Rule: 6.4.1a"""
        yield (
            self.marches and self.attached,
            "6.4.1",
            "it marches and checks with the formation that it is attached to: ask about that unit",
        )

    def bars_of_length(self) -> Iterator[Clause]:
        """Yield the bars to a Forced March of this length. Rule: 8.3"""
        yield (
            self.marches and self.too_long,
            "8.3",
            "{points} points beyond the allowance exceed the limit of {most} for {arm}",
        )
        yield (
            self.too_long_for_khan and not self.too_long,
            COMMAND_EFFECTS_RULE,
            "{points} points beyond the allowance exceed {most}, as its die for Khan Nakhichevanski was 5",
        )


def list_march_bounds(
    facts: Gather, unit: Unit, purpose: Purpose, counter: bool | None = None, *, spent: bool = False
) -> Iterator[Step]:
    """Yield the reasons against spending Movement Points beyond the allowance now: a marker, and the phase.

    A Prepared Attack marker is no reason against points spent on it.

    `spent`: whether the unit has already spent the points, so that no marker counts.
    """
    rule, why = ("", "") if spent else bar_of_marker(facts, unit, purpose)
    if why and (rule, purpose) != ("8.4", "prepared"):
        yield step("8.3.1" if rule == "8.2.4" else rule, "{why}", why=why)
    rule, why = why_no_movement(facts.view, side_of(facts, unit), counter)
    if why:
        yield step(rule, "{why}", why=why)


def chance_to_pass(cel: int, added: tuple[Modifier, ...]) -> Fraction:
    """Return the chance that a unit passes the check of a Forced March.

    `cel`: the unit's Combat Effectiveness Level.
    `added`: the modifiers of the roll.
    """
    return Dice(2, 6).at_most(cel - sum(modifier.amount for modifier in added))


def check_modifiers(facts: Gather, unit: str, points: Fraction, *, in_low_supply: bool) -> tuple[Modifier, ...]:
    """Return the modifiers of the check for a Forced March of `points` beyond the allowance.

    Each point after the first adds to the roll; ruling half-march decides on half a point. Summer heat and Low Supply
    add 1 each.

    `in_low_supply`: whether the unit is in Low Supply.

    Rule: 8.3.2, 8.3.2a, 20.1a
    """
    view = facts.view
    has_half = points > 1 and points.denominator > 1
    rounding = {"half-up": half_up, "down": down}.get(view.ruling("half-march", has_half), Fraction)
    points_after_first = max(Fraction(rounding(points)) - 1, Fraction(0))
    is_weather_known = view.state.value("weather") or facts.flag("campaign")
    heat = bool(is_weather_known) and calendar.weather(facts, "summer-heat") == "summer-heat"
    why = f"for {points_after_first} point{'s' if points_after_first > 1 else ''} after the first"
    amount = half_up(CHECK_PER_POINT[facts.word("arm", unit)] * points_after_first)
    modifiers = (bool(points_after_first), why, amount), (heat, "summer heat", 1), (in_low_supply, "Low Supply", 1)
    return tuple(Modifier("8.3.2", why, amount) for counts, why, amount in modifiers if counts)


class MovementSpending(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's Movement Points in a phase, if it spends as asked."""

    unit: UnitId
    allowance: Annotated[Fraction, note("Movement Points that the unit has without a Forced March")]
    spent: Annotated[Fraction, note("all Movement Points that the unit has then spent in the phase")]
    left: Annotated[Fraction, note("Movement Points of its allowance that are then left")]
    march: Annotated[Fraction, note("Movement Points beyond its allowance, for which the unit makes a Forced March")]
    most: Annotated[int, note("the most Movement Points that a Forced March may add for this, 0 if none may")] = 0
    passes: Annotated[
        Fraction | None,
        note("the chance that the unit passes the check, null without a Forced March or where not known"),
    ] = None
    rule: Annotated[str, note("the rule against spending this number, empty if the unit may")] = ""
    why: Annotated[str, note("why the unit cannot spend this number, empty if it can")] = ""


def measure_spending(
    facts: Gather,
    unit: Unit,
    spent: Fraction,
    purpose: Purpose,
    counter: bool | None = None,
    *,
    companions: tuple[str, ...] = (),
    allowed: Fraction | None = None,
) -> MovementSpending | None:
    """Return the Movement Points of a unit after spending, or None if its allowance is not stated.

    `spent`: all Movement Points spent in the phase, including those now.
    `purpose`: the purpose of the points spent now.
    `counter`: as in `allowance_now`.
    `companions`: ids of the units that move with the unit.
    `allowed`: the unit's allowance, or None to read it from the position.
    """
    view = facts.view
    allowed = allowance_now(view, unit.id, counter) if allowed is None else allowed
    if allowed is None:
        return None
    march = excess_points_now(view, spent, allowed)
    case = ForcedMarch(
        view=view,
        unit=unit,
        arm=facts.word("arm", unit.id),
        read_excess=lambda facts: march,
        purpose=purpose,
        counter=is_counter_movement(view, counter),
        bound=tuple(list_march_bounds(facts, unit, purpose, counter)),
        spent=read_account(facts, unit.id).spent,
        khan=khan_result(view, unit.id),
    )
    # an Asset Unit that moves with its formation shares the check of the formation (6.4.1)
    checks_itself = company_of(facts, unit) not in companions
    bars_of_unit = list_bars_with(facts, case.bars_of_unit)
    bars = (bars_of_unit or list_bars_with(facts, case.bars_of_length)) if march else []
    spending = MovementSpending(
        unit=unit.id,
        allowance=allowed,
        spent=spent,
        left=max(allowed - spent, Fraction(0)),
        march=march,
        most=0 if bars_of_unit else case.most,
    )
    if bars:
        return replace(spending, rule=bars[0].rule, why=bars[0].text)
    return replace(spending, passes=chance_of_march(facts, unit, march) if march and checks_itself else None)


def chance_of_march(facts: Gather, unit: Unit, march: Fraction) -> Fraction | None:
    """Return the chance that a unit passes a Forced March check, or None if its effectiveness is not stated."""
    view = facts.view
    printed = view.fact("effectiveness", unit.id)
    if printed is None:
        return None
    low = low_supply(supply_status(facts, unit), view)
    cel = int(str(printed.value)) + facts.integer("cel", unit.id)
    return chance_to_pass(cel, check_modifiers(facts, unit.id, march, in_low_supply=low))


def chance_that_all_pass(chances: Iterable[Fraction | None]) -> Fraction | None:
    """Return the chance that all units pass their checks.

    Returns None if there is no check or a chance is unknown.
    """
    all_chances = list(chances)
    known = [chance for chance in all_chances if chance is not None]
    return prod(known, start=Fraction(1)) if known and len(known) == len(all_chances) else None


class Effort(msgspec.Struct, frozen=True):
    """The Movement Points that a unit would spend on a task now."""

    task: SpendingPurpose
    points: Fraction
    """Movement Points that the unit would spend now."""
    begun: int
    """Movement Points on the unit's marker, from earlier phases."""
    before: Fraction
    """Movement Points that the unit has spent on anything in this phase."""
    account: Account
    """The unit's account of the phase, as the position states it."""

    @property
    def credited(self) -> int:
        """The whole Movement Points that count for the task after the unit has spent the points."""
        return self.begun + counted_now(self.account, self.task, self.points)

    def used(self, cost: int = TASK_COST) -> Fraction:
        """Return the Movement Points that the unit spends, which are no more than the task still needs.

        `cost`: Movement Points for the whole task.
        """
        return used_for(self.account, self.task, self.points, cost - self.begun)

    @property
    def first_steps(self) -> list[Step]:
        """A note if the unit has spent its first points of the phase elsewhere, though it had begun the task."""
        has_gone_on = bool(self.account.spent.get(self.task))
        return [] if has_gone_on else task_first_steps(self.begun, self.before)


def read_effort(
    facts: Gather, unit: Unit, task: SpendingPurpose, points: Fraction, spent: float | None, carried: int | None = None
) -> Effort:
    """Return the Movement Points that a unit would spend on a task now.

    `spent`: Movement Points spent on anything else in the phase, or None to take those of the unit's account.
    `carried`: Movement Points spent in earlier phases, or None to take those on the unit's marker.
    """
    account = read_account(facts, unit.id)
    begun = points_carried(facts, unit, task, carried)
    before = points_before(account, None if spent is None else parse_points(spent, "spent", by_rail=True))
    return Effort(task, points, begun, before, account)


class Working(Case):
    """A unit that would spend Movement Points on a task in its hex."""

    unit: Unit
    place: str
    """The unit's hex, or the Bukowina Holding Box."""
    effort: Effort
    counter: bool | None
    """Whether it is the Counter Movement Phase, or None to take the phase of the position."""
    bound: Iterable[Step]
    """Reasons against spending Movement Points on the task."""

    purpose: ClassVar[Purpose]

    @cached_property
    def spends(self) -> MovementSpending | None:
        """The unit's Movement Points in the phase including the task, or None if its allowance is not stated.

        Raises MissingFacts if a fact that decides them is not stated.
        """
        spent = self.effort.before + self.spends_now
        with self.view.gather() as facts:
            return measure_spending(facts, self.unit, spent, self.purpose, self.counter)

    @property
    def spends_now(self) -> Fraction:
        return self.effort.points

    @cached_property
    def distance(self) -> int | None:
        """The distance to the nearest enemy in hexes, or None without enemies and in the Bukowina Holding Box.

        Raises MissingFacts if a fact that decides the distance is not stated.

        Rule: 23.4
        """
        if not self.view.board.is_hex(self.place):
            return None
        with self.view.gather() as facts:
            return field(facts).around(side_of(facts, self.unit)).nearest_enemy(self.place)

    def bars_of_spending(self) -> Iterator[Clause | Step]:
        yield from self.bound


def suppose_allowance(view: View, unit: str) -> None:
    """Note in the report the assumption that a unit has the Movement Points that it spends."""
    text = "{unit} has the Movement Points that it spends (movement allowance not stated)"
    view.premises.assume(step("8.1", text, unit=unit))


def require_points(view: View, unit: str, spends: MovementSpending | None, before: Fraction) -> None:
    """Raise InputError if a unit cannot spend the Movement Points.

    If its allowance is not stated, the report notes the assumption that it can.

    `spends`: the result of `measure_spending`.
    `before`: Movement Points spent on anything else in the phase.
    """
    if spends is None:
        suppose_allowance(view, unit)
    elif spends.why:
        left = {"unit": spends.unit, "left": max(spends.allowance - before, Fraction(0)), "why": spends.why}
        raise InputError(fill("points: {unit} has {left:#Movement Point} left in this phase: {why}", left))


LIMIT_EXCEEDED = (
    "{unit} would spend {spent:#Movement Point}, and its limit is {limit}: {allowance}, and {most} by Forced March"
)
"""The text for a unit that would spend more than a Forced March allows."""


def spending_step(spends: MovementSpending) -> Step:
    """Return a unit's Movement Points in the phase as a step of a report."""
    if spends.why and spends.march > spends.most > 0:
        return step(spends.rule, LIMIT_EXCEEDED, spends, limit=spends.allowance + spends.most)
    if spends.why:
        text = "{unit} has {allowance} Movement Points, but {spent} would be spent: {why}"
        return step(spends.rule, text, spends)
    if not spends.march:
        return step(
            "8.1", "{unit}: {spent} of its {allowance} Movement Points spent in this phase, {left} left", spends
        )
    text = (
        "{unit}: {spent:#Movement Point} spent in this phase, {march} beyond its allowance of {allowance} by Forced "
        "March[known:; {passes:%} chance to pass its check]"
    )
    return step("8.3", text, spends, known=spends.passes is not None)
