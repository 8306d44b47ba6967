"""The typed result of a supply question, and its working in words (17)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from assistant.questions import Part, Step, Verdict, note, step, verdict

from .general import General
from .offensive import Offensive


class SideSupply(msgspec.Struct, frozen=True, kw_only=True):
    """The supply of units of one side."""

    side: Annotated[str, note("the side")]
    units: Annotated[tuple[General, ...], note("its units with their General Supply")]
    offensive: Annotated[
        tuple[Offensive, ...] | None,
        note("its supply units as Offensive Supply, null where the game turn is not stated"),
    ] = None


class Supply(msgspec.Struct, frozen=True):
    """The supply of units."""

    sides: Annotated[tuple[SideSupply, ...], note("the sides whose units were asked for")]

    @property
    def units(self) -> list[General]:
        """The units of all sides."""
        return [unit for side in self.sides for unit in side.units]


def said(units: list[General]) -> Verdict:
    """The verdict: of one unit whether it is supplied, of several how many are."""
    if len(units) == 1:
        one = units[0]
        if one.supplied is None:
            return verdict("undecided", "undecided: nothing known supplies {unit}", one)
        text = "{unit} is in General Supply" if one.supplied else "{unit} is not in General Supply"
        return verdict("yes" if one.supplied else "no", text + HOW.get(one.by, ""), one)
    supplied, out, open_units = ([one.unit for one in units if one.supplied is state] for state in (True, False, None))
    text = "{supplied:#unit} in General Supply, {out} not"
    if open_units:
        return verdict("undecided", f"undecided: {text}, {{unknown}} not certain",
                       supplied=len(supplied), out=len(out), unknown=len(open_units))  # fmt: skip
    return verdict("no" if out else "yes", text, supplied=len(supplied), out=len(out))


HOW = {
    "always": ", as always",
    "fortress": " in the hex of {source}",
    "same hex": " in the hex of {source}",
    "radius": " from {source}, {hexes:#hex} away",
    "railroad": " by rail from {source}",
    "stated": ", as stated",
}
"""How a unit is supplied, behind its verdict."""
RULES = {
    "always": "17.7",
    "fortress": "17.5",
    "same hex": "17.4",
    "radius": "17.5",
    "railroad": "17.5",
    "stated": "17.5",
    "": "17.5",
}


def parts(told: SideSupply, title: str) -> Iterator[Part]:
    """The working of a side."""
    yield Part(f"General Supply: {title}", tuple(unit_step(one) for one in told.units))
    if told.offensive:
        yield Part(f"Offensive Supply: {title}", tuple(offensive_step(one) for one in told.offensive))


def unit_step(one: General) -> Step:
    """A unit's supply in a line."""
    if one.supplied is None:
        text = "{unit} in {place}: nothing known supplies it" + ("; {why}" if one.cause else "")
        return step("17.5", text, one, why=one.cause.text if one.cause else "")
    if not one.supplied:
        text = "{unit} in {place}: not supplied" + (", as stated" if one.by == "stated" else "; {why}")
        return step("17.5", text, one, why=one.cause.text if one.cause else "")
    text = "{unit} in {place}: supplied" + HOW[one.by] + (": {way}" if len(one.line) > 1 else "")
    return step(RULES[one.by], text, one, way=" ".join(one.line))


def offensive_step(one: Offensive) -> Step:
    """What a supply unit may be expended for, in a line."""
    if one.why_not:
        return step("17.10", "{source} in {place}: no Offensive Supply, {why_not}", one)
    text = "{source} in {place}, within {radius:#hex}: " + ("{units}" if one.units else "none of these units")
    return step("17.10", text, one)
