"""A VASSAL log as a record of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....game.games import Game
from ....util.errors import InputError, Where
from ...positions import Cut, Position
from ...records import Record, Said, Throw
from ..containers import commands_of
from ..logs import Table
from ..pieces import NOWHERE
from ..positions import game_of, position_of
from ..saves import Save, private, read_save
from .chat import CHAT, is_about_dice, read_line


def read_record(data: bytes, name: str, load_game: Callable[[str], Game], cut: Cut | None = None) -> Record:
    """The game that a log holds, step by step, as VASSAL steps through it.

    cut: reduces each position to what a side may know, as for `read`. Raises InputError if it is not a log, is damaged, or belongs
    to a module of another maker.
    """
    try:
        save = read_save(data)
        if not save.steps:
            raise InputError("it holds no steps", hint="name a log that VASSAL wrote (.vlog)")
        game = game_of(save, load_game)
        replay = _Replay(save)
        with private():
            moments = tuple(replay.moments())
    except InputError as error:
        raise error.at(Where(name)) from None

    def position(step: int) -> Position:
        try:
            with private():
                after = replay.after(step)
            found = position_of(after, game, name, cut)
        except InputError as error:
            raise error.at(Where(name)) from None
        return found if cut is None else found.seen(cut(game, found.state))

    return Record(game, len(save.steps), tuple(events(save)), moments, position)


def events(save: Save) -> Iterator[Throw | Said]:
    """What was thrown and typed in a log, without throws that were taken back."""
    found: list[Throw | Said] = []
    for number, step in enumerate(save.steps, 1):
        for command in commands_of(step.encode()):
            line = read_line(command)
            if line is None:
                continue
            if line.undone:
                for one in reversed(found):
                    if isinstance(one, Throw) and (one.dice, one.faces, one.player) == (
                        line.dice,
                        line.faces,
                        line.player,
                    ):
                        found.remove(one)
                        break
            elif line.dice:
                found.append(Throw(number, line.dice, line.faces, line.player))
            else:
                found.append(Said(number, line.text, line.player))
    yield from found


class _Replay:
    """A log that is replayed up to any step, again from the beginning if it has gone past it."""

    def __init__(self, save: Save) -> None:
        self.save, self.table, self.done = save, Table(save), 0

    def moments(self) -> Iterator[int]:
        """The beginning, and the steps that change something on the table. Carries out all steps, so that a broken one is told at
        once."""
        yield 0
        for number, step in enumerate(self.save.steps, 1):
            said = True
            for command in commands_of(step.encode()):
                said = said and (command.startswith(CHAT) or command == NOWHERE or is_about_dice(command))
                self.table.carry_out_of_step(command)
            self.done = number
            if not said:
                yield number

    def after(self, step: int) -> Save:
        """The game after so many steps. Raises InputError for a step that cannot be read."""
        if step < self.done:
            self.table, self.done = Table(self.save), 0
        for one in self.save.steps[self.done : step]:
            for command in commands_of(one.encode()):
                self.table.carry_out_of_step(command)
        self.done = step
        return self.table.save()
