"""Reports: figures and changes in words, and likelihoods as bars."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.asking.asks import Ask, format_asks
from assistant.asking.changes import format_change
from assistant.asking.ranges import merge_ends
from assistant.asking.report import BarLine, Part, Report, Step, Verdict, draw_bars, format_bar, step, to_forum, to_text
from assistant.game.games import Game
from assistant.mechanics.chances import Likelihood
from assistant.state.changes import Change, Enter, Gain, Leave


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(3, 2), "1 1/2"),
        (Fraction(1, 2), "1/2"),
        (Fraction(4), "4"),
        (Fraction(0), "0"),
        (Fraction(-1, 2), "-1/2"),
        (Fraction(-3, 2), "-1 1/2"),
        (True, "yes"),
        (("heavy", "field"), "heavy, field"),
        ((), "none"),
    ],
)
def test_figures_as_text(value: Any, text: str) -> None:
    assert Step("1", "{value}", {"value": value}).text == text


@pytest.mark.parametrize(
    ("noun", "plural"),
    [
        ("step", "steps"),
        ("loss", "losses"),
        ("army", "armies"),
        ("day", "days"),
        ("hex", "hexes"),
        ("breach", "breaches"),
        ("push", "pushes"),
        ("cavalry division", "cavalry divisions"),
        ("infantry corps", "infantry corps"),
    ],
)
def test_plurals(noun: str, plural: str) -> None:
    assert Step("1", f"{{n:#{noun}}}", {"n": 2}).text == f"2 {plural}"
    assert Step("1", f"{{n:#{noun}}}", {"n": 1}).text == f"1 {noun}"
    assert Step("1", f"{{n:#{noun}}}", {"n": Fraction(1, 4)}).text == f"1/4 {noun}"
    assert Step("1", f"{{n:#{noun}}}", {"n": 0}).text == f"0 {plural}"


def test_a_number_that_has_grown_is_told_by_how_much(twilight: Game) -> None:
    def told(before: int | None, after: int) -> str:
        return format_change(Change("lost", "29/20", before, after, "11.1"), twilight.tracks)

    assert told(3, 4) == "29/20 has lost 1 more step, 4 in all [11.1]"
    assert told(3, 5) == "29/20 has lost 2 more steps, 5 in all [11.1]"
    assert told(None, 4) == told(0, 4) == "29/20 has lost 4 steps [11.1]"
    assert told(4, 3) == "29/20 has lost 3 steps [11.1]"


def test_changes_in_words() -> None:
    assert format_change(Change("reduced", "1 H", None, True, "3")) == "1 H, reduced: yes [3]"
    assert format_change(Change("lost", "1 H", 1, 2, "3")) == "1 H, lost: 1 to 2 [3]"
    assert format_change(Change("turn", "", 1, None, "")) == "turn: 1 to none"
    assert format_change(Change("place", "1 H", None, "0101", "3")) == "1 H: enters at 0101 [3]"
    assert format_change(Change("place", "1 H", "0101", "0102", "3")) == "1 H: 0101 to 0102 [3]"
    assert format_change(Change("corps", "1 H", None, "", "3")) == "1 H, corps: none [3]"
    assert format_change(Change("place", "1 H", "0101", None, "3")) == "1 H: remove from 0101 [3]"
    assert format_change(Change("order", "1 H", 1, 0, "3")) == "1 H moves up in its stack [3]"
    assert format_change(Change("order", "1 H", 0, 1, "3")) == "1 H moves down in its stack [3]"
    assert format_change(Gain("lost", "1 H", 2, "3")) == "1 H, lost: 2 more [3]"
    assert format_change(Enter("1 H", "1 H", "0101", 0, "3")) == "1 H: enters at 0101 [3]"
    assert format_change(Enter("a", "1 H", "0101", 0, "3")) == "a (1 H): enters at 0101 [3]"
    assert format_change(Enter("1 H", "1 H", None, 0, "3")) == "1 H: waits off the map [3]"
    assert format_change(Leave("1 H", "3")) == "1 H: leaves play [3]"


def test_a_long_title_is_wrapped_too() -> None:
    report: Report[None] = Report(game="g", question="q", title="word " * 20, verdict=Verdict("yes", "yes"))
    assert max(map(len, to_text(report, 40).splitlines())) <= 40


def test_a_verdict_decides_what_it_says_but_for_chances() -> None:
    def passes(chance: Fraction, unit: str = "1 H") -> object:
        return Verdict("figure", "{unit} passes at {chance:%}", {"unit": unit, "chance": chance}).decided

    assert passes(Fraction(1, 2)) == passes(Fraction(1, 3))
    assert passes(Fraction(1, 2)) != passes(Fraction(1, 2), "2 H")
    assert Verdict("yes", "{unit}", {"unit": "1 H"}).decided != Verdict("no", "{unit}", {"unit": "1 H"}).decided
    assert Verdict("yes", "so", {"rest": 1}).decided == Verdict("yes", "so", {"rest": 2}).decided


def test_a_figure_that_is_not_given_is_named() -> None:
    with pytest.raises(
        AttributeError, match="the figure 'lenght' of '{lenght:#hex} away' is not given; nearest known: length"
    ):
        step("", "{lenght:#hex} away", length=3)


@pytest.mark.parametrize(
    ("result", "between", "drawn"),
    [
        (1, None, 1),
        (None, (2, 3), 2),
        (None, (2, None), 2),
        (None, (None, 3), 3),
        (None, (None, None), None),
        (None, None, None),
    ],
)
def test_a_picture_shows_the_only_result_or_the_first_of_two(
    result: int | None, between: tuple[int | None, int | None] | None, drawn: int | None
) -> None:
    verdict = Verdict("yes", "yes")
    report = Report(game="g", question="q", title="t", verdict=verdict, result=result, between=between)
    assert report.drawable == drawn


def test_options_of_several_words_stand_in_quotes() -> None:
    ask = Ask(kind="choice", name="way", rule="3", title="the way", how="way=OPTION", options=("none", "0101 0102"))
    (line,) = format_asks([ask])
    assert line.endswith('way=OPTION - none or "0101 0102"')


# --- likelihoods as bars ----------------------------------------------------------------------------------------------

LOSSES = (Likelihood(0, Fraction(1, 2)), Likelihood(1, Fraction(3, 8)), Likelihood(10, Fraction(1, 8)))
CHECKS = {
    "1/1": (Likelihood("passed", Fraction(1, 4)), Likelihood("retreat", Fraction(0))),
    "2 lw": (Likelihood("passed", Fraction(1)), Likelihood("retreat", Fraction(1, 1000))),
}


def report(losses: tuple[Likelihood, ...] = LOSSES) -> Report[None]:
    steps = [Step("11.1", "{what}, steps: {likelihoods}", {"what": "losses", "likelihoods": losses})]
    steps += [
        Step("11.3", "{force}'s check: {likelihoods}", {"force": force, "likelihoods": events})
        for force, events in CHECKS.items()
    ]
    steps.append(Step("11.4", "{likelihoods}", {"likelihoods": (Likelihood("the hex is left", Fraction(1, 3)),)}))
    return Report(
        game="g", question="q", title="t", verdict=Verdict("figure", "v"), parts=(Part("Chances", tuple(steps)),)
    )


def lines(width: int = 100, **more: bool) -> list[str]:
    text = to_text(report(), width, **more)
    return text[text.index("Chances") :].splitlines()[1:]


def test_a_distribution_stands_below_its_words_and_events_beside_them() -> None:
    assert lines() == [
        "  11.1  losses, steps",
        "           0   50.0%  ████████████████████",
        "           1   37.5%  ███████████████",
        "          10   12.5%  █████",
        "  11.3  1/1's check   passed  25.0% █████                 retreat   0.0%",
        "  11.3  2 lw's check  passed 100.0% ████████████████████  retreat   0.1% ▏",
        "  11.4  the hex is left  33.3% █████████████▍",
    ]


def test_what_has_no_room_says_it_in_words() -> None:
    """Events of one part keep together; so it is where no bars are wanted, and where the text is narrow."""
    in_words = [
        "  11.3  1/1's check: passed (25.0%), retreat (0.0%)",
        "  11.3  2 lw's check: passed (100.0%), retreat (0.1%)",
    ]
    assert lines(55)[4:6] == in_words
    assert lines(55)[1] == "           0   50.0%  ████████████████▌", "a distribution has room of its own"
    assert lines(100, bars=False)[1:3] == in_words
    for text in (to_text(report(), 40), to_forum(report()), to_text(report(), bars=False)):
        assert "█" not in text
        assert "10 (12.5%)" in " ".join(text.split())
    assert draw_bars([], 80) == []
    assert draw_bars([BarLine("losses", LOSSES)], 12) == [None]


@pytest.mark.parametrize("width", [41, 60, 79, 80, 99, 100, 132])
def test_no_line_is_wider_than_the_text(width: int) -> None:
    assert max(map(len, to_text(report(), width).splitlines())) <= width


@given(st.fractions(0, 1), st.integers(1, 60))
def test_a_bar_is_its_share_to_an_eighth_of_a_letter(share: Fraction, width: int) -> None:
    eighths = sum(8 if letter == "█" else "▏▎▍▌▋▊▉".index(letter) + 1 for letter in format_bar(share, width))
    if share * width * 8 >= 1:
        assert abs(eighths - share * width * 8) <= Fraction(1, 2)
    else:
        assert eighths == bool(share), "what can happen shows"
    assert len(format_bar(share, width)) <= width


def test_chances_within_bounds_are_said_in_words() -> None:
    other = tuple(Likelihood(one.value, one.chance / 2 + Fraction(1, 6)) for one in LOSSES)
    text = to_text(merge_ends(report(), report(other)))
    assert "losses, steps: 0 (41.7% to 50.0%), 1 (35.4% to 37.5%), 10 (12.5% to 22.9%)" in text
    assert "passed  25.0% █████" in text, "what is the same at both ends is drawn"
    fewer = to_text(merge_ends(report(), report(LOSSES[:1])))
    assert "weakest: losses, steps" in fewer
    assert "strongest: losses, steps" in fewer
