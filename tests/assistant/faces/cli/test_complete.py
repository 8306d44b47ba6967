"""What a question needs of a drawn map, typed fact by fact."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from assistant.asking.asks import ask_for_fact
from assistant.faces.cli.packs import enter_drawn
from assistant.game.games import Game
from assistant.game.packs import Pack

RAILS = ("58.50|58.51", "58.51|58.52")


@pytest.mark.parametrize(
    ("lines", "kept", "left_out"),
    [
        (["="], ["58.50|58.51 rail2", "58.51|58.52 rail2", "68.35 rough"], []),
        (["", "=", "rail1"], ["58.50|58.51 rail2", "58.51|58.52 rail1", "68.35 rough"], []),
        (["", "", "no-rail"], ["58.51|58.52 no-rail", "68.35 rough"], ["58.50|58.51"]),
        (["", "=", "forest"], ["58.50|58.51 rail2", "68.35 rough"], []),
    ],
)
def test_what_is_typed_is_kept(
    lines: list[str],
    kept: list[str],
    left_out: list[str],
    twilight: Game,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pack = Pack(twilight, tmp_path)
    asks = [msgspec.structs.replace(ask_for_fact(twilight.track("rail"), side), drawn="rail2") for side in RAILS]
    asks.append(msgspec.structs.replace(ask_for_fact(twilight.track("terrain"), "68.35"), drawn="clear"))
    typed = iter([*lines, "rough"])
    prompts: list[str] = []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return next(typed)

    assert [one.key[1] for one in enter_drawn(pack, "east", asks, ask)] == left_out
    assert (tmp_path / "map.lines").read_text("utf-8").splitlines() == kept
    assert prompts[0].startswith("RR line, 2 times drawn as rail2 (58.50|58.51, 58.51|58.52 no-rail|")
    assert prompts[0].endswith("; = if all are, an empty line to be asked one by one)> ")
    assert prompts[-1].startswith("terrain of 68.35, drawn as clear (68.35 clear|")
    assert ("'forest' is not allowed" in capsys.readouterr().out) == ("forest" in lines)


def test_nothing_more_is_asked_for_once_it_is_stopped(twilight: Game, tmp_path: Path) -> None:
    asked = msgspec.structs.replace(ask_for_fact(twilight.track("terrain"), "68.35"), drawn="clear")
    assert list(enter_drawn(Pack(twilight, tmp_path), "east", [asked], lambda prompt: None)) == []
    assert not (tmp_path / "map.lines").exists()
