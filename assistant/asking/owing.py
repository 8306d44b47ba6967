"""Duties that players still owe: the facts of tracks with an `owed` table in `tracks.toml`.

An answer that brings about such a fact names it among its consequences. The duty is open until it is done, until a
player lets it stand, or until the phase ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..game.games import Game
from ..state.changes import AnyChange, Change
from ..state.tracks import Owed, Track, Value, find_left_behind
from ..util.errors import quoted
from .report import Consequence, Report, Step, step
from .view import View, changed
from .wording import figure_names, fill

_NAMES_OF_HEXES = ("hex", "hexes")
"""The values of `names` in `tracks.toml` for tracks whose values are hexes."""


class OwedFact(NamedTuple):
    """A fact by which players owe something."""

    track: Track
    subject: str
    value: Value

    @property
    def owed(self) -> Owed:
        """The `owed` table of the fact's track."""
        assert self.track.owed is not None  # only facts of a track with an `owed` table become an `OwedFact`
        return self.track.owed

    def is_open(self, view: View) -> bool:
        """Return whether the players still owe what the fact demands.

        They owe it while the unit or hex is as its track requires, and no fact states that it is done.
        """
        if not self.value or self.value == self.track.absent:
            return False
        if any(_is_stated(view, track, self.subject) for track in self.owed.until):
            return False
        if self.owed.needs and not _is_stated(view, self.owed.needs, self.subject):
            return False
        if self.owed.hex:
            return bool(view.state.stack(self.subject)) == (self.owed.hex == "occupied")
        if self.track.on != "unit":
            return True
        unit = view.state.units.get(self.subject)
        place = unit.place if unit else None
        moved = self.track.names in _NAMES_OF_HEXES and place not in str(self.value).split()[:1]
        return place is not None and not moved

    def word(self, view: View, rule: str = "") -> Step:
        """Return the words for the duty of the players.

        `rule`: the rule that demands it, by default the track's.
        """
        whose = view.game.file.name_subject(self.track.on, self.subject)
        return step(rule or self.track.rule, self.owed.text, **self._find_figures(view, self.owed.text, whose))

    def question(self, view: View) -> str:
        """Return the question that settles the fact, with its parameters, or "" if there is none."""
        figures = self._find_figures(view, self.owed.ask, self.subject)
        return fill(self.owed.ask, {name: quoted(str(value)) for name, value in figures.items()})

    def _find_figures(self, view: View, template: str, subject: str) -> dict[str, Any]:
        figures_known: dict[str, Any] = {self.track.on: subject, "value": self.value}
        if self.track.names in _NAMES_OF_HEXES:
            figures_known["value"] = str(self.value).split()
        if self.track.on == "unit":
            figures_known["place"] = view.unit(self.subject).place
        names = (name for name in figure_names(template) if name not in figures_known)
        facts = {name: view.value(name.replace("_", "-"), self.subject) for name in names}
        return {name: value for name, value in {**figures_known, **facts}.items() if name in figure_names(template)}


def _is_stated(view: View, track: str, subject: str) -> bool:
    fact = view.stated.get((track, subject))
    return fact is not None and fact.value not in (None, False, view.game.track(track).absent)


def list_owed(view: View) -> Iterator[OwedFact]:
    """Yield the facts that are still owed in the position. Facts read for this do not count as read by the view."""
    tracks = _tracks_of(view.game)
    for (name, subject), fact in view.state.facts.items():
        if name in tracks:
            owed = OwedFact(view.game.track(name), subject, fact.value)
            if owed.is_open(view):
                yield owed


def _tracks_of(game: Game) -> frozenset[str]:
    return frozenset(name for name, track in game.tracks.items() if track.owed)


def word_consequences(view: View, changes: Iterable[AnyChange]) -> tuple[Consequence, ...]:
    """Return, in words, what players must or may do at once because of some changes.

    Each consequence is worded for the position after all changes.
    """
    all_changes = tuple(changes)
    tracks = _tracks_of(view.game)
    owing = [change for change in all_changes if isinstance(change, Change) and change.track in tracks and change.after]
    if not owing:
        return ()
    view_after = view.quiet_view().after(all_changes)
    consequences = list[Consequence]()
    for change in owing:
        assert change.after is not None  # `owing` has only changes to a value
        fact = OwedFact(view.game.track(change.track), change.subject, change.after)
        consequences.append(Consequence(fact.word(view_after, change.rule), fact.question(view_after), change))
    return tuple(consequences)


def end_left_behind(view: View, changes: Iterable[AnyChange]) -> Iterator[Change]:
    """Yield the changes that end facts of units that leave their hexes.

    A unit is left out if the answer itself changes one of these facts, such as by a partial retreat. The answer then
    decides about the others too.
    """
    plain_changes = [change for change in changes if isinstance(change, Change)]
    tracks = view.game.tracks
    settled = {
        change.subject for change in plain_changes if change.track in tracks and tracks[change.track].ends_on_leaving
    }
    leaving = [
        change.subject
        for change in plain_changes
        if change.track == "place" and change.before not in (None, change.after) and change.subject not in settled
    ]
    for name, unit in sorted(find_left_behind(tracks, view.state.facts, leaving)):
        yield changed(view, name, unit, None, tracks[name].rule)


def settle_owed(view: View, report: Report[Any], question: str, asked: Mapping[str, object]) -> Iterator[Change]:
    """Yield the changes that end the owed facts that an answer settles, or none if the answer asks for something."""
    if report.asks or report.verdict.kind == "undecided" or not (report.changes or report.verdict.kind == "no"):
        return
    changing = {(change.track, change.subject) for change in report.changes if isinstance(change, Change)}
    for (name, subject), fact in view.state.facts.items():
        track = view.game.track(name)
        if not track.owed or track.owed.question != question or (name, subject) in changing:
            continue
        if _is_about(OwedFact(track, subject, fact.value), view, asked):
            yield changed(view, name, subject, None, track.rule)


def _is_about(owed: OwedFact, view: View, asked: Mapping[str, object]) -> bool:
    """Return whether a question was asked about what is owed: with the same values, or with lists of them."""
    for word in owed.owed.ask.split()[1:]:
        name, _, template = word.partition("=")
        owed_value = fill(template, owed._find_figures(view, template, owed.subject))
        asked_value = asked.get(name)
        values = map(str, asked_value) if isinstance(asked_value, list | tuple) else [str(asked_value)]
        if owed_value not in values:
            return False
    return True
