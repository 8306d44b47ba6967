"""The shape of Areas of Attachment, and where a boundary has to run (6.1)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from twilight_in_the_east.attachment import rules
from twilight_in_the_east.attachment.rules import Limit, along_boundary, boundaries, boundary_breaches, pieces, shapes
from twilight_in_the_east.forces.armies import AttachedUnit, is_cavalry_corps

LINE = ["40.10", "40.11", "40.12", "40.13", "40.14", "40.15", "40.16", "40.17", "40.18"]


def beside(hex: str) -> list[str]:
    """The neighbours along a column only, which is all that these shapes need."""
    column, row = hex.split(".")
    return [f"{column}.{int(row) - 1}", f"{column}.{int(row) + 1}"]


def apart(one: str, other: str) -> int:
    return abs(int(one[3:]) - int(other[3:]))


@pytest.mark.rule("6.1")
def test_an_area_hangs_together_and_overlaps_no_other_of_its_side() -> None:
    first, second = frozenset({"40.10", "40.11"}), frozenset({"40.11", "40.12"})
    whole = {"russian First": first, "russian Second": frozenset({"40.12"}), "central-powers First": second}
    assert shapes(whole, beside) == []
    (breach,) = shapes({"russian First": first, "russian Second": second}, beside)
    assert (breach.rule, breach.about) == ("6.1", "russian First")
    assert breach.why == "its area and that of russian Second both hold 40.11"
    (breach,) = shapes({"russian First": frozenset({"40.10", "40.12", "40.13"})}, beside)
    assert breach.why == "its Area of Attachment is in 2 pieces"
    (breach,) = shapes({"russian Warsaw Garrison": first}, beside)
    assert (breach.rule, breach.why) == ("24.1", "it is not an army, and has no Area of Attachment")


def test_the_pieces_of_an_area() -> None:
    assert pieces({"40.10", "40.12", "40.11", "40.15"}, beside) == [{"40.10", "40.11", "40.12"}, {"40.15"}]
    assert pieces((), beside) == []


def test_a_boundary_begins_on_the_enemys_front_and_goes_seven_hexes_back() -> None:
    enemy, friendly = ["40.09"], ["40.11"]
    assert along_boundary("A", "B", LINE, friendly, enemy, apart) == []
    (short,) = along_boundary("A", "B", LINE[:-1], friendly, enemy, apart)
    assert short.why == "its boundary with B ends 6 hexes behind the Front Line; the minimum is 7"
    (late,) = along_boundary("A", "B", LINE[1:], friendly, enemy, apart)
    assert late.why == "its boundary with B does not begin on the enemy's Front Line"
    assert along_boundary("A", "B", LINE[:2], (), (), apart) == []


def test_the_hexes_along_a_boundary() -> None:
    areas = {"B": {"40.12", "40.13"}, "A": {"40.10", "40.11"}, "C": {"40.15"}}
    assert boundaries(areas, beside) == {("A", "B"): {"40.11", "40.12"}}


@pytest.mark.rule("6.1c")
def test_only_armies_of_one_side_with_a_piece_of_the_front_have_a_boundary_to_judge() -> None:
    areas = {
        "central-powers Eighth": frozenset({"40.09"}),
        "russian First": frozenset({"40.10", "40.11", "40.12", "40.13"}),
        "russian Second": frozenset({"40.14"}),
    }
    enemy, first, second = ["40.09"], ["40.13"], ["40.13"]
    fronts = {"central-powers Eighth": enemy, "russian First": first, "russian Second": second}
    assert [breach.why for breach in boundary_breaches(areas, fronts, beside, apart)] == [
        "its boundary with russian Second does not begin on the enemy's Front Line",
        "its boundary with russian Second ends 1 hexes behind the Front Line; the minimum is 7",
    ]
    assert boundary_breaches(areas, {"russian First": first, "central-powers Eighth": enemy}, beside, apart) == []


EIGHTH, AUSTRIAN, RUSSIAN = "central-powers Eighth", "central-powers First", "russian Second"


def formation(id: str, corps: str = "", nation: str = "german", arm: str = "infantry", **more: Any) -> AttachedUnit:
    words = {"size": "XX", "recorded": more.pop("army", EIGHTH), "own_corps": id.partition("/")[2], **more}
    return AttachedUnit(id, nation, "", arm, place="", corps=corps, area="", on_display=True, **words)


def train(corps: str, **more: Any) -> AttachedUnit:
    return formation(f"{corps} Train", corps, arm="corps-train", size="-", train=True, own_corps="", **more)


@pytest.mark.rule("6.3", "6.1.1")
def test_every_corps_and_formation_belongs_to_one_army() -> None:
    assert rules.unattached([formation("3 r"), train("1")]) == []
    (breach,) = rules.unattached([formation("3 r", army="")])
    assert (breach.rule, breach.about) == ("6.3", "3 r")
    (breach,) = rules.unattached([train("1"), formation("1/1", "1", army="central-powers Ninth")])
    assert (breach.rule, breach.why) == (
        "6.1.1",
        "1 Corps (1 Train, 1/1) is with central-powers Eighth and with central-powers Ninth",
    )
    assert (breach.about, *breach.others) == ("1 Train", "1/1", EIGHTH, "central-powers Ninth")
    (breach,) = rules.unattached([train("1"), formation("1/1", "1", army="")])
    assert (breach.rule, breach.about) == ("6.3", "1/1")
    other = formation("1/1", "1", nation="austro-hungarian", army=AUSTRIAN)
    assert rules.unattached([train("1"), other]) == []  # two corps of one number, of two nations


@pytest.mark.rule("6.1.2")
def test_no_more_corps_trains_in_an_area_than_the_limit() -> None:
    trains = [train("1"), train("17"), train("20")]
    assert rules.too_many_trains(EIGHTH, trains, Limit(3)) == []
    (breach,) = rules.too_many_trains(EIGHTH, trains, Limit(2))
    assert breach.why == "3 Corps Trains in its area (1 Train, 17 Train, 20 Train); its limit is 2"
    with_cavalry = [*trains[:2], train("1 C", cavalry_corps=True)]
    assert rules.too_many_trains(EIGHTH, with_cavalry, Limit(2, cavalry=True)) == []
    assert rules.too_many_trains(EIGHTH, with_cavalry, Limit(2)) != []
    assert rules.too_many_trains(EIGHTH, trains, Limit(2, cavalry=True)) != []
    (breach,) = rules.too_many_trains(EIGHTH, [*trains, train("1 C", cavalry_corps=True)], Limit(2, cavalry=True))
    assert breach.why.endswith("; its limit is 2 and one Cavalry Corps")


@pytest.mark.rule("6.1.2b")
def test_a_track_that_is_kept_for_a_corps_is_no_room_for_others() -> None:
    def allowed(army: str, *corps: str, limit: Limit) -> bool:
        return not rules.too_many_corps(army, {name: name.endswith(" C") for name in corps}, limit)

    assert allowed(EIGHTH, "1", "17", "KG", limit=Limit(3))
    assert not allowed(EIGHTH, "1", "17", "20", limit=Limit(3))
    assert allowed(RUSSIAN, "1", "17", "20", limit=Limit(3))
    assert not allowed("central-powers AG P-B", "1", "2", limit=Limit(2))
    assert allowed("central-powers AG W", "2", "3 LW", limit=Limit(2))
    assert not allowed(RUSSIAN, "1", "13", "1 C", limit=Limit(2))
    assert allowed(RUSSIAN, "1", "13", "1 C", limit=Limit(2, cavalry=True))
    assert not allowed(RUSSIAN, "1", "13", "15", limit=Limit(2, cavalry=True))
    assert not allowed(RUSSIAN, "1", "13", "1 C", "2 C", limit=Limit(2, cavalry=True))
    (breach,) = rules.too_many_corps(EIGHTH, {"1": False, "17": False}, Limit(2))
    assert breach.why == "2 corps (1, 17); its Corps tracks hold 1, apart from the one reserved for KG"


@pytest.mark.rule("6.2.2", "6.2.2b")
def test_the_example_of_6_2_2() -> None:
    """56 r/26 R is independent until 26 R Train is there."""
    division = formation("56 r/26 R", "", "russian")
    assert rules.wrong_corps(division, own_train_available=False) == []
    (breach,) = rules.wrong_corps(division, own_train_available=True)
    assert (breach.rule, breach.why) == ("6.2.2", "it is independent, but its ID names 26 R Corps")
    (breach,) = rules.wrong_corps(msgspec.structs.replace(division, corps="2"), own_train_available=True)
    assert breach.why == "it is with 2 Corps, but its ID names 26 R Corps"
    assert rules.wrong_corps(msgspec.structs.replace(division, corps="26 R"), own_train_available=True) == []
    assert rules.wrong_corps(formation("3 r", "1"), own_train_available=True) == []


@pytest.mark.rule("6.2.2c")
def test_two_formations_of_a_nation_are_attached_freely() -> None:
    units = [formation("1/1"), formation("35/17"), formation("37/20"), formation("6/15", nation="russian")]
    breaches = [breach for one in units for breach in rules.wrong_corps(one, own_train_available=True)]
    assert rules.beyond_free_attachment([breaches[0], breaches[1], breaches[3]], units) == []
    beyond = rules.beyond_free_attachment(breaches, units)
    assert [breach.about for breach in beyond] == ["1/1", "35/17", "37/20"]
    assert beyond[0].why.endswith("; 3 formations of its nation use the optional free attachment; the limit is 2")


@pytest.mark.rule("6.2.2a", "3.8.3b")
def test_a_corps_holds_so_many_divisions_and_cavalry_by_itself() -> None:
    two, brigade = [formation("1/1", "1"), formation("2/1", "1")], formation("B/1", "1", size="X")
    assert rules.find_track_breaches("1", two, 2, cavalry=False) == []
    (breach,) = rules.find_track_breaches("1", [*two, brigade], 2, cavalry=False, train="1 Train")
    assert (breach.about, breach.why) == ("1 Train", "2.5 divisions are attached to it; its limit is 2")
    assert rules.find_track_breaches("1", [*two, brigade], None, cavalry=False) == []
    horse = formation("8 c", "1", arm="cavalry")
    (breach,) = rules.find_track_breaches("1", [horse], 2, cavalry=False)
    assert breach.why == "1 Corps is not a Cavalry Corps, and cavalry may join no other kind of corps"
    assert rules.find_track_breaches("1 C", [horse], 2, cavalry=True) == []
    assert [breach.about for breach in rules.find_track_breaches("1 C", [horse, two[0]], 2, cavalry=True)] == ["1/1"]


def test_a_cavalry_corps_by_its_id_or_its_mark() -> None:
    assert is_cavalry_corps("1 C", marked=False)
    assert is_cavalry_corps("FR", marked=True)
    assert not is_cavalry_corps("FRC", marked=False)
    assert not is_cavalry_corps("1", marked=False)


@pytest.mark.rule("6.2.3")
def test_a_corps_is_never_independent() -> None:
    assert [breach.about for breach in rules.independent_corps([train(""), train("1"), formation("3 r")])] == [" Train"]


def crossing(*members: AttachedUnit, turn: int | None = None, others_too: bool = True) -> list[str]:
    return [breach.about for breach in rules.cross_nation(members, turn, others_too=others_too)]


@pytest.mark.rule("6.2.4")
def test_who_serves_under_the_other_nation() -> None:
    reserve, another = formation("3 r", army=AUSTRIAN), formation("35 r", army=AUSTRIAN)
    assert crossing(reserve) == []
    assert crossing(reserve, another) == ["3 r", "35 r"]
    assert crossing(formation("5 r", army=AUSTRIAN, size="X")) == ["5 r"], "a brigade is not a reserve division"
    assert crossing(formation("1 r/1 R"), formation("36 r/1 R")) == []
    horse = formation("A-H 3 c", nation="austro-hungarian", arm="cavalry")
    assert crossing(horse, formation("A-H 2 c", nation="austro-hungarian", arm="cavalry", army=AUSTRIAN)) == []
    assert crossing(horse, msgspec.structs.replace(horse, id="A-H 2 c")) == ["A-H 3 c", "A-H 2 c"]
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


@pytest.mark.rule("6.1.1c", "21.1.3")
def test_a_strategic_plan_keeps_what_an_army_has() -> None:
    assert rules.plan_binds(RUSSIAN, "russian First", under_plan=True)
    assert not rules.plan_binds(RUSSIAN, "russian First", under_plan=False)
    assert not rules.plan_binds(RUSSIAN, RUSSIAN, under_plan=True)
    assert not rules.plan_binds(RUSSIAN, "russian Warsaw Garrison", under_plan=True)
    assert rules.plan_binds("russian First", "russian Warsaw Garrison", under_plan=True)


@pytest.mark.rule("6.1.1c", "21.1.3")
def test_the_garrison_of_warsaw_is_not_kept_by_a_plan() -> None:
    assert not rules.plan_binds("russian Warsaw Garrison", "russian First", under_plan=True)


@pytest.mark.rule("6.1.1b")
def test_attachments_stay_as_they_are_outside_an_attachment_phase() -> None:
    assert [rules.frozen(attachment_phase=now) for now in (True, False)] == [False, True]


@pytest.mark.rule("6.3", "6.1.1")
def test_a_corps_with_two_armies_is_named_by_its_first_unit_and_independent_units_are_no_corps() -> None:
    ninth = "central-powers Ninth"
    assert [one.about for one in rules.unattached([train("1"), formation("1/1", "1", army=ninth)])] == ["1 Train"]
    assert rules.unattached([formation("3 r"), formation("35 r", army=ninth)]) == []


@pytest.mark.rule("6.1.2b")
def test_an_army_without_a_kept_track_has_all_of_them() -> None:
    (breach,) = rules.too_many_corps(RUSSIAN, {"1": False, "13": False}, Limit(1))
    assert breach.why == "2 corps (1, 13); its Corps tracks hold 1"


@pytest.mark.rule("6.2.2a", "3.8.3b")
def test_a_corps_without_a_train_is_named_by_its_id() -> None:
    units = [formation("1/1", "1"), formation("2/1", "1"), formation("3/1", "1")]
    assert [breach.about for breach in rules.find_track_breaches("1", units, 2, cavalry=False)] == ["1 Corps"]


@pytest.mark.rule("22.3.2", "22.5", "23.2")
def test_a_strayed_corps_is_named_by_its_train_and_only_in_its_own_nation() -> None:
    ninth = "central-powers Ninth"
    members = [formation("1/KG", "KG", army=ninth), train("KG", army=ninth)]
    assert [(one.rule, one.about) for one in rules.strayed_corps(members, None, campaign=False)] == [
        ("22.5", "KG Train")
    ]
    assert (
        rules.strayed_corps([msgspec.structs.replace(one, nation="russian") for one in members], None, campaign=False)
        == []
    )
    landwehr = [train("3 LW", army=ninth)]
    found = [
        len(rules.strayed_corps(landwehr, turn, campaign=campaign))
        for turn, campaign in ((29, True), (28, True), (None, True), (29, False))
    ]
    assert found == [1, 0, 0, 0]


@pytest.mark.rule("6.2.4")
def test_whose_reserve_and_whose_cavalry_divisions_may_cross() -> None:
    reserve = formation("3 r", nation="austro-hungarian")
    horse = formation("8 c", arm="cavalry", army=AUSTRIAN)
    (first, second) = rules.cross_nation([reserve, horse], None, others_too=True)
    assert first.why == "only one cavalry division of its nation may serve under central-powers Eighth"
    assert second.why == "only one reserve division of its nation may serve under central-powers First"
