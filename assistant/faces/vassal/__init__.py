"""Answers inside VASSAL: a button that asks about what is selected there.

`plugin` writes the plugin that VASSAL loads; its script begins `assistant vassal answer` and talks to it through a
pipe. `requests` has the lines that go through it, `offers` the questions that fit a selection, `shapes` what is laid on
VASSAL's map, and `answering` the answers.
"""
