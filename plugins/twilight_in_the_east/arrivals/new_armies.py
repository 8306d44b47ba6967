"""What the armies that come into play wait for, read from a position: the German Ninth, the Russian Eleventh, and AG
P-B with Karpatensicherung (22.2, 23.1, 24.2); and how the call for the Western Front reinforcements stands (22.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from assistant.asking import MissingFacts, View
from assistant.asking.asks import Ask
from assistant.asking.view import changed
from assistant.rules.arrivals import with_units
from assistant.state.changes import AnyChange

from ..forces.departures import way_departed
from ..ground.calendar import UNSTATED, campaign_is_unstated
from ..ground.edges import is_west_of_vistula
from ..railways.stations import Reason
from ..scoring.points import CALL as CALL_POINTS
from ..scoring.points import Award, gains
from ..terms import DEPOTS, HUNGARY_ENTERED, WARSAW
from .armies import (
    FIRST_NINTH,
    LAST_NINTH,
    Call,
    Front,
    formed_already,
    is_far_west,
    score_of_call,
    uses_western_front,
    why_karpaten,
    why_ninth,
    why_not_eleventh,
    why_not_karpaten,
    why_not_ninth,
)

CALL = "western-call"
"""The track of the turn of the call."""
MAPS = "maps"
"""The track of the maps in play."""
WESTERN_FRONT = "western-front"
"""The track of whether the scenario has these reinforcements."""
NINTH_FREE = "ninth-army-free"
"""The track of the first turn in which the Ninth Army might be formed."""


class NewArmy(NamedTuple):
    """An army that comes into play."""

    name: str
    side: str
    """The side in whose Reinforcement Phase it does."""
    track: str
    """The track of the turn in which it does."""
    rule: str

    @property
    def called(self) -> str:
        """What it is called in a report: the Ninth Army, but AG P-B."""
        return f"the {self.name} Army" if self.name.isalpha() else self.name


NINTH = NewArmy("Ninth", "central-powers", "ninth-army", "22.2")
ELEVENTH = NewArmy("Eleventh", "russian", "eleventh-army", "24.2")
PFLANZER = NewArmy("AG P-B", "central-powers", "karpatensicherung", "23.1.1")
NEW_ARMIES = {army.name: army for army in (NINTH, ELEVENTH, PFLANZER)}
"""The armies that come into play after the start, by name."""


def read_call(view: View, turn: int) -> Call:
    """Return how the call for the Western Front reinforcements stands in a turn."""
    return Call(turn, view.integer(CALL), view.word(MAPS), is_western_front_used(view))


def is_western_front_used(view: View) -> bool:
    """Return whether the Western Front reinforcements are used: as the position states, or else unless its scenario is
    one of those without them (22.1).
    """
    if WESTERN_FRONT in view.stated_about:
        return view.flag(WESTERN_FRONT)
    return uses_western_front(view.word("scenario"))


def changes_of_call(view: View, side: str, turn: int) -> list[AnyChange]:
    """Return what the call changes in a turn: it is recorded, and scores for the side that makes it (22.1, 27.2.3)."""
    scored = gains([Award(CALL_POINTS, side, score_of_call(turn), "")])
    return [changed(view, CALL, "", turn, "22.1"), *scored]


def _read_front(view: View, turn: int) -> Front:
    """Return what the forming of the Ninth Army waits for; who stands where is read only in the turns in which it
    decides. Raises MissingFacts for the country of a hex, and for the bank of the Vistula on which a hex lies.
    """
    noted = view.integer(NINTH_FREE)
    free = noted if view.ruling("ninth-put-off", noted > 0) == "kept" else 0
    if free or not FIRST_NINTH <= turn < LAST_NINTH:
        return Front(turn, free, (), ())
    trains = tuple(_find_trains_in_prussia(view))
    return Front(turn, free, trains, tuple(_formations_in_the_west(view)) if trains else ())


def _find_trains_in_prussia(view: View) -> Iterator[str]:
    """Yield the Russian Corps Trains on Prussian territory. Raises MissingFacts for the country of their hexes."""
    with view.gather() as facts:
        for unit in view.units():
            on_map = view.board.is_hex(unit.place)
            is_train = (view.word("nation", unit.id), view.word("arm", unit.id)) == ("russian", "corps-train")
            if on_map and is_train and facts.word("country", str(unit.place)) == "german":
                yield unit.id


def _formations_in_the_west(view: View) -> Iterator[str]:
    """Yield the Russian infantry brigades and divisions far west of the Vistula. Raises MissingFacts where it is not
    known on which bank the hex of one lies.
    """
    asks = list[Ask]()
    for unit in view.units():
        if not unit.place or not view.board.is_hex(unit.place) or view.word("nation", unit.id) != "russian":
            continue
        size = view.word("size", unit.id)
        arm = view.word("arm", unit.id)
        distance = view.board.distance(unit.place, WARSAW)
        if not is_far_west(size, arm, distance, west=True):
            continue
        west = is_west_of_vistula(view, unit.place)
        if west is None:
            how = f"{unit.place} vistula=west|east"
            title = f"the bank of the Vistula on which {unit.place} lies"
            asks.append(Ask(kind="fact", name=how, rule="22.2", title=title, how=how, key=("vistula", unit.place)))
        elif west:
            yield unit.id
    if asks:
        raise MissingFacts(asks)


def why_no_campaign(view: View, rule: str) -> Iterator[Reason]:
    """Yield why an army does not come into play outside the Grand Campaign. Rule: 1.1"""
    if not view.flag("campaign"):
        yield rule, f"it comes into play {UNSTATED if campaign_is_unstated(view) else 'only in the campaign game (c)'}"


def why_never(view: View, army: NewArmy) -> list[Reason]:
    """Return why an army does not come into play in any turn: outside the campaign, or once it has."""
    return [*why_no_campaign(view, army.rule), *formed_already(view.integer(army.track))]


def why_not_yet(view: View, army: NewArmy) -> list[Reason]:
    """Return why an army does not come into play now. Raises MissingFacts for the turn, and for what the army waits
    for.
    """
    if reasons := why_never(view, army):
        return reasons
    with view.gather() as facts:
        turn = facts.integer("turn")
    match army.name:
        case NINTH.name:
            return [*why_not_ninth(_read_front(view, turn))]
        case ELEVENTH.name:
            return [*why_not_eleventh(turn)]
        case _:
            return [*why_not_karpaten(turn, view.integer(HUNGARY_ENTERED))]


def why_now(view: View, army: NewArmy, turn: int) -> str:
    """Return why an army comes into play in a turn in which it may, in words."""
    match army.name:
        case NINTH.name:
            return why_ninth(_read_front(view, turn))
        case ELEVENTH.name:
            return "its owner decides"
        case _:
            return why_karpaten(turn, view.integer(HUNGARY_ENTERED))


def is_due_now(army: NewArmy, turn: int) -> bool:
    """Return whether an army has to come into play in a turn in which it may: AG P-B does at once, the Ninth in GT 21
    at the latest, and the Eleventh at its owner's will.
    """
    return army is PFLANZER or (army is NINTH and turn >= LAST_NINTH)


def depots_of(view: View, army: NewArmy) -> tuple[str, ...]:
    """Return the depots of an army that are not on the map, of the position and the roster."""
    printed = (name for name, facts in view.game.roster.items() if "arm" in facts and facts["arm"][0].value in DEPOTS)
    there = with_units(view, printed)
    depots = []
    for unit in there.units():
        waits = unit.place is None and there.word("arm", unit.id) in DEPOTS and there.side_of(unit.id) == army.side
        if waits and there.word("army", unit.id) == army.name and not way_departed(there, unit.id):
            depots.append(unit.id)
    return tuple(depots)
