"""Every mistake in a game at once: in its files, in the questions that they name, and in its positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from ..formats.notation import read
from ..formats.positions import Asked, Position
from ..game.games import Game
from ..game.lint import Faults, in_a_line, lost_files, read_with_faults, unknown
from ..questions.parameters import read_parameters
from ..questions.question import Question, ask
from ..questions.reference import FIGURES
from ..questions.report import MissingFacts, Report, Step, Verdict
from ..questions.view import View
from ..util.datafiles import inner, read_data
from ..util.errors import InputError, Where, plain
from .registry import game_folder, questions_in, read_position, registering_faults


def check_game(named: str) -> tuple[Game, list[str]]:
    """The game that a command names, as far as it can be read, and its mistakes, a line each.

    Raises what `game_folder` does.
    """
    found = game_folder(named)
    game, faults = read_with_faults(found.id, found.folder, found.made_by, found.home)
    if lost := list(lost_files(found.folder)):
        return game, lost  # the rest would repeat that they are lost
    questions: dict[str, Question[Any, Any]] = {}
    try:
        registered = questions_in(found, game)
    except InputError as error:
        return game, [*faults, in_a_line(error)]
    for name in registered:
        try:
            questions[name] = registered[name]
        except InputError as error:
            faults.append(in_a_line(error))
    faults += map(plain, registering_faults(found, game))
    if len(questions) == len(registered):  # else what names a question may be right
        faults += map(plain, question_faults(game, questions))
    return game, faults or list(position_faults(game, questions))  # a position of a faulty game would repeat its faults


def question_faults(game: Game, questions: Mapping[str, Question[Any, Any]]) -> Iterator[str]:
    """Unknown questions and parameters in [table] of `game.toml`."""
    table = game.file.table
    if table is None:
        return
    if table.ask not in questions:
        if table.ask:
            yield unknown("game.toml: [table] ask", table.ask, questions, "question")
        return
    fields = msgspec.structs.fields(questions[table.ask].parameters)
    parameters = [field.encode_name.replace("_", "-") for field in fields]
    named = {"target": table.target, "attackers": table.attackers, "without": table.without}
    named |= {f"short {short}": name for short, name in table.short.items()}
    for spot, name in named.items():
        if name and name not in parameters:
            yield unknown(f"game.toml: [table] {spot}", name, parameters, f"parameter of {table.ask}")
    for name in table.usual:
        if name not in game.tracks and name not in parameters:
            yield unknown("game.toml: [table.usual]", name, [*game.tracks, *parameters], "track or parameter")


def position_faults(game: Game, questions: Mapping[str, Question[Any, Any]]) -> Iterator[str]:
    """Mistakes in the positions of the game: set-ups, what the tour shows, and those in `examples/`."""
    faults = Faults()
    shown = [file for file, _ in (game.file.module.setups if game.file.module else ())]
    shown += [file for file, _ in (game.file.demo.shows if game.file.demo else ())]
    examples = inner(game.folder, "examples")
    if examples.is_dir():
        names = sorted(file.name for file in examples.iterdir())
        shown += [f"examples/{name}" for name in names if name.endswith((".pos", ".json"))]
    for file in dict.fromkeys(shown):
        before = len(faults.lines)
        try:
            data = read_data(inner(game.folder, file))
            notated = file.endswith(".pos")
            position = (
                read(data, file, _this_one(game), faults) if notated else read_position(file, data, _this_one(game))
            )
        except InputError as error:
            faults(error.at(Where(file)))
            continue
        for asked in position.asks if len(faults.lines) == before else ():
            try:
                if asked.question not in questions:
                    raise InputError(unknown("ask", asked.question, questions, "question"))
                for figure in sorted(unexplained(_answered(position, asked, questions), game)):
                    what = f"figure {figure!r} in the answer to {asked.question} has no meaning"
                    faults(InputError(what, where=Where("game.toml"), hint="add it to [figures]"))
            except InputError as error:
                named = getattr(error, "name", "")  # of a parameter or an answer
                marks = {**position.marks, **asked.marks}
                faults(error.at(marks.get(named) or marks.get("") or Where(file)))
    yield from faults.lines


def _answered(position: Position, asked: Asked, questions: Mapping[str, Question[Any, Any]]) -> Report[Any] | None:
    """The report on a question of a position, with the answers given there; None if parameters are missing.

    Raises InputError for what is not allowed, and PluginError if the code of the question fails.
    """
    question, view = questions[asked.question], View(position.game, position.state)
    try:
        parameters = read_parameters(question, view, asked.parameters)
    except MissingFacts:
        return None
    others = [questions[one.question] for one in position.asks if one.question in questions]
    answers = {
        name: value
        for name, value in position.answers.items()
        if question.waits_for(name) or not any(other.waits_for(name) for other in others)
    }
    return ask(question, view, parameters, answers)


def unexplained(report: Report[Any] | None, game: Game) -> set[str]:
    """The figures of a report that neither the assistant nor the game explains."""
    if report is None:
        return set()
    steps: list[Step | Verdict] = [report.verdict, *report.cautions]
    steps += [step for part in report.parts for step in part.steps]
    return {name for step in steps for name in step.figures} - set(FIGURES) - set(game.file.figures)


def _this_one(game: Game) -> Callable[[str], Game]:
    """The loader for what the positions of a game call their game."""

    def load(id: str) -> Game:
        if id != game.id:
            raise InputError(f"the position is of the game {id!r}", hint=f"write: game {game.id}")
        return game

    return load
