"""The calendar: player turns, schedules, entries into the war, revolutions."""
