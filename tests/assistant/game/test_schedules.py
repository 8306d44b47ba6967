"""Schedules of a game that counts its turns: rows by turn, by option and by facts, and a choice of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.games import Game
from assistant.game.lint.faults import format_fault
from assistant.game.schedule_dates import RULING, FactOf
from assistant.game.schedule_files import read_schedules
from assistant.game.schedules import Schedules, arrival, due_count
from assistant.state.tracks import Value
from assistant.util.errors import InputError

from ...folders import game_of
from ..records.journal.small import FILES as MONTHS
from .test_course import GAME, TRACKS

FACTS = TRACKS.replace("most = 4", "most = 8") + (
    '[entered]\ntitle = "turn of entry"\non = "game"\nkind = "integer"\nleast = 1\nmost = 9\n'
    '[mutiny]\ntitle = "mutinies"\non = "game"\nkind = "integer"\nleast = 0\nabsent = 0\n'
    '[options]\ntitle = "options"\non = "game"\nkind = "choices"\nvalues = ["beer", "bread"]\nabsent = []\n'
)
ROWS = """rule,who,at,from,until,option,unless,when,item,count
1,red,2,,,,,,guns,3
2,red,,2,4,,beer,not:mutiny,bread,1
3,red,,5,,,beer,mutiny=2,bread,2
4,blue,entered+1,,,,,,guns,1
5,blue,entered,,,beer,,,points,-5
"""


RULINGS = "id,rule,doubt,readings,default,authority\nfeast,9,Whether it lasts,no: it ends; yes: it lasts,no,sense\n"


def heath(folder: Path, rows: str = ROWS) -> Game:
    """A game of eight turns with these rows."""
    files = {"game.toml": GAME, "tracks.toml": FACTS, "schedules/all.csv": rows, "rulings.csv": RULINGS}
    return game_of(folder, files, "heath")


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return heath(tmp_path)


def facts(**stated: Value) -> FactOf:
    return lambda track, subject: stated.get(track)


def due(schedules: Schedules, number: int, **stated: Value) -> list[tuple[str, int]]:
    return [(due.rule, due.count) for due in schedules.due(number, facts(**stated))]


def test_a_dated_row_ends_with_what_ends_it(tmp_path: Path) -> None:
    rows = "rule,who,at,until,item,count\n1,red,4,entered,guns,1\n2,red,mutiny+1,entered,beer,2\n"
    schedules = read_schedules(heath(tmp_path, rows))
    assert due(schedules, 4) == due(schedules, 4, entered=4) == [("1", 1)]
    assert due(schedules, 4, entered=3) == []
    assert due(schedules, 5, mutiny=4, entered=6) == [("2", 2)] and due(schedules, 5, mutiny=4, entered=4) == []
    waiting = [[row.rule for row in schedules.waiting(number, facts(entered=3))] for number in (3, 4)]
    assert waiting == [["2"], []]


def test_every_nth_takes_the_place_of_the_item_that_is_counted(tmp_path: Path) -> None:
    """Two guns come, of which one counts; the second of those that count comes as a point."""
    rows = (
        "rule,who,at,item,account,amount,instead,every,counter\n1,red,2,guns,mutiny,5,,,\n2,red,2,guns,mutiny,3,,,mutiny\n"
        "3,red,2,points,mutiny,1,guns,2,mutiny\n"
    )
    schedules = read_schedules(heath(tmp_path, rows))
    assert due(schedules, 2, mutiny=0) == [("1", 1), ("2", 1)]
    assert due(schedules, 2, mutiny=1) == [("1", 1), ("3", 1)]
    assert [due.counts for due in schedules.due(2, facts(mutiny=1))] == [(), (("mutiny", "red", 1),)]
    assert [due.goes_by for due in schedules.due(2, facts(mutiny=1))] == [(), (("mutiny", "red", 1),)]


def test_what_waits_in_a_queue_comes_in_a_month_that_brings_no_such_item_anyway(tmp_path: Path) -> None:
    rows = "rule,who,from,until,turns,item,counter,queue\n1,rust,oct14,oct14,1,bread,,\n2,rust,nov14,nov14,1,guns,,\n3,rust,sep14,,1,guns,dm,sp\n"
    schedules = read_schedules(game_of(tmp_path, MONTHS | {"schedules/all.csv": rows}, "small"))
    calendar = schedules.calendar
    turns = {calendar.label(number): number for number in range(calendar.first, calendar.last + 1)}
    come = [[rule for rule, _ in due(schedules, turns[f"{month}14/1"], sp=2, dm=1)] for month in ("sep", "oct", "nov")]
    assert come == [["3"], ["1", "3"], ["2"]]
    assert due(schedules, turns["sep14/1"], sp=2, dm=2) == [], "all that the year brings has come"


def test_what_lies_ahead_never_comes_once_something_else_has_happened(tmp_path: Path) -> None:
    truce = '[truce]\ntitle = "truce"\non = "game"\nkind = "integer"\nleast = 1\nmost = 9\n'
    tracks = FACTS.replace("most = 9\n", 'most = 9\nunless = { "" = "game.truce" }\n', 1) + truce
    rows = "rule,who,at,item,count\n1,red,entered-2,guns,1\n2,red,entered,guns,1\n3,red,entered+1,guns,1\n"
    files = {"game.toml": GAME, "tracks.toml": tracks, "schedules/all.csv": rows}
    schedules = read_schedules(game_of(tmp_path, files, "heath"))
    come = {
        truce: [due(schedules, number, entered=5, truce=truce) for number in (3, 5, 6)] for truce in (0, 2, 3, 4, 5)
    }
    once = [("1", 1)]
    assert come == {
        0: [once, [("2", 1)], [("3", 1)]],
        2: [[], [], []],
        3: [once, [], []],  # it was to come still
        4: [once, [], []],
        5: [once, [("2", 1)], [("3", 1)]],
    }


def test_rows_go_by_options_by_what_is_stated_and_by_the_number_of_a_turn(game: Game) -> None:
    schedules = read_schedules(game)
    assert due(schedules, 3, options=("bread",)) == [("2", 1)]
    assert due(schedules, 3, options=("beer",)) == due(schedules, 3, mutiny=1) == []
    assert due(schedules, 5, mutiny=2) == [("3", 2)] and due(schedules, 5, mutiny=1) == []
    schedules = read_schedules(game)
    assert due(schedules, 5, entered=4) == [("4", 1)]
    assert due(schedules, 4, entered=4, options=("beer",)) == [("5", -5)]
    dated = dict(schedules.dated(facts(entered=4, options=("beer",))))
    assert [dated.get(row) for row in schedules.rows] == [2, None, None, 5, 4]


def test_rows_of_chosen_items_and_other_arrivals(game: Game) -> None:
    asked: set[str] = set()

    def fact(track: str, subject: str) -> Value | None:
        asked.add(track)
        return None

    red = read_schedules(game).where(lambda row: row.who == "red" and row.item == "bread")
    assert [due.rule for number in range(1, 9) for due in red.due(number, fact)] == ["2", "2", "2"]
    assert [row.rule for row in red.rows] == ["2", "3"] and asked == {"options", "mutiny"}
    unit = arrival("Guards", "red", 3, "9.2")
    assert (unit.row.units, unit.row.action) == ("Guards", "arrive")
    assert (unit.who, unit.turn, unit.rule, unit.count, unit.text) == ("red", 3, "9.2", 1, "Guards")
    (guns, _) = read_schedules(game).due(2, facts())
    more, one = due_count(guns, 4, "gun"), due_count(guns, 1, "gun")
    assert (more.count, more.text, more.rule) == (4, "4 guns", "1") and one.text == "1 gun"


def test_rulings_count_by_one_reading_and_are_looked_up_only_where_dates_leave_it_open(tmp_path: Path) -> None:
    rows = "rule,who,from,until,counter,item,count\n1,red,2[feast=no],,,bread,1\n2,red,,3[feast=no],mutiny[feast=yes],beer,2\n"
    schedules = read_schedules(heath(tmp_path, rows))

    def come(number: int, reading: str) -> list[tuple[str, bool]]:
        def fact(track: str, subject: str) -> Value | None:
            return reading if (track, subject) == (RULING, "feast") else None

        return [(due.item, bool(due.counts)) for due in schedules.due(number, fact)]

    assert come(1, "no") == [("beer", False)] and come(1, "yes") == [("bread", False), ("beer", True)]
    assert come(4, "no") == [("bread", False)] and come(4, "yes") == [("bread", False), ("beer", True)]
    rows = "rule,who,from,until,item,count\n1,red,2[feast=no] 3,,bread,1\n2,red,,6[feast=no] 5,beer,2\n"
    schedules = read_schedules(heath(tmp_path, rows))
    asked = list[str]()

    def fact(track: str, subject: str) -> Value | None:
        asked.append(track)
        return "yes"

    assert not schedules.where(lambda row: row.item == "bread").due(1, fact) and not asked
    assert not schedules.where(lambda row: row.item == "beer").due(7, fact) and not asked


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("6,red,2[feast=no],,,,,,guns,1", "at: a ruling is named in from, until or counter alone"),
        ("6,red,,2[fest=no],,,,,guns,1", "unknown ruling 'fest'"),
        ("6,red,,2[feast=maybe],,,,,guns,1", "'maybe'"),
        ("6,red,never,,,,,,guns,1", "'never' is neither a turn nor counted from a fact that is one"),
        ("6,red,,4,2,,,,guns,1", "the row can never come"),
        ("6,red,2,,,,,,guns,some", "count: 'some' is not a number"),
        ("6,green,2,,,,,,guns,1", "'green' is neither a side nor a nation"),
        ("6,red,entered+1x,,,,,,guns,1", "'entered.1x' is neither a turn nor counted"),
        ("6,red,red.entered,,,,,,guns,1", "'entered' is about the game"),
        ("6,red,2,,,,,red.mutiny=2,guns,1", "'mutiny' is about the game"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_with_its_line(tmp_path: Path, row: str, what: str) -> None:
    broken = heath(tmp_path, f"{ROWS}{row}\n")
    with pytest.raises(InputError, match=what) as caught:
        read_schedules(broken)
    assert str(caught.value.where) == "schedules/all.csv:7"


def test_a_row_is_of_a_scenario_only_where_the_game_has_some(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Heath has no scenarios") as caught:
        read_schedules(heath(tmp_path, "rule,who,at,item,scenario\n1,red,2,guns,late\n"))
    assert str(caught.value.where) == "schedules/all.csv:2"


HEAD = "rule,who,from,until,turns,item,units,count,place,account,amount,instead,every,counter,rotation,action\n"
STEPS = "rotation,count,account,amount\nten,2,mutiny,1\n"


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("1,red,2,4,6,guns,,,,,,,,,,", "the row can never come: no turn is one of `turns` and `months`"),
        ("1,red,2,4,3,,,,,,,,,,,", "a row needs a rule and an item"),
        ("1,red,,,9,guns,,,,,,,,,,", "a month has no turn 9"),
        ("1,red,,,,guns,,,,mutiny,,,,,,", "account and amount go together; write both, or neither"),
        ("1,red,,,,guns,,,,,3,,,,,", "account and amount go together"),
        ("1,red,,,,guns,,,,mutny,3,,,,,", "'mutny' is not an account; nearest known: mutiny"),
        ("1,red,,,,guns,,,,,,,,,ten,", "a rotation, every or a queue needs a counter"),
        ("1,red,,,,guns,,,,,,,,mutiny,tan,", "unknown rotation 'tan'; nearest known: ten"),
        ("1,red,,,,guns,,,,,,bread,,,,", "instead: no row brings 'bread'; known: beer, guns"),
        ("1,red,,,,guns,,,,,,beer,ten,mutiny,,", "every: 'ten' is not a number"),
        ("1,red,,,,guns,2nd,,,,,,,,,", "'2nd' is not in the roster; known: 1st, 3rd"),
        ('1,red,,,,guns,"1st,3rd",3,,,,,,,,', "count: 3 is not the number of units, 2"),
        ("1,blue,,,,guns,1st,,,,,,,,,", "'1st' is red, not blue; correct `who` or `units`"),
        ("1,red,,,,gnus,,,,,,,,,,", "item: unknown word 'gnus'; nearest known: guns"),
        ("1,red,,,,guns,,,,,,,,,,arive", "action: unknown word 'arive'; nearest known: arrive"),
    ],
)
def test_a_row_names_what_there_is_and_can_come(tmp_path: Path, row: str, fault: str) -> None:
    game = GAME + '[[roster]]\nfile = "roster.csv"\nsource = "printed"\n'
    nation = '[nation]\ntitle = "nation"\non = "unit"\nkind = "choice"\nvalues = ["red", "blue", "azure"]\nprinted = "counter"\n'
    files = {"game.toml": game, "tracks.toml": FACTS + nation, "roster.csv": "unit,nation\n1st,red\n3rd,red\n"}
    files["course.toml"] = '[schedules]\nitem = ["guns", "beer"]\naction = ["arrive"]\n'
    files |= {"schedules/all.csv": f"{HEAD}1,red,,,,beer,,,,,,,,mutiny,ten,\n{row}\n", "schedules/rotations.csv": STEPS}
    found: list[InputError] = []
    read_schedules(game_of(tmp_path, files, "heath"), found.append)
    assert format_fault(found[0]).startswith(f"schedules/all.csv:3: {fault}")


def test_the_steps_of_a_rotation_are_read_and_used(tmp_path: Path) -> None:
    files = {"game.toml": GAME, "tracks.toml": FACTS, "schedules/all.csv": f"{HEAD}1,red,,,,beer,,,,,,,,mutiny,ten,\n"}
    files["schedules/rotations.csv"] = STEPS + "ten,two,mutiny,1\nten,1,mutny,1\ntin,1,mutiny,1\n"
    found: list[InputError] = []
    read_schedules(game_of(tmp_path, files, "heath"), found.append)
    assert [format_fault(one) for one in found] == [
        "schedules/rotations.csv:3: count: 'two' is not a number",
        "schedules/rotations.csv:4: 'mutny' is not an account; nearest known: mutiny",
        "schedules/rotations.csv:5: no row goes by the rotation 'tin'; nearest known: ten",
    ]


ROSTER = {
    "game.toml": GAME + '[[roster]]\nfile = "roster.csv"\nsource = "printed"\n',
    "tracks.toml": FACTS + '[nation]\ntitle = "nation"\non = "unit"\nkind = "choice"\nvalues = ["red", "blue"]\nprinted = "counter"\n',
    "roster.csv": "unit,nation\n1st,red\n3rd,red\n",
}  # fmt: skip


def rotated(folder: Path, rows: str, steps: str) -> list[str]:
    """What is wrong with rows that go by rotations."""
    files = {**ROSTER, "schedules/all.csv": rows, "schedules/rotations.csv": steps}
    files["course.toml"] = '[schedules]\nitem = ["guns", "beer", "unit"]\n'
    found: list[InputError] = []
    read_schedules(game_of(folder, files, "heath"), found.append)
    return [format_fault(one) for one in found]


@pytest.mark.parametrize(
    ("row", "steps"),
    [
        ("1,red,,,,guns,,,,mutiny,1,,,mutiny,r,", "rotation,amount\nr,2\n"),
        ("1,red,,,,guns,,,,,,,,mutiny,r,", "rotation,account,amount\nr,mutiny,2\nr,,\n"),
        ("1,red,,,,unit,,2,,,,,,mutiny,r,", 'rotation,units\nr,"1st, 3rd"\n'),
        ("1,red,,,,guns,,,,,,,,mutiny,r,\n2,red,,,,unit,,,,,,beer,,,,", "rotation,item\nr,beer\nr,guns\n"),
        ("1,red,,,,,,,,,,,,mutiny,r,", "rotation,item\nr,beer\n"),
    ],
)
def test_a_step_overrides_some_cells_of_its_row(tmp_path: Path, row: str, steps: str) -> None:
    assert rotated(tmp_path, f"{HEAD}{row}\n", steps) == []


def test_a_step_is_wrong_with_the_row_that_goes_by_it(tmp_path: Path) -> None:
    rows = "1,red,,,,guns,,,,,,,,mutiny,r,\n2,blue,,,,unit,,,,,,,,mutiny,q,\n3,red,,,,guns,,,,,,,,mutiny,r,\n"
    rows += "4,green,,,,guns,,,,,,,,mutiny,q,\n"
    steps = "rotation,amount,units\nr,2,\nq,,1st\n"
    assert rotated(tmp_path, HEAD + rows, steps) == [
        "schedules/rotations.csv:2: account and amount go together; write both, or neither",
        "schedules/rotations.csv:3: '1st' is red, not blue; correct `who` or `units`",
        "schedules/all.csv:5: 'green' is neither a side nor a nation; nearest known: red",
    ]


@pytest.mark.parametrize(
    ("rows", "steps", "fault"),
    [
        (
            "1,red,two,,,beer,,,,,,,,,,\n2,red,,,,guns,,,,,,beer,,,,\n",
            "",
            "schedules/all.csv:2: 'two' is neither a turn",
        ),
        (
            "1,red,,,,bere,,,,,,,,,,\n2,red,,,,guns,,,,,,beer,,,,\n",
            "",
            "schedules/all.csv:2: item: unknown word 'bere'",
        ),
        ("1,red,two,,,beer,,,,,,,,mutiny,r,\n", "r,1\n", "schedules/all.csv:2: 'two' is neither a turn"),
        ("1,red,,,,beer,,,,,,,,mutiny,q,\n", "r,1\n", "schedules/all.csv:2: unknown rotation 'q'"),
        ("1,red,,,,beer,,,,,,,,mutiny,r\n", "r,1\n", "schedules/all.csv:2: the row has 15 cells"),
        ("1,red,,,,beer,,,,,,,,,,\n", ",2\n", "schedules/rotations.csv:2: the step belongs to no rotation; name it"),
        (
            "1,red,,,,beer,,,,,,,,mutiny,r,\n",
            "r,1,2\n",
            "schedules/rotations.csv:2: column 3 has no name in the head row",
        ),
    ],
)
def test_what_follows_from_a_mistake_is_none_of_its_own(tmp_path: Path, rows: str, steps: str, fault: str) -> None:
    (found,) = rotated(tmp_path, HEAD + rows, f"rotation,count\n{steps}")
    assert found.startswith(fault)


def test_an_unknown_column_is_told_once(tmp_path: Path) -> None:
    rows = HEAD.replace("from", "form") + "1,red,,,,guns,,,,,,,,,,\n2,red,,,,beer,,,,,,,,,,\n"
    assert rotated(tmp_path, rows, "rotation,cuont\nr,1\nr,2\n") == [
        "schedules/rotations.csv:1: unknown column 'cuont'; nearest known: count, counter, unit",
        "schedules/all.csv:1: unknown column 'form'; nearest known: from",
    ]
