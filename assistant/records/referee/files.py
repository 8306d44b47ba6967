"""A referee's file, read case by case: a head shared by all cases, then positions, questions and expected answers.

The grammar is on the page "A referee's files" of the handbook. This reader keeps lines of position notation as they
are, with their numbers, for another reader.

A path names expected values of an answer: `sides.units[state=in].unit` or `hexes{hex=cost}`. It leads from field to
field, through each item of a list. Conditions in square brackets select items; braces take two fields of each item as
KEY=VALUE. Besides the fields of its result an answer has `verdict`, `figures`, `asks` and `changes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

import msgspec

from ...asking.report import Report
from ...state.changes import AnyChange, Change, Enter, Gain, Leave, Raise
from ...state.words import check_signs, split_at_colon, strip_comment
from ...util.errors import InputError, Where, format_suggestion, plain
from ...util.files import numbered_lines
from ...util.limits import Limit
from ...util.patterns import late_pattern

FORMAT_VERSION = "1"
"""The version of the format, in the first line of each file."""
NOTHING = "nothing"
"""The word for an empty list of values."""
IN_HEAD = ("referee", "value", "uses")
"""The first words of lines in the head, besides those of position notation."""
IN_CASE = ("ask", "do", "answers", "expect")
"""The first words of lines in a case, besides those of position notation."""
_NAME = late_pattern(r"[a-z][a-z0-9-]*")
"""The name of a value."""
_WORD = r'"[^"]*"|[^\s",=#]+'
_VALUE = late_pattern(rf"\s*({_WORD})(?:\s*=\s*({_WORD}))?\s*(,|$)")
"""VALUE or KEY=VALUE, with the comma after it, if any."""
ABSENT = "none"
"""The word for an absent value."""
COMMON_PARTS = ("verdict", "figures", "asks", "changes")
"""The parts that every answer has besides the fields of its result."""
_WITH_FIELDS = ("figures", "changes")
"""The common parts whose fields differ from answer to answer."""
_FIELDS = r"[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*"
"""A chain of fields joined by points."""
_CONDITION = late_pattern(rf'\[({_FIELDS})(!?=)("[^"]*"|[^\]"]*)\]')
"""A condition in brackets: a field, `=` or `!=`, and a value."""
_STEP = late_pattern(r'([A-Za-z_][\w-]*)((?:\[(?:"[^"]*"|[^\]"])*\])*)')
"""A step of a path: a field with its conditions."""
_PAIR = late_pattern(rf"\{{({_FIELDS})=({_FIELDS})\}}$")
"""The end of a path that takes two fields of each item as a pair."""
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
"""The parts of a JSON Schema used here."""


class NamedValue(msgspec.Struct, frozen=True):
    """A name for a path to values of an answer."""

    path: str
    """The path of the values in the answer."""
    line: int
    """The line number in the file."""


class UsedFile(msgspec.Struct, frozen=True):
    """A file or folder of the game on which the expected answers rest."""

    path: str
    """The path in the game's folder."""
    mark: str
    """The mark of its contents."""
    line: int


class Head(msgspec.Struct, frozen=True):
    """The head shared by all cases of a file."""

    file: str
    """The name of the file."""
    notation: str
    """The lines of position notation, with empty lines in place of others so that line numbers hold."""
    values: dict[str, NamedValue] = {}
    uses: tuple[UsedFile, ...] = ()


class ExpectedValues(msgspec.Struct, frozen=True):
    """Expected values of an answer."""

    name: str
    """The name of the values, or their path."""
    values: tuple[str, ...]
    """The values as written, without quotes; their order does not matter."""
    line: int


class Exchange(msgspec.Struct, frozen=True):
    """A question with the expected values of its answer."""

    asked: str
    """The question as written in the file."""
    line: int
    """The line number of the question."""
    carried_out: bool
    """Whether the answer is carried out before the next question."""
    notation: str
    """The lines that change the previous position, and the question with its answers."""
    first: int
    """The line number where the notation begins."""
    expected: tuple[ExpectedValues, ...] = ()


class Case(msgspec.Struct, frozen=True):
    """A position and the questions about it, in order."""

    name: str
    line: int
    exchanges: tuple[Exchange, ...]


def read_suite(path: Path) -> tuple[Head, Iterator[Case]]:
    """Return the head of a file and an iterator over its cases, which are read as needed.

    Raises InputError, with file and line, if the file cannot be read or breaks the grammar; so does the iterator.
    """
    reader = _CaseReader(str(path), numbered_lines(path))
    return reader.read_head(), reader.read_cases()


def parse_suite(text: str, name: str) -> tuple[Head, Iterator[Case]]:
    """Return the head of a text and an iterator over its cases, as `read_suite` does.

    `name`: the name of the text in messages.
    """
    reader = _CaseReader(name, enumerate(text.splitlines(), 1))
    return reader.read_head(), reader.read_cases()


class _CaseReader:
    def __init__(self, name: str, lines: Iterable[tuple[int, str]]) -> None:
        self.name = name
        self.lines = iter(lines)
        self.line = 0
        self.following: tuple[str, str, str] | None = None
        """The line after the part read last, as first word, rest and whole line, or None."""

    def make_fault(self, what: str, hint: str = "") -> InputError:
        return InputError(what, where=Where(self.name, self.line), hint=hint)

    def read_rows(self) -> Iterator[tuple[str, str, str]]:
        if self.following:
            row = self.following
            self.following = None
            yield row
        for number, text in self.lines:
            self.line = number
            if len(text) > Limit.LINE.most:
                raise Limit.LINE.error("the line holds").at(Where(self.name, self.line))
            bare = strip_comment(text.replace("\t", " "))
            check_signs(bare, lambda column: Where(self.name, self.line, column))
            word, _, rest = bare.strip().partition(" ")
            if word:
                yield word, rest.strip(), bare

    def read_head(self) -> Head:
        notation = _Lines(1)
        values = dict[str, NamedValue]()
        uses = list[UsedFile]()
        is_begun = False
        for word, rest, text in self.read_rows():
            if not is_begun:
                self.check_format(word, rest)
                is_begun = True
            elif word == "case":
                self.following = word, rest, text
                break
            elif word == "value":
                name, path = self.split_parts(rest, "value NAME = PATH")
                if name in values:
                    raise self.make_fault(f"value {name} is given twice", "leave out one of the two")
                values[name] = NamedValue(path, self.line)
            elif word == "uses":
                path, _, mark = rest.partition(" ")
                if not re.fullmatch("[0-9a-f]{16}", mark.strip()):
                    raise self.make_fault("the mark of a file is 16 hexadecimal digits", "write: uses PATH MARK")
                uses.append(UsedFile(path, mark.strip(), self.line))
            elif word in IN_CASE:
                raise self.make_fault(f"{word!r} stands before the first case", "begin one: case NAME")
            else:
                notation.put(self.line, text)
        if not is_begun:
            raise InputError("the file is empty", where=Where(self.name), hint=f"begin it: referee {FORMAT_VERSION}")
        if not self.following:
            raise self.make_fault("the file has no case", "begin one: case NAME")
        return Head(self.name, notation.text, values, tuple(uses))

    def check_format(self, word: str, rest: str) -> None:
        if word != "referee":
            raise self.make_fault("this is not a referee's file", f"it begins with: referee {FORMAT_VERSION}")
        if rest != FORMAT_VERSION:
            raise self.make_fault(f"version {rest or 'none'} of the format is not known", f"known: {FORMAT_VERSION}")

    def split_parts(self, text: str, pattern: str) -> tuple[str, str]:
        before, _, behind = text.partition("=")
        name = before.strip()
        path = behind.strip()
        if not path or not _NAME.fullmatch(name):
            raise self.make_fault(
                f"a name of small letters and a path are expected, not {plain(text, 40)!r}", f"write: {pattern}"
            )
        return name, path

    def read_cases(self) -> Iterator[Case]:
        names = set[str]()
        while self.following:
            name = self.following[1].strip('"')
            if not name:
                raise self.make_fault("the case has no name", "name it: case NAME")
            if name in names:
                raise self.make_fault(f"a case named {name} stands above", "name it: case NAME")
            names.add(name)
            yield self.read_case(name)

    def read_case(self, name: str) -> Case:
        begin = self.line
        self.following = None
        exchanges = list[Exchange]()
        pending = _Pending(self)
        for word, rest, text in self.read_rows():
            Limit.LINES.check(self.line - begin, "the case holds")
            if word == "case":
                self.following = word, rest, text
                break
            if word in IN_HEAD:
                raise self.make_fault(f"{word!r} belongs above the first case")
            if pending.asked and (word in ("ask", "do") or word not in IN_CASE):
                exchanges.append(pending.finish())
                pending = _Pending(self)
            pending.add_line(word, rest, text)
        if not pending.asked:
            raise InputError("no question ends the case", where=Where(self.name, begin), hint="write: ask QUESTION ...")
        return Case(name, begin, (*exchanges, pending.finish()))

    def read_expected(self, text: str) -> ExpectedValues:
        """Return the values of `NAME: VALUE, VALUE`. If a line ends with a comma, the next one is read too."""
        line = self.line
        name, colon, rest = split_at_colon(text)
        if not colon or not name.strip():
            raise self.make_fault("the values that are expected have no name", "write: expect NAME: VALUE, ...")
        parts = [rest.rstrip()]
        while parts[-1].endswith(","):
            _, _, next_line = next(self.read_rows(), ("", "", ""))
            if not next_line.strip():
                raise self.make_fault("a value is missing after the comma")
            Limit.LINES.check(self.line - line, "what is expected holds")
            parts.append(next_line.rstrip())
        rest = " ".join(parts)
        if rest.strip() == NOTHING:
            return ExpectedValues(name.strip(), (), line)
        return ExpectedValues(name.strip(), tuple(self.read_values(rest)), line)

    def read_values(self, text: str) -> Iterator[str]:
        """Yield the values separated by commas, with `KEY=VALUE` as one value."""
        at = 0
        end = len(text.rstrip())
        while at < end or not at:
            match = _VALUE.match(text, at)
            if match is None:
                hint = f"write VALUE or KEY=VALUE with commas between them, with quotes around spaces, or {NOTHING}"
                raise self.make_fault(f"no value can be read at {plain(text[at : at + 30])!r}", hint)
            key = match[1].strip('"')
            value = match[2]
            yield key if value is None else f"{key}={value.strip(chr(34))}"
            at = match.end()


class _Lines:
    """Lines of a file at their line numbers, with empty lines between them.

    `first`: the number of the first line.
    """

    def __init__(self, first: int = 0) -> None:
        self.first = first
        self.lines = list[str]()

    def put(self, number: int, text: str) -> None:
        self.first = self.first or number
        self.lines += [""] * (number - self.first - len(self.lines))
        self.lines.append(text)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class _Pending:
    """A question that is being read, with the changes before it.

    `asked`: the line of the question, or "" until it is read.
    """

    def __init__(self, reader: _CaseReader) -> None:
        self.reader = reader
        self.notation = _Lines()
        self.asked = ""
        self.line = 0
        self.carried_out = False
        self.expected: list[ExpectedValues] = []

    def add_line(self, word: str, rest: str, text: str) -> None:
        reader = self.reader
        if word in ("answers", "expect") and not self.asked:
            raise reader.make_fault(f"no question stands above {word!r}", "write it above: ask QUESTION ...")
        if word == "answers" and self.expected:
            raise reader.make_fault(
                "these answers come too late", "write them below the question, above what is expected"
            )
        if word == "expect":
            self.expected.append(reader.read_expected(rest))
            return
        if word in ("ask", "do"):
            if not rest:
                raise reader.make_fault("the question is missing", f"write: {word} QUESTION name=value ...")
            self.asked = rest
            self.line = reader.line
            self.carried_out = word == "do"
            if self.carried_out:
                text = text.replace("do", "ask", 1)
        self.notation.put(reader.line, text)

    def finish(self) -> Exchange:
        if not self.expected:
            where = Where(self.reader.name, self.line)
            hint = "write: expect NAME: VALUE, ..."
            raise InputError("nothing is expected of this question", where=where, hint=hint)
        notation = self.notation
        return Exchange(self.asked, self.line, self.carried_out, notation.text, notation.first, tuple(self.expected))


class Condition(NamedTuple):
    """A condition on the items of a list."""

    fields: tuple[str, ...]
    """The chain of fields that leads to the value."""
    value: str
    """The value as text."""
    equal: bool
    """Whether the item must have the value, or must not have it."""

    def is_met(self, item: Any) -> bool:
        return (_write_text(_unwrap_fields(item, self.fields)) == self.value) == self.equal


class PathStep(NamedTuple):
    """A field, and the conditions that select its items."""

    field: str
    conditions: tuple[Condition, ...] = ()


class ValuePath(NamedTuple):
    """A path to values."""

    steps: tuple[PathStep, ...]
    pair: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    """The two fields of each value for KEY=VALUE, or None."""


@lru_cache(256)
def read_value_path(text: str) -> ValuePath:
    """Parse a path.

    Raises InputError if the text is not a path.
    """
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
    """Return the values at a path of an answer, as text.

    Raises InputError if the path leads to something that is not a value.
    """
    is_common = path.steps[0].field in COMMON_PARTS
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
            texts.append(f"{_write_text(_unwrap_fields(thing, key))}={_write_text(_unwrap_fields(thing, value))}")
    return texts


def _list_common(report: Report[Any]) -> dict[str, Any]:
    """Return the parts common to all answers: the verdict's kind, its figures, the names of asks, and the changes.

    A figure in prose is left out, because its wording may change.
    """
    figures = {name: _to_plain(value) for name, value in report.verdict.figures.items()}
    return {
        "verdict": report.verdict.kind,
        "figures": {name: value for name, value in figures.items() if not _is_prose(value)},
        "asks": [ask.name for ask in report.asks],
        "changes": {key: value for change in report.changes for key, value in _list_changed(change)},
    }


def _is_prose(value: Any) -> bool:
    """Return whether a figure is a phrase, and not a number, a name or a list of these."""
    if isinstance(value, str):
        return len(value.split()) > 3 or ": " in value
    return isinstance(value, dict) or (isinstance(value, list | tuple) and any(map(_is_prose, value)))


def _list_changed(change: AnyChange) -> Iterator[tuple[str, Any]]:
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
    return msgspec.to_builtins(thing, enc_hook=_read_fraction, str_keys=True)


def _read_fraction(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(type(value))


def _list_items(thing: Any) -> list[Any]:
    return list(thing) if isinstance(thing, list | tuple) else [thing]


def _get_field(thing: Any, name: str) -> Any:
    return thing.get(name) if isinstance(thing, dict) else None


def _unwrap_fields(thing: Any, fields: tuple[str, ...]) -> Any:
    for name in fields:
        thing = _get_field(thing, name)
    return thing


def _write_texts(thing: Any) -> Iterator[str]:
    if isinstance(thing, dict):
        for key, value in thing.items():
            yield f"{_write_text(key)}={_write_text(value)}"
    else:
        yield _write_text(thing)


def _write_text(thing: Any) -> str:
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
    """Raise InputError if the path names a field that no answer to a question has.

    `schema`: the JSON Schema of the reports on the question.
    """
    first = path.steps[0]
    if first.field in COMMON_PARTS:
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
    """Return the schemas of objects reached from some objects through a chain of fields.

    Raises InputError if no object has one of the fields.
    """
    below = [*kinds]
    for field in fields:
        kinds = below
        below = []
        known_fields = list[str]()
        is_found = False
        for kind in kinds:
            properties = kind.get("properties", {})
            known_fields += properties
            additional = kind.get("additionalProperties")
            shape = properties.get(field, additional)
            if shape is not None and not isinstance(shape, bool):
                is_found = True
                below += _list_objects(shape, definitions)
        if not is_found:
            raise InputError(f"the answer has no {plain(field, 40)!r}", hint=format_suggestion(field, known_fields))
    return below
