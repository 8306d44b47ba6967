"""The questions `turn`, the open steps of the present phase, and `next`, the following phase (chapter 5).

This module has the steps that begin and end a player turn, and those of the Inter-Phase; `movement` has the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from assistant.asking import View, if_known
from assistant.asking.case import list_bars
from assistant.asking.view import changed
from assistant.rules.field.movement import bring_unit
from assistant.rules.phase_now import Duty, ItemState, Judges, StepFinding
from assistant.rules.turns import finding, of_position, turn_questions
from assistant.state.changes import AnyChange, Change
from assistant.state.points import format_points
from assistant.state.state import Unit
from assistant.util.errors import InputError, quoted

from ..arrivals.entry import arriving_units, is_returning, is_withdrawn, units_due, units_overdue, withdrawal_turns
from ..arrivals.new_armies import (
    LAST_CALL_TURN,
    LAST_NINTH_ARMY_TURN,
    NEW_ARMIES,
    NINTH_FREE,
    Ninth,
    changes_of_call,
    format_score,
    read_call,
    score_of_call,
)
from ..attachment.breaches import list_findings, read_displays
from ..attachment.przemysl import misplaced_formations
from ..entering.arrival import March
from ..entering.consequences import find_consequences
from ..forces.activation import ACTIVATE, belongings, ordered_turn, orders, release_of
from ..forces.armies import Breach, area, is_asset_unit, judge, side_of_army
from ..forces.departures import ARRIVES, DEPARTED, WITHDRAWN, depart, departure_of, pass_box
from ..forces.leaders import BEGAN_IN_EIGHTH_TRACK, EIGHTH_ARMY, keeps_assets
from ..forces.markers import turn_half_markers
from ..forces.objectives import bound_forces, force_title
from ..ground.calendar import TITLES, campaign_is_unstated, possible_weather, record_entry
from ..ground.hexsides import leads_to_box
from ..leaders import francois
from ..leaders.command import LAST_TURN_RULING, Leader, every_leader, last_turn, turns_on_reading, uses_left
from ..leaders.facts import is_agreed, read_uses
from ..movement.cavalry_retirement import retiring_cavalry
from ..plans.facts import PlanOfForce, asks_for_control
from ..railways.rail_points import (
    ALLOTMENTS_TRACK,
    MAX_SPECIAL_ALLOTMENTS,
    POOLS,
    RAIL,
    RENEWAL_TRACK,
    RailPool,
    has_taken_now,
    renew_pools,
    renewal_changes,
    renewed_pools,
    why_no_special,
)
from ..replacements.rules import NAMES, POINTS, find_takers, nations_in, points_left, reduced_units
from ..substitutions.facts import SUBSTITUTE_FOR, exchanged_for, read_substitution, substitutes_of, with_substitutes
from ..terms import BUKOWINA_BOX, HALF_HEXES, RUINED_BATTERY, VISTULA_BATTERIES
from .movement import (
    is_carried_out,
    judge_bridgeheads,
    judge_destinations,
    judge_displacement,
    judge_forced_marches,
    judge_francois,
    judge_garrison,
    judge_intercepts,
    judge_markers,
    judge_plan_moves,
    judge_prepared_attacks,
    judge_rail,
    judge_retreats,
    judge_stacks,
    judge_tasks,
)

SUBSTITUTED = "substituted"
"""The track of a Withdrawal Indicator with an S."""
DONE = "supply-phase-done"
"""The track of the game turn in which a side last carried out its Supply Phase."""
WORDS = {
    "exchange": "{units} takes the place of {exchanged}",
    "reinforcement": "{units} enters as a reinforcement, as {destroyed} has been destroyed",
    "never": "{units} is never formed, as {destroyed} have been destroyed",
}
"""The templates on the arrival of substitutes, by kind."""

# --- the start of a player turn ---------------------------------------------------------------------------------------


def rolls_for_weather(turn: int, stated: str) -> bool:
    """Return whether the Russian player must still roll for the weather.

    `stated`: the weather, or "" if it is not stated.

    Rule: 5.3.1b
    """
    return len(possible_weather(turn)) > 1 and not stated


def judge_weather(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether the weather of the turn is known."""
    stated = view.word("weather")
    if rolls_for_weather(duty.turn, stated):
        special = TITLES[possible_weather(duty.turn)[-1]]
        yield finding("owed", "5.3.1b", "not rolled yet; it may be {weather}", weather=special)
    else:
        now = TITLES[stated or possible_weather(duty.turn)[0]]
        yield finding("done", "5.3.1b", "{weather} in GT {turn}", weather=now, turn=duty.turn)


def judge_reinforcements(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the units that arrive this turn, or have waited, and are not on the map yet."""
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
    """Yield the units of this turn's schedule that still wait, or their counters.

    They are recorded as the phase ends, so that they stay due. It is their entry that is due, not the record.
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


def judge_withdrawals(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the units withdrawn this turn, with the effects of their departure."""
    turns = withdrawal_turns(view, duty.turn)
    going = [unit for unit in _list_units(view, duty.side) if is_withdrawn(turns.get(unit.id), duty.turn)]
    there = [unit.id for unit in going if unit.place is not None]
    if there:
        leaving = depart(view, there, WITHDRAWN)
        following = find_consequences(view, [March((name,), departs=True) for name in there]).changes
        changes = (*leaving, *following)
        yield finding("owed", "16.5", "to be removed from the map: {units}", units=there, changes=changes)
    waiting = [unit.id for unit in going if unit.place is None and view.integer(ARRIVES, unit.id)]
    waiting = [unit for unit in waiting if not departure_of(view, unit)]
    if waiting:
        gone = [changed(view, DEPARTED, unit, WITHDRAWN, "16.5") for unit in waiting]
        text = "withdrawn while they wait, so that they do not enter: {units}"
        yield finding("owed", "16.5", text, units=waiting, changes=gone)
    if not (there or waiting):
        text = "no unit on the map has a Withdrawal Indicator of GT {turn} or before"
        yield finding("impossible", "16.5", text, turn=duty.turn)


def judge_substitutions(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the units that may replace others this turn, and the bars to the rest.

    An S on a counter announces a substitute.

    Rule: 16.2
    """
    view = with_substitutes(view)
    coming = substitutes_of(view, duty.side, duty.turn)
    named = [name for name in coming if view.word(SUBSTITUTE_FOR, name)]
    for name in coming:
        ask = f"substitute unit={quoted(name)}"
        if name not in named:
            yield finding("possible", "16.2.3", "{units} is ready", units=[name], ask=ask)
            continue
        try:
            known = read_substitution(view, view.unit(name), exchanged_for(view, name))
        except InputError as error:
            yield _judge_absent_unit(view, name, exchanged_for(view, name), error)
            continue
        if known.reasons:
            why, *_ = known.reasons
            yield finding("impossible", why.rule, "{units}: {why}", units=[name], why=why.text)
        else:
            state: ItemState = "possible" if known.voluntary else "owed"
            exchanged = tuple(old.id for old in known.units)
            gone = known.destroyed
            text = WORDS[known.kind]
            yield finding(state, "16.2", text, units=[name], ask=ask, exchanged=exchanged, destroyed=gone)
    taken = {old for name in named for old in exchanged_for(view, name)}
    marked = [unit.id for unit in _list_units(view, duty.side) if unit.place and view.flag(SUBSTITUTED, unit.id)]
    marked = [unit for unit in marked if unit not in taken]
    if marked:
        text = "with an S on the counter: {units}; a substitute that arrives this turn takes the place of its unit"
        yield finding("possible", "16.2", text, units=marked)
    elif not coming:
        yield finding("impossible", "16.2", "no unit on the map is stated to bear an S (substituted)")


def _judge_absent_unit(view: View, name: str, olds: Sequence[str], error: InputError) -> StepFinding:
    """Return the finding on a substitute while the unit that it would replace is absent.

    It waits, unless the fate of that unit is not stated.
    """
    why = error.what.removeprefix("exchanged: ")
    gone = [old for old in olds if old not in view.state.units]
    if not gone:
        return finding("impossible", "16.2", "{units} waits: {why}", units=[name], why=why)
    ask = f"substitute unit={quoted(name)} destroyed={','.join(map(quoted, gone))}"
    text = "{units}: {why}; state where it stands, or that it has been destroyed"
    return finding("undecided", "16.2.1", text, units=[name], ask=ask, why=why)


def judge_releases(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the units that their Movement Restriction dot, or a row of the scenario, releases this turn."""
    dotted = [unit.id for unit in _list_units(view, duty.side) if view.word("restriction", unit.id) != "none"]
    free = [unit for unit in dotted if is_carried_out(release_of(view, unit) or None, duty.turn)]
    if free:
        yield finding("done", "3.3.5", "free to move from now on: {units}", units=free)
    else:
        yield finding("impossible", "3.3.5", "no Movement Restriction dot shows GT {turn}", turn=duty.turn)


def _list_units(view: View, side: str) -> list[Unit]:
    return [unit for unit in view.units() if view.side_of(unit.id) == side]


def judge_leaders(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the leaders of a side whose command begins or ends this turn, with their markers (25.0)."""
    own = [leader for leader in every_leader() if view.game.side_of(leader.nation) == duty.side]
    own = [leader for leader in own if is_agreed(view, leader) and (view.flag("campaign") or not leader.campaign)]
    near = (duty.turn, duty.turn - 1)
    reading = view.ruling(LAST_TURN_RULING, any(turns_on_reading(leader, turn) for leader in own for turn in near))
    used = read_uses(view)

    def ends_now(leader: Leader) -> bool:
        last = last_turn(leader, reading)
        return bool(last) and duty.turn == last + 1 and (not leader.uses or uses_left(leader, used) > 0)

    gone = [leader for leader in own if ends_now(leader)]
    come = [leader for leader in own if leader.first == duty.turn]
    for leader in gone:
        text = "{leader} no longer commands the {command}: his marker comes off"
        yield finding("done", leader.rule, text, leader=leader.title, command=leader.of)
    for leader in come:
        text = "{leader} commands the {command} from now on: his marker is placed with it"
        yield finding("done", leader.rule, text, leader=leader.title, command=leader.of)
    if not (gone or come):
        text = "no leader of this side begins or ends his command in GT {turn}"
        yield finding("impossible", "25.0", text, turn=duty.turn)


def judge_assets_of_eighth(view: View) -> Iterator[StepFinding]:
    """Yield the Asset Units that begin the turn in the area of the Eighth Army, where Francois holds them (25.6.2)."""
    with view.gather() as facts:
        keeps = keeps_assets(facts)
    if not keeps:
        why = "Francois does not command the Eighth Army: campaign, leaders=francois, GTs 24 to 33"
        yield finding("impossible", francois.KEEPS_RULE, why)
        return
    hexes = area(view, EIGHTH_ARMY)
    if hexes is None:
        text = 'the area of the Eighth Army is not stated (army "central-powers Eighth" area=HEXES)'
        yield finding("owed", francois.KEEPS_RULE, text)
        return
    own = [unit for unit in view.units() if unit.place and view.side_of(unit.id) == EIGHTH_ARMY.partition(" ")[0]]
    assets = [unit for unit in own if is_asset_unit(view, unit.id)]
    new = [unit for unit in assets if view.fact(BEGAN_IN_EIGHTH_TRACK, unit.id) is None]
    if new:
        changes = [
            changed(view, BEGAN_IN_EIGHTH_TRACK, unit.id, unit.place in hexes, francois.KEEPS_RULE) for unit in new
        ]
        inside = [unit.id for unit in new if unit.place in hexes]
        text = "to be noted: [units:{units} in its area|no Asset Unit is in its area]"
        yield finding("owed", francois.KEEPS_RULE, text, units=inside, changes=changes)
    else:
        inside = [unit.id for unit in assets if view.flag(BEGAN_IN_EIGHTH_TRACK, unit.id)]
        yield finding("done", francois.KEEPS_RULE, "noted: {units}", units=inside)


def judge_batteries(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the batteries along the Vistula that are still to be placed under the optional rule.

    They have not been destroyed, and no enemy holds their hex.

    Rule: 22.4.3
    """
    waiting = {unit: hex for unit, hex in VISTULA_BATTERIES.items() if unit not in view.state.units}
    waiting = {unit: hex for unit, hex in waiting.items() if not view.flag(RUINED_BATTERY, hex)}
    free = {unit: hex for unit, hex in waiting.items() if _is_free_of_enemies(view, hex, duty.side)}
    if free and view.flag("vistula-batteries"):
        placed = [bring_unit(view, unit, hex, "22.4.3") for unit, hex in free.items()]
        yield finding("owed", "22.4.3", "{units}", units=free, places=free.values(), changes=placed)
    else:
        text = "the optional rule is not in force (vistula-batteries), or none is left to place"
        yield finding("impossible", "22.4.3", text)


def _is_free_of_enemies(view: View, hex: str, side: str) -> bool:
    return all(view.side_of(unit.id) in ("", side) for unit in view.stack(hex))


def judge_activation(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the activations of this turn by the scenario's schedule, and the units that may then move.

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


def judge_armies(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the new armies that come into play or may, and the conditions of the others."""
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
    """Yield whether the possible formation of the Ninth Army is recorded; its owner may postpone it."""
    if view.integer(NINTH_FREE) or duty.turn >= LAST_NINTH_ARMY_TURN or Ninth(view=view, turn=duty.turn).list_bars():
        yield finding("impossible", "22.2", "nothing to record about the Ninth Army")
    else:
        made = [changed(view, NINTH_FREE, "", duty.turn, "22.2")]
        yield finding("owed", "22.2", "it may be formed from GT {turn} on", changes=made, turn=duty.turn)


def judge_call(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether the Western Front reinforcements may be called, or have been; in GT 10 they are called in any case."""
    call = read_call(view, duty.turn)
    score = format_score(score_of_call(duty.turn))
    reasons = list_bars(call.bars_of_call)
    if call.called:
        yield finding("done", "22.1", "called in GT {called}", called=call.called)
    elif call.is_made_anyway():
        made = changes_of_call(view, duty.side, duty.turn)
        yield finding("owed", "22.1", "they are called in any case: {score}", changes=made, score=score)
    elif reasons:
        is_late = duty.turn > LAST_CALL_TURN and call.maps != "south" and call.used
        state: ItemState = "possible" if is_late else "impossible"
        yield finding(state, "22.1", "{why}", why=reasons[0].text)
    else:
        yield finding("possible", "22.1", "{score} for a call now", score=score)


def judge_attachment(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether the stated attachments of the side break a rule."""
    every, _ = judge(list_findings(read_displays(view)))
    breaches = [breach for breach in every if not breach.tolerated]
    own = {unit.id for unit in _list_units(view, duty.side)}
    wrong = dict[tuple[str, str], list[Breach]]()
    for breach in breaches:
        if breach.concerns & own or side_of_army(breach.about) == duty.side:
            wrong.setdefault((breach.rule, breach.why), []).append(breach)
    for (rule, why), alike in wrong.items():
        units = sorted(own & {name for breach in alike for name in breach.concerns})
        about = [breach.about for breach in alike]
        yield finding("owed", rule, "{about}: {why}", units=units, about=about, why=why)
    if "austro-hungarian" in view.game.file.sides[duty.side]:
        for name, why in misplaced_formations(view):
            wrong["23.6", why] = []
            yield finding("owed", "23.6", "{units}: {why}", units=[name], ask=f"attach unit={quoted(name)}", why=why)
    if not wrong:
        yield finding("possible", "6.2", "nothing stated breaks a rule of attachment")


def judge_abandonment(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the plans that the side may abandon, each with its present cost."""
    forces = bound_forces(view, duty.side)
    plans = [PlanOfForce(view, force, duty.turn).read() for force in forces]
    for plan in [plan for plan in plans if not plan.outcome]:
        ask = f"abandon army={quoted(plan.force)}"
        text = "{force}[known:, which costs {cost:#Victory Point}]"
        force = force_title(view, plan.force)
        yield finding("possible", "21.3", text, ask=ask, force=force, cost=plan.cost, known=plan.cost is not None)
    if not plans:
        yield finding("impossible", "21.3", "no plan of the side is stated to be in force")


def judge_pontoons(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the Corps Trains that have laid a pontoon bridge, and whether others may."""
    on_map = [unit.id for unit in _list_units(view, duty.side) if unit.place]
    trains = [unit for unit in on_map if view.word("arm", unit) == "corps-train"]
    builders = [unit for unit in trains if view.flag("pontoon-laid", unit)]
    free = [unit for unit in trains if unit not in builders and not view.flag("entrained", unit)]
    if builders:
        yield finding("done", "18.2", "laid by {units}", units=builders)
    if free:
        yield finding("possible", "18.0", "{units} can lay one", units=free)
    elif not builders:
        yield finding("impossible", "18.0", "the side has no Corps Train on the map that could lay one")


def judge_supply(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether the side has completed its Supply Phase of this turn."""
    if is_carried_out(view.integer(DONE, duty.side) or None, duty.turn):
        yield finding("done", "5.4.4", "carried out in GT {turn}", turn=duty.turn)
    else:
        ask = f"supply-phase side={duty.side}"
        yield finding("owed", "5.4.4", "not carried out yet", ask=ask)


def judge_railheads(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the RR hexes converted this turn, and the RR Engineer points left."""
    converted = sorted(hex for hex in view.stated_about.get("converted", ()) if view.flag("converted", hex))
    if converted:
        yield finding("done", "17.1.2", "converted this turn: {places}", places=converted)
    points = [*_list_points_of_turn(view, view.game.file.sides[duty.side])]
    text = "[points:RR Engineer points of the turn: {points}|the turn record shows the RR Engineer points]"
    yield finding("possible", "17.1.2", text, points=points)


def _list_points_of_turn(view: View, nations: Iterable[str]) -> Iterator[str]:
    """Yield the RR Engineer points that the turn record shows for nations, with those for the home country apart."""
    for nation in nations:
        entry = record_entry(view, f"{nation}-engineers")
        if entry:
            yield f"{view.title_of(nation)} {entry}"
        at_home = record_entry(view, f"{nation}-home-engineers")
        if at_home:
            yield f"{view.title_of(nation)} {at_home.strip('()')} for Germany alone"


# --- the end of a player turn, and the Inter-Phase --------------------------------------------------------------------


def judge_retirement(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the cavalry of the phasing side that may or must retire a hex."""
    yield from retiring(view, duty.side)


def judge_retirement_of_the_other_side(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the cavalry of the other side that may or must retire a hex."""
    yield from retiring(view, next(side for side in view.game.file.sides if side != duty.side))


def retiring(view: View, side: str) -> Iterator[StepFinding]:
    """Yield the cavalry of a side that may or must retire a hex.

    Only the units' own side knows which must if their status is hidden from the viewpoint.

    Rule: 5.4.10a
    """
    cavalry = retiring_cavalry(view, side)
    free = [unit.id for unit, (_, why) in cavalry.items() if not why]
    for unit, (rule, why) in cavalry.items():
        if not why:
            continue
        text = "{units} in {places} {why} and must retire"
        ask = f"cavalry unit={quoted(unit.id)} when=retirement"
        yield finding("owed", rule, text, units=[unit.id], places=[str(unit.place)], ask=ask, why=why)
    if free:
        ask = f"cavalry unit={quoted(free[0])} when=retirement"
        yield finding("possible", "9.2", "possible for {units}", units=free, ask=ask)
    if not cavalry:
        yield finding("impossible", "9.2", "no cavalry that is adjacent to an enemy has a hex to retire to")


def judge_half(view: View) -> Iterator[StepFinding]:
    """Yield the Combat Strength 1/2 markers that come off or are turned."""
    turned = list(turn_half_markers(view))
    off = [change.subject for change in turned if change.track == "half"]
    final = [change.subject for change in turned if change.after]
    if turned:
        clauses = list[str]()
        if off:
            clauses.append("those of {off} come off")
        if final:
            clauses.append("those of {final_side} are turned to Final")
        text = "; ".join(clauses)
        yield finding("owed", "8.2.5", text, units=(*off, *final), changes=turned, off=off, final_side=final)
    else:
        yield finding("impossible", "8.2.5", "no unit bears one")


def judge_half_hexes(view: View) -> Iterator[StepFinding]:
    """Yield the units in a half-hex that enter the Bukowina Holding Box as a player turn of either side ends.

    Rule: 23.4.1
    """
    there = (unit for hex in HALF_HEXES for unit in view.stack(hex))
    left = [unit for unit in there if leads_to_box(str(unit.place), {view.word("nation", unit.id)})]
    if left:
        changes = [change for unit in left for change in pass_box(view, unit.id, BUKOWINA_BOX, None)]
        units = [unit.id for unit in left]
        places = [*dict.fromkeys(str(unit.place) for unit in left)]
        yield finding("owed", "23.4.1", "{units} of {places}", units=units, places=places, changes=changes)
    else:
        yield finding("impossible", "23.4.1", "no unit stands in one")


def judge_plans(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the plans of either side that are achieved as the Player Turn ends."""
    forces = bound_forces(view)
    with view.gather() as facts:
        plans = [PlanOfForce(view, force, duty.turn).read(measured=False) for force in forces]
        for plan in plans:
            for ask in asks_for_control(view, plan):
                facts.ask(ask)
    going_on = list[str]()
    for plan in plans:
        changes = PlanOfForce(view, plan.force, duty.turn).end_of_player_turn(plan, duty.side)
        force = force_title(view, plan.force)
        if changes and not plan.outcome:
            text = "{force} has captured {places}: its plan is achieved[gain:, {gain:#Victory Point}]"
            places = [objective.hex for objective in plan.captured]
            yield finding("owed", "21.2", text, places=places, changes=changes, force=force, gain=plan.gain)
        elif changes:
            text = "{force} has already achieved its plan and is free from the next Player Turn on"
            yield finding("owed", "21.1", text, changes=changes, force=force)
        elif plan.outcome:
            text = "{force} has achieved its plan, which binds it until its side's next Player Turn"
            yield finding("done", "21.1", text, force=force)
        else:
            going_on.append(force)
    if going_on:
        yield finding("impossible", "21.2", "no objective of {forces} is captured", forces=going_on)


def judge_rail_points(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the nations whose Rail Points are still to be renewed, with the known allotments."""
    nations = {view.word("nation", unit.id) for unit in view.units()} | set(view.stated_about.get(RAIL, ()))
    for nation in POOLS:
        if nation not in nations:
            continue
        title = view.title_of(nation)
        if is_carried_out(view.integer(RENEWAL_TRACK, nation) or None, duty.turn):
            yield finding("done", "5.2.1", "{nation}: renewed after GT {turn}", nation=title, turn=duty.turn)
            continue
        kept = {pool: points for pool, points in renewed_pools(view, nation, duty.turn).items() if _is_kept(view, pool)}
        known = {pool: points for pool, points in kept.items() if points is not None}
        if len(known) < len(kept):
            text = "{nation}: the allotment is not known"
            ask = f"rail-points renew=yes nation={nation}"
            yield finding("owed", "5.2.1", text, ask=ask, nation=title)
            continue
        renewed = renew_pools(kept, known)
        made = list(renewal_changes(view, renewed, duty.turn))
        points = [f"{pool.kind} {format_points(points)}" for pool, points in renewed.items()]
        yield finding("owed", "5.2.1", "{nation}: {points}", changes=made, nation=title, points=points)


def _is_kept(view: View, pool: RailPool) -> bool:
    """Return whether a pool is renewed: Rail Points always, other points if they are stated."""
    return pool.kind == RAIL or view.fact(pool.kind, pool.nation) is not None


def judge_replacements(view: View) -> Iterator[StepFinding]:
    """Yield the nations with replacements left, and the units that may take them; the rest is lost. Rule: 15.1"""
    nations = nations_in(view, reduced_units(view))
    able = {(nation, points): find_takers(view, nation, points) for nation in nations for points in POINTS.values()}
    for (nation, points), units in able.items():
        if units:
            left = points_left(view, nation, points)
            if left:
                text = "{nation}: {number} {kind}s left, which are lost if not allocated now, for {units}"
            else:
                text = "{nation}: how many {kind}s there are is not known; {units} may take some"
            title = view.title_of(nation)
            kind = NAMES[points]
            yield finding("possible", "15.1", text, units=units, nation=title, number=left, kind=kind)
    if not any(able.values()):
        yield finding("impossible", "15.1", "no reduced unit can take any")


def judge_special_allotment(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the Central Powers that may take a special allotment of Rail Points, or why none may.

    Rule: 8.2.9
    """
    had = any(has_taken_now(view, ally, duty.turn) for ally in MAX_SPECIAL_ALLOTMENTS)
    reasons = dict[str, str]()
    for ally in MAX_SPECIAL_ALLOTMENTS:
        why = why_no_special(ally, view.integer(ALLOTMENTS_TRACK, ally), campaign=view.flag("campaign"), had=had)
        reasons[ally] = why[0].text if why else ""
    free = [ally for ally, why in reasons.items() if not why]
    if free:
        left = [
            f"{view.title_of(ally)}: {MAX_SPECIAL_ALLOTMENTS[ally] - view.integer(ALLOTMENTS_TRACK, ally)} left"
            for ally in free
        ]
        ask = f"rail-points renew=yes special={free[0]}"
        yield finding("possible", "8.2.9", "{allotments:+}", ask=ask, allotments=left)
        return
    alike = list(dict.fromkeys(reasons.values()))
    whose = [f"{view.title_of(ally)}: {why}" for ally, why in reasons.items()] if len(alike) > 1 else alike
    text = "{reasons:+}[unstated:; state `campaign` if this is one]"
    yield finding("impossible", "8.2.9", text, reasons=whose, unstated=campaign_is_unstated(view))


# --- the questions ----------------------------------------------------------------------------------------------------


JUDGES: Judges = {
    "weather": judge_weather,
    "reinforcements": judge_reinforcements,
    "waiting": judge_waiting,
    "withdrawals": judge_withdrawals,
    "substitutions": judge_substitutions,
    "releases": judge_releases,
    "leaders": judge_leaders,
    "assets-of-eighth": of_position(judge_assets_of_eighth),
    "francois": of_position(judge_francois),
    "batteries": judge_batteries,
    "activation": judge_activation,
    "armies": judge_armies,
    "ninth-army": judge_ninth,
    "call": judge_call,
    "attachment": judge_attachment,
    "abandonment": judge_abandonment,
    "pontoons": judge_pontoons,
    "supply": judge_supply,
    "railheads": judge_railheads,
    "tasks": judge_tasks,
    "rail": judge_rail,
    "intercepts": judge_intercepts,
    "forced-marches": judge_forced_marches,
    "markers": judge_markers,
    "plan-moves": judge_plan_moves,
    "stacks": judge_stacks,
    "garrison": judge_garrison,
    "displacement": of_position(judge_displacement),
    "destinations": of_position(judge_destinations),
    "bridgeheads": of_position(judge_bridgeheads),
    "retreats": of_position(judge_retreats),
    "prepared-attacks": judge_prepared_attacks,
    "retirement": judge_retirement,
    "retirement-after": judge_retirement_of_the_other_side,
    "half": of_position(judge_half),
    "half-hexes": of_position(judge_half_hexes),
    "plans": judge_plans,
    "rail-points": judge_rail_points,
    "replacements": of_position(judge_replacements),
    "special-allotment": judge_special_allotment,
}
"""The functions that judge the steps of a phase, by the names of the steps in `course.toml`."""
TURN, NEXT = QUESTIONS = turn_questions(JUDGES)
