"""What players handle beside pieces, as a module's file describes it: sides, turn trackers, dice buttons."""

from __future__ import annotations

import msgspec
from lxml import etree

from ..sequence import split
from .starts import whole

_MODULE = "VASSAL.build.module."
_ROSTER, _TRACKER, _DICE = f"{_MODULE}PlayerRoster", f"{_MODULE}turn.TurnTracker", f"{_MODULE}DiceButton"
_COUNTER, _LIST = f"{_MODULE}turn.CounterTurnLevel", f"{_MODULE}turn.ListTurnLevel"
#: The levels of a turn tracker, one within the other, at most.
_DEEPEST = 20
#: The most dice of a button, the most faces of a die, the most letters of a report.
_MOST_DICE, _MOST_FACES, _LONGEST = 99, 999, 500


class TurnLevel(msgspec.Struct, frozen=True):
    """A level of a turn tracker. entries: those of a list, none of a counter; below: the levels within it."""

    name: str
    entries: tuple[str, ...] = ()
    below: tuple[TurnLevel, ...] = ()


class DiceButton(msgspec.Struct, frozen=True):
    """A button that throws dice. report: what it writes into the chat; total: whether it writes nothing but the sum."""

    name: str
    dice: int
    faces: int
    report: str
    total: bool = False


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
