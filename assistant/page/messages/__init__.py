"""What the page asks and what it is answered, as plain JSON: a request has its kind in `do`, an answer in `is`, and what cannot be
done is answered by `Refused`.

A table is a journal. What is entered there is a line as it is typed at the table prompt, so that the page has no grammar of
its own.
"""
