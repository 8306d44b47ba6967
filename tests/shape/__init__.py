"""The shape probe: one awkward rule of each game, written against the core's types."""
