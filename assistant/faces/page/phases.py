"""The phase in which a refused combat would be allowed, so that the page can offer to go there."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

import msgspec

from ...formats.positions import Asked, Position
from ...game.course import COURSE, Phase, course_file
from ...game.games import Game
from ...service import ask, resolve_question
from ...state.tracks import Fact
from ...util.errors import InputError
from .desk import StandingTable
from .messages.requests import PhaseRequest
from .messages.table import PhaseFound

PHASE = "phase"
"""The track of the phase in every game that states one."""


def find_phase(table: StandingTable, request: PhaseRequest) -> PhaseFound:
    """Return the next phase of a player turn in which the rules allow a combat, or an empty one.

    Other questions may take seconds in each phase, so none is sought for them.
    """
    position = table.position
    if request.question != position.game.file.prompt.ask:
        return PhaseFound()
    asked = Asked(request.question, dict(request.parameters))
    for phase in _list_phases(position):
        then = _move_to(position, phase.word)
        try:
            report = ask(msgspec.structs.replace(then, asks=(resolve_question(then, asked, {}),), answers={}))
        except InputError:
            continue
        if report.verdict.kind != "no":
            return PhaseFound(title=phase.title, line=f"{PHASE}={phase.word}")
    return PhaseFound()


def _list_phases(position: Position) -> Iterator[Phase]:
    """Yield the phases of a player turn that follow the stated one, then those before it."""
    game = position.game
    stated = position.state.facts.get((PHASE, ""))
    if stated is None or not game.has_file(COURSE):
        return
    phases = [phase for phase in course_file(game).phase if phase.part == "player-turn" and phase.word]
    words = [phase.word for phase in phases]
    at = words.index(stated.value) + 1 if stated.value in words else 0
    yield from (phase for phase in phases[at:] + phases[:at] if phase.word != stated.value)


def _move_to(position: Position, word: str) -> Position:
    """Return the position in another phase, without the facts that end as it begins."""
    facts = {
        key: fact
        for key, fact in position.state.facts.items()
        if not _ends(position.game, key[0], word) or key == (PHASE, "")
    }
    facts[PHASE, ""] = Fact(word)
    return position.with_state(msgspec.structs.replace(position.state, facts=MappingProxyType(facts)))


def _ends(game: Game, track: str, word: str) -> bool:
    declared = game.tracks.get(track)
    return declared is not None and declared.ends_as({PHASE: word})
