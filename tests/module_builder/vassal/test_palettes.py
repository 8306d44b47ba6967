"""Palettes: each counter once, under its nation, army and corps; long lists by name; markers apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest
from lxml import etree

from assistant.formats.vassal.maps import read_picture_size
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.saves import read_save
from assistant.formats.vassal.traits import read_layer
from assistant.game.games import Game
from assistant.installed.registry import load_game
from module_builder.counters.columns import word_of
from module_builder.vassal.build_file import add_palettes
from module_builder.vassal.module import BuiltModule, build_module, list_units, wanted_module
from module_builder.vassal.pieces.maker import Art, Maker
from tests.module_builder.test_module import files_of

from ...cases import thorough

TWILIGHT = "twilight-in-the-east"


def shown(game: Game, sorts: Sequence[str], named: Sequence[str]) -> etree._Element:
    root = etree.Element("root")
    wanted = msgspec.structs.replace(wanted_module(game), palettes=tuple(sorts))
    add_palettes(root, Maker(game, {unit: Art(f"{n}.png") for n, unit in enumerate(named)}, 75), wanted)
    root.remove(root[0])  # the hidden one
    return root


def path_of(slot: etree._Element) -> list[str]:
    names = [above.get("entryName", "") for above in slot.iterancestors() if above.get("entryName")]
    return names[::-1]


def kind_of(element: etree._Element) -> str:
    return str(element.tag).rpartition(".")[2]


def test_each_unit_is_once_under_its_nation_army_and_corps_behind_tabs_and_a_list() -> None:
    game = load_game(TWILIGHT)
    named = list_units(game, wanted_module(game))
    slots = [*shown(game, ("nation", "army", "corps"), named)[0].iter("{*}VASSAL.build.widget.PieceSlot")]
    assert Counter(slot.get("entryName") for slot in slots) == Counter(named)
    for slot in slots:
        unit = slot.get("entryName", "")
        nation, army, corps = (word_of(game, unit, sort) for sort in ("nation", "army", "corps"))
        assert path_of(slot)[1:4] == [
            game.file.title_of(nation),
            f"{army} Army" if army else "Others",
            f"Corps {corps}" if corps else "Others",
        ]
    root = shown(game, ("nation", "army", "corps"), list_units(game, wanted_module(game)))
    nations = root[0][0]
    assert [kind_of(one) for one in (nations, nations[0], nations[0][0], nations[0][0][0])] == [
        "TabWidget",
        "TabWidget",
        "ListWidget",
        "PanelWidget",
    ]
    corps = [one.get("entryName") for one in nations[0][0]]
    assert corps[-1] == "Others"
    assert {"Corps 1", "Corps 17", "Corps 20", "Corps 1 R"} < {*corps}


@pytest.mark.parametrize(("count", "kind"), [(24, "PanelWidget"), (25, "ListWidget")])
def test_many_counters_of_one_group_are_a_list_that_scrolls(count: int, kind: str) -> None:
    game = load_game(TWILIGHT)
    root = shown(game, (), [*game.roster][:count])
    assert [kind_of(one) for one in root[0]] == [kind]
    assert len(root[0][0]) == count


@pytest.mark.parametrize("sorts", [("nation",), ("nation", "army", "corps")])
def test_lists_have_room_for_the_largest_group_and_open_alike(sorts: tuple[str, ...]) -> None:
    """A window opens as large as the first of its tabs."""
    game = load_game(TWILIGHT)
    window = shown(game, sorts, [*game.roster])[0]
    lists = [*window.iter("{*}VASSAL.build.widget.ListWidget")]
    outer = [part for part in lists if "ListWidget" not in {kind_of(above) for above in part.iterancestors()}]
    assert len({(part.get("width"), part.get("height")) for part in outer}) == 1 <= len(outer)
    for panel in window.iter("{*}VASSAL.build.widget.PanelWidget"):
        within = next(above for above in panel.iterancestors() if kind_of(above) == "ListWidget")
        assert int(within.get("height", "")) >= -(-len(panel) // 4) * 75 and int(within.get("divider", "")) >= 4 * 75


def test_the_first_window_of_all_is_hidden_and_empty() -> None:
    """VASSAL sets the first one beside the chat, where it cuts off what it holds."""
    game, root = load_game(TWILIGHT), etree.Element("root")
    add_palettes(root, Maker(game, {unit: Art("a.png") for unit in [*game.roster][:2]}, 75), wanted_module(game))
    assert [(one.get("hidden"), len(one) > 0) for one in root] == [("true", False), ("false", True), ("false", True)]


@thorough
def test_markers_have_a_palette_of_their_own_with_pictures_that_can_be_seen() -> None:
    game = load_game(TWILIGHT)
    root = shown(game, ("nation",), ["1/1"])
    assert [(one.get("name"), one.get("hotkey")) for one in root] == [("Counters", "67,195"), ("Markers", "77,195")]
    built = build_module(game).data
    module, files = read_module(built), files_of(build_module(game))
    markers = [slot for slot in module.slots if slot.path[-1:] == ("Markers",)]
    assert [slot.name for slot in markers] == [
        *(f"IP {level}" for level in (1, 2, 3, 4)),
        "German Stack Cap",
        "Austro-Hungarian Stack Cap",
        "Russian Stack Cap",
        "Central Powers: control",
        "Russian: control",
    ]
    for slot in markers:
        face = next(trait for trait in slot.piece.traits if "palette" in trait.type or "marker-c" in trait.type)
        picture = next(part for part in read_layer(face.type).images if part.startswith("marker-"))
        assert read_picture_size(files[f"images/{picture}"]) == (75, 75), "a printed marker, as large as a counter"


def test_pieces_of_a_set_up_have_the_slots_of_the_palette(built: BuiltModule) -> None:
    files = files_of(built)
    root = etree.fromstring(files["buildFile.xml"])
    slots = {slot.get("gpid"): slot.get("entryName") for slot in root.iter("{*}VASSAL.build.widget.PieceSlot")}
    for name in (name for name in files if name.endswith(".vsav")):
        for piece in read_save(files[name]).pieces.values():
            marks = piece.marks()
            assert slots[piece.slot] == marks.get("unit", slots[piece.slot])
            assert piece.slot in slots
