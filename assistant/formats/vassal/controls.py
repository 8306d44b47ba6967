"""The controls of a module: sides, turn trackers and dice buttons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from xml.etree.ElementTree import Element

import msgspec

from .sequence import read_whole, split

BUILD_MODULE = "VASSAL.build.module."
"""How the class of an element of a module begins."""
OBSERVER = "<observer>"
"""The side of who takes none."""
_ROSTER = f"{BUILD_MODULE}PlayerRoster"
_TRACKER = f"{BUILD_MODULE}turn.TurnTracker"
_DICE = f"{BUILD_MODULE}DiceButton"
_COUNTER = f"{BUILD_MODULE}turn.CounterTurnLevel"
_LIST = f"{BUILD_MODULE}turn.ListTurnLevel"
_MOST_LEVELS = 20
"""The levels of a turn tracker, one within the other, at most."""
_MOST_DICE = 99
"""The most dice of a button."""
_MOST_FACES = 999
"""The most faces of a die."""
_LONGEST_REPORT = 500
"""The most letters of a report."""
_MOST_OPEN = 2
"""How many parts of a report may be any text: with more of them a line would take long to compare."""


class TurnLevel(msgspec.Struct, frozen=True):
    """A level of a turn tracker."""

    name: str
    entries: tuple[str, ...] = ()
    """Those of a list, none of a counter."""
    below: tuple[TurnLevel, ...] = ()
    """The levels within it."""
    first: int = 0
    """Of a counter, the number from which it counts."""
    last: int = 0
    """The number to which it counts, 0 where it has no end."""
    step: int = 1
    """From one to the next."""

    def steps_to(self, number: int) -> int:
        """Return how many steps a counter has gone to a number, -1 for one that it does not come to."""
        step = self.step or 1
        steps, rest = divmod(number - self.first, step)
        is_beyond = self.last and (number - self.last) * step > 0
        return steps if not rest and steps >= 0 and not is_beyond else -1


def all_levels(levels: Sequence[TurnLevel]) -> Iterator[TurnLevel]:
    """Yield levels of a turn tracker, each with those within it behind it."""
    for level in levels:
        yield level
        yield from all_levels(level.below)


class DiceButton(msgspec.Struct, frozen=True):
    """A button that throws dice."""

    name: str
    dice: int
    faces: int
    report: str
    """What it writes into the chat."""
    total: bool = False
    """Whether it writes nothing but the sum."""

    def thrown(self, said: str) -> tuple[tuple[int, ...], str] | None:
        """Return what the dice show, or their sum if the report tells no more, and who threw them; None for a line that
        the button did not write.

        said: what the engine wrote into the chat, with the star before it, with which no line that a player types
        begins.
        """
        match = _compile_report(self.name, self.report).fullmatch(said) if len(said) <= _LONGEST_REPORT else None
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
        """The dice, such as 2d6."""
        return f"{self.dice}d{self.faces}"


@cache
def _compile_report(name: str, report: str) -> re.Pattern[str]:
    """Return what a button's reports look like. Properties of the module may stand in them as any text."""
    figure = "[0-9]{1,5}"
    known = {
        "name": re.escape(name),
        "result": f"(?P<result>{figure}(?:,{figure})*)",
        "numericalTotal": f"(?P<sum>{figure})",
        "PlayerName": "(?P<player>.*)",
        **{f"result{number}": f"(?P<r{number - 1}>{figure})" for number in range(1, _MOST_DICE + 1)},
    }
    parts = [re.escape("*")]
    used = set[str]()
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
    """What players handle."""

    sides: tuple[str, ...] = ()
    trackers: tuple[tuple[TurnLevel, ...], ...] = ()
    """The levels of each turn tracker, in the order of the file."""
    dice: tuple[DiceButton, ...] = ()

    def joined(self, others: Controls) -> Controls:
        """Return these and others behind them, each side once."""
        sides = dict.fromkeys((*self.sides, *others.sides))
        return Controls(tuple(sides), self.trackers + others.trackers, self.dice + others.dice)


def read_controls(root: Element) -> Controls:
    """Return what players handle in a module's file; a button with impossible dice is left out."""
    sides = ((entry.text or "").strip() for entry in root.iterfind(f"{_ROSTER}/entry"))
    return Controls(
        tuple(dict.fromkeys(side for side in sides if side not in ("", OBSERVER))),
        tuple(_read_levels(tracker, _MOST_LEVELS) for tracker in root.iter(_TRACKER)),
        tuple(button for element in root.iter(_DICE) if (button := _read_button(element)) is not None),
    )


def _read_levels(parent: Element, deepest: int) -> tuple[TurnLevel, ...]:
    if not deepest:
        return ()
    return tuple(_read_level(element, deepest) for element in parent if element.tag in (_COUNTER, _LIST))


def _read_level(element: Element, deepest: int) -> TurnLevel:
    return TurnLevel(
        element.get("property", "") or element.get("name", ""),
        tuple(split(element.get("list", ""), ",")) if element.tag == _LIST else (),
        _read_levels(element, deepest - 1),
        read_whole(element.get("start", "")),
        read_whole(element.get("loopLimit", "")) if element.get("loop") == "true" else 0,
        read_whole(element.get("incr", "1")),
    )


def _read_button(given: Element) -> DiceButton | None:
    dice, faces = read_whole(given.get("nDice", "2")), read_whole(given.get("nSides", "6"))
    report = given.get("reportFormat", "** $name$ = $result$ *** <$PlayerName$>")
    if not (1 <= dice <= _MOST_DICE and 1 <= faces <= _MOST_FACES and len(report) <= _LONGEST_REPORT):
        return None
    total = given.get("reportTotal") == "true" and dice > 1
    return DiceButton(given.get("name", ""), dice, faces, report, total)
