"""Unit types, sizes and places of the rulebook that several chapters share."""

from __future__ import annotations

from typing import Annotated

from assistant.asking import note

Cost = Annotated[int, note("Victory Points that it costs")]
Multiple = Annotated[int, note("how many times its factor counts: 1, 2 or 3")]
OpenHexes = Annotated[tuple[str, ...], note("known hexes where the unit may be placed")]
Effort = Annotated[str, note("where the Main Effort of the Central Powers lies")]
"""Types of fields that several reports have."""

# The sides (2.2).
CENTRAL_POWERS = "central-powers"
ALLIES = "allies"

# Sizes of formations (2.5).
ARMY = "XXXX"
ABTEILUNG = "abteilung"
CORPS = "XXX"
ARMIES = (ARMY, ABTEILUNG)
"""The sizes that results of combat count as armies (14.15)."""

# Unit types with rules of their own (2.4).
INFANTRY = "infantry"
HEADQUARTERS = "headquarters"
SUPPLY = "supply"
FORTRESS = "fortress"
TRAIN = "armoured-train"
AIRBASE = "airbase"
PARTISAN = "partisan"
SHOCK = ("shock", "tank")
"""The unit types that allow the Shock table (14.12)."""

SUD = "Sud"
"""The Abteilung of a German and an Austro-Hungarian corps, which counts as German (21.1)."""

COMBAT_PHASES = ("first-combat", "second-combat")
"""The Combat Phases of a player turn (6.2)."""

OWES = "owes"
"""The track of units with the hexes that they still have to retreat (15.0)."""

AVAILABLE = "Available"
"""The box of armies that may be formed again (9.10)."""
DEAD_PILE = "Dead Pile"
"""The box of eliminated units (14.15)."""

HOME = {
    "german": "germany",
    "austro-hungarian": "austria-hungary",
    "bulgarian": "bulgaria",
    "turkish": "bulgaria",
    "russian": "russia",
    "romanian": "romania",
}
"""The country of each nation.

For the Turkish corps it is the country where it enters (21.5).
"""
OWNER = {
    "germany": CENTRAL_POWERS,
    "austria-hungary": CENTRAL_POWERS,
    "bulgaria": CENTRAL_POWERS,
    "russia": ALLIES,
    "romania": ALLIES,
}
"""The side of each country by the border of 1914, once it is at war (2.2)."""
NEUTRALS = {"romania": "romanian", "bulgaria": "bulgarian"}
"""The countries that are neutral when a scenario begins, each with its nation (23.0)."""
ROMANIA_ENTRY_TURN = 19
"""The game turn in which Romania enters the war, August 1916 (23.1)."""
LAST_ROMANIA_ENTRY_TURN = 21
"""The last game turn for Romania's entry with variable entry, October 1916 (Optional Rules)."""
