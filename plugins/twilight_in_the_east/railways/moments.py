"""The phases in which the trains of a side run, from the one that the position is in, or its next movement phase, on
(5.2, 5.4, 8.2.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from assistant.asking import View, step

from ..ground.calendar import phase_of
from ..ground.phases import MovementPhase, first_phase, phases, player_order
from .routes import read_rate
from .transport import TrainPhase


def read_now(view: View, side: str, counter: bool | None) -> MovementPhase:
    """Return the first phase of the timetables as the position has it; where it is silent, the side's own Movement
    Phase.
    """
    phase = phase_of(view)
    phasing = view.word("phasing")
    turn = view.integer("turn")
    order = player_order(view)
    enemy = next(other for other in order if other != side)
    if counter is not None or not phase or phase == "other":
        if counter is None:
            text = "it is the Movement Phase of its side (phase not stated)"
            view.premises.assume(step("5.4.7", text))
        return MovementPhase(turn, enemy if counter else side, bool(counter), present=True)
    whose = phasing or (enemy if phase == "counter-movement" else side)
    return first_phase(phase, whose, turn, side, order)


def moments_from(view: View, now: MovementPhase, side: str, rate: int) -> Callable[[], Iterator[TrainPhase]]:
    """Return the phases from one on, each with its rate: by the turn record, or the one given, which is noted. rate: of
    this turn.
    """
    order = player_order(view)
    noted = set[int]()

    def run() -> Iterator[TrainPhase]:
        for turn, phasing, counter, _ in phases(now, side, order):
            known = rate if turn == view.integer("turn") else read_rate(view, turn)
            if known is None and turn not in noted:
                noted.add(turn)
                text = "{rate} RR hexes per Movement Point in GT {turn} too (not in the turn record)"
                view.premises.assume(step("8.2.2", text, rate=rate, turn=turn))
            yield TrainPhase(turn, phasing, counter, known or rate)

    return run
