"""The pictures of the handbook: what `make docs` draws can be read at the size at which a page shows it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.faces.cli.main import cli

from ..cases import few
from .reading_sizes import sizes_on_page, too_small

ROOT = Path(__file__).parents[2]
DRAWN = "docs/pictures/"
OPENED = {
    "reach": "its smallest signs lack half a point",
    "reach-gumbinnen": "a third of East Prussia",
    "story-strip": "five maps of a theatre side by side",
}
"""What can be read only once a click opens it, each with why."""


def commands() -> dict[str, list[str]]:
    """The commands of `make docs` that draw answers, by the name of their picture."""
    recipe = (ROOT / "Makefile").read_text("utf-8").partition("\ndocs: ")[2].partition("\n\n")[0].replace("\\\n", " ")
    drawn = [line for line in recipe.splitlines() if "$(BIN)/assistant " in line and DRAWN in line]
    words = [shlex.split(line.partition("$(BIN)/assistant ")[2].partition(" > ")[0]) for line in drawn]
    return {Path(next(word for word in some if word.startswith(DRAWN))).stem: some for some in words}


@few(2)
@pytest.mark.parametrize("name", commands())
def test_pictures_of_the_handbook_can_be_read_where_they_are_shown(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    target = tmp_path / f"{name}.svg"
    words = [str(target) if word.startswith(DRAWN) else word for word in commands()[name]]
    assert CliRunner().invoke(cli, words).exit_code == 0
    svg = target.read_text("utf-8")
    assert len([*sizes_on_page(svg)]) > 10
    assert bool(too_small(svg)) == (name in OPENED), too_small(svg)


def test_pictures_of_a_stated_width_can_be_read_at_it() -> None:
    """In pixels of 96 to the inch, as a forge and the site show them."""
    stated = re.findall(r'<img src="([^"]+[.]svg)" width="([0-9]+)"', (ROOT / "README.md").read_text("utf-8"))
    assert stated
    for file, width in stated:
        assert too_small((ROOT / file).read_text("utf-8"), width=int(width) / 96 * 25.4) == []


def test_each_picture_is_a_picture_of_a_page() -> None:
    """None is drawn that no page shows, and a page shows none that is not there."""
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    shown = {
        name for page in pages for name in re.findall(r"pictures/([\w-]+)\.(?:png|svg)[)\"]", page.read_text("utf-8"))
    }
    assert shown == {file.stem for file in (ROOT / DRAWN).iterdir()}
    assert OPENED.keys() <= commands().keys() <= shown
