"""Reading untrusted XML: no document type and so no entities, no network access, bounded size."""

from __future__ import annotations

from lxml import etree

from .errors import InputError
from .limits import Limit


def read_xml(data: bytes, name: str) -> etree._Element:
    """The root of an XML file. Raises InputError if it is broken, too large or declares a document type."""
    Limit.XML.check(len(data), f"{name} holds")
    Limit.TAGS.check(data.count(b"<"), f"{name} holds")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(f"{name}: {error}", hint="the file is damaged") from None
    if root.getroottree().docinfo.doctype:
        raise InputError(f"{name} declares a document type", hint="neither VASSAL's files nor symbols need one")
    return root
