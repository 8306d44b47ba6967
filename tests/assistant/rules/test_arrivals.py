"""Units that are to come and what else is due: by rows, as they state, and the places that are open to them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.asking.asks import Ask
from assistant.asking.question import Question, answer_question
from assistant.asking.report import MissingFacts, Report
from assistant.asking.view import Gather, View
from assistant.game.games import Game
from assistant.game.schedule_dates import FactOf
from assistant.game.schedules import Due, arrival
from assistant.rules.arrival_places import is_open, nearest_open, open_places
from assistant.rules.arrivals import bring_forward, coming_units, reckon_arrivals, side_of_row, with_units
from assistant.rules.due import QUESTION, DueParameters, WhatIsDue, due_question, fact_of, reckon_due
from assistant.util.errors import InputError

from ...conftest import told
from ...folders import game_of
from ..game.test_schedules import heath
from .moor import seen

NUMBER = 'kind = "integer"\nleast = 1\nmost = 9\n'
FILES = {
    "game.toml": """title = "Heath"
about = "Made up."
roster = [{ file = "roster/all.csv", source = "printed" }]
[grid]
[sides]
red = ["rose", "brick"]
blue = ["sky"]
""",
    "tracks.toml": f"""[turn]
title = "turn"
on = "game"
{NUMBER}
[called]
title = "turn of the call"
on = "game"
{NUMBER}
[nation]
title = "nation"
on = "unit"
kind = "choice"
values = ["rose", "brick", "sky"]
printed = "counter"
[arrives]
title = "turn of arrival"
on = "unit"
printed = "counter"
{NUMBER}
""",
    "roster/all.csv": "unit,nation,arrives\nA,rose,\nB,brick,\nC,sky,\nD,rose,4\nE,rose,\n",
    "course.toml": '[turns]\narrives = "arrives"\n',
    "turns.csv": "turns,kind,text,who,rule,source\n1-9,season,Summer,,2.1,rulebook\n",
    "schedules/all.csv": """rule,who,at,action,item,count,units,place
1,red,3,arrive,unit,2,"A,B",0101
2,,3,,unit,1,C,
3,rose,called+2,arrive,unit,1,E,
4,red,3,withdraw,unit,1,A,
5,red,3,arrive,guns,2,,
""",
}


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return game_of(tmp_path, FILES, "heath")


def viewed(game: Game, text: str = "turn=3") -> View:
    return seen(game, text)


def coming(game: Game, text: str = "turn=3", side: str = "red") -> list[tuple[str, int, str, str]]:
    return [(unit.unit, unit.turn, unit.rule, unit.place) for unit in coming_units(viewed(game, text), side, rule="9")]


ROWS = [("A", 3, "1", "0101"), ("B", 3, "1", "0101"), ("D", 4, "9", "")]


def test_rows_counters_and_what_units_state_say_when_they_come(game: Game) -> None:
    assert coming(game) == ROWS
    assert coming(game, side="blue") == [("C", 3, "2", "")]
    assert coming(game, "turn=3\ncalled=3") == [*ROWS, ("E", 5, "3", "")]
    assert coming(game, "A arrives=5") == [*ROWS[1:], ("A", 5, "9", "")]
    assert coming(game, "A arrives=3") == ROWS
    assert coming(game, "D arrives=2") == [("D", 2, "9", ""), *ROWS[:2]]


def test_units_on_the_map_are_due_again_only_by_the_rows_after_those_that_withdraw_them(
    tmp_path: Path, game: Game
) -> None:
    rows = FILES["schedules/all.csv"].replace("4,red,3,", "4,red,5,")
    rows += "6,red,7,arrive,unit,1,A,0103\n6,red,8,arrive,unit,1,B,0103\n6,sky,2,withdraw,unit,1,C,\n"
    heath = game_of(tmp_path / "more", {**FILES, "schedules/all.csv": rows}, "heath")
    there = "0202: A, B, D"
    for turn in (3, 5, 6):
        assert coming(heath, f"turn={turn}\n{there}") == [("A", 7, "6", "0103")]
    assert coming(heath, f"turn=7\n{there}") == coming(heath, f"turn=8\n{there}") == []
    assert coming(heath, "turn=1\n0202: C", side="blue") == [("C", 3, "2", "")]
    assert coming(game, "0202: A, D arrives=4") == [("B", 3, "1", "0101")]


def test_units_that_take_no_part_do_not_come_unless_they_state_a_turn(tmp_path: Path) -> None:
    absent = FILES["schedules/all.csv"] + '6,,,absent,unit,2,"C,D",\n'
    heath = game_of(tmp_path, {**FILES, "schedules/all.csv": absent}, "heath")
    assert coming(heath) == coming(heath, "off-map: D") == ROWS[:2]
    assert coming(heath, side="blue") == []
    assert coming(heath, "D arrives=2") == [("D", 2, "9", ""), *ROWS[:2]]
    assert {due.row.units for due in reckon_arrivals(viewed(heath), 1, 9)} == {"", "A", "B"}


def test_units_come_by_the_facts_of_a_game_where_it_has_no_units_of_its_own(game: Game) -> None:
    dues = reckon_arrivals(viewed(game), 1, 9, fact=lambda track, subject: 3 if track == "called" else None)
    assert [(due.row.units, due.turn) for due in dues if due.row.units == "E"] == [("E", 5)]


def test_the_side_of_a_row(game: Game) -> None:
    rows = (("red", "C"), ("rose", "C"), ("", "C"), ("", "Z"))
    assert [side_of_row(game, *row) for row in rows] == ["red", "red", "blue", ""]


def test_units_of_the_roster_wait_off_the_map(game: Game) -> None:
    view = viewed(game, "0202: A")
    there = with_units(view, ["A", "B", "B"])
    assert {unit.id: unit.place for unit in there.units()} == {"A": "0202", "B": None}
    assert with_units(view, ["A"]) is view


def test_each_unit_is_due_by_itself_unless_units_do_not_state_when_they_come(game: Game, tmp_path: Path) -> None:
    due = [*reckon_arrivals(viewed(game), 3, 3)]
    assert [(one.who, one.item, one.row.units, one.row.place) for one in due] == [
        ("red", "unit", "A", ""),
        ("red", "guns", "", ""),
        ("red", "unit", "A", "0101"),
        ("red", "unit", "B", "0101"),
        ("blue", "unit", "C", ""),
    ]
    assert [one.row.units for one in reckon_arrivals(viewed(game), 4, 9)] == ["D"]
    course = FILES["course.toml"].replace('"arrives"', '""')
    whole = game_of(tmp_path / "whole", {**FILES, "course.toml": course}, "heath")
    assert [one.row.units for one in reckon_arrivals(viewed(whole), 3, 3)] == ["A,B", "C", "A", ""]


def test_units_that_still_wait_come_in_this_turn(game: Game) -> None:
    units = coming_units(viewed(game), "red")
    late = [(coming.unit, coming.turn) for coming in bring_forward(units, 4, lambda coming: coming.unit == "A")]
    assert late == [("A", 4), ("B", 3), ("D", 4)]
    assert [*bring_forward(units, 3, lambda coming: True)] == [*units]


def test_units_that_state_a_turn_come_by_the_rule_of_rows_that_name_none(tmp_path: Path) -> None:
    course = f'{FILES["course.toml"]}[scheduled]\narrive = "16"\n'
    units = coming_units(viewed(game_of(tmp_path, {**FILES, "course.toml": course}, "heath")), "red")
    assert [(one.unit, one.rule) for one in units] == [("A", "1"), ("B", "1"), ("D", "16")]


def shut(*places: str, unknown: str = "") -> Any:
    """Bars that close some places, and lack a fact for one."""

    def bars(facts: Gather, at: str) -> list[str]:
        if at == unknown:
            raise MissingFacts([Ask(kind="fact", name="x", rule="", title="x", how="x")])
        return ["shut"] if at in places else []

    return bars


def test_the_open_places_and_the_nearest_of_them(game: Game) -> None:
    view, places = viewed(game), ["0202", "0203", "0205", "0208"]
    assert open_places(view, places, shut()) == tuple(places)
    assert open_places(view, places, shut("0203", unknown="0205")) == ("0202", "0208")
    assert is_open(view, "0202", shut()) and not is_open(view, "0202", shut("0202"))
    view, places = viewed(game), ["0202", "0206", "0203", "0209"]
    assert nearest_open(view, "0204", places, shut()) == ("0203",)
    assert nearest_open(view, "0204", places, shut("0203")) == ("0202", "0206")
    assert nearest_open(view, "0204", places, shut("0203"), 3) == ("0202", "0206", "0209")
    assert nearest_open(view, "0204", places, shut(), 2) == ("0203", "0202")
    assert nearest_open(view, "0204", [], shut()) == ()
    assert nearest_open(view, "0204", places, shut("0203"), 3, 4) == ("0202", "0206")
    assert nearest_open(view, "0204", places, shut("0203"), 3, 5) == ("0202", "0206", "0209")
    far = ["0206", "0208", "0209"]
    assert nearest_open(view, "0202", far, shut(), 3, 2) == ("0206",)


# --- the question `due` -----------------------------------------------------------------------------------------------


@pytest.fixture
def scheduled(tmp_path: Path) -> Game:
    return heath(tmp_path)


def due(scheduled: Game, text: str, question: Question[Any, WhatIsDue] = QUESTION, **named: Any) -> Report[WhatIsDue]:
    return answer_question(question, seen(scheduled, text), DueParameters(**named), {})


def items(report: Report[WhatIsDue]) -> list[tuple[str, str, str]]:
    assert report.result is not None
    return [(item.turn, item.who, item.text) for item in report.result.items]


def waiting(report: Report[WhatIsDue]) -> list[str]:
    assert report.result is not None
    return [row.at for row in report.result.waiting]


def test_a_turn_and_what_waits(scheduled: Game) -> None:
    report = due(scheduled, "turn=2")
    assert (report.title, report.verdict.text) == ("Due in 2", "2 items due")
    assert items(report) == [("2", "red", "3 guns"), ("2", "red", "1 bread")]
    assert waiting(report) == ["entered+1"] and waiting(due(scheduled, "turn=2\nentered=4")) == []
    assert told(due(scheduled, "turn=2", who=("blue",)), "Waiting for something to happen") == ["entered+1: guns"]


def test_a_period_of_one_side(scheduled: Game) -> None:
    report = due(scheduled, "entered=4", turn="2", until="5", who=("blue",))
    assert (report.title, items(report)) == ("Due in 2 to 5", [("5", "blue", "1 guns")])
    assert waiting(report) == []
    assert due(scheduled, "turn=2", turn="7").verdict.text == "nothing is due"
    with pytest.raises(InputError, match="3 comes before 4"):
        due(scheduled, "turn=2", turn="4", until="3")


def test_a_game_may_reckon_more_than_its_rows_say(scheduled: Game) -> None:
    def with_guards(view: View, first: int, last: int) -> Iterator[Due]:
        yield from reckon_due(view, first, last)
        yield arrival("Guards", "blue", first, "9.2")

    question = due_question(with_guards)
    assert items(due(scheduled, "turn=1", question, until="2")) == [
        ("1", "blue", "Guards"),
        ("2", "red", "3 guns"),
        ("2", "red", "1 bread"),
    ]
    assert told(due(scheduled, "turn=1", question), "Blue") == ["Guards"]


def test_what_rows_are_counted_from_may_be_known_to_the_game_alone(scheduled: Game) -> None:
    def entered_in_6(view: View) -> FactOf:
        stated = fact_of(view)
        return lambda track, subject: 6 if track == "entered" else stated(track, subject)

    assert waiting(due(scheduled, "turn=2", due_question(fact=entered_in_6))) == []
    assert waiting(due(scheduled, "turn=2", due_question())) == ["entered+1"]


def test_an_earlier_turn_is_reckoned_by_what_holds_now_and_says_so(scheduled: Game) -> None:
    assert told(due(scheduled, "turn=4", turn="2"), "Assumed") == [
        "what is stated without a turn was before 4 as it is now"
    ]
    for text, named in (("turn=4", {"turn": "4", "until": "5"}), ("entered=4", {"turn": "2"})):
        assert "Assumed" not in [part.title for part in due(scheduled, text, **named).parts]
