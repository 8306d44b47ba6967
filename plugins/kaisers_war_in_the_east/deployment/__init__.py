"""The set-ups of the scenarios."""
