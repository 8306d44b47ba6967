"""Ways of retreat on an empty map: how far they lead, where they end, and what may not be avoided."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import pytest

from assistant.field import Bar, Barred
from assistant.questions import Gather, InputError, Report, View
from assistant.readymade.retreat import Retreat, RetreatParameters, RetreatRules, Ways, retreat_question
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.testing import game_in

from ...conftest import viewed

AROUND = ("2520", "2521", "2619", "2621", "2720", "2721")
BOARD = View(game_in("kaisers-war-in-the-east"), game_in("kaisers-war-in-the-east").state()).board


def retreat(owed: int, shut: Collection[str] = (), full: Collection[str] = ()) -> Ways:
    """A retreat from 2620. shut: the hexes that may not be entered; full: those without room."""
    bars: list[Bar] = [lambda here, there: Barred("2.1", "shut") if there in shut else None]
    return Ways(BOARD, "2620", owed, bars, lambda hex: hex not in full, "15.2")


def judged(moving: Ways, *way: str) -> str:
    """Why the last hex of a route cannot be entered, "" if it can."""
    barred = moving.judge_step(way[:-1], way[-1])
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
    assert judged(past, "2619", "2618", "2617") == "the retreat ends in 2618"
    narrow = retreat(1, shut=walls | {"2618", "2719"}, full=["2619"])
    assert judged(narrow, "2619") == ""
    assert judged(narrow, "2619", "2519") == ""


def test_a_full_hex_is_entered_only_if_no_way_ends_in_time() -> None:
    assert judged(retreat(1, full=["2619"]), "2619") == "other routes avoid over-stacked hexes"
    assert judged(retreat(1, shut=set(AROUND) - {"2619", "2720"}, full=["2619"]), "2619") != ""
    assert judged(retreat(1, full=AROUND), "2619") == ""


def test_a_way_that_leads_nowhere_is_not_begun() -> None:
    beyond = {"2618", "2519", "2719"}
    closed = retreat(2, shut=beyond)
    assert judged(closed, "2619") == "the retreat cannot go on from there"
    assert judged(closed, "2720") == ""
    every = retreat(1, shut=beyond | set(AROUND) - {"2619"}, full=["2619"])
    assert judged(every, "2619") == "the retreat cannot go on from there"


def test_what_bars_a_hex_comes_before_where_it_leads() -> None:
    two = retreat(2, shut=["2720"])
    assert judged(two, "2720") == "shut"
    assert judged(two, "2619", "2720") == "shut"
    assert judged(two, "2619", "2620") == "it is no farther from 2620, or has already been entered"
    assert judged(two, "2619", "2520") == "it is no farther from 2620, or has already been entered"


def test_what_the_ways_bar_names_the_rule_of_the_retreat() -> None:
    assert retreat(1, full=["2619"]).judge_step((), "2619") == Barred("15.2", "other routes avoid over-stacked hexes")
    assert retreat(1, shut=["2619"]).judge_step((), "2619") == Barred("2.1", "shut")


def test_a_way_through_a_thousand_full_hexes_is_found_or_not_at_once() -> None:
    full = {f"{column}{row:02}" for column in range(16, 37) for row in range(10, 31)}
    one = retreat(1, full=full)
    assert judged(one, "2619") == ""
    wall = {hex for hex in full if hex[:2] in ("16", "36") or hex[2:] in ("10", "30")}
    assert judged(retreat(1, shut=wall, full=full), "2619") == "the retreat cannot go on from there"


STACK = "40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)\n41.22: 1/1 (12-16-7-11)\n"


def asked(
    *units: str, shut: Iterable[str] = (), fixed: Iterable[str] = (), answers: Mapping[str, str] = {}, **more: Any
) -> Report[Any]:
    """The report on a retreat in a game whose rules shut some hexes, and in which some units are fixed."""

    def read(facts: Gather, stacked: Sequence[Unit], side: str) -> Retreat:
        names = [unit.id for unit in stacked]
        gone = [name for name in names if name in fixed]
        movers = [name for name in names if name not in gone]
        bars: list[Bar] = [lambda here, there: Barred("2.1", f"shut to the {side} side") if there in shut else None]
        return Retreat(movers, gone, bars, lambda hex: True, lambda name: [Change("place", name, "40.20", None, "9.1")])

    def presume(view: View, hexes: Sequence[str]) -> None:
        for hex in hexes:
            view.granted("terrain", hex, "clear", "2.1", "{hexes} taken to be open")

    question = retreat_question(RetreatRules(read, presume, "11.0", "11.2", most=3))
    return question.answer(viewed(STACK), RetreatParameters(units=units, **more), answers)


def placed(report: Report[Any]) -> list[tuple[str, str | None, str]]:
    """What a report changes: unit, where it is then, and by which rule."""
    return [(one.subject, one.after, one.rule) for one in report.changes]


def test_the_open_hexes_are_offered_until_the_retreat_is_over() -> None:
    report = asked("25/3", "27/3", shut=["40.19"])
    assert report.title == "Retreat of 25/3, 27/3 from 40.20"
    assert [(one.hex, one.barred) for one in report.result.options][-1] == ("40.19", "shut to the russian side")
    (ask,) = report.asks
    assert (ask.name, ask.options) == ("hex.1", tuple(one.hex for one in report.result.options[:-1]))
    moved = asked("25/3", "27/3", answers={"hex.1": "40.19"})
    assert (moved.verdict.text, moved.asks) == ("the retreat ends in 40.19", ())
    assert placed(moved) == [("25/3", "40.19", "11.0"), ("27/3", "40.19", "11.0")]


def test_who_cannot_move_or_finds_no_way_is_lost() -> None:
    fixed = asked("25/3", "27/3", fixed=["27/3"], way=("40.19",))
    assert (fixed.result.eliminated, placed(fixed)[0]) == (("27/3",), ("27/3", None, "9.1"))
    around = viewed(STACK).board.neighbours("40.20")
    stuck = asked("25/3", shut=around)
    assert (stuck.verdict.text, stuck.asks) == ("eliminated: 25/3", ())
    assert [line.text for line in stuck.parts[0].steps] == ["25/3 cannot retreat and is eliminated"]


def test_who_cannot_move_enters_nothing_and_takes_nothing_for_granted() -> None:
    report = asked("25/3", "27/3", fixed=["25/3", "27/3"], way=("40.19",), shut=["40.19"])
    assert (report.verdict.text, report.result.way) == ("eliminated: 25/3, 27/3", ())
    question = retreat_question(RetreatRules(nobody_moves, presumed, "11.0", "11.2", most=3))
    view = viewed(STACK)
    question.answer(view, RetreatParameters(units=("25/3",), way=("40.19",)), {})
    assert view.taken_for_granted == ()


def nobody_moves(facts: Gather, stacked: Sequence[Unit], side: str) -> Retreat:
    return Retreat([], [unit.id for unit in stacked], [], lambda hex: True, lambda name: [])


def presumed(view: View, hexes: Sequence[str]) -> None:
    for hex in hexes:
        view.granted("terrain", hex, "clear", "2.1", "{hexes} taken to be open")


def test_a_barred_hex_of_the_way_is_told_with_its_rule() -> None:
    report = asked("25/3", shut=["40.19"], way=("40.19",))
    assert (report.verdict.kind, report.parts[0].steps[0].rule) == ("no", "2.1")
    assert report.verdict.text == "40.19 cannot be entered: shut to the russian side"


@pytest.mark.parametrize(
    ("units", "more", "said"),
    [
        ((), {}, "and 1 to 3 hexes"),
        (("25/3",), {"hexes": 4}, "and 1 to 3 hexes"),
        (("25/3", "1/1"), {}, "are not stacked in one hex"),
        (("25/3",), {"way": ("42.20",)}, "is not adjacent to"),
    ],
)
def test_what_is_no_retreat_is_refused_in_a_line(units: tuple[str, ...], more: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        asked(*units, **more)
