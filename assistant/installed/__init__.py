"""How games, questions, formats and commands are found: the hooks, and the registry of what is installed."""
