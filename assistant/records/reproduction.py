"""Answers that commands have written as JSON, computed again: whether they are the same today, and where they differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, NamedTuple

import msgspec

from ..asking.basis import Basis
from ..asking.reference import FIGURES
from ..asking.schemas import as_plain
from ..formats.positions import LINK, Position
from ..installed.answer_basis import find_basis
from ..installed.registry import question_of
from ..service import ask, pose_question, resolve_question
from ..util.errors import InputError, Where, located, plain
from ..util.limits import Limit
from ..util.notes import note, notes_of

_WORDING = frozenset({"brief", "done", "how", "template", "text", "title", "viewpoint_title"})
"""The fields of answers that are words alone."""
_FIRST = ("viewpoint", "verdict", "as_seen", "result", "result_as_seen", "between", "changes", "asks", "follows")
"""The fields of a report that are compared before its working."""
_TITLES = {
    "as_seen": "the answer from what is seen",
    "asks": "what is missing or due",
    "between": "the result",
    "cautions": "the cautions",
    "changes": "the changes of the position",
    "follows": "what follows",
    "parts": "the working",
    "result": "the result",
    "result_as_seen": "the result from what is seen",
    "rests_on": "what is not the owner's own",
    "short": "the short answer",
    "verdict": "the answer",
    "viewpoint": "whose knowledge it rests on",
}
_CHANGED = {
    "position": "the position",
    "game": "the game's rules or data",
    "charts": "your own charts, counters or map",
    "program": "the program",
}
_ABSENT = "nothing"
_MAX_VALUE_CHARS = 120
"""The length at which a value that differs is cut."""


class _Stored(msgspec.Struct, frozen=True):
    """What of a stored answer must have its type."""

    question: str
    title: str
    basis: Basis


class StoredAnswer(NamedTuple):
    """An answer as a command has written it."""

    question: str
    title: str
    basis: Basis
    values: Mapping[str, Any]


class Reproduction(msgspec.Struct, frozen=True):
    """An answer computed again."""

    question: Annotated[str, note("the question")]
    title: Annotated[str, note("the question in words")]
    changed: Annotated[
        tuple[str, ...],
        note("what the answer is computed from that has changed: `position`, `game`, `charts`, `program`"),
    ]
    same: Annotated[bool, note("whether the answer is the same, in whatever words")] = False
    reworded: Annotated[bool, note("whether only its words differ")] = False
    path: Annotated[tuple[str | int, ...], note("the path of the first field that differs, empty for none")] = ()
    place: Annotated[str, note("the same in words")] = ""
    then: Annotated[str, note("the value there in the stored answer")] = ""
    now: Annotated[str, note("the value there today")] = ""


# --- reading ----------------------------------------------------------------------------------------------------------


def read_answers(data: bytes, name: str) -> list[StoredAnswer]:
    """Return the answers in what a command has written with --json: one, a list, or one on each line.

    Questions without an answer are left out.

    Raises InputError if it is anything else.
    """
    where = Where(name)
    with located(where):
        Limit.FILE.check(len(data), "it holds")
        entries = [entry.get("report", entry) for entry in _decode(data) if "error" not in entry]
        Limit.ASKS.check(len(entries), "it holds")
        if not entries:
            raise InputError("it holds no answer", hint="write one: assistant answer STATE --json > FILE")
        return [_read_answer(entry) for entry in entries]


def _decode(data: bytes) -> list[dict[str, Any]]:
    """Return the objects in JSON, in JSON lines, or in a list."""
    try:
        try:
            decoded = [msgspec.json.decode(data)]
        except msgspec.DecodeError:
            decoded = msgspec.json.Decoder().decode_lines(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InputError("this is not JSON", hint="write it with --json") from None
    if len(decoded) == 1 and isinstance(decoded[0], list):
        decoded = decoded[0]
    if not all(isinstance(entry, dict) for entry in decoded):
        raise InputError("this is not an answer", hint="write it with --json")
    return decoded


def _read_answer(entry: Any) -> StoredAnswer:
    if isinstance(entry, dict) and "basis" not in entry:
        hint = "a position is asked, not reproduced; an answer by an older version cannot be reproduced"
        raise InputError("it does not say what the answer was computed from", hint=hint)
    try:
        stored = msgspec.convert(entry, _Stored)
    except msgspec.ValidationError as error:
        raise InputError(f"this is not an answer: {error}", hint="write it with --json") from None
    return StoredAnswer(stored.question, stored.title, stored.basis, entry)


# --- computing again --------------------------------------------------------------------------------------------------


def reproduce(stored: StoredAnswer, read: Callable[[str], Position], given: Position | None = None) -> Reproduction:
    """Return an answer computed again, compared with the stored one.

    `read`: reads the position in a link.
    `given`: the position itself, or None to take it from the stored answer.

    Raises InputError if there is no position, if it cannot be read, or if the stored answer lacks what matters of it.
    """
    if stored.basis.asked and not LINK.fullmatch(stored.basis.asked):  # never the name of a file
        raise InputError("this is not a link to a position", hint="the file has been changed: write it again")
    position = read(stored.basis.asked) if stored.basis.asked else given
    if position is None:
        raise InputError("it does not hold the position", hint="name it too: assistant answer STATE --reproduce FILE")
    asked = resolve_question(position, "" if position.asks else stored.question, {})
    if asked.question != stored.question:
        raise InputError(
            f"it answers {plain(stored.question)!r}, but its position asks {plain(asked.question)!r}",
            hint="the file has been changed, so it is not an answer of this program",
        )
    posed = pose_question(position, asked, {})
    if given is not None:
        posed = Position(given.game, given.state, posed.asks, posed.answers, past=given.past)
    basis = find_basis(posed)
    changed = tuple(name for name in _CHANGED if getattr(stored.basis, name) != getattr(basis, name))
    found = partial(Reproduction, stored.question, stored.title, changed)
    today = _answer_today(posed)
    path = find_difference(stored.values, today) if "result" in today else ("verdict",)
    if path is None:
        return found(same=True, reworded={**today, "basis": None} != {**stored.values, "basis": None})
    if given is None and "position" in changed and stored.basis.left_out:
        what = f"it lacks a part of its position: {plain('; '.join(stored.basis.left_out))}"
        raise InputError(what, hint="name the position too: assistant answer STATE --reproduce FILE")
    if path == ("verdict", "kind"):
        path = ("verdict",)  # with its words
    then, now = _values_at(stored.values, today, path)
    return found(path=path, place=_describe_place(path, stored, posed), then=then, now=now)


def _answer_today(posed: Position) -> dict[str, Any]:
    """Return today's answer in the types of JSON, which has only a verdict if the question is refused."""
    try:
        report = ask(posed, posed.asks[0])
    except InputError as error:
        return {"verdict": {"kind": "refused", "text": f"refused: {plain(str(error))}"}}
    values: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(as_plain(report)))
    return values


def find_difference(stored: Mapping[str, Any], today: Mapping[str, Any]) -> tuple[str | int, ...] | None:
    """Return the path of the first field of a stored answer that is another one today, or None.

    Words are not compared, nor fields that only today's answer has, which later versions may add.
    """
    names = [*(name for name in _FIRST if name in stored), *(name for name in stored if name not in _FIRST)]
    return next(_find_differences({name: stored[name] for name in names if name != "basis"}, today, ()), None)


def _find_differences(then: Any, now: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if isinstance(then, dict) and isinstance(now, dict):
        for name, value in then.items():
            if name in _WORDING and name in now:
                continue
            if name not in now:
                yield (*path, name)
            else:
                yield from _find_differences(value, now[name], (*path, name))
    elif isinstance(then, list) and isinstance(now, list):
        for at, (one, other) in enumerate(zip(then, now, strict=False)):
            yield from _find_differences(one, other, (*path, at))
        if len(then) != len(now):
            yield (*path, min(len(then), len(now)))
    elif type(then) is not type(now) or then != now:
        yield path


def _values_at(then: Any, now: Any, path: tuple[str | int, ...]) -> tuple[str, str]:
    """Return the values at a path in two answers, in words."""
    for step in path:
        then, now = (_value_at(value, step) for value in (then, now))
    return _write_value(then), _write_value(now)


def _value_at(value: Any, step: str | int) -> Any:
    with suppress(LookupError, TypeError):
        return value[step]
    return None


def _write_value(value: Any) -> str:
    if value is None or value == "":
        return _ABSENT
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict) and isinstance(text := value.get("text", value.get("exact")), str):
        value = text
    try:
        text = plain(value if isinstance(value, str) else msgspec.json.encode(value).decode())
    except RecursionError:
        text = "lists within lists"
    return text if len(text) <= _MAX_VALUE_CHARS else f"{text[:_MAX_VALUE_CHARS]} ..."


def _describe_place(path: tuple[str | int, ...], stored: StoredAnswer, posed: Position) -> str:
    """Return a place in an answer in words: its field, and what the figure there means."""
    first, *rest = path
    words = [_TITLES.get(str(first), str(first))]
    if first == "parts" and rest:
        part = _value_at(stored.values["parts"], rest[0])
        if title := _value_at(part, "title"):
            words.append(str(title))
        if len(rest) > 2 and (step := _value_at(_value_at(part, "steps"), rest[2])):
            words.append(f"rule {rule}" if (rule := _value_at(step, "rule")) else f"step {int(rest[2]) + 1}")
    field = next((step for step in reversed(path) if isinstance(step, str)), "")
    if len(path) > 1 and field not in {"steps", "figures", *_TITLES}:
        meaning = _find_meaning(field, first, stored.question, posed)
        words.append(f"{field} ({meaning})" if meaning else field)
    return plain(", ".join(words))


def _find_meaning(field: str, first: str | int, question: str, posed: Position) -> str:
    if str(first).startswith("result") or first == "between":
        with suppress(InputError, TypeError):
            return notes_of(question_of(posed.game, question).result).get(field, "")
    return {**FIGURES, **posed.game.file.figures}.get(field, "")


# --- words ------------------------------------------------------------------------------------------------------------


def format_reproduction(found: Reproduction) -> Iterator[str]:
    """Yield the lines about an answer that was computed again."""
    same = "the same, in other words" if found.reworded else "the same"
    yield f"{plain(found.title)}: {same if found.same else 'differs'}"
    if not found.same:
        yield f"  first in {found.place}: {found.then} then, {found.now} now"
    if found.changed:
        yield f"  changed since then: {', '.join(_CHANGED[name] for name in found.changed)}"
    elif not found.same:
        yield "  nothing from which it is computed has changed: the file may have been edited"
