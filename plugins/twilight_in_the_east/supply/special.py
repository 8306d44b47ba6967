"""Where supply comes from in single places: Pillau, the Bukowina and its Holding Box, the PRAGA depot (14.1.1, 14.7, 23.4, 24.5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from assistant.field import Range, Source
from assistant.questions import Gather, Step, View, step
from assistant.state.state import Unit

from ..forces.armies import WARSAW_GARRISON, army_of
from ..forces.units import corps_of
from ..ground.campaign import ALONE, is_silent
from ..terms import BUKOWINA_BOX, FISCHER, FIXED, HALF_HEXES, SUPPLY_ARMS

PILLAU, FERRY = "66.18", "66.19|67.18"
"""Pillau, and the hexside across its strait over which the Germans may trace supply (14.1.1)."""
BUKOWINA, BUKOWINA_REACH, MOST_UNITS = "Bukowina", 10, 3
"""The kind of that source, the length of its lines in hexes, and how many units draw on it besides those of Fischer (14.7)."""


def strait_is_open(over: str, side: str, holder: str) -> bool:
    """Whether a side traces supply across a hexside as if no sea lay there: the Central Powers at Pillau, while they control that.

    holder: the side that controls Pillau. Rule: 14.1.1b
    """
    return over == FERRY and side == holder == "central-powers"


def bars_across(view: View, side: str, over: str, lies: Collection[str], *, unstated: str = "") -> frozenset[str]:
    """What lies on a hexside and matters to a side's supply lines: at Pillau the sea, whatever is typed, unless that is open to it.

    unstated: the side that is taken to control Pillau where that is not stated.
    """
    if over != FERRY:
        return frozenset(lies)
    holder = holder_of_pillau(view) or unstated
    return frozenset(lies) - {"sea"} | (set() if strait_is_open(over, side, holder) else {"sea"})


def holder_of_pillau(view: View) -> str:
    """The side that controls Pillau, "" if that is not stated: that of the units in it before what is stated of the hex."""
    held = {view.side_of(unit.id) for unit in view.stack(PILLAU)} - {""}
    return next(iter(held), view.word("control", PILLAU))


def is_of_fischer(unit: str, corps: str) -> bool:
    """Whether a unit is one of Streifkorps Fischer, by its ID (23.3)."""
    return FISCHER in (unit, corps) or unit.startswith(f"{FISCHER} ") or corps_of(unit) == FISCHER


def draws_from_bukowina(nation: str, *, fischer: bool, named: bool = False, others: int) -> bool:
    """Whether a unit may draw on the Bukowina supply: all of Fischer, and three other Austro-Hungarian units in a Supply Phase.

    named: whether it is named to draw on it; others: how many units besides those of Fischer and itself are. Of more than three that
    are named each may be one of the three. Rule: 14.7
    """
    return nation == "austro-hungarian" and (fischer or named or others < MOST_UNITS)


def bukowina_sources(facts: Gather, unit: Unit) -> list[tuple[Source, str]]:
    """The half-hexes of the Bukowina as sources of a unit, each with the reason why it cannot be used, "" if it can; none for units
    that never draw on them, as supply units. Rule: 14.2, 14.7
    """
    view = facts.view
    nation = "" if facts.word("arm", unit.id) in SUPPLY_ARMS else facts.word("nation", unit.id)
    if nation != "austro-hungarian" or not view.board.is_hex(str(unit.place)):
        return []
    near = [hex for hex in HALF_HEXES if view.board.has(hex)]
    near = [hex for hex in near if view.board.distance(hex, str(unit.place)) <= BUKOWINA_REACH]
    if not near:
        return []
    fischer = is_of_fischer(unit.id, view.word("corps", unit.id))
    named = named_for_bukowina(view)
    may = draws_from_bukowina(nation, fischer=fischer, named=unit.id in named, others=len(named))
    why_not = "" if may else f"{', '.join(named)} draw on it, and no more than three do (14.7)"
    return [(Source(f"the Bukowina at {hex}", BUKOWINA, hex, (Range(BUKOWINA_REACH, "in"),)), why_not) for hex in near]


def named_for_bukowina(view: View) -> list[str]:
    """The units besides those of Fischer that are named to draw on the Bukowina (14.7)."""
    named = sorted(name for track, name in view.state.facts if track == "bukowina" and view.flag("bukowina", name))
    return [name for name in named if not is_of_fischer(name, view.word("corps", name))]


def presume_named(view: View, unit: str, source: Source) -> None:
    """Say in the report that a unit is taken to be one of the three that draw on the Bukowina, where it is served from there and is not
    named so."""
    named = view.flag("bukowina", unit) or is_of_fischer(unit, view.word("corps", unit))
    if source.kind == BUKOWINA and not named:
        text = "{unit} is one of the three units that draw on the Bukowina (to name it: bukowina)"
        view.presume(step("14.7", text, unit=unit))


def is_in_the_box(place: str | None, nation: str) -> bool:
    """Whether a unit is in the Bukowina Holding Box, where Austro-Hungarian units are In Supply. Rule: 23.4"""
    return place == BUKOWINA_BOX and nation == "austro-hungarian"


def campaign_left_out(view: View, served: Mapping[str, str]) -> Iterator[Step]:
    """Lines for supply that the campaign game would bar, where nobody has stated whether its rules are in use. served: by unit what
    serves it (24.1.2, 24.5.3).
    """
    if not is_silent(view):
        return
    found = {name: source for name, source in served.items() if {name, source} <= view.state.units.keys()}
    garrison = [
        name for name in found if view.word("arm", name) not in SUPPLY_ARMS and army_of(view, name) == WARSAW_GARRISON
    ]
    if garrison:
        text = f"{{units}} of the Warsaw Garrison may draw on {{sources}}: the rule bars that {ALONE}"
        yield step("24.1.2", text, units=garrison, sources=[*dict.fromkeys(found[name] for name in garrison)])
    yield from praga_left_out(view, found.values())


def praga_left_out(view: View, sources: Iterable[str]) -> Iterator[Step]:
    """A line for the PRAGA depot as a source though its army was changed, where nobody has stated whether it is the campaign (24.5.3)."""
    if not is_silent(view):
        return
    for name in sorted({name for name in sources if name in FIXED and view.flag("changed-attachment", name)}):
        text = f"{{unit}} serves its army in the turn in which that was changed: the rule bars that {ALONE}"
        yield step("24.5.3", text, unit=name)


def praga_is_inactive(unit: str, *, campaign: bool, changed: bool) -> bool:
    """Whether the PRAGA depot supplies nobody, as its army was changed in this game turn. Rule: 24.5.3"""
    return campaign and unit in FIXED and changed
