"""A file that the program has written, as lines of text: what `$ show FILE` prints on a page of `tests/kept`.

Of like things, such as the hexes of a board or the steps of an answer, the first stands for all, with the number of the others and what they
say; and what stands in a file already is only counted. Of a raster there is only its size, as its letters depend on the machine, and of a page
of a PDF how often it does what.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import textwrap
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any

from lxml import etree
from PIL import Image

from assistant.formats.vassal.streams import deobfuscate, split_commands

LONG, BEGINNING, WIDTH = 100, 40, 120
ROWS = 12
"""Lines of a spreadsheet that are shown, its head among them."""
RASTERS = (b"\x89PNG", b"GIF8")
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\n?endstream", re.DOTALL)
_FINGERPRINT = re.compile(rb"\b[0-9a-f]{12}(?=\")")
"""A fingerprint of a position, rules, data or code, at the end of a JSON text."""
_MANY = re.compile(rf"[^\"<>]{{{LONG},}}")
_OPERATOR = re.compile(r"(?<=[\s\])>])[A-Za-z]{1,2}[*]?(?=\s|$)")


def shown(path: Path) -> Iterator[str]:
    """The lines of a file, or of each file of a folder after its name."""
    if path.is_dir():
        files = sorted(each for each in path.rglob("*") if each.is_file())
        yield from _files((file.relative_to(path).as_posix(), file.read_bytes()) for file in files)
    elif path.exists():
        yield from _lines(path.name, path.read_bytes())
    else:
        yield "there is no such file"


def _files(files: Iterable[tuple[str, bytes]]) -> Iterator[str]:
    """Each file after its name; of rasters the names alone, by size, and so of saves beyond the first."""
    rasters, saves = defaultdict(list), []
    for name, data in files:
        if data.startswith(RASTERS):
            rasters[Image.open(io.BytesIO(data)).size].append(name)
            continue
        yield f"-- {name}"
        if not name.endswith(".vsav") or not saves:
            yield from _lines(name, data)
        saves += [name] * name.endswith(".vsav")
    for (width, height), names in rasters.items():
        yield f"-- {width} by {height} pixels"
        yield from _wrapped(names)


def _lines(name: str, data: bytes) -> Iterator[str]:
    ending = name.rpartition(".")[2]
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as container:
            yield from _files((entry.filename, container.read(entry)) for entry in container.infolist())
    elif data.startswith(b"%PDF"):
        yield from _operators(data)
    elif data.startswith(RASTERS):
        yield "{} by {} pixels".format(*Image.open(io.BytesIO(data)).size)
    elif data.startswith(b"!VCSK"):
        yield from _each(split_commands(deobfuscate(data)), _command_kind, lambda line: [_short(line)])
    elif ending in ("svg", "xml") or name == "moduledata":
        yield from _elements(etree.fromstring(data), set())
    elif ending == "html":
        yield from _elements(etree.fromstring(data, etree.HTMLParser(encoding="utf-8")), set())
    elif ending == "json":
        yield from _values(json.loads(_FINGERPRINT.sub(b"FINGERPRINT", data)))
    else:
        lines = [_short(line) for line in data.decode("utf-8").splitlines()]
        most = ROWS if ending == "csv" else len(lines)
        for _, alike in groupby(lines[:most], lambda line: re.sub(r"\d+", "", line)):
            first, *others = alike
            yield first
            yield from [f"... {len(others)} more"] if len(others) > 1 else others
        if lines[most:]:
            yield f"... {len(lines) - most} more"


def _each(
    things: Iterable[Any],
    kind_of: Callable[[Any], Hashable],
    show: Callable[[Any], Iterable[str]],
    words_of: Callable[[Any], Iterable[str]] = lambda thing: (),
    space: str = "",
) -> Iterator[str]:
    """The first thing of each kind, with the number of the others and their words."""
    kinds: dict[Hashable, list[Any]] = {}
    for thing in things:
        kinds.setdefault(kind_of(thing), []).append(thing)
    for first, *others in kinds.values():
        yield from show(first)
        if others:
            words = [word for thing in others for word in words_of(thing)]
            yield from _wrapped(words, f"{space}... {len(others)} more{': ' if words else ''}", space)


def _wrapped(words: Iterable[str], begin: str = "", space: str = "") -> Iterator[str]:
    unbroken = (word.replace(" ", "\0") for word in dict.fromkeys(words))
    lines = textwrap.wrap(
        begin + ", ".join(unbroken),
        WIDTH,
        subsequent_indent=f"{space}    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return (line.replace("\0", " ") for line in lines)


def _elements(element: etree._Element, before: set[str], depth: int = 0) -> Iterator[str]:
    """An element with its attributes, then those in it but for empty ones that stand before."""
    yield "  " * depth + _line(element)
    space, parts = "  " * (depth + 1), _parts(element)
    new = [part for part in parts if _line(part) not in before or _parts(part)]
    before.update(_line(part) for part in parts)
    yield from _each(new, _element_kind, lambda part: _elements(part, before, depth + 1), _said, space)
    if new != parts:
        yield f"{space}... {len(parts) - len(new)} as above"


def _line(element: etree._Element) -> str:
    words = [_name(element)]
    drawn_letters = "aria-label" in element.attrib  # the outlines of a face
    words += [
        f'{etree.QName(name).localname}="{_short(value)}"'
        for name, value in element.attrib.items()
        if not (drawn_letters and name == "d")
    ]
    return " ".join([*words, _short((element.text or "").strip())]).rstrip()


def _parts(element: etree._Element) -> list[etree._Element]:
    return [part for part in element if isinstance(part.tag, str)]


def _name(element: etree._Element) -> str:
    return etree.QName(element).localname.rpartition(".")[2]


def _element_kind(element: etree._Element) -> Hashable:
    """What an element has, and what kinds of elements are in it."""
    return _name(element), frozenset(element.keys()), frozenset(map(_element_kind, _parts(element)))


def _said(element: etree._Element) -> Iterator[str]:
    """The words of an element and of those in it."""
    for part in element.iter():
        if isinstance(part.tag, str):
            word = part.get("aria-label") or part.get("entryName") or part.get("name") or (part.text or "").strip()
            if word:
                yield _short(word)


def _command_kind(command: str) -> Hashable:
    return re.sub(r"\d+", "", command)[:12]


def _values(value: Any, depth: int = 0, name: str = "") -> Iterator[str]:
    """A value of JSON behind its name, then those in it."""
    space, line = "  " * depth, json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict) and len(line) > LONG:
        yield f"{space}{name}{{"
        for key, part in value.items():
            yield from _values(part, depth + 1, f"{key}: ")
        yield f"{space}}}"
    elif isinstance(value, list) and len(line) > LONG and any(isinstance(part, dict | list) for part in value):
        yield f"{space}{name}["
        yield from _each(value, _value_kind, lambda part: _values(part, depth + 1), space=f"{space}  ")
        yield f"{space}]"
    else:
        yield f"{space}{name}{_short(line)}"


def _value_kind(value: Any) -> Hashable:
    return frozenset(value) if isinstance(value, dict) else type(value)


def _operators(data: bytes) -> Iterator[str]:
    """The size and the fonts of a PDF, and how often each operator stands on a page."""
    for size in dict.fromkeys(
        re.findall(rb"/MediaBox \[[^]]*\]|/TrimBox \[[^]]*\]|/BBox \[[^]]*\]|/BaseFont /\S+", data)
    ):
        yield size.decode("latin-1")
    for stream in _STREAM.findall(data):
        text = b""
        with suppress(zlib.error):
            text = zlib.decompress(stream)
        if b" cm" in text and b"\0" not in text:
            counts = Counter(_OPERATOR.findall(text.decode("latin-1")))
            yield from _wrapped((f"{count} {operator}" for operator, count in sorted(counts.items())), "-- page: ")


def _short(text: str) -> str:
    """A text on one line; of what is long its beginning and a digest."""
    text = re.sub(r"(data:image/\w+);base64,\S+", r"\1", text)  # how a raster is packed depends on the machine too
    text = re.sub(r"(\d\.\d)-[0-9a-f]{8}\b", r"\1-...", text)  # a version with a digest, also of rasters
    return _MANY.sub(
        lambda long: f"{long[0][:BEGINNING]}...{hashlib.sha256(long[0].encode()).hexdigest()[:8]}",
        text.replace("\n", "\\n"),
    )
