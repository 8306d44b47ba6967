"""The question `check`: how a position was read, and which ratings are not stated."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import msgspec

from ...state.tracks import Value
from ...state.vocabulary import UnitId
from ...util.notes import note
from ..question import declare
from ..report import Part, Report, Step, Verdict
from ..view import View


class UnitUnderstood(msgspec.Struct, frozen=True):
    """A unit as understood."""

    unit: UnitId
    place: Annotated[str | None, note("where it stands")]
    facts: Annotated[dict[str, bool | int | str | tuple[str, ...]], note("by track, from the position and the counter")]
    unknown: Annotated[tuple[str, ...], note("its printed ratings that are not stated")]


class CheckResult(msgspec.Struct, frozen=True):
    """What was understood of a position."""

    units: Annotated[tuple[UnitUnderstood, ...], note("each unit")]
    facts: Annotated[
        dict[str, dict[str, bool | int | str | tuple[str, ...]]],
        note("all other facts, by subject and track"),
    ]
    unread: Annotated[tuple[str, ...], note("what was not understood")] = ()


def answer(view: View) -> Report[CheckResult]:
    """The report on what a position states."""
    state, game = view.state, view.game
    units, steps = [], []
    brackets = game.file.notation.brackets
    for unit in state.units.values():
        on_unit = [track for track in game.tracks.values() if track.on == "unit"]
        seen = [track.name for track in on_unit if not view.is_hidden(track.name, unit.id)]
        known = {name: fact for name in seen if (fact := view.fact(name, unit.id)) is not None}
        stated = {name: fact.value for name, fact in known.items() if fact.value != game.tracks[name].absent}
        unknown = tuple(name for name in (*game.file.notation.identity, *brackets) if name not in known)
        units.append(UnitUnderstood(unit.id, unit.place, stated, unknown))
        listed = [f"{name} {game.tracks[name].write(value)}" for name, value in stated.items()]
        figures = {"unit": unit.id, "place": unit.place or "out of play", "facts": listed, "unknown": unknown}
        where = "{unit} in {place}" if unit.place else "{unit} {place}"
        text = where + ": {facts}" + ("; not stated: {unknown}" if unknown else "")
        steps.append(Step("", text, figures))
    others: dict[str, dict[str, bool | int | str | tuple[str, ...]]] = {}
    for (track, subject), fact in view.stated.items():
        if game.tracks[track].on != "unit":
            others.setdefault(subject, {})[track] = fact.value
    other_steps = [
        Step(
            "",
            "{subject}: {facts}",
            {"subject": subject or "the game", "facts": [_word_fact(view, name, subject, v) for name, v in of.items()]},
        )
        for subject, of in others.items()
    ]
    counts = Counter(item.what for item in state.unread)
    unread = tuple(
        Step("", "{unread}" if times == 1 else "{unread} ({times} times)", {"unread": what, "times": times})
        for what, times in counts.items()
    )
    parts = [
        Part("Units", tuple(steps)),
        Part("Everything else", tuple(other_steps)),
        Part("Not understood", unread),
    ]
    counted = {"units": len(units), "facts": len(view.stated)}
    return Report(
        title=f"Position of {game.title}",
        verdict=Verdict("figure", "{units:#unit}, {facts:#fact} stated", counted),
        parts=tuple(parts),
        result=CheckResult(tuple(units), others, tuple(counts)),
    )


def _word_fact(view: View, name: str, subject: str, value: Value) -> str:
    """A fact in words; beside one that is other than on the drawn board, what that shows."""
    track = view.game.tracks[name]
    drawn = view.board.fact(name, subject) if track.printed == "map" and view.board.hexes else None
    none = track.values[:1]  # the word by which several may be said to be none, such as `open`
    same = drawn is None or drawn.value == value or (drawn.value == () and value == none)
    otherwise = "" if drawn is None or same else f" (board: {track.write(drawn.value)})"
    return f"{name} {track.write(value)}{otherwise}"


QUESTION = declare("check", "how a position was read, and which ratings are not stated", answer, None, decision=None)
