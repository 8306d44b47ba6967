"""The Prepared Attack markers that a combat takes off (8.4, 10.3)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report
from twilight_in_the_east.battle.record import CombatOver
from twilight_in_the_east.combat.pieces import Pieces
from twilight_in_the_east.results.outcome import BattleOutcome, Withdrawal
from twilight_in_the_east.retreat.ways import ForceRetreat

from ...conftest import answered, ruled, typed, viewed
from ..results.conftest import division
from ..results.test_resolution import combat, russian

SHUT_IN = """turn=5
trust charts
40.20 clear: russian infantry XX R corps=3 (4-4-0-10) back-steps=0 prepared=41.19
41.19 clear: german infantry XX G corps=1 (30-6-0-11) back-steps=0
41.19|40.20,40.19,41.18,41.20,42.19,42.20 open
40.20|39.19,39.20,40.21 open
39.19|39.18,38.19 open
{around}
ask battle at=41.19 from=40.20 attacker-ap=none defender-ap=none flanked=no
{crt}
{slrt}
answers crt=7 slrt=1/1 ec.40.20=2 ec.41.19=2 repulse.41.19={repulse} {more}
{ruling}
"""
AROUND = "\n".join(
    f"{hex}: russian infantry XX N{hex.replace('.', '')} (30-9-0-9)"
    for hex in ("40.19", "41.18", "41.20", "42.19", "42.20")
)
CRT = "\n".join(f"chart crt summer 1:{odds} 7 = - / W1" for odds in (1, 2, 3, 4))
SLRT = "\n".join(f"chart slrt summer {size} {n} = 0 / 0" for size in ("Small", "Medium") for n in range(-2, 9))


def fought(repulse: str, more: str = "", ruling: str = "") -> Report[Any]:
    """R attacks G, which has to retreat, is shut in and may try to push R away."""
    text = SHUT_IN.format(around=AROUND, crt=CRT, slrt=SLRT, repulse=repulse, more=more, ruling=ruling)
    return answered(typed(text))


PUSHED = "repulse.41.19.ec=2 repulsed.41.19=39.20,38.20"


@pytest.mark.rule("8.4.3", "10.3b")
@pytest.mark.parametrize("reading", ["off", "stays"])
def test_the_marker_of_an_attacker_that_a_repulse_pushes_away_comes_off_once_whatever_the_ruling(reading: str) -> None:
    report = fought("40.20", PUSHED, f"ruling prepared-spent={reading}")
    markers = [(one.subject, one.after, one.rule) for one in report.changes if one.track == "prepared"]
    assert (report.asks, markers) == ((), [("R", None, "8.4.3")])


@pytest.mark.rule("8.4.3", "10.3b")
@pytest.mark.parametrize(("reading", "left"), [("off", [("R", None, "8.4")]), ("stays", [])])
def test_the_marker_of_an_attacker_that_stays_comes_off_by_the_ruling(reading: str, left: list[object]) -> None:
    report = fought("none", "advance=none", f"ruling prepared-spent={reading}")
    assert ruled(report, "prepared-spent") == reading
    assert [(one.subject, one.after, one.rule) for one in report.changes if one.track == "prepared"] == left


@pytest.mark.rule("8.4.3", "10.3b")
@pytest.mark.parametrize(
    ("cause", "gone", "left"),
    [
        ("repulse", (), [("R", "8.4.3"), ("S", "10.3")]),
        ("repulse", ("R",), [("S", "10.3")]),
        ("repulse", ("S",), [("R", "8.4.3")]),
        ("crt", (), [("S", "10.3"), ("R", "8.4")]),
        ("crt", ("R",), [("S", "10.3")]),
    ],
)
def test_whose_markers_come_off(cause: str, gone: tuple[str, ...], left: list[tuple[str, str]]) -> None:
    """R and T without a marker retreat; S points at an empty hex, and G, which has attacked nobody, keeps his."""
    stack = (
        "R prepared=41.19 (9-9-0-9), russian infantry XX T (9-9-0-9), russian infantry XX S prepared=40.19 (9-9-0-9)"
    )
    view = viewed(
        f"40.20: russian infantry XX {stack}\n41.19: german infantry XX G prepared=40.20\nruling prepared-spent=off"
    )
    attackers = [russian("R", prepared="41.19"), russian("T"), russian("S", prepared="40.19")]
    fight = msgspec.structs.replace(combat(attackers, [division("G", prepared="40.20")]), pieces=Pieces(view))
    forces = (ForceRetreat("R"), ForceRetreat("T"))
    after = BattleOutcome(retreats=(Withdrawal("attacker", "40.20", "40.20", cause, 2, (), (), forces),))
    changes = CombatOver(view, fight, after).take_markers_off(gone)
    assert [(one.subject, one.rule) for one in changes] == left
