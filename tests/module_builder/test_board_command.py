"""The command `board`: what it draws, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from lxml import etree

from assistant.game.games import Game
from assistant.installed.registry import installed_games, load_game
from module_builder.boards.command import choose_board

from ..cases import few, thorough
from .test_cli import heath, here, refused, run
from .test_data_game import game_in

__all__ = ["heath"]

SVG = "{http://www.w3.org/2000/svg}"
LABEL = "{http://www.inkscape.org/namespaces/inkscape}label"
EAST = "twilight-in-the-east"
AREA = ("--area", "60.14-50.24")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def letters(file: str, page: int = 0) -> str:
    with pypdfium2.PdfDocument(file) as document:
        return document[page].get_textpage().get_text_bounded().replace("\r\n", " ")


def groups(file: str) -> set[str]:
    """The names of what is drawn together in an SVG."""
    return {element.findtext(f"{SVG}title") or "" for element in etree.parse(file).iter(f"{SVG}g")}


def labels(file: str) -> set[str]:
    """What is written in an SVG."""
    return {text for element in etree.parse(file).iter(f"{SVG}path") if (text := element.get("aria-label"))}


def layers(file: str) -> list[str]:
    """The layers that a drawing program lists."""
    return [group.get(LABEL, "") for group in etree.parse(file).iter(f"{SVG}g") if group.get(LABEL)]


@pytest.mark.parametrize(
    ("area", "edges"),
    [("4815-5925", {"eastern edge"}), ("0101-0505", {"western edge", "northern edge"}), ("2020-3024", set[str]())],
)
def test_the_edges_of_the_map_that_are_known_have_names_beside_the_frame(
    folder: Path, area: str, edges: set[str]
) -> None:
    run("board", "world-undone-east-prussia-1914", "--area", area, "-o", "map.svg")
    assert {group for group in groups("map.svg") if group.endswith(" edge")} == edges
    run("board", "world-undone-east-prussia-1914", "--area", area, "-o", "silent.svg", "--no-labels")
    assert not any(group.endswith(" edge") for group in groups("silent.svg"))


@thorough
def test_what_is_drawn_is_shown_as_such_if_wished(folder: Path) -> None:
    for name, more in (("plain", []), ("drawn", ["--drawn"])):
        assert run("board", EAST, "-o", f"{name}.svg", *AREA, *more).exit_code == 0

    def dashed(name: str) -> int:
        (rivers,) = [group for group in etree.parse(f"{name}.svg").iter(f"{SVG}g") if group.get(LABEL) == "rivers"]
        return sum("stroke-dasharray" in shape.attrib for shape in rivers)

    assert dashed("plain") == 0
    assert dashed("drawn") > 0
    said = "What is only drawn from geography is dashed or fainter."
    assert said in " ".join(labels("drawn.svg")) and said not in " ".join(labels("plain.svg"))


def test_the_whole_of_a_small_game_as_pdf(heath: Game) -> None:
    done = run("board", "heath")
    assert done.exit_code == 0
    assert here() == ["heath-board.pdf"]
    assert "Heath" in letters("heath-board.pdf")


@few(1)
@pytest.mark.parametrize(("paper", "size"), [("a4", {210, 297}), ("a3", {297, 420}), ("letter", {216, 279})])
def test_sheets_are_pages_of_the_paper_after_a_plan(folder: Path, paper: str, size: set[int]) -> None:
    done = run("board", EAST, "-o", "s.pdf", *AREA, "--sheets", "--paper", paper, "--hex", "40")
    assert done.exit_code == 0
    with pypdfium2.PdfDocument("s.pdf") as document:
        count = len(document)
        for page in document:
            assert {round(length / 72 * 25.4) for length in page.get_size()} == size
    assert f"on {count - 1} sheets of " in done.output
    assert "A1" in letters("s.pdf")
    assert "sheet A1 of" in letters("s.pdf", 1)


@thorough
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-o", "a.gif"], ("--out: a.gif is not the name of a picture", "NAME.svg")),
        (["--area", "60.14"], ("--area: '60.14' is not an area", "two corners with a dash")),
        (["--area", "60.14-"], ("--area: '60.14-' is not an area", "two corners with a dash")),
        (["--area", "60.14-99.99"], ("--area: hex 99.99 is off the map", "columns run from")),
        (["--area", "98.14-97.16"], ("--area: nothing of the board east lies in 98.14-97.16",)),
        (["--board", "wset"], ("--board: unknown board 'wset'", "east")),
        (["--sheets", "-o", "a.png"], ("--sheets: sheets of paper are pages of a PDF", "NAME.pdf")),
        (["--area", "60.14:50.24"], ("--area: '60.14:50.24' is not an area", "two corners with a dash: 01.12-98.114")),
        (["--paper", "a3"], ("--paper: only sheets have a paper size", "add --sheets")),
        (["--px", "80"], ("--px: only a PNG has pixels", "--hex")),
        (["-o", "a.png", "--hex", "24"], ("--hex: a PNG is not on paper", "--px")),
        (["--sheets", "--paper", "a9"], ("--paper: unknown paper 'a9'", "a4, a3, letter")),
        (["-o", "a.png", "--px", "120"], ("--px: a picture of", "fewer pixels per hex", "FIELD_STAFF_LIMIT_PIXELS=")),
        (["-o", "there.svg"], ("there.svg", "--force")),
        (["-o", "no/where/map.svg"], ("no/where",)),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_nothing_written(
    folder: Path, options: list[str], said: tuple[str, ...]
) -> None:
    Path("there.svg").write_text("mine", "utf-8")
    refused(run("board", EAST, *options), *said)
    assert here() == ["there.svg"]
    assert Path("there.svg").read_text("utf-8") == "mine"


def test_a_game_without_a_board_says_how_to_draw_one(heath: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(heath), "board_names", ())
    refused(run("board", "heath"), "Heath has no board", "boards/NAME")


def test_a_height_that_is_not_a_number_is_refused(folder: Path) -> None:
    done = run("board", EAST, *AREA, "--hex", "nan")
    assert done.exit_code == 2
    assert "nan is not a length" in done.stderr
    assert not here()


@thorough
@pytest.mark.parametrize(("px", "shown"), [("60", True), ("11", False)])
def test_the_key_of_a_map_too_small_for_hexes_leaves_out_what_it_does_not_show(
    folder: Path, px: str, shown: bool
) -> None:
    height = str(int(px) * 18 / 60)
    assert run("board", EAST, "-o", "a.svg", "--area", "60.14-40.30", "--hex", height).exit_code == 0
    (key,) = [group for group in etree.parse("a.svg").iter(f"{SVG}g") if group.get(LABEL) == "key"]
    words = {shape.get("aria-label") for shape in key.iter(f"{SVG}path")}
    assert {
        "Minor river",
        "Lake",
        "Fortress and city",
        "Town",
        "Terrain",
        "Hexsides",
        "Railways and roads",
        "Towns",
    } <= words
    assert ({"Causeway", "Village"} <= words) == shown
    assert bool({"Causeway", "Village"} & words) == shown


def test_maps_are_offered_by_their_size_and_before_displays(tmp_path: Path) -> None:
    (tmp_path / "boards" / "moor").mkdir(parents=True)
    grid = '[grid]\nformat = "{column}.{row}"\ncolumns = [1, 40]\nrows = [1, 40]\n'
    (tmp_path / "boards" / "moor" / "board.toml").write_text(f'title = "Moor"\nsource = "printed"\n{grid}', "utf-8")
    assert choose_board(game_in(tmp_path), "").title == "Moor"
    assert choose_board(load_game("der-weltkrieg"), "").is_map
    assert [name for name, _ in NOT_DRAWN] == ["der-weltkrieg"] * 5


# --- boards without a map ---------------------------------------------------------------------------------------------

NOT_DRAWN = [
    (name, board)
    for name in installed_games()
    for board in load_game(name).board_names
    if not load_game(name).board(board).is_map
]


@pytest.mark.parametrize(("name", "board"), NOT_DRAWN)
def test_a_board_without_a_map_is_a_display_without_a_hex(folder: Path, name: str, board: str) -> None:
    done = run("board", name, "--board", board, "-o", "a.svg")
    assert done.exit_code == 0 and done.output.endswith("no map of it is drawn\n")
    (layer,) = [group for group in etree.parse("a.svg").iter(f"{SVG}g") if group.get(LABEL) == "display"]
    words = " ".join(shape.get("aria-label") or "" for shape in layer.iter(f"{SVG}path"))
    shown = load_game(name).board(board)
    assert all(f"{place.hex} {place.name}" in words for place in shown.places)
    assert all(box.split()[-1] in words for box in shown.boxes) and "…" not in words
    assert not [group for group in etree.parse("a.svg").iter(f"{SVG}g") if group.get(LABEL) in ("hexes", "grid", "key")]


def test_a_display_is_made_as_every_kind_of_file_and_has_no_areas(folder: Path) -> None:
    chosen = ("der-weltkrieg", "--board", "map-6-4")
    for name in ("a.pdf", "a.png"):
        assert "5 places of map 6-4" in run("board", *chosen, "-o", name).output
    assert "on 1 sheet of A4" in run("board", *chosen, "-o", "b.pdf", "--sheets").output
    refused(
        run("board", *chosen, "-o", "c.pdf", "--area", "1417-1618"), "no map of map-6-4 is drawn", "leave out --area"
    )
