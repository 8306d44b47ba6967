"""The calendar: player turns, arrivals, entries into the war and revolutions."""
