"""The phase in which a refused combat would be allowed, so that the page can offer to go there."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ...formats.positions import Asked, Position
from ...game.course import COURSE, Phase, course_file
from ...service import ask, parse, resolve_question
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
        try:
            then = parse(f"{PHASE}={phase.word}", position)
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
