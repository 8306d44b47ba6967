"""The Artillery Ammunition Points that a combat takes from depots and Corps Trains, and what it records of them (10.5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import assistant
from assistant.asking.report import Report, to_brief
from assistant.state.changes import Change
from assistant.util.errors import InputError
from twilight_in_the_east.ammunition.spending import AmmunitionSpending, kept_changes

from ...conftest import answered, told, typed
from .test_question import DEPOT, TO_STACK, TO_TRAIN, TRAIN

STACK = "40.20: 25/3 (10-?-5-10) army=First back-steps=0, 27/3 (10-?-5-10) army=First back-steps=0"
ENEMY = "41.19 clear: german infantry XX A (30-9-0-10) corps=1 back-steps=0"
STRAIGHT = f"{TO_TRAIN.replace('one', 'three').format(ground='clear')} -rail2- 40.22 -rail2- 40.21 -road- 40.20 rough"
"""A line from the depot straight to the stack, 3 1/4 hexes long."""
ANSWERS = "crt=7 slrt=3/3 ec.40.20=2 ec.41.19=2 advance=none"

GERMAN_DEPOT = """44.19: "German EIGHTH Minor Depot" range=4 extended-range=6 army=Eighth
line back: 44.19 -rail2- 43.19 -rail2- 42.19 -rail2- 41.19 clear"""


def fought(
    *more: str,
    stack: str = STACK,
    enemy: str = ENEMY,
    answers: str = ANSWERS,
    cell: str = "- / -",
    at: str = "41.19",
    from_: tuple[str, ...] = ("40.20",),
    near: int = 2,
    reach: int = 2,
    size: str = "Minor",
    train: str = "",
    depot: str = "",
    far: int = 4,
    ground: str = "clear",
    **parameters: Any,
) -> Report[Any]:
    """A combat of the 3 Corps, its train 1 1/2 hexes away, and a depot 1 3/4 hexes (over rough ground 2 1/4) from that.
    near: the range of the train, 0 if its ranges are not known.
    """
    lines = "\n".join([TRAIN, DEPOT, TO_TRAIN, TO_STACK]).format(
        near=near, reach=reach, far=far, train=train, size=size, depot=depot, ground=ground
    )
    lines = lines.replace("range=0 extended-range=4", "")
    odds = ("1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1")
    charts = [f"chart crt summer {column} 7 = {cell}" for column in odds]
    charts += [f"chart slrt summer {n} {m} = 0 / 0" for n in ("Small", "Medium", "Large") for m in range(-2, 15)]
    sides = "41.19|40.20,40.19 open"
    text = "\n".join(["turn=3", stack, enemy, sides, lines, *charts, *more, f"answers {answers}"])
    given = {"attacker_ap": ("all",), "defender_ap": ("none",), "flanked": False, **parameters}
    return answered(typed(text), "battle", at=at, from_=from_, **given)


def recorded(report: Report[Any]) -> dict[tuple[str, str], Any]:
    """What a combat records of supply units, with the rule."""
    tracks = ("ap-spent", "extended", "allotment-spent")
    made = [change for change in report.changes if isinstance(change, Change) and change.track in tracks]
    return {(change.subject, change.track): (change.after, change.rule) for change in made}


MINOR, MAJOR = "Russian FIRST Minor Depot", "Russian FIRST Major Depot"


@pytest.mark.rule("10.5.3", "10.5.4")
def test_a_combat_records_the_point_that_a_minor_depot_gives() -> None:
    report = fought(far=3)
    assert not report.asks, report.asks
    assert recorded(report) == {(MINOR, "ap-spent"): (1, "10.5.4")}
    assert told(report, "Ammunition") == [
        f"3 Train from {MINOR} gives the AP of 3",
        f"{MINOR}: 1 AP now on its marker, previously 0; 3 left",
        "3 Train: nothing is recorded",
    ]
    assert "APs are assumed to be available (check with: ask ammunition)" not in told(report, "Assumed")
    assert recorded(fought(depot="ap-spent=3")) == {(MINOR, "ap-spent"): (4, "10.5.4")}


@pytest.mark.rule("10.5.4")
def test_without_points_and_before_the_last_die_nothing_is_spent() -> None:
    assert recorded(fought(attacker_ap=("none",))) == {}
    assert told(fought(attacker_ap=("none",)), "Ammunition") == []
    early = fought(answers="crt=7")
    assert (recorded(early), told(early, "Ammunition")) == ({}, [])
    assert early.asks


@pytest.mark.rule("10.5.3")
def test_of_several_ways_the_one_that_records_least_is_taken_unless_its_owner_names_another() -> None:
    usual = fought(STRAIGHT, reach=4, train="extended")
    assert recorded(usual) == {(MINOR, "ap-spent"): (1, "10.5.4")}
    assert told(usual, "Ammunition")[0] == (
        f"{MINOR} gives the AP of 3; 3 Train from {MINOR} could give it instead (attacker-ap-from=UNIT)"
    )
    named = fought(STRAIGHT, reach=4, train="extended", attacker_ap_from=("3 Train",))
    assert recorded(named) == {(MINOR, "ap-spent"): (1, "10.5.4"), ("3 Train", "ap-spent"): (1, "10.5.4")}
    same = fought(STRAIGHT, reach=4, attacker_ap_from=("3 Train", MINOR))
    assert told(same, "Ammunition")[0] == f"3 Train from {MINOR} gives the AP of 3", "the other way records the same"


@pytest.mark.rule("10.5.3", "10.5.4")
def test_where_units_are_not_seen_only_the_supply_unit_that_is_named_records_a_point() -> None:
    unseen = "44.24 clear unseen=russian"
    open_line = [
        "units that are not seen (unseen at 44.24) may give the AP of 3, and nothing is recorded: name the supply unit that "
        "gives it (attacker-ap-from=UNIT)"
    ]
    for some in (fought(unseen, far=3), fought(unseen, depot="ap-spent=4", far=3)):
        assert (recorded(some), told(some, "Ammunition")) == ({}, open_line)
    named = fought(unseen, far=3, attacker_ap_from=(MINOR,))
    assert recorded(named) == {(MINOR, "ap-spent"): (1, "10.5.4")}
    with pytest.raises(InputError, match="has no AP left of its 4"):
        fought(unseen, depot="ap-spent=4", far=3, attacker_ap_from=(MINOR,))
    assert told(fought(unseen, size="Major"), "Ammunition") == told(fought(size="Major"), "Ammunition")
    enemy = fought("44.24 clear unseen=central-powers", far=3)
    assert recorded(enemy) == {(MINOR, "ap-spent"): (1, "10.5.4")}


@pytest.mark.rule("10.5.3", "10.5.4")
def test_who_names_a_supply_unit_that_gives_no_point_is_told_why() -> None:
    far = '40.60: "Russian FIRST Major Depot" range=1 extended-range=1'
    with pytest.raises(InputError, match="attacker-ap-from: 3 Train gives none of the APs of this combat") as no:
        fought(far, STRAIGHT, reach=4, train="extended ap-spent=2", attacker_ap_from=("3 Train",), answers="")
    assert "3 Train has no AP left of its 2" in no.value.what
    assert no.value.hint == f"these can: {MINOR}"
    with pytest.raises(InputError, match="has no AP left of its 4"):
        fought(depot="ap-spent=4", far=3, attacker_ap_from=(MINOR,))
    major = f'40.24: "{MAJOR}" range=9 extended-range=9\nline five: 40.24 -road- 40.23'
    with pytest.raises(InputError) as unused:
        fought(major, STRAIGHT, reach=4, attacker_ap_from=(MINOR, MAJOR))
    assert unused.value.what == f"attacker-ap-from: {MINOR} gives none of the APs of this combat"
    with pytest.raises(InputError, match="defender-ap-from: 3 Train gives none of the APs of this combat") as none:
        fought(defender_ap_from=("3 Train",))
    assert none.value.hint == "leave it out"


@pytest.mark.rule("10.5.3", "10.5.4")
def test_two_commands_draw_one_after_the_other_on_the_same_depot() -> None:
    """26/2 is of another corps: it draws straight on the depot, which the 3 Corps then does too."""
    stack = f"{STACK}, russian infantry XX 26/2 (10-?-5-10) army=First corps=2 back-steps=0"
    both = fought(STRAIGHT, reach=4, stack=stack, attacker_ap=("3", "2"), withhold=("27/3",))
    assert recorded(both) == {(MINOR, "ap-spent"): (2, "10.5.4")}
    last = fought(STRAIGHT, reach=4, stack=stack, attacker_ap=("3", "2"), withhold=("27/3",), depot="ap-spent=3")
    assert recorded(last) == {(MINOR, "ap-spent"): (4, "10.5.4")}
    assert told(last, "Ammunition")[-1] == (
        "no supply unit in this position can give the AP of 2 (ammunition 40.20 command=2 says why), and nothing is "
        "recorded"
    )


@pytest.mark.rule("10.5.3", "10.5.4")
def test_a_command_leaves_a_source_to_one_that_has_no_other() -> None:
    """The Minor Depot has one AP left. The 3 Corps, named first, can also draw on the Major Depot, through its train
    turned over; the 2 Corps cannot.
    """
    stack = f"{STACK}, russian infantry XX 26/2 (10-?-5-10) army=First corps=2 back-steps=0"
    major = '40.24: "Russian FIRST Major Depot" range=1 extended-range=1\nline five: 40.24 40.23 clear'
    given = {"stack": stack, "withhold": ("27/3",), "depot": "ap-spent=3", "reach": 4, "near": 2}
    report = fought(STRAIGHT, major, attacker_ap=("3", "2"), **given)
    ways = told(report, "Ammunition")
    assert recorded(report) == {(MINOR, "ap-spent"): (4, "10.5.4")}
    assert [line for line in ways if " gives the AP of " in line] == [
        "3 Train from Russian FIRST Major Depot gives the AP of 3, and nothing is recorded",
        f"{MINOR} gives the AP of 2",
    ]
    named = fought(STRAIGHT, major, attacker_ap=("3", "2"), attacker_ap_from=(MINOR,), **given)
    assert recorded(named) == {(MINOR, "ap-spent"): (4, "10.5.4")}
    assert [line for line in told(named, "Ammunition") if " gives the AP of " in line] == [
        "3 Train from Russian FIRST Major Depot gives the AP of 3, and nothing is recorded",
        f"{MINOR} gives the AP of 2",
    ], "whose the named source is does not matter where only one of them can have it"


@pytest.mark.rule("10.5.3", "10.5.2")
def test_an_asset_unit_has_its_point_from_the_train_of_its_formation_unless_kinds_are_unstated() -> None:
    stack = "40.20: russian artillery - Guns (1-?-3-?) with=25/3, 25/3 (10-?-0-10) army=First back-steps=0"
    report = fought(stack=stack, far=3)
    assert recorded(report) == {(MINOR, "ap-spent"): (1, "10.5.4")}
    assert told(report, "Ammunition")[0] == f"3 Train from {MINOR} gives the AP of 3"
    report = fought("44.30: 43/2", far=3)
    assert recorded(report) == {}
    assert told(report, "Ammunition")[0].startswith("the position leaves open which supply unit gives the AP of 3")


@pytest.mark.rule("10.5.4")
def test_what_else_becomes_of_a_supply_unit_comes_after_its_point() -> None:
    spent = Change("ap-spent", "D", None, 1, "10.5.4")
    turned = Change("extended", "D", None, True, "10.5.3")
    spending = AmmunitionSpending((), (turned, spent))
    assert list(kept_changes(spending, (), ())) == [turned, spent]
    assert list(kept_changes(spending, (), ("D",))) == []
    assert list(kept_changes(spending, (), ("E",))) == [turned, spent]
    assert list(kept_changes(spending, (Change("extended", "D", None, True, "9.8.1"),), ())) == [spent]
    assert list(kept_changes(spending, (Change("extended", "E", None, True, "9.8.1"),), ())) == [turned, spent]


@pytest.mark.rule("10.5.3")
def test_what_the_position_does_not_settle_is_named_and_not_asked_for() -> None:
    report = fought(ground="")
    assert not report.asks, report.asks
    assert recorded(report) == {}
    assert told(report, "Ammunition") == [
        "the position leaves open which supply unit gives the AP of 3: ammunition 40.20 command=3 says what it needs; "
        "state that, or enter the AP of its source (UNIT ap-spent=N)"
    ]
    assert "APs are assumed to be available (check with: ask ammunition)" in told(report, "Assumed")
    by_train = fought(STRAIGHT, reach=4, near=0, attacker_ap_from=("3 Train",))
    assert recorded(by_train) == {}, "its owner wants it by the train, whose ranges are not known"
    assert len(told(by_train, "Ammunition")) == 1
    other = '40.29: "Russian FIRST Major Depot" army=First'
    doubly = fought(STRAIGHT, other, reach=4, near=0, attacker_ap_from=("3 Train",))
    assert recorded(doubly) == {}, "nor by another depot whose ranges are not known"
    straight = fought(STRAIGHT, reach=4, near=0)
    assert recorded(straight) == {(MINOR, "ap-spent"): (1, "10.5.4")}, "one way is enough"


@pytest.mark.rule("10.5.1", "10.5.3", "10.5.4")
def test_one_point_serves_a_corps_in_two_hexes_and_must_reach_both() -> None:
    two = "40.20: 25/3 (10-?-5-10) army=First back-steps=0\n40.19: 27/3 (10-?-5-10) army=First back-steps=0"
    other = "line four: 40.23 -rail2- 40.22 -rail2- 40.21 -road- 40.20 rough -road- 40.19 clear"
    given = {"stack": two, "from_": ("40.20", "40.19"), "answers": f"{ANSWERS} ec.40.19=2"}
    assert recorded(fought(other, near=3, **given)) == {(MINOR, "ap-spent"): (1, "10.5.4")}
    farther = fought(other, near=2, **given)
    assert recorded(farther) == {
        (MINOR, "ap-spent"): (1, "10.5.4"),
        ("3 Train", "extended"): (True, "10.5.3"),
        ("3 Train", "ap-spent"): (1, "10.5.4"),
    }
    assert recorded(fought(other, near=2, **{**given, "from_": ("40.19", "40.20")})) == recorded(farther)
    assert recorded(fought(**given)) == {}, "no line to the second hex is typed"


@pytest.mark.rule("10.5.3")
def test_before_the_first_die_a_point_that_no_supply_unit_can_give_is_named() -> None:
    title, none = "Without a source", {"answers": ""}
    stack = f"{STACK}, russian infantry XX 26/2 (10-?-5-10) army=First corps=2 back-steps=0"
    given: dict[str, Any] = {"stack": stack, "reach": 4, "attacker_ap": ("3", "2"), "withhold": ("27/3",), **none}
    report = fought(STRAIGHT, depot="ap-spent=3", **given)
    line = (
        "no supply unit in this position can give the attacker's AP of 2, which counts all the same (ammunition 40.20 "
        "command=2 says why; attacker-ap=none leaves the AP out)"
    )
    assert told(report, title) == [line]
    assert f"{title}: {line}" in " ".join(to_brief(report).split())
    assert report.result.attacker.points == ("3", "2"), "its owner may know better"
    assert told(fought(STRAIGHT, **given), title) == [], "both have one"
    assert told(fought(ground="", **none), title) == [], "the position does not settle it"
    assert (
        told(fought(defender_ap=("1",), enemy=ENEMY.replace("(30-9-0-10)", "(30-9-4-10) army=Eighth"), **none), title)
        == []
    )


@pytest.mark.rule("10.5.3")
def test_a_position_without_a_depot_does_not_say_that_none_gives_a_point() -> None:
    examples = Path(__file__).parents[3] / "plugins/twilight_in_the_east/examples"
    report = assistant.ask(assistant.read(examples / "comprehensive-example.vsav"), "battle")
    assert told(report, "Without a source") == []


@pytest.mark.rule("10.5.3", "10.5.4")
def test_the_defender_spends_his_points_too() -> None:
    enemy = ENEMY.replace("(30-9-0-10)", "(30-9-4-10) army=Eighth")
    report = fought(GERMAN_DEPOT, enemy=enemy, attacker_ap=("none",), defender_ap=("1",))
    assert recorded(report) == {("German EIGHTH Minor Depot", "ap-spent"): (1, "10.5.4")}


@pytest.mark.rule("10.5.3", "10.5.4")
@pytest.mark.parametrize(
    ("enemy", "point", "more"),
    [
        (ENEMY, "1", ""),
        (ENEMY, "magazine:41.19", f"41.19 magazine=central-powers\n{GERMAN_DEPOT}"),
        (ENEMY.replace("XX A", "XX Lötzen"), "Boyen", f"41.19: Boyen german fortress (2-?-?-?) fssm=2\n{GERMAN_DEPOT}"),
    ],
)
def test_magazines_boyen_and_sides_without_supply_units_record_nothing(enemy: str, point: str, more: str) -> None:
    enemy = enemy.replace("(30-9-0-10)", "(30-9-4-10) army=Eighth")
    answers = ANSWERS.replace("ec.41.19", "ec.A" if "XX A" in enemy else "ec.Lötzen")
    report = fought(more, enemy=enemy, attacker_ap=("none",), defender_ap=(point,), answers=answers)
    assert not report.asks, report.asks
    assert report.result.defender.artillery > 0
    assert (told(report, "Ammunition"), recorded(report)) == ([], {})
