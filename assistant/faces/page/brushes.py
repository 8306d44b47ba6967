"""The brushes with which a map is painted: each paints the words of a track."""

from __future__ import annotations

from ...drawing.colours import INK
from ...drawing.style import ROAD, Palette, palette_of
from ...game.games import Game
from ...state.tracks import Track, Value
from .messages.photos import Brush, BrushWord

_WORDS = 30
"""The most words of a brush: a track with more of them is not painted."""


def list_brushes(game: Game) -> tuple[Brush, ...]:
    """Return with what a map of a game can be painted: what it prints in hexes and on hexsides, the terrain first."""
    picture = game.file.picture
    palette = palette_of(game)
    first = [picture.terrain, picture.barrier, picture.rail, picture.road, picture.town, picture.crossing]
    tracks = [track for track in game.tracks.values() if is_painted(track)]
    tracks.sort(key=lambda track: first.index(track.name) if track.name in first else len(first))
    return tuple(_make_brush(game, palette, track) for track in tracks)


def _make_brush(game: Game, palette: Palette, track: Track) -> Brush:
    picture = game.file.picture
    crosses = track.name in (picture.rail, picture.road, picture.gauge)
    words = []
    for number, value in enumerate(paintable_values(track)):
        word = BrushWord(
            value=track.write(value),
            word=_find_word(track, value),
            colour=_find_colour(game, palette, track, value, number),
            width=_find_width(palette, track, value, number, crosses=crosses),
        )
        words.append(word)
    return Brush(
        track=track.name,
        title=track.title.partition(" (")[0],
        on=track.on,
        crosses=crosses,
        several=track.kind == "choices",
        words=tuple(words),
    )


def is_painted(track: Track) -> bool:
    """Return whether the printed map shows a track in hexes or on hexsides, with few enough words for a brush."""
    return track.printed == "map" and track.on in ("hex", "hexside") and 0 < len(paintable_values(track)) <= _WORDS


def paintable_values(track: Track) -> tuple[Value, ...]:
    """Return what a brush can paint of a track, one word at a time."""
    if track.kind == "choices":
        return tuple(track.parse(word) for word in track.values)
    return track.in_turn() or track.values


def _find_word(track: Track, value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return track.write(value)


_SPARE = ("#8a3ffc", "#c2410c", "#0f766e", "#be185d", "#4d7c0f", "#1d4ed8", "#a16207", "#57534e")
"""Colours of words that have none of their own."""


def _find_colour(game: Game, palette: Palette, track: Track, value: Value, number: int) -> str:
    """Return the colour in which what is painted lies over the photo, "" for nothing."""
    picture = game.file.picture
    word = track.write(value)
    if track.name == picture.terrain:
        return palette.ground(word)
    if is_nothing(palette, track, value):
        return ""
    if track.name == picture.barrier:
        style = palette.hexside(word)
        return style.colour if style else ""
    if track.name in (picture.rail, picture.road):
        return palette.link(word, INK if track.name == picture.rail else ROAD)
    if track.name == picture.country:
        return palette.country(word) or _SPARE[number % len(_SPARE)]
    return _SPARE[number % len(_SPARE)]


def _find_width(palette: Palette, track: Track, value: Value, number: int, *, crosses: bool) -> float:
    """Return how wide the line of what is painted on a hexside is, in pixels: a larger river, or a later word for a
    railway, is wider.
    """
    if track.on == "hex":
        return 0.0
    style = None if crosses else palette.hexside(track.write(value))
    return round(2.5 + 2.2 * style.width, 1) if style else 2.0 + 1.5 * number


def is_nothing(palette: Palette, track: Track, value: Value) -> bool:
    """Return whether a value of what lies in a hex or on a hexside means that nothing is there, such as no river."""
    if isinstance(value, bool | tuple) and not value:
        return True
    return not isinstance(value, bool) and palette.hexside(track.write(value)) is None
