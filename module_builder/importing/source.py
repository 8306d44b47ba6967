"""An opened module with its extensions: its elements, pictures, and the faces made from these."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import cached_property, lru_cache
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import Element

from assistant.drawing.faces import PictureFile, decode_face
from assistant.formats.vassal.archives import Archive
from assistant.formats.vassal.containers import BUILD_FILES
from assistant.formats.vassal.grids import Pixel, PlacedBoard
from assistant.formats.vassal.maps import read_picture_size
from assistant.formats.vassal.modules import Module, read_module_file
from assistant.util.errors import InputError, Where, located
from assistant.util.limits import Limit
from assistant.util.texts import compose_accents
from assistant.util.xml_reader import read_xml

from .generated import GeneratedCounter, read_generated
from .painting import Label, paint_counter, paint_label, place_turned
from .scans import Scan, fit_scan

if TYPE_CHECKING:
    from PIL.Image import Image

    from .maps import JoinedBoards

_ENDING_BY_SIGNATURE = {b"\x89PNG": "png", b"GIF8": "gif", b"\xff\xd8\xff": "jpg"}
"""Suffixes of picture files by their first bytes."""


class Source:
    """An opened module.

    `module`: the contents of the module and its extensions.
    `roots`: their build files, the module's own first.
    """

    def __init__(self, module: Module, roots: Sequence[Element], archives: Sequence[Archive]) -> None:
        self.module, self.roots, self._archives = module, roots, archives
        self._pictures: dict[str, PictureFile | None] = {}
        self._sizes: dict[str, Pixel] = {}
        self._scans: dict[str, Scan] = {}
        self._labels: dict[Label, str] = {}
        self._open_small = lru_cache(_MAX_CACHED_PICTURES)(open_picture)

    def elements(self, tag: str) -> Iterator[Element]:
        for root in self.roots:
            yield from root.iter(tag)

    def file(self, name: str) -> bytes | None:
        """Return a file, or None if there is none. Raises InputError if it is damaged or too large."""
        for archive in self._archives:
            if name in archive:
                with located(Where(name)):
                    return archive.read(name)
        return None

    def picture(self, image: str) -> PictureFile | None:
        """Return a picture by its name, with the fitting suffix, or None if it is missing or of an unknown format."""
        if image not in self._pictures:
            self._pictures[image] = self._find_picture(image)
        return self._pictures[image]

    @cached_property
    def _generated(self) -> Mapping[str, Callable[[], GeneratedCounter]]:
        return read_generated(self.roots)

    def _find_generated(self, image: str) -> GeneratedCounter | None:
        """Return the counter that VASSAL draws itself as a picture, or None if it does not draw the picture."""
        read = self._generated.get(compose_accents(image))
        return read() if read else None

    def list_facts(self, image: str) -> Mapping[str, str]:
        """Return what the symbols and texts of a generated counter say, or nothing for another picture."""
        counter = self._find_generated(image)
        return counter.facts if counter else {}

    def lay_label(self, label: Label, corner: Pixel) -> LaidPicture:
        """Return the picture of a label on a piece.

        `corner`: the upper left corner of the label before it is turned, from the middle of the piece.
        """
        if label not in self._labels:
            name = f"text label {len(self._labels) + 1}: {label.text}"
            drawn = paint_label(label)
            self._labels[label], self._sizes[name] = name, drawn.size
            self._pictures[name] = PictureFile("png", write_png(drawn))
        name = self._labels[label]
        return LaidPicture(name, place_turned(label, corner, self._sizes[name]))

    def join_pictures(self, window: str, joined: JoinedBoards) -> str:
        """Return the name of a picture of adjacent boards, or "" if it cannot be made."""
        from PIL import Image as Images

        if joined.size[0] * joined.size[1] > Limit.PIXELS.most:
            return ""
        whole = Images.new("RGB", joined.size, "white")
        for board in joined.boards:
            picture = self.picture(joined.images[board.name])
            if picture is None or picture.ending == "svg" or not _lay_on(whole, picture, board):
                return ""
        name = f"{window}: {', '.join(board.name for board in joined.boards)}"
        self._pictures[name] = PictureFile("png", write_png(whole))
        return name

    def size(self, image: str) -> Pixel:
        """Return the width and height of a picture, or (0, 0) if they are unknown."""
        if image not in self._sizes:
            picture = self.picture(image)
            try:
                self._sizes[image] = read_picture_size(picture.data) if picture else (0, 0)
            except ValueError:
                self._sizes[image] = 0, 0
        return self._sizes[image]

    def scan(self, image: str) -> Scan:
        """Return the picture of a board, reduced if it is too large, or without a picture if there is none."""
        if image not in self._scans:
            picture = self.picture(image)
            self._scans[image] = fit_scan(picture, self.size(image)) if picture and self.is_scan(image) else Scan(None)
        return self._scans[image]

    def is_scan(self, image: str) -> bool:
        """Return whether it is a bitmap of known size."""
        picture = self.picture(image)
        return picture is not None and picture.ending != "svg" and min(self.size(image)) > 0

    def _find_picture(self, image: str) -> PictureFile | None:
        if not image:
            return None
        for name in (image, f"{image}.gif"):  # old modules leave out the suffix of the file name
            if data := self.file(f"images/{name}"):
                ending = _find_ending(name, data)
                return PictureFile(ending, data) if ending else None
        if counter := self._find_generated(image):
            return PictureFile("png", write_png(paint_counter(counter, self._open_part)))
        return None

    def _open_part(self, image: str) -> Image | None:
        """Return the pixels of a picture on a generated counter, or None if it is missing or generated itself."""
        picture = self.picture(image) if compose_accents(image) not in self._generated else None
        pixels = prod(self.size(image)) if picture else 0
        if picture is None or picture.ending == "svg" or pixels > Limit.ART_PIXELS.most:
            return None
        return self._open_small(picture) if pixels <= _MAX_CACHED_PIXELS else open_picture(picture)


def _find_ending(name: str, data: bytes) -> str:
    """Return the file suffix for the contents of a picture, or "" for an unknown format."""
    drawing = "svg" if name.lower().endswith(".svg") or re.search(rb"<svg\b", data[:1000]) else ""
    return next((ending for sign, ending in _ENDING_BY_SIGNATURE.items() if data.startswith(sign)), drawing)


@contextmanager
def open_source(file: Path, extensions: Sequence[Path] = ()) -> Iterator[Source]:
    """Open a module with extensions for the import. Raises InputError for a file that is damaged or is not a module."""
    with ExitStack() as stack:
        modules, roots, archives = list[Module](), list[Element](), list[Archive]()
        for path in (file, *extensions):
            modules.append(read_module_file(path))
            with located(Where(str(path))):
                archive = stack.enter_context(closing(Archive(path, limit=Limit.IMPORT)))
                build = next(name for name in BUILD_FILES if name in archive)
                roots.append(read_xml(archive.read(build), build))
                archives.append(archive)
        whole = modules[0]
        for path, extension in zip(extensions, modules[1:], strict=True):
            with located(Where(str(path))):
                whole = whole.extended(extension)
        yield Source(whole, roots, archives)


class LaidPicture(NamedTuple):
    """A picture of the module on a piece."""

    image: str
    off: Pixel = (0, 0)
    """Offset of its centre from the piece's, in pixels."""


Face = tuple[LaidPicture, ...]
"""The pictures of a face, the lowest first."""
_MAX_CACHED_PIXELS = 2**18
"""Maximum size of a picture that stays decoded, because many pieces have it."""
_MAX_CACHED_PICTURES = 64
"""Maximum number of decoded pictures, 64 MiB together."""


class Studio:
    """Composes faces, each once. `factor`: the factor by which they are reduced, each way."""

    def __init__(self, source: Source, factor: int = 1) -> None:
        self._source, self._factor = source, factor
        self._made: dict[Face, PictureFile | None] = {}
        self._open_small = lru_cache(_MAX_CACHED_PICTURES)(open_picture)
        self._is_usable_picture: dict[str, bool] = {}

    def face(self, face: Face) -> PictureFile | None:
        """Return the picture of a face, or None if none of its pictures can be used. A single picture is used as it is."""
        if face not in self._made:
            self._made[face] = self._make_face(face)
        return self._made[face]

    def missing(self, face: Face) -> list[str]:
        """Return the pictures of a face that are missing or cannot be used."""
        return [laid.image for laid in face if not self._is_usable(laid.image)]

    def _is_usable(self, image: str) -> bool:
        if image not in self._is_usable_picture:
            picture = self._source.picture(image)
            self._is_usable_picture[image] = picture is not None and self._can_be_drawn(image, picture)
        return self._is_usable_picture[image]

    def _can_be_drawn(self, image: str, picture: PictureFile) -> bool:
        if picture.ending != "svg" and self._is_small(image):
            width, height = self._source.size(image)
            fits = len(picture.data) <= Limit.ART.most and width * height <= Limit.ART_PIXELS.most
            return fits and self._open_small(picture) is not None
        try:
            return bool(decode_face(picture, drawn=False))
        except InputError:
            return False

    def _is_small(self, image: str) -> bool:
        width, height = self._source.size(image)
        return width * height <= _MAX_CACHED_PIXELS

    def not_laid(self, face: Face) -> list[str]:
        """Return a face's usable pictures that its composition leaves out: an SVG beside others, or layers too large
        together.
        """
        drawn = [laid for laid, _ in self._choose_pictures(face)]
        return [laid.image for laid in face if self._is_usable(laid.image) and laid not in drawn]

    def _choose_pictures(self, face: Face) -> list[tuple[LaidPicture, PictureFile]]:
        """Return the pictures to compose, the lowest first."""
        usable = [
            (laid, picture)
            for laid in face
            if self._is_usable(laid.image) and (picture := self._source.picture(laid.image))
        ]
        bitmaps = [(laid, picture) for laid, picture in usable if picture.ending != "svg"]
        if not bitmaps:
            return usable[:1]
        left, top, right, bottom = self._find_frame([laid for laid, _ in bitmaps])
        return bitmaps if (right - left) * (bottom - top) <= Limit.ART_PIXELS.most else bitmaps[:1]

    def _make_face(self, face: Face) -> PictureFile | None:
        drawn = self._choose_pictures(face)
        if len(drawn) <= 1:
            return shrink(drawn[0][1], self._factor) if drawn else None
        from PIL import Image as Images

        left, top, right, bottom = self._find_frame([laid for laid, _ in drawn])
        whole = Images.new("RGBA", (right - left, bottom - top))
        for laid, picture in drawn:
            shown = self._open_small(picture) if self._is_small(laid.image) else open_picture(picture)
            if shown is not None:
                x, y, _, _ = self._find_frame([laid])
                whole.alpha_composite(shown, (x - left, y - top))
        whole = whole.reduce(self._factor)
        while len(data := write_png(whole)) > Limit.ART.most:
            if max(whole.size) == 1:
                return None
            whole = whole.reduce(2)
        return PictureFile("png", data)

    def _find_frame(self, pictures: Sequence[LaidPicture]) -> tuple[int, int, int, int]:
        """Return the left, upper, right and lower edge of all pictures together."""
        boxes = []
        for laid in pictures:
            (width, height), (x, y) = self._source.size(laid.image), laid.off
            boxes.append((x - width // 2, y - height // 2, x - width // 2 + width, y - height // 2 + height))
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)


def shrink(picture: PictureFile, factor: int) -> PictureFile:
    """Return a picture reduced by a factor each way. A drawing, or a picture that cannot be read, is returned as it is."""
    shown = open_picture(picture) if factor > 1 and picture.ending != "svg" else None
    return picture if shown is None else PictureFile("png", write_png(shown.reduce(factor)))


def open_picture(picture: PictureFile, *, opaque: bool = False) -> Image | None:
    """Return a picture's pixels with their opacity, or None if it cannot be read. The caller has checked its size.

    `opaque`: whether the opacity is dropped if no pixel is transparent.
    """
    from PIL import Image as Images

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Images.DecompressionBombWarning)
            with Images.open(io.BytesIO(picture.data), formats=["PNG", "GIF", "JPEG"]) as file:
                file.load()
                if opaque and not file.has_transparency_data:
                    return file if file.mode == "RGB" else file.convert("RGB")
                return file.convert("RGBA")
    except MemoryError:
        raise
    except Exception:  # Pillow's readers raise various exceptions for damaged files
        return None


def _lay_on(whole: Image, picture: PictureFile, board: PlacedBoard) -> bool:
    """Paste the picture of a board on that of several, and return whether it could be read."""
    from PIL import Image as Images

    shown = open_picture(picture, opaque=True)
    if shown is not None and board.turned:
        shown = shown.transpose(Images.Transpose.ROTATE_180)
    if shown is not None:
        whole.paste(shown, (board.x, board.y), shown if shown.mode == "RGBA" else None)
    return shown is not None


def write_png(picture: Image) -> bytes:
    """Return the bytes of a picture as a PNG."""
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=1)  # a third of the time for a fifteenth more bytes
    return file.getvalue()
