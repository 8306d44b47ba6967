"""A module from a game's files: what is in it, what its set-ups say, and what it refuses to be made of."""

from __future__ import annotations

import io
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from PIL import Image, ImageColor

from assistant.drawing.style import RIVER
from assistant.formats.vassal.adoption.legend import AdoptedLegend
from assistant.formats.vassal.adoption.mapping import check_mapping, read_mapping
from assistant.formats.vassal.adoption.mapping_files import Fixtures
from assistant.formats.vassal.adoption.proposals.draft import draft_mapping, write_draft
from assistant.formats.vassal.adoption.proposals.maps import number_maps
from assistant.formats.vassal.legends import HEADING, BuiltLegend
from assistant.formats.vassal.modules import Module, read_module
from assistant.formats.vassal.positions import position_of, read_vassal
from assistant.formats.vassal.saves import Save, read_save, write_save
from assistant.formats.vassal.traits import Trait
from assistant.game.games import Game
from assistant.installed.formats import read_position
from assistant.installed.registry import load_game
from assistant.state.state import GameState
from assistant.util.errors import InputError
from module_builder.counters.pieces import design_counters
from module_builder.vassal.keys import help_page
from module_builder.vassal.module import (
    BuiltModule,
    _write_canonical,
    build_module,
    list_units,
    make_palettes,
    make_slug,
    shown_board,
    wanted_module,
)
from module_builder.vassal.pieces.maker import FIRST_FREE_SLOT
from module_builder.vassal.records import RecordSheet

from ..cases import thorough
from .test_data_game import TRACKS, files_of, game_in, images_named, pictures_in

START = "game heath\nboard heath\n"


@pytest.fixture(scope="module")
def files(built: BuiltModule) -> dict[str, bytes]:
    return files_of(built)


@pytest.fixture(scope="module")
def root(files: dict[str, bytes]) -> etree._Element:
    return etree.fromstring(files["buildFile.xml"])


@pytest.fixture(scope="module")
def saves(files: dict[str, bytes]) -> dict[str, Save]:
    return {name: read_save(data) for name, data in files.items() if name.endswith(".vsav")}


# --- what is in it ----------------------------------------------------------------------------------------------------


@thorough
def test_palettes_are_made_without_pictures_too(twilight: Game, built: BuiltModule) -> None:
    whole, alone = read_module(built.data), make_palettes(twilight)
    assert alone.about.module == whole.about.module

    def pieces(module: Module) -> dict[str, tuple[Trait, ...]]:
        return {slot.id: module.expanded(slot.piece.traits) for slot in module.slots}

    assert pieces(alone) == pieces(whole)


@thorough
def test_the_same_files_make_the_same_bytes(twilight: Game, built: BuiltModule) -> None:
    assert build_module(twilight).data == built.data


def test_every_file_and_picture_that_is_named_is_there_and_none_besides(
    files: dict[str, bytes], saves: dict[str, Save], root: etree._Element
) -> None:
    images = {name.removeprefix("images/") for name in files if name.startswith("images/")}
    assert images_named(files["buildFile.xml"]) == images
    types = "\n".join(trait.type for save in saves.values() for piece in save.pieces.values() for trait in piece.traits)
    assert {*pictures_in(types)} <= images
    assert len({name.casefold() for name in images}) == len(images)
    named = {element.get("file") or element.get("fileName") for element in root.iter()} - {None}
    pictures = {f"images/{chart.get('fileName')}" for chart in root.iter("{*}VASSAL.build.widget.Chart")}
    besides = {name for name in files if not name.startswith("images/")} - {"buildFile.xml", "moduledata"}
    assert {f"images/{name}" if f"images/{name}" in pictures else name for name in named} == besides | pictures
    assert pictures <= files.keys()


def test_the_board_is_the_map_drawn_from_geography(files: dict[str, bytes]) -> None:
    with Image.open(io.BytesIO(files["images/board.png"])) as drawn:
        colours = drawn.convert("RGB").getcolors(drawn.width * drawn.height) or []
    assert sum(count for count, colour in colours if colour == ImageColor.getrgb(RIVER)) > 1000


def test_the_assistant_reads_its_own_module(built: BuiltModule, saves: dict[str, Save]) -> None:
    module = read_module(built.data)
    assert {name: list(map.boards) for name, map in module.maps.items()} == {
        "Map": ["the Eastern Front, drawn from geography"],
        "Boxes": ["Sheet"],
        "Out of play": ["Sheet"],
        "Records": ["Sheet"],
        "Turns": ["Sheet"],
        "Private: central-powers": ["Sheet"],
        "Private: russian": ["Sheet"],
    }
    for save in saves.values():
        pieces = [piece for piece in save.pieces.values() if "unit" in piece.marks()]
        places = {piece.marks()["unit"]: module.locate(save, piece) for piece in pieces}
        state = read_back(save)
        assert {unit.id: unit.place for unit in state.units.values()} == places


def read_back(save: Save) -> GameState:
    return read_vassal(write_save(save), "game.vsav", load_game).state


# --- slots ------------------------------------------------------------------------------------------------------------


def ids(built: BuiltModule) -> dict[str, str]:
    root = etree.fromstring(files_of(built)["buildFile.xml"])
    return {slot.get("entryName", ""): slot.get("gpid", "") for slot in root.iter("{*}VASSAL.build.widget.PieceSlot")}


def test_slots_are_numbers_of_their_own_that_pieces_of_set_ups_have_too(
    built: BuiltModule, root: etree._Element, saves: dict[str, Save]
) -> None:
    found = list(ids(built).values())
    assert len(found) == len(set(found)) == built.counters + 9 + 8 + 10 + 24, (
        "and the markers of four levels, three nations and two sides, frames of turns, markers on record tracks, and what shows supply"
    )
    assert all(0 < int(slot) < FIRST_FREE_SLOT for slot in found)
    assert root.get("nextPieceSlotId") == str(FIRST_FREE_SLOT)
    known = ids(built)
    pieces = [piece for save in saves.values() for piece in save.pieces.values()]
    assert all(piece.slot == known[piece.marks()["unit"]] for piece in pieces if "unit" in piece.marks())


def test_slots_keep_their_ids_when_units_come_and_go(tmp_path: Path) -> None:
    before = ids(build_module(game_in(tmp_path / "a")))
    roster = "unit,army,strength\nBears,red,1\nRams,red,4\nLambs,red,2\nEwes,red,2\nWolves,blue,5\n"
    after = ids(build_module(game_in(tmp_path / "b", roster_csv=roster)))
    assert after.keys() - before.keys() == {"Bears", "Lambs"}
    assert {name: after[name] for name in before} == before


# --- set-ups ----------------------------------------------------------------------------------------------------------


def test_set_ups_have_the_names_of_their_titles_their_notes_and_their_turn(
    twilight: Game, root: etree._Element, saves: dict[str, Save]
) -> None:
    assert twilight.file.module is not None
    setups = {one.get("name"): one.get("file") for one in root.iter("{*}VASSAL.build.module.PredefinedSetup")}
    assert setups == {title: f"{make_slug(title)}.vsav" for _, title in twilight.file.module.setups}
    assert set(setups.values()) == set(saves)
    assert "19-August-1914-East-Prussia.vsav" in saves
    armies, example = saves["19-August-1914-East-Prussia.vsav"], saves["The-comprehensive-example-of-combat.vsav"]
    assert (armies.notes, example.notes) == ("19 August 1914: East Prussia", "The comprehensive example of combat")
    assert armies.turns["TurnTracker0"].startswith("0|2;0;false;-1;")
    assert example.turns["TurnTracker0"].startswith("0|1;0;false;-1;")
    below = example.public_notes.partition(f"\n{HEADING}\n")[2].splitlines()
    assert "ask battle at=41.19 attacker-ap=3,20 defender-ap=1" in below
    assert not any(line.startswith("29/20") and "-3" in line for line in below), "the counter shows its losses"
    assert armies.public_notes.endswith(f'\n{HEADING}\ntrust counters\n"56 r/26 R" corps=none')


def test_a_set_up_is_the_position_of_its_file(twilight: Game, saves: dict[str, Save]) -> None:
    assert twilight.file.module is not None
    for file, title in twilight.file.module.setups:
        data = twilight.folder.joinpath(file).read_bytes()
        state, found = read_position(file, data).state, read_back(saves[f"{make_slug(title)}.vsav"])
        assert (found.units, found.facts, found.unread) == (state.units, state.facts, ())


def test_adopted_like_another_makers_module_it_means_the_same(
    twilight: Game, built: BuiltModule, saves: dict[str, Save], tmp_path: Path
) -> None:
    """What is proposed for a module by names alone is what the module itself declares, to the last fact that varies in
    play; its player says that the markers on record tracks mean nothing.
    """
    module, file = read_module(built.data), tmp_path / "mapping.toml"
    assert twilight.file.module is not None
    maps = number_maps(module)
    file.write_text(write_draft(draft_mapping(module, maps, twilight, twilight.file.module.board)), "utf-8")
    mapping = read_mapping(file)
    kept = (marker.name for marker in RecordSheet(twilight, 75).pieces(defaultdict(str)))
    mapping = msgspec.structs.replace(mapping, ignored=(*mapping.ignored, *kept))
    check_mapping(mapping, twilight, file)
    for save in saves.values():
        declared = position_of(save, BuiltLegend(save, twilight), "save").state
        found = position_of(save, AdoptedLegend(save, twilight, mapping, Fixtures(maps, module.controls)), "save").state
        assert (found.units, found.unread) == (declared.units, ())
        in_play = {key: fact for key, fact in found.facts.items() if twilight.tracks[key[0]].printed is None}
        assert in_play == {key: fact for key, fact in declared.facts.items() if twilight.tracks[key[0]].printed is None}


def test_units_beyond_the_board_are_reported_and_stand_on_the_help_page(tmp_path: Path) -> None:
    made = build_module(game_in(tmp_path, start_pos=f"{START}E4: Rams\nM9: Wolves\n"))
    assert made.setups == {"The start": ("Wolves",)}
    page = etree.HTML(files_of(made)["help.html"].decode())
    (title,) = page.xpath("//h2[starts-with(., 'Not on this part')]")
    assert title.text == "Not on this part of the map: The start"
    assert title.getnext().text == "Wolves"


@pytest.mark.parametrize(
    ("line", "what", "hint"),
    [
        ("E4: red Lambs", "the module has no counter of Lambs, which stands at E4", "[module]"),
        ("E4: Lambs", "the module has no counter of Lambs", "[module]"),
        ('E4: Rams orders="to the end\\"', "ends in a backslash", "change that text"),
        ("E4 road\nask x=end\\", "is not a fact about a hex", "write HEX|HEX road"),
        ("E99: Rams", "hex E99 is off the map", "columns run"),
        ("E4: Rams stance=sleeps", "stance: 'sleeps' is not allowed", "holds"),
    ],
)
def test_set_ups_that_cannot_be(tmp_path: Path, line: str, what: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        build_module(game_in(tmp_path, start_pos=f"{START}{line}\n"))
    assert str(caught.value.where).startswith("start.pos")
    assert what in caught.value.what and hint in caught.value.hint


def test_a_set_up_of_another_game(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a position of the game twilight-in-the-east") as caught:
        build_module(game_in(tmp_path, start_pos="game twilight-in-the-east\n"))
    assert str(caught.value.where).startswith("start.pos")
    assert caught.value.hint == 'write: game heath; or name the game in game.toml: id = "twilight-in-the-east"'


def test_an_army_keeps_what_is_said_of_it_though_a_unit_of_its_name_stands_elsewhere(tmp_path: Path) -> None:
    tracks = '\n[supplied]\ntitle = "supplied"\non = "army"\nkind = "flag"\nrule = "6"\n'
    text = f'{START}M9: "blue Wolves" orders=wait\narmy "blue Wolves" supplied\n'
    roster = "unit,army,strength\nRams,red,4\nEwes,red,2\nblue Wolves,blue,5\n"
    made = build_module(game_in(tmp_path, start_pos=text, tracks_toml=TRACKS + tracks, roster_csv=roster))
    notes = read_save(files_of(made)["The-start.vsav"]).public_notes.splitlines()
    assert 'army "blue Wolves" supplied' in notes
    assert not any("wait" in line for line in notes)


# --- what it refuses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["Rams\\", "\x01Rams"])
def test_names_that_no_module_can_hold(tmp_path: Path, unit: str) -> None:
    with pytest.raises(InputError, match="change that text in the game's files|a character that cannot be printed"):
        build_module(
            game_in(tmp_path, roster_csv=f"unit,army,strength\nRams,red,1\nEwes,red,1\nWolves,blue,2\n{unit},red,4\n")
        )


# --- the help page ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page(files: dict[str, bytes]) -> etree._Element:
    found = etree.HTML(files["help.html"].decode())
    assert found is not None
    return found


def test_made_up_values_are_in_italics_and_those_of_the_rulebook_bold(twilight: Game, page: etree._Element) -> None:
    table = page.xpath("//h2[.='Invented values']/following-sibling::table")[0]
    head, *rows = (list(row) for row in table.iter("tr"))
    names = [cell.text for cell in head]
    assert len(rows) == 80, "all of the module but PRAGA, of which the rulebook tells all"
    for unit, *cells in rows:
        for name, cell in zip(names[1:], cells, strict=True):
            facts = twilight.roster[unit.text or ""].get(name or "", [])
            shown = [(one.tag, one.text) for one in cell]
            expected = [
                ("i" if one.doubtful else "b", twilight.tracks[name or ""].write(one.value)) for one in facts[:1]
            ]
            assert shown == expected, (unit.text, name)
    of_the_first = dict(zip(names, ((cell[0].tag if len(cell) else "") for cell in rows[0]), strict=True))
    assert (of_the_first["defence"], of_the_first["steps"]) == ("b", "i")


def to_type(page: etree._Element) -> list[str]:
    (example,) = page.iter("pre")
    heading, *lines = (example.text or "").splitlines()
    assert heading == HEADING
    return lines


def test_lines_to_type_are_for_what_no_board_states(twilight: Game, page: etree._Element) -> None:
    wanted = msgspec.structs.replace(wanted_module(twilight), board="")
    lines = to_type(etree.HTML(help_page(twilight, wanted, shown_board(twilight, wanted), [], {})))
    tracks = [track for track in twilight.tracks.values() if track.printed == "map"]
    assert len(lines) == len(tracks) == 21
    assert "41.19 clear" not in lines and lines[0].endswith(" clear|rough|wetlands|mountain|high-mountain|sea")
    (lines,) = page.iter("pre")
    said = [line for line in "".join(lines.itertext()).splitlines() if "=" in line]
    assert [line.split()[1].partition("=")[0] for line in said] == ["province", "off-map-double", "off-map-single"]
    text = " ".join(page.itertext())
    assert "Lose a step (Ctrl+L), Regain a step (Ctrl+K)" in text
    assert "Not on this part" not in text


def test_counters_of_the_sheets_that_the_module_does_not_have_stand_on_the_help_page_by_name(
    twilight: Game, page: etree._Element
) -> None:
    here = {*list_units(twilight, wanted_module(twilight))}
    others = [unit for unit in twilight.roster if unit not in here]
    text = " ".join(page.itertext())
    assert others and f"not in this module: {len(others)}" in text and ", ".join(others) in text
    whole = help_page(twilight, wanted_module(twilight), twilight.board("east"), design_counters(twilight), {})
    assert "not in this module" not in whole


def test_a_game_without_made_up_values_says_nothing_of_them(tmp_path: Path) -> None:
    assert b"made up" not in files_of(build_module(game_in(tmp_path)))["help.html"].replace(
        b"Made up for the tests.", b""
    )


TEXT = st.text(
    alphabet=st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"), include_characters="\t\n\r"),
    max_size=8,
)
ELEMENTS = st.recursive(
    st.builds(lambda items, text: ("a", items, text, "", ()), st.dictionaries(st.sampled_from("xyz"), TEXT), TEXT),
    lambda inner: st.builds(
        lambda items, text, tail, parts: ("b.c", items, text, tail, tuple(parts)),
        st.dictionaries(st.sampled_from("xyz"), TEXT),
        TEXT,
        TEXT,
        st.lists(inner, max_size=3),
    ),
    max_leaves=6,
)


def element_of(made: Any) -> etree._Element:
    name, items, text, tail, parts = made
    element = etree.Element(name, items)
    element.text, element.tail = text, tail
    element.extend(map(element_of, parts))
    return element


@given(ELEMENTS)
def test_the_content_of_a_module_is_marked_by_canonical_xml(made: Any) -> None:
    root = element_of(made)
    root.tail = None
    assert "".join(_write_canonical(root)).encode() == etree.tostring(root, method="c14n")
