"""Unit types, sides and armies of the rulebook that several chapters share."""

# The sides (3.1).
GERMAN = "german"
RUSSIAN = "russian"

# The Russian armies, which keep apart (7.2).
FIRST_ARMY = "russian first"
SECOND_ARMY = "russian second"
EIGHTH_ARMY = "german 8th"
"""The German army, which the headquarters lead (10.6.1)."""
HOME_EDGE = {GERMAN: "west", RUSSIAN: "east"}
"""The map edge of each side, for supply, entry and the direction of retreats (3.4, 5.3, 6.5)."""
OWN_COUNTRY = {GERMAN: "germany", RUSSIAN: "russia"}
"""The country that each side controls at the start (2.0)."""
SIDE_OF = {country: side for side, country in OWN_COUNTRY.items()}

CAVALRY = "cavalry"
ARTILLERY = "heavy-artillery"
HEADQUARTERS = "headquarters"
DUMMY = "dummy"
INFANTRY = ("infantry", "garrison")
"""The unit types that count as infantry (3.1)."""
ADVANCING_ARMS = (*INFANTRY, CAVALRY)
"""The unit types that advance (6.6)."""

# The phases of a player turn (4.0).
FIRST_MOVEMENT = "first-movement"
FIRST_COMBAT = "first-combat"
SECOND_MOVEMENT = "second-movement"
SECOND_COMBAT = "second-combat"
COMBAT_PHASES = (FIRST_COMBAT, SECOND_COMBAT)

OWES = "owes"
"""The track of units with the hexes that they must still retreat (6.5)."""

KONIGSBERG = "Königsberg"
"""The German source of supply that is not a map edge (3.4)."""

MASURIAN = "masurian-lakes"
"""The scenario with German lines of supply of any length (9.4)."""
