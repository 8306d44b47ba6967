"""Hexes that come under control of a side as its units enter them, with the Victory Points of Strategic Objectives (5.3, 7.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from assistant.questions import Gather, Step, View, changed, holding, step
from assistant.readymade.known import if_known
from assistant.state.changes import AnyChange

from ..ground.places import controller
from .points import captured, gained, scored


class Taken(NamedTuple):
    """A hex that a side takes. holder: the side that controlled it before, "" for nobody; full: the Victory Points that its capture brings
    where the track has room; gain: those that it brings; loss: those that the holder loses."""

    hex: str
    holder: str
    full: int = 0
    gain: int = 0
    loss: int = 0


class Entry(NamedTuple):
    """What a side takes as its units enter hexes. taken: the hexes that it did not control, in order; unsure: Strategic Objectives of which
    the position does not tell whose they were."""

    side: str
    taken: tuple[Taken, ...] = ()
    unsure: tuple[str, ...] = ()


def taking(facts: Gather, side: str, hex: str, before: int = 0) -> Taken:
    """What a side takes with a hex: its control, and the Victory Points of an enemy Strategic Objective, as far as the track goes.

    before: Victory Points that it has gained in the same move. Rule: 5.3, 5.6, 7.3/2, VP-table/capture
    """
    holder = controller(facts, hex)
    if holder in ("", side) or not facts.view.flag("objective", hex):
        return Taken(hex, holder)
    full, loss = captured(facts)
    return Taken(hex, holder, full, gained(facts.view, side, before + full) - gained(facts.view, side, before), loss)


def entry(view: View, side: str, hexes: Iterable[str], before: int = 0) -> Entry:
    """What a side takes as its units enter hexes; of a hex of which the position does not tell whose it is nothing is said unless it is a
    Strategic Objective. before: Victory Points that it has gained in the same move, below 0 if it has paid some. Rule: 5.3, 7.3/2
    """
    found, unsure, points = list[Taken](), list[str](), before
    for hex in dict.fromkeys(hexes):
        taken = if_known(view, partial(taking, side=side, hex=hex, before=points))
        if taken is None:
            unsure += [hex] if view.flag("objective", hex) else []
        elif taken.holder != side:
            found.append(taken)
            points += taken.gain
    return Entry(side, tuple(found), tuple(unsure))


def taken_steps(view: View, side: str, taken: Iterable[Taken]) -> Iterator[Step]:
    """The Strategic Objectives that a side takes, in words."""
    for one in taken:
        names = {"side": view.title_of(side), "controller": view.title_of(one.holder)}
        capped = "of {full:#Victory Point} the {side} gain {gain}, for the track goes no farther"
        clauses = (
            (one.full, "5.3", "{hex} is a Strategic Objective: {side} {gain:+}, {controller} -{loss}"),
            (one.gain < one.full, "5.6", capped),
        )
        yield from holding(clauses, one, **names)


def entry_steps(view: View, entry: Entry) -> Iterator[Step]:
    """What a side takes as its units enter hexes, in words."""
    hexes = [one.hex for one in entry.taken]
    control = "the {side} take control of {hexes}"
    yield from holding([(hexes, "7.3", control)], hexes=hexes, side=view.title_of(entry.side))
    yield from taken_steps(view, entry.side, entry.taken)
    for hex in entry.unsure:
        text = "{hex} is a Strategic Objective: its capture counts Victory Points (question capture)"
        yield step("5.3", text, hex=hex)


def takings_in_movement(view: View, side: str, taken: Sequence[Taken]) -> Iterator[AnyChange]:
    """What changes as a side takes hexes in a movement phase, until the end of which their railroads are of no use to it. Rule: 18.4"""
    yield from takings(view, side, taken)
    yield from (changed(view, "taken", one.hex, True, "18.4") for one in taken)


def takings(view: View, side: str, taken: Sequence[Taken]) -> Iterator[AnyChange]:
    """What changes as a side takes hexes: control, and Victory Points where the position counts them. Rule: 5.3, 7.3/2"""
    for one in taken:
        yield changed(view, "control", one.hex, side, "7.3")
        yield from scored(view, side, one.gain, "5.3")
        yield from scored(view, one.holder, -one.loss, "5.3")
