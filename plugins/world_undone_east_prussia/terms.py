"""Unit types, sides and armies of the rulebook that several chapters use."""

GERMAN, RUSSIAN = "german", "russian"
"""The sides (3.1)."""
FIRST_ARMY, SECOND_ARMY = "russian first", "russian second"
"""The Russian armies, which keep apart (7.2)."""
HOME_EDGE = {GERMAN: "west", RUSSIAN: "east"}
"""The map edge from which each side is supplied, enters and toward which it retreats (3.4, 5.3, 6.5)."""
OWN_COUNTRY = {GERMAN: "germany", RUSSIAN: "russia"}
"""The country that each side controls at the start (2.0)."""
SIDE_OF = {country: side for side, country in OWN_COUNTRY.items()}

CAVALRY, ARTILLERY, HEADQUARTERS, DUMMY = "cavalry", "heavy-artillery", "headquarters", "dummy"
INFANTRY = ("infantry", "garrison")
"""The unit types that count as infantry (3.1)."""
ADVANCING = (*INFANTRY, CAVALRY)
"""The unit types that advance (6.6)."""

FIRST_COMBAT, SECOND_COMBAT = "first-combat", "second-combat"
FIRST_MOVEMENT, SECOND_MOVEMENT = "first-movement", "second-movement"
"""The phases of a player turn (4.0)."""

KONIGSBERG = "Königsberg"
"""The German source of supply that is not a map edge (3.4)."""

MASURIAN = "masurian-lakes"
"""The scenario with German lines of supply of any length (9.4)."""
