"""Reports as JSON, the JSON Schemas of a question, and the structs that they describe."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from ..util.console import json_text
from .question import Question
from .report import Report


def schemas(question: Question[Any, Any]) -> dict[str, Any]:
    """The JSON Schemas of a question's parameters and of its whole report, every field with its meaning."""
    report_type = Report[question.result]  # type: ignore[name-defined]  # the result type is a value here
    (parameters, report), components = msgspec.json.schema_components(
        [question.parameters, report_type], schema_hook=exact_schema, ref_template="#/$defs/{name}"
    )
    for kind_name in ("Step", "Verdict"):
        said = {"type": "string", "description": "template and figures as one text"}
        components[kind_name]["properties"]["text"] = said
    for component in components.values():
        if tag := component.get("properties", {}).get("type"):  # which of several results it is
            tag.setdefault("description", "the kind of result")
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {
        "name": question.name,
        "title": question.title,
        "answers": dict(question.answers or {}),
        "parameters": {"$schema": dialect, **parameters, "$defs": components},
        "report": {"$schema": dialect, **report, "$defs": components},
    }


def exact(value: Any) -> Any:
    """How JSON writes values without a JSON type: a fraction is its exact text and a decimal."""
    if isinstance(value, Fraction):
        return {"exact": str(value), "decimal": round(float(value), 9)}
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(type(value))


def exact_schema(kind: type) -> dict[str, Any]:
    """The JSON Schema of what `exact` writes."""
    if kind is Fraction:
        return {
            "type": "object",
            "description": "an exact fraction and its decimal value",
            "properties": {"exact": {"type": "string"}, "decimal": {"type": "number"}},
            "required": ["exact", "decimal"],
        }
    raise NotImplementedError(kind)


def to_json(report: Report[Any]) -> bytes:
    """The report as JSON, each step with its text beside its figures."""
    plain = msgspec.to_builtins(report, enc_hook=exact, str_keys=True)
    plain["verdict"]["text"] = report.verdict.text
    if report.as_seen is not None:
        plain["as_seen"]["text"] = report.as_seen.text
    for part, made in zip(report.parts, plain["parts"], strict=True):
        for step, line in zip(part.steps, made["steps"], strict=True):
            line["text"] = step.text
    for caution, line in zip(report.cautions, plain["cautions"], strict=True):
        line["text"] = caution.text
    return json_text(plain)


def structs_of(*kinds: Any) -> list[type[msgspec.Struct]]:
    """These structs and all structs in their fields, each once."""
    structs: list[type[msgspec.Struct]] = []
    todo = list(kinds)
    while todo:
        kind = todo.pop(0)
        origin = get_origin(kind) or kind
        todo = [*get_args(kind), *todo]
        if isinstance(origin, type) and issubclass(origin, msgspec.Struct) and origin not in structs:
            structs.append(origin)
            todo = [*get_type_hints(origin).values(), *todo]
    return structs
