"""Meanings of fields stand on the fields."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.util.notes import note, notes_of

Hex = Annotated[str, msgspec.Meta(description="a hex by its printed number")]


class Attack(msgspec.Struct):
    at: Annotated[Hex, note("the defending hex")]
    from_: Annotated[tuple[Hex, ...], note("attacking hexes")] = msgspec.field(default=(), name="from")
    base: Hex = "41.19"
    points: int = 0


def test_each_field_has_its_own_note_or_that_of_its_type() -> None:
    assert notes_of(Attack) == {
        "at": "the defending hex",
        "from_": "attacking hexes",
        "base": "a hex by its printed number",
        "points": "",
    }


def test_the_schema_says_the_same() -> None:
    schema = msgspec.json.schema(Attack)["$defs"]["Attack"]["properties"]
    assert (schema["at"]["description"], schema["from"]["description"]) == ("the defending hex", "attacking hexes")
