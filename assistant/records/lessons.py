"""Lessons: a game's worked examples, played as decisions that a learner makes before seeing the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from ..asking.report import Report
from ..formats.positions import Position
from ..game.examples import Example, Figure, Step
from ..game.games import Game
from ..util.notes import note
from ..util.texts import folded
from .examples import play_example

Kind = Literal["word", "words", "hexes", "units"]
"""The kind of choices: one of the offered words, several of them, hexes, or units."""


class Decision(msgspec.Struct, frozen=True):
    """A question that a learner answers before the program does."""

    question: Annotated[str, note("the question in words")]
    kind: Annotated[Kind, note("what is chosen: a word, several words, hexes, or units")]
    offers: Annotated[tuple[str, ...], note("the possible choices, in order")]
    right: Annotated[tuple[str, ...], note("the right choices")]
    printed: Annotated[str, note('the place in the rulebook that prints them, or "ours"')]


class Marked(NamedTuple):
    """A learner's choices, marked as right, wrong or missed."""

    is_right: bool
    right: tuple[str, ...]
    """The choices of the learner that are right."""
    wrong: tuple[str, ...]
    missed: tuple[str, ...]


class LessonStep(NamedTuple):
    """A step of a lesson: the position, the decisions about it, and the answer that follows them."""

    step: Step
    position: Position
    """The position with the question."""
    decisions: tuple[Decision, ...]
    report: Report[Any] | None
    """The program's answer, or None if the question is refused."""
    refused: str
    """The reason why the question is refused, or ""."""


def list_lessons(examples: Sequence[Example]) -> tuple[Example, ...]:
    """Return the examples that ask a learner for a decision."""
    return tuple(
        example for example in examples if any(figure.decide for step in example.steps for figure in step.figures)
    )


def play_lesson(game: Game, example: Example) -> Iterator[LessonStep]:
    """Yield the steps of a lesson in order.

    Raises InputError for a position that cannot be read.
    """
    for step, answer in play_example(game, example):
        position = answer.position
        decisions = tuple(_make_decision(figure, position) for figure in step.figures if figure.decide)
        yield LessonStep(step, position, decisions, answer.report, answer.refused)


def _make_decision(figure: Figure, position: Position) -> Decision:
    if figure.choices:
        kind: Kind = "word" if len(figure.values) == 1 else "words"
        return Decision(figure.decide, kind, figure.choices, figure.values, figure.printed)
    units = tuple(sorted(unit.id for unit in position.state.units.values() if unit.place))
    if set(figure.values) <= set(units):
        return Decision(figure.decide, "units", units, figure.values, figure.printed)
    return Decision(figure.decide, "hexes", _list_near_hexes(position, figure.values), figure.values, figure.printed)


def _list_near_hexes(position: Position, right: Sequence[str]) -> tuple[str, ...]:
    """Return the hexes with units and those beside them, and the right ones."""
    ground = position.game.board_of(position.state)
    occupied = {unit.place for unit in position.state.units.values() if ground.is_hex(unit.place)}
    near = {other for place in occupied if place for other in (place, *ground.neighbours(place))}
    return tuple(sorted(near | set(right)))


def parse_guess(text: str, decision: Decision) -> tuple[str, ...] | None:
    """Return the choices in a typed line, or None if the line names something that is not offered.

    Choices are separated by commas, or by blanks if none of them has a blank. A letter names a choice by its place: a
    is the first. `none` chooses nothing.
    """
    line = text.strip()
    if folded(line) in ("none", "nothing", "nowhere", "nobody"):
        return () if decision.kind != "word" else None
    whole = _find_offer(line, decision)
    if whole is not None:
        return (whole,)
    words = [word for word in re.split(r"[,;]" if re.search("[,;]", line) else r"\s+", line) if word.strip()]
    chosen = [_find_offer(word, decision) for word in words]
    if not chosen or None in chosen or (decision.kind == "word" and len(chosen) > 1):
        return None
    return tuple(dict.fromkeys(choice for choice in chosen if choice is not None))


def _find_offer(word: str, decision: Decision) -> str | None:
    typed = folded(word.strip().strip('"'))
    by_text = {folded(offer): offer for offer in decision.offers}
    if typed in by_text:
        return by_text[typed]
    number = ord(typed) - ord("a") if re.fullmatch("[a-z]", typed) else -1
    has_letters = decision.kind in ("word", "words")
    return decision.offers[number] if has_letters and 0 <= number < len(decision.offers) else None


def mark_guess(decision: Decision, guess: Sequence[str]) -> Marked:
    """Return a guess with its right, wrong and missed choices."""
    return Marked(
        is_right=set(guess) == set(decision.right),
        right=tuple(choice for choice in guess if choice in decision.right),
        wrong=tuple(choice for choice in guess if choice not in decision.right),
        missed=tuple(choice for choice in decision.right if choice not in guess),
    )
