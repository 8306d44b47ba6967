"""`assistant table`: where it begins, what it keeps, what it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.faces.cli.main import cli
from module_builder.new import new_game

from ....cases import thorough
from ....commands import Done, run_command
from ....conftest import GAME

TYPED = "t=1\n4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10\n"
SAVED = """game twilight-in-the-east
turn=1
40.20: 25/3 (10-?-5-10)
41.19 clear: 1/1 (12-16-7-11)
41.19|40.20 open
ask battle at=41.19
"""


def table(folder: Path, *words: str, typed: str = "") -> Done:
    return run_command(folder, "table", *words, typed=typed, data=folder / "data")


def test_it_goes_on_where_it_was_left_even_if_it_was_cut_off(tmp_path: Path) -> None:
    assert "column 1:2 (" in table(tmp_path, GAME, typed=TYPED).stdout
    again = table(tmp_path, GAME, typed="-25/3\n").stdout
    assert "Continuing with 2 units" in again
    assert "column 1:2 (" in again
    assert "Going on" not in table(tmp_path, GAME, "--new").stdout
    assert (tmp_path / "data" / "table" / f"{GAME}.before.json").exists()


def test_it_says_what_it_goes_on_with(tmp_path: Path) -> None:
    table(tmp_path, GAME, typed="turn=2\n")
    assert "Continuing with facts but no units; `new` starts over." in table(tmp_path, GAME, typed="new\ny\n").stdout
    assert "Continuing with an empty table; `new` starts over." in table(tmp_path, GAME).stdout


def test_of_a_position_with_several_questions_the_table_says_which_it_does_not_ask(tmp_path: Path) -> None:
    (tmp_path / "two.pos").write_text(SAVED.replace("ask", "ask supply unit=1/1\nask") + "answers crt=2+5\n")
    shown = table(tmp_path, GAME, "two.pos", "--umpire").stdout
    assert "! the table asks one question at a time; not asked: battle at=41.19\n" in shown
    assert "crt" not in shown


def test_whoever_looks_on_as_a_side_sees_no_more_than_it(tmp_path: Path) -> None:
    table(tmp_path, GAME, "--umpire", typed=TYPED + '4119 1/1 "20 lw" 5-5-2-9 cel=-2\n1/1 -3\n')
    first = table(tmp_path, GAME, "--as", "russian", typed="position\njournal\n").stdout
    aside = tmp_path / "data" / "table" / f"{GAME}.before.json"
    assert first.startswith(f"The earlier table is saved as\n{aside}\n"), "a path has a separate line"
    assert "Continuing with 2 units; `new` starts over.\nYou see what the Russian side knows.\n" in first
    assert (
        "41.19: 1/1 (12-16-7-11)\n  hidden=lost+cel+with+draws-on+other-line+way-out+began-in-eighth+destination+destination-lost\n"
        in first
    )
    assert "20 lw" not in first
    assert "nothing has been carried out yet" in first
    again = table(tmp_path, GAME, "--umpire", typed="position\n").stdout
    assert "Continuing with 2 units; `new` starts over.\nYou see what the Russian side knows.\n" in again, (
        "what was cut off is in the other file"
    )
    assert "The earlier table" not in again
    assert b"20 lw" in aside.read_bytes()


def test_the_players_own_setting_holds_at_the_table_and_for_the_table_of_before(tmp_path: Path) -> None:
    table(tmp_path, GAME, "--umpire", typed=TYPED + '4119 1/1 "20 lw" 5-5-2-9 cel=-2\n1/1 -3\n')
    (tmp_path / "data" / "settings.json").write_text(json.dumps({"viewpoint": {GAME: "russian"}}))
    first = table(tmp_path, GAME, typed="position\njournal\n").stdout
    again = table(tmp_path, GAME, typed="position\njournal\n").stdout
    assert first.startswith("The earlier table is saved as\n")
    assert again.splitlines() == first.splitlines()[2:]
    assert "You see what the Russian side knows.\n" in first
    assert (
        "41.19: 1/1 (12-16-7-11)\n  hidden=lost+cel+with+draws-on+other-line+way-out+began-in-eighth+destination+destination-lost\n"
        in first
    )
    assert "20 lw" not in first
    whole = tmp_path / "data" / "table" / f"{GAME}.before.json"
    assert b"20 lw" in whole.read_bytes()
    empty = table(tmp_path, GAME, "--new", typed="position\n").stdout
    assert "You see what the Russian side knows.\n" in empty
    position = tmp_path / "mine.pos"
    position.write_text(SAVED + "1/1 -3\n")
    assert "11) -3" not in table(tmp_path, GAME, str(position), typed="position\n").stdout
    assert "11) -3" in table(tmp_path, GAME, str(position), "--umpire", typed="position\n").stdout


def test_no_such_side_is_refused_without_a_position_too(tmp_path: Path) -> None:
    assert "unknown side 'nobody'" in table(tmp_path, GAME, "--as", "nobody").stderr
    assert "an umpire sees all sides" in table(tmp_path, GAME, "--as", "russian", "--umpire").stderr


def test_a_table_that_cannot_be_set_aside_is_left_alone(
    tmp_path: Path, own_data: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(tmp_path, GAME, typed=TYPED)
    kept = tmp_path / "data" / "table" / f"{GAME}.json"
    before = kept.read_bytes()
    monkeypatch.setattr(Path, "replace", denied)
    done = CliRunner().invoke(cli, ["table", GAME, "--new"], input="t=3\nposition\n")
    assert "! The earlier table stays as it is, and this one is not saved" in done.stdout
    assert "turn=3" in done.stdout
    assert kept.read_bytes() == before


def denied(*_: object) -> None:
    raise PermissionError(13, "Permission denied")


def test_no_table_is_lost_however_often_a_new_one_is_begun(tmp_path: Path) -> None:
    for turn in (1, 2, 3):
        table(tmp_path, GAME, "--new", typed=f"t={turn}\n")
    folder = tmp_path / "data" / "table"
    assert sorted(file.name for file in folder.glob("*.json")) == [
        f"{GAME}.before-2.json",
        f"{GAME}.before.json",
        f"{GAME}.json",
    ]


@thorough
def test_lines_from_a_file_are_utf_8_whatever_the_console_takes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "assistant", "table", GAME]
    environment = os.environ | {"FIELD_STAFF_DATA": str(tmp_path), "PYTHONIOENCODING": "cp1252"}
    typed = '\ufefft=1\n4119 german "Ábrány"\nposition\n'.encode() + b'\xff "\n'
    done = subprocess.run(command, input=typed, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"turn=1" in done.stdout
    assert "infantry? XX? Ábrány" in done.stdout.decode("cp1252")
    assert "Ábrány" in (tmp_path / "table" / f"{GAME}.json").read_text("utf-8")


def test_it_begins_with_a_position(tmp_path: Path) -> None:
    (tmp_path / "mine.pos").write_text(SAVED)
    done = table(tmp_path, GAME, "mine.pos", typed="7\n")
    assert "= 25/3 against 1/1 at 41.19" in done.stdout
    assert done.stdout.splitlines()[1].startswith("You see both sides. `--as SIDE` shows what one side knows")
    assert f"`assistant viewpoint {GAME} SIDE` remembers it" in " ".join(done.stdout.split())
    assert done.stdout.count("You see") == 1
    again = table(tmp_path, GAME, typed="why\ncheck\n").stdout
    assert again.count("You see both sides") == 1 and "Continuing with" in again
    assert "You see" not in table(tmp_path, GAME, "--new").stdout
    assert "You see" not in table(tmp_path, GAME, "mine.pos", "--umpire").stdout
    assert "chart cells missing: chart crt summer 1:2 7 = attacker / defender" in done.stdout
    assert (tmp_path / "mine.pos").read_text() == SAVED


def test_what_cannot_be_used_is_refused(tmp_path: Path) -> None:
    assert "unknown game 'chess'" in table(tmp_path, "chess").stderr
    assert "no.pos: No such file or directory" in table(tmp_path, GAME, "no.pos").stderr
    table(tmp_path, GAME, typed=TYPED)
    file = tmp_path / "data" / "table" / f"{GAME}.json"
    file.write_text('{"position": {"game": "chess"}}')
    done = table(tmp_path, GAME, typed=TYPED)
    assert done.returncode == 3
    assert f"{file}: unknown game 'chess'" in done.stderr
    assert "--new starts with an empty table" in done.stderr


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "Input data was truncated"),
        ("null", "Expected `object`, got `null`"),
        ("\x00" * 9, "JSON is malformed"),
        ("[" * 9999, "Expected `object`"),
        ('{"position": 1}', "Expected `object`, got `int`"),
        (
            '{"position": {"game": "twilight-in-the-east"}, "chosen": [["terrain", "41.19", "bog"]]}',
            "terrain: 'bog' is not allowed",
        ),
    ],
)
def test_a_table_that_is_spoiled_is_refused_and_set_aside_by_a_new_one(tmp_path: Path, text: str, what: str) -> None:
    file = tmp_path / "data" / "table" / f"{GAME}.json"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    done = table(tmp_path, GAME)
    assert done.returncode == 3
    assert done.stderr.startswith(f"assistant: {file}: {what}")
    assert done.stderr.endswith("\n  --new starts with an empty table and moves that file aside\n")
    assert table(tmp_path, GAME, "--new").returncode == 0
    assert file.with_suffix(".before.json").read_text() == text


def test_a_side_does_not_write_over_what_was_saved_with_all(tmp_path: Path) -> None:
    table(tmp_path, GAME, typed="t=1\n4119 1/1 12-16-7-11\nsave x.pos\n")
    whole = (tmp_path / "x.pos").read_text("utf-8")
    said = table(tmp_path, GAME, "--as", "russian", typed="save x.pos\n").stdout
    assert "the file already exists" in said
    assert (tmp_path / "x.pos").read_text("utf-8") == whole


def test_a_map_of_the_games_own_is_named_until_it_is_read(tmp_path: Path) -> None:
    new_game(tmp_path / "heath")
    begun = table(tmp_path, "./heath", "--new", typed="help facts\nboard field\n")
    assert "\n`board field` reads the ground from its map.\n" in begun.stdout
    assert "reads the ground of all hexes from the game's own map" in begun.stdout
    assert "board field`" not in table(tmp_path, "./heath", typed="").stdout, "it is in use"
    head = tmp_path / "heath/boards/field/board.toml"
    head.write_text(head.read_text("utf-8").replace('source = "rulebook"', 'source = "drawn"', 1), "utf-8")
    assert "board field" not in table(tmp_path, "./heath", "--new", typed="help facts\n").stdout, "it is no printed map"
    assert "`board " not in table(tmp_path, GAME, "--new").stdout
