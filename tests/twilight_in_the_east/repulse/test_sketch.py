"""What the picture of a Repulse shows: the hex to be cleared, who tries, the figures, and the zones of both sides."""

from __future__ import annotations

from assistant.mechanics.distribution import format_whole_percent

from ...assistant.drawing.sketch.answers import parts, sketched
from ...conftest import answered, typed

FIGHT = """turn=1
40.20: german infantry XX "Division X" (7-7-0-10) cel=0
41.19 clear: russian infantry X "Unit Z" (2-2-0-9) cel=0
40.20|41.19 open
"""


def test_before_the_dice_it_shows_who_tries_what_and_what_that_needs() -> None:
    sketch = sketched(typed(FIGHT), "repulse", at="41.19", from_="40.20", flanked="no")
    assert parts(sketch) == {"40.20": ("start", "attack 7"), "41.19": ("target", "defence 2")}
    assert [(arrow.hexes, arrow.kind, arrow.side) for arrow in sketch.arrows] == [
        (("40.20", "41.19"), "attack", "central-powers")
    ]
    assert [zone.side for zone in sketch.zones] == ["central-powers"]
    (table,) = sketch.tables
    rows = dict(table.rows)
    assert (rows["attacker's strength"], rows["defender's strength"]) == ("7", "2")
    assert (rows["odds"], rows["odds after shifts"]) == ("4:1", "4:1")
    assert rows["it needs"] == "a roll that makes the defender retreat"
    assert sketch.owed[0].startswith("roll 2d6")
    assert sketch.remarks == ()


def test_a_shift_stands_where_its_cause_lies() -> None:
    text = FIGHT.replace("40.20|41.19 open", "40.20|41.19 minor-river\nchart terrain-shift minor-river = -1")
    sketch = sketched(typed(text), "repulse", at="41.19", from_="40.20", flanked="no")
    (remark,) = sketch.remarks
    assert remark.where == "40.20|41.19"
    assert remark.text.startswith("-1: ")


def test_it_gives_the_chances_of_the_report_or_what_hopeless_odds_need() -> None:
    position, given = typed(f"trust charts\n{FIGHT}"), {"at": "41.19", "from_": "40.20", "flanked": "no"}
    found = answered(position, "repulse", **given).result
    (table,) = sketched(position, "repulse", **given).tables
    assert 0 < found.chance < 1
    assert dict(table.rows)["chance of success"] == format_whole_percent(found.chance)
    assert dict(table.rows)["check of Unit Z at 9"] == f"fails {format_whole_percent(found.checks[0].fails)}"
    text = FIGHT.replace("(2-2-0-9)", "(6-6-0-9)")
    (table,) = sketched(typed(text), "repulse", at="41.19", from_="40.20", flanked="no").tables
    assert dict(table.rows)["it needs"] == "3:1 at least: it fails without a roll"
