"""Units that a player carries over the map: stacking, supply and danger in the hexes where they may be put down.

Every figure is that of the game's own question about the position in which the units stand in the hex.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from msgspec.structs import replace

from ...asking.parameters import FormField, list_form_fields, read_parameters
from ...asking.question import Question, decide
from ...asking.report import MissingFacts, Report, verdict
from ...asking.view import View, changed
from ...formats.positions import Asked, Position
from ...game.games import Game
from ...game.states import apply_changes
from ...installed.registry import question_of, questions_of
from ...rules.stacks import Stacking
from ...rules.threats.report import format_chance
from ...rules.threats.terms import HexThreat, ThreatResult
from ...service import answer_in_view
from ...state.changes import Change
from ...state.state import HIDDEN, UNSEEN, GameState, hides
from ...util.errors import InputError, MachineError, PluginError
from ..layers import answers_with, list_layers
from .desk import StandingTable
from .messages.board import CarriedShown, DangerShown, HexIfThere
from .messages.requests import CarryRequest, DangerRequest

_SUPPLY_KINDS = ("no", "undecided", "figure", "yes")
"""The kinds of verdicts on supply, the worst first."""
_SEEN_PREFIX = "of the enemies seen: "
"""The words before a danger at the table of a side."""


class _Asking(NamedTuple):
    """A question of the game, and its parameter that takes a hex or units."""

    question: Question[Any, Any]
    field: FormField


def _find_stack_question(game: Game) -> _Asking | None:
    for question in questions_of(game).values():
        if answers_with(Stacking, question):
            field = next((field for field in list_form_fields(question, game) if field.takes == "hex"), None)
            if field:
                return _Asking(question, field)
    return None


def _find_layer(game: Game, title: str) -> _Asking | None:
    layer = next((layer for layer in list_layers(game) if layer.title == title), None)
    return _Asking(question_of(game, layer.question), layer.field) if layer else None


def answer_carry(table: StandingTable, request: CarryRequest) -> CarriedShown:
    """Return what would hold in hexes if units stood there: the stacking limits, and the supply of the units.

    Raises InputError if a unit or a hex does not exist.
    """
    position = table.position
    game = position.game
    view = View(game, position.state, past=position.past, parts=table.recent.parts_of(position))
    units = tuple(view.unit(name).id for name in request.units)
    hexes = [view.board.place(name) for name in request.hexes]
    # the states found for one hex help to find those of the next one, also in a later request
    elsewhere = view.part(("carried", units), lambda apart: _Elsewhere(apart, position, units))
    stack = _find_stack_question(game)
    supply = _find_layer(game, "Supply")
    if supply:
        for name in units:
            elsewhere.prepare(supply, name)
    return CarriedShown(
        hexes=tuple(_judge_hex(elsewhere, stack, supply, at) for at in hexes),
        has_dangers=_find_layer(game, "Threat") is not None,
    )


def _judge_hex(elsewhere: _Elsewhere, stack: _Asking | None, supply: _Asking | None, at: str) -> HexIfThere:
    shown = HexIfThere(hex=at)
    if stack:
        report = elsewhere.ask(stack.question, {stack.field.name: at}, at)
        is_over = report.result.is_excessive if report.result else None
        shown = replace(shown, is_over=is_over, stack="" if is_over is False else report.verdict.text)
    if supply:
        verdicts = [elsewhere.ask(supply.question, {supply.field.name: name}, at).verdict for name in elsewhere.units]
        kind = min((verdict.kind for verdict in verdicts), key=_SUPPLY_KINDS.index)
        texts = dict.fromkeys(verdict.text for verdict in verdicts if verdict.kind == kind)
        shown = replace(shown, supply=kind, supplied="; ".join(texts))
    return shown


class _Elsewhere:
    """Questions about a position in which units stand in one hex after another.

    What has been found about the present position, such as lines of supply, is found again only where it differs.

    `view`: a view of the position as it stands, which is kept with all that is found.
    """

    def __init__(self, view: View, position: Position, units: tuple[str, ...]) -> None:
        self.units = units
        self._position = position
        self._is_assumed = any(fact.assumed for fact in view.stated.values())
        self._views = [view, view.at_its("strongest")] if hides(view.state) else [view]
        self._prepared = set[tuple[str, str]]()

    def ask(self, question: Question[Any, Any], given: Mapping[str, object], at: str) -> Report[Any]:
        """Return the report on a question with the units in a hex. Its verdict and result are those of the full answer.

        The answer is worked out in full only if facts are missing or assumed, or hidden facts matter. A position that
        the question refuses is undecided.
        """
        reports = list[Report[Any]]()
        if not self._is_assumed:
            with suppress(MissingFacts, InputError):
                reports = [self._decide(question, given, self._move(view, at)) for view in self._views]
        if reports and reports[0].verdict.text and all(_is_same(report, reports[0]) for report in reports[1:]):
            return reports[0]
        try:
            return self._ask_in_full(question, given, at)
        except (MachineError, PluginError):
            raise
        except InputError as error:
            return Report(title="", verdict=verdict("undecided", "undecided: {why}", why=error.what))

    def prepare(self, asking: _Asking, unit: str) -> None:
        """Ask a question about a unit where it stands, whose findings the answers about other hexes use."""
        question, field = asking
        if (question.name, unit) not in self._prepared:
            self._prepared.add((question.name, unit))
            for view in self._views:
                with suppress(MissingFacts, InputError):
                    self._decide(question, {field.name: unit}, view)

    def _decide(self, question: Question[Any, Any], given: Mapping[str, object], view: View) -> Report[Any]:
        return decide(question, view, read_parameters(question, view, given), {})

    def _move(self, view: View, at: str) -> View:
        return view.after(changed(view, "place", name, at, "") for name in self.units if view.unit(name).place != at)

    def _ask_in_full(self, question: Question[Any, Any], given: Mapping[str, object], at: str) -> Report[Any]:
        position = _move_units(self._position, self.units, at)
        view = View(position.game, position.state, past=position.past)
        asked = Asked(question.name, dict(given))
        return answer_in_view(view, replace(position, asks=(asked,), answers={}), asked)


def _is_same(report: Report[Any], other: Report[Any]) -> bool:
    return report.verdict == other.verdict and report.result == other.result


def _move_units(position: Position, units: Sequence[str], at: str) -> Position:
    """Return the position in which units stand in a hex."""
    places = {name: position.game.unit(position.state, name).place for name in units}
    changes = [Change("place", name, place, at, "") for name, place in places.items() if place != at]
    return position.with_state(apply_changes(position.game, position.state, changes))


def answer_danger(table: StandingTable, request: DangerRequest) -> DangerShown:
    """Return the worst attack that the enemy can bring next on a hex if units stood there.

    At the table of a side only the enemies count that the side sees, as it sees them.

    Raises InputError if a unit or the hex does not exist, or the game has no question about threats.
    """
    game = table.game
    threat = _find_layer(game, "Threat")
    if threat is None:
        raise InputError(f"{game.title} has no question about threats")
    position = table.position
    at = game.board_of(position.state).place(request.hex)
    position = _move_units(position, request.units, at)
    is_partly_seen = hides(position.state)
    if is_partly_seen:
        position = position.with_state(_leave_out_unseen(position.state))
    moved = table._replace(position=position)
    report = moved.ask(threat.question.name, {threat.field.name: at, "cuts": "no"}, {}).report
    result = report.result
    found = (
        next((found for found in result.hexes if found.at == at), None) if isinstance(result, ThreatResult) else None
    )
    says = "; ".join(_word_danger(found)) if found else report.verdict.text
    worst = found.worst if found else None
    return DangerShown(
        hex=at,
        column=worst.column if worst else "",
        lost=format_chance(worst) if worst else "",
        is_open=found.is_open if found else True,
        says=f"{_SEEN_PREFIX if is_partly_seen else ''}{says}",
        mark=report.mark,
    )


def _word_danger(threat: HexThreat) -> Iterator[str]:
    worst = threat.worst
    least = "at least " if threat.at_least else ""
    if worst:
        chance = format_chance(worst)
        yield f"{least}{worst.column}, {chance} to lose the hex" if chance else f"{least}{worst.column}"
    else:
        yield "undecided, as facts are missing" if threat.at_least else "no attack"
    if threat.leaving:
        yield f"{' and '.join(threat.leaving)} would have to leave"


def _leave_out_unseen(state: GameState) -> GameState:
    """Return a side's state as if there were nothing else: no unseen unit, and no hidden fact."""
    facts = {key: fact for key, fact in state.facts.items() if key[0] not in (UNSEEN, HIDDEN)}
    return replace(state, facts=facts, seen_by="")
