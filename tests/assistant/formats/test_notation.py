"""Position notation: what is understood, new units and chains of hexes among it, and what is said where it is not."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.asking.view import View
from assistant.formats import json_state
from assistant.formats.chains import join_chains
from assistant.formats.new_units import may_be_new, not_a_unit
from assistant.formats.notation import read_notation, read_on
from assistant.formats.notation_writer import write_notation
from assistant.game.games import Game
from assistant.installed.registry import installed_games, load_game
from assistant.service import parse
from assistant.state.tracks import Fact, Source, Track
from assistant.state.words import Vocabulary, Word
from assistant.util.errors import InputError, Where

from ...conftest import GAME, typed
from .test_notation_writer import GAME_OF_ITS_OWN


def test_units_stand_in_their_stack_with_ratings_and_tracks() -> None:
    state = typed("40.20: 25/3, 27/3\n40.20: 29/20").state
    assert [unit.id for unit in state.stack("40.20")] == ["25/3", "27/3", "29/20"]
    facts = typed("40.20: 25/3 (10-?-5-9?)").state.facts
    assert facts == {
        ("steps", "25/3"): Fact(10),
        ("artillery", "25/3"): Fact(5),
        ("effectiveness", "25/3"): Fact(9, assumed=True),
    }
    facts = typed("40.20: 25/3 -3 cel=-2 D1 supply=low reduced heavy high-trajectory prepared=41.19").state.facts
    said = {name: fact.value for (name, _), fact in facts.items()}
    assert said == {
        "lost": 3,
        "cel": -2,
        "disorder": 1,
        "supply": "low",
        "reduced": True,
        "artillery-class": ("heavy", "high-trajectory"),
        "prepared": "41.19",
    }
    facts = typed("40.20: 25/3 reduced=no nation=russian lost=2").state.facts
    assert [fact.value for fact in facts.values()] == [False, "russian", 2]


def test_minus_signs_comments_and_blank_lines_are_read_as_they_are_meant() -> None:
    line = "40.20: 25/3 -3 cel=-2\nchart crt summer 1:1 7 = -1 / +1"
    assert typed(line.replace(" -", " \u2212").replace("=-", "=\u2212")) == typed(line)
    assert typed("\n# a comment\n  turn=3   # another\n").state.value("turn") == 3
    assert read_notation("\ufeffgame twilight-in-the-east\n".encode(), "x.pos", load_game).state.units == {}


def test_a_line_states_ground_of_one_or_several_hexes_or_hexsides() -> None:
    state = typed("41.19 rough? ip=2\n41.19 | 40.19,40.20 minor-river ridge\n42.19|41.19 open").state
    assert state.facts["terrain", "41.19"] == Fact("rough", assumed=True)
    assert state.value("ip", "41.19") == 2
    sides = {subject: fact.value for (track, subject), fact in state.facts.items() if track == "barrier"}
    assert sides == {
        "40.19|41.19": ("minor-river", "ridge"),
        "40.20|41.19": ("minor-river", "ridge"),
        "41.19|42.19": ("open",),
    }
    state = typed("40.20, 40.21,40.22 rough operational=russian\n41.19|40.19, 41.20|41.21, 40.20 rail2").state
    assert {subject for track, subject in state.facts if track == "terrain"} == {"40.20", "40.21", "40.22"}
    assert state.value("operational", "40.22") == "russian"
    assert [side for track, side in state.facts if track == "rail"] == ["40.19|41.19", "41.20|41.21", "40.20|41.20"]


def test_a_line_states_what_it_crosses_and_that_nothing_else_is_there() -> None:
    state = typed('line "3 Train": 40.23 -rail2- 40.22 rough -major-river- -bridge- 40.21 clear').state
    assert state.lines == {"3 Train": ("40.23", "40.22", "40.21")}
    assert (state.value("rail", "40.22|40.23"), state.value("barrier", "40.22|40.23")) == ("rail2", ())
    assert (state.value("barrier", "40.21|40.22"), state.value("crossing", "40.21|40.22")) == (
        ("major-river",),
        "bridge",
    )
    assert (state.value("terrain", "40.22"), state.value("road", "40.21|40.22")) == ("rough", "no-road")


def test_two_ends_of_a_chart_on_one_side_are_told_where_the_second_stands() -> None:
    text = "game world-undone-east-prussia-1914\nchart german-table 1:3- 1 = DE\nchart {} = AE"
    with pytest.raises(InputError) as fault:
        typed(text.format("german-table 1:2- 2"))
    assert "chart german-table: odds ends at 1:3- and at 1:2-" in str(fault.value)
    assert fault.value.where is not None
    assert fault.value.where.line == 3
    assert len(typed(text.format("russian-table 1:2- 2")).state.cells) == 2


def test_questions_answers_charts_rulings_and_sources() -> None:
    position = typed(
        'trust charts counters\nruling flip-point = half-down\nchart crt Summer 1:1 9 = -1 * / +2  W1\nask battle at=41.19 from=40.19,40.20\nask supply unit="1 r/1 R"\nanswers crt=2+5 slrt=3/4'
    )
    assert position.state.accepts == {Source.DRAWN, Source.RECONSTRUCTION, Source.ILLUSTRATIVE}
    assert position.state.rulings == {"flip-point": "half-down"}
    assert position.state.cells["crt", ("summer", "1:1", 9)].values == {"attacker": "-1 *", "defender": "+2 W1"}
    assert [(ask.question, dict(ask.parameters)) for ask in position.asks] == [
        ("battle", {"at": "41.19", "from": "40.19,40.20"}),
        ("supply", {"unit": "1 r/1 R"}),
    ]
    assert position.answers == {"crt": "2+5", "slrt": "3/4"}


def test_answers_belong_to_the_question_above_them() -> None:
    two = ["ask battle at=41.19", "answers crt=7", "answers slrt=3/4", "ask battle at=40.19", "answers crt=9"]
    position = typed("\n".join(two))
    assert [dict(ask.answers) for ask in position.asks] == [{"crt": "7", "slrt": "3/4"}, {"crt": "9"}]
    assert position.asks[1].marks["crt"] == Where("typed.pos", 6, 9)
    assert typed("\n".join(two[:3])).answers == {"crt": "7", "slrt": "3/4"}, "of the only question"
    last = typed("\n".join([two[0], *two[3:]]))
    assert (last.answers, dict(last.asks[1].answers)) == ({}, {"crt": "9"}), "of the second battle alone"
    first = typed("\n".join([*two[:2], "ask supply unit=1/1"]))
    assert (first.answers, dict(first.asks[0].answers)) == ({}, {"crt": "7"}), "of the question above"
    above = typed("\n".join([two[1], *two[3:], two[0]]))
    assert (above.answers, dict(above.asks[0].answers)) == ({"crt": "7"}, {"crt": "9"}), "for each that waits for it"
    with pytest.raises(InputError, match="crt is given twice"):
        typed("\n".join([*two, "answers crt=9"]))


def test_the_silence_of_a_line_covers_nothing_that_a_board_shows() -> None:
    line = "line x: 42.21 41.20"
    paper, drawn, over = typed(line), typed(f"board east\n{line}"), typed("board east\nline x: 42.21 -open- 41.20")
    side = "41.20|42.21"
    assert paper.state.value("barrier", side) == (), "where no board is drawn it says that nothing is there"
    assert View(drawn.game, drawn.state).value("barrier", side) == ("minor-river",)
    assert View(over.game, over.state).value("barrier", side) == ("open",), "what is typed wins"


@pytest.mark.parametrize(
    ("line", "where", "what", "hint"),
    [
        ("40.20: 25/4", "2:8", "unknown unit '25/4'", "25/3"),
        ("41.119 clear", "2:1", "hex 41.119 is off the map", "rows from 12 to 114"),
        ("41.19 cler", "2:7", "'cler' is not a fact about a hex", "clear"),
        ("41.19 woods", "2:7", "'woods' is not a fact about a hex", "terrain is clear, rough, wetlands, mountain"),
        ("40.19|41.19 creek", "2:13", "'creek' is not a fact about a hexside", "barrier is open, minor-river"),
        ("40.20: 25/3 (10-5-10)", "2:13", "(10-5-10) does not fit the ratings", "(steps-defence-artillery-effectivene"),
        ("40.20: 25/3 (-1-5-5-10)", "2:13", "(-1-5-5-10) does not fit the ratings", "steps"),
        ("40.20: 25/3 (10--5-10)", "2:17", "defence is missing in (10--5-10)", "write ?"),
        ("40.20: 25/3 (10-5-5-99)", "2:21", "base combat effectiveness: 99 is not allowed", "from 1 to 20"),
        ("40.20: 25/3 steps=-2", "2:13", "steps printed: -2 is not allowed", "from 0 to 40"),
        (
            "40.20: 25/3 (10-?-5-10) -10",
            "2:25",
            "25/3: steps lost (10) must be below steps printed (10)",
            "correct one",
        ),
        ("40.20: 25/3 lots=3", "2:13", "'lots=3' is not a fact about a unit", ""),
        ("40.20: 25/3 clear", "2:13", "'clear' is not a fact about a unit", "write HEX clear"),
        ("40.20 turn=3", "2:7", "'turn=3' is not a fact about a hex", "write turn=3 in a separate line"),
        ("41.19 minor-river", "2:7", "'minor-river' is not a fact about a hex", "write HEX|HEX minor-river"),
        ("40.20: 25/3 supply=lo", "2:13", "supply status: 'lo' is not allowed", "low"),
        ("40.20: 25/3, 25/3", "2:14", "unit 25/3 is placed twice", "leave out one of the two"),
        ("40.20: german infantry", "2", "a unit name is missing", "german infantry describes a unit: put"),
        ("40.20|40.22 open", "2:7", "40.20 and 40.22 are not adjacent", "adjacent"),
        ("turn=48", "2:1", "game turn: 48 is not allowed", "from 1 to 47"),
        ("turn=+1", "2:1", "game turn: '+1' is not allowed", "turn=7"),
        ("40.20: 25/3 (+9-?-5-10)", "2:14", "steps printed: '+9' is not allowed", "as in steps=7"),
        ("40.20: 25/3 (10-?-5-10) -1 -1", "2:28", "steps lost is stated twice: -1", "leave out one"),
        ("40.20: 25/3 (10-?-5-10) artillery=5", "2:25", "is stated twice: artillery=5", "leave out one"),
        ("trun=3", "2:1", "a line cannot begin with 'trun=3'", "turn="),
        ("accept guesses", "2:8", "unknown source 'guesses'", ""),
        ("ruling flip-pont = half-up", "2:1", "unknown ruling 'flip-pont'", "flip-point"),
        ("ruling flip-point = third", "2:1", "unknown reading of flip-point: 'third'", "half-up"),
        ("chart crt summer 1:1 13 = - / -", "2:1", "roll: 13 is not allowed", "from 2 to 12"),
        ("chart crt summer 1:1 9 = W9 / -", "2:26", "attacker: 'W9' is not allowed", "W1 to W3"),
        ("chart crt summer 1:1 9", "2:1", "a chart cell needs its value", "chart crt summer 1:1 9 = attacker /"),
        ("chart crx summer", "2:1", "unknown chart 'crx'", "crt"),
        ("ask battle at", "2:12", "'at' is not of the form name=value", ""),
        ("ask battle from=40.19, 40.20", "2:24", "'40.20' is not of the form name=value", "write no space after the"),
        ("40.19 29/20", "2:7", "'29/20' is not a fact about a hex", "a colon between the hex and its units: 40.19:"),
        ("40.19: 29/20; 25/3", "2:13", "a semicolon has no meaning in notation", "write a comma"),
        ("line x: 40.23", "2:6", "a line needs at least two hexes", ""),
        ("line x: 40.23 -canal- 40.22", "2:16", "'canal' is not a fact about a hexside", ""),
        ("line x: 40.23 40.21", "2:15", "40.23 and 40.21 are not adjacent", ""),
        ('40.20: 25/3 "reduced"', "2:13", "'reduced' is not a fact about a unit", ""),
        ('41.19 "clear"', "2:7", "'clear' is not a fact about a hex", ""),
        ('turn=3 "campaign"', "2:8", "'campaign' is not a fact about a game", ""),
        ("nonsense", "2:1", "a line cannot begin with 'nonsense'", ""),
        ("who is winning?", "2:1", "a line cannot begin with 'who'", "`victory` answers: who is winning"),
        ("what arrives", "2:1", "a line cannot begin with 'what'", "`arrive` answers: what arrives this turn"),
        ("who laughs now", "2:1", "a line cannot begin with 'who'", "a line begins with a place"),
        ('41.19: "1 Train"', "2:8", "unknown unit '1 Train'", "nearest known: German 1 Train, Russian 1 Train"),
        ("german infantry 9/9", "2:1", "a line cannot begin with 'german'", "UNIT german, or HEX: german UNIT"),
        ("russian vp-towns=2", "2:1", "a line cannot begin with 'russian'", "write: side russian vp-towns=2"),
        ("german rail-points=2", "2:1", "a line cannot begin with 'german'", "write: nation german rail-points=2"),
        ("russian rail-points=2", "2:1", "a line cannot begin with 'russian'", "write: nation russian rail-points=2"),
        ("amy first", "2:1", "a line cannot begin with 'amy'", "army"),
        ("board est", "2:1", "unknown board 'est'", "east"),
        ("4023=4022=", "2:11", "a hex is missing at the end", "= rail2, - rail1"),
        ("4023=4021", "2:6", "40.23 and 40.21 are not adjacent", "adjacent to 40.23: 40.22"),
        ("4023=4022x", "2:10", "'x' has no meaning after a hex", "after a hex: c clear, r rough"),
        ("4023=4022-foo-4021", "2:11", "'foo-4021' has no meaning after a hex", "r rough"),
        ("4023-ferry-foo-4022", "2:12", "'foo-4022' has no meaning after a hex", "r rough"),
        ("4023-road=rail1-4022", "2:1", "roadway: 'rail1' is not allowed", "primary-road"),
        ("4023=4022%4021", "2:10", "'%4021' has no meaning after a hex", "between two hexes: = rail2"),
        ("4023=4022=9999", "2:11", "hex 99.99 is off the map", "columns run from 1 to 98"),
        ("4023==4022", "2:6", "rail2 is typed twice", "= rail2"),
        ("4023-4022=4023", "2:10", "RR line is stated twice: rail1 and rail2", "leave out one"),
        ("4023=4022 4021", "2:11", "40.21 is linked to no other hex", "type what lies between"),
        ("4023=4022 -road-", "2:12", "a hex is missing at the end of the chain", "= rail2"),
        ("4023=4022?", "2:10", "'?' has no meaning after a hex", "c clear"),
        ("40.20, 99.99 rough", "2:8", "hex 99.99 is off", ""),
        ("40.20, rough", "2:8", "'rough'", ""),
        ("41.19|40.19, 41.22 rail2", "2:14", "41.19 and 41.22 are not adjacent", ""),
        ("elsewhere", "2:1", "no fact follows elsewhere", ""),
        ("elsewhere clar", "2:11", "'clar' is not a fact about a hex", ""),
        ("elsewhere clear rough", "2:17", "terrain is stated twice: rough", ""),
        ("elsewhere clear\nelsewhere rough", "3:1", "terrain of all other hexes is stated twice: clear and rough", ""),
        ("elsewhere attacked", "2:11", "cannot be stated for all other hexes or hexsides", ""),
        ("elsewhere reached-by=russian", "2:11", "cannot be stated for all other hexes or hexsides", ""),
        ("elsewhere clear ip=2", "2:17", "cannot be stated for all other hexes or hexsides", ""),
    ],
)
def test_faults_name_line_and_column_and_what_was_meant(line: str, where: str, what: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        typed(line)
    assert str(caught.value.where) == f"typed.pos:{where}"
    assert what in caught.value.what
    assert hint in caught.value.hint


def test_a_board_of_the_same_map_may_be_named_late() -> None:
    placed = typed("40.20: 25/3\n40.20|41.19 open\nboard east")
    assert placed.state.board == "east"
    assert placed.state == typed("board east\n40.20: 25/3\n40.20|41.19 open").state
    with pytest.raises(InputError, match=r"86\.12 is not on the board east"):
        typed("86.12: 25/3\nboard east")


@pytest.mark.parametrize("text", ["", "turn=3", "gme twilight-in-the-east"])
def test_the_game_comes_first(text: str) -> None:
    with pytest.raises(InputError, match="first line must name the game"):
        read_notation(text.encode(), "x.pos", load_game)


def test_a_game_that_is_not_there_and_bytes_that_are_no_text_name_the_line() -> None:
    with pytest.raises(InputError, match="unknown game 'twilight-in-the-west'"):
        read_notation(b"game twilight-in-the-west", "x.pos", load_game)
    with pytest.raises(InputError, match="x.pos:2: this is not UTF-8 text"):
        read_notation(b"game twilight-in-the-east\n40.20: L\xf6tzen", "x.pos", load_game)


PIECES = [
    "game",
    "twilight-in-the-east",
    "40.20",
    "41.19",
    ":",
    ",",
    "|",
    "(",
    ")",
    "-",
    "?",
    '"',
    "=",
    "#",
    "\n",
    "25/3",
    "clear",
]
PIECES += ["line", "ask", "answers", "chart", "crt", "-rail2-", "turn=3", "é", "\t", "9" * 30, "{}", "[", "\\", "\x00"]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=25))
def test_any_text_is_a_position_or_an_input_error(pieces: list[str]) -> None:
    text = "game twilight-in-the-east\n" + " ".join(pieces)
    try:
        read_notation(text.encode(errors="surrogatepass"), "x.pos", load_game)
    except InputError as error:
        assert error.where is not None or re.match(r"unknown game", error.what)


def test_what_is_said_later_takes_the_place_of_what_was_said() -> None:
    before = typed("""turn=1
40.20: 25/3 (10-?-5-10) -3, 27/3
41.19 clear: 1/1
chart crt summer 1:1 9 = +1 / -
ask battle at=41.19""")
    after = read_on(
        """turn=2
40.20: 27/3
41.20: 25/3 -4
41.19 rough
chart crt summer 1:1 9 = - / +1
ask battle at=41.19 flanked=yes""",
        before,
    )
    state = after.state
    assert (state.value("turn"), state.value("terrain", "41.19"), state.value("lost", "25/3")) == (2, "rough", 4)
    assert [unit.place for unit in state.units.values()] == ["41.20", "40.20", "41.19"]
    assert state.value("steps", "25/3") == 10
    assert [dict(cell.values) for cell in state.cells.values()] == [{"attacker": "-", "defender": "+1"}]
    assert after.asks[0].parameters == {"at": "41.19", "flanked": "yes"}


@pytest.mark.parametrize("before", ["", "turn=2\n"])
def test_what_happened_in_a_phase_ends_with_the_next_one_whether_one_was_stated_before_or_not(before: str) -> None:
    position = typed(before + "40.20: 25/3 fought")
    assert "fought" not in {name for name, _ in read_on("turn=3", position).state.facts}
    assert "fought" not in {name for name, _ in parse("turn=3", position).state.facts}
    assert read_on("turn=3\n25/3 fought", position).state.value("fought", "25/3"), "lines hold together, as in a file"
    assert typed("turn=3\n40.20: 25/3 fought").state.value("fought", "25/3")
    kept = read_on("turn=3", position, same_moment=True).state.value("fought", "25/3")
    assert kept is (None if before else True), "the answer to a question for the turn is the present one"


@pytest.mark.parametrize(
    ("lines", "assumed"),
    [
        (("options=plan-r?", "options=plan-r"), False),
        (("options=plan-r", "options=plan-r?"), True),
        (("options=plan-r?", "options=plan-g"), True),
        (("options=plan-r?", "options=plan-r+plan-g"), False),
    ],
)
def test_words_that_are_stated_again_are_as_sure_as_the_last_time(lines: tuple[str, ...], assumed: bool) -> None:
    stated = typed("\n".join(["game kaisers-war-in-the-east", *lines])).state.facts["options", ""]
    assert stated.assumed is assumed


def test_what_a_unit_of_a_stack_states_itself_goes_before_what_is_said_of_all() -> None:
    state = typed("41.19 clear supply=in: 1/1 supply=out, 35/17, 36/17 supply=low").state
    assert [state.value("supply", unit) for unit in ("1/1", "35/17", "36/17")] == ["out", "in", "low"]
    again = typed("41.19 clear: 1/1 cel=-1, 36/17\n41.19 cel=-1").state
    assert [again.value("cel", unit) for unit in ("1/1", "36/17")] == [-1, -1]
    with pytest.raises(InputError, match="is stated twice"):
        typed("41.19 clear: 1/1 cel=-1, 36/17\n41.19 cel=-2")


def test_a_line_that_is_not_understood_leaves_nothing_behind() -> None:
    faults: list[InputError] = []
    begun = f"game {GAME}\nline a: 40.23 clear 40.22 clear\n"
    text = f"{begun}line b: 40.23 clear -rail1- 40.22 nonsense\nline c: 40.23 clear -rail1- 40.22"
    assert [*read_notation(text.encode(), "f.pos", load_game, faults.append).state.lines] == ["a", "c"]
    assert [fault.where for fault in faults] == [Where("f.pos", 3, 35)]
    faults: list[InputError] = []
    state = read_notation(
        f"game {GAME}\n25/3 arrives=2 nonsense\nturn=3".encode(), "f.pos", load_game, faults.append
    ).state
    assert len(faults) == 1 and not state.units and [*state.facts] == [("turn", "")]
    faults: list[InputError] = []
    text = f"game {GAME}\nline a: 40.23 clear 40.22 nonsense\nline b: 40.23 rough 40.22\nturn=3\n"
    position = read_notation(text.encode(), "x.pos", load_game, faults.append)
    assert [fault.where.line for fault in faults if fault.where] == [2]
    assert set(position.state.lines) == {"b"} and position.state.value("turn") == 3
    assert position.state.line_facts["b"]["terrain", "40.23"] == Fact("rough")


@pytest.mark.parametrize("line", ["nation foo field-railways=1", "side foo whole-network"])
def test_an_unknown_side_or_nation_is_named_where_it_stands(line: str) -> None:
    faults: list[InputError] = []
    read_notation(f"game {GAME}\n{line}\n41.19 clear".encode(), "f.pos", load_game, faults.append)
    (fault,) = faults
    assert fault.where is not None and fault.where.line == 2 and "'foo'" in fault.what


@pytest.mark.parametrize("waiting", ["25/3 arrives=2", "New russian infantry XX arrives=2"])
def test_a_unit_may_be_placed_after_its_turn_is_stated(waiting: str) -> None:
    name = waiting.partition(" ")[0]
    after, before = typed(f"{waiting}\n40.20: {name}"), f"40.20: {waiting.partition(' arrives')[0]}\n{name} arrives=2"
    if name == "New":
        before = "40.20: russian infantry XX New\nNew arrives=2"
    assert after.state == typed(before).state
    with pytest.raises(InputError, match="is placed twice"):
        typed(f"{waiting}\n40.20: {name}\n40.21: {name}")


def test_a_unit_that_arrives_in_a_game_that_calls_its_nations_otherwise(tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text('[turns]\narrives = "arrives"\n', "utf-8")
    arrives = Track(name="arrives", title="arrives", on="unit", kind="integer", rule="1")
    game = Game("own", tmp_path, GAME_OF_ITS_OWN.file, {**GAME_OF_ITS_OWN.tracks, "arrives": arrives})
    with pytest.raises(InputError) as caught:
        read_notation(b"game own\nFoo arrives=2", "x.pos", lambda _: game)
    assert "Foo" in str(caught.value) and "nation" not in str(caught.value)


def test_who_is_not_named_in_his_stack_again_leaves_the_map_and_no_line_places_a_unit_twice() -> None:
    after = read_on("40.20: 25/3", typed("40.20: 25/3, 27/3"))
    assert after.state.units["27/3"].place is None
    with pytest.raises(InputError, match="unit 25/3 is placed twice"):
        read_on("40.20: 25/3\n40.21: 25/3", typed("40.20: 25/3"))


def test_brackets_are_no_name_and_quotes_no_part_of_one() -> None:
    with pytest.raises(InputError) as error:
        typed("41.19: german infantry XX D2 (12-16-7-11)")
    assert "a unit name is missing before (12-16-7-11)" in str(error.value)
    assert "put the unit's name after it" in str(error.value)
    assert "D2" in typed('41.19: german infantry XX "D2" (12-16-7-11)').state.units
    assert [*typed('41.19: german XX infantry "a=b"').state.units] == ["a=b"]


def test_a_text_about_a_unit_is_spelled_as_on_counters_or_as_it_was_first() -> None:
    """Capitals do not matter in words."""
    text = '40.20: 25/3 army=first, russian infantry XX a army=Twelfth, russian infantry XX b army=twelfth corps="3 c"'
    facts = typed(text).state.facts
    assert [facts["army", unit].value for unit in ("25/3", "a", "b")] == ["First", "Twelfth", "Twelfth"]
    assert facts["corps", "b"].value == "3 C"
    assert typed("40.20: 25/3 army=first?").state.facts["army", "25/3"] == Fact("First", assumed=True)
    table = read_on("40.21: russian infantry XX c army=TWELFTH", typed(text))
    assert table.state.facts["army", "c"].value == "Twelfth"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("options=gallipoli,moltke-plan", "options=gallipoli+moltke-plan"),
        ("options=gallipoli moltke-plan", "options=gallipoli+moltke-plan"),
        ("options=gallipoli, everything", "options=gallipoli+..."),
    ],
)
def test_several_values_of_a_fact_are_joined_by_a_plus(text: str, meant: str) -> None:
    with pytest.raises(InputError) as caught:
        typed(f"game kaisers-war-in-the-east\n{text}")
    assert caught.value.hint == f"write several values with + between them: {meant}"
    with pytest.raises(InputError) as caught:
        typed("game kaisers-war-in-the-east\noptions=gallipoli everything")
    assert "+" not in caught.value.hint


# --- what holds of all other hexes ---


ELSEWHERE = "elsewhere clear open control=russian\n40.20 rough\n40.20|40.21 minor-river"


def test_what_holds_of_all_other_hexes_is_a_line_of_its_own() -> None:
    state = typed(ELSEWHERE).state
    assert {track: fact.value for track, fact in state.elsewhere.items()} == {
        "terrain": "clear",
        "barrier": ("open",),
        "control": "russian",
    }
    assert {fact.source for fact in state.elsewhere.values()} == {Source.STATED}
    assert len(state.facts) == 2, "what is stated of one hex stays a fact of it"
    assert typed("elsewhere clear\nelsewhere open").state.elsewhere.keys() == {"terrain", "barrier"}
    assert typed("elsewhere ridge minor-river").state.elsewhere["barrier"].value == ("minor-river", "ridge")
    assert typed("elsewhere clear?").state.elsewhere["terrain"].assumed


def test_a_later_line_takes_back_what_was_said_of_all_other_hexes_also_from_json() -> None:
    position = typed("elsewhere clear open")
    assert read_on("elsewhere rough", position).state.elsewhere["terrain"].value == "rough"
    assert read_on("elsewhere rough", position).state.elsewhere["barrier"].value == ("open",)
    assert not read_on("elsewhere", position).state.elsewhere
    position = typed(ELSEWHERE + "\nelsewhere country=russian?")
    assert json_state.read_json(json_state.write_json(position), "", load_game).state == position.state


def test_a_file_with_several_mistakes_names_them_all_or_counts_them() -> None:
    text = "game twilight-in-the-east\nturn=99\n41.19 clera: 1/1\n40.20: 25/3 (10-9)\n4x.20: 27/3\n41.20 cleer\n"
    with pytest.raises(InputError) as caught:
        read_notation(text.encode(), "a.pos", load_game)
    lines = [line for line in str(caught.value).splitlines() if line.startswith("a.pos:")]
    assert [line.split(":")[1] for line in lines] == ["2", "3", "4", "5", "6"]
    text = "game twilight-in-the-east\n" + "41.19 clera\n" * 40
    with pytest.raises(InputError) as caught:
        read_notation(text.encode(), "a.pos", load_game)
    assert str(caught.value).endswith("and 32 more mistakes")
    assert str(caught.value).count("clera") == 8


@pytest.mark.parametrize("name", ["99/9", "36r/1R", "22+24/1", "1/13", "8/8"])
def test_an_id_makes_a_new_unit(name: str) -> None:
    assert may_be_new(Word(name, 1))


@pytest.mark.parametrize(
    "name", ["12-16-7", "low", "+1", "swamp", "20lw", "12", "3rd", "ip2", "25/", "/3", "1//1", "-3-2"]
)
def test_anything_else_only_in_quotes(name: str) -> None:
    assert not may_be_new(Word(name, 1))
    assert may_be_new(Word(name, 1, quoted=True))


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("12-16-7", "did you mean `12--16-7` (steps-artillery-effectiveness) or `12-16-7-?`? ratings are"),
        ("16", "ratings are steps-defence-artillery-effectiveness, with - between them"),
        ("25-3", "did you mean 25/3? ratings are"),
        ("low", "did you mean supply=low?"),
        ("20lw", 'did you mean "20 lw"?'),
        ("Lotzn", "did you mean Lötzen?"),
        ("ip2", "did you mean ip=2 (about a hex)?"),
        ("freeze", "did you mean weather=freeze (about the game)?"),
        ("swamp", "terrain is clear, rough, wetlands"),
        ("rduced", "did you mean reduced"),
        ("river", "did you mean minor-river or major-river or grand-river (about a hexside)?"),
    ],
)
def test_the_error_names_what_may_have_been_meant(twilight: Game, word: str, hint: str) -> None:
    error = not_a_unit(Word(word, 1), twilight, Vocabulary(twilight.tracks), list(twilight.roster))
    assert error.hint.startswith(hint)
    assert ("put a new unit in quotes" in error.hint) == (word not in ("12-16-7", "16", "25-3", "river"))


@pytest.mark.parametrize(("least", "most", "said"), [(None, -5, "-5"), (5, None, "5"), (-9, 9, "1")])
def test_an_example_is_a_number_that_is_allowed(least: int | None, most: int | None, said: str) -> None:
    depth = Track(name="depth", title="depth", on="unit", kind="integer", least=least, most=most)
    game = Game("own", Path("nowhere"), GAME_OF_ITS_OWN.file, {**GAME_OF_ITS_OWN.tracks, "depth": depth})
    assert f"depth={said}" in not_a_unit(Word("depth", 1), game, Vocabulary(game.tracks), ()).hint


@pytest.mark.parametrize("name", installed_games())
def test_no_hint_suggests_the_word_that_was_typed(name: str) -> None:
    game = load_game(name)
    vocabulary = Vocabulary(game.tracks)
    flags = [track.name for track in game.tracks.values() if track.kind == "flag"]
    words = {*game.tracks, *flags, *(value for track in game.tracks.values() for value in track.values)}
    for word in sorted(words):
        hint = f"{not_a_unit(Word(word, 1), game, vocabulary, list(game.roster)).hint}"
        meant = re.match(r"(?:did you mean|nearest known:) (.*?)(?: \(|\?|$)", hint)
        assert meant is None or word not in re.split(" or |, ", meant[1]), hint


def test_a_fact_in_the_wrong_place_is_shown_where_it_belongs(twilight: Game) -> None:
    hint = not_a_unit(Word("attacked", 1), twilight, Vocabulary(twilight.tracks), ()).hint
    assert hint == "it is a fact about a hex; type it in a separate line: HEX attacked"


def facts(text: str) -> dict[tuple[str, str], Any]:
    return {key: fact.value for key, fact in typed(text).state.facts.items()}


def test_a_network_and_other_lines_state_what_lies_between_hexes_and_in_them() -> None:
    assert facts("4023=4022=4021-4020r") == {
        ("rail", "40.22|40.23"): "rail2",
        ("rail", "40.21|40.22"): "rail2",
        ("rail", "40.20|40.21"): "rail1",
        ("terrain", "40.20"): "rough",
    }
    assert facts("40.23: 25/3\n40.20|40.21 open\n40.20 rough") == {
        ("barrier", "40.20|40.21"): ("open",),
        ("terrain", "40.20"): "rough",
    }
    text = f"game {GAME}\n40.23=40.22=40.21-40.20\n41.22:40.22\n40.20 rough\n40.22|41.21 open ridge\n"
    assert write_notation(typed("4023=4022=4021-4020r 4022:4122 4022/-ridge-4121")) == text


@pytest.mark.parametrize(
    ("chain", "same"),
    [
        ("4023=4022", "40.23=40.22"),
        ("4023=4022", "4023-rail2-4022"),
        ("4023=4022", "40.22|40.23 rail2"),
        ("4023/4022r", "40.22|40.23 open\n40.22 rough"),
        ("4023~:4022", "40.22|40.23 major-river road"),
        ("4023m:4022r!", "40.22|40.23 road\n40.23 mountain\n40.22 rough complete"),
        ("4023rough:4022 wetlands", "4023r:4022w"),
        ("4023r?:4022", "40.23 rough?\n40.22|40.23 road"),
        ("4023! 4022r!", "40.23 complete\n40.22 rough complete"),
        ("4023=4022 4121:4021", "4023=4022\n4121:4021"),
        ("4023=4022, 4121:4021", "4023=4022\n4121:4021"),
        ("4023=4022 -ferry- 4021", "4023=4022-ferry-4021"),
        ("4023-major-river-ferry-road-4022", "40.22|40.23 major-river ferry road"),
        ("4023~-ferry-secondary-road-4022r", "40.22|40.23 major-river ferry secondary-road\n40.22 rough"),
        ("4023-rail=rail1-road-4022", "40.22|40.23 rail1 road"),
        ("4023=4022 -ferry-road- 4021", "40.22|40.23 rail2\n40.21|40.22 ferry road"),
        ("4023 operational=none", "40.23 operational=none"),
        ("4023, 4022 clear\n4023|4022 open\n4021: 25/3", "40.23, 40.22 clear\n40.22|40.23 open\n40.21: 25/3"),
    ],
)
def test_several_ways_to_type_the_same(chain: str, same: str) -> None:
    assert typed(chain).state == typed(same).state


def test_what_is_typed_wins_over_a_drawn_board() -> None:
    position = typed("board sample\n6537:6637")
    assert position.state.facts["road", "65.37|66.37"] == Fact("road")


def test_a_game_without_signs_has_no_chains(twilight: Game) -> None:
    notation = msgspec.structs.replace(twilight.file.notation, signs={}, letters={})
    game = Game(
        twilight.id, twilight.folder, msgspec.structs.replace(twilight.file, notation=notation), twilight.tracks
    )
    with pytest.raises(InputError, match="'4023=4022' is not a hex number"):
        read_notation(f"game {GAME}\n4023=4022".encode(), "x.pos", lambda _: game)


@given(st.data())
def test_a_random_network_is_read_back_from_notation_and_json(twilight: Game, data: st.DataObject) -> None:
    """Typed with signs and letters, written and read again: the state stays the same, in few lines."""
    board = twilight.board("")
    signs = st.sampled_from(["=", "-", ":", "/", "~:", "^/", "+~"])
    letters: dict[str, str] = {}
    lines = []
    stated: dict[str, str] = {}
    for _ in range(data.draw(st.integers(1, 4))):
        chain = here = data.draw(st.sampled_from(["40.20", "41.20", "40.23"]))
        for _ in range(data.draw(st.integers(1, 5))):
            there = data.draw(st.sampled_from(board.neighbours(here)))
            side = "|".join(sorted((here, there)))
            stated.setdefault(side, data.draw(signs))
            letters.setdefault(there, data.draw(st.sampled_from(["", "r", "m", "c!"])))
            chain += f"{stated[side]}{there.replace('.', '')}{letters[there]}"
            here = there
        lines.append(chain)
    position = typed("\n".join(lines))
    again = read_notation(write_notation(position).encode(), "written.pos", load_game)
    assert again.state == position.state
    assert json_state.read_json(json_state.write_json(position), "x.json", load_game).state == position.state


@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda side: side[0] < side[1]), max_size=15))
def test_each_hexside_is_in_one_chain(sides: set[tuple[int, int]]) -> None:
    named = [(str(one), str(other)) for one, other in sides]
    for most in (3, 20):
        chains = join_chains(named, most)
        assert all(2 <= len(chain) <= most for chain in chains)
        passed = [tuple(sorted(pair)) for chain in chains for pair in pairwise(chain)]
        assert sorted(passed) == sorted(named)


def test_what_is_said_of_an_army_that_states_nothing() -> None:
    with pytest.raises(InputError, match="'Eighth' is not a fact about an army"):
        typed("army german Eighth area=41.18")


def test_lines_rulings_and_sources_come_back_from_json() -> None:
    text = 'trust charts\nruling flip-point = half-down\n40.20: 25/3 steps=12?\nline "a b": 40.23 -rail1- 40.22 clear'
    position = typed(f"{text}\nask battle at=41.19\nanswers crt=7")
    again = json_state.read_json(json_state.write_json(position), "x.json", load_game)
    assert (again.state, dict(again.answers)) == (position.state, position.answers)
    assert [(ask.question, ask.parameters) for ask in again.asks] == [("battle", {"at": "41.19"})]
