"""Parts of answers that several questions about one state share, such as how far the units of a side can move.

A part is worked out in a view of its own, whichever question needs it first. It is kept together with all facts that it
rests on, and a later question that uses it rests on the same facts. A part that reads facts only when it is used, such as
a view, needs care: what it reads then is noted nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeVar

from ..state.state import End, GameState, is_same_state
from .premises import Premises

T = TypeVar("T")


class _KeptPart(NamedTuple):
    state: GameState
    end: End
    key: Hashable
    result: Any
    premises: Premises


class Parts:
    """The parts that were worked out last for one game and its past. The latest is the first.

    `max_kept`: the maximum number of parts kept.
    """

    def __init__(self, max_kept: int = 4) -> None:
        self._max_kept = max_kept
        self._kept: tuple[_KeptPart, ...] = ()

    def recall(
        self, state: GameState, end: End, key: Hashable, premises: Premises, work_out: Callable[[Premises], T]
    ) -> T:
        """Return a part: the one kept, or else the result of `work_out`, which is kept.

        An error is not kept, but what it rests on is noted too.

        `end`: how hidden facts are supposed.
        `key`: the subject of the part.
        `premises`: gets everything that the part rests on.
        `work_out`: returns the part and notes what it rests on.
        """
        known = (part for part in self._kept if (part.key, part.end) == (key, end))
        part = next((part for part in known if is_same_state(part.state, state)), None)
        if part is None:
            own_premises, read = Premises(), Premises()
            try:
                result = work_out(own_premises)
            finally:
                read.add(own_premises)  # a copy: tables that the part has made may still read facts later
                premises.add(read)
            part = _KeptPart(state, end, key, result, read)
        else:
            premises.add(part.premises)
        others = (other for other in self._kept if other is not part)
        self._kept = (part, *others)[: self._max_kept]
        kept: T = part.result
        return kept
