"""Finding games, questions, formats and commands: the hooks, and the registry of what is installed."""
