"""The question `pursue` of a game in which units may follow into a hex that a combat has cleared, and perhaps some
hexes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Annotated, NamedTuple

import msgspec

from ..field import Bar, HexOption, check_way, first_bar, open_hexes, option
from ..questions.permission import permission
from ..questions.report import Report, Step, step
from ..questions.view import View, changed
from ..state.changes import AnyChange
from ..state.vocabulary import Allowed
from ..util.errors import InputError
from ..util.notes import note


class PursuitResult(msgspec.Struct, frozen=True, kw_only=True):
    """A pursuit."""

    at: Annotated[str, note("the hex that was cleared")]
    units: Annotated[tuple[str, ...], note("the units that pursue")]
    reach: Annotated[int, note("hexes that they may enter")]
    end: Annotated[str, note("the last hex entered")]
    options: Annotated[tuple[HexOption, ...], note("the hexes that they may enter next, open ones first")] = ()
    allowed: Allowed = True
    over_stacked: Annotated[bool, note("whether the last hex holds too much, so that units there are eliminated")] = (
        False
    )


class Pursuit(NamedTuple):
    """Units that pursue, as the rules of a game see them."""

    units: Sequence[str]
    at: Annotated[str, note("the hex that the combat cleared")]
    way: Annotated[Sequence[str], note("the hexes entered beyond it")]
    reach: Annotated[int, note("how many hexes they may enter")]
    unable: Annotated[Iterable[Step], note("why some of them do not pursue")]
    bars: Annotated[Sequence[Bar], note("what bars a hex, in the order of the rules")]
    holds: Annotated[Callable[[str], bool], note("whether a hex has room for them")]
    pursuit_rule: str
    reach_rule: str
    hex_rule: str

    @property
    def entered(self) -> tuple[str, ...]:
        """All hexes entered."""
        return self.at, *self.way


def check_pursuit(view: View, units: Sequence[str], at: str, way: Sequence[str]) -> None:
    """Raise InputError for no units, and for a way that does not lead on from the cleared hex."""
    if not units:
        raise InputError("units are needed for a pursuit", hint="type units=X,Y")
    if way:
        check_way(view, at, way)


def pursuit_report(
    view: View, who: Pursuit, findings: Callable[[], Iterable[Step]], changes: Iterable[AnyChange]
) -> Report[PursuitResult]:
    """The report on a pursuit: whether the rules allow it, and the hexes beyond the first.

    findings: what else is to be said of the hexes entered if it is allowed, and changes: what it changes besides the
    places of the units.
    """
    goes_on = who.reach > 1 and not who.way
    look = partial(option, who.bars)
    result = PursuitResult(
        at=who.at,
        units=tuple(who.units),
        reach=who.reach,
        end=who.entered[-1],
        options=open_hexes(view, who.at, look, prefer=lambda option: option.hex) if goes_on else (),
        over_stacked=not who.holds(who.entered[-1]),
    )

    def working() -> Iterator[Step]:
        yield step(who.reach_rule, "up to {reach:#hex}, {at} first", result)
        yield from (option.step(who.hex_rule) for option in result.options)
        yield from findings()

    def moved() -> Iterator[AnyChange]:
        yield from (changed(view, "place", name, result.end, who.pursuit_rule) for name in who.units)
        yield from changes

    return permission(
        f"Pursuit of {', '.join(who.units)} into {who.at}",
        ("{units} may pursue to {end}", "this pursuit is not allowed"),
        why_not(view, who),
        result,
        working={"Pursuit": working()},
        changes=moved(),
    )


def why_not(view: View, who: Pursuit) -> Iterator[Step]:
    """Why units may not pursue: who they are, where they stand, how far they go, what bars a hex."""
    yield from who.unable
    starts = {name: str(view.unit(name).place) for name in who.units}
    for name, place in starts.items():
        if place not in view.board.neighbours(who.at):
            yield step(who.pursuit_rule, "{id} in {place} is not next to {at}", id=name, place=place, at=who.at)
    if len(who.entered) > who.reach:
        yield step(who.reach_rule, "the result allows {reach:#hex} of pursuit", who)
    for start in sorted(set(starts.values())):
        for here, there in pairwise((start, *who.entered)):
            if there in view.board.neighbours(here) and (barred := first_bar(who.bars, here, there)):
                yield step(barred.rule or who.hex_rule, "{hex} cannot be entered: {why}", hex=there, why=barred.why)
