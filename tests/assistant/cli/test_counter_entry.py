"""Values of counters typed a line a unit, formation by formation, or taken from a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.cli.counter_entry import Values, ask_values, chosen, counter_values, incomplete, values_of
from assistant.game.games import Game
from assistant.game.packs import Pack
from assistant.plugins.registry import named_game
from assistant.util.errors import InputError
from module_builder.new import new_game

from .test_chart_entry import typing
from .test_packs import GAME, data, run

__all__ = ["data"]

DIVISION = "12 16 7 heavy+high-trajectory 11 6 8 4 7 5"


def counter(game: Game, unit: str) -> Values:
    return next(one for one in counter_values(Pack(game, Path("nowhere"))) if one.unit == unit)


def test_each_kind_of_counter_has_its_columns_and_formations_stay_together(twilight: Game) -> None:
    division, train = counter(twilight, "1/1"), counter(twilight, "German 1 Train")
    assert division.columns[:4] == ("steps", "defence", "artillery", "artillery-class")
    assert set(train.columns) >= {"range", "movement"} > {"steps"} & set(train.columns)
    assert division.formation == train.formation == "german Eighth 1"
    formations = [one.formation for one in counter_values(Pack(twilight, Path("nowhere")))]
    assert len(set(formations)) == sum(
        one != before for before, one in zip(["", *formations], formations, strict=False)
    )


def test_the_columns_of_a_kind_do_not_depend_on_what_the_roster_knows(data: Path) -> None:
    """Kaiser's War states no value of any counter."""
    game = "kaisers-war-in-the-east"
    said = run(data, "pack", "enter", game, "counters", "german", "infantry", typed="4 6 4\n=\n.\n").stdout
    assert "german infantry: attack defence movement" in said
    assert "6 values kept" in said


def test_an_owner_adds_a_counter_that_the_game_does_not_list(data: Path) -> None:
    game = "kaisers-war-in-the-east"
    refused = run(data, "pack", "enter", game, "counters", "Ger-IXR", typed="3 4 5\n")
    assert refused.returncode == 3
    assert "assistant pack set kaisers-war-in-the-east unit Ger-IXR nation=... arm=... size=..." in refused.stderr
    assert run(data, "pack", "set", game, "unit", "Ger-IXR", "nation=german").returncode == 3
    described = ("nation=german", "arm=infantry", "size=XXX")
    assert run(data, "pack", "set", game, "unit", "Ger-IXR", *described).stdout == "kept\n"
    said = run(data, "pack", "enter", game, "counters", "Ger-IXR", typed="3 4 5\n").stdout
    assert "1 of 81 counters to type" in said
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
    assert run(data, "pack", "take", game, "counters", "mine.csv").stdout == "4 values of counters kept\n"


def test_a_line_is_a_counter(twilight: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack = Pack(twilight, tmp_path)
    todo = chosen(Pack(twilight, Path("nowhere")), ["german", "1"])
    assert [one.unit for one in todo] == ["1/1", "2/1", "German 1 Train"]
    assert list(ask_values(pack, todo, typing([DIVISION, "=", ""]))) == [10, 10]
    assert pack.values()["2/1"] == pack.values()["1/1"]
    assert todo[0] not in incomplete(pack)
    said = capsys.readouterr().out
    assert "german Eighth 1: steps defence artillery" in said
    assert "  steps 12, defence 16, artillery 7, artillery-class heavy+high-trajectory" in said


def test_back_leads_to_the_counter_before_with_what_is_known_of_it(twilight: Game, tmp_path: Path) -> None:
    shown: list[str] = []
    lines = [DIVISION, "back", f"13{DIVISION[2:]}"]
    pack = Pack(twilight, tmp_path)
    assert sum(ask_values(pack, chosen(Pack(twilight, Path("nowhere")), ["german", "1"]), typing(lines, shown))) == 20
    assert shown[:3] == ["", "", DIVISION]
    assert pack.values()["1/1"]["steps"] == "13"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("12 16 7", "3 values for the 10 of 1/1"),
        (DIVISION.replace("16", "="), "defence: there is no value before ="),
        (DIVISION.replace("16", "many"), "defence strength printed: 'many' is not allowed"),
        ("steeps=12", "unknown track 'steeps'"),
        ("steps=12 steps=11", "steps is given twice"),
        ("=", "there is no counter before it with values"),
    ],
)
def test_a_slip_is_refused_and_nothing_of_its_line_kept(twilight: Game, tmp_path: Path, line: str, fault: str) -> None:
    pack, one = Pack(twilight, tmp_path), counter(twilight, "1/1")
    with pytest.raises(InputError, match=fault):
        pack.enter_all({(one.unit, name): text for name, text in values_of(twilight, one, line, {}).items()}, {})
    assert pack.values() == {}


def test_what_is_not_printed_or_not_known(twilight: Game) -> None:
    one = counter(twilight, "2 lw")
    given = values_of(twilight, one, "5 6 - - 8 ? ? ? 7 2 asset=yes", {})
    assert given == {
        "steps": "5", "defence": "6", "artillery": "0", "artillery-class": "none", "effectiveness": "8",
        "movement": "7", "rail-cost": "2", "asset": "yes",
    }  # fmt: skip


def test_a_whole_file_is_taken_or_nothing_of_it(data: Path) -> None:
    data.parent.joinpath("mine.csv").write_text("unit,steps,defence\n1/1,12,16\n2/1,12,\n")
    assert run(data, "pack", "take", GAME, "counters", "mine.csv").stdout == "3 values of counters kept\n"
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
    assert "10 values kept; " in run(data, "pack", "enter", GAME, "counters", "1/1", typed=typed).stdout
    said = run(data, "pack", "check", GAME).stdout
    assert "german Eighth 1: 2/1, German 1 Train" in said
    assert len(incomplete(Pack(twilight, tmp_path))) > 100


def test_the_check_names_words_that_are_made_up_and_no_column_asks_for(data: Path, twilight: Game) -> None:
    made_up = [unit for unit, facts in twilight.roster.items() if "army" in facts and facts["army"][0].doubtful]
    told = (
        f"made up besides: army of {made_up[0]} and {len(made_up) - 1} more; to state it, type army=VALUE for a counter"
    )
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
    assert "no counter is of germn" in refused.stderr


def test_a_game_whose_tracks_name_no_kinds_asks_for_what_is_known_of_a_kind(tmp_path: Path) -> None:
    new_game(tmp_path / "heath")
    game = named_game(str(tmp_path / "heath"))
    assert "attack" in next(one for one in counter_values(Pack(game, tmp_path)) if one.unit == "1st").columns


def test_a_fact_that_is_given_twice_is_refused(data: Path) -> None:
    refused = run(data, "pack", "set", GAME, "unit", "25/3", "steps=9", "steps=8")
    assert (refused.returncode, "is given twice" in refused.stderr) == (3, True)
