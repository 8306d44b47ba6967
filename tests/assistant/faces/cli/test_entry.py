"""Typing what is printed: charts, the map, counters, turns and armies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from assistant.faces.cli.entry import (
    Asker,
    ask_each,
    ask_values,
    choose_counters,
    echo_course_gaps,
    enter_course,
    line_asker,
    read_values,
)
from assistant.faces.cli.packs import enter_rows
from assistant.game.charts import Chart, ChartKey, rows_of
from assistant.game.games import Game
from assistant.game.pack_charts import list_keys
from assistant.game.packs import Pack, overlay_pack
from assistant.game.printed_counters import CounterRow, incomplete_counters, list_counters
from assistant.installed.registry import named_game
from assistant.util.errors import InputError
from module_builder.new import new_game
from tests.assistant.faces.cli.test_packs import GAME, PROMPT, data, run
from tests.terminal import at_a_terminal


def test_a_prompt_stands_before_its_line_is_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = list[str]()

    def typed() -> Iterator[str]:
        for line in ("first", "", "last"):
            shown.append(capsys.readouterr().out)
            yield f"{line}\n"
        raise InputError("it cannot be read")

    monkeypatch.setattr("assistant.util.files.read_typed_lines", typed)
    ask = line_asker()
    assert [ask("a> ", ""), ask("b> ", ""), ask("c> ", "")] == ["first\n", "\n", "last\n"]
    with pytest.raises(InputError):
        ask("d> ", "")
    assert [*shown, capsys.readouterr().out] == ["a>", " first\nb>", "\nc>", " last\nd>\n"]


def as_typed(chart: Chart, row: Iterable[ChartKey]) -> str:
    """A row in as few keys as a player needs who reads it from the printed chart."""
    words: list[str] = []
    before = ""
    for key in row:
        values = [str(value).replace(" ", "").lower() for value in chart.cells[key].values.values()]
        while len(values) > 1 and values[-1] in ("-", "0"):
            values.pop()
        cell = "/".join(values)
        if cell == before and words[-1].strip("="):
            words.append("=")
        elif cell == before:
            words[-1] += "="
        else:
            words.append(cell)
        before = cell
    return " ".join(words)


def typing(lines: Iterable[str], shown: list[str] | None = None) -> Asker:
    """What types these lines, and notes what stood there to be corrected."""
    left = iter(lines)

    def ask(_: str, known: str) -> str:
        if shown is not None:
            shown.append(known)
        return next(left, ".")

    return ask


def test_two_whole_charts_take_at_most_1500_keystrokes(twilight: Game, tmp_path: Path) -> None:
    keystrokes = 0
    for name, cells in (("crt", 198), ("slrt", 136)):
        chart, pack = twilight.chart(name), Pack(twilight, tmp_path)
        rows = rows_of(list_keys(chart))
        lines = [as_typed(chart, row) for row in rows]
        assert sum(enter_rows(pack, name, rows, typing(lines))) == cells
        assert {key: dict(cell.values) for key, cell in pack.charts.cells(name).items()} == {
            key: dict(cell.values) for key, cell in chart.cells.items()
        }
        keystrokes += sum(len(line) + 1 for line in lines)
    assert keystrokes <= 1500, keystrokes


ROW = "+3xw2/-2 +3xw1/-2 = +3XB1/-1 = +2 x/- +1 = = = ="
"""A row with its slips: a word with a space in it makes twelve cells of eleven."""


def test_a_row_is_kept_whole_or_not_at_all(twilight: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack = Pack(twilight, tmp_path)
    row = rows_of(list_keys(twilight.chart("crt")))[:1]
    too_many, too_few = ROW, ROW.replace("+2 x/- ", "").removesuffix(" =")
    assert list(enter_rows(pack, "crt", row, typing([too_many, too_few, ROW.replace("+2 x", "+2x")]))) == [11]
    said = capsys.readouterr().out
    assert "12 cells, but crt summer 1:4, 2 to 12 has 11" in said
    assert "9 cells, but crt summer 1:4, 2 to 12 has 11" in said
    assert "2: +3 X W2 / -2, 3: +3 X W1 / -2, 4: +3 X W1 / -2, 5: +3 X B1 / -1" in said
    assert len(pack.charts.cells("crt")) == 11


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("= +1", "there is no cell before ="),
        ("+9 +1", "attacker: '+9' is not allowed"),
        ("+1/-/- =", "'+1/-/-' is not a cell of chart crt"),
        ("-+1 = ", "attacker: '- +1' is not allowed"),
    ],
)
def test_what_is_not_a_cell_is_refused(
    twilight: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, says: str
) -> None:
    row = rows_of(list_keys(twilight.chart("crt")))[:1]
    assert list(enter_rows(Pack(twilight, tmp_path), "crt", row, typing([line]))) == []
    assert says in capsys.readouterr().out


def test_a_cell_of_a_row_that_is_not_known_is_left_out(twilight: Game, tmp_path: Path) -> None:
    """As a scenario sheet prints some rows of a chart alone; a question asks for the others when it needs them."""
    pack, chart = Pack(twilight, tmp_path), twilight.chart("terrain-cost")
    row = [key for key in list_keys(chart) if key[0] == "summer"]
    line = " ".join({"clear": "2", "primary-road": "1.5"}.get(str(key[1]), "?") for key in row)
    assert list(enter_rows(pack, "terrain-cost", [row], typing([line]))) == [2]
    assert pack.charts.cells("terrain-cost").keys() == {("summer", "clear"), ("summer", "primary-road")}
    assert list(enter_rows(pack, "terrain-cost", [row[:3]], typing(["?", "3 ?"]))) == [0, 1]
    assert pack.charts.cells("terrain-cost").keys() == {("summer", "clear"), ("summer", "primary-road"), row[1]}


def test_back_returns_to_the_row_before_with_what_it_holds(twilight: Game, tmp_path: Path) -> None:
    chart, pack = twilight.chart("slrt"), Pack(twilight, tmp_path)
    rows = rows_of(list_keys(chart))
    first, shown = as_typed(chart, rows[0]), list[str]()
    other = first.replace("0", "1", 1)
    assert sum(enter_rows(pack, "slrt", rows, typing([first, "BACK", other, ".", ""], shown))) == 34
    assert shown[:2] == ["", ""]
    assert shown[2].startswith("0/0 0/0")
    assert pack.charts.cells("slrt")[rows[0][0]].values["steps"] == 1


def test_arrows_lead_to_the_row_before_and_after(tmp_path: Path, twilight: Game) -> None:
    chart = twilight.chart("slrt")
    first = as_typed(chart, rows_of(list_keys(chart))[0])
    keys = [f"{first}\r", "\x1b[A", "\x1b[B", ".\r"]
    shown = at_a_terminal(tmp_path, ["pack", "enter", GAME, "slrt"], keys, awaits=PROMPT, then=b"\x04", enter="")
    assert "0/0 0/0" in shown, "the row before, to be corrected"
    assert "17 cells saved; 119 are missing" in shown


def test_things_are_typed_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    kept: list[tuple[str, str]] = []

    def keep(one: str, line: str) -> int:
        if line == "no":
            raise InputError("not that")
        kept.append((one, line))
        return len(line)

    left = iter(["one", "", "Back", "no", "two", "three", ".", "never"])
    assert list(ask_each("abcd", lambda one: next(left), keep)) == [3, 3, 5]
    assert kept == [("a", "one"), ("b", "two"), ("c", "three")]
    assert capsys.readouterr().out == "  not that\n"
    assert list(ask_each("", lambda one: next(left), keep)) == []


__all__ = ["data"]

DIVISION = "12 16 7 heavy+high-trajectory 11 6 8 4 7 5"


def counter(game: Game, unit: str) -> CounterRow:
    return next(one for one in list_counters(Pack(game, Path("nowhere"))) if one.unit == unit)


def test_each_kind_of_counter_has_its_columns_and_formations_stay_together(twilight: Game) -> None:
    division, train = counter(twilight, "1/1"), counter(twilight, "German 1 Train")
    assert division.columns[:4] == ("steps", "defence", "artillery", "artillery-class")
    assert set(train.columns) >= {"range", "movement"} > {"steps"} & set(train.columns)
    assert division.formation == train.formation == "german Eighth 1"
    formations = [one.formation for one in list_counters(Pack(twilight, Path("nowhere")))]
    assert len(set(formations)) == sum(
        one != before for before, one in zip(["", *formations], formations, strict=False)
    )


def test_the_columns_of_a_kind_do_not_depend_on_what_the_roster_knows(data: Path) -> None:
    """Kaiser's War states no value of any counter."""
    game = "kaisers-war-in-the-east"
    said = run(data, "pack", "enter", game, "counters", "german", "infantry", typed="4 6 4\n=\n.\n").stdout
    assert "german infantry: attack defence movement" in said
    assert "6 values saved" in said


def test_an_owner_adds_a_counter_that_the_game_does_not_list(data: Path) -> None:
    game = "kaisers-war-in-the-east"
    refused = run(data, "pack", "enter", game, "counters", "Ger-IXR", typed="3 4 5\n")
    assert refused.returncode == 3
    assert "assistant pack set kaisers-war-in-the-east unit Ger-IXR nation=... arm=... size=..." in refused.stderr
    assert run(data, "pack", "set", game, "unit", "Ger-IXR", "nation=german").returncode == 3
    described = ("nation=german", "arm=infantry", "size=XXX")
    assert run(data, "pack", "set", game, "unit", "Ger-IXR", *described).stdout == "saved\n"
    said = run(data, "pack", "enter", game, "counters", "Ger-IXR", typed="3 4 5\n").stdout
    assert "1 of 89 counters to type" in said
    assert "attack 3, defence 4, movement 5" in said
    data.parent.joinpath("x.pos").write_text(f"game {game}\n2620: Ger-IXR\n")
    assert run(data, "check", "x.pos").returncode == 0


def test_a_file_may_add_counters_that_it_describes(data: Path) -> None:
    game, file = "kaisers-war-in-the-east", data.parent / "mine.csv"
    file.write_text("unit,nation,arm,size,attack\nGer-X,german,infantry,XX,3\nGer-Y,german,,,3\n")
    refused = run(data, "pack", "take", game, "counters", "mine.csv")
    assert (refused.returncode, "unknown unit 'Ger-Y'" in refused.stderr) == (3, True)
    assert not (data / "packs" / game / "counters.csv").exists()
    file.write_text("unit,nation,arm,size,attack\nGer-X,german,infantry,XX,3\n")
    assert run(data, "pack", "take", game, "counters", "mine.csv").stdout == "4 values of counters saved\n"


def test_a_line_is_a_counter(twilight: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack = Pack(twilight, tmp_path)
    todo = choose_counters(Pack(twilight, Path("nowhere")), ["german", "1"])
    assert [one.unit for one in todo] == ["1/1", "2/1", "German 1 Train"]
    assert list(ask_values(pack, todo, typing([DIVISION, "=", ""]))) == [10, 10]
    assert pack.values()["2/1"] == pack.values()["1/1"]
    assert todo[0] not in incomplete_counters(pack)
    said = capsys.readouterr().out
    assert "german Eighth 1: steps defence artillery" in said
    assert "  steps 12, defence 16, artillery 7, artillery-class heavy+high-trajectory" in said


def test_back_leads_to_the_counter_before_with_what_is_known_of_it(twilight: Game, tmp_path: Path) -> None:
    shown: list[str] = []
    lines = [DIVISION, "back", f"13{DIVISION[2:]}"]
    pack = Pack(twilight, tmp_path)
    assert (
        sum(ask_values(pack, choose_counters(Pack(twilight, Path("nowhere")), ["german", "1"]), typing(lines, shown)))
        == 20
    )
    assert shown[:3] == ["", "", DIVISION]
    assert pack.values()["1/1"]["steps"] == "13"


def test_ratings_are_typed_as_in_a_combat_and_what_is_half_known_does_not_stand_in_the_way(
    twilight: Game, tmp_path: Path
) -> None:
    shown: list[str] = []
    pack = Pack(twilight, tmp_path)
    todo = choose_counters(Pack(twilight, Path("nowhere")), ["1/1"])
    assert list(ask_values(pack, todo, typing(["12-?-7-11 movement=7"], shown))) == [4]
    assert pack.values()["1/1"] == {"steps": "12", "artillery": "7", "effectiveness": "11", "movement": "7"}
    assert list(ask_values(pack, todo, typing(["? 16 ? ? ? ? ? ? ? ?"], shown))) == [1]
    assert shown == ["", ""]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("12-16-7", "1 value for the 10 columns of 1/1"),
        ("12 16 7", "3 values for the 10 columns of 1/1"),
        (DIVISION.replace("16", "="), "defence: there is no value before ="),
        (DIVISION.replace("16", "many"), "defence strength printed: 'many' is not allowed"),
        ("steeps=12", "unknown track 'steeps'"),
        ("steps=12 steps=11", "steps is given twice"),
        ("=", "no counter before it has values"),
    ],
)
def test_a_slip_is_refused_and_nothing_of_its_line_kept(twilight: Game, tmp_path: Path, line: str, fault: str) -> None:
    pack, one = Pack(twilight, tmp_path), counter(twilight, "1/1")
    with pytest.raises(InputError, match=fault):
        pack.enter_all({(one.unit, name): text for name, text in read_values(twilight, one, line, {}).items()}, {})
    assert pack.values() == {}


def test_a_value_may_be_that_of_the_counter_before(twilight: Game) -> None:
    before = {"steps": "13", "defence": "15"}
    assert read_values(twilight, counter(twilight, "1/1"), "= = 7 ? ? ? ? ? ? ?", before) == before | {"artillery": "7"}


def test_what_is_not_printed_or_not_known(twilight: Game) -> None:
    one = counter(twilight, "2 lw")
    given = read_values(twilight, one, "5 6 - - 8 ? ? ? 7 2 asset=yes", {})
    assert given == {
        "steps": "5", "defence": "6", "artillery": "0", "artillery-class": "none", "effectiveness": "8",
        "movement": "7", "rail-cost": "2", "asset": "yes",
    }  # fmt: skip


def test_a_whole_file_is_taken_or_nothing_of_it(data: Path) -> None:
    data.parent.joinpath("mine.csv").write_text("unit,steps,defence\n1/1,12,16\n2/1,12,\n")
    assert run(data, "pack", "take", GAME, "counters", "mine.csv").stdout == "3 values of counters saved\n"
    data.parent.joinpath("wrong.csv").write_text("unit,steps\n35/17,11\n2/1,1000\n")
    refused = run(data, "pack", "take", GAME, "counters", "wrong.csv")
    assert refused.returncode == 3
    assert refused.stderr.startswith("assistant: wrong.csv:3: ")
    assert "1000" in refused.stderr
    data.parent.joinpath("twice.csv").write_text("unit,steps\n35/17,11\n2/1,12\n35/17,10\n")
    assert "twice.csv:4: unit 35/17 is listed twice" in run(data, "pack", "take", GAME, "counters", "twice.csv").stderr
    assert "35/17" not in (data / "packs" / GAME / "counters.csv").read_text()


def test_the_check_names_the_counters_that_lack_values(data: Path, twilight: Game, tmp_path: Path) -> None:
    typed = f"{DIVISION}\n.\n"
    assert "10 values saved; " in run(data, "pack", "enter", GAME, "counters", "1/1", typed=typed).stdout
    said = run(data, "pack", "check", GAME).stdout
    assert "german Eighth 1: 2/1, German 1 Train" in said
    assert len(incomplete_counters(Pack(twilight, tmp_path))) > 100


def test_the_check_names_words_that_are_made_up_and_no_column_asks_for(data: Path, twilight: Game) -> None:
    made_up = [unit for unit, facts in twilight.roster.items() if "army" in facts and facts["army"][0].doubtful]
    told = f"also made up: army of {made_up[0]} and {len(made_up) - 1} more; to state it, type army=VALUE for a counter"
    assert told in run(data, "pack", "check", GAME).stdout
    run(
        data,
        "pack",
        "enter",
        GAME,
        "counters",
        made_up[0],
        typed=f"army={twilight.roster[made_up[0]]['army'][0].value}\n.\n",
    )
    assert f"army of {made_up[1]} and {len(made_up) - 2} more" in run(data, "pack", "check", GAME).stdout


def test_words_that_name_no_counter(data: Path) -> None:
    refused = run(data, "pack", "enter", GAME, "counters", "germn")
    assert (refused.returncode, refused.stdout) == (3, "")
    assert "no counter belongs to germn" in refused.stderr


def test_a_game_whose_tracks_name_no_kinds_asks_for_what_is_known_of_a_kind(tmp_path: Path) -> None:
    new_game(tmp_path / "heath")
    game = named_game(str(tmp_path / "heath"))
    assert "attack" in next(one for one in list_counters(Pack(game, tmp_path)) if one.unit == "1st").columns


def test_dates_are_asked_for_turn_by_turn(twilight: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack = Pack(twilight, tmp_path)
    enter_course(pack, "turns", ["date"], typing(["17 August 1914", "", "back", "21 August", ".", "never"]))
    assert pack.turns() == {(1, "date"): "17 August 1914", (2, "date"): "21 August"}
    assert capsys.readouterr().out == "47 facts of turns to type\n2 facts saved\n"


def test_what_is_kept_is_not_asked_for_again_unless_it_is_named(twilight: Game, tmp_path: Path) -> None:
    pack = Pack(twilight, tmp_path)
    pack.enter_turns({(1, "date"): "17 August"})
    shown: list[str] = []
    enter_course(pack, "turns", ["date"], typing(["."], shown))
    assert shown == ["17 August"]
    shown.clear()
    enter_course(pack, "turns", [], typing(["18 August", "."], shown))
    assert pack.turns() == {(1, "date"): "17 August", (2, "date"): "18 August"}


def test_an_equals_sign_repeats_and_a_refused_line_is_asked_for_again(
    twilight: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = Pack(twilight, tmp_path)
    enter_course(pack, "armies", ["german", "Eighth"], typing(["=", "none", "=", "6", "=", "yes"]))
    assert pack.armies() == {
        ("central-powers Eighth", "attachment-limit"): "6",
        ("central-powers Eighth", "cavalry-track"): "yes",
    }
    said = capsys.readouterr().out
    assert said.count("there is nothing before =") == 2, "what was refused is not before it"
    assert "Attachment Limit in corps: 'none' is not allowed" in said


def test_what_nobody_knows_is_named_a_kind_a_line(
    twilight: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = Pack(twilight, tmp_path)
    pack.enter_turns({(number, "date"): "May" for number in range(1, 46)})
    pack.enter_army("german Ninth", "attachment-limit", "5")
    echo_course_gaps(overlay_pack(twilight, tmp_path))
    said = capsys.readouterr().out
    assert "turns without date: 46-47\n" in said
    assert "turns without rail-rate: 1-8, 10-15, 17-47\n" in said
    assert "turns without russian-rp: 3, 6, 9," in said
    assert "armies without a limit: central-powers Eighth, central-powers AG W," in said


def test_the_commands(data: Path, tmp_path: Path) -> None:
    assert run(data, "pack", "set", GAME, "turn", "1", "date", "17", "August", "1914").stdout == "saved\n"
    assert run(data, "pack", "set", GAME, "army", "german Eighth", "attachment-limit", "5").stdout == "saved\n"
    mine = tmp_path / "mine.csv"
    mine.write_text("turn,date,rail-rate\n2,20 August 1914,\n3,,11\n", "utf-8")
    assert run(data, "pack", "take", GAME, "turns", str(mine)).stdout == "2 facts of turns saved\n"
    assert "3 facts of turns, 1 fact of armies" in run(data, "pack", "list").stdout
    assert run(data, "pack", "diff", GAME).stdout.splitlines() == [
        "turn 2 date: 20 August 1914   instead of about 19 August 1914 (reconstruction)",
        "turn 3 rail-rate: 11   instead of nothing",
        "central-powers Eighth attachment-limit=5   instead of nothing",
    ]
    checked = run(data, "pack", "check", GAME)
    assert checked.returncode == 0
    assert "turns without date: 3-47\n" in checked.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("set", GAME, "turn", "one", "date", "x"), "'one' is not a turn number"),
        (("set", GAME, "turn", "9", "rail-rate", "13"), "the rail-rate of turn 9 contradicts the rulebook"),
        (("set", GAME, "army", "german Eigth", "attachment-limit", "5"), "unknown army 'german Eigth'"),
        (("enter", GAME, "turns", "dat"), "'dat' is not a fact about a turn"),
        (("enter", GAME, "armies", "german"), "unknown army"),
        (("set", GAME, "unit", "25/3", "steps=9", "steps=8"), "is given twice"),
        (("set", GAME, "chart", "terrain-cost", "summer", "clear", "=", "?"), "is not allowed"),
    ],
)
def test_what_is_refused(words: tuple[str, ...], said: str, data: Path) -> None:
    done = run(data, "pack", *words)
    assert (done.returncode, done.stdout) == (3, "")
    assert said in done.stderr and len(done.stderr.splitlines()) <= 2


@pytest.mark.parametrize(
    ("row", "said"), [("99,never", ": there is no turn 99"), ("1,18 August 1914", ":3: turn 1 is listed twice")]
)
def test_a_file_with_a_fault_is_named_and_nothing_of_it_is_kept(
    data: Path, tmp_path: Path, row: str, said: str
) -> None:
    mine = tmp_path / "mine.csv"
    mine.write_text(f"turn,date\n1,17 August 1914\n{row}\n", "utf-8")
    done = run(data, "pack", "take", GAME, "turns", str(mine))
    assert done.returncode == 3
    assert f"{mine}{said}" in done.stderr
    assert "nothing entered" in run(data, "pack", "list").stdout
