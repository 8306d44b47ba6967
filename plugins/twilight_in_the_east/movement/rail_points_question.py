"""The question `rail-points`: the Rail Points left, and their renewal (4.7, 5.2.1, 8.2.9)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.asking import (
    InputError,
    MissingFacts,
    NationName,
    Parameters,
    Part,
    Report,
    Step,
    View,
    declare,
    note,
    refused,
    step,
    verdict,
)
from assistant.asking.asks import Ask
from assistant.asking.view import changed
from assistant.state.changes import Change
from assistant.state.points import check_halves, format_points
from assistant.state.vocabulary import Allowed

from ..ground.calendar import campaign_is_unstated
from ..railways.rail_points import (
    ALLOTMENT_TURN_TRACK,
    ALLOTMENTS_TRACK,
    FIGURES,
    MAX_SPECIAL_ALLOTMENTS,
    POOL_TITLES,
    POOLS,
    RAIL,
    SPECIAL_ALLOTMENT_POINTS,
    TURNS_PER_INTER_PHASE,
    RailPool,
    has_taken_now,
    last_renewal,
    read_pools,
    recorded_allotment,
    renew_pools,
    renewal_changes,
    why_no_special,
)

PARAMETERS = dict(zip(FIGURES, ("german", "austro-hungarian", "russian", "european", "warsaw"), strict=True))
"""The name of the parameter for the new points of each pool."""
Points = Annotated[float, msgspec.Meta(ge=0, le=999)]


class RailPointsParameters(Parameters, frozen=True):
    """Parameters of the question `rail-points`."""

    nation: Annotated[NationName, note("the nation whose points are asked for; all nations if left out")] = ""
    renew: Annotated[bool, note("whether the Administrative Segment is carried out")] = False
    german: Annotated[Points | None, note("new German Rail Points; from the turn record if left out")] = None
    austro_hungarian: Annotated[Points | None, note("new Austro-Hungarian Rail Points; likewise")] = msgspec.field(
        name="austro-hungarian", default=None
    )
    russian: Annotated[Points | None, note("new Russian Rail Points of Russian gauge; likewise")] = None
    european: Annotated[Points | None, note("new Russian Rail Points of European gauge; likewise")] = None
    warsaw: Annotated[Points | None, note("new Warsaw Rail Points; likewise")] = None
    special: Annotated[
        NationName, note("the nation that takes its special allotment of 40 with the renewal, in the campaign")
    ] = ""


class PoolLeft(msgspec.Struct, frozen=True):
    """A pool of Rail Points."""

    nation: Annotated[str, note("the owner")]
    pool: Annotated[str, note("the track: rail-points, euro-gauge-points or warsaw-points")]
    left: Annotated[Fraction | None, note("the points left in it, null where not stated")]


class RailPointsResult(msgspec.Struct, frozen=True, kw_only=True):
    """The Rail Points of each pool."""

    allowed: Allowed
    pools: Annotated[tuple[PoolLeft, ...], note("what is left in each pool, after a renewal that was asked for")]
    special: Annotated[Mapping[str, int], note("special allotments of 40 that each nation has had")] = {}


def answer(view: View, parameters: RailPointsParameters) -> Report[RailPointsResult]:
    """Return the report on Rail Points.

    Raises MissingFacts if neither the turn record nor the player gives new points, InputError if the player gives new
    points without a renewal.
    """
    nations = [parameters.nation] if parameters.nation else [*POOLS]
    left = read_pools(view, *nations)
    taken = {nation: view.integer(ALLOTMENTS_TRACK, nation) for nation in nations if nation != "russian"}
    title = "Rail Points"
    typed = _parse_points(parameters)
    if not parameters.renew:
        if typed or parameters.special:
            raise InputError("new Rail Points come with the Administrative Segment", hint="add renew=yes")
        result = RailPointsResult(allowed=True, pools=_listed(left), special=taken)
        return Report(title=title, verdict=verdict("figure", _format_purse(view, left)), result=result)
    for pool in typed:
        if pool not in left:
            raise InputError(f"{pool.nation} points are not renewed", hint="leave nation or these points out")
    if parameters.special not in ("", *nations):
        what = f"special: {parameters.special} points are not renewed"
        raise InputError(what, hint="leave nation out, or name the same in special")
    reasons = _list_bars_by_time(view) + _list_bars_to_special(view, parameters.special, taken)
    if reasons:
        result = RailPointsResult(allowed=False, pools=_listed(left), special=taken)
        return refused(title, "the Rail Points cannot be renewed", reasons, result=result)
    new = renew_pools(left, _allotted(view, left, typed))
    had = [ally for ally in taken if has_taken_now(view, ally, last_renewal(view.integer("turn")))]
    special = [parameters.special] if parameters.special else had
    for nation in special:
        new[RailPool(nation, RAIL)] += SPECIAL_ALLOTMENT_POINTS
    if parameters.special:
        taken[parameters.special] += 1
    result = RailPointsResult(allowed=True, pools=_listed(new), special=taken)
    return Report(
        title=title,
        verdict=verdict("yes", _format_purse(view, new)),
        parts=(Part("Administrative Segment", tuple(_renewal_steps(view, left, new, special))),),
        changes=tuple(_changes(view, new, taken)),
        result=result,
    )


def _parse_points(parameters: RailPointsParameters) -> dict[RailPool, Fraction]:
    """Return the new points that the player gives."""
    typed = dict[RailPool, Fraction]()
    for pool, name in PARAMETERS.items():
        points = getattr(parameters, name.replace("-", "_"))
        if points is not None:
            typed[pool] = check_halves(points, name, "Rail Points")
    return typed


def _allotted(
    view: View, pools: Mapping[RailPool, object], typed: Mapping[RailPool, Fraction]
) -> dict[RailPool, Fraction]:
    """Return the new points of each pool, as typed or else from the turn record.

    Raises MissingFacts if neither gives the points of a pool.
    """
    turn = last_renewal(view.integer("turn"))
    asks = list[Ask]()
    points = dict[RailPool, Fraction]()
    for pool, parameter in PARAMETERS.items():
        if pool in pools:
            known = typed[pool] if pool in typed else recorded_allotment(view, pool, turn)
            if known is None:
                how = f"{parameter}=NUMBER, or enter {FIGURES[pool]}: assistant pack enter twilight-in-the-east turns"
                what = f"new Rail Points: {_format_pool(view, pool)}"
                asks.append(Ask(kind="parameter", name=parameter, rule="4.7", title=what, how=how))
            else:
                points[pool] = known
    if asks:
        raise MissingFacts(asks)
    return points


def _list_bars_by_time(view: View) -> list[Step]:
    """Return why no Administrative Segment takes place now; it follows every third game turn (5.2).

    An unstated turn or phase bars nothing.
    """
    turn = view.integer("turn")
    phase = view.word("phase")
    phasing = view.word("phasing")
    outside = phase in ("administrative", "weather")
    last = outside or phasing != "russian"
    first = outside or phasing in ("", "russian")
    at_end = last and turn % TURNS_PER_INTER_PHASE == 0 and phase in ("", "post-combat", "administrative", "other")
    at_start = first and turn % TURNS_PER_INTER_PHASE == 1 and phase in ("", "other", "weather", "reinforcement")
    if not turn or at_end or at_start:
        return []
    text = "an Administrative Segment follows every third game turn, and this is GT {turn}[phase:, {phase}]"
    return [step("5.2.1", text, turn=turn, phase=phase)]


def _list_bars_to_special(view: View, nation: str, taken: Mapping[str, int]) -> list[Step]:
    """Return why a nation may not take the special allotment, or [] if it may or `nation` is ""."""
    if not nation:
        return []
    turn = last_renewal(view.integer("turn"))
    had = any(has_taken_now(view, ally, turn) for ally in MAX_SPECIAL_ALLOTMENTS)
    why = why_no_special(nation, taken.get(nation, 0), campaign=view.flag("campaign"), had=had)
    text = "{nation}: {why}[unstated:; state `campaign` if this is one]"
    unstated = campaign_is_unstated(view)
    return [step("8.2.9", text, nation=view.title_of(nation), why=each.text, unstated=unstated) for each in why[:1]]


def _format_pool(view: View, pool: RailPool) -> str:
    gauge = POOL_TITLES[pool.kind] or ("Russian gauge" if pool.nation == "russian" else "")
    return ", ".join(filter(None, [view.title_of(pool.nation), gauge]))


def _format_purse(view: View, pools: Mapping[RailPool, Fraction | None]) -> str:
    parts = []
    for pool, left in pools.items():
        points = "not stated" if left is None else format_points(left)
        parts.append(f"{_format_pool(view, pool)}: {points}")
    return "; ".join(parts)


def _listed(pools: Mapping[RailPool, Fraction | None]) -> tuple[PoolLeft, ...]:
    return tuple(PoolLeft(pool.nation, pool.kind, left) for pool, left in pools.items())


def _renewal_steps(
    view: View, before: Mapping[RailPool, Fraction | None], new: Mapping[RailPool, Fraction], special: Collection[str]
) -> list[Step]:
    """Return a step on the renewal of each pool.

    `special`: the nations with a special allotment in this segment.
    """
    steps = []
    for pool, points in new.items():
        lost = before[pool]
        text = "{nation}: {points:#Rail Point}[lost:; unused and lost: {lost}]"
        steps.append(step("5.2.1", text, nation=_format_pool(view, pool), points=points, lost=lost))
    for nation in special:
        text = "{number} of the {nation} points are a special allotment"
        steps.append(step("8.2.9", text, number=SPECIAL_ALLOTMENT_POINTS, nation=view.title_of(nation)))
    return steps


def _changes(view: View, new: Mapping[RailPool, Fraction], taken: Mapping[str, int]) -> list[Change]:
    turn = last_renewal(view.integer("turn"))
    more = {nation: count for nation, count in taken.items() if count != view.integer(ALLOTMENTS_TRACK, nation)}
    made = list(renewal_changes(view, new, turn))
    made += [changed(view, ALLOTMENTS_TRACK, nation, count, "8.2.9") for nation, count in more.items()]
    if turn:
        made += [changed(view, ALLOTMENT_TURN_TRACK, nation, turn, "8.2.9") for nation in more]
    return made


QUESTION = declare(
    "rail-points", "how many Rail Points are left, and their renewal in the Inter-Phase", answer, decision=None
)
