"""The markers that state a game's facts, and the signs of a status on a screen: a tag, a counter face down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from assistant.drawing.colours import ink_on
from assistant.drawing.counters import centred_text
from assistant.drawing.lettering import FIGURE_HEIGHT as CAP
from assistant.drawing.lettering import text_width
from assistant.drawing.scene import Circle, Layer, Polyline, Rectangle, Scene, Text, inset
from assistant.drawing.style import Palette, check_colour, marker_colour, palette_of
from assistant.drawing.symbols import Symbols
from assistant.game.games import Game
from assistant.game.lint.faults import COLOUR
from assistant.state.tracks import NONE, Track, Value
from assistant.util.errors import InputError, Where

from .design import FILE, Design, MarkerDesign
from .faces import DESIGN_SIDE_MM
from .shapes import Area, draw_symbol

_MAX_OWN_VALUES = 20
"""Maximum number of values with a marker each, if the design names no values."""


class Face(NamedTuple):
    """One side of a marker."""

    name: str
    """The name of an author's own drawing, such as "lost 1"."""
    word: str
    """The word above the text, or ""."""
    text: str
    sign: str
    """The symbol, or ""."""
    title: str
    """The stated fact in words."""
    colour: str
    """Colour as #rrggbb."""


class Marking(NamedTuple):
    """A marker: its sides, its number, and its nation or ""."""

    name: str
    front: Face
    back: Face
    count: int  # type: ignore[assignment]  # a field, as in a list of pieces
    nation: str
    cut: str = ""
    """The stated shape and size, or "" for the shape and size of all markers."""

    @property
    def in_words(self) -> str:
        texts = dict.fromkeys(face.text for face in (self.front, self.back))
        what = self.front.word or self.front.title.partition(":")[0]
        return f"{what} {' / '.join(texts)}"


def tag_colour(track: Track, value: Value, palette: Palette) -> str:
    """Return the colour of the tag or marker for a value: the colour of the side that it names, or else of the track.

    Raises InputError if the colour cannot be read.
    """
    colour = marker_colour(track, value, palette)
    if not COLOUR.fullmatch(colour):
        what = f"[{track.name}.module] colour {colour!r} is not a colour"
        raise InputError(what, where=Where("tracks.toml"), hint="write it as #rrggbb")
    return colour


def marker_faults(track: Track, wanted: MarkerDesign) -> Iterator[tuple[str, InputError]]:
    """Yield the faults of `[markers.TRACK]`, each with its key."""
    if wanted.colour and not COLOUR.fullmatch(wanted.colour):
        yield "colour", InputError(f"{wanted.colour!r} is not a colour", hint="write it as #rrggbb")
    for pair in wanted.pairs:
        if not 1 <= len(pair) <= 2:
            hint = "write [FRONT, BACK], or [FRONT] for both sides"
            yield "pairs", InputError(f"a marker shows one value or two, not {len(pair)}", hint=hint)
        yield from (("pairs", fault) for value in pair for fault in _check_value(track, str(value)))
    for key, values in (("shows", wanted.shows), ("symbols", wanted.symbols)):
        yield from ((key, fault) for value in values for fault in _check_value(track, value))


def _check_value(track: Track, written: str) -> Iterator[InputError]:
    try:
        if written != NONE:
            track.parse(written)
    except InputError as error:
        yield error


def markings(game: Game, design: Design, palette: Palette) -> Iterator[Marking]:
    """Yield the markers of a game, in the order of its tracks. Raises InputError for the first mistake in `[markers]`
    or in a colour.
    """
    stated = design.file.markers
    for track in game.tracks.values():
        wanted = stated.get(track.name)
        if wanted:
            for key, fault in marker_faults(track, wanted):
                raise fault.told_as(f"[markers.{track.name}] {key}: {fault.what}", Where(FILE))
        shown = track.module is not None and track.kind != "text" and not track.module.flips and bool(track.module.tag)
        if (wanted is None and not (shown and track.on in ("unit", "hex"))) or (wanted and wanted.left_out):
            continue
        yield from _list_markings(game, palette, track, wanted or MarkerDesign())


def _list_markings(game: Game, palette: Palette, track: Track, wanted: MarkerDesign) -> Iterator[Marking]:
    for pair in _list_pairs(track, wanted):
        faces = [stated_face(game, palette, track, wanted, value) for value in pair]
        name = f"{track.name} {'/'.join(track.write(value) for value in pair)}"
        nation = next((game.file.sides[str(value)][0] for value in pair if str(value) in game.file.sides), "")
        yield Marking(name, faces[0], faces[-1], wanted.count, nation, wanted.cut)


def _list_pairs(track: Track, wanted: MarkerDesign) -> Sequence[Sequence[Value]]:
    """Return the front and back value of each marker. A single value is on both sides."""
    if wanted.pairs:
        return [[track.parse(str(value)) for value in pair] for pair in wanted.pairs]
    values = [value for value in track.in_turn(_MAX_OWN_VALUES) if track.absent is None or value != track.absent]
    return [values[at : at + 2] for at in range(0, len(values), 2)]


def stated_face(game: Game, palette: Palette, track: Track, wanted: MarkerDesign | None, value: Value) -> Face:
    """Return the side of a marker that states a value.

    `wanted`: the design of the track's markers, or None.
    """
    wanted = wanted or MarkerDesign()
    written = track.write(value)
    text = wanted.shows.get(written) or (wanted.text.replace("{}", written) if wanted.text else track.tag(value))
    colour = wanted.colour or tag_colour(track, value, palette)
    symbol = wanted.symbol or game.file.picture.markers.get(track.name, "")
    sign = wanted.symbols.get(written) or symbol.replace("{}", written)
    return Face(f"{track.name} {written}", wanted.word, text, sign, f"{track.title}: {written}", colour)


# --- tags and counters face down on a screen --------------------------------------------------------------------------

_MODULE_PIXEL_MM = DESIGN_SIDE_MM / 75


def badge(text: str, colour: str) -> Scene:
    """Return a small tag for a counter's status, as wide as its text: "-3", "D1", "LOW".

    Raises InputError if `colour` is not #rrggbb.
    """
    check_colour("badge", colour)
    height, size = 14 * _MODULE_PIXEL_MM, 11 * _MODULE_PIXEL_MM
    width = max(text_width(text, size, bold=True) + 1.2, height)
    width = round(width / _MODULE_PIXEL_MM) * _MODULE_PIXEL_MM
    rim = 0.9 * _MODULE_PIXEL_MM
    ink = ink_on(colour)
    body = inset((0, 0, width, height), rim / 2, radius=0.6, fill=colour, stroke=ink, stroke_width=rim)
    words = centred_text(text, width / 2, height / 2 + size * CAP / 2, size, ink)
    return Scene(width=width, height=height, title=text, layers=(Layer("badge", (body, words)),))


def face_down(tint: str) -> Scene:
    """Return a counter face down: its tint, #rrggbb, and a question mark."""
    ink, rim = ink_on(tint), 2 * _MODULE_PIXEL_MM
    whole = Rectangle(x=0, y=0, width=DESIGN_SIDE_MM, height=DESIGN_SIDE_MM, radius=1.3, fill=tint)
    frame = inset((0, 0, DESIGN_SIDE_MM, DESIGN_SIDE_MM), rim, radius=0.9, stroke=ink, stroke_width=rim)
    sign = centred_text("?", DESIGN_SIDE_MM / 2, DESIGN_SIDE_MM / 2 + 10.0 * CAP / 2, 10.0, ink)
    return Scene(
        width=DESIGN_SIDE_MM, height=DESIGN_SIDE_MM, title="face down", layers=(Layer("counter", (whole, frame, sign)),)
    )


def crest_up(game: Game, nation: str) -> Scene:
    """Return a counter with the crest of its nation up: the tint and the nation's sign, or a question mark."""
    palette = palette_of(game)
    tint, sign = palette.nation(nation), Symbols(game).sign(nation, palette.mark(nation))
    plain = face_down(tint)
    if sign is None:
        return plain
    ink, rim, edge = ink_on(tint), 2 * _MODULE_PIXEL_MM, 0.2 * DESIGN_SIDE_MM
    frames = tuple(shape for shape in plain.layers[0].shapes if not isinstance(shape, Text))
    inner = inset(
        (0, 0, DESIGN_SIDE_MM, DESIGN_SIDE_MM), rim * 2.2, radius=0.5, stroke=ink, stroke_width=0.6 * _MODULE_PIXEL_MM
    )
    drawn = draw_symbol(sign, Area(edge, edge, DESIGN_SIDE_MM - 2 * edge, DESIGN_SIDE_MM - 2 * edge), ink, "", "", 0)
    return msgspec.structs.replace(
        plain, title=f"crest: {nation}", layers=(Layer("counter", (*frames, inner, *drawn.shapes)),)
    )


def face_down_mark(tint: str) -> Scene:
    """Return the sign over a counter face down for its own players, who still read it: a broken frame and a question
    mark.

    `tint`: #rrggbb.
    """
    ink, rim, radius = ink_on(tint), 2 * _MODULE_PIXEL_MM, 9 * _MODULE_PIXEL_MM
    width, height = DESIGN_SIDE_MM + 2 * radius, DESIGN_SIDE_MM + 2 * rim
    left, top, right, bottom = radius - rim / 2, rim / 2, width - radius + rim / 2, height - rim / 2
    round_it = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    frame = Polyline(
        points=round_it, stroke=ink, width=rim, dash=(7 * _MODULE_PIXEL_MM, 4 * _MODULE_PIXEL_MM), butt=True
    )
    disc = Circle(x=right, y=height / 2, radius=radius * 0.9, fill=ink, stroke=tint, width=1.2 * _MODULE_PIXEL_MM)
    size = radius * 1.7
    sign = centred_text("?", right, height / 2 + size * CAP / 2, size, tint)
    return Scene(width=width, height=height, title="face down", layers=(Layer("mark", (frame, disc, sign)),))
