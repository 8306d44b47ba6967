"""The call for the Western Front reinforcements, and the armies that come into play (22.1, 22.2, 23.1, 24.2).

The armies are the German Ninth, the Russian Eleventh, and AG P-B with Karpatensicherung.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import ClassVar

from assistant.asking import MissingFacts, View
from assistant.asking.asks import Ask
from assistant.asking.case import Case, fact, list_bars
from assistant.asking.permission import Clause
from assistant.asking.report import Step
from assistant.asking.view import changed
from assistant.rules.arrivals import with_units
from assistant.state.changes import AnyChange
from assistant.util.console import format_count

from ..forces.departures import departure_of
from ..ground.calendar import QuietWork, campaign_is_unstated
from ..ground.edges import is_west_of_vistula
from ..scoring.points import CALL as CALL_POINTS
from ..scoring.points import Award, gains
from ..terms import DEPOTS, HUNGARY_ENTERED, WARSAW

# --- the call for the Western Front reinforcements --------------------------------------------------------------------


CALL = "western-call"
"""Track: the game turn of the call."""
MAPS = "maps"
"""Track: the maps in play."""
WESTERN_FRONT = "western-front"
"""Track: whether the scenario has the Western Front reinforcements."""
FIRST_CALL_TURN = 5
"""The first game turn in which the Western Front reinforcements may be called (22.1)."""
LAST_CALL_TURN = 10
"""The last game turn for the call, in which it is compulsory (22.1)."""
SCENARIOS_WITHOUT_CALL = ("29.1", "29.2", "29.3", "29.4")
"""The scenarios of the booklet without the Western Front reinforcements (22.1)."""
TURNS_FROM_CALL_TO_ARRIVAL = 4
"""Game turns from the call to the arrival (22.1.2)."""
CALL_SCORES = {5: -2, 6: 0, 7: 2, 8: 4, 9: 6, 10: 8}
"""The Victory Points that the call scores for the German side, by its game turn (27.2.3)."""


def uses_western_front(scenario: str) -> bool:
    """Return whether a scenario has the Western Front reinforcements.

    29.5 to 29.7 and scenarios of one's own have them.

    `scenario`: the name, or "" if not stated.

    Rule: 22.1
    """
    return scenario not in SCENARIOS_WITHOUT_CALL


def is_western_front_used(view: View) -> bool:
    """Return whether the Western Front reinforcements are used, as stated or else by the scenario (22.1)."""
    if WESTERN_FRONT in view.stated_about:
        return view.flag(WESTERN_FRONT)
    return uses_western_front(view.word("scenario"))


def arrival_of_call(turn: int) -> int:
    """Return the game turn in which the Western Front reinforcements arrive.

    `turn`: the game turn of the call.

    Rule: 22.1.2
    """
    return turn + TURNS_FROM_CALL_TO_ARRIVAL


def score_of_call(turn: int) -> int:
    """Return the Victory Points of the German side for the call.

    `turn`: the game turn of the call.

    Rule: 27.2.3
    """
    return CALL_SCORES[min(max(turn, FIRST_CALL_TURN), LAST_CALL_TURN)]


def format_score(points: int) -> str:
    """Format the Victory Points that the call scores or costs."""
    return f"{format_count(abs(points), 'Victory Point')}{' lost' if points < 0 else ''}"


class Call(Case):
    """The call for the Western Front reinforcements.

    `called`: the game turn of the call, or 0 if it has not been made.
    `maps`: the maps in play.
    `used`: whether the scenario has these reinforcements.
    """

    turn: int
    called: int
    maps: str
    used: bool = True
    first = FIRST_CALL_TURN
    last = LAST_CALL_TURN

    def bars_of_call(self) -> Iterator[Clause]:
        """Yield the bars to the call.

        The German player may call the reinforcements from GT 5 on, once, with the northern map in play; by GT 10 they
        have been called.

        Rule: 22.1
        """
        yield not self.used, "22.1", "the scenario does not use them"
        yield self.maps == "south", "22.1", "only the southern map is in play"
        yield self.called, "22.1", "they were called in GT {called}"
        yield not self.called and self.turn < self.first, "22.1", "they may be called from GT {first} on"
        yield (
            not self.called and self.turn > self.last,
            "22.1",
            "they were called in GT {last} at the latest; state when: western-call=TURN",
        )

    def is_made_anyway(self) -> bool:
        """Return whether the call is made in any case, as GT 10 has come. Rule: 22.1"""
        return self.turn >= self.last and not list_bars(self.bars_of_call)


def read_call(view: View, turn: int) -> Call:
    """Return the call in a turn."""
    used = is_western_front_used(view)
    return Call(view=view, turn=turn, called=view.integer(CALL), maps=view.word(MAPS), used=used)


def changes_of_call(view: View, side: str, turn: int) -> list[AnyChange]:
    """Return the changes that record the call, and its Victory Points (22.1, 27.2.3)."""
    scored = gains([Award(CALL_POINTS, side, score_of_call(turn), "")])
    return [changed(view, CALL, "", turn, "22.1"), *scored]


# --- new armies -------------------------------------------------------------------------------------------------------


NINTH_FREE = "ninth-army-free"
"""Track: the first game turn in which the Ninth Army could have been formed."""
FIRST_NINTH_ARMY_TURN = 10
"""The first game turn in which the German Ninth Army may be formed (22.2)."""
LAST_NINTH_ARMY_TURN = 21
"""The last game turn for forming the German Ninth Army, in which it is compulsory (22.2)."""
MAX_WARSAW_DISTANCE_HEXES = 10
"""The distance from Warsaw beyond which a Russian formation west of the Vistula brings in the Ninth Army (22.2)."""
FORMATION_SIZES = ("XX", "X")
"""The sizes of divisions and brigades."""
FIRST_ELEVENTH_ARMY_TURN = 25
"""The first game turn in which the Russian Eleventh Army may be formed (24.2)."""
FIRST_KARPATEN_TURN = 16
"""The first game turn in which Karpatensicherung may be activated (23.1.1)."""
LAST_KARPATEN_TURN = 21
"""The last game turn for activating Karpatensicherung, in which it is compulsory (23.1.1)."""


class NewArmy(QuietWork):
    """An army that comes into play in a Reinforcement Phase of its side.

    `turn`: the game turn, or 0 if it is not stated.
    """

    turn: int
    side: str = ""
    army: ClassVar[str]
    """The army's name."""
    called: ClassVar[str]
    """The army's name in reports."""
    track: ClassVar[str]
    """Track: the turn in which the army comes into play."""
    due = "reinforcement"

    @property
    def formed(self) -> int:
        """The game turn in which the army came into play, or 0 before."""
        return self.view.integer(self.track)

    @property
    def unstated(self) -> bool:
        """Whether the position leaves open if the campaign rules are in use."""
        return campaign_is_unstated(self.view)

    @fact
    def campaign(self) -> bool:
        """The rules of the Grand Campaign are in use."""
        return self.view.flag("campaign")

    def bars_for_good(self) -> Iterator[Clause]:
        """Yield the lasting bars: outside the campaign, or once the army is in play. Rule: 1.1, 16.3"""
        yield (
            not self.campaign,
            self.rule,
            "it comes into play only in the campaign game (c)[unstated:; state `campaign` if this is one]",
        )
        yield self.formed, "16.3", "it came into play in GT {formed}"

    def bars_of_army(self) -> Iterator[Clause]:
        raise NotImplementedError

    def grounds(self) -> Iterator[Clause]:
        """Yield the reasons why the army comes into play in a turn in which it may."""
        raise NotImplementedError

    def is_owed(self) -> bool:
        """Return whether the army must come into play in a turn in which it may."""
        return False

    def list_bars(self) -> list[Step]:
        """Return the bars to the army in any phase.

        Raises MissingFacts if the turn or another deciding fact is not known.
        """
        if bars := list_bars(self.bars_for_good):
            return bars
        with self.view.gather() as facts:
            facts.integer("turn")
        return list_bars(self.bars_of_army)

    @property
    def why(self) -> str:
        return list_bars(self.grounds)[0].text


class Ninth(NewArmy):
    """The German Ninth Army."""

    army = "Ninth"
    called = "the Ninth Army"
    side = "central-powers"
    track = "ninth-army"
    rule = "22.2"
    first = FIRST_NINTH_ARMY_TURN
    last = LAST_NINTH_ARMY_TURN
    far = MAX_WARSAW_DISTANCE_HEXES

    @cached_property
    def free(self) -> int:
        """The first game turn in which the army could have been formed, or 0.

        It is 0 if the army could not yet be formed, or putting it off has no effect.
        """
        noted = self.view.integer(NINTH_FREE)
        return noted if self.view.ruling("ninth-put-off", noted > 0) == "kept" else 0

    @cached_property
    def trains(self) -> tuple[str, ...]:
        return tuple(_find_trains_in_prussia(self.view))

    @cached_property
    def west(self) -> tuple[str, ...]:
        """The Russian infantry brigades and divisions west of the Vistula, more than ten hexes from Warsaw."""
        return tuple(_formations_in_the_west(self.view))

    @property
    def waits(self) -> bool:
        """Whether the positions of the Russians decide."""
        return self.first <= self.turn < self.last and not self.free

    @fact
    def trains_in_prussia(self) -> bool:
        """Russian Corps Trains are in Prussia."""
        return bool(self.trains)

    @fact
    def russians_far_west(self) -> bool:
        """A Russian formation is west of the Vistula, more than 10 hexes from Warsaw."""
        return bool(self.west)

    def bars_of_army(self) -> Iterator[Clause]:
        """Yield the reasons why the army cannot be formed now.

        It is formed from GT 10 on, once no Russian Corps Train is in Prussia, or a Russian formation is far in the
        west. In GT 21 it is formed in any case, or later if it was put off.

        Rule: 22.2
        """
        yield self.turn < self.first, "22.2", "it may be formed from GT {first} on"
        yield (
            self.waits and self.trains_in_prussia and not self.russians_far_west,
            "22.2",
            "Russian Corps Trains are in Prussia ({trains}), and no Russian formation is far west of the Vistula",
        )

    def grounds(self) -> Iterator[Clause]:
        """Yield the reasons to form the army. Rule: 22.2"""
        yield self.free, "22.2", "it has been possible since GT {free}"
        yield not self.free and self.turn >= self.last, "22.2", "it is formed in GT {last} at the latest"
        yield self.waits and not self.trains_in_prussia, "22.2", "no Russian Corps Train is in Prussia"
        yield (
            self.waits and self.trains_in_prussia,
            "22.2",
            "{west}: west of the Vistula, more than {far} hexes from Warsaw",
        )

    def is_owed(self) -> bool:
        """Return whether the army must be formed, in GT 21 at the latest. Rule: 22.2"""
        return self.turn >= self.last


def is_far_west(size: str, arm: str, distance: int, *, west: bool) -> bool:
    """Return whether a Russian unit brings about the Ninth Army: an infantry brigade or division far in the west.

    `distance`: the hexes to Warsaw, which must be more than ten.
    `west`: whether the unit is west of the Vistula.

    Rule: 22.2
    """
    return arm == "infantry" and size in FORMATION_SIZES and west and distance > MAX_WARSAW_DISTANCE_HEXES


def _formations_in_the_west(view: View) -> Iterator[str]:
    """Yield the Russian infantry brigades and divisions far west of the Vistula.

    Raises MissingFacts if the bank on which a hex lies is not known.
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


def _find_trains_in_prussia(view: View) -> Iterator[str]:
    with view.gather() as facts:
        for unit in view.units():
            on_map = view.board.is_hex(unit.place)
            is_train = (view.word("nation", unit.id), view.word("arm", unit.id)) == ("russian", "corps-train")
            if on_map and is_train and facts.word("country", str(unit.place)) == "german":
                yield unit.id


class Eleventh(NewArmy):
    """The Russian Eleventh Army."""

    army = "Eleventh"
    called = "the Eleventh Army"
    side = "russian"
    track = "eleventh-army"
    rule = "24.2"
    first = FIRST_ELEVENTH_ARMY_TURN

    def bars_of_army(self) -> Iterator[Clause]:
        """Yield the bar before GT 25; after that the owner decides. Rule: 24.2"""
        yield self.turn < self.first, "24.2", "it may be formed from GT {first} on"

    def grounds(self) -> Iterator[Clause]:
        """Yield the reason to form the army. Rule: 24.2"""
        yield self.turn >= self.first, "24.2", "its owner decides"


class PflanzerBaltin(NewArmy):
    """AG P-B, which comes into play as Karpatensicherung is activated."""

    army = "AG P-B"
    called = "AG P-B"
    side = "central-powers"
    track = "karpatensicherung"
    rule = "23.1.1"
    first = FIRST_KARPATEN_TURN
    last = LAST_KARPATEN_TURN

    @cached_property
    def entered(self) -> int:
        return self.view.integer(HUNGARY_ENTERED)

    def bars_of_army(self) -> Iterator[Clause]:
        """Yield the bars to activating Karpatensicherung.

        It is activated from GT 16 on, in the first Reinforcement Phase after a Russian unit has entered Hungary; in GT
        21 in any case.

        Rule: 23.1.1
        """
        yield self.turn < self.first, "23.1.1", "it may be activated from GT {first} on"
        yield (
            self.first <= self.turn < self.last and not self.entered,
            "23.1.1",
            "no Russian unit has entered Hungary yet (hungary-entered=TURN)",
        )

    def grounds(self) -> Iterator[Clause]:
        """Yield the reasons to activate Karpatensicherung, so that AG P-B comes into play. Rule: 23.1, 23.1.1"""
        yield self.turn >= self.last, "23.1.1", "it is activated in GT {last} in any case"
        yield self.turn < self.last and self.entered, "23.1", "a Russian unit entered Hungary in GT {entered}"

    def is_owed(self) -> bool:
        """Return whether the army must come into play in a turn in which it may, which is always so."""
        return True


NEW_ARMIES: Mapping[str, type[NewArmy]] = {army.army: army for army in (Ninth, Eleventh, PflanzerBaltin)}
"""The armies that come into play after the start, by name."""


def depots_of(view: View, army: type[NewArmy]) -> tuple[str, ...]:
    """Return the depots of an army that are not on the map, from the position and the roster."""
    printed = (name for name, facts in view.game.roster.items() if "arm" in facts and facts["arm"][0].value in DEPOTS)
    there = with_units(view, printed)
    depots = []
    for unit in there.units():
        waits = unit.place is None and there.word("arm", unit.id) in DEPOTS and there.side_of(unit.id) == army.side
        if waits and there.word("army", unit.id) == army.army and not departure_of(there, unit.id):
            depots.append(unit.id)
    return tuple(depots)
