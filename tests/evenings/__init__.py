"""Whole sessions of play whose verdicts are recorded: after every change each is played again, and no verdict changes unseen.

An evening is a referee's file with a single case (docs/reference/referee.md), in `tests/promise/evenings/GAME/NAME.evening`. Its verdicts
come from the program itself. Some evenings are typed by hand, after the playthroughs in `docs/games`; others, named random-N, are
random. `python -m tests.evenings` plays all of them and prints what has changed, `--write` records it.
"""
