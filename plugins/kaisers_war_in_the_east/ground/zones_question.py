"""The question `zones`: whose zones of control reach which hexes (13, 20.1)."""

from __future__ import annotations

from assistant.readymade.zones import zones_question

from .zones import assume_zones, field

QUESTION = zones_question(
    field,
    ("13.0", "13.2"),
    lambda who, found: assume_zones(who.view, dict.fromkeys(unit for one in found for unit in one.units)),
)
