"""The question `arrive`: which units are due and where they enter, and what brings them in (16.0, 16.1, 16.1.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.asking import InputError, Part, Report, Step, View, declare, if_known, note, refused, step, verdict
from assistant.asking.case import Case, list_bars
from assistant.asking.permission import Clause
from assistant.asking.view import changed
from assistant.rules.arrivals import Coming, format_units, with_units
from assistant.state.vocabulary import Allowed
from assistant.util.errors import quoted

from ..entering.consequences import follows_changes
from ..forces.armies import is_shown
from ..forces.departures import ARRIVES
from ..ground.calendar import other_phase_steps
from ..movement.march.overstacking import hexes_over_limit
from ..substitutions.facts import is_substitute, with_substitutes
from .entering import NEXT_PHASE, SHOWN, ArriveParameters, Entering, list_changes, read_entering
from .entry import must_conform, rail_points_due
from .facts import ArrivingUnit, arriving_units, is_depot_of_army, unit_due, units_overdue
from .new_armies import NEW_ARMIES


class ArriveResult(msgspec.Struct, frozen=True, kw_only=True):
    """The units that are due, or those that enter."""

    side: Annotated[str, note("their side")]
    turn: Annotated[int, note("the game turn")]
    units: Annotated[tuple[ArrivingUnit, ...], note("the units that are due, earliest first; or those that enter")] = ()
    at: Annotated[str, note("the hex in which units enter, empty if none is asked about")] = ""
    cost: Annotated[Fraction | None, note("Movement Points that the first hex costs each of them")] = None
    allowed: Allowed = False


def answer(view: View, parameters: ArriveParameters) -> Report[ArriveResult]:
    """Return the report on what is due, or on units that enter. Raises InputError for units that do not arrive,
    MissingFacts for what is not stated and matters.
    """
    return _report_entry(view, parameters) if parameters.units else _list_due(view, parameters)


# --- what is due ------------------------------------------------------------------------------------------------------


def _list_due(view: View, parameters: ArriveParameters) -> Report[ArriveResult]:
    """Return the report on the units of a side that are due. Raises InputError for the displays of the enemy."""
    with view.gather() as facts:
        turn = facts.integer("turn")
        side = parameters.side or facts.word("phasing")
    _check_shown(view, side)
    units = arriving_units(view, side, turn)
    overdue = [
        step(
            coming.rule,
            "{unit}, due since GT {due}: if it has not come, state {how}",
            unit=coming.unit,
            due=coming.turn,
            how=f"{quoted(coming.unit)} arrives={coming.turn}",
        )
        for coming in units_overdue(view, side, turn)
    ]
    waiting = [unit for unit in units if unit.waits]
    ready = [unit for unit in units if not unit.waits]
    text = "{ready:#unit} due[waiting:, {waiting:#unit} with no way in]" if units else "no unit is due"
    return Report(
        title=f"Arrivals of {view.game.file.the_side(side)} in GT {turn}",
        verdict=verdict("figure", text, ready=len(ready), waiting=len(waiting)),
        parts=(
            Part("Due", tuple(line for unit in ready for line in steps_of(unit, turn))),
            Part("No way in: they wait and stay due", tuple(line for unit in waiting for line in steps_of(unit, turn))),
            Part("Not in the position", tuple(overdue)),
            Part("To go on", tuple(_list_next_questions(ready))),
        ),
        result=ArriveResult(side=side, turn=turn, units=units, allowed=bool(ready)),
    )


def _list_next_questions(units: Sequence[ArrivingUnit]) -> Iterator[Step]:
    """Yield what is typed to bring in the first of the units whose hex is known, in words."""
    able = ((unit, hex) for unit in units for hex in (*unit.open, *unit.instead)[:1])
    if first := next(able, None):
        unit, hex = first
        yield step("", "to bring {unit} in, type: {how}", unit=unit.unit, how=f"arrive {quoted(unit.unit)} at={hex}")


def _check_shown(view: View, side: str) -> None:
    """Raise InputError for a side whose displays the viewpoint does not see."""
    if not is_shown(view, side):
        raise InputError(
            f"side: {view.game.file.the_side(side)} is the enemy", hint="a side sees only its own units off the map"
        )


def steps_of(unit: ArrivingUnit, turn: int) -> Iterator[Step]:
    """Yield a unit that is due, in words: where it enters, what that costs, and what blocks the hex."""
    given = {
        "since": unit.turn if unit.turn < turn else 0,
        "hexes": unit.open,
        "on_foot": unit.edge and unit.cost is not None,
        "by_rail": unit.rail and not unit.instead,
        "how": f"{quoted(unit.unit)} entry=HEX",
    }
    if unit.returns:
        text = "{unit}[since:, due since GT {since}]: it comes back anywhere In Supply (ask return)"
        yield step("16.4", text, unit, **given)
    elif unit.depot:
        yield _depot_step(unit, given)
    elif not unit.entry:
        text = "{unit}[since:, due since GT {since}]: its entry hex is not stated ({how})"
        yield step("16.0", text, unit, **given)
    elif unit.open:
        text = (
            "{unit}[since:, due since GT {since}]: enters in {hexes:+}[on_foot:, {cost:#Movement Point} for the first hex]"
            "[by_rail:, or in Rail Mode]"
        )
        yield step(unit.rule or "16.0", text, unit, **given)
    for entry in unit.blocked:
        yield step("16.1", "{unit}: {why:+}", entry, unit)
    if unit.instead:
        text = (
            "{unit}[since:, due since GT {since}]: [hexes:may enter instead, as the enemy controls {hexes:+},|enters] at "
            "[edge:the nearest open RR hex|an RR Station nearby], {instead:+}"
        )
        yield step("16.1", text, unit, **given)


def _depot_step(unit: ArrivingUnit, given: Mapping[str, object]) -> Step:
    """Return where a depot is placed that comes with its army, in words. given: the figures of the line."""
    text = (
        "{unit}[since:, due since GT {since}]: enters in any RR Station that friendly operational lines join to the map edge"
        "[hexes:: {hexes}|, and none is known][count: and {count:#other}]"
    )
    count = max(len(unit.open) - SHOWN, 0)
    return step("16.3", text, unit, **{**given, "hexes": unit.open[:SHOWN], "count": count})


# --- units that enter -------------------------------------------------------------------------------------------------


def _report_entry(view: View, parameters: ArriveParameters) -> Report[ArriveResult]:
    """Return the report on units that enter. Raises InputError for units that do not arrive, MissingFacts for what is
    not stated.
    """
    names = format_units(view, parameters.units)
    there = with_units(view, names)
    sides = {there.side_of(name) for name in names} - {""}
    if len(sides) > 1:
        raise InputError("units: the units are of both sides", hint="ask for one side at a time")
    with there.gather() as facts:
        for name in names:
            facts.word("nation", name)
    side = next(iter(sides), "")
    turn = view.integer("turn")
    _check_shown(view, side)
    title = f"The arrival of {', '.join(names)}"
    if exchanged := exchange_steps(there, names):
        result = ArriveResult(side=side, turn=turn, at=parameters.at or "")
        return refused(title, "{units} may not enter", exchanged, result=result, units=names)
    coming = [unit_due(there, side, name) for name in names]
    untimely = other_phase_steps(view, side, "16.0", "reinforcement")
    if not untimely:
        _read_turn(there, names)
    if turn:
        untimely += list_bars(*(_read_reinforcement(view, there, each, side).bars for each in coming))
    result = ArriveResult(side=side, turn=turn, at=parameters.at or "")
    if untimely:
        return refused(title, "{units} may not enter", untimely, result=result, units=names)
    entering = read_entering(there, side, turn, coming, parameters)
    result = msgspec.structs.replace(result, at=entering.at, cost=entering.cost, units=entering.units)
    if entering.reasons:
        return refused(title, "{units} may not enter in {at}", entering.reasons, result, result=result, units=names)
    changes = list(list_changes(view, entering, parameters))
    places = [changed(there, "place", name, entering.at, "16.0") for name in names]
    following = follows_changes(there, places)
    over = if_known(view.after(changes), lambda facts: [*hexes_over_limit(facts, dict.fromkeys(names, entering.at))])
    return Report(
        title=title,
        verdict=verdict("yes", "{units} may enter in {at}", result, units=names),
        parts=(
            Part("Entry", tuple(_list_entry_steps(entering, parameters, over=bool(over)))),
            *following.parts(view),
        ),
        changes=(*changes, *following.changes),
        result=msgspec.structs.replace(result, allowed=True),
    )


def exchange_steps(view: View, names: Sequence[str]) -> list[Step]:
    """Return why units do not enter that take the place of others. Rule: 16.2"""
    known = with_substitutes(view)
    waiting = [name for name in names if known.unit(name).place is None and is_substitute(known, name)]
    text = "{unit} takes the place of another unit (ask {how})"
    return [step("16.2", text, unit=name, how=f"substitute unit={quoted(name)}") for name in waiting]


class Reinforcement(Case):
    """A unit that would enter. turn: the game turn; since: that for which it is indicated; waits: whether the position
    states its arrival; known: whether it has the unit; army: the army that an event of the campaign brings into play, with
    all its depots, of which it is one and which has not come yet, "" for none.
    """

    unit: str
    turn: int
    since: int
    known: bool
    waits: bool
    army: str = ""

    @property
    def how(self) -> str:
        """What is typed of a unit that still waits."""
        return f"{quoted(self.unit)} arrives={self.since}"

    @property
    def first(self) -> str:
        """What is typed to bring in its army."""
        return f"activate army={quoted(self.army)}"

    def bars(self) -> Iterator[Clause]:
        """Yield why it does not enter yet, or any more: it comes in its turn; one that came in an earlier turn, off the map
        and not stated to wait, has been eliminated; a depot does not come before its army. Rule: 16.0, 16.3
        """
        yield self.turn < self.since, "16.0", "{unit}: it arrives in GT {since}"
        yield (
            self.known and not self.waits and self.since < self.turn,
            "16.0",
            "{unit}: it was due in GT {since} and has been in play; if it still waits, state {how}",
        )
        yield self.army, "16.3", "{unit}: {army} comes into play first (ask {first})"


def _read_reinforcement(view: View, there: View, coming: Coming, side: str) -> Reinforcement:
    """Return a unit that would enter. there: the view in which it waits off the map."""
    unit = coming.unit
    army = ""
    if is_depot_of_army(there, coming) and there.flag("campaign"):
        new = NEW_ARMIES.get(there.word("army", unit))
        army = new.army if new and new.side == side and not there.integer(new.track) else ""
    return Reinforcement(
        view=view,
        unit=unit,
        turn=view.integer("turn"),
        since=coming.turn,
        known=unit in view.state.units,
        waits=view.state.value(ARRIVES, unit) is not None,
        army=army,
    )


def _read_turn(view: View, names: Sequence[str]) -> None:
    """Raise MissingFacts for the turn and for what units are, where that is not stated."""
    with view.gather() as facts:
        facts.integer("turn")
        for name in names:
            facts.word("arm", name)


def _list_entry_steps(entering: Entering, parameters: ArriveParameters, *, over: bool) -> Iterator[Step]:
    """Yield what holds of units that enter, in words. over: whether they stand over the stacking limits."""
    names = [unit.unit for unit in entering.units]
    given = {"hex": entering.at, "cost": entering.cost}
    if entering.trains:
        points = sum((rail_points_due(train.cost, edge=True) for train in entering.trains), Fraction(0))
        yield step("16.1", "in Rail Mode: {cost:#Movement Point} for the first RR hex", **given)
        yield step(
            "16.1.1",
            "{points:#Rail Point}; they go on to {destination}",
            points=points,
            destination=parameters.destination,
        )
        if entering.changes_at:
            yield step("16.1.1", "trans-shipping in {hexes} costs Rail Points", hexes=entering.changes_at)
    elif entering.cost:
        yield step("16.1", "from the map edge: {cost:#Movement Point} for {hex}, spent in the Movement Phase", **given)
    else:
        yield step("16.1", "no Movement Points are spent to enter {hex}", **given)
    yield from must_conform(entering.at, over=over)
    armies = {unit.unit: parameters.army or unit.army for unit in entering.units}
    for army in filter(None, dict.fromkeys(armies.values())):
        attached = [name for name in names if armies[name] == army]
        yield step("16.1", "{units}: attached to {army}; " + NEXT_PHASE, units=attached, army=army)


QUESTION = declare("arrive", "which units are due and where they enter, and what brings them in", answer, decision=None)
