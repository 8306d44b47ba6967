"""Who goes on from a hex that cannot hold all who end their retreat there (4.2.3, 11.2.1)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report

from ..test_retreats import G1, fought

G2 = "german infantry XX G2 corps=1 (12-6-0-11) back-steps=0"


def crowd(hex: str, divisions: int, nation: str = "german") -> str:
    """Divisions of a side that stand in a hex already."""
    named = ", ".join(f"{nation} infantry XX C{n} (9-9-0-9)" for n in range(divisions))
    return f"{hex} clear: {named}\n"


def ended(report: Report[Any]) -> dict[str, Any]:
    return {one.subject: one.after for one in report.changes if one.track == "place"}


@pytest.mark.rule("4.2.3b", "11.2.1")
def test_both_divisions_go_on_where_there_is_room_for_neither() -> None:
    """42.19 holds three divisions: nobody is asked who goes on, but only where to."""
    found = fought("- / W1", crowd("42.19", 3), f"{G1}, {G2}", more="retreat.41.19.1=42.19")
    assert [ask.name for ask in found.asks] == ["retreat.41.19.2"]
    done = fought("- / W1", crowd("42.19", 3), f"{G1}, {G2}", more="retreat.41.19=42.19,43.18 advance=none")
    assert ended(done) == {"G1": "43.18", "G2": "43.18"}


@pytest.mark.rule("4.2.3b", "11.2.1")
def test_nobody_goes_on_from_a_full_hex_where_no_hex_beyond_is_open() -> None:
    """Lakes lie around 42.19, but for 41.19: both stay, and it is over-stacked."""
    lakes = "42.19|41.18,42.18,43.18,43.19,42.20 lake\n"
    found = fought("- / W1", crowd("42.19", 2) + lakes, f"{G1}, {G2}", more="retreat.41.19.1=42.19 advance=none")
    assert found.asks == ()
    assert ended(found) == {"G1": "42.19", "G2": "42.19"}


@pytest.mark.rule("4.2.3b", "11.2.1")
def test_the_next_stack_retreats_all_the_same_once_the_first_has_gone_on() -> None:
    """R1 goes through 39.20, which holds three divisions, to 38.20; then G1 retreats a hex."""
    full = crowd("39.20", 3, "russian")
    assert [ask.name for ask in fought("W1 / W1", full, more="retreat.40.20.1=39.20").asks] == ["retreat.40.20.2"]
    done = fought("W1 / W1", full, more="retreat.40.20=39.20,38.20 retreat.41.19=42.19 advance=none")
    assert ended(done) == {"R1": "38.20", "G1": "42.19"}
