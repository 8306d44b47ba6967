"""Whether units can be together in a hex by the end of a game turn, each on its own way (8.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from assistant.asking import InputError, Part, Report, Step, View, step, verdict
from assistant.asking.bounds import LEFT_OUT
from assistant.asking.permission import holding, permission
from assistant.rules.field import side_of
from assistant.rules.field.movement import GROUND, unknown_steps
from assistant.state.state import Unit

from ...forces.leaders import owes_khan
from ...ground.calendar import PHASES
from ...ground.chart import Chart
from ...ground.hexsides import assume_zones
from ...ground.phases import player_order
from ...leaders import francois, khan
from ...terms import SAY
from .assembly import Coming, Finder, check_until, phases_until, read_moment
from .dice import dice_to_come, owes_francois
from .overstacking import hexes_over_limit
from .prices import PricedMap
from .reach import all_zones
from .reach_units import ReachParameters, ReachResult, check_meeting_units
from .zones import note_areas_left_out


def report_meeting(view: View, parameters: ReachParameters, to: str) -> Report[ReachResult]:
    """Return the report on whether units can be together in a hex by the end of a turn. Raises as `answer`."""
    units = check_meeting_units(view, parameters, to)
    with view.gather() as facts:
        side, *others = dict.fromkeys(side_of(facts, unit) for unit in units)
        around, zones = all_zones(facts, side)
        now = read_moment(facts)
    if others:
        raise InputError("units: the units are of both sides", hint="ask for units of one side")
    until = parameters.until or now.turn
    check_until(now.turn, until)
    moving = phases_until(side, now, until, player_order(view))
    with view.gather() as cells:
        prices = PricedMap(view, Chart(cells))
        fields, forced = (around, zones), parameters.forced
        coming = tuple(Finder(facts, fields, prices, moving, forced, unit, to).come() for unit in units)
    _suppose_free(view, units, {slot.turn for slot in moving if not slot.present})
    ways = {hex for each in coming for leg in each.legs for hex in leg.way}
    assume_zones(around, ways)
    note_areas_left_out(around, units, sorted(ways))
    view.premises.assume(step("5.4.6", "enemy units stay where they are, and the weather as it is"))
    result = ReachResult(
        unit=units[0].id,
        at=str(units[0].place),
        allowance=0,
        units=tuple(unit.id for unit in units),
        to=to,
        until=until,
        coming=coming,
    )
    return _report_coming(view, result, forced=parameters.forced)


def _report_coming(view: View, result: ReachResult, *, forced: bool) -> Report[ReachResult]:
    """Return the report on how units come to a hex. forced: whether they may make a Forced March."""
    coming = result.coming
    title = f"{', '.join(result.units)} in {result.to} by GT {result.until}"
    unsure = [each for each in coming if each.unknown]
    if unsure:
        unknown = sorted({hex for each in unsure for hex in each.unknown})
        text = "undecided: no way of {late} to {to} by the end of GT {until} is known; " + GROUND
        return Report(
            title=title,
            verdict=verdict("undecided", text, result, late=[each.unit for each in unsure], unknown=len(unknown)),
            parts=(Part(LEFT_OUT, tuple(unknown_steps(unknown, "8.1"))),),
            result=result,
        )
    late = [each.unit for each in coming if not each.arrives]
    with view.gather() as facts:
        over = not late and any(hexes_over_limit(facts, dict.fromkeys(result.units, result.to)))
    too_late = "{late} cannot be in {to} by the end of GT {until}"
    if not forced:
        too_late += " without a Forced March"
    reasons = (
        (late, "8.1", too_late),
        (over, "4.2.1", "{to} would hold more than may stay at the end of a movement phase (ask stack)"),
    )
    ways = list[Step]()
    for each in coming:
        ways += _coming_steps(view, each, result.to)
    return permission(
        title,
        ("{units} can be in {to} by the end of GT {until}", "{why}"),
        holding(reasons, result, late=late),
        result,
        working={"Ways": ways},
        sentences=[SAY("8.1", "reach.together", result)],
    )


def _suppose_free(view: View, units: Sequence[Unit], turns: Collection[int]) -> None:
    """Note the units that roll for leaders before they move, now or in later phases, which are supposed to be free.

    turns: the game turns of those phases.
    """
    with view.gather() as facts:
        later, corps = dice_to_come(facts, units, turns)
        owing = [unit.id for unit in units if unit.id in later or owes_khan(facts, unit)]
        if owing:
            text = "{units} do not roll a 5 or 6 for Khan Nakhichevanski"
            view.premises.assume(step(khan.MOVES, text, units=owing))
        if corps or owes_francois(facts, units):
            view.premises.assume(step(francois.CLOSE, "the German 1st Corps does not roll a 6"))


def _coming_steps(view: View, coming: Coming, to: str) -> Iterator[Step]:
    """Yield how a unit comes to a hex, phase by phase."""
    if not coming.legs:
        yield step("8.1", "{unit} is in {to} already", coming, to=to)
    for leg in coming.legs:
        text = "{unit}, GT {turn}, {whose} player turn, {phase}: {way}" + (" by Forced March" if leg.forced else "")
        whose = view.game.file.title_of(leg.phasing)
        yield step("8.3" if leg.forced else "8.1", text, leg, coming, whose=whose, phase=PHASES[leg.phase])
