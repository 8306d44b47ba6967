"""The picture of threats: each hex shaded by how endangered it is, the three weakest numbered and outlined, where the
attackers come from, and where supply can be cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ...questions.report import Report
from ...questions.sketch import Arrow, ArrowKind, Sketch, Spot, Table, few, sketch_of
from ...questions.view import View
from ...util.console import count_text
from .report import FIRST, in_percent
from .terms import Assault, HexThreat, ThreatResult

LISTED = 12
"""How many hexes the table below the picture lists at most, and how many cuts of supply it marks."""
MOST_OWED = 3
"""How many facts that are missing the picture names at most."""
NEAR = 2
"""How far from an endangered hex others are shown."""
BY_CHANCE = (
    "in fewer than 10",
    "in 10 to 25",
    "in 25 to 50",
    "in 50 to 75",
    "the hex is lost in 75 of 100 cases or more",
)
BY_RATIO = (
    "by less than its defence",
    "by 1 to 2 times",
    "by 2 to 3 times",
    "by 3 to 5 times",
    "attacked by 5 times its defence or more",
)
"""What the levels of shade mean, by chances and where these are not known."""


def sketch_threats(view: View, report: Report[ThreatResult]) -> Sketch:
    """What the picture of the answer shows."""
    result = report.shown
    attacked = [threat for threat in result.hexes if threat.worst]
    weakest = [threat for threat in attacked[:FIRST] if may_hurt(threat)]
    by_chance = any(threat.worst.chances for threat in attacked if threat.worst)
    shown = near_danger(view, result.hexes)
    left_out = [threat.at for threat in result.hexes if threat not in shown]
    drawn = sketch_of(
        view,
        report,
        side=result.side,
        spots=(*spots_of(shown, weakest), *cut_spots(result, shown)),
        arrows=tuple(arrows_of(result, attacked, weakest)),
        tables=(table_of(attacked),) if attacked else (),
        moves=result.supposed,
        levels=BY_CHANCE if by_chance else BY_RATIO,
        words={
            "weakest": "the weakest hexes in their order: column, and chance to lose the hex",
            "barred": "from here the enemy cuts the supply of these units",
            "attack": "attack on one of the weakest hexes",
            "onward": "attack on another hex",
            "way": "a unit that comes first",
        },
        caption=(f"No attack was found on {', '.join(left_out)}, which the picture leaves out.",) if left_out else (),
    )
    if len(drawn.owed) <= MOST_OWED:
        return drawn
    return replace(drawn, owed=(f"{count_text(len(drawn.owed), 'fact')} not stated: the answer lists them",))


def may_hurt(threat: HexThreat) -> bool:
    """Whether the worst attack on a hex may cost its defender anything, as far as is known."""
    chances = threat.worst.chances if threat.worst else None
    return chances is None or bool(chances.lost or chances.defender_mean)


def near_danger(view: View, threats: Sequence[HexThreat]) -> list[HexThreat]:
    """The hexes that the picture shows: those that can be attacked or of which that is not certain, and those near them; all
    where none is.
    """
    endangered = [threat.at for threat in threats if threat.worst or threat.is_open]
    if not endangered:
        return list(threats)
    distance = view.board.distance
    return [threat for threat in threats if min(distance(threat.at, at) for at in endangered) <= NEAR]


def spots_of(threats: Sequence[HexThreat], weakest: Sequence[HexThreat]) -> Iterator[Spot]:
    """The hexes, the weakest with their place."""
    for threat in threats:
        if threat in weakest:
            place = weakest.index(threat) + 1
            yield Spot(hex=threat.at, role="weakest", label=label_of(threat), level=threat.level, place=place)
        elif threat.units or not threat.barred:
            yield Spot(hex=threat.at, role="shaded", label=label_of(threat), level=threat.level)


def cut_spots(result: ThreatResult, shown: Sequence[HexThreat]) -> Iterator[Spot]:
    """From where supply can be cut, and whose."""
    taken = {threat.at for threat in shown}
    for cut in result.cuts[:LISTED]:
        if cut.at not in taken:
            units = few([unit.unit for unit in cut.worse])
            yield Spot(hex=cut.at, role="barred", label=units)


def label_of(threat: HexThreat) -> str:
    """The column of the worst attack and the chance to lose the hex; what stands for no attack, and for one that is not certain."""
    if assault := threat.worst:
        return " ".join(filter(None, (assault.column, in_percent(assault))))
    return "?" if threat.is_open else "safe"


def arrows_of(result: ThreatResult, attacked: Sequence[HexThreat], weakest: Sequence[HexThreat]) -> Iterator[Arrow]:
    """Where the worst attacks come from; those on the weakest hexes with the ways of those who come first."""
    ways = set[tuple[str, ...]]()
    for threat in attacked:
        assault = threat.worst
        assert assault is not None
        for place in assault.places:
            kind: ArrowKind = "attack" if threat in weakest else "onward"
            yield Arrow(hexes=(place, threat.at), kind=kind, side=result.enemy)
        for approach in assault.approaches if threat in weakest else ():
            way = (approach.at, *approach.way)
            if way not in ways:
                ways.add(way)
                yield Arrow(hexes=way, kind="way", side=result.enemy)


def table_of(attacked: Sequence[HexThreat]) -> Table:
    """The most endangered hexes in rows."""
    rows = tuple(
        row_of(number, threat, threat.worst) for number, threat in enumerate(attacked[:LISTED], 1) if threat.worst
    )
    heads = ("weakest first", "column", "hex lost", "own losses", "enemy's", "attacked from", "comes first")
    return Table(heads=heads, rows=rows)


def row_of(number: int, threat: HexThreat, assault: Assault) -> tuple[str, ...]:
    """One hex of the table."""
    chances = assault.chances
    means = (f"{float(mean):.1f}" for mean in (chances.defender_mean, chances.attacker_mean)) if chances else ("-", "-")
    return (
        f"{number}. {threat.at}",
        assault.column,
        in_percent(assault) or "-",
        *means,
        ", ".join(assault.places),
        count_text(len(assault.approaches), "unit") if assault.approaches else "none",
    )
