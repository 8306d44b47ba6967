"""Whole faces of counters, as drawings or pictures of pixels, of the owner's pack or of the game's folder."""

from __future__ import annotations

import io
import re
import warnings
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..game.games import Game, pack_folder
from ..util.datafiles import resolve_within
from ..util.errors import InputError, located
from ..util.limits import Limit
from ..util.texts import compose_accents
from .scene import Bitmap, Symbol
from .svg_reader import read_drawing
from .symbols import read_art, where_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


FACES = "faces"
"""The folder with whole faces."""
PIXELS = ("png", "gif", "jpg", "jpeg")
"""What the names of pictures of pixels end in."""
ENDINGS = ("svg", *PIXELS)
"""What the names of faces end in; of several faces of a unit the first of these counts."""
_FINEST = 600  # pixels each way, of which no more are drawn on a counter

Side = Literal["front", "back"]


class PictureFile(NamedTuple):
    """A picture as its file holds it."""

    ending: str
    """Of the file's name."""
    data: bytes


class Faces:
    """The whole faces that the owner of a game and its author have for its units, as their files lie there now."""

    def __init__(self, game: Game) -> None:
        folders = [
            (resolve_within(folder, FACES), folder is game.folder) for folder in (pack_folder(game.id), game.folder)
        ]
        self._folders = [
            (folder, own, {compose_accents(file.name): file.name for file in folder.iterdir()})
            for folder, own in folders
            if folder.is_dir()
        ]

    def face(self, unit: str, side: Side) -> Symbol | Bitmap | None:
        """Return the whole face of a unit, in a box of no size; None if there is none.

        It keeps its colours. Raises InputError, with the file, for what is no such drawing or picture.
        """
        found = self._find_file(unit, side)
        return None if found is None else read_face(*found)

    def picture(self, unit: str, side: Side) -> PictureFile | None:
        """Return the whole face of a unit as it lies in its file, if it is a picture of pixels. Raises InputError with
        the file if it is too large.
        """
        found = self._find_file(unit, side)
        ending = "" if found is None else _ending_of(found[0])
        if found is None or ending not in PIXELS:
            return None
        with located(where_of(*found)):
            return PictureFile(ending, read_art(found[0]))

    def _find_file(self, unit: str, side: Side) -> tuple[Traversable, str] | None:
        """Return the file of a face, and how messages name one of the game."""
        for folder, own, names in self._folders:
            for ending in ENDINGS:
                name = names.get(compose_accents(unit_face_file(unit, side, ending)))
                if name is None:
                    continue
                file = resolve_within(folder, name)
                if file.is_file():
                    return file, f"{FACES}/{name}" if own else ""
        return None


def read_face(file: Traversable, called: str = "") -> Symbol | Bitmap:
    """Return the whole face in an untrusted file. Raises InputError as `decode_face` does, with the file. called: how
    messages name a file of the game, "" for its whole path.
    """
    with located(where_of(file, called)):
        return decode_face(PictureFile(_ending_of(file), read_art(file)))


def decode_face(picture: PictureFile) -> Symbol | Bitmap:
    """Return a whole face in its colours, in a box of no size; a drawing is square, of a picture any shape will do.

    Raises InputError if it cannot be drawn as it is meant, or is too large.
    """
    if picture.ending != "svg":
        Limit.ART.check(len(picture.data), "it holds")
        return _read_pixels(picture.data)
    Limit.FACE.check(len(picture.data), "it holds")
    face = read_drawing(picture.data, "the drawing", coloured=True)
    _, _, width, height = face.view_box
    if abs(width - height) > 0.02 * height:
        what = f"a face must be square, but its viewBox is {width:g} by {height:g}"
        raise InputError(what, hint='such as viewBox="0 0 100 100"')
    return face


def _ending_of(file: Traversable) -> str:
    return file.name.rpartition(".")[2]


def _read_pixels(data: bytes) -> Bitmap:
    """Return a picture on white where it is transparent. Raises InputError for data that are no picture, or too many
    pixels.
    """
    from PIL import Image  # only here: most games have no such faces

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # of half its limit
            with Image.open(io.BytesIO(data), formats=["PNG", "GIF", "JPEG"]) as picture:
                Limit.ART_PIXELS.check(picture.width * picture.height, "it has")
                picture.thumbnail((_FINEST, _FINEST))
                whole = picture.convert("RGBA")
    except InputError:
        raise
    except Image.DecompressionBombError:
        raise Limit.ART_PIXELS.error("it has") from None
    except MemoryError:
        raise
    except Exception:  # on spoiled files each of its readers raises what it likes
        raise InputError("it is not a picture", hint="save it as PNG, GIF or JPEG") from None
    paper = Image.new("RGBA", whole.size, "white")
    shown = Image.alpha_composite(paper, whole).convert("RGB")
    return Bitmap(x=0, y=0, width=0, height=0, columns=shown.width, rows=shown.height, pixels=shown.tobytes())


def unit_face_file(unit: str, side: Side, ending: str = "svg") -> str:
    """Return the name of the file of a unit's own face: `1_1.svg` for 1/1, `1_1-back.svg` for its back."""
    plain = re.sub(r'[\x00-\x1f/\\:*?"<>|]', "_", unit).strip(". ") or "_"
    return f"{plain}{'-back' if side == 'back' else ''}.{ending}"
