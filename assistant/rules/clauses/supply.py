"""The question `supply`, and which units cannot trace a line of supply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, TypeVar

from ...asking.question import Question
from ...asking.report import step
from ...asking.view import Gather
from ...game.games import Game
from ...game.rule_file import OfSide, SupplySource, words_of
from ...mechanics.tracing import radius
from ...state.state import hexside
from ..field import SideField
from ..supply_lines import From, LineRules, from_edge, from_place, supply_lines, supply_question, words_of_lines
from .compiled import Compiled, Rules, is_something, rules_of
from .ground import assume_zones, field, known_controller

S = TypeVar("S", bound=OfSide)
TITLE = "which units can trace a line of supply, along which hexes, or why not"


def find_clauses(facts: Gather, clauses: Iterable[Compiled[S]], side: str) -> Iterator[Compiled[S]]:
    """Yield the clauses that hold for the lines of a side."""
    return (
        each for each in clauses if each.clause.side in ("", side) and each.is_in_force(facts) and each.is_chosen(facts)
    )


def longest_line(facts: Gather, side: str) -> int | None:
    """Return the greatest length of a side's lines in hexes, or None if they may be of any length."""
    return next((each.clause.hexes for each in find_clauses(facts, rules_of(facts.view.game).lengths, side)), None)


def list_end_ground(facts: Gather, side: str) -> tuple[str, ...]:
    """Return the words of the ground that a side's lines enter and do not leave."""
    rules = rules_of(facts.view.game)
    clauses = find_clauses(facts, rules.ends, side)
    return tuple(word for each in clauses for word in words_of(each.clause.into.get(rules.file.ground.hex, ())))


def _list_sources(facts: Gather, around: SideField) -> Iterator[From]:
    for each in find_clauses(facts, rules_of(facts.view.game).sources, around.side):
        stated = each.clause
        view = facts.view
        source = from_edge(view, stated.edge) if stated.edge else from_place(view, stated.place, each.rule)
        yield _follow_road(facts, around, source, stated, each.rule) if stated.along else source


def _follow_road(facts: Gather, around: SideField, source: From, stated: SupplySource, rule: str) -> From:
    """Return a source with all hexes to which a road leads from it past the enemy and his zones.

    The report notes it if roads may be missing from the position.
    """
    view = facts.view
    track = view.game.track(stated.along)

    def is_linked(here: str, there: str) -> bool:
        return is_something(view, track, hexside(here, there))

    if stated.along not in view.board.silence:
        text = "only what is stated of each {track} carries supply: state others as 0304|0404 {track}"
        view.premises.assume(step(rule, text, track=stated.along))
    begins = [at for at in source.hexes if any(is_linked(at, near) for near in view.board.neighbours(at))]
    reached = radius(begins, None, view.board.neighbours, closed=around.closed, crosses=is_linked)
    return source._replace(name=f"{source.name} by {track.title}", hexes=[*reached.cost])


def line_rules(facts: Gather, around: SideField) -> LineRules:
    """Return the rules by which lines of a side lead."""
    view = facts.view
    rules = rules_of(view.game)
    return LineRules(
        sources=tuple(_list_sources(facts, around)),
        rule=rules.supply.rule,
        longest=longest_line(facts, around.side),
        ends_in=list_end_ground(facts, around.side),
        ground=rules.file.ground.hex,
        holder=partial(known_controller, view) if rules.supply.held else None,
        assume=assume_zones,
    )


def is_supplied(facts: Gather, around: SideField, unit: str) -> Callable[[], bool]:
    """Return a function that returns whether a unit can trace a line of supply, and asks for what decides it.

    Units off the map, and all units of a game without lines, are supplied.
    """

    def read() -> bool:
        rules: Rules = rules_of(facts.view.game)
        if rules.file.supply is None:
            return True
        return unit not in supply_lines(facts, around, line_rules).not_supplied(facts, [unit])

    return read


def make_questions(game: Game) -> tuple[Question[Any, Any], ...]:
    """Return the question `supply` of a game."""
    return (supply_question(TITLE, words_of_lines(rules_of(game).supply.rule), field, line_rules),)
