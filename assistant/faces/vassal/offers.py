"""The questions that fit what is selected in VASSAL, by the types of their parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...asking.parameters import FormField, list_form_fields
from ...formats.positions import Position
from ...installed.registry import questions_of
from ...state.state import is_limited
from ...util.errors import quoted
from ..layers import list_layers
from .requests import CARD, Offer

_MAX_OFFERS_SHOWN = 6
"""The maximum number of questions that are shown directly; the others are under further questions."""


class Selection(NamedTuple):
    """What is selected and seen by the player."""

    units: tuple[str, ...]
    place: str
    """The hex or box of the first unit, or ""."""

    def typed(self, field: FormField) -> str:
        """Return the value of a parameter for this selection, as in notation, or "" if it takes none."""
        if field.takes == "hex":
            return quoted(self.place)
        if field.takes != "unit" or not self.units:
            return ""
        units = self.units if field.many else self.units[:1]
        return ",".join(map(quoted, units))


def list_offers(position: Position, selection: Selection) -> Iterator[Offer]:
    """Yield the questions that fit a selection: the usual ones first, then the others in the game's order.

    Without a selection these are the questions that need no parameter; of a side, they are about this side.
    """
    found = dict[str, str]()
    for asked in (*_list_usual(position, selection), *_list_others(position, selection)):
        found.setdefault(asked.partition(" ")[0], asked)
    questions = questions_of(position.game)
    offers = [
        Offer(asked, questions[name].title, number < _MAX_OFFERS_SHOWN)
        for number, (name, asked) in enumerate(found.items())
    ]
    yield from offers[:_MAX_OFFERS_SHOWN]
    if position.game.board(position.state.board).is_hex(selection.place):
        yield Offer(f"{CARD} {selection.place}", "its ground, and its units with their figures", True)
    yield from offers[_MAX_OFFERS_SHOWN:]


def _list_usual(position: Position, selection: Selection) -> Iterator[str]:
    """Yield the questions of the map's layers, and about a combat; without a selection those about the turn."""
    game = position.game
    if not selection.units:
        for name in ("turn", "next", "due"):
            if name in questions_of(game):
                yield name
    for layer in list_layers(game):
        fields = list_form_fields(questions_of(game)[layer.question], game)
        if asked := _fill(layer.question, fields, layer.field, position, selection):
            yield asked
    if game.file.prompt.ask and (asked := _ask_about(game.file.prompt.ask, position, selection)):
        yield asked


def _list_others(position: Position, selection: Selection) -> Iterator[str]:
    for name in questions_of(position.game):
        if asked := _ask_about(name, position, selection):
            yield asked


def _ask_about(name: str, position: Position, selection: Selection) -> str:
    """Return a question about the selection, or "" if it needs more than the selection or takes nothing of it."""
    fields = list_form_fields(questions_of(position.game)[name], position.game)
    needed = [field for field in fields if field.needed]
    if len(needed) > 1:
        return ""
    return _fill(name, fields, needed[0] if needed else next(iter(fields), None), position, selection)


def _fill(
    name: str, fields: Sequence[FormField], subject: FormField | None, position: Position, selection: Selection
) -> str:
    """Return a question with its parameter `subject` taken from the selection, or "" if that does not fit.

    Without a selection, a question that takes a side is about the side that sees the position.
    """
    if selection.units:
        value = selection.typed(subject) if subject else ""
        return f"{name} {subject.name}={value}" if subject and value else ""
    if any(field.needed and field.takes != "side" for field in fields):
        return ""
    side = next((field for field in fields if field.takes == "side"), None)
    if side and is_limited(position.state.seen_by):
        return f"{name} {side.name}={quoted(position.state.seen_by)}"
    return "" if side and side.needed else name
