"""What attachment asks of armies, corps and units, and every breach of that in a position, as far as what it depends on
is stated (6.1 to 6.4).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from assistant.asking import View
from assistant.asking.asks import ask_for_fact
from assistant.asking.case import fact
from assistant.asking.permission import Clause

from ..control.front_line import ArmyFront, front_of, gather_troops
from ..forces.armies import (
    GARRISONS,
    NATIONS,
    AttachedUnit,
    Breach,
    Judged,
    LoneAsset,
    areas,
    formations_led_from_elsewhere,
    gather_attached,
    is_cavalry_corps,
    is_shown,
    judge,
    known_armies,
    lone_assets,
    side_of_army,
)
from ..forces.leaders import BEGAN, EIGHTH_ARMY
from ..ground.calendar import campaign_is_unstated
from ..leaders import khan
from ..leaders.command import leader_named
from ..leaders.facts import commands_now
from ..terms import KG_TRAIN, LANDWEHR, LANDWEHR_TURNS
from .boundaries import Map, bent_boundaries, boundary_breaches, boundary_lines, shapes

BEND = "boundary-bend"
"""The ruling on how straight a boundary runs (6.1)."""
FREE = 2
"""How many formations of a nation may be attached otherwise than their ID says under the optional rule (6.2.2)."""
KOENIGSBERG = "KG"
RESERVED = {"central-powers AG P-B": "HN", "central-powers Eighth": KOENIGSBERG, "central-powers AG W": LANDWEHR}
"""The armies that keep one of their Corps tracks for a corps that belongs with them (6.1.2)."""
SINCE = 29
"""The game turn from which 3 LW Corps belongs with AG W (22.3.2)."""


# --- what a position states -------------------------------------------------------------------------------------------


class Displays(NamedTuple):
    """All that a position states of attachment; a side sees its own units only."""

    view: View
    areas: Mapping[str, frozenset[str]]
    """The area of each army."""
    fronts: Mapping[str, ArmyFront]
    """The Front Line of each army that has one."""
    units: tuple[AttachedUnit, ...]
    lone: Mapping[str, LoneAsset]
    """The Asset Units without a formation, by their ids."""

    @property
    def by_id(self) -> dict[str, AttachedUnit]:
        """The units by their ids."""
        return {unit.id: unit for unit in self.units}

    @property
    def recorded(self) -> list[AttachedUnit]:
        """The units that a display records."""
        return [unit for unit in self.units if unit.on_display]

    def trains_of(self, nation: str, corps: str) -> list[AttachedUnit]:
        """Return the Train of a corps of a nation, which has its ID. Rule: 2.1c"""
        return [unit for unit in self.units if unit.train and (unit.nation, unit.corps) == (nation, corps)]


def read_displays(view: View) -> Displays:
    """Return what a position states of attachment. Raises MissingFacts for a unit whose nation, arm or size is not
    stated.
    """
    placed = [unit for unit in view.state.units.values() if unit.place and unit.id not in view.decoys]
    shown = [unit for unit in placed if is_shown(view, view.game.side_of_unit(unit, view.state.facts))]
    stated = areas(view)
    with view.gather() as facts:
        units = tuple(gather_attached(facts, stated, unit) for unit in shown)
        on_map = gather_troops(facts)
    elsewhere = formations_led_from_elsewhere(units)
    if elsewhere and view.ruling("corps-or-area") == "corps":
        units = tuple(msgspec.structs.replace(unit, of_corps=elsewhere.get(unit.id, "")) for unit in units)
    fronts = {army: front for army in known_armies(view) if (front := front_of(view, army, on_map))}
    lone = {asset.id: asset for asset in lone_assets(units, view.board.distance)}
    return Displays(view, stated, fronts, units, lone)


# --- how it is judged -------------------------------------------------------------------------------------------------


def list_findings(displays: Displays) -> Iterator[Breach | Judged]:
    """Yield every breach of the rules of attachment in a position, and all that is still to be judged, in the order of
    the report.
    """
    yield from _find_on_map(displays)
    yield from unattached(displays)
    yield from divided_corps(displays)
    yield from independent_corps(displays)
    yield from full_armies(displays)
    yield from corps_tracks(displays)
    yield from formations_astray(displays)
    yield from strayed_corps(displays)
    yield from cross_nation(displays)
    yield from off_khans_track(displays)
    yield from assets_of_eighth(displays)
    yield from misplaced(displays)


def _find_on_map(displays: Displays) -> Iterator[Breach]:
    """Yield what is wrong with the areas of the armies and their boundaries."""
    view = displays.view
    lines = {army: front.hexes for army, front in displays.fronts.items()}

    def is_sea(hex: str) -> bool:
        return view.word("terrain", hex) == "sea"

    board = Map(view.board.neighbours, view.board.centre, is_sea)
    yield from shapes(displays.areas, board)
    yield from boundary_breaches(displays.areas, lines, board)
    boundaries, breaches = boundary_lines(displays.areas, lines, board)
    yield from breaches
    if boundaries:
        readings = view.game.rulings[BEND].readings
        bent = {reading: bent_boundaries(boundaries, board.centre, reading) for reading in readings}
        yield from bent[view.ruling(BEND, len({tuple(wrong) for wrong in bent.values()}) > 1)]


# --- armies -----------------------------------------------------------------------------------------------------------


class Unattached(Judged):
    """A corps or formation. army: that it belongs to, "" for none."""

    army: str

    def bars(self) -> Iterator[Clause]:
        """Yield that it has to belong to an army. Rule: 6.3"""
        yield not self.army, "6.3", "its army is not stated"


def unattached(displays: Displays) -> Iterator[Unattached]:
    """Yield each corps and formation with its army."""
    return (Unattached(view=displays.view, about=unit.id, army=unit.army) for unit in displays.recorded)


class DividedCorps(Judged):
    """A corps. units: all of it; recorded: the armies that they belong to."""

    corps: str
    units: Sequence[str]
    recorded: Sequence[str]

    @property
    def armies(self) -> str:
        """With which armies it is, in words."""
        return " and with ".join(self.recorded)

    def bars(self) -> Iterator[Clause]:
        """Yield that its units are with more than one army. Rule: 6.1.1"""
        yield len(self.recorded) > 1, "6.1.1", "{corps} Corps ({units}) is with {armies}"


def divided_corps(displays: Displays) -> Iterator[DividedCorps]:
    """Yield each corps with the armies of its units, as far as they have one."""
    for (_, corps), members in group_by_corps(unit for unit in displays.recorded if unit.army).items():
        first, *rest = names = [unit.id for unit in members]
        armies = sorted({unit.army for unit in members})
        others = *rest, *armies
        yield DividedCorps(view=displays.view, about=first, others=others, corps=corps, units=names, recorded=armies)


def group_by_corps(units: Iterable[AttachedUnit]) -> dict[tuple[str, str], list[AttachedUnit]]:
    """Return the units of each corps, by its nation and ID, in order."""
    members = defaultdict[tuple[str, str], list[AttachedUnit]](list)
    for unit in units:
        if unit.corps:
            members[unit.nation, unit.corps].append(unit)
    return dict(sorted(members.items()))


class ArmyArea(Judged):
    """An army with the Corps Trains in its area, whichever army they are recorded with. cavalry: whether any of them is
    that of a Cavalry Corps.
    """

    held: Sequence[str]
    cavalry: bool
    reserved: str = ""

    @property
    def limit(self) -> int:
        """Its Attachment Limit in corps."""
        return self.view.integer("attachment-limit", self.about)

    @fact
    def cavalry_track(self) -> bool:
        """One more of its tracks holds a Cavalry Corps."""
        return self.view.flag("cavalry-track", self.about)

    @fact
    def overfull(self) -> bool:
        """It holds more corps than its Attachment Limit, but for the one to which a track is reserved."""
        limit = self.facts.integer("attachment-limit", self.about) - bool(self.reserved)
        return len(self.held) - (self.cavalry and self.cavalry_track) > limit

    def bars(self) -> Iterator[Clause]:
        """Yield that there are more Corps Trains in its area than its Attachment Limit. Rule: 6.1.2"""
        yield (
            self.overfull,
            "6.1.2",
            "{many:#Corps Train} in its area ({held}); its limit is {limit}[cavalry_track: and one Cavalry Corps]",
        )

    @property
    def many(self) -> int:
        """How many corps it holds."""
        return len(self.held)


class ArmyDisplay(ArmyArea):
    """An army with the corps on its display, but for the one to which it keeps a track."""

    @property
    def room(self) -> int:
        """How many of its tracks are free to any corps."""
        return self.limit - bool(self.reserved)

    def bars(self) -> Iterator[Clause]:
        """Yield that there are more corps on its display than it has tracks; one kept for a corps has no room for
        another. Rule: 6.1.2b
        """
        yield (
            self.overfull,
            "6.1.2",
            "{many:#corps} ({held}); its Corps tracks hold {room}[reserved:, apart from the one reserved for {reserved}]",
        )


def full_armies(displays: Displays) -> Iterator[ArmyArea]:
    """Yield each army with the corps on its display, and with the Corps Trains in its area. Garrisons are no armies."""
    view = displays.view
    trains_last = sorted(displays.recorded, key=lambda unit: unit.train)
    for army in sorted({*(unit.army for unit in trains_last), *displays.areas} - {"", *GARRISONS}):
        corps = {unit.corps: _is_of_cavalry_corps(unit) for unit in trains_last if unit.corps and unit.army == army}
        trains = [unit for unit in displays.units if unit.train and not unit.entrained and unit.area == army]
        if corps or trains:
            kept = RESERVED.get(army, "")
            held = tuple(sorted(corps.keys() - {kept}))
            yield ArmyDisplay(view=view, about=army, held=held, cavalry=any(map(corps.get, held)), reserved=kept)
            names = tuple(train.id for train in trains)
            cavalry = any(train.cavalry_corps for train in trains)
            yield ArmyArea(view=view, about=army, others=names, held=names, cavalry=cavalry)


def _is_of_cavalry_corps(unit: AttachedUnit) -> bool:
    """Return whether the corps of a unit is a Cavalry Corps, as its ID or its Train says."""
    return is_cavalry_corps(unit.corps, marked=unit.cavalry_corps)


# --- corps ------------------------------------------------------------------------------------------------------------


class IndependentCorps(Judged):
    """A Corps Train. corps: the corps for which it stands, "" if it is recorded as independent."""

    corps: str

    def bars(self) -> Iterator[Clause]:
        """Yield that a corps never lies on an Independent track. Rule: 6.2.3"""
        yield not self.corps, "6.2.3", "a corps is never on the Independent track"


def independent_corps(displays: Displays) -> Iterator[IndependentCorps]:
    """Yield each Corps Train with its corps."""
    trains = (unit for unit in displays.units if unit.train)
    return (IndependentCorps(view=displays.view, about=train.id, corps=train.corps) for train in trains)


class OnCorpsTrack(Judged):
    """A formation on the track of a corps. cavalry: whether it is cavalry; cavalry_corps: whether the corps is a Cavalry
    Corps.
    """

    corps: str
    cavalry: bool
    cavalry_corps: bool

    def bars(self) -> Iterator[Clause]:
        """Yield that a Cavalry Corps has all cavalry and nothing else. Rule: 6.2.2a, 3.8.3b"""
        yield (
            self.cavalry and not self.cavalry_corps,
            "6.2.2a",
            "{corps} Corps is not a Cavalry Corps, and cavalry may join no other kind of corps",
        )
        yield (
            self.cavalry_corps and not self.cavalry,
            "6.2.2a",
            "{corps} Corps is a Cavalry Corps, which may hold only cavalry",
        )


class CorpsTrack(Judged):
    """A corps with the formations on its track. about: its Corps Train; divisions: how many, a brigade being half."""

    divisions: float

    @property
    def limit(self) -> int:
        """Its Attachment Limit in divisions."""
        return self.view.integer("corps-limit", self.about)

    @fact
    def too_large(self) -> bool:
        """It holds more divisions than its Attachment Limit."""
        return self.divisions > self.facts.integer("corps-limit", self.about)

    def bars(self) -> Iterator[Clause]:
        """Yield that it holds too many divisions. Rule: 6.2.2a"""
        yield self.too_large, "6.2.2a", "{divisions:g} divisions are attached to it; its limit is {limit}"


def corps_tracks(displays: Displays) -> Iterator[OnCorpsTrack | CorpsTrack]:
    """Yield the formations on each corps' track; and the tracks, where the Train is known and with it the limit."""
    for (_, corps), members in group_by_corps(displays.recorded).items():
        formations = [unit for unit in members if not unit.train]
        train = next((unit for unit in members if unit.train), None)
        for_cavalry = _is_of_cavalry_corps(train or members[0])
        for unit in formations:
            cavalry = unit.arm == "cavalry"
            yield OnCorpsTrack(
                view=displays.view, about=unit.id, corps=corps, cavalry=cavalry, cavalry_corps=for_cavalry
            )
        if train and formations:
            divisions = sum(1 if unit.size == "XX" else 0.5 for unit in formations)
            names = tuple(unit.id for unit in formations)
            yield CorpsTrack(view=displays.view, about=train.id, others=names, divisions=divisions)


class Astray(Judged):
    """A formation that is off the track of the corps that its ID names. corps: on whose track it is; train: the Train of
    its own corps.
    """

    corps: str
    own_corps: str
    train: AttachedUnit
    fronts: Mapping[str, ArmyFront]

    @fact
    def train_near_front(self) -> bool:
        """The Train of its own corps has left its railway and is within its extended range of the front."""
        train = self.train
        if train.entrained or not train.place or not train.army:
            return False
        own, others = list[int](), list[int]()
        for front in self.fronts.values():
            if side_of_army(front.army) == side_of_army(train.army):
                away = own if front.army == train.army else others
                away += [self.view.board.distance(train.place, hex) for hex in front.hexes]
        if not own and not (others and self.view.ruling("front-of-train") == "any"):
            self.facts.ask(ask_for_fact(self.view.game.track("front"), train.army))
            return False
        reach = self.facts.integer("range" if train.id == KG_TRAIN else "extended-range", train.id)
        near_own = any(away <= reach for away in own)
        near_others = any(away <= reach for away in others)
        return near_own or (near_others and self.view.ruling("front-of-train") == "any")

    def bars(self) -> Iterator[Clause]:
        """Yield that only the absence of its own corps' Train would allow this. Rule: 6.2.2, 6.2.2b"""
        yield (
            self.corps != self.own_corps and self.train_near_front,
            "6.2.2",
            "it is [corps:with {corps} Corps|independent], but its ID names {own_corps} Corps",
        )


def find_astray(displays: Displays) -> Iterator[Astray]:
    """Yield the formations off the track of their own corps whose Train is in play. Rule: 6.2.2"""
    for unit in displays.recorded:
        if unit.own_corps not in ("", unit.corps):
            for train in displays.trains_of(unit.nation, unit.own_corps)[:1]:
                yield Astray(
                    view=displays.view,
                    about=unit.id,
                    corps=unit.corps,
                    own_corps=unit.own_corps,
                    train=train,
                    fronts=displays.fronts,
                )


class FreelyAttached(Judged):
    """A formation off the track of its own corps under the optional rule. why: what would forbid that without it; many:
    how many formations of its nation are off theirs.
    """

    why: str
    many: int
    limit = FREE

    def bars(self) -> Iterator[Clause]:
        """Yield that the rule frees no more than two formations of a nation, and none of more. Rule: 6.2.2c"""
        yield (
            self.many > self.limit,
            "6.2.2",
            "{why}; {many} formations of its nation use the optional free attachment; the limit is {limit}",
        )


def formations_astray(displays: Displays) -> Iterator[FreelyAttached | Astray]:
    """Yield the formations off the track of their own corps; under the optional rule those that it may not free, and
    those of which it cannot be told. Rule: 6.2.2c
    """
    astray = [*find_astray(displays)]
    if not displays.view.flag("free-attachment"):
        yield from astray
        return
    units = displays.by_id
    of_nation = Counter(units[case.about].nation for case in astray)
    many = [case for case in astray if of_nation[units[case.about].nation] > FREE]
    yield from (case for case in many if judge([case])[1])
    breaches, _ = judge(many)
    used = Counter(units[breach.about].nation for breach in breaches)
    for breach in breaches:
        many_used = used[units[breach.about].nation]
        yield FreelyAttached(view=displays.view, about=breach.about, why=breach.why, many=many_used)


class StrayedCorps(Judged):
    """A corps that belongs with one army and is with another one. army: that other one; home: the one with which it
    belongs.
    """

    corps: str
    home: str
    army: str

    @fact
    def campaign(self) -> bool:
        """The rules of the Grand Campaign are in use."""
        return self.view.flag("campaign")

    @fact
    def since_gt_29(self) -> bool:
        """It is GT 29, or later."""
        return self.facts.integer("turn") >= SINCE

    def bars(self) -> Iterator[Clause]:
        """Yield why a corps may not be with that army: KG Corps never, and in the Grand Campaign HN Corps, and 3 LW
        Corps from a game turn on.

        Rule: 22.3.2, 22.5, 23.2
        """
        yield self.corps == KOENIGSBERG, "22.5", "{corps} Corps is with {army}, but belongs with {home}"
        yield self.corps == "HN" and self.campaign, "23.2", "{corps} Corps is with {army}, but belongs with {home}"
        yield (
            self.corps == LANDWEHR and self.campaign and self.since_gt_29,
            "22.3.2",
            "{corps} Corps is with {army}, but belongs with {home}",
        )


def strayed_corps(displays: Displays, **known: bool) -> Iterator[StrayedCorps]:
    """Yield each corps that is with another army than the one that keeps a track for it. known: facts of it, as they are
    supposed.
    """
    for home, corps in RESERVED.items():
        members = [unit for unit in displays.recorded if (unit.nation, unit.corps) == (NATIONS[home], corps)]
        strayed = [unit for unit in members if unit.army not in ("", home)]
        if strayed:
            first = min(strayed, key=lambda unit: not unit.train)
            others = (*(unit.id for unit in strayed if unit is not first), first.army, home)
            yield StrayedCorps(
                view=displays.view, about=first.id, others=others, corps=corps, home=home, army=first.army, **known
            )


def of_campaign(displays: Displays, breaches: Sequence[Breach]) -> list[Breach]:
    """Return the breaches of rules of the campaign, where nobody has stated whether these are in use. breaches: the
    others.
    """
    if not campaign_is_unstated(displays.view):
        return []
    every, _ = judge(strayed_corps(displays, campaign=True))
    return [breach for breach in every if breach not in breaches]


# --- nations and leaders ----------------------------------------------------------------------------------------------


class Abroad(Judged):
    """A formation or corps under the army of another nation. kind: of which kind of those that may serve there it is, ""
    for none; alike: all of that kind that do; arm: what those of its nation are.
    """

    army: str
    kind: str
    alike: Sequence[str]
    arm: str

    @property
    def many(self) -> int:
        """How many of its kind serve there."""
        return len(self.alike)

    @fact
    def out_of_turn(self) -> bool:
        """The game turn is not one of GT 4 to 18."""
        return self.facts.integer("turn") not in LANDWEHR_TURNS

    @fact
    def no_others(self) -> bool:
        """Only those that the rule names may serve under the other nation."""
        return self.view.ruling("cross-nation") == "only"

    def bars(self) -> Iterator[Clause]:
        """Yield that it may not serve there: one German reserve division at a time may, with 3 LW Corps for some turns, and
        one Austro-Hungarian cavalry division. Whether others may not is a ruling. Rule: 6.2.4
        """
        yield (
            self.kind == LANDWEHR and self.out_of_turn,
            "6.2.4",
            "3 LW Corps may serve under an Austro-Hungarian army only in GT 4 to 18",
        )
        yield (
            self.kind not in ("", LANDWEHR) and self.many > 1,
            "6.2.4",
            "{many} {kind} divisions serve under the other nation ({alike}); the limit is one",
        )
        yield (
            not self.kind and self.no_others,
            "6.2.4",
            "only one {arm} division of its nation may serve under {army}",
        )


def cross_nation(displays: Displays) -> Iterator[Abroad]:
    """Yield each formation and corps under the army of another nation, those of one kind together."""
    by_kind: dict[str, list[AttachedUnit]] = {kind: [] for kind in (LANDWEHR, *ABROAD.values(), "")}
    for unit in displays.recorded:
        if unit.nation != NATIONS.get(unit.army, unit.nation):
            by_kind[_find_kind(unit)].append(unit)
    for kind, units in by_kind.items():
        alike = [unit.id for unit in units]
        for unit in units:
            arm = "reserve" if unit.nation == "german" else "cavalry"
            yield Abroad(view=displays.view, about=unit.id, army=unit.army, kind=kind, alike=alike, arm=arm)


ABROAD = {"german": "German reserve", "austro-hungarian": "Austro-Hungarian cavalry"}
"""The divisions of each nation of which one may serve under the other (6.2.4)."""


def _find_kind(unit: AttachedUnit) -> str:
    """Return of which kind of those that may serve under another nation a unit is, "" for none: a reserve division by
    its ID, as 3 r, 36 r/1 R. Rule: 6.2.4
    """
    if unit.nation == "german" and LANDWEHR in (unit.corps, unit.own_corps):
        return LANDWEHR
    reserve = unit.arm == "infantry" and unit.id.partition("/")[0].endswith(" r")
    may = reserve if unit.nation == "german" else unit.arm == "cavalry"
    return ABROAD[unit.nation] if may and unit.size == "XX" else ""


class OffKhansTrack(Judged):
    """A formation of the Russian 1st Cavalry Corps on another track than that of its corps."""

    @fact
    def khan_commands(self) -> bool:
        """Khan Nakhichevanski commands the corps."""
        leader = leader_named("khan")
        return khan.commands_corps(leader.nation, leader.corps, self.facts.integer("turn"))

    def bars(self) -> Iterator[Clause]:
        """Yield that he keeps it there. Rule: 25.1.2"""
        yield (
            self.khan_commands,
            "25.1.2",
            "it stays on the track of the 1 C Corps while Khan Nakhichevanski commands it, up to GT 16",
        )


def off_khans_track(displays: Displays) -> Iterator[OffKhansTrack]:
    """Yield the formations on another track than that of the 1st Cavalry Corps, with which the Khan keeps them."""
    for unit in displays.recorded:
        if khan.is_astray(unit.nation, unit.id, unit.corps):
            yield OffKhansTrack(view=displays.view, about=unit.id)


class AssetOfEighth(Judged):
    """An Asset Unit that began the game turn in the area of the Eighth Army. joined: the formation that it is attached
    to; army: the army of that.
    """

    joined: str
    army: str

    @fact
    def francois_commands(self) -> bool:
        """Francois commands the Eighth Army."""
        return commands_now(self.facts, leader_named("francois-eighth"))

    def bars(self) -> Iterator[Clause]:
        """Yield that he lets it join no other army. Rule: 25.6.2a"""
        yield (
            self.army not in ("", EIGHTH_ARMY) and self.francois_commands,
            "25.6.2",
            "it began the game turn in the area of the Eighth Army, and {joined} is of {army}",
        )


def assets_of_eighth(displays: Displays) -> Iterator[AssetOfEighth]:
    """Yield the Asset Units that began the game turn in the area of the Eighth Army, with what they are attached to."""
    units = displays.by_id
    for unit in displays.units:
        joined = units.get(unit.chosen or unit.joined)
        if unit.asset and joined and displays.view.flag(BEGAN, unit.id):
            yield AssetOfEighth(
                view=displays.view, about=unit.id, others=(joined.id,), joined=joined.id, army=joined.army
            )


# --- where units are --------------------------------------------------------------------------------------------------


class OutOfPlace(Judged):
    """A unit that stands in an area. army: its own; area: the army of that area, "" if it belongs to none by it."""

    army: str
    area: str
    tolerated = True

    def bars(self) -> Iterator[Clause]:
        """Yield that it is in the area of another army of its side, which is put right as soon as may be; garrisons may
        stand in any. Rule: 6.1.1d
        """
        yield (
            self.army not in GARRISONS and self.area not in ("", self.army),
            "6.1.1",
            "it belongs to {army} but stands in the area of {area}: it should leave or change its army as soon as possible, "
            "and until then may not enter a hex adjacent to an enemy outside the Area of Attachment of its army",
        )


class ForeignAsset(Judged):
    """An Asset Unit that its owner attaches to a formation. joined: that formation; nations: of both."""

    joined: str
    nations: tuple[str, str]

    def bars(self) -> Iterator[Clause]:
        """Yield that the formation is of another nation. Rule: 6.2.4b"""
        yield (
            self.nations[0] != self.nations[1],
            "6.2.4",
            "{joined} is of another nation; an Asset Unit joins only units of its nation",
        )


def misplaced(displays: Displays) -> Iterator[OutOfPlace | ForeignAsset]:
    """Yield the units with the area in which they stand, and the Asset Units with the formation that they join."""
    units = displays.by_id
    for unit in displays.units:
        yield OutOfPlace(view=displays.view, about=unit.id, army=unit.army, area=unit.by_area)
        if unit.asset and (joined := units.get(unit.chosen)):
            nations = unit.nation, joined.nation
            others = (joined.id,)
            yield ForeignAsset(view=displays.view, about=unit.id, others=others, joined=joined.id, nations=nations)


# --- a change ---------------------------------------------------------------------------------------------------------


def breaches_made(before: Sequence[Breach], after: Sequence[Breach], touched: frozenset[str]) -> list[Breach]:
    """Return the breaches that a change makes, or leaves with what it touches: the units that change, and what they
    join.
    """
    alike = {(breach.rule, breach.about) for breach in before if not breach.tolerated}
    new = [breach for breach in after if not breach.tolerated and breach not in before]
    return [breach for breach in new if breach.about in touched or (breach.rule, breach.about) not in alike]


BARRED = "{about}: {why}, which is a breach"
"""The words for a breach of a rule of the campaign."""
