"""The combat and the march that are asked about at a table, as the page shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...asking.parameters import list_form_fields
from ...asking.question import Question
from ...asking.view import View
from ...formats.positions import Asked, Position
from ...game.gamefile import MARCH_WAY
from ...game.games import Game
from ...installed.registry import question_of, questions_of
from ...rules.field.movement import Reach
from ...state.state import hexside
from ...util.errors import InputError
from ..prompt.combats import combat_hexes, list_named
from .messages.table import CombatShown, MarchShown, Neighbour
from .messages.words import Parameter
from .table_view import angle_to, show_subject


def show_combat(position: Position, asked: Asked | None) -> CombatShown | None:
    """Return the combat that a question is about, None for another question."""
    targets, attackers = combat_hexes(position, asked)
    if asked is None or not targets:
        return None
    prompt = position.game.file.prompt
    view = View(position.game, position.state)
    target = targets[0]
    shown = {prompt.target, prompt.attackers, prompt.without}
    parameters = _show_parameters(question_of(position.game, asked.question), position, asked.parameters)
    return CombatShown(
        target=target,
        ground=show_subject(view, target, "hex"),
        units=tuple(unit.id for unit in position.state.stack(target)),
        side=_side_at(view, target),
        around=tuple(_find_neighbours(view, target, attackers)),
        withheld=tuple(list_named(asked, prompt.without)),
        parameters=tuple(parameter for parameter in parameters if parameter.name not in shown),
    )


def show_around(position: Position, place: str) -> CombatShown:
    """Return a hex that may be attacked by all enemies around it. Raises InputError for what is not a hex."""
    prompt = position.game.file.prompt
    if not prompt.ask:
        raise InputError(f"{position.game.title} has no combat on one line", hint="ask one of its questions")
    board = position.game.board(position.state.board)
    target = board.place(place)
    asked = Asked(prompt.ask, {prompt.target: target})
    shown = show_combat(position, asked)
    assert shown
    return shown


def show_march(position: Position, asked: Asked | None) -> MarchShown | None:
    """Return the move that a question is about, or the units of which it asks where they can go; None for another
    question.
    """
    march = position.game.file.prompt.march
    if asked is None or not march or asked.question not in (march, reach_question(position.game)):
        return None
    parameters = _show_parameters(question_of(position.game, asked.question), position, asked.parameters)
    who = parameters[0].name
    others = [parameter for parameter in parameters if parameter.name not in (who, MARCH_WAY)]
    units = position.state.units
    names = tuple(list_named(asked, who))
    return MarchShown(
        units=names,
        at=next((units[name].place or "" for name in names if name in units), ""),
        way=tuple(list_named(asked, MARCH_WAY)),
        parameters=tuple(others) if asked.question == march else (),
    )


def reach_question(game: Game) -> str:
    """Return the question of a game that tells where a unit can move, "" for none."""
    return next((name for name, question in questions_of(game).items() if answers_with(Reach, question)), "")


def answers_with(result: type, question: Question[Any, Any]) -> bool:
    """Return whether the results of a question are of a kind."""
    return isinstance(question.result, type) and issubclass(question.result, result)


def _side_at(view: View, place: str) -> str:
    """Return the side of the units at a place, "" for none."""
    return next((view.side_of(unit.id) for unit in view.stack(place)), "")


def _find_neighbours(view: View, target: str, attackers: Iterable[str]) -> Iterator[Neighbour]:
    """Yield the hexes around a hex. Nothing for one that is not a hex."""
    board = view.board
    if not board.is_hex(target):
        return
    for place in board.neighbours(target):
        yield Neighbour(
            hex=place,
            angle=angle_to(board, target, place),
            side=_side_at(view, place),
            attacks=place in attackers,
            units=tuple(unit.id for unit in view.state.stack(place)),
            between=show_subject(view, hexside(target, place), "hexside"),
            ground=show_subject(view, place, "hex"),
        )


def _show_parameters(
    question: Question[Any, Any], position: Position, given: Mapping[str, object]
) -> tuple[Parameter, ...]:
    """Return the parameters of a question as a form shows them. given: their values now."""
    fields = list_form_fields(question, position.game)
    return tuple(Parameter.of(field, str(given.get(field.name, ""))) for field in fields)
