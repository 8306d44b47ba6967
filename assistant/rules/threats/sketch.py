"""The picture of threats.

It shades each hex by its danger, numbers the three weakest, and shows the hexes from which attackers come and supply
can be cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec.structs import replace

from ...asking.report import Report
from ...asking.sketch import (
    UNKNOWN,
    Arrow,
    ArrowKind,
    FigureTable,
    Remark,
    Role,
    Sketch,
    Spot,
    format_first_units,
    sketch_of,
)
from ...asking.view import View
from ...game.counter_names import counter_names
from ...mechanics.distribution import format_whole_percent
from ...util.console import format_count
from .report import HEXES_IN_VERDICT, format_attack, format_chance, is_unweighed
from .terms import Approach, Cut, HexThreat, ThreatAttack, ThreatResult

MAX_ROWS = 12
"""The maximum number of rows in the table below the picture, and of cuts of supply drawn."""
MAX_OWED = 3
"""The maximum number of missing facts named in the picture."""
MAX_HEXES_LEFT = 4
"""The maximum number of hexes listed that units must leave without a combat."""
MAX_HEXES_CHANGED = 6
"""The maximum number of hexes named that supposed moves change."""
MAX_DISTANCE_HEXES = 1
"""The distance from the weakest hexes within which other hexes are drawn."""
MAX_NAMES = 2
"""The maximum number of units named in a row of the table."""
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
"""The levels of shade, by chances, and by ratios of strength if no chances are known."""
# Texts of the key and the caption.
WEAKEST = "the weakest hexes in their order, with the odds"
CHANCE = " and the chance to lose the hex"
NOT_WEIGHED = "A hex with odds alone has no shade: the chance to lose it is not known."
WORSE = f"{UNKNOWN} after the odds: a worse attack may be possible."
BY_CHECK = "Check: the chance that its own check makes the defender retreat, shown where that is the main risk."
ATTACK_EACH = "Each attack is worked out by itself. A unit may appear in several, but can make only one."


def sketch_threats(view: View, report: Report[ThreatResult]) -> Sketch:
    """Return the picture of the answer."""
    result = report.shown
    attacked = [threat for threat in result.hexes if threat.worst]
    weakest = [threat for threat in attacked[:HEXES_IN_VERDICT] if _may_hurt(threat)]
    by_chance = any(threat.worst.chances for threat in attacked if threat.worst)
    shown = _find_near_danger(view, result.hexes, weakest)
    arrows = tuple(_list_arrows(result, weakest))
    drawn_at = [*(threat.at for threat in shown), *(hex for arrow in arrows for hex in arrow.hexes)]
    near, far = _sort_cuts(view, result, drawn_at)
    drawn = sketch_of(
        view,
        report,
        side=result.side,
        spots=(*_list_spots(shown, weakest, by_chance=by_chance), *_list_cut_spots(near, shown)),
        arrows=arrows,
        remarks=tuple(_list_goals(view, weakest)),
        tables=(_make_table(attacked),) if attacked else (),
        moves=result.supposed,
        focus=tuple(str(move.before) for move in result.supposed if move.before),
        levels=BY_CHANCE if by_chance else BY_RATIO,
        words={
            "weakest": WEAKEST + CHANCE if by_chance else WEAKEST,
            "unknown": "whether the enemy can attack is not known",
            "cut": "where the enemy cuts supply, and of which units",
            "attack": "attack on one of the weakest hexes",
            "way": "the way of units that come first, to attack the hex of that number",
            "support": "a unit that comes to help surround it, and does not attack",
        },
        results=tuple(_list_remarks(report)),
        caption=(*_format_left_out([threat for threat in result.hexes if threat not in shown]), *_format_cuts(far)),
    )
    if len(drawn.owed) <= MAX_OWED:
        return drawn
    return replace(drawn, owed=(f"{format_count(len(drawn.owed), 'fact')} not stated: the answer lists them",))


def _list_remarks(report: Report[ThreatResult]) -> Iterator[str]:
    result = report.shown
    if result.supposed:
        yield from _format_changes(result)
    if result.unknown:
        yield f"Where {format_first_units(result.unknown)} can move is not known: more hexes may be attacked, and worse."
    attacked = [threat for threat in result.hexes if threat.worst]
    if len(attacked) > 1:
        yield ATTACK_EACH
    if any(threat.at_least for threat in attacked):
        yield WORSE
    if 0 < sum(map(is_unweighed, attacked)) < len(attacked):
        yield NOT_WEIGHED
    if any(threat.worst is not None and _is_decided_by_check(threat.worst) for threat in attacked):
        yield BY_CHECK
    left = [threat for threat in result.hexes if threat.leaving]
    yield from map(_format_leaving, left[:MAX_HEXES_LEFT])
    if len(left) > MAX_HEXES_LEFT:
        yield f"Units have to leave {format_count(len(left) - MAX_HEXES_LEFT, 'more hex', 'more hexes')} without a combat: see the answer."
    if result.cuts:
        return
    if result.tried:
        yield "No enemy move that was tried cuts a line of supply."
    elif report.asks:
        yield "Supply was not examined: facts are missing."
    else:
        yield "No enemy move to a line of supply was examined."


def _format_changes(result: ThreatResult) -> Iterator[str]:
    moves = ", ".join(f"{move.subject} in {move.after}" for move in result.supposed)
    if any(threat.at_least for threat in result.hexes):
        yield f"What {moves} changes is not known of all hexes."
    elif not result.changes:
        yield f"With {moves} nothing changes."
    for change in result.changes[:MAX_HEXES_CHANGED]:
        before = format_attack(change.before)
        after = format_attack(change.after)
        yield f"With {moves} the worst attack on {change.at} changes from {before} to {after}."
    if len(result.changes) > MAX_HEXES_CHANGED:
        others = format_count(len(result.changes) - MAX_HEXES_CHANGED, "more hex", "more hexes")
        yield f"It changes on {others}: see the answer."


def _format_leaving(threat: HexThreat) -> str:
    units = [*threat.leaving]
    intruder = threat.intruder
    once = f"{intruder.unit} is in {intruder.to}" if intruder else "an enemy comes"
    return f"{threat.at}: {format_first_units(units)} {'have' if len(units) > 1 else 'has'} to leave without a combat once {once}."


def _may_hurt(threat: HexThreat) -> bool:
    chances = threat.worst.chances if threat.worst else None
    return chances is None or bool(chances.lost or chances.defender_mean)


def _find_near_danger(view: View, threats: Sequence[HexThreat], weakest: Sequence[HexThreat]) -> list[HexThreat]:
    """Return the hexes to draw: the weakest hexes and their neighbours, so that the picture fits a page.

    If no hex can be attacked, uncertain hexes are drawn, or hexes that units must leave, or all.
    """
    endangered = [threat.at for threat in weakest] or [threat.at for threat in threats if threat.is_open]
    endangered = endangered or [threat.at for threat in threats if threat.worst or threat.leaving]
    if not endangered:
        return list(threats)
    distance = view.board.distance
    return [threat for threat in threats if min(distance(threat.at, at) for at in endangered) <= MAX_DISTANCE_HEXES]


def _format_left_out(threats: Sequence[HexThreat]) -> Iterator[str]:
    attacked = [threat.at for threat in threats if threat.worst]
    unknown = [threat.at for threat in threats if not threat.worst and threat.is_open]
    quiet = [threat.at for threat in threats if threat.at not in (*attacked, *unknown)]
    if attacked:
        yield f"Farther off and left out, but shown when asked for by number: {', '.join(attacked)}."
    if unknown:
        yield f"Whether the enemy can attack {' or '.join(unknown)} is not known: shown when asked for by number."
    if quiet:
        yield f"No attack was found on {', '.join(quiet)}, which the picture leaves out."


def _list_spots(threats: Sequence[HexThreat], weakest: Sequence[HexThreat], *, by_chance: bool) -> Iterator[Spot]:
    """Yield the hexes, the weakest with their place.

    `by_chance`: whether shades show chances; hexes whose chance is unknown then have no shade.
    """
    for threat in threats:
        level = 0 if by_chance and is_unweighed(threat) else threat.level
        if threat in weakest:
            place = weakest.index(threat) + 1
            yield Spot(hex=threat.at, role="weakest", label=_format_label(threat), level=level, place=place)
        elif threat.units or not threat.barred:
            role: Role = "unknown" if threat.is_open else "shaded"
            yield Spot(hex=threat.at, role=role, label=_format_label(threat), level=level)


def _sort_cuts(view: View, result: ThreatResult, drawn: Sequence[str]) -> tuple[Sequence[Cut], Sequence[Cut]]:
    cuts = result.cuts[:MAX_ROWS]
    distance = view.board.distance
    near = [cut for cut in cuts if not drawn or min(distance(cut.at, at) for at in drawn) <= MAX_DISTANCE_HEXES]
    return near, [cut for cut in cuts if cut not in near]


def _list_cut_spots(cuts: Sequence[Cut], shown: Sequence[HexThreat]) -> Iterator[Spot]:
    taken = {threat.at for threat in shown}
    for cut in cuts:
        if cut.at not in taken:
            yield Spot(hex=cut.at, role="cut", label=f"cuts {format_first_units([unit.unit for unit in cut.worse])}")


def _format_cuts(cuts: Sequence[Cut]) -> Iterator[str]:
    places = dict[str, list[str]]()
    for cut in cuts:
        places.setdefault(format_first_units([unit.unit for unit in cut.worse]), []).append(cut.at)
    for units, hexes in places.items():
        yield f"Beyond the picture, the enemy can cut the supply of {units} from {' and '.join(hexes)}."


def _format_label(threat: HexThreat) -> str:
    """Return the label of a hex: the column, the chance to lose the hex, and that of the check if it decides.

    Without an attack the label says that units must leave, that an attack is uncertain, or "no attack".
    """
    worse = UNKNOWN if threat.at_least else ""
    if assault := threat.worst:
        check = f"check {format_whole_percent(_find_check_chance(assault))}" if _is_decided_by_check(assault) else ""
        return " ".join(filter(None, (assault.column, format_chance(assault), check, worse)))
    return "has to leave" if threat.leaving else worse or "no attack"


def _find_check_chance(assault: ThreatAttack) -> Fraction:
    """Return the chance that its check makes a lone defending Force retreat.

    For several Forces, of which one may stay, the chance is 0.
    """
    checks = assault.chances.checks if assault.chances else ()
    return checks[0].retreats if len(checks) == 1 else Fraction(0)


def _is_decided_by_check(assault: ThreatAttack) -> bool:
    """Return whether the defender's check is more likely to lose the hex than the result of the combat."""
    return assault.chances is not None and 2 * _find_check_chance(assault) > assault.chances.lost


def _list_arrows(result: ThreatResult, weakest: Sequence[HexThreat]) -> Iterator[Arrow]:
    """Yield the attacks on the weakest hexes, and the routes of units that come first.

    Units on one route to the same hex share an arrow.
    """
    for number, threat in enumerate(weakest, 1):
        assert threat.worst is not None
        for at in threat.worst.places:
            yield Arrow(hexes=(at, threat.at), kind="attack", side=result.enemy, goal=number)
        ways = dict[tuple[ArrowKind, tuple[str, ...]], list[str]]()
        for approach in threat.worst.approaches:
            kind: ArrowKind = "way" if approach.unit in threat.worst.attackers else "support"
            ways.setdefault((kind, (approach.at, *approach.way)), []).append(approach.unit)
        for (kind, hexes), units in ways.items():
            name = format_first_units([*dict.fromkeys(units)], MAX_NAMES)
            yield Arrow(hexes=hexes, kind=kind, side=result.enemy, name=name, goal=number)


def _list_approaches(weakest: Sequence[HexThreat]) -> Iterator[tuple[HexThreat, Approach]]:
    for threat in weakest:
        if threat.worst:
            yield from ((threat, approach) for approach in threat.worst.approaches)


def _list_goals(view: View, weakest: Sequence[HexThreat]) -> Iterator[Remark]:
    """Yield a remark for each hex whose units do not all come first to the same hexes.

    It has the names of the units, and the numbers of the weakest hexes. Elsewhere the numbers on the ways are enough.
    """
    names = counter_names(view.game)
    goals = dict[str, dict[str, list[int]]]()
    for threat, approach in _list_approaches(weakest):
        number = weakest.index(threat) + 1
        numbers = goals.setdefault(approach.at, {}).setdefault(approach.unit, [])
        if number not in numbers:
            numbers.append(number)
    for at, units in goals.items():
        together = dict[str, list[str]]()
        for unit, numbers in units.items():
            together.setdefault(" and ".join(map(str, sorted(numbers))), []).append(names.get(unit, unit))
        if len(together) == 1 and all(unit.id in units for unit in view.stack(at)):
            continue
        text = "; ".join(f"{format_first_units(group, MAX_NAMES)} to {numbers}" for numbers, group in together.items())
        yield Remark(where=at, text=text)


def _make_table(attacked: Sequence[HexThreat]) -> FigureTable:
    listed = attacked[:MAX_ROWS]
    chances = next((threat.worst.chances for threat in listed if threat.worst and threat.worst.chances), None)
    counted = chances.counted if chances else "step"
    shown = f"{len(listed)} of {len(attacked)} shown" if len(listed) < len(attacked) else "weakest first"
    heads = (
        shown,
        "odds",
        "hex lost",
        "retreat by check",
        f"own {counted}s lost",
        f"enemy {counted}s lost",
        "attacked from",
        "come first",
    )
    rows = [_make_row(number, threat, threat.worst) for number, threat in enumerate(listed, 1) if threat.worst]
    filled = [number for number in range(len(heads)) if any(row[number] != EMPTY_CELL for row in rows)]
    return FigureTable(
        heads=tuple(heads[number] for number in filled),
        rows=tuple(tuple(row[number] for number in filled) for row in rows),
    )


EMPTY_CELL = "-"
"""The mark of an empty or unknown cell."""


def _make_row(number: int, threat: HexThreat, assault: ThreatAttack) -> tuple[str, ...]:
    chances = assault.chances
    means = [f"{float(mean):.1f}" for mean in (chances.defender_mean, chances.attacker_mean)] if chances else []
    checks = [format_whole_percent(check.retreats) for check in chances.checks] if chances else []
    return (
        f"{number}. {threat.at}",
        assault.column,
        format_chance(assault) or EMPTY_CELL,
        ", ".join(checks) or EMPTY_CELL,
        *(means or [EMPTY_CELL, EMPTY_CELL]),
        ", ".join(assault.places),
        format_first_units([approach.unit for approach in assault.approaches], MAX_NAMES) or EMPTY_CELL,
    )
