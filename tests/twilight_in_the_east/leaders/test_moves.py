"""Leaders in movement: the die of the Khan, that of the German 1st Corps, and the Asset Units of the Eighth Army
(25.1.1, 25.6).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.mechanics.procedure import AnswerError
from assistant.questions.permission import NOT_ALLOWED
from assistant.questions.report import Report

from ...conftest import answered, told, typed
from ..movement.march.ground import changes_of, german, text_of

KHAN = pytest.mark.rule("25.1.1a", "25.1")
NOW = "turn={} phase=movement phasing=russian\n"
HORSE = 'russian cavalry XX "1 gdc" corps="1 C" movement=10 (3-3-1-11) {}'
BRIGADE = 'russian cavalry X "1 c bd" asset movement=10 (3-3-1-11) {}'


def marched(
    units: str, way: str, answers: str = "", *, turn: int = 5, horse: str = "", more: str = "", phase: str = ""
) -> Report[Any]:
    now = (phase or NOW).format(turn)
    said = f"\nanswers {answers}" if answers else ""
    text = text_of(f"30.20: {HORSE.format(horse)}\n{more}\nask move units={units} way={way}{said}", now)
    return answered(typed(text))


def text_of_verdict(report: Report[Any]) -> str:
    return report.verdict.text


def barred(report: Report[Any]) -> list[str]:
    return told(report, NOT_ALLOWED)


THREE = "30.19,30.18,30.17"
FIVE = f"{THREE},30.16,30.15"
GDC = '"1 gdc"'


@KHAN
def test_a_division_of_the_corps_rolls_before_it_moves() -> None:
    report = marched(GDC, THREE)
    assert [(ask.kind, ask.name, ask.dice) for ask in report.asks] == [("roll", "khan.1 gdc", "1d6")]
    assert text_of_verdict(report) == "1 gdc rolls 1d6 first: 83.3% chance that the move can be made"
    assert told(report, "Leaders") == [
        "1 gdc rolls 1d6: 1 to 4 it moves as usual, 5 half its Movement Allowance, 6 none"
    ]
    assert not report.changes
    assert [ask.name for ask in marched(GDC, THREE, turn=16).asks] == ["khan.1 gdc"]
    assert not marched(GDC, THREE, turn=17).asks, "he is gone"
    assert not marched(GDC, THREE, horse="khan=free").asks, "it has rolled"


@KHAN
@pytest.mark.parametrize(
    ("way", "chance"), [(THREE, Fraction(5, 6)), (FIVE, Fraction(2, 3)), (f"{FIVE},30.14", Fraction(2, 3))]
)
def test_the_chance_to_make_a_move(way: str, chance: Fraction) -> None:
    assert marched(GDC, way).verdict.figures["chance"] == chance


@KHAN
def test_a_free_unit_moves_as_usual() -> None:
    for die in "1234":
        report = marched(GDC, FIVE, f'"khan.1 gdc"={die}')
        assert text_of_verdict(report) == "1 gdc goes to 30.15: 10 Movement Points; 0 left"
        assert changes_of(report, "khan", "place") == {("khan", "1 gdc"): "free", ("place", "1 gdc"): "30.15"}
        assert told(report, "Leaders") == [f"1 gdc rolls {die}: it moves as usual"]


@KHAN
def test_a_slowed_unit_has_half_its_allowance_and_marches_no_more_than_3_points() -> None:
    report = marched(GDC, "30.19,30.18", '"khan.1 gdc"=5')
    assert text_of_verdict(report) == "1 gdc goes to 30.18: 4 Movement Points; 1 left"
    assert changes_of(report, "khan") == {("khan", "1 gdc"): "slowed"}
    farther = marched(GDC, f"{THREE},30.16", '"khan.1 gdc"=5')
    assert "3 beyond the allowance by Forced March" in text_of_verdict(farther)
    too_far = marched(GDC, FIVE, '"khan.1 gdc"=5')
    assert (too_far.verdict.kind, changes_of(too_far, "khan", "place")) == ("no", {("khan", "1 gdc"): "slowed"})
    assert barred(too_far) == [
        "1 gdc would spend 10 Movement Points, and its limit is 8: 5, and 3 by Forced March"
    ]


@KHAN
def test_a_halted_unit_stays_and_its_die_is_kept() -> None:
    report = marched(GDC, "30.19", '"khan.1 gdc"=6')
    assert (report.verdict.kind, changes_of(report, "khan", "place")) == ("no", {("khan", "1 gdc"): "halted"})
    assert barred(report) == [
        "1 gdc has no Movement Allowance in this phase, as its die for Khan Nakhichevanski was 6"
    ]
    again = marched(GDC, "30.19", horse="khan=halted")
    assert (again.verdict.kind, again.asks) == ("no", ())


@KHAN
def test_the_counter_movement_phase_halves_what_the_die_leaves() -> None:
    phase = "turn={} phase=counter-movement phasing=central-powers\n"
    report = marched(GDC, "30.19", '"khan.1 gdc"=5', phase=phase)
    assert text_of_verdict(report) == "1 gdc goes to 30.19: 2 Movement Points; 1/2 left"


@KHAN
def test_the_brigade_rolls_while_it_is_with_the_corps() -> None:
    beside = marched('"1 c bd"', "30.19", more=f"30.20: {BRIGADE.format('')}")
    assert [ask.name for ask in beside.asks] == ["khan.1 c bd"]
    near = marched('"1 c bd"', "28.19", more=f"28.20: {BRIGADE.format('army=First')}", horse="army=First")
    assert [ask.name for ask in near.asks] == ["khan.1 c bd"], "the nearest formation is of the corps"
    other = 'russian cavalry XX "4 c" corps="2 C" movement=10 (3-3-1-11)'
    with_others = marched('"1 c bd"', "28.19", more=f"28.20: {other}\n28.20: {BRIGADE.format('')}")
    assert not with_others.asks
    assert not marched('"4 c"', "28.19", more=f"28.20: {other}").asks, "of another corps"


@KHAN
def test_units_that_move_together_each_roll() -> None:
    second = HORSE.format("").replace("1 gdc", "2 gdc")
    both = marched('"1 gdc","2 gdc"', FIVE, more=f"30.20: {second}")
    assert [ask.name for ask in both.asks] == ["khan.1 gdc", "khan.2 gdc"]
    assert both.verdict.figures["chance"] == Fraction(4, 9)
    assert marched('"1 gdc","2 gdc"', THREE, more=f"30.20: {second}").verdict.figures["chance"] == Fraction(25, 36)
    halted = marched('"1 gdc","2 gdc"', THREE, '"khan.1 gdc"=1 "khan.2 gdc"=6', more=f"30.20: {second}")
    assert (halted.verdict.kind, changes_of(halted, "khan")) == (
        "no",
        {("khan", "1 gdc"): "free", ("khan", "2 gdc"): "halted"},
    )


def test_a_die_that_nobody_owes_is_refused() -> None:
    with pytest.raises(AnswerError):
        marched(GDC, THREE, '"khan.1 gdc"=3', turn=17)
    with pytest.raises(AnswerError):
        marched(GDC, THREE, '"khan.1 gdc"=7')


def test_a_unit_that_cannot_move_anyway_does_not_roll() -> None:
    report = marched(GDC, THREE, horse="displaced")
    assert (report.verdict.kind, report.asks) == ("no", ())


@KHAN
def test_a_forced_march_keeps_to_the_die() -> None:
    def marching(points: int, horse: str) -> Report[Any]:
        text = text_of(f"30.20: {HORSE.format(horse)}\nask forced-march unit={GDC} points={points}", NOW.format(5))
        return answered(typed(text))

    assert marching(3, "khan=slowed").result.most == 3
    assert marching(3, "khan=slowed").result.allowance == 8
    assert barred(marching(4, "khan=slowed")) == [
        "4 points beyond the allowance exceed 3, as its die for Khan Nakhichevanski was 5"
    ]
    assert barred(marching(7, "khan=slowed")) == ["7 points beyond the allowance exceed the limit of 3 for cavalry"]
    assert marching(6, "khan=free").result.most == 6
    assert barred(marching(1, "khan=halted")) == [
        "it has no Movement Allowance in this phase, as its die for Khan Nakhichevanski was 6"
    ]
