"""Who takes the steps that a way of retreat costs (11.1b, 11.2.5).

Two divisions, each with a regiment, retreat through two hexes in an EZOC: each of the two Forces owes a step.
"""

from __future__ import annotations

import pytest

from assistant.asking.report import Report

from ..test_retreats import G1, fought

G2 = "german infantry XX G2 corps=1 (12-6-0-11) back-steps=0"
ZONES = "40.18: russian infantry XX R2 corps=3 (9-9-0-9) back-steps=0\n41.18|40.18,41.17 open\n41.17|40.18 open\n"


def way_taken(answers: str, lost: int = 0) -> Report[object]:
    """The combat as far as the answers go. lost: the steps that the regiment a has lost of its four."""
    regiments = [f"german infantry III {name} (4-4-0-11) asset with=G{n}" for n, name in ((1, "a"), (2, "b"))]
    stack = f"{G1}, {regiments[0]} lost={lost}, {G2}, {regiments[1]}"
    return fought("- / W2", ZONES, stack, more=f"retreat.41.19=41.18,41.17 {answers}")


@pytest.mark.rule("11.1b", "11.2.1", "23.8")
def test_each_force_shares_out_its_own_step_one_after_the_other() -> None:
    (ask,) = way_taken("").asks
    assert (ask.name, ask.options) == ("losses.G1.crt", ("G1", "a"))
    (ask,) = way_taken("losses.G1.crt=a").asks
    assert (ask.name, ask.options) == ("losses.G2.crt", ("G2", "b"))
    done = way_taken("losses.G1.crt=a losses.G2.crt=G2 advance=none")
    assert done.asks == ()
    assert {one.subject: one.after for one in done.changes if one.track == "lost"} == {"a": 1, "G2": 1}


@pytest.mark.rule("11.1b", "23.8")
@pytest.mark.parametrize(("takes", "end"), [("a", None), ("G1", "41.17")])
def test_only_a_unit_that_loses_its_last_step_leaves_the_map(takes: str, end: str | None) -> None:
    """The regiment a has one step left."""
    done = way_taken(f"losses.G1.crt={takes} losses.G2.crt=G2 advance=none", lost=3)
    places = {one.subject: one.after for one in done.changes if one.track == "place"}
    assert places == {"G1": "41.17", "a": end, "G2": "41.17", "b": "41.17"}
