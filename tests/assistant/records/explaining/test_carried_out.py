"""A log that an answer was carried out in is explained and told, whatever the answer accepted beyond what the save states."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from assistant import read
from assistant.faces.cli.main import cli
from assistant.formats.vassal.saves import write_save
from assistant.installed.registry import load_game
from module_builder.vassal.setups import write_set_up
from tests.assistant.formats.vassal.test_positions import setting_of
from tests.cases import few

PLUGINS = Path(__file__).parents[4] / "plugins"
BATTLES = [
    PLUGINS / name
    for name in (
        "twilight_in_the_east/examples/battle-before.pos",
        "twilight_in_the_east/examples/gumbinnen.pos",
        "kaisers_war_in_the_east/examples/lemberg.pos",
        "world_undone_east_prussia/examples/battle.pos",
    )
]
"""The examples with a battle whose units have counters in their module."""
ACCEPTED = ("--reconstruction", "--accept", "illustrative", "--accept", "drawn")


def save_of(example: Path, folder: Path) -> Path:
    """A save of an example that accepts nothing and in which nothing has been answered."""
    position = read(example)
    bare = position.with_state(msgspec.structs.replace(position.state, accepts=frozenset()))
    save = write_set_up(setting_of(load_game(position.game.id)), msgspec.structs.replace(bare, answers={})).save
    file = folder / "battle.vsav"
    file.write_bytes(write_save(save))
    return file


def run(*words: object, refused: bool = False) -> Result:
    """A command. refused: whether it may be."""
    done = CliRunner().invoke(cli, [str(word) for word in words])
    assert refused or done.exit_code in (0, 4), done.stderr
    return done


def play(save: Path, random: Random) -> Mapping[str, str]:
    """Dice and choices until nothing is owed; others where they lead to ground that the save does not state."""
    answers: dict[str, str] = {}
    while asks := asked(save, answers):
        if any(ask["kind"] not in ("roll", "choice") for ask in asks):
            answers = {}
        else:
            answers[asks[0]["name"]] = answer_of(asks[0], random)
    return answers


def asked(save: Path, answers: Mapping[str, str]) -> list[Any]:
    """What a battle asks for after some answers."""
    report = json.loads(run("battle", save, "--json", "--umpire", *ACCEPTED, "--answers", json.dumps(answers)).stdout)
    asks: list[Any] = report["asks"]
    return asks


def answer_of(ask: Any, random: Random) -> str:
    if ask["kind"] == "choice":
        return str(random.choice(ask["options"]))
    count, _, sides = ask["dice"].partition("d")
    return "+".join(str(random.randint(1, int(sides))) for _ in range(int(count)))


@pytest.mark.usefixtures("own_data")
@few(1)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("example", BATTLES, ids=[f"{file.parts[-3]} {file.stem}" for file in BATTLES])
def test_log_that_a_battle_was_carried_out_in_is_explained_and_told(example: Path, seed: int, tmp_path: Path) -> None:
    save, log, random = save_of(example, tmp_path), tmp_path / "battle.vlog", Random(seed)
    while not log.exists():  # some losses take counters that the module lacks
        answers = json.dumps(play(save, random))
        run("battle", save, "--umpire", *ACCEPTED, "--answers", answers, "--after", log, refused=True)
    explained = run("explain", log, "--umpire", "--json").stdout
    [battle] = json.loads(explained)["explained"]
    assert battle["report"]["verdict"]["kind"] != "undecided"
    assert not battle["report"]["asks"]
    assert explained == run("explain", log, "--umpire", "--json", *ACCEPTED).stdout
    assert run("story", log, "--umpire").stdout == run("story", log, "--umpire", *ACCEPTED).stdout
