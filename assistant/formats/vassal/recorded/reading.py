"""A VASSAL log as a record of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from itertools import count, islice

from ....game.games import Chosen, Game
from ....util.errors import InputError, Where
from ....util.limits import TooMuch
from ...positions import Cut, Position
from ...records import Event, Record, Reported, Said, Throw
from ..containers import ESCAPE, LOGGED, commands_in, read_stream
from ..elements.controls import DiceButton
from ..logs import Table, taken_by_steps
from ..pieces import NOWHERE
from ..positions import legend_of, position_of
from ..saves import Save, private, read_save
from ..sequence import split
from .chat import CHAT, Line, is_about_dice, read_line


def read_record(data: bytes, name: str, load_game: Callable[[str], Game], cut: Cut | None = None) -> Record:
    """The game that a log holds, step by step, as VASSAL steps through it.

    cut: reduces each position to what a side may know, as for `read`. Raises InputError if it is not a log, is damaged, or belongs
    to a module of another maker.
    """
    try:
        save = read_save(data)
        if not save.steps:
            raise InputError("it holds no steps", hint="name a log that VASSAL wrote (.vlog)")
        legend = legend_of(save, load_game)
        game = legend.game
        steps = steps_of(save, data)
        replay = _Replay(save, steps)
        with private():
            moments = replay.moments()
    except InputError as error:
        raise error.at(Where(name)) from None

    def position(step: int) -> Position:
        try:
            with private():
                after = replay.after(step)
            found = position_of(after, legend_of(after, Chosen(game.id, lambda _: game)), name, cut)
        except InputError as error:
            raise error.at(Where(name)) from None
        return found if cut is None else found.seen(cut(game, found.state))

    return Record(game, len(steps), tuple(events(steps, legend.dice)), moments, position)


def steps_of(save: Save, data: bytes) -> list[tuple[str, ...]]:
    """The commands of each step of a log, as VASSAL steps: what one deed of a player did is one step, however many commands it took.

    data: its file. Raises InputError if it is damaged.
    """
    stream, _ = read_stream(data)
    tokens = split(stream.decode("latin-1"), ESCAPE)
    sizes = [sum(one.startswith(LOGGED) for one in commands_in(token)) for token in tokens]
    left = iter(save.steps)
    deeds = [list(islice(left, size)) for size in sizes if size]
    return [tuple(command for one in deed for command in commands_in(one)) for deed in deeds]


def events(steps: Sequence[tuple[str, ...]], buttons: Sequence[tuple[DiceButton, str]] = ()) -> Iterator[Event]:
    """What was thrown, typed and reported in the steps of a log, without throws and reports that were taken back.

    buttons: as for `read_line`. The roll that a button is for is told as if its player had typed it before the throw.
    """
    found: list[tuple[Event, str]] = []
    for number, step in enumerate(steps, 1):
        for command in step:
            line = read_line(command, buttons)
            if line is None:
                continue
            if line.undone:
                same = next((one for one, _ in reversed(found) if _is_of(one, line)), None)
                found = [one for one in found if one[0] is not same]
            elif line.dice:
                found.append((Throw(number, line.dice, line.faces, line.player), line.roll))
            elif line.report:
                found.append((Reported(number, line.report, line.player), ""))
            else:
                found.append((Said(number, line.text, line.player), ""))
    for event, roll in found:
        if roll:
            yield Said(event.step, roll, event.player)
        yield event


def _is_of(event: Event, line: Line) -> bool:
    """Whether a throw or a report is the one that a line takes back."""
    if isinstance(event, Throw):
        return (event.dice, event.faces, event.player) == (line.dice, line.faces, line.player)
    return isinstance(event, Reported) and (event.text, event.player) == (line.report, line.player)


_KEPT = 32
"""How many stages of a replayed log are kept, from which it goes on."""


class _Replay:
    """A log that is replayed up to any step, from the stage before it that is kept if it has gone past it."""

    def __init__(self, save: Save, steps: Sequence[tuple[str, ...]]) -> None:
        self.save, self.steps = save, steps
        self.stride = max(len(steps) // _KEPT, 1)
        self.table, self.done = Table(save), 0
        self.kept = {0: _copied(self.table)}

    def moments(self) -> tuple[int, ...]:
        """As `changing`. Raises InputError for a step that cannot be read; of a log that is too much, it names all limits."""
        try:
            return tuple(self.changing())
        except TooMuch as error:
            raise error.with_more(taken_by_steps(self.save)) from None

    def changing(self) -> Iterator[int]:
        """The beginning, and the steps that change something on the table. Carries out all steps, so that a broken one is told at
        once."""
        yield 0
        for number, step in enumerate(self.steps, 1):
            self.go_on(number)
            if not all(command.startswith(CHAT) or command == NOWHERE or is_about_dice(command) for command in step):
                yield number

    def after(self, step: int) -> Save:
        """The game after so many steps. Raises InputError for a step that cannot be read."""
        nearest = max(number for number in self.kept if number <= step)
        if not nearest <= self.done <= step:
            self.done, self.table = nearest, _copied(self.kept[nearest])
        self.go_on(step)
        return self.table.save()

    def go_on(self, step: int) -> None:
        """Carry out the steps up to one."""
        for commands in self.steps[self.done : step]:
            for command in commands:
                self.table.carry_out_of_step(command)
            self.done += 1
            if self.done % self.stride == 0 and self.done not in self.kept:
                self.kept[self.done] = _copied(self.table)


def _copied(table: Table) -> Table:
    """The same table, which goes on by itself: also the stacks of a place are in the same order."""
    other = copy(table)
    for name, value in vars(table).items():
        if isinstance(value, dict | list | count):
            setattr(other, name, copy(value))
    other.spots = {spot: dict(stacks) for spot, stacks in table.spots.items()}
    return other
