"""The question `arrivals`: what is due for a side in this turn, and where each unit may be placed."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.questions import Answers, Parameters, Part, Report, SideName, Step, View, declare, note, step, verdict

from ..calendar.entry import standard_allies_gone
from ..calendar.schedule import scheduled, supply_sources
from ..ground.countries import at_war
from ..terms import OWNER
from .newcomers import Newcomer, newcomer
from .placement import PRODUCTION, open_hexes


class ArrivalsParameters(Parameters, frozen=True):
    """A side."""

    side: Annotated[SideName, note("the side whose Mobilization Phase it is")]


class Arrival(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that is due."""

    unit: Annotated[str, note("its id")]
    turn: Annotated[int, note("the game turn in which it was due")]
    rule: Annotated[str, note("the rule that brings it")]
    open: Annotated[tuple[str, ...], note("hexes, of those that are known, where it may be placed")] = ()


class Arrivals(msgspec.Struct, frozen=True, kw_only=True):
    """What is due for a side."""

    side: Annotated[str, note("the side")]
    units: Annotated[tuple[Arrival, ...], note("the units that are due, those of earlier turns first")]
    later: Annotated[tuple[Arrival, ...], note("the units that are due in later turns, as far as they are known")]
    supply: Annotated[int, note("supply units at no cost")]
    supply_hexes: Annotated[tuple[str, ...], note("hexes, of those that are known, where supply units may be placed")]
    production: Annotated[
        dict[str, int | None], note("the most supply units placed in each country, null for any number")
    ]


def answer(view: View, parameters: ArrivalsParameters, answers: Answers) -> Report[Arrivals]:
    """The report on what is due: units, supply units by country, and the hexes that are open to them.

    A unit that found no open hex stays due in the turns after. Rule: 9.1, 9.2, 9.7/blocked, 9.8/CP, 9.8/AL
    """
    del answers
    side = parameters.side
    with view.gather() as facts:
        turn = facts.integer("turn")
        gone = standard_allies_gone(facts, side)
        found = () if gone else scheduled(facts, side)
        sources = supply_sources(facts, side)
        people = {one.unit: newcomer(facts, one.unit) for one in found if one.turn <= turn}
    dated = [one for one in found if one.turn == turn or (one.turn < turn and one.unit in view.state.units)]
    units = tuple(
        Arrival(unit=one.unit, turn=one.turn, rule=one.rule, open=tuple(open_hexes(view, people[one.unit])))
        for one in dated
    )
    nation = view.game.file.sides[side][0]
    supply = Newcomer(unit="supply", side=side, nation=nation, arm="supply", size="-")
    arrivals = Arrivals(
        side=side,
        units=units,
        later=tuple(Arrival(unit=one.unit, turn=one.turn, rule=one.rule) for one in found if one.turn > turn),
        supply=sum(one.units for one in sources),
        supply_hexes=tuple(open_hexes(view, supply)),
        production=production(view, side),
    )
    if not gone:
        text = "no units arrive but these; the Turn Record Chart lists the others (state them: UNIT arrives=TURN)"
        view.presume(step("9.2", text))
    supplies = [step(one.rule, "{units:#supply unit}: {why}", one) for one in sources]
    supplies += production_steps(arrivals)
    if arrivals.supply_hexes:
        supplies.append(step("9.4", "supply units may be placed in {hexes}", hexes=arrivals.supply_hexes))
    text = "{units}; {supply:#supply unit}" if units else "no units; {supply:#supply unit}"
    return Report(
        title=f"Arrivals of the {view.game.file.title_of(side)} in turn {turn}",
        verdict=verdict("figure", text, arrivals, units=[one.unit for one in units]),
        parts=(
            Part("Units", tuple(arrival_step(one, turn) for one in units)),
            Part("Supply units", tuple(supplies)),
            Part("Later", tuple(step(one.rule, "{unit}: turn {turn}", one) for one in arrivals.later)),
        ),
        result=arrivals,
    )


def production(view: View, side: str) -> dict[str, int | None]:
    """The most supply units that may be placed in each country of a side that is at war. Rule: 9.8/CP, 9.8/AL"""
    nations = {"romania": "romanian", "bulgaria": "bulgarian"}
    own = [country for country, owner in OWNER.items() if owner == side]
    return {country: PRODUCTION.get(country) for country in own if at_war(view, nations.get(country, "")) is not False}


def arrival_step(one: Arrival, turn: int) -> Step:
    """A unit that is due, in words."""
    text = "{unit}" + (", due since turn {turn}" if one.turn < turn else "")
    if one.open:
        return step(one.rule, text + ": {hexes}", one, hexes=one.open)
    return step(one.rule, text + ": where it may be placed is asked by place unit={unit} at=HEX", one)


def production_steps(arrivals: Arrivals) -> list[Step]:
    """How many supply units may be placed in each country."""
    return [
        step("9.8", "any number of them in {country}", country=country.title())
        if most is None
        else step("9.8", "at most {most} of them in {country}", country=country.title(), most=most)
        for country, most in arrivals.production.items()
    ]


QUESTION = declare("arrivals", "what is due for a side in this turn, and where it may be placed", answer, decision=None)
