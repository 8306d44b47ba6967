"""Whose each piece of a module is: by its property, its picture and prototypes, its tab, its stack, or by a table."""

from __future__ import annotations

import csv
import itertools
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lxml import etree

from assistant.faces.cli.main import cli as assistant
from assistant.formats.vassal.containers import write_container
from assistant.formats.vassal.pieces import Piece, write_definition
from assistant.formats.vassal.traits import Trait, marker_trait
from assistant.game.games import Game, read_game
from module_builder.cli import cli
from module_builder.vassal.elements import MODULE, WIDGET, add

from ...cases import few
from .foreign import PICTURES, build_file, packed, picture

FACES = ("a.png", "b.png", "c.png", "d2.png", "e.png")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def piece(name: str, image: str = "", prototype: str = "", **marks: str) -> Piece:
    given = (Trait(f"prototype;{prototype}"),) if prototype else ()
    return Piece("null", (*given, *((marker_trait(marks),) if marks else ()), Trait(f"piece;;;{image};{name}")))


BLUE = [piece("1st", "a.png"), piece("3rd", "a.png"), piece("5th", "c.png")]
RED = [piece("2nd", "b.png"), piece("4th", "b.png"), piece("6th", "e.png")]


def module(
    palettes: Mapping[str, list[Piece]],
    stacks: Sequence[tuple[str, Sequence[Piece]]] = (),
    sides: Sequence[str] = ("Blue", "Red", "<observer>"),
    *,
    deck: Sequence[Piece] = (),
    whole: bool = False,
) -> None:
    """Write a module without set-ups that begins with stacks, each in a hex of its own. deck: its cards; whole: without
    what the builder cannot place.
    """
    root = build_file(palettes)
    for other in root.findall(f"{MODULE}SpecialDiceButton") if whole else ():
        root.remove(other)
    root.remove(next(root.iter(f"{MODULE}PredefinedSetup")))
    players = next(root.iter(f"{MODULE}PlayerRoster"))
    for entry in [*players]:
        players.remove(entry)
    for side in sides:
        add(players, "entry", side)
    prototypes = next(root.iter(f"{MODULE}PrototypesContainer"))
    for name in ("Blue foot", "Red foot", "Foot"):
        empty = Piece("null", (Trait("piece;;;;"),))
        add(prototypes, f"{MODULE}PrototypeDefinition", write_definition(empty), name=name)
    main = next(map for map in root.iter(f"{MODULE}Map") if map.get("mapName") == "Main")
    slot = 90
    for number, (name, some) in enumerate(stacks):
        at = {"x": "129", "y": str(230 + 80 * number), "useGridLocation": "false"}
        stack = add(main, f"{MODULE}map.SetupStack", name=name, owningBoard="Land", **at)
        for one in some:
            slot += 1
            text = write_definition(one._replace(slot=str(slot)))
            add(stack, f"{WIDGET}PieceSlot", text, entryName=one.name, gpid=str(slot))
    pile = add(main, f"{MODULE}map.DrawPile", name="Cards", owningBoard="Land", x="9", y="9") if deck else main
    for number, one in enumerate(deck):
        add(pile, f"{WIDGET}CardSlot", write_definition(one), entryName=one.name, gpid=str(200 + number))
    Path("module.vmod").write_bytes(packed(root, {**PICTURES, **{name: picture() for name in FACES}}))


def run(*more: str, folder: str = "game") -> Result:
    return CliRunner().invoke(cli, ["import", "module.vmod", "-o", folder, *more])


def imported(*more: str, folder: str = "game") -> Game:
    done = run(*more, folder=folder)
    assert done.exit_code == 0, done.output
    checked = CliRunner().invoke(cli, ["check", folder])
    assert checked.exit_code == 0, checked.output
    return read_game(folder, Path(folder))


def nations(game: Game) -> dict[str, str]:
    found = {unit: facts.get("nation", ()) for unit, facts in game.roster.items()}
    return {unit: str(facts[0].value) for unit, facts in found.items() if facts}


def asked(folder: str = "game") -> list[tuple[str, ...]]:
    """The rows to fill in."""
    with Path(folder, "pieces.csv").open(encoding="utf-8") as file:
        return [tuple(row) for row in csv.reader(file)][1:]


# --- what the module says ---------------------------------------------------------------------------------------------


def test_each_piece_has_the_side_of_its_own_property_or_of_its_tab() -> None:
    module({"Blue": BLUE, "Red units": RED}, [("s", [piece("7th", Side="Blue")]), ("t", [piece("8th", Side="red")])])
    game = imported()
    assert game.file.sides == {"blue": ("blue",), "red": ("red",)}
    assert nations(game) == {
        **dict.fromkeys(("1st", "3rd", "5th", "7th"), "blue"),
        **dict.fromkeys(("2nd", "4th", "6th", "8th"), "red"),
    }
    assert "side" not in game.tracks  # it says nothing that the nation does not
    assert not Path("game/pieces.csv").exists()


@few(5)
@pytest.mark.parametrize(
    ("stack", "nation"),
    [
        (("s", [piece("9th", "a.png")]), "blue"),
        (("s", [piece("9th", prototype="Red foot")]), "red"),
        (("s", [piece("9th", "a.png", "Red foot")]), "blue"),
        (("Red reserves", [piece("9th")]), "red"),
        (("s", [RED[0], piece("9th")]), "red"),
        (("s", [piece("9th", "b.png", "Blue foot", Side="Blue")]), "blue"),
    ],
)
def test_a_piece_that_only_a_set_up_has(stack: tuple[str, list[Piece]], nation: str) -> None:
    module({"Blue": BLUE, "Red": RED}, [stack])
    game = imported()
    assert nations(game)["9th"] == nation
    assert not Path("game/pieces.csv").exists()


def test_a_piece_of_the_same_name_whose_property_says_another_side_is_another_counter() -> None:
    module({"Blue": [piece("1st", "a.png", Side="Blue")], "Red": RED}, [("s", [piece("1st", "c.png", Side="Red")])])
    assert nations(imported()) == {"1st": "blue", "1st (2)": "red", "2nd": "red", "4th": "red", "6th": "red"}


@pytest.mark.parametrize(
    "stack",
    [
        ("s", [piece("9th", prototype="Foot")]),
        ("Blue and Red", [piece("9th")]),
        ("s", [RED[0], piece("9th", "a.png")]),  # its picture is blue, its company red
    ],
)
def test_a_piece_of_which_nothing_is_known_is_asked_for(stack: tuple[str, list[Piece]]) -> None:
    module({"Blue": BLUE, "Red": RED}, [stack])
    game = imported()
    assert "9th" not in nations(game)
    assert len(nations(game)) == 6
    assert asked() == [("9th", "", "", "")]
    page = Path("game/IMPORT.md").read_text("utf-8")
    assert "```csv\npiece,nation,side,unit\n9th,,,\n```" in page


def test_a_face_that_many_unknown_pieces_share_says_nothing() -> None:
    others = [piece(f"Post {number}", "c.png") for number in range(3)]
    module({"Blue": BLUE, "Red": RED}, [(f"s{number}", [other]) for number, other in enumerate(others)])
    assert len(nations(imported())) == 6
    assert len(asked()) == 3


def test_a_deck_beside_a_single_palette_is_no_nation() -> None:
    module({"All": [*BLUE, *RED]}, sides=(), deck=[piece("Rain"), piece("Snow")])
    game = imported()
    assert not nations(game)
    assert {"Rain", "Snow"} < game.roster.keys()


def test_no_nation_follows_from_a_piece_of_which_it_follows_itself() -> None:
    def turning(one: Piece) -> Piece:
        return one._replace(traits=(Trait("rotate;6;93,130;91,130"), *one.traits))

    first = turning(piece("1st", "a.png", Side="Blue"))
    stacks = [("Blue reserves", [turning(piece("8th"))]), ("s", [turning(piece("9th"))])]
    module({"All": [first, piece("2nd", "b.png", Side="Red")]}, stacks)
    assert nations(imported()) == {"1st": "blue", "2nd": "red", "8th": "blue"}
    assert asked() == [("9th", "", "", "")]


def test_tabs_beside_those_of_nations_are_nations_too() -> None:
    blue, red = piece("1st", "a.png", Nation="Blue"), piece("2nd", "b.png", Nation="Red")
    module({"Blue": [blue], "Red": [red], "Green": [piece("3rd", "c.png")]}, sides=())
    assert nations(imported()) == {"1st": "blue", "2nd": "red", "3rd": "green"}


def test_nations_are_at_the_level_of_the_palettes_at_which_units_differ() -> None:
    module({"Units": [], "Info": [piece("Isolated", "d.png"), piece("Fort", "d.png")]}, sides=())
    nest("Units", {"Britain": BLUE, "Germany": RED})
    game = imported()
    assert nations(game) == {"1st": "britain", "3rd": "britain", "5th": "britain"} | {
        "2nd": "germany", "4th": "germany", "6th": "germany",
    }  # fmt: skip
    assert {row[0] for row in asked()} == {"Isolated", "Fort"}
    taken = Path("game/IMPORT.md").read_text("utf-8").partition("## Taken for nations")[2]
    assert "- britain: the tab Britain\n- germany: the tab Germany\n" in taken


@pytest.mark.parametrize("titles", [("Units", "Info"), ("Counters", "Markers"), ("Infantry", "Chits"), ("1", "2")])
def test_a_tab_that_names_no_nation_is_none(titles: tuple[str, str]) -> None:
    module(dict(zip(titles, (BLUE, RED), strict=True)), sides=())
    assert nations(imported()) == {}


Tabs = Mapping[str, "Tabs | list[Piece]"]
"""Tabs with tabs or pieces within."""


def nest(tab: str, lists: Tabs) -> None:
    """Put lists of pieces, or tabs of such lists, into a tab of the module."""
    with zipfile.ZipFile("module.vmod") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    root = etree.fromstring(files["buildFile.xml"])
    slots = itertools.count(301)

    def put(outer: etree._Element, title: str, held: Tabs | list[Piece]) -> None:
        inner = add(outer, f"{WIDGET}{'ListWidget' if isinstance(held, list) else 'TabWidget'}", entryName=title)
        if not isinstance(held, list):
            for name, more in held.items():
                put(inner, name, more)
            return
        for piece in held:
            slot = str(next(slots))
            text = write_definition(piece._replace(slot=slot))
            add(inner, f"{WIDGET}PieceSlot", text, entryName=piece.name, gpid=slot)

    outer = next(element for element in root.iter() if element.get("entryName") == tab)
    for title, held in lists.items():
        put(outer, title, held)
    files["buildFile.xml"] = etree.tostring(root, encoding="UTF-8")
    Path("module.vmod").write_bytes(write_container(files))


ALLIES = [piece("1st", "a.png"), piece("3rd", "a.png"), piece("5th", "c.png"), piece("7th", "c.png")]
AXIS = [piece("2nd", "b.png"), piece("4th", "b.png"), piece("6th", "e.png"), piece("8th", "e.png")]
ONE, THREE, FIVE, SEVEN = ([one] for one in ALLIES)
TWO, FOUR, SIX, EIGHT = ([one] for one in AXIS)


@pytest.mark.parametrize("sides", [("Allies", "Axis"), ()])
@pytest.mark.parametrize(
    ("allies", "axis"),
    [
        pytest.param(
            {"1st Corps": {"Britain": ONE, "France": THREE}, "2nd Corps": {"Britain": FIVE, "France": SEVEN}},
            {"XI Corps": {"Germany": TWO, "Italy": FOUR}, "Group B": {"Germany": SIX, "Italy": EIGHT}},
            id="corps above nations",
        ),
        pytest.param(
            {"Western Front": {"Britain": {"Infantry": ONE, "Armour": FIVE}}, "Africa": {"France": [*THREE, *SEVEN]}},
            {"Eastern Front": {"Germany": {"Infantry": TWO, "Armour": SIX}, "Italy": {"Infantry": [*FOUR, *EIGHT]}}},
            id="fronts above nations, units below",
        ),
        pytest.param(
            {"Western Front": {"Britain": [*ONE, *FIVE], "France": [*THREE, *SEVEN]}},
            {"Germany": [*TWO, *SIX], "Italy": [*FOUR, *EIGHT]},
            id="fronts of one side alone",
        ),
        pytest.param(
            {"Army of Gort": {"Britain": ONE, "France": THREE}, "Army of Giraud": {"Britain": FIVE, "France": SEVEN}},
            {"Kleist": {"Germany": TWO, "Italy": FOUR}, "Rommel": {"Germany": SIX, "Italy": EIGHT}},
            id="leaders above nations",
        ),
    ],
)
def test_nations_lie_within_the_tabs_of_their_sides(sides: tuple[str, ...], allies: Tabs, axis: Tabs) -> None:
    module({"Allies": [], "Axis": []}, sides=sides)
    nest("Allies", allies)
    nest("Axis", axis)
    game = imported()
    assert nations(game) == {
        **dict.fromkeys(("1st", "5th"), "britain"),
        **dict.fromkeys(("3rd", "7th"), "france"),
        **dict.fromkeys(("2nd", "6th"), "germany"),
        **dict.fromkeys(("4th", "8th"), "italy"),
    }
    assert game.file.sides == ({"allies": ("britain", "france"), "axis": ("germany", "italy")} if sides else {})
    taken = Path("game/IMPORT.md").read_text("utf-8").partition("## Taken for nations")[2]
    assert "- britain: the tab Britain\n" in taken


def test_invented_nations_that_recur_in_several_groups_of_a_side_are_found() -> None:
    module({"Blue": [], "Red": []}, sides=("Blue", "Red"))
    nest("Blue", {"Vanguard": {"Avalon": ONE, "Lyonesse": THREE}, "Rear": {"Avalon": FIVE, "Lyonesse": SEVEN}})
    nest("Red", {"1st Army": {"Ruritania": TWO}, "2nd Army": {"Borduria": [*FOUR, *SIX, *EIGHT]}})
    game = imported()
    assert game.file.sides == {"blue": ("avalon", "lyonesse"), "red": ("ruritania", "borduria")}


@pytest.mark.parametrize(
    ("blue", "red"),
    [
        ({"Infantry": [*ONE, *THREE], "Artillery": [*FIVE, *SEVEN]}, {"Infantry": TWO, "Artillery": [*FOUR, *SIX, *EIGHT]}),
        ({"Davout": [*ONE, *THREE], "Ney": [*FIVE, *SEVEN]}, {"Bennigsen": TWO, "Barclay": [*FOUR, *SIX, *EIGHT]}),
        ({"Guard": [*ONE, *THREE], "Line": [*FIVE, *SEVEN]}, {"Guard": TWO, "Line": [*FOUR, *SIX, *EIGHT]}),
    ],
)  # fmt: skip
def test_arms_and_leaders_within_the_tabs_of_sides_are_no_nations(blue: Tabs, red: Tabs) -> None:
    module({"French": [], "Russian": []}, sides=("French", "Russian"))
    nest("French", blue)
    nest("Russian", red)
    assert imported().file.sides == {"french": ("french",), "russian": ("russian",)}


def test_a_tab_within_that_of_a_side_says_more_than_a_property_with_the_side() -> None:
    module({"Allies": [], "Axis": []}, sides=("Allies", "Axis"))
    marked = [piece(name, "a.png", Side="Allies") for name in ("1st", "3rd")]
    nest("Allies", {"1st Corps": {"Britain": marked[:1], "France": marked[1:]}})
    nest("Axis", {"Germany": AXIS})
    assert imported().file.sides == {"allies": ("britain", "france"), "axis": ("germany",)}


@pytest.mark.parametrize(
    ("titles", "ids"),
    [
        (("Германия", "Россия"), ("germaniya", "rossiya")),
        (("Немецкие войска", "Русские войска"), ("nemetskie-voyska", "russkie-voyska")),
        (("Ελλάδα", "Τουρκία"), ("ellada", "toyrkia")),
        (("Łotwa", "Ísland"), ("lotwa", "island")),
    ],
)
def test_titles_in_other_alphabets_are_written_in_latin_letters(titles: tuple[str, str], ids: tuple[str, str]) -> None:
    module(dict(zip(titles, (BLUE, RED), strict=True)), sides=titles)
    game = imported()
    assert game.file.sides == {name: (name,) for name in ids}
    assert [game.file.titles[name] for name in ids] == [*titles]
    assert nations(game) == dict.fromkeys(("1st", "3rd", "5th"), ids[0]) | dict.fromkeys(("2nd", "4th", "6th"), ids[1])


def test_tabs_are_no_nations_where_one_has_another_name_than_its_nation() -> None:
    south, north = piece("1st", "a.png", Nation="CSA"), piece("2nd", "b.png", Nation="USA")
    palettes = {"South": [south, piece("4th", "e.png")], "North": [north], "Common": [piece("3rd", "c.png")]}
    module(palettes, sides=())
    assert nations(imported()) == {"1st": "csa", "4th": "csa", "2nd": "usa"}
    assert asked() == [("3rd", "", "", "")]


def test_a_nation_is_on_the_side_of_the_only_stack_that_says_one() -> None:
    saxons = [piece("1st", "a.png", Nation="Saxon"), piece("3rd", "c.png", Nation="Saxon")]
    others = [piece("2nd", "b.png", Side="Blue"), piece("4th", "e.png", Side="Red")]
    module({"All": [*saxons, *others]}, [("s", [saxons[0], others[0]])])
    game = imported()
    assert game.file.sides == {"blue": ("saxon", "blue"), "red": ("red",)}
    assert nations(game) == {"1st": "saxon", "3rd": "saxon", "2nd": "blue", "4th": "red"}


def test_rows_to_fill_in_are_counted_apart() -> None:
    module({"Blue": BLUE, "Red": RED}, [("s", [piece("9th")])], whole=True)
    said = run().output
    assert "nation or side not known: 1 row to fill in, game/pieces.csv" in said
    assert "not imported" not in said and "everything was imported" not in said


def test_cards_in_a_deck_are_not_asked_for() -> None:
    module({"Blue": BLUE, "Red": RED}, [("s", [piece("9th")])], deck=[piece("Rain"), piece("Snow")])
    imported()
    assert asked() == [("9th", "", "", "")]


def test_a_card_with_the_slot_of_a_counter_is_another_piece_for_adoption() -> None:
    module({"Blue": BLUE, "Red": RED}, deck=[piece("1st", "a.png")._replace(slot="1")])
    imported()
    done = CliRunner().invoke(assistant, ["adopt", "module.vmod", "--game", "game"])
    assert done.exit_code == 0, done.output


def test_a_nation_with_pieces_on_two_sides_is_one_for_each() -> None:
    pieces = [piece("1st", "a.png", Nation="Saxon", Side="Blue"), piece("2nd", "b.png", Nation="Saxon", Side="Red")]
    module({"Counters": [*pieces, piece("3rd", "c.png", Nation="Hessian", Side="Red")]})
    game = imported()
    assert game.file.sides == {"blue": ("saxon-blue",), "red": ("saxon-red", "hessian")}
    assert game.file.titles["saxon-red"] == "Saxon (Red)"
    assert nations(game) == {"1st": "saxon-blue", "2nd": "saxon-red", "3rd": "hessian"}


def test_a_side_follows_from_one_piece_of_the_nation_that_says_it() -> None:
    pieces = [piece("1st", "a.png", Side="Allies"), piece("2nd", "a.png"), piece("3rd", "c.png")]
    module({"French": pieces, "Prussian": [piece("4th", "b.png", Side="Coalition")]}, sides=("Allies", "Coalition"))
    game = imported()
    assert set(nations(game).values()) == {"allies", "coalition"}
    assert len(nations(game)) == 4


@pytest.mark.parametrize(
    ("traits", "lost"),
    [
        ((), ""),
        ((Trait("delete;Delete;68,130;"), Trait("markmoved;x.png;0;0;Moved;;;")), ""),
        ((Trait("rotate;6;93,130;91,130"), Trait("hull;1")), "  - Can Rotate: 1 piece\n  - hull: 1 piece\n"),
    ],
)
def test_everything_was_imported_is_said_only_if_it_is_so(traits: tuple[Trait, ...], lost: str) -> None:
    turning = piece("1st", "a.png")
    module({"Blue": [turning._replace(traits=(*traits, *turning.traits)), *BLUE[1:]], "Red": RED}, whole=True)
    done = run()
    assert ("everything was imported" in done.output) == (not lost)
    page = Path("game/IMPORT.md").read_text("utf-8")
    assert ("## Not imported" in page) == bool(lost)
    assert lost in page


# --- what the table says ----------------------------------------------------------------------------------------------


def test_nations_whose_side_is_not_known_are_asked_for_once_each() -> None:
    module({"French": BLUE, "Prussian": RED}, sides=("North", "South"))
    game = imported()
    assert not game.file.sides
    assert set(nations(game).values()) == {"french", "prussian"}
    assert asked() == [("", "French", "", ""), ("", "Prussian", "", "")]
    Path("filled.csv").write_text("Piece,Nation,Side\n,French,North\n,Prussian,south\n,,\n", "utf-8")
    game = imported("--pieces", "filled.csv", folder="again")
    assert game.file.sides == {"north": ("french",), "south": ("prussian",)}


def test_the_table_says_whose_a_piece_is_and_what_it_is_called() -> None:
    module({"Blue": BLUE, "Red": RED}, [("s", [piece("9th"), piece("Baggage"), piece("Post")])])
    imported()
    assert asked() == [(name, "", "", "") for name in ("9th", "Baggage", "Post")]
    rows = "9th,Blue,,Ninth\nBaggage,none,none,\nPost,,,none\n1st,Saxon,Red,\n"
    Path("filled.csv").write_text(f"piece,nation,side,unit\n{rows}", "utf-8")
    game = imported("--pieces", "filled.csv", folder="again")
    assert nations(game)["Ninth"] == "blue"
    assert nations(game)["1st"] == "saxon"
    assert game.file.sides == {"blue": ("blue",), "red": ("saxon", "red")}
    assert "Baggage" in game.roster and "Baggage" not in nations(game)
    assert "Post" not in game.roster and "post" in game.tracks
    assert asked("again") == [tuple(row.split(",")) for row in rows.splitlines()]


def test_pieces_may_keep_their_names_or_exchange_them() -> None:
    module({"Blue": BLUE, "Red": RED})
    Path("filled.csv").write_text("piece,unit\n1st,1st\n3rd,5th\n5th,3rd\n", "utf-8")
    imported("--pieces", "filled.csv")
    with Path("game/roster.csv").open(encoding="utf-8") as file:
        assert [row["unit"] for row in csv.DictReader(file)][:3] == ["1st", "5th", "3rd"]


@few(6)
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("piece,nation\n9th,Blue\n10th,Blue\n", "pieces.csv:3: the module has no piece '10th'"),
        ("piece,nation\n1st,Blue\n1st,Red\n", "pieces.csv:3: another row says something else of '1st'"),
        ("piece,nation,side\n,Blue,Red\n,Blue,Blue\n", "pieces.csv:3: another row says something else of 'Blue'"),
        ("piece,colour\n1st,Blue\n", "pieces.csv:1: unknown column 'colour'"),
        ("name,nation\n1st,Blue\n", "pieces.csv:1: column 'piece' is missing"),
        ("piece,side\n,Blue\n", "pieces.csv:2: the row has a side, but neither a piece nor a nation"),
        ("piece,unit\n,Guard\n", "pieces.csv:2: the row has a unit, but no piece"),
        ("piece,unit\n1st,2nd\n", "pieces.csv:2: another piece is called '2nd'"),
        ("piece,nation\n1st,Blue,Red\n", "pieces.csv:2: column 3 has no name in the head row, but holds 'Red' here"),
        ("piece,nation\n1st\n", "pieces.csv:2: the row has 1 cell, not 2"),
    ],
)
def test_a_row_that_cannot_be_used_is_named_with_its_line(text: str, says: str) -> None:
    module({"Blue": BLUE, "Red": RED}, [("s", [piece("9th")])])
    Path("pieces.csv").write_text(text, "utf-8")
    done = run("--pieces", "pieces.csv")
    assert done.exit_code == 3
    assert says in done.output
    assert not Path("game").exists()


def test_a_table_that_is_not_there() -> None:
    module({"Blue": BLUE, "Red": RED})
    done = run("--pieces", "nowhere.csv")
    assert done.exit_code == 3
    assert "nowhere.csv" in done.output
