"""Aliases: a short name stands for a game's id wherever that may stand."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import assistant
from assistant.formats.notation import read_notation
from assistant.installed.check import examine_game
from assistant.installed.registry import aliases_of, installed_games, load_game, make_game_loader, named_game
from assistant.util.errors import InputError
from module_builder.new import new_game

from ...commands import run_command

ALIASES = [(alias, game) for game, entry in installed_games().items() for alias in aliases_of(entry)]


@pytest.mark.parametrize(("alias", "game"), ALIASES)
def test_an_alias_names_its_game(alias: str, game: str) -> None:
    known = load_game(game)
    assert alias in known.file.aliases
    assert (named_game(alias).id, load_game(alias).id) == (game, game)
    for loader in (load_game, make_game_loader(known), make_game_loader(named_game(alias))):
        assert read_notation(f"game {alias}\n".encode(), "a.pos", loader).game.id == game
    assert assistant.parse(f"game {alias}") == assistant.parse(f"game {game}")


@pytest.mark.parametrize(
    ("alias", "game"),
    [
        ("kwe", "kaisers-war-in-the-east"),
        ("wu", "world-undone-east-prussia-1914"),
        ("dw", "der-weltkrieg"),
        ("weltkrieg", "der-weltkrieg"),
        ("twilight", "twilight-in-the-east"),
    ],
)
def test_the_names_that_players_use(alias: str, game: str) -> None:
    assert (alias, game) in ALIASES


def test_no_two_games_share_a_name() -> None:
    names = Counter([*installed_games(), *(alias for alias, _ in ALIASES)])
    assert [name for name, count in names.items() if count > 1] == []


def test_a_game_in_a_folder_has_aliases_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "heath"
    new_game(folder)
    file = folder / "game.toml"
    file.write_text('aliases = ["moor"]\n' + file.read_text("utf-8"), "utf-8")
    heath = named_game(str(folder))
    assert read_notation(b"game moor\n", "a.pos", make_game_loader(heath)).game is heath
    with pytest.raises(InputError, match="not for heath|names heath"):
        read_notation(b"game kwe\n", "a.pos", make_game_loader(heath))


@pytest.mark.parametrize(
    ("alias", "fault"),
    [("kwe", "names kaisers-war-in-the-east already"), ("Not Valid", "is not a valid game id"), ("moor", "")],
)
def test_an_alias_that_may_not_be_is_a_fault(alias: str, fault: str, tmp_path: Path) -> None:
    folder = tmp_path / "heath"
    new_game(folder)
    file = folder / "game.toml"
    file.write_text(f'aliases = ["{alias}"]\n' + file.read_text("utf-8"), "utf-8")
    faults = [line for line in examine_game(str(folder)).faults.lines if "alias" in line]
    assert [f"the alias {alias!r} {fault}" in line for line in faults] == ([True] if fault else [])


@pytest.mark.parametrize(
    ("alias", "words"),
    [
        ("kwe", "rules {} 10.1"),
        ("wu", "questions {}"),
        ("dw", "reference {} morale"),
        ("weltkrieg", "schema {}"),
        ("twilight", "pack check {}"),
        ("kwe", "pack diff {}"),
        ("wu", "table {}"),
        ("kwe", "viewpoint {} allies"),
    ],
)
def test_a_command_takes_an_alias_as_it_takes_the_id(alias: str, words: str, tmp_path: Path) -> None:
    names = (alias, named_game(alias).id)
    by_alias, by_id = (run_command(tmp_path, *words.format(name).split(), data=tmp_path / name) for name in names)
    assert by_alias.returncode == by_id.returncode
    assert by_alias.returncode in (0, 1), by_alias
    said = re.sub(rf"\b{alias}\b", names[1], by_alias.stdout)
    assert said.split() == by_id.stdout.split()


def test_what_is_kept_under_an_alias_is_found_by_the_id(tmp_path: Path) -> None:
    id = named_game("kwe").id
    assert run_command(tmp_path, "viewpoint", "kwe", "allies", data=tmp_path).returncode == 0
    assert "allies" in run_command(tmp_path, "viewpoint", id, data=tmp_path).stdout
    assert run_command(tmp_path, "pack", "set", "kwe", "unit", "Ger-11", "attack", "3", data=tmp_path).returncode == 0
    assert [file.name for file in (tmp_path / "packs").iterdir()] == [id]
