"""The question `check`: the reading of a position, and the ratings that are not stated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated

import msgspec

from ...state.state import Unit
from ...state.tracks import Value
from ...state.vocabulary import UnitId
from ...util.notes import note
from ..permission import bars_by_option, if_known
from ..question import declare
from ..report import Part, Report, Step, Verdict
from ..view import View


class UnitUnderstood(msgspec.Struct, frozen=True):
    """A unit as read from the position."""

    unit: UnitId
    place: Annotated[str | None, note("the place")]
    facts: Annotated[
        dict[str, bool | int | str | tuple[str, ...]], note("the facts by track, from the position and the counter")
    ]
    unknown: Annotated[tuple[str, ...], note("the printed ratings that are not stated")]


FactsBySubject = dict[str, dict[str, Value]]
"""The values of facts, by subject and track."""


class CheckResult(msgspec.Struct, frozen=True):
    """The reading of a position."""

    units: Annotated[tuple[UnitUnderstood, ...], note("each unit")]
    facts: Annotated[
        dict[str, dict[str, bool | int | str | tuple[str, ...]]],
        note("all other facts, by subject and track"),
    ]
    unread: Annotated[tuple[str, ...], note("the items that were not understood")] = ()


def answer(view: View) -> Report[CheckResult]:
    """Return the report on how a position was read."""
    units = tuple(_read_unit(view, unit) for unit in view.state.units.values())
    other_facts: FactsBySubject = {}
    for (track, subject), fact in view.stated.items():
        if view.game.tracks[track].on != "unit":
            other_facts.setdefault(subject, {})[track] = fact.value
    unread = Counter(item.what for item in view.state.unread)
    counted = {"units": len(units), "facts": len(view.stated)}
    without_option = if_known(view, lambda _: [*bars_by_option(view, {unit: {} for unit in view.state.units})])
    return Report(
        title=f"Position of {view.game.title}",
        verdict=Verdict("figure", "{units:#unit}, {facts:#fact} stated", counted),
        parts=(
            Part("Units", tuple(_describe_unit(view, unit) for unit in units)),
            Part("Everything else", tuple(_list_facts(view, other_facts))),
            Part("Not in force", tuple(without_option or [])),
            Part("Not understood", tuple(_list_unread(unread))),
        ),
        result=CheckResult(units, other_facts, tuple(unread)),
    )


def _read_unit(view: View, unit: Unit) -> UnitUnderstood:
    tracks = view.game.tracks
    notation = view.game.file.notation
    seen = (name for name, track in tracks.items() if track.on == "unit" and not view.is_hidden(name, unit.id))
    known = {name: fact.value for name in seen if (fact := view.fact(name, unit.id)) is not None}
    stated = {name: value for name, value in known.items() if value != tracks[name].absent}
    unknown = tuple(name for name in (*notation.identity, *notation.brackets) if name not in known)
    return UnitUnderstood(unit.id, unit.place, stated, unknown)


def _describe_unit(view: View, unit: UnitUnderstood) -> Step:
    listed = [f"{name} {view.game.tracks[name].write(value)}" for name, value in unit.facts.items()]
    figures = {"unit": unit.unit, "place": unit.place or "out of play", "facts": listed, "unknown": unit.unknown}
    head = "{unit} in {place}" if unit.place else "{unit} {place}"
    return Step("", head + ": {facts}" + ("; not stated: {unknown}" if unit.unknown else ""), figures)


def _list_facts(view: View, facts: FactsBySubject) -> Iterator[Step]:
    for subject, values in facts.items():
        listed = [_format_fact(view, name, subject, value) for name, value in values.items()]
        yield Step("", "{subject}: {facts}", {"subject": subject or "the game", "facts": listed})


def _list_unread(unread: Mapping[str, int]) -> Iterator[Step]:
    for what, times in unread.items():
        text = "{unread}" if times == 1 else "{unread} ({times} times)"
        yield Step("", text, {"unread": what, "times": times})


def _format_fact(view: View, name: str, subject: str, value: Value) -> str:
    track = view.game.tracks[name]
    drawn = view.board.fact(name, subject) if track.printed == "map" and view.board.hexes else None
    none = track.values[:1]  # the word for an empty list, such as `open`
    same = drawn is None or drawn.value == value or (drawn.value == () and value == none)
    otherwise = "" if drawn is None or same else f" (board: {track.write(drawn.value)})"
    return f"{name} {track.write(value)}{otherwise}"


QUESTION = declare("check", "how a position was read, and which ratings are not stated", answer, None, decision=None)
