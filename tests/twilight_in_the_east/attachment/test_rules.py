"""The shape of Areas of Attachment, and where a boundary has to run (6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from assistant.asking import MissingFacts
from twilight_in_the_east.attachment.boundaries import (
    Map,
    boundary_breaches,
    shapes,
)
from twilight_in_the_east.attachment.breaches import (
    Astray,
    Displays,
    corps_tracks,
    cross_nation,
    divided_corps,
    find_astray,
    formations_astray,
    full_armies,
    independent_corps,
    strayed_corps,
    unattached,
)
from twilight_in_the_east.control.front_line import ArmyFront
from twilight_in_the_east.forces.armies import AttachedUnit, Breach, judge
from twilight_in_the_east.terms import KG_TRAIN

from ...conftest import viewed


def beside(hex: str) -> list[str]:
    """The neighbours along a column only, which is all that these shapes need."""
    column, row = hex.split(".")
    return [f"{column}.{int(row) - 1}", f"{column}.{int(row) + 1}"]


COLUMN = Map(beside, lambda hex: (0, 0), lambda hex: False)


@pytest.mark.rule("6.1")
def test_an_area_hangs_together_and_overlaps_no_other_of_its_side() -> None:
    first, second = frozenset({"40.10", "40.11"}), frozenset({"40.11", "40.12"})
    whole = {"russian First": first, "russian Second": frozenset({"40.12"}), "central-powers First": second}
    assert [*shapes(whole, COLUMN)] == []
    (breach,) = shapes({"russian First": first, "russian Second": second}, COLUMN)
    assert (breach.rule, breach.about) == ("6.1", "russian First")
    assert breach.why == "its area and that of russian Second both hold 40.11"
    (breach,) = shapes({"russian First": frozenset({"40.10", "40.12", "40.13"})}, COLUMN)
    assert breach.why == "its Area of Attachment is in 2 pieces"
    (breach,) = shapes({"russian Warsaw Garrison": first}, COLUMN)
    assert (breach.rule, breach.why) == ("24.1", "it is not an army, and has no Area of Attachment")


@pytest.mark.rule("6.1c")
def test_only_armies_of_one_side_with_a_piece_of_the_front_have_a_boundary_to_judge() -> None:
    areas = {
        "central-powers Eighth": frozenset({"40.09"}),
        "russian First": frozenset({"40.10", "40.11", "40.12", "40.13"}),
        "russian Second": frozenset({"40.14"}),
    }
    enemy, first, second = ["40.09"], ["40.13"], ["40.13"]
    fronts = {"central-powers Eighth": enemy, "russian First": first, "russian Second": second}
    assert [breach.why for breach in boundary_breaches(areas, fronts, COLUMN)] == [
        "its boundary with russian Second does not begin on the enemy's Front Line",
        "its boundary with russian Second ends 1 hexes behind the Front Line; the minimum is 7",
    ]
    assert [*boundary_breaches(areas, {"russian First": first, "central-powers Eighth": enemy}, COLUMN)] == []


EIGHTH, AUSTRIAN, RUSSIAN = "central-powers Eighth", "central-powers First", "russian Second"


def formation(id: str, corps: str = "", nation: str = "german", arm: str = "infantry", **more: Any) -> AttachedUnit:
    words = {
        "size": "XX",
        "area": "",
        "place": "",
        "recorded": more.pop("army", EIGHTH),
        "own_corps": id.partition("/")[2],
        **more,
    }
    return AttachedUnit(id, nation, "", arm, corps=corps, on_display=True, **words)


def displays(*units: AttachedUnit, text: str = "") -> Displays:
    return Displays(viewed(text), {}, {}, units, {})


def train(corps: str, **more: Any) -> AttachedUnit:
    about = {"arm": "corps-train", "size": "-", "train": True, "own_corps": "", **more}
    return formation(f"{corps} Train", corps, **about)


def full(army: str, *units: AttachedUnit, limit: str) -> list[str]:
    shown = displays(*units, text=f'army "{army}" attachment-limit={limit}')
    return [breach.why for breach in judge(full_armies(shown))[0]]


@pytest.mark.rule("6.1.2")
def test_a_train_counts_in_whose_area_it_stands_unless_it_is_entrained() -> None:
    trains = [train(str(number), army="central-powers Ninth", area=EIGHTH) for number in (1, 17, 20)]
    trains.append(formation("3 r"))
    assert full(EIGHTH, *trains, limit="2") == [
        "3 Corps Trains in its area (1 Train, 17 Train, 20 Train); its limit is 2"
    ]
    assert full(EIGHTH, *trains[1:], replace(trains[0], entrained=True), limit="2") == []
    riders = replace(trains[0], cavalry_corps=True)
    assert full(EIGHTH, *trains[1:], riders, limit="2 cavalry-track") == []


@pytest.mark.rule("6.1.2", "6.1.2b")
def test_a_track_that_is_kept_for_a_corps_is_no_room_for_others() -> None:
    def allowed(army: str, *corps: str, limit: str) -> bool:
        return not full(army, *(train(name, army=army) for name in corps), limit=limit)

    assert allowed(EIGHTH, "1", "17", "KG", limit="3")
    assert not allowed(EIGHTH, "1", "17", "20", limit="3")
    assert allowed(RUSSIAN, "1", "17", "20", limit="3")
    assert not allowed("central-powers AG P-B", "1", "2", limit="2")
    assert allowed("central-powers AG W", "2", "3 LW", limit="2")
    assert not allowed(RUSSIAN, "1", "13", "1 C", limit="2")
    assert allowed(RUSSIAN, "1", "13", "1 C", limit="2 cavalry-track")
    assert not allowed(RUSSIAN, "1", "13", "15", limit="2 cavalry-track")
    assert not allowed(RUSSIAN, "1", "13", "1 C", "2 C", limit="2 cavalry-track")
    assert full(EIGHTH, train("1"), train("17"), limit="2") == [
        "2 corps (1, 17); its Corps tracks hold 1, apart from the one reserved for KG"
    ]


@pytest.mark.rule("6.2.2", "6.2.2b")
def test_the_example_of_6_2_2() -> None:
    """56 r/26 R is independent until 26 R Train is there."""

    def judged(corps: str, *, led: bool) -> list[tuple[str, str]]:
        case = Astray(about="56 r/26 R", corps=corps, own_corps="26 R", train_near_front=led)
        return [(one.rule, one.why) for one in case.list_breaches()]

    assert judged("", led=False) == []
    assert judged("", led=True) == [("6.2.2", "it is independent, but its ID names 26 R Corps")]
    assert judged("2", led=True) == [("6.2.2", "it is with 2 Corps, but its ID names 26 R Corps")]
    assert judged("26 R", led=True) == []


@pytest.mark.rule("6.2.2b")
def test_the_train_of_its_own_corps_is_near_the_front() -> None:
    def near(text: str, own: Sequence[str] = (), ally: Sequence[str] = (), **more: Any) -> bool:
        fronts = {EIGHTH: own, AUSTRIAN: ally, RUSSIAN: ["40.20"]}
        lines = {
            army: ArmyFront(army=army, agreed=True, units=(), hexes=tuple(hexes))
            for army, hexes in fronts.items()
            if hexes
        }
        own_train = replace(train("1", place="40.20"), **more)
        view = viewed(f'60.17: german corps-train - "1 Train" {text}')
        case = Astray(view=view, about="1/1", corps="", own_corps="1", train=own_train, fronts=lines)
        return case.train_near_front

    reach = "extended-range=3 range=1"
    assert near(reach, ["40.23"]) and near(reach, ["40.28", "40.23"]) and not near(reach, ["40.24"])
    assert not near(reach, ["40.23"], entrained=True)
    assert not near(reach, ["40.23"], place="") and not near(reach, ["40.23"], recorded="")
    anyone = f"{reach}\nruling front-of-train=any"
    assert near(anyone, ally=["40.23"]) and near(anyone, ["40.28"], ["40.29", "40.23"])
    assert not near(anyone, ["40.28"], ["40.24"]) and not near(anyone, ally=["40.24"])
    assert not near(f"{reach}\nruling front-of-train=own", ["40.28"], ["40.23"])
    for unstated in ("", "\nruling front-of-train=own"):
        with pytest.raises(MissingFacts, match="front"):
            near(f"{reach}{unstated}", ally=["40.23"] if unstated else [])
    with pytest.raises(MissingFacts, match="extended-range"):
        near("range=1", ["40.23"])
    assert near(f'\n60.17: "{KG_TRAIN}" range=3 extended-range=1', ["40.23"], id=KG_TRAIN)


@pytest.mark.rule("6.2.2c")
def test_two_formations_of_a_nation_are_attached_freely() -> None:
    trains = [train("1", place="40.20"), train("17", place="40.20"), train("20", place="40.20")]
    trains += [train("15", nation="russian", army=RUSSIAN, place="40.20")]
    fronts = {army: ArmyFront(army=army, agreed=True, units=(), hexes=("40.21",)) for army in (EIGHTH, RUSSIAN)}

    def beyond(*names: str, limits: int = 4, free: str = "free-attachment") -> tuple[list[str], list[str]]:
        lines = [f'60.17: german corps-train - "{one.id}"' for one in trains]
        text = "\n".join([*(f"{line} extended-range=9" for line in lines[:limits]), *lines[limits:]])
        units = [formation(name, nation="russian" if name == "6/15" else "german") for name in names]
        shown = displays(*units, *trains, text=f"{text}\n{free}")._replace(fronts=fronts)
        breaches, asks = judge(formations_astray(shown))
        said = [f"{one.about} {one.rule} {one.why.partition('; ')[2]}".strip() for one in breaches]
        return said, [ask.name for ask in asks]

    assert beyond("1/1", "35/17", "6/15") == ([], [])
    three = "formations of its nation use the optional free attachment; the limit is 2"
    assert beyond("1/1", "35/17", "37/20", "6/15")[0] == [f"{one} 6.2.2 3 {three}" for one in ("1/1", "35/17", "37/20")]
    assert beyond("1/1", "6/15", free="") == (["1/1 6.2.2", "6/15 6.2.2"], [])
    assert beyond("1/1", "35/17", "37/20", limits=2) == ([], ['"20 Train" extended-range=N'])
    assert beyond("1/1", "35/17", limits=0) == ([], [])


@pytest.mark.rule("6.2.2a", "3.8.3b")
def test_without_its_train_a_corps_is_judged_by_the_arms_alone() -> None:
    units = [formation("1/1", "1"), formation("2/1", "1"), formation("3/1", "1", arm="cavalry")]
    breaches, asks = judge(corps_tracks(displays(*units)))
    assert ([breach.about for breach in breaches], asks) == (["3/1"], ())


def crossing(*members: AttachedUnit, turn: int | None = None, reading: str = "only") -> list[str]:
    text = f"ruling cross-nation={reading}\n" + (f"turn={turn}" if turn else "")
    return [breach.about for breach in judge(cross_nation(displays(*members, text=text)))[0]]


@pytest.mark.rule("6.2.4")
def test_who_serves_under_the_other_nation() -> None:
    reserve, another = formation("3 r", army=AUSTRIAN), formation("35 r", army=AUSTRIAN)
    assert crossing(reserve) == []
    assert crossing(reserve, another) == ["3 r", "35 r"]
    assert crossing(reserve, turn=3) == [], "the turns are for 3 LW Corps"
    assert crossing(formation("5 r", army=AUSTRIAN, arm="cavalry")) == ["5 r"]
    assert crossing(formation("A-H 1", "3 LW", nation="austro-hungarian")) == ["A-H 1"]
    assert crossing(formation("5 r", army=AUSTRIAN, size="X")) == ["5 r"], "a brigade is not a reserve division"
    assert crossing(formation("1 r/1 R"), formation("36 r/1 R")) == []
    horse = formation("A-H 3 c", nation="austro-hungarian", arm="cavalry")
    assert crossing(horse, formation("A-H 2 c", nation="austro-hungarian", arm="cavalry", army=AUSTRIAN)) == []
    assert crossing(horse, replace(horse, id="A-H 2 c")) == ["A-H 3 c", "A-H 2 c"]
    assert crossing(formation("6/15", nation="russian", army=RUSSIAN)) == []


@pytest.mark.rule("6.2.4")
@pytest.mark.parametrize(("turn", "breaches"), [(3, 2), (4, 0), (18, 0), (19, 2), (None, 0)])
def test_3_lw_corps_serves_under_austria_hungary_in_gt_4_to_18(turn: int | None, breaches: int) -> None:
    corps = [train("3 LW", army=AUSTRIAN), formation("3 lw", "3 LW", army=AUSTRIAN)]
    assert len(crossing(*corps, turn=turn)) == breaches


@pytest.mark.rule("6.3", "6.1.1")
def test_a_corps_with_two_armies_is_named_by_its_first_unit_and_independent_units_are_no_corps() -> None:
    ninth = "central-powers Ninth"
    assert [one.about for one in judge(divided_corps(displays(train("1"), formation("1/1", "1", army=ninth))))[0]] == [
        "1 Train"
    ]
    assert [*divided_corps(displays(formation("3 r"), formation("35 r", army=ninth)))] == []


@pytest.mark.rule("6.2.4")
def test_whose_reserve_and_whose_cavalry_divisions_may_cross() -> None:
    reserve = formation("3 r", nation="austro-hungarian")
    horse = formation("8 c", arm="cavalry", army=AUSTRIAN)
    (first, second) = judge(cross_nation(displays(reserve, horse)))[0]
    assert first.why == "only one cavalry division of its nation may serve under central-powers Eighth"
    assert second.why == "only one reserve division of its nation may serve under central-powers First"


@pytest.mark.rule("22.3.2", "22.5", "23.2")
def test_a_strayed_corps_is_named_by_its_train_and_only_in_its_own_nation() -> None:
    ninth = "central-powers Ninth"
    members = [formation("1/KG", "KG", army=ninth), train("KG", army=ninth)]

    def strayed(*units: AttachedUnit, text: str = "") -> list[tuple[str, str]]:
        return [(one.rule, one.about) for one in judge(strayed_corps(displays(*units, text=text)))[0]]

    assert strayed(*members) == [("22.5", "KG Train")]
    assert strayed(*(replace(one, nation="russian") for one in members)) == []
    landwehr = train("3 LW", army=ninth)
    clocks = ("campaign turn=29", "campaign turn=28", "campaign", "turn=29")
    assert [len(strayed(landwehr, text=clock)) for clock in clocks] == [1, 0, 0, 0]


@pytest.mark.rule("6.2.2")
def test_who_is_off_the_track_of_the_corps_that_its_id_names() -> None:
    def astray(*units: AttachedUnit) -> list[tuple[str, str, str]]:
        return [(case.about, case.own_corps, case.train.id) for case in find_astray(displays(*units))]

    there, other = train("1"), replace(train("1"), id="another")
    assert astray(formation("1/1", "2"), formation("2/1"), there, other) == [
        ("1/1", "1", "1 Train"),
        ("2/1", "1", "1 Train"),
    ]
    assert astray(formation("1/1", "1"), formation("3 r", "1"), there) == []
    assert astray(formation("1/1", "2"), train("2")) == [], "its own Train is not in play"
    assert astray(formation("1/1", "2", nation="russian"), there) == []


@pytest.mark.rule("6.2.3")
def test_a_corps_is_never_independent() -> None:
    breaches, _ = judge(independent_corps(displays(train(""), train("1"), formation("3 r"))))
    assert [(breach.rule, breach.about, breach.why) for breach in breaches] == [
        ("6.2.3", " Train", "a corps is never on the Independent track")
    ]


@pytest.mark.rule("6.3", "6.1.1")
def test_every_corps_and_formation_belongs_to_one_army() -> None:
    def judged(*units: AttachedUnit) -> tuple[Breach, ...]:
        return judge([*unattached(displays(*units)), *divided_corps(displays(*units))])[0]

    assert judged(formation("3 r"), train("1")) == ()
    (breach,) = judged(formation("3 r", army=""))
    assert (breach.rule, breach.about, breach.why) == ("6.3", "3 r", "its army is not stated")
    (breach,) = judged(train("1"), formation("1/1", "1", army="central-powers Ninth"))
    assert (breach.rule, breach.why) == (
        "6.1.1",
        "1 Corps (1 Train, 1/1) is with central-powers Eighth and with central-powers Ninth",
    )
    assert (breach.about, *breach.others) == ("1 Train", "1/1", EIGHTH, "central-powers Ninth")
    (breach,) = judged(train("1"), formation("1/1", "1", army=""))
    assert (breach.rule, breach.about) == ("6.3", "1/1")
    other = formation("1/1", "1", nation="austro-hungarian", army=AUSTRIAN)
    assert judged(train("1"), other) == ()  # two corps of one number, of two nations
