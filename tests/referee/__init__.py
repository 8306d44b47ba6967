"""Second programs that share no rule with the plugins: each plugin must agree with what they answer.

A module for each game, named after its folder in `plugins`, has `suites(seed)`, which gives the `Suite`s of that game, the same for
the same seed. `python -m tests.referee` makes them; `docs/referee` keeps a sample of each and the hashes of all.
"""
