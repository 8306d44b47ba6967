"""The luck of a battle against all its dice one by one, as a naive reader of reports finds them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ...assistant.records.luck.asked import Course, battle_of, courses, evening_of, passage
from ...conftest import typed
from ..examples import DRY

AT = {"at": "2620"}
ARMIES = "chart reorganization austro-hungarian infantry-army = 3\nchart reorganization russian infantry-army = 3\n"
GAME = "game kaisers-war-in-the-east\nturn=10 main-effort=east\nside allies vp=40\nside central-powers vp=40\n"
ATTACKS = {
    "weak": "2620 clear: Rus-2 (10-12-4)\n2621: AH-4 (6-2-4), AH-inf-1 (1-1-3)\n",
    "even": "2620 clear: Rus-2 (10-8-4)\n2621: AH-4 (6-2-4), AH-inf-1 (2-1-3)\n",
    "strong": "2620 clear: Rus-2 (4-4-4)\n2621: AH-4 (12-2-4)\n",
}


def swing(course: Course) -> int:
    """Units that the defender loses less those that the attacker loses; whoever breaks down counts too."""
    return sum(1 if loss.unit.startswith("Rus") else -1 for loss in course.report.result.lost)


@pytest.mark.rule("14.14", "14.15", "14.16")
@pytest.mark.parametrize("attack", ATTACKS)
def test_what_is_expected_and_each_luck_are_those_of_all_dice(attack: str) -> None:
    position = typed(GAME + ARMIES + ATTACKS[attack] + DRY)
    every = list(courses(position, "battle", {}, **AT))
    assert sum(course.chance for course in every) == 1
    mean = sum((course.chance * swing(course) for course in every), Fraction(0))
    by_die = {die: [course for course in every if course.answers["die"] == str(die)] for die in range(1, 7)}
    after = {
        die: sum((course.chance * swing(course) for course in some), Fraction(0)) * 6 for die, some in by_die.items()
    }
    for course in every:
        battle = battle_of(position, course.answers, **AT)
        assert (battle.expected, battle.swing) == (mean, swing(course))
        below = sum((one.chance for one in every if swing(one) < battle.swing), Fraction(0))
        equal = sum((one.chance for one in every if swing(one) == battle.swing), Fraction(0))
        assert battle.percentile == below + equal / 2
        die = next(battle.rolls)
        assert (die.side, die.kind, die.before) == ("central-powers", "Combat Results Tables", mean)
        assert die.after == after[int(course.answers["die"])]
        moved = sum((turn.after - turn.before) * (1 if turn.side == "central-powers" else -1) for turn in battle.turns)
        assert battle.expected + moved == battle.swing


def test_a_result_that_depends_on_an_unknown_chart_leaves_the_battle_out() -> None:
    position = typed(GAME + ATTACKS["strong"] + DRY)
    told = evening_of([passage(position, "battle", {"die": "6"}, **AT)])
    assert told.battles == () and "unknown" in told.left_out[0].why
