"""Every breach of the rules of attachment in a position, as far as what they depend on is stated (6.1 to 6.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec

from assistant.asking import Step, View, step
from assistant.asking.asks import Ask, ask_for_fact

from ..control.front_line import front_of, gather_troops
from ..forces.armies import (
    GARRISONS,
    NATIONS,
    AttachedUnit,
    Breach,
    areas,
    breach_of_place,
    foreign_formation,
    formations_led_from_elsewhere,
    gather_attached,
    is_cavalry_corps,
    is_shown,
    known_armies,
    lone_assets,
    side_of_army,
)
from ..forces.leaders import BEGAN
from ..forces.objectives import force_title
from ..ground.calendar import campaign_is_unstated, left_out_steps
from ..leaders.command import leader_named
from ..leaders.facts import commands_now, is_agreed
from ..terms import KG_TRAIN, LANDWEHR
from . import rules
from .boundaries import Map, bent_boundaries, boundary_lines
from .rules import Limit, boundary_breaches, shapes

BEND = "boundary-bend"
"""The ruling on how straight a boundary runs (6.1)."""


class Attachments:
    """All that a position states of attachment, and every breach of the rules as far as that allows; a side sees its
    own units only.
    """

    def __init__(self, view: View) -> None:
        stated = view.state.facts
        board = view.board
        placed = [unit for unit in view.state.units.values() if unit.place and unit.id not in view.decoys]
        shown = [unit for unit in placed if is_shown(view, view.game.side_of_unit(unit, stated))]
        self.view = view
        self.areas = areas(view)
        """The area of each army."""
        self.asks = dict[tuple[str, str], Ask]()
        """What is needed and not stated, by track and subject."""
        with view.gather() as facts:
            units = tuple(gather_attached(facts, self.areas, unit) for unit in shown)
            on_map = gather_troops(facts)
            free = facts.flag("free-attachment")
        elsewhere = formations_led_from_elsewhere(units)
        if elsewhere and view.ruling("corps-or-area") == "corps":
            units = tuple(msgspec.structs.replace(unit, of_corps=elsewhere.get(unit.id, "")) for unit in units)
        self.by_id = {unit.id: unit for unit in units}
        self.units = units
        self.recorded = [unit for unit in units if unit.on_display]
        """The units that a display records."""
        self.fronts = {army: front for army in known_armies(view) if (front := front_of(view, army, on_map))}
        """The Front Line of each army."""
        self.lone = {asset.id: asset for asset in lone_assets(units, board.distance)}
        """The Asset Units without a formation, by their ids."""
        lines = {army: front.hexes for army, front in self.fronts.items()}
        self.breaches: tuple[Breach, ...] = (
            *shapes(self.areas, board.neighbours),
            *boundary_breaches(self.areas, lines, board.neighbours, board.distance),
            *self._bent_boundaries(lines),
            *rules.unattached(self.recorded),
            *rules.independent_corps(self.recorded),
            *self._armies(),
            *self._corps(),
            *self._wrong_corps(free=free),
            *self._strayed_corps(),
            *self._cross_nation(),
            *self._led(),
            *self._misplaced(),
        )

    def _misplaced(self) -> Iterator[Breach]:
        """Yield the units that are not where they belong, or with a formation of another nation."""
        for unit in self.units:
            for breach in (breach_of_place(unit), foreign_formation(unit, self.by_id)):
                if breach:
                    yield breach

    def _bent_boundaries(self, lines: Mapping[str, tuple[str, ...]]) -> list[Breach]:
        """Return the boundaries that bend too often, and the outer ones that begin or end amiss. lines: Front Lines by
        army.
        """
        board = self.view.board
        view = self.view

        def is_sea(hex: str) -> bool:
            return view.word("terrain", hex) == "sea"

        lying = boundary_lines(self.areas, lines, Map(board.neighbours, board.centre, is_sea))
        if not lying.flanks:
            return [*lying.breaches]
        readings = view.game.rulings[BEND].readings
        bent = {reading: bent_boundaries(lying.flanks, board.centre, reading) for reading in readings}
        matters = len({tuple(breaches) for breaches in bent.values()}) > 1
        return [*lying.breaches, *bent[view.ruling(BEND, matters)]]

    def _stated_number(self, track: str, subject: str) -> int | None:
        """Return a number, None if it is not stated, which is then asked for."""
        if self.view.fact(track, subject) is not None:
            return self.view.integer(track, subject)
        self._ask(track, subject)
        return None

    def _ask(self, track: str, subject: str) -> None:
        self.asks[track, subject] = ask_for_fact(self.view.game.track(track), subject)

    def _armies(self) -> Iterator[Breach]:
        """Yield the number of corps of each army, on its display and in its area."""
        for army in sorted({unit.army for unit in self.recorded if unit.army} | set(self.areas)):
            on_display = sorted((unit for unit in self.recorded if unit.army == army), key=lambda unit: unit.train)
            corps = {unit.corps: _is_of_cavalry_corps(unit) for unit in on_display if unit.corps}
            inside = [unit for unit in self.units if unit.train and not unit.entrained and unit.area == army]
            if army in GARRISONS or not (corps or inside):
                continue
            if (most := self._stated_number("attachment-limit", army)) is not None:
                limit = Limit(most, self.view.flag("cavalry-track", army))
                yield from rules.too_many_corps(army, corps, limit)
                yield from rules.too_many_trains(army, inside, limit)

    def _corps(self) -> Iterator[Breach]:
        """Yield the formations on each corps' track. The limit of a corps is known by its Train."""
        for (_, corps), members in rules.group_by_corps(self.recorded).items():
            formations = [unit for unit in members if not unit.train]
            train = next((unit for unit in members if unit.train), None)
            most = self._stated_number("corps-limit", train.id) if train and formations else None
            cavalry = _is_of_cavalry_corps(train or members[0])
            name = train.id if train else ""
            yield from rules.find_track_breaches(corps, formations, most, cavalry=cavalry, train=name)

    def _wrong_corps(self, *, free: bool) -> list[Breach]:
        """Return the formations off the track of their own corps, as far as the optional rule does not free them."""
        trains = {(unit.nation, unit.corps): unit for unit in reversed(self.units) if unit.train}
        named = [unit for unit in self.recorded if not unit.train and unit.own_corps]
        astray = [unit for unit in named if unit.corps != unit.own_corps and (unit.nation, unit.own_corps) in trains]
        if free:  # where the train is matters only for more than those that the optional rule frees
            nations = Counter(unit.nation for unit in astray)
            astray = [unit for unit in astray if nations[unit.nation] > rules.FREE]
        there = {unit: self.available(trains[unit.nation, unit.own_corps]) for unit in astray}
        breaches = [breach for unit in astray for breach in rules.wrong_corps(unit, own_train_available=there[unit])]
        return rules.beyond_free_attachment(breaches, named) if free else breaches

    def available(self, train: AttachedUnit) -> bool:
        """Return whether a Corps Train has left its railway and stands within its extended range of the front: its
        army's Front Line, or any of its side's (a ruling); no if that line or that range is not stated, which is then
        asked for. Rule: 6.2.2b
        """
        if train.entrained or not train.place or not train.army:
            return False
        own: list[int] = []
        others: list[int] = []
        for front in self.fronts.values():
            if side_of_army(front.army) == side_of_army(train.army):
                away = own if front.army == train.army else others
                away += [self.view.board.distance(train.place, hex) for hex in front.hexes]
        if not own and not (others and self.view.ruling("front-of-train") == "any"):
            self._ask("front", train.army)
            return False
        track = "range" if train.id == KG_TRAIN else "extended-range"  # that one has no other
        reach = self._stated_number(track, train.id)
        if reach is None or not rules.reaches_front(own, others, reach, "any"):
            return False
        return rules.reaches_front(own, others, reach, "own") or self.view.ruling("front-of-train") == "any"

    def _strayed_corps(self) -> list[Breach]:
        """Return the corps that are not with the army to which they always belong."""
        campaign = self.view.flag("campaign")
        home = rules.KEPT[-1].army
        matters = campaign and any(unit.corps == LANDWEHR and unit.army != home for unit in self.recorded)
        turn = self._stated_number("turn", "") if matters else self.view.integer("turn")
        return rules.strayed_corps(self.recorded, turn, campaign=campaign)

    @cached_property
    def of_campaign(self) -> tuple[Breach, ...]:
        """The breaches of rules of the campaign, where nobody has stated whether these are in use."""
        if not campaign_is_unstated(self.view):
            return ()
        every = rules.strayed_corps(self.recorded, self.view.integer("turn"), campaign=True)
        return tuple(breach for breach in every if breach not in self.breaches)

    def _cross_nation(self) -> list[Breach]:
        """Return the formations under the army of another nation."""
        crossing = [unit for unit in self.recorded if unit.nation != NATIONS.get(unit.army, unit.nation)]
        matters = any(unit.nation == "german" and LANDWEHR in (unit.corps, unit.own_corps) for unit in crossing)
        turn = self._stated_number("turn", "") if matters else None
        others_too = bool(crossing) and self.view.ruling("cross-nation") == "only"
        return rules.cross_nation(self.recorded, turn, others_too=others_too)

    def _led(self) -> Iterator[Breach]:
        """Yield what leaders forbid: formations off the track of the 1st Cavalry Corps, and Asset Units of the Eighth
        Army that are attached to another one.
        """
        if (astray := rules.off_khans_track(self.recorded)) and (turn := self._stated_number("turn", "")):
            yield from rules.locked_with_khan(astray, turn)
        francois = leader_named("francois-eighth")
        if is_agreed(self.view, francois) and any(unit.asset for unit in self.units):
            with self.view.gather() as facts:
                keeps = commands_now(facts, francois)
            began = {unit.id for unit in self.units if keeps and self.view.flag(BEGAN, unit.id)}
            yield from rules.assets_of_eighth(self.by_id, began)


def _is_of_cavalry_corps(unit: AttachedUnit) -> bool:
    """Return whether the corps of a unit is a Cavalry Corps, as its ID or its Train says."""
    return is_cavalry_corps(unit.corps, marked=unit.cavalry_corps)


def breaches_made(before: Attachments, after: Attachments, touched: frozenset[str]) -> list[Breach]:
    """Return the breaches that a change makes, or leaves with what it touches: the units that change, and what they
    join.
    """
    same = set(before.breaches)
    alike = {(breach.rule, breach.about) for breach in before.breaches}
    new = [breach for breach in after.breaches if not breach.tolerated and breach not in same]
    return [breach for breach in new if breach.about in touched or (breach.rule, breach.about) not in alike]


BARRED = "{about}: {why}, which is a breach"
"""The words for a breach of a rule of the campaign."""
LEFT = (
    ("6.1.1", "when an attachment changed is not judged here (ask attach)"),
    ("24.1.1", "the strength of the Warsaw Garrison, and where its units stand, is not judged here (ask garrison)"),
)
"""What no position shows, or no rule here reads."""


def unjudged(attachments: Attachments, army: str) -> Iterator[Step]:
    """Yield what is not judged of the armies that are looked at, first for want of facts. army: the only one, "" for
    all.
    """
    looked_at = {*(unit.army for unit in attachments.recorded), *attachments.areas} - {"", *GARRISONS}
    armies = looked_at & {army} if army else looked_at
    if bare := sorted(armies - {*attachments.areas}):
        text = (
            "the Area of Attachment of {armies} is not stated ({how}): neither its shape nor the units in it are judged"
        )
        yield step(
            "6.1",
            text,
            armies=[force_title(attachments.view, name) for name in bare],
            how='army NAME area="44.18-44.22 45.19"',
        )
    if lineless := sorted(armies & {*attachments.areas} - {*attachments.fronts}):
        text = "the Front Line of {armies} is not known: where area boundaries begin and end is not judged"
        yield step("6.1", text, armies=[force_title(attachments.view, name) for name in lineless])
    if trainless := sorted(_find_corps_without_train(attachments, army)):
        text = "the Corps Trains of {corps} are not in this position: how many divisions each corps holds is not judged"
        yield step("6.2.2", text, corps=trainless)
    for breach in attachments.of_campaign:
        if not army or army in breach.concerns:
            yield from left_out_steps(attachments.view, breach.rule, BARRED, about=breach.about, why=breach.why)
    if unknown := sorted(unit.id for unit in attachments.recorded if not unit.army):
        yield step("6.2", "the army of {units} is not known: nothing else about them is judged", units=unknown)
    for rule, text in LEFT:
        if not rule.startswith("24.1") or _has_garrison(attachments, army):
            yield step(rule, text)


def _find_corps_without_train(attachments: Attachments, army: str) -> set[str]:
    """Return the corps with formations but no Corps Train in the position, each with its nation."""
    trains = {(unit.nation, unit.corps) for unit in attachments.recorded if unit.train}
    members = (unit for unit in attachments.recorded if unit.corps and army in ("", unit.army))
    return {f"{unit.nation} {unit.corps}" for unit in members if (unit.nation, unit.corps) not in trains}


def _has_garrison(attachments: Attachments, army: str) -> bool:
    """Return whether units of a garrison that is not an army are looked at."""
    return any(unit.army in GARRISONS and army in ("", unit.army) for unit in attachments.units)
