"""The question `move`: whether a unit may move by a way by land, rail or sea, what it costs, and what it changes (11, 13, 18, 21.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.questions import Answers, Gather, Part, Report, Step, View, declare, refused, step, verdict
from assistant.questions.play import refuse_others
from assistant.questions.view import changed
from assistant.state.changes import AnyChange, Change, Gain
from assistant.state.state import hexside

from ..forces.stacking import is_within_limits
from ..forces.units import formation
from ..ground.places import controller
from ..ground.zones import assume_zones
from ..supply.offensive import Offensive
from ..terms import AVAILABLE, TRAIN
from .asked import Move, MoveAsked
from .costs import points
from .land import Mover, unable
from .rails import CAPACITY, grant_line
from .sea import DIE, sail
from .walk import Rail, mover_of, no_march, no_rail, rail_of, thirds_of, walk

if TYPE_CHECKING:
    from assistant.drawing.scene import Scene


def answer(view: View, parameters: MoveAsked, answers: Answers) -> Report[Move]:
    """The report on a move.

    Raises InputError for a way that is none, MissingFacts for what is not stated.
    """
    title = f"Move of {parameters.unit} to {parameters.way[-1] if parameters.way else 'nowhere'}"
    with view.gather() as facts:
        mover, march = mover_of(facts, parameters.unit, parameters.forced)
        stopped = [*unable(mover), *no_march(mover, march)]
        if parameters.by == "sea":
            return refused(title, NO, stopped) if stopped else sail(mover, parameters, answers, title)
        refuse_others(answers, [])
        rail = rail_of(mover, parameters)
        line = (mover.at, *parameters.way)
        stretch = line[rail.first : rail.last + 1] if rail else ()
        walked = walk(mover, parameters.way, rail)
        stopped += [walked.barred] if walked.barred else []
        thirds = thirds_of(mover, stretch) if rail else 0
        stopped += no_rail(mover, stretch, thirds) if rail and not stopped else []
        cost = sum(one.cost for one in walked.entered)
        move = Move(
            unit=mover.unit.id,
            at=mover.at,
            by=parameters.by,
            entered=walked.entered,
            cost=min(cost, mover.allowance),
            allowance=mover.allowance,
            minimum=walked.minimum,
            disengages=any(one.disengages for one in walked.entered),
            railed=thirds,
            rail_left=CAPACITY - (view.integer("railed", mover.side) or 0) - thirds,
            over_stacked=not stopped and not fits(facts, mover, line[-1]),
        )
        if stopped:
            return refused(title, NO, stopped, result=move)
        grant_all(mover, move, rail, stretch)
        changes = changes_of(facts, mover, move, march)
        taken = [one.subject for one in changes if isinstance(one, Change) and one.track == "taken"]
    said = verdict(
        "yes",
        "{unit} may move to {end}: {cost_points} of {allowance_points} Movement Points",
        move,
        **spent(move, line),
    )
    parts = (way_part(move, march, line[-1]), after_part(mover, move, rail, taken))
    return Report(
        title=title, verdict=said, parts=tuple(one for one in parts if one.steps), changes=changes, result=move
    )


NO = "this move is not allowed"


def spent(move: Move, line: Sequence[str]) -> dict[str, str]:
    """The figures of the verdict in Movement Points."""
    return {"end": line[-1], "cost_points": points(move.cost), "allowance_points": points(move.allowance)}


def fits(facts: Gather, mover: Mover, hex: str) -> bool:
    """Whether a hex holds a unit besides those that stand there. Rule: 12.1/1, 12.1/2, 12.1/3, 12.1/4, 12.3"""
    there = [one for one in facts.view.stack(hex) if one.id != mover.unit.id]
    return is_within_limits([formation(facts, one, fights=False) for one in (*there, mover.unit)])


def grant_all(mover: Mover, move: Move, rail: Rail | None, stretch: Sequence[str]) -> None:
    """Say what is taken for granted: hexsides without water, railroads, control, zones of control."""
    view, here = mover.view, move.at
    for one in move.entered:
        if one.how == "land":
            text = "{hexsides} taken to be free of water (not stated)"
            view.granted("water", hexside(here, one.hex), ("open",), "11.4", text)
        here = one.hex
    if rail:
        grant_line(view, mover.side, mover.nation, stretch, border=mover.arm != TRAIN)
    near = {move.at, *(one.hex for one in move.entered)}
    assume_zones(view, [enemy.id for hex in sorted(near) for enemy in mover.around.field.reaching(mover.side, hex)])


def way_part(move: Move, march: Offensive | None, end: str) -> Part:
    """The hexes of the way with their costs."""
    rules = {"land": "11.4", "road": "11.5", "rail": "18.1", "sea": "21.6"}
    steps: list[Step] = []
    if march:
        steps.append(step("17.9", "{source} is expended: {units} move by Forced March", march))
    for one in move.entered:
        text = "{hex} by {how}: {points}" + (", with 1 to disengage" if one.disengages else "")
        steps.append(step("13.5" if one.disengages else rules[one.how], text, one, points=one.points))
    if move.minimum:
        steps.append(step("11.6", "the minimum move: one hex for all Movement Points"))
    if move.entered and move.entered[-1].stops:
        steps.append(step("13.4", "{end} is in an enemy zone of control: the unit stops there", end=end))
    return Part("Way", tuple(steps))


def after_part(mover: Mover, move: Move, rail: Rail | None, taken: Sequence[str]) -> Part:
    """Rail capacity, stacking and control after the move."""
    steps: list[Step] = []
    if rail and move.railed:
        text = "{railed} thirds of an Army Equivalent by rail, {rail_left} left in this phase"
        steps.append(step("18.2", text, move))
    elif rail:
        free = (
            "armoured trains take no rail capacity"
            if mover.arm == TRAIN
            else "within Germany it takes no rail capacity"
        )
        steps.append(step("21.4" if mover.arm == TRAIN else "18.3", free))
    if move.over_stacked:
        end = move.entered[-1].hex
        text = "{end} is over the stacking limits: what is too much there when the phase ends is eliminated"
        steps.append(step("12.2", text, end=end))
    if taken:
        steps.append(step("7.3", "{hexes} come under control of the {side}", hexes=list(taken), side=mover.side))
    objectives = [one.hex for one in move.entered if mover.view.flag("objective", one.hex)]
    if objectives:
        steps.append(step("5.3", "Strategic Objectives entered: {hexes}; see `capture`", hexes=objectives))
    return Part("Afterwards", tuple(steps))


def changes_of(facts: Gather, mover: Mover, move: Move, march: Offensive | None) -> tuple[AnyChange, ...]:
    """What a move changes: the place, who has moved, control of the hexes entered, rail capacity, the supply unit expended.
    Rule: 7.3/2, 17.1, 17.9/1
    """
    view, name = mover.view, mover.unit.id
    found: list[AnyChange] = []
    if march:
        found.append(changed(view, "place", march.source, AVAILABLE, "17.9"))
        found += [changed(view, "marching", one, True, "17.9") for one in march.units]
    found.append(changed(view, "place", name, move.entered[-1].hex, "11.1"))
    found.append(changed(view, "moved", name, True, "11.2"))
    for one in move.entered:
        known = view.word("control", one.hex) or (view.fact("scenario") and view.word("country", one.hex))
        objective = view.flag("objective", one.hex)
        if known and not view.stack(one.hex) and not objective and controller(facts, one.hex) != mover.side:
            found.append(changed(view, "control", one.hex, mover.side, "7.3"))
            found.append(changed(view, "taken", one.hex, True, "18.4"))
    if move.railed:
        found.append(Gain("railed", mover.side, move.railed, "18.2"))
    return tuple(found)


def picture(view: View, report: Report[Move]) -> Scene:
    """The hexes of the move and those around."""
    from assistant.pictures.line import line_picture

    move = report.drawable
    assert move is not None
    way = [move.at, *(one.hex for one in move.entered)]
    return line_picture(view, way, title=report.title, caption=report.verdict.text)


QUESTION = declare(
    "move",
    "whether a unit may move along a way by land, rail or sea, and what it costs",
    answer,
    {DIE: "the die on the Amphibious Landing Table"},
    picture=picture,
)
