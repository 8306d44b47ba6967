"""Supply along lines over hexes, in a made-up game of data and one rule: lines, what closes them, and what is asked and assumed."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking import View
from assistant.asking.question import answer_question
from assistant.asking.view import Gather
from assistant.rules.field import Field, Hexside, HexsideTracks
from assistant.rules.supply_lines import (
    From,
    LineRules,
    SideLines,
    SupplyAsked,
    from_place,
    supply_question,
    words_of_lines,
)
from assistant.state.state import Unit
from assistant.util.errors import InputError

from ...conftest import answered, told, typed, viewed

GAME = "game world-undone-east-prussia-1914\n"
TRACKS = HexsideTracks(lies="barrier", terrain="terrain")


def field(facts: Gather) -> Field:
    view = facts.view
    return Field(facts, lambda facts, unit: True, lambda *hexes: Hexside(view, *hexes, TRACKS), lambda over: True)


def lines(view: View, side: str = "german", **rules: Any) -> SideLines:
    """The lines of a side from 0310, unless its sources are given."""
    with view.gather() as facts:
        around = field(facts).read().around(side)
    return SideLines(around, LineRules(rules.pop("sources", (From("the depot", ["0310"]),)), "9.1", **rules))


def unit(view: View, name: str = "XX/37") -> Unit:
    return view.unit(name)


def row(words: str, column: int) -> str:
    """Facts of all hexes of a column, which no line can go round."""
    names = (at for at in viewed(GAME).board.in_order if at.startswith(f"{column:02}"))
    return "".join(f"{at} {words}\n" for at in names)


def test_a_line_is_as_long_as_the_game_lets_it() -> None:
    view = viewed(f"{GAME}0810: XX/37\n")
    assert lines(view).supply_of(unit(view)).line[::5] == ("0310", "0810")
    assert lines(view, longest=5).supply_of(unit(view)).hexes == 5
    short = lines(view, longest=3).supply_of(unit(view))
    assert short.cause and short.cause.text == "0810 is 5 hexes from the depot, and a line has 3 at most"
    assert short.cause.weight == 2


def test_a_range_counts_against_what_a_shorter_line_would_have_to_open() -> None:
    view = viewed(f"{GAME}0710: XX/37\n{row('control=russian', 5)}")
    held = lines(view, longest=9, holder=lambda at: view.word("control", at)).supply_of(unit(view))
    assert held.cause and [keeps.kind for keeps in held.cause.hindrances] == ["control"]
    far = lines(view, longest=3, holder=lambda at: view.word("control", at)).supply_of(unit(view))
    assert far.cause and [keeps.kind for keeps in far.cause.hindrances] == ["range", "control"]
    assert far.cause.text.startswith("0710 is 4 hexes from the depot, and a line has 3 at most; enemy control of 05")


def test_an_unknown_source_leaves_it_undecided_where_it_may_lie_and_none_at_all_does_not() -> None:
    view = viewed(f"{GAME}0510: XX/37\n")
    place = from_place(view, "Elbing", "9.1")
    assert (place.hexes, place.ask and place.ask.title) == ([], "hex of Elbing")
    unknown = lines(view, sources=(place,))
    assert (unknown.supply_of(unit(view)).supplied, [one.title for one in unknown.asks("0510")]) == (
        None,
        ["hex of Elbing"],
    )
    nowhere = lines(view, sources=(place,), may_be=lambda at: at == "3030", longest=5)
    assert (nowhere.supply_of(unit(view)).supplied, nowhere.asks("0510")) == (False, ())
    assert lines(view, sources=(place,), may_be=lambda at: at == "0512", longest=2).asks("0510")
    known = viewed(f"{GAME}0510: XX/37\n0512 named=Elbing\n")
    assert lines(known, sources=(from_place(known, "Elbing", "9.1"),)).supply_of(unit(known)).source == "Elbing"
    none = lines(view, sources=()).supply_of(unit(view))
    assert (none.supplied, none.cause and none.cause.text) == (False, "no line leads to it from any source of supply")


def question(text: str, **asked: Any) -> Any:
    rules = lambda facts, around: LineRules((From("the depot", ["0310"]),), "9.1")  # noqa: E731
    supply = supply_question("who is supplied", words_of_lines("9.1"), field, rules)
    return answer_question(supply, viewed(GAME + text), SupplyAsked(**asked), {})


def test_the_question_tells_each_unit_in_a_line_and_refuses_a_position_without_them() -> None:
    report = question("0510: XX/37\n0810: III/25\n", side="german")
    assert (report.title, report.verdict.text) == (
        "Supply of the German side",
        "XX/37 is in supply from the depot, 2 hexes",
    )
    assert told(report)[0].startswith("XX/37 in 0510: supplied from the depot, 2 hexes: 0310 ")
    both = question("0510: XX/37\n0810: III/25\n")
    assert [side.side for side in both.result.sides] == ["german", "russian"]
    assert [one.unit for one in question("0510: XX/37, XX/41\n", unit=("XX/41",)).result.units] == ["XX/41"]
    phasing = question("phasing=russian\n0510: XX/37\n0810: III/25\n")
    assert [side.side for side in phasing.result.sides] == ["russian"]
    with pytest.raises(InputError, match="no unit is on the map"):
        question("turn=2\n")
    with pytest.raises(InputError, match="is not a unit of"):
        question("0510: XX/37\n", unit=("XX/37",), side="russian")


# --- on a drawn board: what it may turn on ------------------------------------------------------------------------------

DRAWN = f"{GAME}board east-prussia\nscenario=masurian-lakes\nphasing=russian\n"


def drawn(text: str, **asked: Any) -> Any:
    return answered(typed(DRAWN + text), "supply", **asked)


def test_on_a_drawn_map_the_facts_of_a_line_are_weighed_and_no_others() -> None:
    report = drawn("5421: III/25\n", unit=["III/25"])
    assert report.verdict.kind == "yes", "other lines lead there as well"
    assert not any("too many to weigh" in step.text for step in report.cautions)
