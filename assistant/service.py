"""A question asked of a position: its parameters and answers read, the report, and what draws it; positions written to files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .formats import json_state, writing
from .formats.positions import Asked, Position
from .plugins.registry import question_of
from .questions.question import ask, read_parameters, undecided
from .questions.report import MissingFacts, Report
from .questions.view import View
from .util.errors import InputError, Where
from .util.files import check_free, write_whole
from .util.progress import bar

if TYPE_CHECKING:
    from .drawing.scene import Scene


@contextmanager
def _placed(marks: Mapping[str, Where]) -> Iterator[None]:
    """Give an error the place in the file of the parameter or answer that it names, or else of the question."""
    try:
        yield
    except InputError as error:
        mark = getattr(error, "name", "")
        if mark in marks:
            error.at(marks[mark])
        raise


class Answered(NamedTuple):
    """A report, and what draws it and its chances, None where nothing does."""

    report: Report[Any]
    picture: Callable[[], str] | None = None
    chart: Callable[[], Scene | None] | None = None


def report_on(position: Position, asked: Asked, typed: Mapping[str, str]) -> Answered:
    """The report, and what draws it.

    typed: answers that come before those of the file, which are to what the file asks. Raises InputError for parameters and
    answers that cannot be, with their place in the file.
    """
    marks = {**{name: place for name, place in position.marks.items() if name not in typed}, **asked.marks}
    view = View(position.game, position.state, watch=bar)
    with _placed(marks):
        question = question_of(position.game, asked.question)
        try:
            parameters = read_parameters(question, view, asked.parameters)
        except MissingFacts as missing:
            return Answered(undecided(question, view, missing))
        own = not position.asks or any(one.question == asked.question for one in position.asks)
        others = [question_of(position.game, one.question) for one in position.asks if one.question != asked.question]
        given = {
            name: value
            for name, value in position.answers.items()
            if question.waits_for(name) or not any(other.waits_for(name) for other in others)
        }
        report = ask(question, view, parameters, {**(given if own else {}), **typed})
    draw, chart = question.picture, question.chart
    if report.drawable is None:
        return Answered(report)
    return Answered(report, partial(draw, view, report) if draw else None, partial(chart, report) if chart else None)


def check_asked(position: Position, asked: Asked) -> None:
    """Raise InputError if a position asks what its game does not know."""
    with _placed(asked.marks), suppress(MissingFacts):
        question = question_of(position.game, asked.question)
        read_parameters(question, View(position.game, position.state), asked.parameters)


def check_position_file(file: Path, *, force: bool = False) -> None:
    """Raise InputError if a position cannot be written into a file: of another ending, or because it exists."""
    if file.suffix.lower() not in (".pos", ".json"):
        raise InputError("a position is written as NAME.pos or NAME.json", where=Where(str(file)))
    check_free(file, force=force)


def write_position(file: Path, position: Position, *, force: bool = False) -> None:
    """Write a position into a file, as notation or as JSON by its ending.

    Raises InputError as `check_position_file` does, and for what notation has no way to say.
    """
    check_position_file(file, force=force)
    data = json_state.write(position) if file.suffix.lower() == ".json" else writing.write(position).encode()
    write_whole(file, data, force=force)
