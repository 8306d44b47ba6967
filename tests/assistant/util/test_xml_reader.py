"""XML of untrusted files: what is read, what is refused, and that both are as another parser has it."""

from __future__ import annotations

import re
from random import Random
from xml.etree.ElementTree import Element
from xml.parsers import expat

import pytest
from lxml import etree

from assistant.util.errors import InputError, MachineError
from assistant.util.limits import Limit, TooMuch
from assistant.util.xml_reader import read_placed_xml, read_xml
from tests.cases import few, seeds, thorough

MODULE = """<?xml version="1.0" encoding="UTF-8"?>
<!-- A module -->
<VASSAL.build.GameModule name="Heide" version='1.0' description="Gr\u00fc\u00dfe &amp; &lt;mehr&gt;&#10;">
    <VASSAL.build.widget.PieceSlot entryName="1/1" gpid="1">+/null/prototype;Unit\tpiece;;;1.png;1/1/\\t<![CDATA[a & b]]></VASSAL.build.widget.PieceSlot>
    <?tool a?><entry>\u2028German\r\n</entry><!-- and --><setup/>
</VASSAL.build.GameModule>
"""
DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" viewBox="0 0 60 40">
    <title xml:lang="en">A horse</title>
    <g id="a" x:href="#b"><path d="M0 0H9V9Z"/>&#x41;</g>
</svg>
"""
PARTS = [
    *"<>&'\"=/\r\n\t\v", "\0", "]]>", "]]", "--", "-->", "<!--", "<![CDATA[", "<?x", "?>", "<?xml version='1.0'?>", " a=''", "a:b",
    "&amp;", "&lol;", "&#0;", "&#65;", "&#xD800;", "&#x110000;", "xmlns:a='b'", "xmlns='c'", "xml:lang='e'", "<a/>", "<a>", "</a>",
    "\ufffe", "\u0085", "\u00e9", "encoding='UTF-16'", "encoding='latin-1'", "standalone='yes'", "<!DOCTYPE a>", "<!ENTITY a 'b'>",
    b"\xc3", b"\xff\xfe", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xbc",
]  # fmt: skip
"""What may be anywhere in spoiled XML."""
MORE_THAN_XML = re.compile("is not a valid URI|Unsupported version|expecting version|String not closed")
"""What the other parser has against XML that is well formed, and against the number of its version."""


def spoiled(random: Random) -> bytes:
    """XML with one to four faults, or none that matters."""
    data = bytearray(random.choice((MODULE, DRAWING)).encode())
    for _ in range(random.randint(1, 4)):
        at, part = random.randrange(len(data) + 1), random.choice(PARTS)
        match random.randrange(5):
            case 0:
                del data[at : at + random.randint(1, 6)]
            case 1:
                data[at : at + 1] = bytes([random.randrange(256)])
            case 2:
                start = random.randrange(len(data) + 1)
                data[at:at] = data[start : start + random.randint(1, 30)]
            case kind:
                data[at : at + (kind - 3) * 2] = part if isinstance(part, bytes) else part.encode()
    return bytes(data)


def plain(root: Element | etree._Element) -> list[tuple[object, ...]]:
    """What an element and all in it say."""
    return [(each.tag, each.text or "", each.tail or "", dict(each.attrib)) for each in root.iter()]


def read_by_lxml(data: bytes) -> list[tuple[object, ...]] | str:
    """The same by another parser, or what it has against the file."""
    parser = etree.XMLParser(encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        return str(error)
    if root.getroottree().docinfo.doctype:
        return "it declares a document type"
    etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction)
    return plain(root)


@few(20)
@pytest.mark.parametrize("seed", seeds(300))
def test_spoiled_xml_is_read_or_refused_as_by_another_parser(seed: int) -> None:
    for number in range(20):
        data = spoiled(Random(f"{seed} {number}"))
        other = read_by_lxml(data)
        try:
            read = plain(read_xml(data, "x.xml"))
        except InputError as error:
            assert str(error).startswith("x.xml"), error
            assert isinstance(other, str), (data, error)
        else:
            assert read == other or MORE_THAN_XML.search(str(other)), (data, other)


def test_it_is_read_with_the_lines_of_its_elements() -> None:
    root, lines = read_placed_xml(MODULE.encode(), "buildFile.xml")
    assert [(element.tag.rpartition(".")[2], line) for element, line in zip(root.iter(), lines, strict=True)] == [
        ("GameModule", 3),
        ("PieceSlot", 4),
        ("entry", 5),
        ("setup", 6),
    ]
    assert root.get("description") == "Gr\u00fc\u00dfe & <mehr>\n"
    assert [element.text for element in root] == [
        "+/null/prototype;Unit\tpiece;;;1.png;1/1/\\ta & b",
        "\u2028German\n",
        None,
    ]
    assert plain(root) == read_by_lxml(MODULE.encode())


def test_a_comment_does_not_end_a_text() -> None:
    assert read_xml("<a>+/1/<!-- so -->piece;\U0001f40e</a>".encode(), "x.xml").text == "+/1/piece;\U0001f40e"


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"<a>\n<b></a>", "x.xml: mismatched tag: line 2, column 5"),
        (b"", "x.xml: no element found"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "x.xml declares a document type"),
        (b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', "x.xml declares a document type"),
        (b"<a>&b;</a>", "x.xml: undefined entity"),
        (b"<x:a/>", "x.xml: unbound prefix"),
        ("<a>\u00e9</a>".encode("latin-1"), "x.xml: not well-formed"),
        ('<?xml version="1.0" encoding="latin-1"?><a>\u00e9</a>'.encode("latin-1"), "x.xml: not well-formed"),
        ("<a/>".encode("utf-16"), "x.xml is not UTF-8 text"),
        ("<a/>".encode("utf-16-le"), "x.xml is not UTF-8 text"),
        ("<a/>".encode("utf-16-be"), "x.xml is not UTF-8 text"),
        (b"<a>" * 257 + b"</a>" * 257, "x.xml is nested more than 256 deep"),
        (b"<" * 400_001, "x.xml holds more than 400000 tags"),
        (b"<a " + b"b=''" * 500_001, "x.xml holds more than 500000 attributes"),
        (b" " * 17_000_000, "x.xml holds more than 16 MiB"),
    ],
)
def test_it_is_refused(data: bytes, what: str) -> None:
    with pytest.raises(InputError) as raised:
        read_xml(data, "x.xml")
    assert raised.value.what.startswith(what)
    assert raised.value.hint
    assert isinstance(raised.value, TooMuch) == ("more than" in what and "deep" not in what)


def test_what_may_stand_before_it_is_skipped() -> None:
    assert (
        read_xml("\ufeff<?xml version='1.0' encoding='UTF-16'?> <a b='\u00e9'/>".encode(), "x.xml").get("b") == "\u00e9"
    )


def test_it_may_be_256_deep() -> None:
    assert len([*read_xml(b"<a>" * 256 + b"</a>" * 256, "x.xml").iter()]) == 256


def test_want_of_memory_is_no_fault_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        def Parse(self, *_: object) -> None:
            error = expat.ExpatError("out of memory: line 1, column 0")
            error.code = 1
            raise error

    monkeypatch.setattr(expat, "ParserCreate", lambda *_: Failing())
    with pytest.raises(MachineError, match="not enough memory"):
        read_xml(b"<a/>", "a.xml")


@thorough
def test_as_many_tags_as_are_allowed_are_read() -> None:
    most = Limit.TAGS.most
    assert len(read_xml(b"<a>" + b"<b/>" * (most - 2) + b"</a>", "x.xml")) == most - 2
