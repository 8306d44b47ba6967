"""The lines that VASSAL and the assistant exchange through a pipe.

A request is a line of fields, separated by tabs, and the bytes of the game. A reply is some lines, each a word and what
it needs, and an empty line.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO, NamedTuple

from ...asking.asks import Ask
from ...formats.vassal.containers import ModuleData
from ...formats.vassal.grids import Pixel
from ...util.errors import InputError, plain, quoted
from ...util.limits import Limit
from .shapes import Shape

OFFER = "offer"
ASK = "ask"
CHAT_LINE = "chat"
CARD = "hex"
"""The word before the hex whose ground and units are asked for, in place of a question."""
GIVE = "give"
"""The action that answers a question's wish with what the player chose or typed."""
DICE = "dice"
"""The line of a reply that waits for dice: the next lines of the chat are sent."""
GAP = "\x1e"
"""The place in a question for what the player chooses or types."""
BEFORE_ANSWER = "\x1f"
"""The separator of a question with a blank and the answer that fills it."""
_FIELDS = 8
"""The number of fields in the line of a request."""
_BETWEEN_PIECES = "\x1f"
"""The separator of the ids of pieces in their field."""
_MAX_LINE_BYTES = 2**20
"""The maximum length of the line of a request, which names all selected pieces."""


class Request(NamedTuple):
    """A request of the plugin."""

    action: str
    """`offer` for the questions that fit the selection, `ask` for the answer to one of them, `give` for what one of them
    lacked, `chat` for the dice thrown."""
    asked: str
    """For `ask` the question, as in notation; for `give` one with a blank, and what fills it; for `chat` a line of the chat."""
    side: str
    """The module's name of the player's side, or "" for a player without a side."""
    player: str
    """The player's name in the chat, or "" if it is unknown."""
    module: ModuleData
    pieces: tuple[str, ...]
    """The ids of the selected pieces."""
    state: bytes
    """The commands of the game, as in a save."""


class Offer(NamedTuple):
    """A question that fits the selection."""

    asked: str
    """The question with its parameters, as in notation."""
    title: str
    is_first: bool
    """Whether the question is shown directly, instead of under further questions."""


def read_request(stream: BinaryIO) -> Request | None:
    """Return the next request, or None after the last one.

    Raises InputError if a request is damaged or too large; nothing can be read after it.
    """
    line = stream.readline(_MAX_LINE_BYTES)
    if not line:
        return None
    fields = line.decode("utf-8", "replace").rstrip("\n").split("\t")
    if not line.endswith(b"\n") or len(fields) != _FIELDS or not fields[-1].isdecimal():
        raise InputError("the request of VASSAL's plugin cannot be read", hint="`assistant vassal install` renews it")
    action, asked, side, player, module, version, pieces, length = fields
    Limit.TEXT.check(int(length), "the game has")
    state = stream.read(int(length))
    if len(state) < int(length):
        return None
    ids = tuple(id for id in pieces.split(_BETWEEN_PIECES) if id)
    return Request(action, asked, side, player, ModuleData(module, version), ids, state)


def write_text(text: str) -> str:
    """Return the line of a reply that is shown in the player's chat.

    VASSAL shows HTML in a line that begins with the sign of a colour, even after blanks. In other lines it escapes HTML.
    """
    said = plain(text, _MAX_TEXT)
    return f"say {'Field Staff: ' if said.lstrip().startswith(_COLOUR_SIGNS) else ''}{said}"


_COLOUR_SIGNS = ("|", "!", "?", "~", "`")
"""The letters at the beginning of a line that VASSAL's chat takes for a colour."""
_MAX_TEXT = 2000
"""The maximum length of a text in the chat, in letters."""


def write_offer(offer: Offer) -> str:
    """Return the line of a reply that offers a question."""
    return f"{'offer' if offer.is_first else 'more'} {offer.asked}\t{offer.title}"


def write_wish(asked: str, wanted: Ask) -> str:
    """Return the line of a reply that has the player choose or type something.

    `asked`: the question to ask then, with `GAP` in the place of it.
    """
    title = wanted.title if wanted.options else f"{wanted.title}: {wanted.how}"
    return "\t".join((f"wish {asked}", *map(_write_label, (title, *wanted.options))))


def _write_label(text: str) -> str:
    """Return a text for a window. A blank before its `<` keeps it from being shown as HTML."""
    label = plain(text, _MAX_TEXT)
    return f" {label}" if label.startswith("<") else label


def fill_blank(given: str) -> str:
    """Return a question whose blank is filled with what the player chose or typed.

    `given`: the question, `BEFORE_ANSWER` and the answer. Names with spaces in the answer need no quotes.
    """
    asked, _, answer = given.partition(BEFORE_ANSWER)
    parts = [answer] if '"' in answer else [quoted(part.strip()) for part in answer.split(",")]
    return asked.replace(GAP, ",".join(parts))


def write_shape(shape: Shape, pixels: Iterable[Pixel]) -> str:
    """Return the line of a reply that draws a shape on the map, its points in pixels of the map."""
    points = " ".join(f"{x},{y}" for x, y in pixels)
    return f"{shape.kind} {shape.colour} {points}" + (f"\t{shape.label}" if shape.label else "")
