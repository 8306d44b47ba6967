"""The question `holding-box`: the units that may enter and leave the Bukowina Holding Box, and when (23.4)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.asking import (
    Gather,
    InputError,
    Parameters,
    Part,
    PlaceName,
    Report,
    Step,
    UnitName,
    View,
    declare,
    holding,
    note,
    refused,
    step,
    verdict,
)
from assistant.asking.asks import Ask
from assistant.asking.report import MissingFacts
from assistant.state.state import Unit
from assistant.state.vocabulary import Allowed, UnitId
from assistant.util.errors import quoted

from ..entering.consequences import follows_changes
from ..forces.account import SpendingPurpose, read_account, spend_and_end
from ..forces.bars import say_bars
from ..forces.departures import BOX_ENTERED, pass_box
from ..forces.movement_points import cannot_move
from ..forces.spending import measure_spending, spending_step
from ..ground.calendar import MOVEMENT_PHASES, is_counter_movement, phase_of
from ..ground.costs import HALF_HEX_COST
from ..ground.hexsides import OFF_MAP_NATION
from ..terms import BUKOWINA_BOX, HALF_HEXES
from .march.ends import steps_against_ends
from .march.movers import reasons_to_stay, why_no_points_now
from .march.steps import Judge, MarchStep, read_party
from .march.zones import zones_along


def nation_bar(nation: str, hex: str) -> list[Step]:
    """Return why a unit may not enter a half-hex.

    Only Austro-Hungarians enter half-hexes, the only way to the Box.

    `hex`: the half-hex.

    Rule: 23.4, 23.4.1
    """
    reasons = (
        (nation != OFF_MAP_NATION, "23.4", "only Austro-Hungarian units enter the Bukowina Holding Box"),
        (hex not in HALF_HEXES, "23.4.1", "{hex} is not one of the half-hexes {hexes}"),
    )
    return holding(reasons, hex=hex, hexes=HALF_HEXES)


def box_steps_against(entered: int, turn: int) -> list[Step]:
    """Return why a unit may not leave the Box yet, as it entered in a movement phase of this game turn.

    `entered`: the game turn in which the unit entered the Box, or 0 if not in a movement phase.

    Rule: 23.4.2
    """
    text = "it entered the Box in a movement phase of GT {turn} and leaves it in a later one"
    return holding([(entered >= turn, "23.4.2", text)], turn=entered)


# --- the question -----------------------------------------------------------------------------------------------------


class HoldingBoxParameters(Parameters, frozen=True):
    """Parameters of the question `holding-box`."""

    unit: Annotated[UnitName, note("the id")]
    to: Annotated[
        PlaceName | None,
        note("the half-hex that the unit enters from the map or from the Box; if left out, the unit goes into the Box"),
    ] = None
    retreat: Annotated[
        bool, note("whether the unit retreats into the Box, and so may leave the Box in the same game turn")
    ] = False
    moved_in: Annotated[
        bool | None,
        note("whether the unit entered the Box in a movement phase of this game turn; from box-entered if left out"),
    ] = msgspec.field(name="moved-in", default=None)


class HoldingBoxResult(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on entering or leaving the Box."""

    unit: UnitId
    allowed: Allowed
    place: Annotated[str, note("where the unit is then")]
    points: Annotated[int, note("Movement Points that the move costs")]


def _report_way(view: View, parameters: HoldingBoxParameters) -> Report[HoldingBoxResult]:
    """Return the report on the way into the Box or out of it.

    Raises InputError if the unit is elsewhere, MissingFacts if its nation or its turn of entry is not stated.
    """
    unit, to = _require_goer(view, parameters)
    inside = unit.place == BUKOWINA_BOX
    retreats = parameters.retreat
    with view.gather() as facts:
        nation = facts.word("nation", unit.id)
        bound = [] if retreats else steps_against_moving(facts, unit, to)
        spends = None
        if to and not retreats:
            spends = measure_spending(facts, unit, read_account(facts, unit.id).total + HALF_HEX_COST, "move")
    reasons = nation_bar(nation, to or str(unit.place)) or bound
    if not reasons and spends and spends.why:
        reasons = [spending_step(spends)]
    moves_in = to is None and not retreats and phase_of(view) in ("", *MOVEMENT_PHASES)
    with view.gather() as facts:
        turn = facts.integer("turn") if not reasons and (inside or moves_in) else None
    if turn is not None and inside:
        reasons = box_steps_against(_find_turn_of_entry(view, unit.id, turn, parameters.moved_in), turn)
    if not reasons and not retreats:
        reasons = steps_against_ends(view, {unit.id: to})
    points = 0 if reasons or to is None else HALF_HEX_COST
    result = HoldingBoxResult(unit=unit.id, allowed=not reasons, place=to or BUKOWINA_BOX, points=points)
    title = f"{unit.id} and the {BUKOWINA_BOX}"
    if reasons:
        return refused(title, "{unit} may not go to {place}", reasons, result, result=result)
    changes = pass_box(view, unit.id, result.place, turn if moves_in else None)
    following = follows_changes(view, changes)
    paid: dict[SpendingPurpose, Fraction] = {} if retreats else {"march": Fraction(points)}
    account = spend_and_end(view, [unit.id], paid, [to] if to and not retreats else [], "23.4.1")
    spent = (spending_step(spends),) if spends else ()
    return Report(
        title=title,
        verdict=verdict("yes", "{unit} may go to {place}: {points:#Movement Point}", result),
        parts=(Part("The Box", (*_box_steps(to), *spent)), *following.parts(view)),
        changes=(*changes, *account, *following.changes),
        result=result,
    )


def _require_goer(view: View, parameters: HoldingBoxParameters) -> tuple[Unit, str | None]:
    """Return the unit, and the half-hex that it enters, or None for the Box."""
    unit = view.unit(parameters.unit)
    to = None if parameters.to == BUKOWINA_BOX else parameters.to
    inside = unit.place == BUKOWINA_BOX
    if unit.place is None or (inside and to is None):
        where = "not on the map" if unit.place is None else f"in {unit.place}"
        raise InputError(f"unit: {unit.id} is {where}", hint="give to=HALF-HEX to leave the Box")
    if to and not inside:
        view.board.check_adjacent(unit.place, to, "a unit enters a half-hex only from an adjacent hex")
    return unit, to


def steps_against_moving(facts: Gather, unit: Unit, to: str | None) -> list[Step]:
    """Return why a unit of any nation may not move into a half-hex, or from one into the Box.

    Its markers, the phase and bars to leaving its hex count. At the end of a player turn nothing bars the Box.

    `to`: the half-hex, or None for the Box.

    Rule: 23.4.1
    """
    view = facts.view
    here = str(unit.place)
    if to is None and phase_of(view) in ("other", "post-combat"):
        return []
    staying = say_bars(cannot_move(facts, unit)) if to is None else reasons_to_stay(facts, [unit])
    reasons = staying or why_no_points_now(facts, [unit])
    if reasons or here == BUKOWINA_BOX:
        return reasons
    around, zones = zones_along(facts, [unit], [here, to] if to else [here])
    judge = Judge(facts, around, zones, read_party(facts, [unit], counter=is_counter_movement(view, None)))
    march = MarchStep(judge, here, to) if to else None
    barred = march.find_bar_to_some() or march.find_bar_to_all() if march else judge.bar_of_leaving_hex(here)
    return say_bars(barred) if barred else []


def _find_turn_of_entry(view: View, unit: str, turn: int, moved_in: bool | None) -> int:
    """Return the game turn in which a unit entered the Box by a movement phase, or 0 if the player denies this turn.

    `turn`: the present game turn.
    `moved_in`: whether the unit entered in this game turn, or None if the player does not say.

    Raises MissingFacts if neither the player nor the position says so.
    """
    if moved_in is not None:
        return turn if moved_in else 0
    if view.fact(BOX_ENTERED, unit) is not None:
        return view.integer(BOX_ENTERED, unit)
    title = f"whether {unit} entered the Box in a movement phase of GT {turn}"
    how = f"moved-in=yes|no, or {quoted(unit)} {BOX_ENTERED}=TURN"
    raise MissingFacts([Ask(kind="parameter", name="moved-in", rule="23.4.2", title=title, how=how)])


def _box_steps(to: str | None) -> tuple[Step, ...]:
    if to is None:
        return (step("23.4", "in the Box it is In Supply, may recover levels, and need never come back"),)
    text = "an EZOC does not bar the half-hex; at the end of a player turn any unit left there goes into the Box"
    return (step("23.4.1", text),)


QUESTION = declare("holding-box", "whether a unit may enter or leave the Bukowina Holding Box", _report_way)
