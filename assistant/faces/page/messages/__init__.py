"""What the page asks and what it is answered, as plain JSON: a request has its kind in `do`, an answer in `is`, and
what cannot be done is answered by `Refused`.

A table is a journal, whose lines are entered as they are typed at the table prompt.
"""
