"""The picture of threats: each hex shaded by how endangered it is, the three weakest numbered and outlined, where the
attackers come from, and where supply can be cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...questions.report import Report
from ...questions.sketch import Arrow, Remark, Sketch, Spot, Table, few, sketch_of
from ...questions.view import View
from .report import FIRST, in_percent
from .terms import Assault, Cut, Threatened, ThreatResult

LISTED = 12
"""How many hexes the table below the picture lists at most, and how many cuts of supply it marks."""
BY_CHANCE = (
    "lost in less than 10 of 100 cases",
    "in 10 to 25",
    "in 25 to 50",
    "in 50 to 75",
    "in 75 or more",
)
BY_RATIO = (
    "attacked by less than its defence",
    "by as much or more",
    "by twice as much",
    "by three times as much",
    "by five times as much",
)
"""What the levels of shade mean, by chances and where these are not known."""


def sketch_threats(view: View, report: Report[ThreatResult]) -> Sketch:
    """What the picture of the answer shows."""
    result = report.shown
    attacked = [threat for threat in result.hexes if threat.worst]
    weakest, by_chance = attacked[:FIRST], any(threat.worst.chances for threat in attacked if threat.worst)
    return sketch_of(
        view,
        report,
        side=result.side,
        spots=tuple(spots_of(result, weakest)),
        arrows=tuple(arrows_of(result, attacked, weakest)),
        remarks=tuple(cut_remark(cut) for cut in result.cuts[:LISTED]),
        tables=(table_of(attacked),) if attacked else (),
        moves=result.supposed,
        levels=BY_CHANCE if by_chance else BY_RATIO,
        words={
            "weakest": "the three weakest, with their place, the column and the chance to lose the hex",
            "attack": "attack on one of these",
            "onward": "attack on another hex",
            "way": "comes first",
        },
    )


def spots_of(result: ThreatResult, weakest: Sequence[Threatened]) -> Iterator[Spot]:
    """The hexes, the weakest numbered."""
    for threat in result.hexes:
        if threat.barred and not threat.units:
            continue
        place = weakest.index(threat) + 1 if threat in weakest else 0
        label = label_of(threat)
        role = "weakest" if place else "shaded"
        label = f"{place}. {label}" if place else label
        yield Spot(hex=threat.at, role=role, label=label, level=threat.level)  # type: ignore[arg-type]


def label_of(threat: Threatened) -> str:
    """The column of the worst attack and the chance to lose the hex; what stands for no attack, and for missing facts."""
    if assault := threat.worst:
        return " ".join(filter(None, (assault.column, in_percent(assault))))
    return "?" if threat.missing else "safe"


def arrows_of(result: ThreatResult, attacked: Sequence[Threatened], weakest: Sequence[Threatened]) -> Iterator[Arrow]:
    """Where the worst attacks come from; those on the weakest hexes with the ways of those who come first."""
    ways = set[tuple[str, ...]]()
    for threat in attacked:
        assault = threat.worst
        assert assault is not None
        for place in assault.places:
            kind = "attack" if threat in weakest else "onward"
            yield Arrow(hexes=(place, threat.at), kind=kind, side=result.enemy)  # type: ignore[arg-type]
        for approach in assault.approaches if threat in weakest else ():
            way = (approach.at, *approach.way)
            if way not in ways:
                ways.add(way)
                yield Arrow(hexes=way, kind="way", side=result.enemy)


def cut_remark(cut: Cut) -> Remark:
    """Where supply can be cut, and whose."""
    return Remark(where=cut.at, text=f"cuts {few([unit.unit for unit in cut.worse])}")


def table_of(attacked: Sequence[Threatened]) -> Table:
    """The most endangered hexes in rows."""
    rows = tuple(row_of(number, threat, threat.worst) for number, threat in enumerate(attacked[:LISTED], 1) if threat.worst)
    heads = ("weakest first", "column", "hex lost", "own losses", "enemy's", "attacked from", "comes first")
    return Table(heads=heads, rows=rows)


def row_of(number: int, threat: Threatened, assault: Assault) -> tuple[str, ...]:
    """One hex of the table."""
    chances = assault.chances
    means = (f"{float(mean):.1f}" for mean in (chances.defender_mean, chances.attacker_mean)) if chances else ("-", "-")
    coming = f"{len(assault.approaches)} units" if assault.approaches else "nobody"
    return (
        f"{number}. {threat.at}",
        assault.column,
        in_percent(assault) or "-",
        *means,
        f"{len(assault.places)} hexes",
        coming,
    )
