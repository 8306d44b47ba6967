"""Whole faces of counters, as drawings or bitmaps, from the owner's pack or the game's folder.

The sizes of bitmaps are cached by content in the user's cache, so that checks decode each bitmap once.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from ..game.games import Game, pack_folder
from ..util.copies import UNFIT, Copies, Copy, mark_code, mark_content
from ..util.datafiles import resolve_within
from ..util.errors import InputError, located
from ..util.limits import Limit
from ..util.texts import compose_accents
from .scene import Bitmap, Symbol
from .svg_reader import read_drawing
from .symbols import read_art, where_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from PIL.Image import Image


FACES = "faces"
"""The name of a folder with whole faces."""
PIXELS = ("png", "gif", "jpg", "jpeg")
"""The suffixes of bitmaps."""
ENDINGS = ("svg", *PIXELS)
"""The suffixes of faces; if a unit has several faces, the first suffix counts."""
_MAX_PIXELS_PER_SIDE = 600
"""The maximum number of columns and rows of a bitmap on a counter."""
_SIZES = Copies("faces", ".faces", 24)

Side = Literal["front", "back"]


class PictureFile(NamedTuple):
    """The content of a picture file."""

    ending: str
    """The suffix of the file's name."""
    data: bytes


class FaceFile(NamedTuple):
    """The file of a whole face."""

    file: Traversable
    called: str
    """The name of a game's file in messages, or "" for its whole path."""

    @property
    def ending(self) -> str:
        return self.file.name.rpartition(".")[2]

    def read(self) -> PictureFile:
        """Return the current content.

        Raises InputError if it cannot be read.
        """
        return PictureFile(self.ending, read_art(self.file))


class _Folder:
    def __init__(self, folder: Traversable, *, own: bool) -> None:
        self.folder, self.own = folder, own
        self.names = [file.name for file in folder.iterdir()]
        self.named = {compose_accents(name): name for name in self.names}
        self.files: dict[str, FaceFile] = {}


class Faces:
    """The whole faces for a game's units by its owner and its author; each file is read at its first use.

    `drawn`: whether faces will be drawn; if not, bitmaps have their sizes but no pixels.
    """

    def __init__(self, game: Game, *, drawn: bool = True) -> None:
        folders = [
            (resolve_within(folder, FACES), folder is game.folder) for folder in (pack_folder(game.id), game.folder)
        ]
        self._folders = [_Folder(folder, own=own) for folder, own in folders if folder.is_dir()]
        self._files: dict[tuple[str, Side], FaceFile | None] = {}
        self._sizes = None if drawn else _FaceSizes(str(game.folder))
        self._faces: dict[FaceFile | tuple[bool, bytes], Symbol | Bitmap] = {}
        """The faces by file, and by content, as equal files share a face: whether it is a drawing, and the digest."""

    def face(self, unit: str, side: Side) -> Symbol | Bitmap | None:
        """Return the whole face of a unit in its colours, in a box without size, or None if there is none.

        Raises InputError with the file if it is not a valid drawing or bitmap.
        """
        found = self._find_file(unit, side)
        return None if found is None else self.decode(found)

    def picture(self, unit: str, side: Side) -> FaceFile | None:
        """Return the file of the whole face of a unit, or None if the face is not a bitmap."""
        found = self._find_file(unit, side)
        return found if found is not None and found.ending in PIXELS else None

    def faults(self) -> Iterator[InputError]:
        """Yield the faults in the files of all faces, and cache the sizes of faultless ones for the next run."""
        for found in self.files():
            try:
                self.decode(found)
            except InputError as error:
                yield error
        if self._sizes is not None:
            self._sizes.keep()

    def files(self) -> Iterator[FaceFile]:
        """Yield all files with names of faces, even of unknown units: first the pack's, then the game's."""
        for folder in self._folders:
            yield from (self._file(folder, name) for name in sorted(folder.names) if is_face(name))

    def decode(self, found: FaceFile) -> Symbol | Bitmap:
        """Return the whole face in an untrusted file.

        Raises InputError with the file, as `decode_face` does.
        """
        if found not in self._faces:
            with located(where_of(found.file, found.called)):
                picture = found.read()
                is_drawing, content = picture.ending == "svg", mark_content([picture.data])
                if (is_drawing, content) not in self._faces:
                    shown = decode_face(picture) if is_drawing else self._decode_pixels(picture, content)
                    self._faces[is_drawing, content] = shown
                self._faces[found] = self._faces[is_drawing, content]
        return self._faces[found]

    def _decode_pixels(self, picture: PictureFile, content: bytes) -> Symbol | Bitmap:
        if self._sizes is None:
            return decode_face(picture)
        Limit.ART.check(len(picture.data), "it holds")
        columns, rows = self._sizes.find(content, lambda: _measure_face(picture))
        return Bitmap(x=0, y=0, width=0, height=0, columns=columns, rows=rows, pixels=b"")

    def _find_file(self, unit: str, side: Side) -> FaceFile | None:
        if (unit, side) not in self._files:
            stem = compose_accents(unit_face_file(unit, side, ""))
            names = [f"{stem}{ending}" for ending in ENDINGS]
            named = ((folder, folder.named[name]) for folder in self._folders for name in names if name in folder.named)
            files = (self._file(folder, name) for folder, name in named)
            self._files[unit, side] = next((found for found in files if found.file.is_file()), None)
        return self._files[unit, side]

    def _file(self, folder: _Folder, name: str) -> FaceFile:
        """Return a file of a folder.

        Raises InputError if it leads out of the folder.
        """
        if (found := folder.files.get(name)) is None:
            called = f"{FACES}/{name}" if folder.own else ""
            found = folder.files[name] = FaceFile(resolve_within(folder.folder, name), called)
        return found


class _FaceSizes:
    def __init__(self, folder: str) -> None:
        decoder = find_spec("PIL._version")
        known = mark_code((__file__, decoder.origin if decoder else None))
        content = mark_content([known, str(Limit.ART_PIXELS.most).encode()])
        self._copy = Copy(_SIZES, folder, content) if known else None
        self._before = self._read()
        self._now: dict[bytes, tuple[int, int]] = {}

    def find(self, mark: bytes, measure: Callable[[], tuple[int, int]]) -> tuple[int, int]:
        """Return the size of a picture.

        `mark`: the digest of its content.
        `measure`: finds an unknown size; if it raises, nothing is stored.
        """
        if mark not in self._now:
            self._now[mark] = self._before.get(mark) or measure()
        return self._now[mark]

    def keep(self) -> None:
        """Store only the sizes asked for in this run."""
        if self._copy is not None and self._now.keys() != self._before.keys():
            self._copy.write(msgspec.msgpack.encode(self._now))

    def _read(self) -> dict[bytes, tuple[int, int]]:
        body = self._copy.read() if self._copy else None
        if body is not None:
            with suppress(*UNFIT):
                return msgspec.msgpack.decode(body, type=dict[bytes, tuple[int, int]])
        return {}


def is_face(name: str) -> bool:
    """Return whether a file's name is that of a drawing or a bitmap."""
    return name.rpartition(".")[2] in ENDINGS and not name.startswith(".")


def decode_face(picture: PictureFile, *, drawn: bool = True) -> Symbol | Bitmap:
    """Return a whole face in its colours, in a box without size; a drawing must be square.

    `drawn`: whether the face will be drawn; if not, a bitmap has its size but no pixels.

    Raises InputError if the face is too large or cannot be drawn faithfully.
    """
    if picture.ending != "svg":
        Limit.ART.check(len(picture.data), "it holds")
        return _read_pixels(picture.data, drawn=drawn)
    Limit.FACE.check(len(picture.data), "it holds")
    face = read_drawing(picture.data, "the drawing", coloured=True)
    _, _, width, height = face.view_box
    if abs(width - height) > 0.02 * height:
        what = f"a face must be square, but its viewBox is {width:g} by {height:g}"
        raise InputError(what, hint='such as viewBox="0 0 100 100"')
    return face


def _measure_face(picture: PictureFile) -> tuple[int, int]:
    face = decode_face(picture, drawn=False)
    assert isinstance(face, Bitmap)
    return face.columns, face.rows


def _read_pixels(data: bytes, *, drawn: bool) -> Bitmap:
    from PIL import Image  # imported here because most games have no bitmap faces

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # Pillow warns at half its limit
            with Image.open(io.BytesIO(data), formats=["PNG", "GIF", "JPEG"]) as picture:
                Limit.ART_PIXELS.check(picture.width * picture.height, "it has")
                if drawn:
                    picture.thumbnail((_MAX_PIXELS_PER_SIDE, _MAX_PIXELS_PER_SIDE))
                    shown = _lay_on_white(picture)
                    size, pixels = shown.size, shown.tobytes()
                else:
                    size, pixels = _find_drawn_size(picture), b""
                    _lay_on_white(picture.crop((0, 0, 1, 1)))  # cropping decodes the whole picture
    except InputError:
        raise
    except Image.DecompressionBombError:
        raise Limit.ART_PIXELS.error("it has") from None
    except MemoryError:
        raise
    except Exception:  # Pillow's readers raise various exceptions on damaged files
        raise InputError("it is not a picture", hint="save it as PNG, GIF or JPEG") from None
    return Bitmap(x=0, y=0, width=0, height=0, columns=size[0], rows=size[1], pixels=pixels)


def _find_drawn_size(picture: Image) -> tuple[int, int]:
    """Return the columns and rows at which a picture is drawn, and set it to be decoded no finer than necessary."""
    from PIL import Image

    outline = Image.new("1", picture.size)
    outline.thumbnail((_MAX_PIXELS_PER_SIDE, _MAX_PIXELS_PER_SIDE), Image.Resampling.NEAREST)
    if outline.size != picture.size:
        picture.draft(None, (2 * outline.width, 2 * outline.height))
    return outline.size


def _lay_on_white(picture: Image) -> Image:
    from PIL import Image

    picture.load()
    if not picture.has_transparency_data:
        return picture if picture.mode == "RGB" else picture.convert("RGB")
    whole = picture.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", whole.size, "white"), whole).convert("RGB")


def unit_face_file(unit: str, side: Side, ending: str = "svg") -> str:
    """Return the file name of a unit's own face: `1_1.svg` for 1/1, `1_1-back.svg` for its back."""
    plain = re.sub(r'[\x00-\x1f/\\:*?"<>|]', "_", unit).strip(". ") or "_"
    return f"{plain}{'-back' if side == 'back' else ''}.{ending}"
