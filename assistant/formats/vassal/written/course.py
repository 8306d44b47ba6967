"""How a module of the builder shows the facts of the game itself: by its turn tracker, and by properties that buttons set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ....game.games import Game
from ....state.sources import Fact
from ....state.state import FactKey
from ....state.tracks import Track
from ..declared import game_tracks, tracker
from ..turns import Steps, can_show, tracker_state


class Course(NamedTuple):
    """What is shown of the facts of the game.

    turn: the state of the turn tracker, "" if the game has none; properties: the others, by track; in_turn: the tracks that the
    turn tracker shows, also by showing nothing.
    """

    turn: str
    properties: dict[str, str]
    in_turn: frozenset[str]


def course_of(game: Game, facts: Mapping[FactKey, Fact], steps: Sequence[Steps]) -> Course:
    """How facts of the game are shown. steps: the lists that the turn tracker goes through within a turn.

    The turn tracker shows facts beside the turn only if one of its entries states all of them.
    """
    listed = [track for track in _in_lists(game, steps) if (track.name, "") in facts]
    words = [track.word(facts[track.name, ""].value) for track in listed]
    shown = can_show(steps, words)
    of_turn, turn, properties = tracker(game), "", dict[str, str]()
    for track in game_tracks(game):
        fact = facts.get((track.name, ""))
        if track is of_turn:
            number = fact.value if fact and isinstance(fact.value, int) else track.least or 0
            turn = tracker_state(number, steps, words if shown else ())
        elif fact:
            properties[track.name] = track.write(fact.value)
    named = [track.name for track in listed] if shown else []
    return Course(turn, properties, frozenset([*named, *([of_turn.name] if of_turn else [])]))


def _in_lists(game: Game, steps: Sequence[Steps]) -> list[Track]:
    """The tracks of the game that lists of the turn tracker are about, such as the phase."""
    listed = set(_words(steps))
    tracks = [track for track in game.tracks.values() if track.on == "game"]
    return [track for track in tracks if not listed.isdisjoint(map(track.word, track.values))]


def _words(steps: Sequence[Steps]) -> Iterator[str]:
    """All facts that lists of the turn tracker state."""
    for one in steps:
        yield from filter(None, one.words)
        yield from _words(one.below)
