"""What players handle beside pieces, as a module's file describes it: sides, turn trackers, dice buttons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

import msgspec
from lxml import etree

from ..sequence import split
from .maps import whole

_MODULE = "VASSAL.build.module."
_ROSTER, _TRACKER, _DICE = f"{_MODULE}PlayerRoster", f"{_MODULE}turn.TurnTracker", f"{_MODULE}DiceButton"
_COUNTER, _LIST = f"{_MODULE}turn.CounterTurnLevel", f"{_MODULE}turn.ListTurnLevel"
#: The levels of a turn tracker, one within the other, at most.
_DEEPEST = 20
#: The most dice of a button, the most faces of a die, the most letters of a report.
_MOST_DICE, _MOST_FACES, _LONGEST = 99, 999, 500
_MOST_OPEN = 2
"""How many parts of a report may be any text: with more of them a line would take long to compare."""


class TurnLevel(msgspec.Struct, frozen=True):
    """A level of a turn tracker. entries: those of a list, none of a counter; below: the levels within it.

    first, last: of a counter, the numbers between which it counts, `last` being 0 where it has no end; step: from one
    to the next.
    """

    name: str
    entries: tuple[str, ...] = ()
    below: tuple[TurnLevel, ...] = ()
    first: int = 0
    last: int = 0
    step: int = 1

    def counted(self, number: int) -> int:
        """How many steps a counter has gone to a number, -1 for one that it does not come to."""
        steps, rest = divmod(number - self.first, self.step or 1)
        return steps if not rest and steps >= 0 else -1


def all_levels(levels: Sequence[TurnLevel]) -> Iterator[TurnLevel]:
    """Levels of a turn tracker, each with those within it behind it."""
    for level in levels:
        yield level
        yield from all_levels(level.below)


class DiceButton(msgspec.Struct, frozen=True):
    """A button that throws dice. report: what it writes into the chat; total: whether it writes nothing but the sum."""

    name: str
    dice: int
    faces: int
    report: str
    total: bool = False

    def thrown(self, said: str) -> tuple[tuple[int, ...], str] | None:
        """What the dice show, or their sum if the report tells no more, and who threw them; None for a line that the
        button did not write.

        said: what the engine wrote into the chat, with the star before it, with which no line that a player types
        begins.
        """
        match = _pattern(self.name, self.report).fullmatch(said) if len(said) <= _LONGEST else None
        if match is None:
            return None
        shown = match.groupdict()
        parts = (
            (shown["result"] or "").split(",")
            if "result" in shown
            else [shown[f"r{n}"] for n in range(self.dice) if f"r{n}" in shown]
        )
        faces = tuple(whole(part) for part in parts or [shown.get("sum", "")])
        if len(faces) == self.dice:
            possible = all(1 <= face <= self.faces for face in faces)
        else:
            possible = len(faces) == 1 and self.dice <= faces[0] <= self.dice * self.faces
        return (faces, shown.get("player") or "") if possible else None

    @property
    def title(self) -> str:
        """The dice, such as 2d6."""
        return f"{self.dice}d{self.faces}"


@cache
def _pattern(name: str, report: str) -> re.Pattern[str]:
    """What a button's reports look like. Properties of the module may stand in them as any text."""
    figure = "[0-9]{1,5}"
    known = {
        "name": re.escape(name),
        "result": f"(?P<result>{figure}(?:,{figure})*)",
        "numericalTotal": f"(?P<sum>{figure})",
        "PlayerName": "(?P<player>.*)",
        **{f"result{number}": f"(?P<r{number - 1}>{figure})" for number in range(1, _MOST_DICE + 1)},
    }
    parts, used = [re.escape("*")], set[str]()
    for number, part in enumerate(re.split(r"\$(\w+)\$", report)):
        if number % 2 == 0:
            parts.append(re.escape(part))
        else:
            parts.append(known[part] if part in known and part not in used else ".*")
            used.add(part)
    if sum(".*" in part for part in parts) > _MOST_OPEN:
        return re.compile(r"(?!)")
    return re.compile("".join(parts), re.DOTALL)


class Controls(msgspec.Struct, frozen=True):
    """What players handle. trackers: the levels of each turn tracker, in the order of the file."""

    sides: tuple[str, ...] = ()
    trackers: tuple[tuple[TurnLevel, ...], ...] = ()
    dice: tuple[DiceButton, ...] = ()


def controls_of(root: etree._Element) -> Controls:
    """What a module's file has of them; a button with impossible dice is left out."""
    sides = (text.strip() for entry in root.iterfind(f"{_ROSTER}/entry") if (text := entry.text))
    return Controls(
        tuple(dict.fromkeys(side for side in sides if side)),
        tuple(_levels(tracker, _DEEPEST) for tracker in root.iter(_TRACKER)),
        tuple(button for element in root.iter(_DICE) if (button := _button(element)) is not None),
    )


def _levels(parent: etree._Element, deepest: int) -> tuple[TurnLevel, ...]:
    if not deepest:
        return ()
    return tuple(
        TurnLevel(
            element.get("property", "") or element.get("name", ""),
            tuple(split(element.get("list", ""), ",")) if element.tag == _LIST else (),
            _levels(element, deepest - 1),
            whole(element.get("start", "")),
            whole(element.get("loopLimit", "")) if element.get("loop") == "true" else 0,
            whole(element.get("incr", "1")),
        )
        for element in parent
        if element.tag in (_COUNTER, _LIST)
    )


def _button(given: etree._Element) -> DiceButton | None:
    dice, faces = whole(given.get("nDice", "2")), whole(given.get("nSides", "6"))
    report = given.get("reportFormat", "** $name$ = $result$ *** <$PlayerName$>")
    if not (1 <= dice <= _MOST_DICE and 1 <= faces <= _MOST_FACES and len(report) <= _LONGEST):
        return None
    total = given.get("reportTotal") == "true" and dice > 1
    return DiceButton(given.get("name", ""), dice, faces, report, total)
