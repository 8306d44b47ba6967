"""What-if: the effect of a unit more or less, the strength for the next column, and the effects of losses."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from ..util.errors import InputError
from ..util.limits import Limit, TooMuch
from ..util.notes import note
from .report import MissingFacts, Step, step
from .view import View

MAX_POINTS_TRIED = 10**4
"""The maximum number of strength points tried for the next column."""

P = TypeVar("P", bound=msgspec.Struct)
T = TypeVar("T")


class Ordered(Protocol):
    """A value that can be compared."""

    def __lt__(self, other: Any, /) -> bool: ...
    def __gt__(self, other: Any, /) -> bool: ...


C = TypeVar("C", bound=Ordered)


class NextColumn(msgspec.Struct, frozen=True):
    """The distance of a strength from the neighbouring columns."""

    more: Annotated[int | None, note("points to the next column, null on the last one")]
    column: Annotated[str, note("the next column, empty on the last one")]
    spare: Annotated[int, note("points that can be lost without dropping below the present column")]


def next_column(column: Callable[[int], C], strength: int) -> NextColumn:
    """Return the points needed for the next column, and the points to spare within the present one.

    `column`: returns the column of a strength of at least 1; it never falls as the strength grows.
    """
    present = column(strength)
    more = next((points for points in range(1, MAX_POINTS_TRIED) if column(strength + points) > present), None)
    spare = next((points for points in range(strength - 1) if present > column(strength - points - 1)), strength - 1)
    return NextColumn(more, "" if more is None else str(column(strength + more)), spare)


def make_next_column_step(rule: str, near: NextColumn, when: str = "") -> Step:
    """Return the distance from other columns in words. `when`: a text after the next column, such as " before shifts"."""
    text = f"{{more:#more strength point}} would reach {{column}}{when}; " if near.column else "the last column; "
    text += "up to {spare} can be lost without dropping a column" if near.spare else "the loss of 1 drops a column"
    return step(rule, text, near)


def format_changes_in_brief(near: NextColumn | None, others: Mapping[str, str], now: str, when: str = "") -> str:
    """Return in a line the points to the next column, and the units that would change the column.

    `others`: the column after each change of units, such as "without 25/3".
    """
    texts = []
    if near and near.column:
        texts.append(f"{near.more} more for {near.column}{when}")
    if near:
        texts.append(f"{near.spare} to spare" if near.spare else "none to spare")
    changes_by_column: dict[str, list[str]] = {}
    for change, column in others.items():
        if column != now:
            changes_by_column.setdefault(column, []).append(change)
    return "; ".join([*texts, *(f"{' or '.join(change)}: {column}" for column, change in changes_by_column.items())])


def toggle_unit(parameters: P, field: str, unit: str) -> P:
    """Return the parameters with a unit added to a list parameter, or taken out if it was there."""
    listed: tuple[str, ...] = getattr(parameters, field)
    changed = tuple(name for name in listed if name != unit) if unit in listed else (*listed, unit)
    return msgspec.structs.replace(parameters, **{field: changed})


def what_if(
    view: View, parameters: P, field: str, units: Iterable[str], outcome: Callable[[View, P, str], T | None]
) -> dict[str, T]:
    """Return the outcome with each unit added to a list parameter or taken out, if there is an outcome.

    Facts read for the outcomes do not count as read by `view`.

    `outcome`: takes a view, the changed parameters and the unit. MissingFacts and InputError count as no outcome.

    Raises TooMuch if `outcome` does.
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
    """A subject whose outcome has changed."""

    subject: str
    before: S
    after: S


class Harm(msgspec.Struct, Generic[L, S], frozen=True):
    """The effects of a loss."""

    loss: L
    worse: tuple[ChangedRank[S], ...]
    """The subjects that are worse off."""
    better: tuple[ChangedRank[S], ...]
    """The subjects that are better off."""
    gone: tuple[str, ...]
    """The subjects that the loss destroys."""


def compare_ranks(
    before: Mapping[str, S], after: Mapping[str, S], rank: Callable[[S], int]
) -> tuple[tuple[ChangedRank[S], ...], tuple[ChangedRank[S], ...]]:
    """Return the subjects that are worse off afterwards, and then the better off, in the order of `before`.

    Subjects missing in `before` or `after` are left out.
    """
    common = [ChangedRank(name, earlier, after[name]) for name, earlier in before.items() if name in after]
    worse = tuple(changed for changed in common if rank(changed.after) < rank(changed.before))
    return worse, tuple(changed for changed in common if rank(changed.after) > rank(changed.before))


def compare_losses(
    view: View,
    losses: Sequence[L],
    before: Mapping[str, S],
    after: Callable[[L], Mapping[str, S]],
    rank: Callable[[S], int],
) -> Iterator[Harm[L, S]]:
    """Yield the effects of each loss by itself, with progress shown.

    `after`: returns the outcomes after a loss, without the subjects that the loss destroys.

    Raises TooMuch if there are more losses and subjects than the limit allows.
    """
    outcomes = len(losses) * len(before)
    if outcomes > Limit.LOSSES.most:
        error = Limit.LOSSES.error("supposing one loss after another finds", outcomes)
        error.hint = f"ask about fewer, or {error.hint}"
        raise error
    for loss in view.each(losses, "losses"):
        outcomes_after = after(loss)
        worse, better = compare_ranks(before, outcomes_after, rank)
        lost_subjects = tuple(name for name in before if name not in outcomes_after)
        yield Harm(loss, worse, better, lost_subjects)
