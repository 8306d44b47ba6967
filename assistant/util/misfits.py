"""Misfits: values in a data file that do not fit their type, each with its place, the allowed values and a default."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from msgspec import inspect

from .errors import InputError, KeyPath, format_suggestion, nearest_names


class Misfit(InputError):
    """A value that does not fit its type."""

    def __init__(self, path: KeyPath, what: str, hint: str | Callable[[], str] = "") -> None:
        super().__init__(what, hint=hint)
        self.path = path


def fit_data(data: Any, kind: type, on_misfit: Callable[[Misfit], None]) -> Any:
    """Return data; each value that does not fit a type is left out or replaced by a default.

    `on_misfit`: called with each misfit.
    """
    return _Fitter(on_misfit).fit(data, inspect.type_info(kind), ())


def list_cell_words(kind: Any) -> list[str]:
    """Return the words that a cell of a type may hold, or none if other values are allowed."""
    return [*_yield_cell_words(inspect.type_info(kind))]


def _yield_cell_words(info: inspect.Type) -> Iterator[str]:
    info = _strip_note(info)
    match info:
        case inspect.VarTupleType():
            yield from _yield_cell_words(info.item_type)
        case inspect.UnionType():
            for part in info.types:
                yield from _yield_cell_words(part)
        case _:
            yield from map(str, _list_words(info))


class _Unfit(Exception):
    pass


class _Fitter:
    def __init__(self, on_misfit: Callable[[Misfit], None]) -> None:
        self.on_misfit = on_misfit

    def fit(self, data: Any, info: inspect.Type, path: KeyPath) -> Any:
        info = _strip_note(info)
        if words := _list_words(info):
            known = [str(word) for word in words]
            return (
                data
                if data in words
                else self.refuse(path, f"{data!r} is not allowed", format_suggestion(str(data), known))
            )
        match info:
            case inspect.StructType():
                return self.fit_struct(self.expect(dict, data, "a table", path), info, path)
            case inspect.DictType():
                table = self.expect(dict, data, "a table", path)
                entries = ((self.fit_key(key, info.key_type, path), value) for key, value in table.items())
                return self.fit_each(((key, value, info.value_type, (*path, key)) for key, value in entries if key))
            case inspect.VarTupleType() | inspect.ListType():
                values = enumerate(self.expect(list, data, "a list: [...]", path))
                fits = self.fit_each(((n, value, info.item_type, (*path, n)) for n, value in values))
                return list(fits.values())
            case inspect.TupleType():
                count = len(info.item_types)
                values = self.expect(list, data, f"a list of {count}", path)
                if len(values) != count:
                    self.refuse(path, f"{len(values)} values are not allowed", f"allowed: a list of {count}")
                return [
                    self.fit(value, part, (*path, n))
                    for n, (value, part) in enumerate(zip(values, info.item_types, strict=True))
                ]
            case inspect.UnionType():
                parts = [part for part in info.types if not isinstance(part, inspect.NoneType)]
                matching_types = parts if len(parts) == 1 else [part for part in parts if _is_of_kind(part, data)]
                return (
                    self.fit(data, matching_types[0], path)
                    if matching_types
                    else self.refuse(path, f"{data!r} is not allowed", "")
                )
            case inspect.StrType(max_length=int(most)) if isinstance(data, str) and len(data) > most:
                return self.refuse(path, f"{len(data)} characters are too many", f"allowed: at most {most}")
            case _:
                return (
                    data
                    if _is_of_kind(info, data)
                    else self.refuse(path, f"{data!r} is not allowed", _format_allowed(info))
                )

    def refuse(self, path: KeyPath, what: str, hint: str | Callable[[], str]) -> Any:
        self.on_misfit(Misfit(path, what, hint))
        raise _Unfit

    def expect(self, kind: type, data: Any, wanted: str, path: KeyPath) -> Any:
        return data if isinstance(data, kind) else self.refuse(path, f"{data!r} is not allowed", f"allowed: {wanted}")

    def fit_key(self, key: str, info: inspect.Type, path: KeyPath) -> str:
        try:
            return str(self.fit(key, info, (*path, key)))
        except _Unfit:
            return ""

    def fit_each(self, entries: Iterable[tuple[Any, Any, inspect.Type, KeyPath]]) -> dict[Any, Any]:
        values = {}
        for key, value, info, path in entries:
            try:
                values[key] = self.fit(value, info, path)
            except _Unfit:
                continue
        return values

    def fit_struct(self, data: dict[str, Any], info: inspect.StructType, path: KeyPath) -> dict[str, Any]:
        fields = {field.encode_name: field for field in info.fields}
        misspelt: set[str] = set()
        for key in data:
            if key not in fields:
                misspelt.update(nearest_names(key, fields))
                self.on_misfit(Misfit((*path, key), "unknown key", format_suggestion(key, fields)))
        known = ((key, data[key], fields[key].type, (*path, key)) for key in data if key in fields)
        fitting: dict[str, Any] = self.fit_each(known)
        for name, field in fields.items():
            if field.required and name not in data and name not in misspelt:
                self.on_misfit(Misfit((*path, name), "missing", f"write: {name} = {_write_example(field.type)}"))
            if field.required and name not in fitting:
                fitting[name] = self.make_stand_in(field.type)
        return fitting

    def make_stand_in(self, info: inspect.Type) -> Any:
        info = _strip_note(info)
        if words := _list_words(info):
            return words[0]
        match info:
            case inspect.StructType():
                required = (field for field in info.fields if field.required)
                return {field.encode_name: self.make_stand_in(field.type) for field in required}
            case inspect.TupleType():
                return [self.make_stand_in(part) for part in info.item_types]
            case inspect.DictType():
                return {}
            case inspect.VarTupleType() | inspect.ListType():
                return []
            case _:
                kind = _PLAIN_TYPES.get(type(info))
                (minimum, _) = _find_ends(info)
                if minimum is not None:
                    return minimum
                return kind.stand_in if kind else ""


_Lists = (inspect.VarTupleType, inspect.ListType, inspect.TupleType)
_Tables = (inspect.DictType, inspect.StructType)


class _Plain(NamedTuple):
    """A plain kind of value: its default, its Python types, its name in words, and an example."""

    stand_in: Any
    kinds: tuple[type, ...]
    words: str
    example: str


_PLAIN_TYPES = {
    inspect.StrType: _Plain("", (str,), "a text in quotes", '"..."'),
    inspect.BoolType: _Plain(False, (bool,), "true or false", "true or false"),
    inspect.IntType: _Plain(0, (int,), "a whole number", "a number"),
    inspect.FloatType: _Plain(0.0, (float, int), "a number", "a number"),
}


def _is_of_kind(info: inspect.Type, data: Any) -> bool:
    info = _strip_note(info)
    if isinstance(info, _Lists):
        return isinstance(data, list)
    if isinstance(info, _Tables):
        return isinstance(data, dict)
    kind = _PLAIN_TYPES.get(type(info))
    if kind is None:
        return True
    if not isinstance(data, kind.kinds) or (bool not in kind.kinds and isinstance(data, bool)):
        return False
    minimum, maximum = _find_ends(info)
    return not isinstance(data, int | float) or (
        (minimum is None or data >= minimum) and (maximum is None or data <= maximum)
    )


def _find_ends(info: inspect.Type) -> tuple[float | None, float | None]:
    return (info.ge, info.le) if isinstance(info, inspect.IntType | inspect.FloatType) else (None, None)


def _format_allowed(info: inspect.Type) -> str:
    kind = _PLAIN_TYPES.get(type(info))
    minimum, maximum = _find_ends(info)
    ends = f" from {minimum} to {maximum}" if minimum is not None and maximum is not None else ""
    return f"allowed: {kind.words}{ends}" if kind else ""


def _write_example(info: inspect.Type) -> str:
    info = _strip_note(info)
    if words := _list_words(info):
        return " or ".join(f'"{word}"' for word in words)
    if isinstance(info, _Tables):
        return "{ ... }, or a table of that name"
    return _PLAIN_TYPES[type(info)].example if type(info) in _PLAIN_TYPES else "[...]"


def _strip_note(info: inspect.Type) -> inspect.Type:
    return info.type if isinstance(info, inspect.Metadata) else info


def _list_words(info: inspect.Type) -> tuple[Any, ...]:
    if isinstance(info, inspect.LiteralType):
        return info.values
    return tuple(member.value for member in info.cls) if isinstance(info, inspect.EnumType) else ()
