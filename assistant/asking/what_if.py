"""What would change an answer: a unit more or less, the strength to the next column, and each of several losses."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from ..util.errors import InputError
from ..util.limits import Limit, TooMuch
from ..util.notes import note
from .report import MissingFacts, Step, step
from .view import View

MOST = 10**4
"""The most strength points that are tried for the next column."""

P = TypeVar("P", bound=msgspec.Struct)
T = TypeVar("T")


class Ordered(Protocol):
    """A value that can be compared and printed."""

    def __lt__(self, other: Any, /) -> bool: ...
    def __gt__(self, other: Any, /) -> bool: ...


C = TypeVar("C", bound=Ordered)


class NextColumn(msgspec.Struct, frozen=True):
    """How near a strength is to other columns."""

    more: Annotated[int | None, note("points to the next column, null on the last one")]
    column: Annotated[str, note("the next column, empty on the last one")]
    spare: Annotated[int, note("points that can be lost without dropping below the present column")]


def next_column(column: Callable[[int], C], strength: int) -> NextColumn:
    """Return how many points lead to the next column, and how many can be lost before this column is.

    column: the column of a strength of at least 1, which never falls as the strength grows; strength: in whole points,
    1 or more.
    """
    now = column(strength)
    more = next((points for points in range(1, MOST) if column(strength + points) > now), None)
    spare = next((points for points in range(strength - 1) if now > column(strength - points - 1)), strength - 1)
    return NextColumn(more, "" if more is None else str(column(strength + more)), spare)


def make_next_column_step(rule: str, near: NextColumn, when: str = "") -> Step:
    """Return how near a strength is to other columns, in words. when: what is said after the next column, such as "
    before shifts".
    """
    text = f"{{more:#more strength point}} would reach {{column}}{when}; " if near.column else "the last column; "
    text += "up to {spare} can be lost without dropping a column" if near.spare else "the loss of 1 drops a column"
    return step(rule, text, near)


def format_changes_in_brief(near: NextColumn | None, others: Mapping[str, str], now: str, when: str = "") -> str:
    """Return what would change a column, in a line: the points to the next one, and whose coming or going moves it.

    others: by what is done, such as "without 25/3", the column that it leads to; now: the present one; when: as for
    `make_next_column_step`.
    """
    texts = []
    if near and near.column:
        texts.append(f"{near.more} more for {near.column}{when}")
    if near:
        texts.append(f"{near.spare} to spare" if near.spare else "none to spare")
    moved: dict[str, list[str]] = {}
    for what, column in others.items():
        if column != now:
            moved.setdefault(column, []).append(what)
    return "; ".join([*texts, *(f"{' or '.join(what)}: {column}" for column, what in moved.items())])


def toggle_unit(parameters: P, field: str, unit: str) -> P:
    """Return the parameters with a unit added to a list parameter, or taken out if it was there. field: that of the
    struct.
    """
    listed: tuple[str, ...] = getattr(parameters, field)
    changed = tuple(name for name in listed if name != unit) if unit in listed else (*listed, unit)
    return msgspec.structs.replace(parameters, **{field: changed})


def what_if(
    view: View, parameters: P, field: str, units: Iterable[str], outcome: Callable[[View, P, str], T | None]
) -> dict[str, T]:
    """Return, by unit, the answer with it added to a list parameter, or taken out, if there is one; what it reads does
    not count as read.

    outcome: the answer from a view, the changed parameters and the unit, or None; MissingFacts and InputError count as
    None, TooMuch is raised.
    """
    outcomes = {}
    for unit in units:
        try:
            would_be = outcome(view.quiet_view(), toggle_unit(parameters, field, unit), unit)
        except TooMuch:
            raise
        except (InputError, MissingFacts):
            continue
        if would_be is not None:
            outcomes[unit] = would_be
    return outcomes


# --- losses -----------------------------------------------------------------------------------------------------------


L = TypeVar("L", bound=Hashable)
S = TypeVar("S")


class ChangedRank(NamedTuple, Generic[S]):
    """A subject that has something else than before."""

    subject: str
    before: S
    after: S


class Harm(msgspec.Struct, Generic[L, S], frozen=True):
    """What a loss does."""

    loss: L
    worse: tuple[ChangedRank[S], ...]
    """The subjects that have less for it."""
    better: tuple[ChangedRank[S], ...]
    """The subjects that have more for it."""
    gone: tuple[str, ...]
    """Those that are lost with it."""


def compare_ranks(
    before: Mapping[str, S], after: Mapping[str, S], rank: Callable[[S], int]
) -> tuple[tuple[ChangedRank[S], ...], tuple[ChangedRank[S], ...]]:
    """Return who has less afterwards, and who has more, in the order of `before`; a subject that is in one of the two
    alone is left out.

    rank: what an outcome is worth: the more, the better.
    """
    both = [ChangedRank(name, earlier, after[name]) for name, earlier in before.items() if name in after]
    worse = tuple(turned for turned in both if rank(turned.after) < rank(turned.before))
    return worse, tuple(turned for turned in both if rank(turned.after) > rank(turned.before))


def compare_losses(
    view: View,
    losses: Sequence[L],
    before: Mapping[str, S],
    after: Callable[[L], Mapping[str, S]],
    rank: Callable[[S], int],
) -> Iterator[Harm[L, S]]:
    """Yield what each loss alone does, with progress shown.

    before: what each subject has now; after: what each has after a loss, those left out that are lost with it. Raises
    TooMuch if there is more to find out than the limit allows.
    """
    outcomes = len(losses) * len(before)
    if outcomes > Limit.LOSSES.most:
        error = Limit.LOSSES.error("supposing one loss after another finds", outcomes)
        error.hint = f"ask about fewer, or {error.hint}"
        raise error
    for loss in view.each(losses, "losses"):
        then = after(loss)
        worse, better = compare_ranks(before, then, rank)
        gone = tuple(name for name in before if name not in then)
        yield Harm(loss, worse, better, gone)
