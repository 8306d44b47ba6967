"""The rules of attachment for armies, corps and units, and their breaches in a position (6.1 to 6.4).

Each breach is judged if the facts that decide it are stated.
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
    NATION_BY_ARMY,
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
from ..forces.leaders import BEGAN_IN_EIGHTH_TRACK, EIGHTH_ARMY
from ..ground.calendar import campaign_is_unstated
from ..leaders import khan
from ..leaders.command import leader_named
from ..leaders.facts import commands_now
from ..terms import KG_TRAIN, LANDWEHR, LANDWEHR_TURNS
from .boundaries import Map, bent_boundaries, boundary_breaches, boundary_lines, shapes

BEND_RULING = "boundary-bend"
"""The ruling on how straight a boundary runs (6.1)."""
MAX_FREE_ATTACHMENTS = 2
"""Maximum formations of a nation that the optional rule frees from the corps in their ID (6.2.2)."""
KOENIGSBERG = "KG"
RESERVED_CORPS = {"central-powers AG P-B": "HN", "central-powers Eighth": KOENIGSBERG, "central-powers AG W": LANDWEHR}
"""Corps for which an army keeps one of its Corps tracks (6.1.2)."""
FIRST_LANDWEHR_TURN = 29
"""The first game turn in which 3 LW Corps belongs with AG W (22.3.2)."""


# --- stated attachments -----------------------------------------------------------------------------------------------


class Displays(NamedTuple):
    """All stated attachments; a side sees only its own units."""

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
        return {unit.id: unit for unit in self.units}

    @property
    def recorded(self) -> list[AttachedUnit]:
        return [unit for unit in self.units if unit.on_display]

    def trains_of(self, nation: str, corps: str) -> list[AttachedUnit]:
        """Return the Trains of a corps of a nation, which have its ID. Rule: 2.1c"""
        return [unit for unit in self.units if unit.train and (unit.nation, unit.corps) == (nation, corps)]


def read_displays(view: View) -> Displays:
    """Return the stated attachments.

    Raises MissingFacts if a unit's nation, arm or size is not stated.
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


# --- all breaches -----------------------------------------------------------------------------------------------------


def list_findings(displays: Displays) -> Iterator[Breach | Judged]:
    """Yield all breaches of the rules of attachment, and cases to be judged, in the order of the report."""
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
        readings = view.game.rulings[BEND_RULING].readings
        bent = {reading: bent_boundaries(boundaries, board.centre, reading) for reading in readings}
        yield from bent[view.ruling(BEND_RULING, len({tuple(wrong) for wrong in bent.values()}) > 1)]


# --- armies -----------------------------------------------------------------------------------------------------------


class Unattached(Judged):
    """A corps or formation, which must belong to an army.

    `army`: the army, or "" for none.
    """

    army: str

    def bars(self) -> Iterator[Clause]:
        """Yield a breach without an army. Rule: 6.3"""
        yield not self.army, "6.3", "its army is not stated"


def unattached(displays: Displays) -> Iterator[Unattached]:
    """Yield each corps and formation with its army."""
    return (Unattached(view=displays.view, about=unit.id, army=unit.army) for unit in displays.recorded)


class DividedCorps(Judged):
    """A corps, all units of which must be with one army.

    `units`: all units of the corps.
    `recorded`: the armies of the units.
    """

    corps: str
    units: Sequence[str]
    recorded: Sequence[str]

    @property
    def armies(self) -> str:
        return " and with ".join(self.recorded)

    def bars(self) -> Iterator[Clause]:
        """Yield a breach if units of the corps are with several armies. Rule: 6.1.1"""
        yield len(self.recorded) > 1, "6.1.1", "{corps} Corps ({units}) is with {armies}"


def divided_corps(displays: Displays) -> Iterator[DividedCorps]:
    """Yield each corps with the known armies of its units."""
    for (_, corps), members in group_by_corps(unit for unit in displays.recorded if unit.army).items():
        first, *rest = names = [unit.id for unit in members]
        armies = sorted({unit.army for unit in members})
        others = *rest, *armies
        yield DividedCorps(view=displays.view, about=first, others=others, corps=corps, units=names, recorded=armies)


def group_by_corps(units: Iterable[AttachedUnit]) -> dict[tuple[str, str], list[AttachedUnit]]:
    """Return the units of each corps by nation and corps ID, in order."""
    members = defaultdict[tuple[str, str], list[AttachedUnit]](list)
    for unit in units:
        if unit.corps:
            members[unit.nation, unit.corps].append(unit)
    return dict(sorted(members.items()))


class ArmyArea(Judged):
    """An army with the Corps Trains in its area, whichever army they are recorded with.

    `cavalry`: whether any of the Trains belongs to a Cavalry Corps.
    """

    held: Sequence[str]
    cavalry: bool
    reserved: str = ""

    @property
    def limit(self) -> int:
        return self.view.integer("attachment-limit", self.about)

    @fact
    def cavalry_track(self) -> bool:
        """One more of its tracks holds a Cavalry Corps."""
        return self.view.flag("cavalry-track", self.about)

    @fact
    def overfull(self) -> bool:
        """It holds more corps than its Attachment Limit, except the corps with a reserved track."""
        limit = self.facts.integer("attachment-limit", self.about) - bool(self.reserved)
        return len(self.held) - (self.cavalry and self.cavalry_track) > limit

    def bars(self) -> Iterator[Clause]:
        """Yield a breach if the area has more Corps Trains than the army's Attachment Limit. Rule: 6.1.2"""
        yield (
            self.overfull,
            "6.1.2",
            "{many:#Corps Train} in its area ({held}); its limit is {limit}[cavalry_track: and one Cavalry Corps]",
        )

    @property
    def many(self) -> int:
        return len(self.held)


class ArmyDisplay(ArmyArea):
    """An army with the corps on its display, except the corps with a reserved track."""

    @property
    def room(self) -> int:
        """The number of tracks that are open to any corps."""
        return self.limit - bool(self.reserved)

    def bars(self) -> Iterator[Clause]:
        """Yield a breach if the display has more corps than open tracks. Rule: 6.1.2b"""
        yield (
            self.overfull,
            "6.1.2",
            "{many:#corps} ({held}); its Corps tracks hold {room}[reserved:, apart from the one reserved for {reserved}]",
        )


def full_armies(displays: Displays) -> Iterator[ArmyArea]:
    """Yield each army with the corps on its display, and with the Corps Trains in its area.

    Garrisons are left out, as they are not armies.
    """
    view = displays.view
    trains_last = sorted(displays.recorded, key=lambda unit: unit.train)
    for army in sorted({*(unit.army for unit in trains_last), *displays.areas} - {"", *GARRISONS}):
        corps = {unit.corps: _is_of_cavalry_corps(unit) for unit in trains_last if unit.corps and unit.army == army}
        trains = [unit for unit in displays.units if unit.train and not unit.entrained and unit.area == army]
        if corps or trains:
            kept = RESERVED_CORPS.get(army, "")
            held = tuple(sorted(corps.keys() - {kept}))
            yield ArmyDisplay(view=view, about=army, held=held, cavalry=any(map(corps.get, held)), reserved=kept)
            names = tuple(train.id for train in trains)
            cavalry = any(train.cavalry_corps for train in trains)
            yield ArmyArea(view=view, about=army, others=names, held=names, cavalry=cavalry)


def _is_of_cavalry_corps(unit: AttachedUnit) -> bool:
    return is_cavalry_corps(unit.corps, marked=unit.cavalry_corps)


# --- corps ------------------------------------------------------------------------------------------------------------


class IndependentCorps(Judged):
    """A Corps Train, which is never on an Independent track.

    `corps`: the corps of the Train, or "" if it is recorded as independent.
    """

    corps: str

    def bars(self) -> Iterator[Clause]:
        """Yield a breach without a corps. Rule: 6.2.3"""
        yield not self.corps, "6.2.3", "a corps is never on the Independent track"


def independent_corps(displays: Displays) -> Iterator[IndependentCorps]:
    """Yield each Corps Train with its corps."""
    trains = (unit for unit in displays.units if unit.train)
    return (IndependentCorps(view=displays.view, about=train.id, corps=train.corps) for train in trains)


class OnCorpsTrack(Judged):
    """A formation on the track of a corps.

    `cavalry`: whether the formation is cavalry.
    `cavalry_corps`: whether the corps is a Cavalry Corps.
    """

    corps: str
    cavalry: bool
    cavalry_corps: bool

    def bars(self) -> Iterator[Clause]:
        """Yield a breach unless all cavalry, and only cavalry, is in Cavalry Corps. Rule: 6.2.2a, 3.8.3b"""
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
    """A corps with the formations on its track.

    `about`: the Corps Train.
    `divisions`: the number of divisions, a brigade counting as half.
    """

    divisions: float

    @property
    def limit(self) -> int:
        return self.view.integer("corps-limit", self.about)

    @fact
    def too_large(self) -> bool:
        """It holds more divisions than its Attachment Limit."""
        return self.divisions > self.facts.integer("corps-limit", self.about)

    def bars(self) -> Iterator[Clause]:
        """Yield a breach if the track holds too many divisions. Rule: 6.2.2a"""
        yield self.too_large, "6.2.2a", "{divisions:g} divisions are attached to it; its limit is {limit}"


def corps_tracks(displays: Displays) -> Iterator[OnCorpsTrack | CorpsTrack]:
    """Yield the formations on each corps' track, and the tracks with a known Train, and so a known limit."""
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
    """A formation off the track of the corps in its ID.

    `corps`: the corps whose track the formation is on.
    `train`: the Train of its own corps.
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
        """Yield a breach unless the Train of the formation's own corps is away from the front. Rule: 6.2.2, 6.2.2b"""
        yield (
            self.corps != self.own_corps and self.train_near_front,
            "6.2.2",
            "it is [corps:with {corps} Corps|independent], but its ID names {own_corps} Corps",
        )


def find_astray(displays: Displays) -> Iterator[Astray]:
    """Yield the formations off the track of their own corps if the Train of that corps is in play. Rule: 6.2.2"""
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
    """A formation off the track of its own corps under the optional rule.

    `why`: the breach without that rule.
    `many`: the number of formations of its nation off their tracks.
    """

    why: str
    many: int
    limit = MAX_FREE_ATTACHMENTS

    def bars(self) -> Iterator[Clause]:
        """Yield a breach if more than two formations of a nation use the rule, which then frees none. Rule: 6.2.2c"""
        yield (
            self.many > self.limit,
            "6.2.2",
            "{why}; {many} formations of its nation use the optional free attachment; the limit is {limit}",
        )


def formations_astray(displays: Displays) -> Iterator[FreelyAttached | Astray]:
    """Yield the formations off the track of their own corps.

    Under the optional rule, formations that it frees are left out.

    Rule: 6.2.2c
    """
    astray = [*find_astray(displays)]
    if not displays.view.flag("free-attachment"):
        yield from astray
        return
    units = displays.by_id
    of_nation = Counter(units[case.about].nation for case in astray)
    many = [case for case in astray if of_nation[units[case.about].nation] > MAX_FREE_ATTACHMENTS]
    yield from (case for case in many if judge([case])[1])
    breaches, _ = judge(many)
    used = Counter(units[breach.about].nation for breach in breaches)
    for breach in breaches:
        many_used = used[units[breach.about].nation]
        yield FreelyAttached(view=displays.view, about=breach.about, why=breach.why, many=many_used)


class StrayedCorps(Judged):
    """A corps that is with another army than its own.

    `home`: the army with which the corps belongs.
    `army`: the army that the corps is with.
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
        return self.facts.integer("turn") >= FIRST_LANDWEHR_TURN

    def bars(self) -> Iterator[Clause]:
        """Yield a breach for KG Corps; in the Grand Campaign for HN Corps, and for 3 LW Corps from a game turn on.

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
    """Yield each corps that is with another army than the one that keeps a track for it.

    `known`: facts of the case to suppose.
    """
    for home, corps in RESERVED_CORPS.items():
        members = [unit for unit in displays.recorded if (unit.nation, unit.corps) == (NATION_BY_ARMY[home], corps)]
        strayed = [unit for unit in members if unit.army not in ("", home)]
        if strayed:
            first = min(strayed, key=lambda unit: not unit.train)
            others = (*(unit.id for unit in strayed if unit is not first), first.army, home)
            yield StrayedCorps(
                view=displays.view, about=first.id, others=others, corps=corps, home=home, army=first.army, **known
            )


def of_campaign(displays: Displays, breaches: Sequence[Breach]) -> list[Breach]:
    """Return the breaches of campaign rules if the use of these rules is not stated.

    `breaches`: the other breaches, which are left out.
    """
    if not campaign_is_unstated(displays.view):
        return []
    every, _ = judge(strayed_corps(displays, campaign=True))
    return [breach for breach in every if breach not in breaches]


# --- nations and leaders ----------------------------------------------------------------------------------------------


class Abroad(Judged):
    """A formation or corps under the army of another nation.

    `kind`: the kind of unit that may serve there, or "" if this one may not.
    `alike`: all units of that kind that serve there.
    `arm`: the kind of division of its nation that may serve there.
    """

    army: str
    kind: str
    alike: Sequence[str]
    arm: str

    @property
    def many(self) -> int:
        """The number of units of the same kind that serve there."""
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
        """Yield a breach unless the unit may serve there.

        At one time, one German reserve division may, 3 LW Corps for some turns, and one Austro-Hungarian cavalry
        division. A ruling decides on all others.

        Rule: 6.2.4
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
    """Yield each formation and corps under the army of another nation, grouped by kind."""
    by_kind: dict[str, list[AttachedUnit]] = {kind: [] for kind in (LANDWEHR, *DIVISIONS_ABROAD.values(), "")}
    for unit in displays.recorded:
        if unit.nation != NATION_BY_ARMY.get(unit.army, unit.nation):
            by_kind[_find_kind(unit)].append(unit)
    for kind, units in by_kind.items():
        alike = [unit.id for unit in units]
        for unit in units:
            arm = "reserve" if unit.nation == "german" else "cavalry"
            yield Abroad(view=displays.view, about=unit.id, army=unit.army, kind=kind, alike=alike, arm=arm)


DIVISIONS_ABROAD = {"german": "German reserve", "austro-hungarian": "Austro-Hungarian cavalry"}
"""The kind of division of each nation, one of which may serve under the other nation (6.2.4)."""


def _find_kind(unit: AttachedUnit) -> str:
    """Return the kind of a unit that may serve under another nation, or "" for any other unit.

    A reserve division is recognized by its ID, as 3 r, 36 r/1 R.

    Rule: 6.2.4
    """
    if unit.nation == "german" and LANDWEHR in (unit.corps, unit.own_corps):
        return LANDWEHR
    reserve = unit.arm == "infantry" and unit.id.partition("/")[0].endswith(" r")
    may = reserve if unit.nation == "german" else unit.arm == "cavalry"
    return DIVISIONS_ABROAD[unit.nation] if may and unit.size == "XX" else ""


class OffKhansTrack(Judged):
    """A formation of the Russian 1st Cavalry Corps on another track than that of its corps."""

    @fact
    def khan_commands(self) -> bool:
        """Khan Nakhichevanski commands the corps."""
        leader = leader_named("khan")
        return khan.commands_corps(leader.nation, leader.corps, self.facts.integer("turn"))

    def bars(self) -> Iterator[Clause]:
        """Yield a breach while Khan Nakhichevanski commands the corps. Rule: 25.1.2"""
        yield (
            self.khan_commands,
            "25.1.2",
            "it stays on the track of the 1 C Corps while Khan Nakhichevanski commands it, up to GT 16",
        )


def off_khans_track(displays: Displays) -> Iterator[OffKhansTrack]:
    """Yield the formations of the 1st Cavalry Corps that are off its track."""
    for unit in displays.recorded:
        if khan.is_astray(unit.nation, unit.id, unit.corps):
            yield OffKhansTrack(view=displays.view, about=unit.id)


class AssetOfEighth(Judged):
    """An Asset Unit that began the game turn in the area of the Eighth Army.

    `joined`: the formation to which it is attached.
    `army`: the formation's army.
    """

    joined: str
    army: str

    @fact
    def francois_commands(self) -> bool:
        """Francois commands the Eighth Army."""
        return commands_now(self.facts, leader_named("francois-eighth"))

    def bars(self) -> Iterator[Clause]:
        """Yield a breach if the unit joins another army while Francois commands. Rule: 25.6.2a"""
        yield (
            self.army not in ("", EIGHTH_ARMY) and self.francois_commands,
            "25.6.2",
            "it began the game turn in the area of the Eighth Army, and {joined} is of {army}",
        )


def assets_of_eighth(displays: Displays) -> Iterator[AssetOfEighth]:
    """Yield the Asset Units that began the game turn in the area of the Eighth Army, with their formations."""
    units = displays.by_id
    for unit in displays.units:
        joined = units.get(unit.chosen or unit.joined)
        if unit.asset and joined and displays.view.flag(BEGAN_IN_EIGHTH_TRACK, unit.id):
            yield AssetOfEighth(
                view=displays.view, about=unit.id, others=(joined.id,), joined=joined.id, army=joined.army
            )


# --- places of units --------------------------------------------------------------------------------------------------


class OutOfPlace(Judged):
    """A unit in an area.

    `army`: the unit's army.
    `area`: the army of the area, or "" if it belongs to none by its area.
    """

    army: str
    area: str
    tolerated = True

    def bars(self) -> Iterator[Clause]:
        """Yield a tolerated breach if the unit is in the area of another army of its side.

        Garrisons may be in any area.

        Rule: 6.1.1d
        """
        yield (
            self.army not in GARRISONS and self.area not in ("", self.army),
            "6.1.1",
            "it belongs to {army} but stands in the area of {area}: it should leave or change its army as soon as possible, "
            "and until then may not enter a hex adjacent to an enemy outside the Area of Attachment of its army",
        )


class ForeignAsset(Judged):
    """An Asset Unit with the formation that its owner chose.

    `nations`: the nations of both units.
    """

    joined: str
    nations: tuple[str, str]

    def bars(self) -> Iterator[Clause]:
        """Yield a breach if the formation is of another nation. Rule: 6.2.4b"""
        yield (
            self.nations[0] != self.nations[1],
            "6.2.4",
            "{joined} is of another nation; an Asset Unit joins only units of its nation",
        )


def misplaced(displays: Displays) -> Iterator[OutOfPlace | ForeignAsset]:
    """Yield the units with the area that they are in, and the Asset Units with their chosen formation."""
    units = displays.by_id
    for unit in displays.units:
        yield OutOfPlace(view=displays.view, about=unit.id, army=unit.army, area=unit.by_area)
        if unit.asset and (joined := units.get(unit.chosen)):
            nations = unit.nation, joined.nation
            others = (joined.id,)
            yield ForeignAsset(view=displays.view, about=unit.id, others=others, joined=joined.id, nations=nations)


# --- breaches by a change ---------------------------------------------------------------------------------------------


def breaches_made(before: Sequence[Breach], after: Sequence[Breach], touched: frozenset[str]) -> list[Breach]:
    """Return the breaches that a change makes, or leaves in the units that it touches.

    `touched`: the units that change, and the units that they join.
    """
    alike = {(breach.rule, breach.about) for breach in before if not breach.tolerated}
    new = [breach for breach in after if not breach.tolerated and breach not in before]
    return [breach for breach in new if breach.about in touched or (breach.rule, breach.about) not in alike]


BARRED_TEXT = "{about}: {why}, which is a breach"
"""Text for a breach of a campaign rule."""
