"""Data from a TOML file as a type. All that does not fit is reported at once, each value with its place and the remedy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import inspect

from .errors import InputError, nearest_names, suggested

T = TypeVar("T")
Path = tuple[str | int, ...]
"""The way to a value: the keys of the tables it stands in, and the places in their lists, from 0."""


_QUOTED = 100
"""How many letters of a key a message quotes."""


class Misfit(InputError):
    """A value that does not fit. path: its place."""

    def __init__(self, path: Path, what: str, hint: str | Callable[[], str] = "") -> None:
        super().__init__(what, hint=hint)
        self.path = path


def fit_to_type(data: Any, kind: type[T], on_misfit: Callable[[Misfit], None]) -> T:
    """Data as a type. What does not fit goes to `on_misfit`; if that does not raise, a default takes its place.

    Raises msgspec.ValidationError for what a type forbids beyond the shape of the data.
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError:
        return msgspec.convert(_Fitter(on_misfit).fit(data, inspect.type_info(kind), ()), kind)


class _Unfit(Exception):
    """A value that no default can replace here."""


class _Fitter:
    def __init__(self, on_misfit: Callable[[Misfit], None]) -> None:
        self.on_misfit = on_misfit

    def fit(self, data: Any, info: inspect.Type, path: Path) -> Any:
        """The data with what does not fit left out or replaced. Raises _Unfit if nothing of it is left."""
        match info:
            case inspect.Metadata():  # a field with a note
                return self.fit(data, info.type, path)
            case inspect.StructType():
                return self.struct(self.of(dict, data, "a table", path), info, path)
            case inspect.DictType():
                table = self.of(dict, data, "a table", path)
                entries = ((self.key(key, info.key_type, path), value) for key, value in table.items())
                return self.each(((key, value, info.value_type, (*path, key)) for key, value in entries if key))
            case inspect.VarTupleType() | inspect.ListType():
                values = enumerate(self.of(list, data, "a list: [...]", path))
                fits = self.each(((n, value, info.item_type, (*path, n)) for n, value in values))
                return list(fits.values())
            case inspect.TupleType():
                count = len(info.item_types)
                values = self.of(list, data, f"a list of {count}", path)
                if len(values) != count:
                    self.refuse(path, f"{len(values)} values are not allowed", f"allowed: a list of {count}")
                return [
                    self.fit(value, of, (*path, n))
                    for n, (value, of) in enumerate(zip(values, info.item_types, strict=True))
                ]
            case inspect.LiteralType():
                return self.word(data, info.values, path)
            case inspect.EnumType():
                return self.word(data, [member.value for member in info.cls], path)
            case inspect.UnionType():
                parts = [part for part in info.types if not isinstance(part, inspect.NoneType)]
                near = parts if len(parts) == 1 else [part for part in parts if _takes(part, data)]
                return self.fit(data, near[0], path) if near else self.refuse(path, f"{data!r} is not allowed", "")
            case inspect.StrType(max_length=int(most)) if isinstance(data, str) and len(data) > most:
                return self.refuse(path, f"{len(data)} letters are not allowed", f"allowed: at most {most}")
            case _:
                return (
                    data if _takes(info, data) else self.refuse(path, f"{data!r} is not allowed", _word_allowed(info))
                )

    def refuse(self, path: Path, what: str, hint: str | Callable[[], str]) -> Any:
        self.on_misfit(Misfit(path, what, hint))
        raise _Unfit

    def of(self, kind: type, data: Any, wanted: str, path: Path) -> Any:
        return data if isinstance(data, kind) else self.refuse(path, f"{data!r} is not allowed", f"allowed: {wanted}")

    def key(self, key: str, info: inspect.Type, path: Path) -> str:
        try:
            return str(self.fit(key, info, (*path, key)))
        except _Unfit:
            return ""

    def word(self, data: Any, words: Any, path: Path) -> Any:
        known = [str(word) for word in words]
        return data if data in words else self.refuse(path, f"{data!r} is not allowed", suggested(str(data), known))

    def each(self, entries: Iterable[tuple[Any, Any, inspect.Type, Path]]) -> dict[Any, Any]:
        """Those of several values that fit, by their keys."""
        values = {}
        for key, value, info, path in entries:
            try:
                values[key] = self.fit(value, info, path)
            except _Unfit:
                continue
        return values

    def struct(self, data: dict[str, Any], info: inspect.StructType, path: Path) -> dict[str, Any]:
        fields = {field.encode_name: field for field in info.fields}
        misspelt: set[str] = set()
        for key in data:
            if key not in fields:
                misspelt.update(nearest_names(key, fields))
                self.on_misfit(Misfit((*path, key), "unknown key", suggested(key, fields)))
        known = ((key, data[key], fields[key].type, (*path, key)) for key in data if key in fields)
        fitting: dict[str, Any] = self.each(known)
        for name, field in fields.items():
            if field.required and name not in data and name not in misspelt:
                self.on_misfit(Misfit((*path, name), "missing", f"write: {name} = {_example(field.type)}"))
            if field.required and name not in fitting:
                fitting[name] = self.stand_in(field.type)
        return fitting

    def stand_in(self, info: inspect.Type) -> Any:
        """A stand-in for a missing value, so that the rest can be read."""
        match info:
            case inspect.Metadata():
                return self.stand_in(info.type)
            case inspect.StructType():
                required = (field for field in info.fields if field.required)
                return {field.encode_name: self.stand_in(field.type) for field in required}
            case inspect.LiteralType():
                return info.values[0]
            case inspect.EnumType():
                return next(iter(info.cls)).value
            case inspect.TupleType():
                return [self.stand_in(part) for part in info.item_types]
            case inspect.DictType():
                return {}
            case inspect.VarTupleType() | inspect.ListType():
                return []
            case _:
                plain, (least, _) = _PLAIN.get(type(info)), _ends(info)
                return least if least is not None else plain.stand_in if plain else ""


_Lists = (inspect.VarTupleType, inspect.ListType, inspect.TupleType)
_Tables = (inspect.DictType, inspect.StructType)


class _Plain(NamedTuple):
    """A plain kind of value: what stands in for it, what Python reads it as, and its name in words."""

    stand_in: Any
    kinds: tuple[type, ...]
    words: str


_PLAIN = {
    inspect.StrType: _Plain("", (str,), "a text in quotes"),
    inspect.BoolType: _Plain(False, (bool,), "true or false"),
    inspect.IntType: _Plain(0, (int,), "a whole number"),
    inspect.FloatType: _Plain(0.0, (float, int), "a number"),
}


def _takes(info: inspect.Type, data: Any) -> bool:
    """Whether a value is of a plain kind, or a list or a table where one is wanted."""
    if isinstance(info, inspect.Metadata):
        return _takes(info.type, data)
    if isinstance(info, _Lists):
        return isinstance(data, list)
    if isinstance(info, _Tables):
        return isinstance(data, dict)
    plain = _PLAIN.get(type(info))
    if plain is None:
        return True
    if not isinstance(data, plain.kinds) or (bool not in plain.kinds and isinstance(data, bool)):
        return False
    least, most = _ends(info)
    return not isinstance(data, int | float) or ((least is None or data >= least) and (most is None or data <= most))


def _ends(info: inspect.Type) -> tuple[float | None, float | None]:
    """The least and the greatest number of a kind, None where it has no such end."""
    return (info.ge, info.le) if isinstance(info, inspect.IntType | inspect.FloatType) else (None, None)


def _word_allowed(info: inspect.Type) -> str:
    plain = _PLAIN.get(type(info))
    least, most = _ends(info)
    ends = f" from {least} to {most}" if least is not None and most is not None else ""
    return f"allowed: {plain.words}{ends}" if plain else ""


def _example(info: inspect.Type) -> str:
    match info:
        case inspect.Metadata():
            return _example(info.type)
        case inspect.LiteralType():
            return " or ".join(f'"{value}"' for value in info.values)
        case inspect.EnumType():
            return " or ".join(f'"{member.value}"' for member in info.cls)
        case inspect.StrType():
            return '"..."'
        case inspect.IntType():
            return "a number"
        case inspect.StructType() | inspect.DictType():
            return "{ ... }, or a table of that name"
        case _:
            return "[...]"


def word_path(path: Path) -> str:
    """A place in a TOML file in words: `[table.usual] terrain`, `[[roster]] 2 source`."""
    table, key = path[:-1], path[-1:]
    shown = ".".join(_cut(part) if isinstance(part, str) else str(part + 1) for part in table)
    last = "".join(_cut(part) if isinstance(part, str) else f"entry {part + 1}" for part in key)
    return f"[{shown}] {last}" if shown else last


def _cut(key: str) -> str:
    """A key as far as a message quotes it."""
    return key if len(key) <= _QUOTED else f"{key[:_QUOTED]}..."


def line_of(text: str, path: Path) -> int:
    """The line of a TOML text in which a value stands, from 1: that of its key, or of the table around it; 0 if
    unknown.
    """
    lines = _lines_of(text)
    return next((lines[path[:length]] for length in range(len(path), 0, -1) if path[:length] in lines), 0)


@lru_cache(4)  # every misfit of a file asks for its line
def _lines_of(text: str) -> dict[Path, int]:
    """The first line of each key and each table of a TOML text."""
    numbers: dict[Path, int] = {}
    here: Path = ()
    seen: dict[Path, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*(\[\[?)([^\]]+)\]", line):
            here = tuple(part.strip(' "') for part in header[2].split("."))
            if header[1] == "[[":
                seen[here] = seen.get(here, -1) + 1
                here = (*here, seen[here])
            at = here
        elif key := re.match(r'\s*("[^"]+"|[\w-]+)\s*=', line):
            at = (*here, key[1].strip('"'))
        else:
            continue
        numbers.setdefault(at, number)
    return numbers
