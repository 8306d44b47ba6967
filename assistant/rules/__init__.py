"""Questions and answers that many games share, ready made: a game says by which rules, in its own words."""
