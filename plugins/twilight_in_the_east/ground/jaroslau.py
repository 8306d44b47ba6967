"""The RR bridge at Jaroslau: demolished with the bridgehead, and repaired of itself twelve game turns later (17.4)."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.field import Hexside
from assistant.questions import Gather, View
from assistant.questions.view import changed
from assistant.state.changes import AnyChange, Change

from ..terms import GREAT_RIVERS
from .calendar import in_campaign

JAROSLAU, BRIDGE = "43.84", "42.84|43.84"
"""The hex of the bridgehead, and the hexside of the RR bridge."""
REPAIR = 12
"""Game turns from the demolition to the repair."""
BLOWN = "jaroslau-blown"
"""The track of the game turn in which it was demolished."""
NOTHING = {"rail": "no-rail", "road": "no-road", "crossing": "no-crossing"}
"""What crosses the river there while it is down."""


def is_down(blown: int, turn: int) -> bool:
    """Whether the bridge cannot be used. blown: the game turn in which it was demolished, 0 if it never was.
    Rule: 17.4
    """
    return bool(blown) and turn < blown + REPAIR


DOWN = "the RR bridge at Jaroslau is demolished with its bridgehead"


class Demolished(Hexside):
    """The hexside of a bridge that is down: nothing crosses the river there, unless ruling jaroslau-road leaves a road
    its own bridge.
    """

    @property
    def lies(self) -> frozenset[str]:
        """What lies on the hexside: a great river, stated or not, for it had a bridge."""
        lies = super().lies
        return lies if GREAT_RIVERS & lies else lies | {"major-river"}

    @property
    def linked(self) -> bool:
        """Whether a road still crosses."""
        return self.word("road") not in ("", NOTHING["road"])

    def word(self, track: str) -> str:
        """The value of a track; of what leads across over the bridge, nothing."""
        stated = super().word(track)
        if track == "road" and stated != NOTHING[track] and self.view.ruling("jaroslau-road", bool(stated)) == "road":
            return stated
        return NOTHING.get(track, stated)


def bridge_is_down(facts: View | Gather) -> bool:
    """Whether the bridge is down in a position, in the Grand Campaign; the game turn is read only if a demolition is
    stated.
    """
    view = facts.view if isinstance(facts, Gather) else facts
    blown = view.state.value(BLOWN)
    if not isinstance(blown, int):
        return False
    may_be_down = is_down(blown, view.integer("turn"))  # where no turn is stated, it may
    return in_campaign(view, may_be_down, "17.4", DOWN) and is_down(blown, facts.integer("turn"))


def demolished(view: View, changes: Iterable[AnyChange]) -> list[Change]:
    """That the bridge is demolished, if changes take the bridgehead of Jaroslau off the map; Grand Campaign only."""
    gone = (
        change for change in changes if isinstance(change, Change) and change.track == "place" and change.after is None
    )
    lost = any(change.before == JAROSLAU and view.word("arm", change.subject) == "fort" for change in gone)
    turn = view.integer("turn")
    down = lost and turn > 0 and in_campaign(view, True, "17.4", DOWN)
    return [changed(view, BLOWN, "", turn, "17.4")] if down else []
