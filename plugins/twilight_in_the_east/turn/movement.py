"""The open steps of a phase in which a side moves or attacks, and the checks at its end (5.4.6 to 5.4.9).

They concern tasks, Rail Mode, Forced Marches, Prepared Attack markers, Strategic Plans, stacks, displacement,
bridgeheads and retreats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import floor
from typing import NamedTuple

from msgspec.structs import replace

from assistant.asking import Gather, Step, View, holding
from assistant.asking.permission import Clause
from assistant.asking.view import changed
from assistant.rules.phase_now import Duty, StepFinding
from assistant.rules.turns import finding
from assistant.state.state import Unit
from assistant.util.errors import quoted
from assistant.util.memo import Memo

from ..combat.pieces import Piece, Pieces, Toll, beyond_limits
from ..concealment.cover import moved_units, option_of
from ..concealment.rules import bars_of_intercepts
from ..displacement.in_combat import Displacing, must_leave_hex, refuges_of
from ..entering.obligations import bridgehead_trigger, is_train_caught, may_be_bridgehead
from ..forces.account import PASSED_TRACK, Account, read_account
from ..forces.armies import is_shown
from ..forces.leaders import ends_too_far, is_held, is_with_francois
from ..forces.markers import BY_RAIL, TASK_COST, TASK_WORDS, marker_of
from ..forces.movement_points import allowance_now, bar_of_marker
from ..forces.objectives import bound_forces
from ..fortresses.warsaw import (
    COMPLETE,
    COMPLETED_TEXT,
    DEADLINE_TURN,
    completion,
    format_shortfall,
    garrison_units,
    is_place_of_garrison,
    must_be_complete,
    read_strength,
    shortfall,
)
from ..ground.calendar import COUNTER_PHASES, MOVEMENT_PHASES, active_side, in_campaign, phase_of
from ..ground.hexsides import around_side, assume_zones
from ..leaders import francois
from ..leaders.command import leader_named
from ..leaders.facts import is_agreed
from ..movement.bearers import Bearer, must_attack, read_bearer
from ..movement.ersatz import TASK as ERSATZ
from ..movement.ersatz import is_beset
from ..movement.march_check import marchers_of
from ..movement.trains import has_lost_destination, read_train
from ..plans.movement import goals_of
from ..railways.lines import RailLines, read_lines
from ..railways.routes import possible_rates
from ..railways.stations import Yards, station_capacity
from ..railways.transport import Train
from ..terms import DISPLACING, RETREAT_CAUSE

COUNTER_MOVEMENT = MOVEMENT_PHASES[1]
ASKS: Mapping[str, str] = {
    "recovery": "recover unit={unit} points={points}",
    "disorder": "recover unit={unit} points={points}",
    "position": "dig-in unit={unit} points={points}",
    **dict.fromkeys(BY_RAIL, "rail units={unit}"),
}
"""The question that carries a task on."""


def active_in(view: View, duty: Duty) -> str:
    """Return the side that is active in the phase."""
    return active_side(duty.phase.word, duty.side, tuple(view.game.file.sides))


def own_units(view: View, track: str, side: str) -> list[Unit]:
    """Return the units of a side on the map with a stated fact."""
    units = (view.state.units.get(name) for name in view.stated_about.get(track, ()))
    return [unit for unit in units if unit and unit.place is not None and view.side_of(unit.id) == side]


def is_carried_out(last: int | None, turn: int) -> bool:
    """Return whether an action allowed once a game turn has been carried out in this turn.

    `last`: the turn of the last time, or None if not stated.
    """
    return last == turn


def _count_points_left(view: View, account: Account, duty: Duty) -> Fraction | None:
    """Return the Movement Points that a unit has left without a Forced March, or None if unknown."""
    allowed = allowance_now(view, account.unit, duty.phase.word in COUNTER_PHASES)
    return None if allowed is None else max(allowed - account.total, Fraction(0))


# --- steps before units move, and unfinished tasks --------------------------------------------------------------------


def judge_intercepts(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether Wireless Intercepts may be rolled for this turn, before the Central Powers' units move (26.2.7)."""
    if is_carried_out(view.integer("intercepts") or None, duty.turn):
        yield finding("done", "26.2.7", "rolled for in GT {turn}", turn=duty.turn)
        return
    reasons = [*bars_of_intercepts(duty.turn, option_of(view), moved_units(view, duty.side))]
    if reasons:
        yield finding("impossible", "26.2.7", "{why}", why=reasons[0])
    else:
        yield finding("possible", "26.2.7", "not rolled for yet in GT {turn}", turn=duty.turn)


def judge_tasks(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the units with an unfinished task that must come first."""
    judged = 0
    with view.gather() as facts:
        for unit in own_units(view, "expended", active_in(view, duty)):
            marker = marker_of(facts, unit)
            account = read_account(facts, unit.id)
            if marker.points:
                judged += 1
                yield from _judge_task(facts, unit, account, _count_points_left(view, account, duty))
    if not judged:
        yield finding("impossible", "8.9.2", "no unit bears an MPs Expended marker")


def _judge_task(facts: Gather, unit: Unit, account: Account, left: Fraction | None) -> Iterator[StepFinding]:
    """Yield whether a unit with a marker still has to spend points on its task.

    `left`: the Movement Points, or None if unknown.
    """
    marker = marker_of(facts, unit)
    words = TASK_WORDS[marker.task]
    spent = account.spent.get(marker.task, Fraction(0))
    more = 0 if marker.task in BY_RAIL else TASK_COST - marker.points
    rule, why = bar_of_marker(facts, unit, marker.task)
    if why and marker.task not in BY_RAIL:
        text = "{unit} has begun {task}, but {why}"
        yield finding("impossible", rule, text, units=[unit.id], unit=unit.id, task=words, why=why)
    elif marker.task == ERSATZ and is_beset(facts, unit):
        text = "{unit} has begun {task}, but an enemy is adjacent to it"
        yield finding("impossible", "8.7.1", text, units=[unit.id], unit=unit.id, task=words)
    elif not task_goes_on(left, spent):
        text = "{unit} continues {task} in its next movement phase"
        yield finding("done", "8.9.2", text, units=[unit.id], unit=unit.id, task=words)
    elif waits := RailUnit(facts.view, unit, account, left).find_bar():
        text = "{unit} has begun {task}, but {why}"
        yield finding("impossible", waits.rule, text, units=[unit.id], unit=unit.id, task=words, why=waits.text)
    else:
        points = min(more, floor(left)) if left is not None else more
        ask = ASKS.get(marker.task, "").format(unit=quoted(unit.id), points=points)
        text = "{unit} has begun {task}[more: and needs {more:#more Movement Point}]"
        yield finding("owed", "8.9.2", text, units=[unit.id], ask=ask, unit=unit.id, task=words, more=more)


def task_goes_on(left: Fraction | None, spent: Fraction) -> bool:
    """Return whether a unit must still spend Movement Points of this phase on its task.

    It must while a whole point is left. Half a point does not count.

    `left`: the Movement Points left, or None if its allowance is not stated.
    `spent`: the points spent on the task in this phase.

    Rule: 8.9.2
    """
    return left >= 1 if left is not None else not spent


def judge_rail(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the units in Rail Mode with Movement Points left for moving on or detraining."""
    stated = own_units(view, "entrained", active_in(view, duty))
    entrained = [unit for unit in stated if view.flag("entrained", unit.id)]
    idle = list[str]()
    gone = list[str]()
    for unit in entrained:
        account = read_account(view, unit.id)
        arrived = unit.place == view.word("destination", unit.id)
        left = _count_points_left(view, account, duty)
        train = RailUnit(view, unit, account, left)
        idles = rail_unit_idles(left, account.total, arrived=arrived) and not account.ended
        if not idles or (not arrived and train.cannot_enter_the_next_hex()):
            gone.append(unit.id)
            continue
        if waits := train.find_bar():
            text = "{unit} waits: {why}"
            yield finding("impossible", waits.rule, text, units=[unit.id], unit=unit.id, why=waits.text)
        else:
            idle.append(unit.id)
    if idle:
        text = "units with Movement Points left: {units}"
        ask = f"rail units={','.join(map(quoted, idle))}"
        yield finding("owed", "8.2.3", text, units=idle, ask=ask)
    if gone:
        yield finding("done", "8.2.3", "no Movement Points left: {units}", units=gone)
    if not entrained:
        yield finding("impossible", "8.2.3", "no unit is in Rail Mode")


def rail_unit_idles(left: Fraction | None, spent: Fraction, *, arrived: bool = False) -> bool:
    """Return whether a unit in Rail Mode must still move or detrain (8.2.3).

    It may not leave Movement Points unspent. A fraction of a point is enough to move on, but not to detrain.

    `left`: the Movement Points left, or None if the unit's allowance is not stated.
    `spent`: all points spent in this phase.
    `arrived`: whether the unit is at its destination.
    """
    if left is None:
        return not spent
    return left >= 1 if arrived else left > 0


class RailUnit(NamedTuple):
    """A unit that moves by rail, entrains or detrains."""

    view: View
    unit: Unit
    account: Account
    left: Fraction | None
    """The Movement Points left, or None if unknown."""

    def find_bar(self) -> Step | None:
        """Return the bar to entraining, detraining or trans-shipping in this phase, or None.

        Rule: 8.2.6
        """
        view, name, hex = self.view, self.unit.id, str(self.unit.place)
        entrained = view.flag("entrained", name)
        arrived = entrained and hex == view.word("destination", name)
        at_station = arrived or (not entrained and view.word("task", name) == "entraining")
        if at_station:
            text = "the RR Station in {hex} serves no more in this phase"
            bars = holding([(self._is_station_full(hex), "8.2.6", text)], hex=hex)
        else:
            text = "it needs {lacking:#more Rail Point} to trans-ship in {hex}"
            lacking = self._count_points_lacking() if entrained else Fraction(0)
            bars = holding([(lacking, "17.2.2", text)], hex=hex, lacking=lacking)
        return bars[0] if bars else None

    def _is_station_full(self, hex: str) -> bool:
        """Return whether an RR Station cannot serve the unit any more in this phase.

        It cannot if it has less than a whole Rail Cost Point left, and less than the unit still needs.

        Rule: 8.2.6
        """
        view, name = self.view, self.unit.id
        capacity = station_capacity(counter=phase_of(view) in COUNTER_PHASES)
        room = Yards(capacity, {hex: view.points("station-used", hex)}).room(hex)
        known = view.fact("rail-cost", name) is not None
        needed = view.points("rail-cost", name) - view.integer("expended", name)
        return room < 1 and not (known and needed <= room)

    def _count_points_lacking(self) -> Fraction:
        """Return the Rail Points that a unit in Rail Mode lacks to trans-ship.

        They are counted at the lowest rate if the turn's is unknown.
        """
        if not self._is_named or self.view.word("nation", self.unit.id) != "russian" or self.left is None:
            return Fraction(0)
        train, lines = self._read_train()
        return min(each.points_lacking(train, self.left) for each in lines)

    @property
    def _is_named(self) -> bool:
        """Whether the unit's Rail Cost Points and destination are stated."""
        name = self.unit.id
        return self.view.fact("rail-cost", name) is not None and bool(self.view.word("destination", name))

    def cannot_enter_the_next_hex(self) -> bool:
        """Return whether the points left are too few for the next hex of the route, at any possible rate."""
        if self.left is None or self.left >= 1 or not self._is_named:  # one whole point always pays for the next hex
            return False
        train, lines = self._read_train()
        return all(each.stops_short(train, self.left) for each in lines)

    def _read_train(self) -> tuple[Train, list[RailLines]]:
        """Return a unit in Rail Mode with the railways of its side, at each possible rate."""
        side = self.view.side_of(self.unit.id)
        with self.view.gather() as facts:
            around = around_side(facts, side)
            train = read_train(facts, self.unit, self.account)
        return train, [read_lines(self.view, side, around, rate, ()) for rate in possible_rates(self.view)]


def judge_destinations(view: View) -> Iterator[StepFinding]:
    """Yield the units in Rail Mode of either side that have lost their destinations and must name new ones."""
    lost = 0
    for side in view.game.file.sides:
        trains = [unit for unit in own_units(view, "destination", side) if view.flag("entrained", unit.id)]
        with view.gather() as facts:
            around = around_side(facts, side) if trains else None
        for unit in trains:
            hex = view.word("destination", unit.id)
            if around and has_lost_destination(view, around, hex):
                lost += 1
                assume_zones(around, {hex})
                text = "{units} has lost its destination, {places}, and names a new one"
                ask = f"rail units={quoted(unit.id)}"
                yield finding("owed", "8.2.3", text, units=[unit.id], places=[hex], ask=ask)
    if not lost:
        yield finding("impossible", "8.2.3", "no destination is lost")


# --- steps as movement ends -------------------------------------------------------------------------------------------


def judge_forced_marches(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the units that have spent Movement Points beyond their allowance without a check.

    An Asset Unit checks together with its formation.
    """
    due = marchers_of(view, active_in(view, duty))
    for unit, points in due.items():
        text = "{units} for {points:#Movement Point}"
        ask = f"forced-march unit={quoted(unit)}"
        yield finding("owed", "8.3.2", text, units=[unit], ask=ask, points=points)
    if not due:
        yield finding("done", "8.3.2", "no unit owes a check")


def bars_to_placing(phase: str) -> Iterator[Clause]:
    """Yield the bars to Prepared Attack markers in a phase in which units move. Rule: 5.4.7"""
    yield phase == COUNTER_MOVEMENT, "5.4.7", "none are placed in the Counter Movement Phase"


def judge_markers(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether Prepared Attack markers may be placed, and the units with one."""
    marked = [unit.id for unit in own_units(view, "prepared", active_in(view, duty)) if view.word("prepared", unit.id)]
    bars = holding(bars_to_placing(duty.phase.word))
    if bars:
        yield finding("impossible", bars[0].rule, bars[0].text)
    else:
        text = "infantry and artillery with 3 Movement Points left may place one[units:; placed by {units}]"
        yield finding("possible", "8.4", text, units=marked)


def judge_plan_moves(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the infantry under a plan that has left its hex and come no closer to any of its objectives.

    Rule: 21.1.4
    """
    side = active_in(view, duty)
    if not bound_forces(view, side):
        return
    moved = [unit for unit in own_units(view, PASSED_TRACK, side) if read_account(view, unit.id).passed]
    with view.gather() as facts:
        goals = goals_of(facts, moved)
    wrong = {unit: goal for unit, goal in goals.items() if not goal.allows(view, view.unit(unit).place)}
    for unit, goal in wrong.items():
        yield finding(
            "owed",
            "21.1.4",
            "{units} began in {start} and is no closer to {objectives}, as the plan of {force} demands",
            units=[unit],
            places=[str(view.unit(unit).place)],
            ask=f"reach units={quoted(unit)}",
            start=goal.start,
            objectives=goal.places,
            force=goal.title,
        )
    if not wrong:
        yield finding("done", "21.1.4", "no unit breaks a plan")


def judge_francois(view: View) -> Iterator[StepFinding]:
    """Yield the combat units of the German 1st Corps that have moved away from the enemy after a 6 (25.6.1)."""
    leader = leader_named("francois")
    far = False
    if not is_agreed(view, leader):
        yield finding("impossible", francois.CLOSE_RULE, "Francois is optional and not agreed on (leaders=francois)")
        return
    with view.gather() as facts:
        corps = [unit for unit in view.units() if view.board.is_hex(unit.place)]
        corps = [unit for unit in corps if is_with_francois(facts, unit)]
        held = [unit for unit in corps if is_held(facts, unit)]
        around = around_side(facts, view.game.side_of(leader.nation)) if held else None
    for unit in held:
        hexes = ends_too_far(around, unit, str(unit.place)) if around else None
        if hexes:
            far = True
            text = "{units} in {places} is {after:#hex} from the nearest enemy and began {before} away"
            yield finding(
                "owed",
                francois.CLOSE_RULE,
                text,
                units=[unit.id],
                places=[str(unit.place)],
                before=hexes[0],
                after=hexes[1],
            )
    if far:
        return
    if view.word(francois.TRACK):
        text = "[held:no unit of the corps has drawn off|the corps is not held in this phase]"
        yield finding("done", francois.CLOSE_RULE, text, held=held)
    elif corps:
        yield finding("possible", francois.CLOSE_RULE, "the corps is not held: its first unit that moves rolls 1d6")
    else:
        yield finding("done", francois.CLOSE_RULE, "no unit of the corps is on the map")


def judge_garrison(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether the Warsaw Garrison is strong enough, and its units in their hexes.

    It is checked at the end of a Russian movement phase of the campaign. Its first completion is recorded.

    Rule: 24.1.1, 24.1.1b, 24.1.2
    """
    if active_in(view, duty) != "russian" or not is_shown(view, "russian"):
        return
    with view.gather() as facts:
        units = garrison_units(facts)
        outside = [unit.id for unit in units if not is_place_of_garrison(facts, str(unit.place))]
    if not units or not in_campaign(view, "24.1.1", COMPLETED_TEXT):
        yield finding("impossible", "24.1", "no unit is attached to it, or it is not the campaign game (c)")
        return
    if outside:
        text = "{units} must end in the complexes of Warsaw and Novo-Georgievsk, or in Zegrze"
        yield finding("owed", "24.1.2", text, units=outside, ask="garrison")
    lacking = shortfall(read_strength(view))
    complete = view.flag(COMPLETE)
    if lacking.is_none:
        kept = tuple(completion(view))
        yield finding("owed" if kept else "done", "24.1.1", "it is complete", changes=kept)
        return
    last = duty.phase.word == COUNTER_MOVEMENT
    owed = must_be_complete(duty.turn, complete=complete, last=last)
    short_by = tuple(format_shortfall(lacking))
    text = "it is short by {short_by:+}[due:, and must be complete by the start of GT {due}]"
    due = None if owed else DEADLINE_TURN
    yield finding("owed" if owed else "possible", "24.1.1", text, ask="garrison", short_by=short_by, due=due)


def judge_stacks(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the over-stacked hexes of the active side as its movement phase ends."""
    side = active_in(view, duty)
    wrong = 0
    for place, there in sorted(_find_stacks(_read_pieces(view).by_id.values(), side).items()):
        divisions, guns = beyond_limits(there)
        if divisions or guns:
            wrong += 1
            yield finding(
                "owed",
                "4.2.3",
                "{places} is over the limits by [divisions:{divisions:#division}][both: and ]"
                "[guns:{guns:#artillery unit}]",
                units=[piece.id for piece in there],
                places=[place],
                ask=f"stack at={place} moved=yes",
                divisions=divisions,
                guns=guns,
                both=divisions and guns,
            )
    if not wrong:
        yield finding("done", "4.2.3", "no hex is over-stacked")


def _find_stacks(pieces: Iterable[Piece], side: str) -> dict[str, list[Piece]]:
    stacks = dict[str, list[Piece]]()
    for piece in pieces:
        if piece.side == side:
            stacks.setdefault(piece.place, []).append(piece)
    return stacks


# --- steps at any time ------------------------------------------------------------------------------------------------


_PIECES: Memo[None, Pieces] = Memo()
"""The pieces of the position."""


def _read_pieces(view: View) -> Pieces:
    return view.memo(_PIECES, None, lambda known, apart: Pieces(view, known, apart))


def judge_displacement(view: View) -> Iterator[StepFinding]:
    """Yield the units of either side that must leave their hexes: artillery, Corps Trains, depots, units in Rail Mode."""
    pieces = _read_pieces(view)
    wrong = 0
    for piece in [piece for piece in pieces.by_id.values() if piece.side and _is_near(view, piece)]:
        ask = f"displace unit={quoted(piece.id)}"
        if view.flag("entrained", piece.id):
            rule = "8.2.4"
            leaves = is_train_caught(view, view.unit(piece.id))
        else:
            rule = DISPLACING.get(piece.arm, ("", ""))[1]
            leaves = _has_to_go(pieces, piece)
        if leaves:
            wrong += 1
            with view.gather() as facts:
                assume_zones(around_side(facts, piece.side), {piece.place})
            text = "{units} in {places} must leave its hex: an enemy is adjacent to it"
            yield finding("owed", rule, text, units=[piece.id], places=[piece.place], ask=ask)
    if not wrong:
        yield finding("done", "9.5", "no unit has to leave its hex")


def _has_to_go(pieces: Pieces, piece: Piece) -> bool:
    """Return whether artillery, a Corps Train or a depot must leave its hex and can, or is eliminated there.

    If its refuge is not known, the result is True.
    """
    layout = pieces.layout(())
    if piece.arm not in DISPLACING or not must_leave_hex(layout, piece):
        return False
    result = refuges_of(layout, piece, Displacing(Toll()))
    return result is None or bool(result.must and (result.refuges or result.eliminated))


def _is_near(view: View, piece: Piece) -> bool:
    with view.gather() as facts:
        return around_side(facts, piece.side).next_to_enemy(piece.place)


def judge_bridgeheads(view: View) -> Iterator[StepFinding]:
    """Yield the bridgeheads for which a die is due."""
    due = 0
    for unit in [unit for unit in view.units() if unit.place and may_be_bridgehead(view, unit)]:
        place = str(unit.place)
        # judged by the units alone, not by a die noted as due
        trigger = replace(bridgehead_trigger(view, unit.id, place), owed=False)
        if trigger.due:
            due += 1
            unsure = view.fact("abandonment", unit.id) is None
            yield finding(
                "possible" if unsure else "owed",
                "12.5.1",
                "adjacent to {units}: {enemy}[unsure:, if that is a bridgehead (abandonment not stated)]",
                units=[unit.id],
                places=[place],
                ask=f"bridgehead unit={quoted(unit.id)}",
                enemy=trigger.enemy,
                unsure=unsure,
            )
    if not due:
        yield finding("impossible", "12.5.1", "no bridgehead needs a die roll")


def judge_retreats(view: View) -> Iterator[StepFinding]:
    """Yield the units with hexes of a retreat left."""
    owing = dict[str, list[str]]()
    for name in view.stated_about.get("owes", ()):
        unit = view.state.units.get(name)
        if unit and unit.place is not None and view.integer("owes", name):
            owing.setdefault(unit.place, []).append(name)
    for place, units in sorted(owing.items()):
        most = max(view.integer("owes", unit) for unit in units)
        text = "{units} in {places} must retreat {owes:#hex}"
        ask = f"retreat at={place} units={','.join(map(quoted, units))}"
        cause = view.word(RETREAT_CAUSE, units[0])
        rule = "8.5.2" if cause == "repulse" else "11.2.1"
        yield finding("owed", rule, text, units=units, places=[place], ask=ask, owes=most)
    if not owing:
        yield finding("done", "11.2.1", "no unit owes a retreat")


# --- steps before a combat --------------------------------------------------------------------------------------------


def judge_prepared_attacks(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the hexes that must be attacked because of markers, and the markers that come off."""
    side = active_in(view, duty)
    with view.gather() as facts:
        enemies = around_side(facts, side).enemies
    targets = dict[str, list[Bearer]]()
    for bearer in _list_bearers(view, side):
        targets.setdefault(bearer.target, []).append(bearer)
    for target, bearers in sorted(targets.items()):
        units = [bearer.unit for bearer in bearers]
        bound = [bearer for bearer in bearers if must_attack(bearer, {target} & enemies)]
        if target not in enemies:
            text = "no enemy is in {places}: the markers of {units} come off"
            gone = list(units)
            off = [changed(view, "prepared", unit, None, "10.3") for unit in gone]
            yield finding("owed", "10.3", text, units=units, places=[target], changes=off)
        elif view.flag("attacked", target) or not bound:
            yield finding("done", "10.3", "{places}: no unit still has to attack it", units=units, places=[target])
        else:
            armies = _list_armies(bound)
            text = "{units} must attack {places}[several:: only one of the armies {armies} attacks]"
            hexes = ",".join(dict.fromkeys(bearer.place for bearer in bound))
            whom = [bearer.unit for bearer in bound]
            ask = f"battle at={target} from={hexes}"
            yield finding(
                "owed", "10.1.2", text, units=whom, places=[target], ask=ask, armies=armies, several=len(armies) > 1
            )
    if not targets:
        yield finding("impossible", "10.3", "no unit bears a Prepared Attack marker")


def _list_bearers(view: View, side: str) -> list[Bearer]:
    """Return the units of a side with a Prepared Attack marker."""
    with view.gather() as facts:
        marked = [(unit, facts.word("prepared", unit.id)) for unit in own_units(view, "prepared", side)]
        return [read_bearer(facts, unit, str(unit.place), target) for unit, target in marked if target]


def _list_armies(bearers: Iterable[Bearer]) -> list[str]:
    return sorted({bearer.army for bearer in bearers} - {""})
