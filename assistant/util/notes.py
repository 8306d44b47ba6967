"""The meanings of fields, declared with the fields, so that schemas, references and prompts need no second text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args, get_type_hints

import msgspec


def note(meaning: str, names: str = "") -> msgspec.Meta:
    """The meaning of a field, for its annotation: `lost: Annotated[int, note("steps lost")]`.

    names: what the text in a parameter names, by which it is looked up, "" for nothing.
    """
    return msgspec.Meta(description=meaning, extra={"is": names} if names else None)


def notes_of(kind: Any) -> Mapping[str, str]:
    """The meaning of each field of a struct, by the field's name; "" for one without a note."""
    return {name: meaning_of(hint) for name, hint in get_type_hints(kind, include_extras=True).items()}


def meaning_of(hint: Any) -> str:
    """The meaning of a field by its annotation, its own before that of its type; "" for one without a note."""
    parts = reversed(get_args(hint))
    said = (part.description if isinstance(part, msgspec.Meta) else meaning_of(part) for part in parts)
    return next(filter(None, said), "") or ""


def kinds_named(hint: Any) -> frozenset[str]:
    """What the texts of a parameter name, by its annotation; nothing for plain values."""
    parts = get_args(hint)
    own = (part.extra for part in parts if isinstance(part, msgspec.Meta) and part.extra)
    return frozenset(str(extra["is"]) for extra in own if "is" in extra).union(*map(kinds_named, parts))
