"""Every mistake in a game at once: in its files, in the questions that they name, and in its positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from ..formats.notation import read
from ..game.games import Game
from ..game.lint import Faults, in_a_line, read_with_faults, unknown
from ..questions.parameters import ParameterError, read_parameters
from ..questions.question import Question
from ..questions.report import MissingFacts
from ..questions.view import View
from ..util.errors import InputError, Where, plain
from .registry import game_folder, questions_in, read_position


def check_game(named: str) -> tuple[Game, list[str]]:
    """The game that a command names, as far as it can be read, and its mistakes, a line each.

    Raises what `game_folder` does.
    """
    found = game_folder(named)
    game, faults = read_with_faults(found.id, found.folder, found.made_by, found.home)
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
    examples = game.folder.joinpath("examples")
    if examples.is_dir():
        names = sorted(file.name for file in examples.iterdir())
        shown += [f"examples/{name}" for name in names if name.endswith((".pos", ".json"))]
    for file in dict.fromkeys(shown):
        before = len(faults.lines)
        try:
            data = game.folder.joinpath(file).read_bytes()
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
                with suppress(MissingFacts):
                    read_parameters(questions[asked.question], View(game, position.state), asked.parameters)
            except InputError as error:
                named = error.name if isinstance(error, ParameterError) else ""
                faults(error.at(asked.marks.get(named) or asked.marks.get("") or Where(file)))
    yield from faults.lines


def _this_one(game: Game) -> Callable[[str], Game]:
    """The loader for what the positions of a game call their game."""

    def load(id: str) -> Game:
        if id != game.id:
            raise InputError(f"the position is of the game {id!r}", hint=f"write: game {game.id}")
        return game

    return load
