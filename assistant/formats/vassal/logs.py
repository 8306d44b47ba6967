"""Logs as records of play: throws and chat lines, and the position after each step."""

from __future__ import annotations

import html
import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import msgspec

from ...game.course import course_file
from ...game.games import Chosen, Game
from ...game.turn_record import read_calendar
from ...util.errors import InputError, Where
from ...util.limits import TooMuch
from ...util.patterns import late_pattern
from ...util.texts import natural
from ..positions import BY_PROGRAM, ChatLine, Cut, Event, Position, Record, RollReport, Throw
from .containers import ESCAPE, LOGGED
from .controls import DiceButton
from .pieces import NOWHERE
from .positions import legend_of, position_of
from .replay import ReplayedGame, taken_by_steps
from .saves import Save, mark_private, read_save
from .sequence import split
from .streams import commands_in, read_stream

CHAT = "CHAT"
_THROW = late_pattern(r"\*\*\* ([0-9]{1,3}d[0-9]{1,3}): ([0-9]{1,3}(?:,[0-9]{1,3})*)(?: = [0-9]+)? <(.*)>")
_PROGRAM_LINE = late_pattern(r"\* (Field Staff: (?:accept|answers|ask|own|trust) .*) \*")
_OTHER_THROW = late_pattern(
    r"(?:\*{2} (?=[^:]*=)|\*{3} )([^*]{1,80}?(?: ?= ?|: )[0-9]{1,3}(?:,[0-9]{1,3})*(?: = [0-9]{1,6})?) ?\*{0,3} ?<(.+)>"
)
"""The usual report of a dice button: its name, the throw, and the player.

After two stars a colon does not mean dice, because actions of counters are reported in this form.
"""
_TYPED_LINE = late_pattern(r"(?:&lt;|<)(.*?)(?:&gt;|>) - (.*)", re.DOTALL)
_UNDO = "* UNDO: "
_DICE_PROPERTY = late_pattern(r"MutableProperty\t[0-9]+d[0-9]+_")


class LogLine(NamedTuple):
    """A line of the chat: a throw of a known button, a typed line, or what looks like a throw of another button."""

    event: Event
    undone: bool = False
    """Whether the line undoes a throw or report."""
    roll: str = ""
    """The roll that a throw is for, if its button implies it."""


def read_chat_line(command: str, step: int = 0, buttons: Sequence[tuple[DiceButton, str]] = ()) -> LogLine | None:
    """Return the chat line that a command writes, or None if its form is unknown.

    A typed line begins with its player, so that nobody can type a line that looks like a throw.

    `step`: the step of the log, from 1.
    `buttons`: dice buttons of a module not made by the builder, each with its roll.
    """
    if not command.startswith(CHAT):
        return None
    line = command.removeprefix(CHAT)
    undone = line.startswith(_UNDO)
    written = line.removeprefix(_UNDO)
    if thrown := _THROW.fullmatch(written):
        dice, shown, player = thrown.groups()
        number, sides = map(int, dice.split("d"))
        faces = tuple(map(int, shown.split(",")))
        possible = len(faces) == number and all(1 <= face <= sides for face in faces)
        return LogLine(Throw(step, dice, faces, player), undone) if possible else None
    for button, roll in buttons:
        throw = button.thrown(written)
        if throw is not None:
            faces, player = throw
            return LogLine(Throw(step, button.title, faces, player), undone, roll)
    if noted := _PROGRAM_LINE.fullmatch(line):
        return LogLine(ChatLine(step, html.unescape(noted[1]), BY_PROGRAM))
    if reported := _OTHER_THROW.fullmatch(html.unescape(written)):
        return LogLine(RollReport(step, reported[1], reported[2]), undone)
    if typed := _TYPED_LINE.fullmatch(line):
        player, text = map(html.unescape, typed.groups())
        return LogLine(ChatLine(step, text, player))
    return None


def _is_talk(command: str) -> bool:
    """Return whether a command writes to the chat or only belongs to a throw, and so changes nothing on the table."""
    return command.startswith(CHAT) or command == NOWHERE or _DICE_PROPERTY.match(command) is not None


def read_log(data: bytes, name: str, load_game: Callable[[str], Game], cut: Cut | None = None) -> Record:
    """Return the game in a log, step by step as in VASSAL.

    `cut`: reduces each position to a side's knowledge.

    Raises InputError if it is not a log, is damaged, or belongs to a module of another maker.
    """
    try:
        save = read_save(data)
        if not save.steps:
            raise InputError("it holds no steps", hint="name a log that VASSAL wrote (.vlog)")
        legend = legend_of(save, load_game)
        game = legend.game
        steps = log_steps(save, data)
        replay = _Replay(save, steps)
        with mark_private():
            moments = replay.moments()
    except InputError as error:
        raise error.at(Where(name)) from None

    def position(step: int) -> Position:
        try:
            with mark_private():
                after = replay.after(step)
            position_after = position_of(after, legend_of(after, Chosen(game.id, lambda _: game)), name, cut)
        except InputError as error:
            raise error.at(Where(name)) from None
        return position_after if cut is None else position_after.seen(cut(game, position_after.state))

    return Record(game, len(steps), tuple(events(steps, legend.dice)), moments, position)


def read_at(data: bytes, name: str, load_game: Callable[[str], Game], moment: str, cut: Cut | None = None) -> Position:
    """Return the position at a moment of a log: `@3` for the end of turn 3, `#57` for the end of step 57.

    `cut`: reduces the position to a side's knowledge.

    Raises InputError if the log lacks this moment or cannot be read.
    """
    record = read_log(data, name, load_game, cut)
    try:
        if moment.startswith("#"):
            step = natural(moment[1:])
            if step is None or step > record.steps:
                raise InputError(f"there is no step {moment[1:20]}", hint=f"the last one is {record.steps}")
            return record.at(step)
        return record.at(_find_end_of_turn(record, moment[1:]))
    except InputError as error:
        raise error.at(Where(name)) from None


def _find_end_of_turn(record: Record, turn: str) -> int:
    """Return the last step of a turn.

    Raises InputError if the game has no such turn, or if the log begins later.
    """
    course = course_file(record.game)
    calendar = read_calendar(record.game)
    number = calendar.number(turn)

    def turn_after(step: int) -> int:
        fact = record.at(step).state.facts.get((course.turns.track, ""))
        return calendar.first - 1 if fact is None else calendar.number(str(fact.value))

    found = bisect_right(record.moments, number, key=turn_after)
    if not found:
        raise InputError("the log begins later", hint=f"with {calendar.label(turn_after(record.moments[0]))}")
    return record.moments[found - 1]


def log_steps(save: Save, data: bytes) -> list[tuple[str, ...]]:
    """Return the commands of each step of a log, as VASSAL counts: one player's action is one step.

    `data`: the file of the log.

    Raises InputError if it is damaged.
    """
    stream, _ = read_stream(data)
    tokens = split(stream.decode("latin-1"), ESCAPE)
    sizes = [sum(command.startswith(LOGGED) for command in commands_in(token)) for token in tokens]
    left = iter(save.steps)
    deeds = [list(islice(left, size)) for size in sizes if size]
    return [tuple(command for part in deed for command in commands_in(part)) for deed in deeds]


def events(steps: Sequence[tuple[str, ...]], buttons: Sequence[tuple[DiceButton, str]] = ()) -> Iterator[Event]:
    """Yield the throws, typed lines and reports of a log, except undone throws and reports.

    If its button implies a roll, a throw follows a line that names it, as if the player had typed this line.

    `buttons`: as in `read_chat_line`.
    """
    lines: list[LogLine] = []
    for number, step in enumerate(steps, 1):
        for command in step:
            line = read_chat_line(command, number, buttons)
            if line is not None and line.undone:
                undone_line = next(
                    (earlier for earlier in reversed(lines) if _is_alike(earlier.event, line.event)), None
                )
                lines = [earlier for earlier in lines if earlier is not undone_line]
            elif line is not None:
                lines.append(line)
    for event, _, roll in lines:
        if roll:
            yield ChatLine(event.step, roll, event.player)
        yield event


def _is_alike(event: Event, other: Event) -> bool:
    """Return whether two events differ only in their steps."""
    return msgspec.structs.replace(event, step=other.step) == other


_MAX_STAGES = 32
"""Maximum number of stages of a replayed log that are kept besides its beginning."""


class _Replay:
    """A log replayed up to any step.

    Some stages of the game are kept, and the replay continues from the last one before the step.
    """

    def __init__(self, save: Save, steps: Sequence[tuple[str, ...]]) -> None:
        self.save = save
        self.steps = steps
        self.stride = max(math.ceil(len(steps) / _MAX_STAGES), 1)
        self.table = ReplayedGame(save)
        self.done = 0
        self.stages = {0: self.table.copy()}

    def moments(self) -> tuple[int, ...]:
        """Return 0 and the numbers of the steps that change the table.

        All steps are carried out, so that a broken one is reported at once.

        Raises InputError if a step cannot be read. If the log exceeds limits, the error names all of them.
        """
        try:
            self.go_on(len(self.steps))
        except TooMuch as error:
            raise error.with_more(taken_by_steps(self.save)) from None
        return 0, *(number for number, step in enumerate(self.steps, 1) if not all(map(_is_talk, step)))

    def after(self, step: int) -> Save:
        nearest = max(number for number in self.stages if number <= step)
        if not nearest <= self.done <= step:
            self.done = nearest
            self.table = self.stages[nearest].copy()
        self.go_on(step)
        return self.table.save()

    def go_on(self, step: int) -> None:
        """Carry out the steps up to this one, and keep a stage at regular intervals."""
        for commands in self.steps[self.done : step]:
            self.table.carry_out_all(commands)
            self.done += 1
            if self.done % self.stride == 0 and self.done not in self.stages:
                self.stages[self.done] = self.table.copy()
