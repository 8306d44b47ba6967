"""Field Railways in supply lines: narrow track, joined to the rail net at the DEPLOYED marker only (17.1, 17.5.3)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.mechanics.tracing import CostField
from twilight_in_the_east.railways.built_lines import join_railways
from twilight_in_the_east.supply.ground import beside_field_railways

from ...conftest import answered, typed

BOARD = "board sample\ntrust counters\nturn=5\n64.33: 22/1\n"
"""On the sample board the Russian line runs from 63.41 by 63.39 and 64.38 to 65.37, and no further north."""
FIELD = '65.37 built-line="65.37 65.36 64.36 64.35" built-kind=field built-by=russian built-turn=4\n'


def asked(text: str = "", unit: str = "22/1") -> Report[Any]:
    return answered(typed(BOARD + text), "supply", unit=unit)


@pytest.mark.rule("17.5.3")
def test_it_carries_supply_as_a_narrow_track_line() -> None:
    bare, built = asked(), asked(FIELD)
    assert bare.result.cost > built.result.cost
    assert built.result.source == "the RR line at 64.35"
    train = '65.37: "Russian 1 Train"\n'
    along = asked(FIELD + train)
    source = next(one for one in along.result.tried if one.source == "Russian 1 Train")
    assert source.cost == Fraction(3, 2) + built.result.cost, "three hexes at half a hex each, then on from its end"


@pytest.mark.rule("17.5.3", "17.5.3b")
def test_it_serves_only_where_its_deployed_marker_is_linked() -> None:
    bare = asked().result
    cut = asked(FIELD + "65.37 operational=none\n").result
    assert cut.source != "the RR line at 64.35"
    backwards = FIELD.replace(
        '65.37 built-line="65.37 65.36 64.36 64.35"', '64.35 built-line="64.35 64.36 65.36 65.37"'
    )
    backwards = backwards.replace("65.37 built-kind", "64.35 built-kind")
    assert asked(backwards).result.cost == bare.cost, "its RAILHEAD marker joins no other line"
    entered = asked(FIELD + "64.36: german cavalry XX C\n")
    assert entered.result.source != "the RR line at 64.35"
    theirs = FIELD.replace("built-by=russian", "built-by=austro-hungarian")
    assert asked(theirs).result.cost == bare.cost


@pytest.mark.rule("17.5.3")
def test_its_hexes_are_linked_in_order() -> None:
    railway = CostField({"e": 0, "a": 1}, {"a": "e"})
    whole = join_railways(railway, [("a", "b", "c")])
    assert (dict(whole.cost), whole.line("c")) == ({"e": 0, "a": 1, "b": 2, "c": 3}, ("e", "a", "b", "c"))
    assert dict(join_railways(railway, [("a", "e")]).cost) == {"e": 0, "a": 1}, "what is linked already stays so"
    assert dict(join_railways(railway, [()]).cost) == {"e": 0, "a": 1}


@pytest.mark.rule("17.5.3")
def test_a_broken_line_that_it_touches_does_not_work_for_that() -> None:
    """What crosses a hexside: its own track, a linked RR line, or a RR line in a hex that only the Field Railway reaches."""
    lies = {"rail": "rail2", "road": "no-road", "crossing": "no-crossing"}
    own, built = frozenset({"a|b"}), frozenset({"b"})
    assert beside_field_railways({**lies, "rail": "no-rail"}, "a|b", own, built)["rail"] == "rail1"
    assert beside_field_railways(lies, "a|b", own, built)["rail"] == "rail1"
    assert beside_field_railways(lies, "a|b", own, frozenset())["rail"] == "rail2", "another line links both hexes"
    bare = {**lies, "rail": "no-rail"}
    assert beside_field_railways(bare, "a|b", own, frozenset())["rail"] == "rail1"
    assert beside_field_railways(bare, "b|c", own, built) == bare, "no bridge where no RR line lies"
    assert beside_field_railways(lies, "c|d", own, built) == lies
    ferried = {**lies, "crossing": "ferry"}
    assert beside_field_railways(ferried, "b|c", own, built) == {**ferried, "rail": "no-rail"}
    assert beside_field_railways(lies, "b|c", own, built) == {**lies, "rail": "no-rail", "crossing": "bridge"}
    paper = (
        "4030=4031\n4030:4029c:4028=4027=4026\n40.28 operational=none\n40.27 clear\n40.26 clear\n4026c/4025c/4024c\n"
    )
    paper += '40.30 built-line="40.30 40.29 40.28" built-kind=field built-by=russian built-turn=4\n'
    paper += "40.26: 22/1\nside russian whole-network\n40.27 operational=none\n40.26 operational=none\nturn=5\n"
    found = answered(typed(paper), "supply", unit="22/1")
    assert (found.result.source, found.result.cost) == ("the RR line at 40.28", 2)
