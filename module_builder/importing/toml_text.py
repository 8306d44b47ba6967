"""Values as the text of a TOML file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

import msgspec


def value(of: object) -> str:
    """A value: a text, a number, a list, or a table on one line."""
    match of:
        case bool():
            return "true" if of else "false"
        case int() | float():
            return repr(of)
        case str():
            return json.dumps(of, ensure_ascii=False)
        case Mapping():
            return (
                "{ " + ", ".join(f"{key(name)} = {value(inner)}" for name, inner in of.items()) + " }" if of else "{}"
            )
        case Sequence():
            return f"[{', '.join(map(value, of))}]"
    raise TypeError(f"{of!r} has no place in a TOML file")


def key(name: str) -> str:
    """A key, in quotation marks where it needs them."""
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def lines(of: Mapping[str, object]) -> str:
    """Keys with their values, a line each."""
    return "".join(f"{key(name)} = {value(inner)}\n" for name, inner in of.items())


def fields_of(of: msgspec.Struct, *without: str) -> dict[str, object]:
    """The fields of a structure that differ from what leaving them out means. without: those to leave out in any case."""
    fields = msgspec.structs.fields(type(of))
    values = {field.name: getattr(of, field.name) for field in fields if field.name not in without}
    kept = {
        field.name: values[field.name]
        for field in fields
        if field.name in values and values[field.name] != field.default
    }
    return {
        name: fields_of(inner) if isinstance(inner, msgspec.Struct) else inner
        for name, inner in kept.items()
        if inner != {}
    }
