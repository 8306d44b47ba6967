"""The question `zones`: whose zones of control reach which hexes (4.1)."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.field import Field
from assistant.readymade.zones import ZoneHex, zones_question
from assistant.state.state import hexside

from .zones import assume_crossed, field


def assume(who: Field, zones: Sequence[ZoneHex]) -> None:
    """Say in the report across which hexsides of unstated terrain zones were taken to reach."""
    crossed = (
        (zone.side, hexside(str(who.view.unit(unit).place), zone.hex))
        for zone in zones
        for unit in (*zone.units, *zone.negated)
    )
    assume_crossed(who.view, dict.fromkeys(name for side, name in crossed if name in who.unstated(side)))


QUESTION = zones_question(field, "4.1", "4.1.1", assume)
