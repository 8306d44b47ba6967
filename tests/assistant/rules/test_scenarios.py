"""Scenarios that the owner of a game types: set-ups and schedules in the pack, over those of the game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from assistant.game.games import Game
from assistant.game.packs import Pack, overlay_pack
from assistant.game.schedule_dates import FactOf
from assistant.game.schedule_files import read_schedules
from assistant.rules.scenario_entry import (
    add_line,
    add_row,
    put_file,
    read_row,
    schedule_rows,
    set_up_text,
    write_schedule,
)
from assistant.rules.scenarios import scenario_faults, scenario_gaps, scenario_rows
from assistant.state.tracks import Value
from assistant.util.errors import InputError

from ...folders import game_of, written

FILES = {
    "game.toml": (
        'title = "Heath"\nabout = "Made up."\n[grid]\nformat = "{column:02}{row:02}"\ncolumns = [1, 9]\nrows = [1, 9]\n'
        '[sides]\nred = ["red"]\nblue = ["blue", "azure"]\n[[roster]]\nfile = "roster.csv"\nsource = "rulebook"\n'
    ),
    "tracks.toml": (
        '[turn]\ntitle = "turn"\non = "game"\nkind = "integer"\nleast = 1\nmost = 8\n'
        '[last]\ntitle = "last turn"\non = "game"\nkind = "integer"\nleast = 1\nmost = 8\n'
        '[alarm]\ntitle = "turn of the alarm"\non = "game"\nkind = "integer"\nleast = 1\nmost = 8\n'
        '[scenario]\ntitle = "scenario"\non = "game"\nkind = "text"\nabsent = ""\n'
        '[nation]\ntitle = "nation"\non = "unit"\nkind = "choice"\nvalues = ["red", "blue", "azure"]\nprinted = "counter"\n'
        '[army]\ntitle = "army"\non = "unit"\nkind = "text"\nprinted = "counter"\n'
        '[attack]\ntitle = "attack"\non = "unit"\nkind = "integer"\nprinted = "counter"\n'
        '[plan]\ntitle = "plan"\non = "army"\nkind = "flag"\n'
    ),
    "course.toml": (
        '[turns]\nfigures = [{ name = "rail", title = "Rail" }]\n'
        '[schedules]\nitem = ["unit", "army", "corps", "beer"]\naction = ["arrive", "substitute", "withdraw", "activate", "absent"]\n'
        '[scheduled]\narrive = "16"\nsubstitute = "17"\nwithdraw = "18"\nactivate = "19"\nabsent = "20"\n'
        '[scenario]\ngame = ["turn", "last"]\nlast = "last"\n[scenario.armies]\nplan = []\n[scenario.sets.nation]\ndusk = "red"\n'
        '[[army]]\nname = "First"\nnation = "red"\n[organisation]\nstatuses = ["0"]\n'
    ),
    "turns.csv": "turns,kind,text,who,rule,source\n1-8,season,Summer,,2,rulebook\n1-8,date,May,,2,rulebook\n"
    "1-8,weather,fair,,2,rulebook\n1-4,rail,6,,2,rulebook\n",
    "roster.csv": "unit,nation,army,attack\n1st,red,First,4\n2nd,red,First,4\n3rd,red,First,\n4th,blue,Second,5\n"
    "5th,azure,Second,5\nRed Guard,red,,5\n",
    "schedules/all.csv": "rule,who,at,item,count\n3,red,2,beer,6\n",
    "schedules/own.csv": "rule,who,at,item,count\n4,blue,2,beer,3\n",
}
SET_UP = 'game heath\nscenario=dawn\nturn=1\nlast=6\n0101: 1st\n0909: 4th\narmy "red First" plan\narmy "blue Second" plan=no\n'
SCHEDULE = "at,units,place\n2,2nd,0102\n3,3rd,0103 0104\n"


@pytest.fixture
def heath(tmp_path: Path) -> Game:
    return game_of(tmp_path / "game", FILES, "heath")


def packed(heath: Game, folder: Path, files: Mapping[str, str]) -> Game:
    return overlay_pack(heath, written(folder / "pack", files))


def facts(**stated: Value) -> FactOf:
    return lambda track, subject: stated.get(track)


def due(game: Game, number: int, **stated: Value) -> list[tuple[str, str, str]]:
    return [(due.rule, due.who, due.text) for due in read_schedules(game).due(number, facts(**stated))]


def test_a_row_counts_in_its_scenario_and_needs_only_what_nothing_else_tells(heath: Game, tmp_path: Path) -> None:
    game = packed(heath, tmp_path, {"setups/dawn.pos": SET_UP, "schedules/dawn.csv": SCHEDULE})
    assert game.setups == ("dawn",)
    assert due(game, 2) == due(game, 2, scenario="dusk") == [("3", "red", "6 beer"), ("4", "blue", "3 beer")]
    assert due(game, 2, scenario="dawn") == [*due(game, 2), ("16", "red", "2nd")]
    (row,) = (row for row, _ in scenario_rows(game, "dawn") if row.units == "3rd")
    assert (row.item, row.place, row.scenario, row.count) == ("unit", "0103 0104", "dawn", 1)


def test_a_unit_comes_again_once_it_has_been_withdrawn_however_the_rows_are_sorted(heath: Game, tmp_path: Path) -> None:
    rows = "at,units,action\n2,2nd,\n6,2nd,\n6,1st,\n{},2nd,withdraw\n4,1st,withdraw\n"
    game = packed(heath, tmp_path, {"setups/dawn.pos": SET_UP, "schedules/dawn.csv": rows.format(6)})
    assert [*scenario_faults(game, "dawn")] == []
    for turn in (1, 7):
        with pytest.raises(InputError, match="'2nd' arrives twice: in turn 6, and in turn 2 by line 2"):
            read_schedules(packed(heath, tmp_path / f"{turn}", {"schedules/dawn.csv": rows.format(turn)}))


@pytest.mark.parametrize(
    "turns",
    [("2", "alarm+4", "6"), ("2", "alarm+4", "alarm+6"), ("alarm+1", "alarm+2", "alarm+5"), ("alarm+1", "4", "6")],
)
def test_a_row_without_a_fixed_turn_follows_the_one_before_it_in_its_file(
    heath: Game, tmp_path: Path, turns: tuple[str, str, str]
) -> None:
    first, left, again = turns
    rows = f"at,units,action\n{first},2nd,\n{left},2nd,withdraw\n{again},2nd,\n"
    game = packed(heath, tmp_path, {"setups/dawn.pos": SET_UP, "schedules/dawn.csv": rows})
    assert [row.at for row, _ in scenario_rows(game, "dawn") if row.units] == [*turns]


def test_a_row_without_a_fixed_turn_does_not_follow_those_of_another_file(heath: Game, tmp_path: Path) -> None:
    rows = "at,units,action\nalarm+1,1st,withdraw\n4,1st,\n"
    files = {"schedules/all.csv": "at,units,action\n8,3rd,\n", "schedules/dawn.csv": rows}
    game = packed(heath, tmp_path, {"setups/dawn.pos": SET_UP, **files})
    assert [*scenario_faults(game, "dawn")] == []


def test_a_file_of_the_pack_takes_the_place_of_the_games(heath: Game, tmp_path: Path) -> None:
    game = packed(heath, tmp_path, {"schedules/own.csv": "rule,who,at,item,count\n5,blue,2,beer,1\n"})
    assert due(game, 2) == [("3", "red", "6 beer"), ("5", "blue", "1 beer")]


def test_rows_of_several_kinds(heath: Game, tmp_path: Path) -> None:
    rows = (
        'action,at,units,army,corps,replaces,who,voluntary\n,2,"2ND, 3rd",,,,,\nwithdraw,3,2nd,,,,,\n,5,2nd,,,,,\n'
        "substitute,4,Red Guard,,,1st,,\nactivate,alarm+2,,First,,,red,\nactivate,5,,blue Second,,,,\nactivate,6,,,3,,red,\n"
        ",2,5th,,,,,\n"
    )
    game = packed(heath, tmp_path, {"setups/dawn.pos": SET_UP, "schedules/dawn.csv": rows})
    assert due(game, 2, scenario="dawn")[2:] == [("16", "red", "2nd, 3rd"), ("16", "azure", "5th")]
    assert due(game, 4, scenario="dawn") == [("17", "red", "Red Guard for 1st")]
    assert due(game, 7, scenario="dawn", alarm=5) == [("19", "red", "red First")]
    assert due(game, 5, scenario="dawn") == [("16", "red", "2nd"), ("19", "blue", "blue Second")]
    assert due(game, 6, scenario="dawn") == [("19", "red", "3 Corps")]


@pytest.mark.parametrize(
    ("rows", "fault", "hint"),
    [
        ("0,2nd,0102,,,", ":3: 0 is outside the game", "its turns are 1 to 8"),
        ("9,2nd,0102,,,", ":3: 9 is outside the game", "its turns are 1 to 8"),
        (",2nd,0102,,,", ":3: the row has no turn", "write the turn in `at`"),
        ("2,2nt,0102,,,", ":3: '2nt' is not in the roster", "2nd"),
        ("2,2nd,1002,,,", ":3: hex 1002 is off the map", "columns run"),
        ("2,3rd,0102,,,", ":3: '3rd' arrives twice: in turn 2, and in turn 2 by line 2", "leave one of the two out"),
        ("2,1st,0102,,,", ":3: '1st' is set up in 0101 but arrives in turn 2", "leave it out of setups/dawn.pos"),
        ('2,"2nd,5th",0102,,,', ":3: units of both sides: 2nd,5th", "write a row for each side"),
        ("2,5th,0102,First,,", ":3: unknown army 'blue First'", "red First"),
        ("2,5th,0102,red First,,", ":3: red First is not an army of azure", "correct `who` or `army`"),
        ("2,2nd,0102,,4th,substitute", ":3: '4th' is blue, not red", "correct `who` or `replaces`"),
        ("2,2nd,0102,,Red Gard,substitute", ":3: 'Red Gard' is not in the roster", "Red Guard"),
        ("2,2nd,0102,,Red Guard,substitute\n4,Red Guard,,,2nd,substitute", ":3: substitutions go round in a circle", "voluntary"),
        ("2,2nd,0102,,,arive", ":3: action: unknown word 'arive'", "arrive"),
        ("2,,0102,First,,activate", ":3: army 'First' does not begin with its side", "red First"),
        ("2,2nd,,,,absent", ":3: units that take no part have neither a turn nor a place", "write: absent: UNIT"),
        (",2nd,0102,,,absent", ":3: units that take no part have neither a turn nor a place", "write: absent: UNIT"),
        (",,,,,absent", ":3: the row names no unit", "or absent: army=ARMY"),
        (",2nt,,,,absent", ":3: '2nt' is not in the roster", "2nd"),
        (",3rd,,,,absent", ":3: '3rd' takes no part but arrives in turn 2", "leave one of the two out"),
        (",1st,,,,absent", ":3: '1st' is set up in 0101 but takes no part", "leave it out of setups/dawn.pos"),
        (",,,red Frist,,absent", ":3: unknown army 'red Frist'", "red First"),
        ("alram+2,2nd,,,,", ":3: 'alram+2' is neither a turn nor counted from a fact", ""),
    ],
)  # fmt: skip
def test_bad_rows_are_refused_with_file_line_and_the_nearest_word(
    heath: Game, tmp_path: Path, rows: str, fault: str, hint: str
) -> None:
    text = f"at,units,place,army,replaces,action\n2,3rd,0102,,,\n{rows}\n"
    pack = Pack(heath, written(tmp_path / "pack", {"setups/dawn.pos": SET_UP}))
    with pytest.raises(InputError) as error:
        put_file(pack, "schedules", "dawn", text)
    assert fault in f":{error.value.where.line if error.value.where else ''}: {error.value.what}"
    assert hint in error.value.hint
    assert error.value.where and error.value.where.file == str(pack.folder / "schedules" / "dawn.csv")
    assert not (pack.folder / "schedules").exists()


def test_what_is_typed_again_and_again_may_be_voluntary_and_what_has_left_may_come_again(
    heath: Game, tmp_path: Path
) -> None:
    rows = (
        "action,at,units,replaces,voluntary\n,2,2nd,,\n,2,3rd,,\nsubstitute,3,2nd,3rd,yes\nsubstitute,3,3rd,2nd,yes\n"
        "withdraw,4,1st,,\n,6,1st,,\n"
    )
    pack = Pack(heath, written(tmp_path / "pack", {"setups/dawn.pos": SET_UP}))
    put_file(pack, "schedules", "dawn", rows)
    assert [row["at"] for row in schedule_rows(pack, "dawn")] == ["2", "2", "3", "3", "4", "6"]


def test_a_line_as_it_is_typed(heath: Game) -> None:
    read = {
        "3 0102 0103: 2nd, Red Guard army=First": "army=First at=3 place=0102 0103 units=2nd, Red Guard",
        'activate alarm+4 army="red First"': "action=activate army=red First at=alarm+4",
        'substitute 6: "Red Guard", 1st replaces=2nd,3rd': "action=substitute at=6 replaces=2nd,3rd units=Red Guard, 1st",
        "absent: 2nd, 3rd": "action=absent units=2nd, 3rd",
        'absent army="red First"': "action=absent army=red First",
    }
    for line, row in read.items():
        assert " ".join(f"{name}={value}" for name, value in sorted(read_row(heath, line).items())) == row
    for line, what in (
        ("", "the row has no turn"),
        ("withdraw: 2nd", "the row has no turn"),
        ("3: 2nd amry=First", "unknown column 'amry'"),
    ):
        with pytest.raises(InputError, match=what):
            read_row(heath, line)


def test_rows_and_lines_are_kept_one_by_one(heath: Game, tmp_path: Path) -> None:
    pack = Pack(heath, tmp_path / "pack")
    for line in ("turn=1", "0101: 1st"):
        add_line(pack, "dawn", line)
    assert set_up_text(pack, "dawn") == "game heath\nscenario=dawn\nturn=1\n0101: 1st\n"
    with pytest.raises(InputError, match="'2nt' is not in the roster"):
        add_line(pack, "dawn", "0102: 2nt")
    add_row(pack, "dawn", "2 0102: 2nd")
    add_row(pack, "dawn", "withdraw 3: 2nd")
    with pytest.raises(InputError, match="is set up in 0101"):
        add_row(pack, "dawn", "3 0102: 1st")
    with pytest.raises(InputError, match="is set up in 0102"):
        add_line(pack, "dawn", "0102: 2nd")
    rows = schedule_rows(pack, "dawn")
    assert [(row.get("action"), row["at"]) for row in rows] == [("", "2"), ("withdraw", "3")]
    write_schedule(pack, "dawn", rows[:1])
    assert len(schedule_rows(pack, "dawn")) == 1
    assert pack.files.scenarios() == ["dawn"]
    for name in ("", "../dawn", ".dawn", "dawn dusk", "con", "nul.1"):
        with pytest.raises(InputError, match="cannot be the name of a scenario"):
            add_row(pack, name, "2: 2nd")


def test_a_set_up_names_its_scenario_and_entry_hexes_lie_on_its_board(heath: Game, tmp_path: Path) -> None:
    files = {"setups/dawn.pos": SET_UP.replace("scenario=dawn\n", ""), "setups/dusk.pos": SET_UP}
    game = packed(heath, tmp_path, files)
    (fault,) = scenario_faults(game, "dawn")
    assert fault.what == "the set-up states no scenario" and fault.hint == "write: scenario=dawn"
    (fault,) = scenario_faults(game, "dusk")
    assert fault.what == "the set-up is of the scenario dawn"


def test_what_a_scenario_lacks_in_the_order_in_which_it_is_typed(heath: Game, tmp_path: Path) -> None:
    (gap,) = scenario_gaps(heath, "dawn")
    assert (gap.what, gap.names) == ("no set-up", ("dawn",))
    few = "game heath\nscenario=dawn\nturn=3\n0101: 1st\n"
    rows = "action,at,units,replaces\nsubstitute,4,2nd,Red Guard\nwithdraw,5,4th,\n"
    game = packed(heath, tmp_path, {"setups/dawn.pos": few, "schedules/dawn.csv": rows})
    assert [(gap.what, gap.names) for gap in scenario_gaps(game, "dawn")] == [
        ("the set-up does not state", ("last",)),
        (
            "units of its armies that are neither set up nor arrive (not counting 3 units of other armies or of none)",
            ("3rd",),
        ),
        ("units that are withdrawn or replaced but never arrive", ("Red Guard", "4th")),
        ("plan not stated for", ("red First",)),
        ("turns without", ("rail (5-8)",)),
    ]
    game = packed(heath, tmp_path, {"setups/dusk.pos": SET_UP, "schedules/dusk.csv": SCHEDULE})
    assert [(gap.what, gap.names) for gap in scenario_gaps(game, "dusk")] == [
        ("turns without", ("rail (5-6)",)),
        ("counters that lack values", ("3rd",)),
    ]


@pytest.mark.parametrize(
    ("absent", "waiting"),
    [
        ("", [("2nd", "3rd", "5th")]),
        ("absent,2nd,\n", [("3rd", "5th")]),
        ('absent,"2nd,3rd",\n', [("5th",)]),
        ("absent,,red First\n", [("5th",)]),
        ("absent,,red First\nabsent,5th,\n", []),
    ],
)
def test_units_that_take_no_part_are_not_named_as_lacking(
    heath: Game, tmp_path: Path, absent: str, waiting: list[tuple[str, ...]]
) -> None:
    rows = f"action,units,army\n{absent}"
    game = packed(heath, tmp_path, {"setups/dawn.pos": SET_UP, "schedules/dawn.csv": rows})
    named = [gap.names for gap in scenario_gaps(game, "dawn") if gap.what.startswith("units of its armies")]
    assert named == waiting
    assert due(game, 2, scenario="dawn") == due(game, 2), "nothing is due of them"


def test_an_army_that_takes_no_part_is_not_one_of_the_scenario(heath: Game, tmp_path: Path) -> None:
    set_up = 'game heath\nscenario=dawn\nturn=1\nlast=1\n0909: 4th\narmy "blue Second" plan=no\n'
    game = packed(heath, tmp_path, {"setups/dawn.pos": set_up, "schedules/dawn.csv": "action,army\nabsent,red First\n"})
    assert [gap.names for gap in scenario_gaps(game, "dawn") if "armies" in gap.what] == [("5th",)]
