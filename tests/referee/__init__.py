"""Second programs that share no rule with the plugins: what they answer is published in `docs/referee`, and each plugin must agree.

A module for each game, named after its folder in `plugins`, has `suites(seed)`, which gives the `Suite`s of that game, the same for
the same seed. `python -m tests.referee --write GAME` writes them.
"""
