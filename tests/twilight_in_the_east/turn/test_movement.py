"""What units owe in a phase in which a side moves or attacks (5.4.6 to 5.4.9)."""

from __future__ import annotations

import pytest

from ...conftest import values
from .listing import followed, listed, states

DIGGER = "44.20: russian infantry XX A (10-10-2-10) task=position expended=4 movement=6 {}"


@pytest.mark.rule("8.9.2")
def test_a_unit_goes_on_first_with_the_task_that_it_has_begun() -> None:
    (item,) = listed(DIGGER.format(""), "movement", "tasks")
    assert (item.state, item.units, item.ask) == ("owed", ("A",), "dig-in unit=A points=3")
    assert item.text.endswith("A has begun an Improved Position and needs 3 more Movement Points")
    assert listed(DIGGER.format("spent=march:5"), "movement", "tasks")[0].ask == "dig-in unit=A points=1"
    assert states(listed(DIGGER.format("spent=march:5.5"), "movement", "tasks")) == [("done", ("A",))]
    assert states(listed(DIGGER.format("spent=march:2.5"), "counter-movement", "tasks", "central-powers")) == [
        ("done", ("A",))
    ]
    (item,) = listed(DIGGER.format("spent=march:1"), "counter-movement", "tasks", "central-powers")
    assert item.ask == "dig-in unit=A points=2"
    assert states(listed(DIGGER.format(""), "counter-movement", "tasks")) == [("impossible", ())]


def test_a_task_whose_unit_spends_nothing_is_not_owed() -> None:
    (item,) = listed(DIGGER.format("half"), "movement", "tasks")
    assert (item.state, item.rule) == ("impossible", "8.2.5")


@pytest.mark.parametrize(
    ("task", "ask"),
    [
        ("recovery", "recover unit=A points=3"),
        ("disorder", "recover unit=A points=3"),
        ("ersatz", ""),
        ("entraining", "rail units=A"),
    ],
)
def test_each_task_has_its_question(task: str, ask: str) -> None:
    text = f"44.20: russian infantry XX A (10-10-2-10) cel=-3 task={task} expended=4"
    (item,) = listed(text, "movement", "tasks")
    assert (item.state, item.ask) == ("owed", ask)
    assert ("more Movement Points" in item.text) == (task != "entraining")


@pytest.mark.rule("8.9.2")
def test_a_task_without_an_allowance_is_owed_until_anything_is_spent_on_it() -> None:
    text = "44.20: russian infantry XX A (10-10-2-10) task=position expended=4 {}"
    assert listed(text.format("spent=march:1"), "movement", "tasks")[0].state == "owed"
    assert listed(text.format("spent=position:1"), "movement", "tasks")[0].state == "done"


def test_units_in_rail_mode_spend_all_their_points() -> None:
    text = """44.20: russian infantry XX A (10-10-2-10) entrained movement=4 spent=rail:2
44.22: russian infantry XX B (10-10-2-10) entrained movement=4 spent=rail:4
44.24: russian infantry XX C (10-10-2-10) entrained movement=4 spent=entraining:2+rail:2
44.26: russian infantry XX E (10-10-2-10) entrained=no movement=4
44.28: german infantry XX D (10-10-2-10) entrained movement=4"""
    assert states(listed(text, "movement", "rail")) == [("owed", ("A",)), ("done", ("B", "C"))]
    assert states(listed(text, "counter-movement", "rail")) == [("owed", ("D",))]
    assert states(listed("", "movement", "rail")) == [("impossible", ())]
    assert (listed(text, "movement", "rail")[0].rule, listed(text, "movement", "rail")[0].ask) == (
        "8.2.3",
        "rail units=A",
    )


@pytest.mark.rule("8.2.6")
@pytest.mark.parametrize(
    ("phase", "used", "waits"),
    [
        ("movement", "8", True),
        ("movement", "7.5", True),
        ("movement", "7", False),
        ("counter-movement", "4", True),
        ("counter-movement", "3", False),
    ],
)
def test_what_cannot_be_done_at_a_full_station_is_not_owed(phase: str, used: str, *, waits: bool) -> None:
    side = "russian" if phase == "movement" else "central-powers"
    station = f"44.20 station-used={used}\n44.20: russian infantry XX A (10-10-2-10) movement=7 rail-cost=4 "
    for name, unit in (
        ("tasks", "task=entraining expended=2"),
        ("tasks", "entrained destination=44.20 task=detraining expended=2"),
        ("rail", "entrained destination=44.20"),
    ):
        (item,) = listed(station + unit, phase, name, side)
        assert item.state == ("impossible" if waits else "owed")
        assert item.text.endswith("the RR Station in 44.20 serves no more in this phase") == waits
    (under_way,) = listed(station + "entrained destination=44.30", phase, "rail", side)
    assert under_way.state == "owed"
    for work in ("task=position", "task=position destination=44.20", "entrained destination=44.30 task=entraining"):
        (at_work,) = listed(f"{station} expended=1 {work}", phase, "tasks", side)
        assert not at_work.text.endswith("serves no more in this phase")


@pytest.mark.rule("8.2.6")
def test_a_station_serves_half_a_point_where_that_is_all_that_is_needed() -> None:
    text = "44.20 station-used=7.5\n44.20: russian infantry X A (1-1-0-9) movement=7 rail-cost={} entrained "
    assert listed(text.format("0.5") + "destination=44.20", "movement", "rail")[0].state == "owed"
    assert listed(text.format("1.5") + "destination=44.20", "movement", "rail")[0].state == "impossible"
    begun = text.format("1.5") + "destination=44.20 task=detraining expended=1"
    assert listed(begun, "movement", "rail")[0].state == "owed"
    unknown = text.replace(" rail-cost={}", "") + "destination=44.20"
    assert listed(unknown, "movement", "rail")[0].state == "impossible"


TRANS_SHIPS = """6152=6052=5952=5852=5752
59.52 station
57.52 station
61.52|60.52,60.52|59.52 gauge=standard
59.52|58.52,58.52|57.52 gauge=broad
nation russian rail-points={} euro-gauge-points=9 warsaw-points=9
59.52: russian infantry X A (1-1-0-9) movement=7 rail-cost=2 entrained destination=57.52 train-gauge=standard {}"""


@pytest.mark.rule("17.2.2")
@pytest.mark.parametrize(
    ("points", "more", "state"),
    [
        ("1", "", "impossible"),
        ("2", "", "owed"),
        ("1", "spent=rail:5", "impossible"),
        ("1", "spent=rail:6", "owed"),
        ("1", "task=trans-shipping expended=1 spent=rail:6", "impossible"),
    ],
)
def test_a_train_that_waits_for_rail_points_owes_nothing(points: str, more: str, state: str) -> None:
    (item,) = listed(TRANS_SHIPS.format(points, more), "movement", "rail")
    assert item.state == state
    if state == "impossible":
        assert item.text.endswith("A waits: it needs 1 more Rail Point to trans-ship in 59.52")


@pytest.mark.rule("17.2.2")
def test_a_train_that_can_go_on_without_rail_points_does_not_wait() -> None:
    text = TRANS_SHIPS.format("1", "")
    before = text.replace("59.52: russian", "60.52: russian")
    beyond = text.replace("59.52: russian", "58.52: russian").replace("=standard \n", "=broad\n")
    cut = text + "\n58.52 operational=none"
    unknown = (
        text.replace(" rail-cost=2", ""),
        text.replace(" movement=7", ""),
        text.replace(" destination=57.52", ""),
    )
    elsewhere = before.replace("rail-points=1 euro-gauge-points=9", "rail-points=1 euro-gauge-points=0")
    for goes in (
        before,
        elsewhere.replace("warsaw-points=9", "warsaw-points=0"),
        beyond.replace("train-gauge=standard", "train-gauge=broad"),
        cut,
        *unknown,
    ):
        assert listed(goes, "movement", "rail")[0].state == "owed"


MARCHER = "44.20: russian infantry XX A (10-10-2-10) movement=7 {}"


def test_a_forced_march_owes_its_check_an_asset_unit_with_its_formation() -> None:
    (item,) = listed(MARCHER.format("spent=march:8.5"), "movement", "forced-marches")
    assert (item.state, item.rule, item.units, item.ask) == ("owed", "8.3.2", ("A",), "forced-march unit=A")
    assert item.text.endswith("A for 2 Movement Points")
    counter = listed(MARCHER.format("spent=march:4.5"), "counter-movement", "forced-marches", "central-powers")
    assert states(counter) == [("owed", ("A",))]
    for rest in ("spent=march:7", "", "spent=march:8 checked"):
        assert states(listed(MARCHER.format(rest), "movement", "forced-marches")) == [("done", ())]
    asset = ", russian cavalry XX B (3-3-0-10) movement=7 asset"
    guns = MARCHER + asset + " with=A spent=march:8"
    assert states(listed(guns.format("spent=march:8"), "movement", "forced-marches")) == [("owed", ("A",))]
    assert states(listed(guns.format("spent=march:7"), "movement", "forced-marches")) == [("owed", ("B",))]


def test_a_unit_at_its_destination_needs_a_whole_point_to_detrain() -> None:
    text = "44.20: russian infantry XX A (10-10-2-10) entrained destination={} movement=7 spent=entraining:5+rail:{} {}"
    assert states(listed(text.format("44.20", "7/4", ""), "movement", "rail")) == [("done", ("A",))]
    assert states(listed(text.format("44.20", "1", ""), "movement", "rail")) == [("owed", ("A",))]
    assert states(listed(text.format("44.30", "7/4", ""), "movement", "rail")) == [("owed", ("A",))]
    assert states(listed(text.format("44.30", "7/4", "ended"), "movement", "rail")) == [("done", ("A",))]
    unstated = text.replace(" movement=7", "").replace("+rail:{}", "").replace("entraining:5", "{}")
    assert states(listed(unstated.format("44.30", "rail:1", ""), "movement", "rail")) == [("done", ("A",))]


@pytest.mark.rule("8.2.3h", "17.2.2")
def test_points_that_do_not_suffice_for_the_next_hex_of_a_train_are_not_owed() -> None:
    text = """4420-4419
44.20=44.21=44.22
44.22-44.23
44.22,44.19,44.23 station
44.20: russian infantry X A (1-1-0-9) movement=7 rail-cost=2 entrained train-gauge=broad destination={} spent=rail:{}"""
    for destination, spent, state in (
        ("44.19", "83/12", "done"),
        ("44.19", "82/12", "owed"),
        ("44.22", "83/12", "owed"),
        ("44.22", "167/24", "done"),
        ("44.23", "83/12", "owed"),
    ):
        (item,) = listed(text.format(destination, spent), "movement", "rail", turn=9)
        assert (item.state, item.units) == (state, ("A",)), (destination, spent)
    cut = text.format("44.19", "83/12") + "\n44.19 operational=none"
    assert listed(cut, "movement", "rail", turn=9)[0].state == "owed", "it is cut off, and rail says what it does"
    (unknown,) = listed(text.format("44.19", "83/12"), "movement", "rail")
    assert unknown.state == "owed", "nothing is known of the rate of the turn"


@pytest.mark.rule("8.2.3h", "17.2.2")
@pytest.mark.parametrize(
    ("cost", "more", "state"),
    [
        ("2", "spent=rail:6.5", "done"),
        ("1/2", "spent=rail:6.5", "owed"),
        ("1/2", "spent=rail:27/4", "done"),
        ("2", "spent=rail:6.5 task=trans-shipping expended=1", "done"),
    ],
)
def test_points_that_do_not_suffice_for_trans_shipping_are_not_owed(cost: str, more: str, state: str) -> None:
    text = TRANS_SHIPS.format("9", more).replace("rail-cost=2", f"rail-cost={cost}")
    (item,) = listed(text, "movement", "rail")
    assert (item.state, item.units) == (state, ("A",))


@pytest.mark.rule("8.2.3h", "8.2.8", "17.2.2")
def test_off_the_map_a_fraction_of_a_point_takes_a_train_on() -> None:
    text = """50.20 station
44.20=44.21
44.20,50.19 map-edge=russian
50.19=50.20
44.20 off-map-double=50.19:30
44.20: russian infantry X A (1-1-0-9) movement=7 rail-cost=2 entrained destination=50.20 off-map=50.19:{} spent=rail:{}"""
    for gone, spent, state in (("3", "83/12", "owed"), ("3", "167/24", "done"), ("29", "83/12", "owed")):
        (item,) = listed(text.format(gone, spent), "movement", "rail", turn=9)
        assert item.state == state, (gone, spent)


STACK = "44.20: russian infantry XX A (10-10-2-10), russian infantry XX B (10-10-2-10), russian infantry XX C (10-10-2-10){}"


@pytest.mark.rule("4.2.1")
def test_a_hex_of_the_active_side_that_holds_too_much_is_owed() -> None:
    one_more = STACK.format(", russian infantry X D (4-4-1-10)")
    (item,) = listed(one_more, "movement", "stacks")
    assert (item.state, item.places, item.ask) == ("owed", ("44.20",), "stack at=44.20 moved=yes")
    assert item.text.endswith("44.20 is over the limits by 1/2 division")
    assert states(listed(one_more, "counter-movement", "stacks")) == [("done", ())]
    assert listed(STACK.format(""), "movement", "stacks")[0].state == "done"
    assert listed(STACK.format(", russian infantry XX D (9-9-1-10) entrained"), "movement", "stacks")[0].state == "done"
    guns = ", ".join(f"russian artillery III G{n} (1-0-2-8)" for n in range(3))
    assert listed(f"44.20: {guns}", "movement", "stacks")[0].text.endswith(
        "44.20 is over the limits by 1 artillery unit"
    )


GUNS = """44.20: russian artillery III G (1-0-2-8)
44.21: german infantry XX D (10-10-2-10)
44.18: russian infantry XX A (10-10-2-10)
44.18,44.19 clear
44.20|44.21,44.19 open
44.19|44.18 open"""


def test_guns_alone_in_an_enemy_zone_must_go() -> None:
    (item,) = listed(GUNS, "movement", "displacement")
    assert (item.state, item.units, item.places, item.ask) == ("owed", ("G",), ("44.20",), "displace unit=G")
    assert item.rule == "9.5.1"
    with_them = GUNS.replace("(1-0-2-8)", "(1-0-2-8), russian infantry XX B (10-10-2-10)")
    assert states(listed(with_them, "attack", "displacement")) == [("done", ())]


def test_a_unit_in_rail_mode_next_to_an_enemy_must_go_unless_it_detrains_or_is_off_the_map() -> None:
    text = "44.20: russian infantry XX A (10-10-2-10) entrained{}\n44.21: german {}\n44.20|44.21 open"
    foot, train = "infantry XX D (10-10-2-10)", "corps-train - D"
    (item,) = listed(text.format("", foot), "movement", "displacement")
    assert (item.state, item.rule, item.ask) == ("owed", "8.2.4", "displace unit=A")
    for more, enemy in ((" task=detraining expended=1", foot), ("", train)):
        assert states(listed(text.format(more, enemy), "movement", "displacement"))[-1] != ("owed", ("A",))
    assert listed(text.format(" task=detraining", foot), "movement", "displacement")[0].state == "owed"
    assert listed(text.format(" task=position expended=1", foot), "movement", "displacement")[0].state == "owed"
    text = "44.20: russian infantry XX A (10-10-2-10) entrained {}\n44.21: german infantry XX D (10-10-2-10)\n44.20|44.21 open"
    assert states(listed(text.format("off-map=44.30:0"), "movement", "displacement")) == [("owed", ("A",))]
    assert states(listed(text.format("off-map=44.30:5"), "movement", "displacement")) == [("done", ())]


@pytest.mark.rule("8.2.3g")
@pytest.mark.parametrize(
    ("more", "lost"),
    [
        ("44.26: german infantry XX D (10-10-2-10)\n44.25|44.26 open", True),
        ("44.25: german infantry XX D (10-10-2-10)", True),
        ("44.27: german infantry XX D (10-10-2-10)", False),
        ("44.25 control=central-powers", True),
        ("44.25 control=russian", False),
        ("A entrained=no\n44.25 control=central-powers", False),
    ],
)
def test_a_lost_destination_is_owed_at_once(more: str, lost: bool) -> None:
    text = f"44.20: russian infantry XX A (10-10-2-10) destination=44.25{'' if 'entrained' in more else ' entrained'}\n{more}"
    for phase in ("movement", "counter-movement", "attack", "counter-attack"):
        (item,) = listed(text, phase, "destinations")
        assert (item.state, item.units) == (("owed", ("A",)) if lost else ("impossible", ()))
    if lost:
        assert (item.ask, item.places) == ("rail units=A", ("44.25",))


def test_a_corps_train_with_a_blank_in_its_name_is_quoted() -> None:
    text = GUNS.replace("russian artillery III G (1-0-2-8)", 'russian corps-train - "3 Train"')
    (item,) = listed(text, "counter-attack", "displacement")
    assert (item.ask, item.rule) == ('displace unit="3 Train"', "9.8.1")


BRIDGEHEAD = """12.102: austro-hungarian fort - S {}
12.103: russian infantry XX R (10-10-2-10)"""


def test_a_bridgehead_that_russians_have_reached_calls_for_its_die() -> None:
    (item,) = listed(BRIDGEHEAD.format("abandonment=3"), "movement", "bridgeheads")
    assert (item.state, item.units, item.ask) == ("owed", ("S",), "bridgehead unit=S")
    assert item.text.endswith("adjacent to S: R")
    (item,) = listed(BRIDGEHEAD.format(""), "movement", "bridgeheads")
    assert (item.state, item.text.endswith("(abandonment not stated)")) == ("possible", True)
    assert states(listed(BRIDGEHEAD.format("abandonment=3 tested"), "movement", "bridgeheads")) == [("impossible", ())]


def test_retreats_are_owed_by_whoever_owes_hexes() -> None:
    text = """44.20: russian infantry XX A owes=2 retreat-cause=crt, german infantry XX "B 1" owes=1
44.22: russian infantry XX C owes=1 retreat-cause=repulse
44.24: russian infantry XX D owes=0""".replace('german infantry XX "B 1"', 'russian infantry XX "B 1"')
    items = listed(text, "attack", "retreats")
    assert [(item.state, item.units, item.rule) for item in items] == [
        ("owed", ("A", "B 1"), "11.2.1"),
        ("owed", ("C",), "8.5.2"),
    ]
    assert items[0].ask == 'retreat at=44.20 units=A,"B 1"'
    assert items[0].text.endswith("A, B 1 in 44.20 must retreat 2 hexes")
    assert [item.ask for item in listed("", "attack", "retreats")] == [""]


# --- Prepared Attacks -------------------------------------------------------------------------------------------------

PREPARED = """44.20: russian infantry XX A (10-10-2-10) prepared=44.21{}
44.21: german infantry XX D (10-10-2-10)
44.20|44.21 open"""


@pytest.mark.rule("5.4.7")
def test_markers_are_placed_in_the_movement_phase_alone() -> None:
    other = "\n44.22: russian infantry XX B (10-10-2-10) prepared=none"
    (item,) = listed(PREPARED.format("") + other, "movement", "markers")
    assert (item.state, item.units, item.ask) == ("possible", ("A",), "prepared")
    assert item.text.endswith("; placed by A")
    (item,) = listed(PREPARED.format(""), "counter-movement", "markers", "central-powers")
    assert (item.state, item.rule, item.ask, item.units) == ("impossible", "5.4.7", "", ())
    assert item.text.endswith("none are placed in the Counter Movement Phase")


def test_of_several_armies_one_attacks() -> None:
    text = PREPARED.format(" army=First").replace(
        "44.21: german", "45.21: russian infantry XX B (9-9-2-9) prepared=44.21 army=Second\n44.21: german"
    )
    text += "\n45.21|44.21 open"
    (item,) = listed(text, "attack", "prepared-attacks")
    assert "only one of the armies First, Second attacks" in item.text or "First, Second" in item.text
    assert item.ask == "battle at=44.21 from=44.20,45.21"


def test_a_marker_obliges_to_attack_an_enemy_and_comes_off_an_empty_hex() -> None:
    (item,) = listed(PREPARED.format(""), "attack", "prepared-attacks")
    assert (item.state, item.units, item.places) == ("owed", ("A",), ("44.21",))
    assert (item.rule, item.ask) == ("10.1.2", "battle at=44.21 from=44.20")
    assert listed(PREPARED.format(" fought"), "attack", "prepared-attacks")[0].state == "done"
    assert listed(PREPARED.format("") + "\n44.21 attacked", "attack", "prepared-attacks")[0].state == "done"
    assert states(listed("", "attack", "prepared-attacks")) == [("impossible", ())]
    text = PREPARED.format("").replace("44.21: german", "44.23: german")
    (item,) = listed(text, "attack", "prepared-attacks")
    assert (item.state, item.rule, item.carried_out) == ("owed", "10.3", True)
    assert values(followed(text, "attack")) == {("prepared", "A"): None, ("phase", ""): "counter-attack"}
