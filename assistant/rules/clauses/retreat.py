"""The questions `retreat` and `advance`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ...asking.question import Question
from ...asking.report import Step, step
from ...asking.view import Gather
from ...game.games import Game
from ...state.state import Unit
from .. import retreat as readymade
from ..field import Bar, HexBar
from ..retreat import EntryEffects, Pursuit, PursuitParameters, Retreat
from .compiled import Rules, rules_of
from .ground import assume_zones, field
from .movement import Mover, mover_of, step_case
from .stacking import eliminate_unit, has_room


def read_retreat(facts: Gather, stacked: Sequence[Unit], side: str) -> Retreat:
    """Return the retreat of units that stand together."""
    view = facts.view
    rules = rules_of(view.game)
    stated = rules.retreat
    around = field(facts).around(side)
    names = [unit.id for unit in stacked]
    movers = [mover_of(facts, name) for name in names]
    bars: list[Bar] = [readymade.held(around, stated.rule)]
    if stated.zones:
        bars.append(readymade.zoned(around, stated.zones))
    if stated.toward and (edge := rules.file.edges.get(side)):
        bars.append(readymade.toward(view, edge, stated.toward))
    bars.append(partial(bar_retreat, rules, facts, names))
    return Retreat(
        movers=names,
        gone=[],
        bars=[partial(settle_bar, movers, bars)],
        holds=has_room(facts, names),
        lost=lambda unit: eliminate_unit(view, unit, stated.rule),
        entered=partial(_note_zones, facts, side),
        away=not stated.toward,
    )


def bar_retreat(rules: Rules, facts: Gather, units: Sequence[str], here: str, there: str) -> HexBar | None:
    """Return the first clause that bars one of the units from a hex, or None."""
    for each in rules.retreat_bars:
        if any(each.holds_for_step(facts, unit, here, there) for unit in units):
            return each.bar(hex=there)
    return None


def settle_bar(movers: Sequence[Mover], bars: Sequence[Bar], here: str, there: str) -> HexBar | None:
    """Return the first bar to a hex as the game's override decides, for each of the units."""
    usual = next((barred for bar in bars if (barred := bar(here, there))), None)
    said = usual.why if usual else ""
    for mover in movers:
        overrides = mover.rules.overrides
        answer = overrides.settle("retreat.step", said, partial(step_case, mover, here, there))
        if answer != said:
            rule = overrides.rule_at("retreat.step") or mover.rules.retreat.rule
            return HexBar(rule, answer) if answer else None
    return usual


def _note_zones(facts: Gather, side: str, hexes: Sequence[str], units: Sequence[str]) -> EntryEffects:
    assume_zones(field(facts).around(side), hexes)
    return EntryEffects()


def read_advance(facts: Gather, asked: PursuitParameters, side: str) -> Pursuit:
    """Return the advance of units into a hex that a combat has cleared."""
    view = facts.view
    rules = rules_of(view.game)
    stated = rules.file.advance
    assert stated is not None  # the section names the question
    around = field(facts).around(side)

    def bar(here: str, there: str) -> HexBar | None:
        holding_clauses = (
            each
            for each in rules.advance_bars
            if any(each.holds_for_step(facts, unit, here, there) for unit in asked.units)
        )
        return next((each.bar(hex=there) for each in holding_clauses), None)

    return Pursuit(
        reach=stated.hexes,
        unable=list_unable(rules, facts, asked.units),
        bars=[readymade.held(around, stated.rule), bar],
        holds=has_room(facts, asked.units),
        halts=readymade.halted(around, stated.stop) if stated.stop else lambda at: None,
    )


def list_unable(rules: Rules, facts: Gather, units: Sequence[str]) -> list[Step]:
    """Return the reasons why units do not advance."""
    return [
        step(each.rule, each.clause.says, unit=unit)
        for unit in units
        for each in rules.no_advance
        if each.holds_for(facts, unit)
    ]


ADVANCE = "how far units may advance after a combat"


def make_questions(game: Game) -> tuple[Question[Any, Any], ...]:
    """Return the questions `retreat` and `advance` of a game."""
    rules = rules_of(game)
    stated, advance = rules.retreat, rules.file.advance
    asked_zones = stated.zones or stated.toward or stated.rule
    retreats = readymade.retreat_question(
        readymade.RetreatRules(read_retreat, stated.rule, asked_zones, stated.hexes, field=field)
    )
    if advance is None:
        return (retreats,)
    rule = advance.rule
    advances = readymade.pursuit_question(
        readymade.PursuitRules("advance", "advance", ADVANCE, rule, rule, rule, field), read_advance, PursuitParameters
    )
    return retreats, advances
