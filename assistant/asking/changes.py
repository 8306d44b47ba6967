"""The changes of a position in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from ..state.changes import AnyChange, Change, Enter, Gain, Leave, Raise
from ..state.tracks import Track, Value
from ..util.console import format_amount
from .wording import append_rule, fill, format_list, pluralize_predicate, short_title


class _Sentence(NamedTuple):
    subject: str
    """The unit, hex or other subject, or "" for the game."""
    link: str
    """The text between subject and predicate."""
    what: str


def format_change(change: AnyChange, tracks: Mapping[str, Track] = {}) -> str:
    """Return the instruction to carry out a change on the map, in words, with the rule of the change.

    The old value of a fact is left out if it was not stated.

    `tracks`: the game's tracks, whose words describe a change; without them it is described as in notation.
    """
    sentence = _describe_change(change, tracks)
    return append_rule("".join(sentence) if sentence.subject else sentence.what, change.rule)


def format_what_changes(change: AnyChange, tracks: Mapping[str, Track]) -> str:
    """Return the words of a change without its subject and its rule."""
    return _describe_change(change, tracks).what


def group_changes(changes: Iterable[tuple[AnyChange, str]]) -> list[str]:
    """Return changes as a list of texts; subjects with the same words share one: "25/3 and 27/3 have fought".

    `changes`: each change with its words.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for change, text in changes:
        subject = "" if isinstance(change, Enter | Leave) else change.subject
        predicate = text.removeprefix(f"{subject} ") if subject else text
        groups.setdefault(("", predicate) if predicate != text else (text, ""), []).append(subject)
    return [
        text or f"{format_list(subjects)} {pluralize_predicate(predicate, len(subjects))}"
        for (text, predicate), subjects in groups.items()
    ]


def _describe_change(change: AnyChange, tracks: Mapping[str, Track]) -> _Sentence:
    match change:
        case Enter(unit, type, place):
            what = "waits off the map" if place is None else f"enters at {place}"
            return _Sentence(unit, ": ", what) if type == unit else _Sentence(unit, " ", f"({type}): {what}")
        case Leave(unit):
            return _Sentence(unit, ": ", "leaves play")
    track = tracks.get(change.track)
    title = short_title(track.title) if track else change.track
    match change:
        case Gain(_, _, amount):
            what = format_amount(amount)
        case Raise(_, _, to):
            what = f"up to {to}"
        case Change(_, subject, int(before), int(after)) if (
            track and 0 < before < after and (adds := _find_adds(track))
        ):
            return _Sentence(subject, " ", fill(adds, {"more": after - before, "total": after}))
        case Change(_, subject, _, after) if track and (predicate := _find_predicate(track, after)):
            return _Sentence(subject, " ", predicate)
        case Change(_, subject, _, after) if track and track.kind == "flag":
            return _Sentence(subject, ": ", title if after else _format_end(track))
        case Change("place", unit, before, after) if not track:
            return _Sentence(unit, ": ", _format_move(before, after))
        case Change("order", unit, int(before), int(after)) if not track:
            return _Sentence(unit, " ", f"moves {'up' if after < before else 'down'} in its stack")
        case Change(_, _, None, after):
            what = _format_value(after)
        case Change(_, _, before, after):
            what = f"{_format_value(before)} to {_format_value(after)}"
    return _Sentence(change.subject, ", ", f"{title}: {what}")


def _format_end(track: Track) -> str:
    if track.is_marker and track.module and track.module.menu:
        return f'remove its "{track.module.menu[0]}" marker'
    return f"no longer {short_title(track.title)}"


def _find_adds(track: Track) -> str:
    return track.module.adds if track.module else ""


def _find_predicate(track: Track, value: Value | None) -> str:
    predicates = track.module.says if track.module else {}
    written = "" if value is None else track.write(value)
    predicate = predicates.get(written) or (predicates.get("*", "") if written else "")
    return predicate.replace("{}", format_number(value) if isinstance(value, int) and value < 0 else written)


def _format_move(before: Value | None, after: Value | None) -> str:
    if after is None:
        return f"remove from {before}"
    return f"enters at {after}" if before is None else f"{before} to {after}"


def _format_value(value: Value | None) -> str:
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return format_number(value)
    return "none" if value is None or value == "" else fill("{value}", {"value": value})


def format_number(number: int | Fraction) -> str:
    """Return a number in words: "minus 2" for -2, which would read as a change."""
    return fill("minus {number}" if number < 0 else "{number}", {"number": abs(number)})
