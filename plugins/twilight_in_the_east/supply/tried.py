"""How far a supply source reaches, as answers show it."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.asking import note
from assistant.state.vocabulary import Name, UnitHex


class SourceReach(msgspec.Struct, frozen=True, kw_only=True):
    """How far a source reaches, and the length of its line."""

    source: Name
    kind: Annotated[str, note("corps-train, minor-depot, major-depot, fortress or RR line")]
    place: UnitHex
    cost: Annotated[Fraction | None, note("length of its line in hexes, null if none is known or leads there")]
    range: Annotated[int | None, note("normal range in hexes, null if the player vouches for the line")]
    extended_range: Annotated[int | None, note("range in Extended Mode, or for Low Supply from an RR line")]


class TriedSource(SourceReach, frozen=True, kw_only=True):
    """A supply source that was tried."""

    why_not: Annotated[str, note("why the source does not serve the unit, empty if it does")]
