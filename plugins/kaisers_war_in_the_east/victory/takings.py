"""Strategic Objectives that are taken: whose they were, and what that scores (5.3, 5.6, 7.3, 18.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Annotated, NamedTuple

from assistant.asking import Gather, Step, View, changed, holding, note
from assistant.asking.permission import if_known
from assistant.state.changes import AnyChange

from ..ground import controller
from .points import cap_gain, capture_points, score


class TakenHex(NamedTuple):
    """A hex that a side takes."""

    hex: str
    holder: Annotated[str, note('the side that controlled the hex before, "" for none')]
    full: Annotated[int, note("the Victory Points that the capture scores if the track has room")] = 0
    gain: Annotated[int, note("the Victory Points that the capture does score")] = 0
    loss: Annotated[int, note("the Victory Points that the capture costs the side that held the hex")] = 0


class Entry(NamedTuple):
    """What a side takes as its units enter hexes."""

    side: str
    taken: Annotated[tuple[TakenHex, ...], note("the hexes that the side did not control before, in order")] = ()
    unsure: Annotated[tuple[str, ...], note("Strategic Objectives that the other side might control")] = ()


def take_hex(facts: Gather, side: str, at: str, before: int = 0) -> TakenHex:
    """Return what a side takes with a hex: its control, and the Victory Points of an enemy Strategic Objective, as far
    as the track goes.

    before: Victory Points that it has gained in the same move. Rule: 5.3, 5.6, 7.3/2, VP-table/capture
    """
    holder = controller(facts, at)
    if holder in ("", side) or not facts.view.flag("objective", at):
        return TakenHex(at, holder)
    full, loss = capture_points(facts)
    gain = cap_gain(facts.view, side, before + full) - cap_gain(facts.view, side, before)
    return TakenHex(at, holder, full, gain, loss)


def enter_hexes(view: View, side: str, hexes: Iterable[str], before: int = 0) -> Entry:
    """Return what a side takes as its units enter hexes; of a hex of which the position does not tell whose it is
    nothing is said unless it is a Strategic Objective. before: Victory Points that it has gained in the same move,
    below 0 if it has paid some. Rule: 5.3, 7.3/2
    """
    takings = list[TakenHex]()
    unsure = list[str]()
    points = before
    for place in dict.fromkeys(hexes):
        taken = if_known(view, partial(take_hex, side=side, at=place, before=points))
        if taken is None:
            if view.flag("objective", place):
                unsure.append(place)
        elif taken.holder != side:
            takings.append(taken)
            points += taken.gain
    return Entry(side, tuple(takings), tuple(unsure))


def format_takings(view: View, side: str, taken: Iterable[TakenHex]) -> Iterator[Step]:
    """Yield the Strategic Objectives that a side takes, in words."""
    for taking in taken:
        names = {"side": view.title_of(side), "controller": view.title_of(taking.holder)}
        capped = "of {full:#Victory Point} the {side} score only {gain}, as the track goes no farther"
        clauses = (
            (
                taking.full,
                "5.3",
                "{hex} is a Strategic Objective: {gain:#Victory Point} more for {side}, {loss} less for {controller}",
            ),
            (taking.gain < taking.full, "5.6", capped),
        )
        yield from holding(clauses, taking, **names)


def format_entry(view: View, entry: Entry) -> Iterator[Step]:
    """Yield what a side takes as its units enter hexes, in words."""
    hexes = [taking.hex for taking in entry.taken]
    control = "the {side} take control of {hexes}"
    yield from holding([(hexes, "7.3", control)], hexes=hexes, side=view.title_of(entry.side))
    yield from format_takings(view, entry.side, entry.taken)


def take_hexes_in_movement(view: View, entry: Entry) -> Iterator[AnyChange]:
    """Yield what changes as a side takes hexes in a movement phase, until the end of which their railroads are of no
    use to it. Rule: 18.4
    """
    yield from take_hexes(view, entry)
    for taking in entry.taken:
        yield changed(view, "taken", taking.hex, True, "18.4")


def take_hexes(view: View, entry: Entry) -> Iterator[AnyChange]:
    """Yield what changes as a side takes hexes: control, and Victory Points where the position counts them; and what
    is owed for Strategic Objectives that the other side might control. Rule: 5.3, 7.3/2
    """
    for taking in entry.taken:
        yield changed(view, "control", taking.hex, entry.side, "7.3")
        yield from score(view, entry.side, taking.gain, "5.3")
        yield from score(view, taking.holder, -taking.loss, "5.3")
    for place in entry.unsure:
        yield changed(view, "capture-open", place, entry.side, "5.3")
