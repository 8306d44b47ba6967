"""Which units off the map have been destroyed, and which have left it in another way or are still to come."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.asking.view import View, changed
from assistant.formats.notation import read_on
from assistant.formats.notation_writer import write_changes
from assistant.state.changes import Change, Enter
from assistant.util.errors import InputError
from twilight_in_the_east.forces.departures import (
    DEPARTURES,
    NOT_DEPARTED,
    arrival_turn,
    check_not_departed,
    depart,
    departure_of,
    is_destroyed,
)

from ...conftest import answered, carried_on, typed, viewed
from ..owned import stated, with_pack

ROWS = """rule,who,at,action,item,units,place
29.5,german,3,withdraw,unit,1/1,
29.5,german,6,arrive,unit,1/1,48.25
29.5,german,5,arrive,unit,2/1,48.25
"""
NOW = """board east
trust charts counters
weather=normal
turn={} phase=reinforcement phasing=central-powers
"""


@pytest.mark.rule("16.2.1")
def test_who_is_off_the_map_has_been_destroyed_unless_it_left_in_another_way_or_is_to_come() -> None:
    for facts, destroyed in {
        "infantry XX A": True,
        "minor-depot - A": True,
        "dummy - A": False,
        "infantry XX A arrives=7": False,
        **{f"infantry XX A departed={way}": False for way in DEPARTURES},
    }.items():
        there = viewed(f"turn=9\n44.20: german {facts}")
        assert not is_destroyed(there, "A")
        assert is_destroyed(there.after([changed(there, "place", "A", None, "11.1")]), "A") is destroyed, facts


@pytest.mark.parametrize(
    ("typed_as", "way"),
    [
        ("28/20 departed=eliminated", "off-map: 28/20"),
        ("40.20: 28/20 departed=eliminated", "for an eliminated unit write off-map: UNIT and no more"),
        ('"2 lw" departed=eliminated', 'off-map: "2 lw"'),
    ],
)
def test_who_states_that_a_unit_is_eliminated_reads_how_that_is_written(typed_as: str, way: str) -> None:
    with pytest.raises(InputError) as refused:
        typed(f"{typed_as}\n")
    assert str(refused.value).endswith(way)


@pytest.mark.rule("1.2.2b")
def test_every_way_to_leave_has_words() -> None:
    view = viewed("44.20: german infantry XX A")
    assert sorted([NOT_DEPARTED, *DEPARTURES]) == sorted(view.game.track("departed").values)
    for way, (rule, words) in DEPARTURES.items():
        gone = view.after(depart(view, ["A"], way))
        assert {change.rule for change in depart(view, ["A"], way)} == {rule}
        with pytest.raises(InputError, match=f"^unit: A {words}") as refused:
            check_not_departed(gone, "A")
        assert refused.value.hint == f"it does not come back ({rule})"
    check_not_departed(view, "A")
    assert {change.rule for change in depart(view, ["A"], "withdrawn", "6.4.3a")} == {"6.4.3a"}


def test_that_a_unit_has_come_back_is_written_as_such() -> None:
    position = typed("44.20: german minor-depot - B\noff-map: german minor-depot - A departed=exchanged")
    there = View(position.game, position.state)
    assert departure_of(there, "A") == "exchanged"
    back = position.after([Change("place", "A", None, "44.20", "16.2"), changed(there, "departed", "A", None, "16.2")])
    lines = write_changes(position, back)
    assert "A departed=no" in lines
    again = read_on("\n".join(lines), position)
    assert departure_of(View(again.game, again.state), "A") == ""


@pytest.mark.rule("16.0", "1.2.2b")
def test_a_unit_that_a_row_is_still_to_bring_has_not_been_destroyed(tmp_path: Path) -> None:
    game = with_pack(tmp_path, {"schedules/made.csv": ROWS})

    def off_map(turn: int, unit: str) -> View:
        position = stated(game, NOW.format(turn))
        return View(game, position.state).after([Enter(unit, unit, None, 0, "")])

    assert [arrival_turn(off_map(turn, "2/1"), "2/1") for turn in (4, 5, 6)] == [5, 5, 0]
    assert [is_destroyed(off_map(turn, "2/1"), "2/1") for turn in (5, 6)] == [False, True]


@pytest.mark.rule("16.5", "1.2.2b")
def test_a_unit_that_is_withdrawn_comes_back_where_a_row_brings_it(tmp_path: Path) -> None:
    game = with_pack(tmp_path, {"schedules/made.csv": ROWS})
    position = stated(game, NOW.format(3) + "48.26: 1/1")
    gone = carried_on(position, answered(position, "next", leave=("reinforcements", "substitutions")))
    assert (gone.state.units["1/1"].place, gone.state.value("departed", "1/1")) == (None, "withdrawn")
    assert not is_destroyed(View(game, gone.state), "1/1")
    due = {turn: answered(gone, "due", turn=str(turn)).result.items for turn in (5, 6)}
    assert [[item.text for item in items if item.action == "arrive"] for items in due.values()] == [["2/1"], ["1/1"]]


@pytest.mark.rule("3.3.6", "16.5", "1.2.2b")
def test_a_unit_that_is_withdrawn_while_it_waits_does_not_come(tmp_path: Path) -> None:
    game = with_pack(tmp_path, {"schedules/made.csv": ROWS})
    waits = "{} german infantry XX movement=7 arrives=4 entry=48.25 army=Eighth"
    position = stated(game, NOW.format(5) + f"{waits.format('A')} withdrawal=5\n{waits.format('B')}")
    gone = carried_on(position, answered(position, "next", leave=("reinforcements", "substitutions")))
    assert [item.text for item in answered(gone, "due", turn="4").result.items if item.action == "arrive"] == []
    with pytest.raises(InputError, match="A has been withdrawn"):
        answered(gone, "arrive", units=("A",))
    assert answered(position, "arrive", units=("B",), at="48.25").result.allowed
