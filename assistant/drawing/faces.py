"""Whole faces of counters, as drawings or pictures of pixels, of the owner's pack or of the game's folder."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..game.games import Game, pack_folder
from ..util.datafiles import resolve_within
from ..util.errors import InputError, located
from ..util.limits import Limit
from ..util.texts import compose_accents
from .face_sizes import FaceSize, FaceSizes
from .scene import Bitmap, Symbol
from .svg_reader import read_drawing
from .symbols import read_art, where_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from PIL.Image import Image


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


class FaceFile(NamedTuple):
    """The file of a whole face. called: how messages name one of the game, "" for its whole path."""

    file: Traversable
    called: str


class _Folder:
    """A folder with whole faces. own: whether it is the game's."""

    def __init__(self, folder: Traversable, *, own: bool) -> None:
        self.folder, self.own = folder, own
        self.names = [file.name for file in folder.iterdir()]
        self.named = {compose_accents(name): name for name in self.names}
        self.files: dict[str, FaceFile] = {}


class Faces:
    """The whole faces that the owner of a game and its author have for its units, each file read once: as it lies there
    when it is first asked for.

    drawn: whether they are to be drawn; if not, pictures have their sizes but no pixels, and what their files hold is
    not held.
    """

    def __init__(self, game: Game, *, drawn: bool = True) -> None:
        folders = [
            (resolve_within(folder, FACES), folder is game.folder) for folder in (pack_folder(game.id), game.folder)
        ]
        self._folders = [_Folder(folder, own=own) for folder, own in folders if folder.is_dir()]
        self._read: dict[FaceFile, PictureFile] = {}
        self._held: dict[PictureFile, PictureFile] = {}  # by what they hold, under whichever name
        self._decoded: dict[PictureFile, Symbol | Bitmap] = {}
        self._sizes = None if drawn else FaceSizes(str(game.folder), __file__)
        self._measured: dict[FaceFile, Symbol | Bitmap] = {}

    def face(self, unit: str, side: Side) -> Symbol | Bitmap | None:
        """Return the whole face of a unit, in a box of no size; None if there is none.

        It keeps its colours. Raises InputError, with the file, for what is no such drawing or picture.
        """
        found = self._find_file(unit, side)
        return None if found is None else self.decode(found)

    def picture(self, unit: str, side: Side) -> PictureFile | None:
        """Return the whole face of a unit as it lies in its file, empty if it is not to be drawn, if it is a picture of
        pixels. Raises InputError with the file if it is too large.
        """
        found = self._find_file(unit, side)
        if found is None or (ending := _ending_of(found.file)) not in PIXELS:
            return None
        return self.read(found) if self._sizes is None else PictureFile(ending, b"")

    def faults(self) -> Iterator[InputError]:
        """Yield what is wrong in the files of all faces; the sizes of those that are sound are kept for the next run."""
        for found in self.files():
            try:
                self.decode(found)
            except InputError as error:
                yield error
        if self._sizes is not None:
            self._sizes.keep()

    def files(self) -> Iterator[FaceFile]:
        """Yield all that are faces by their names, whether a unit has them or not: those of the pack, then those of the
        game.
        """
        for folder in self._folders:
            yield from (self._file(folder, name) for name in sorted(folder.names) if is_face(name))

    def read(self, found: FaceFile) -> PictureFile:
        """Return what a file holds. Raises InputError with the file if it cannot be read."""
        if found not in self._read:
            with located(where_of(*found)):
                picture = PictureFile(_ending_of(found.file), read_art(found.file))
            self._read[found] = self._held.setdefault(picture, picture)
        return self._read[found]

    def decode(self, found: FaceFile) -> Symbol | Bitmap:
        """Return the whole face in an untrusted file. Raises InputError as `decode_face` does, with the file."""
        if self._sizes is not None:
            if found not in self._measured:
                with located(where_of(*found)):
                    picture = PictureFile(_ending_of(found.file), read_art(found.file))
                    self._measured[found] = _measure_face(picture, self._sizes)
            return self._measured[found]
        picture = self.read(found)
        if picture not in self._decoded:
            with located(where_of(*found)):
                self._decoded[picture] = decode_face(picture)
        return self._decoded[picture]

    def _find_file(self, unit: str, side: Side) -> FaceFile | None:
        for folder in self._folders:
            for ending in ENDINGS:
                name = folder.named.get(compose_accents(unit_face_file(unit, side, ending)))
                if name is not None and (found := self._file(folder, name)).file.is_file():
                    return found
        return None

    def _file(self, folder: _Folder, name: str) -> FaceFile:
        """Return a file of a folder. Raises InputError if it leads out of it."""
        if (found := folder.files.get(name)) is None:
            called = f"{FACES}/{name}" if folder.own else ""
            found = folder.files[name] = FaceFile(resolve_within(folder.folder, name), called)
        return found


def is_face(name: str) -> bool:
    """Return whether a file is a drawing or a picture of pixels by its name."""
    return name.rpartition(".")[2] in ENDINGS and not name.startswith(".")


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


def _measure_face(picture: PictureFile, sizes: FaceSizes) -> Symbol | Bitmap:
    """Return a whole face, a picture without its pixels. sizes: of pictures, as far as they are known. Raises InputError
    as `decode_face` does.
    """

    def measure() -> FaceSize:
        face = decode_face(picture)
        assert isinstance(face, Bitmap)
        return FaceSize(face.columns, face.rows)

    if picture.ending == "svg":
        return decode_face(picture)
    Limit.ART.check(len(picture.data), "it holds")
    columns, rows = sizes.find(picture.data, measure)
    return Bitmap(x=0, y=0, width=0, height=0, columns=columns, rows=rows, pixels=b"")


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
                shown = _lay_on_white(picture)
    except InputError:
        raise
    except Image.DecompressionBombError:
        raise Limit.ART_PIXELS.error("it has") from None
    except MemoryError:
        raise
    except Exception:  # on spoiled files each of its readers raises what it likes
        raise InputError("it is not a picture", hint="save it as PNG, GIF or JPEG") from None
    return Bitmap(x=0, y=0, width=0, height=0, columns=shown.width, rows=shown.height, pixels=shown.tobytes())


def _lay_on_white(picture: Image) -> Image:
    """Return a picture without transparency."""
    from PIL import Image

    picture.load()
    if not picture.has_transparency_data:
        return picture if picture.mode == "RGB" else picture.convert("RGB")
    whole = picture.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", whole.size, "white"), whole).convert("RGB")


def unit_face_file(unit: str, side: Side, ending: str = "svg") -> str:
    """Return the name of the file of a unit's own face: `1_1.svg` for 1/1, `1_1-back.svg` for its back."""
    plain = re.sub(r'[\x00-\x1f/\\:*?"<>|]', "_", unit).strip(". ") or "_"
    return f"{plain}{'-back' if side == 'back' else ''}.{ending}"
