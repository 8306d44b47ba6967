"""The luck of an attack against all its dice one by one, and of the single dice of the game."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ..assistant.records.luck.asked import Course, battle_of, courses, evening_of, passage
from ..conftest import typed
from .asking import GAME
from .test_combat import OPEN, TURN

AT = {"at": ["5420"]}
UNITS = {"A": -7, "C": -3, "B": 5}
"""What each unit counts in the swing of the Germans, if it is eliminated."""
FIELD = f"game {GAME}\n{TURN}{OPEN}" + (
    '5320: german infantry 8th "A" (7-3) supply=in, german infantry 8th "C" (3-3) supply=in\n'
    '5420 clear: russian infantry first "B" (5-2) supply=in\n'
)
RESULTS = {1: "AE", 2: "A1", 3: "EX", 4: "D1", 5: "DE", 6: "-"}


def field() -> str:
    """An attack of 10 on 5, with a table whose results are all different."""
    ends = {1: "1-", 6: "6+"}
    cells = [f"chart german-table 2:1 {ends.get(die, die)} = {code}\n" for die, code in RESULTS.items()]
    return FIELD + "".join(cells)


def swing(course: Course) -> int:
    return sum(UNITS[unit] for unit in course.report.result.lost)


@pytest.mark.rule("6.4/AE", "6.4/DE", "6.4/EX", "6.4/AR")
@pytest.mark.parametrize("paid", ["C", "A"])
def test_what_is_expected_and_each_luck_are_those_of_all_dice(paid: str) -> None:
    position = typed(field())
    usual = list(courses(position, "battle", {}, **AT))
    every = list(courses(position, "battle", {"attacker.pay": paid}, **AT))
    mean = sum((course.chance * swing(course) for course in usual), Fraction(0))
    assert len(usual) == 6 and mean == Fraction(-10 + (5 - 3) + 5, 6)
    for course in every:
        battle = battle_of(position, course.answers, **AT)
        assert (battle.expected, battle.swing) == (mean, swing(course))
        met = every if "attacker.pay" in course.answers else usual  # a choice that was met, as it was taken
        below = sum((one.chance for one in met if swing(one) < battle.swing), Fraction(0))
        equal = sum((one.chance for one in met if swing(one) == battle.swing), Fraction(0))
        assert battle.percentile == below + equal / 2
        die, *choices = battle.turns
        assert die.before == mean
        assert die.after == swing(usual[int(course.answers["die"]) - 1])
        assert [(turn.before, turn.after) for turn in choices] == ([(2, swing(course))] if choices else [])


@pytest.mark.rule("6.4/DR", "6.4/EX", "6.5/overstack")
def test_a_battle_is_left_out_in_which_a_unit_over_the_limit_is_lost_whose_strength_points_are_not_known() -> None:
    crowd = '"B" (5-2) supply=in, Dummy/R1, Dummy/R2, 1A/2HA supply=in, russian infantry first "X"{} over'
    text = field().replace('"B" (5-2) supply=in', crowd)
    for die, lost in (("3", 4), ("4", 9)):
        known = battle_of(typed(text.format(" (4-2)")), {"die": die}, **AT)
        assert [(side.side, side.lost) for side in known.sides] == [("german", 0), ("russian", lost)]
        evening = evening_of([passage(typed(text.format("")), "battle", {"die": die}, **AT)])
        assert (evening.battles, [each.why for each in evening.left_out]) == (
            (),
            ["what it costs each side is not known"],
        )


@pytest.mark.rule("6.4/AE", "6.4/DE", "6.4/EX")
def test_losses_are_counted_in_strength_points() -> None:
    battle = battle_of(typed(field()), {"die": "1"}, **AT)
    assert [(side.side, side.lost, side.expected) for side in battle.sides] == [
        ("german", 10, Fraction(13, 6)),
        ("russian", 0, Fraction(10, 6)),
    ]


def test_a_single_die_has_the_direction_that_the_game_declares() -> None:
    held = typed(
        f"game {GAME}\nscenario=masurian-lakes\nturn=20\nphasing=german\nphase=first-movement\n4432: 8A/41KB fixed\n"
    )
    lost = typed(
        f"game {GAME}\nscenario=historical\nturn=9\nphasing=russian\nphase=first-movement\n"
        'options=russian-headquarters+samsonov\narmy "russian first" headquarters-lost=8\n'
        'army "russian second" army-lost=26\n2933: VI/16\n'
    )
    told = evening_of(
        [
            passage(held, "release", {"release": "5"}),
            passage(lost, "recover", {"recover": "2"}, 2, army="first"),
            passage(lost, "samsonov", {"samsonov": "2"}, 3),
        ]
    )
    rolls = [roll for other in told.others for roll in other.rolls]
    assert [(roll.good, roll.percentile) for roll in rolls] == [
        ("high", Fraction(3, 4)),
        ("low", Fraction(3, 4)),
        ("", None),
    ]
    assert told.battles == () and {total.kind for total in told.kinds} >= {"release of 41KB", "samsonov: samsonov"}
