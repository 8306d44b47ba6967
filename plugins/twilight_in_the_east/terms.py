"""Arms, rivers and named units of the rulebook that several chapters share, and the messages of the game."""

from __future__ import annotations

from typing import Literal

from assistant.asking.messages import Messages

SAY = Messages(__package__)
"""Messages in the answers of the game."""

Nation = Literal["german", "austro-hungarian", "russian"]

GREAT_RIVERS = frozenset({"major-river", "grand-river"})
LANDWEHR = "3 LW"
"""The German corps that may serve under an Austro-Hungarian army (6.2.4)."""
LANDWEHR_TURNS = range(4, 19)
"""The game turns in which 3 LW Corps may serve there (6.2.4)."""
DEPOTS = ("minor-depot", "major-depot")
DISPLACING = {
    "artillery": ("displaced", "9.5.1", "an Artillery Displaced marker is put on it"),
    "corps-train": ("extended", "9.8.1", "it is turned to its Extended Mode side"),
    **dict.fromkeys(DEPOTS, ("", "9.9", "")),
}
"""Arms that must make room for the enemy.

Each has the marker that units then bear, the rule, and the effect in words.
"""
SUPPLY_ARMS = ("corps-train", *DEPOTS)
KG_TRAIN = "KG Train"
"""The Corps Train that serves only its own corps and takes its APs from the magazine of Königsberg (22.5.1)."""
PRAGA = "PRAGA (Tannenberg)"
"""The depot that comes off the map in the Tannenberg scenario while Germans are adjacent to its hex (24.5.2)."""
PRAGA_HEX = "60.46"
"""The hex of the PRAGA depot."""
FIXED = frozenset({"PRAGA", PRAGA})
"""Depots of both scenarios that never move and have no extended range (24.5.1)."""
NOT_REPLACED = {KG_TRAIN: "22.5.1", **dict.fromkeys(FIXED, "24.5.1")}
"""Supply units that do not return once eliminated, each with its rule."""
BOYEN = "Boyen"
"""The Fortress that serves only some units (14.2.4)."""
BOYEN_RANGE_HEXES = 3
"""The supply range of Boyen in hexes."""
BOYEN_SERVES = frozenset({"Lötzen", "Masurian", "Bacmeister"})
"""Formations that Boyen supplies (14.2.4)."""
COMBAT_ARMS = ("infantry", "cavalry")
FIELD_ARMS = (*COMBAT_ARMS, "artillery")
"""Arms of combat and artillery units."""
TOWN_OPEN = "town-open"
"""Track: the side that has entered a starred town of unstated holder."""
DUMMY = "dummy"
"""The arm of a unit that is only a rumour and has no effects except its own moves (26.1, 26.2)."""
CAPPED = "capped"
"""Track: whether a Stack Cap lies on a hex."""
CONCEALED = "concealed"
"""Track: whether a unit has its crest up."""
HIDDEN_UNITS = "hidden-units"
"""Track: the optional rule on hidden units in force."""
FORTRESSES = ("fortress", "fort")
LANDSTURM = frozenset({"Tilsit", "Elbing", "Pr. Holland", "Braunsberg", "Mehlsack", "Osterode", "Dtsch. Eylau"})
"""Landsturm Abteilungen, which guard railway lines and never retreat (22.4.1)."""
VISTULA_HEXES = ("77.26", "78.28", "78.29", "78.30", "79.30", "79.33", "83.35", "85.37")
VISTULA_BATTERIES = {f"Vistula battery {hex}": hex for hex in VISTULA_HEXES}
"""Batteries of the optional rule, each with its hex (22.4.3)."""
RUINED_BATTERY = "battery-ruined"
"""Track: whether one of these batteries has been destroyed in a hex (22.4.3)."""
BATTERIES = frozenset({"Nikolaiken", "Schimonken", *VISTULA_BATTERIES})
"""Artillery units that take part in combat without an AP (22.4.2, 22.4.3)."""
STAY_OR_FALL = {**dict.fromkeys(LANDSTURM, "22.4.1"), **dict.fromkeys(BATTERIES, "22.4.2"), KG_TRAIN: "22.5.1"}
"""Units that are destroyed if they must retreat, each with its rule."""
SECOND_DIVISION = "2/23"
"""The Russian division without trains of its own (24.4)."""
SECOND_DIVISION_LOW = 7
"""The last game turn in which that division is at best in Low Supply (24.4)."""
FISCHER = "Fischer"
"""The ID of the Streifkorps in the Bukowina (23.3)."""
BUKOWINA_BOX = "Bukowina Holding Box"
"""The box south of the map that only Austro-Hungarians enter (23.4)."""

WARSAW = "58.52"
"""The hex of Warsaw (17.2.1, 22.2, 24.1.3)."""
HALF_HEXES = ("31.114", "27.114", "17.114", "11.114", "09.114", "07.114")
"""Hexes where supply from off the southern map edge begins, and Austro-Hungarians enter the Holding Box (14.7, 23.4.1).
"""
OFF_MAP = "off-map"
"""The end of a retreat over the edge of the map (1.2.2)."""
ROMANIA = "romanian"
"""The country whose hexes are off the map (1.2.2)."""

KARPATEN = "Karpaten"
"""The Austro-Hungarian Minor Depot that replaces another, with an army named once (23.5)."""
NEVER_RETREAT = (*DEPOTS, *FORTRESSES)
"""Arms of units that stay when the others of their stack retreat (9.9, 12.1)."""
RETREAT_CAUSE = "retreat-cause"
"""Track: the reason for the hexes of retreat that a unit owes."""
HUNGARY_ENTERED = "hungary-entered"
"""Track: the first game turn in which a Russian unit has entered Hungary (23.1.1)."""
ALLIES = ("german", "austro-hungarian")
"""Nations of the Central Powers."""
