"""Modules: maps, grids, prototypes, palettes and set-ups, and what of them cannot be read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from unittest.mock import patch
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from assistant.formats.vassal.containers import write_container
from assistant.formats.vassal.grids import (
    HEXES,
    NUMBERED_HEXES,
    Drawn,
    GridZone,
    Hexes,
    Numbering,
    Pixel,
    PlacedBoard,
    ZonedGrid,
    read_grid,
)
from assistant.formats.vassal.legends import is_off_centre
from assistant.formats.vassal.maps import BoardDrawing, MapWindow, read_picture_size, starting_stack
from assistant.formats.vassal.modules import (
    BOARD,
    PICKER,
    PROTOTYPE,
    SETUP,
    SLOTS,
    STARTS,
    Module,
    read_module,
    set_up_game,
)
from assistant.formats.vassal.pieces import Piece, PieceStack
from assistant.formats.vassal.saves import Save
from assistant.formats.vassal.traits import Trait
from assistant.util.errors import InputError
from assistant.util.xml_reader import read_xml
from tests.growth import grows_evenly

from ....cases import examples, thorough

MAP, WIDGET = "VASSAL.build.module.Map", "VASSAL.build.widget."


def picture(kind: str, size: tuple[int, int]) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size).save(out, kind)
    return out.getvalue()


PNG = picture("PNG", (300, 200))
GRID = f'<{HEXES} x0="20" y0="20" dx="34.6" dy="40"><{NUMBERED_HEXES} hOff="1" vOff="1" stagger="false"/></{HEXES}>'


def module(*inner: str, **files: bytes) -> Module:
    text = f'<VASSAL.build.GameModule name="Small" version="2" VassalVersion="3.6.0">{"".join(inner)}</VASSAL.build.GameModule>'
    images = {name.replace("_", "/", 1).replace("_", "."): data for name, data in files.items()}
    return read_module(write_container({"buildFile.xml": text.encode(), **images}))


def window(*boards: str, name: str = "Field") -> str:
    return f'<{MAP} mapName="{name}" edgeWidth="10" edgeHeight="5"><{PICKER}>{"".join(boards)}</{PICKER}></{MAP}>'


def board(name: str, inner: str = "", said: str = 'width="100" height="80"') -> str:
    return f'<{BOARD} name="{name}" {said}>{inner}</{BOARD}>'


def prototype(name: str, types: str, states: str) -> str:
    return f'<{PROTOTYPE} name="{name}">{escape(f"+/null/{types}/{states}")}</{PROTOTYPE}>'


def test_a_module_says_what_it_is_also_of_old_engines() -> None:
    assert module().about[:3] == ("Small", "2", "3.6.0")
    facts = b"<data><name>Told</name><version>3</version><VassalVersion>3.7</VassalVersion><description>x</description></data>"
    told = read_module(write_container({"buildFile": b"<VASSAL.build.GameModule name='Old'/>", "moduledata": facts}))
    assert told.about == ("Told", "3", "3.7", "x")
    start = starting_stack({"name": "Events", "x": "10", "y": "20"}, "Map", (), is_deck=True)
    assert PieceStack("1", (), start.map, start.at, None, start.deck).name == "Events"
    start = starting_stack({"name": "Events\\"}, "Map", (), is_deck=True)
    assert PieceStack("1", (), start.map, start.at, None, start.deck).name == "Events"
    placed = [PlacedBoard("Land", 10, 20, (300, 300), None), PlacedBoard("Sea", 400, 50, (300, 300), None)]
    owned = {
        board: starting_stack({"owningBoard": board, "x": "3", "y": "4"}, "Map", (), is_deck=False)
        for board in ("Land", "Sea", "")
    }
    assert {board: start.on(placed, (7, 9)) for board, start in owned.items()} == {
        "Land": (13, 24),
        "Sea": (403, 54),
        "": (10, 13),
    }
    assert owned["Sea"].on(placed, (7, 9), (30, 40)) == (430, 90)


def test_maps_have_boards_on_which_pieces_are_located() -> None:
    found = module(window(board("Land", GRID), board("Sea")), window(name="Off map"))
    assert list(found.maps) == ["Field", "Off map"]
    field = found.maps["Field"]
    assert (field.edge, list(field.boards), field.boards["Land"].size) == ((10, 5), ["Land", "Sea"], (100, 80))
    placed = field.placed((("Sea", 0, 0), ("Land", 1, 0), ("Land/rev", 0, 1), ("Moon", 0, 2)))
    assert [(one.name, one.x, one.y, one.turned) for one in placed] == [
        ("Sea", 10, 5, False),
        ("Land", 110, 5, False),
        ("Land", 10, 85, True),
    ]
    found = module(window(board("Land", GRID), board("Sea")))
    save = Save(boards={"Field": (("Sea", 0, 0), ("Land", 1, 0))})
    places = {(130, 25): "0101", (165, 45): "0201", (20, 20): "", (500, 500): "", (130, 66): "0102"}
    for at, place in places.items():
        assert found.locate(save, Piece("1", (Trait("piece;"),), "Field", at)) == place
        assert found.locate(save, PieceStack("1", (), "Field", at)) == place
    assert found.locate(save, PieceStack("1", (), "Elsewhere", (130, 25))) == ""


# --- pieces -----------------------------------------------------------------------------------------------------------


def test_slots_have_a_path_and_prototypes_stand_for_their_traits() -> None:
    slot = f'<{SLOTS[0]} entryName="1/1" gpid="7">+/null/mark;a\tpiece;;;;1\\/1/b\tnull;0;0;7;0</{SLOTS[0]}>'
    inside = f'<{WIDGET}ListWidget entryName="German">{slot}</{WIDGET}ListWidget>'
    found = module(
        f'<VASSAL.build.module.PieceWindow><{WIDGET}TabWidget entryName="All">{inside}</{WIDGET}TabWidget></VASSAL.build.module.PieceWindow>'
    )
    assert found.slots == (
        (("All", "German"), "1/1", "7", Piece("null", (Trait("mark;a", "b"), Trait("piece;;;;1/1")), slot="7")),
    )
    found = module(A, B)
    whole = (Trait("delete;"), Trait("prototype;B"), Trait("cmt;x"), Trait("piece;;;;X"))
    one, other = Trait("mark;a", "1"), Trait("mark;b", "2")
    assert found.expanded(whole) == (Trait("delete;"), one, other, one, Trait("piece;;;;X"))


A = prototype("A", "mark;a\tcmt;note\\\tpiece;;;;", "1\t\\\tnull;0;0;;0")
B = prototype("B", "prototype;A\tmark;b\\\tprototype;A\\\\\tpiece;;;;", "\t2\\\t\\\\\tnull;0;0;;0")


@pytest.mark.parametrize(
    ("given", "type", "state"),
    [
        ("", "label;$a$ of $b$", "$c$"),
        (";", "label;a of b", "c"),
        (";a=1,b=x\\,y", "label;1 of x,y", "c"),
        (";a=1=2,c,b=", "label;1 of ", "c"),
    ],
)
def test_a_prototype_with_parameters(given: str, type: str, state: str) -> None:
    found = module(prototype("A", "label;$a$ of $b$\tpiece;;;;", "$c$\tnull;0;0;;0"))
    assert found.expanded((Trait(f"prototype;A{given}"), Trait("piece;"))) == (Trait(type, state), Trait("piece;"))


def test_prototypes_that_parameters_or_prototypes_make_too_long() -> None:
    found = module(prototype("A", f"label;{'$a$' * 500}\tpiece;;;;", "\tnull;0;0;;0"))
    with pytest.raises(InputError, match="a prototype with parameters has more than"):
        found.expanded((Trait(f"prototype;A;a={'x' * 500}"), Trait("piece;")))
    doubling = [prototype("P0", "mark;a\tpiece;;;;", "1\tnull;0;0;;0")]
    doubling += [
        prototype(f"P{n}", f"prototype;P{n - 1}\tprototype;P{n - 1}\\\tpiece;;;;", "\t\\\tnull;0;0;;0")
        for n in range(1, 40)
    ]
    with pytest.raises(InputError, match="more than"):
        module(*doubling).expanded((Trait("prototype;P39"), Trait("piece;")))


def test_a_prototype_within_itself_and_one_that_is_not_there() -> None:
    found = module(
        prototype("A", "prototype;B\tpiece;;;;", "\tnull;0;0;;0"),
        prototype("B", "prototype;A\tpiece;;;;", "\tnull;0;0;;0"),
    )
    with pytest.raises(InputError, match="prototype 'A' contains itself"):
        found.expanded((Trait("prototype;A"), Trait("piece;")))
    lost = (Trait("prototype;C"), Trait("prototype"), Trait("piece;"))
    assert found.expanded(lost) == lost
    assert found.missing((*lost[:2], Trait("prototype;C"), lost[2])) == ["C", ""]


# --- pictures ---------------------------------------------------------------------------------------------------------


def test_a_board_is_as_large_as_its_picture_which_may_be_missing() -> None:
    found = module(window(board("Land", GRID, 'image="land.png"')), images_land_png=PNG)
    assert found.maps["Field"].boards["Land"].size == (300, 200)
    assert found.unread == ()
    found = module(
        window(board("A", GRID, 'image="no.png"'), board("B", GRID, 'image="x.png"')), images_x_png=b"no picture"
    )
    assert [one.grid for one in found.maps["Field"].boards.values()] == [None, None]
    missing, none = found.unread
    assert missing == "board A: image no.png is missing"
    assert none == "board B: image x.png cannot be read: unknown size"


@thorough
@pytest.mark.parametrize("kind", ["PNG", "GIF", "JPEG"])
def test_the_size_of_pictures_of_all_kinds(kind: str) -> None:
    for size in ((1, 1), (321, 7), (3000, 2000)):
        assert read_picture_size(picture(kind, size)) == size


def test_pictures_have_sizes_and_no_text_of_theirs_is_unpacked() -> None:
    assert read_picture_size(
        b'<?xml version="1.0"?>\n<svg xmlns="x" width="30px" viewBox="0 0 1 1" height=\'20\'><g/></svg>'
    ) == (30, 20)
    out, text = io.BytesIO(), PngInfo()
    text.add_text("note", "a" * 900_000, zip=True)
    Image.new("RGB", (30, 20)).save(out, "PNG", pnginfo=text)
    with patch("PIL.PngImagePlugin._safe_zlib_decompress", side_effect=AssertionError("unpacked")):
        assert read_picture_size(out.getvalue()) == (30, 20)


@given(st.binary(max_size=40), st.sampled_from([b"", PNG[:16], b"GIF89a", b"\xff\xd8\xff", b"<svg "]))
def test_any_bytes_have_a_size_or_none(data: bytes, head: bytes) -> None:
    try:
        assert len(read_picture_size(head + data)) == 2
    except ValueError as error:
        assert str(error) in ("unknown size", "it is too large")


# --- what cannot be read ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "grid",
    [
        GRID.replace('dx="34.6"', 'dx="0"'),
        GRID.replace('dx="34.6"', 'dx="nan"'),
        GRID.replace('dy="40"', 'dy="inf"'),
        GRID.replace('dy="40"', 'dy="-1"'),
        GRID.replace('x0="20"', 'x0="inf"'),
        GRID.replace('x0="20"', 'x0="1e300"'),
        GRID.replace('x0="20"', 'x0="x"'),
        GRID.replace('hOff="1"', 'hOff="1.5"'),
        GRID.replace('hOff="1"', 'hLeading="999999999"'),
        GRID.replace('hOff="1"', 'hType="B"'),
    ],
)
def test_a_grid_that_makes_no_sense(grid: str) -> None:
    found = module(window(board("Land", grid)))
    assert found.maps["Field"].boards["Land"].grid is None
    assert len(found.unread) == 1


@pytest.mark.parametrize("text", ["", "+/", "+/null/piece;;;;", "+/null/piece;;;;/x", "nonsense"])
def test_a_piece_that_makes_no_sense(text: str) -> None:
    found = module(f'<{SLOTS[0]} entryName="Odd">{text}</{SLOTS[0]}>')
    assert found.slots == ()
    assert len(found.unread) == 1
    assert found.unread[0].startswith("Odd: ")


@pytest.mark.parametrize(
    ("files", "what"),
    [
        ({"moduledata": b"<data/>"}, "buildFile.xml is missing"),
        ({"buildFile.xml": b"<a"}, "buildFile.xml: "),
        ({"buildFile.xml": b'<!DOCTYPE a [<!ENTITY b "c">]><a n="&b;"/>'}, "buildFile.xml declares a document type"),
        ({"buildFile.xml": b"<a/>", "moduledata": b"<"}, "moduledata or savedata"),
    ],
)
def test_no_module(files: dict[str, bytes], what: str) -> None:
    with pytest.raises(InputError) as caught:
        read_module(write_container(files))
    assert what in caught.value.what


TEXT = f'<a name="b">{window(board("Land", GRID), board("Sea", said="image=x"))}{A}{B}<{SETUP} name="x" file="y"/></a>'


@given(
    st.lists(
        st.tuples(st.integers(0, len(TEXT)), st.integers(0, 5), st.sampled_from(['"', "9" * 20, "-", ";", "nan", ""])),
        max_size=4,
    )
)
@settings(max_examples=examples(150))
def test_a_damaged_module_is_one_or_an_input_error(changes: list[tuple[int, int, str]]) -> None:
    text = TEXT.replace("image=x", 'image="x"')
    for at, out, sign in changes:
        text = text[:at] + sign + text[at + out :]
    try:
        found = read_module(write_container({"buildFile.xml": text.encode()}))
    except InputError as error:
        assert error.what
        return
    for map in found.maps.values():
        for one in map.boards.values():
            assert one.grid is None or isinstance(one.grid.locate((50, 50)), str)


# --- work -------------------------------------------------------------------------------------------------------------


def test_boards_beside_one_another_are_placed_in_one_go() -> None:
    drawing = MapWindow("Field", (10, 5), {"Land": BoardDrawing("Land", (100, 80), None)})

    def make(many: int) -> Callable[[], object]:
        chosen = tuple(("Land", number // 3, number % 3) for number in range(many))
        return lambda: drawing.placed(chosen)

    assert grows_evenly(make)
    last = drawing.placed((("Land", 0, 1), ("Land", 5, 1), ("Land", 5, 7), ("Land", 2, 1)))
    assert [(one.x, one.y) for one in last] == [(10, 5), (210, 5), (10, 85), (110, 5)]


@pytest.mark.parametrize("head", [b"<svg ", b"<svg width ", b"<svg width=", b"<svg\twidth\t=\t"])
def test_a_beginning_of_any_length_has_no_size(head: bytes) -> None:
    for data in (head * 20_000, head + b" " * 250_000, head + b" width" * 40_000 + b">"):
        with pytest.raises(ValueError, match="unknown size"):
            read_picture_size(data)


# --- what others made -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["VASSAL.build.widget.WidgetMap", "VASSAL.build.module.PrivateMap", "tdc.MyMap"])
def test_any_element_with_boards_is_a_map(kind: str) -> None:
    found = module(f'<{kind} mapName="Display"><{PICKER}>{board("Land", GRID)}</{PICKER}></{kind}>')
    save = Save(boards={"Display": (("Land", 0, 0),)})
    assert found.locate(save, PieceStack("1", (), "Display", (20, 20))) == "0101"


def test_maps_without_a_name_have_a_number() -> None:
    found = module(f"<{MAP}/>", window(board("Land")), f"<tdc.MyMap><{PICKER}>{board('Sea')}</{PICKER}></tdc.MyMap>")
    assert list(found.maps) == ["Map0", "Field", "Map2"]


def test_a_private_window_says_whose_it_is_and_classes_of_own_code_are_named_and_not_run() -> None:
    private = '<VASSAL.build.module.PrivateMap mapName="Hand" side="Red,Umpire"/>'
    assert [window.sides for window in module(private, window()).maps.values()] == [("Red", "Umpire"), ()]
    found = module("<tdc.Strength/><tdc.Strength/>", window(), "<wga.deep.Refresher/><entry/>")
    assert found.classes == {"tdc.Strength": 2, "wga.deep.Refresher": 1}


def test_an_extension_adds_to_a_module() -> None:
    slot = f'<{SLOTS[0]} entryName="New" gpid="ext:1">+/null/prototype;A\tpiece;;;;New/\tnull;0;0;;0</{SLOTS[0]}>'
    element = "VASSAL.build.module.ExtensionElement"
    text = (
        f'<VASSAL.build.module.ModuleExtension module="Small">'
        f'<{element} target="{MAP}:Field/{PICKER}">{board("Sea")}</{element}>'
        f'<{element} target="{MAP}:Field/{PICKER}">{board("Marsh")}</{element}>'
        f'<{element} target="VASSAL.build.module.PieceWindow:Pieces">{slot}</{element}></VASSAL.build.module.ModuleExtension>'
    )
    extension = read_module(write_container({"buildFile": text.encode()}))
    found = module(window(board("Land", GRID)), A).extended(extension)
    assert (list(found.maps), found.maps["Field"].edge) == (["Field"], (10, 5))
    assert list(found.maps["Field"].boards) == ["Land", "Sea", "Marsh"]
    assert [slot.name for slot in found.slots] == ["New"]
    assert found.expanded(found.slots[0].piece.traits)[0] == Trait("mark;a", "1")


def extension(*added: tuple[str, str]) -> Module:
    """An extension that adds elements, each given behind the path to what it is added to."""
    element = "VASSAL.build.module.ExtensionElement"
    inner = "".join(f'<{element} target="{target}">{text}</{element}>' for target, text in added)
    text = f'<VASSAL.build.module.ModuleExtension module="Small">{inner}</VASSAL.build.module.ModuleExtension>'
    return read_module(write_container({"buildFile": text.encode()}))


def card(name: str) -> str:
    return f'<{SLOTS[1]} entryName="{name}">+/null/piece;;;;{name}/null;0;0;;0</{SLOTS[1]}>'


def lying(found: Module) -> list[tuple[str, tuple[int, int], str]]:
    return [(piece.map, piece.at, piece.name) for piece in set_up_game(found).pieces.values()]


STACK = f'<{STARTS[0]} name="Guards" owningBoard="Land" x="7" y="8">{card("Guard")}</{STARTS[0]}>'
DECK = f'<{STARTS[1]} name="Reserve" x="1" y="2">{card("First")}</{STARTS[1]}>'


@pytest.mark.parametrize(
    "path", [f"{MAP}:Field", f"{MAP}:Field/VASSAL.build.module.folder.MapSubFolder:Stacks", "tdc.MyMap:Field"]
)
def test_an_extension_sets_up_pieces_on_a_map_of_the_module(path: str) -> None:
    more = extension((path, STACK), (path, DECK))
    found = module(window(board("Land"))).extended(more)
    assert lying(found) == [("Field", (17, 13), "Guard"), ("Field", (11, 7), "First")]
    assert (lying(more), found.unread) == ([], ())


def test_an_extension_sets_up_cards_in_decks_also_on_a_map_with_a_colon_in_its_name() -> None:
    field = window(board("Land")).replace(f"</{MAP}>", f"{DECK}</{MAP}>")
    more = extension((f"{MAP}:Field/{STARTS[1]}:Reserve", card("Second")))
    assert [name for _, _, name in lying(module(field).extended(more))] == ["First", "Second"]
    assert lying(more) == []
    more = extension((rf"{MAP}:Front\: East/{PICKER}:", board("Sea")), (rf"{MAP}:Front\: East", STACK))
    found = module(window(board("Land"), name="Front: East")).extended(more)
    assert {name: list(map.boards) for name, map in found.maps.items()} == {"Front: East": ["Land", "Sea"]}
    assert [map for map, _, _ in lying(found)] == ["Front: East"]


def test_what_an_extension_sets_up_nowhere_or_changes_of_a_grid_is_said() -> None:
    more = extension(
        (f"{MAP}:Sea", STACK), (f"{MAP}:Field/{STARTS[1]}:Reserve", card("Second")), ("VASSAL.build.module.X:Y", DECK)
    )
    assert module(window(board("Land"))).extended(more).unread == (
        "Reserve: it lies on no map",
        "Guards: the module has no map Sea",
        "Reserve: the module has no such stack or deck on Field",
    )
    zone = '<VASSAL.build.module.map.boardPicker.board.mapgrid.Zone name="Fort"/>'
    more = extension(("", board("Sea")), (f"{MAP}:Field/{PICKER}:/{BOARD}:Land", zone))
    assert module(window(board("Land"))).extended(more).unread == (
        "board Sea: it belongs to no map",
        "board Land: what an extension adds to its grid is left out",
    )


def test_a_deck_at_a_printed_place_is_named_there() -> None:
    deck = DECK.replace('x="1"', 'owningBoard="Land" useGridLocation="true" location="0201" x="1"')
    found = module(window(board("Land", GRID)).replace(f"</{MAP}>", f"{deck}</{MAP}>"))
    save = set_up_game(found)
    (first,) = save.pieces.values()
    assert (first.at, found.locate(save, first)) == ((64, 45), "Reserve")
    assert found.locate(Save(), first) == "", "its board is not in play"


def test_an_extension_adds_controls_and_properties() -> None:
    own, properties = "VASSAL.build.module.", "VASSAL.build.module.properties.Global"
    more = extension(
        ("", f'<{own}DiceButton name="More" nDice="1"/>'),
        ("", f'<{own}turn.TurnTracker><{own}turn.CounterTurnLevel name="Day"/></{own}turn.TurnTracker>'),
        (f"{properties}Properties", f'<{properties}Property name="Rain" initialValue="1"/>'),
        (f"{MAP}:Field/{properties}Properties", f'<{properties}Property name="Zoom" initialValue="2"/>'),
    )
    shared = f'<{properties}Properties><{properties}Property name="Snow" initialValue="3"/></{properties}Properties>'
    found = module(f'<{own}DiceButton name="Own"/>', shared, window()).extended(more)
    assert [button.name for button in found.controls.dice] == ["Own", "More"]
    assert [level.name for levels in found.controls.trackers for level in levels] == ["Day"]
    assert found.properties == {"Snow": "3", "Rain": "1"}


@pytest.mark.parametrize("root", ["VASSAL.launch.BasicModule", "VASSAL.build.GameModule"])
def test_modules_of_old_engines(root: str) -> None:
    """The root has another class, the lines end as on Windows, and nothing says what the module is."""
    text = (
        f'<?xml version="1.0"?>\r\n<{root} name="Old" version="1">\r\n{A}\r\n{window(board("Land", GRID))}\r\n</{root}>'
    )
    found = read_module(write_container({"buildFile": text.encode()}))
    assert (found.about.module, list(found.maps), list(found.prototypes)) == ("Old", ["Field"], ["A"])


@pytest.mark.parametrize(("said", "sideways"), [("", False), ('sideways="false"', False), ('sideways="true"', True)])
def test_hexes_lie_sideways_only_where_the_module_says_so(said: str, sideways: bool) -> None:
    board = read_xml(f'<board><{HEXES} x0="9" y0="3" dx="17" dy="20" {said}/></board>'.encode(), "buildFile.xml")
    grid = read_grid(board, (100, 100))
    assert isinstance(grid, Hexes)
    assert grid.sideways == sideways


@pytest.mark.parametrize(
    ("format", "printed"),
    [
        ("$gridLocation$", "0304"),
        ("$column$/$row$", "03/04"),
        ("$gridLocation$ ($column$)", "0304 (03)"),
        ("$row$: $gridLocation$", "04: 0304"),
        ("Hex", "Hex"),
    ],
)
def test_what_is_printed_in_a_hex_is_read_again_however_often_it_says_so(format: str, printed: str) -> None:
    numbering = Numbering(location_format=format)
    assert numbering.name(3, 4) == printed
    assert numbering.read(printed) == ((3, 4) if printed != format else None)


COARSE, FINER = Hexes(x0=0, y0=0, dx=90, dy=100), Hexes(x0=20, y0=20, dx=45, dy=50)
PATH = ((0, 0), (60, 0), (60, 60), (0, 60))


@pytest.mark.parametrize(
    ("grid", "at", "off"),
    [
        (COARSE, (3, 3), False),
        (COARSE, (20, 20), True),
        (None, (20, 20), False),
        (ZonedGrid((GridZone("Fort", "", PATH, FINER),), COARSE), (20, 20), False),
        (ZonedGrid((GridZone("Fort", "", PATH, FINER),), COARSE), (35, 20), True),
        (ZonedGrid((GridZone("Box", "", PATH, None),), COARSE), (20, 20), False),
        (ZonedGrid((GridZone("Fort", "", PATH, FINER),), COARSE), (0, 200), False),
    ],
)
def test_the_grid_of_its_zone_says_where_the_middle_of_a_hex_is(grid: Drawn | None, at: Pixel, off: bool) -> None:
    assert is_off_centre(grid, at) is off


def test_setups() -> None:
    found = module(f'<{SETUP} name="Menu"><{SETUP} name="First" file="first.vsav"/></{SETUP}>')
    assert found.setups == (("First", "first.vsav"),)


def test_a_picture_that_is_packed_in_an_unknown_way() -> None:
    land = window(board("Land", GRID, 'image="x.png"'))
    text = f"<a>{land}</a>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as container:
        container.writestr("buildFile.xml", text)
        container.writestr("images/x.png", PNG)
    data = bytearray(out.getvalue())
    at = data.rfind(b"images/x.png") - 46  # its entry at the end of the file
    data[at + 10] = 99
    assert "cannot be read" in read_module(bytes(data)).unread[0]
