"""The page on ready-made questions names each of their modules, and no other; and its examples of supply, word for word, where
it asks them nothing.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from assistant import rules
from assistant.game.games import Game
from assistant.testing import asked, game_in, typed
from module_builder.cli import cli as builder

from ...cases import few, seeds
from ...folders import written

PAGE = Path(__file__).parents[3] / "docs/making/readymade.md"
SOURCES = {"by radius": ("0401",), "by lines": tuple(f"01{row:02}" for row in range(1, 11))}
"""Where the lines of the Blue side begin, by the kind of supply, in the order in which the page has them."""
REGISTERS = """
from assistant import hookimpl


@hookimpl
def register_questions(game, register):
    register("supply", f"{__name__}.supply")
"""


@pytest.fixture(params=SOURCES)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def heath(tmp_path: Path, own_data: None, kind: str) -> Game:
    """The game of the page with one of its kinds of supply."""
    folder = tmp_path / "heath"
    assert CliRunner().invoke(builder, ["new", str(folder)]).exit_code == 0
    shown = re.findall(r"^\$ cat heath/(\w+\.py)\n(.*?)(?=^\$ |^```$)", PAGE.read_text("utf-8"), re.M | re.S)
    supplies = [text for name, text in shown if name == "supply.py"]
    assert len(supplies) == len(SOURCES)
    files = {"__init__.py": REGISTERS, "ground.py": dict(shown)["ground.py"]}
    written(folder, {**files, "supply.py": supplies[[*SOURCES].index(kind)]})
    return game_in(str(folder))


@few(6)
@pytest.mark.parametrize("seed", seeds(40))
def test_a_source_on_which_an_enemy_stands_supplies_nobody(heath: Game, kind: str, seed: int) -> None:
    chance, sources = Random(seed), SOURCES[kind]
    held = chance.sample(sources, chance.randrange(len(sources)) if seed % 2 else len(sources))
    guns = [f"{at}: red artillery Gun-{at} (2-2)" for at in held]  # which have no zone
    position = typed("\n".join(["board field", "0402: 1st", *guns]), heath)
    (unit,) = asked(position, "supply", side="blue").result.units
    assert unit.supplied is (len(held) < len(sources))
    assert not unit.line or unit.line[0] not in held


def test_the_table_of_modules_is_that_of_the_package() -> None:
    rows = [line.split("|")[1] for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| [`")]
    named = {name for row in rows for name in re.findall("`([a-z_]+)`", row) if " of " not in row}
    assert rules.__file__ is not None
    folder = Path(rules.__file__).parent
    packages = {path.parent.name for path in folder.glob("[a-z]*/__init__.py")} - {
        "field"
    }  # which has a page of its own
    assert named == {path.stem for path in folder.glob("[a-z]*.py")} | packages
