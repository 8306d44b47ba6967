"""The questions that the assistant itself answers for every game."""
