"""Armies, their Areas of Attachment (6.1), and the attachment of units to armies, corps and formations (6.1.1, 6.4.1).

Both sides have a First and an Eighth Army, so an army is named by its side and its name: `russian Eighth`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, ClassVar

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, InputError, MissingFacts, View, note
from assistant.asking.asks import Ask, ask_for_fact
from assistant.asking.case import Case, list_bars
from assistant.asking.permission import Clause, holding
from assistant.game.names import hexes_of_stretches
from assistant.rules.field import SideField, side_of
from assistant.state.differences import Divergence
from assistant.state.state import Unit
from assistant.state.tracks import Reader
from assistant.util.errors import nearest, quoted
from assistant.util.limits import Limit
from assistant.util.memo import Memo

from ..terms import BOYEN_SERVES, COMBAT_ARMS, FORTRESSES
from .objectives import is_corps
from .units import corps_name, corps_of, is_asset

NATION_BY_ARMY = {
    "central-powers Eighth": "german",
    "central-powers Ninth": "german",
    "central-powers AG W": "german",
    "central-powers First": "austro-hungarian",
    "central-powers Second": "austro-hungarian",
    "central-powers Third": "austro-hungarian",
    "central-powers Fourth": "austro-hungarian",
    "central-powers AG P-B": "austro-hungarian",
}
"""The nation of each army of the Central Powers (21.5.1, 22.2, 22.3, 22.5, 23.1)."""
WARSAW_GARRISON = "russian Warsaw Garrison"
PRZEMYSL_GARRISON = "central-powers Przemysl Garrison"
GARRISONS = frozenset({WARSAW_GARRISON, PRZEMYSL_GARRISON})
"""Commands with a track on a display, which are not armies and have no area (23.6, 24.1)."""


class Breach(msgspec.Struct, frozen=True):
    """A state that the rules of attachment forbid, or tolerate for now."""

    rule: Annotated[str, note("the rule behind the breach")]
    about: Annotated[str, note("the unit, army or corps")]
    why: Annotated[str, note("the reason in words")]
    tolerated: Annotated[bool, note("whether it is tolerated until it can be corrected")] = False
    others: Annotated[tuple[str, ...], note("the other units and armies that it concerns")] = ()

    @property
    def concerns(self) -> frozenset[str]:
        """The unit, army or corps, and all others concerned."""
        return frozenset((self.about, *self.others))


def list_breaches(about: str, clauses: Iterable[Clause], army: str = "", **figures: object) -> list[Breach]:
    """Return a breach for each clause that holds.

    `about`: the unit, army or corps in breach.
    `army`: another army concerned, which fills `{army}` in the texts, or "".
    `figures`: values for the other placeholders of the texts.
    """
    others = tuple(filter(None, [army]))
    return [Breach(bar.rule, about, bar.text, others=others) for bar in holding(clauses, army=army, **figures)]


class Judged(Case):
    """A unit, corps or army that the rules of attachment judge."""

    about: str
    """The id of the unit, or the name of the corps or army."""
    others: tuple[str, ...] = ()
    """The other units and armies concerned."""
    tolerated: ClassVar[bool] = False
    """Whether a breach is tolerated until it can be corrected."""

    def bars(self) -> Iterator[Clause]:
        """Yield the clauses of the rules, each with whether it is broken."""
        raise NotImplementedError

    def list_breaches(self) -> list[Breach]:
        """Return the breaches.

        Raises MissingFacts if an unstated fact decides one.
        """
        bars = list_bars(self.bars)
        return [Breach(bar.rule, self.about, bar.text, self.tolerated, self.others) for bar in bars]


def judge(findings: Iterable[Breach | Ask | Judged]) -> tuple[tuple[Breach, ...], tuple[Ask, ...]]:
    """Return the breaches among the findings, and the questions for facts that are missing to judge the others.

    A fact missing for one finding does not hide the breaches of another.
    """
    breaches = list[Breach]()
    asks = dict[str, Ask]()
    for finding in findings:
        try:
            if isinstance(finding, Ask):
                asks[finding.name] = finding
            else:
                breaches += [finding] if isinstance(finding, Breach) else finding.list_breaches()
        except MissingFacts as missing:
            asks |= {ask.name: ask for ask in missing.asks}
    return tuple(breaches), tuple(asks.values())


def judge_all(findings: Iterable[Breach | Ask | Judged]) -> tuple[Breach, ...]:
    """Return the breaches among the findings.

    Raises MissingFacts if none is known, but a missing fact may hide one.
    """
    breaches, asks = judge(findings)
    if asks and not breaches:
        raise MissingFacts(asks)
    return breaches


def army_name(side: str, army: str) -> str:
    """Return an army's name with its side in front, as positions have it, or "" if either is missing."""
    return f"{side} {army}" if side and army else ""


def army_of(view: View, unit: str) -> str:
    """Return the army stated for a unit, as side and name, or "" if none is stated.

    Raises InputError for half the name of a garrison, and for a name with the side in front.
    """
    side = view.side_of(unit)
    army = view.word("army", unit)
    for garrison in GARRISONS:
        of, _, name = garrison.partition(" ")
        if side == of and army != name and army.casefold() in (name.casefold(), name.split()[0].casefold()):
            raise InputError(f"army of {unit}: no army is called {army}", hint=f"write: army={quoted(name)}")
    if side and army.startswith(f"{side} "):
        hint = f"write: army={quoted(army.removeprefix(f'{side} '))}"
        raise InputError(f"army of {unit}: leave out the side, which follows from its nation", hint=hint)
    return army_name(side, army) if side else ""


def corps_and_army(view: View, unit: str) -> tuple[str, str]:
    """Return a unit's corps, as stated or by its ID, and its army without the side.

    Each is "" if it is unknown.

    Rule: 2.1c, 2.1d, 3.3.1
    """
    corps = view.fact("corps", unit)
    return corps_name(str(corps.value)) if corps else corps_of(unit), view.word("army", unit)


def corps_of_train(facts: Gather, train: str) -> str:
    """Return the corps that a Corps Train serves, as stated or by its name; ask for it if neither gives it.

    A train that stands for an unseen unit serves no corps.

    Rule: 3.3.1
    """
    corps = corps_and_army(facts.view, train)[0]
    is_seen = train in facts.view.state.units
    return facts.word("corps", train) if is_seen and not corps else corps


def known_armies(view: View) -> list[str]:
    """Return all armies that the position mentions, sorted, without corps that have a plan of their own (21.6.1).

    Raises InputError if a unit's army is named with its side, or if there are too many armies.
    """
    stated = {subject for track, subject in view.state.facts if view.game.track(track).on == "army"}
    recorded = {subject for subject in stated if not is_corps(subject)}
    of_units = {army for unit in view.units() if (army := army_of(view, unit.id))}
    armies = sorted(recorded | of_units)
    Limit.ARMIES.check(len(armies), "the position names")
    return armies


def known_army(view: View, army: str) -> str:
    """Return `army`. Raises InputError if the position does not mention it."""
    if army not in (known := known_armies(view)):
        raise InputError(f"army: no {army!r} in this position", hint=nearest(army, known) or "write: russian Second")
    return army


def is_shown(view: View, side: str) -> bool:
    """Return whether a view shows a side's displays, which may be hidden from the other side (4.2.6)."""
    return view.state.seen_by not in view.game.file.sides or view.state.seen_by == side


def area(view: View, army: str) -> frozenset[str] | None:
    """Return the hexes of an army's Area of Attachment, or None if it is not stated.

    Raises InputError if the stated area is not a list of hexes.
    """
    stated = view.fact("area", army) if army else None
    return frozenset(hexes_of_stretches(str(stated.value), view.board)) if stated else None


def areas(view: View) -> dict[str, frozenset[str]]:
    """Return the stated area of each army. Raises InputError if they hold too many hexes."""
    hexes_by_army: dict[str, frozenset[str]] = {}
    for army in known_armies(view):
        if (hexes := area(view, army)) is not None:
            hexes_by_army[army] = hexes
            Limit.AREAS.check(sum(map(len, hexes_by_army.values())), "the areas of the armies hold")
    return hexes_by_army


def side_of_army(army: str) -> str:
    """Return the side that the name of an army begins with."""
    return army.partition(" ")[0]


def kept_from_enemy(hex: str, own_area: frozenset[str] | None, *, next_to_enemy: bool) -> bool:
    """Return whether the area of a moving unit's army keeps the unit out of a hex.

    A unit enters a hex adjacent to an enemy only within that area.

    `own_area`: the area, or None if it is not stated; the unit may then enter any hex.

    Rule: 6.3.1b
    """
    return next_to_enemy and own_area is not None and hex not in own_area


def out_of_area(around: SideField, army: str, hex: str) -> bool:
    """Return whether a hex is adjacent to an enemy and outside the stated area of an army."""
    return kept_from_enemy(hex, area(around.view, army), next_to_enemy=around.next_to_enemy(hex))


def is_cavalry_corps(corps: str, *, marked: bool) -> bool:
    """Return whether a corps is a Cavalry Corps: its ID ends in C, or the limit on its counter is underscored.

    `marked`: whether the underscore is stated.
    """
    return marked or corps.endswith(" C")


def may_draw(corps: str, army: str, source_kind: str, source_corps: str, source_army: str) -> bool:
    """Return whether attachment lets a unit draw supply or APs from a supply unit.

    A unit draws from the Train of its corps or a depot of its army. For the Train, an unstated army counts as the same.
    An independent unit, with "" for its corps, has only the depot. The players judge independent cavalry that draws
    from another corps' Train.

    Rule: 6.3.1a, 6.3.2, 6.3.3, 14.3.2
    """
    if source_kind == "corps-train":
        return bool(corps) and corps == source_corps and (army == source_army or not army or not source_army)
    return bool(army) and army == source_army


class AttachedUnit(msgspec.Struct, frozen=True):
    """A unit in play with its attachments; an unknown corps, army or formation is ""."""

    id: str
    nation: str
    side: str
    arm: str
    size: str
    place: Annotated[str, note('the hex, or "" in a box')]
    recorded: Annotated[str, note("the army on its display, by its side and name")]
    corps: Annotated[str, note('the corps whose track it is on, or "" if independent')]
    own_corps: Annotated[str, note("the corps in its ID")]
    area: Annotated[str, note("the army of its side in whose area it is")]
    train: Annotated[bool, note("whether it is a Corps Train, which stands for its corps")] = False
    on_display: Annotated[bool, note("whether a display records it (formations and Corps Trains)")] = False
    asset: bool = False
    entrained: bool = False
    cavalry_corps: Annotated[bool, note("whether it is the Train of a Cavalry Corps")] = False
    chosen: Annotated[str, note("the formation that its owner attaches an Asset Unit to")] = ""
    joined: Annotated[str, note("the formation in its hex that it is a part of")] = ""
    of_corps: Annotated[str, note("the army of its corps, where that decides (ruling corps-or-area)")] = ""

    @property
    def by_area(self) -> str:
        """The army in whose area the unit stands, or "" for units in Rail Mode and fortresses. Rule: 6.1.1"""
        return "" if self.entrained or self.arm in FORTRESSES else self.area

    @property
    def army(self) -> str:
        """The unit's army: as recorded, or else by its corps or its area. Rule: 6.2"""
        return self.recorded or self.of_corps or self.by_area


class LoneAsset(msgspec.Struct, frozen=True):
    """An Asset Unit that stands without a formation."""

    id: str
    army: str
    """The unit's army, or "" if it is unknown."""
    nearest: tuple[str, ...]
    """The nearest formations of its army; several if they are equally near."""


def gather_attached(facts: Gather, known: Mapping[str, frozenset[str]], unit: Unit) -> AttachedUnit:
    """Return a unit with its attachments.

    `known`: the stated area of each army.
    """
    arm = facts.word("arm", unit.id)
    side = side_of(facts, unit)
    asset = is_asset_unit(facts, unit.id)
    train = arm == "corps-train"
    inside = [army for army, hexes in known.items() if side_of_army(army) == side and unit.place in hexes]
    chosen = facts.word("with", unit.id) if asset else ""
    corps = corps_and_army(facts.view, unit.id)[0]
    return AttachedUnit(
        id=unit.id,
        nation=facts.word("nation", unit.id),
        side=side,
        arm=arm,
        size=facts.word("size", unit.id) if arm in COMBAT_ARMS else "",
        place=unit.place if facts.view.board.is_hex(unit.place) else "",
        recorded=army_of(facts.view, unit.id),
        corps=corps,
        own_corps="" if train else corps_of(unit.id),
        area=inside[0] if len(inside) == 1 else "",
        train=train,
        on_display=train or (not asset and arm in COMBAT_ARMS),
        asset=asset,
        entrained=facts.flag("entrained", unit.id),
        cavalry_corps=train and is_cavalry_corps(corps, marked=facts.flag("cavalry-corps", unit.id)),
        chosen=chosen,
        joined=formation_with(facts, unit, chosen) if asset else "",
    )


def is_asset_unit(facts: Reader, name: str) -> bool:
    """Return whether a unit is an Asset Unit (6.4, 14.2.4)."""
    marked = facts.flag("asset", name)
    if marked or name in BOYEN_SERVES:
        return marked
    arm = facts.word("arm", name)
    return is_asset(arm, facts.word("size", name) if arm in COMBAT_ARMS else "", marked=marked)


def formation_with(facts: Gather, unit: Unit, chosen: str) -> str:
    """Return the formation in its hex that an Asset Unit is a part of, or "" if there is none of its nation.

    The formation counts for attachment, supply, and the check of a Forced March.

    Rule: 2.1f
    """
    formations = formations_beside(facts, unit)
    return chosen if chosen in formations else next(iter(formations), "")


def company_of(facts: Gather, unit: Unit) -> str:
    """Return the formation in its hex with which an Asset Unit marches and checks.

    Returns "" for any other unit, and for an Asset Unit alone.
    """
    return formation_with(facts, unit, facts.word("with", unit.id)) if is_asset_unit(facts, unit.id) else ""


def formations_beside(facts: Gather, unit: Unit) -> list[str]:
    """Return the formations of its own nation in an Asset Unit's hex, top of the stack first."""
    beside = []
    for other in facts.view.stack(str(unit.place)):
        if facts.word("arm", other.id) not in COMBAT_ARMS:
            continue
        is_kin = facts.word("nation", other.id) == facts.word("nation", unit.id)
        if is_kin and not is_asset_unit(facts, other.id):
            beside.append(other.id)
    return beside


def formations_led_from_elsewhere(units: Sequence[AttachedUnit]) -> dict[str, str]:
    """Return the army of the Corps Train for each formation that stands in another army's area.

    Formations with a recorded army are left out.
    """
    trains = {(unit.nation, unit.corps): unit.army for unit in units if unit.train and unit.corps}
    unrecorded = [unit for unit in units if unit.on_display and not unit.train and not unit.recorded and unit.by_area]
    armies = [(unit, trains.get((unit.nation, unit.corps), "")) for unit in unrecorded]
    return {unit.id: army for unit, army in armies if army not in ("", unit.by_area)}


def lone_assets(
    units: Sequence[AttachedUnit], distance: Callable[[str, str], int], *, unstated: bool = False
) -> tuple[LoneAsset, ...]:
    """Return each Asset Unit without a formation, with the nearest formations of its nation in its army.

    A unit's army is the army in whose area it stands, or else the recorded one.

    `distance`: returns the distance between two hexes.
    `unstated`: whether formations count too if their army or the Asset Unit's is not stated.

    Rule: 6.4.1b
    """
    formations: dict[str, list[AttachedUnit]] = {}
    for unit in units:
        if unit.on_display and not unit.train and unit.place:
            formations.setdefault(unit.nation, []).append(unit)
    assets = []
    for unit in units:
        if not (unit.asset and not unit.joined and unit.place):
            continue
        army = unit.area or unit.recorded
        near = {}
        for other in formations.get(unit.nation, ()):
            theirs = other.area or other.recorded
            if (army and theirs == army) or (unstated and not (army and theirs)):
                near[other.id] = distance(unit.place, other.place)
        least = min(near.values(), default=0)
        closest = tuple(name for name, far in near.items() if far == least)
        assets.append(LoneAsset(unit.id, army, (unit.chosen,) if unit.chosen in closest else closest))
    return tuple(assets)


def nearest_formations(facts: Gather, unit: Unit, *, unstated: bool = False) -> tuple[str, ...]:
    """Return the equally near formations that a lone Asset Unit may join, or () for any other unit."""
    view = facts.view
    if not is_asset_unit(facts, unit.id) or not unit.place:
        return ()
    try:
        relatives = kin(view, facts.word("nation", unit.id))
    except MissingFacts as missing:
        for ask in missing.asks:
            facts.ask(ask)
        return ()
    units = [relative for relative in relatives if relative.id == unit.id or not relative.asset]
    lone = lone_assets(units, view.board.distance, unstated=unstated)
    return next((asset.nearest for asset in lone if asset.id == unit.id), ())


_UNITS: Memo[str, list[AttachedUnit]] = Memo()
"""Cached units with their attachments, by nation."""


def kin(view: View, nation: str) -> list[AttachedUnit]:
    """Return a nation's units in play with their attachments, cached for the view.

    Raises MissingFacts if a fact of a unit is not stated.
    """

    def gather_kin(known: list[AttachedUnit] | None, divergence: Divergence) -> list[AttachedUnit]:
        if known is not None and not divergence.units:
            return known  # facts of hexes and hexsides do not change attachments
        same: dict[str, AttachedUnit] = {}
        if known is not None and divergence.units_only_moved:
            same = {relative.id: relative for relative in known if relative.id not in divergence.units}
        with view.gather() as facts:
            inside = stated_areas(view)
            own = [unit for unit in view.units() if unit.place and facts.word("nation", unit.id) == nation]
            units = []
            for unit in own:
                stays = unit.id in same and unit.place not in divergence.hexes
                units.append(same[unit.id] if stays else gather_attached(facts, inside, unit))
            return units

    return view.memo(_UNITS, nation, gather_kin)


_AREAS: Memo[None, Mapping[str, frozenset[str]]] = Memo()
"""Cached areas of all armies."""


def stated_areas(view: View) -> Mapping[str, frozenset[str]]:
    """Return the stated area of each army, cached for the view.

    Raises InputError if the areas hold too many hexes.
    """

    def read(known: Mapping[str, frozenset[str]] | None, divergence: Divergence) -> Mapping[str, frozenset[str]]:
        return known if known is not None and divergence.units_only_moved else areas(view)

    return view.memo(_AREAS, None, read)


def formation_attached_to(facts: Gather, unit: Unit) -> Unit:
    """Return the formation to which a lone Asset Unit is attached, or the unit itself for any other unit.

    The unit itself is also returned if no formation is known. If several are equally near, its owner is asked for one.

    Rule: 6.4.1b
    """
    closest = nearest_formations(facts, unit)
    if len(closest) > 1:
        _ask_which(facts, unit, closest)
    return facts.view.unit(next(iter(closest), unit.id))


def corps_of_nearest(facts: Gather, unit: Unit) -> str:
    """Return the corps of the formation to which a lone Asset Unit is attached, or "" if there is none.

    It is also "" if the formation is independent. If formations of several corps are equally near, its owner is asked.

    Rule: 6.4.1b
    """
    closest = nearest_formations(facts, unit, unstated=True)
    corps = dict.fromkeys(corps_and_army(facts.view, name)[0] for name in closest)
    if len(corps) > 1:
        _ask_which(facts, unit, closest)
    return next(iter(corps), "")


def _ask_which(facts: Gather, unit: Unit, closest: Sequence[str]) -> None:
    which = " or ".join(closest)
    title = f"which formation {unit.id} is attached to: {which}"
    asked = ask_for_fact(facts.view.game.track("with"), unit.id)
    facts.ask(replace(asked, rule="6.4.1", title=title, takes=which))
