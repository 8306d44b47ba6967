"""Made-up positions, for all searches and properties: the same for the same seed, of any size, of any game.

- `hexes`: hexes by their names, and ways over them.
- `chance`: templates of notation that chance fills in, such as `{clear*7 | rough} {30%: ip={1..3}}`.
- `scene`: a `Scene`, a position as plain values, which writes itself as notation. Second programs work on it.
- `maker`: `make_front` draws one from what a game declares; `games.toml` has what the declarations do not say.
- `corners`: corners of a paper map with units of both sides, drawn from a table of templates.
- `spoiling`: facts of any position left out, assumed, hidden from a side or contradicted.
- `shrinking`: a case at fault without all that the fault does not need.
- `strategies`: the same for Hypothesis.

Nothing here uses the rules of a game, so that second programs may rest on it.
"""
