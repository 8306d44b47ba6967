"""Who may break down, combine, or be converted (10, 21.1, Optional Rules)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.game.games import Game
from assistant.questions import Gather, Step, step

from ..calendar.entry import LOW
from ..calendar.schedule import BEGINNINGS, ORDER, rows, scheduled
from ..forces.armies import chart_key
from ..forces.units import Formation
from ..ground.seasons import year_of
from ..ground.zones import field, side_of
from ..mobilization.newcomers import Newcomer
from ..supply.reach import grant, in_reach, offensive_reach
from ..terms import ABTEILUNG, ARMY, AVAILABLE, CORPS, DEAD_PILE, HEADQUARTERS, SUD, SUPPLY

CONVERSIONS_FROM = 1916
"""The first year in which Headquarters are converted (10.7)."""
UNBREAKABLE = ("romanian", "bolshevik")
"""The nations whose armies have no corps (10.6, 14.16)."""
MORALE_BINDS = ("austro-hungarian", "bulgarian", "russian")
"""The nations that form no armies while Morale is low."""
SUD_NATIONS = ["austro-hungarian", "german"]


def bars_to_breaking(army: Formation, wanted: int, spare: int) -> Iterator[Step]:
    """Why an army may not break down: it is not one, has no corps, or too few of its corps are off the map.

    Rule: 10.0/Romania, 10.1, 9.5
    """
    if not army.is_army:
        yield step("10.1", "{unit} is not an army", unit=army.id)
    elif army.nation in UNBREAKABLE:
        yield step("10.0", "{nation} armies do not break down", army)
    elif spare < wanted:
        text = "it breaks down into {wanted} corps, and {spare} are not on the map"
        yield step("9.5", text, wanted=wanted, spare=spare)


def bars_to_combining(corps: Sequence[Formation], army: Newcomer, wanted: int) -> Iterator[Step]:
    """Why these corps do not make that army: their number, hex, nation or type.

    The Sud Army is made of a German and an Austro-Hungarian corps of infantry. Rule: 10.2, 10.3, 10.5, 10.0/Romania, 21.1
    """
    if army.size not in (ARMY, ABTEILUNG):
        yield step("10.2", "{unit} is not an army", army)
        return
    if army.nation in UNBREAKABLE:
        yield step("10.0", "{nation} armies are not formed from corps", army)
    if len({one.place for one in corps}) > 1:
        yield step("10.2", "the corps stand in several hexes: {hexes}", hexes=sorted({one.place for one in corps}))
    for one in corps:
        if one.size != CORPS:
            yield step("10.2", "{unit} is not a corps", unit=one.id)
    if len(corps) != wanted:
        yield step("10.2", "{unit} takes {wanted} corps, not {corps}", army, wanted=wanted, corps=len(corps))
    if army.unit == SUD:
        if sorted(one.nation for one in corps) != SUD_NATIONS:
            yield step("21.1", "{unit} takes one German and one Austro-Hungarian corps", army)
        return
    for one in corps:
        if one.nation != army.nation or one.arm != army.arm:
            text = "{unit} is a {nation} {arm} corps, and the army is not"
            yield step("10.3", text, one, unit=one.id)


def corps_for(facts: Gather, army: Newcomer) -> int:
    """How many corps make an army by the Reorganization Chart; two the Sud Army. Rule: 10.0, 10.5, 21.1, ROC/chart"""
    if army.unit == SUD:
        return 2
    if army.size not in (ARMY, ABTEILUNG) or army.nation in UNBREAKABLE:
        return 0
    return int(str(facts.cell("reorganization", *chart_key(army.nation, army.arm, army.size)).values["corps"]))


def unavailable(facts: Gather, army: Newcomer) -> Iterator[Step]:
    """Why an army may not be formed now: it stands on the map, or has not come into play yet.

    It has if it is in the Available box or the Dead Pile, was set up by the scenario or left to it for rebuilding, or is marked so
    (`met`); the Abteilungen may be formed on any turn. Rule: 9.3/armies, 9.10, 10.4, 10.5, 21.1, 26.6, 27.6, 28.6
    """
    view = facts.view
    known = view.state.units.get(army.unit)
    if known is not None and known.place not in (None, AVAILABLE, DEAD_PILE):
        yield step("10.4", "{unit} stands in {place}", army, place=known.place)
        return
    if army.size == ABTEILUNG or (known is not None and view.flag("met", army.unit)):
        return
    if (known is not None and known.place is not None) or began_with(view.game, view.word("scenario"), army.unit):
        return
    due = next((one for one in scheduled(facts, army.side) if one.unit == army.unit), None)
    if due is not None and facts.integer("turn") <= due.turn:
        yield step("10.4", "{unit} has not come into play: it arrives in turn {turn}", due)
    elif due is None:
        text = "{unit} is not known to have been in play (state it in the box: Available: {unit})"
        yield step("10.4", text, army)


def began_with(game: Game, scenario: str, unit: str) -> bool:
    """Whether a scenario sets an army up, or leaves it for rebuilding. Rule: 26.6, 27.6, 28.6"""
    return any(
        row["unit"] == unit for row in rows(game, "order-of-battle", ORDER) if row["scenario"] == scenario
    ) or any(
        unit in row["to_rebuild"].split() for row in rows(game, "scenarios", BEGINNINGS) if row["scenario"] == scenario
    )


def low_morale(facts: Gather, army: Newcomer) -> Iterator[Step]:
    """That low Morale forbids the nation to form armies; the Germans may, and Sud too. Rule: Opt/Morale/2"""
    if "morale" not in facts.view.words("options") or army.nation not in MORALE_BINDS:
        return
    if (points := facts.integer("vp", army.side)) <= LOW:
        text = "with {points:#Victory Point}, Morale is low: {nation} corps do not form armies"
        yield step("Opt/Morale/2", text, army, points=points)


def out_of_reach(facts: Gather, supply: str, side: str, at: str) -> Iterator[Step]:
    """Why a supply unit does not serve a hex: what it is, and how far it reaches. Rule: 10.2, 17.4"""
    view = facts.view
    unit = view.unit(supply)
    if facts.word("arm", supply) != SUPPLY or side_of(facts, unit) != side:
        yield step("10.2", "{unit} is not a supply unit of the {side}", unit=supply, side=view.game.file.title_of(side))
        return
    if unit.place is None:
        yield step("10.2", "{unit} is not on the map", unit=supply)
        return
    reach = offensive_reach(facts, supply, unit.place)
    found = in_reach(facts, field(facts).around(side), unit.place, reach, until=at)
    if at not in found.cost:
        text = "{unit} in {place} does not reach {at}: its radius is {radius:#hex}"
        yield step("10.2", text, unit=supply, place=unit.place, at=at, radius=reach)
    else:
        grant(view, found.line(at) or ())


def bars_to_conversion(facts: Gather, unit: Formation, side: str) -> Iterator[Step]:
    """Why a Headquarters may not be converted: its side, the year, an enemy zone, another one of its country, a revolution.

    One that is converted stays so. Rule: 10.7, 10.7/state, 9.5/year, MOB/HQ, Opt/Rev1-effects
    """
    view, turn = facts.view, facts.integer("turn")
    if unit.arm != HEADQUARTERS:
        yield step("10.7", "{unit} is not a Headquarters", unit=unit.id)
        return
    if facts.flag("reversed", unit.id):
        yield step("10.7", "{unit} is on its stronger side already", unit=unit.id)
    if turn and year_of(turn) < CONVERSIONS_FROM:
        yield step("10.7", "Headquarters are converted from 1916 on, and this is {year}", year=year_of(turn))
    if unit.place in field(facts).around(side).enemy_zones:
        yield step("10.7", "{place} lies in an enemy zone of control", unit)
    for other in view.units():
        if other.id != unit.id and view.flag("converted", other.id) and view.word("nation", other.id) == unit.nation:
            text = "{other} of its country has been converted in this turn"
            yield step("10.7", text, other=other.id)
    if unit.nation == "russian" and facts.integer("revolution"):
        yield step("Opt/Rev1-effects", "Russian Headquarters are not converted after a Revolution")
