"""The command `sheets`: what it writes and what it refuses; with `--watch`, how it draws again what is saved."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from assistant.game.games import Game
from module_builder.counters.pieces import Counter, design_counters
from module_builder.new import new_game
from module_builder.sheets.sizes import format_die, parse_die, parse_offset

from ...cases import thorough
from ..test_cli import heath, here, refused, run

__all__ = ["heath"]


def test_a_game_or_one_lost_counter_becomes_a_pdf(heath: Game) -> None:
    done = run("sheets", "heath")
    assert (done.exit_code, done.output) == (0, "heath-sheets.pdf: 11 counters on 2 pages, plan included\n")
    assert here() == ["heath-sheets.pdf"]
    with pypdfium2.PdfDocument("heath-sheets.pdf") as document:
        plan = document[1].get_textpage().get_text_bounded()
        assert "A Rams, Ewes, Wolves" in plan.replace("\r\n", " ")
        foot = document[0].get_textpage().get_text_bounded()
        assert "Heath, page 1 of 1: fronts above the fold, backs below" in foot
        assert "50 mm at 100 %" in foot
    done = run("sheets", "heath", "--only", "Rams", "-o", "rams.pdf")
    assert done.output == "rams.pdf: 1 counter on 1 page\n"
    again = run("sheets", "heath", "--only", "Rams", "--only", "Rams", "-o", "two.pdf")
    assert again.output == "two.pdf: 2 counters on 1 page\n"


def test_the_plan_marks_made_up_values_and_names_markers_by_their_words(tmp_path: Path) -> None:
    target = tmp_path / "sheets.pdf"
    assert run("sheets", "twilight-in-the-east", "-o", str(target)).exit_code == 0
    with pypdfium2.PdfDocument(target) as document:
        plan = document[len(document) - 1].get_textpage().get_text_bounded().replace("\r\n", " ")
    assert "* marks values that are made up or assumed." in plan
    assert "1/1*, German 1 Train*" in plan
    assert "35 r, Wz/GZ" in plan  # of which nothing is made up
    assert "8 of Steps lost \u22121 / \u22122" in plan
    assert "10 of Control Central P. / Russian" in plan


@pytest.mark.parametrize("fold", ["gutter", "long-edge", "short-edge", "labels"])
@pytest.mark.parametrize("paper", ["A4", "letter"])
def test_each_fold_and_paper(heath: Game, fold: str, paper: str) -> None:
    done = run("sheets", "heath", "--fold", fold, "--paper", paper, "--die", "1/2", "--low-ink", "-o", "made.pdf")
    assert done.exit_code == 0
    with pypdfium2.PdfDocument("made.pdf") as document:
        assert len(document) == (2 if fold == "gutter" else 3)


def test_the_test_page_shows_its_offset(heath: Game) -> None:
    done = run("sheets", "heath", "--test-page", "--fold", "short-edge")
    assert "turned over the short edge" in done.output
    with pypdfium2.PdfDocument("heath-test-page.pdf") as document:
        assert len(document) == 2
        assert "--offset X,Y" in document[1].get_textpage().get_text_bounded()
        plain = document[1].render(scale=1).to_pil().tobytes()
    assert run("sheets", "heath", "--test-page", "--fold", "short-edge", "--offset", "2,1", "--force").exit_code == 0
    with pypdfium2.PdfDocument("heath-test-page.pdf") as document:
        assert document[1].render(scale=1).to_pil().tobytes() != plain


def test_a_preview_is_the_first_page_as_a_picture(heath: Game) -> None:
    done = run("sheets", "heath", "--preview", "page.png")
    assert done.output == "page.png: the first page of 11 counters on 2 pages, plan included\n"
    with Image.open("page.png") as picture:
        assert picture.size == (909, 1286)  # A4 at 110 dpi


# --- for print services ---


def test_a_print_service_gets_each_side_with_its_bleed_and_resolution(heath: Game) -> None:
    done = run("sheets", "heath", "--export", "made", "--dpi", "600")
    assert done.output == "made: 22 pictures of 11 counters, 600 dpi\n"
    for file in Path("made").iterdir():
        with Image.open(io.BytesIO(file.read_bytes())) as picture:
            picture.load()
            assert picture.size == (517, 517)  # 15.875 mm and twice 3
            assert [round(length) for length in picture.info["dpi"]] == [600, 600]
            corners = {picture.getpixel((x, y)) for x in (0, 516) for y in (0, 516)}
            assert len(corners) == 1  # bleed all round, no mark


def test_pictures_of_an_earlier_run_are_named(heath: Game) -> None:
    assert "also holds" not in run("sheets", "heath", "--export", "made", "--slug", "4x3").output
    done = run("sheets", "heath", "--export", "made")
    assert done.exit_code == 0
    assert "made also holds slug-01-back.png and" in done.output


def test_slugs_hold_counters_side_by_side_with_their_backs_mirrored(heath: Game) -> None:
    done = run("sheets", "heath", "--export", "made", "--slug", "2x1", "--bleed", "2")
    assert done.output == "made: 12 pictures of 11 counters, 300 dpi\n"
    sides = [f"slug-{number:02}-{side}.png" for number in range(1, 7) for side in ("back", "front")]
    assert sorted(file.name for file in Path("made").iterdir()) == sides
    with Image.open("made/slug-01-front.png") as picture:
        assert picture.size == (round((2 * 15.875 + 4) / 25.4 * 300), round((15.875 + 4) / 25.4 * 300))
        assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.1)
    with Image.open("made/slug-06-front.png") as front, Image.open("made/slug-06-back.png") as back:
        white = (255, 255, 255)
        assert front.convert("RGB").getpixel((front.width - 5, 100)) == white  # one counter, at the left
        assert back.convert("RGB").getpixel((5, 100)) == white  # and its back at the right


# --- sizes ---


def test_dies_have_the_names_that_players_use() -> None:
    assert [parse_die(name) for name in ("1/2", '5/8"', "0.6", "0.6in", ".6", "15mm", "18.5 mm")] == pytest.approx(
        [12.7, 15.875, 15.24, 15.24, 15.24, 15, 18.5]
    )
    assert [format_die(parse_die(name)) for name in ("9/16", "15mm")] == ["9/16 in (14.3 mm)", "15 mm"]
    assert parse_offset(" -0.5, +1.25 ") == (-0.5, 1.25)


# --- bad input ---


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--paper", "a5"), ("--paper: unknown paper 'a5'", "known: a4, a3, letter")),
        (("--die", "5/7"), ("--die: unknown die '5/7'", "nearest known: 5/8")),
        (("--die", "huge"), ("--die: unknown die 'huge'", "or a length such as 18mm")),
        (("--die", "1"), ("--die: unknown die '1'", "1/2")),
        (("--die", "900mm"), ("--die: a counter of 900.0 mm cannot be made", "from 8 to 120 mm")),
        (
            ("--die", "120mm", "--paper", "letter"),
            ("--die: a counter of 120 mm does not fit on Letter", "a smaller die"),
        ),
        (("--only", "Rama"), ("--only: unknown counter 'Rama'", "Rams")),
        (("--bleed", "0.5"), ("--bleed: a bleed of 0.5 mm", "from 1.5 to 6 mm")),
        (("--bleed", "nan"), ("--bleed: a bleed of nan mm", "from 1.5 to 6 mm")),
        (("--fold", "long-edge", "--offset", "1;2"), ("--offset: '1;2' is not an offset", "0.5,-1")),
        (("--fold", "long-edge", "--offset", "99,0"), ("--offset: no printer is off by 99 mm", "at most 10 mm")),
        (("--offset", "1,1"), ("--offset: --fold gutter prints on one side", "long-edge")),
        (("--slug", "9x9"), ("--slug: it is for pictures for a print service", "add --export FOLDER")),
        (("--dpi", "600"), ("--dpi: it is for pictures for a print service", "add --export FOLDER")),
        (("--test-page", "--watch"), ("--watch: the test page does not change", "leave one of the two out")),
        (("--export", "made", "--slug", "0x9"), ("--slug: '0x9' is not a slug", "12x7")),
        (("--export", "made", "--svg", "made"), ("--svg or --export", "run the command twice")),
        (("--test-page", "--preview", "page.png"), ("--test-page", "name it with -o")),
        (("--svg", "page.svg"), ("--svg: page.svg is the name of a file", "name a folder")),
        (("--preview", "page.jpg"), ("--preview: page.jpg is not the name of a PNG", "NAME.png")),
        (("--out", "sheets.png"), ("--out: sheets.png is not the name of a PDF", "NAME.pdf")),
    ],
)
def test_bad_options_are_told_and_nothing_is_written(
    heath: Game, words: tuple[str, ...], said: tuple[str, ...]
) -> None:
    refused(run("sheets", "heath", *words), *said)
    assert here() == []


def test_more_counters_than_anyone_cuts_are_refused(heath: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def many(game: Game, *_: object, open_backs: bool) -> list[Counter]:
        return [counter._replace(count=10**9) for counter in design_counters(game)]

    monkeypatch.setattr("module_builder.sheets.pages.counters_and_markers", many)
    refused(run("sheets", "heath"), "counters are too many for sheets", "at most 20,000")
    assert here() == []


def test_a_folder_that_is_there_is_not_watched_into(heath: Game) -> None:
    Path("pages").mkdir()
    refused(
        run("sheets", "heath", "--svg", "pages", "--watch"), "--watch: pages is there already", "--force overwrites"
    )


def test_an_existing_file_is_kept(heath: Game) -> None:
    Path("heath-sheets.pdf").write_bytes(b"mine")
    refused(run("sheets", "heath"), "heath-sheets.pdf: the file already exists", "--force overwrites it")
    assert Path("heath-sheets.pdf").read_bytes() == b"mine"
    assert run("sheets", "heath", "--force").exit_code == 0


def test_a_folder_that_cannot_be_written_is_told(heath: Game) -> None:
    Path("taken").write_bytes(b"")
    refused(run("sheets", "heath", "-o", "taken/sheets.pdf"), "taken")
    refused(run("sheets", "heath", "--export", "taken"), "taken")
    refused(run("sheets", "heath", "--svg", "taken"), "taken")
    refused(run("sheets", "heath", "-o", "nowhere/sheets.pdf"), "nowhere")
    assert here() == ["taken"]


@thorough
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_command_goes_on_until_it_is_interrupted(tmp_path: Path) -> None:
    new_game(tmp_path / "heath")
    command = [sys.executable, "-m", "module_builder", "sheets", "heath", "--watch", "-o", "made.pdf"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, bufsize=1, preexec_fn=interruptible
    ) as process:
        assert process.stdout is not None
        seen = threading.Event()
        patience = threading.Timer(120, process.kill)  # it never hangs the run
        patience.start()
        try:
            lines = iter(process.stdout.readline, "")
            assert next(lines).startswith("watching ")
            assert next(lines).startswith("made.pdf: ")
            first = (tmp_path / "made.pdf").read_bytes()
            (roster,) = (tmp_path / "heath").rglob("roster*.csv")
            rows = roster.read_text("utf-8").splitlines()
            roster.write_text("\n".join([*rows, rows[-1].replace(rows[-1].split(",")[0], "Late arrivals", 1)]) + "\n")
            threading.Thread(target=saved_again, args=(roster, seen), daemon=True).start()
            assert next(lines).startswith("made.pdf: ")
            assert (tmp_path / "made.pdf").read_bytes() != first
            os.kill(process.pid, signal.SIGINT)
            process.wait(30)
        finally:
            seen.set()
            process.kill()
            patience.cancel()


def interruptible() -> None:
    """Whoever runs the tests in the background has interrupts ignored, and what they start would go on for ever."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def saved_again(file: Path, seen: threading.Event) -> None:
    """Saves a file again every other second until that is seen: a save in the very moment of the first drawing may be missed."""
    while not seen.wait(2):
        file.touch()
