"""What a side sees of a save of any module: masks, invisible pieces, private windows, decks; and what is left out to be
sure.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats.vassal.containers import ModuleData
from assistant.formats.vassal.modules import Module
from assistant.formats.vassal.others.listing import format_listing, list_save
from assistant.formats.vassal.others.sight import Eyes, find_eyes, visible_save
from assistant.formats.vassal.pieces import Piece, PieceStack, write_deck_type
from assistant.formats.vassal.saves import Save
from assistant.formats.vassal.traits import Trait
from assistant.util.errors import InputError

from ..test_modules import board, module, window
from .test_listing import unit

_BUILD = "VASSAL.build.module."
ROSTER = f"<{_BUILD}PlayerRoster><entry>Red</entry><entry>Blue</entry><entry>Green</entry></{_BUILD}PlayerRoster>"
HAND = f'<{_BUILD}PrivateMap mapName="Red hand" side="Red" visible="false"/>'
SHOWN = f'<{_BUILD}PrivateMap mapName="Display" side="Red" visible="true"/>'
CARDS = f'<{_BUILD}PlayerHand mapName="Cards" side="Blue,Green" visible="false"/>'
NOBODYS = f'<{_BUILD}PrivateMap mapName="Nobody" visible="false"/>'
OWN = '<tdc.Drawer mapName="Drawer" side="Blue" visible="false"/>'
MODULE = module(ROSTER, window(board("Land")), HAND, SHOWN, CARDS, NOBODYS, OWN)
PLAYERS = (("r1", "Ann", "Red"), ("b1", "Bob", "Blue"), ("b2", "Ben", "Blue"), ("o", "Zoe", "<observer>"))
RED, ANN, BLUE, BOB = (
    Eyes("Red", "Red", "r1"),
    Eyes("Ann", "Red", "r1"),
    Eyes("Blue", "Blue"),
    Eyes("Bob", "Blue", "b1"),
)


def mask(owner: str, access: str = "player:", name: str = "Hidden unit") -> Trait:
    return Trait(f"obs;77,130;back.png;Mask;GBack.png;{name};{access};Peek;;false;;", f"{owner};|0")


def invisible(owner: str, access: str = "player:") -> Trait:
    return Trait(f"hide;73,130;Hide;255,255,255;{access};0.3;;false", owner)


def save(*pieces: Piece, stacks: tuple[PieceStack, ...] = (), unread: tuple[str, ...] = ()) -> Save:
    return Save(
        about=ModuleData("Small"),
        pieces={piece.id: piece for piece in pieces},
        stacks={stack.id: stack for stack in stacks},
        players=PLAYERS,
        unread=unread,
    )


def names(found: Save, eyes: Eyes, known: Module = MODULE) -> list[str]:
    return [piece.name for piece in visible_save(found, known, eyes).pieces.values()]


@pytest.mark.parametrize(
    ("owner", "access", "those_who_see"),
    [
        ("r1", "player:", [RED, ANN]),
        ("b1", "player:", [BOB]),  # two players share the side
        ("Red", "side:", [RED, ANN]),
        ("Blue", "side:", [BLUE, BOB]),
        ("Red", "sides:Red:Blue", [RED, ANN, BLUE, BOB]),
        ("Red", "sides:Red:Green", [RED, ANN]),
        ("Green", "sides:Red:Blue", []),
        ("nobody", "player:", []),
        ("r1", "", [RED, ANN]),
    ],
)
def test_who_sees_what_a_player_hid(owner: str, access: str, those_who_see: list[Eyes]) -> None:
    for eyes in (RED, ANN, BLUE, BOB):
        found = save(unit("1", "Guards", (1, 1), "Field", mask(owner, access)))
        gone = save(unit("1", "Guards", (1, 1), "Field", invisible(owner, access)))
        if eyes in those_who_see:
            assert names(found, eyes) == ["Guards(Hidden unit)"]
            assert names(gone, eyes) == ["Guards(Hide)"]
        else:
            assert names(found, eyes) == ["Hidden unit"]
            assert names(gone, eyes) == []


def test_pieces_that_nobody_hides_are_seen_and_those_that_own_code_may_hide_are_not() -> None:
    assert names(save(unit("1", "Guards", (1, 1), "Field", mask("null"), invisible("null"))), BLUE) == ["Guards"]
    assert names(save(unit("1", "Guards", (1, 1), "Field", Trait("restrict;Red;false;true;", ""))), BLUE) == ["Guards"]
    assert names(save(unit("1", "Guards", (1, 1), "Field", Trait("conceal;x", "r1"))), RED) == []


def test_nothing_of_a_masked_piece_is_told_but_the_name_of_its_mask_and_its_place() -> None:
    hidden = Piece(
        "17",
        (
            Trait("mark;Strength", "5"),
            mask("r1", name=""),
            Trait("markmoved;x", "true"),
            Trait("piece;;;guards.png;Guards"),
        ),
        "Field",
        (3, 4),
        "slot17",
        (("OldZone", "Home"),),
    )
    (found,) = list_save(visible_save(save(hidden), MODULE, BLUE), MODULE).pieces
    assert (found.id, found.name, found.at, found.slot, found.shown, found.properties) == (
        "masked 1",
        "?",
        (3, 4),
        "",
        {},
        {},
    )


@pytest.mark.parametrize(
    ("eyes", "windows"),
    [
        (RED, ["Display", "Field", "Red hand"]),
        (BLUE, ["Cards", "Display", "Drawer", "Field"]),
        (Eyes("Zoe", "", "o"), ["Display", "Field"]),
    ],
)
def test_private_windows_are_seen_by_their_sides_and_unknown_ones_by_nobody(eyes: Eyes, windows: list[str]) -> None:
    maps = ["Field", "Red hand", "Display", "Cards", "Nobody", "Drawer", "Not in the module", ""]
    found = save(*(unit(str(number), map, (1, 1), map) for number, map in enumerate(maps)))
    assert sorted(names(found, eyes)) == windows


def deck(*cards: str, face_down: bool, picked: bool = False, shows: str = "", owners: str | None = None) -> PieceStack:
    return PieceStack(
        "d",
        cards,
        "Field",
        (9, 9),
        None,
        write_deck_type("Events", picked=picked, shows=shows, owners=owners),
        face_down,
    )


def cards(found: PieceStack, eyes: Eyes) -> tuple[int, bool, list[str]]:
    """How many cards a deck is said to have, whether there may be more, and those that are seen."""
    pieces = [unit(id, f"Card {id}", (9, 9)) for id in found.pieces]
    told = list_save(visible_save(save(*pieces, stacks=(found,)), MODULE, eyes), MODULE, eyes.called)
    (only,) = told.decks
    return only.cards, only.or_more, [piece.name for piece in told.pieces]


def test_cards_that_lie_face_down_are_counted_only_and_the_top_one_face_up_is_seen() -> None:
    assert cards(deck("1", "2", "3", face_down=True, picked=True), RED) == (3, False, [])
    assert cards(deck("1", "2", "3", face_down=False), RED) == (3, False, ["Card 3"])


def test_a_deck_tells_no_more_cards_than_it_shows() -> None:
    assert [cards(deck(*map(str, range(number)), face_down=True, shows="4"), RED) for number in (3, 4, 5, 9)] == [
        (3, False, []),
        (4, True, []),
        (4, True, []),
        (4, True, []),
    ]


def test_decks_are_told_to_those_who_may_look_into_them() -> None:
    open_deck = deck("1", "2", "3", face_down=False, picked=True, shows="1")
    assert cards(open_deck, BLUE) == (3, False, ["Card 3", "Card 2", "Card 1"])
    kept = deck("1", "2", face_down=False, picked=True, owners="Red,Green")
    assert [len(cards(kept, eyes)[2]) for eyes in (RED, BLUE)] == [2, 1]
    hand = deck("1", face_down=False)._replace(map="Red hand")
    assert visible_save(save(unit("1", "Card", (9, 9)), stacks=(hand,)), MODULE, BLUE).stacks == {}


def test_what_lies_on_top_of_what_counts_only_what_is_seen() -> None:
    pieces = [
        unit("1", "Low", (1, 1)),
        unit("2", "Ghost", (1, 1), "Field", invisible("r1")),
        unit("3", "Top", (1, 1), "Field", mask("r1")),
    ]
    found = list_save(
        visible_save(save(*pieces, stacks=(PieceStack("s", ("1", "2", "3"), "Field", (1, 1)),)), MODULE, BLUE), MODULE
    )
    assert [(piece.name, piece.below) for piece in found.pieces] == [("Hidden unit", 1), ("Low", 0)]


def test_commands_notes_and_global_properties_may_tell_of_what_is_hidden() -> None:
    whole = Save(pieces={}, unread=("M/17/x",), notes="secret", properties={("Module", "HandSize"): "5"}, steps=("x",))
    found = visible_save(whole, MODULE, RED)
    assert (found.unread, found.notes, found.properties, found.steps) == ((), "", {}, ())


@pytest.mark.parametrize(
    ("named", "eyes"),
    [
        ("Red", RED),
        ("red", RED),
        ("Blue", BLUE),
        ("Green", Eyes("Green", "Green")),
        ("Bob", BOB),
        ("zoe", Eyes("Zoe", "", "o")),
        ("Ann", ANN),
    ],
)
def test_a_side_of_the_module_or_a_player_looks(named: str, eyes: Eyes) -> None:
    assert find_eyes(named, save(), MODULE) == eyes


def test_a_name_that_nobody_or_several_players_have() -> None:
    with pytest.raises(InputError, match="unknown side 'Rad' of Small\n  nearest known: Red"):
        find_eyes("Rad", save(), MODULE)
    both = Save(players=(("1", "Ann", "Red"), ("2", "Ann", "Blue")))
    with pytest.raises(InputError, match="several players are called 'Ann'\n  name a side: Red, Blue, Green"):
        find_eyes("Ann", both, MODULE)


def test_who_hides_a_piece_is_told_by_name_and_never_by_the_password() -> None:
    whole = save(unit("1", "A", (1, 1), "Field", mask("r1")), unit("2", "B", (2, 2), "Field", mask("pass word")))
    told = format_listing(list_save(whole, MODULE))
    assert "masked by: Ann" in told and "masked by: a player" in told
    assert "r1" not in told and "pass word" not in told


SPOTS = st.sampled_from([("Field", (10, 10)), ("Field", (30, 10)), ("Display", (5, 5))])
PUBLIC = st.lists(
    st.tuples(st.sampled_from(["Guards", "Line", "Guns"]), SPOTS, st.sampled_from(["seen", "masked"])), max_size=6
)


def filled(public: list[tuple[str, tuple[str, tuple[int, int]], str]], cards: int, random: Random) -> Save:
    """A save in which Blue sees the same, whatever the dice say of what Red hides."""
    ids = random.sample([str(number) for number in range(1000, 2000)], 40)
    pieces, stacked = [], dict[tuple[str, tuple[int, int]], list[str]]()
    for number, (name, (map, at), how) in enumerate(public):
        if how == "masked":
            secret = Trait("mark;Strength", str(random.randrange(9)))
            piece = unit(ids.pop(), random.choice(["Tanks", "Dummy"]), at, map, mask("r1"), secret)
        else:
            piece = unit(str(number), name, at, map)
        pieces.append(piece)
        stacked.setdefault((map, at), []).append(piece.id)
    for map, at in [*stacked, ("Field", (50, 50))]:
        for _ in range(random.randrange(3)):
            ghost = unit(ids.pop(), "Ghost", at, map, invisible("Red", "side:"))
            pieces.append(ghost)
            stack = stacked.setdefault((map, at), [])
            stack.insert(random.randrange(len(stack) + 1), ghost.id)
    pieces += [
        unit(ids.pop(), "Plan", (1, 1), random.choice(["Red hand", "Nobody", ""])) for _ in range(random.randrange(4))
    ]
    drawn = [unit(ids.pop(), f"Event {random.randrange(9)}", (9, 9)) for _ in range(cards)]
    pieces += drawn
    random.shuffle(pieces)
    stacks = [PieceStack(ids.pop(), tuple(stack), map, at) for (map, at), stack in stacked.items()]
    stacks.append(deck(*(card.id for card in drawn), face_down=True)._replace(id=ids.pop()))
    random.shuffle(stacks)
    commands = tuple(f"M/{ids.pop()}" for _ in range(random.randrange(3)))
    return save(*pieces, stacks=tuple(stacks), unread=commands)


@given(public=PUBLIC, cards=st.integers(0, 5), seeds=st.tuples(st.integers(0, 9999), st.integers(0, 9999)))
def test_what_is_left_is_the_same_whatever_is_hidden(
    public: list[tuple[str, tuple[str, tuple[int, int]], str]], cards: int, seeds: tuple[int, int]
) -> None:
    one, other = (visible_save(filled(public, cards, Random(seed)), MODULE, BLUE) for seed in seeds)
    assert (one, [*one.pieces], [*one.stacks]) == (other, [*other.pieces], [*other.stacks])
    assert format_listing(list_save(one, MODULE, "Blue")) == format_listing(list_save(other, MODULE, "Blue"))
