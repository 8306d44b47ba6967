"""The command `aids`: what it writes, measured on the PDF, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from lxml import etree
from PIL import Image

from ...cases import few
from ...pages import ROOT
from ..test_cli import here, refused, run
from .moor import FILES, MILLIMETRE, letters, moor, words_of

ALL = "turn-track, sequence, checklist, charts, terrain-key, armies, records"
KNOWN = "turn-track, sequence, checklist, charts, terrain-key, counter, armies, records, roster, answers, turn-sheet"
TWILIGHT = "twilight-in-the-east"
MARGIN = 10.0
LEAST = 7.0


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of the game; commands run in an empty folder."""
    moor(tmp_path / "moor")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return str(tmp_path / "moor")


def test_a_game_becomes_a_pdf_with_a_bookmark_for_each_card(game: str) -> None:
    done = run("aids", game)
    assert (done.exit_code, done.output) == (0, f"moor-aids.pdf: {ALL} on 4 pages\n")
    assert here() == ["moor-aids.pdf"]
    with pypdfium2.PdfDocument("moor-aids.pdf") as document:
        assert document.get_metadata_value("Title") == "Moor: player aids"
        titles = [entry.get_title() for entry in document.get_toc()]
        places = [entry.get_dest().get_index() for entry in document.get_toc()]
        assert titles[0] == "Turn track" and places == sorted(places)
        others = {"Checklist: Blue", "Checklist: Red", "Charts", "Terrain key", "Army displays", "Record tracks"}
        assert {*titles[1:]} == {"Sequence of play"} | others
        for title, place in zip(titles, places, strict=True):
            assert title in words_of(document[place])


@few(1)
@pytest.mark.parametrize("options", [(), ("--low-ink",), ("--die", "1/2"), ("--die", "40mm"), ("--reconstruction",)])
@pytest.mark.parametrize(("paper", "size"), [("a4", (210, 297)), ("letter", (215.9, 279.4))])
@pytest.mark.parametrize("named", ["moor", TWILIGHT])
def test_every_letter_is_inside_the_margins_and_large_enough(
    game: str, named: str, paper: str, size: tuple[float, float], options: tuple[str, ...]
) -> None:
    assert run("aids", game if named == "moor" else named, "--paper", paper, "-o", "a.pdf", *options).exit_code == 0
    with pypdfium2.PdfDocument("a.pdf") as document:
        for number, page in enumerate(document, 1):
            wide, high = (length / MILLIMETRE for length in page.get_size())
            assert sorted((wide, high)) == pytest.approx(sorted(size), abs=0.01)
            for letter in letters(page):
                assert letter.size >= LEAST - 0.01, number
                assert letter.left >= MARGIN - 0.1 and letter.right <= wide - MARGIN + 0.1, number
                assert letter.top >= MARGIN - 0.1 and letter.bottom <= high - MARGIN + 0.1, number


def test_a_pdf_is_the_same_each_time_and_embeds_its_fonts(game: str) -> None:
    for name in ("one.pdf", "two.pdf"):
        assert run("aids", game, "-o", name).exit_code == 0
    assert Path("one.pdf").read_bytes() == Path("two.pdf").read_bytes()
    assert run("aids", game, "-o", "a.pdf").exit_code == 0
    data = Path("a.pdf").read_bytes()
    assert b"/FontFile2" in data
    assert b"/Subtype /Image" not in data


def test_some_cards_alone_in_the_order_of_the_set(game: str) -> None:
    done = run("aids", game, "--only", "records,turn-track", "--only", "charts")
    assert done.output == "moor-aids.pdf: turn-track, charts, records on 2 pages\n"
    done = run("aids", game, "--only", "turn-track, checklist", "--force")
    assert done.output.startswith("moor-aids.pdf: turn-track, checklist on ")


def test_pages_as_svg_and_the_first_one_as_a_picture(game: str) -> None:
    assert run("aids", game, "--svg", "pages", "--only", "turn-track,checklist,armies").exit_code == 0
    names = [file.name for file in sorted(Path("pages").iterdir())]
    assert names == ["page-01-turn-track.svg", "page-02-armies.svg"]
    sizes = [etree.parse(f"pages/{name}").getroot().get("width") for name in names]
    assert sizes == ["210mm", "297mm"]
    done = run("aids", game, "--preview", "page.png", "--only", "checklist")
    assert done.output == "page.png: the first page of checklist on 1 page\n"
    with Image.open("page.png") as picture:
        assert picture.size == (909, 1286)  # A4 at 110 dpi


def test_one_side_or_nation_has_its_own_set(game: str) -> None:
    said = {}
    for who in (["--side", "red"], ["--nation", "crimson"], ["--side", "blue"]):
        assert run("aids", game, "-o", "a.pdf", "--force", *who).exit_code == 0
        with pypdfium2.PdfDocument("a.pdf") as document:
            said[who[-1]] = " ".join(map(words_of, document))
    crimson, blood_red, blue = "the crimson guard", "the blood-red guard", "the blue guard"
    assert crimson in said["red"] and blood_red in said["red"] and blue not in said["red"]
    assert crimson in said["crimson"] and blood_red not in said["crimson"] and blue not in said["crimson"]
    assert blue in said["blue"] and crimson not in said["blue"]
    assert all("The bog rises" in text for text in said.values())
    assert "Checklist: Red" in said["red"] and "Checklist: Blue" not in said["red"]
    assert "Points: Crimson" in said["red"] and "Points: Blue" not in said["red"]
    assert "Crimson First Army" in said["crimson"] and "Blue Second Army" not in said["crimson"]


@pytest.mark.parametrize(
    ("options", "what", "hint"),
    [
        (
            ["--only", "turn-trak"],
            "--only: unknown card 'turn-trak'",
            f"nearest known: turn-sheet, turn-track; all: {KNOWN}",
        ),
        (["--only", "map"], "--only: unknown card 'map'", KNOWN),
        (["--side", "rd"], "--side: unknown side 'rd'", "nearest known: red"),
        (["--nation", "crimsn"], "--nation: unknown nation 'crimsn'", "nearest known: crimson"),
        (["--side", "blue", "--nation", "crimson"], "--nation: crimson is not a nation of blue", "of blue: blue"),
        (["--paper", "a5"], "--paper: unknown paper 'a5'", "known: a4, a3, letter"),
        (["--die", "9"], "--die: unknown die '9'", "9/16"),
        (["-o", "a.txt"], "--out: a.txt is not the name of a PDF", "name it NAME.pdf"),
        (["--preview", "a.pdf"], "--preview: a.pdf is not the name of a PNG", "name it NAME.png"),
        (["--svg", "a.svg"], "--svg: a.svg is the name of a file", "name a folder"),
        (["--svg", "a", "-o", "a.pdf"], "only one of these at a time: --out or --svg", "run the command twice"),
        (["--die", "41mm"], "--die: a counter of 41 mm does not fit", "a smaller die"),
    ],
)
def test_what_cannot_be_made_is_refused(game: str, options: list[str], what: str, hint: str) -> None:
    refused(run("aids", game, *options), what, hint)
    assert here() == []


def test_an_existing_file_is_kept_unless_forced(game: str) -> None:
    Path("moor-aids.pdf").write_bytes(b"mine")
    refused(run("aids", game), "moor-aids.pdf: the file already exists", "--force overwrites it")
    assert Path("moor-aids.pdf").read_bytes() == b"mine"
    assert run("aids", game, "--force").exit_code == 0


def test_a_card_that_the_game_s_files_do_not_make(game: str) -> None:
    Path(game, "turns.csv").unlink()
    refused(
        run("aids", game, "--only", "turn-track"),
        "--only: Moor has nothing for turn-track",
        '"The files of a game" in the handbook',
    )
    assert run("aids", game).output == f"moor-aids.pdf: {ALL.removeprefix('turn-track, ')} on 4 pages\n"


def test_a_game_with_no_aids_at_all(game: str) -> None:
    for name in ("turns.csv", "course.toml", "charts.toml", "tracks.toml"):
        Path(game, name).unlink()
    refused(run("aids", game), "Moor has no player aids", '"The files of a game" in the handbook')


def test_faults_of_the_files_name_file_and_line(game: str) -> None:
    Path(game, "turns.csv").write_text(FILES["turns.csv"] + "8,date,x,,,rulebook\n", "utf-8")
    refused(run("aids", game), "turns.csv:12: there is no turn 8", "the game has turns 1 to 7")
    done = run("check", game)
    assert (done.exit_code, done.stdout) == (1, "Moor: 1 mistake\n")


def test_a_fault_of_the_course_names_its_file(game: str) -> None:
    Path(game, "course.toml").write_text(FILES["course.toml"].replace('who = "red"', "who = red", 1), "utf-8")
    refused(run("aids", game), "course.toml:", "check quotes")


def test_what_finds_no_room_or_has_no_letter_is_told(game: str) -> None:
    course = FILES["course.toml"].replace(
        'title = "Points"', 'title = "Points of the 漢 Army' + " and of its friends" * 20 + '"'
    )
    Path(game, "course.toml").write_text(course, "utf-8")
    done = run("aids", game, "--only", "records")
    assert (done.exit_code, done.stdout) == (0, "moor-aids.pdf: records on 1 page\n")
    lines = done.stderr.splitlines()
    assert lines[0].startswith("records: 'Points of the 漢 Army and") and lines[0].endswith("does not fit; shorten it")
    assert lines[1].endswith("has characters that the typeface lacks: 漢")


def test_a_game_without_a_course_has_its_charts_and_its_key(game: str) -> None:
    skirmish = ROOT / "tests/distributions/skirmish/skirmish_at_mill_creek"
    done = run("aids", str(skirmish), "-o", "skirmish.pdf")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "skirmish.pdf: charts, terrain-key, counter on 1 page\n"
    with pypdfium2.PdfDocument("skirmish.pdf") as document:
        assert "Failed Morale Table" in words_of(document[0])


def test_cells_from_a_rulebook_are_counted(game: str) -> None:
    run("aids", "kaisers-war-in-the-east", "-o", "war.pdf", "--only", "charts")
    with pypdfium2.PdfDocument("war.pdf") as document:
        assert "All from the rulebook" in words_of(document[0])
