"""The laptop that answers the page over HTTP: each seat sees one table with one viewpoint, and all see it change.

`serving` prepares and runs the server, `app` answers over HTTP, `seats` says who may enter, `room` is the table, and
`workers` answers slow questions in other processes.
"""
