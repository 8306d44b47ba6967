"""Any save or new game as a list, and what differs between two saves: no piece is lost, and what is not understood is named."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from assistant.formats.vassal.containers import ModuleData
from assistant.formats.vassal.grids import HEXES, REGIONS, SQUARES, ZONES
from assistant.formats.vassal.modules import SLOTS, STARTS, Module, set_up_game
from assistant.formats.vassal.others.differences import (
    Alteration,
    PieceChanged,
    PieceMoved,
    PieceThere,
    SaveDifferences,
    listing_differences,
)
from assistant.formats.vassal.others.listing import format_listing, list_save, properties, visible_traits
from assistant.formats.vassal.others.sight import Eyes, visible_save
from assistant.formats.vassal.pieces import Piece, PieceStack, unknown_kinds
from assistant.formats.vassal.properties import Carried
from assistant.formats.vassal.saves import Save
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import LabelTrait, Trait
from assistant.state.differences import StackChange

from ..test_modules import GRID, MAP, PICKER, A, board, module, window

STEPS = ("", "+ (reduced)", "+ (remnant)")


def layer(name: str, names: tuple[str, ...] = STEPS, follows: str = "", first: int = 1) -> str:
    """A layer as VASSAL 3.6 writes it."""
    images = ",".join(f"{n}.png" for n in range(len(names)))
    follow = ["true", follows, str(first)] if follows else ["false", "", "1"]
    commands = ["Flip", "130", "A", "", "130", "", "", "130", "", "", "", "1", "false", "0", "0"]
    return join(
        [
            "emb2",
            *commands,
            images,
            ",".join(names),
            "false",
            name,
            "",
            "",
            *follow,
            "1",
            "true",
            "",
            "",
            "",
            "",
            "1.0",
        ],
        ";",
    )


def unit(id: str, name: str, at: tuple[int, int] = (30, 25), map: str = "Field", *traits: Trait) -> Piece:
    return Piece(id, (*traits, Trait(f"piece;;;a.png;{name}")), map, at, f"slot {id}")


DECK = "deck;true;0,0,0;370;500;Never;Never;false;false;false;;;;Events"
PIECES = (
    unit("1", "Below"),
    unit("2", "Above", (30, 25), "Field", Trait(layer("Steps"), "2"), Trait("turr;x", "3")),
    unit("3", "Alone", (65, 45)),
    unit("4", "Lost", (7, 7), ""),
    unit("5", "Card", (90, 80)),
    unit("6", "Lonely", (30, 25), "Elsewhere", Trait("prototype;B"), Trait("prototype;A")),
)
SAVE = Save(
    about=ModuleData("Small", "2"),
    boards={"Field": (("Land", 0, 0),)},
    pieces={piece.id: piece for piece in PIECES},
    stacks={
        "s": PieceStack("s", ("1", "2"), "Field", (30, 25)),
        "empty": PieceStack("empty", (), "Field", (30, 25)),
        "deck": PieceStack("deck", ("5",), "Field", (90, 80), None, DECK),
    },
    properties={("Module", "Weather"): "Mud"},
    players=(("id", "Ann", "Red"),),
    turns={"T": "0|1"},
    unread=("INFO\tx", "INFO\ty"),
)
MODULE = module(window(board("Land", GRID)), A, "<tdc.Own/>")


def test_every_piece_is_listed_with_its_place_from_the_top_down() -> None:
    found = list_save(SAVE, MODULE)
    assert [(piece.name, piece.map, piece.place, piece.below, piece.deck) for piece in found.pieces] == [
        ("Lonely", "Elsewhere", "", 0, ""),
        ("Above (reduced)", "Field", "0101", 1, ""),
        ("Below", "Field", "0101", 0, ""),
        ("Alone", "Field", "0201", 0, ""),
        ("Card", "Field", "0302", 0, "Events"),
        ("Lost", "", "", 0, ""),
    ]
    assert [(deck.name, deck.cards) for deck in found.decks] == [("Events", 1)]
    assert (found.properties, found.players, found.turns) == (
        {"Module": {"Weather": "Mud"}},
        (("Ann", "Red"),),
        {"T": "0|1"},
    )
    assert {piece.place for piece in list_save(SAVE).pieces} == {""}
    assert "- at 30,25: Above (reduced), Below" in format_listing(list_save(SAVE))


def test_what_is_not_understood_is_kept_and_named() -> None:
    assert list_save(SAVE, MODULE).not_understood == {
        "trait turr, of the module's own code": 1,
        "prototype B, which the module does not have": 1,
        "class tdc.Own, of the module's own code": 1,
        "command INFO": 2,
    }


def test_in_words() -> None:
    assert format_listing(list_save(SAVE, MODULE)).splitlines() == [
        "A save of Small 2, a module not made by the builder",
        "= 6 pieces: 1 on Elsewhere, 3 on Field, 1 on no map, 1 card in 1 deck",
        "",
        "Elsewhere",
        "- at 30,25: Lonely",
        "",
        "Field",
        "- 0101: Above (reduced), Below",
        "- 0201: Alone",
        "",
        "On no map",
        "- at 7,7: Lost",
        "",
        "Decks",
        "- Events, 0302: 1 card",
        "",
        "Not understood, and left as it is",
        "- class tdc.Own, of the module's own code",
        "- command INFO (2 times)",
        "- prototype B, which the module does not have",
        "- trait turr, of the module's own code",
    ]


def test_states_stand_behind_names_that_do_not_say_them() -> None:
    moved = unit(
        "1", "First", (30, 25), "Field", Trait("markmoved;x", "true"), Trait(layer("Steps", ("", "worn")), "1")
    )
    save = Save(pieces={"1": moved, "2": unit("2", "")})
    assert "- at 30,25: First (moved; Steps: level 1 of 2), a piece without a name" in format_listing(list_save(save))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("1 Div", "1", "1 Div (Losses: 1)"),
        ("1 Div (1)", "1", "1 Div (1)"),
        ("Anna", "Ann", "Anna (Losses: Ann)"),
        ("Ann", "Ann", "Ann"),
    ],
)
def test_a_text_is_left_out_only_if_the_name_tells_it(name: str, text: str, said: str) -> None:
    losses = Trait(LabelTrait("Losses", "Set losses", written="$pieceName$").type, text)
    assert f"- at 30,25: {said}" in format_listing(
        list_save(Save(pieces={"1": unit("1", name, (30, 25), "Field", losses)}))
    ).split("\n")


def test_an_empty_save_and_one_that_was_cut_off() -> None:
    assert (
        format_listing(list_save(Save()))
        == "A save of an unknown module, a module not made by the builder\n= no pieces"
    )
    found = list_save(
        Save(complete=False),
        Module(about=ModuleData(), maps={}, prototypes={}, slots=(), setups=(), unread=("board X",)),
    )
    assert set(found.not_understood) == {"board X", "the end of the save is missing: VASSAL did not finish writing it"}


def seen_of(found: Piece, **owners: str) -> dict[str, str]:
    return visible_traits(found, Carried(found.traits), owners)


def carried_by(found: Piece) -> dict[str, str]:
    return properties(found, Carried(found.traits))


def piece(*traits: tuple[str, str], name: str = "5 Corps") -> Piece:
    return Piece("1", (*(Trait(type, state) for type, state in traits), Trait(f"piece;;;a.png;{name}")))


@pytest.mark.parametrize(
    ("type", "state", "expected"),
    [
        (layer("Steps"), "1", {"Steps": "level 1 of 3"}),
        (layer("Steps"), "2", {"Steps": "(reduced)"}),
        (layer("Morale", ("6\\+1", "broken+")), "1", {"Morale": "6+1"}),
        (layer("Morale", ("6\\+1", "broken+")), "2", {"Morale": "broken"}),
        (layer("Steps"), "-2", {}),
        (layer("Steps"), "9", {"Steps": "(remnant)"}),
        (layer("Out of supply", ("",)), "1", {"Out of supply": "yes"}),
        (layer("", ("",)), "1", {}),
        ("label;76,130;Label;10;;;b;0;c;0;b;c;$pieceName$;Dialog;0;0;TextLabel;note;false", "weak", {"note": "weak"}),
        ("label;76,130;Label;10", "weak", {"text": "weak"}),
        ("label;76,130;Label;10", "", {}),
        ("markmoved;moved.gif;35;-35", "true", {"moved": "yes"}),
        ("markmoved;moved.gif;35;-35", "false", {}),
        ("rotate;6;93,130", "2", {"turned": "facing 2 of 6"}),
        ("rotate;1;84,130", "45.0", {"turned": "45.0 degrees"}),
        ("rotate;1;84,130", "0.0", {}),
        ("obs;70,130;back.png;Flip;G;?;sides:Red", "player-id;", {"masked by": "player-id"}),
        ("obs;70,130;back.png;Flip;G;?;sides:Red", "null;", {}),
        ("hide;73,130;Invisible;255,255,255;side:", "Red", {"invisible, placed by": "Red"}),
        ("strange;x", "state", {}),
    ],
)
def test_what_players_see(type: str, state: str, expected: dict[str, str]) -> None:
    assert seen_of(piece((type, state))) == expected


def test_layers_of_one_name_and_those_that_follow_a_marker() -> None:
    assert seen_of(piece((layer("Steps"), "1"), (layer("Steps"), "2"))) == {
        "Steps": "level 1 of 3",
        "Steps 2": "(reduced)",
    }
    assert piece((layer("Steps", follows="Level"), "1"), ("mark;Side,Level", "Red,3")).name == "5 Corps (remnant)"
    assert piece((layer("Steps", follows="Elsewhere"), "2")).name == "5 Corps (reduced)"


FOLLOWED = "PROP;Level;true,0,3,true;:;"


@pytest.mark.parametrize(
    ("first", "value", "name"),
    [(1, "2", "5 Corps (reduced)"), (0, "2", "5 Corps (remnant)"), (1, "none", "5 Corps"), (1, "0", "5 Corps")],
)
def test_a_layer_follows_a_property(first: int, value: str, name: str) -> None:
    """Its own state is an old one, which counts only if the property is not a number."""
    found = piece((layer("Steps", follows="Level", first=first), "1"), (FOLLOWED, value))
    assert found.name == name


@pytest.mark.parametrize(
    ("type", "name"),
    [("basicName;V Corps;", "V Corps"), ('basicName;{"V"};', '{"V"}'), ("basicName;$x$;", "$x$"), ("basicName;", "")],
)
def test_a_piece_is_called_by_its_basic_name(type: str, name: str) -> None:
    assert piece((type, "")).name == name
    assert piece((layer("Steps"), "2"), (type, "")).name == f"{name} (reduced)"
    assert piece((type, ""), ("basicName;Other;", ""), (layer("Steps"), "2")).name == f"{name} (reduced)"


def test_properties() -> None:
    found = piece(
        ("mark;Side,Strength", "Red,5"),
        ("PROP;Losses;true,0,9,false;:;", "2"),
        ("calcProp;Left;{Strength - Losses};left", ""),
        ("mark;Side", "inner"),
        ("propertysheet;0Notes;Notes", "dug in~"),
        ("propertysheet;0Notes;Notes", "~"),
    )
    assert carried_by(found) == {
        "Side": "Red",
        "Strength": "5",
        "Losses": "2",
        "Left": "3",
        "property sheet": "dug in~",
    }


def test_only_traits_of_the_modules_own_code_are_unknown() -> None:
    found = piece(("turr;x", ""), ("setprop;x", ""), ("matPiece;x", "noMat"), ("turr;y", ""), ("locmsg;x", ""))
    assert unknown_kinds(found) == ["turr"]


ZONE, REGION = (
    "VASSAL.build.module.map.boardPicker.board.mapgrid.Zone",
    "VASSAL.build.module.map.boardPicker.board.Region",
)
SQUARE = (
    f'<{SQUARES} x0="10" y0="10" dx="20" dy="20">'
    '<VASSAL.build.module.map.boardPicker.board.mapgrid.SquareGridNumbering hType="A" sep="-"/>'
    f"</{SQUARES}>"
)
BOXES = f'<{REGIONS}><{REGION} name="Dead" originx="5" originy="6"/><{REGION} name="Turn 2" originx="90" originy="6"/></{REGIONS}>'
ZONED = (
    f'<{ZONES}><{ZONE} name="Reserve" path="60,0;100,0;100,40;60,40" locationFormat="$name$"/>'
    f'<{ZONE} name="Track" path="0,60;100,60;100,80;0,80" locationFormat="$name$: $gridLocation$">{BOXES.replace("6", "70")}</{ZONE}>'
    f"{GRID}</{ZONES}>"
)


def slot(name: str, traits: str = "", states: str = "") -> str:
    return f'<{SLOTS[0]} entryName="{name}" gpid="{name}1">+/null/{traits}piece;;;a.png;{name}/{states}null;0;0;{name}1;0</{SLOTS[0]}>'


def start(*slots: str, kind: str = STARTS[0], **said: object) -> str:
    attributes = " ".join(f'{name}="{value}"' for name, value in said.items())
    return f"<{kind} {attributes}>{''.join(slots)}</{kind}>"


def with_starts(*starts: str, grid: str = GRID) -> Module:
    boards = f"<{PICKER}>{board('Land', grid)}{board('Sea')}</{PICKER}>"
    return module(f'<{MAP} mapName="Field" edgeWidth="10" edgeHeight="5">{boards}{"".join(starts)}</{MAP}>', A)


def test_pieces_lie_at_pixels_of_their_board() -> None:
    save = set_up_game(
        with_starts(start(slot("Guards"), slot("Line"), name="Stack", owningBoard="Land", x="30", y="40"))
    )
    assert [(piece.name, piece.map, piece.at, piece.slot) for piece in save.pieces.values()] == [
        ("Guards", "Field", (40, 45), "Guards1"),
        ("Line", "Field", (40, 45), "Line1"),
    ]
    assert [stack.pieces for stack in save.stacks.values()] == [("1.1", "1.2")]
    assert save.boards == {"Field": (("Land", 0, 0),)}


@pytest.mark.parametrize(
    ("grid", "location"),
    [
        (GRID, "0101"),
        (GRID, "0201"),
        (SQUARE, "B-02"),
        (BOXES, "Turn 2"),
        (ZONED, "0101"),
        (ZONED, "Reserve"),
        (ZONED, "Track: Dead"),
        (f'<{HEXES} x0="9" y0="3" dx="17" dy="20" sideways="true">' + GRID.partition(">")[2], "0301"),
    ],
)
def test_pieces_lie_at_printed_places(grid: str, location: str) -> None:
    """The module finds the place that it names."""
    placed = with_starts(
        start(slot("Guards"), name="S", useGridLocation="true", location=location, x="1", y="1"), grid=grid
    )
    save = set_up_game(placed)
    assert placed.locate(save, save.pieces["1.1"]) == location


@pytest.mark.parametrize(
    ("grid", "location"),
    [(GRID, "somewhere"), (GRID, "0"), (GRID, ""), (BOXES, "turn 2"), (ZONED, "Dead: Track"), (SQUARE, "AB-02")],
)
def test_a_place_that_the_board_does_not_have_is_left_to_the_pixels(grid: str, location: str) -> None:
    found = with_starts(start(slot("Guards"), useGridLocation="true", location=location, x="1", y="2"), grid=grid)
    assert set_up_game(found).pieces["1.1"].at == (11, 7)


def test_a_number_beyond_the_edge_and_a_piece_that_never_stacks_lie_where_they_would() -> None:
    save = set_up_game(with_starts(start(slot("Guards"), useGridLocation="true", location="9901")))
    assert save.pieces["1.1"].at[0] > 3000
    save = set_up_game(with_starts(start(slot("Guards"), slot("Lake", "immob;n;N;R;\t", "\t"), slot("Line"), name="S")))
    assert [stack.pieces for stack in save.stacks.values()] == [("1.1", "1.3")]
    assert [piece.name for piece in save.pieces.values()] == ["Guards", "Lake", "Line"]


def test_a_new_game_has_the_boards_that_the_map_names_and_what_stands_on_them() -> None:
    starts = [start(slot(f"on {board}"), owningBoard=board, x="1", y="2") for board in ("Land", "Sea")]
    boards = f"<{PICKER}><setup>FieldBoardPicker\tSea\t0\t0</setup>{board('Land', GRID)}{board('Sea')}</{PICKER}>"
    save = set_up_game(module(f'<{MAP} mapName="Field">{boards}{"".join(starts)}</{MAP}>'))
    assert save.boards == {"Field": (("Sea", 0, 0),)}
    assert [piece.name for piece in save.pieces.values()] == ["on Sea"]


def test_prototypes_are_replaced_and_decks_have_cards() -> None:
    deck = start(slot("One", "prototype;A\t", "\t"), slot("Two"), kind=STARTS[1], name="Events", x="3", y="4")
    save = set_up_game(with_starts(deck))
    assert [(stack.name, stack.pieces, stack.at) for stack in save.stacks.values()] == [
        ("Events", ("1.1", "1.2"), (13, 9))
    ]
    assert [trait.kind for trait in save.pieces["1.1"].traits] == ["mark", "piece"]


def test_a_map_without_boards_and_a_stack_outside_all_maps() -> None:
    found = module(f'<{MAP} mapName="Box">{start(slot("Guards"), x="3", y="x")}</{MAP}>', start(slot("Lost")))
    assert [(piece.name, piece.at) for piece in set_up_game(found).pieces.values()] == [("Guards", (3, 0))]


def followed(before: Save, after: Save) -> SaveDifferences:
    return listing_differences(list_save(before, MODULE), list_save(after, MODULE))


def of_a_side(before: Save, after: Save) -> SaveDifferences:
    eyes = Eyes("Blue", "Blue")
    return followed(visible_save(before, MODULE, eyes), visible_save(after, MODULE, eyes))


def changed(**fields: Any) -> Save:
    return msgspec.structs.replace(SAVE, **fields)


def with_pieces(*pieces: Piece) -> Save:
    return changed(pieces={piece.id: piece for piece in pieces}, stacks={})


def test_pieces_that_moved_came_or_are_gone_are_known_by_their_ids() -> None:
    before, after = with_pieces(unit("1", "Guards", (30, 25))), with_pieces(unit("1", "Guards", (65, 45)))
    assert followed(before, after).moved == (PieceMoved("1", "Guards", "0101", "0201"),)
    assert (
        followed(with_pieces(unit("1", "Guards", (30, 25))), with_pieces(unit("1", "Guards", (31, 26))))
        == SaveDifferences()
    )
    found = followed(with_pieces(unit("1", "Guards", (30, 25))), with_pieces(unit("2", "Guards", (30, 25))))
    assert found.gone == (PieceThere("1", "Guards", "0101"),)
    assert found.came == (PieceThere("2", "Guards", "0101"),)
    before, after = with_pieces(unit("1", "Guards", (30, 25))), with_pieces(unit("1", "Old Guards", (30, 25)))
    assert followed(before, after).changed == (
        PieceChanged("1", "Old Guards", "0101", (Alteration("name", "Guards", "Old Guards"),)),
    )


def test_places_are_told_with_their_map_where_there_are_several() -> None:
    before, after = (
        with_pieces(unit("1", "Guards", (30, 25)), unit("2", "Line", (5, 5), map)) for map in ("Elsewhere", "")
    )
    assert followed(before, after).moved == (PieceMoved("2", "Line", "5,5 on Elsewhere", "no map"),)


def test_pieces_without_ids_are_counted() -> None:
    before = with_pieces(
        unit("null1", "Wreck", (30, 25)), unit("null2", "Wreck", (30, 25)), unit("null3", "Fort", (65, 45))
    )
    after = with_pieces(
        unit("null1", "Fort", (65, 45)), unit("null2", "Wreck", (30, 25)), unit("null3", "Mine", (65, 45))
    )
    found = followed(before, after)
    assert (found.gone, found.came) == ((PieceThere("", "Wreck", "0101"),), (PieceThere("", "Mine", "0201"),))
    assert (found.moved, found.changed) == ((), ())


def test_layers_texts_and_properties_that_changed() -> None:
    def save(level: str, lost: str) -> Save:
        traits = Trait(layer("Steps"), level), Trait("PROP;Lost;x", lost), Trait("calcProp;Left;{5 - Lost};x", "")
        return with_pieces(unit("1", "Guards", (30, 25), "Field", *traits))

    assert followed(save("1", "0"), save("2", "1")).changed == (
        PieceChanged(
            "1",
            "Guards (reduced)",
            "0101",
            (
                Alteration("Steps", "level 1 of 3", "(reduced)"),
                Alteration("Lost", "0", "1"),
                Alteration("Left", "5", "4"),
            ),
        ),
    )


def test_cards_and_decks_and_stacks_that_changed() -> None:
    after = changed(stacks={**SAVE.stacks, "s": PieceStack("s", ("2", "1"), "Field", (30, 25))})
    assert followed(SAVE, after) == SaveDifferences(
        restacked=(StackChange("0101 on Field", ("Above (reduced)", "Below"), ("Below", "Above (reduced)")),)
    )
    stacks = {**SAVE.stacks, "deck": PieceStack("deck", (), "Field", (90, 80), None, DECK)}
    pieces = {**SAVE.pieces, "5": unit("5", "Card", (65, 45))}
    found = followed(SAVE, changed(stacks=stacks, pieces=pieces))
    assert found.moved == (PieceMoved("5", "Card", "the deck Events", "0201 on Field"),)
    assert found.decks == (Alteration("Events, 0302", "1 card", "0 cards"),)
    stacks = {**SAVE.stacks, "deck": SAVE.stacks["deck"]._replace(face_down=True)}
    assert followed(SAVE, changed(stacks=stacks)).decks == (Alteration("Events, 0302", "1 card", "1 card, face down"),)


def test_a_card_that_moved_between_decks_of_one_name() -> None:
    def save(map: str) -> Save:
        cards = [
            unit("5", "Card", (90, 80), map),
            unit("6", "Card", (90, 80)),
            unit("7", "Card", (90, 80), "Elsewhere"),
        ]
        decks = {there: tuple(card.id for card in cards if card.map == there) for there in ("Field", "Elsewhere")}
        stacks = {there: PieceStack(there, ids, there, (90, 80), None, DECK) for there, ids in decks.items()}
        return changed(pieces={card.id: card for card in cards}, stacks=stacks)

    assert followed(save("Field"), save("Elsewhere")).moved == (
        PieceMoved("5", "Card", "the deck Events, 0302 on Field", "the deck Events, 90,80 on Elsewhere"),
    )


def test_turns_properties_boards_and_players_also_of_like_names() -> None:
    after = changed(
        turns={"T": "1|1"},
        properties={("Module", "Weather"): "Snow", ("Field", "Fog"): "on"},
        boards={"Field": ()},
        players=(("id", "Ann", "Blue"),),
    )
    assert followed(SAVE, after).game == (
        Alteration("turn", "0|1", "1|1"),
        Alteration("Weather", "Mud", "Snow"),
        Alteration("boards of Field", "Land", ""),
        Alteration("side of Ann", "Red", "Blue"),
        Alteration("Fog of Field", None, "on"),
    )
    before, after = (changed(turns={"T": turn}, properties={("Module", "turn"): "5"}) for turn in "12")
    assert followed(before, after).game == (Alteration("turn", "1", "2"),)
    other = changed(turns={"T": "1"}, properties={("Module", "turn"): "6"})
    assert followed(before, other).game == (Alteration("property turn", "5", "6"),)


def test_like_pieces_that_were_swapped_while_they_were_masked_are_not_told_apart() -> None:
    before = with_pieces(unit("1", "Guards", (1, 1)), unit("2", "Guards", (2, 2)))
    after = with_pieces(unit("1", "Guards", (2, 2)), unit("2", "Guards", (1, 1)))
    assert len(followed(before, after).moved) == 2
    assert of_a_side(before, after) == SaveDifferences()


def test_a_side_is_told_which_of_the_pieces_that_it_sees_moved() -> None:
    before = with_pieces(unit("1", "Guards", (1, 1)), unit("2", "Guards", (2, 2)), unit("3", "Hussars", (3, 3)))
    after = with_pieces(unit("1", "Guards", (1, 1)), unit("2", "Guards", (60, 60)))
    told = of_a_side(before, after)
    assert [(piece.name, piece.before != piece.after) for piece in told.moved] == [("Guards", True)]
    assert [piece.name for piece in told.gone] == ["Hussars"] and not told.came and not told.changed


def test_a_piece_that_only_a_side_sees_has_no_id_beyond_one_save() -> None:
    alone, both = (
        with_pieces(unit("7", "Guards", (30, 25))),
        with_pieces(*(unit(id, "Guards", (30, 25)) for id in "78")),
    )
    guards = (PieceThere("", "Guards", "0101"),)
    assert (of_a_side(alone, both).came, of_a_side(both, alone).gone) == (guards, guards)
