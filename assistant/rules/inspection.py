"""The question `inspect` of a game whose `[intelligence]` shows a side the enemy units next to its own.

It lists the enemy units that a side may look at, and the decoys among them, which leave the map.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from ..asking.permission import refused
from ..asking.question import Parameters, PlaceName, SideName, declare
from ..asking.report import Part, Report, Step, step, verdict
from ..asking.view import View, changed
from ..game.course import arrival_track, course_file
from ..state.changes import AnyChange
from ..state.state import is_limited
from ..state.vocabulary import HexNumber
from ..util.errors import InputError
from ..util.notes import note


class InspectAsked(Parameters, frozen=True):
    """The hexes that the question is about."""

    at: Annotated[tuple[PlaceName, ...], note("the hexes; all that may be looked into if left out")] = ()
    side: Annotated[SideName, note("who looks; every side that may if left out")] = ""


class Inspected(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that a side may look into."""

    at: HexNumber
    side: Annotated[str, note("who looks")]
    beside: Annotated[tuple[str, ...], note("the units next to the hex")]
    units: Annotated[tuple[str, ...], note("the enemy units there")]
    decoys: Annotated[tuple[str, ...], note("those of them that are decoys and leave the map")] = ()


class Inspection(msgspec.Struct, frozen=True):
    """The hexes that may be inspected."""

    hexes: Annotated[tuple[Inspected, ...], note("each hex and side")]


def answer(view: View, parameters: InspectAsked) -> Report[Inspection]:
    """Return the report on the enemy units that a side may look at.

    Raises InputError if a place is not a hex, or if the side is not that of the viewpoint.
    """
    for place in parameters.at:
        if not view.board.is_hex(place):
            raise InputError(f"at: {place} is not a hex", hint="name hexes")
    limits = view.game.hiding.limits(view.state.facts)
    rule = limits.rule if limits else ""
    sides = [side for side in view.game.file.sides if parameters.side in ("", side)]
    if is_limited(view.state.seen_by):
        if view.state.seen_by not in sides:
            whose = view.game.file.the_side(parameters.side)
            raise InputError(f"side: only {whose} knows what it may look at", hint="leave side out")
        sides = [view.state.seen_by]
    title = f"Inspection of {', '.join(parameters.at) or 'the enemy'}"
    if limits is None:
        stated = view.game.file.intelligence
        facts = stated.when.items() if stated else ()
        missing = ", ".join(f"{track}={word}" for track, word in facts)
        part = Part("Why", (step(stated.rule if stated else "", "{missing} is not stated", missing=missing),))
        return Report(title=title, verdict=verdict("yes", "every unit may be inspected"), parts=(part,))
    found = tuple(
        hex for side in sides for hex in _list_inspected(view, side) if hex.at in (parameters.at or (hex.at,))
    )
    closed = [at for at in parameters.at if at not in {hex.at for hex in found}]
    if closed or not found:
        refusals = [step(rule, "no enemy unit in {hex} that a unit stands next to", hex=at) for at in closed]
        refusals = refusals or [step(rule, "no enemy units stand next to one another")]
        return refused(title, "nothing may be inspected", refusals, result=Inspection(found))
    steps = tuple(line for hex in found for line in _list_steps(hex, rule, view.game.file.the_side(hex.side)))
    decoys = dict.fromkeys(unit for hex in found for unit in hex.decoys)
    outcome = verdict("yes", "{units:#enemy unit} may be inspected", units=len({u for hex in found for u in hex.units}))
    return Report(
        title=title,
        verdict=outcome,
        parts=(Part("Units", steps),),
        changes=tuple(change for unit in decoys for change in _remove_decoy(view, unit, rule)),
        result=Inspection(found),
    )


def _list_inspected(view: View, side: str) -> Iterator[Inspected]:
    beside: dict[str, dict[str, None]] = {}
    for unit in view.state.units.values():
        if view.board.is_hex(unit.place) and view.side_of(unit.id) == side:
            for place in view.board.neighbours(unit.place):
                beside.setdefault(place, {})[unit.id] = None
    for place, own in sorted(beside.items()):
        enemies = [unit.id for unit in view.state.stack(place) if view.side_of(unit.id) != side]
        decoys = tuple(unit for unit in enemies if _is_decoy(view, unit))
        if enemies:
            yield Inspected(at=place, side=side, beside=tuple(own), units=tuple(enemies), decoys=decoys)


def _list_steps(hex: Inspected, rule: str, looks: str) -> Iterator[Step]:
    yield step(rule, "{side} may look into {at}: {units} ({beside} next to it)", hex, side=looks)
    if hex.decoys:
        yield step(rule, "{decoys} in {at}: a decoy, removed once it is inspected", hex)


def _is_decoy(view: View, unit: str) -> bool:
    """Return whether a unit is a decoy, by `decoy` under `[intelligence]`."""
    limits = view.game.file.intelligence
    words = limits.decoy if limits else {}
    return bool(words) and all(
        view.value(track, unit) == view.game.track(track).parse(word) for track, word in words.items()
    )


def _remove_decoy(view: View, unit: str, rule: str) -> Iterator[AnyChange]:
    """Yield the changes that remove an inspected decoy.

    The decoy may return in the next turn, if there is one and the game has a track for the turn of arrival.

    Raises MissingFacts if the turn is not stated.
    """
    yield changed(view, "place", unit, None, rule)
    if arrives := arrival_track(view.game):
        counts = course_file(view.game).turns.track
        with view.gather() as facts:
            turn = facts.integer(counts)
        if turn != view.game.track(counts).most:
            yield changed(view, arrives, unit, turn + 1, rule)


QUESTION = declare("inspect", "which enemy units a side may look at, and which are decoys", answer)
