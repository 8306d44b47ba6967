"""The controls of a module: sides, turn trackers and dice buttons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from xml.etree.ElementTree import Element

import msgspec

from .sequence import read_whole, split

BUILD_MODULE = "VASSAL.build.module."
"""The beginning of the class name of a module's elements."""
OBSERVER = "<observer>"
"""The side of a player who takes no side."""
_ROSTER = f"{BUILD_MODULE}PlayerRoster"
_TRACKER = f"{BUILD_MODULE}turn.TurnTracker"
_DICE = f"{BUILD_MODULE}DiceButton"
_COUNTER = f"{BUILD_MODULE}turn.CounterTurnLevel"
_LIST = f"{BUILD_MODULE}turn.ListTurnLevel"
_MAX_LEVEL_DEPTH = 20
"""The maximum depth of levels in a turn tracker."""
_MAX_DICE = 99
_MAX_FACES = 999
_MAX_REPORT_CHARS = 500
_MAX_OPEN_PARTS = 2
"""The maximum number of parts of a report that may be any text; with more a comparison would be slow."""


class TurnLevel(msgspec.Struct, frozen=True):
    """A level of a turn tracker."""

    name: str
    entries: tuple[str, ...] = ()
    """The entries of a list, or none for a counter."""
    below: tuple[TurnLevel, ...] = ()
    """The levels within this one."""
    first: int = 0
    """The first number of a counter."""
    last: int = 0
    """The last number of a counter, or 0 if it has no end."""
    step: int = 1
    """The difference between one number of a counter and the next."""

    def steps_to(self, number: int) -> int:
        """Return the number of steps from a counter's first number to `number`, or -1 if the counter never shows it."""
        step = self.step or 1
        steps, rest = divmod(number - self.first, step)
        is_beyond = self.last and (number - self.last) * step > 0
        return steps if not rest and steps >= 0 and not is_beyond else -1


def all_levels(levels: Sequence[TurnLevel]) -> Iterator[TurnLevel]:
    """Yield levels of a turn tracker, each followed by the levels within it."""
    for level in levels:
        yield level
        yield from all_levels(level.below)


class DiceButton(msgspec.Struct, frozen=True):
    """A button that throws dice."""

    name: str
    dice: int
    faces: int
    report: str
    """The format of the line in the chat, such as `** $name$ = $result$ ***`."""
    total: bool = False
    """Whether the line has the sum alone."""

    def thrown(self, line: str) -> tuple[tuple[int, ...], str] | None:
        """Return the faces of the dice, or only their sum, and the player, or None if another button wrote the line.

        `line`: a line of the chat with the engine's star, which typed lines lack.
        """
        match = _compile_report(self.name, self.report).fullmatch(line) if len(line) <= _MAX_REPORT_CHARS else None
        if match is None:
            return None
        shown = match.groupdict()
        each = [shown[f"r{n}"] for n in range(self.dice) if f"r{n}" in shown]
        if "result" in shown:
            parts = shown["result"].split(",")
        else:
            parts = each if len(each) == self.dice else [shown.get("sum", "")]
        faces = tuple(map(read_whole, parts))
        if len(faces) == self.dice:
            possible = all(1 <= face <= self.faces for face in faces)
        else:
            possible = len(faces) == 1 and self.dice <= faces[0] <= self.dice * self.faces
        return (faces, shown.get("player", "")) if possible else None

    @property
    def title(self) -> str:
        """The number of dice and their faces, such as `2d6`."""
        return f"{self.dice}d{self.faces}"


@cache
def _compile_report(name: str, report: str) -> re.Pattern[str]:
    """Return the pattern of a button's lines in the chat. It matches nothing if too many parts may be any text.

    A name between `$` that is unknown or repeated is a property of the module and may be any text.
    """
    figure = "[0-9]{1,5}"
    known = {
        "name": re.escape(name),
        "result": f"(?P<result>{figure}(?:,{figure})*)",
        "numericalTotal": f"(?P<sum>{figure})",
        "PlayerName": "(?P<player>.*)",
        **{f"result{number}": f"(?P<r{number - 1}>{figure})" for number in range(1, _MAX_DICE + 1)},
    }
    parts = [re.escape("*")]
    used = set[str]()
    for number, part in enumerate(re.split(r"\$(\w+)\$", report)):
        if number % 2 == 0:  # the text between two names
            parts.append(re.escape(part))
        else:
            parts.append(known[part] if part in known and part not in used else ".*")
            used.add(part)
    if sum(".*" in part for part in parts) > _MAX_OPEN_PARTS:
        return re.compile(r"(?!)")  # matches nothing
    return re.compile("".join(parts), re.DOTALL)


class Controls(msgspec.Struct, frozen=True):
    """The sides, turn trackers and dice buttons of a module."""

    sides: tuple[str, ...] = ()
    trackers: tuple[tuple[TurnLevel, ...], ...] = ()
    """The levels of each turn tracker, in the order of the file."""
    dice: tuple[DiceButton, ...] = ()

    def joined(self, others: Controls) -> Controls:
        """Return these controls followed by others, with each side once."""
        sides = dict.fromkeys((*self.sides, *others.sides))
        return Controls(tuple(sides), self.trackers + others.trackers, self.dice + others.dice)


def read_controls(root: Element) -> Controls:
    """Return the controls in a module's file, except buttons with impossible dice or too long a report."""
    sides = ((entry.text or "").strip() for entry in root.iterfind(f"{_ROSTER}/entry"))
    return Controls(
        tuple(dict.fromkeys(side for side in sides if side not in ("", OBSERVER))),
        tuple(_read_levels(tracker, _MAX_LEVEL_DEPTH) for tracker in root.iter(_TRACKER)),
        tuple(button for element in root.iter(_DICE) if (button := _read_button(element)) is not None),
    )


def _read_levels(parent: Element, max_depth: int) -> tuple[TurnLevel, ...]:
    if not max_depth:
        return ()
    return tuple(_read_level(element, max_depth) for element in parent if element.tag in (_COUNTER, _LIST))


def _read_level(element: Element, max_depth: int) -> TurnLevel:
    return TurnLevel(
        element.get("property", "") or element.get("name", ""),
        tuple(split(element.get("list", ""), ",")) if element.tag == _LIST else (),
        _read_levels(element, max_depth - 1),
        read_whole(element.get("start", "")),
        read_whole(element.get("loopLimit", "")) if element.get("loop") == "true" else 0,
        read_whole(element.get("incr", "1")),
    )


def _read_button(element: Element) -> DiceButton | None:
    dice, faces = read_whole(element.get("nDice", "2")), read_whole(element.get("nSides", "6"))
    report = element.get("reportFormat", "** $name$ = $result$ *** <$PlayerName$>")
    if not (1 <= dice <= _MAX_DICE and 1 <= faces <= _MAX_FACES and len(report) <= _MAX_REPORT_CHARS):
        return None
    total = element.get("reportTotal") == "true" and dice > 1
    return DiceButton(element.get("name", ""), dice, faces, report, total)
