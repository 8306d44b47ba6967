"""Whether a path leads to values that an answer can have, by the JSON Schema of its report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypedDict

from ...util.errors import InputError, format_suggestion, plain
from .paths import OF_EVERY_ANSWER, ValuePath

_WITH_FIELDS = ("figures", "changes")
"""Those of them that have fields of their own, which differ from answer to answer."""
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
"""What of a JSON Schema is read here."""


class _Shapes(NamedTuple):
    """The objects that JSON Schemas allow."""

    components: Mapping[str, JsonSchema]
    """The schemas that they refer to, by name."""

    def list_objects(self, schema: JsonSchema) -> Iterator[JsonSchema]:
        """Yield the objects that a schema allows, those of a list by their items."""
        if "$ref" in schema:
            yield from self.list_objects(self.components[schema["$ref"].rpartition("/")[2]])
        for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("prefixItems", ())):
            yield from self.list_objects(each)
        if (items := schema.get("items")) and not isinstance(items, bool):
            yield from self.list_objects(items)
        if "properties" in schema or "additionalProperties" in schema:
            yield schema

    def find_below(self, kinds: Sequence[JsonSchema], *fields: str) -> list[JsonSchema]:
        """Return what fields of some objects, one in the other, may hold. Raises InputError if none of them has one."""
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
                    below += self.list_objects(shape)
            if not has:
                raise InputError(f"the answer has no {plain(field, 40)!r}", hint=format_suggestion(field, known))
        return below


def check_value_path(path: ValuePath, schema: JsonSchema) -> None:
    """Raise InputError for a path with a field that no answer to a question has. schema: the JSON Schema of its
    report.
    """
    first = path.steps[0]
    if first.field in OF_EVERY_ANSWER:
        has_fields = first.field in _WITH_FIELDS and len(path.steps) <= 2
        if path.pair or any(step.conditions for step in path.steps) or (len(path.steps) > 1 and not has_fields):
            hint = f"write {first.field}" + (f", or {first.field}.NAME" if first.field in _WITH_FIELDS else " alone")
            raise InputError(f"{first.field} of an answer has no such parts", hint=hint)
        return
    shapes = _Shapes(schema["$defs"])
    report = next(shapes.list_objects(schema))
    kinds = list(shapes.list_objects(report["properties"]["result"]))
    for step in path.steps:
        kinds = shapes.find_below(kinds, step.field)
        for condition in step.conditions:
            shapes.find_below(kinds, *condition.fields)
    for fields in path.pair or ():
        shapes.find_below(kinds, *fields)
