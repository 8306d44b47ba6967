"""What may stand on the tracks of a display: corps, formations, nations (6.1.2, 6.2, 6.3)."""

from __future__ import annotations

from typing import Any

import pytest

from twilight_in_the_east.attachment import displays
from twilight_in_the_east.attachment.displays import Limit, Member
from twilight_in_the_east.forces.armies import is_cavalry_corps

EIGHTH, AUSTRIAN, RUSSIAN = "central-powers Eighth", "central-powers First", "russian Second"


def formation(id: str, corps: str = "", nation: str = "german", arm: str = "infantry", **more: Any) -> Member:
    words = {"size": "XX", "army": EIGHTH, "own_corps": id.partition("/")[2], **more}
    return Member(id, nation, arm, corps=corps, **words)


def train(corps: str, **more: Any) -> Member:
    return formation(f"{corps} Train", corps, arm="corps-train", size="-", train=True, own_corps="", **more)


@pytest.mark.rule("6.3", "6.1.1")
def test_every_corps_and_formation_belongs_to_one_army() -> None:
    assert displays.unattached([formation("3 r"), train("1")]) == []
    (fault,) = displays.unattached([formation("3 r", army="")])
    assert (fault.rule, fault.about) == ("6.3", "3 r")
    (fault,) = displays.unattached([train("1"), formation("1/1", "1", army="central-powers Ninth")])
    assert (fault.rule, fault.why) == (
        "6.1.1",
        "1 Corps (1 Train, 1/1) is with central-powers Eighth and with central-powers Ninth",
    )
    other = formation("1/1", "1", nation="austro-hungarian", army=AUSTRIAN)
    assert displays.unattached([train("1"), other]) == []  # two corps of one number, of two nations


@pytest.mark.rule("6.1.2")
def test_no_more_corps_trains_in_an_area_than_the_limit() -> None:
    trains = [train("1"), train("17"), train("20")]
    assert displays.too_many_trains(EIGHTH, trains, Limit(3)) == []
    (fault,) = displays.too_many_trains(EIGHTH, trains, Limit(2))
    assert fault.why == "3 Corps Trains in its area (1 Train, 17 Train, 20 Train), and its limit is 2"
    with_cavalry = [*trains[:2], train("1 C", cavalry_corps=True)]
    assert displays.too_many_trains(EIGHTH, with_cavalry, Limit(2, cavalry=True)) == []
    assert displays.too_many_trains(EIGHTH, with_cavalry, Limit(2)) != []
    assert displays.too_many_trains(EIGHTH, trains, Limit(2, cavalry=True)) != []


@pytest.mark.rule("6.1.2b")
def test_a_track_that_is_kept_for_a_corps_is_no_room_for_others() -> None:
    def allowed(army: str, *corps: str, limit: Limit) -> bool:
        return not displays.too_many_corps(army, {name: name.endswith(" C") for name in corps}, limit)

    assert allowed(EIGHTH, "1", "17", "KG", limit=Limit(3))
    assert not allowed(EIGHTH, "1", "17", "20", limit=Limit(3))
    assert allowed(RUSSIAN, "1", "17", "20", limit=Limit(3))
    assert not allowed("central-powers AG P-B", "1", "2", limit=Limit(2))
    assert allowed("central-powers AG W", "2", "3 LW", limit=Limit(2))
    assert not allowed(RUSSIAN, "1", "13", "1 C", limit=Limit(2))
    assert allowed(RUSSIAN, "1", "13", "1 C", limit=Limit(2, cavalry=True))
    assert not allowed(RUSSIAN, "1", "13", "15", limit=Limit(2, cavalry=True))
    assert not allowed(RUSSIAN, "1", "13", "1 C", "2 C", limit=Limit(2, cavalry=True))
    (fault,) = displays.too_many_corps(EIGHTH, {"1": False, "17": False}, Limit(2))
    assert fault.why == "2 corps (1, 17) for 1 Corps tracks beside that of KG"


@pytest.mark.rule("6.2.2", "6.2.2b")
def test_the_example_of_6_2_2() -> None:
    """56 r/26 R is independent until 26 R Train is there."""
    division = formation("56 r/26 R", "", "russian")
    assert displays.wrong_corps(division, own_train_available=False) == []
    (fault,) = displays.wrong_corps(division, own_train_available=True)
    assert (fault.rule, fault.why) == ("6.2.2", "it is independent, but its ID names 26 R Corps")
    (fault,) = displays.wrong_corps(division._replace(corps="2"), own_train_available=True)
    assert fault.why == "it is with 2 Corps, but its ID names 26 R Corps"
    assert displays.wrong_corps(division._replace(corps="26 R"), own_train_available=True) == []
    assert displays.wrong_corps(formation("3 r", "1"), own_train_available=True) == []


@pytest.mark.rule("6.2.2c")
def test_two_formations_of_a_nation_are_attached_freely() -> None:
    units = [formation("1/1"), formation("35/17"), formation("37/20"), formation("6/15", nation="russian")]
    faults = [fault for one in units for fault in displays.wrong_corps(one, own_train_available=True)]
    assert displays.freed([faults[0], faults[1], faults[3]], units) == []
    beyond = displays.freed(faults, units)
    assert [fault.about for fault in beyond] == ["1/1", "35/17", "37/20"]
    assert beyond[0].why.endswith("; 3 of its nation are attached freely, and 2 may be")


@pytest.mark.rule("6.2.2a")
def test_a_corps_holds_so_many_divisions_and_cavalry_by_itself() -> None:
    two, brigade = [formation("1/1", "1"), formation("2/1", "1")], formation("B/1", "1", size="X")
    assert displays.corps_faults("1", two, 2, cavalry=False) == []
    (fault,) = displays.corps_faults("1", [*two, brigade], 2, cavalry=False, train="1 Train")
    assert (fault.about, fault.why) == ("1 Train", "2.5 divisions are attached to it, and its limit is 2")
    assert displays.corps_faults("1", [*two, brigade], None, cavalry=False) == []
    horse = formation("8 c", "1", arm="cavalry")
    (fault,) = displays.corps_faults("1", [horse], 2, cavalry=False)
    assert fault.why == "1 Corps is no Cavalry Corps, and cavalry joins no other"
    assert displays.corps_faults("1 C", [horse], 2, cavalry=True) == []
    assert [fault.about for fault in displays.corps_faults("1 C", [horse, two[0]], 2, cavalry=True)] == ["1/1"]


def test_a_cavalry_corps_by_its_id_or_its_mark() -> None:
    assert is_cavalry_corps("1 C", marked=False)
    assert is_cavalry_corps("FR", marked=True)
    assert not is_cavalry_corps("1", marked=False)


@pytest.mark.rule("6.2.3")
def test_a_corps_is_never_independent() -> None:
    assert [fault.about for fault in displays.independent_corps([train(""), train("1"), formation("3 r")])] == [
        " Train"
    ]


def crossing(*members: Member, turn: int | None = None, others_too: bool = True) -> list[str]:
    return [fault.about for fault in displays.cross_nation(members, turn, others_too=others_too)]


@pytest.mark.rule("6.2.4")
def test_who_serves_under_the_other_nation() -> None:
    reserve, another = formation("3 r", army=AUSTRIAN), formation("35 r", army=AUSTRIAN)
    assert crossing(reserve) == []
    assert crossing(reserve, another) == ["3 r", "35 r"]
    assert crossing(formation("1 r/1 R"), formation("36 r/1 R")) == []
    horse = formation("A-H 3 c", nation="austro-hungarian", arm="cavalry")
    assert crossing(horse, formation("A-H 2 c", nation="austro-hungarian", arm="cavalry", army=AUSTRIAN)) == []
    assert crossing(horse, horse._replace(id="A-H 2 c")) == ["A-H 3 c", "A-H 2 c"]
    assert crossing(formation("6/15", nation="russian", army=RUSSIAN)) == []


@pytest.mark.rule("6.2.4")
@pytest.mark.parametrize(("turn", "breaches"), [(3, 2), (4, 0), (18, 0), (19, 2), (None, 0)])
def test_3_lw_corps_serves_under_austria_hungary_in_gt_4_to_18(turn: int | None, breaches: int) -> None:
    corps = [train("3 LW", army=AUSTRIAN), formation("3 lw", "3 LW", army=AUSTRIAN)]
    assert len(crossing(*corps, turn=turn)) == breaches


@pytest.mark.rule("6.2.4")
def test_other_formations_cross_by_one_reading_only() -> None:
    line, brigade = formation("1/1", "1", army=AUSTRIAN), formation("A-H 1", nation="austro-hungarian", size="X")
    assert crossing(line, brigade) == ["1/1", "A-H 1"]
    assert crossing(line, brigade, others_too=False) == []


@pytest.mark.rule("6.1.1c")
def test_a_strategic_plan_keeps_what_an_army_has() -> None:
    assert displays.plan_binds(RUSSIAN, "russian First", under_plan=True)
    assert not displays.plan_binds(RUSSIAN, "russian First", under_plan=False)
    assert not displays.plan_binds(RUSSIAN, RUSSIAN, under_plan=True)
    assert not displays.plan_binds(RUSSIAN, "russian Warsaw Garrison", under_plan=True)
    assert displays.plan_binds("russian First", "russian Warsaw Garrison", under_plan=True)
