"""The chat of a log: what VASSAL writes there for a dice button, and what players type."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import NamedTuple

from ...records import BY_PROGRAM
from ..elements.controls import DiceButton

CHAT = "CHAT"
REPORT = "** $name$: $result$"
"""What a dice button of our modules writes; VASSAL puts a star before it, the total of several dice behind it, and last the player."""
TOTAL, PLAYER = " = $numericalTotal$", " <$PlayerName$>"
_THROWN = re.compile(r"\*\*\* ([0-9]{1,3}d[0-9]{1,3}): ([0-9]{1,3}(?:,[0-9]{1,3})*)(?: = [0-9]+)? <(.*)>")
_NOTED = re.compile(r"\* (Field Staff: (?:ask|answers) .*) \*")
_REPORTED = re.compile(
    r"(?:\*{2} (?=[^:]*=)|\*{3} )([^*]{1,80}?(?: ?= ?|: )[0-9]{1,3}(?:,[0-9]{1,3})*(?: = [0-9]{1,6})?) ?\*{0,3} ?<(.+)>"
)
"""What dice buttons usually write: their name, what was thrown, and last the player. Behind two stars a colon is no sign of dice: so do
counters report what was done with them."""
_TYPED = re.compile(r"(?:&lt;|<)(.*?)(?:&gt;|>) - (.*)", re.DOTALL)
_UNDONE = "* UNDO: "
_OF_DICE = re.compile(r"MutableProperty\t[0-9]+d[0-9]+_")


class Line(NamedTuple):
    """A line of the chat.

    dice, faces: of a throw, "" and none for other lines; text: what a player typed, "" for what the engine wrote; undone: whether a throw
    or a report is taken back by it; roll: the one that a throw is for, if its button tells; report: what looks like a throw of another button.
    """

    player: str
    dice: str = ""
    faces: tuple[int, ...] = ()
    text: str = ""
    undone: bool = False
    roll: str = ""
    report: str = ""


def read_line(command: str, buttons: Sequence[tuple[DiceButton, str]] = ()) -> Line | None:
    """What a command writes into the chat: a throw of one of our buttons, a throw taken back, a typed line, what looks like a throw of another
    button; None for anything else.

    buttons: those of another maker's module, each with the roll that it is for.

    A typed line begins with its player, so that nobody can type what looks like a throw.
    """
    if not command.startswith(CHAT):
        return None
    said = command.removeprefix(CHAT)
    undone, written = said.startswith(_UNDONE), said.removeprefix(_UNDONE)
    if thrown := _THROWN.fullmatch(written):
        dice, shown, player = thrown.groups()
        number, sides = map(int, dice.split("d"))
        faces = tuple(map(int, shown.split(",")))
        possible = len(faces) == number and all(1 <= face <= sides for face in faces)
        return Line(player, dice, faces, undone=undone) if possible else None
    for button, roll in buttons:
        if (told := button.thrown(written)) is not None:
            return Line(told[1], button.title, told[0], undone=undone, roll=roll)
    if noted := _NOTED.fullmatch(said):
        return Line(BY_PROGRAM, text=html.unescape(noted[1]))
    if reported := _REPORTED.fullmatch(html.unescape(written)):
        return Line(reported[2], report=reported[1], undone=undone)
    if typed := _TYPED.fullmatch(said):
        player, text = map(html.unescape, typed.groups())
        return Line(player, text=text)
    return None


def is_about_dice(command: str) -> bool:
    """Whether a command only keeps what a dice button has thrown."""
    return _OF_DICE.match(command) is not None
