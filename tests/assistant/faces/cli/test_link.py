"""`assistant link`: what it prints, and the QR code."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.drawing import qr

from ....commands import run_command

POSITION = "game twilight-in-the-east\nturn=1\n40.20: 25/3\n"
PAGE = "https://example.org/table/"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "x.pos").write_text(POSITION)
    return tmp_path


def test_the_link_alone_is_on_standard_output(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run_command(folder, "link", "x.pos", "--page", PAGE)
    address, end = done.stdout.split("\n")
    assert address.startswith(f"{PAGE}#fs1.") and end == ""
    assert done.stderr.startswith("You see both sides.")
    alone = run_command(folder, "link", "x.pos", "--umpire")
    assert alone.stdout.startswith("#fs1.") and alone.stderr == "to be put after the address of a page:\n"
    monkeypatch.setenv("FIELD_STAFF_PAGE", PAGE)
    assert run_command(folder, "link", "x.pos").stdout == done.stdout


def test_whose_knowledge_it_is_and_what_is_left_out(folder: Path) -> None:
    (folder / "x.pos").write_text(f"{POSITION}ask stack at=40.20\nchart crt summer 1:1 7 = +1 / -\n")
    done = run_command(folder, "link", "x.pos", "--page", PAGE, "--as", "russian")
    assert done.stderr.splitlines() == [
        "You see what the Russian side knows.",
        "left out: questions and answers: their author may have known more than this side",
        "left out: 1 chart cell, which stay with the owner of the chart",
    ]


@pytest.mark.parametrize("page", ["", PAGE])
def test_a_link_stands_where_a_position_may_be_named(folder: Path, page: str) -> None:
    text = "game twilight-in-the-east\n40.20: 25/3\nturn=1\nask stack at=40.20\n"
    (folder / "x.pos").write_text(text)
    link = page + run_command(folder, "link", "x.pos").stdout.strip()
    asked = run_command(folder, "stack", "x.pos")
    assert asked.stdout
    assert run_command(folder, "stack", link) == asked
    assert run_command(folder, "stack", "-", typed=f"{link}\n") == asked
    assert run_command(folder, "convert", link, "--notation").stdout == text
    assert "at the table" in run_command(folder, "table", link, data=folder / "data").stdout


def test_a_damaged_link_is_named_in_few_words(folder: Path) -> None:
    link = run_command(folder, "link", "x.pos").stdout.strip()
    for words in (("check",), ("table",), ("check", "--watch")):
        done = run_command(folder, *words, f"{PAGE}{link[:-3]}")
        assert done.returncode == 3
        assert "this link is damaged, or a part of it is missing" in done.stderr
        assert link[:-3] not in done.stderr


# --- QR codes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ending", "begin"), [(".svg", b"<svg "), (".PNG", b"\x89PNG")])
def test_a_qr_code_in_a_file(folder: Path, ending: str, begin: bytes) -> None:
    words = ("link", "x.pos", "--page", PAGE, "--qr", f"x{ending}")
    done = run_command(folder, *words)
    data = (folder / f"x{ending}").read_bytes()
    assert data.startswith(begin)
    assert data == qr.qr_code(done.stdout.strip()).draw(ending.lower())
    assert "exists" in run_command(folder, *words).stderr
    assert run_command(folder, *words, "--force").returncode == 0


def test_a_qr_code_in_the_terminal(folder: Path) -> None:
    done = run_command(folder, "link", "x.pos", "--page", PAGE, "--qr", "-")
    address, *rows = done.stdout.splitlines()
    assert rows == qr.qr_code(address).in_letters()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--page", PAGE, "--qr", "x.gif"), "--qr: x.gif is not a picture file for a QR code"),
        (("--page", PAGE, "--qr", "no/x.png"), "no/x.png: not written: No such file or directory"),
        (("--qr", "x.png"), "--page: a phone needs the address of the page in the QR code"),
        (("--page", f"{PAGE}#top"), "--page: 'https://example.org/table/#top' is not the address of a page"),
        (("--page", "my page"), "--page: 'my page' is not the address of a page"),
    ],
)
def test_what_is_refused(folder: Path, words: tuple[str, ...], said: str) -> None:
    done = run_command(folder, "link", "x.pos", *words)
    assert (done.returncode, done.stdout) == (3, "")
    assert said in done.stderr
