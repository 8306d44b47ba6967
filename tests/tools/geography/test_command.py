"""`python -m tools.geography`: each board that the tables describe, in its folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.util.errors import InputError
from tools.command import run_tool
from tools.geography.__main__ import main

from ...folders import written
from .test_draft import SETTINGS, TABLES

_TRACKS = "".join(
    f'[{name}]\ntitle = "{name}"\non = "{on}"\nkind = "{kind}"\nvalues = {values}\ntoken = "{{}}"\nrule = "1"\n'
    for name, on, kind, values in (
        ("terrain", "hex", "choice", '["flat", "hill", "bog", "peak", "alp", "water"]'),
        ("side", "hexside", "choices", '["open", "brook", "stream", "pond", "deep", "crest"]'),
        ("line", "hexside", "choice", '["no-line", "tram", "main"]'),
        ("width", "hexside", "choice", '["narrow", "wide", "mixed"]'),
        ("frontier", "hexside", "choice", '["no-frontier", "frontier"]'),
    )
)
_BARE = SETTINGS.replace('station = "depot"\n', "").replace('friendly.red = "home=red"\n', "").replace('friendly.blue = "home=blue"\n', "")  # fmt: skip


@pytest.fixture
def game(tmp_path: Path) -> Path:
    grid = 'shifted = "odd"\ncolumns = [1, 12]\nrows = [1, 12]\nformat = "{column:02}.{row:02}"\n'
    for board in ("west", "east"):
        settings = _BARE.replace('board = "coast"', f'board = "{board}"')
        written(tmp_path / "geography" / board, {**TABLES, "geography.toml": settings})
    return written(tmp_path, {"game.toml": f'title = "Two coasts"\n[grid]\n{grid}', "tracks.toml": _TRACKS})


def tables(game: Path) -> list[str]:
    return [str(game), "--tables", str(game / "geography")]


def test_every_board_gets_its_folder(game: Path) -> None:
    stale = game / "boards" / "east" / "hexes.lines"
    stale.parent.mkdir(parents=True)
    stale.write_text("# of an earlier draft\n", "utf-8")
    result = CliRunner().invoke(main, tables(game), catch_exceptions=False)
    assert result.exit_code == 0
    for board in ("west", "east"):
        files = {file.name for file in (game / "boards" / board).iterdir()}
        assert {"board.toml", "terrain.txt", "places.csv", "rivers.lines", "borders.lines"} <= files
        assert "hexes.lines" not in files, "a file without an entry goes"
    assert [line.rpartition(": ")[0] for line in result.output.splitlines()] == [
        str(game / "boards" / board) for board in ("east", "west")
    ]


def test_elsewhere(game: Path, tmp_path: Path) -> None:
    assert CliRunner().invoke(main, [*tables(game), "--out", str(tmp_path / "drawn")]).exit_code == 0
    assert {folder.name for folder in (tmp_path / "drawn").iterdir()} == {"west", "east"}
    assert not (game / "boards").exists()


def test_a_game_without_tables(game: Path) -> None:
    for file in game.glob("geography/*/geography.toml"):
        file.unlink()
    for words in ([str(game)], tables(game)):
        with pytest.raises(InputError, match=r"no geography.toml in "):
            CliRunner().invoke(main, words, catch_exceptions=False)


def test_bad_tables_end_with_a_message_and_no_file(
    game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is wrong with them: the tests of the draft name it."""
    table = game / "geography" / "east" / "places.csv"
    table.write_text(table.read_text("utf-8").replace("52.0,20.6", "95,20.6"), "utf-8")
    monkeypatch.setattr("sys.argv", ["geography", *tables(game)])
    with pytest.raises(SystemExit) as ended:
        run_tool(main, "tools.geography")
    told = capsys.readouterr().err.splitlines()
    assert ended.value.code == 3
    assert told[0] == "tools.geography: places.csv:2: '95 20.6' is not a position" and len(told) <= 2
    assert not [*(game / "boards").rglob("*.*")]
