"""Traits of a module's pieces that the assistant need not read: each is the line of text that VASSAL calls its type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import CONTROL, Trait, key

from ..elements import ALT


class Line(NamedTuple):
    """A line of a counter's menu, and the key that does the same."""

    menu: str
    letter: str
    modifiers: int = CONTROL

    @property
    def stroke(self) -> str:
        """The keystroke as traits write it."""
        return key(self.letter, self.modifiers)


OUT_OF_PLAY, RETURN = Line("Out of play", "D"), Line("Back where it stood", "D", ALT)
"""The lines of a counter's menu that take it off the map and bring it back."""
MOVED, TRAIL = Line("Moved", "M", ALT), Line("Trail", "T", ALT)
"""Those that mark it as moved and show its way."""

_HERE = "COUNTER|false|MAP|||||0|0||false|||EQUALS"
"""Where VASSAL looks for the pieces of a command: on the map at hand."""


def report(strokes: Iterable[str], text: str) -> Trait:
    """Write a text into the chat at these keystrokes."""
    return Trait(join(["report", join(strokes, ","), text, "", "", "Tell all players", "false"], ";"), "-1")


def submenu(name: str, lines: Iterable[str]) -> Trait:
    """Gather lines of the menu under a name."""
    return Trait(join(["submenu", name, join(lines, ","), name], ";"))


def delete(menu: str, stroke: str) -> Trait:
    """Take the piece out of the game for good."""
    return Trait(join(["delete", menu, stroke, menu], ";"))


def send(map: str, board: str, at: Pixel) -> Trait:
    """Send the piece to a place of another window, and back to where it came from."""
    there, back = ((line.menu, line.stroke) for line in (OUT_OF_PLAY, RETURN))
    return Trait(
        join(
            ["sendto", *there, map, board, *map_numbers(at), *back, "0", "0", "0", "0", there[0], "L", *[""] * 4], ";"
        ),
        ";;",
    )


def map_numbers(at: Pixel) -> tuple[str, str]:
    """A place in pixels as texts."""
    return str(at[0]), str(at[1])


def mark_moved(image: str, at: Pixel) -> Trait:
    """Show a picture on the piece once it has moved. at: from the middle of the piece, in pixels."""
    return Trait(
        join(["markmoved", image, *map_numbers(at), MOVED.menu, MOVED.stroke, MOVED.menu, "true"], ";"), "false"
    )


def trail() -> Trait:
    """Show the way that the piece has gone since its trail was last cleared, to whoever asks for it."""
    looks = ["false", "false", "8", "255,250,240", "179,32,42", "100", "40", "20", "60", "2.0"]
    return Trait(join(["footprint", TRAIL.stroke, TRAIL.menu, *looks, "", "", "", TRAIL.menu], ";"), "false;;0")


def in_place(menu: str, stroke: str, sent: str, filter: str) -> Trait:
    """Press a key on all pieces in the same place that a filter lets through."""
    return Trait(
        join(["globalkey", menu, stroke, sent, filter, "true", "0", "true", "true", "", menu, "-1", _HERE], ";")
    )


def computed(name: str, expression: str) -> Trait:
    """A property that VASSAL works out from an expression."""
    return Trait(join(["calcProp", name, f"{{{expression}}}", name], ";"))


def bounded(layer: str, most: str, stroke: str) -> Trait:
    """Disable the command that leads a layer on once it has so many levels as a property says, the first of which shows
    nothing.
    """
    expression = f'{{{most}!="" && {layer}_Level>={most}}}'
    return Trait(join(["hideCmd", f"{layer} below {most}", "Disable", expression, join([stroke], ",")], ";"))


def does_not_stack(note: str) -> Trait:
    """Never stack with other pieces."""
    return Trait(join(["immob", "", "N", "R", note], ";"))
