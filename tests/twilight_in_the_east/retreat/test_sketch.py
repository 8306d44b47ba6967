"""What the picture of a retreat shows: what each open hex costs, what bars the others, EZOCs, the way and the choice owed."""

from __future__ import annotations

from ...assistant.drawing.sketch.answers import parts, sketched
from ...conftest import typed

GROUND = """turn=1
41.19 clear: 1/1 (12-16-7-11), german artillery - "4 FA"
40.20: 25/3
40.19: 29/20
42.20 clear: 27/3
41.18 clear
42.19 clear
42.18 clear
43.18 clear
41.19|42.19,41.18,42.20 open
42.19|43.18,42.18 open
42.18|43.18 open
41.19|40.19,40.20 open
"""


def test_open_hexes_have_their_price_and_the_others_what_bars_them() -> None:
    sketch = sketched(typed(GROUND), "retreat", at="41.19", hexes=2, cause="check")
    assert parts(sketch) == {
        "41.19": ("start", ""),
        "41.18": ("open", "1 level a"),
        "42.19": ("open", "1 level a"),
        "41.20": ("open", "1 level b"),
        "42.20": ("barred", "c"),
        "40.19": ("barred", "c"),
        "40.20": ("barred", "c"),
    }
    assert sketch.letters == {
        "a": "enemy ZOC: costs 1 level",
        "b": "enemy ZOC: costs 1 level; taken to be open, as this is not stated: terrain of 41.20, hexside 41.19|41.20",
        "c": "enemies stand there",
    }
    assert {arrow.hexes for arrow in sketch.arrows if arrow.kind == "choice"} == {
        ("41.19", "41.18"),
        ("41.19", "41.20"),
        ("41.19", "42.19"),
    }
    assert sketch.owed == ("choose hex 1 of 2 of the retreat from 41.19: 41.18, 41.20 or 42.19",)


def test_the_enemys_zones_are_shown_and_ones_own_are_not() -> None:
    (zone,) = sketched(typed(GROUND), "retreat", at="41.19", hexes=2, cause="check").zones
    assert zone.side == "russian"
    assert {"41.18", "41.20", "42.19"} <= zone.hexes
    assert "43.18" not in zone.hexes
    assert "41.19" not in zone.hexes, "its own units cancel EZOCs where they stand"
    assert zone.text == "in a zone of control without a friend: Russian"


def test_the_way_so_far_is_an_arrow_and_the_next_hexes_lie_round_its_end() -> None:
    sketch = sketched(typed(GROUND), "retreat", at="41.19", hexes=2, cause="check", way="42.19")
    assert [arrow.hexes for arrow in sketch.arrows if arrow.kind == "way"] == [("41.19", "42.19")]
    found = parts(sketch)
    assert found["43.18"] == ("open", "free")
    assert found["41.18"] == ("open", "1 level, 1 step, guns b")
    assert {arrow.hexes[0] for arrow in sketch.arrows if arrow.kind == "choice"} == {"42.19"}
    sketch = sketched(typed(GROUND), "retreat", at="41.19", hexes=2, cause="check", way="42.19,43.18")
    assert parts(sketch) == {"41.19": ("start", ""), "42.19": ("passed", "1st EZOC: 1 level"), "43.18": ("end", "free")}
    assert [arrow.hexes for arrow in sketch.arrows] == [("41.19", "42.19", "43.18")]
    assert sketch.owed == ()


def test_a_hex_that_cannot_be_entered_is_shown_with_those_that_can() -> None:
    sketch = sketched(typed(GROUND), "retreat", at="41.19", hexes=2, cause="check", way="42.20")
    assert sketch.answer == "1/1 and 4 FA cannot retreat into 42.20: enemies stand there."
    assert parts(sketch)["42.20"][0] == "barred"
    assert parts(sketch)["41.18"][0] == "open"
