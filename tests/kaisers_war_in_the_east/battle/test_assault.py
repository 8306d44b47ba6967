"""An amphibious assault from a hex of sea: it lands by pursuit, or is lost (Optional Rules)."""

from __future__ import annotations

from typing import Any

import pytest

from ...conftest import why_not
from ..examples import after, ask

AFLOAT = """
turn=2 main-effort=east
options=amphibious
side central-powers vp=60
side allies vp=60
2614 all-sea: german marine XXX 1M (20-2-3)
2615 clear: Rus-inf-1 (4-4-3)
2614 | 2615 open
"""
"""A German amphibious unit at sea with five times the strength of the corps on the coast."""


def assault(die: int, position: str = AFLOAT) -> Any:
    """The report on the attack."""
    return ask(position, "battle", at="2615", answers={"die": str(die)})


def lost(report: Any) -> list[str]:
    return [one.unit for one in report.result.lost]


@pytest.mark.rule("Opt/Amph/5")
def test_an_assault_that_may_pursue_lands_and_one_that_may_not_is_lost_alone() -> None:
    found = assault(6)
    assert (found.result.outcome, found.result.pursues, lost(found)) == ("DZ", "attacker", ["Rus-inf-1"])
    state = after(AFLOAT, "battle", at="2615", answers={"die": "6"})
    assert state.units["1M"].place == "2614"
    cleared = AFLOAT.replace("2615 clear: Rus-inf-1 (4-4-3)", "2615 clear combat-result=DZ")
    assert ask(cleared, "pursue", at="2615", units=["1M"]).verdict.kind == "yes"
    weak = AFLOAT.replace("(20-2-3)", "(13-2-3)")
    stalemate = ask(weak, "battle", at="2615", answers={"die": "1", "attacker.one": "1M", "defender.one": "Rus-inf-1"})
    bloody = AFLOAT.replace("(4-4-3)", "(4-4-3), Rus-2 (1-1-4)")
    assert (stalemate.result.outcome, stalemate.result.pursues) == ("ST", "") and lost(stalemate).count("1M") == 1, (
        "once at most"
    )
    found = assault(1, bloody.replace("(20-2-3)", "(40-2-3)"))
    assert found.result is not None and "1M" in lost(found)
    found = ask(AFLOAT.replace("(20-2-3)", "(1-2-3)"), "battle", at="2615", answers={"die": "1"})
    assert (found.result.outcome, found.result.pursues, lost(found)) == ("AZ", "defender", ["1M"])
    both = (
        AFLOAT.replace("(20-2-3)", "(2-2-3)").replace("(4-4-3)", "(8-8-3)")
        + "2616: Ger-8 (12-9-4), Ger-inf-1 (1-1-3)\n2615 | 2616 open\n"
    )
    answers = {"die": "1", "attacker.one": "Ger-8:corps", "defender.one": "Rus-inf-1"}
    found = ask(both + "chart reorganization german infantry-army = 3\n", "battle", at="2615", answers=answers)
    assert found.result.outcome == "ST"
    assert lost(found) == ["Rus-inf-1", "Ger-8", "1M"]
    points = sorted((one.subject, one.amount) for one in found.changes if getattr(one, "track", "") == "vp")
    assert points == [("allies", -2), ("central-powers", -2), ("central-powers", -2)]


@pytest.mark.rule("Opt/Amph/5", "17.3")
def test_no_supply_unit_reaches_out_to_sea() -> None:
    supplied = AFLOAT + "2613: CP-supply-1 radius=3\n2613 clear\n"
    column = ask(supplied, "battle", at="2615", supply=["CP-supply-1"])
    assert column.verdict.kind == "no" or column.result.combat.attack == 20


@pytest.mark.rule("Opt/Amph/5")
@pytest.mark.parametrize(
    ("die", "strength", "outcome", "gone"),
    [
        ("2", "(2-2-3)", "AD", ["1M"]),
        ("1", "(20-2-0)", "BB", ["Rus-inf-1", "1M"]),
        ("6", "(20-2-0)", "DZ", ["Rus-inf-1", "1M"]),
    ],
)
def test_who_cannot_pursue_does_not_land_whatever_the_result(
    die: str, strength: str, outcome: str, gone: list[str]
) -> None:
    """A defeat, a bloodbath, and a victory of a unit without a movement factor."""
    found = ask(AFLOAT.replace("(20-2-3)", strength), "battle", at="2615", answers={"die": die})
    assert (found.result.outcome, lost(found)) == (outcome, gone)


@pytest.mark.rule("Opt/Amph/5", "6.2/2d")
def test_an_assault_is_made_in_the_first_combat_phase_and_the_checklist_says_so() -> None:
    def refused(phase: str, position: str = AFLOAT) -> list[str]:
        return why_not(ask(position + f"phase={phase} phasing=central-powers\n", "battle", at="2615"))

    assert (refused("first-combat"), refused("second-combat")) == ([], ["Opt/Amph/5"])
    landed = AFLOAT.replace("2614 all-sea", "2614 clear")
    assert refused("second-combat", landed) == []
    steps = [one.rule for one in ask(AFLOAT, "turn").parts for one in one.steps]
    assert steps.count("Opt/Amph/5") == 2
    assert "Opt/Amph/5" not in str(ask(AFLOAT.replace("options=amphibious\n", ""), "turn"))
