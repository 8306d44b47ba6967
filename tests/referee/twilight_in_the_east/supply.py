"""Supply of whole sides (14): what the best plan gives, found by trying every mode of every supply unit (`tests/supplies/naive.py`).

Two kinds of positions: on the drawn board, and on networks that a position states whole. Nothing is left open in either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from ...supplies.naive import (
    DEPOTS,
    SUPPLY,
    Solver,
    World,
    attached_to,
    enemies,
    is_open,
    joined,
    own,
    railed,
    settled,
    working,
)
from ...supplies.worlds import make_world, text_of
from ..writing import Posed, Question, Suite

VALUES = {
    "alone": ("sides.units{unit=alone}", "the best that each unit could have by itself"),
    "in": ("sides.could.in_supply", "how many units are In Supply by the best plan"),
    "low": ("sides.could.low", "how many are in Low Supply"),
    "out": ("sides.could.out", "how many are Out of Supply"),
    "extended": ("sides.extended", "the supply units in Extended Mode, where only one set of them gives the best plan"),
    "states": ("sides.units{unit=could.state}", "what each unit has, where every best plan gives the same"),
    "isolated": (
        "sides.units[could.state=out][isolated=yes].unit",
        "who is Isolated of those Out of Supply, where every best plan gives the same",
    ),
}
RULINGS = ["ruling supply-rounding=exact", "ruling isolation-railway-hex=passed"]
BEST = (
    "The best plan supplies most units; of several such plans it is one in which most are In Supply, and of these one with the",
    "fewest supply units in Extended Mode. Rules: chapter 14, with 3.6.1, 4.1.2, 4.1.3, 6.3, 6.4, 8.2.4, 17.1, 22.5, 24.3, 24.4.",
)


def board_suite(seed: int, many: int) -> Suite:
    about = ["Supply of whole sides on the drawn board of the eastern front.", *BEST]
    return Suite(
        "supply-board",
        about,
        VALUES,
        ["boards/east"],
        ["board east", *RULINGS],
        cases("board", seed, many),
    )


def network_suite(seed: int, many: int) -> Suite:
    about = ["Supply of whole sides on railways, roads and open ground that the position states whole.", *BEST]
    return Suite("supply-network", about, VALUES, [], RULINGS, cases("network", seed, many))


def cases(kind: str, seed: int, many: int) -> Iterator[Posed]:
    posed, seen = 0, Counter[str]()
    for number in range(60 * many):
        world = make_world(number, seed, kind)
        for unit in world["units"].values():
            unit.pop("supply", None)
        if kind == "network":
            close(world, Random(f"{seed}/{number}/closed"))
        if is_open(world):
            continue
        ((chosen, edge),) = list(settled(world, number))[:1]
        solver = Solver(chosen, edge)
        expected = answers(solver)
        mark = kind_of(world, edge, solver, expected)
        if not mark or seen[mark] >= max(3, many // 8):
            continue
        seen[mark] += 1
        heads = "game ", "board "
        lines = [line for line in text_of(world).splitlines() if not line.startswith(heads)]
        yield Posed(str(number), lines, [Question(f"supply side={world['side']}", expected)])
        posed += 1
        if posed == many:
            return


def close(world: World, chance: Random) -> None:
    """States all that a network leaves open."""
    world["whole"] = True
    hexes = world["hexes"]
    for hex in sorted(
        {hex for sides in world["between"] for hex in sides} | {unit["place"] for unit in own(world).values()}
    ):
        facts = hexes.setdefault(hex, {})
        facts.setdefault("terrain", chance.choice(("clear", "clear", "rough", "mountain", "wetlands")))
        facts.setdefault("control", chance.choice((world["side"], world["side"], "russian", "central-powers")))
    for name, unit in own(world).items():
        hexes[unit["place"]]["control"] = world["side"]
        for fact in ("other-line", "way-out"):
            unit.pop(fact, None)
        if unit["arm"] in DEPOTS:
            hexes[unit["place"]].setdefault("station", chance.random() < 0.8)
        if unit.get("asset") and len(mates := attached_to(world, name)) > 1:
            unit["with"] = chance.choice(mates)
    for facts in hexes.values():
        facts.pop("linked", None)
    for piece in joined(world, railed(world) & working(world)):
        linked = chance.choice((world["side"], world["side"], world["side"], "none"))
        for hex in sorted(piece) if linked == "none" else [chance.choice(sorted(piece))]:
            hexes[hex]["linked"] = linked


def answers(solver: Solver) -> dict[str, object]:
    """What is expected of a side."""
    plans = [(modes, company) for modes in solver.plans() for company in solver.companies(modes)]
    best = max(solver.worth(*plan) for plan in plans)
    bests = [plan for plan in plans if solver.worth(*plan) == best]
    states = [solver.side(*plan) for plan in bests]
    out = len(states[0]) - best[0]
    expected: dict[str, object] = {
        "alone": {name: solver.alone(name) for name in solver.units},
        "in": str(best[1]),
        "low": str(best[0] - best[1]),
        "out": str(out),
    }
    extended = {modes for modes, _ in bests}
    if len(extended) == 1:
        expected["extended"] = sorted(*extended)
    if all(state == states[0] for state in states):
        expected["states"] = states[0]
        expected["isolated"] = sorted(
            name for name, state in states[0].items() if state == "out" and solver.isolated(name)
        )
    return expected


def kind_of(world: World, edge: frozenset[str], solver: Solver, expected: dict[str, object]) -> str:
    """What makes a case worth its place, "" for one that does not: all units have the same, or nobody stands in the way."""
    units = solver.units
    alone = expected["alone"]
    assert isinstance(alone, dict)
    troops = {name for name, unit in units.items() if unit["arm"] not in SUPPLY}
    had = {alone[name] for name in units}
    if len(troops) < 3 or len(had) < 2:
        return ""
    free = Solver({**world, "units": own(world)}, edge)
    contested = any(free.alone(name) != alone[name] for name in units)
    marks = [
        *sorted(had),
        "contested" * contested,
        "extended" * bool(expected.get("extended")),
        "isolated" * bool(expected.get("isolated")),
        "shared" * (sum(state != "out" for state in alone.values()) != len(units) - int(str(expected["out"]))),
        "enemies" * bool(enemies(world)),
    ]
    return " ".join(filter(None, marks))
