"""The boundary lines of an army: from the enemy's Front Line back behind its own, with one major bend (6.1)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise

import pytest

from assistant.installed.registry import load_game
from twilight_in_the_east.attachment.boundaries import (
    Hexside,
    Map,
    Rear,
    bent_boundaries,
    boundary_lines,
    breaches_of_ends,
    cut_lines,
    is_straight,
)
from twilight_in_the_east.forces.armies import Breach

from ...conftest import GAME, answered, ruled, typed

BOARD = load_game(GAME).board("east")
WHO, OTHER, ENEMY = "central-powers Eighth", "central-powers Ninth", "russian First"


def ground(*sea: str) -> Map:
    return Map(BOARD.neighbours, BOARD.centre, sea.__contains__)


def block(columns: range, rows: range) -> frozenset[str]:
    return frozenset(f"{column}.{row}" for column in columns for row in rows)


EAST = frozenset(f"40.{row}" for row in range(34, 46))
"""The enemy's Front Line, along a column."""
OWN = frozenset(f"42.{row}" for row in range(35, 41))
AREA = block(range(41, 52), range(35, 41))
"""An area that goes nine hexes back."""


def judged(
    areas: Mapping[str, frozenset[str]], fronts: Mapping[str, Collection[str]], board: Map, reading: str = "hex"
) -> list[Breach]:
    lines, breaches = boundary_lines(areas, fronts, board)
    return [*breaches, *bent_boundaries(lines, board.centre, reading)]


def rear_of(friendly: Collection[str], enemy: Collection[str], area: Collection[str]) -> Rear:
    return ground().find_rear(area, friendly, enemy)


def depth(hex: str, friendly: Collection[str], enemy: Collection[str]) -> int:
    return rear_of(friendly, enemy, [hex]).depths[hex]


def wrong(
    area: Collection[str] = AREA,
    *,
    other: Collection[str] = (),
    front: Collection[str] = OWN,
    enemy: Collection[str] = EAST,
    reading: str = "hex",
    sea: tuple[str, ...] = (),
) -> list[tuple[str, str]]:
    """What is wrong with the boundaries of an army, and of another one beside it."""
    areas = {WHO: frozenset(area), **({OTHER: frozenset(other)} if other else {})}
    fronts = {WHO: front, ENEMY: enemy, **({OTHER: OWN} if other else {})}
    breaches = judged(areas, fronts, ground(*sea), reading)
    assert all(breach.others == ((OTHER,) if OTHER in breach.why else ()) for breach in breaches)
    return [(breach.about, breach.why) for breach in breaches]


BENDS = "its outer boundary has more than one major bend"


@pytest.mark.rule("6.1b")
def test_an_area_between_straight_lines_is_sound() -> None:
    assert wrong() == []
    assert wrong(reading="row") == []


@pytest.mark.rule("6.1b")
@pytest.mark.parametrize(("last", "far"), [(50, None), (49, 6), (47, 4), (43, 0)])
def test_an_outer_boundary_goes_seven_hexes_back(last: int, far: int | None) -> None:
    why = f"its outer boundary ends {far} hexes behind the Front Line; the minimum is 7"
    assert wrong(block(range(41, last), range(35, 41))) == ([] if far is None else [(WHO, why)])


@pytest.mark.rule("6.1b")
def test_an_outer_boundary_begins_on_the_enemys_front_line() -> None:
    away = frozenset(f"38.{row}" for row in range(34, 46))
    assert wrong(enemy=away) == [(WHO, "its outer boundary does not begin on the enemy's Front Line")]
    near = frozenset(f"39.{row}" for row in range(34, 46))
    assert wrong(AREA | block(range(40, 41), range(35, 41)), enemy=near) == []


@pytest.mark.rule("6.1b")
@pytest.mark.parametrize(
    ("bulge", "reading", "bends"),
    [
        (1, "hex", False),
        (1, "row", False),
        (2, "hex", False),
        (2, "row", True),
        (3, "hex", True),
        (3, "row", True),
        (3, "free", False),
    ],
)
def test_a_bulge_of_a_boundary(bulge: int, reading: str, bends: bool) -> None:
    area = AREA | block(range(45, 46), range(35 - bulge, 35))
    assert wrong(area, reading=reading) == ([(WHO, BENDS)] if bends else [])


@pytest.mark.rule("6.1b")
def test_one_major_bend_is_allowed() -> None:
    stair = frozenset(f"{column}.{row}" for column in range(45, 52) for row in range(35 - (column - 44), 35))
    assert wrong(AREA | stair) == []
    twice = block(range(44, 46), range(31, 35))
    assert wrong(AREA | twice) == [(WHO, BENDS)]


@pytest.mark.rule("6.1b")
def test_a_line_between_two_armies_is_named_once() -> None:
    below = block(range(41, 52), range(41, 45))
    bulge = block(range(45, 46), range(41, 44))
    assert wrong(other=below) == []
    assert wrong(AREA | bulge, other=below - bulge) == [
        (WHO, f"its boundary with {OTHER} has more than one major bend")
    ]


@pytest.mark.rule("6.1b")
def test_the_sea_and_the_edge_of_the_map_bound_nothing() -> None:
    bulge = AREA | block(range(45, 46), range(32, 35))
    coast = tuple(
        beyond for hex in bulge for beyond in BOARD.neighbours(hex) if beyond not in bulge and int(beyond[3:]) < 35
    )
    assert wrong(bulge) == [(WHO, BENDS)]
    assert wrong(bulge, sea=coast) == []


# --- its parts ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.1b")
def test_the_outline_of_a_hex_is_a_ring_open_where_a_hex_is_closed() -> None:
    (ring,) = ground().outline({"41.19"})
    assert len(ring) == 7 and ring[0] == ring[-1]
    assert {beyond for _, beyond in ring} == set(BOARD.neighbours("41.19"))
    assert all(BOARD.distance(here[1], there[1]) == 1 for here, there in pairwise(ring))
    (chain,) = ground("42.20").outline({"41.19"})
    assert len(chain) == len(set(chain)) == 5
    assert {chain[0][1], chain[-1][1]} == {"41.20", "42.19"}, "from one end to the other"
    (one, other) = ground("41.18", "41.20").outline({"41.19"})
    assert sorted(map(len, (one, other))) == [2, 2]


@pytest.mark.rule("6.1b")
def test_an_open_outline_is_followed_from_end_to_end() -> None:
    north = tuple(f"{column}.{row}" for column in range(40, 53) for row in (33, 34))
    (chain,) = ground(*north).outline(AREA)
    (flank,) = cut_lines(chain, rear_of(OWN, EAST, AREA))
    assert {int(hex[3:]) for hex, _ in flank} <= {39, 40}


@pytest.mark.rule("6.1b")
@pytest.mark.parametrize(
    ("hex", "far"), [("42.37", 0), ("43.37", 1), ("49.37", 7), ("41.37", 0), ("40.37", 0), ("38.37", 0), ("49.50", 14)]
)
def test_how_far_behind_the_front_a_hex_lies(hex: str, far: int) -> None:
    assert depth(hex, OWN, EAST) == far


@pytest.mark.rule("6.1b")
def test_the_friend_nearest_to_a_hex_tells_whether_it_lies_behind() -> None:
    assert [depth(hex, ["42.37", "46.37"], ["40.37"]) for hex in ("45.37", "47.37", "43.37")] == [0, 1, 1]


@pytest.mark.rule("6.1b")
def test_a_boundary_with_a_neighbour_is_no_outer_one() -> None:
    short, below = block(range(41, 44), range(35, 41)), block(range(41, 44), range(41, 45))
    assert wrong(short, other=below) == [], "how far it goes back is told of both (6.1c)"
    enemies = {WHO: short, "russian Second": below}
    fronts = {WHO: OWN, ENEMY: EAST}
    (breach,) = judged(enemies, fronts, ground())
    assert breach.why.startswith("its outer boundary ends")


@pytest.mark.rule("6.1b")
def test_nobody_is_judged_without_fronts_or_neighbours() -> None:
    short = block(range(41, 44), range(35, 41))
    assert wrong(short, enemy=()) == []
    assert judged({WHO: short}, {ENEMY: EAST}, ground()) == []
    assert wrong({"41.37"}, sea=BOARD.neighbours("41.37")) == []
    assert wrong(()) == []


def mirrored(hexes: Collection[str]) -> frozenset[str]:
    """The same hexes with the enemy on the other hand."""
    return frozenset(f"{90 - int(hex[:2])}{hex[2:]}" for hex in hexes)


@pytest.mark.rule("6.1b")
@pytest.mark.parametrize("bulge", [0, 3])
def test_on_either_hand_the_same_holds(bulge: int) -> None:
    area = AREA | block(range(44, 46), range(35 - bulge, 35))
    expected = [(WHO, BENDS)] if bulge else []
    assert wrong(area) == expected
    assert wrong(mirrored(area), front=mirrored(OWN), enemy=mirrored(EAST)) == expected
    rear = rear_of(mirrored(OWN), mirrored(EAST), mirrored(AREA))
    (ring,) = ground().outline(mirrored(AREA))
    flanks = list(cut_lines(ring, rear))
    assert sorted(len(flank) for flank in flanks) == [15, 17]
    assert {
        min(BOARD.distance(hex, line) for line in mirrored(EAST) for hex in (flank[0][0], flank[-1][0]))
        for flank in flanks
    } == {1}


@pytest.mark.rule("6.1b")
def test_distances_spread_from_the_nearest_of_some_hexes() -> None:
    reached = ground().distances_from({"41.37": 5, "45.37": 3}, ["43.37", "42.37"])
    assert [reached[hex] for hex in ("41.37", "45.37", "42.37", "44.37", "43.37")] == [
        (0, 5),
        (0, 3),
        (1, 5),
        (1, 3),
        (2, 3),
    ], "of two as near the least number"
    assert "48.37" not in reached, "it ends where all that are wanted are reached"
    assert ground().distances_from({"41.37": 5}, ["41.37"]) == {"41.37": (0, 5)}


@pytest.mark.rule("6.1b")
def test_each_side_is_judged_against_the_other() -> None:
    theirs = block(range(30, 41), range(34, 46))
    areas = {WHO: AREA, ENEMY: frozenset(theirs)}
    assert judged(areas, {WHO: OWN, ENEMY: EAST}, ground()) == [
        Breach("6.1", ENEMY, "its outer boundary does not begin on the enemy's Front Line")
    ]
    near = frozenset(f"41.{row}" for row in range(34, 42))
    assert judged(areas, {WHO: near, ENEMY: EAST}, ground()) == []
    shallow = {**areas, ENEMY: block(range(36, 41), range(34, 46))}
    assert judged(shallow, {WHO: near, ENEMY: EAST}, ground()) == [
        Breach("6.1", ENEMY, "its outer boundary ends 4 hexes behind the Front Line; the minimum is 7")
    ]


@pytest.mark.rule("6.1b")
def test_where_an_area_without_neighbours_begins_and_ends() -> None:
    assert breaches_of_ends(WHO, "", AREA, rear_of(OWN, EAST, AREA)) == []
    nearer = block(range(41, 49), range(35, 41))
    assert [breach.why for breach in breaches_of_ends(WHO, "", nearer, rear_of(OWN, EAST, AREA))] == [
        "its outer boundary ends 6 hexes behind the Front Line; the minimum is 7"
    ]
    (breach,) = breaches_of_ends(WHO, "", block(range(42, 52), range(35, 41)), rear_of(OWN, EAST, AREA))
    assert (breach.rule, breach.about) == ("6.1", WHO)
    assert breach.why == "its outer boundary does not begin on the enemy's Front Line"


def along(*hexes: str, to: int) -> list[Hexside]:
    """The hexsides below some hexes, each with the hex so many rows on."""
    return [(hex, f"{hex[:2]}.{int(hex[3:]) + to}") for hex in hexes]


@pytest.mark.rule("6.1b")
@pytest.mark.parametrize(
    ("rows", "hex", "row"),
    [
        ([19] * 8, True, True),
        ([19, 19, 19, 19, 20, 21, 22, 23], True, True),
        ([19, 19, 20, 19, 19, 19, 19, 19], True, False),
        ([19, 19, 22, 19, 19, 19, 19, 19], False, False),
        ([19, 19, 19, 16, 16, 16, 19, 19], False, False),
    ],
)
def test_two_straight_parts_make_a_boundary(rows: list[int], hex: bool, row: bool) -> None:
    columns = range(41, 41 + 2 * len(rows), 2)
    flank = along(*(f"{column}.{at}" for column, at in zip(columns, rows, strict=True)), to=1)
    readings = {reading: is_straight(flank, BOARD.centre, reading) for reading in ("hex", "row", "free")}
    assert readings == {"hex": hex, "row": row, "free": True}


# --- in a position --------------------------------------------------------------------------------------------------------


def position(bulge: int, more: str = "") -> str:
    """Two armies side by side against one to the east; the first bulges into the second."""

    def area(name: str, first: int, last: int, apart: int = 0) -> str:
        rows = {44: (first + (apart if first > 18 else 0), last + (apart if first < 18 else 0))}
        stretches = (
            f"{column}.{start}-{column}.{end}"
            for column in range(40, 50)
            for start, end in [rows.get(column, (first, last))]
        )
        return f'army "central-powers {name}" area="{" ".join(stretches)}"'

    units = "42.18: german infantry XX A army=Eighth\n42.22: german infantry XX B army=Ninth"
    areas = f"{area('Eighth', 16, 19, bulge)}\n{area('Ninth', 20, 24, bulge)}"
    return f"{areas}\n{units}\n40.20: russian infantry XX R army=First\n{more}"


@pytest.mark.rule("6.1b")
@pytest.mark.parametrize(
    ("bulge", "more", "bends", "named"),
    [
        (0, "", False, ""),
        (2, "", False, "hex"),
        (2, "ruling boundary-bend=row", True, "row"),
        (3, "", True, "hex"),
        (3, "ruling boundary-bend=free", False, "free"),
    ],
)
def test_a_position_whose_boundary_bulges(bulge: int, more: str, bends: bool, named: str) -> None:
    report = answered(typed(position(bulge, more)), "attachment")
    why = "its boundary with central-powers Ninth has more than one major bend"
    assert [breach.why for breach in report.result.breaches] == [why] * bends
    assert ruled(report, "boundary-bend") == named
