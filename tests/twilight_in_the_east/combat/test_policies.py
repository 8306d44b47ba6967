"""How a side settles its choices before dice are rolled: by name or by units, within what the rules leave to it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from assistant.asking.report import to_text
from assistant.util.errors import InputError
from assistant.util.notes import notes_of
from twilight_in_the_east.combat.before_dice import POLICY_MEANINGS, Policy
from twilight_in_the_east.combat.engagement import BattleParameters
from twilight_in_the_east.forces.losses import Share, distributions

from ...conftest import answered, typed

BEFORE = (Path(__file__).parents[3] / "plugins/twilight_in_the_east/examples/battle-before.pos").read_text("utf-8")


def chances(words: str = "") -> Any:
    """The chances of the rulebook's example with these parameters."""
    return answered(typed(BEFORE.replace("ask battle", f"ask battle {words}"))).result.chances


def passes(words: str = "") -> dict[str, Fraction]:
    return {one.force: one.passes for one in chances(words).forces}


def test_unsaid_both_sides_do_what_is_usual() -> None:
    assert chances() == chances("attacker-policy=usual defender-policy=usual")
    assert (chances().attacker_policy.name, chances().defender_policy.name) == ("usual", "usual")


def test_losses_on_the_weakest_spare_the_strong_and_the_other_way_round() -> None:
    """29/20 is the weakest: it takes the first step and +1, so it passes less often, and the others more often."""
    usual, weakest = passes(), passes("attacker-policy=weakest")
    assert weakest["29/20"] < usual["29/20"]
    assert all(weakest[force] >= usual[force] for force in ("25/3", "27/3"))
    assert weakest["1/1"] == usual["1/1"], "the other side has a policy of its own"
    strongest = passes("attacker-policy=strongest")
    assert strongest["29/20"] > passes("attacker-policy=weakest")["29/20"]


def test_units_in_their_order() -> None:
    first, second = passes("attacker-policy=27/3,25/3"), passes("attacker-policy=25/3,27/3")
    assert first["27/3"] == second["25/3"] < first["25/3"] == second["27/3"]


def test_a_policy_moves_losses_and_never_how_many_there_are() -> None:
    every = [chances(f"attacker-policy={name}") for name in (*POLICY_MEANINGS, "29/20", "25/3,29/20,27/3")]
    assert all(one.attacker_losses == every[0].attacker_losses for one in every)
    assert all(one.crt == every[0].crt and one.defender_steps == every[0].defender_steps for one in every)


def test_report_and_result_name_it() -> None:
    report = answered(typed(BEFORE.replace("ask battle", "ask battle attacker-policy=weakest")))
    found = report.result.chances
    assert (found.attacker_policy.name, found.defender_policy.name) == ("weakest", "usual")
    text = " ".join(to_text(report).split())
    assert f"choices of the attacker (weakest): {POLICY_MEANINGS['weakest']}" in text
    assert f"choices of the defender (usual): {POLICY_MEANINGS['usual']}" in text


@pytest.mark.parametrize(
    ("words", "hint"),
    [("attacker-policy=weekest", "weakest"), ("defender-policy=1/2", "1/1"), ("attacker-policy=weakest,usual", "")],
)
def test_one_that_there_is_not_is_refused_with_the_nearest(words: str, hint: str) -> None:
    with pytest.raises(InputError, match=f"{words.split('=')[0]}: .* is neither a policy nor a unit") as error:
        chances(words)
    assert hint in error.value.hint


def test_every_policy_with_a_name_is_documented() -> None:
    assert all(name in notes_of(BattleParameters)["attacker_policy"] for name in POLICY_MEANINGS)


def test_with_dice_the_options_stand_in_its_order() -> None:
    """The owner chooses; what his policy would take comes first."""
    rolled = BEFORE.replace("ask battle", "ask battle attacker-policy={}") + "answers crt=7 slrt=3/4\n"
    for name, first in (("usual", "25/3,27/3"), ("weakest", "29/20,25/3"), ("29/20,27/3", "29/20,27/3")):
        (ask,) = (one for one in answered(typed(rolled.format(name))).asks if one.name == "losses.attacker")
        assert sorted(ask.options[0].split(",")) == sorted(first.split(","))
        assert len(ask.options) == 3


@pytest.mark.rule("11.1.1a", "11.1b")
def test_a_wish_does_not_go_beyond_equal_shares() -> None:
    """Who is to take losses first takes no second step before the others have taken one; the last step goes last."""
    wished = (Share("a", 5, rank=1), Share("b", 5, rank=0), Share("c", 1, rank=0))
    assert distributions(wished, 1)[0] == (0, 1, 0)
    assert distributions(wished, 3)[0] == (1, 2, 0)
    assert set(distributions(wished, 3)) == {(1, 2, 0), (2, 1, 0), (1, 1, 1)}
    assert set(distributions(wished, 3, may_eliminate=False)) == {(1, 2, 0), (2, 1, 0)}


@pytest.mark.rule("11.1.1a")
def test_many_ways_to_share_many_losses_are_listed_once_and_at_once() -> None:
    """Seven steps among twelve units: 792 ways, of which no order of losses makes more."""
    ways = distributions(tuple(Share(f"u{number}", 10) for number in range(12)), 7)
    assert len(ways) == len(set(ways)) == 792
    assert ways[0] == (1,) * 7 + (0,) * 5


def test_a_force_is_put_in_order_by_what_it_can_afford_or_by_its_units() -> None:
    forces = [(3, 0), (1, 1), (2, 2)]
    orders = {
        kind: sorted(forces, key=lambda one: Policy(modifier=kind).order(*one)) for kind in ("best", "least", "rank")
    }
    assert orders == {"best": [(3, 0), (2, 2), (1, 1)], "least": [(1, 1), (2, 2), (3, 0)], "rank": forces}
