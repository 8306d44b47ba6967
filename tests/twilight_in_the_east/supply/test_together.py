"""Which facts of a drawn map change a supply state only together, and the fewest that settle it: against trying every map that is possible."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations, product
from random import Random

import msgspec
import pytest

from assistant.game.boards import Board
from assistant.game.boards.board import Facts
from assistant.game.games import Game
from assistant.questions.doubts import Weighed
from assistant.questions.view import View
from assistant.state.state import FactKey
from assistant.state.tracks import Fact, Source, Value

from ...cases import few
from .test_doubts import ABOUT, decided, position, weighed

DRAWN = 5
"""How many facts of a map are only drawn."""
OTHERWISE: Mapping[str, tuple[Value, ...]] = {
    "terrain": ("high-mountain", "clear"),
    "barrier": ((), ("lake",), ("grand-river",)),
    "rail": ("no-rail", "rail2"),
    "operational": ("none", "russian"),
    "station": (False, True),
    "road": ("no-road", "primary-road"),
    "crossing": ("no-crossing", "bridge"),
}
"""What facts may be otherwise: at their worst and at their best for lines, RR lines at their worst."""


def printed(board: Board, drawn: Collection[FactKey], others: Mapping[FactKey, Value] | None = None) -> Board:
    """The map as its owner knows it, but for a few facts that are only drawn, with some facts otherwise."""
    values = {key: fact.value for key, fact in board.facts.items()} | dict(others or {})
    known = {key: Fact(value, Source.DRAWN if key in drawn else Source.PRINTED) for key, value in values.items()}
    return msgspec.structs.replace(board, facts=Facts((), {}, known))


class Case:
    """A position on a small map of which a few facts are drawn, with the decision on every map that is possible."""

    def __init__(self, game: Game, seed: int, about: Mapping[str, str] = ABOUT) -> None:
        at, self.board = position(game, seed)
        self.game, self.state, self.about = game, at.state, about
        found = weighed(View(game, self.state), about)
        telling = {key for key in found.keys if key[0] in OTHERWISE}
        telling |= {key for one in found.together for key in one.keys if key[0] in OTHERWISE}
        others = {key for key in self.board.facts if key[0] in OTHERWISE} - telling
        chosen = Random(seed)
        near = chosen.sample(sorted(telling), min(DRAWN - 1, len(telling)))
        self.drawn = (*near, *chosen.sample(sorted(others), DRAWN - len(near)))
        self.maps = {values: self.on_map(values) for values in product(*map(self.possible, self.drawn))}

    def possible(self, key: FactKey) -> tuple[Value, ...]:
        """What a fact may be, first as it is drawn."""
        drawn = self.board.facts[key].value
        return tuple(dict.fromkeys((drawn, *OTHERWISE[key[0]])))

    def on_map(self, values: tuple[Value, ...]) -> object:
        """The decision with all facts known, the drawn ones with these values."""
        return decided(self.view((), dict(zip(self.drawn, values, strict=True))), self.about)

    def view(self, drawn: Collection[FactKey], others: Mapping[FactKey, Value] | None = None) -> View:
        """The position on the map, with some facts only drawn."""
        self.game._boards["tiny"] = printed(self.board, drawn, others)
        return View(self.game, self.state)

    @property
    def as_drawn(self) -> object:
        """The decision on the map as it is drawn."""
        return self.maps[next(iter(self.maps))]

    def changing(self) -> Iterator[frozenset[FactKey]]:
        """The facts that are otherwise on each map with another decision."""
        drawn = next(iter(self.maps))
        for values, decision in self.maps.items():
            if decision != self.as_drawn:
                pairs = zip(self.drawn, values, drawn, strict=True)
                yield frozenset(key for key, value, was in pairs if value != was)

    def settles(self, known: Collection[FactKey]) -> bool:
        """Whether the decision is the same on every map on which these facts are as drawn."""
        return not any(one.isdisjoint(known) for one in self.changing())

    def fewest(self) -> int:
        """How many facts settle the decision at least."""
        counts = range(len(self.drawn) + 1)
        return next(many for many in counts if any(map(self.settles, combinations(self.drawn, many))))

    def weighed(self) -> Weighed:
        """What the assistant finds."""
        return weighed(self.view(self.drawn), self.about)


WHOLE = {"side": "russian"}


@few(3)
@pytest.mark.parametrize(
    ("seed", "about"), [*((seed, ABOUT) for seed in range(10)), *((seed, WHOLE) for seed in range(6))]
)
def test_the_fewest_facts_settle_what_is_asked_on_every_map_that_is_possible(
    twilight: Game, seed: int, about: Mapping[str, str]
) -> None:
    case = Case(twilight, seed, about)
    found = case.weighed()
    assert case.settles(found.keys)
    assert len(found.keys) == case.fewest()
    assert found.settled.least if found.settled else not found.keys, "where no fact counts, none is sought"
    changing = set(case.changing())
    for one in found.together:
        assert frozenset(one.keys) in changing
        assert changing.isdisjoint(map(frozenset, combinations(one.keys, len(one.keys) - 1)))
