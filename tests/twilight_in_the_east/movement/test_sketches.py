"""What the pictures of moves show: ways, what EZOCs add, hexes that are closed; where cavalry steps aside."""

from __future__ import annotations

from ...assistant.pictures.sketch.answers import parts, sketched
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


def test_the_way_ends_before_a_hex_that_is_closed() -> None:
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
