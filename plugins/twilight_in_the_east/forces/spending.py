"""What a unit spends on a task, and the Forced March by which it spends more than its allowance (8.3, 8.9)."""

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
from ..leaders.khan import MOVES, march_after
from ..terms import COMBAT_ARMS, SUPPLY_ARMS
from .account import NO_MARCH_BESIDE, Account, On, counted_now, points_before, read_account, used_for
from .armies import company_of, is_asset_unit
from .leaders import khan_result
from .markers import TASK_COST, points_carried, task_first_steps
from .movement_points import allowance_now, bar_of_marker, excess_points_now, parse_points
from .unit import is_unit_demoralized, low_supply, supply_status

MOST = {"infantry": 3, "cavalry": 6}
"""Movement Points that a Forced March may add (8.3)."""
EACH = {"infantry": 2, "cavalry": 1}
"""What each of them after the first adds to the check (8.3.2)."""
Purpose = Literal["move", "prepared", "position", "recovery", "disorder", "ersatz", "rail"]
NEVER = {
    "recovery": "CEL Recovery",
    "disorder": "recovery from Disorder",
    "ersatz": "incorporating Ersatz replacements",
    "rail": "entraining or detraining",
}
"""What the added points cannot be spent on (8.3)."""
WORK = ("prepared", "position")
"""What only infantry does that is not Demoralized (8.4.1, 13.1)."""


class ForcedMarch(Case):
    """A unit that would spend Movement Points beyond its allowance."""

    unit: Unit
    arm: str
    """Its arm, "" if that is not stated."""
    beyond: Callable[[Gather], Fraction]
    """Reads how many it would spend beyond its allowance."""
    purpose: Purpose
    """What they are for."""
    counter: bool
    """Whether it is the Counter Movement Phase."""
    bound: Iterable[Step]
    """What keeps it from spending points beyond its allowance now, of `list_march_bounds`."""
    spent: Mapping[str, Fraction]
    """Points that it has spent in the phase, by what they were spent on."""
    khan: str
    """What its die for Khan Nakhichevanski has come to, "" without one."""
    alone: bool | None = None
    """Whether an Asset Unit leaves the formation in its hex, None where that is asked for."""

    @property
    def points(self) -> Fraction:
        """Those that it would spend beyond its allowance. Raises MissingFacts as `beyond`."""
        with self.view.gather() as facts:
            return self.beyond(facts)

    @property
    def most(self) -> int:
        """The Movement Points that a Forced March may add to it, 0 for an arm that makes none."""
        return march_after(MOST.get(self.arm, 0), self.khan)

    @property
    def kind(self) -> str:
        """What it is, in words."""
        return "a supply unit" if self.arm in SUPPLY_ARMS else self.arm

    @property
    def task(self) -> str:
        """What the points are for, in words, where they cannot be for that."""
        return NEVER[self.purpose]

    @fact
    def marches(self) -> bool:
        """It is infantry or cavalry."""
        return self.facts.word("arm", self.unit.id) in COMBAT_ARMS

    @property
    def doings(self) -> str:
        """What it has done in the phase beside which it makes no Forced March, "" for nothing."""
        return next((words for task, words in NO_MARCH_BESIDE.items() if self.spent.get(task)), "")

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
        return self.points > MOST.get(self.arm, 0)

    @fact
    def too_long_for_khan(self) -> bool:
        """It spends more points beyond its allowance than its die for Khan Nakhichevanski allows."""
        return self.points > self.most

    def bars_of_unit(self) -> Iterator[Clause | Step]:
        """Yield what forbids a Forced March however long it is: the kind of unit, a marker, the phase, what it did in
        it, and what the points are for. Rule: 8.3b, 8.3.1
        """
        yield not self.marches, "8.3.1", "{kind} makes no Forced March"
        yield from self.bound
        yield self.doings, "8.3.1", "it {doings} in this phase and makes no Forced March"
        yield self.purpose in NEVER, "8.3", "no Forced March for {task}"
        yield (
            self.purpose == "prepared" and self.counter,
            "8.4",
            "no Prepared Attack marker is placed in the Counter Movement Phase",
        )
        yield (
            self.purpose == "prepared" and not self.can_work,
            "8.4.1",
            "only infantry that is not Demoralized may do that",
        )
        yield (
            self.purpose == "position" and not self.can_work,
            "13.1",
            "only infantry that is not Demoralized may do that",
        )

    def bars_of_asset(self) -> Iterator[Clause]:
        """Yield what forbids that an Asset Unit makes a Forced March of its own. Rule: 6.4.1a"""
        yield (
            self.marches and self.attached,
            "6.4.1",
            "it marches and checks with the formation that it is attached to: ask about that unit",
        )

    def bars_of_length(self) -> Iterator[Clause]:
        """Yield what forbids a Forced March of so many points. Rule: 8.3"""
        yield (
            self.marches and self.too_long,
            "8.3",
            "{points} points beyond the allowance exceed the limit of {most} for {arm}",
        )
        yield (
            self.too_long_for_khan and not self.too_long,
            MOVES,
            "{points} points beyond the allowance exceed {most}, as its die for Khan Nakhichevanski was 5",
        )


def list_march_bounds(
    facts: Gather, unit: Unit, purpose: Purpose, counter: bool | None = None, *, spent: bool = False
) -> Iterator[Step]:
    """Yield what keeps a unit from spending Movement Points beyond its allowance now: a marker, but not the one for which
    they are spent, and the phase. spent: whether it has spent them already, for which no marker counts.
    """
    rule, why = ("", "") if spent else bar_of_marker(facts, unit, purpose)
    if why and (rule, purpose) != ("8.4", "prepared"):
        yield step("8.3.1" if rule == "8.2.4" else rule, "{why}", why=why)
    rule, why = why_no_movement(facts.view, side_of(facts, unit), counter)
    if why:
        yield step(rule, "{why}", why=why)


def chance_to_pass(cel: int, added: tuple[Modifier, ...]) -> Fraction:
    """Return the chance that a unit passes its check. cel: its Combat Effectiveness Level."""
    return Dice(2, 6).at_most(cel - sum(modifier.amount for modifier in added))


def check_modifiers(facts: Gather, unit: str, points: Fraction, *, low: bool) -> tuple[Modifier, ...]:
    """Return what is added to the check of a unit that marches so many points beyond its allowance: for each after the
    first two, for cavalry one, half a point as by ruling half-march; one in summer heat and in Low Supply. low: whether
    it is in that. Rule: 8.3.2, 8.3.2a, 20.1a
    """
    view = facts.view
    split = points > 1 and points.denominator > 1
    whole = {"half-up": half_up, "down": down}.get(view.ruling("half-march", split), Fraction)
    count = max(Fraction(whole(points)) - 1, Fraction(0))
    is_stated = view.state.value("weather") or facts.flag("campaign")
    heat = bool(is_stated) and calendar.weather(facts, "summer-heat") == "summer-heat"
    why = f"for {count} point{'s' if count > 1 else ''} after the first"
    each = half_up(EACH[facts.word("arm", unit)] * count)
    every = (bool(count), why, each), (heat, "summer heat", 1), (low, "Low Supply", 1)
    return tuple(Modifier("8.3.2", why, amount) for counts, why, amount in every if counts)


class MovementSpending(msgspec.Struct, frozen=True, kw_only=True):
    """What a unit spends in a phase."""

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
    beside: tuple[str, ...] = (),
    allowed: Fraction | None = None,
) -> MovementSpending | None:
    """Return what it means for a unit to spend so many Movement Points in a phase; None where its allowance is not
    stated.

    spent: the sum of all; purpose: of the last of them; counter: see `allowance_now`; beside: the units that move with
    it; allowed: its allowance, if not that of the position.
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
        beyond=lambda facts: march,
        purpose=purpose,
        counter=is_counter_movement(view, counter),
        bound=tuple(list_march_bounds(facts, unit, purpose, counter)),
        spent=read_account(facts, unit.id).spent,
        khan=khan_result(view, unit.id),
    )
    alone = company_of(facts, unit) not in beside
    never = list_bars_with(facts, case.bars_of_unit)
    barred = (never or list_bars_with(facts, case.bars_of_length)) if march else []
    known = MovementSpending(
        unit=unit.id,
        allowance=allowed,
        spent=spent,
        left=max(allowed - spent, Fraction(0)),
        march=march,
        most=0 if never else case.most,
    )
    if barred:
        return replace(known, rule=barred[0].rule, why=barred[0].text)
    return replace(known, passes=chance_of_march(facts, unit, march) if march and alone else None)


def chance_of_march(facts: Gather, unit: Unit, march: Fraction) -> Fraction | None:
    """Return the chance that a unit passes the check of a Forced March, None where its effectiveness is not stated."""
    view = facts.view
    base = view.fact("effectiveness", unit.id)
    if base is None:
        return None
    low = low_supply(supply_status(facts, unit), view)
    return chance_to_pass(
        int(str(base.value)) + facts.integer("cel", unit.id), check_modifiers(facts, unit.id, march, low=low)
    )


def chance_that_all_pass(chances: Iterable[Fraction | None]) -> Fraction | None:
    """Return the chance that all units pass that check for a Forced March, None if none checks, or if that of one is
    not known.
    """
    every = list(chances)
    known = [chance for chance in every if chance is not None]
    return prod(known, start=Fraction(1)) if known and len(known) == len(every) else None


class Effort(msgspec.Struct, frozen=True):
    """What a unit spends on a task now."""

    task: On
    points: Fraction
    """Movement Points that it would spend."""
    begun: int
    """Those on its marker."""
    before: Fraction
    """Those that it has spent on anything in the phase."""
    account: Account
    """What the position says of what it has spent."""

    @property
    def credited(self) -> int:
        """The Movement Points that then count for the task."""
        return self.begun + counted_now(self.account, self.task, self.points)

    def used(self, cost: int = TASK_COST) -> Fraction:
        """Return the Movement Points that it spends, no more than the task needs. cost: of the whole task."""
        return used_for(self.account, self.task, self.points, cost - self.begun)

    @property
    def first_steps(self) -> list[Step]:
        """That it has spent points on something else in a phase in which it first had to go on with the task."""
        goes_on = bool(self.account.spent.get(self.task))
        return [] if goes_on else task_first_steps(self.begun, self.before)


def read_effort(
    facts: Gather, unit: Unit, task: On, points: Fraction, spent: float | None, carried: int | None = None
) -> Effort:
    """Return what a unit spends on a task now. spent: Movement Points that it has spent on anything else in the phase,
    None for what its account says; carried: as of `points_carried`.
    """
    account = read_account(facts, unit.id)
    begun = points_carried(facts, unit, task, carried)
    before = points_before(account, None if spent is None else parse_points(spent, "spent", by_rail=True))
    return Effort(task, points, begun, before, account)


class Working(Case):
    """A unit that would spend Movement Points on a task where it stands."""

    unit: Unit
    place: str
    """Its hex, or the Bukowina Holding Box."""
    effort: Effort
    """What it spends on that."""
    counter: bool | None
    """Whether it is the Counter Movement Phase, as the position says if None."""
    bound: Iterable[Step]
    """What keeps it from spending Movement Points on that."""

    purpose: ClassVar[Purpose]

    @cached_property
    def spends(self) -> MovementSpending | None:
        """What it then has spent in the phase, None where its allowance is not stated. Raises MissingFacts."""
        spent = self.effort.before + self.spends_now
        with self.view.gather() as facts:
            return measure_spending(facts, self.unit, spent, self.purpose, self.counter)

    @property
    def spends_now(self) -> Fraction:
        """The Movement Points that it spends on that."""
        return self.effort.points

    @cached_property
    def distance(self) -> int | None:
        """Hexes to the nearest enemy, None if there is none, and for the Holding Box, which is far from all of them.
        Raises MissingFacts. Rule: 23.4
        """
        if not self.view.board.is_hex(self.place):
            return None
        with self.view.gather() as facts:
            return field(facts).around(side_of(facts, self.unit)).nearest_enemy(self.place)

    def bars_of_spending(self) -> Iterator[Clause | Step]:
        """Yield what keeps it from spending Movement Points on that."""
        yield from self.bound


def suppose_allowance(view: View, unit: str) -> None:
    """Note that a unit is supposed to have what it spends, as its allowance is not stated."""
    text = "{unit} has the Movement Points that it spends (movement allowance not stated)"
    view.premises.assume(step("8.1", text, unit=unit))


def require_points(view: View, unit: str, spends: MovementSpending | None, before: Fraction) -> None:
    """Note it if it is not known whether a unit can spend so many Movement Points. before: those spent on anything else
    in the phase.

    Raises InputError if it cannot.
    """
    if spends is None:
        suppose_allowance(view, unit)
    elif spends.why:
        left = {"unit": spends.unit, "left": max(spends.allowance - before, Fraction(0)), "why": spends.why}
        raise InputError(fill("points: {unit} has {left:#Movement Point} left in this phase: {why}", left))


BEYOND_LIMIT = (
    "{unit} would spend {spent:#Movement Point}, and its limit is {limit}: {allowance}, and {most} by Forced March"
)
"""What is said of a unit that would spend more than a Forced March lets it."""


def spending_step(spends: MovementSpending) -> Step:
    """Return what a unit spends, in words."""
    if spends.why and spends.march > spends.most > 0:
        return step(spends.rule, BEYOND_LIMIT, spends, limit=spends.allowance + spends.most)
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
