"""The result of `threat`, with attacks, danger and cuts of supply, and the rules that a game provides."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

import msgspec

from ...asking.question import Parameters, PlaceName, SideName, UnitName
from ...asking.ranking import RankedPlace
from ...asking.view import View
from ...mechanics.chances import Likelihood
from ...mechanics.distribution import round_percent
from ...state.changes import Change
from ...state.tracks import Value
from ...state.vocabulary import Column, DefenceStrength, Hex, Side, UnitHex, UnitId
from ...util.notes import note
from ..field.movement import Reach

MIN_CHANCES = (Fraction(0), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
"""The minimum chance to lose the hex for each level of danger from 1; level 0 is a hex that cannot be attacked."""
MIN_RATIOS = (Fraction(0), Fraction(1), Fraction(2), Fraction(3), Fraction(5))
"""The minimum ratio of attack to defence for each level from 1, if no chances are known."""


class ThreatAsked(Parameters, frozen=True):
    """The hexes that the question is about, and the supposed moves."""

    side: Annotated[SideName, note("the side that is threatened; if left out, that of the units or hexes named")] = ""
    at: Annotated[tuple[PlaceName, ...], note("only these hexes; by default all in which the side has units")] = ()
    unit: Annotated[tuple[UnitName, ...], note("only the hexes of these units")] = ()
    if_: Annotated[
        tuple[str, ...], note("units supposed to stand elsewhere, each as UNIT@HEX; the answer then says what changes")
    ] = msgspec.field(default=(), name="if")
    march: Annotated[bool, note("whether enemies that can come are counted, and lines of supply that they can cut")] = (
        True
    )
    cuts: Annotated[
        bool, note("whether it is tried which lines of supply enemies can cut, which takes the most time")
    ] = True


class Approach(msgspec.Struct, frozen=True, kw_only=True):
    """An enemy unit that moves next to a hex before it attacks."""

    unit: UnitId
    at: Annotated[str, note("the hex where it stands")]
    to: Annotated[str, note("the hex from which it then attacks")]
    way: Annotated[tuple[str, ...], note("the hexes that it enters, in order")]
    points: Annotated[str, note("what the way costs, as players say it")]
    beyond: Annotated[bool, note("whether it goes beyond its allowance, as by a Forced March")] = False
    passes: Annotated[Fraction | None, note("the chance that it does not fail on the way, null if it cannot")] = None


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """The possible results of a defending Force's check."""

    unit: Annotated[str, note("the first unit of the Force")]
    fails: Annotated[Fraction, note("chance that it fails its check")]
    retreats: Annotated[Fraction, note("chance that the check makes it retreat")]
    unchecked: Annotated[Fraction, note("chance that it makes no check, as it is eliminated or has left before it")]


class Danger(msgspec.Struct, frozen=True, kw_only=True):
    """The exact chances of an attack, as in `battle`."""

    lost: Annotated[Fraction, note("chance that the defender loses the hex: that he retreats from it or is eliminated")]
    at_least: Annotated[bool, note("whether that chance may be larger, as in `battle`")] = False
    counted: Annotated[str, note("what losses are counted in: step or unit")] = "step"
    defender_mean: Annotated[Fraction, note("what the defender loses on average")]
    attacker_mean: Annotated[Fraction, note("what the attack costs its side on average")]
    defender_losses: Annotated[tuple[Likelihood, ...], note("what the defender loses, each with its chance")] = ()
    attacker_losses: Annotated[tuple[Likelihood, ...], note("what the attacker loses, each with its chance")] = ()
    checks: Annotated[tuple[Check, ...], note("the checks of the defenders, in a game with such checks")] = ()
    breaks: Annotated[
        Fraction | None, note("chance that a defender breaks down into others, null in a game where none does")
    ] = None


class ThreatAttack(msgspec.Struct, frozen=True, kw_only=True):
    """An attack that the enemy can bring on a hex."""

    attackers: Annotated[tuple[str, ...], note("the units that attack")]
    support: Annotated[tuple[str, ...], note("the units that support the attack or are expended on it")] = ()
    places: Annotated[tuple[str, ...], note("the hexes from which they attack")]
    approaches: Annotated[
        tuple[Approach, ...], note("the units that come first; one that does not attack helps to surround the defender")
    ] = ()
    attack: Annotated[Fraction, note("strength of the attack")]
    defence: DefenceStrength
    column: Column
    rank: Annotated[int, note("the place of the column in the chart, the higher the better for the attacker")]
    battle: Annotated[
        Mapping[str, Any], note("what to ask `battle` for the same figures, once the units that come are moved")
    ]
    arrives: Annotated[
        Fraction | None, note("the chance that all arrive who may fail on the way, null if none may")
    ] = None
    chances: Annotated[
        Danger | None,
        note("the chances once they have arrived, null where the chart is not known or there are too many attacks"),
    ] = None
    unweighed: Annotated[str, note("why the chances were not worked out, empty if they were")] = ""


class ColumnReached(msgspec.Struct, frozen=True):
    """A column, and the smallest attack in it by enemies from their present hexes."""

    column: Column
    attackers: Annotated[tuple[str, ...], note("the units that attack")]
    support: Annotated[tuple[str, ...], note("the units that support the attack or are expended on it")] = ()
    battle: Annotated[Mapping[str, Any], note("what to ask `battle` for the same figures")] = {}


class HexThreat(RankedPlace, frozen=True, kw_only=True):
    """A hex, and what the enemy can do to it."""

    units: Annotated[tuple[str, ...], note("the side's units there, the top one first")] = ()
    standing: Annotated[
        ThreatAttack | None, note("the worst attack by units from where they stand, null if there is none")
    ] = None
    coming: Annotated[
        ThreatAttack | None,
        note("the worst attack found with units that can come first, at least so bad; null if none is worse"),
    ] = None
    columns: Annotated[
        tuple[ColumnReached, ...], note("the smallest attack in each column that can be reached, from where they stand")
    ] = ()
    near: Annotated[tuple[str, ...], note("the enemy units that can come next to the hex")] = ()
    leaving: Annotated[
        Mapping[str, str], note("the units that have to leave without a combat once an enemy comes, each with the rule")
    ] = {}
    intruder: Annotated[Approach | None, note("that enemy unit, null if none makes a unit leave")] = None
    at_least: Annotated[
        bool,
        note(
            "whether an attack may be possible although none was found, or a worse one: facts are missing, or not all was tried"
        ),
    ] = False
    cut: Annotated[tuple[str, ...], note("why not all attacks were evaluated, in words")] = ()

    @property
    def worst(self) -> ThreatAttack | None:
        """The worst attack found, or None if none was found."""
        return self.coming or self.standing

    @property
    def is_open(self) -> bool:
        """Whether an attack may be possible although none was found."""
        return self.worst is None and self.at_least

    @property
    def level(self) -> int:
        """The danger to the hex, from 0 for one that cannot be attacked to 5."""
        if not (assault := self.worst):
            return 0
        if assault.chances:
            percent = round_percent(assault.chances.lost)  # rounded as in the report
            return sum(percent >= least * 100 for least in MIN_CHANCES)
        return sum(assault.attack >= times * max(assault.defence, 1) for times in MIN_RATIOS)


class SupplyLoss(msgspec.Struct, frozen=True, kw_only=True):
    """A unit whose supply is worse after an enemy move."""

    unit: UnitId
    place: UnitHex
    before: Annotated[str, note("the supply now")]
    after: Annotated[str, note("the supply then")]


class Cut(msgspec.Struct, frozen=True, kw_only=True):
    """A hex from which an enemy unit cuts lines of supply."""

    at: Annotated[str, note("the hex to which the enemy goes")]
    unit: Annotated[str, note("the unit that was supposed there")]
    others: Annotated[tuple[str, ...], note("other enemy units that can go there, which were not tried")] = ()
    enters: Annotated[bool, note("whether the hex lies on a line; otherwise its zone of control does")]
    worse: Annotated[tuple[SupplyLoss, ...], note("the units whose supply is then worse")]


class ThreatChange(msgspec.Struct, frozen=True, kw_only=True):
    """A hex whose worst attack changes by the supposed moves."""

    at: Hex
    before: Annotated[ThreatAttack | None, note("the worst attack as the position stands, null for none")]
    after: Annotated[ThreatAttack | None, note("the worst attack as supposed, null for none")]


class ThreatResult(msgspec.Struct, frozen=True, kw_only=True):
    """The enemy's possible attacks and cuts of supply."""

    side: Side
    enemy: Annotated[str, note("the side that attacks")]
    hexes: Annotated[tuple[HexThreat, ...], note("the hexes, the most endangered first")]
    cuts: Annotated[tuple[Cut, ...], note("where the enemy can cut lines of supply, the worst first")] = ()
    tried: Annotated[int, note("for how many enemy moves supply was checked again")] = 0
    untried: Annotated[
        tuple[str, ...], note("further hexes from which lines could be cut, which were not checked")
    ] = ()
    unknown: Annotated[
        tuple[str, ...],
        note("enemy units that may move farther than was found, or at all, and cut supply there: facts are missing"),
    ] = ()
    faults: Annotated[tuple[str, ...], note("why enemy moves or supply could not be checked, in words")] = ()
    supposed: Annotated[tuple[Change, ...], note("the moves that were supposed")] = ()
    changes: Annotated[tuple[ThreatChange, ...], note("what the moves that were supposed change")] = ()


class SupplyState(NamedTuple):
    """A unit's supply."""

    place: str
    rank: int
    """The quality of the supply; higher is better, below 0 is uncertain."""
    words: str
    """The supply in words, for a report."""
    hexes: Collection[str] = ()
    """The hexes that the line of supply passes."""


class Attacker(NamedTuple):
    """A side that moves and attacks in a supposed position."""

    view: View
    side: str
    asked: Annotated[Any, note("the parameters of the question, as the game has them")]


class PossibleAttack(NamedTuple):
    """An attack that the rules of a game allow."""

    attackers: tuple[str, ...]
    places: tuple[str, ...]
    attack: Fraction
    defence: int
    column: str
    rank: int
    """The place of the column in the chart."""
    battle: Mapping[str, Any]
    """The parameters of `battle` that describe the attack."""
    support: tuple[str, ...] = ()
    """The units that support the attack or are expended on it."""


class PossibleAttacks(NamedTuple):
    """The attacks on a hex."""

    worst: Sequence[PossibleAttack]
    """The candidates for the worst attack."""
    smallest: Callable[[], Iterable[PossibleAttack]] = tuple
    """A function that returns the smallest attack in each column within reach, from left to right."""
    why_not: Sequence[str] = ()
    """The reasons why there is no attack."""


class Phases(NamedTuple):
    """The phases of a player turn, as words of the track `phase`."""

    words: Sequence[str]
    """All phases, in order."""
    moves: Sequence[str]
    """The phases in which the side moves."""
    attacks: Sequence[str]
    """The phases in which the side attacks."""


class NextAttack(NamedTuple):
    """The values of tracks, such as the phase, when the enemy next moves and attacks.

    A track that is not stated stays unstated.
    """

    march: Mapping[str, Value] | None
    """The values when the enemy moves, or None if the attack comes before the next move."""
    attack: Mapping[str, Value]


class ThreatNumbers(NamedTuple):
    """The numbers of the rules named in a report."""

    attack: Annotated[str, note("the rule of attacks and their columns")]
    march: Annotated[str, note("the rule of movement")]
    supply: Annotated[str, note("the rule of lines of supply")]
    checks: Annotated[str, note("the rule of defenders' checks")] = ""
    stacking: Annotated[str, note("the rule of stacking limits")] = ""


class ThreatRules:
    """The rules of a game by which `threat` judges positions. A game defines a subclass."""

    asked: type[ThreatAsked] = ThreatAsked
    """The parameters of the question."""
    phases: Phases
    numbers: ThreatNumbers

    def find_reaches(self, attacker: Attacker, units: Sequence[str]) -> Iterable[Reach]:
        """Return the reach of each unit in its turn, as if it alone moved.

        Raises MissingFacts if facts are not stated.
        """
        raise NotImplementedError

    def list_attacks(self, attacker: Attacker, at: str) -> PossibleAttacks:
        """Return the attacks on a hex.

        Raises MissingFacts if facts are not stated.
        """
        raise NotImplementedError

    def measure_danger(self, attacker: Attacker, attack: PossibleAttack) -> Danger | None:
        """Return the chances of an attack as in `battle`, or None if they are not known.

        Raises MissingFacts if facts are not stated.
        """
        raise NotImplementedError

    def trace_supply(
        self, view: View, side: str, units: Sequence[str]
    ) -> Callable[[View | None], Mapping[str, SupplyState]]:
        """Return a function that returns the supply of units in another position, or in `view` for None.

        `units`: units of the side, or () for all.
        """
        raise NotImplementedError

    def may_stack(self, view: View, units: Sequence[str]) -> bool:
        """Return whether units may end a move in one hex."""
        raise NotImplementedError

    def measure_weight(self, view: View, unit: str) -> int:
        """Return a unit's weight in an attack, or 0 if it does not attack."""
        raise NotImplementedError

    def measure_crossing(self, view: View, place: str, at: str) -> int:
        """Return a measure of how much the hexside hampers an attack from `place`; coming units prefer the lowest."""
        return 0

    def format_points(self, points: int) -> str:
        """Return Movement Points as players say them."""
        return str(points)

    def places_without_units(self, view: View, side: str) -> Iterable[str]:
        """Return the hexes without units that a side can attack, such as fortresses."""
        return ()

    def find_leaving(self, view: View, at: str) -> Mapping[str, str]:
        """Return the units of a hex that must leave it because of the enemies, each with the rule."""
        return {}
