"""The columns that `threat` prints are in its JSON, in each example of each game with combats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import assistant
from assistant.asking.schemas import as_plain
from assistant.installed.registry import load_game

from ..cases import few
from ..conftest import answered

SIDES = [
    pytest.param(file, side, id=f"{file.parent.parent.name}/{file.name} {side}")
    for game in ("kaisers-war-in-the-east", "twilight-in-the-east", "world-undone-east-prussia-1914")
    for file in sorted(Path(str(load_game(game).folder), "examples").glob("*.pos"))
    for side in load_game(game).file.sides
]


def printed_columns(plain: Any, at: str) -> tuple[list[str], list[str]]:
    """The columns that the working prints of the attacks on a hex: of the attacks themselves, and the smallest in each."""
    steps = [step["figures"] for part in plain["parts"] if part["title"].endswith(f". {at}") for step in part["steps"]]
    attacks = [str(figures["column"]) for figures in steps if "column" in figures]
    return attacks, [line.split(": ")[0] for figures in steps for line in figures.get("columns", ())]


@few(8)
@pytest.mark.parametrize(("file", "side"), SIDES)
def test_each_column_that_is_printed_is_in_json(file: Path, side: str) -> None:
    read = assistant.read(file)
    report = answered(msgspec.structs.replace(read, asks=(), answers={}), "threat", side=side)
    plain = as_plain(report)
    if plain["result"] is None:
        return
    for hex in plain["result"]["hexes"]:
        attacks, smallest = printed_columns(plain, hex["at"])
        reached = [column["column"] for column in hex["columns"]]
        coming = [hex["coming"]["column"]] if hex["coming"] else []
        assert sorted(reached) == sorted(smallest)
        assert bool(reached) is bool(hex["standing"])
        assert {*attacks} <= {*reached, *coming} and bool(attacks) is bool(reached or coming)


def test_an_example_that_prints_columns() -> None:
    """The property above says nothing of an answer without any."""
    read = assistant.read(Path(str(load_game("world-undone-east-prussia-1914").folder), "examples/threat.pos"))
    plain = as_plain(answered(msgspec.structs.replace(read, asks=(), answers={}), "threat", side="russian"))
    assert printed_columns(plain, "1932") == (["4:1"], ["4:1", "3:1", "2:1", "1:1"])
