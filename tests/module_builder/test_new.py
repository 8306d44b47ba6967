"""`module-builder new`: a folder with a game that works at once, and that nothing is overwritten for."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from assistant.drawing.map.survey import MapReader
from assistant.faces.cli.main import cli as assistant
from assistant.installed.registry import named_game
from module_builder.cli import cli as builder


@pytest.fixture
def game(tmp_path: Path, own_data: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new game in a folder of its own, seen from the folder above."""
    monkeypatch.chdir(tmp_path)
    made = CliRunner().invoke(builder, ["new", "my-game"])
    assert (made.exit_code, made.output) == (0, "my-game: 13 files; next: module-builder check my-game\n")
    return tmp_path / "my-game"


def build(*words: str) -> Result:
    return CliRunner().invoke(builder, [*words])


def ask(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(assistant, [*words], input=typed)


def test_a_new_game_has_no_mistakes_answers_and_has_a_tour(game: Path) -> None:
    done = build("check", "my-game")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("My Game: ")
    done = ask("ask", "odds", "my-game/examples/attack.pos", "--game", "my-game", "--answers", "roll=5")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[:2] == ["Combat: 1st, Battery, 2nd against 11th", "= DE"]
    assert "Combat: 1st, Battery, 2nd against 11th" in ask("demo", "my-game").output


def test_a_new_game_has_a_table_with_help_in_its_own_words(game: Path) -> None:
    done = ask("table", "my-game", "--new", typed="0504 11th < 0403 1st Battery\n4\n")
    assert "9 against 3 is 3:1" in done.output and "= DR" in done.output
    said = ask("table", "my-game", "--new", typed="help combat\nhelp facts\n").output
    assert "0505 10th < 0504 1st 2nd 0604 3rd" in said and "0504 stream" in said
    assert "4119" not in said and "?2" not in said


def test_a_new_game_draws_its_stream_and_its_road(game: Path) -> None:
    loaded = named_game("my-game")
    board = loaded.board("field")
    look = MapReader(board, loaded.tracks, loaded.file.picture)
    assert (look.lying("stream", "0403|0404"), look.lying("stream", "0101|0102")) == (("stream",), ())
    assert look.link("road", "0403|0404") == "road"


def test_every_file_of_it_explains_itself(game: Path) -> None:
    for file in game.rglob("*.toml"):
        assert file.read_text("utf-8").startswith("# "), file.name


@pytest.mark.parametrize(
    ("folder", "says"),
    [
        ("my-game", "my-game: it already exists"),
        ("my-game/game.toml", "'game.toml' is not a valid game id"),
        ("My Game", "'My Game' is not a valid game id"),
    ],
)
def test_nothing_is_overwritten(game: Path, folder: str, says: str) -> None:
    game.joinpath("game.toml").write_text("mine", "utf-8")
    done = build("new", folder)
    assert done.exit_code == 3 and says in done.stderr
    assert game.joinpath("game.toml").read_text("utf-8") == "mine"
    assert not Path("My Game").exists()


def test_an_empty_folder_is_filled(game: Path) -> None:
    Path("other").mkdir()
    assert build("new", "other").exit_code == 0
    assert build("check", "other").exit_code == 0


@pytest.mark.parametrize("name", ["my-game-2", "my_game"])
def test_hyphens_and_underscores_are_allowed_as_the_message_says(game: Path, name: str) -> None:
    Path("other").mkdir()
    assert build("new", f"other/{name}").exit_code == 0
    assert "small letters, digits, hyphens and underscores" in build("new", "Other").stderr


def test_a_new_game_with_rules_of_data_answers_every_common_question(
    tmp_path: Path, own_data: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert build("new", "heath", "--rules").exit_code == 0
    done = build("check", "heath")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "no example" not in done.stdout, "every clause is met by an example"
    asked = Path("heath/examples/questions.pos").read_text("utf-8")
    for question in ("zones", "stack", "reach", "move", "supply", "battle", "attacks", "need", "retreat", "advance"):
        assert f"ask {question}" in asked
    said = ask("table", "heath", "--new", typed="board field\n0504 11th < 0403 1st Battery\n").output
    assert "column 2:1" in said, "9 against 3, all across a stream"
    assert build("module", "heath").exit_code == 0
