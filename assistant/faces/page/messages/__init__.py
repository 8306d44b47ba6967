"""The requests of the page and their responses, as plain JSON.

A request has its kind in `do`, a response in `is`; a refusal is `Refused`. A table is a journal, and its lines are
typed as at the table prompt.
"""
