"""What the assistant itself registers: questions for every game that has the files for them, and file formats.

Each hook imports what it registers, so that a command line that asks for none of it does not wait for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .plugins.hookspecs import hookimpl

if TYPE_CHECKING:
    from .formats.positions import Format, Position
    from .game.games import Game


@hookimpl(trylast=True)
def register_questions(game: Game, register: Callable[..., None]) -> None:
    """What was understood, for every game; the turn, what is due and the set-up, for every game that has files of them
    and no question of that name; the classic combat and who may look at whom, for every game that declares them.
    """
    if game.has_file("course.toml"):
        register("turn", "assistant.readymade.turns", unless_known=True)
    if has_schedules(game):
        register("due", "assistant.readymade.due", unless_known=True)
    if game.setups:
        register("setup", "assistant.readymade.placed", unless_known=True)
    register("check", "assistant.questions.builtin.check")
    if game.file.combat:
        register("odds", "assistant.questions.builtin.classic")
    if game.file.intelligence and game.file.intelligence.sees == "adjacent":
        register("inspect", "assistant.readymade.inspecting", unless_known=True)


def has_schedules(game: Game) -> bool:
    """Whether a game has a folder of schedules."""
    from .util.datafiles import inner  # only here: `--help` needs no game

    return inner(game.folder, "schedules").is_dir()


@hookimpl
def register_formats(register: Callable[[Format], None]) -> None:
    """Position notation, JSON, links, VASSAL's saves and logs, and journals with every moment of a game."""
    from .formats import json_state, links, notation, vassal
    from .formats.positions import JOURNAL, Format

    register(notation.FORMAT)
    register(json_state.FORMAT)
    register(links.FORMAT)
    register(vassal.FORMAT)
    register(Format("journal", (JOURNAL,), _read_journal, read_at=_read_journal))


def _read_journal(data: bytes, name: str, load_game: Callable[[str], Game], moment: str = "") -> Position:
    """The position at a moment of a journal, by default the last one."""
    from .journal.journal import read_position  # only here: most positions are not in a journal

    return read_position(data, name, load_game, moment)
