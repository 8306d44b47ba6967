"""The meanings of fields, declared with the fields, so that schemas and references need no second text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_type_hints

import msgspec


def note(meaning: str) -> msgspec.Meta:
    """The meaning of a field, for its annotation: `lost: Annotated[int, note("steps lost")]`."""
    return msgspec.Meta(description=meaning)


def notes_of(kind: Any) -> Mapping[str, str]:
    """The meaning of each field of a struct, by the field's name; "" for one without a note."""
    found = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        said = [meta.description for meta in getattr(hint, "__metadata__", ()) if isinstance(meta, msgspec.Meta)]
        found[name] = next(filter(None, reversed(said)), "")
    return found
