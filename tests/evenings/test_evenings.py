"""Every evening gives the verdicts that are recorded, and those of a release change only if the changelog says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.installed.registry import installed_games
from tools.release.changelog import read_changelog

from ..cases import thorough
from ..released import released
from .recording import changes_of, ends_of_questions, evenings, name_of, recorded, verdicts, without_verdicts, worded
from .signing import HEADING, kept, signed, unsigned

QUICK = (
    "gumbinnen",
    "galicia",
    "lemberg",
    "historical",
    "spring-1915",
    "summer-1916",
    "random-0",
    "random-2",
    "random-3",
)
"""Those that `make test` plays."""

EVENING = """referee 1
# Two questions.
game twilight-in-the-east
turn=2 weather=normal
40.20: 25/3 (10-9-5-10)
41.19 clear: 1/1 (12-16-7-11)
41.19|40.20 open
elsewhere clear open no-rail no-road no-crossing control=russian

case small
ask zones side=russian
expect verdict: figure
expect figures: hexes=6
phase=attack phasing=russian
ask battle at=41.19 attacker-ap=3
answers crt=7
"""


def parameter(file: Path) -> object:
    return pytest.param(file, id=name_of(file), marks=[] if file.stem in QUICK else [thorough])


@pytest.mark.parametrize("file", [parameter(file) for file in evenings()])
def test_an_evening_gives_the_verdicts_that_are_recorded(file: Path) -> None:
    text = file.read_text("utf-8")
    now = recorded(text, str(file))
    changed = [worded(name_of(file), old, new) for old, new in changes_of(text, now)]
    assert changed == [], "if the rulebook is on its side: python -m tests.evenings --write"
    assert now == text


def test_each_game_has_twenty_evenings_some_of_them_typed_by_hand() -> None:
    for game in installed_games():
        names = [file.stem for file in evenings() if file.parent.name == game]
        assert len(names) >= 20
        assert len([name for name in names if not name.startswith("random-")]) >= 3


def test_verdicts_are_recorded_below_their_questions() -> None:
    now = recorded(EVENING, "small")
    assert now.startswith(EVENING.partition("ask battle")[0])
    assert now.splitlines()[15:17] == ["answers crt=7", "expect verdict: undecided"]
    assert without_verdicts(now) == without_verdicts(EVENING)
    assert recorded(now, "small") == now


def test_a_verdict_that_has_changed_is_named_with_its_line() -> None:
    now = recorded(EVENING, "small")
    other = now.replace("hexes=6", "hexes=5")
    ((old, new),) = changes_of(other, now)
    assert worded("game/small", old, new) == (
        "game/small, line 11: zones side=russian\n  figures: hexes=5\n  -> figures: hexes=6"
    )


def test_a_verdict_over_several_lines_is_one() -> None:
    text = "ask a\nexpect figures: x=1,\n  y=2\nexpect verdict: yes\ndo b\n"
    assert [verdict.said for verdict in verdicts(text)] == [("figures: x=1, y=2", "verdict: yes"), ()]
    assert without_verdicts(text) == ["ask a", "do b"]
    assert list(ends_of_questions(["ask a", "answers x=1", "answers y=2", "phase=attack", "do b"])) == [2, 4]


# --- releases ---------------------------------------------------------------------------------------------------------


def test_no_verdict_of_the_newest_release_has_changed_without_a_word_in_the_changelog() -> None:
    assert list(unsigned(released(), kept(), read_changelog()[0].text)) == []


BEFORE = {
    "evenings/heath/first.evening": "case first\nask a\nexpect verdict: yes\nask b\nexpect verdict: no\n",
    "hooks.txt": "a\n",
}
AFTER = {name: text.replace("verdict: no", "verdict: yes") for name, text in BEFORE.items()}


def test_a_changed_verdict_must_be_signed_by_evening_and_line() -> None:
    (wrong,) = unsigned(BEFORE, AFTER, "### Fixes\n\n- `heath/first`, line 4: elsewhere\n")
    assert wrong.startswith("CHANGELOG.md does not name") and "heath/first, line 4: b" in wrong
    assert (
        list(unsigned(BEFORE, AFTER, f"{HEADING}\n\n- `heath/first`, line 4: 11.2 was misread.\n\n### Games\n")) == []
    )
    assert len(list(unsigned(BEFORE, AFTER, f"{HEADING}\n\n- `heath/first`, line 2: another one.\n"))) == 1
    assert signed(f"{HEADING}\n- `a/b`, lines 3, 5 and 12: x\n### Other\n- `c/d`, line 1") == {
        ("a/b", 3),
        ("a/b", 5),
        ("a/b", 12),
    }


def test_an_evening_of_a_release_neither_goes_nor_changes_and_new_ones_may_come() -> None:
    assert list(unsigned(BEFORE, {}, "")) == ["heath/first is gone: bring it back"]
    (wrong,) = unsigned(BEFORE, {name: text.replace("ask b", "ask c") for name, text in BEFORE.items()}, "")
    assert "what was asked in it has changed" in wrong
    assert list(unsigned(BEFORE, {**BEFORE, "evenings/heath/second.evening": "case second\n"}, "")) == []
