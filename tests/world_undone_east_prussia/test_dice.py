"""What a single die settles: 41KB, an army without its headquarters, Samsonov, the return of a unit (9.4, 10.5, 10.6.2)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError

from ..conftest import values, why_not
from .asking import undone

FLANK = "scenario=masurian-lakes\nturn={}\nphasing=german\nphase=first-movement\n4432: 8A/41KB fixed\n"
LED = 'turn={}\nphasing=russian\nphase=first-movement\noptions=russian-headquarters\narmy "russian first" headquarters-lost=8\n'
BROKEN = 'turn=9\noptions=samsonov\narmy "russian second" army-lost={}\n'


@pytest.mark.rule("9.4/41KB")
@pytest.mark.parametrize("die", range(1, 7))
def test_41kb_is_released_by_5_and_6(die: int) -> None:
    report = undone(FLANK.format(20), "release", answers={"release": str(die)})
    assert report.verdict.kind == ("yes" if die >= 5 else "no")
    assert values(report) == ({("fixed", "8A/41KB"): False} if die >= 5 else {("rolled", "8A/41KB"): True})


@pytest.mark.rule("9.4/41KB")
def test_the_die_for_41kb_is_thrown_from_turn_20_on_unless_a_russian_next_to_it_releases_it() -> None:
    asked = undone(FLANK.format(20), "release")
    assert ([ask.name for ask in asked.asks], asked.result.chance, asked.result.faces) == (
        ["release"],
        Fraction(1, 3),
        (5, 6),
    )
    assert why_not(undone(FLANK.format(19), "release")) == ["9.4"]
    assert why_not(undone(FLANK.format(20).replace("german\n", "russian\n", 1), "release")) == ["9.4"]
    assert why_not(undone(FLANK.format(20).replace("first-movement", "second-movement"), "release")) == ["9.4"]
    assert why_not(undone(FLANK.format(20).replace(" fixed", ""), "release")) == ["9.4"]
    assert why_not(undone(FLANK.format(20).replace(" fixed", " fixed rolled"), "release")) == ["9.4"], "once a turn"
    assert why_not(undone(FLANK.format(20).replace("masurian-lakes", "historical"), "release")) == ["9.4"]
    with pytest.raises(InputError, match="no roll or choice") as early:
        undone(FLANK.format(19), "release", answers={"release": "5"})
    assert early.value.hint == "the die is rolled from turn 20 on"
    met = undone(FLANK.format(19).replace("german\n", "russian\n", 1) + "4532: IC/1C", "release")
    rolled = FLANK.format(20).replace(" fixed", " fixed rolled")
    assert undone(rolled + "4532: IC/1C", "release").verdict.kind == "yes", "whatever the die"
    assert (met.verdict.kind, values(met), met.asks) == ("yes", {("fixed", "8A/41KB"): False}, ())
    assert undone(FLANK.format(20) + "4632: IC/1C", "release").asks
    assert undone(FLANK.format(20) + "4532: I/1", "release").asks
    waiting = FLANK.format(20).replace("4432: 8A/41KB fixed", "8A/41KB arrives=25 fixed")
    assert undone(waiting + "4532: IC/1C", "release").asks


@pytest.mark.rule("10.6.2/roll", "10.6.2/effects")
@pytest.mark.parametrize(("number", "faces"), [(9, (1,)), (10, (1, 2, 3))])
def test_the_die_of_an_army_without_its_headquarters(number: int, faces: tuple[int, ...]) -> None:
    for die in range(1, 7):
        report = undone(LED.format(number), "recover", army="first", answers={"recover": str(die)})
        assert values(report) == {("released", "russian first"): "yes" if die in faces else "no"}
        assert report.verdict.kind == ("yes" if die in faces else "no")
    asked = undone(LED.format(number), "recover", army="first")
    assert (asked.result.faces, asked.result.chance) == (faces, Fraction(len(faces), 6))


@pytest.mark.rule("10.6.2/roll")
@pytest.mark.parametrize("number", [11, 12, 20])
def test_from_the_third_turn_on_it_moves_without_a_die(number: int) -> None:
    report = undone(LED.format(number), "recover", army="first")
    assert (report.verdict.kind, report.asks) == ("yes", ())
    assert values(report) == {("released", "russian first"): "yes"}


@pytest.mark.rule("10.6.2/roll")
def test_when_no_die_is_thrown_for_an_army() -> None:
    def rules(text: str, army: str = "first") -> list[str]:
        return why_not(undone(text, "recover", army=army))

    assert rules(LED.format(8)) == ["10.6.2"]
    assert rules(LED.format(9), "second") == ["10.6.2"]
    assert rules(LED.format(9).replace("options=russian-headquarters\n", "")) == ["10.6.2"]
    assert rules(LED.format(9) + 'army "russian first" released=no') == ["10.6.2"]
    assert rules(LED.format(9).replace("phasing=russian", "phasing=german")) == ["10.6.2"]
    assert rules(LED.format(9).replace("first-movement", "second-movement")) == ["10.6.2"]
    assert rules(LED.format(9).replace("phasing=russian\nphase=first-movement\n", "")) == []


@pytest.mark.rule("10.6.2.1/roll", "10.6.2.1/dies", "10.6.2.1/survives")
@pytest.mark.parametrize("die", range(1, 7))
def test_samsonov_dies_on_1_to_4(die: int) -> None:
    report = undone(BROKEN.format(25), "samsonov", answers={"samsonov": str(die)})
    assert values(report) == {("samsonov", ""): "dies" if die <= 4 else "survives", ("samsonov-turn", ""): 9}
    if die <= 4:
        assert report.verdict.text == (
            "Samsonov dies: the Second Army may not move in turn 10; from turn 11 on it may come near the First"
        )
    else:
        assert report.verdict.text == "Samsonov survives: the Second Army has 1 SP and 1 MA more to the end of turn 10"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ('army "russian third" army-lost=25', "unknown army 'russian third'"),
        ('army "german second" army-lost=25', "unknown army 'german second'"),
        ('4012: german cavalry second "Z" (3-4)', "Z: the side german has no army 'second'"),
        ("4012: russian I/2", "I/2: the side russian has no army '8th'"),
    ],
)
def test_an_army_that_a_side_does_not_have_is_refused(typed: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as error:
        undone(f"turn=9\noptions=samsonov\n{typed}\n", "samsonov")
    assert "known: " in str(error.value.hint)
    assert error.value.where.line, "the line is named"


@pytest.mark.rule("10.6.2.1/roll")
def test_the_die_for_samsonov_is_thrown_once_after_25_strength_points() -> None:
    assert undone(BROKEN.format(25), "samsonov").result.chance == Fraction(2, 3)
    for army in ("russian Second", "Russian second", "RUSSIAN SECOND"):
        assert undone(BROKEN.format(25).replace("russian second", army), "samsonov").result.chance == Fraction(2, 3)
    assert why_not(undone(BROKEN.format(24), "samsonov")) == ["10.6.2.1"]
    assert why_not(undone(BROKEN.format(25).replace("second", "first"), "samsonov")) == ["10.6.2.1"]
    assert why_not(undone(BROKEN.format(25) + "samsonov=survives", "samsonov")) == ["10.6.2.1"]
    assert why_not(undone(BROKEN.format(25).replace("options=samsonov\n", ""), "samsonov")) == ["10.6.2.1"]
    few = undone(BROKEN.format(24), "samsonov").parts[0].steps[0]
    assert few.text == "the Second Army has lost 24 Strength Points; it takes 25"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        pytest.param("samsonov", BROKEN.format(24), marks=pytest.mark.rule("10.6.2.1/roll")),
        pytest.param("recover", "options=russian-headquarters\n", marks=pytest.mark.rule("10.6.2/roll")),
        pytest.param(
            "release",
            "scenario=masurian-lakes\n4432: 8A/41KB fixed\n4532: IC/1C\n4432|4532 open\n",
            marks=pytest.mark.rule("9.4/41KB"),
        ),
    ],
)
def test_the_turn_is_asked_for_only_where_it_decides(question: str, text: str) -> None:
    asked = {"army": "first"} if question == "recover" else {}
    report = undone(text.replace("turn=9\n", ""), question, **asked)
    assert (report.asks, report.verdict.kind) == ((), "yes" if question == "release" else "no")
    assert len(why_not(report)) == (question != "release")


def back(text: str, unit: str = "XX/28", **more: object) -> Report[object]:
    return undone(f"turn=7\noptions=replacements\n{text}", "replace", unit=unit, **more)


@pytest.mark.rule("10.5")
@pytest.mark.parametrize("die", [1, 6])
def test_a_lost_unit_returns_in_as_many_turns_as_the_die_says(die: int) -> None:
    report = back("XX/28 arrives=2", answers={"replace": str(die)})
    assert (values(report), report.verdict.kind) == ({("arrives", "XX/28"): 7 + die}, "figure")
    gone = back("4608: XXVI/53", answers={"replace": str(die)})  # a unit that is not in play any more
    assert values(gone) == {("place", "XX/28"): None, ("arrives", "XX/28"): 7 + die}
    assert not any(getattr(change, "track", "") in ("lost", "army-lost") for change in report.changes)


@pytest.mark.rule("10.5", "9.2.1/setup")
def test_who_does_not_return_by_a_die_and_when_the_others_do() -> None:
    assert why_not(back("4608: XX/28")) == ["10.5"]
    assert why_not(back("XX/28 arrives=8")) == ["10.5"]
    assert why_not(back("XX/28 arrives=7")) == []
    assert why_not(back("D1 russian dummy second arrives=2", unit="D1")) == ["10.1"]
    assert why_not(undone("turn=7\nXX/28 arrives=2", "replace", unit="XX/28")) == ["10.5"]
    with pytest.raises(InputError, match="not in the roster"):
        back("4608: XX/29", unit="XX/99")
    plan = "variants=schlieffen\nscenario=historical"
    assert [why_not(back(plan, unit)) for unit in ("XX/37", "XVII/36", "XX/28", "I/2")] == [
        ["9.2.1"],
        ["9.2.1"],
        [],
        [],
    ]
    assert why_not(back(plan + "\nruling schlieffen-corps=xx", "XVII/36")) == []
    assert why_not(back(plan + "\nruling schlieffen-corps=xx", "XX/41")) == ["9.2.1"]
    assert why_not(back(plan, "XX/41")) == why_not(back(plan, "XVII/35")) == ["9.2.1"]
    assert why_not(back("scenario=historical", "XX/37")) == []
    text = "scenario=historical\nturn=10\noptions=replacements\nXX/28 arrives=10"
    assert undone(text, "turn").result.players[0].units == ("XX/28",)
