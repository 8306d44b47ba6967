"""Likelihoods as bars: what is wide enough has them, and nothing else; no bar says more or less than its percentage."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.asking.ranges import merge_ends
from assistant.asking.report import BarLine, Part, Report, Step, Verdict, draw_bars, format_bar, to_forum, to_text
from assistant.mechanics.chances import Likelihood

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
