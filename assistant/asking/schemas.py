"""Reports as JSON, the JSON Schemas of a question, and the structs that they describe."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from ..util.console import encode_json
from ..util.errors import InputError, plain
from ..util.notes import note
from .question import Question
from .report import Report

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""The version of JSON Schema."""


class Refusal(msgspec.Struct, frozen=True):
    """The reason why a file cannot be used or a question not answered."""

    what: Annotated[str, note("the fault")]
    where: Annotated[str, note("the file and often the line and column, empty if unknown")]
    hint: Annotated[str, note("the remedy, empty if there is none")]


class PositionLine(msgspec.Struct, frozen=True):
    """The line of output for one position when a question is asked about many at once."""

    file: Annotated[str, note("the file as it was named")]
    report: Annotated[dict[str, Any] | msgspec.UnsetType, note("the answer, by the schema `report`")] = msgspec.UNSET
    error: Annotated[Refusal | msgspec.UnsetType, note("the reason, if there is no answer")] = msgspec.UNSET


class Unanswered(msgspec.Struct, frozen=True):
    """The entry in place of a report, among the reports on all questions of a file."""

    question: Annotated[str, note("the question, as the file names it")]
    error: Annotated[Refusal, note("the reason why there is no answer")]


def make_refusal(error: InputError) -> Refusal:
    """Return an error as a struct for JSON."""
    return Refusal(what=plain(error.what), where=str(error.where or ""), hint=plain(error.hint))


def schemas(question: Question[Any, Any]) -> dict[str, Any]:
    """Return the JSON Schemas of a question, every field with its meaning.

    They describe its parameters, its whole report, the line that holds a report among many, and the entry in place of a
    report if the question cannot be asked.
    """
    report_type = Report[question.result]  # type: ignore[name-defined]  # the result type is a value here
    (parameters, report, line, unanswered), components = _make_schemas(
        question.parameters, report_type, PositionLine, Unanswered
    )
    return {
        "name": question.name,
        "title": question.title,
        "answers": dict(question.answers or {}),
        "parameters": {"$schema": _DIALECT, **parameters, "$defs": components},
        "report": {"$schema": _DIALECT, **report, "$defs": components},
        "line": {
            "$schema": _DIALECT,
            **line,
            "$defs": {name: components[name] for name in ("PositionLine", "Refusal")},
        },
        "unanswered": {
            "$schema": _DIALECT,
            **unanswered,
            "$defs": {name: components[name] for name in ("Unanswered", "Refusal")},
        },
    }


def any_report_schema() -> dict[str, Any]:
    """Return the JSON Schema of a report on any question, with any result."""
    (report,), components = _make_schemas(Report[Any])
    return {"$schema": _DIALECT, **components.pop(report["$ref"].rpartition("/")[2]), "$defs": components}


def struct_schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the JSON Schema of a struct without fractions, every field with its meaning."""
    (schema,), components = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    whole = components.pop(schema["$ref"].rpartition("/")[2])
    return {"$schema": _DIALECT, **whole, **({"$defs": components} if components else {})}


def _make_schemas(*kinds: Any) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    type_schemas, components = msgspec.json.schema_components(
        kinds, schema_hook=exact_schema, ref_template="#/$defs/{name}"
    )
    for kind_name in ("Step", "Verdict"):
        text_schema = {"type": "string", "description": "template and figures as one text"}
        components[kind_name]["properties"]["text"] = text_schema
    for component in components.values():
        if tag := component.get("properties", {}).get("type"):  # the tag of a union of results
            tag.setdefault("description", "the kind of result")
    return type_schemas, components


def json_exact(value: Any) -> Any:
    """Return a value that JSON has no type for in plain types: a fraction as its exact text and a decimal."""
    if isinstance(value, Fraction):
        return {"exact": str(value), "decimal": round(float(value), 9)}
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(type(value))


def exact_schema(kind: type) -> dict[str, Any]:
    """Return the JSON Schema of the output of `json_exact`."""
    if kind is Fraction:
        return {
            "type": "object",
            "description": "an exact fraction and its decimal value",
            "properties": {"exact": {"type": "string"}, "decimal": {"type": "number"}},
            "required": ["exact", "decimal"],
        }
    raise NotImplementedError(kind)


def report_json(report: Report[Any]) -> bytes:
    """Return the report as JSON, each step with its text beside its figures."""
    return encode_json(as_plain(report))


def as_plain(report: Report[Any]) -> dict[str, Any]:
    """Return the report as plain values for JSON, each step with its text beside its figures."""
    values: dict[str, Any] = msgspec.to_builtins(report, enc_hook=json_exact, str_keys=True)
    values["verdict"]["text"] = report.verdict.text
    if report.as_seen is not None:
        values["as_seen"]["text"] = report.as_seen.text
    for part, part_values in zip(report.parts, values["parts"], strict=True):
        for step, values_of_step in zip(part.steps, part_values["steps"], strict=True):
            values_of_step["text"] = step.text
    for consequence, values_of_step in zip(report.follows, values["follows"], strict=True):
        values_of_step["step"]["text"] = consequence.step.text
    for caution, values_of_step in zip(report.cautions, values["cautions"], strict=True):
        values_of_step["text"] = caution.text
    return values


def list_structs(*kinds: Any) -> list[type[msgspec.Struct]]:
    """Return these structs and all structs in their fields, each once."""
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
