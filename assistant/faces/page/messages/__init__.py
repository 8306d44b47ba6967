"""The requests of the page and their responses, as plain JSON.

A request has its kind in `do`, a response in `is`; a refusal is `Refused`. A table is a journal, whose lines are
entered as they are typed at the table prompt.
"""
