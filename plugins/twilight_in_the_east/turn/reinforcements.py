"""What the Reinforcement, Withdrawal and Activation Phase brings: units that arrive or wait, the call for the Western
Front reinforcements, new armies, and what the scenario activates (16.0, 16.3, 22.1, 22.2, 23.1, 24.2, 28.3).
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.asking import View, if_known
from assistant.asking.case import list_bars
from assistant.asking.view import changed
from assistant.rules.field.movement import bring_unit
from assistant.rules.phase_now import Duty, ItemState, StepFinding
from assistant.rules.turns import finding
from assistant.state.changes import AnyChange, Change
from assistant.util.errors import quoted

from ..arrivals.armies import LAST_CALL, LAST_NINTH, format_score, score_of_call
from ..arrivals.facts import arriving_units, is_returning, units_due, units_overdue
from ..arrivals.new_armies import (
    NEW_ARMIES,
    NINTH_FREE,
    Ninth,
    changes_of_call,
    read_call,
)
from ..forces.activation import ACTIVATE, belongings, ordered_turn, orders
from ..forces.departures import ARRIVES
from .duties import is_carried_out


def judge_reinforcements(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which units arrive this turn, or have waited, and are not on the map yet; those that find no way in wait."""
    due = units_due(view, duty.side, duty.turn)
    known = if_known(view, lambda _: arriving_units(view, duty.side, duty.turn)) or ()
    shut = [unit.unit for unit in known if unit.waits]
    waiting = [coming for coming in due if coming.unit not in shut]
    own = [unit.id for unit in view.units() if unit.place is not None and view.side_of(unit.id) == duty.side]
    there = [unit for unit in own if view.integer(ARRIVES, unit) == duty.turn]
    if waiting:
        back = [coming.unit for coming in waiting if is_returning(view, coming)]
        ask = ""
        if len(back) == len(waiting):
            ask = f"return unit={quoted(back[0])}"
        elif len(waiting) == 1:
            ask = f"arrive units={quoted(waiting[0].unit)}"
        units = [coming.unit for coming in waiting]
        yield finding("owed", "16.1", "due and not on the map: {units}", units=units, ask=ask)
    if shut:
        yield finding("possible", "16.1", "every way in is blocked; these wait and stay due: {units}", units=shut)
    if there:
        yield finding("done", "16.1", "on the map: {units}", units=there)
    missing = [coming.unit for coming in units_overdue(view, duty.side, duty.turn)]
    if missing:
        text = "due in an earlier turn and not in the position: {units} (UNIT arrives=TURN if they have not come)"
        yield finding("possible", "16.0", text, units=missing)
    if not (due or there or missing):
        yield finding("impossible", "16.1", "no unit is stated to arrive (UNIT arrives={turn})", turn=duty.turn)


def judge_waiting(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which units that a schedule brings this turn, or their counters, still wait: that is recorded as the phase
    ends, so that they stay due. It is their entry that is owed, not the record.
    """
    units = [each for each in units_due(view, duty.side, duty.turn) if view.state.value(ARRIVES, each.unit) is None]
    changes = list[AnyChange]()
    for coming in units:
        if coming.unit not in view.state.units:
            changes.append(bring_unit(view, coming.unit, None, "16.0"))
        changes.append(Change(ARRIVES, coming.unit, None, coming.turn, "16.0"))
    if units:
        names = [coming.unit for coming in units]
        yield finding("possible", "16.0", "{units}, unless they enter first", units=names, changes=changes)
    else:
        yield finding("impossible", "16.0", "no unit waits, or all that wait are recorded")


def judge_call(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether the Western Front reinforcements may be called, or have been; in GT 10 they are called anyway."""
    call = read_call(view, duty.turn)
    score = format_score(score_of_call(duty.turn))
    reasons = list_bars(call.bars_of_call)
    if call.called:
        yield finding("done", "22.1", "called in GT {called}", called=call.called)
    elif call.is_made_anyway():
        made = changes_of_call(view, duty.side, duty.turn)
        yield finding("owed", "22.1", "they are called in any case: {score}", changes=made, score=score)
    elif reasons:
        is_late = duty.turn > LAST_CALL and call.maps != "south" and call.used
        state: ItemState = "possible" if is_late else "impossible"
        yield finding(state, "22.1", "{why}", why=reasons[0].text)
    else:
        yield finding("possible", "22.1", "{score} for a call now", score=score)


def judge_armies(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which new armies come into play, or may, and what the others wait for."""
    for kind in NEW_ARMIES.values():
        army = kind(view=view, turn=duty.turn)
        if army.side != duty.side:
            continue
        if army.formed:
            yield finding("done", army.rule, "{army}: in play since GT {formed}", army=army.called, formed=army.formed)
        elif reasons := army.list_bars():
            yield finding("impossible", army.rule, "{army}: {why}", army=army.called, why=reasons[0].text)
        else:
            state: ItemState = "owed" if army.is_owed() else "possible"
            ask = f"activate army={quoted(army.army)}"
            yield finding(state, army.rule, "{army}: {why}", ask=ask, army=army.called, why=army.why)


def judge_ninth(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether it is recorded that the Ninth Army might be formed, which its owner may put off."""
    if view.integer(NINTH_FREE) or duty.turn >= LAST_NINTH or Ninth(view=view, turn=duty.turn).list_bars():
        yield finding("impossible", "22.2", "nothing to record about the Ninth Army")
    else:
        made = [changed(view, NINTH_FREE, "", duty.turn, "22.2")]
        yield finding("owed", "22.2", "it may be formed from GT {turn} on", changes=made, turn=duty.turn)


def judge_activation(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield what the scenario activates this turn, by the rows of its schedule, and which units that frees to move.
    Rule: 28.3
    """
    nations = view.game.file.sides.get(duty.side, ())
    given = [order for order in orders(view, ACTIVATE) if order.who in ("", duty.side, *nations)]
    due = [order for order in given if is_carried_out(order.turn, duty.turn)]
    own = [belongings(view, unit.id) for unit in view.units() if view.side_of(unit.id) == duty.side]
    active = [unit for unit in own if ordered_turn(given, unit) == duty.turn]
    for order in due:
        units = [unit.unit for unit in active if ordered_turn([order], unit)]
        yield finding("done", "28.3", "active from now on: {text}", units=units, text=order.in_words)
    if not due:
        yield finding("possible", "28.3", "no schedule names anything for this turn")
