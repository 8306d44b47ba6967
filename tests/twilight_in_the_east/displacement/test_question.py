"""Artillery, Corps Trains and depots that the enemy comes next to (9.5, 9.8, 9.9)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.game.states import apply_changes
from assistant.installed.registry import load_game
from assistant.state.changes import Change
from assistant.util.errors import InputError
from twilight_in_the_east.forces.departures import is_destroyed

from ...conftest import GAME, answered, carried_on, ruled, rulings, told, typed, values

ENEMY = "40.20: 25/3\n40.20|41.19,41.20 open\n41.19|42.19 open\n42.20|41.19,41.20 open\n"


def asked(unit: str, text: str, answers: str = "") -> Report[Any]:
    position = typed(ENEMY + text + (f"\nanswers {answers}" if answers else ""))
    return answered(position, "displace", unit=unit)


def hexes(report: Report[Any]) -> list[str]:
    return [refuge.hex for refuge in report.result.refuges]


def around(*places: str) -> str:
    """Enemies in these hexes."""
    return "\n".join(f"{place}: russian infantry XX R{number}" for number, place in enumerate(places))


# --- artillery --------------------------------------------------------------------------------------------------------

GUNS = "41.19: german artillery - G"


@pytest.mark.rule("9.5", "9.5.1")
def test_guns_in_an_ezoc_go_to_the_nearest_friend() -> None:
    report = asked("G", f"{GUNS}\n43.19: german infantry XX A\n45.19: german infantry XX B")
    assert (report.result.must, hexes(report)) == (True, ["43.19"])
    changes = [(change.track, change.after) for change in report.changes]
    assert changes == [("place", "43.19"), ("displaced", True), *[("control", "central-powers")] * 2]
    with_train = asked("G", f'{GUNS}, "German 1 Train"\n43.19: german infantry XX A')
    assert hexes(with_train) == ["43.19"], "a Train in its own hex is no refuge"


@pytest.mark.rule("9.5")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{GUNS}, german infantry XX A", "a friendly combat unit is with it"),
        ("45.19: german artillery - G", "it is not in an EZOC"),
    ],
)
def test_guns_that_stay(text: str, why: str) -> None:
    report = asked("G", text)
    assert (report.verdict.kind, report.result.why, report.changes) == ("no", why, ())


@pytest.mark.rule("9.5.1")
def test_of_two_as_near_a_combat_unit_comes_first_and_the_owner_chooses() -> None:
    both = asked("G", f'{GUNS}\n43.18: "German 1 Train"\n43.19: german infantry XX A')
    assert hexes(both) == ["43.19", "43.18"]
    assert [(ask.name, ask.options) for ask in both.asks] == [("to.G", ("43.19", "43.18"))]
    chosen = asked("G", f'{GUNS}\n43.18: "German 1 Train"\n43.19: german infantry XX A', "to.G=43.18")
    assert both.verdict.text.startswith("G goes to 43.19, 43.18: ")
    assert chosen.verdict.text.startswith("G goes to 43.18: ")
    assert chosen.changes[0].after == "43.18"


@pytest.mark.rule("9.5.1")
@pytest.mark.parametrize(("friend", "reached"), [("44.19", True), ("45.19", False)])
def test_guns_go_three_hexes_at_most(friend: str, reached: bool) -> None:
    report = asked("G", f"{GUNS}\n{friend}: german infantry XX A")
    assert (hexes(report), report.result.eliminated) == ([friend] * reached, not reached)


@pytest.mark.rule("9.5.1")
def test_no_way_leads_through_an_ezoc_but_through_a_friend() -> None:
    neighbours = load_game(GAME).board("").neighbours("41.19")
    shut = around(*(place for place in neighbours if place not in ("42.19", "40.20")))
    far = f"{GUNS}\n44.19: german infantry XX A\n{shut}"
    assert asked("G", far).result.eliminated
    assert hexes(asked("G", f'{far}\n42.19: "German 1 Train"')) == ["42.19"]


@pytest.mark.rule("9.5.1", "9.5.1a")
@pytest.mark.parametrize(
    ("with_it", "eliminated"),
    [
        ("", True),
        (', "German EIGHTH Minor Depot"', False),
        (", german major-depot - D", False),
        (', "German 1 Train"', True),
    ],
)
def test_guns_displaced_before_are_lost_unless_a_depot_is_with_them(with_it: str, eliminated: bool) -> None:
    text = f"{GUNS} displaced{with_it}\n43.19: german infantry XX A"
    assert asked("G", text).result.eliminated is eliminated


@pytest.mark.rule("9.5.1", "9.5.1a")
@pytest.mark.parametrize(
    ("train", "friends", "rule", "ruling", "found"),
    [
        ("42.19", "43.19: german infantry XX A", "", "nearest", ["42.19"]),
        ("42.19", "43.19: german infantry XX A", "safe", "safe", ["43.19"]),
        ("42.19", "46.19: german infantry XX A", "safe", "", ["42.19"]),
        ("42.19", "42.19: german infantry XX A", "safe", "", ["42.19"]),
        ("43.20", "43.19: german infantry XX A", "safe", "", ["43.19", "43.20"]),
        ("44.19", "42.19: german infantry XX A", "safe", "", ["42.19"]),
    ],
)
def test_whether_it_passes_over_a_friend_it_cannot_stay_with_is_a_ruling(
    train: str, friends: str, rule: str, ruling: str, found: list[str]
) -> None:
    """A train next to the enemy or not, and a division within reach, too far away, or with the train."""
    text = f'{GUNS}\n{train}: "German 1 Train"\n{friends}\n{around("41.18")}\n'
    report = asked("G", text + (f"ruling displaced-to={rule}" if rule else ""))
    assert (ruled(report, "displaced-to"), hexes(report)) == (ruling, found)


@pytest.mark.rule("9.5.1a")
@pytest.mark.parametrize(
    ("with_it", "rule", "ruling", "found"),
    [
        (' displaced, "German EIGHTH Minor Depot"', "", "friend", ["43.19"]),
        (' displaced, "German EIGHTH Minor Depot"', "depot", "depot", ["42.19"]),
        (', "German EIGHTH Minor Depot"', "depot", "", ["43.19"]),
        (" displaced", "depot", "", []),
    ],
)
def test_whether_displaced_guns_go_along_with_a_depot_is_a_ruling(
    with_it: str, rule: str, ruling: str, found: list[str]
) -> None:
    line = "41.19|42.19 rail1\n42.19 operational=central-powers"
    text = f"{GUNS}{with_it}\n43.19: german infantry XX A\n{line}\n"
    report = asked("G", text + (f"ruling displaced-with-depot={rule}" if rule else ""))
    assert (ruled(report, "displaced-with-depot"), hexes(report)) == (ruling, found)


@pytest.mark.rule("9.5.1")
@pytest.mark.parametrize(
    ("crossing", "gone"),
    [("crossing=no-crossing", True), ("crossing=ferry", False), ("crossing=no-crossing rail1", False), ("", False)],
)
def test_nobody_goes_over_a_grand_river_without_a_crossing(crossing: str, gone: bool) -> None:
    """The friend is next to the guns, across the river, and all other ways to him are shut."""
    others = [place for place in load_game(GAME).board("").neighbours("41.19") if place not in ("42.19", "40.20")]
    text = f"{GUNS}\n42.19: german infantry XX A\n{around(*others)}".replace("41.19|42.19 open", "")
    position = typed(ENEMY.replace("41.19|42.19 open\n", "") + f"{text}\n41.19|42.19 grand-river {crossing}")
    assert answered(position, "displace", unit="G").result.eliminated is gone


# --- over a river -----------------------------------------------------------------------------------------------------

RIVER = "40.20: {enemy}\n41.19: {unit}\n43.19: german infantry XX A\n40.20|41.19 {river}\n41.19|42.19 open\n42.19|43.19 open"


@pytest.mark.rule("4.1.1a")
@pytest.mark.parametrize("unit", ["german artillery - G", "german corps-train - G"])
@pytest.mark.parametrize(
    ("river", "crossing", "must"),
    [
        ("major-river", None, False),
        ("major-river", "40.20", True),
        ("grand-river", "40.20", True),
        ("minor-river", None, True),
        ("lake", "40.20", False),
    ],
)
def test_who_begins_to_cross_a_great_river_has_his_zone_reach_over_it(
    unit: str, river: str, crossing: str | None, must: bool
) -> None:
    position = typed(RIVER.format(unit=unit, river=river, enemy="25/3"))
    assert answered(position, "displace", unit="G", crossing=crossing).result.must is must


@pytest.mark.rule("4.1.1a")
def test_a_combat_unit_with_it_is_enough_and_guns_that_cross_are_none() -> None:
    held = RIVER.format(unit="german artillery - G, german infantry XX B", river="major-river", enemy="25/3")
    assert answered(typed(held), "displace", unit="G", crossing="40.20").result.must is False
    guns = RIVER.format(unit="german artillery - G", river="major-river", enemy="russian artillery - H")
    for crossing, said in (("40.20", "no enemy combat unit in 40.20"), ("43.19", "no enemy combat unit in 43.19")):
        with pytest.raises(InputError, match=said):
            answered(typed(guns), "displace", unit="G", crossing=crossing)
    far = RIVER.format(unit="german artillery - G", river="major-river", enemy="25/3") + "\n45.19: 27/3"
    with pytest.raises(InputError, match="45.19 is not adjacent to 41.19"):
        answered(typed(far), "displace", unit="G", crossing="45.19")


# --- Corps Trains -----------------------------------------------------------------------------------------------------

TRAIN = '41.19: "German 1 Train"'


@pytest.mark.rule("9.8", "9.8.1", "9.8.1b")
def test_a_train_retreats_three_hexes_and_turns_to_extended_mode() -> None:
    report = asked("German 1 Train", TRAIN)
    board = load_game(GAME).board("")
    assert report.result.must
    assert {len(refuge.way) for refuge in report.result.refuges} == {3}
    assert "44.19" in hexes(report)
    assert all(board.distance("41.19", hex) <= 3 for hex in hexes(report))
    assert any("Extended Mode" in text for text in told(report))
    gone = asked("German 1 Train", TRAIN, '"to.German 1 Train"=44.19')
    assert [(one.track, one.after, one.rule) for one in gone.changes] == [
        ("place", "44.19", "9.8.1"),
        ("extended", True, "9.8.1"),
    ]
    again = asked("German 1 Train", f"{TRAIN} extended", '"to.German 1 Train"=44.19')
    assert [one.track for one in again.changes] == ["place"], "it shows that side already"


@pytest.mark.rule("9.8.1")
def test_a_train_goes_into_no_hex_that_a_supply_unit_of_the_enemy_holds() -> None:
    held = asked("German 1 Train", f"{TRAIN}\n44.19: russian corps-train - S")
    assert "44.20" in hexes(held) and "44.19" not in hexes(held)


@pytest.mark.rule("9.8.1", "23.4.1")
@pytest.mark.parametrize(
    ("nation", "enemy", "goes"), [("austro-hungarian", "russian", True), ("russian", "german", False)]
)
def test_no_russian_train_goes_into_a_half_hex(nation: str, enemy: str, goes: bool) -> None:
    text = f"17.111: {nation} corps-train - T\n17.110: {enemy} infantry XX R\n17.110|17.111 open"
    report = answered(typed(text), "displace", unit="T")
    assert ("17.114" in hexes(report), "18.114" in hexes(report)) == (goes, True)


@pytest.mark.rule("9.8.1", "9.8.1b")
def test_fewer_hexes_only_if_it_cannot_and_to_a_combat_unit() -> None:
    board = load_game(GAME).board("")
    ring = {far for near in board.neighbours("42.19") for far in board.neighbours(near)} - {"42.19"}
    ring -= set(board.neighbours("42.19")) | {"41.19"}
    shut = TRAIN + "\n42.19: german infantry XX A\n" + around(*sorted(ring - {"40.20"}))
    assert hexes(asked("German 1 Train", shut)) == ["42.19"]
    friends = asked("German 1 Train", f"{TRAIN}\n42.19: german infantry XX A")
    assert "44.19" in hexes(friends) and "42.19" not in hexes(friends), "three hexes are open"
    assert asked("German 1 Train", shut.replace("german infantry XX A", "german corps-train - T")).result.eliminated


# --- depots -----------------------------------------------------------------------------------------------------------

DEPOT = '41.19: "German EIGHTH Minor Depot"'
LINE = """41.19|42.19 rail1
42.19|43.19 rail1
43.19|44.19 rail1
41.19 operational=central-powers
42.19 operational=central-powers
43.19 operational=central-powers
44.19 operational=russian"""


@pytest.mark.rule("9.9")
def test_a_depot_goes_along_its_own_rr_line() -> None:
    position = typed(f"40.20: 25/3\n{DEPOT}\n{LINE}")
    report = answered(position, "displace", unit="German EIGHTH Minor Depot")
    assert (report.result.must, hexes(report), ruled(report, "depot-stuck")) == (True, ["42.19", "43.19"], "")


@pytest.mark.rule("9.9")
def test_a_line_of_which_nothing_is_said_is_asked_for_and_one_that_is_not_there_loses_the_depot() -> None:
    position = f"40.20: 25/3\n{DEPOT}\n"
    report = answered(typed(position), "displace", unit="German EIGHTH Minor Depot")
    assert [ask.name for ask in report.asks] == ["line"]
    around = ",".join(load_game(GAME).board("").neighbours("41.19"))
    others = around.replace("42.19,", "").replace(",42.19", "")
    whose = f"{position}41.19|{others} no-rail\n41.19|42.19 rail1"
    report = answered(typed(whose), "displace", unit="German EIGHTH Minor Depot")
    assert [ask.name for ask in report.asks] == ["line"], "whose line it is, nobody has said"
    gone = answered(typed(f"{position}41.19|{around} no-rail"), "displace", unit="German EIGHTH Minor Depot")
    assert gone.result.eliminated
    agreed = f"{position}41.19|{around} no-rail\nruling depot-stuck=stays"
    stays = answered(typed(agreed), "displace", unit="German EIGHTH Minor Depot")
    assert (stays.result.eliminated, stays.changes, stays.verdict.kind) == (False, (), "no")


@pytest.mark.rule("9.9")
def test_where_all_is_typed_a_depot_without_a_line_is_lost_and_so_is_one_whose_line_is_linked_to_no_map_edge() -> None:
    whole = f"40.20: 25/3\n{DEPOT}\nside central-powers whole-network\n"
    for line in ("", f"{LINE}\n41.19,43.19 linked=none", f"{LINE}\n44.19 map-edge=central-powers"):
        report = answered(typed(whole + line), "displace", unit="German EIGHTH Minor Depot")
        assert (report.result.eliminated, report.asks) == (True, ())
    linked = answered(
        typed(f"{whole}{LINE}\n43.19 map-edge=central-powers"), "displace", unit="German EIGHTH Minor Depot"
    )
    assert hexes(linked) == ["42.19", "43.19"]


ISLAND = """turn=9
phase=movement
phasing=russian
board east
trust counters
81.26,81.27 operational=none
82.27: german {}
82.28: russian infantry XX R
"""
"""82.27 and 83.27 beside two hexes at the map edge, 84.27 and 85.27, on the German side of a line that the enemy has taken."""
LOST = "84.27 operational=none line-lost=central-powers:9:russian:movement"


@pytest.mark.rule("9.9", "8.2.4b")
def test_on_a_board_a_depot_or_train_goes_along_what_is_linked_to_its_map_edge() -> None:
    text = ISLAND.format("minor-depot - A")
    assert hexes(answered(typed(text), "displace", unit="A")) == ["84.27", "85.27"]
    assert hexes(answered(typed(text + LOST), "displace", unit="A")) == ["84.27", "85.27"]
    cut_off = text + LOST.split(" line-lost")[0]
    assert hexes(answered(typed(cut_off), "displace", unit="A")) == []
    edge = text + LOST.replace("84.27", "85.27")
    assert hexes(answered(typed(edge), "displace", unit="A")) == ["84.27", "85.27"]
    text = ISLAND.format("infantry XX A entrained destination=85.27")
    assert hexes(answered(typed(text), "displace", unit="A")) == ["84.27", "85.27"]
    assert hexes(answered(typed(text + LOST), "displace", unit="A")) == ["85.27"]
    assert hexes(answered(typed(text + LOST.replace("84.27", "85.27")), "displace", unit="A")) == []
    assert hexes(answered(typed(text + LOST.split(" line-lost")[0]), "displace", unit="A")) == []


@pytest.mark.rule("9.9", "23.4.1")
@pytest.mark.parametrize(
    ("nation", "side", "enemy", "ends"),
    [
        ("russian", "russian", "german", ["06.114"]),
        ("austro-hungarian", "central-powers", "russian", ["06.114", "07.114"]),
    ],
)
def test_no_russian_depot_goes_into_a_half_hex(nation: str, side: str, enemy: str, ends: list[str]) -> None:
    line = "".join(f"07.113|{end} rail1\n{end} operational={side}\n" for end in ("06.114", "07.114"))
    text = f"07.113: {nation} minor-depot - D\n07.112: {enemy} infantry XX R\n07.113 operational={side}\n{line}"
    assert hexes(answered(typed(text), "displace", unit="D")) == ends


@pytest.mark.rule("9.9")
def test_of_hexes_equally_near_a_depot_is_told_the_lowest_first() -> None:
    ends = ["42.18", "42.20", "43.18", "43.19"]
    line = "41.19|42.19 rail1\n41.19,42.19 operational=central-powers\n"
    line += "".join(f"42.19|{end} rail1\n{end} operational=central-powers\n" for end in ends)
    report = answered(typed(f"40.20: 25/3\n{DEPOT}\n{line}"), "displace", unit="German EIGHTH Minor Depot")
    assert hexes(report) == ["42.19", *ends]


@pytest.mark.rule("9.9")
@pytest.mark.parametrize(
    ("lost", "ends"),
    [
        ("central-powers:9:russian:attack", ["42.19", "43.19"]),
        ("central-powers:9:russian:counter-movement", []),
        ("central-powers:8:russian:attack", []),
        ("russian:9:russian:attack", []),
    ],
)
def test_the_position_says_which_line_a_depot_has_lost_in_this_phase(lost: str, ends: list[str]) -> None:
    line = LINE.replace("42.19 operational=central-powers", f"42.19 operational=none line-lost={lost}")
    position = typed(f"turn=9\nphase=attack\nphasing=russian\n40.20: 25/3\n{DEPOT}\n{line}")
    report = answered(position, "displace", unit="German EIGHTH Minor Depot")
    assert (hexes(report) if report.result else []) == ends, "else it is asked where the line leads"
    says = "its side has lost the RR line in 42.19 in this phase, and it may still pass"
    assert (says in told(report, "Displacement")) == bool(ends)


def line_to(east: int, row: int = 19) -> str:
    """A RR line of Germans from 41.19 along a row, and nobody next to it but the enemy who has come."""
    hexes = [f"{column:02}.{row}" for column in range(41, east + 1)]
    links = [f"{one}|{other} rail2" for one, other in pairwise(hexes)]
    return "\n".join([*links, *(f"{hex} operational=central-powers" for hex in hexes)])


@pytest.mark.rule("9.9")
def test_a_line_that_is_known_to_be_the_enemys_is_not_asked_for() -> None:
    around = load_game(GAME).board("").neighbours("41.19")
    others = ",".join(hex for hex in around if hex != "42.19")
    line = f"41.19|{others} no-rail\n41.19|42.19 rail1\n42.19 operational=russian"
    report = answered(typed(f"40.20: 25/3\n{DEPOT}\n{line}"), "displace", unit="German EIGHTH Minor Depot")
    assert (report.asks, report.result.eliminated) == ((), True)


@pytest.mark.rule("9.9")
def test_a_depot_goes_up_to_fifteen_hexes() -> None:
    report = answered(typed(f"40.20: 25/3\n{DEPOT}\n{line_to(60)}"), "displace", unit="German EIGHTH Minor Depot")
    assert hexes(report) == [f"{column}.19" for column in range(42, 57)]
    assert [len(refuge.way) for refuge in report.result.refuges] == list(range(1, 16))


@pytest.mark.rule("9.9")
@pytest.mark.parametrize(
    ("enemy", "found"), [("44.18", ["42.19", "43.19", "45.19"]), ("44.19", ["42.19"]), ("43.18", ["45.19"])]
)
def test_a_depot_never_stops_next_to_an_enemy(enemy: str, found: list[str]) -> None:
    """Other enemies stand in a hex of the line, or next to one; the line ends in 45.19."""
    text = f"40.20: 25/3\n{enemy}: russian infantry XX R\n{DEPOT}\n{line_to(45)}"
    assert hexes(answered(typed(text), "displace", unit="German EIGHTH Minor Depot")) == found


@pytest.mark.rule("9.9")
def test_an_enemy_who_stands_on_the_line_closes_it_unless_he_has_come_in_this_phase() -> None:
    """He stands in 44.19; 46.19 is the first hex beyond him with no enemy adjacent to it."""
    text = f"turn=9\nphase=attack\nphasing=russian\n40.20: 25/3\n44.19: russian infantry XX R\n{DEPOT}\n{line_to(47)}"

    def goes(more: str = "", **parameters: str) -> list[str]:
        return hexes(answered(typed(text + more), "displace", unit="German EIGHTH Minor Depot", **parameters))

    assert goes() == ["42.19"]
    assert goes(changed="44.19") == ["42.19", "46.19", "47.19"]
    came = "\n44.19 line-lost=central-powers:9:russian:{}"
    assert goes(came.format("attack")) == ["42.19", "46.19", "47.19"]
    assert goes(came.format("movement")) == goes(changed="43.19") == ["42.19"]


CLOSED = "the enemies in {0} have not come there in this phase, and so close the RR line (if they have: changed={0})"


@pytest.mark.rule("9.9")
@pytest.mark.parametrize(
    ("enemy", "more", "closing"),
    [
        ("44.19", "", "44.19"),
        ("44.19", "\n44.19 line-lost=central-powers:9:russian:attack", ""),
        ("42.20", "\n42.20 operational=central-powers", ""),
        ("42.20", "\n42.20 operational=central-powers\n42.19|42.20 rail1", "42.20"),
        ("42.20", "\n42.20 operational=central-powers\n42.19|42.20 rail1 narrow", ""),
        ("42.20", "\n42.20 operational=none\n42.19|42.20 rail1", ""),
        ("42.20", "\n42.19|42.20 rail1", ""),
        ("44.19", "\n44.19 line-lost=central-powers:9:russian:attack\n46.19: russian infantry XX S", "46.19"),
        ("56.19", "", "56.19"),
        ("57.19", "", ""),
    ],
)
def test_enemies_who_are_taken_to_close_the_line_are_named(enemy: str, more: str, closing: str) -> None:
    """The line leads from 41.19 to 60.19; 56.19 is fifteen hexes away, as far as a depot goes."""
    head = f"turn=9\nphase=attack\nphasing=russian\n40.20: 25/3\n{enemy}: russian infantry XX R\n{DEPOT}\n"
    report = answered(typed(head + line_to(60) + more), "displace", unit="German EIGHTH Minor Depot")
    named = [line for line in told(report, "Assumed") if line.startswith("the enemies in")]
    assert named == ([CLOSED.format(closing)] if closing else [])


# --- Praga ------------------------------------------------------------------------------------------------------------

PRAGA = '60.46: "PRAGA (Tannenberg)" russian major-depot'


@pytest.mark.rule("24.5.2")
@pytest.mark.parametrize(
    ("near", "kind", "changes"),
    [
        ("60.45: german infantry XX G", "yes", [("place", None, "24.5.2"), ("departed", "removed", "24.5.2")]),
        ("60.45: austro-hungarian infantry XX G", "no", []),
        ("60.44: german infantry XX G", "no", []),
    ],
)
def test_praga_comes_off_the_map_when_a_german_unit_is_next_to_it(
    near: str, kind: str, changes: list[tuple[str, str | None, str]]
) -> None:
    report = answered(typed(f"{PRAGA}\n{near}"), "displace", unit="PRAGA (Tannenberg)")
    assert (report.verdict.kind, report.result.eliminated, report.result.removed) == (kind, False, bool(changes))
    assert [(one.track, one.after, one.rule) for one in report.changes] == changes
    assert hexes(report) == []


@pytest.mark.rule("24.5.2")
@pytest.mark.parametrize(
    ("near", "back"), [("60.44: german infantry XX G", ["60.46"]), ("60.45: german infantry XX G", [])]
)
def test_praga_comes_back_the_moment_no_german_unit_is_next_to_its_hex(near: str, back: list[str]) -> None:
    position = typed(f"{PRAGA}\n{near}")
    units = {**position.state.units}
    units["PRAGA (Tannenberg)"] = msgspec.structs.replace(units["PRAGA (Tannenberg)"], place=None)
    position = msgspec.structs.replace(position, state=msgspec.structs.replace(position.state, units=units))
    report = answered(position, "displace", unit="PRAGA (Tannenberg)")
    assert [(one.before, one.after) for one in report.changes] == [(None, hex) for hex in back]
    assert report.verdict.kind == ("yes" if back else "no")


@pytest.mark.rule("24.5.2")
def test_praga_off_the_map_is_not_destroyed_and_bears_nothing_once_it_is_back() -> None:
    position = typed(f"{PRAGA}\n60.45: german infantry XX G")
    gone = carried_on(position, answered(position, "displace", unit="PRAGA (Tannenberg)"))
    assert not is_destroyed(View(gone.game, gone.state), "PRAGA (Tannenberg)")
    clear = apply_changes(gone.game, gone.state, [Change("place", "G", "60.45", "60.44", "8.1")])
    report = answered(gone.with_state(clear), "displace", unit="PRAGA (Tannenberg)")
    assert values(report) == {("place", "PRAGA (Tannenberg)"): "60.46", ("departed", "PRAGA (Tannenberg)"): None}


@pytest.mark.rule("1.1")
@pytest.mark.parametrize(("campaign", "near"), [("", "60.45"), ("campaign\n", "60.45"), ("", "60.44")])
def test_nobody_crosses_into_a_depot_off_the_map(campaign: str, near: str) -> None:
    position = typed(f"{campaign}{PRAGA}\n{near}: german infantry XX G")
    units = {**position.state.units}
    units["PRAGA (Tannenberg)"] = msgspec.structs.replace(units["PRAGA (Tannenberg)"], place=None)
    position = msgspec.structs.replace(position, state=msgspec.structs.replace(position.state, units=units))
    with pytest.raises(InputError, match=r"crossing: PRAGA \(Tannenberg\) is not on the map"):
        answered(position, "displace", unit="PRAGA (Tannenberg)", crossing=near)


RAILS = "\n60.46|59.46 rail2\n60.46 operational=russian\n59.46 operational=russian\n60.45: german infantry XX G"


@pytest.mark.rule("24.5.1", "24.5.2", "9.9", "1.1")
@pytest.mark.parametrize("name", ["PRAGA", "PRAGA (Tannenberg)"])
def test_praga_never_moves_and_in_the_grand_campaign_no_scenario_takes_it_off(name: str) -> None:
    position = f'campaign\n60.46: russian major-depot - "{name}"'
    assert answered(typed(position), "displace", unit=name).result.must is False
    lost = answered(typed(position + RAILS), "displace", unit=name)
    assert (lost.result.removed, lost.result.eliminated, hexes(lost)) == (False, True, [])
    assert (ruled(lost, "depot-stuck"), lost.changes[0].rule) == ("lost", "9.9")
    assert lost.result.why == "an enemy is adjacent to it, but it cannot move (24.5.1)"
    stays = answered(typed(position + RAILS + "\nruling depot-stuck=stays"), "displace", unit=name)
    assert (stays.result.must, stays.result.eliminated, stays.changes) == (True, False, ())
    other = answered(typed(position.replace(name, "D") + RAILS), "displace", unit="D")
    assert hexes(other) == ["59.46"], "other depots go along the line"


def test_praga_comes_back_by_being_placed_again() -> None:
    report = answered(typed(f"{PRAGA}\n60.45: german infantry XX G"), "displace", unit="PRAGA (Tannenberg)")
    assert 'place it there then (60.46: "PRAGA (Tannenberg)")' in " ".join(told(report))


RAILWAY = "phase=movement\nphasing=russian\n4023=4022=4021=4020=4019\n40.19 station\n" + (
    "40.23,40.22,40.21,40.20,40.19 operational=central-powers\n40.23: german {} A entrained destination=40.19 {}\n"
)


@pytest.mark.rule("8.2.4b")
def test_units_in_rail_mode_go_by_rail() -> None:
    text = RAILWAY.format("infantry XX", "") + "41.23: russian infantry XX R"
    report = answered(typed(text + "\nask displace unit=A\nanswers to.A=40.20"))
    assert hexes(report) == ["40.22", "40.21", "40.20", "40.19"]
    assert {(change.track, change.after) for change in report.changes} >= {("place", "40.20"), ("half", True)}  # type: ignore[union-attr]
    through = text.replace("40.22,40.21,", "40.21,") + "\n40.22 operational=none\n40.22: russian infantry XX S"
    assert hexes(answered(typed(through), "displace", unit="A", changed=("40.22",))) == ["40.20", "40.19"]
    nowhere = answered(typed(through), "displace", unit="A")
    silent = "no hex of the RR line has changed to enemy control in this phase (changed=HEXES not given)"
    assert hexes(nowhere) == [] and silent in told(nowhere, "Assumed") and silent not in told(report, "Assumed")
    kept = through.replace("40.22 operational=none", "40.22 operational=none line-lost={}")
    kept = "turn=9\n" + kept
    now, before = "central-powers:9:russian:movement", "central-powers:8:central-powers:counter-movement"
    assert hexes(answered(typed(kept.replace("{}", now)), "displace", unit="A")) == ["40.20", "40.19"]
    assert hexes(answered(typed(kept.replace("{}", before)), "displace", unit="A")) == []
    assert report.result.refuges[1].way == ("40.22", "40.21")
    beside = answered(
        typed(text + "\n40.21: german infantry XX B\n40.22: russian corps-train - S"), "displace", unit="A"
    )
    assert [(refuge.hex, refuge.with_) for refuge in beside.result.refuges][:2] == [("40.21", ("B",)), ("40.20", ())]
    assert "train-stuck" not in rulings(report)
    lost = answered(typed(through + "\nruling train-stuck=lost"), "displace", unit="A")
    assert lost.result.eliminated and not answered(typed(through), "displace", unit="A").result.eliminated


@pytest.mark.rule("8.2.4b")
@pytest.mark.parametrize(
    ("more", "parameters", "ends", "supposed"),
    [
        ("", {}, ["40.20", "40.19"], True),
        ("\n40.22 operational=none", {}, [], False),
        ("\n40.22 operational=none", {"changed": ("40.22",)}, ["40.20", "40.19"], False),
        ("", {"changed": ("40.22",)}, ["40.20", "40.19"], False),
    ],
)
def test_what_is_supposed_of_enemies_whom_a_unit_in_rail_mode_passes(
    more: str, parameters: dict[str, Any], ends: list[str], supposed: bool
) -> None:
    text = RAILWAY.format("infantry XX", "") + "41.23: russian infantry XX R\n40.22: russian infantry XX S"
    text = text.replace("40.22,40.21,", "40.21,") + (more or "\n40.22 operational=central-powers")
    report = answered(typed(text), "displace", unit="A", **parameters)
    said = "the enemies in 40.22 have come there in this phase, and so do not close the RR line (else 40.22 operational=none)"
    assert (hexes(report), said in told(report, "Assumed")) == (ends, supposed)


@pytest.mark.rule("8.2.4b")
def test_a_unit_in_rail_mode_goes_though_the_enemy_that_came_adjacent_has_gone_on() -> None:
    text = RAILWAY.format("infantry XX", "") + "44.23: russian infantry XX R"
    assert not answered(typed(text), "displace", unit="A").result.must
    caught = answered(typed(f'{text}\nA must-leave="40.23 41.23"'), "displace", unit="A")
    assert (caught.result.must, hexes(caught)) == (True, ["40.22", "40.21", "40.20", "40.19"])


@pytest.mark.rule("8.2.4b")
def test_which_units_in_rail_mode_stay() -> None:
    text = RAILWAY.format("infantry XX", "")
    stays = answered(typed(text + "41.23: russian corps-train - T"), "displace", unit="A")
    assert told(stays, "Displacement") == ["no enemy combat or artillery unit is adjacent to it"]
    guns = answered(typed(text + "41.23: russian artillery X T"), "displace", unit="A")
    assert guns.result.must
    busy = RAILWAY.format("infantry XX", "task=detraining expended=1") + "41.23: russian infantry XX R"
    assert told(answered(typed(busy), "displace", unit="A"), "Displacement") == [
        "it has begun to detrain, and bears a 1/2 marker instead"
    ]
    for other in ("task=trans-shipping expended=1", "task=detraining"):
        goes = RAILWAY.format("infantry XX", other) + "41.23: russian infantry XX R"
        assert answered(typed(goes), "displace", unit="A").result.must
    away = RAILWAY.format("infantry XX", "off-map=40.19:3") + "41.23: russian infantry XX R"
    assert told(answered(typed(away), "displace", unit="A"), "Displacement") == ["it is under way off the map"]
    unnamed = (text + "41.23: russian infantry XX R").replace("destination=40.19", "")
    assert [ask.name for ask in answered(typed(unnamed), "displace", unit="A").asks] == ["A destination=HEX"]


@pytest.mark.rule("8.2.4b")
@pytest.mark.parametrize(("gauge", "ends"), [("broad", ["40.22", "40.21"]), ("standard", [])])
def test_a_russian_train_displaces_along_its_gauge(gauge: str, ends: list[str]) -> None:
    text = (
        RAILWAY.format("infantry XX", f"train-gauge={gauge}")
        .replace("german", "russian")
        .replace("central-powers\n40.23", "russian\n40.23")
    )
    text += "40.23|40.22,40.22|40.21 gauge=broad\n40.21|40.20,40.20|40.19 gauge=standard\n41.23: german infantry XX R\n40.21 station"
    assert hexes(answered(typed(text), "displace", unit="A")) == ends


TWO_WAYS = """turn=5
phase=movement
phasing=central-powers
4023=4022=4021=3921=3922=4023
40.22,40.21 station
40.23,40.22,40.21,39.21,39.22 operational=russian
40.23|40.22,40.23|39.22,39.22|39.21,39.21|40.21 gauge=broad
40.22|40.21 gauge=standard
40.23: russian infantry XX A entrained destination=40.21 train-gauge=broad rail-cost=1/2
41.23: german infantry XX R
"""
"""Two hexes with a place to trans-ship, or three without."""


@pytest.mark.rule("8.2.4b")
def test_the_rate_is_asked_for_where_a_displacing_train_goes_another_way_at_another() -> None:
    assert [ask.name for ask in answered(typed(TWO_WAYS), "displace", unit="A").asks] == ["rate"]
    assert hexes(answered(typed(TWO_WAYS), "displace", unit="A", rate=1)) == ["40.22"]
    assert hexes(answered(typed(TWO_WAYS), "displace", unit="A", rate=12)) == ["39.22", "39.21", "40.21"]
    recorded = TWO_WAYS.replace("turn=5", "turn=9")
    assert hexes(answered(typed(recorded), "displace", unit="A")) == ["39.22", "39.21", "40.21"]


OFF_MAP_RAILWAY = """turn=9
phase=movement
phasing=russian
4020=4021=4022=4023
5019=5020
50.20 station
40.23,50.19 map-edge=central-powers
40.23 off-map-double=50.19:16
40.20: german infantry XX A entrained destination=50.20
39.20: russian infantry XX R
"""


@pytest.mark.rule("8.2.4b")
def test_a_train_displaces_toward_a_destination_beyond_the_edge_of_the_map() -> None:
    assert hexes(answered(typed(OFF_MAP_RAILWAY), "displace", unit="A")) == ["40.22", "40.23"]
    without = OFF_MAP_RAILWAY.replace("40.23 off-map-double=50.19:16\n", "")
    assert hexes(answered(typed(without), "displace", unit="A")) == []


def test_what_is_not_stated_is_said_to_be_taken_for_granted() -> None:
    report = asked("G", f"{GUNS}\n43.19: german infantry XX A")
    granted = told(report, "Assumed")
    assert granted == ["42.20|43.19 can be crossed (not stated)"]


@pytest.mark.rule("22.5.1", "9.8.1")
def test_the_train_of_königsberg_never_moves() -> None:
    text = 'turn=5\n{}60.17: "KG Train"\n60.18: russian infantry XX R\n60.17|60.18 open'
    stays = answered(typed(text.format("")), "displace", unit="KG Train")
    assert (stays.result.must, stays.result.why) == (False, "it never moves, and defends its hex (22.5.1)")
    lost = answered(typed(text.format("ruling lone-kg-train=lost\n")), "displace", unit="KG Train")
    assert (lost.result.must, lost.result.eliminated, lost.result.refuges) == (True, True, ())
    guarded = text.format("ruling lone-kg-train=lost\n").replace('"KG Train"', '"KG Train", german infantry XX G')
    assert answered(typed(guarded), "displace", unit="KG Train").result.why == "a friendly combat unit is with it"


# --- units that never move --------------------------------------------------------------------------------------------


@pytest.mark.rule("22.4.1")
@pytest.mark.parametrize(
    ("near", "flees"),
    [
        ("", True),
        ("\n40.20: russian cavalry XX C", True),
        ("\n41.19: german infantry XX G", True),
    ],
)
def test_a_landsturm_abteilung_flees_from_russian_infantry_whoever_is_with_it(near: str, flees: bool) -> None:
    report = asked("Tilsit", f"41.19: german infantry II Tilsit asset{near}")
    kept = [("41.19", "central-powers", "4.3")] * (not near.startswith("\n41.19"))
    assert (report.result.eliminated, [(one.subject, one.after, one.rule) for one in report.changes]) == (
        flees,
        [("Tilsit", None, "22.4.1"), *kept],
    )
    never = "but it never moves (22.4.1)"
    assert report.verdict.text == f"Tilsit is eliminated: Russian infantry is adjacent to it, {never}"


@pytest.mark.rule("22.4.1")
@pytest.mark.parametrize(
    "others", ["40.20: russian cavalry XX C", "40.21: russian infantry XX R", "40.20: german infantry XX G", ""]
)
def test_from_nothing_else(others: str) -> None:
    report = answered(typed(f"41.19: german infantry II Tilsit asset\n{others}"), "displace", unit="Tilsit")
    assert (report.result.must, report.result.why, report.changes) == (
        False,
        "no Russian infantry is adjacent to it",
        (),
    )


@pytest.mark.rule("22.4.1")
def test_other_infantry_is_refused() -> None:
    with pytest.raises(InputError, match="Memel is neither artillery nor a supply unit"):
        asked("Memel", "41.19: german infantry II Memel asset")


@pytest.mark.rule("22.4.2")
def test_an_immobile_battery_is_destroyed_where_other_guns_would_go() -> None:
    text = "41.19: german artillery - {}\n43.19: german infantry XX A"
    report = asked("Nikolaiken", text.format("Nikolaiken"))
    gone = [(None, "22.4.2"), ("central-powers", "4.3")]
    assert (report.result.eliminated, [(one.after, one.rule) for one in report.changes]) == (True, gone)
    never = "it is in an EZOC without a friendly combat unit, and never moves (22.4.2)"
    assert report.verdict.text == f"Nikolaiken is eliminated: {never}"
    assert hexes(asked("G", text.format("G"))) == ["43.19"]
    kept = asked("Schimonken", text.format("Schimonken") + "\n41.19: german infantry XX B")
    assert kept.result.why == "a friendly combat unit is with it"


# --- why nothing is open ----------------------------------------------------------------------------------------------


@pytest.mark.rule("9.5.1", "9.8.1")
def test_what_finds_no_refuge_is_told_what_closes_each_hex() -> None:
    neighbours = load_game(GAME).board("").neighbours("41.19")
    lakes = "\n".join(f"41.19|{hex} lake" for hex in neighbours if hex not in ("40.20", "42.19"))
    text = f"40.20: 25/3\n40.20|41.19 open\n{lakes}\n"
    lake = "the hexside cannot be crossed: lake"
    closed = [f"{hex}: {lake}" for hex in neighbours if hex not in ("40.20", "42.19")]
    report = answered(typed(text + GUNS), "displace", unit="G")
    said = told(report, "No way out")
    assert sorted(said[:-1]) == sorted([*closed, "40.20: enemies stand there"])
    assert said[-1] == "by 42.19 no friendly unit is within 3 hexes"
    shut = f"{text}{TRAIN}\n" + "\n".join(
        f"42.19|{hex} lake" for hex in load_game(GAME).board("").neighbours("42.19") if hex != "41.19"
    )
    train = told(answered(typed(shut), "displace", unit="German 1 Train"), "No way out")
    assert train[-1] == "by 42.19 no way goes on for 3 hexes, and none leads to a friendly combat unit"
    goes = answered(typed(f"{text}{GUNS}\n43.19: german infantry XX A"), "displace", unit="G")
    assert told(goes, "No way out") == []
    shut_in = answered(typed(f"{text}41.19|42.19 lake\n{GUNS}"), "displace", unit="G")
    assert sorted(told(shut_in, "No way out")) == sorted([*closed, "40.20: enemies stand there", f"42.19: {lake}"])
    marked = answered(typed(f"{text}{GUNS} displaced"), "displace", unit="G")
    assert marked.result.eliminated and told(marked, "No way out") == []


@pytest.mark.rule("22.5.1", "9.8.1")
@pytest.mark.parametrize("reading", ["stays", "lost"])
def test_any_other_train_in_its_place_retreats_three_hexes(reading: str) -> None:
    text = f"turn=5\nruling lone-kg-train={reading}\n60.17: german corps-train - T\n"
    report = answered(typed(f"{text}60.18: russian infantry XX R\n60.17|60.18 open"), "displace", unit="T")
    assert (report.result.must, report.result.eliminated) == (True, False)
    assert {len(refuge.way) for refuge in report.result.refuges} == {3}
