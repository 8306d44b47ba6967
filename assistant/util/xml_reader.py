"""Reading XML of untrusted files with Python's parser: bounded, without document types, entities and external files."""

from __future__ import annotations

from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from .errors import InputError, word_machine_error
from .limits import Limit, TooMuch, find_exceeded
from .patterns import late_pattern

_ATTRIBUTE = late_pattern(rb"=\s*[\"']")
_MAX_DEPTH = 256
"""The maximum number of levels of elements."""


def measure_xml(data: bytes, name: str) -> dict[Limit, tuple[str, int]]:
    """Return each limit with the subject and verb of its message, and the size of an XML file in its terms.

    `name`: the name of the file in messages.
    """
    counted = {
        Limit.XML: len(data),
        Limit.TAGS: data.count(b"<"),
        Limit.ATTRIBUTES: sum(1 for _ in _ATTRIBUTE.finditer(data)),
    }
    return {limit: (f"{name} holds", count) for limit, count in counted.items()}


def read_xml(data: bytes, name: str) -> Element:
    """Return the root of an XML file in UTF-8, without comments and processing instructions.

    Raises InputError if it is broken, too large or too deep, or declares a document type.
    """
    return read_placed_xml(data, name)[0]


def read_placed_xml(data: bytes, name: str) -> tuple[Element, list[int]]:
    """Return the root of an XML file, and the lines where its elements begin, in order.

    Raises InputError as `read_xml` does.
    """
    if over := find_exceeded(measure_xml(data, name)):
        raise TooMuch(over)
    # Null bytes point to UTF-16, for example: the parser would accept it, but `measure_xml` cannot count its tags.
    if b"\0" in data:
        raise InputError(f"{name} is not UTF-8 text", hint="the file is damaged, or saved in another encoding")
    parser = expat.ParserCreate("utf-8", "}")  # overrides the encoding that the file states
    builder = TreeBuilder()
    lines = list[int]()
    depth = 0

    def begin(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _MAX_DEPTH:
            hint = "VASSAL's files and symbols have fewer levels"
            raise InputError(f"{name} is nested more than {_MAX_DEPTH} deep", hint=hint)
        lines.append(parser.CurrentLineNumber)
        builder.start(_write_name(tag), {_write_name(name): value for name, value in attributes.items()})

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(_write_name(tag))

    def refuse(*_: object) -> None:
        raise InputError(f"{name} declares a document type", hint="neither VASSAL's files nor symbols need one")

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = refuse
    parser.buffer_text = True
    try:
        parser.Parse(data, True)
        return builder.close(), lines
    except expat.ExpatError as error:
        if error.code == _NO_MEMORY:
            raise word_machine_error(MemoryError()) from None
        raise InputError(f"{name}: {error}", hint="the file is damaged") from None
    finally:
        parser.StartElementHandler = None  # breaks the reference cycle with the parser


_NO_MEMORY = expat.errors.codes[expat.errors.XML_ERROR_NO_MEMORY]


def _write_name(name: str) -> str:
    return "{" + name if "}" in name else name
