"""The question `rail-points`: what is left, and the Administrative Segment (4.7, 5.2.1, 8.2.9)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError

from ...conftest import answered, told, typed, values

TEXT = "turn=3\nphase=post-combat\ncampaign\nnation german rail-points=3.5\nnation austro-hungarian rail-points=0\n"
ALL = {"german": 20, "austro-hungarian": 8.5, "russian": 30, "european": 5, "warsaw": 7}


def asked(text: str = TEXT, **given: Any) -> Report[Any]:
    return answered(typed(text), "rail-points", **given)


def left(report: Report[Any]) -> dict[tuple[str, str], Fraction | None]:
    return {(pool.nation, pool.pool): pool.left for pool in report.result.pools}


@pytest.mark.rule("4.7", "4.5.1")
def test_what_is_left_in_each_pool() -> None:
    assert left(asked()) == {
        ("german", "rail-points"): Fraction(7, 2),
        ("austro-hungarian", "rail-points"): 0,
        ("russian", "rail-points"): None,
        ("russian", "euro-gauge-points"): None,
        ("russian", "warsaw-points"): None,
    }
    assert asked(nation="german").verdict.text == "German: 3.5"
    assert asked(nation="german").result.special == {"german": 0}


@pytest.mark.rule("5.2.1", "4.7", "4.5.1")
def test_a_renewal_sets_each_pool_anew() -> None:
    report = asked(renew=True, **ALL)
    assert values(report) == {
        ("rail-points", "german"): "20",
        ("rail-points", "austro-hungarian"): "8.5",
        ("rail-points", "russian"): "30",
        ("euro-gauge-points", "russian"): "5",
        ("warsaw-points", "russian"): "7",
        ("points-renewed", "german"): 3,
        ("points-renewed", "austro-hungarian"): 3,
        ("points-renewed", "russian"): 3,
    }
    assert told(report, "Administrative Segment")[0] == "German: 20 Rail Points; unused and lost: 3 1/2"
    assert told(report, "Administrative Segment")[1] == "Austro-Hungarian: 8 1/2 Rail Points"
    missing = asked(renew=True, nation="russian", russian=30)
    assert [ask.name for ask in missing.asks] == ["european", "warsaw"]


@pytest.mark.rule("1.1", "8.2.9")
def test_a_special_allotment_comes_on_top() -> None:
    report = asked(renew=True, special="german", **ALL)
    assert left(report)["german", "rail-points"] == 60
    assert values(report)["special-allotments", "german"] == 1
    assert report.result.special == {"german": 1, "austro-hungarian": 0}
    had = TEXT.replace("rail-points=3.5", "rail-points=3.5 special-allotments=2")
    assert told(asked(had, renew=True, special="german", **ALL), "Not allowed") == [
        "German: it has had its 2 in this game"
    ]
    assert values(report)["special-turn", "german"] == 3
    for nation in ("german", "austro-hungarian"):
        again = asked(TEXT + "nation german special-allotments=1 special-turn=3", renew=True, special=nation, **ALL)
        assert told(again, "Not allowed")[0].endswith(
            ": the Central Powers have taken one in this Administrative Segment already"
        )
    later = TEXT.replace("turn=3", "turn=6") + "nation german special-allotments=1 special-turn=3"
    assert asked(later, renew=True, special="austro-hungarian", **ALL).result.allowed
    short = asked(TEXT.replace("campaign", "campaign=no"), renew=True, special="german", **ALL)
    assert told(short, "Not allowed") == ["German: special allotments belong to the campaign game (c)"]
    refused = asked(TEXT.replace("campaign\n", ""), renew=True, special="german", **ALL)
    assert (refused.verdict.kind, refused.changes, refused.result.allowed) == ("no", (), False)


@pytest.mark.rule("8.2.9")
def test_a_renewal_in_the_same_segment_keeps_the_special_allotment() -> None:
    taken = TEXT.replace("rail-points=3.5", "rail-points=60 special-allotments=1 special-turn=3 points-renewed=3")
    again = asked(taken, renew=True, **ALL)
    assert left(again)["german", "rail-points"] == 60
    assert left(again)["austro-hungarian", "rail-points"] == Fraction(17, 2)
    assert ("rail-points", "german") not in values(again) and ("special-allotments", "german") not in values(again)
    says = "40 of the German points are a special allotment"
    assert says in told(again, "Administrative Segment")
    other = asked(taken, renew=True, nation="austro-hungarian", **{"austro-hungarian": 8})
    assert left(other) == {("austro-hungarian", "rail-points"): 8}
    later = asked(taken.replace("turn=3\n", "turn=6\n"), renew=True, **ALL)
    assert left(later)["german", "rail-points"] == 20


@pytest.mark.rule("5.2.1")
def test_a_renewal_is_made_once_and_without_a_game_turn_keeps_no_account() -> None:
    renewed = TEXT.replace("german rail-points=3.5", "german rail-points=20 points-renewed=3")
    assert values(asked(renewed, renew=True, nation="german", german=20)) == {}
    report = asked("nation german rail-points=3 points-renewed=3", renew=True, nation="german", german=9)
    assert values(report) == {("rail-points", "german"): "9"}


@pytest.mark.rule("5.2.1")
@pytest.mark.parametrize(
    ("turn", "phase", "allowed"),
    [(3, "post-combat", True), (3, "administrative", True), (3, "attack", False), (4, "reinforcement", True), (4, "movement", False), (5, "other", False), (1, "other", True), (4, "weather", True), (6, "weather", False)],
)  # fmt: skip
def test_it_is_between_game_turns_after_every_third(turn: int, phase: str, allowed: bool) -> None:
    report = asked(f"turn={turn}\nphase={phase}\n", renew=True, nation="german", german=9)
    assert report.result.allowed == allowed


@pytest.mark.rule("5.2.1")
@pytest.mark.parametrize(
    ("turn", "phase", "phasing", "allowed"),
    [(3, "post-combat", "russian", False), (3, "post-combat", "central-powers", True), (4, "reinforcement", "russian", True), (4, "reinforcement", "central-powers", False)],
)  # fmt: skip
def test_it_is_after_both_player_turns(turn: int, phase: str, phasing: str, allowed: bool) -> None:
    report = asked(f"turn={turn}\nphase={phase}\nphasing={phasing}\n", renew=True, nation="german", german=9)
    assert report.result.allowed == allowed


def test_slips() -> None:
    with pytest.raises(InputError, match=r"german: Rail Points are counted in halves, not 7.3"):
        asked(renew=True, nation="german", german=7.3)
    with pytest.raises(InputError, match=r"rail-points of german: Rail Points are counted in halves, not 7.3"):
        asked("nation german rail-points=7.3")
    with pytest.raises(InputError, match="special: german points are not renewed"):
        asked(renew=True, nation="austro-hungarian", special="german", **{"austro-hungarian": 9})
    with pytest.raises(InputError, match="Administrative Segment"):
        asked(german=9)
    with pytest.raises(InputError, match="Administrative Segment"):
        asked(special="german")
    with pytest.raises(InputError, match="russian points are not renewed"):
        asked(renew=True, nation="german", german=9, russian=3)
