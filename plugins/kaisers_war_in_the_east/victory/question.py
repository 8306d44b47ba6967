"""The questions `victory` and `capture`: Victory Points now, later, and for a captured hex (4, 5)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from assistant.asking import note
from assistant.asking.permission import holding, permission
from assistant.asking.question import PlaceName, SideName, declare
from assistant.asking.report import Part, Report, Step, Verdict, step, verdict
from assistant.asking.view import View, changed
from assistant.rules.field import side_of
from assistant.rules.field.places import hexes_with
from assistant.rules.victory import Scoring
from assistant.state.changes import AnyChange, Gain
from assistant.state.vocabulary import Hex

from ..ground import is_neutral
from ..seasons import is_settled, settle
from . import points


def victory(
    view: View,
    *,
    when: Annotated[
        Literal["now", "turn-end", "game-end"], note("now, at the end of the turn, or of the game")
    ] = "now",
    complete: Annotated[bool, note("whether the Strategic Objectives stated are all those on the map")] = False,
) -> Report[points.Victory]:
    """Return the report on Victory Points: the winner at the chosen time, and gains at the end of the turn."""
    with view.gather() as facts:
        known = points.objectives(facts)
        standings = tuple(points.count_standing(facts, side, known) for side in view.game.file.sides)
    others = "only the objectives stated, {objectives}, score Victory Points (complete=yes if the map has no others)"
    cities = "no side is stated to control enemy cities (state them: HEX city country=... control=...)"
    clauses = (
        (known and not complete, "2.1", others),
        (
            not known,
            "2.1",
            "no objective is stated to be controlled (state them: HEX objective country=... control=...)",
        ),
        (not hexes_with(view, "city"), "4.2", cities),
    )
    for presumed in holding(clauses, objectives=[objective.hex for objective in known]):
        view.premises.assume(presumed)
    result = points.judge_victory(standings, known, complete=complete)
    gains = ((score.side, score.after - score.points) for score in standings)
    counted = is_settled(view, "victory-points")
    again = "the Victory Points of this turn have been scored already: nothing changes"
    scored = (Gain("vp", side, gain, "5.4") for side, gain in gains if gain)
    changes: tuple[AnyChange, ...] = (*scored, settle(view, "victory-points", "5.4"))
    return Report(
        title="Victory Points",
        verdict=_choose_verdict(view, result, when),
        parts=(
            Part("Victory Points", tuple(_standing_step(view, score) for score in standings)),
            Part("Strategic Objectives", tuple(_objective_step(view, objective) for objective in known)),
            Part("Victory", (_level_step(view, result),)),
        ),
        changes=changes if when == "turn-end" and not counted else (),
        cautions=tuple(holding([(when == "turn-end" and counted, "5.4", again)])),
        result=result,
    )


def _choose_verdict(view: View, victory: points.Victory, when: str) -> Verdict:
    first, second = victory.scores
    winner = view.title_of(victory.winner)
    if victory.sudden and not victory.winner:
        return verdict("figure", "both sides have lost: neither has any Victory Points left")
    if victory.sudden:
        return verdict("figure", "Sudden Death: {level} of the {winner}", victory, winner=winner)
    if when == "game-end":
        text = "{level} of the {winner}" if winner else "{level}: both sides lose"
        return verdict("figure", text, victory, winner=winner)
    field = "points" if when == "now" else "after"
    figures = {"one": getattr(first, field), "other": getattr(second, field)}
    text = "{first} {one}, {second} {other}" + (" after this turn" if when == "turn-end" else "")
    return verdict("figure", text, first=view.title_of(first.side), second=view.title_of(second.side), **figures)


def _standing_step(view: View, standing: points.Standing) -> Step:
    text = "{side}: {points} on the track, {gain:+} for objectives = {after} after this turn"
    text += "; {cities:+} for enemy cities = {total} at the end of the game"
    return step("5.4", text, standing, side=view.title_of(standing.side))


def _objective_step(view: View, objective: Scoring) -> Step:
    text = "{hex}: controlled by neither side"
    if objective.controller:
        text = "{hex}: {controller}, {points:#Victory Point} a turn"
    return step("5.4", text, objective, controller=view.title_of(objective.controller))


def _level_step(view: View, victory: points.Victory) -> Step:
    rule = "4.1"
    text = "no side has any Victory Points left: both lose"
    if not victory.sudden:
        rule = "4.3"
        text = "if the game ends with this turn: a difference of {lead}, {level}"
        text += " for the {winner}" if victory.winner else ": both sides lose"
    elif victory.lead:
        text = "the other side has no Victory Points left: the {winner} add 25 for a total of {lead}: {level}"
    elif victory.winner:
        text = "the {winner} control every Strategic Objective: {level}"
    return step(rule, text, victory, winner=view.title_of(victory.winner))


# --- a hex that changes hands -----------------------------------------------------------------------------------------


class Capture(msgspec.Struct, frozen=True, kw_only=True):
    """The capture of a hex."""

    hex: Hex
    side: Annotated[str, note("the side that takes the hex")]
    controller: Annotated[str, note("the side that controlled the hex before, empty for none")]
    gain: Annotated[int, note("Victory Points that the side scores")] = 0
    loss: Annotated[int, note("Victory Points that the other side loses")] = 0


def capture(
    view: View,
    *,
    at: Annotated[PlaceName, note("the hex")],
    side: Annotated[SideName, note("the side that takes the hex")],
) -> Report[Capture]:
    """Return the report on a capture: the control of the hex, and Victory Points for a Strategic Objective.

    Units of the captor already there do not count, as the question is asked while they enter. The gain is limited by
    the track.

    Rule: 5.3, 7.3/2
    """
    own = [unit.id for unit in view.stack(at) if view.side_of(unit.id) == side]
    with view.gather() as facts:
        neutral = is_neutral(facts, facts.word("country", at))
        facts.flag("objective", at)
        enemies = [unit for unit in view.stack(at) if side_of(facts, unit) != side]
    with view.after([changed(view, "place", unit, None, "7.3") for unit in own]).gather() as facts:
        taken = points.take_hex(facts, side, at)
    holder = taken.holder
    result = Capture(hex=at, side=side, controller=holder, gain=taken.gain, loss=taken.loss)
    names: dict[str, Any] = {"side": view.title_of(side), "controller": view.title_of(holder)}
    text = "the {side} take control of {hex}; no Victory Points"
    already = "the {side} control {hex} already"
    if taken.full:
        text = "the {side} score {gain:#Victory Point}, the {controller} lose {loss}"
    changing = points.take_hexes_in_movement if view.word("phase") == "movement" else points.take_hexes
    changes = [*changing(view, points.Entry(side, (taken,)))]
    no = already if holder == side else "the {side} cannot take {hex} yet"
    reasons = (
        (neutral, "23.0", "no unit may enter it"),
        (enemies, "12.4", "enemy units are in {hex}"),
        (holder == side, "7.3", already),
    )
    return permission(
        f"Capture of {at}",
        (text, "{hex} lies in a neutral country" if neutral else no),
        holding(reasons, result, **names),
        result,
        **names,
        working={"Victory Points": points.format_takings(view, side, [taken])},
        changes=changes,
        kind="figure",
    )


QUESTIONS = (
    declare("victory", "Victory Points of both sides, what objectives score, and who has won", victory),
    declare("capture", "the Victory Points and the control that change hands as a side takes a hex", capture),
)
