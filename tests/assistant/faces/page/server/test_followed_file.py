"""A served table that follows a file of another program."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from assistant.faces.page.server.serving import FollowedFile, Serving, seats_of
from assistant.faces.prompt.files import TableFile, table_file
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Position
from assistant.game.viewpoint import may_hide
from assistant.installed.registry import load_game
from assistant.service import parse, write
from assistant.util.errors import InputError

from .....cases import thorough
from .served import GAME, OPEN_GAME, Player, player, running, serving_of

LINES = f"game {GAME}\nturn=2\n40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)\n41.19: 1/1 (12-16-7-11) -2\n"


@pytest.fixture
def folder(tmp_path: Path, own_data: None) -> Path:
    (tmp_path / "Our game.pos").write_text(LINES)
    return tmp_path


@pytest.fixture
def followed(folder: Path) -> Iterator[Serving]:
    serving = serving_of(folder, str(folder / "Our game.pos"))
    yield serving
    serving.opened.close()
    serving.room.close()


def units(there: Player) -> dict[str, str]:
    return {unit["id"]: unit["place"] for unit in there.look()["units"]}


def take_in(serving: Serving) -> None:
    for watched in serving.follows:
        watched.work()


def test_table_begins_with_the_position_which_stays_as_it_is(followed: Serving, folder: Path) -> None:
    umpire = player(followed, "0")
    assert units(umpire) == {"25/3": "40.20", "27/3": "40.20", "1/1": "41.19"}
    umpire.tap("3920 29/20")
    assert (folder / "Our game.pos").read_text() == LINES
    assert "never written" in followed.remarks[0]
    assert followed.room.table.startswith("our-game-")


def test_what_changes_in_the_file_comes_to_the_table_beside_what_was_entered(followed: Serving, folder: Path) -> None:
    umpire, russian = player(followed, "0"), player(followed, "1")
    umpire.tap("3920 29/20")
    (folder / "Our game.pos").write_text(LINES.replace(", 27/3 (10-?-5-10)", "") + "42.20: 27/3\n41.19 rough\n")
    take_in(followed)
    assert units(umpire) == {"25/3": "40.20", "27/3": "42.20", "1/1": "41.19", "29/20": "39.20"}
    assert units(russian)["27/3"] == "42.20"
    assert "rough" in str(russian.look()["ground"])


def test_what_changes_in_the_file_leaves_what_stands_there_and_the_open_combat(followed: Serving, folder: Path) -> None:
    umpire = player(followed, "0")
    umpire.tap("3920 29/20 10--5-10")
    assert umpire.tap("4119 <4020")["combat"]
    (folder / "Our game.pos").write_text(LINES.replace(", 27/3 (10-?-5-10)", "") + "39.20: 27/3\n")
    take_in(followed)
    assert units(umpire) == {"25/3": "40.20", "27/3": "39.20", "1/1": "41.19", "29/20": "39.20"}
    assert umpire.look()["combat"]


def test_table_goes_on_with_what_changed_meanwhile(followed: Serving, folder: Path) -> None:
    player(followed, "0").tap("3920 29/20")
    (folder / "Our game.pos").write_text(LINES.replace("41.19: 1/1", "41.20: 1/1"))
    again = serving_of(folder, str(folder / "Our game.pos"))
    assert units(player(again, "0")) == {"25/3": "40.20", "27/3": "40.20", "1/1": "41.20", "29/20": "39.20"}
    again.opened.close()


def test_file_that_cannot_be_read_leaves_the_table(followed: Serving, folder: Path) -> None:
    (folder / "Our game.pos").write_text(LINES + "41.19 clera\n")
    with pytest.raises(InputError, match="clera"):
        take_in(followed)
    assert len(units(player(followed, "0"))) == 3


@thorough
def test_what_is_saved_before_the_server_runs_and_after_a_mistake_is_taken_in(
    followed: Serving, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = list[str]()

    def fails_once(self: FollowedFile) -> Position:
        if not failed:
            failed.append(self.name)
            raise ZeroDivisionError
        return read(self)

    read = FollowedFile._read
    monkeypatch.setattr(FollowedFile, "_read", fails_once)
    (folder / "Our game.pos").write_text(LINES.replace("41.19: 1/1", "41.20: 1/1"))
    with running(followed) as address, httpx.Client(base_url=address) as client:
        umpire = player(followed, "0", client)
        until = time.monotonic() + 5
        while not failed and time.monotonic() < until:
            time.sleep(0.05)
        assert failed
        (folder / "Our game.pos").write_text(LINES.replace("41.19: 1/1", "41.21: 1/1"))
        while units(umpire)["1/1"] != "41.21" and time.monotonic() < until:
            time.sleep(0.1)
        assert units(umpire)["1/1"] == "41.21"
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_save_of_vassal_is_followed(folder: Path) -> None:
    from assistant.formats.vassal.saves import write_save
    from module_builder.vassal.setups import write_set_up
    from tests.assistant.formats.vassal.test_positions import SETTING

    position = parse(LINES)
    file = folder / "mail.vsav"
    file.write_bytes(write_save(write_set_up(SETTING, Position(SETTING.game, position.state)).save))
    serving = serving_of(folder, str(file))
    assert units(player(serving, "0"))["1/1"] == "41.19"
    serving.opened.close()


def test_newest_save_of_a_folder_is_followed(folder: Path) -> None:
    from assistant.formats.vassal.saves import write_save
    from module_builder.vassal.setups import write_set_up
    from tests.assistant.formats.vassal.test_positions import SETTING

    def save(name: str, lines: str, second: int) -> None:
        position = Position(SETTING.game, parse(lines).state)
        (saves / name).write_bytes(write_save(write_set_up(SETTING, position).save))
        os.utime(saves / name, (second, second))

    saves = folder / "evening"
    saves.mkdir()
    with pytest.raises(InputError, match="this folder has no save"):
        serving_of(folder, str(saves))
    (saves / "notes.txt").write_text("not a save")
    save("one.vsav", LINES, 1000)
    serving = serving_of(folder, str(saves))
    assert units(player(serving, "0"))["1/1"] == "41.19"
    save("two.vsav", LINES.replace("41.19: 1/1", "41.20: 1/1"), 2000)
    take_in(serving)
    assert units(player(serving, "0"))["1/1"] == "41.20"
    serving.opened.close()


def test_kept_table_of_the_prompt_is_followed(folder: Path) -> None:
    game = load_game(GAME)
    file = table_file(game.id)
    TableFile(file).keep(TableState(parse(LINES)))
    serving = serving_of(folder, str(file))
    assert units(player(serving, "0"))["1/1"] == "41.19"
    again = TableFile(file)
    again.read(load_game)
    again.keep(TableState(parse(LINES.replace("41.19", "41.20"))))
    take_in(serving)
    assert units(player(serving, "0"))["1/1"] == "41.20"
    serving.opened.close()


def test_position_of_another_game(folder: Path) -> None:
    with pytest.raises(InputError, match=f"the position is for {GAME}"):
        serving_of(folder, str(folder / "Our game.pos"), game=OPEN_GAME)


def test_journal_is_played_on(folder: Path) -> None:
    write(parse(LINES), folder / "x.pos")
    serving = serving_of(folder)
    player(serving, "0").tap("3920 29/20")
    serving.opened.close()
    journal = folder / "war.journal"
    journal.write_bytes((folder / "data/page" / f"{GAME}.journal").read_bytes())
    played = serving_of(folder, str(journal))
    assert units(player(played, "0")) == {"29/20": "39.20"}
    assert played.room.table == "war"
    played.opened.close()


def test_link_for_each_side_where_something_may_be_hidden() -> None:
    game = load_game(GAME)
    empty = parse(f"game {GAME}\n").state
    assert [(seat.side, seat.here) for seat in seats_of(game, empty)] == [
        ("", True), *((side, False) for side in game.file.sides), ("", False)
    ]  # fmt: skip
    books = load_game("der-weltkrieg")
    plain = parse("game der-weltkrieg\n").state
    assert not may_hide(books, plain)
    assert [(seat.side, seat.here) for seat in seats_of(books, plain)] == [("", True), ("", False)]
