"""What is made anew when a file of a game is saved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.game.games import read_game
from module_builder.counters.pictures import CounterWish, watch_drawing
from module_builder.new import new_game


def test_the_picture_is_drawn_anew_and_mistakes_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, picture = tmp_path / "drill", tmp_path / "all.png"
    new_game(folder)
    game, wish = read_game("drill", folder), CounterWish((), False, 60, 15.875, 0.0, "colour", True)

    def saved(_: Path, made: Path) -> Iterator[None]:
        assert made == picture
        yield None
        (folder / "counters.toml").write_text("[slots.name]\nsiez = 8")
        yield None
        (folder / "counters.toml").write_text("[slots.name]\nsize = 8")
        yield None

    monkeypatch.setattr("module_builder.counters.pictures.saves", saved)
    said = list(watch_drawing(game, wish, picture))
    assert [line.startswith(f"{picture}: 10 counters") for line in said] == [True, False, True]
    assert "unknown key" in said[1]
    assert picture.exists()
