"""Units as attachment sees them: the area they stand in, and the formation of an Asset Unit (6.1.1, 6.4.1)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from twilight_in_the_east.attachment.breaches import Displays, misplaced
from twilight_in_the_east.forces.armies import AttachedUnit, Breach, judge, lone_assets

from ...conftest import viewed

FIRST, SECOND = "russian First", "russian Second"


def placed(id: str, place: str = "41.19", **more: Any) -> AttachedUnit:
    words = {"nation": "russian", "side": "russian", "arm": "infantry", "size": "XX", "recorded": FIRST, "area": ""}
    return AttachedUnit(id, place=place, **{**words, "corps": "", "own_corps": "", "on_display": True, **more})


def asset(id: str, place: str = "41.19", **more: Any) -> AttachedUnit:
    return placed(id, place, **{"size": "III", "asset": True, "on_display": False, **more})


def apart(one: str, other: str) -> int:
    return abs(int(one[3:]) - int(other[3:]))


@pytest.mark.rule("6.1.1")
def test_who_stands_in_an_area_belongs_to_its_army() -> None:
    assert placed("R", area=SECOND).by_area == SECOND
    assert placed("R", area=SECOND, entrained=True).by_area == ""
    assert placed("Grodno", area=SECOND, arm="fortress").by_area == ""
    assert placed("F", area=SECOND, arm="fort").by_area == ""


def wrong(*units: AttachedUnit) -> list[Breach]:
    return [*judge(misplaced(Displays(viewed(""), {}, {}, units, {})))[0]]


@pytest.mark.rule("6.1.1d")
def test_a_unit_in_a_wrong_area_is_listed_and_tolerated() -> None:
    (breach,) = wrong(placed("R", area=SECOND))
    assert (breach.rule, breach.about, breach.tolerated) == ("6.1.1", "R", True)
    assert "it belongs to russian First but stands in the area of russian Second" in breach.why
    assert "may not enter a hex adjacent to an enemy outside the Area of Attachment of its army" in breach.why
    for right in ({"area": FIRST}, {"area": ""}, {"area": SECOND, "entrained": True}, {"area": SECOND, "recorded": ""}):
        assert wrong(placed("R", **right)) == []
    assert wrong(placed("R", area=SECOND, recorded="russian Warsaw Garrison")) == []


@pytest.mark.rule("6.2.4b")
def test_an_asset_unit_joins_its_own_nation() -> None:
    german = placed("G", nation="german")
    (breach,) = wrong(asset("guns", nation="austro-hungarian", chosen="G"), german)
    assert (breach.rule, breach.about, breach.others, breach.tolerated) == ("6.2.4", "guns", ("G",), False)
    assert breach.why == "G is of another nation; an Asset Unit joins only units of its nation"
    assert wrong(asset("guns", nation="german", chosen="G"), german) == []
    assert wrong(asset("guns", nation="german"), german) == []
    german, russian = placed("G", nation="german"), placed("R")
    assert wrong(asset("guns", chosen="R"), german, russian) == []
    assert wrong(placed("S", chosen="G"), german, russian) == []


def nearest(*units: AttachedUnit) -> tuple[str, ...]:
    (one,) = lone_assets(units, apart)
    return one.nearest


@pytest.mark.rule("6.4.1b")
def test_a_lone_asset_unit_belongs_to_the_nearest_formation() -> None:
    lone, near, far = asset("A"), placed("near", "41.20"), placed("far", "41.22")
    assert nearest(lone, near, far) == ("near",)
    assert nearest(lone, near, placed("too", "41.18")) == ("near", "too")
    assert nearest(msgspec.structs.replace(lone, chosen="too"), near, placed("too", "41.18")) == ("too",)
    assert nearest(msgspec.structs.replace(lone, chosen="far"), near, far) == ("near",)
    assert nearest(lone, msgspec.structs.replace(near, recorded=SECOND), far) == ("far",)
    assert nearest(msgspec.structs.replace(lone, area=SECOND), msgspec.structs.replace(near, area=SECOND), far) == (
        "near",
    )
    assert nearest(msgspec.structs.replace(lone, area=SECOND), near, far) == ()
    assert nearest(lone, msgspec.structs.replace(near, nation="german"), far) == ("far",)
    assert nearest(msgspec.structs.replace(lone, recorded=""), near) == ()
    assert nearest(lone, msgspec.structs.replace(near, train=True), far) == ("far",)
    assert lone_assets([msgspec.structs.replace(lone, joined="near"), near], apart) == ()
    assert lone_assets([msgspec.structs.replace(lone, place=""), near], apart) == ()


@pytest.mark.rule("6.2")
def test_the_army_of_a_unit_is_that_of_its_record_then_of_its_corps_then_of_its_area() -> None:
    third = "russian Third"
    assert placed("R", recorded=FIRST, of_corps=SECOND, area=third).army == FIRST
    assert placed("R", recorded="", of_corps=SECOND, area=third).army == SECOND
    assert placed("R", recorded="", area=third).army == third


@pytest.mark.rule("6.4.1b")
def test_whether_armies_that_are_not_stated_count_for_a_lone_asset_unit() -> None:
    def found(lone: AttachedUnit, *others: AttachedUnit) -> tuple[str, ...]:
        return next(one.nearest for one in lone_assets([lone, *others], apart, unstated=True) if one.id == lone.id)

    lone, near, far = asset("A"), placed("near", "41.20"), placed("far", "41.22")
    nowhere = {"recorded": ""}
    assert found(msgspec.structs.replace(lone, **nowhere), near, far) == ("near",)
    assert found(lone, msgspec.structs.replace(near, **nowhere), far) == ("near",)
    assert found(lone, msgspec.structs.replace(near, recorded=SECOND), far) == ("far",)
    assert nearest(lone, placed("boxed", ""), far) == ("far",)
    assert nearest(msgspec.structs.replace(lone, **nowhere), msgspec.structs.replace(near, **nowhere), far) == ()
