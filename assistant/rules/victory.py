"""Victory Points by source, the places that score, the lead and levels of victory; and the question `victory`.

The question counts points for places under control, for enemy losses, and by award. A game gives the levels, the
control of hexes, and what decides instead of points. A game with other sources words its own question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec

from ..asking.question import Question, declare
from ..asking.report import Part, Report, Step, step, verdict
from ..asking.view import Gather, View
from ..state.vocabulary import Hex
from ..util.notes import note
from .field.places import hexes_with


class Scoring(msgspec.Struct, frozen=True):
    """A place that scores."""

    hex: Hex
    points: Annotated[int, note("the Victory Points")]
    controller: Annotated[str, note("the side that controls it, empty if none does")]


class PointSource(msgspec.Struct, frozen=True):
    """Victory Points of a side from one source."""

    account: Annotated[str, note("the track that counts them, which a journal opens; or the track of the places held")]
    points: Annotated[int, note("the Victory Points")]
    words: Annotated[str, note("what they are for")]
    rule: Annotated[str, note("the rule")]


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The Victory Points of a side."""

    side: Annotated[str, note("the side")]
    sources: Annotated[tuple[PointSource, ...], note("by source, those of none among them")] = ()
    open: Annotated[int, note("still to be had for places that it does not control")] = 0
    total: Annotated[int, note("all that it has")] = 0


class PointsAccount(NamedTuple):
    """A track of sides that counts Victory Points.

    If the track adds to the sum of the enemies, a side's points are those of the other sides.
    """

    track: str
    words: str
    """The source of the points, in words."""
    rule: str


class Lead(NamedTuple):
    """The side with more Victory Points than any other, or "", and its lead."""

    side: str
    by: int


def lead_of(points: Mapping[str, int]) -> Lead:
    """Return the lead by the points of at least two sides."""
    leader, second, *_ = sorted(points, key=lambda side: -points[side])
    by = points[leader] - points[second]
    return Lead(leader, by) if by else Lead("", 0)


def level_by_lead(by: int, levels: Mapping[str, int]) -> str:
    """Return the level of victory by the lead, or "" if the lead reaches none.

    `levels`: the minimum lead of each level, highest first.
    """
    return next((level for level, least in levels.items() if by >= least), "")


def point_sources(view: View, side: str, accounts: Iterable[PointsAccount]) -> tuple[PointSource, ...]:
    """Return a side's Victory Points by account."""
    others = [other for other in view.game.file.sides if other != side]

    def points(track: str) -> int:
        _, of_enemies = view.game.track(track).sum_of
        counted = others if of_enemies else [side]
        return sum(view.integer(track, who) for who in counted)

    return tuple(PointSource(account.track, points(account.track), account.words, account.rule) for account in accounts)


def score_by(side: str, sources: Sequence[PointSource], *, open: int = 0) -> Score:
    """Return a side's Victory Points from their sources."""
    return Score(side=side, sources=tuple(sources), open=open, total=sum(source.points for source in sources))


def scoring_places(
    view: View, track: str, controller: Callable[[str], str], points: Callable[[str, str], int] | None = None
) -> tuple[Scoring, ...]:
    """Return the places of a track that score.

    `points`: returns the points of a hex by its controller, by default those of the track.
    """
    stated = points or (lambda at, side: view.integer(track, at))
    holders = {at: controller(at) for at in hexes_with(view, track)}
    return tuple(Scoring(at, stated(at, side), side) for at, side in holders.items())


class Winning(msgspec.Struct, frozen=True, kw_only=True):
    """The standings in any game that counts Victory Points."""

    scores: Annotated[tuple[Score, ...], note("the Victory Points of each side, by source")]
    winner: Annotated[str, note("the side that wins if the game ends now, empty for neither")] = ""
    lead: Annotated[int, note("by how many Victory Points the side that has most leads")] = 0
    level: Annotated[str, note("the level of victory, empty if there is none or it is not known")] = ""
    places: Annotated[tuple[Scoring, ...], note("the places that score, as far as they are stated")] = ()


class Victory(Winning, frozen=True, kw_only=True):
    """The standings in a game whose victory needs a multiple of the enemy's points."""

    unknown: Annotated[tuple[str, ...], note("hexes of places whose points are not stated")] = ()


class Decided(NamedTuple):
    """An outcome that does not depend on points."""

    winner: str
    """The winner, or "" for a draw."""
    level: str
    rule: str
    why: str


class ScoreRules(NamedTuple):
    """A game's rules of victory. A side scores the losses of the other sides, which add to `enemy.vp`."""

    levels: Annotated[
        Callable[[View], Mapping[str, int]],
        note(
            "each level of victory with the multiple of the strongest other side's points that wins it, the highest first"
        ),
    ]
    controller: Annotated[Callable[[Gather, str], str], note("returns the side that controls a hex, or an empty text")]
    instead: Annotated[
        Callable[[Gather], Decided | None], note("returns the outcome that replaces points, or None if points decide")
    ] = lambda facts: None
    towns: Annotated[str, note("the track of hexes in which something scores, such as a town, or empty")] = ""
    places: Annotated[str, note("the track of hexes with their points")] = "vp"
    losses: Annotated[str, note("the track of sides with what they have lost, which a game may lack")] = "lost"
    awarded: Annotated[str, note("the track of sides with points by award, which a game may lack")] = "awarded"
    draw: Annotated[str, note("the word for a draw")] = "draw"
    rule: Annotated[str, note("the rule of the points")] = ""
    level_rule: Annotated[str, note("the rule of the levels of victory")] = ""


def _score_side(view: View, rules: ScoreRules, side: str, places: tuple[Scoring, ...]) -> Score:
    points = sum(place.points for place in places if place.controller == side)
    accounts = (
        PointsAccount(rules.losses, "for losses", rules.rule),
        PointsAccount(rules.awarded, "awarded", rules.rule),
    )
    counted = [account for account in accounts if account.track in view.game.tracks]
    sources = (PointSource(rules.places, points, "for places", rules.rule), *point_sources(view, side, counted))
    return score_by(side, sources, open=sum(place.points for place in places) - points)


def _find_towns(view: View, rules: ScoreRules) -> Iterator[str]:
    if not rules.towns:
        return
    for at in hexes_with(view, rules.towns):
        if view.value(rules.towns, at) != view.game.track(rules.towns).nothing:
            yield at


def victory_level(points: Mapping[str, int], levels: Mapping[str, int]) -> tuple[str, str]:
    """Return the winner and the level of victory, or "" twice for a draw.

    A winner has more points than every other side.

    `levels`: the multiple of the strongest other side's points that each level takes, highest level first.
    """
    leader, by = lead_of(points)
    most = points[leader] - by if leader else 0
    won = [level for level, times in levels.items() if leader and points[leader] >= times * most]
    return (leader, won[0]) if won else ("", "")


def lacking(points: Mapping[str, int], side: str, times: int) -> int:
    """Return the points that a side lacks for more points than every other side and a multiple of its points.

    `times`: the multiple.
    """
    most = max((points[other] for other in points if other != side), default=0)
    return max(0, max(times * most, most + 1) - points[side])


def victory_question(
    rules: ScoreRules, title: str = "Victory Points, what is still to be had, and who would have won"
) -> Question[Any, Victory]:
    """Return the question `victory` of a game."""

    def victory(view: View) -> Report[Victory]:
        with view.gather() as facts:
            places = scoring_places(view, rules.places, lambda at: rules.controller(facts, at))
            decided = rules.instead(facts)
        scores = tuple(_score_side(view, rules, side, places) for side in view.game.file.sides)
        points = {score.side: score.total for score in scores}
        winner, level = decided[:2] if decided else victory_level(points, rules.levels(view))
        stated = {*view.board.known(rules.places), *(at for track, at in view.stated if track == rules.places)}
        unknown = () if decided else tuple(at for at in _find_towns(view, rules) if at not in stated)
        found = Victory(
            scores=scores,
            winner=winner,
            lead=lead_of(points).by,
            level=level or rules.draw,
            places=places,
            unknown=unknown,
        )
        if not decided:
            text = "only the places stated score: {places} (state others: HEX {track}=5)"
            view.premises.assume(
                step(rules.rule, text, places=[place.hex for place in places] or "none", track=rules.places)
            )
        if unknown:
            view.premises.assume(
                step(rules.rule, "not stated, so counted as 0: the Victory Points of {unknown}", found)
            )
        why = [step(decided.rule, "{why}", decided)] if decided else [*_list_level_steps(view, rules, points)]
        text = ", ".join(f"{view.title_of(score.side)} {score.total}" for score in scores)
        of = f" of {view.game.file.the_side(winner)}" if winner else ""
        if unknown:
            of += " ({missing:#place} without points)"
        elif not (decided or places):
            of += " (places not stated)"
        return Report(
            title="Victory",
            verdict=verdict("figure", f"{{points}}: {{level}}{of}", found, points=text, missing=len(unknown)),
            parts=(
                Part("Victory Points", tuple(_make_score_step(view, rules, score) for score in scores)),
                Part("Victory", tuple(why)),
            ),
            result=found,
        )

    return declare("victory", title, victory)


def _make_score_step(view: View, rules: ScoreRules, score: Score) -> Step:
    text = "{side}: {by_source} = {total}; {open} still to be had for places"
    return step(rules.rule, text, score, side=view.title_of(score.side), by_source=format_sources(score.sources))


def format_sources(sources: Iterable[PointSource]) -> list[str]:
    """Return Victory Points by source in words."""
    return [f"{source.points} {source.words}" for source in sources]


def _list_level_steps(view: View, rules: ScoreRules, points: Mapping[str, int]) -> Iterator[Step]:
    for side in points:
        for level, times in reversed([*rules.levels(view).items()]):
            if more := lacking(points, side, times):
                text = "{side}: {more} short of a {level}"
                yield step(rules.level_rule, text, side=view.title_of(side), more=more, level=level)
