"""The question `move`: units go from hex to hex, and what follows is carried out (4.2, 4.3, 13.5.1)."""

from __future__ import annotations

import pytest

from assistant.util.errors import InputError

from ...conftest import answered, told, typed

TEXT = """accept reconstruction
40.20: russian infantry XX R (9-9-0-9), russian infantry XX S (9-9-0-9)
43.18: german infantry XX G (9-9-0-9)
41.18 printed-ip=central-powers control=central-powers
42.20: austro-hungarian fort - F abandonment=2
"""


@pytest.mark.rule("13.5.1", "4.3")
def test_a_move_is_carried_out_with_what_follows() -> None:
    position = typed(TEXT)
    report = answered(position, "move", units="R,S", way="40.19,41.18,41.19")
    then = position.after(report.changes).state
    assert [then.units[name].place for name in "RS"] == ["41.19", "41.19"]
    assert (then.value("ruined", "41.18"), then.value("control", "41.18")) == (True, "russian")
    assert then.value("control", "40.20") == "russian"
    assert report.result.unsettled == ("F",)
    assert "bridgehead" in told(report, "What follows")[0]


def test_hex_by_hex_comes_to_the_same() -> None:
    position = typed(TEXT)
    at_once = position.after(answered(position, "move", units="R,S", way="40.19,41.18,41.19").changes)
    for hex in ("40.19", "41.18", "41.19"):
        position = position.after(answered(position, "move", units="R,S", way=hex).changes)
    assert (position.state.units, position.state.facts) == (at_once.state.units, at_once.state.facts)


@pytest.mark.rule("4.2")
def test_nobody_enters_a_hex_where_enemies_stand() -> None:
    report = answered(typed(TEXT), "move", units="R", way="41.19,42.19,43.18")
    assert (report.verdict.kind, report.changes) == ("no", ())
    assert told(report, "Not allowed") == ["enemies stand in 43.18"]


def test_ways_and_units_that_cannot_be() -> None:
    with pytest.raises(InputError, match="they do not stand in one hex"):
        answered(typed(TEXT), "move", units="R,G", way="41.19")
    with pytest.raises(InputError, match="42.18 is not next to 40.20"):
        answered(typed(TEXT), "move", units="R", way="42.18")
