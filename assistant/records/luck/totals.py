"""All battles and all rolls of a record together: sums by side and by kind, and where they stand among what might have
come.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import sqrt

from ...mechanics.distribution import Distribution, of_chances, sum_of
from ...mechanics.procedure import Dice
from .evening import BattleLuck, ChoiceLuck, KindTotal, SideTotal, ThrownDice


def swing_for(side: str, battle: BattleLuck) -> Distribution:
    """Return the distribution of the swing of a battle, as a side that took part sees it."""
    swing = of_chances(battle.chances)
    return swing if battle.of_side(side) > 0 else -swing


def total_by_side(side: str, title: str, battles: Iterable[BattleLuck]) -> SideTotal:
    """Return all battles of a side together. Their percentile comes from the exact distribution of the sum of all
    swings.
    """
    own = [battle for battle in battles if battle.of_side(side)]
    every = sum_of(swing_for(side, battle) for battle in own)
    mine = [part for battle in own for part in battle.sides if part.side == side]
    theirs = [part for battle in own for part in battle.sides if part.side != side]
    swing = sum(battle.swing * battle.of_side(side) for battle in own)
    return SideTotal(
        side=side,
        title=title,
        battles=len(own),
        lost=sum(part.lost for part in mine),
        lost_expected=_add_fractions(part.expected for part in mine),
        taken=sum(part.lost for part in theirs),
        taken_expected=_add_fractions(part.expected for part in theirs),
        expected=_add_fractions(battle.expected * battle.of_side(side) for battle in own),
        swing=swing,
        own_luck=_add_fractions(_sum_rolls(side, battle, own=True) for battle in own),
        enemy_luck=_add_fractions(_sum_rolls(side, battle, own=False) for battle in own),
        choices=_add_fractions(_sum_choices(side, battle) for battle in own),
        percentile=every.percentile(swing),
        spread=sqrt(every.variance),
    )


def _sum_rolls(side: str, battle: BattleLuck, *, own: bool) -> Fraction:
    """Return what the rolls of a battle moved for a side: its own, or all others."""
    moved = Fraction(0)
    for roll in battle.rolls:
        thrower = roll.side or battle.attacker
        if roll.luck is None or (thrower == side) != own:
            continue
        if own:
            moved += roll.luck
        else:
            moved -= roll.luck
    return moved


def _sum_choices(side: str, battle: BattleLuck) -> Fraction:
    """Return what the choices of both sides in a battle moved for a side."""
    moved = Fraction(0)
    for choice in battle.turns:
        if isinstance(choice, ChoiceLuck):
            gain = choice.after - choice.before
            if (choice.side or battle.attacker) == side:
                moved += gain
            else:
                moved -= gain
    return moved


def total_by_kind(rolls: Sequence[ThrownDice]) -> Iterator[KindTotal]:
    """Yield all rolls by kind and by the side that threw them, in the order in which they first came."""
    groups: dict[tuple[str, str], list[ThrownDice]] = {}
    for roll in rolls:
        groups.setdefault((roll.kind, roll.side), []).append(roll)
    kinds = dict.fromkeys(kind for kind, _ in groups)
    for kind in kinds:
        for (name, side), group in groups.items():
            if name == kind:
                yield _make_total(kind, side, group)


def _make_total(kind: str, side: str, rolls: Sequence[ThrownDice]) -> KindTotal:
    lucks = [roll.luck for roll in rolls if roll.luck is not None]
    checks = [roll for roll in rolls if roll.passed is not None]
    stand = [roll.percentile for roll in rolls if roll.percentile is not None]
    passed = sum(roll.passed or 0 for roll in checks)
    return KindTotal(
        kind=kind,
        side=side,
        rolls=len(rolls),
        natural=sum(roll.natural for roll in rolls),
        mean=_add_fractions(roll.mean for roll in rolls),
        luck=_add_fractions(lucks) if lucks else None,
        spread=sqrt(_add_fractions(roll.variance for roll in rolls if roll.variance is not None)) if lucks else None,
        average=_add_fractions(stand) / len(stand) if stand else None,
        passed=passed if checks else None,
        checks=sum(roll.checks for roll in checks),
        expected=_add_fractions(roll.expected for roll in checks if roll.expected is not None) if checks else None,
        percentile=_find_standing(rolls, checks, passed),
    )


def _find_standing(rolls: Sequence[ThrownDice], checks: Sequence[ThrownDice], passed: int) -> Fraction | None:
    """Return where rolls of a kind stand together: checks by how many are passed, each at the odds at which it was
    made; others by the sum of their totals, if it is declared which totals are good.
    """
    if checks:
        return sum_of(of_chances(roll.pass_chances) for roll in checks).percentile(passed)
    goods = {roll.good for roll in rolls}
    if goods not in ({"low"}, {"high"}):
        return None
    every = sum_of(_distribute_total(roll) for roll in rolls)
    total = sum(roll.natural for roll in rolls)
    return every.percentile(total) if goods == {"high"} else (-every).percentile(-total)


def _distribute_total(roll: ThrownDice) -> Distribution:
    dice = Dice.named(roll.dice)
    return Distribution(dict(sorted(dice.totals)), dice.sides**dice.number)


def _add_fractions(amounts: Iterable[Fraction]) -> Fraction:
    return sum(amounts, Fraction(0))
