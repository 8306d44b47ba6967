"""Checks of a game's looks: faces and symbols that cannot be drawn or are never shown, and sides that look alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from assistant.drawing.colours import MIN_DIFFERENCE, MIN_DIFFERENCE_IN_GREY, find_close_colours
from assistant.drawing.faces import FACES, Faces, is_face, unit_face_file
from assistant.drawing.paths import read_path
from assistant.drawing.scene import Bitmap
from assistant.drawing.style import palette_of
from assistant.drawing.symbols import FOLDER, Symbols
from assistant.game.games import Game, pack_folder
from assistant.util.console import format_count
from assistant.util.datafiles import resolve_within
from assistant.util.errors import InputError, similar
from assistant.util.texts import compose_accents

from .design import read_design
from .faces import DESIGN_SIDE_MM
from .markings import markings

_MIN_ALLY_DIFFERENCE = 5.0
"""Colour difference (CIEDE2000) below which allies look alike."""
_MAX_WORDS_NAMED = 5
_INCH_MM = 25.4
_MIN_PRINT_DPI = 150
_FINE_PRINT_DPI = 300
_WIDTH_PER_HEIGHT = {"nation": 1.0, "terrain": 0.0, "echelon": 0.0}
"""Aspect ratio of own symbols by the first word of their names; other symbols are 60 to 40, and 0 allows any."""


def look_faults(game: Game, faces: Faces | None = None) -> Iterator[InputError]:
    """Yield whole faces that cannot be drawn as intended, in the game's folder and in the owner's pack.

    `faces`: the game's faces, if the caller has read them.
    """
    yield from (faces or Faces(game)).faults()


def look_remarks(game: Game, faces: Faces | None = None) -> Iterator[str]:
    """Yield a line for each doubtful look. The game's files must be free of mistakes.

    `faces`: the game's faces, if the caller has read them.
    """
    faces = faces or Faces(game)
    yield from _check_sides(game)
    yield from _check_words(game)
    yield from _check_faces(game, faces)
    yield from _check_endings(game)
    yield from _check_pictures(faces)
    yield from _check_symbols(game)


def _check_sides(game: Game) -> Iterator[str]:
    """Yield nations of two sides whose counters a player may mix up, and allies whose counters look the same."""
    track = game.tracks.get(game.file.picture.nation)
    nations = list(filter(None, track.values)) if track else []
    palette = palette_of(game)
    side_of = {nation: side for side, members in game.file.sides.items() for nation in members}
    for one, other in combinations(nations, 2):
        least, least_in_grey = MIN_DIFFERENCE, MIN_DIFFERENCE_IN_GREY
        if side_of.get(one, one) == side_of.get(other, other):
            least, least_in_grey = _MIN_ALLY_DIFFERENCE, 0.0
        colours = {one: palette.nation(one), other: palette.nation(other)}
        for _, _, why in find_close_colours(colours, min_difference=least, least_in_grey=least_in_grey):
            named = " and ".join(f"{nation} {colour}" for nation, colour in colours.items())
            yield f"{named} are hard to distinguish {why}; choose other colours in [picture.colours] of game.toml"


def _check_words(game: Game) -> Iterator[str]:
    picture, symbols = game.file.picture, Symbols(game)
    track = game.tracks.get(picture.symbol)
    words = filter(None, track.values) if track else ()
    lacking = [word for word in words if symbols.symbol(word) is None]
    if lacking:
        more = f" and {len(lacking) - _MAX_WORDS_NAMED} more" if len(lacking) > _MAX_WORDS_NAMED else ""
        hint = f"draw symbols/{lacking[0]}.svg, or see `module-builder symbols` for ours"
        yield f"no symbol for {', '.join(lacking[:_MAX_WORDS_NAMED])}{more}: counters show the word; {hint}"


def _check_faces(game: Game, faces: Faces) -> Iterator[str]:
    """Yield files of faces that belong to no unit, and units whose names give the same file."""
    units_of: dict[str, dict[str, None]] = {}
    for unit in (*game.counters, *_list_other_names(game)):
        for side in ("front", "back"):
            units_of.setdefault(_stem_of(unit_face_file(unit, side)), {})[unit] = None
    for file in (found.file.name for found in faces.files()):
        stem = _stem_of(file)
        units = units_of.get(stem, {})
        if not units:
            near = similar(stem, units_of, 0.6, 1)
            ending = compose_accents(file).removeprefix(stem)
            yield f"{FACES}/{file} is the face of no unit" + (f"; nearest: {near[0]}{ending}" if near else "")
        elif len(units) > 1:
            yield f"{FACES}/{file} is the face of both {' and '.join(units)}; rename a unit"


def _list_other_names(game: Game) -> Iterator[str]:
    made = read_design(game)
    yield from made.own.alternatives
    for marking in markings(game, made, palette_of(game)):
        yield from (face.name for face in (marking.front, marking.back))


def _stem_of(file: str) -> str:
    return compose_accents(file).rpartition(".")[0]


def _check_endings(game: Game) -> Iterator[str]:
    """Yield files in the folders of drawings that cannot be drawn, so are never shown."""
    for name, what in (
        (FOLDER, "drawings saved as {0}.svg are"),
        (FACES, "drawings and pictures saved as {0}.svg or {0}.png are"),
    ):
        for file in _list_files(game, name):
            is_used = file.endswith(".svg") or (name == FACES and is_face(file))
            if not is_used and not file.startswith("."):
                yield f"{name}/{file} is not used: only {what.format(_stem_of(file) or file)}"


def _list_files(game: Game, name: str) -> Iterator[str]:
    for home in (pack_folder(game.id), game.folder):
        folder = resolve_within(home, name)
        yield from sorted(file.name for file in folder.iterdir()) if folder.is_dir() else ()


def _check_pictures(faces: Faces) -> Iterator[str]:
    """Yield one line for faces with too few pixels for print, and one for faces that leave a part of the counter white."""
    pictures = {}
    for found in faces.files():
        if isinstance(face := faces.decode(found), Bitmap):
            pictures[f"{FACES}/{found.file.name}"] = min(face.columns, face.rows), max(face.columns, face.rows)
    enough = round(DESIGN_SIDE_MM / _INCH_MM * _MIN_PRINT_DPI)
    if coarse := [name for name, (least, _) in pictures.items() if least < enough]:
        fine = round(DESIGN_SIDE_MM / _INCH_MM * _FINE_PRINT_DPI)
        yield (
            f"{_format_subject(coarse)} fewer than {enough} pixels each way, too few for print; "
            f"{fine} make {_FINE_PRINT_DPI} to the inch on a counter of 5/8 inch"
        )
    if oblong := [name for name, (least, most) in pictures.items() if most > least * 1.05]:
        yield (
            f"{_format_subject(oblong)} another shape than the square counter, of which it leaves a part bare; "
            "cut out a square"
        )


def _format_subject(names: Sequence[str]) -> str:
    others = f" and {format_count(len(names) - 1, 'other face')} have" if len(names) > 1 else " has"
    return f"{names[0]}{others}"


def _check_symbols(game: Game) -> Iterator[str]:
    """Yield the game's own symbols that are entirely outside their viewBox."""
    symbols = Symbols(game)
    for name in symbols.own_names:
        symbol = symbols.symbol(name)
        paths = symbol.paths if symbol else ()
        points = [point for path in paths for piece in read_path(path.data) for point in piece.points]
        if symbol is None or not points:
            continue
        (x, y, width, height), (across, down) = symbol.view_box, zip(*points, strict=True)
        left, top, right, bottom = min(across), min(down), max(across), max(down)
        wanted = _WIDTH_PER_HEIGHT.get(name.partition("-")[0], 60 / 40)
        if wanted and not 0.8 < width / height / wanted < 1.25:
            side = f"{40 * wanted:g}"
            what = f"has a viewBox of {width:g} by {height:g}, which leaves much of its place empty"
            yield f"{FOLDER}/{name}.svg {what}; use one of {side} by 40"
        if right <= x or left >= x + width or bottom <= y or top >= y + height:
            yield (
                f"{FOLDER}/{name}.svg shows nothing: all of it lies outside its viewBox; move it, or change the viewBox"
            )
