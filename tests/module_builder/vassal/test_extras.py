"""An author's own elements, pictures and charts: they survive each rebuild, and nothing in them runs or leads out of the module."""

from __future__ import annotations

import io
from pathlib import Path
from zlib import crc32

import pytest
from lxml import etree
from PIL import Image

from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.saves import read_save
from assistant.game.games import Game
from assistant.util.errors import InputError
from module_builder.vassal.elements import KNOWN_CLASSES, PLAIN_ELEMENTS
from module_builder.vassal.module import BuiltModule, build_module, module_faults, module_grid, wanted_module
from tests.module_builder.test_data_game import FILES, GAME, files_of, game_in

WITH_EXTRA = GAME.replace('name = "Heath"\n', 'name = "Heath"\nextra = "mine"\n', 1)
MODULE = "VASSAL.build.module"


def picture(width: int = 8, height: int = 6) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(data, "PNG")
    return data.getvalue()


def enormous() -> bytes:
    """A picture of 500 megapixels, of which there is but the beginning."""
    head = b"IHDR" + (25000).to_bytes(4) + (20000).to_bytes(4) + b"\x08\x02\0\0\0"
    return b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4) + head + crc32(head).to_bytes(4) + (9).to_bytes(4) + b"IDAT"


def with_extra(folder: Path, elements: str = "", files: dict[str, bytes] | None = None) -> Game:
    """The game with these elements and files in its folder `mine`."""
    held = (
        {"buildFile.xml": f"<VASSAL.build.GameModule>{elements}</VASSAL.build.GameModule>".encode()} if elements else {}
    )
    for name, data in (held | (files or {})).items():
        file = folder / "mine" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return game_in(folder, game_toml=WITH_EXTRA)


def root_of(game: Game) -> etree._Element:
    return etree.fromstring(files_of(build_module(game))["buildFile.xml"])


def refused(game: Game) -> InputError:
    with pytest.raises(InputError) as caught:
        build_module(game)
    return caught.value


# --- elements ---------------------------------------------------------------------------------------------------------


def test_a_new_element_is_added_and_one_of_the_same_kind_and_name_changed(tmp_path: Path) -> None:
    die = f'<{MODULE}.DiceButton name="Scatter" text="Scatter" nDice="1" nSides="12"/>'
    game = with_extra(tmp_path, die)
    for _ in range(2):
        dice = [one.get("name") for one in root_of(game).iter(f"{MODULE}.DiceButton")]
        assert dice == ["2d6", "1d6", "Scatter"], "behind the others of its kind"
    key = f'<{MODULE}.Map mapName="Map" edgeWidth="40"><{MODULE}.map.MassKeyCommand name="Night" buttonText="Night" hotkey="78,195"/></{MODULE}.Map>'
    root = root_of(with_extra(tmp_path, f'{key}<{MODULE}.GlobalOptions autoReport="Never"/>'))
    (board,) = (one for one in root.iter(f"{MODULE}.Map") if one.get("mapName") == "Map")
    assert (board.get("edgeWidth"), board.get("launch")) == ("40", "false")
    assert [one.get("name") for one in board.iter(f"{MODULE}.map.MassKeyCommand")] == ["Night"]
    (options,) = root.iter(f"{MODULE}.GlobalOptions")
    assert (options.get("autoReport"), options.get("promptString")) == ("Never", "Opponents can unmask my pieces")


def test_a_piece_of_the_author_s_gets_an_id_that_stays(tmp_path: Path) -> None:
    piece = "+/null/piece;;;sheep.png;Sheep/null;0;0;;0"
    palette = f'<{MODULE}.PieceWindow name="Mine"><VASSAL.build.widget.ListWidget entryName="Mine"><VASSAL.build.widget.PieceSlot entryName="Sheep">{piece}</VASSAL.build.widget.PieceSlot></VASSAL.build.widget.ListWidget></{MODULE}.PieceWindow>'
    game = with_extra(tmp_path, palette, {"images/sheep.png": picture()})
    slots = {slot.name: slot.id for slot in read_module(build_module(game).data).slots}
    assert slots["Sheep"].isdecimal() and len({*slots.values()}) == len(slots)
    again = {slot.name: slot.id for slot in read_module(build_module(game).data).slots}
    assert again == slots


def test_an_id_that_another_piece_has_is_refused(tmp_path: Path) -> None:
    rams = next(
        slot.id for slot in read_module(build_module(game_in(tmp_path / "plain")).data).slots if slot.name == "Rams"
    )
    slot = f'<VASSAL.build.widget.PieceSlot entryName="Sheep" gpid="{rams}">+/null/piece;;;;Sheep/null;0;0;;0</VASSAL.build.widget.PieceSlot>'
    game = with_extra(tmp_path, f'<{MODULE}.PieceWindow name="Mine">{slot}</{MODULE}.PieceWindow>')
    assert "which another one has" in refused(game).what


@pytest.mark.parametrize(
    ("elements", "what"),
    [
        ('<evil.Code name="x"/>', "evil.Code is not an element of VASSAL"),
        (f'<{MODULE}.Documentation><{MODULE}.documentation.HelpFile title="x" fileName="a.html" fileType="file"/></{MODULE}.Documentation>', "leads out of the module"),
        (f'<{MODULE}.DiceButton name="x" icon="https://example.org/x.png"/>', "leads out of the module"),
        (f'<{MODULE}.DiceButton name="x" icon="lost.png"/>', "names the file lost.png but does not have it"),
        ("<unclosed>", "mismatch"),
        ('<!DOCTYPE x [<!ENTITY e "e">]>', ""),
    ],
)  # fmt: skip
def test_elements_that_are_refused(tmp_path: Path, elements: str, what: str) -> None:
    assert what in refused(with_extra(tmp_path, elements)).what


# --- files ------------------------------------------------------------------------------------------------------------


def test_files_go_into_the_module_as_they_are(tmp_path: Path) -> None:
    added = {
        "images/sheep.png": picture(),
        "sounds/baa.wav": b"RIFF",
        "rules/first.html": b"<p>Sheep. <a href='https://example.org'>More</a></p>",
    }
    files = files_of(build_module(with_extra(tmp_path, files=added)))
    assert {name: files[name] for name in added} == added


def test_a_picture_of_the_author_s_takes_the_place_of_ours(tmp_path: Path) -> None:
    game = game_in(tmp_path)
    size = module_grid(game, wanted_module(game)).size
    mine = picture(*size)
    assert files_of(build_module(with_extra(tmp_path, files={"images/board.png": mine})))["images/board.png"] == mine
    error = refused(with_extra(tmp_path, files={"images/board.png": picture()}))
    assert f"8 by 6 pixels, not {size[0]} by {size[1]}" in error.what


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("Evil.class", b"\xca\xfe\xba\xbe", "may not hold .class files"),
        ("tool", b"#!/bin/sh", "may not hold"),
        ("page.html", b"<body onload='x()'>Hello</body>", "onload"),
        ("page.html", b"<p>Hello<script>x()</script></p>", "script"),
        ("page.html", b"<img src='https://example.org/count.png'>", "src="),
        ("page.html", b"<a href='javascript:x()'>Hello</a>", "href="),
        ("page.html", b"<p style='background: url(//example.org)'>Hello</p>", "style"),
        ("images/x.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "script"),
        ("images/x.svg", b"<svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink'><image x:href='file:/etc/passwd'/></svg>", "href"),
        ("images/x.png", b"no picture", "it is not a picture"),
        ("images/x.png", enormous(), "it is too large"),
    ],
)  # fmt: skip
def test_files_that_are_refused(tmp_path: Path, name: str, data: bytes, what: str) -> None:
    error = refused(with_extra(tmp_path, files={name: data}))
    assert what in error.what
    assert str(error.where).startswith(f"mine/{name}")


def test_nothing_comes_from_outside_the_folder_or_from_one_that_is_not_there(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    game = with_extra(tmp_path / "game", files={"a.txt": b"a"})
    (tmp_path / "game" / "mine" / "b.txt").symlink_to(secret)
    assert "leads out of the game's folder" in refused(game).what
    assert "leads out" in refused(game_in(tmp_path / "other", game_toml=WITH_EXTRA.replace('"mine"', '"../mine"'))).what
    assert refused(game_in(tmp_path, game_toml=WITH_EXTRA)).what == "there is no folder mine"


# --- version ----------------------------------------------------------------------------------------------------------


def version(game: Game) -> str:
    return root_of(game).get("version", "")


def test_the_version_changes_with_the_content(tmp_path: Path) -> None:
    plain = game_in(tmp_path / "a")
    assert version(plain) == version(game_in(tmp_path / "b"))
    assert version(plain).startswith("1.0-")
    moved = game_in(tmp_path / "c", start_pos="game heath\nboard heath\nturn=6\nE4: Rams\n")
    numbered = game_in(
        tmp_path / "d", game_toml=GAME.replace('name = "Heath"\n', 'name = "Heath"\nversion = "2.3"\n', 1)
    )
    assert len({version(plain), version(moved), version(numbered)}) == 3
    assert version(numbered).startswith("2.3-")


# --- what VASSAL could not open, or would read otherwise ------------------------------------------------------------------------


def board_with(inner: str = "", **attributes: str) -> str:
    """An addition to our map that puts this on its board."""
    said = "".join(f' {name}="{text}"' for name, text in attributes.items())
    board = f'<{MODULE}.map.boardPicker.Board name="The heath"{said}>{inner}</{MODULE}.map.boardPicker.Board>'
    picker = f'<{MODULE}.map.BoardPicker title="Board">{board}</{MODULE}.map.BoardPicker>'
    return f'<{MODULE}.Map mapName="Map">{picker}</{MODULE}.Map>'


@pytest.mark.parametrize(
    "elements",
    [
        board_with(f'<{MODULE}.map.boardPicker.board.HexGrid x0="60" y0="70"/>'),
        board_with(f"<{MODULE}.map.boardPicker.board.SquareGrid/>"),
        board_with(image="other.png"),
        f'<{MODULE}.Map mapName="Map"><{MODULE}.map.BoardPicker title="Board"><setup>MapBoardPicker\tX\t0\t0</setup>'
        f"</{MODULE}.map.BoardPicker></{MODULE}.Map>",
    ],
)
def test_our_hexes_stay_where_set_ups_and_assistant_have_them(tmp_path: Path, elements: str) -> None:
    error = refused(with_extra(tmp_path, elements, {"images/other.png": picture()}))
    assert str(error).startswith("mine/buildFile.xml: it changes the boards of the map Map")


def test_the_colours_of_our_grid_may_change(tmp_path: Path) -> None:
    element = f'<{MODULE}.map.boardPicker.board.HexGrid visible="true" color="255,0,0"/>'
    grid = root_of(with_extra(tmp_path, board_with(element))).find(f".//{MODULE}.map.boardPicker.board.HexGrid")
    assert grid is not None and (grid.get("visible"), grid.get("color")) == ("true", "255,0,0")


PIECE = "+/null/piece;;;{};Bear/null;0;0;;0"


@pytest.mark.parametrize(
    ("elements", "what"),
    [
        (f'<{MODULE}.DiceBotton name="x"/>', "VASSAL 3.6 has no element VASSAL.build.module.DiceBotton"),
        (f"<{MODULE}.Foo/>", "VASSAL 3.6 has no element VASSAL.build.module.Foo"),
        ("<Foo/>", "VASSAL 3.6 has no element Foo"),
        (f'<{MODULE}.Map mapName="Mpa"/>', "the map 'Mpa' has no board"),
        (
            f'<VASSAL.build.widget.PieceSlot entryName="Bear">{PIECE.format("bear.png")}</VASSAL.build.widget.PieceSlot>',
            "'Bear' shows the picture bear.png",
        ),
        (
            '<VASSAL.build.widget.PieceSlot entryName="Bear">rubbish</VASSAL.build.widget.PieceSlot>',
            "'Bear' holds no piece",
        ),
        (
            f'<{MODULE}.PrototypesContainer><{MODULE}.PrototypeDefinition name="P">+/null/piece;;;;</{MODULE}.PrototypeDefinition></{MODULE}.PrototypesContainer>',
            "'P' holds no piece",
        ),
        (f'<VASSAL.build.widget.PieceSlot entryName="Bear" gpid="{"9" * 5000}"/>', "has the id 9999"),
    ],
)
def test_check_names_what_vassal_could_not_open(tmp_path: Path, elements: str, what: str) -> None:
    game = with_extra(tmp_path, elements)
    (fault,) = module_faults(game)
    assert what in str(fault)
    assert str(fault).startswith("mine/buildFile.xml")
    assert what in str(refused(game))


def test_check_names_every_piece_that_cannot_be_read(tmp_path: Path) -> None:
    slot = '<VASSAL.build.widget.PieceSlot entryName="{}">rubbish</VASSAL.build.widget.PieceSlot>'
    game = with_extra(tmp_path, slot.format("A") + slot.format("B"))
    assert [str(fault).partition(": ")[2][:4] for fault in module_faults(game)] == ["'A' ", "'B' "]


@pytest.mark.parametrize("text", [b"<Foo/>", b"<a><b></a>", b"<VASSAL.build.module.Map/>"])
def test_a_build_file_that_is_none_is_named_with_its_folder(tmp_path: Path, text: bytes) -> None:
    game = with_extra(tmp_path, files={"buildFile.xml": text})
    assert "mine/buildFile.xml" in str(refused(game))
    assert [str(fault).startswith("mine/buildFile.xml") for fault in module_faults(game)] == [True]


def test_the_elements_that_we_write_are_known(built: BuiltModule) -> None:
    root = etree.fromstring(files_of(built)["buildFile.xml"])
    assert {
        str(element.tag) for element in root.iter() if isinstance(element.tag, str)
    } <= KNOWN_CLASSES | PLAIN_ELEMENTS


# --- renamed units ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("renamed", "what"),
    [
        ('{ "Rams" = "Ewes" }', "'Rams' was 'Ewes', which is still a unit of the roster"),
        ('{ "Sheep" = "Rams" }', "'Sheep' is not a unit of the roster"),
        ('{ "Nobody" = "Sheep" }', "'Nobody' is not a unit of the roster"),
        ('{ "Rams" = "Sheep", "Ewes" = "Sheep" }', "several units were 'Sheep'"),
    ],
)
def test_a_name_that_no_unit_has_or_another_one_has_is_refused(tmp_path: Path, renamed: str, what: str) -> None:
    game = game_in(tmp_path, game_toml=GAME.replace('name = "Heath"\n', f'name = "Heath"\nrenamed = {renamed}\n', 1))
    assert what in str(refused(game))


def test_an_older_save_of_a_renamed_unit_finds_its_picture_and_the_unit(tmp_path: Path) -> None:
    older = game_in(tmp_path / "older")
    saved = files_of(build_module(older))["The-start.vsav"]
    text = GAME.replace('name = "Heath"\n', 'name = "Heath"\nrenamed = { "Old Rams" = "Rams" }\n', 1)
    roster, start = FILES["roster.csv"].replace("Rams", "Old Rams"), FILES["start.pos"].replace("Rams", '"Old Rams"')
    newer = game_in(tmp_path / "newer", game_toml=text, roster_csv=roster, start_pos=start)
    files = files_of(build_module(newer))
    position = read_vassal(saved, "x.vsav", lambda _: newer)
    assert position.state.unread == ()
    assert position.state.units["Old Rams"].place == "D3"
    named = {piece.traits[-1].type.split(";")[3] for piece in read_save(saved).pieces.values()} - {""}
    assert all(f"images/{name}" in files for name in named)


def test_two_tracks_that_flip_the_same_counters_are_refused(tmp_path: Path) -> None:
    flip = '\n[{0}]\ntitle = "{0}"\non = "unit"\nkind = "flag"\nmodule = {{ menu = ["{0}"], flips = true }}\n'
    game = game_in(tmp_path, tracks_toml=FILES["tracks.toml"] + flip.format("tired"))
    assert "[seen.module] and [tired.module] both flip the same counters" in str(refused(game))
