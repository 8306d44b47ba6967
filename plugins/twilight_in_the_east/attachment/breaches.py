"""Every breach of the rules of attachment in a position, as far as what they depend on is stated (6.1 to 6.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from assistant.questions import View
from assistant.questions.report import Ask
from assistant.questions.view import ask_for_fact

from ..control.front_line import FrontFound, front_of, troops
from ..forces.armies import (
    GARRISONS,
    NATIONS,
    Breach,
    areas,
    is_cavalry_corps,
    is_shown,
    known_armies,
    side_of_army,
)
from ..forces.assets import (
    AttachedUnit,
    LoneAsset,
    foreign_formation,
    gather_attached,
    led_from_elsewhere,
    lone_assets,
    misplaced,
)
from ..terms import KG_TRAIN, LANDWEHR
from . import rules
from .areas import boundary_breaches, shapes
from .rules import Limit

Units = tuple[AttachedUnit, ...]


class Attachments(NamedTuple):
    """All that a position says of attachment.

    units: every unit whose display may be seen; areas: the hexes of each army whose area is stated; fronts: by army; asks: what
    is not stated, by track and subject, and without which something is not judged.
    """

    units: Units
    areas: Mapping[str, frozenset[str]]
    fronts: Mapping[str, FrontFound]
    asks: Mapping[tuple[str, str], Ask]
    breaches: tuple[Breach, ...]
    lone: tuple[LoneAsset, ...]


def attachments(view: View) -> Attachments:
    """All units of a position with what they belong to, and every breach of theirs.

    A side is told of its own units only, as displays may be kept from the other.
    """
    shown = [
        unit
        for unit in view.state.units.values()
        if unit.place and is_shown(view, view.game.side_of_unit(unit, view.state.facts))
    ]
    known = areas(view)
    with view.gather() as facts:
        units = tuple(gather_attached(facts, known, unit) for unit in shown)
        on_map = troops(facts)
        free = facts.flag("free-attachment")
    elsewhere = led_from_elsewhere(units)
    if elsewhere and view.ruling("corps-or-area") == "corps":
        units = tuple(unit._replace(of_corps=elsewhere.get(unit.id, "")) for unit in units)
    fronts = {army: front for army in known_armies(view) if (front := front_of(view, army, on_map))}
    judge = _Judge(view, units, known, fronts)
    breaches = [
        *shapes(known, view.board.neighbours),
        *boundary_breaches(
            known, {army: front.hexes for army, front in fronts.items()}, view.board.neighbours, view.board.distance
        ),
        *rules.unattached(judge.recorded),
        *rules.independent_corps(judge.recorded),
        *judge.armies(),
        *judge.corps(),
        *judge.wrong_corps(free=free),
        *judge.strayed_corps(),
        *judge.cross_nation(),
        *(breach for unit in units for breach in (misplaced(unit), foreign_formation(unit, units)) if breach),
    ]
    return Attachments(units, known, fronts, judge.asks, tuple(breaches), lone_assets(units, view.board.distance))


class _Judge:
    """Puts the units of a position before the rules, and asks for what is not stated only where it matters."""

    def __init__(
        self, view: View, units: Units, known: Mapping[str, frozenset[str]], fronts: Mapping[str, FrontFound]
    ) -> None:
        self.view, self.units, self.areas, self.fronts = view, units, known, fronts
        self.asks: dict[tuple[str, str], Ask] = {}
        self.recorded = [unit for unit in units if unit.on_display]

    def stated(self, track: str, subject: str) -> int | None:
        """A number, None if it is not stated, which is then asked for."""
        if self.view.fact(track, subject) is not None:
            return self.view.number(track, subject)
        self.ask(track, subject)
        return None

    def ask(self, track: str, subject: str) -> None:
        self.asks[track, subject] = ask_for_fact(self.view.game.track(track), subject)

    def armies(self) -> list[Breach]:
        """The number of corps of each army, on its display and in its area."""
        breaches = []
        for army in sorted({unit.army for unit in self.recorded if unit.army} | set(self.areas)):
            corps = {}
            for unit in sorted(self.recorded, key=lambda unit: unit.train):
                if unit.army == army and unit.corps:
                    corps[unit.corps] = _of_cavalry(unit)
            inside = [unit for unit in self.units if unit.train and not unit.entrained and unit.area == army]
            if army in GARRISONS or not (corps or inside):
                continue
            if (most := self.stated("attachment-limit", army)) is not None:
                limit = Limit(most, self.view.flag("cavalry-track", army))
                breaches += rules.too_many_corps(army, corps, limit)
                breaches += rules.too_many_trains(army, inside, limit)
        return breaches

    def corps(self) -> list[Breach]:
        """The formations on each corps' track. The limit of a corps is known by its Train."""
        breaches = []
        for key in sorted({(unit.nation, unit.corps) for unit in self.recorded if unit.corps}):
            members = [unit for unit in self.recorded if (unit.nation, unit.corps) == key]
            formations = [unit for unit in members if not unit.train]
            train = next((unit for unit in members if unit.train), None)
            most = self.stated("corps-limit", train.id) if train and formations else None
            cavalry = _of_cavalry(train or members[0])
            name = train.id if train else ""
            breaches += rules.on_corps_track(key[1], formations, most, cavalry=cavalry, train=name)
        return breaches

    def wrong_corps(self, *, free: bool) -> list[Breach]:
        """The formations off the track of their own corps, as far as the optional rule does not free them."""
        trains = {(unit.nation, unit.corps): unit for unit in reversed(self.units) if unit.train}
        named = [unit for unit in self.recorded if not unit.train and unit.own_corps]
        astray = [unit for unit in named if unit.corps != unit.own_corps and (unit.nation, unit.own_corps) in trains]
        if free:  # where the train is matters only for more than those that the optional rule frees
            nations = Counter(unit.nation for unit in astray)
            astray = [unit for unit in astray if nations[unit.nation] > rules.FREE]
        breaches = []
        for unit in astray:
            available = self.available(trains[unit.nation, unit.own_corps])
            breaches += rules.wrong_corps(unit, own_train_available=available)
        return rules.beyond_free_attachment(breaches, named) if free else breaches

    def available(self, train: AttachedUnit) -> bool:
        """Whether a Corps Train has left its railway and stands within its extended range of the front: its army's Front Line, or
        any of its side's (a ruling); no if that line or that range is not stated, which is then asked for. Rule: 6.2.2b
        """
        if train.entrained or not train.place or not train.army:
            return False
        side = [front for front in self.fronts.values() if side_of_army(front.army) == side_of_army(train.army)]
        own, others = list[int](), list[int]()
        for front in side:
            away = [self.view.board.distance(train.place, hex) for hex in front.hexes]
            (own if front.army == train.army else others).extend(away)
        if not own and not (others and self.view.ruling("front-of-train") == "any"):
            self.ask("front", train.army)
            return False
        reach = self.stated("range" if train.id == KG_TRAIN else "extended-range", train.id)  # that one has no other
        if reach is None or not rules.reaches_front(own, others, reach, "any"):
            return False
        return rules.reaches_front(own, others, reach, "own") or self.view.ruling("front-of-train") == "any"

    def strayed_corps(self) -> list[Breach]:
        """The corps that are not with the army to which they always belong."""
        campaign, home = self.view.flag("campaign"), rules.KEPT[-1].army
        matters = campaign and any(unit.corps == LANDWEHR and unit.army != home for unit in self.recorded)
        return rules.strayed_corps(self.recorded, self.stated("turn", "") if matters else None, campaign=campaign)

    def cross_nation(self) -> list[Breach]:
        """The formations under the army of another nation."""
        crossing = [unit for unit in self.recorded if unit.nation != NATIONS.get(unit.army, unit.nation)]
        matters = any(unit.nation == "german" and LANDWEHR in (unit.corps, unit.own_corps) for unit in crossing)
        turn = self.stated("turn", "") if matters else None
        others_too = bool(crossing) and self.view.ruling("cross-nation") == "only"
        return rules.cross_nation(self.recorded, turn, others_too=others_too)


def _of_cavalry(unit: AttachedUnit) -> bool:
    """Whether the corps of a unit is a Cavalry Corps, as its ID or its Train says."""
    return is_cavalry_corps(unit.corps, marked=unit.cavalry_corps)


def breaches_made(before: Attachments, after: Attachments, touched: frozenset[str]) -> list[Breach]:
    """The breaches that a change makes, or leaves with what it touches; what stood before is not held against it.

    touched: the units that change, and what they join.
    """
    same, alike = set(before.breaches), {(breach.rule, breach.about) for breach in before.breaches}
    return [
        breach
        for breach in after.breaches
        if not breach.tolerated
        and breach not in same
        and (breach.about in touched or (breach.rule, breach.about) not in alike)
    ]
