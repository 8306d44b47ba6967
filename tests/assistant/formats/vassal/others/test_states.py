"""What traits of other modules' pieces say: layers, texts, properties, and those that are kept as they are."""

from __future__ import annotations

import pytest

from assistant.formats.vassal.others.listing import properties, visible_traits
from assistant.formats.vassal.pieces import Piece, unknown_kinds
from assistant.formats.vassal.properties import Carried
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import Trait

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


def test_layers_of_one_name_are_all_there() -> None:
    assert seen_of(piece((layer("Steps"), "1"), (layer("Steps"), "2"))) == {
        "Steps": "level 1 of 3",
        "Steps 2": "(reduced)",
    }


FOLLOWED = "PROP;Level;true,0,3,true;:;"


@pytest.mark.parametrize(
    ("first", "value", "name"),
    [(1, "2", "5 Corps (reduced)"), (0, "2", "5 Corps (remnant)"), (1, "none", "5 Corps"), (1, "0", "5 Corps")],
)
def test_a_layer_follows_a_property(first: int, value: str, name: str) -> None:
    """Its own state is an old one, which counts only if the property is not a number."""
    found = piece((layer("Steps", follows="Level", first=first), "1"), (FOLLOWED, value))
    assert found.name == name


def test_a_layer_follows_a_marker_and_an_unknown_property_not() -> None:
    assert piece((layer("Steps", follows="Level"), "1"), ("mark;Side,Level", "Red,3")).name == "5 Corps (remnant)"
    assert piece((layer("Steps", follows="Elsewhere"), "2")).name == "5 Corps (reduced)"


@pytest.mark.parametrize(
    ("type", "name"),
    [
        ("basicName;V Corps;", "V Corps"),
        ('basicName;{"V"};', '{"V"}'),
        ("basicName;$x$;", "$x$"),
        ("basicName;", ""),
    ],
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
