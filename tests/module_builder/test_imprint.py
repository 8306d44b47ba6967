"""What printed documents say of themselves: title, author, date; and their inks."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner

from module_builder.cli import cli
from module_builder.new import new_game

from ..press_profile import press_profile


@pytest.fixture
def drill(tmp_path: Path) -> Path:
    new_game(tmp_path / "drill")
    return tmp_path / "drill"


def run(*words: str | Path) -> str:
    done = CliRunner().invoke(cli, [str(word) for word in words])
    assert done.exit_code == 0, done.stderr
    return done.stdout


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    (tmp_path / "press.icc").write_bytes(press_profile())
    return tmp_path / "press.icc"


def about(file: Path) -> dict[str, str]:
    with pypdfium2.PdfDocument(file) as document:
        return dict(document.get_metadata_dict())


@pytest.mark.parametrize(
    ("command", "title"), [("sheets", "Drill: counters"), ("aids", "Drill: player aids"), ("board", "Drill: the field")]
)
def test_a_pdf_has_title_author_and_the_date_of_the_newest_file(drill: Path, command: str, title: str) -> None:
    text = (drill / "game.toml").read_text("utf-8")
    (drill / "game.toml").write_text(text.replace("about = ", 'author = "Jane Roe"\nabout = ', 1), "utf-8")
    for number, file in enumerate(sorted(drill.rglob("*"))):
        os.utime(file, (number, 1_000_000_000 if file.name == "roster.csv" else 900_000_000))
    out = drill.parent / "out.pdf"
    run(command, drill, "-o", out)
    said = about(out)
    assert said["Title"].startswith(title)
    assert (said["Author"], said["Creator"]) == ("Jane Roe", "Field Staff")
    assert said["CreationDate"] == "D:20010909014640+00'00'"


def test_the_same_files_make_the_same_bytes(drill: Path, profile: Path) -> None:
    first, second = drill.parent / "first.pdf", drill.parent / "second.pdf"
    for out in (first, second):
        run("sheets", drill, "-o", out, "--cmyk", "--profile", profile)
    assert first.read_bytes() == second.read_bytes()


def test_only_a_pdf_has_the_inks_of_a_press(drill: Path) -> None:
    for words in (("sheets", "--preview", "one.png"), ("aids", "--svg", "pages"), ("board", "-o", "one.svg")):
        done = CliRunner().invoke(cli, [words[0], str(drill), *words[1:], "--cmyk"])
        assert done.exit_code == 3
        assert "--cmyk: only a PDF has the inks of a press" in done.stderr


def test_the_date_is_that_of_the_newest_file_or_may_be_stated(drill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it the document would bear another date."""
    usual = os.scandir

    def scandir(folder: str) -> object:
        if Path(folder) == drill:
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(folder))
        return usual(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    done = CliRunner().invoke(cli, ["aids", str(drill), "-o", str(drill.parent / "out.pdf")])
    assert (done.exit_code, done.stderr) == (3, f"module-builder: {drill}: Input/output error\n  check that disk\n")
    assert not (drill.parent / "out.pdf").exists()
    out = drill.parent / "out.pdf"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    run("sheets", drill, "-o", out)
    assert about(out)["CreationDate"] == "D:19700102000000+00'00'"
    for wrong in ("soon", "-1", "9" * 15):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", wrong)
        done = CliRunner().invoke(cli, ["sheets", str(drill), "-o", str(out), "--force"])
        assert done.exit_code == 3
        assert f"SOURCE_DATE_EPOCH: '{wrong}' is not a time" in done.stderr
