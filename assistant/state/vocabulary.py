"""The words for things that any wargame has, as types of fields with their descriptions.

A field with exactly this meaning uses the type as it is (`unit: UnitId`); other fields have a note of their own. Types
for only one game are in a module of that game.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from ..util.notes import note

UnitId = Annotated[str, note("the id")]
UnitType = Annotated[str, note("the unit type")]
UnitSize = Annotated[str, note("the size")]
UnitSide = Annotated[str, note("the side")]
Nation = Annotated[str, note("the nation")]
UnitHex = Annotated[str, note("the hex")]
UnitPlace = Annotated[str, note("the hex or box")]

Side = Annotated[str, note("the side")]
AttackingSide = Annotated[str, note("the side that attacks")]

Hex = Annotated[str, note("the hex")]
HexNumber = Annotated[str, note("the number")]
AttackedHex = Annotated[str, note("the hex that is attacked")]
HexLeft = Annotated[str, note("the hex that the unit leaves")]
StartHex = Annotated[str, note("the hex that is left")]

AttackStrength = Annotated[int, note("strength of the attack")]
DefenceStrength = Annotated[int, note("strength of the defence")]
Column = Annotated[str, note("the column of the chart")]

RetreatingUnits = Annotated[tuple[str, ...], note("the units that retreat")]
HexesOwed = Annotated[int, note("hexes to retreat")]
RetreatOver = Annotated[bool, note("whether the retreat is over")]

GameTurn = Annotated[int, note("the game turn")]
Chance = Annotated[Fraction, note("the exact probability")]
Allowed = Annotated[bool, note("whether the rules allow it")]
Name = Annotated[str, note("the name")]
Subject = Annotated[str, note("the subject")]
InWords = Annotated[str, note("the same in words")]
