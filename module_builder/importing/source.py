"""A module and its extensions, opened: what they say, and their pictures and pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from lxml import etree

from assistant.formats.vassal.archives import Archive
from assistant.formats.vassal.containers import BUILD_FILES
from assistant.formats.vassal.elements.pictures import picture_size
from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.modules import Module, read_module_file
from assistant.pictures.symbols import PictureFile
from assistant.util.errors import Where, located
from assistant.util.limits import Limit
from assistant.util.markup import read_xml

_SIGNS = {b"\x89PNG": "png", b"GIF8": "gif", b"\xff\xd8\xff": "jpg"}
"""What files of pictures begin with, and the endings of their names."""


class Source:
    """An opened module. module: all that it and its extensions say; roots: their build files, the module's own first."""

    def __init__(self, module: Module, roots: Sequence[etree._Element], archives: Sequence[Archive]) -> None:
        self.module, self.roots, self._archives = module, roots, archives
        self._pictures: dict[str, PictureFile | None] = {}
        self._sizes: dict[str, Pixel] = {}

    def elements(self, tag: str) -> Iterator[etree._Element]:
        """All elements of a class."""
        for root in self.roots:
            yield from root.iter(tag)

    def file(self, name: str) -> bytes | None:
        """A file, None if there is none. Raises InputError if it is damaged or too large."""
        for archive in self._archives:
            if name in archive:
                with located(Where(name)):
                    return archive.read(name)
        return None

    def picture(self, image: str) -> PictureFile | None:
        """A picture by its name, with the ending that fits it; None if it is missing or nothing that is known."""
        if image not in self._pictures:
            self._pictures[image] = self._find(image)
        return self._pictures[image]

    def size(self, image: str) -> Pixel:
        """Width and height of a picture, (0, 0) if there is none or they are not found."""
        if image not in self._sizes:
            picture = self.picture(image)
            try:
                self._sizes[image] = picture_size(picture.data) if picture else (0, 0)
            except ValueError:
                self._sizes[image] = 0, 0
        return self._sizes[image]

    def _find(self, image: str) -> PictureFile | None:
        if not image:
            return None
        for name in (image, f"{image}.gif"):  # old modules leave that out
            if data := self.file(f"images/{name}"):
                ending = next((ending for sign, ending in _SIGNS.items() if data.startswith(sign)), "")
                return PictureFile(ending or _drawing(name, data), data) if ending or _drawing(name, data) else None
        return None


def _drawing(name: str, data: bytes) -> str:
    return "svg" if name.lower().endswith(".svg") or re.search(rb"<svg\b", data[:1000]) else ""


@contextmanager
def opened(file: Path, extensions: Sequence[Path] = ()) -> Iterator[Source]:
    """A module with extensions, while it is imported. Raises InputError with the file for one that is no module or is
    damaged.
    """
    with ExitStack() as stack:
        modules, roots, archives = list[Module](), list[etree._Element](), list[Archive]()
        for path in (file, *extensions):
            modules.append(read_module_file(path))
            with located(Where(str(path))):
                archive = stack.enter_context(closing(Archive(path, limit=Limit.IMPORT)))
                build = next(name for name in BUILD_FILES if name in archive)
                roots.append(read_xml(archive.read(build), build))
                archives.append(archive)
        whole = modules[0]
        for extension in modules[1:]:
            whole = whole.extended(extension)
        yield Source(whole, roots, archives)
