"""Games: folders of data, and the states that they let through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.game.games import Game, read_game
from assistant.game.lint.faults import format_fault
from assistant.game.lint.files import faults
from assistant.game.states import Stated, apply_changes, build_state
from assistant.installed.registry import load_game
from assistant.state.changes import Change, Enter, Gain, Leave
from assistant.state.state import Cell, GameState, Unit
from assistant.state.tracks import Fact, Source
from assistant.util.errors import InputError

from .track_files import format_track

GAME = """
title = "Mill Creek"
about = "Made up for the tests."
boxes = ["Reserve"]

[grid]
format = "{column:02}{row:02}"
columns = [1, 5]
rows = [1, 5]

[sides]
allies = ["blue", "grey"]
axis = ["red"]

[[roster]]
file = "roster.csv"
source = "printed"
"""
TRACKS = "".join(
    (
        format_track("turn", "game", "integer", "game turn", least=1, most=9, rule="1"),
        format_track("nation", "unit", "choice", values=["blue", "grey", "red"], printed="counter", rule="2"),
        format_track("steps", "unit", "integer", "steps printed", least=0, printed="counter", rule="2"),
        format_track("lost", "unit", "integer", "steps lost", least=0, below="steps", rule="2"),
        format_track("supply", "unit", "choice", "supply status", values=["in", "low"], rule="3"),
        format_track("fort", "hex", "integer", "level of the fort", rule="4"),
        format_track("full", "box", "flag", "box is full", rule="4"),
        format_track("bridge", "hexside", "flag", rule="4"),
        format_track("morale", "nation", "integer", "national morale", rule="5"),
        format_track("points", "side", "integer", rule="5"),
        format_track("orders", "army", "text", rule="5"),
    )
)
CHARTS = """
[loss]
title = "Loss Table"
rule = "6"
file = "loss.csv"
keys = [{ name = "roll", least = 2, most = 12 }]
fields = [{ name = "steps" }]
"""
FILES = {
    "game.toml": GAME,
    "tracks.toml": TRACKS,
    "charts.toml": CHARTS,
    "loss.csv": "roll,steps,source\n7,1,rulebook\n",
    "roster.csv": "unit,steps\n1 H,4\n",
    "rulings.csv": "id,rule,doubt,readings,default,authority\nmud,3,Whether it halves,once: it does; never: not,never,sense\n",
    "boards/creek/board.toml": 'title = "creek"\nsource = "drawn"\n[grid]\ncolumns = [1, 5]\nrows = [1, 5]\n[terrain]\n',
    "boards/creek/forts.lines": "0101 fort=2\n",
}


def written(folder: Path, **changed: str | None) -> Path:
    """The folder of the game; `changed` names files by their stems, and None takes one away."""
    for name, text in FILES.items():
        text = changed.get(Path(name).stem, text)
        if text is not None:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def creek(tmp_path: Path) -> Game:
    return read_game("creek", written(tmp_path))


UNITS = (Unit("1 H", "1 H", "0101"), Unit("2/7", "2/7", "0101", 1))


def state(game: Game, **facts: Any) -> GameState:
    """A state with two units and these facts, given as track=(subject, value)."""
    return build_state(
        game, Stated(units=UNITS, facts={(name, subject): Fact(value) for name, (subject, value) in facts.items()})
    )


def fails(error: pytest.ExceptionInfo[InputError]) -> tuple[str, str]:
    return error.value.what, error.value.hint


# --- reading ----------------------------------------------------------------------------------------------------------


def test_a_game_is_a_folder_and_its_printed_map_a_grid_with_boxes(creek: Game) -> None:
    assert (creek.id, creek.title, creek.made_by) == ("creek", "Mill Creek", "")
    assert creek.tracks["lost"].below == "steps"
    assert creek.roster == {"1 H": {"steps": [Fact(4, Source.PRINTED)]}}
    assert creek.chart("loss").cells == {(7,): Cell({"steps": 1}, Source.RULEBOOK)}
    assert creek.rulings["mud"].default == "never"
    assert creek.board_names == ("creek",)
    assert creek.board("creek").fact("fort", "0101") == Fact(2, Source.DRAWN)
    board = creek.board("")
    assert (board.title, board.place("reserve"), board.place("0505")) == ("Mill Creek", "Reserve", "0505")
    found = build_state(creek, Stated(units=[Unit("1 H", "1 H", "RESERVE")], facts={("full", "reserve"): Fact(True)}))
    assert (found.units["1 H"].place, found.value("full", "Reserve")) == ("Reserve", True)


def test_a_game_needs_no_more_than_its_head(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text('title = "Drill"\nabout = "Made up."\n[grid]\n', "utf-8")
    drill = read_game("drill", tmp_path)
    assert (dict(drill.tracks), drill.roster, drill.charts, drill.rulings) == ({}, {}, {}, {})
    assert drill.board_names == ()
    assert build_state(drill) == GameState(game="drill")


def test_a_folder_without_a_head_is_no_game(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_game("creek", written(tmp_path, game=None))
    assert str(caught.value) == f"{tmp_path}: game creek has no game.toml"


@pytest.mark.parametrize(
    ("stem", "text", "where", "what"),
    [
        ("game", GAME.replace("title =", "title"), "game.toml:2:7", "Expected '='"),
        ("game", GAME.replace("about", "abut"), "game.toml:3", "abut: unknown key"),
        ("game", GAME.replace('title = "Mill Creek"', ""), "game.toml", "title: missing"),
        ("game", GAME.replace('"printed"', '"guessed"'), "game.toml:17", "[roster.1] source: 'guessed' is not allowed"),
        ("game", GAME.replace("[1, 5]", "[1, 5, 9]"), "game.toml:8", "[grid] columns: 3 values are not allowed"),
        ("tracks", TRACKS.replace("[turn]", "[turn"), "tracks.toml:1:6", "Expected ']'"),
        ("tracks", "turn = 3\n", "tracks.toml:1", "turn: 3 is not allowed"),
        ("tracks", TRACKS.replace('"hexside"', '"hexsid"'), "tracks.toml:47", "[bridge] on: 'hexsid' is not allowed"),
        ("tracks", TRACKS.replace("least = 1", "last = 1"), "tracks.toml:5", "last: unknown key"),
    ],
)
def test_faults_of_head_and_tracks_are_told_at_once(
    stem: str, text: str, where: str, what: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as caught:
        read_game("creek", written(tmp_path, **{stem: text}))
    assert str(caught.value.where) == where
    assert what in caught.value.what


@pytest.mark.parametrize(
    ("stem", "text", "part", "where", "what"),
    [
        ("roster", "unit,steps\n1 H,many\n", "roster", "roster.csv:2", "steps printed: 'many' is not allowed"),
        ("roster", None, "roster", "roster.csv", "No such file"),
        ("charts", CHARTS.replace("keys", "key"), "charts", "charts.toml:6", "[loss] key: unknown key"),
        ("charts", CHARTS.replace("[loss]", "[loss"), "charts", "charts.toml:2:6", "Expected ']'"),
        ("loss", "roll,steps,source\n13,1,rulebook\n", "charts", "loss.csv:2", "roll: 13 is not allowed"),
        ("loss", None, "charts", "loss.csv", "No such file"),
        ("rulings", FILES["rulings.csv"].replace(",never,", ",nevr,"), "rulings", "rulings.csv:2", "unknown reading of mud: 'nevr'"),
    ],
)  # fmt: skip
def test_everything_else_is_read_when_it_is_first_needed(
    stem: str, text: str | None, part: str, where: str, what: str, tmp_path: Path
) -> None:
    game = read_game("creek", written(tmp_path, **{stem: text}))
    assert all(getattr(game, other) for other in {"roster", "charts", "rulings"} - {part})
    assert game.board("creek")
    for _ in range(2):  # a fault is told as often as one asks
        with pytest.raises(InputError) as caught:
            getattr(game, part)
        assert str(caught.value.where) == where
        assert what in caught.value.what


@pytest.mark.parametrize(
    ("stem", "text", "where", "what"),
    [
        ("forts", "0901 fort=2\n", "creek/forts.lines:1:1", "hex 0901 is off the map"),
        ("board", None, "creek/board.toml", "No such file"),
    ],
)
def test_a_board_is_read_when_it_is_first_needed(
    stem: str, text: str | None, where: str, what: str, tmp_path: Path
) -> None:
    game = read_game("creek", written(tmp_path, **{stem: text}))
    assert game.board("").title == "Mill Creek"
    with pytest.raises(InputError) as caught:
        game.board("creek")
    assert str(caught.value.where) == where
    assert what in caught.value.what


def test_parts_are_read_once(tmp_path: Path) -> None:
    game = read_game("creek", written(tmp_path))
    first = [game.roster, game.charts, game.rulings, game.board("creek")]
    for name in ("roster.csv", "loss.csv", "rulings.csv"):
        (tmp_path / name).unlink()
    assert all(one is other for one, other in zip(first, [game.roster, game.charts, game.rulings, game.board("creek")], strict=True))  # fmt: skip


@pytest.mark.parametrize(
    ("look_up", "name", "what", "hint"),
    [
        ("board", "crek", "unknown board 'crek'", "nearest known: creek"),
        ("track", "supplied", "unknown track 'supplied'", "nearest known: supply"),
        ("chart", "losses", "unknown chart 'losses'", "nearest known: loss"),
    ],
)
def test_what_is_unknown_is_told_with_what_is_near(look_up: str, name: str, what: str, hint: str, creek: Game) -> None:
    with pytest.raises(InputError) as caught:
        getattr(creek, look_up)(name)
    assert fails(caught) == (what, hint)


def test_units_nations_and_sides_are_found(creek: Game) -> None:
    found = state(creek)
    assert creek.unit(found, "1 h").id == "1 H"
    with pytest.raises(InputError) as caught:
        creek.unit(found, "2/8")
    assert fails(caught) == ("unknown unit '2/8' in this position", "nearest known: 2/7")
    for hex, hint in (("0101", "units in it: 1 H, 2/7"), ("0102", "no unit is known to stand in it")):
        with pytest.raises(InputError) as caught:
            creek.unit(found, hex)
        assert fails(caught) == (f"{hex} is a hex, not a unit", hint)
    assert [creek.side_of(nation) for nation in ("blue", "grey", "red")] == ["allies", "allies", "axis"]
    with pytest.raises(InputError) as caught:
        creek.side_of("rd")
    assert fails(caught) == ("nation 'rd' does not belong to a side", "nearest known: red")


# --- states -----------------------------------------------------------------------------------------------------------


def test_everything_in_a_state_is_made_regular(creek: Game) -> None:
    found = build_state(
        creek,
        Stated(
            board="creek",
            units=[Unit("1 H", "1 H", "0101"), Unit("dead", "1 H", None)],
            facts={
                ("supply", "1 h"): Fact("LOW", Source.PRINTED, assumed=True),
                ("bridge", "0102 | 0101"): Fact(True),
                ("turn", ""): Fact(3),
                ("morale", "grey"): Fact(-2),
                ("points", "axis"): Fact(7),
                ("orders", "axis First"): Fact("hold"),
            },
            cells={("loss", ("7",)): Cell({"steps": "+2"}, Source.PRINTED)},
            rulings={"mud": "once"},
            lines={"train": ("0101", "0102")},
            accepts=[Source.DRAWN, Source.DRAWN],
        ),
    )
    assert found == GameState(
        game="creek",
        board="creek",
        units={"1 H": Unit("1 H", "1 H", "0101"), "dead": Unit("dead", "1 H", None)},
        facts={
            ("supply", "1 H"): Fact("low", Source.PRINTED, assumed=True),
            ("bridge", "0101|0102"): Fact(True),
            ("turn", ""): Fact(3),
            ("morale", "grey"): Fact(-2),
            ("points", "axis"): Fact(7),
            ("orders", "axis First"): Fact("hold"),
        },
        cells={("loss", (7,)): Cell({"steps": 2}, Source.PRINTED)},
        rulings={"mud": "once"},
        lines={"train": ("0101", "0102")},
        accepts=frozenset({Source.DRAWN}),
    )


@pytest.mark.parametrize(
    ("given", "what", "hint"),
    [
        ({"board": "crek"}, "unknown board 'crek'", "nearest known: creek"),
        ({"units": (*UNITS, Unit("2/7", "1 H", None))}, "unit 2/7 is placed twice", "give each of them a different name"),
        ({"units": [Unit("1 h", "1 h", "0101"), *UNITS]}, "unit 1 H is placed twice", "give each of them a different name"),
        ({"units": [Unit("a", "a", "0601")]}, "hex 0601 is off the map", "columns run from 1 to 5, rows from 1 to 5"),
        ({"units": [Unit("a", "a", "Resrve")]}, "'Resrve' is not a hex number", "hexes of this map are written like 0303"),
        ({"facts": {("trun", ""): Fact(3)}}, "unknown track 'trun'", "nearest known: turn"),
        ({"facts": {("turn", ""): Fact(10)}}, "game turn: 10 is not allowed", "allowed: a whole number from 1 to 9"),
        ({"facts": {("turn", ""): Fact(True)}}, "game turn: True is not allowed", "allowed: a whole number from 1 to 9"),
        ({"facts": {("supply", "1 H"): Fact("in")}}, "1 H is in the roster, but not in this position", 'place it: HEX: "1 H"'),
        ({"facts": {("fort", "0601"): Fact(1)}}, "hex 0601 is off the map", "columns run from 1 to 5, rows from 1 to 5"),
        ({"facts": {("full", "Resrve"): Fact(True)}}, "'Resrve' is not a hex number", "hexes of this map are written like 0303"),
        ({"facts": {("bridge", "0101"): Fact(True)}}, "'0101' is not a hexside", "write a hexside as two hexes with a bar between them"),
        ({"facts": {("bridge", "0101|0103"): Fact(True)}}, "0101 and 0103 are not adjacent", "a hexside lies between two adjacent hexes; adjacent to 0101: 0201, 0102; adjacent to 0103: 0102, 0202, 0203, 0104"),
        ({"facts": {("bridge", "0101|0101"): Fact(True)}}, "0101 and 0101 are not adjacent", "a hexside lies between two adjacent hexes; adjacent to 0101: 0201, 0102"),
        ({"facts": {("bridge", "0101|Reserve"): Fact(True)}}, "0101 and Reserve are not adjacent", "a hexside lies between two adjacent hexes; adjacent to 0101: 0201, 0102"),
        ({"facts": {("bridge", "0601|0501"): Fact(True)}}, "hex 0601 is off the map", "columns run from 1 to 5, rows from 1 to 5"),
        ({"facts": {("morale", "rd"): Fact(1)}}, "nation 'rd' does not belong to a side", "nearest known: red"),
        ({"facts": {("points", "axs"): Fact(1)}}, "unknown side 'axs'", "nearest known: axis"),
        ({"cells": {("losses", (7,)): Cell({"steps": 1})}}, "unknown chart 'losses'", "nearest known: loss"),
        ({"cells": {("loss", (13,)): Cell({"steps": 1})}}, "roll: 13 is not allowed", "it ranges from 2 to 12"),
        ({"cells": {("loss", (7, 7)): Cell({"steps": 1})}}, "chart loss needs 1 key", "it is: roll"),
        ({"cells": {("loss", (7,)): Cell({})}}, "steps: '' is not allowed", "enter a whole number"),
        ({"cells": {("loss", (7,)): Cell({"steps": 1, "ec": 1})}}, "chart loss has no field 'ec'", "known: steps"),
        ({"rulings": {"mudd": "once"}}, "unknown ruling 'mudd'", "nearest known: mud"),
        ({"rulings": {"mud": "twice"}}, "unknown reading of mud: 'twice'", "known: never, once"),
        ({"lines": {"train": ("0101", "0601")}}, "hex 0601 is off the map", "columns run from 1 to 5, rows from 1 to 5"),
    ],
)  # fmt: skip
def test_what_a_state_cannot_hold(given: dict[str, Any], what: str, hint: str, creek: Game) -> None:
    with pytest.raises(InputError) as caught:
        build_state(creek, Stated(**given))
    assert fails(caught) == (what, hint)


def test_a_game_without_sides_takes_any_nation(tmp_path: Path) -> None:
    game = read_game("creek", written(tmp_path, game=GAME.partition("[sides]")[0]))
    found = state(game, morale=("anyone", 3), points=("any side", 1))
    assert (found.value("morale", "anyone"), found.value("points", "any side")) == (3, 1)


def test_a_number_stays_below_the_one_that_bounds_it_if_that_is_stated(creek: Game) -> None:
    assert state(creek, lost=("2/7", 3), steps=("2/7", 4)).value("lost", "2/7") == 3
    for facts in ({"lost": ("2/7", 4), "steps": ("2/7", 4)}, {"steps": ("2/7", 4), "lost": ("2/7", 5)}):
        with pytest.raises(InputError) as caught:
            state(creek, **facts)
        what = f"2/7: steps lost ({facts['lost'][1]}) must be below steps printed (4)"
        assert fails(caught) == (what, "correct one of the two, or state that it is out of play")
    assert state(creek, lost=("2/7", 9)).value("lost", "2/7") == 9
    assert state(creek, lost=("2/7", 9), steps=("1 H", 4)).value("lost", "2/7") == 9, "another unit's steps"
    assert state(creek, lost=("2/7", 1), steps=("2/7", 0)).value("lost", "2/7") == 1, "nothing is printed"


def nations(game: Game, one: str, other: str, there: str | None = "0101") -> GameState:
    units = (Unit("one", "one", "0101"), Unit("other", "other", there))
    return build_state(
        game, Stated(units=units, facts={("nation", "one"): Fact(one), ("nation", "other"): Fact(other)})
    )


def test_enemies_never_share_a_place_by_what_is_printed_or_stated(creek: Game, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        nations(creek, "blue", "red")
    assert fails(caught) == ("0101 holds units of different sides: one and other", "enemies never share a place")
    assert nations(creek, "blue", "grey").stack("0101"), "nations of one side do"
    assert nations(creek, "blue", "red", "0102").stack("0102")
    assert nations(creek, "blue", "red", None).stack("0101")
    game = read_game("creek", written(tmp_path, roster="unit,nation\n1 H,red\n2/7,blue\n"))
    with pytest.raises(InputError, match="0101 holds units of different sides: 1 H and 2/7"):
        build_state(game, Stated(units=UNITS))
    assert state(game, nation=("1 H", "grey")).stack("0101")
    assert build_state(game, Stated(units=(UNITS[0], Unit("unknown", "unknown", "0101")))).stack("0101"), (
        "its nation is not known"
    )


def test_a_state_is_not_changed_from_outside(creek: Game) -> None:
    found = state(creek, lost=("2/7", 1))
    for held in (found.units, found.facts, found.cells, found.rulings, found.lines):
        with pytest.raises(TypeError):
            held["x"] = None  # type: ignore[index]
    rulings = {"mud": "once"}
    found = build_state(creek, Stated(rulings=rulings))
    rulings["mud"] = "never"
    assert found.rulings == {"mud": "once"}


def test_changes_make_the_next_state(creek: Game) -> None:
    before = state(creek, lost=("2/7", 1))
    after = apply_changes(creek, before, [Change("place", "1 H", "0101", "0102", "8"), Gain("lost", "2/7", 2, "2")])
    assert (after.units["1 H"].place, after.value("lost", "2/7")) == ("0102", 3)
    assert (before.units["1 H"].place, before.value("lost", "2/7")) == ("0101", 1)
    after = apply_changes(creek, state(creek), (Change("place", unit.id, "0101", None, "8") for unit in UNITS))
    assert [unit.place for unit in after.units.values()] == [None, None]
    changes = [Leave("2/7", "6"), Enter("2b", "2/7", "0101", 0, "6"), Change("lost", "2b", None, 1, "6")]
    after = apply_changes(creek, state(creek), changes)
    assert [unit.id for unit in after.stack("0101")] == ["2b", "1 H"]
    assert after.value("lost", "2b") == 1


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (Enter("9", "2/7", "0601", 0, "6"), "hex 0601 is off the map"),
        (Change("place", "1 H", "0101", "0601", "8"), "hex 0601 is off the map"),
        (Change("place", "1 H", "0102", "0103", "8"), "place of 1 H is '0101', not '0102'"),
        (Change("place", "3 H", "0101", "0102", "8"), "unknown unit '3 H'"),
        (Change("lost", "3 H", None, 1, "2"), "unknown unit '3 H'"),
        (Change("fort", "0601", None, 1, "4"), "hex 0601 is off the map"),
        (Change("bridge", "0101|0103", None, True, "4"), "0101 and 0103 are not adjacent"),
        (Gain("morale", "rd", 1, "5"), "nation 'rd' does not belong to a side"),
        (Change("trun", "", None, 1, "1"), "unknown track 'trun'"),
        (Gain("turn", "", 10, "1"), "game turn: 10 is not allowed"),
    ],
)
def test_changes_that_cannot_be(change: Change | Gain | Enter, what: str, creek: Game) -> None:
    with pytest.raises(InputError) as caught:
        apply_changes(creek, state(creek), [change])
    assert what in caught.value.what


# --- contradictions ----------------------------------------------------------------------------------------------------------


WALL = '\n[wall]\ntitle = "wall"\non = "hex"\nkind = "integer"\nrule = "4"\n'


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ('absent = "many"', "tracks.toml: [wall] absent: wall: 'many' is not allowed; allowed: a whole number"),
        ('below = "stpes"', "tracks.toml: [wall] below: unknown track 'stpes'; nearest known: steps"),
    ],
)
def test_a_track_that_contradicts_itself(more: str, fault: str, tmp_path: Path) -> None:
    found = faults(read_game("creek", written(tmp_path, tracks=TRACKS + WALL + more)))
    assert list(map(format_fault, found)) == [fault]


def test_tracks_have_words_of_their_own_and_the_names_of_their_tables(tmp_path: Path) -> None:
    both = "".join(
        f'\n[{name}]\ntitle = "{name}"\non = "hex"\nkind = "choice"\nvalues = ["none", "{name}s"]\ntoken = "{{}}"\n'
        for name in ("mill", "ford")
    )
    assert list(map(format_fault, faults(read_game("creek", written(tmp_path, tracks=TRACKS + both))))) == [
        "tracks.toml: 'none' is a word of [mill] and [ford], which are all about a hex;"
        " give all but one of them another word, such as no-ford, or a token"
    ]
    with pytest.raises(InputError, match=r"tracks.toml: \[wall\] also has a `name`: its heading is its name"):
        read_game("creek", written(tmp_path / "2", tracks=TRACKS + WALL + 'name = "lots"'))


@pytest.mark.parametrize(
    ("change", "read_as"),
    [
        (Change("bridge", "0102|0101", None, True, "4"), ("bridge", "0101|0102", True)),
        (Change("supply", "1 h", None, "low", "3"), ("supply", "1 H", "low")),
        (Change("place", "1 H", "0101", "reserve", "8"), ("place", "1 H", "Reserve")),
    ],
)
def test_changes_are_made_regular(change: Change, read_as: tuple[str, str, object], creek: Game) -> None:
    track, subject, value = read_as
    assert apply_changes(creek, state(creek), [change]).value(track, subject) == value


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param([Gain("lost", "2/7", 4, "2")], id="more lost than printed"),
        pytest.param(
            [Change("place", "2/7", "0101", None, "2"), Gain("lost", "2/7", 4, "2")],
            id="all lost and out of play, as the hint says",
        ),
    ],
)
def test_no_change_makes_a_state_that_could_not_be_stated(changes: list[Change | Gain], creek: Game) -> None:
    with pytest.raises(InputError, match="steps lost \\(4\\) must be below steps printed"):
        apply_changes(creek, state(creek, steps=("2/7", 4)), changes)


def test_no_change_brings_enemies_together(tmp_path: Path) -> None:
    game = read_game("creek", written(tmp_path, roster="unit,nation\n1 H,red\n2/7,red\n"))
    with pytest.raises(InputError, match="0101 holds units of different sides"):
        apply_changes(game, build_state(game, Stated(units=UNITS)), [Change("nation", "2/7", None, "blue", "8")])
    game = read_game("creek", written(tmp_path, roster="unit,nation\n1 H,red\n2/7,blue\n"))
    apart = build_state(game, Stated(units=[UNITS[0], Unit("2/7", "2/7", "0102")]))
    with pytest.raises(InputError, match="0101 holds units of different sides"):
        apply_changes(game, apart, [Change("place", "2/7", "0102", "0101", "8")])


@pytest.mark.parametrize("order", [None, "first", False])
def test_an_order_is_a_number(order: Any, creek: Game) -> None:
    with pytest.raises(InputError, match="order: .* is not allowed"):
        apply_changes(creek, state(creek), [Change("order", "2/7", 1, order, "8")])


@pytest.mark.parametrize(
    ("track", "known", "value"), [("turn", 1, True), ("turn", 1, 1.0), ("campaign", True, 1)], ids=str
)
def test_a_value_that_equals_a_checked_one_is_checked(track: str, known: Any, value: Any) -> None:
    game = load_game("twilight-in-the-east")
    before = build_state(game, Stated(facts={(track, ""): Fact(known)}))
    stated = Stated(facts={(track, ""): Fact(value)})
    for state in (None, before):
        with pytest.raises(InputError, match="is not allowed"):
            build_state(game, stated, state)
