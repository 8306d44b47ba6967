"""A picture that is drawn anew when a file is saved."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from assistant.game.games import read_game
from module_builder.counters.drawing import Wish, watched
from module_builder.counters.watch import changes
from module_builder.new import new_game


def test_a_saved_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text("a")
    later = iter(
        [lambda: None, lambda: (tmp_path / "one.toml").write_text("ab"), lambda: (tmp_path / "two").write_text("b")]
    )
    found = islice(changes(tmp_path, lambda seconds: next(later)()), 2)
    assert list(found) == [["one.toml"], ["two"]]


def test_the_picture_is_drawn_anew_and_mistakes_are_said(tmp_path: Path) -> None:
    folder, picture = tmp_path / "drill", tmp_path / "all.png"
    new_game(folder)
    game, wish = read_game("drill", folder), Wish((), False, 60, 15.875, 0.0, "colour", True)

    def saved(_: Path) -> Iterator[list[str]]:
        yield ["roster.csv"]
        (folder / "counters.toml").write_text("[slots.name]\nsiez = 8")
        yield ["counters.toml"]
        (folder / "counters.toml").write_text("[slots.name]\nsize = 8")
        yield ["counters.toml"]

    said = list(watched(game, wish, picture, saved))
    assert [line.startswith(f"{picture}: 10 counters") for line in said] == [True, False, True]
    assert "unknown key" in said[1]
    assert picture.exists()
