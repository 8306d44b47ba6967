"""A board without hexes: a display of places, boxes and turns, or a picture with the names of its places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from assistant.drawing.colours import INK
from assistant.drawing.counters import centred_text
from assistant.drawing.lettering import wrap
from assistant.drawing.map.own_art import whole_art
from assistant.drawing.map.survey import Scale
from assistant.drawing.scene import Bitmap, Circle, Layer, Rectangle, Scene, Shape, enlarge
from assistant.drawing.style import HEX_MM, PAPER, SOFT_INK, UNKNOWN_GROUND
from assistant.game.boards import Board
from assistant.game.boards.map_picture import PIXELS_PER_HEX
from assistant.game.games import Game
from assistant.game.turn_record import turns
from assistant.state.tracks import Value
from assistant.util.console import format_count
from assistant.util.typesetting import sentence, with_spaces

from .margin import READABLE_UNIT, MarginShapes, add_boxes, add_headline, add_turns, format_sources

_WIDTH = 262.0
"""The width of a display, in units of the margin."""
_EDGE_GAP = 8.0
"""The free space around a display, in units of the margin."""
_BOX_HEIGHT = 25.0
"""The height of a box with room for a counter below its name, in units."""
_LETTER_SIZE = 2.8
"""The size of letters, in units."""
_PITCH = 3.9
"""The pitch of lines, in units."""
_MIN_COLUMN_WIDTH = 74.0
"""The minimum width of a column of places, in units."""
_COLUMN_GAP = 8.0
"""The space between two columns, in units."""
_HEADING_SIZE = 4.0
"""The size of a heading, in units."""
_NOT_DRAWN = (
    "Not a map: none is drawn, and nothing is made up. These are the places that rules name, the boxes and the turns."
)
_NAME_SIZE = HEX_MM / 5
"""The size of the names on a picture, in its units."""
_DOT_RADIUS = HEX_MM / 16


def display_scene(game: Game, board: Board, scale: Scale) -> Scene:
    """Return a display of a board without a map, in the units of pictures.

    `scale`: the scale at which it is seen.
    """
    parts, room = MarginShapes(), _WIDTH - 2 * _EDGE_GAP
    known = [_NOT_DRAWN, *filter(None, [format_sources(board)])]
    y = add_headline(parts, game.title, sentence(board.title), known, _EDGE_GAP, _EDGE_GAP, room)
    if board.boxes:
        y = add_boxes(parts, board.boxes, _EDGE_GAP, y, room, box_height=_BOX_HEIGHT)
    y = _add_places(parts, [*_named_places(game, board)], y, room)
    y = add_turns(parts, turns(game), _EDGE_GAP, y, room)
    unit, height = READABLE_UNIT * scale.letters, y + _EDGE_GAP
    paper = Rectangle(x=0, y=0, width=_WIDTH * unit, height=height * unit, fill=PAPER)
    drawn = enlarge(Layer("display", tuple(parts.shapes)), unit)
    layers = (Layer("paper", (paper,)), drawn)
    return Scene(width=_WIDTH * unit, height=height * unit, title=board.title, layers=layers)


def format_display(game: Game, board: Board) -> str:
    """Return the contents of a display in words."""
    places = sum(len(names.split(", ")) for names, _ in _named_places(game, board))
    counts = (len(board.boxes), "box", "boxes"), (places, "place", "places"), (len(turns(game)), "turn", "turns")
    counted = [format_count(*count) for count in counts if count[0]]
    return ", ".join(counted) or "nothing"


def _named_places(game: Game, board: Board) -> Iterator[tuple[str, str]]:
    """Yield the hexes that rules name, with their names and facts. Nameless hexes with the same facts are joined."""
    names = {place.hex: place.name for place in board.places}
    facts: dict[str, list[str]] = {hex: [] for hex in sorted(names)}
    for (track, subject), fact in sorted(board.facts.items(), key=lambda item: item[0][::-1]):
        if game.tracks[track].on == "hex":
            facts.setdefault(subject, []).append(_format_fact(game, track, fact.value))
    alike: dict[str, list[str]] = {}
    for hex, words in facts.items():
        if hex in names:
            yield f"{hex} {names[hex]}", ", ".join(words)
        else:
            alike.setdefault(", ".join(words), []).append(hex)
    yield from ((", ".join(hexes), words) for words, hexes in alike.items())


def _format_fact(game: Game, track: str, value: Value) -> str:
    declared = game.tracks[track]
    if value is True:
        return declared.title
    values = value if isinstance(value, tuple) else (value,)
    titles = ((str(one), game.file.title_of(str(one))) for one in values)
    return f"{declared.title}: {', '.join(title if title != word else with_spaces(word) for word, title in titles)}"


def _add_places(parts: MarginShapes, places: Sequence[tuple[str, str]], y: float, room: float) -> float:
    """Add places in columns of about the same height, and return their lower end."""
    if not places:
        return y
    parts.text(_EDGE_GAP, y + _HEADING_SIZE, "Places by their numbers", _HEADING_SIZE, bold=True)
    y += _HEADING_SIZE + 2.0
    columns = max(int((room + _COLUMN_GAP) // (_MIN_COLUMN_WIDTH + _COLUMN_GAP)), 1)
    width = (room + _COLUMN_GAP) / columns - _COLUMN_GAP
    entries = [[*_list_lines(name, words, width)] for name, words in places]
    deep = max(-(-sum(map(len, entries)) // columns), max(map(len, entries)))
    column = row = lowest = 0
    for entry in entries:
        if row and row + len(entry) > deep and column + 1 < columns:
            column, row = column + 1, 0
        for line, first in entry:
            row += 1
            x = _EDGE_GAP + column * (width + _COLUMN_GAP)
            parts.text(x, y + row * _PITCH, line, _LETTER_SIZE, bold=first, fill=INK if first else SOFT_INK)
        lowest = max(lowest, row)
    return y + lowest * _PITCH + 5.0


def _list_lines(name: str, words: str, width: float) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a place: its number and name, then its facts. Each has a flag that is true for the first."""
    yield from ((line, True) for line in wrap(name, _LETTER_SIZE, width, bold=True, broken=True))
    yield from ((line, False) for line in wrap(sentence(words), _LETTER_SIZE, width, broken=True) if line)


def is_area_map(board: Board) -> bool:
    """Return whether a board is a picture without hexes."""
    return board.picture is not None and board.picture.first is None


def area_scene(game: Game, board: Board, *, names: bool) -> Scene:
    """Return the picture of a board in the units of pictures, with the names of its places if these are wanted.

    Raises InputError with the file if the picture is missing or cannot be read.
    """
    assert board.picture is not None
    whole, unit = whole_art(game.folder, board.name, board.picture), HEX_MM / PIXELS_PER_HEX
    width, height = whole.width * unit, whole.height * unit
    picture: Bitmap = msgspec.structs.replace(whole, width=width, height=height)
    marks: list[Shape] = []
    for name, (x, y) in board.picture.places.items() if names else ():
        marks.append(Circle(x=x * unit, y=y * unit, radius=_DOT_RADIUS, fill=INK, stroke=UNKNOWN_GROUND))
        below = centred_text(name, x * unit, y * unit + _DOT_RADIUS + _NAME_SIZE, _NAME_SIZE, INK)
        marks.append(msgspec.structs.replace(below, halo=UNKNOWN_GROUND))
    layers = Layer("own-art", (picture,)), Layer("places", tuple(marks))
    described = ", ".join(board.picture.places)
    return Scene(width=width, height=height, title=board.title, description=described, layers=layers)
