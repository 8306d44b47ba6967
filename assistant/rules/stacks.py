"""The question `stack` of a game with stacking limits: the units in hexes, any excess, and its elimination."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import Annotated, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from ..asking.asks import Ask
from ..asking.play import chosen, refuse_others
from ..asking.question import Answers, Parameters, PlaceName, Question, declare
from ..asking.report import Part, Report, Step, step, verdict
from ..asking.view import Gather, View, changed
from ..mechanics.procedure import AnswerError
from ..state.changes import AnyChange
from ..state.state import Unit
from ..state.vocabulary import Hex
from ..util.errors import InputError
from ..util.notes import note

Choices = tuple[tuple[str, ...], ...]
"""Sets of units, one of which the owner eliminates."""
MAX_UNITS_LISTED = 12
"""The maximum number of units in a stack for which the sets that may be eliminated are listed."""


class StacksAsked(Parameters, frozen=True):
    """The hexes that the question is about."""

    at: Annotated[tuple[PlaceName, ...], note("the hexes; all with two or more units if left out")] = ()
    ended: Annotated[bool, note("whether a phase or a battle ends now, when any excess is eliminated")] = False


class HexStack(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a hex."""

    at: Hex
    units: Annotated[tuple[str, ...], note("the units, the top one first")]
    nations: Annotated[tuple[str, ...], note("the nations of its units, except of those that stack with any nation")]
    too_many: Annotated[bool, note("whether it holds more than the stacking limits allow")]
    excess: Annotated[
        Choices,
        note(
            f"the smallest sets of units whose elimination meets the limits; none are listed for more than {MAX_UNITS_LISTED} units"
        ),
    ] = ()


class Stacking(msgspec.Struct, frozen=True):
    """The result of a question about what hexes hold."""

    @property
    def is_excessive(self) -> bool:
        """Whether a hex holds more than the stacking limits allow."""
        raise NotImplementedError


class Stacks(Stacking, frozen=True):
    """The stacks that were asked for."""

    stacks: Annotated[tuple[HexStack, ...], note("each hex")]

    @property
    def is_excessive(self) -> bool:
        """Whether one of the hexes holds more than the stacking limits allow."""
        return any(stack.too_many for stack in self.stacks)


class CountedUnit(Protocol):
    """A unit as stacking limits count it."""

    @property
    def id(self) -> str:
        """The unit's id."""

    @property
    def nation(self) -> str:
        """The unit's nation."""


U = TypeVar("U", bound=CountedUnit)


class StackedUnit(NamedTuple):
    """A unit as most stacking limits count it."""

    id: str
    nation: str
    arm: str
    over: bool = False
    """Whether the unit is over the limits since a retreat."""


def count_unit(facts: Gather, unit: Unit) -> StackedUnit:
    """Return a unit as most limits count it, by the tracks `nation`, `arm` and `over`.

    A game may lack `over`.
    """
    over = "over" in facts.view.game.tracks and facts.flag("over", unit.id)
    return StackedUnit(unit.id, facts.word("nation", unit.id), facts.word("arm", unit.id), over)


class Limits(Generic[U]):
    """The stacking limits of a game, which defines a subclass."""

    limit_rule: str
    excess_rule: str
    mixed_rule: str = ""
    ends: str
    """The time at which excess units are eliminated, in words."""
    lost: str = ""
    """The cost of a unit's elimination, in words."""
    together: str = "which no rule forbids"
    """The rule for several nations in a hex, in words."""

    def read(self, facts: Gather, unit: Unit) -> U:
        """Return a unit as the limits count it."""
        raise NotImplementedError

    def fits(self, units: Collection[U]) -> bool:
        """Return whether units may end a phase in one hex."""
        raise NotImplementedError

    def gone(self, view: View, unit: str, rule: str) -> Iterable[AnyChange]:
        """Return the changes that eliminate a unit."""
        raise NotImplementedError

    def mixes(self, unit: U) -> bool:
        """Return whether a unit may stack with units of any nation."""
        return False

    def now(self, view: View) -> bool:
        """Return whether excess units are eliminated at the end of the current phase."""
        return True

    def own(self, view: View, at: str) -> bool:
        """Return whether the current phase belongs to the side that holds a hex."""
        return True

    def late(self, unit: U) -> bool:
        """Return whether a unit is eliminated before others, such as one that came by retreat."""
        return isinstance(unit, StackedUnit) and unit.over

    def stays(self, view: View, unit: str) -> Iterable[AnyChange]:
        """Return the changes for a unit that stays once the excess is eliminated."""
        return ()


def find_excess(units: Sequence[U], fits: Callable[[Collection[U]], bool]) -> Choices:
    """Return the smallest sets of units without which the others fit."""
    by_name = {unit.id: unit for unit in units}
    return removals([*by_name], lambda left: fits([by_name[name] for name in left]))


def beyond(inside: Iterable[U], arriving: Iterable[U], fits: Callable[[Collection[U]], bool]) -> list[str]:
    """Return the arriving units for which a hex has no room, in order.

    `inside`: the units that are there before.
    """
    there = [*inside]
    over = list[str]()
    for unit in arriving:
        if fits([*there, unit]):
            there.append(unit)
        else:
            over.append(unit.id)
    return over


def find_over_limit(
    facts: Gather, at: str, arriving: Iterable[str], fits: Callable[[Collection[StackedUnit]], bool]
) -> list[str]:
    """Return the retreating units for which a hex has no room, in the order named.

    Units already there with the flag `over` do not count.
    """
    inside = (count_unit(facts, unit) for unit in facts.view.stack(at) if not facts.view.flag("over", unit.id))
    return beyond(inside, (count_unit(facts, facts.view.unit(name)) for name in arriving), fits)


def find_still_over(facts: Gather, at: str, fits: Callable[[Collection[StackedUnit]], bool]) -> list[str]:
    """Return a hex's units with the flag `over`, set by a retreat, for which there is still no room."""
    retreated = [unit.id for unit in facts.view.stack(at) if facts.view.flag("over", unit.id)]
    return find_over_limit(facts, at, retreated, fits) if retreated else []


def count_again(view: View, unit: str, *, rule: str) -> Iterator[AnyChange]:
    """Yield the change that clears a unit's flag `over`, if it is set, so that the unit counts again."""
    if "over" in view.game.tracks and view.flag("over", unit):
        yield changed(view, "over", unit, None, rule)


def choose_excess(
    name: str, rule: str, at: str, excess: Choices, answers: Answers
) -> tuple[tuple[str, ...], tuple[Ask, ...]]:
    """Return the units of a hex that the owner eliminates, or () and the request for the choice.

    Raises InputError if an answer is not one of the options, or no options are listed.
    """
    if not excess:
        if name in answers:
            hint = f"leave it out: {at} is within the limits, or holds more than {MAX_UNITS_LISTED} units, too many to list who may go"
            raise AnswerError(name, InputError("no choice of that name is due", hint=hint))
        return (), ()
    options = {",".join(gone): gone for gone in excess}
    gone, asks = chosen(name, rule, f"which excess units in {at} are eliminated", options, answers)
    return gone or (), asks


def stack_question(limits: Limits[U]) -> Question[StacksAsked, Stacks]:
    """Return the question `stack` of a game with these stacking limits."""

    def answer(view: View, parameters: StacksAsked, answers: Answers) -> Report[Stacks]:
        for place in parameters.at:
            if not view.board.is_hex(place):
                raise InputError(f"at: {place} is not a hex", hint="stacking limits apply only to hexes")
            if not view.stack(place):
                raise InputError(f"no unit is in {place}", hint="place units there, or name another hex")
        with view.gather() as facts:
            late = _find_changing_hexes(limits, facts) if parameters.ended else ()
            places = parameters.at or sorted({*crowded_hexes(view), *late})
            stacks = tuple(count_stack(limits, facts, at) for at in places)
        excessive = [stack for stack in stacks if stack.too_many]
        ends_now = parameters.ended and limits.now(view)
        ending = [stack for stack in stacks if ends_now and limits.own(view, stack.at)]
        asks, changes = _resolve_excess(limits, view, ending, answers)
        outcome = verdict("no", "over-stacked: {over}", over=[stack.at for stack in excessive])
        if not excessive:
            outcome = verdict("yes", "within the stacking limits: {stacks:#stack}", stacks=len(stacks))
        lines = list[Step]()
        for stack in stacks:
            lines += _list_stack_steps(limits, stack, ends_now=stack in ending)
        return Report(
            title=f"Stacking in {', '.join(parameters.at) or 'all hexes'}",
            verdict=outcome,
            parts=(Part("Stacks", tuple(lines)),),
            asks=asks,
            changes=changes,
            result=Stacks(stacks),
        )

    return declare(
        "stack",
        "what is stacked in hexes, whether it is too much, and what may be eliminated",
        answer,
        {"excess.HEX": "the units of a hex that are eliminated, joined by commas"},
    )


def _resolve_excess(
    limits: Limits[U], view: View, stacks: Sequence[HexStack], answers: Answers
) -> tuple[tuple[Ask, ...], tuple[AnyChange, ...]]:
    """Return the open choices in overstacked hexes, and the changes for units eliminated and units that stay."""
    asks = list[Ask]()
    changes = list[AnyChange]()
    refuse_others(answers, [f"excess.{stack.at}" for stack in stacks if stack.too_many])
    for stack in stacks:
        gone: tuple[str, ...] = ()
        if stack.too_many:
            gone, its_asks = choose_excess(f"excess.{stack.at}", limits.excess_rule, stack.at, stack.excess, answers)
            asks += its_asks
        changes += [change for unit in gone for change in limits.gone(view, unit, limits.excess_rule)]
        if gone or not stack.too_many:
            left = (unit for unit in stack.units if unit not in gone)
            changes += [change for unit in left for change in limits.stays(view, unit)]
    return tuple(asks), tuple(changes)


def crowded_hexes(view: View) -> list[str]:
    """Return the hexes with two or more units, in order."""
    places = [unit.place for unit in view.units() if view.board.is_hex(unit.place)]
    return sorted(place for place in set(places) if places.count(place) > 1)


def _find_changing_hexes(limits: Limits[U], facts: Gather) -> list[str]:
    view = facts.view
    places = ((unit.id, unit.place) for unit in view.units() if view.board.is_hex(unit.place))
    return [at for unit, at in places if any(True for _ in limits.stays(view, unit))]


def count_stack(limits: Limits[U], facts: Gather, at: str) -> HexStack:
    """Return the contents of a hex as the limits count them."""
    units = [limits.read(facts, unit) for unit in facts.view.stack(at)]
    eliminated_first = {unit.id for unit in units if limits.late(unit)}
    sets = find_excess(units, limits.fits)
    others = [len({*gone} - eliminated_first) for gone in sets]
    return HexStack(
        at=at,
        units=tuple(unit.id for unit in units),
        nations=tuple(dict.fromkeys(unit.nation for unit in units if not limits.mixes(unit))),
        too_many=not limits.fits(units),
        excess=tuple(gone for gone, count in zip(sets, others, strict=True) if count == min(others)),
    )


def _list_stack_steps(limits: Limits[U], stack: HexStack, *, ends_now: bool) -> Iterator[Step]:
    yield step(limits.limit_rule, "{at}: {units}, " + ("too many" if stack.too_many else "within the limits"), stack)
    if len(stack.nations) > 1:
        yield step(limits.mixed_rule, f"{{at}}: {{nations:title}} units stand together, {limits.together}", stack)
    if stack.too_many:
        when = "now" if ends_now else f"at the end of {limits.ends}"
        text = f"{{at}}: {when}, the owner must eliminate{limits.lost} one of: {{excess}}"
        ways = [" and ".join(gone) for gone in stack.excess] or ["as many as it takes"]
        yield step(limits.excess_rule, text, stack, excess=ways)


def removals(names: Sequence[str], fits: Callable[[Collection[str]], bool]) -> tuple[tuple[str, ...], ...]:
    """Return the minimal sets without which the rest fits, smallest first.

    The result is empty if everything fits, or if there are more than `MAX_UNITS_LISTED` names.

    `fits`: returns whether some of the names fit together.
    """
    if fits(names) or len(names) > MAX_UNITS_LISTED:
        return ()
    smallest: list[tuple[str, ...]] = []
    for gone in chain.from_iterable(combinations(names, number) for number in range(1, len(names))):
        smaller = any(set(fewer) <= set(gone) for fewer in smallest)
        if not smaller and fits([name for name in names if name not in gone]):
            smallest.append(gone)
    return tuple(smallest)
