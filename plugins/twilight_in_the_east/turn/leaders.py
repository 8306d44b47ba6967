"""What leaders ask for in a turn: whose command begins and ends, who began the turn in the area of the Eighth Army, and
that the German 1st Corps keeps close to the enemy (25.0, 25.6).
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.asking import View
from assistant.asking.view import changed
from assistant.rules.phase_now import Duty, StepFinding
from assistant.rules.turns import finding

from ..forces.armies import area, is_asset_unit
from ..forces.leaders import BEGAN, EIGHTH_ARMY, ends_too_far, is_held, is_with_francois, keeps_assets
from ..ground.hexsides import around_side
from ..leaders import francois
from ..leaders.command import LAST_TURN, Leader, every_leader, last_turn, leader_named, turns_on_reading, uses_left
from ..leaders.facts import is_agreed, read_uses


def judge_leaders(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whose command of a side begins or ends this turn: the markers are placed, or come off (25.0)."""
    own = [leader for leader in every_leader() if view.game.side_of(leader.nation) == duty.side]
    own = [leader for leader in own if is_agreed(view, leader) and (view.flag("campaign") or not leader.campaign)]
    near = (duty.turn, duty.turn - 1)
    reading = view.ruling(LAST_TURN, any(turns_on_reading(leader, turn) for leader in own for turn in near))
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
    """Yield which Asset Units begin the game turn in the area of the Eighth Army, which Francois keeps there
    (25.6.2).
    """
    with view.gather() as facts:
        keeps = keeps_assets(facts)
    if not keeps:
        why = "Francois does not command the Eighth Army: campaign, leaders=francois, GTs 24 to 33"
        yield finding("impossible", francois.KEEPS, why)
        return
    hexes = area(view, EIGHTH_ARMY)
    if hexes is None:
        text = 'the area of the Eighth Army is not stated (army "central-powers Eighth" area=HEXES)'
        yield finding("owed", francois.KEEPS, text)
        return
    own = [unit for unit in view.units() if unit.place and view.side_of(unit.id) == EIGHTH_ARMY.partition(" ")[0]]
    assets = [unit for unit in own if is_asset_unit(view, unit.id)]
    new = [unit for unit in assets if view.fact(BEGAN, unit.id) is None]
    if new:
        changes = [changed(view, BEGAN, unit.id, unit.place in hexes, francois.KEEPS) for unit in new]
        inside = [unit.id for unit in new if unit.place in hexes]
        text = "to be noted: [units:{units} in its area|no Asset Unit is in its area]"
        yield finding("owed", francois.KEEPS, text, units=inside, changes=changes)
    else:
        inside = [unit.id for unit in assets if view.flag(BEGAN, unit.id)]
        yield finding("done", francois.KEEPS, "noted: {units}", units=inside)


def judge_francois(view: View) -> Iterator[StepFinding]:
    """Yield whether combat units of the German 1st Corps have drawn off from the enemy after a 6 (25.6.1)."""
    leader = leader_named("francois")
    far = False
    if not is_agreed(view, leader):
        yield finding("impossible", francois.CLOSE, "Francois is optional and not agreed on (leaders=francois)")
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
                francois.CLOSE,
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
        yield finding("done", francois.CLOSE, text, held=held)
    elif corps:
        yield finding("possible", francois.CLOSE, "the corps is not held: its first unit that moves rolls 1d6")
    else:
        yield finding("done", francois.CLOSE, "no unit of the corps is on the map")
