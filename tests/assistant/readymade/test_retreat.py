"""Ways of retreat on an empty map: how far they lead, where they end, and what may not be avoided."""

from __future__ import annotations

from collections.abc import Collection

from assistant.field import Bar, Barred
from assistant.questions import View
from assistant.readymade.retreat import Ways
from assistant.testing import game_in

AROUND = ("2520", "2521", "2619", "2621", "2720", "2721")
BOARD = View(game_in("kaisers-war-in-the-east"), game_in("kaisers-war-in-the-east").state()).board


def retreat(owed: int, shut: Collection[str] = (), full: Collection[str] = ()) -> Ways:
    """A retreat from 2620. shut: the hexes that may not be entered; full: those without room."""
    bars: list[Bar] = [lambda here, there: Barred("2.1", "shut") if there in shut else None]
    return Ways(BOARD, "2620", owed, bars, lambda hex: hex not in full, "15.2")


def judged(moving: Ways, *way: str) -> str:
    """Why the last hex of a way cannot be entered, "" if it can."""
    barred = moving.judged(way[:-1], way[-1])
    return barred.why if barred else ""


def test_a_way_is_over_when_it_is_long_enough_and_far_enough_and_there_is_room() -> None:
    one, two = retreat(1), retreat(2)
    assert one.is_over(["2619"])
    assert not one.is_over([])
    assert not two.is_over(["2619"])
    assert not two.is_over(["2619", "2520"])  # that is next to where it began
    assert two.is_over(["2619", "2618"])
    assert not retreat(1, full=["2619"]).is_over(["2619"])


def test_each_hex_leads_farther_away_until_the_way_is_long_enough() -> None:
    two = retreat(2)
    assert two.leads_on(["2619"], "2618")
    assert not two.leads_on(["2619"], "2720")
    assert two.leads_on(["2619", "2618"], "2617")
    assert two.leads_on(["2619", "2618"], "2518")


def test_beyond_the_hexes_owed_a_way_may_turn_but_never_comes_back() -> None:
    one = retreat(1, full=["2619", "2618"])
    assert one.leads_on(["2619"], "2720")
    assert not one.leads_on(["2619"], "2620")
    assert not one.leads_on(["2619", "2618"], "2619")


def test_the_only_way_past_a_full_hex_may_turn_aside() -> None:
    walls = {"2520", "2720", "2521", "2621", "2721"}
    assert judged(retreat(1, shut=walls), "2619") == ""
    past = retreat(1, shut=walls, full=["2619"])
    assert judged(past, "2619") == ""
    assert judged(past, "2619", "2618") == ""
    assert judged(past, "2619", "2618", "2617") == "the retreat is over in 2618"
    narrow = retreat(1, shut=walls | {"2618", "2719"}, full=["2619"])
    assert judged(narrow, "2619") == ""
    assert judged(narrow, "2619", "2519") == ""


def test_a_full_hex_is_entered_only_if_no_way_ends_in_time() -> None:
    assert judged(retreat(1, full=["2619"]), "2619") == "other ways avoid over-stacked hexes"
    assert judged(retreat(1, shut=set(AROUND) - {"2619", "2720"}, full=["2619"]), "2619") != ""
    assert judged(retreat(1, full=AROUND), "2619") == ""


def test_a_way_that_leads_nowhere_is_not_begun() -> None:
    beyond = {"2618", "2519", "2719"}
    closed = retreat(2, shut=beyond)
    assert judged(closed, "2619") == "no way leads on from there"
    assert judged(closed, "2720") == ""
    every = retreat(1, shut=beyond | set(AROUND) - {"2619"}, full=["2619"])
    assert judged(every, "2619") == "no way leads on from there"


def test_what_bars_a_hex_comes_before_where_it_leads() -> None:
    two = retreat(2, shut=["2720"])
    assert judged(two, "2720") == "shut"
    assert judged(two, "2619", "2720") == "shut"
    assert judged(two, "2619", "2620") == "it does not lead away"
    assert judged(two, "2619", "2520") == "it does not lead away"


def test_what_the_ways_bar_names_the_rule_of_the_retreat() -> None:
    assert retreat(1, full=["2619"]).judged((), "2619") == Barred("15.2", "other ways avoid over-stacked hexes")
    assert retreat(1, shut=["2619"]).judged((), "2619") == Barred("2.1", "shut")


def test_a_way_through_a_thousand_full_hexes_is_found_or_not_at_once() -> None:
    full = {f"{column}{row:02}" for column in range(16, 37) for row in range(10, 31)}
    one = retreat(1, full=full)
    assert judged(one, "2619") == ""
    wall = {hex for hex in full if hex[:2] in ("16", "36") or hex[2:] in ("10", "30")}
    assert judged(retreat(1, shut=wall, full=full), "2619") == "no way leads on from there"
