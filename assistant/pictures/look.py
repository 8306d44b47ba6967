"""What a picture reads: a printed map, or the facts of a view, without causing cautions in its report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ..game.boards import Board
from ..game.gamefile import Picture
from ..state.tracks import Fact, Track
from .style import Palette

if TYPE_CHECKING:
    from ..questions.view import View


class MapLook:
    """Reads a printed map. A track that the game does not have is unknown everywhere."""

    def __init__(self, board: Board, tracks: Mapping[str, Track], picture: Picture) -> None:
        self.board, self.picture, self.tracks = board, picture, tracks

    @cached_property
    def palette(self) -> Palette:
        """The colours of the game. Raises InputError for an invalid one."""
        picture = self.picture
        return Palette(picture.colours, self.values(picture.nation), self.values(picture.terrain))

    def fact(self, track: str, subject: str) -> Fact | None:
        """A fact about a subject, None if unknown."""
        return self.board.fact(track, subject) if track in self.tracks else None

    def states(self, track: str) -> bool:
        """Whether there are facts of a track at all, but for silence."""
        return track in self._stated

    def stated(self, track: str, subjects: Sequence[str]) -> Sequence[str]:
        """Those of some subjects of which the map says more than that nothing is there."""
        known = self._stated.get(track, ())
        return [subject for subject in subjects if subject in known]

    @cached_property
    def _stated(self) -> Mapping[str, set[str]]:
        subjects: dict[str, set[str]] = {}
        for track, subject in self.board.facts:
            subjects.setdefault(track, set()).add(subject)
        return subjects

    def words(self, track: str, subject: str) -> tuple[str, ...]:
        """The words of a fact; empty if it is unknown or not a word."""
        fact = self.fact(track, subject)
        if fact is None or isinstance(fact.value, bool | int):
            return ()
        return (fact.value,) if isinstance(fact.value, str) else fact.value

    def word(self, track: str, subject: str) -> str:
        """The only word of a fact, "" if it is unknown."""
        return next(iter(self.words(track, subject)), "")

    def lying(self, track: str, subject: str) -> tuple[str, ...]:
        """The words for what lies on a hexside or crosses it, such as a stream; a flag that is set has its own name.

        Empty if nothing is there or it is unknown.
        """
        fact = self.fact(track, subject)
        if fact is not None and fact.value is True:
            return (track,)
        return tuple(word for word in self.words(track, subject) if word != self.tracks[track].nothing)

    def link(self, track: str, subject: str) -> str:
        """The word for a road or railway across a hexside, "" if there is none or it is unknown."""
        return next(iter(self.lying(track, subject)), "")

    def values(self, track: str) -> tuple[str, ...]:
        """All words that a track may take."""
        return self.tracks[track].values if track in self.tracks else ()


class Look(MapLook):
    """Reads facts of a view for a picture."""

    def __init__(self, view: View) -> None:
        from ..questions.view import View  # only here: modules are drawn without questions

        super().__init__(view.board, view.game.tracks, view.game.file.picture)
        self._view = View(view.game, view.state)  # a separate view: what is read only to be drawn decides nothing
        self.game, self.state = view.game, view.state
        self._known: dict[str, set[str]] = {}

    def states(self, track: str) -> bool:
        """Whether there may be facts of a track: of any that the game has."""
        return track in self.tracks

    def stated(self, track: str, subjects: Sequence[str]) -> Sequence[str]:
        """Those of some subjects of which the map or the position says something; all of them if silence says more than
        nothing.
        """
        if track not in self.tracks or _says_something(self.tracks[track]):
            return subjects
        if track not in self._known:
            in_position = {subject for name, subject in self._view.stated if name == track}
            self._known[track] = in_position.union(self.board.known(track))
        known = self._known[track]
        return [subject for subject in subjects if subject in known]

    def unseen_nation(self, place: str) -> str | None:
        """The nation of the unseen units at a place, None if there are none."""
        unit = self._view.unseen.get(place)
        return None if unit is None else self.word(self.picture.nation, unit.id)

    def fact(self, track: str, subject: str) -> Fact | None:
        """A fact about a subject, None if unknown."""
        return self._view.fact(track, subject) if track in self.game.tracks else None

    def figures(self, unit: str) -> tuple[str, ...]:
        """The figures of a unit as its counter shows them, "?" for an unknown one; empty if all are unknown.

        Reductions (steps lost) are subtracted from the printed figures; an assumed figure is followed by "?".
        """
        shown = [self._figure(track, unit) for track in self.picture.figures]
        return tuple(figure or "?" for figure in shown) if any(shown) else ()

    def _figure(self, name: str, unit: str) -> str:
        fact = self.fact(name, unit)
        if fact is None:
            return ""
        if not isinstance(fact.value, int) or isinstance(fact.value, bool):
            return self.game.tracks[name].write(fact.value)
        left, assumed = fact.value, fact.assumed
        less = self.fact(self.picture.less, unit) if self.picture.less else None
        if less is not None and self._view.is_hidden(self.picture.less, unit):
            assumed = True  # at most this
        elif less is not None and isinstance(less.value, int):
            left, assumed = max(left - less.value, 0), assumed or less.assumed
        return f"{left}?" if assumed else str(left)


def _says_something(track: Track) -> bool:
    """Whether it means more than that nothing is there, if a position and a map are silent on a track."""
    absent = track.absent
    words = absent if isinstance(absent, tuple) else (absent,)
    return any(word not in (None, False, track.nothing) for word in words)
