"""Pictures of counters: each side, an overview, files, and a watch on the game's folder."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from assistant.drawing.pdf import PdfPage, PlacedScene
from assistant.drawing.png import page_to_png, to_png, with_resolution
from assistant.drawing.scene import Layer, Rectangle, Scene
from assistant.drawing.style import PAPER
from assistant.drawing.svg import to_svg
from assistant.game.games import Game, read_game
from assistant.util.console import format_count
from assistant.util.errors import InputError
from assistant.util.files import saves
from assistant.util.writing import write_all, write_whole

from .design import Variant
from .faces import Cut
from .picture_names import face_picture, picture_words
from .pieces import Counter, choose_counters, counters_and_markers, format_troubles

_FACES_ABREAST_OF_FEW = 8
_FACES_ABREAST_OF_MANY = 14
_FACE_GAP_MM = 1.5


def side_scenes(counters: Sequence[Counter], *, plain: bool = True) -> dict[tuple[str, str], Scene]:
    """Return the drawing of each side of counters, by unit and "front" or "back".

    `plain`: whether backs without values are included.
    """
    fronts = {(counter.unit, "front"): counter.front for counter in counters}
    backs = (counter for counter in counters if plain or not counter.is_plain_behind)
    return fronts | {(counter.unit, "back"): counter.back for counter in backs if counter.back}


def counter_pictures(counters: Sequence[Counter], dpi: float) -> dict[tuple[str, str], bytes]:
    """Return a PNG of each side of counters, by unit and "front" or "back". `dpi`: pixels per inch."""
    scenes = side_scenes(counters)
    return dict(zip(scenes, to_png(list(scenes.values()), dpi / 25.4), strict=True))


def _lay_out(counters: Sequence[Counter]) -> PdfPage:
    lines: list[list[Scene]] = [[]]
    pairs = [[face for face in (counter.front, counter.back) if face] for counter in counters]
    abreast = _FACES_ABREAST_OF_FEW if len(pairs) <= _FACES_ABREAST_OF_FEW else _FACES_ABREAST_OF_MANY
    for pair in pairs:
        if len(lines[-1]) + len(pair) > abreast:
            lines.append([])
        lines[-1] += pair
    side = max((counter.front.width for counter in counters), default=0.0)
    step = side + _FACE_GAP_MM
    width, height = _FACE_GAP_MM + step * max(map(len, lines)), _FACE_GAP_MM + step * len(lines)
    paper = Rectangle(x=0, y=0, width=width, height=height, fill=PAPER)
    ground = Scene(width=width, height=height, title="", layers=(Layer("paper", (paper,)),))
    placed = [
        PlacedScene(scene, _FACE_GAP_MM + column * step, _FACE_GAP_MM + number * step, side, side)
        for number, line in enumerate(lines)
        for column, scene in enumerate(line)
    ]
    return PdfPage(width, height, (PlacedScene(ground, 0, 0, width, height), *placed))


def overview_png(counters: Sequence[Counter], dpi: float) -> bytes:
    """Return one PNG with all counters, each front with its back beside it. `dpi`: pixels per inch."""
    return page_to_png(_lay_out(counters), dpi / 25.4)


class CounterWish(NamedTuple):
    """The options for drawing counters."""

    only: tuple[str, ...]
    """Units and markers to draw, or () for all."""
    markers: bool
    """Whether only markers are drawn."""
    dpi: int
    """Pixels per inch."""
    side: float
    """Side of a counter, in mm."""
    bleed: float
    """Bleed beyond each edge, in mm."""
    variant: Variant
    rounded: bool
    open_backs: bool = False
    """Whether backs that would hide their unit show its values."""


def _choose_counters(game: Game, wish: CounterWish) -> list[Counter]:
    cut = Cut(wish.side, wish.bleed, wish.rounded)
    counters = counters_and_markers(game, cut, wish.variant, open_backs=wish.open_backs)
    chosen = choose_counters(counters, wish.only) if wish.only else counters
    return [counter for counter in chosen if counter.is_marker or not wish.markers]


def _format_count(counters: Iterable[Counter]) -> str:
    flags = [counter.is_marker for counter in counters]
    parts = (
        (format_count(flags.count(False), "counter"), flags.count(False)),
        (format_count(sum(flags), "marker"), sum(flags)),
    )
    return " and ".join(words for words, count in parts if count) or "no counter"


def draw_files(game: Game, wish: CounterWish, folder: Path, *, svg: bool, force: bool) -> list[str]:
    """Write a picture of each side into a folder, and return lines about it: defects first, the result last."""
    counters = _choose_counters(game, wish)
    files: dict[str, bytes] = {}
    words = picture_words(counter.unit for counter in counters)
    if svg:
        for (unit, side), scene in side_scenes(counters).items():
            files[face_picture(words[unit], side, "svg")] = to_svg(scene).encode()
    else:
        for (unit, side), data in counter_pictures(counters, wish.dpi).items():
            files[face_picture(words[unit], side)] = with_resolution(data, wish.dpi / 25.4)
    write_all(folder, files, force=force)
    others = [] if wish.only or wish.markers else find_strangers(folder, files)
    return [
        *format_troubles(counters),
        *others,
        f"{folder}: {format_count(len(files), 'picture')} of {_format_count(counters)}",
    ]


def find_strangers(folder: Path, files: Container[str]) -> list[str]:
    """Return a line on pictures in a folder that belong to no counter now, such as those of renamed units."""
    others = sorted(
        file.name for file in folder.iterdir() if file.suffix in (".png", ".svg") and file.name not in files
    )
    if not others:
        return []
    more = f" and {len(others) - 1} more" if len(others) > 1 else ""
    return [f"{folder} also holds {others[0]}{more}, not made by this run; delete what an earlier run left"]


def draw_overview(game: Game, wish: CounterWish, file: Path, *, force: bool) -> list[str]:
    """Write one picture of all counters, and return lines about it: defects first, the result last."""
    counters = _choose_counters(game, wish)
    write_whole(file, with_resolution(overview_png(counters, wish.dpi), wish.dpi / 25.4), force=force)
    return [*format_troubles(counters), f"{file}: {_format_count(counters)}"]


def watch_drawing(game: Game, wish: CounterWish, file: Path) -> Iterator[str]:
    """Draw the overview again each time a file of the game's folder is saved, and print the result or the mistake."""
    for _ in saves(Path(str(game.folder)), file):
        try:
            now = read_game(game.id, game.folder, game.made_by, game.home).with_overlay(game.overlay)
            yield from draw_overview(now, wish, file, force=True)
        except InputError as error:
            yield str(error)
