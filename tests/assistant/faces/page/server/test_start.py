"""What a server begins with, and what it keeps where."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

import pytest

import module_builder
from assistant.faces.page.server.serving import Serving, prepare
from assistant.faces.page.sides import SideTables
from assistant.installed.registry import load_game
from assistant.records.journal.journal import write_head

from .....cases import few
from .served import GAME, player, serving_of

Open = Callable[[str, Path], Serving]


@pytest.fixture
def opened(own_data: None) -> Iterator[Open]:
    """Serves a new journal of a game, with all that is kept in the data folder."""
    made: list[Serving] = []

    def opened(game: str, journal: Path) -> Serving:
        journal.parent.mkdir(exist_ok=True)
        journal.write_text(write_head(load_game(game), None, ""))
        made.append(prepare(load_game(game), str(journal), lan=False, port=0))
        return made[-1]

    yield opened
    for serving in made:
        serving.opened.close()
        serving.room.close()


def enter(serving: Serving) -> str:
    """A session of the first player's link."""
    seat = serving.seats.by_path["1"]
    session = serving.seats.enter(seat, serving.seats.issue(seat))
    assert session
    return session


def test_who_has_entered_a_table_has_not_entered_another_of_that_name(opened: Open, tmp_path: Path) -> None:
    session = enter(opened(GAME, tmp_path / "a" / "war.journal"))
    other = opened(GAME, tmp_path / "b" / "war.journal")
    assert not other.seats.has_entered(other.seats.by_path["1"], session)


def test_harm_to_the_file_of_a_side_while_it_is_served_is_said_at_the_terminal(
    opened: Open, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    serving = opened(GAME, tmp_path / "war.journal")
    side = serving.room.tables["1"]
    assert isinstance(side, SideTables)
    file = side.file("war")
    assert not serving.remarks
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(bytes(9))
    side.desk("war")
    assert f"{file}.damaged-1" in capsys.readouterr().err
    assert not opened(GAME, tmp_path / "war.journal").remarks
    file.write_bytes(bytes(9))
    [remark] = opened(GAME, tmp_path / "war.journal").remarks
    assert f"{file}.damaged-2" in remark


def test_first_table_without_sides_is_entered(opened: Open, tmp_path: Path) -> None:
    session = enter(opened("der-weltkrieg", tmp_path / "war.journal"))
    again = opened("der-weltkrieg", tmp_path / "war.journal")
    assert again.seats.has_entered(again.seats.by_path["1"], session)


@pytest.mark.parametrize("game", ["der-weltkrieg", GAME])
def test_journal_with_any_name_is_served(opened: Open, tmp_path: Path, game: str) -> None:
    serving = opened(game, tmp_path / "War 1914.journal")
    for path in ("0", "1"):
        there = player(serving, path)
        assert there.tap("turn=2")["table"] == there.look()["table"] == serving.room.table
    assert player(serving, "0").send("games")["tables"] == [serving.room.table]


@few(1)
@pytest.mark.parametrize("game", ["der-weltkrieg", GAME])
def test_what_the_owner_types_is_used_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    serving = serving_of(tmp_path, game=game)
    umpire = player(serving, "0")
    listed = umpire.send("counters", table=game)
    unit = next(unit for formation in listed["formations"] for unit in formation["units"] if unit[1])[0]
    form = umpire.send("form", table=game, unit=unit)
    name = next(value["name"] for value in form["values"] if not value["source"] and not value["words"])
    before = umpire.send("words", game=game)
    assert umpire.send("printed", table=game, unit=unit, values={name: "3"})["is"] == "form"
    assert umpire.send("words", game=game)["mark"] != before["mark"]
    kept = umpire.send("form", table=game, unit=unit)["values"]
    assert [value["value"] for value in kept if value["name"] == name] == ["3"]
    for tables in serving.room.tables.values():
        assert tables.desk(game).game.roster[unit][name][0].value == 3
    serving.opened.close()
    serving.room.close()


def test_game_in_a_folder_is_opened_by_the_link_of_a_side(tmp_path: Path, own_data: None) -> None:
    folder = tmp_path / "my-game"
    copytree(Path(module_builder.__file__).parent / "template", folder)
    before, after = (folder / "game.toml").read_text().split("\n[", 1)
    (folder / "game.toml").write_text(f'{before}\n[intelligence]\nrule = "1"\nsees = "adjacent"\n\n[{after}')
    serving = serving_of(tmp_path, game=str(folder))
    for path in ("0", "1"):
        there = player(serving, path)
        assert there.look()["is"] == "table"
        assert there.send("words", game=serving.room.table)["is"] == "words"
    serving.opened.close()
    serving.room.close()
