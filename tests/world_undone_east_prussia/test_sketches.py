"""What the pictures of moves show: retreats before and after combats, advances, marches, reach."""

from __future__ import annotations

import pytest

from assistant.formats.notation import read_notation
from assistant.formats.positions import Position
from assistant.installed.registry import load_game

from ..assistant.drawing.sketch.answers import CROWDED, check_reach, parts, sketched
from ..conftest import answered, typed
from .test_movement import ENTRY, replaced

GAME = load_game("world-undone-east-prussia-1914")


def example(name: str) -> Position:
    return read_notation(GAME.folder.joinpath("examples", name).read_bytes(), name, load_game)


def test_a_retreat_shows_open_and_barred_hexes_and_the_choice() -> None:
    sketch = sketched(example("retreat.pos"), "retreat", units="III/25,III/27", hexes=2)
    assert parts(sketch) == {
        "5420": ("start", ""),
        "5421": ("open", "open"),
        "5520": ("open", "open"),
        "5521": ("open", "open"),
        "5320": ("barred", "a"),
        "5321": ("barred", "b"),
        "5419": ("barred", "b"),
    }
    assert list(sketch.letters.values()) == ["enemies stand there", "in an enemy zone of control without a friend"]
    assert sketch.owed == ("choose hex 1 of the retreat from 5420, 2 owed: 5421, 5520 or 5521",)
    assert [zone.side for zone in sketch.zones] == ["german"]


def test_a_way_into_a_barred_hex_shows_why_and_what_is_open_instead() -> None:
    sketch = sketched(example("retreat.pos"), "retreat", units="III/25,III/27", hexes=2, way="5419")
    assert sketch.answer.startswith("III/25 and III/27 cannot retreat into 5419: ")
    assert parts(sketch)["5419"][0] == "barred"
    assert parts(sketch)["5521"] == ("open", "open")
    assert not [arrow for arrow in sketch.arrows if arrow.kind == "way"]


def test_cavalry_that_may_evade_sees_where_and_stays_if_its_die_fails() -> None:
    sketch = sketched(example("retreat.pos"), "evade", unit="IC/2GC")
    assert {hex for hex, (role, _) in parts(sketch).items() if role == "open"} == {"5818", "5917", "5918"}
    assert sketch.owed == ("roll 1d6 for whether IC/2GC retreats",)
    sketch = sketched(example("retreat.pos"), "evade", unit="IC/2GC", answers={"die": "6"})
    assert [fate.line for fate in sketch.fates] == ["IC/2GC: stay in 5817"]


@pytest.mark.parametrize(
    ("way", "roles"),
    [("", {"4126": "start", "4025": "end"}), ("3925", {"4126": "start", "3925": "end"})],
)
def test_an_advance_goes_on_from_the_cleared_hex(way: str, roles: dict[str, str]) -> None:
    sketch = sketched(
        example("fortress.pos"), "advance", units="XX/29,XX/28", at="4025", **({"way": way} if way else {})
    )
    found = {hex: role for hex, (role, _) in parts(sketch).items()}
    assert roles.items() <= found.items()
    assert (found.get("3925") == "open") == (not way)


@pytest.mark.rule("3.3/extent", "3.3/fortress")
def test_reach_shows_the_points_left_and_what_a_rule_bars() -> None:
    found = parts(sketched(typed(CROWDED["march"])))
    assert found["5716"] == ("start", "")
    assert found["5615"] == ("reached", "3")
    assert found["5414"] == ("reached", "0")
    assert found["5714"] == ("barred", "a")
    assert "5414" in found and "5314" not in found, "too far is no bar"
    sketch, reach = sketched(typed(CROWDED["march"])), answered(typed(CROWDED["march"])).result
    check_reach(sketch, reach, "german")
    assert [(zone.side, bool(zone.hexes)) for zone in sketch.zones] == [("russian", True)]
    assert (sketch.focus, {*sketch.words}) == ((), {"onward"})


@pytest.mark.rule("3.3/extent", "3.3/fortress")
def test_the_reach_of_a_reinforcement_begins_off_the_map_and_shows_the_units_on_it_if_it_cannot_enter() -> None:
    entry = typed(f"game {GAME.id}\n{ENTRY}")
    enters, reach = sketched(entry, "reach", unit="I/1"), answered(entry, "reach", unit="I/1").result
    check_reach(enters, reach, "german")
    assert [arrow.hexes for arrow in enters.arrows] == [("0115", "0215")]
    early = typed(f"game {GAME.id}\n{replaced(ENTRY, 'turn=5', 'turn=4')}0320: XX/37\n")
    assert answered(early, "reach", unit="I/1").verdict.kind == "no"
    stays = sketched(early, "reach", unit="I/1")
    assert (stays.spots, stays.arrows, stays.focus) == ((), (), ("0320",))


def test_a_march_shows_what_each_hex_costs_and_why_it_ends_early() -> None:
    sketch = sketched(example("movement.pos"), "move", units="XVII/36", way="3014,3013")
    assert parts(sketch) == {"3015": ("start", ""), "3014": ("passed", "1"), "3013": ("end", "1")}
    sketch = sketched(example("movement.pos"), "move", units="XVII/36", way="3014,3013,3012,3011")
    assert parts(sketch)["3011"][0] == "barred"
    assert next(iter(sketch.letters.values())).endswith("Movement Points are needed, but XVII/36 has 3")
