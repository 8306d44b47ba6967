"""What the pictures of moves show: ways, what EZOCs add, hexes that are closed; where cavalry steps aside."""

from __future__ import annotations

from ...assistant.drawing.sketch.answers import parts, sketched
from ...conftest import typed

GROUND = """turn=1
phase=movement
41.19: german infantry XX "1/1" (12-16-7-11)
43.20: russian infantry XX "27/3"
44.21: russian infantry XX "25/3"
"""


def test_a_move_is_an_arrow_to_its_last_hex() -> None:
    sketch = sketched(typed(GROUND), "move", units="1/1", way="42.19,43.19", ground="2,1.5")
    assert parts(sketch) == {"41.19": ("start", ""), "42.19": ("passed", "2"), "43.19": ("end", "2 1/2")}
    assert [arrow.hexes for arrow in sketch.arrows] == [("41.19", "42.19", "43.19")]


def test_hexes_show_what_ezocs_add_and_the_ground_costs() -> None:
    sketch = sketched(typed(GROUND), "ezoc", units="1/1", way="42.19,42.20", ground="1,2")
    assert parts(sketch) == {"41.19": ("start", ""), "42.19": ("passed", "1+0"), "42.20": ("end", "2+1")}
    bare = sketched(typed(GROUND), "ezoc", units="1/1", way="42.19,42.20")
    assert parts(bare)["42.20"] == ("end", "+1")
    sketch = sketched(typed(GROUND), "ezoc", units="1/1", way="42.20,43.20")
    assert parts(sketch) == {"41.19": ("start", ""), "42.20": ("passed", "+1"), "43.20": ("barred", "a")}
    assert sketch.letters == {"a": "enemies stand there"}
    assert [arrow.hexes for arrow in sketch.arrows] == [("41.19", "42.20")]


def test_cavalry_shows_the_hexes_that_are_open_to_it() -> None:
    text = 'turn=1\n22.86: austro-hungarian cavalry XX "C"\n21.86: russian infantry XX "R"\n'
    sketch = sketched(typed(text), "cavalry", unit="C", enemy="R", left="21.85")
    found = parts(sketch)
    assert found["22.86"] == ("start", "")
    assert {hex for hex, (role, _) in found.items() if role == "barred"} == {"21.85", "21.86"}
    assert len([arrow for arrow in sketch.arrows if arrow.kind == "choice"]) == 4


LINE = """turn=9
phase=movement
phasing=central-powers
nation german rail-points=20
"""
ON_THE_MAP = (
    LINE
    + """4023=4022=4021=4020-4019-4018
40.23,40.18 station
40.23: german infantry XX A movement=7 rail-cost=4
40.20: german infantry X B movement=7 rail-cost=3 entrained destination=40.18
"""
)
OFF_THE_MAP = (
    LINE
    + """4023=4022
5020=5019
40.22,50.20 map-edge=central-powers
40.22 off-map-double=50.20:84
50.19 station
40.23: german infantry X B movement=7 rail-cost=2 entrained destination=50.19
"""
)


def test_a_timetable_shows_the_route_and_where_units_are_as_phases_end() -> None:
    sketch = sketched(typed(ON_THE_MAP), "rail", units="A,B", to="40.18,40.18", rate=12)
    assert parts(sketch) == {"40.23": ("start", ""), "40.20": ("start", ""), "40.18": ("end", "GT 9 a")}
    assert sketch.letters == {
        "a": "A at the end of the Movement Phase of GT 9 (Central Powers player turn), the Counter Movement Phase of GT 10 "
        "(Russian player turn); B at the end of the Movement Phase of GT 9 (Central Powers player turn)"
    }
    assert [arrow.hexes[::4] for arrow in sketch.arrows] == [("40.23", "40.19"), ("40.20",)]
    assert sketch.side == "central-powers" and sketch.word("end") == "where it has detrained"


def test_a_route_off_the_map_is_drawn_in_parts() -> None:
    sketch = sketched(typed(OFF_THE_MAP), "rail", units="B", rate=12)
    assert [arrow.hexes for arrow in sketch.arrows] == [("40.23", "40.22"), ("50.20", "50.19")]
    assert parts(sketch) == {"40.23": ("start", ""), "40.22": ("passed", "GT 9 a"), "50.19": ("end", "GT 10 b")}
    away = "B at the end of the Movement Phase of GT 9 (Central Powers player turn), under way off the map"
    assert sketch.letters["a"] == away


def test_units_that_do_not_go_by_rail_are_shown_where_they_stand() -> None:
    sketch = sketched(
        typed(ON_THE_MAP.replace("40.23: ", "40.23 operational=none\n40.23: ")), "rail", units="A", to="40.18", rate=12
    )
    assert (sketch.spots, sketch.arrows, sketch.focus) == ((), (), ("40.23", "40.20"))
