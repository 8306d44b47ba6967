"""The calendar: whose turn it is, what is due, who enters the war, revolutions."""
