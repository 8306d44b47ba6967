"""The README's session is what the program prints, and the documents that the program writes are up to date."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.formats.notation import read
from assistant.game.games import Game
from assistant.plugins.registry import load_game, questions_of
from assistant.questions.reference import reference

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a document's sessions with what it prints."""
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        yield from re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)


@pytest.mark.parametrize(("document", "least"), [("README.md", 5), ("docs/table.md", 1)])
def test_the_session_prints_what_it_says(document: str, least: int, tmp_path: Path) -> None:
    ran = 0
    shutil.copy(ROOT / "plugins/twilight_in_the_east/examples/comprehensive-example.vsav", tmp_path / "example.vsav")
    for command, printed in commands((ROOT / document).read_text("utf-8")):
        line, _, typed = command.partition(" < ")
        program, *words = shlex.split(line)
        if program == "cat":
            (tmp_path / words[0]).write_text(printed, "utf-8")
            continue
        assert program in ("assistant", "module-builder")
        done = subprocess.run(
            [sys.executable, "-m", program.replace("-", "_"), *words],
            cwd=tmp_path,
            env=os.environ | {"COLUMNS": "100", "FIELD_STAFF_DATA": str(tmp_path / "data")},
            input=(tmp_path / typed).read_text("utf-8") if typed else None,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout + done.stderr == printed, command
        ran += 1
    assert ran >= least


def test_the_first_paragraph_has_four_sentences() -> None:
    first = README.split("\n\n")[1]
    assert len(re.findall(r"[.](?:\s|$)", first)) == 4


def test_every_file_that_a_document_names_is_there() -> None:
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_the_reference_is_up_to_date(twilight: Game) -> None:
    written = (ROOT / "docs" / "reference" / "twilight-in-the-east.md").read_text("utf-8")
    assert "\n".join(reference(twilight, questions_of(twilight))) + "\n" == written, "run: make docs"


def test_the_positions_in_the_notation_reference_can_be_read() -> None:
    text = (ROOT / "docs" / "reference" / "notation.md").read_text("utf-8")
    blocks = [block for block in re.findall(r"```\n(.*?)```", text, re.DOTALL) if block.startswith("game")]
    assert blocks
    for block in blocks:
        assert read(block.encode(), "docs.pos", load_game).asks


@pytest.mark.parametrize(
    ("picture", "question", "position", "option"),
    [
        ("battle", "battle", "battle", "--picture"),
        ("supply", "supply", "supplied", "--picture"),
        ("chances", "battle", "battle-before", "--chart"),
    ],
)
def test_the_pictures_are_what_the_program_draws(
    picture: str, question: str, position: str, option: str, tmp_path: Path
) -> None:
    source = ROOT / "plugins" / "twilight_in_the_east" / "examples" / f"{position}.pos"
    drawn = tmp_path / "drawn.svg"
    command = [sys.executable, "-m", "assistant", question, str(source), option, str(drawn)]
    subprocess.run(command, check=True, capture_output=True)
    assert drawn.read_text("utf-8") == (ROOT / "docs" / f"{picture}.svg").read_text("utf-8"), "run: make docs"
