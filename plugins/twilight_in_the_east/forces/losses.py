"""Step losses: who takes them (11.1), what they change in a position (3.4.1), and supply units that come back
(16.4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import product
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from assistant.asking import Answers
from assistant.asking.asks import Ask
from assistant.asking.play import chosen
from assistant.asking.view import View, changed
from assistant.mechanics.procedure import Choice, option_named
from assistant.state.changes import AnyChange, Change

from ..terms import NOT_REPLACED, SUPPLY_ARMS
from .units import CombatUnit, Force

Losses = tuple[int, ...]
"""One way to share out losses: steps by unit."""
_T = TypeVar("_T")
NOT_FIRST = "a Marsch unit does not take the first step loss of an Austro-Hungarian attack (23.8)"
"""Why a way to share out step losses is not allowed that a player may have in mind."""


class Share(msgspec.Struct, frozen=True, cache_hash=True):
    """A unit that may take losses."""

    name: str
    left: int
    """Steps that it has left."""
    optional: bool = False
    """Whether it need not take any, as fortress units."""
    guns: bool = False
    """Whether it is artillery, which is given up last."""
    rank: int = 0
    """Its owner's wish: the least rank takes losses first."""
    later: bool = False
    """Whether the first loss of its side goes to others."""


@cache
def distributions(shares: tuple[Share, ...], steps: int, *, may_eliminate: bool = True) -> tuple[Losses, ...]:
    """Return the legal ways to share step losses most equally, the most usual first; steps beyond the side's are
    dropped.

    A unit that a step would eliminate is spared while another can lose it; fortress units may wait.
    may_eliminate: ruling last-step, whether an owner may eliminate a unit in turn.
    Rule: 11.1.1a, 11.1.1b, 11.1b
    """
    ways: dict[Losses, None] = {}
    wishes = (False, True) if any(share.optional for share in shares) else (True,)
    for fortresses_share in wishes:
        ways |= dict.fromkeys(
            _list_shares(
                shares, steps, (0,) * len(shares), set(), fortresses_share=fortresses_share, may_eliminate=may_eliminate
            )
        )
    return tuple(ways)


def free_distributions(shares: tuple[Share, ...], steps: int) -> tuple[Losses, ...]:
    """Return every way to share out steps that a Force loses to a check or a retreat: only the losses of the Step Loss
    Results Table must be spread equally (11.1.1). The way that spreads them equally comes first. The first loss goes to
    a unit that it may go to here too. Rule: 11.1b
    """
    usual = distributions(shares, steps)[0]
    most = sum(usual)
    ways = [usual]
    for losses in product(*(range(min(share.left, most), -1, -1) for share in shares)):
        if sum(losses) == most and losses != usual and _may_begin(shares, losses):
            ways.append(losses)
    return tuple(ways)


def first_taking(shares: Sequence[Share], taking: list[int]) -> list[int]:
    """Return the units among some that may take the first loss of a side; all of them if none may. Rule: 23.8"""
    return [n for n in taking if not shares[n].later] or taking


def _may_begin(shares: Sequence[Share], losses: Sequence[int]) -> bool:
    """Return whether the first of some losses may go to one of those who take them, or may go to nobody else either."""
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
    if so_far in seen:  # what follows from here has been told: the order of losses does not matter
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
    # spared units first, then as the owner wishes, artillery last, then the unit with most steps left
    next_ones.sort(key=lambda n: (n not in spared, shares[n].rank, shares[n].guns, so_far[n] - shares[n].left))
    for n in next_ones:
        once_more = (*so_far[:n], so_far[n] + 1, *so_far[n + 1 :])
        yield from _list_shares(
            shares, steps - 1, once_more, seen, fortresses_share=fortresses_share, may_eliminate=may_eliminate
        )


class Ways(Mapping[str, _T]):
    """Ways to share out losses by how they are typed, each with what follows from it.

    Written out only where they are read: a large side has hundreds of ways, and chances follow the first.
    """

    def __init__(self, shares: Sequence[Share], ways: Sequence[Losses], then: Callable[[Losses], _T]) -> None:
        """then: what follows when the losses are shared out like this."""
        self._shares = shares
        self._ways = ways
        self._then = then

    def __len__(self) -> int:
        return len(self._ways)

    def __iter__(self) -> Iterator[str]:
        return (_write_losses(self._shares, losses) for losses in self._ways)

    def __getitem__(self, answer: str) -> _T:
        is_first = bool(self._ways) and answer == _write_losses(self._shares, self._ways[0])
        return self._then(self._ways[0] if is_first else self._by_answer[answer])

    @cached_property
    def _by_answer(self) -> Mapping[str, Losses]:
        return dict(zip(self, self._ways, strict=True))


def _write_losses(shares: Sequence[Share], losses: Losses) -> str:
    """Return how a way to share out losses is typed: the units parted by commas, each as often as it loses a step;
    "none" for no loss.
    """
    return ",".join(name for name, steps in by_unit(shares, losses) for _ in range(steps)) or "none"


def by_unit(shares: Sequence[Share], losses: Losses) -> tuple[tuple[str, int], ...]:
    """Return the steps of the units that lose any."""
    return tuple((share.name, steps) for share, steps in zip(shares, losses, strict=True) if steps)


def steps_title(steps: int, what: str) -> str:
    """Return the title of a choice who takes so many steps: `2 steps that the retreat costs A`."""
    return f"{steps} {'step' if steps == 1 else 'steps'} {what}"


def why_not_spread(shares: tuple[Share, ...], steps: int, may_eliminate: bool, answer: str) -> str:
    """Return why the rules bar a way to share out the losses of the Step Loss Results Table, where another ruling or
    another kind of unit would allow it; "" for any other. may_eliminate: as for `distributions`. Rule: 11.1.1a
    """
    willing = tuple(replace(share, later=False) for share in shares)
    clauses = (
        (_is_among(answer, willing, distributions(willing, steps, may_eliminate=may_eliminate)), "23.8", NOT_FIRST),
        (
            _is_among(answer, shares, distributions(shares, steps)),
            "11.1.1",
            "a unit would lose its last step while another can take the loss (ruling last-step=owner would allow it)",
        ),
    )
    return next((why for holds, _, why in clauses if holds), "")


def why_not_free(shares: tuple[Share, ...], steps: int, answer: str) -> str:
    """Return why the rules bar a way to share out the steps that a check costs a Force, "" where they know no such
    way.
    """
    willing = tuple(replace(share, later=False) for share in shares)
    return NOT_FIRST if _is_among(answer, willing, free_distributions(willing, steps)) else ""


def _is_among(answer: str, shares: Sequence[Share], ways: Iterable[Losses]) -> bool:
    return option_named(answer, (_write_losses(shares, losses) for losses in ways)) is not None


def share_out(
    name: str, rule: str, title: str, role: str, shares: tuple[Share, ...], steps: int, then: Callable[[Losses], _T]
) -> Choice:
    """Return the choice who takes steps that need not be spread equally. then: what follows the losses by unit."""
    options = Ways(shares, free_distributions(shares, steps), then)
    return Choice(name, rule, title, role, options, why_not=partial(why_not_free, shares, steps))


def bearers(force: Force) -> tuple[CombatUnit, ...]:
    """Return the units that take the steps which a Force loses in a retreat: its artillery only if there is nothing
    else.
    """
    return tuple(unit for unit in force.units if unit.arm != "artillery") or force.units


def share_among(
    force: Force, steps: int, answers: Answers, rule: str = "11.2.5", what: str = "the retreat"
) -> tuple[dict[str, int], tuple[Ask, ...]]:
    """Return who takes the steps that a Force loses: what its owner says, or what there is to choose from. rule, what:
    that cost them.
    """
    shares = tuple(Share(bearer.id, bearer.left) for bearer in bearers(force))
    options = Ways(shares, free_distributions(shares, steps), partial(by_unit, shares))
    title = steps_title(steps, f"that {what} costs {force.name}")
    taken, asks = chosen(f"losses.{force.name}", rule, title, options, answers)
    return dict(taken or ()), asks


AWAY = 2
"""Game turns from the elimination of a supply unit to its return."""
LAST = 47
"""The last game turn (5.3)."""


def step_losses(view: View, unit: CombatUnit, steps: int, rule: str = "11.1") -> list[Change]:
    """Return the changes that step losses make to one unit: a marker, the reduced side, or removal.

    On its reduced side losses count from 0, and ratings stated for the front lapse: those of the back replace them, or
    are asked for if they are unknown or made up. rule: that costs it steps.
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
        now = back.value if back and not doubtful else None
        if rating == "steps" and not doubtful:
            now = back_steps
        if stated.value != now if stated else rating == "steps" and now is not None:
            changes.append(changed(view, rating, unit.id, now, "3.4.1"))
    return changes


def returns_in(arm: str, unit: str, eliminated: int) -> int | None:
    """Return the game turn in whose friendly Reinforcement Phase an eliminated supply unit comes back: two turns later;
    the PRAGA depot and the Train of Königsberg never do. eliminated: the game turn in which that was; None for what
    does not return. Rule: 16.4, 24.5.1
    """
    return eliminated + AWAY if arm in SUPPLY_ARMS and unit not in NOT_REPLACED else None


def return_supply_units(view: View, units: Iterable[str]) -> list[Change]:
    """Return in which game turn supply units come back that are taken off the map, as far as the turn is stated
    (16.4).
    """
    turn = view.integer("turn")
    back = {unit: returns_in(view.word("arm", unit), unit, turn) for unit in units} if turn else {}
    return [
        changed(view, "arrives", unit, returns, "16.4") for unit, returns in back.items() if returns and returns <= LAST
    ]


def units_off_map(changes: Iterable[AnyChange]) -> list[str]:
    """Return the units that changes take off the map."""
    places = (change for change in changes if isinstance(change, Change) and change.track == "place")
    return [change.subject for change in places if change.after is None]
