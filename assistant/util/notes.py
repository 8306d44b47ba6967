"""What the fields of a struct mean, read from its docstring, so that schemas and references say it without a second text.

A docstring explains fields as `name: meaning; other, third: meaning.` after its first sentence.
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
    """What a struct is, in its docstring's first sentence."""
    return re.split(r"(?<=\.)\s|:\s", " ".join((kind.__doc__ or "").split()), maxsplit=1)[0]
