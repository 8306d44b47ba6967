"""The meanings of fields, declared with the fields, for schemas, references and prompts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec
from msgspec.structs import FieldInfo

T = TypeVar("T")


def note(meaning: str, names: str = "", option: str = "") -> msgspec.Meta:
    """Return the meaning of a field, for its annotation: `lost: Annotated[int, note("steps lost")]`.

    `names`: the kind of thing that the text in a parameter names, or "" if it names nothing.
    `option`: the parameter's option on the command line, or "" if the option has the parameter's own name.
    """
    extra = {key: value for key, value in (("is", names), ("option", option)) if value}
    return msgspec.Meta(description=meaning, extra=extra or None)


def listed_once(of_struct: Callable[[Any], T]) -> Callable[[Any], T]:
    """Return the function with a cache, because Python would analyse structs and annotations at each call."""
    return cache(of_struct)


@listed_once
def fields_of(kind: Any) -> tuple[FieldInfo, ...]:
    """Return the fields of a struct."""
    return msgspec.structs.fields(kind)


@listed_once
def hints_of(kind: Any) -> Mapping[str, Any]:
    """Return the annotation of each field of a struct, by the field's name, with its note."""
    return MappingProxyType(get_type_hints(kind, include_extras=True))


@listed_once
def notes_of(kind: Any) -> Mapping[str, str]:
    """Return the meaning of each field of a struct by its name, or "" for a field without a note."""
    return MappingProxyType({name: field_meaning(hint) for name, hint in hints_of(kind).items()})


def field_meaning(hint: Any) -> str:
    """Return the meaning in a field's annotation, else the meaning of its type, or ""."""
    parts = reversed(get_args(hint))
    meanings = (part.description if isinstance(part, msgspec.Meta) else field_meaning(part) for part in parts)
    return next(filter(None, meanings), "") or ""


@listed_once
def kinds_named(hint: Any) -> frozenset[str]:
    """Return the kinds of things that a parameter names, from its annotation; a plain value names none."""
    parts = get_args(hint)
    own_extras = (part.extra for part in parts if isinstance(part, msgspec.Meta) and part.extra)
    return frozenset(str(extra["is"]) for extra in own_extras if "is" in extra).union(*map(kinds_named, parts))


@listed_once
def options_of(kind: Any) -> Mapping[str, str]:
    """Return the parameters of a struct by their options on the command line, such as `--strength-after`."""
    hints = hints_of(kind)
    option_names = {
        field.name: str(part.extra["option"])
        for field in fields_of(kind)
        for part in get_args(hints[field.name])
        if isinstance(part, msgspec.Meta) and part.extra and "option" in part.extra
    }
    typed_names = {field.name: field.encode_name.replace("_", "-") for field in fields_of(kind)}
    return MappingProxyType({f"--{option_names.get(name, words)}": words for name, words in typed_names.items()})
