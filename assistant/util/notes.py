"""The meaning of a struct's fields, read from its docstring, so that schemas and references need no second text.

After its first sentence a docstring explains fields as `name: meaning; other, third: meaning.`.
"""

from __future__ import annotations

import re

import msgspec

_NOTE = re.compile(r"(?:^|[.;]\s+)((?:[a-z_]+, )*[a-z_]+):\s+(.+?)(?=;\s|\.\s+(?:[a-z_]+, )*[a-z_]+:\s|\.?$)")


def field_notes(kind: type[msgspec.Struct]) -> dict[str, str]:
    """The meaning of each field that the docstring of a struct explains."""
    text = " ".join((kind.__doc__ or "").split())
    found: dict[str, str] = {}
    for match in _NOTE.finditer(text):
        for name in match[1].split(", "):
            found[name] = match[2]
    return found


def first_sentence(kind: type) -> str:
    """The first sentence of a struct's docstring."""
    return re.split(r"(?<=\.)\s|:\s", " ".join((kind.__doc__ or "").split()), maxsplit=1)[0]
