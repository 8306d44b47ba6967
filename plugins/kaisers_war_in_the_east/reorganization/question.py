"""The question `reorganize`: an army into corps, corps into an army, a Headquarters to its stronger side, a fortress into a corps."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.questions import (
    Answers,
    InputError,
    Parameters,
    Part,
    Report,
    Step,
    UnitName,
    View,
    declare,
    note,
    refused,
    step,
    verdict,
)
from assistant.questions.view import changed
from assistant.state.changes import AnyChange, Gain

from ..calendar.phase import out_of_phase
from ..forces.armies import available_corps, corps_of, spare_corps
from ..forces.units import Formation, formation
from ..mobilization.newcomers import Newcomer, entering, newcomer
from ..mobilization.prices import too_dear
from ..terms import AVAILABLE, DEAD_PILE, FORTRESS, SUD
from .rules import (
    bars_to_breaking,
    bars_to_combining,
    bars_to_conversion,
    corps_for,
    low_morale,
    out_of_reach,
    unavailable,
)


class ReorganizeParameters(Parameters, frozen=True):
    """What is reorganized: one of break, combine, convert and fortress."""

    break_: Annotated[UnitName | None, note("an army that breaks down")] = msgspec.field(name="break", default=None)
    combine: Annotated[tuple[UnitName, ...], note("corps in one hex that form an army")] = ()
    into: Annotated[str, note("the army that they form")] = ""
    convert: Annotated[UnitName | None, note("a Headquarters to convert")] = None
    fortress: Annotated[UnitName | None, note("a fortress to turn into an infantry corps (optional rule)")] = None
    supply: Annotated[UnitName | None, note("the supply unit that is expended")] = None


class Reorganization(msgspec.Struct, frozen=True, kw_only=True):
    """Whether units may be reorganized, and into what."""

    units: Annotated[tuple[str, ...], note("the units that leave the map or are converted")]
    into: Annotated[tuple[str, ...], note("the units that take their place, as far as they are known by id")] = ()
    corps: Annotated[int, note("how many corps take the place of an army, or form one")] = 0
    supply: Annotated[str, note("the supply unit that is expended, empty for none")] = ""
    cost: Annotated[int, note("Victory Points that it costs")] = 0
    allowed: Annotated[bool, note("whether it is allowed")] = True


def answer(view: View, parameters: ReorganizeParameters, answers: Answers) -> Report[Reorganization]:
    """The report on a reorganization. Raises InputError if none, or more than one, is described. Rule: 10.0"""
    del answers
    ways = [parameters.break_, parameters.combine, parameters.convert, parameters.fortress]
    if sum(bool(way) for way in ways) != 1 or bool(parameters.combine) != bool(parameters.into):
        hint = "break=ARMY, combine=CORPS,CORPS into=ARMY supply=UNIT, convert=HQ supply=UNIT, or fortress=UNIT"
        raise InputError("state what is reorganized", hint=hint)
    if parameters.break_:
        return breakdown(view, parameters.break_)
    if parameters.combine:
        return combination(view, parameters)
    if parameters.convert:
        return conversion(view, parameters.convert, parameters.supply)
    return razed(view, str(parameters.fortress))


def unit_on_map(view: View, name: str) -> Formation:
    """A unit of the position. Raises InputError if it is not on the map."""
    unit = view.unit(name)
    if unit.place is None or view.board.is_box(unit.place):
        raise InputError(f"{name} is not on the map", hint="name a unit that stands in a hex")
    with view.gather() as facts:
        return formation(facts, unit, fights=False)


def told(
    view: View, title: str, result: Reorganization, reasons: list[Step], steps: list[Step], changes: list[AnyChange]
) -> Report[Reorganization]:
    """The report: refused with its reasons, or allowed with what changes."""
    del view
    if reasons:
        no = msgspec.structs.replace(result, allowed=False)
        return refused(title, "this is not allowed", reasons, result=no)
    return Report(
        title=title,
        verdict=verdict("yes", "{title} is allowed", title=title),
        parts=(Part("Reorganization", tuple(steps)),),
        changes=tuple(changes),
        result=result,
    )


def breakdown(view: View, name: str) -> Report[Reorganization]:
    """An army that breaks down into corps of its nation and type, which brings no supply unit back. Rule: 10.1, 10.2/note, 9.10"""
    army = unit_on_map(view, name)
    with view.gather() as facts:
        breakable = army.is_army and army.nation not in ("romanian", "bolshevik")
        wanted = corps_of(facts, army) if breakable else 0
        spare = available_corps(facts, army) if breakable else 0
        side = view.side_of(name)
        reasons = [*out_of_phase(view, side, "reorganization", "10.1"), *bars_to_breaking(army, wanted, spare)]
    nations = ["german", "austro-hungarian"] if name == SUD else [army.nation] * wanted
    found = [spare_corps(view, nation, army.arm) for nation in dict.fromkeys(nations)]
    corps = [unit for some in found for unit in (some[:1] if name == SUD else some[:wanted])]
    changes: list[AnyChange] = [changed(view, "place", name, AVAILABLE, "9.10")]
    changes += [changed(view, "place", one.id, army.place, "10.1") for one in corps]
    result = Reorganization(units=(name,), into=tuple(one.id for one in corps), corps=wanted)
    text = (
        "{corps} corps take the place of {unit} in {place}: {into}"
        if corps
        else "{corps} corps take its place in {place}"
    )
    steps = [step("10.1", text, result, army, unit=name)]
    steps.append(step("10.2", "no supply unit comes back"))
    return told(view, f"The breakdown of {name}", result, reasons, steps, changes)


def combination(view: View, parameters: ReorganizeParameters) -> Report[Reorganization]:
    """Corps that form an army or Abteilung and expend a supply unit. Rule: 10.2, 10.4"""
    corps = [unit_on_map(view, name) for name in parameters.combine]
    supply, at = parameters.supply, corps[0].place
    with view.gather() as facts:
        army = newcomer(facts, parameters.into, nation=corps[0].nation)
    with view.gather() as facts:
        wanted = corps_for(facts, army)
        reasons = [
            *out_of_phase(view, army.side, "reorganization", "10.2"),
            *bars_to_combining(corps, army, wanted),
            *unavailable(facts, army),
            *low_morale(facts, army),
            *needs_supply(view, army.side, supply, at),
        ]
    result = Reorganization(units=parameters.combine, into=(army.unit,), corps=wanted, supply=supply or "")
    changes: list[AnyChange] = [changed(view, "place", one.id, AVAILABLE, "10.2") for one in corps]
    if not reasons and supply:
        changes += [changed(view, "place", supply, DEAD_PILE, "10.2"), *entered(view, army, at)]
    steps = [step("10.2", "{units} become {unit} in {place}", result, unit=army.unit, place=at)]
    steps.append(step("10.2", "{supply} is expended", result))
    return told(view, f"Forming {army.unit}", result, reasons, steps, changes)


def entered(view: View, army: Newcomer, at: str) -> list[AnyChange]:
    """The change that puts an army on the map; it is not a reinforcement."""
    return [one for one in entering(view, army, at, "10.2") if getattr(one, "track", "") not in ("placed", "arrives")]


def needs_supply(view: View, side: str, supply: str | None, at: str) -> list[Step]:
    """That a supply unit has to be named, or why it does not serve. Rule: 10.2, 10.7"""
    if supply is None:
        return [step("10.2", "it expends a supply unit in whose radius the hex lies (supply=UNIT)")]
    with view.gather() as facts:
        return list(out_of_reach(facts, supply, side, at))


def conversion(view: View, name: str, supply: str | None) -> Report[Reorganization]:
    """A Headquarters that is turned to its stronger side for a supply unit and Victory Points. Rule: 10.7, 10.7/state"""
    unit = unit_on_map(view, name)
    side = view.side_of(name)
    with view.gather() as facts:
        points = facts.integer("vp", side)
        cost = int(str(facts.cell("mobilization", "headquarters").values["vp"]))
        reasons = [
            *out_of_phase(view, side, "reorganization", "10.7"),
            *bars_to_conversion(facts, unit, side),
            *too_dear(points, cost),
            *needs_supply(view, side, supply, unit.place),
        ]
    result = Reorganization(units=(name,), into=(name,), supply=supply or "", cost=cost)
    changes: list[AnyChange] = [Gain("vp", side, -cost, "10.7")]
    changes += [changed(view, track, name, True, "10.7") for track in ("reversed", "converted")]
    if supply:
        changes.append(changed(view, "place", supply, DEAD_PILE, "10.7"))
    steps = [step("10.7", "{unit} is turned to its stronger side for good", unit=name)]
    steps.append(step("10.7", "it costs {cost:#Victory Point}, and {supply} is expended", result))
    return told(view, f"The conversion of {name}", result, reasons, steps, changes)


def razed(view: View, name: str) -> Report[Reorganization]:
    """A fortress that becomes an infantry corps of its nation, at no cost and for good. Rule: Opt/FortConv"""
    unit = unit_on_map(view, name)
    side = view.side_of(name)
    agreed = "fortress-conversion" in view.words("options")
    reasons = out_of_phase(view, side, "reorganization", "Opt/FortConv")
    if not agreed:
        reasons.append(step("Opt/FortConv", "that is an optional rule (options=fortress-conversion)"))
    if unit.arm != FORTRESS:
        reasons.append(step("Opt/FortConv", "{unit} is not a fortress", unit=name))
    spare = spare_corps(view, unit.nation, "infantry")[:1]
    result = Reorganization(units=(name,), into=tuple(one.id for one in spare), corps=1)
    changes: list[AnyChange] = [changed(view, "place", name, None, "Opt/FortConv")]
    changes += [changed(view, "place", one.id, unit.place, "Opt/FortConv") for one in spare]
    steps = [
        step(
            "Opt/FortConv",
            "an infantry corps takes the place of {unit} in {place}, and the fortress never comes back",
            unit,
            unit=name,
        )
    ]
    return told(view, f"The conversion of {name}", result, reasons, steps, changes)


QUESTION = declare("reorganize", "whether units may break down, combine or be converted", answer)
