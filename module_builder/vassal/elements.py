"""Elements of a module's build file."""

from __future__ import annotations

from lxml import etree

MODULE, MAP, WIDGET = "VASSAL.build.module.", "VASSAL.build.module.map.", "VASSAL.build.widget."
"""What the names of VASSAL's elements begin with."""
ALT = 520
"""The modifier of the keys of buttons."""


def add(parent: etree._Element, tag: str, inner: str = "", /, **attributes: str) -> etree._Element:
    """Add an element with these attributes, and a text in it if there is one, to another one."""
    element = etree.SubElement(parent, tag, attributes)
    if inner:
        element.text = inner
    return element
