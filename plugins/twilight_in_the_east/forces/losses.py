"""Step losses: their distribution among units (11.1), their changes (3.4.1), and the return of supply units (16.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import product
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from assistant.asking import Answers
from assistant.asking.asks import Ask
from assistant.asking.permission import Clause
from assistant.asking.play import chosen
from assistant.asking.view import View, changed
from assistant.mechanics.procedure import Choice, option_named
from assistant.state.changes import AnyChange, Change

from ..terms import NOT_REPLACED, SUPPLY_ARMS
from .units import CombatUnit, Force

Losses = tuple[int, ...]
"""A distribution of losses: the steps that each `Share` loses, in order, such as `(1, 0, 2)`."""
RETURN_DELAY_TURNS = 2
"""Game turns from the elimination of a supply unit to its return (16.4)."""
LAST_TURN = 47
"""The number of the campaign's last game turn (5.3)."""
_T = TypeVar("_T")


class Share(msgspec.Struct, frozen=True, cache_hash=True):
    """A unit that may take losses."""

    name: str
    left: int
    """Steps left."""
    optional: bool = False
    """Whether the owner may spare the unit, as with fortress units."""
    guns: bool = False
    """Whether the unit is artillery, which takes losses last."""
    rank: int = 0
    """The unit's rank by the owner's policy; the lowest rank takes losses first."""
    later: bool = False
    """Whether the unit may not take the first loss of its side, as a Marsch unit (23.8)."""


@cache
def distributions(shares: tuple[Share, ...], steps: int, *, may_eliminate: bool = True) -> tuple[Losses, ...]:
    """Return the legal ways to share out step losses as equally as possible, the most usual first.

    A unit that a step would eliminate is spared while another can lose the step. Fortress units may be spared. Losses
    beyond the steps of the side are dropped.

    `may_eliminate`: whether an owner may eliminate a unit whose turn it is to lose a step (ruling last-step).

    Rule: 11.1.1a, 11.1.1b, 11.1b
    """
    ways: dict[Losses, None] = {}
    # distributions that spare fortress units come first
    choices = (False, True) if any(share.optional for share in shares) else (True,)
    for fortresses_share in choices:
        ways |= dict.fromkeys(
            _list_shares(
                shares, steps, (0,) * len(shares), set(), fortresses_share=fortresses_share, may_eliminate=may_eliminate
            )
        )
    return tuple(ways)


def free_distributions(shares: tuple[Share, ...], steps: int) -> tuple[Losses, ...]:
    """Return all ways to share out steps lost to a check or a retreat, the most equal way first.

    Only losses of the Step Loss Results Table must be spread equally (11.1.1). Marsch units do not take the first loss
    here either.

    Rule: 11.1b
    """
    usual = distributions(shares, steps)[0]
    total = sum(usual)
    ways = [usual]
    for losses in product(*(range(min(share.left, total), -1, -1) for share in shares)):
        if sum(losses) == total and losses != usual and _may_begin(shares, losses):
            ways.append(losses)
    return tuple(ways)


def first_taking(shares: Sequence[Share], taking: list[int]) -> list[int]:
    """Return the units of `taking` that may take the first loss of a side, or all of them if none may.

    `taking`: indices into `shares`.

    Rule: 23.8
    """
    return [n for n in taking if not shares[n].later] or taking


def _may_begin(shares: Sequence[Share], losses: Sequence[int]) -> bool:
    """Return whether a unit that may take the first loss of the side takes a loss, if there is such a unit."""
    willing = [losing for share, losing in zip(shares, losses, strict=True) if share.left and not share.later]
    return not any(losses) or not willing or any(willing)


def _list_shares(
    shares: tuple[Share, ...],
    steps: int,
    so_far: Losses,
    seen: set[Losses],
    *,
    fortresses_share: bool,
    may_eliminate: bool,
) -> Iterator[Losses]:
    if so_far in seen:  # reached before by the same losses in another order
        return
    seen.add(so_far)
    alive = [n for n, share in enumerate(shares) if share.left > so_far[n]]
    taking = [n for n in alive if fortresses_share or not shares[n].optional] or alive
    taking = taking if any(so_far) else first_taking(shares, taking)
    if not steps or not taking:
        yield so_far
        return
    spared = [n for n in taking if shares[n].left - so_far[n] > 1]
    fewest = min(so_far[n] for n in spared or taking)
    next_ones = [n for n in spared if so_far[n] == fewest] or taking
    if may_eliminate:
        next_ones += [n for n in taking if n not in spared and so_far[n] <= fewest]
    # sort order: units that survive the step, the owner's ranks, artillery last, most steps left first
    next_ones.sort(key=lambda n: (n not in spared, shares[n].rank, shares[n].guns, so_far[n] - shares[n].left))
    for n in next_ones:
        once_more = (*so_far[:n], so_far[n] + 1, *so_far[n + 1 :])
        yield from _list_shares(
            shares, steps - 1, once_more, seen, fortresses_share=fortresses_share, may_eliminate=may_eliminate
        )


class Ways(Mapping[str, _T]):
    """Outcomes of the ways to share out losses, by answer: `A,A,B` costs A two steps and B one.

    Answers are written only when read, because a large side has hundreds of ways, but chances need only the first.
    """

    def __init__(self, shares: Sequence[Share], ways: Sequence[Losses], follow: Callable[[Losses], _T]) -> None:
        self._shares = shares
        self._ways = ways
        self._follow = follow

    def __len__(self) -> int:
        return len(self._ways)

    def __iter__(self) -> Iterator[str]:
        return (_write_losses(self._shares, losses) for losses in self._ways)

    def __getitem__(self, answer: str) -> _T:
        is_first = bool(self._ways) and answer == _write_losses(self._shares, self._ways[0])
        return self._follow(self._ways[0] if is_first else self._by_answer[answer])

    @cached_property
    def _by_answer(self) -> Mapping[str, Losses]:
        return dict(zip(self, self._ways, strict=True))


def _write_losses(shares: Sequence[Share], losses: Losses) -> str:
    """Return losses as an answer, with each unit once per step lost, such as `A,A,B`, or "none"."""
    return ",".join(name for name, steps in by_unit(shares, losses) for _ in range(steps)) or "none"


def by_unit(shares: Sequence[Share], losses: Losses) -> tuple[tuple[str, int], ...]:
    """Return the units that lose steps, each with the number of steps."""
    return tuple((share.name, steps) for share, steps in zip(shares, losses, strict=True) if steps)


def steps_title(steps: int, what: str) -> str:
    """Return the title of a choice of losses, such as `2 steps that the retreat costs A`."""
    return f"{steps} {'step' if steps == 1 else 'steps'} {what}"


def why_not_spread(shares: tuple[Share, ...], steps: int, may_eliminate: bool, answer: str) -> str:
    """Return why the rules bar a way to share out losses of the Step Loss Results Table, or "".

    There is a reason only if the way would be allowed by another reading of ruling last-step, or without Marsch units.

    `may_eliminate`: as in `distributions`.

    Rule: 11.1.1a
    """
    clauses = (
        *bars_of_first(shares, partial(distributions, steps=steps, may_eliminate=may_eliminate), answer),
        (
            _is_among(answer, shares, distributions(shares, steps)),
            "11.1.1",
            "a unit would lose its last step while another can take the loss (ruling last-step=owner would allow it)",
        ),
    )
    return next((why for holds, _, why in clauses if holds), "")


def why_not_free(shares: tuple[Share, ...], steps: int, answer: str) -> str:
    """Return why the rules bar a way to share out steps lost to a check or a retreat, or ""."""
    clauses = bars_of_first(shares, partial(free_distributions, steps=steps), answer)
    return next((why for holds, _, why in clauses if holds), "")


def bars_of_first(
    shares: tuple[Share, ...], distribute: Callable[[tuple[Share, ...]], Iterable[Losses]], answer: str
) -> Iterator[Clause]:
    """Yield the bar to Marsch units taking the first loss, if it alone bars a way to share out steps.

    `distribute`: returns the legal ways to share out the steps.
    `answer`: the way, such as `A,A,B`.

    Rule: 23.8
    """
    willing = tuple(replace(share, later=False) for share in shares)
    text = "a Marsch unit does not take the first step loss of an Austro-Hungarian attack (23.8)"
    yield _is_among(answer, willing, distribute(willing)), "23.8", text


def _is_among(answer: str, shares: Sequence[Share], ways: Iterable[Losses]) -> bool:
    return option_named(answer, (_write_losses(shares, losses) for losses in ways)) is not None


def share_out(
    name: str, rule: str, title: str, role: str, shares: tuple[Share, ...], steps: int, follow: Callable[[Losses], _T]
) -> Choice:
    """Return the owner's choice of the units that take steps lost to a check or a retreat.

    `role`: the side that chooses.
    `follow`: returns the outcome of the chosen losses.
    """
    options = Ways(shares, free_distributions(shares, steps), follow)
    return Choice(name, rule, title, role, options, why_not=partial(why_not_free, shares, steps))


def bearers(force: Force) -> tuple[CombatUnit, ...]:
    """Return the units that take the steps of a retreat: artillery only if the Force has nothing else."""
    return tuple(unit for unit in force.units if unit.arm != "artillery") or force.units


def share_among(
    force: Force, steps: int, answers: Answers, rule: str = "11.2.5", what: str = "the retreat"
) -> tuple[dict[str, int], tuple[Ask, ...]]:
    """Return the steps that each unit of a Force loses by its owner's answer, and the questions still open.

    `rule`, `what`: the cause of the loss, for the question's rule and title.
    """
    shares = tuple(Share(bearer.id, bearer.left) for bearer in bearers(force))
    options = Ways(shares, free_distributions(shares, steps), partial(by_unit, shares))
    title = steps_title(steps, f"that {what} costs {force.name}")
    taken, asks = chosen(f"losses.{force.name}", rule, title, options, answers)
    return dict(taken or ()), asks


def step_losses(view: View, unit: CombatUnit, steps: int, rule: str = "11.1") -> list[Change]:
    """Return the changes that step losses make to one unit: a marker, the reduced side, or removal.

    On the reduced side losses count from 0. Ratings stated for the front are replaced by those of the back, or removed
    if those are unknown or assumed.

    `rule`: the rule that costs the unit steps.

    Rule: 11.1, 3.4.1b
    """
    left = unit.left - steps
    if left <= 0:
        return [Change("place", unit.id, unit.place, None, rule)]
    if view.state.value("reduced", unit.id) or not unit.on_reduced_side(steps):
        return [changed(view, "lost", unit.id, unit.lost + steps, rule)]
    changes = [changed(view, "reduced", unit.id, True, rule)]
    back_steps = unit.steps if unit.reduced else unit.back_steps
    if back_steps - left != (view.state.value("lost", unit.id) or 0):
        changes.append(changed(view, "lost", unit.id, back_steps - left, rule))
    for rating in ("steps", "defence", "artillery"):
        stated = view.state.facts.get((rating, unit.id))
        back = view.fact(f"back-{rating}", unit.id)
        doubtful = back is not None and back.doubtful
        new_value = back.value if back and not doubtful else None
        if rating == "steps" and not doubtful:
            new_value = back_steps
        # of the unstated ratings, only the steps are recorded
        if stated.value != new_value if stated else rating == "steps" and new_value is not None:
            changes.append(changed(view, rating, unit.id, new_value, "3.4.1"))
    return changes


def returns_in(arm: str, unit: str, eliminated: int) -> int | None:
    """Return the game turn in which an eliminated unit returns, or None if it does not.

    It returns in the friendly Reinforcement Phase. Supply units return two turns later, except the PRAGA depot and the
    Train of Königsberg.

    `eliminated`: the game turn of the elimination.

    Rule: 16.4, 24.5.1
    """
    return eliminated + RETURN_DELAY_TURNS if arm in SUPPLY_ARMS and unit not in NOT_REPLACED else None


def return_supply_units(view: View, units: Iterable[str]) -> list[Change]:
    """Return the changes that record when supply units taken off the map return (16.4).

    Returns [] if the present game turn is not stated. Units that would return after the last turn are left out.
    """
    turn = view.integer("turn")
    turns = {unit: returns_in(view.word("arm", unit), unit, turn) for unit in units} if turn else {}
    return [
        changed(view, "arrives", unit, returns, "16.4")
        for unit, returns in turns.items()
        if returns and returns <= LAST_TURN
    ]


def units_off_map(changes: Iterable[AnyChange]) -> list[str]:
    """Return the ids of the units that changes take off the map."""
    places = (change for change in changes if isinstance(change, Change) and change.track == "place")
    return [change.subject for change in places if change.after is None]
