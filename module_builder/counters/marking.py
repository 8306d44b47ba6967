"""Markers as counters: what lies on the map to state a fact, from the tracks that a module shows and `[markers]`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assistant.game.games import Game
from assistant.game.lint.faults import COLOUR
from assistant.pictures.style import Palette
from assistant.state.sources import Value
from assistant.state.tracks import NONE, Track
from assistant.util.errors import InputError, Where

from .colours import nation_palette
from .design import FILE, Design, MarkerDesign

_MOST = 20
_PLAIN = "#57534b"


class Face(NamedTuple):
    """One side of a marker. word: above the text, "" for none; sign: its symbol, "" for none; title: what it states, in
    words; colour: #rrggbb.
    """

    word: str
    text: str
    sign: str
    title: str
    colour: str


class Marking(NamedTuple):
    """A marker: its sides, how many there are, and the nation that it belongs to, "" for none."""

    name: str
    front: Face
    back: Face
    count: int  # type: ignore[assignment]  # a field, as in a list of pieces
    nation: str

    @property
    def in_words(self) -> str:
        """The words on the marker, such as "Steps lost -1 / -2"; without any, its title and its texts."""
        texts = dict.fromkeys(face.text for face in (self.front, self.back))
        what = self.front.word or self.front.title.partition(":")[0]
        return f"{what} {' / '.join(texts)}"


def marker_colour(game: Game, track: Track, value: Value, palette: Palette | None = None) -> str:
    """The colour of the tag or marker that states a value: of the side that it names, else that of the track."""
    members = game.file.sides.get(str(value)) if track.kind == "choice" else None
    if members:
        return (palette or nation_palette(game)).inks(members[0]).strong
    colour = track.module.colour if track.module else _PLAIN
    if not COLOUR.fullmatch(colour):
        what = f"[{track.name}.module] colour {colour!r} is not a colour"
        raise InputError(what, where=Where("tracks.toml"), hint="write it as #rrggbb")
    return colour


def marker_faults(track: Track, wanted: MarkerDesign) -> Iterator[tuple[str, InputError]]:
    """What is wrong in `[markers.TRACK]`, each with the key that states it."""
    if wanted.colour and not COLOUR.fullmatch(wanted.colour):
        yield "colour", InputError(f"{wanted.colour!r} is not a colour", hint="write it as #rrggbb")
    for pair in wanted.pairs:
        if not 1 <= len(pair) <= 2:
            hint = "write [FRONT, BACK], or [FRONT] for both sides"
            yield "pairs", InputError(f"a marker shows one value or two, not {len(pair)}", hint=hint)
        yield from (("pairs", fault) for value in pair for fault in _no_value(track, str(value)))
    for key, values in (("shows", wanted.shows), ("symbols", wanted.symbols)):
        yield from ((key, fault) for value in values for fault in _no_value(track, value))


def _no_value(track: Track, written: str) -> Iterator[InputError]:
    try:
        if written != NONE:
            track.parse(written)
    except InputError as error:
        yield error


def markings(game: Game, design: Design, palette: Palette) -> Iterator[Marking]:
    """The markers of a game, in the order of its tracks. Raises InputError for the first mistake in `[markers]`, or in
    a colour.
    """
    stated = design.file.markers
    for track in game.tracks.values():
        wanted = stated.get(track.name)
        for key, fault in marker_faults(track, wanted) if wanted else ():
            raise fault.told_as(f"[markers.{track.name}] {key}: {fault.what}", Where(FILE))
        shown = track.module is not None and track.kind != "text" and not track.module.flips and bool(track.module.tag)
        if (wanted is None and not (shown and track.on in ("unit", "hex"))) or (wanted and wanted.left_out):
            continue
        yield from _of_track(game, palette, track, wanted or MarkerDesign())


def _of_track(game: Game, palette: Palette, track: Track, wanted: MarkerDesign) -> Iterator[Marking]:
    for pair in _pairs(track, wanted):
        faces = [_face(game, palette, track, wanted, value) for value in pair]
        name = f"{track.name} {'/'.join(track.write(value) for value in pair)}"
        nation = next((game.file.sides[str(value)][0] for value in pair if str(value) in game.file.sides), "")
        yield Marking(name, faces[0], faces[-1], wanted.count, nation)


def _pairs(track: Track, wanted: MarkerDesign) -> Sequence[Sequence[Value]]:
    if wanted.pairs:
        return [[track.parse(str(value)) for value in pair] for pair in wanted.pairs]
    loud = [value for value in track.in_turn(_MOST) if track.absent is None or value != track.absent]
    return [loud[at : at + 2] for at in range(0, len(loud), 2)]


def _face(game: Game, palette: Palette, track: Track, wanted: MarkerDesign, value: Value) -> Face:
    written = track.write(value)
    text = wanted.shows.get(written) or (wanted.text.replace("{}", written) if wanted.text else track.tag(value))
    colour = wanted.colour or marker_colour(game, track, value, palette)
    symbol = wanted.symbol or game.file.picture.markers.get(track.name, "")
    sign = wanted.symbols.get(written) or symbol.replace("{}", written)
    return Face(wanted.word, text, sign, f"{track.title}: {written}", colour)
