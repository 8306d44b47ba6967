"""The question `arrive`: what is due, where it enters, and what brings it in (16.0, 16.1, 16.1.1)."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.formats.notation import read_notation, read_on
from assistant.game.games import Game
from assistant.game.states import apply_changes
from assistant.util.errors import InputError
from twilight_in_the_east.arrivals.entry import units_due, units_overdue
from twilight_in_the_east.forces.account import read_account

from ...cases import examples, few, thorough
from ...conftest import answered, ruled, rulings, told, typed, values, viewed
from ..owned import stated, with_pack
from ..owner import owned_game

EAST = """board east
trust charts
weather=normal
turn=5 phase=reinforcement phasing=central-powers
44.19: russian artillery - Far
"""
UNIT = "{} german infantry XX (6-6-1-9) movement=7 rail-cost=3 army=Eighth"
A = UNIT.format("A") + " arrives=5 entry=85.27\n"


def listing(text: str, **parameters: Any) -> Report[Any]:
    return answered(typed(EAST + text), "arrive", **parameters)


def entering(text: str, *units: str, **parameters: Any) -> Report[Any]:
    return answered(typed(EAST + text), "arrive", units=units or ("A",), **parameters)


@pytest.mark.rule("16.0", "16.1c")
def test_what_is_due_with_its_entry_hex_and_first_cost_or_without() -> None:
    report = listing(A + UNIT.format("B") + " arrives=4 entry=85.26\n" + UNIT.format("C") + " arrives=6 entry=85.26")
    assert report.verdict.text == "2 units due"
    assert [unit.unit for unit in report.result.units] == ["B", "A"]
    assert told(report, "Due") == [
        "B, due since GT 4: enters in 85.26, 2 Movement Points for the first hex",
        "A: enters in 85.27, 2 Movement Points for the first hex, or in Rail Mode",
    ]
    assert report.result.units[1].edge and report.result.units[1].rail and report.result.units[1].cost == 2
    assert listing("").verdict.text == "no unit is due"
    assert listing(A, side="russian").result.units == ()
    report = listing(UNIT.format("A") + " arrives=5\nT german corps-train - army=Eighth arrives=5")
    assert told(report, "Due") == [
        "A: its entry hex is not stated (A entry=HEX)",
        "T: it comes back anywhere In Supply (ask return)",
    ]
    with pytest.raises(InputError, match="T is a supply unit without an entry hex"):
        entering("T german corps-train - army=Eighth arrives=5", "T")
    assert [one.how for one in entering(UNIT.format("A") + " arrives=5").asks] == ["A entry=HEX"]


@pytest.mark.rule("16.0", "16.1c")
def test_a_unit_enters_from_the_map_edge_and_owes_its_first_hex() -> None:
    report = entering(A)
    assert report.verdict.text == "A may enter in 85.27"
    assert values(report) == {
        ("place", "A"): "85.27",
        ("arrives", "A"): None,
        ("entry", "A"): None,
        ("entry-cost", "A"): "2",
    }
    assert told(report, "Entry") == ["from the map edge: 2 Movement Points for 85.27, spent in the Movement Phase"]


@pytest.mark.rule("16.0", "16.1b", "16.1c")
def test_one_open_entry_hex_is_enough_and_costs_depots_nothing() -> None:
    text = UNIT.format("A") + ' arrives=5 entry="48.20 85.27"\n48.20: russian artillery - Foe'
    assert told(entering(text, at="60.17"), "Not allowed") == ["the entry hex is 48.20 or 85.27"]
    assert told(entering(text, at="48.20"), "Not allowed") == ["an enemy unit is in 48.20"]
    assert entering(text).result.at == "85.27" and entering(text).result.cost == 2
    assert listing(text).result.units[0].instead == ()
    depot = "D german minor-depot - army=Eighth arrives=5 entry=85.27"
    assert entering(depot, "D").result.cost == 0 and ("entry-cost", "D") not in values(entering(depot, "D"))
    both = entering(f"{depot}\n{A}", "D", "A")
    assert both.result.cost == 2 and values(both)["entry-cost", "A"] == "2" and ("entry-cost", "D") not in values(both)


@pytest.mark.rule("16.1c")
def test_ground_that_the_chart_prohibits_and_ground_that_is_not_stated() -> None:
    text = "turn=5\nA german infantry XX army=Eighth arrives=5 entry=01.20\n01.20 map-edge=central-powers"
    how = [one.how for one in answered(typed(text), "arrive", units=("A",)).asks]
    assert how[0] == "01.20 clear|rough|wetlands|mountain|high-mountain|sea"
    rough = f"{text} rough\nchart terrain-cost summer rough = prohibited"
    report = answered(typed(rough), "arrive", units=("A",))
    assert told(report, "Not allowed") == ["the Terrain Effects Chart prohibits 01.20"] and report.changes == ()
    priced = answered(typed(rough.replace("prohibited", "4.5")), "arrive", units=("A",))
    assert priced.result.cost == Fraction(9, 2)


@pytest.mark.rule("16.1c", "20.1c")
@pytest.mark.parametrize(("weather", "points"), [("freeze", 2), ("normal", 4)])
def test_wetlands_cost_what_clear_ground_costs_while_frozen(weather: str, points: int) -> None:
    chart = "chart terrain-cost autumn clear = 2\nchart terrain-cost autumn wetlands = 4\n"
    text = f"{chart}turn=40 campaign weather={weather}\nA german infantry XX army=Eighth arrives=40 entry=01.20\n01.20 map-edge=central-powers wetlands"
    assert answered(typed(text), "arrive", units=("A",)).result.cost == points


@pytest.mark.rule("16.1c")
def test_what_the_first_hex_costs_from_an_edge_and_elsewhere() -> None:
    report = entering(UNIT.format("A") + " arrives=5 entry=60.17")
    assert values(report) == {("place", "A"): "60.17", ("arrives", "A"): None, ("entry", "A"): None}
    assert told(report, "Entry") == ["no Movement Points are spent to enter 60.17"]
    view = viewed("turn=5 phase=movement phasing=russian\n44.20: russian infantry XX R entry-cost=1.5 spent=march:2")
    assert read_account(view, "R").total == Fraction(7, 2)
    assert not read_account(viewed("44.20: russian infantry XX R entry-cost=1.5"), "R").is_under_way
    assert view.game.tracks["entry-cost"].ends_as({"phase": "counter-movement"})
    assert not view.game.tracks["entry-cost"].ends_as({"phase": "movement"})


@pytest.mark.rule("16.0")
def test_a_unit_enters_in_its_turn_and_entry_hex_alone() -> None:
    early = UNIT.format("A") + " arrives=6 entry=85.27"
    assert told(entering(early), "Not allowed") == ["A: it arrives in GT 6"]
    assert told(entering(A, at="85.26"), "Not allowed") == ["the entry hex is 85.27"]
    two = UNIT.format("A") + ' arrives=5 entry="85.27 85.26"'
    assert [one.name for one in entering(two).asks] == ["at"]
    assert entering(two).asks[0].options == ("85.27", "85.26")
    assert entering(two, at="85.26").result.allowed
    with pytest.raises(InputError, match="nothing says when Far arrives|already"):
        entering("", "Far")
    with pytest.raises(InputError, match="unknown unit 'Fra'"):
        entering("", "Fra")
    both = A + "R russian infantry XX arrives=5 entry=01.40"
    with pytest.raises(InputError, match="both sides"):
        entering(both, "A", "R")


@few(2)
@pytest.mark.rule("16.0", "16.1b")
@pytest.mark.parametrize(
    ("block", "why"),
    [
        ("85.27: russian artillery - Foe", "an enemy unit is in 85.27"),
        ("85.28: russian infantry XX Foe (6-6-1-9)", "85.27 is in an EZOC"),
        ("85.27 control=russian\nruling entry-control=closed", "the enemy controls 85.27"),
        ("85.27 control=russian\n85.28: russian infantry XX Foe (6-6-1-9)", "85.27 is in an EZOC"),
    ],
)
def test_a_blocked_entry_hex_at_the_edge(block: str, why: str) -> None:
    report = listing(A + block)
    (unit,) = report.result.units
    assert unit.open == () and [(entry.hex, why in entry.why) for entry in unit.blocked] == [("85.27", True)]
    assert unit.instead and unit.edge and not unit.waits
    assert ruled(report, "blocked-entry") == "edge"
    assert why in told(entering(A + block, at="85.27"), "Not allowed")
    near = unit.instead[0]
    assert entering(A + block, at=near).result.allowed
    assert entering(A + block).result.at == near or len(unit.instead) > 1
    assert not entering(A + block, at="60.17").result.allowed, "an RR Station does not do for units from the edge"
    far = "the nearest open friendly RR hex"
    assert any(far in text for text in told(entering(A + block, at="85.26"), "Not allowed"))


@pytest.mark.rule("16.0", "16.1b")
def test_an_entry_hex_that_the_enemy_only_controls_leaves_a_choice() -> None:
    """Enemy units and EZOCs keep reinforcements out of it; its control only lets them enter elsewhere."""
    lost = A + "85.27 control=russian"
    report = listing(lost)
    (unit,) = report.result.units
    assert unit.open == ("85.27",) and unit.blocked == () and unit.instead and not unit.waits
    assert told(report, "Due") == [
        "A: enters in 85.27, 2 Movement Points for the first hex",
        f"A: may enter instead, as the enemy controls 85.27, at the nearest open RR hex, {', '.join(unit.instead)}",
    ]
    assert ruled(report, "entry-control") == "open"
    assert entering(lost).asks[0].options == ("85.27", *unit.instead)
    for at in ("85.27", *unit.instead):
        assert entering(lost, at=at).result.allowed
    (why,) = told(entering(lost, at="60.17"), "Not allowed")
    assert why.startswith("the enemy controls 85.27, and units from the map edge enter at the nearest open friendly")
    assert not entering(lost, at="85.27", rail=True, destination="60.17", rate=12).result.allowed
    beset = listing(lost + "\n85.28: russian infantry XX Foe (6-6-1-9)")
    assert told(beset, "Due")[0] == "A: 85.27 is in an EZOC, the enemy controls 85.27"
    assert "entry-control" not in rulings(beset)
    two = UNIT.format("A") + ' arrives=5 entry="85.27 85.26"\n85.27 control=russian'
    assert listing(two).result.units[0].instead == () and entering(two, at="85.27").result.allowed
    assert told(entering(two, at="60.17"), "Not allowed") == ["the entry hex is 85.27 or 85.26"]


@pytest.mark.rule("16.0", "16.1b")
def test_a_blocked_entry_hex_inside_the_map_is_left_for_an_rr_station_nearby() -> None:
    text = UNIT.format("A") + " arrives=5 entry=48.20\n48.20: russian artillery - Foe"
    report = listing(text)
    (unit,) = report.result.units
    assert len(unit.instead) == 3 and not unit.edge and unit.cost == 0
    assert told(report, "Due")[-1].startswith("A: enters at an RR Station nearby, ")
    assert all(viewed(EAST).board.distance("48.20", hex) <= 8 for hex in unit.instead), "none of another front"
    assert entering(text, at=unit.instead[-1]).result.allowed
    assert entering(text, at="60.17").result.allowed, "how near a station has to be is for the owner to judge"
    (why,) = told(entering(text, at="48.21"), "Not allowed")
    assert why == "48.20 is blocked, and 48.21 is not an open RR Station that their side controls"


@pytest.mark.rule("16.0", "16.1.1", "16.1c")
def test_a_unit_enters_in_rail_mode() -> None:
    report = entering(A, rail=True, destination="60.17", rate=12)
    assert values(report) == {
        ("place", "A"): "85.27",
        ("arrives", "A"): None,
        ("entry", "A"): None,
        ("entry-cost", "A"): "1/12",
        ("entrained", "A"): True,
        ("destination", "A"): "60.17",
    }
    assert report.result.cost == Fraction(1, 12)
    assert told(report, "Entry") == [
        "in Rail Mode: 1/12 Movement Point for the first RR hex",
        "0 Rail Points; they go on to 60.17",
    ]
    assert told(entering(A, rail=True), "Not allowed") == [
        "name the destination before units enter in Rail Mode (destination=HEX)"
    ]
    assert [one.name for one in entering(A, rail=True, destination="60.17").asks] == ["rate"]
    owned = read_notation(f"game twilight-in-the-east\n{EAST}{A}".encode(), "t.pos", lambda _: owned_game())
    known = answered(owned, "arrive", units=("A",), rail=True, destination="60.17")
    assert known.result.cost == Fraction(1, 12), "by the owner's turn record"
    assert entering(A, rail=True, destination="60.17", rate=9).result.cost == Fraction(1, 9)
    assert told(entering(A, rail=True, destination="60.30", rate=12), "Not allowed")[0].startswith(
        "60.30 has no RR Station"
    )
    assert "85.27 is where they enter: leave out rail" in told(
        entering(A, rail=True, destination="85.27", rate=12), "Not allowed"
    )
    with pytest.raises(InputError, match="not enter in Rail Mode"):
        entering(A, destination="60.17")


def test_russians_in_rail_mode_pay_where_they_trans_ship() -> None:
    unit = "R russian infantry XX (6-6-1-9) movement=7 rail-cost=3 army=First arrives=5 entry=01.51"
    text = EAST.replace("phasing=central-powers", "phasing=russian") + unit
    report = answered(typed(text), "arrive", units=("R",), rail=True, destination="58.52", rate=12)
    assert report.result.allowed and told(report, "Entry")[1:] == ["0 Rail Points; they go on to 58.52"]
    assert ("train-gauge", "R") in values(report)
    lines = (
        "turn=5\nphase=reinforcement\nphasing=russian\n6152=6052=5952=5852=5752=5652=5552\n61.52,58.52,55.52 station\n"
        "61.52|60.52,60.52|59.52,59.52|58.52 gauge=standard\n58.52|57.52,57.52|56.52,56.52|55.52 gauge=broad\n"
        "61.52 map-edge=russian\n61.52,58.52,55.52 control=russian\n"
        "R russian infantry X movement=7 rail-cost=2 army=First arrives=5 entry=61.52\n"
    )
    across = answered(typed(lines), "arrive", units=("R",), rail=True, destination="55.52", rate=12)
    assert told(across, "Entry")[1:] == [
        "0 Rail Points; they go on to 55.52",
        "trans-shipping in 58.52 costs Rail Points",
    ]


@pytest.mark.rule("16.1d")
def test_a_formation_is_attached_as_it_enters() -> None:
    free = "A german infantry XX (6-6-1-9) movement=7 arrives=5 entry=60.17"
    report = entering(free)
    assert [(one.name, one.how) for one in report.asks] == [("army", "army=NAME")]
    report = entering(free, army="Eighth", corps="17")
    assert values(report)["army", "A"] == "Eighth" and values(report)["corps", "A"] == "17"
    assert "A: attached to Eighth; it may be changed in the Attachment Phase that follows" in told(report, "Entry")
    assert ("army", "A") not in values(entering(A, army="Eighth"))
    assert ("army", "A") not in values(entering(A)) and entering(A).asks == ()
    with pytest.raises(InputError, match="no army 'Eigth' of the Central Powers"):
        entering(free, army="Eigth")


@pytest.mark.rule("16.1")
def test_arrivals_may_exceed_the_stacking_limits_for_now() -> None:
    stack = "60.17: " + ", ".join(f"german artillery - G{number}" for number in range(4)) + "\n"
    gun = "A german artillery - arrives=5 entry=60.17\n"
    (_, over) = told(entering(stack + gun), "Entry")
    assert over.startswith("60.17 is over the stacking limits, which hold again at the end")
    assert len(told(entering(gun), "Entry")) == 1


@pytest.mark.rule("16.0", "16.1b", "9.9")
def test_a_depot_enters_next_to_no_enemy_nor_opens_another_hex_to_the_unit_with_it() -> None:
    """An artillery unit has no ZOC, so only depots are kept out."""
    text = '"German EIGHTH Minor Depot" arrives=5 entry=60.17\n60.16: russian artillery - Foe\n'
    text += UNIT.format("A") + " arrives=5 entry=60.17"
    (unit, depot) = sorted(listing(text).result.units, key=lambda unit: unit.unit)
    assert unit.open == ("60.17",) and depot.open == () and depot.instead
    why = "60.17 is adjacent to an enemy, where a depot may never be"
    assert [entry.why for entry in depot.blocked] == [(why,)]
    assert told(entering(text, "German EIGHTH Minor Depot", at="60.17"), "Not allowed") == [why]
    assert entering(text, "German EIGHTH Minor Depot", at=depot.instead[0]).result.allowed
    assert entering(text, "A", at="60.17").result.allowed
    depot = "D german minor-depot - army=Eighth arrives=5 entry=85.27\n"
    text = f"{A}{depot}84.27: russian artillery - Foe\n"
    assert entering(text, "A").result.at == "85.27"
    (instead,) = entering(text, "D", at="85.31").result.units[0].instead
    together = entering(text, "A", "D", at=instead)
    assert told(together, "Not allowed") == ["the entry hex is 85.27"]
    assert [unit.open for unit in together.result.units] == [("85.27",), ()]
    why = "85.27 is adjacent to an enemy, where a depot may never be"
    assert told(entering(text, "A", "D", at="85.27"), "Not allowed") == [why]


def test_it_is_done_in_the_reinforcement_phase_of_its_side() -> None:
    report = answered(typed(EAST.replace("phase=reinforcement", "phase=movement") + A), "arrive", units=("A",))
    assert "that is done only in the Reinforcement Phase" in told(report, "Not allowed")[0]
    report = answered(typed(EAST.replace("phasing=central-powers", "phasing=russian") + A), "arrive", units=("A",))
    assert "in its side's Reinforcement Phase" in told(report, "Not allowed")[0]


BLOCKS = st.lists(
    st.tuples(
        st.sampled_from(["85.27", "85.26", "85.28", "48.20", "48.21", "60.17", "84.27", "98.36", "48.19", "44.20"]),
        st.sampled_from(
            ["{}: russian infantry XX Foe{} (6-6-1-9)", "{}: russian artillery - Foe{}", "{} control=russian"]
        ),
    ),
    max_size=8,
    unique_by=lambda block: block[0],
)


@settings(max_examples=examples(20), deadline=None, phases=[Phase.generate])
@given(
    BLOCKS, st.sampled_from(["85.27", "48.20", "85.27 48.20"]), st.sampled_from(["85.27", "48.20", "60.17", "44.20"])
)
def test_arrivals_never_lose_a_unit_whatever_blocks_them(blocks: list[tuple[str, str]], entry: str, at: str) -> None:
    stated = "\n".join(text.format(hex, number) for number, (hex, text) in enumerate(blocks))
    position = typed(f'{EAST}{UNIT.format("A")} arrives=5 entry="{entry}"\n{stated}')
    report = answered(position, "arrive", units=("A",), at=at)
    after = apply_changes(position.game, position.state, report.changes)
    view = View(position.game, after)
    enters = after.units["A"].place is not None
    assert enters == bool(report.result.allowed) and (not enters or after.units["A"].place == at)
    assert enters or [coming.unit for coming in units_due(view, "central-powers", 5)] == ["A"]
    onward = answered(position, "next", leave=("reinforcements",))
    later = apply_changes(position.game, position.state, onward.changes)
    assert [coming.unit for coming in units_due(View(position.game, later), "central-powers", 6)] == ["A"]


ROWS = """rule,who,at,action,item,count,units,place
29.5,german,5,arrive,unit,2,"1/1,2/1",85.27
29.5,german,6,arrive,unit,1,35/17,48.20
29.5,russian,5,arrive,unit,1,25/3,48.20
"""
COMING = {"A": 5, "1/1": 5, "2/1": 5, "35/17": 6}
"""The units of the Central Powers that a position and a schedule bring, each with its game turn."""
SEVERAL = st.lists(st.sampled_from([*COMING]), min_size=1, max_size=3, unique=True)
TRIES = st.lists(st.tuples(SEVERAL, st.sampled_from(["85.27", "48.20", "60.17"])), max_size=3)
ENDS = st.sampled_from(["recorded", "jumped"])
"""Whether the phase ends by `next`, which records who waits, or the turn by a line."""


@pytest.fixture(scope="module")
def scheduled(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return with_pack(tmp_path_factory.mktemp("pack"), {"schedules/made.csv": ROWS})


def test_a_unit_that_is_withdrawn_and_comes_again_is_due_both_times(tmp_path: Path) -> None:
    rows = "at,units,place,action\n2,30/4,48.20,\n6,30/4,48.20,\n4,30/4,,withdraw\n"
    files = {"setups/made.pos": "game twilight-in-the-east\nscenario=made\n", "schedules/made.csv": rows}
    game = with_pack(tmp_path, files)
    known = EAST.replace("board east", "board east\nscenario=made\ntrust counters").replace("central-powers", "russian")

    def due(turn: int, more: str = "") -> list[tuple[str, str]]:
        position = stated(game, known.replace("turn=5", f"turn={turn}") + "48.20 control=russian\n" + more)
        return [(item.turn, item.text) for item in answered(position, "due", until="9").result.items]

    assert due(2) == [("2", "30/4"), ("4", "30/4"), ("6", "30/4")]
    assert due(3, "off-map: 30/4 arrives=2\n") == [("3", "30/4, due since GT 2"), ("4", "30/4"), ("6", "30/4")]
    assert due(5, "off-map: 30/4 departed=withdrawn\n") == [("6", "30/4")]
    assert due(3, "50.20: 30/4\n") == [("4", "30/4"), ("6", "30/4")]
    there = stated(game, known.replace("turn=5", "turn=3") + "50.20: 30/4\n")
    with pytest.raises(InputError, match=r"30/4 is in 50.20 already"):
        answered(there, "arrive", units=("30/4",))
    position = stated(game, known.replace("turn=5", "turn=3") + "off-map: 30/4 arrives=2\n")
    assert [unit.entry for unit in answered(position, "arrive").result.units] == [("48.20",)]


@pytest.mark.parametrize(("turn", "since"), [(3, [2]), (4, []), (5, []), (6, []), (7, [6])])
def test_a_unit_that_the_position_lacks_is_missed_once_and_not_after_its_withdrawal(
    tmp_path: Path, turn: int, since: list[int]
) -> None:
    rows = "at,units,place,action\n2,30/4,48.20,\n4,30/4,,withdraw\n6,30/4,48.20,\n"
    files = {"setups/made.pos": "game twilight-in-the-east\nscenario=made\n", "schedules/made.csv": rows}
    known = EAST.replace("board east", "board east\nscenario=made\ntrust counters").replace("turn=5", f"turn={turn}")
    position = stated(with_pack(tmp_path, files), known)
    missing = units_overdue(View(position.game, position.state), "russian", turn)
    assert [(coming.unit, coming.turn) for coming in missing] == [("30/4", due) for due in since]


def test_a_printed_turn_does_not_bring_the_other_units_of_an_army_that_takes_no_part(tmp_path: Path) -> None:
    rows = "at,units,army,action,place\n5,40/4,,,48.20\n,,russian First,absent,\n"
    files = {"setups/made.pos": "game twilight-in-the-east\nscenario=made\n", "schedules/made.csv": rows}
    game = with_pack(tmp_path, {**files, "counters.csv": "unit,arrives\n30/4,5\n40/4,5\n4/6,5\n26/2,5\n"})
    known = EAST.replace("board east", "board east\nscenario=made\ntrust counters")
    due = answered(stated(game, f"{known}off-map: 26/2 arrives=5"), "due").result.items
    assert [item.units for item in due] == [("26/2",), ("4/6",), ("40/4",)]


@pytest.mark.parametrize(
    "rows",
    [
        ROWS.replace(",at,", ",from,"),
        "from,army,action\n3,russian First,activate\n",
        "from,who,corps,action\n3,russian,2,activate\n",
    ],
)
def test_a_row_with_a_period_and_no_turn_for_units_an_army_or_a_corps_is_refused(tmp_path: Path, rows: str) -> None:
    game = with_pack(tmp_path, {"schedules/made.csv": rows})
    with pytest.raises(InputError, match=r"made.csv:2: the row has no turn"):
        answered(stated(game, EAST.replace("board east", "board east\ntrust counters")), "due")


@pytest.mark.rule("16.0")
def test_a_row_may_name_its_entry_hex_without_the_dot(tmp_path: Path) -> None:
    game = with_pack(tmp_path, {"schedules/made.csv": ROWS.replace("85.27", "8527")})
    position = stated(game, EAST.replace("board east", "board east\ntrust counters"))
    units = answered(position, "arrive").result.units
    assert [(unit.unit, unit.entry, unit.open) for unit in units] == [
        ("1/1", ("85.27",), ("85.27",)),
        ("2/1", ("85.27",), ("85.27",)),
    ]
    due = answered(position, "due", who=("german",)).result.items
    assert {item.place for item in due} == {"85.27"}


@thorough
@pytest.mark.hypothesis
@settings(max_examples=examples(15), deadline=None, phases=[Phase.generate])
@given(turns=st.lists(st.tuples(BLOCKS, TRIES, ENDS), min_size=2, max_size=3))
def test_units_of_a_schedule_are_never_lost_over_several_turns(
    scheduled: Game, turns: list[tuple[list[tuple[str, str]], list[tuple[list[str], str]], str]]
) -> None:
    """Each turn other hexes are blocked, some units try to enter, and the phase or the turn ends. Whoever has not entered is due
    or, where the owner has gone on without recording him, named as missing.
    """
    known = EAST.replace("board east", "board east\ntrust counters")
    position = stated(scheduled, f'{known}{UNIT.format("A")} arrives=5 entry="85.27 48.20"')
    unrecorded = set[str]()
    for turn, (blocks, tries, end) in enumerate(turns, 5):
        placed = {unit.id: unit.place for unit in position.state.units.values() if unit.place}
        clear = [f"{hex}:" for hex in {hex for unit, hex in placed.items() if unit.startswith("Foe")}]
        held = {hex for unit, hex in placed.items() if not unit.startswith("Foe")}
        free = [(hex, text) for hex, text in blocks if hex not in held]
        foes = [text.format(hex, f"{turn}{number}") for number, (hex, text) in enumerate(free)]
        moment = f"turn={turn} phase=reinforcement phasing=central-powers"
        position = read_on("\n".join([*clear, moment, *foes]), position)
        for units, at in tries:
            names = [unit for unit in units if COMING[unit] <= turn]
            with suppress(InputError):
                report = answered(position, "arrive", units=tuple(names), at=at)
                position = position.with_state(apply_changes(position.game, position.state, report.changes))
        if end == "recorded":
            onward = answered(position, "next", leave=("reinforcements",))
            position = position.with_state(apply_changes(position.game, position.state, onward.changes))
        view = View(position.game, position.state)
        come = {unit for unit, arrives in COMING.items() if arrives <= turn}
        there = {unit for unit in come if unit in position.state.units and position.state.units[unit].place}
        due = {coming.unit for coming in units_due(view, "central-powers", turn)}
        missing = {coming.unit for coming in units_overdue(view, "central-powers", turn + 1)}
        assert not there & (due | missing)
        assert come - unrecorded == (there | due) - unrecorded
        later = {coming.unit for coming in units_due(view, "central-powers", turn + 1)} | missing
        assert come - there == later & come
        assert end == "jumped" or not missing - unrecorded, "who waits is recorded"
        unrecorded |= missing
