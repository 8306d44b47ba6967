"""What differs between two saves of a module: pieces known by their ids, and those that only their places tell apart."""

from __future__ import annotations

from typing import Any

import msgspec

from assistant.formats.vassal.others.differences import (
    Alteration,
    PieceChanged,
    PieceMoved,
    PieceThere,
    SaveDifferences,
    listing_differences,
)
from assistant.formats.vassal.others.listing import list_save
from assistant.formats.vassal.others.sight import Eyes, visible_save
from assistant.formats.vassal.pieces import Piece, PieceStack
from assistant.formats.vassal.saves import Save
from assistant.formats.vassal.traits import Trait
from assistant.state.differences import StackChange

from .test_listing import DECK, MODULE, SAVE, layer, unit


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


def test_turns_properties_boards_and_players() -> None:
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


def test_a_property_called_turn_is_not_the_turn() -> None:
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
