"""Markers as counters: what lies on the map to state a fact, from the tracks that a module shows and `[markers]`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assistant.game.games import Game
from assistant.pictures.style import Palette
from assistant.state.sources import Value
from assistant.state.tracks import Track

from .colours import nation_palette
from .design import Design, MarkerDesign

_MOST = 20
_PLAIN = "#57534b"


class Face(NamedTuple):
    """One side of a marker. word: above the text, "" for none; sign: its symbol, "" for none; title: what it states, in words;
    colour: #rrggbb."""

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


def marker_colour(game: Game, track: Track, value: Value, palette: Palette | None = None) -> str:
    """The colour of the tag or marker that states a value: of the side that it names, else that of the track."""
    members = game.file.sides.get(str(value)) if track.kind == "choice" else None
    if members:
        return (palette or nation_palette(game)).inks(members[0]).strong
    return track.module.colour if track.module else _PLAIN


def markings(game: Game, design: Design, palette: Palette) -> Iterator[Marking]:
    """The markers of a game, in the order of its tracks."""
    stated = design.file.markers
    for track in game.tracks.values():
        wanted = stated.get(track.name)
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
    sign = wanted.symbols.get(written) or wanted.symbol.replace("{}", written)
    return Face(wanted.word, text, sign, f"{track.title}: {written}", colour)
