"""What components of the game a position can state, what is in none of its files, and what tells counters apart (2.1, 2.3, 2.8, 7.2)."""

from __future__ import annotations

import pytest

from assistant.drawing.symbols import Symbols
from assistant.game.schedule_files import read_schedules
from assistant.util.errors import InputError

from .asking import kaiser
from .examples import game, typed_state


@pytest.mark.rule("2.1/units-in-hex")
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("6101: Rus-2", "6101"),
        ("0061: Rus-2", "0061"),
        ("2620: Rus-2\n2621: Rus-2", "Rus-2"),
        ("2620: Rus-2\n2620: AH-4", "different sides"),
    ],
)
def test_a_unit_stands_in_one_hex_of_the_map_without_enemies(text: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        typed_state(text)
    assert typed_state("2620: Rus-2\n2621: AH-4").units["Rus-2"].place == "2620"


@pytest.mark.rule("2.1/errata")
def test_the_stray_notes_of_the_map_are_in_no_schedule() -> None:
    rows = [row for row in read_schedules(game()).rows if row.item == "Ober-Ost"]
    assert not [row for row in rows if row.at == "13"]
    assert "Ober-Ost" not in str(kaiser("turn=13 scenario=1914 main-effort=east", "due", until=13))
    shock = "scenario=1916 turn=14\nside central-powers vp=60\nside allies vp=60\n2010 city country=germany"
    allowed = kaiser(shock, "mobilize", unit="X", kind="shock-corps", nation="german")
    assert allowed.verdict.kind == "figure", "1916 needs no optional rule"


@pytest.mark.rule("2.3", "2.8")
def test_markers_are_no_units_and_a_position_states_what_they_record() -> None:
    names = set(game().roster)
    assert {"AH-5", "AH-7"} <= names
    assert not [name for name in names if name.casefold() in ("control", "turn", "vp", "psywar")], (
        "markers are no units"
    )
    plain, caporetto = (
        kaiser(f"turn=29 main-effort=west{more}", "due", until=29) for more in ("", " options=caporetto-east")
    )
    assert ("AH-5" in str(plain), "AH-5" in str(caporetto)) == (False, True)
    state = typed_state(
        "turn=7\n2620 control=allies\n2621 control=central-powers\nside allies vp=44 psywar\nside central-powers vp=31"
    )
    known = [
        ("turn", ""),
        ("control", "2620"),
        ("control", "2621"),
        ("vp", "allies"),
        ("psywar", "allies"),
        ("vp", "central-powers"),
    ]
    assert [state.value(*key) for key in known] == [7, "allies", "central-powers", 44, True, 31]


@pytest.mark.rule("7.2")
def test_a_side_controls_the_units_of_all_its_nations() -> None:
    sides = game().file.sides
    for side, nations in sides.items():
        for nation in nations:
            state = typed_state(f"2620: {nation} infantry XXX One")
            assert game().side_of_unit(state.units["One"], state.facts) == side
    assert {nation for nations in sides.values() for nation in nations} == set(game().track("nation").values)


TYPES = (
    "infantry", "shock", "alpine", "marine", "cavalry", "fortress", "armoured-train", "tank", "headquarters", "supply", "airbase",
    "partisan",
)  # fmt: skip
"""The unit types of the rulebook (2.4), and the Bolshevik partisans of the optional rules."""


@pytest.mark.rule("2.4/types")
def test_every_unit_type_has_a_symbol_and_every_size_a_sign() -> None:
    assert game().track("arm").values == TYPES
    symbols = Symbols(game())
    assert [arm for arm in game().track("arm").values if symbols.symbol(arm) is None] == []
    assert [size for size in game().track("size").values if size != "-" and symbols.echelon(size) is None] == []
