"""Values of an answer by a path, as text: `sides.units[state=in].unit` or `hexes{hex=cost}`; and what a path can reach.

A path goes from field to field, through each item of a list. Conditions in square brackets keep some of the items;
braces give two fields of each item as KEY=VALUE. Besides the fields of its result an answer has `verdict`, `figures`,
`asks` and `changes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, TypedDict

import msgspec

from ...asking.report import Report
from ...state.changes import AnyChange, Change, Enter, Gain, Leave, Raise
from ...util.errors import InputError, format_suggestion, plain
from ...util.patterns import late_pattern

ABSENT = "none"
"""What stands for a value that is not there."""
OF_EVERY_ANSWER = ("verdict", "figures", "asks", "changes")
"""What any answer has beside the fields of its result."""
_WITH_FIELDS = ("figures", "changes")
"""Parts of every answer that have fields of their own, which differ from answer to answer."""
_FIELDS = r"[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*"
"""Fields joined by points."""
_CONDITION = late_pattern(rf'\[({_FIELDS})(!?=)("[^"]*"|[^\]"]*)\]')
"""A condition in brackets: a field, how it compares, and with what."""
_STEP = late_pattern(r'([A-Za-z_][\w-]*)((?:\[(?:"[^"]*"|[^\]"])*\])*)')
"""A step of a path: a field with its conditions."""
_PAIR = late_pattern(rf"\{{({_FIELDS})=({_FIELDS})\}}$")
"""What is taken of each object in the end: one field by another."""
JsonSchema = TypedDict(
    "JsonSchema",
    {
        "$defs": "dict[str, JsonSchema]",
        "$ref": str,
        "anyOf": "list[JsonSchema]",
        "oneOf": "list[JsonSchema]",
        "prefixItems": "list[JsonSchema]",
        "items": "JsonSchema | bool",
        "properties": "dict[str, JsonSchema]",
        "additionalProperties": "JsonSchema | bool",
    },
    total=False,
)
"""The parts of a JSON Schema that are read here."""


class Condition(NamedTuple):
    """What an item meets."""

    fields: tuple[str, ...]
    """The way to the value."""
    value: str
    """As text."""
    equal: bool
    """Whether the item has that value, or another."""

    def is_met(self, item: Any) -> bool:
        """Return whether an item, in plain values, meets it."""
        return (_write_text(_unwrap(item, self.fields)) == self.value) == self.equal


class PathStep(NamedTuple):
    """A field, and the conditions that its items meet."""

    field: str
    conditions: tuple[Condition, ...] = ()


class ValuePath(NamedTuple):
    """The way to some values."""

    steps: tuple[PathStep, ...]
    pair: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    """Two fields of each value, for KEY=VALUE."""


@lru_cache(256)
def read_value_path(text: str) -> ValuePath:
    """Return the path that a text writes. Raises InputError if it cannot be one."""
    pair = _PAIR.search(text)
    rest = text[: pair.start()] if pair else text
    steps = list[PathStep]()
    at = 0
    while at < len(rest):
        match = _STEP.match(rest, at)
        if match is None or rest[match.end() : match.end() + 1] not in (".", "") or _CONDITION.sub("", match[2]):
            break
        conditions = []
        for condition in _CONDITION.finditer(match[2]):
            fields, sign, value = condition.groups()
            conditions.append(Condition(tuple(fields.split(".")), value.strip('"'), sign == "="))
        steps.append(PathStep(match[1], tuple(conditions)))
        at = match.end() + 1
    if not steps or at <= len(rest):
        hint = "such as units[state=in].unit, or hexes{hex=cost}"
        raise InputError(f"{plain(text, 60)!r} is not a path to values of an answer", hint=hint)
    if pair is None:
        return ValuePath(tuple(steps))
    return ValuePath(tuple(steps), (tuple(pair[1].split(".")), tuple(pair[2].split("."))))


def values_at(report: Report[Any], path: ValuePath) -> list[str]:
    """Return the values of an answer, as text. Raises InputError for a path that leads to something else than
    values.
    """
    is_common = path.steps[0].field in OF_EVERY_ANSWER
    things: list[Any] = [_list_common(report)] if is_common else _list_items(_to_plain(report.result))
    for step in path.steps:
        things = [item for thing in things for item in _list_items(_get_field(thing, step.field))]
        things = [item for item in things if all(condition.is_met(item) for condition in step.conditions)]
    if path.pair is None:
        return [text for thing in things for text in _write_texts(thing)]
    key, value = path.pair
    texts = []
    for thing in things:
        if thing is None:
            texts.append(ABSENT)
        else:
            texts.append(f"{_write_text(_unwrap(thing, key))}={_write_text(_unwrap(thing, value))}")
    return texts


def _list_common(report: Report[Any]) -> dict[str, Any]:
    """Return what any answer has: the kind of its verdict, the figures in its words, what it asks for, what it changes.

    A figure in prose is left out, for its wording may change.
    """
    figures = {name: _to_plain(value) for name, value in report.verdict.figures.items()}
    return {
        "verdict": report.verdict.kind,
        "figures": {name: value for name, value in figures.items() if not _is_prose(value)},
        "asks": [ask.name for ask in report.asks],
        "changes": {key: value for change in report.changes for key, value in _list_changed(change)},
    }


def _is_prose(value: Any) -> bool:
    """Return whether a figure is a phrase rather than a number, a name or a list of these."""
    if isinstance(value, str):
        return len(value.split()) > 3 or ": " in value
    return isinstance(value, dict) or (isinstance(value, list | tuple) and any(map(_is_prose, value)))


def _list_changed(change: AnyChange) -> Iterator[tuple[str, Any]]:
    """Yield what a change leaves, by SUBJECT.TRACK."""
    match change:
        case Enter():
            yield f"{change.unit}.place", change.place
        case Leave():
            yield f"{change.unit}.place", "off"
        case Gain():
            yield f"{change.subject or 'game'}.{change.track}", f"{change.amount:+}"
        case Raise():
            yield f"{change.subject or 'game'}.{change.track}", change.to
        case Change():
            yield f"{change.subject or 'game'}.{change.track}", _to_plain(change.after)


def _to_plain(thing: Any) -> Any:
    """Return a value as JSON has it, a fraction as text."""
    return msgspec.to_builtins(thing, enc_hook=_read_fraction, str_keys=True)


def _read_fraction(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(type(value))


def _list_items(thing: Any) -> list[Any]:
    """Return the items of a list, a thing by itself."""
    return list(thing) if isinstance(thing, list | tuple) else [thing]


def _get_field(thing: Any, name: str) -> Any:
    """Return a field of an object, None of what has none."""
    return thing.get(name) if isinstance(thing, dict) else None


def _unwrap(thing: Any, fields: tuple[str, ...]) -> Any:
    for name in fields:
        thing = _get_field(thing, name)
    return thing


def _write_texts(thing: Any) -> Iterator[str]:
    """Yield a value as text, each pair of an object as KEY=VALUE."""
    if isinstance(thing, dict):
        for key, value in thing.items():
            yield f"{_write_text(key)}={_write_text(value)}"
    else:
        yield _write_text(thing)


def _write_text(thing: Any) -> str:
    """Return a value as text: yes and no, those of a list sorted and joined by +."""
    match thing:
        case None:
            return ABSENT
        case bool():
            return "yes" if thing else "no"
        case list() | tuple():
            return "+".join(sorted(map(_write_text, thing))) or ABSENT
        case dict():
            raise InputError("this is not a single value", hint=f"add a field to the path: {', '.join(thing)}")
        case float() if thing.is_integer():
            return str(int(thing))
    return " ".join(str(thing).replace('"', "'").split())


def check_value_path(path: ValuePath, schema: JsonSchema) -> None:
    """Raise InputError for a path with a field that no answer to a question has.

    `schema`: the JSON Schema of the report.
    """
    first = path.steps[0]
    if first.field in OF_EVERY_ANSWER:
        has_fields = first.field in _WITH_FIELDS and len(path.steps) <= 2
        if path.pair or any(step.conditions for step in path.steps) or (len(path.steps) > 1 and not has_fields):
            hint = f"write {first.field}" + (f", or {first.field}.NAME" if first.field in _WITH_FIELDS else " alone")
            raise InputError(f"{first.field} of an answer has no such parts", hint=hint)
        return
    definitions = schema["$defs"]
    report = next(_list_objects(schema, definitions))
    kinds = list(_list_objects(report["properties"]["result"], definitions))
    for step in path.steps:
        kinds = _find_below(kinds, (step.field,), definitions)
        for condition in step.conditions:
            _find_below(kinds, condition.fields, definitions)
    for fields in path.pair or ():
        _find_below(kinds, fields, definitions)


def _list_objects(schema: JsonSchema, definitions: Mapping[str, JsonSchema]) -> Iterator[JsonSchema]:
    """Yield the objects that a schema allows, those of a list by their items."""
    if "$ref" in schema:
        yield from _list_objects(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("prefixItems", ())):
        yield from _list_objects(each, definitions)
    if (items := schema.get("items")) and not isinstance(items, bool):
        yield from _list_objects(items, definitions)
    if "properties" in schema or "additionalProperties" in schema:
        yield schema


def _find_below(
    kinds: Sequence[JsonSchema], fields: Sequence[str], definitions: Mapping[str, JsonSchema]
) -> list[JsonSchema]:
    """Return the objects that a chain of fields of some objects may hold. Raises InputError if no object has a field."""
    below = [*kinds]
    for field in fields:
        kinds = below
        below = []
        known = list[str]()
        has = False
        for kind in kinds:
            properties = kind.get("properties", {})
            known += properties
            others = kind.get("additionalProperties")
            shape = properties.get(field, others)
            if shape is not None and not isinstance(shape, bool):
                has = True
                below += _list_objects(shape, definitions)
        if not has:
            raise InputError(f"the answer has no {plain(field, 40)!r}", hint=format_suggestion(field, known))
    return below
