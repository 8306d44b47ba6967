"""What an answer changes, given back to players: a new save, or a log that goes on."""
