"""What a unit's supply does to the modes of supply units, and what it has with the modes that the position gives them (14.2b)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from assistant.questions import Part, Step, View, step

from ..forces.reading import at_best
from .report import STATES, SupplyResult
from .whole.side import EXTENDED, SupplySide


def with_modes(side: SupplySide, result: SupplyResult, source: str) -> tuple[SupplyResult, Part]:
    """The result of a unit that a source serves, with its state as it stands, and the changes of modes in words.

    side: the unit and those that may serve it. Rule: 14.2b
    """
    name = result.unit
    offer = side.plan(as_it_stands=True).serves.get(name)
    words = {0: "out", 1: "low", 2: "in"}
    with side.view.gather() as facts:
        could, stands = (
            at_best(facts, name, state) for state in (str(result.state), words[offer.gives if offer else 0])
        )
    steps = list(flips(side, name, source))
    if stands != could:
        steps.append(step("14.2", "as it stands {unit} is {state}", unit=name, state=STATES[stands]))
    return msgspec.structs.replace(result, stands=stands), Part("Modes", tuple(steps))


def flip(view: View, name: str, *, extended: bool) -> Part:
    """What becomes of the mode of a source for a line that a player typed."""
    if extended == view.flag("extended", name):
        return Part("Modes", ())
    return Part("Modes", (step("14.2", f"{WORDS[extended]}, and so for all that it serves", unit=name),))


WORDS = "{unit} goes back to its front side for this", "{unit} is flipped to Extended Mode for this"


def flips(side: SupplySide, unit: str, source: str) -> Iterator[Step]:
    """The supply units that change their mode for a unit, and so for all that they serve: its source, and what feeds that."""
    name, client = source, unit
    while name in side.fed:
        offer = side.alone(client, name)
        is_extended = offer is not None and offer.mode == EXTENDED
        if offer:
            yield from flip(side.view, name, extended=is_extended).steps
        fed = side.alone(name)
        name, client = fed.source if fed else "", name
