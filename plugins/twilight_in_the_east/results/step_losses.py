"""Step losses: the modifiers of the Step Loss Results Table, and who takes the losses (10.10, 11.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

import msgspec

from assistant.mechanics.odds import Bands, Odds
from assistant.mechanics.procedure import Modifier, option_named
from assistant.mechanics.rounding import half_up, up

from ..combat.strength import HIGHEST, LOWEST, flank_effects, modifiers
from ..forces.units import CombatUnit
from ..terms import FORTRESSES

ARTILLERY = Bands((0, 3, 7, 12, 18, 25), ("0", "1", "2", "3", "4", "5"))
"""The modifier for the opponent's artillery value (10.10.3 point 3)."""
NOT_FIRST = "a Marsch unit does not take the first step loss of an Austro-Hungarian attack (23.8)"
LAST_STEP = "a unit would lose its last step while another can take the loss (ruling last-step=owner would allow it)"
"""Why a way to share out step losses is not allowed that a player may have in mind."""


def columns_above(odds: Odds, each: int) -> int:
    """How often `each` columns, or part of them, go into the odds above 6:1. Rule: 10.10.3g, 10.10.3h, 11.3.1j"""
    return up(Fraction(max(odds.columns - HIGHEST.columns, 0), each))


def columns_below(odds: Odds) -> int:
    """How many columns the odds lie below 1:4. Rule: 10.10.3i, 11.3.1h"""
    return max(LOWEST.columns - odds.columns, 0)


def artillery_modifiers(units: Sequence[CombatUnit], value: Fraction) -> tuple[Modifier, ...]:
    """What the opponent's artillery adds to a side's roll: its units, those that stand idle for want of an AP among them,
    and their artillery value with APs and terrain. Rule: 10.10.3b, 10.10.3c
    """
    if not any(unit.artillery or unit.arm in FORTRESSES for unit in units):
        return (Modifier("10.10.3", "opponent without intrinsic artillery", -1),)
    worth = half_up(value)
    return modifiers("10.10.3", (f"opponent's artillery value of {worth}", int(ARTILLERY.of(worth))))


def german_modifier(units: Sequence[CombatUnit]) -> tuple[Modifier, ...]:
    """One less for a side whose units are all German. Rule: 10.10.3d"""
    return modifiers("10.10.3", ("German units only", -all(unit.nation == "german" for unit in units)))


def attacker_modifiers(
    defenders: Sequence[CombatUnit], position: int, odds: Odds, hardship: bool = True
) -> tuple[Modifier, ...]:
    """What concerns the attacker's roll alone: Demoralized defenders, a Level 4 position, odds above 6:1.

    hardship: whether a Level 4 position tells in this scenario, which ruling level-4-hardship decides outside the campaign.
    Rule: 10.10.3e, 10.10.3f, 10.10.3g, 13.3.2
    """
    return modifiers(
        "10.10.3",
        ("a defender is Demoralized", -3 * any(unit.demoralized for unit in defenders)),
        ("Level 4 Improved Position", position == 4 and hardship),
        (f"odds of {odds}", -columns_above(odds, 2)),
    )


def defender_modifiers(is_flanked: bool, odds: Odds) -> tuple[Modifier, ...]:
    """What concerns the defender's roll alone: odds above 6:1 or below 1:4, and being flanked.
    Rule: 10.10.3h, 10.10.3i, 10.10.3j
    """
    by_odds = columns_above(odds, 3) - columns_below(odds)
    return modifiers("10.10.3", (f"odds of {odds}", by_odds), ("flanked", flank_effects(is_flanked).losses))


class Share(msgspec.Struct, frozen=True):
    """A unit that may take losses: steps it has left, whether it need not take any (fortress units), whether it is
    artillery, which is given up last, its owner's wish: the least rank takes losses first; and whether the first loss of its side
    goes to others."""

    name: str
    left: int
    optional: bool = False
    guns: bool = False
    rank: int = 0
    later: bool = False


@cache
def distributions(shares: tuple[Share, ...], steps: int, may_eliminate: bool = False) -> tuple[tuple[int, ...], ...]:
    """The legal ways to share out step losses, each as losses by unit; the most usual one first.

    Losses are spread as equally as can be: nobody takes a second step before each has taken one, except that a unit is
    passed over while a loss would eliminate it and another can take it. Steps beyond all that the side has are dropped.
    Fortress units may stand aside until all others are gone. The first loss goes to a unit that it may go to, if there is one. First comes whoever has lost least in this combat, then as the
    owner wishes (`rank`), then the one with most steps left, then the order given; where somebody must go, artillery goes last.

    may_eliminate: ruling last-step, whether an owner may also have a unit lose its last step in turn.
    Rule: 11.1.1a, 11.1.1b, 11.1b
    """
    ways: dict[tuple[int, ...], None] = {}
    for fortresses_share in (False, True) if any(share.optional for share in shares) else (True,):
        ways |= dict.fromkeys(_spread(shares, steps, (0,) * len(shares), fortresses_share, may_eliminate, set()))
    return tuple(ways)


def free_distributions(shares: tuple[Share, ...], steps: int) -> tuple[tuple[int, ...], ...]:
    """Every way to share out steps that a Force loses to a check or a retreat: only the losses of the Step Loss Results Table
    have to be spread equally (11.1.1). The way that spreads them equally comes first. The first loss goes to a unit that it may
    go to here too. Rule: 11.1b
    """
    usual = distributions(shares, steps)[0]
    most = sum(usual)
    every = product(*(range(min(share.left, most), -1, -1) for share in shares))
    ways = (losses for losses in every if sum(losses) == most and losses != usual)
    return (usual, *(losses for losses in ways if begun_by(shares, losses)))


def begun_by(shares: Sequence[Share], losses: Sequence[int]) -> bool:
    """Whether the first of some losses may go to one of those who take them, or may go to nobody else either."""
    willing = [losing for share, losing in zip(shares, losses, strict=True) if share.left and not share.later]
    return not any(losses) or not willing or any(willing)


def _spread(
    shares: tuple[Share, ...],
    steps: int,
    so_far: tuple[int, ...],
    fortresses_share: bool,
    may_eliminate: bool,
    seen: set[tuple[int, ...]],
) -> Iterator[tuple[int, ...]]:
    if so_far in seen:  # what follows from here has been told: the order of losses does not matter
        return
    seen.add(so_far)
    alive = [n for n, share in enumerate(shares) if share.left > so_far[n]]
    taking = [n for n in alive if fortresses_share or not shares[n].optional] or alive
    if not any(so_far):
        taking = [n for n in taking if not shares[n].later] or taking
    if not steps or not taking:
        yield so_far
        return
    spared = [n for n in taking if shares[n].left - so_far[n] > 1]
    fewest = min(so_far[n] for n in spared or taking)
    next_ones = [n for n in spared if so_far[n] == fewest] or taking
    if spared and may_eliminate:
        next_ones += [n for n in taking if n not in spared and so_far[n] <= fewest]
    next_ones.sort(key=lambda n: (n not in spared, shares[n].rank, shares[n].guns, so_far[n] - shares[n].left))
    for n in next_ones:
        once_more = (*so_far[:n], so_far[n] + 1, *so_far[n + 1 :])
        yield from _spread(shares, steps - 1, once_more, fortresses_share, may_eliminate, seen)


def typed(shares: Sequence[Share], ways: Iterable[Sequence[int]]) -> dict[str, tuple[tuple[str, int], ...]]:
    """Ways to share out losses, as they are typed: the units parted by commas, each as often as it loses a step, "none" for no loss;
    each with the steps of the units that lose any."""
    options = {}
    for losses in ways:
        by_unit = tuple((share.name, steps) for share, steps in zip(shares, losses, strict=True) if steps)
        options[",".join(name for name, steps in by_unit for _ in range(steps)) or "none"] = by_unit
    return options


def why_not_spread(shares: tuple[Share, ...], steps: int, answer: str) -> str:
    """Why the rules bar a way to share out the losses of the Step Loss Results Table, where another ruling or another kind of unit
    would allow it; "" for any other."""
    willing = tuple(msgspec.structs.replace(share, later=False) for share in shares)
    if option_named(answer, typed(willing, distributions(willing, steps))):
        return NOT_FIRST
    return LAST_STEP if option_named(answer, typed(shares, distributions(shares, steps, True))) else ""


def why_not_free(shares: tuple[Share, ...], steps: int, answer: str) -> str:
    """Why the rules bar a way to share out the steps that a check costs a Force, "" where they know no such way."""
    willing = tuple(msgspec.structs.replace(share, later=False) for share in shares)
    return NOT_FIRST if option_named(answer, typed(willing, free_distributions(willing, steps))) else ""
