"""What the rulebook reveals about the printed charts, so that typing errors of their owner are found.

Each fact is in this project's own words, with its rule. Firm facts follow from the text; the others are readings of notes
and wordings, which the printed chart may contradict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import product
from math import inf
from operator import eq, le, lt

from assistant.game.packs import ChartFact
from assistant.state.state import Cell

Cells = Mapping[tuple[int | str, ...], Cell]
SEASONS = ("summer", "autumn")
ODDS = ("1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1")
ROLLS = range(2, 13)
MAGNITUDES = ("Small", "Medium", "Large", "Massive")


def facts() -> list[ChartFact]:
    """What is known of the charts that the owner may enter."""
    return [*_combat_results(), *_step_losses(), *_forced_march(), *_terrain_costs()]


def _part(cell: Cell, side: str) -> list[str]:
    return str(cell.values[side]).split()


def _retreats(cell: Cell, side: str) -> list[str]:
    return [token for token in _part(cell, side) if token[0] in "WB"]


def _modifiers(cell: Cell) -> list[int]:
    return [
        int(token) for side in ("attacker", "defender") for token in _part(cell, side) if token[0] in "+-" and token[1:]
    ]


def _no_cell(keys: Iterable[tuple[int | str, ...]], holds: Callable[[Cell], bool]) -> Callable[[Cells], bool]:
    """Contradicted once all these cells are known and the condition holds for none."""
    wanted = list(keys)
    return lambda cells: all(key in cells for key in wanted) and not any(holds(cells[key]) for key in wanted)


def _some_cell(keys: Iterable[tuple[int | str, ...]], holds: Callable[[Cell], bool]) -> Callable[[Cells], bool]:
    """Contradicted once the condition holds for any of these cells."""
    wanted = list(keys)
    return lambda cells: any(holds(cells[key]) for key in wanted if key in cells)


def _with_any(side: str, tokens: Iterable[str]) -> Callable[[Cell], bool]:
    """Whether a side's part of a cell holds one of these results."""
    wanted = frozenset(tokens)
    return lambda cell: bool(wanted & set(_part(cell, side)))


def _combat_results() -> Iterable[ChartFact]:
    every = list(product(SEASONS, ODDS, ROLLS))

    def fact(rule: str, text: str, contradicted: Callable[[Cells], bool], *, firm: bool = True) -> ChartFact:
        return ChartFact("crt", rule, text, firm, contradicted)

    yield fact(
        "10.10.3",
        "the modifiers of this table run from -2 to +3",
        _some_cell(every, lambda cell: any(not -2 <= number <= 3 for number in _modifiers(cell))),
    )
    yield fact(
        "11.4",
        "a dash means no result, so it stands alone",
        _some_cell(every, lambda cell: any("-" in _part(cell, s) != ["-"] for s in ("attacker", "defender"))),
    )
    at_four = [(season, "4:1", 8) for season in SEASONS]
    yield fact(
        "8.5.5",
        "at 4:1 a roll of 8 makes the defender retreat, in one season at least",
        _no_cell(at_four, lambda cell: bool(_retreats(cell, "defender"))),
    )
    for rule, text, keys, side, tokens in (
        ("8.5.5", "a defender can have to retreat three hexes", every, "defender", ("W3",)),
        ("11.3.2", "in summer a defender can have to retreat two hexes", every[:99], "defender", ("W2",)),
        ("10.1.5", "a defender can have to retreat one hex", every, "defender", ("W1", "B1")),
        ("13.3.1", "black retreats fall on attackers too", every, "attacker", ("B1",)),
        ("11.3", "attackers can have to retreat", every, "attacker", ("W1", "W2", "W3")),
        ("11.3.1", "an asterisk helps some attackers", every, "attacker", ("*",)),
    ):
        yield fact(rule, text, _no_cell(keys, _with_any(side, tokens)))
    for season, odds in product(SEASONS, ODDS[5:]):
        column = [(season, odds, roll) for roll in ROLLS]
        text = f"in {season} the column {odds} has rolls with a defender's retreat and rolls without"
        yield fact("8.5.2", text, _no_cell(column, lambda cell: bool(_retreats(cell, "defender"))))
        yield fact("8.5.2", text, _no_cell(column, lambda cell: not _retreats(cell, "defender")))
    yield fact("19.0", "autumn has fewer retreats than summer", _autumn_retreats)
    yield fact(
        "10.9.1",
        "an X stands beside a modifier of the attacker",
        _some_cell(
            every,
            lambda cell: (
                "X" in _part(cell, "attacker")
                and not any(t[1:].isdigit() and t[0] in "+-" for t in _part(cell, "attacker"))
            ),
        ),
        firm=False,
    )
    yield fact(
        "8.5.5",
        "the retreat at 4:1 on a roll of 8 is a black one",
        _some_cell(at_four, lambda cell: _retreats(cell, "defender") not in ([], ["B1"])),
        firm=False,
    )


def _autumn_retreats(cells: Cells) -> bool:
    """Whether both tables are complete, and autumn's has at least as many retreats as summer's."""
    if len(cells) < len(SEASONS) * len(ODDS) * len(ROLLS):
        return False
    counts = {
        season: sum(
            bool(_retreats(cell, "attacker") + _retreats(cell, "defender"))
            for key, cell in cells.items()
            if key[0] == season
        )
        for season in SEASONS
    }
    return counts["autumn"] >= counts["summer"]


def _step_losses() -> Iterable[ChartFact]:
    every = list(product(SEASONS, MAGNITUDES, range(-2, 15)))

    def fact(rule: str, text: str, contradicted: Callable[[Cells], bool], *, firm: bool = True) -> ChartFact:
        return ChartFact("slrt", rule, text, firm, contradicted)

    yield fact(
        "10.10.2",
        "somewhere two steps are lost with a modifier of one check",
        _no_cell(every, lambda cell: (cell.values["steps"], cell.values["ec"]) == (2, 1)),
    )
    yield fact(
        "10.10.2",
        "some results cost no loss",
        _no_cell(every, lambda cell: (cell.values["steps"], cell.values["ec"]) == (0, 0)),
    )
    yield fact("19.0", "no autumn result costs more than the same summer result", _bloodier_autumn)
    yield fact("10.10.1", "a higher roll never costs less", _cheaper_roll, firm=False)


def _cost(cell: Cell) -> int:
    """A result in half steps."""
    return int(cell.values["steps"]) * 2 + int(cell.values["ec"])


def _bloodier_autumn(cells: Cells) -> bool:
    pairs = ((cell, cells.get(("summer", *key[1:]))) for key, cell in cells.items() if key[0] == "autumn")
    return any(summer is not None and _cost(autumn) > _cost(summer) for autumn, summer in pairs)


def _cheaper_roll(cells: Cells) -> bool:
    pairs = ((cell, cells.get((*key[:2], int(key[2]) - 1))) for key, cell in cells.items())
    return any(lower is not None and _cost(cell) < _cost(lower) for cell, lower in pairs)


def _forced_march() -> Iterable[ChartFact]:
    infantry = list(product(("infantry-small", "infantry-large"), range(1, 13)))
    early, late = ([key for key in infantry if (key[1] >= 4) == later] for later in (False, True))

    def fact(rule: str, text: str, contradicted: Callable[[Cells], bool]) -> ChartFact:
        return ChartFact("forced-march", rule, text, True, contradicted)

    def removes(cell: Cell) -> bool:
        return cell.values["marker"] == "yes"

    kept = "infantry loses its Prepared Attack marker on failing by 4 or more, and not by less"
    yield fact("8.3", kept, _some_cell(early, removes))
    yield fact("8.3", kept, _some_cell(late, lambda cell: not removes(cell)))
    cavalry = [("cavalry", failed) for failed in range(1, 13)]
    yield fact("8.4.1", "cavalry has no Prepared Attack marker to lose", _some_cell(cavalry, removes))
    for column in ("infantry-small", "infantry-large"):
        keys = [key for key in infantry if key[0] == column]
        yield fact(
            "8.3.3a", f"some results of {column} cost a step", _no_cell(keys, lambda cell: cell.values["steps"] == 1)
        )


TABLES = ("summer", "high-water", "autumn", "freeze")
ROADS = ("primary-road", "secondary-road", "rail")
CROSSINGS = ("major-river", "bridge", "pontoon", "ferry")
OTHERS = ("clear", "rough", "wetlands", "mountain", "high-mountain", "minor-river", "ridge", "escarpment", *ROADS)


def _movement_points(cell: Cell) -> float:
    """A movement cost; infinite if prohibited."""
    cost = str(cell.values["cost"])
    return inf if cost == "prohibited" else float(cost)


def _costs(points: float, cell: Cell) -> bool:
    return _movement_points(cell) == points


def _pair(
    one: tuple[str, str], other: tuple[str, str], holds: Callable[[float, float], bool]
) -> Callable[[Cells], bool]:
    """Contradicted once both cells are known and the relation does not hold between their costs."""

    def contradicted(cells: Cells) -> bool:
        return (
            one in cells and other in cells and not holds(_movement_points(cells[one]), _movement_points(cells[other]))
        )

    return contradicted


def _terrain_costs() -> Iterable[ChartFact]:
    def fact(rule: str, text: str, contradicted: Callable[[Cells], bool], *, firm: bool = True) -> ChartFact:
        return ChartFact("terrain-cost", rule, text, firm, contradicted)

    seasons = [TABLES[0], TABLES[2]]
    for feature, points in (("clear", 2.0), ("primary-road", 1.5)):
        keys = [(season, feature) for season in seasons]
        text = f"{feature} costs {points:g} Movement Points in summer or in autumn"
        yield fact("4.1.4", text, _no_cell(keys, partial(_costs, points)))
    for table in TABLES:
        text = f"an escarpment costs something in {table}"
        yield fact("8.1.2", text, _some_cell([(table, "escarpment")], lambda cell: _movement_points(cell) in (0, inf)))
        text = f"in {table} a pontoon bridge costs the same as a bridge"
        yield fact("8.1.3", text, _pair((table, "bridge"), (table, "pontoon"), eq))
        for better, worse in (("bridge", "ferry"), ("bridge", "major-river"), ("ferry", "major-river")):
            text = f"in {table} a {better} costs no more than a {worse}"
            yield fact("8.1.3", text, _pair((table, better), (table, worse), le), firm=False)
        text = f"in {table} Grand Rivers are closed away from their crossings, Major Rivers are not"
        closed = _some_cell([(table, "grand-river")], lambda cell: _movement_points(cell) < inf)
        yield fact("10.1.2", text, closed, firm=False)
        yield fact(
            "10.1.2", text, _some_cell([(table, "major-river")], lambda c: _movement_points(c) == inf), firm=False
        )
        text = f"in {table} a secondary road costs no less than a primary one"
        yield fact("8.1.4", text, _pair((table, "primary-road"), (table, "secondary-road"), le), firm=False)
    for crossing in CROSSINGS:
        text = f"High Water raises the cost of a {crossing}"
        yield fact("20.1", text, _pair(("summer", crossing), ("high-water", crossing), lt))
    for feature in OTHERS:
        text = f"High Water leaves the cost of {feature} as it is"
        yield fact("20.1", text, _pair(("summer", feature), ("high-water", feature), eq), firm=False)
    yield fact(
        "20.1",
        "in Freeze minor rivers cost nothing",
        _some_cell([("freeze", "minor-river")], lambda c: _movement_points(c) > 0),
    )
    yield fact(
        "20.1", "in Freeze wetlands cost what clear does", _pair(("freeze", "wetlands"), ("freeze", "clear"), eq)
    )
    yield fact(
        "19.0", "wetlands cost more in autumn than in summer", _pair(("summer", "wetlands"), ("autumn", "wetlands"), lt)
    )
    for season in seasons:
        text = f"in {season} wetlands cost more than clear"
        yield fact("20.1", text, _pair((season, "clear"), (season, "wetlands"), lt), firm=False)
    for road in ROADS:
        text = f"{road} is not cheaper in autumn than in summer"
        yield fact("19.0", text, _pair(("summer", road), ("autumn", road), le))
    yield fact("19.0", "at least one road costs more in autumn than in summer", _no_dearer_road)


def _no_dearer_road(cells: Cells) -> bool:
    """Whether all roads are known in both seasons, and none costs more in autumn."""
    pairs = [(cells.get(("summer", road)), cells.get(("autumn", road))) for road in ROADS]
    known = [(one, other) for one, other in pairs if one and other]
    return len(known) == len(pairs) and all(_movement_points(one) >= _movement_points(other) for one, other in known)
