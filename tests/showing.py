"""A file that the program has written, as lines of text: what `$ show FILE` prints on a page of `tests/kept`.

An element of a picture is a line, and so is an instruction of a PDF; what is long, an outline above all, is told by its beginning and a
digest. Of a raster only the size is told: its letters depend on the machine. A container is told file by file.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from lxml import etree
from PIL import Image

from assistant.formats.vassal.containers import commands_of, reveal

LONG, BEGINNING = 100, 40
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\n?endstream", re.DOTALL)
_MANY = re.compile(rf"[^\"<>]{{{LONG},}}")


def shown(path: Path) -> Iterator[str]:
    """The lines of a file, or of each file of a folder after its name."""
    if path.is_dir():
        for file in sorted(each for each in path.rglob("*") if each.is_file()):
            yield f"-- {file.relative_to(path).as_posix()}"
            yield from _lines(file.name, file.read_bytes())
    elif path.exists():
        yield from _lines(path.name, path.read_bytes())
    else:
        yield "there is no such file"


def _lines(name: str, data: bytes) -> Iterator[str]:
    ending = name.rpartition(".")[2]
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as container:
            for entry in container.infolist():
                yield f"-- {entry.filename}"
                yield from _lines(entry.filename, container.read(entry))
    elif data.startswith(b"%PDF"):
        yield from _instructions(data)
    elif data.startswith((b"\x89PNG", b"GIF8")):
        yield "{} by {} pixels".format(*Image.open(io.BytesIO(data)).size)
    elif data.startswith(b"!VCSK"):
        yield from map(_short, commands_of(reveal(data)))
    elif ending in ("svg", "xml") or name == "moduledata":
        yield from _elements(etree.fromstring(data))
    else:
        yield from map(_short, data.decode("utf-8").splitlines())


def _elements(element: etree._Element, depth: int = 0) -> Iterator[str]:
    """An element with its attributes, then those in it."""
    if not isinstance(element.tag, str):
        return
    words = [etree.QName(element).localname.rpartition(".")[2]]
    drawn_letters = "aria-label" in element.attrib  # the outlines of a face
    words += [
        f'{etree.QName(name).localname}="{_short(value)}"'
        for name, value in element.attrib.items()
        if not (drawn_letters and name == "d")
    ]
    yield "  " * depth + " ".join([*words, _short((element.text or "").strip())]).rstrip()
    for part in element:
        yield from _elements(part, depth + 1)


def _instructions(data: bytes) -> Iterator[str]:
    """What each page of a PDF draws; its fonts are told by their names alone."""
    for size in re.findall(rb"/MediaBox \[[^]]*\]|/TrimBox \[[^]]*\]|/BBox \[[^]]*\]|/BaseFont /\S+", data):
        yield size.decode("latin-1")
    for stream in _STREAM.findall(data):
        text = b""
        with suppress(zlib.error):
            text = zlib.decompress(stream)
        if b" cm" in text and b"\0" not in text:
            yield "-- page"
            yield from map(_short, text.decode("latin-1").splitlines())


def _short(text: str) -> str:
    """A text on one line; of what is long its beginning and a digest."""
    text = re.sub(r"(data:image/\w+);base64,\S+", r"\1", text)  # how a raster is packed depends on the machine too
    text = re.sub(r"(\d\.\d)-[0-9a-f]{8}\b", r"\1-...", text)  # a version with a digest, also of rasters
    return _MANY.sub(
        lambda long: f"{long[0][:BEGINNING]}...{hashlib.sha256(long[0].encode()).hexdigest()[:8]}",
        text.replace("\n", "\\n"),
    )
