"""Which side, which level of the turn tracker and which dice button of a module is which of the game's."""

from __future__ import annotations

from typing import Any

from .....game.games import Game
from ...elements.controls import Controls, TurnLevel, all_levels
from ..words import OF_GAME
from .likeness import has_all, likeness, tokens
from .meanings import Known
from .proposal import GUESS, LIKELY, SURE, Proposal

_ALIKE, _SAME = 0.5, 0.85


def propose_sides(game: Game, controls: Controls) -> list[Proposal]:
    """A proposal for each side of the module: the game's whose name or nations its name tells."""
    return [_of_side(game, name) for name in controls.sides if name.isprintable()]


def _of_side(game: Game, name: str) -> Proposal:
    found = []
    for side, nations in game.file.sides.items():
        called = (side, game.file.titles.get(side, side))
        mine = tokens(name)
        nation = any(has_all(mine, tokens(one)) for one in nations)
        found.append((max(likeness(mine, *map(tokens, called)), 0.7 * nation), side))
    ranked = sorted(found, reverse=True)
    if not ranked or ranked[0][0] < _ALIKE or (len(ranked) > 1 and ranked[1][0] == ranked[0][0]):
        return Proposal(name, "", "", f"one of {', '.join(game.file.sides)}, or none")
    return Proposal(name, ranked[0][1], SURE if ranked[0][0] >= _SAME else LIKELY)


def propose_turn(known: Known, controls: Controls) -> list[Proposal]:
    """A proposal for each level of the turn trackers: a number counts turns, the entries of a list are words."""
    return [
        proposal
        for levels in controls.trackers
        for number, level in enumerate(all_levels(levels))
        if level.name.isprintable() and (proposal := _of_level(known, level, is_first=not number))
    ]


def _of_level(known: Known, level: TurnLevel, *, is_first: bool) -> Proposal:
    found = known.track(level.name, OF_GAME)
    counted = next(
        (track for track in known.game.tracks.values() if track.on == "game" and track.kind == "integer"), None
    )
    if not level.entries:
        track = found[0] if found and found[0].kind == "integer" else counted if is_first else None
        if track is None:
            return Proposal(level.name, "", "", "a number")
        sure = SURE if found and found[1] >= _SAME else GUESS
        return Proposal(level.name, f"{track.name}={{}}", sure)
    listed = known.of_values(level.entries, OF_GAME)
    words: list[Any] = [known.word(entry, OF_GAME, listed) for entry in level.entries]
    entries = ", ".join(level.entries)
    if any(words):
        return Proposal(level.name, words, LIKELY if all(words) else GUESS, entries)
    return Proposal(level.name, words, "", entries)


def propose_dice(controls: Controls) -> list[Proposal]:
    """The dice buttons, whose throws a log holds; which roll one is for only the player can tell."""
    return [
        Proposal(button.name, "", LIKELY, f"{button.dice}d{button.faces}")
        for button in controls.dice
        if button.name and button.name.isprintable()
    ]
