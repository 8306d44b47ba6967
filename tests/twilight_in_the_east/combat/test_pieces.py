"""What a hex holds while retreats are carried out (4.2, 4.2.3)."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from msgspec.structs import replace

from assistant.asking.view import View
from assistant.game.states import apply_changes
from assistant.state.changes import Change
from assistant.state.differences import find_divergence
from twilight_in_the_east.combat.pieces import Pieces, keep_attached
from twilight_in_the_east.forces.units import CombatUnit, Force
from twilight_in_the_east.terms import BUKOWINA_BOX

from ...cases import few, seeds
from ...conftest import viewed

UNITS = {
    "A": "german infantry XX A (12-16-7-11) back-steps=4",
    "B": "german infantry X B (4-5-1-8)",
    "C": "german cavalry XX C (4-5-1-8)",
    "E": "german infantry XX E (12-16-7-11) entrained",
    "F": "german fortress - F (2-?-0-9)",
    "G": "german artillery - G (?-?-3-?)",
    "H": "german artillery - H (?-?-3-?) entrained",
    "T": "german corps-train - T",
}


def pieces(units: str, place: str = "41.19") -> Pieces:
    """The pieces of a position with some of the units in one hex."""
    return Pieces(viewed(f"{place}: {', '.join(UNITS[name] for name in units)}"))


@pytest.mark.rule("4.2")
def test_what_each_unit_takes_up_in_a_hex() -> None:
    """Divisions and artillery units; what is in Rail Mode takes up nothing."""
    found = pieces("ABCEFGHT").by_id
    assert {name: (piece.room, piece.guns) for name, piece in found.items()} == {
        "A": (1, 0),
        "B": (Fraction(1, 2), 0),
        "C": (Fraction(1, 2), 0),
        "E": (0, 0),
        "F": (0, 0),
        "G": (0, 1),
        "H": (0, 0),
        "T": (Fraction(1, 2), 0),
    }


@pytest.mark.rule("4.2")
def test_only_units_on_the_map_are_pieces() -> None:
    assert pieces("A", f'"{BUKOWINA_BOX}"').by_id == {}
    assert list(Pieces(viewed("turn=12\n41.19: german infantry XX A\n25/3 arrives=13")).by_id) == ["A"]


THREE = "".join(f"41.18: german infantry XX N{n} (9-9-0-9)\n" for n in (1, 2, 3))


@pytest.mark.rule("4.2.3b")
@pytest.mark.parametrize(
    ("coming", "over"),
    [
        ("A", (1, 0)),
        ("AB", (Fraction(3, 2), 0)),
        ("E", (0, 0)),
        ("F", (0, 0)),
        ("G", (0, 0)),
        ("T", (Fraction(1, 2), 0)),
    ],
)
def test_a_hex_holds_three_divisions(coming: str, over: tuple[Fraction, int]) -> None:
    view = viewed(f"{THREE}41.19: {', '.join(UNITS[name] for name in coming)}")
    layout = Pieces(view).layout(())
    assert layout.excess("41.18", coming) == over
    assert layout.excess(BUKOWINA_BOX, [*coming, "N1", "N2", "N3"]) == (0, 0), "the Box holds any number"


@pytest.mark.rule("4.2.3b")
def test_a_hex_holds_two_artillery_units() -> None:
    guns = "41.18: german artillery - K (?-?-3-?), german artillery - L (?-?-3-?)\n"
    layout = Pieces(viewed(f"{guns}41.19: {UNITS['G']}")).layout(())
    assert layout.excess("41.18", ["G"]) == (0, 1)


@pytest.mark.rule("4.2.3b")
def test_a_division_that_its_losses_have_turned_takes_up_half_its_room() -> None:
    """A has a reduced side of four steps: of its twelve it has to lose eight."""
    every = Pieces(viewed(f"{THREE}41.19: {UNITS['A']}"))
    assert every.layout((), (("A", 7),)).excess("41.18", ["A"]) == (1, 0)
    assert every.layout((), (("A", 8),)).excess("41.18", ["A"]) == (Fraction(1, 2), 0)


@pytest.mark.rule("11.2.1a")
@pytest.mark.parametrize(
    ("other", "kept"),
    [
        ("infantry XX", True),
        ("cavalry XX", True),
        ("infantry III", False),
        *(
            (f"{arm} -", False)
            for arm in ("artillery", "fortress", "fort", "corps-train", "minor-depot", "major-depot")
        ),
    ],
)
def test_an_asset_unit_that_ends_beside_another_formation_keeps_its_own(other: str, kept: bool) -> None:
    view = viewed(f"41.19: german infantry XX G, german infantry III a, german {other} O")
    whole = CombatUnit("G", "german", "infantry", "XX", True, "41.19")
    asset = replace(whole, id="a", size="III", formation=False)
    force = Force("G", (whole, asset))
    changes = keep_attached(view, force, asset, ("G", "a", "O"))
    assert [(one.track, one.subject, one.after) for one in changes] == ([("with", "a", "G")] if kept else [])


HEXES = ("41.18", "41.19", "40.19", "40.20", "42.19")


@few(2)
@pytest.mark.parametrize("seed", seeds(12))
def test_pieces_that_know_those_of_another_position_are_those_that_know_nothing(seed: int) -> None:
    """Units move, lose steps and are turned, and the ground changes."""
    drawn = random.Random(seed)
    units = "\n".join(f"{at}: {UNITS[name]}" for at, name in zip(HEXES, "ABEG", strict=False))
    view = viewed(f"{units}\n41.19 clear\n41.18|41.19 major-river\n41.17: russian infantry XX R (9-9-3-9)\n")
    known = Pieces(view)
    for _ in range(6):
        game, state = view.game, view.state
        name = drawn.choice("ABEGR")
        unit = state.units[name]
        change = drawn.choice(
            [
                Change("place", name, unit.place, drawn.choice(HEXES if name != "R" else ("41.17", "42.18")), ""),
                Change("lost", name, state.value("lost", name), 1, ""),
                Change("entrained", name, state.value("entrained", name), True, ""),
                Change("barrier", "41.18|41.19", state.value("barrier", "41.18|41.19"), ("lake",), ""),
                Change("terrain", "41.19", state.value("terrain", "41.19"), drawn.choice(["rough", "clear"]), ""),
            ]
        )
        after = View(game, apply_changes(game, state, [change]))
        stated = view.stated, after.stated
        apart = find_divergence(state, after.state, stated, game.tracks, view.board.is_hex)
        assert apart is not None
        known, anew = Pieces(after, known, apart), Pieces(after)
        assert known.by_id == anew.by_id and [*known.by_id] == [*anew.by_id], change
        for here in HEXES:
            assert known.terrain.zone_from(here) == anew.terrain.zone_from(here), change
            for there in anew.terrain.neighbours(here):
                assert known.terrain.passage(here, there) == anew.terrain.passage(here, there), change
        view = after
