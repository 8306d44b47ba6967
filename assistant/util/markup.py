"""Reading untrusted XML: no document type and so no entities, no network access, bounded size."""

from __future__ import annotations

import re

from lxml import etree

from .errors import InputError
from .limits import Limit, TooMuch, find_exceeded

_ATTRIBUTE = re.compile(rb"=\s*[\"']")


def measure_xml(data: bytes, name: str) -> dict[Limit, tuple[str, int]]:
    """What an XML file takes of the limits."""
    counted = {
        Limit.XML: len(data),
        Limit.TAGS: data.count(b"<"),
        Limit.ATTRIBUTES: sum(1 for _ in _ATTRIBUTE.finditer(data)),
    }
    return {limit: (f"{name} holds", count) for limit, count in counted.items()}


def read_xml(data: bytes, name: str) -> etree._Element:
    """The root of an XML file in UTF-8. Raises InputError if it is broken, too large or declares a document type."""
    if over := find_exceeded(measure_xml(data, name)):
        raise TooMuch(over)
    # another encoding could write what is counted here in other bytes
    parser = etree.XMLParser(encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(f"{name}: {error}", hint="the file is damaged") from None
    if root.getroottree().docinfo.doctype:
        raise InputError(f"{name} declares a document type", hint="neither VASSAL's files nor symbols need one")
    return root
