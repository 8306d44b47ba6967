"""The server on a laptop that answers the page over HTTP: each seat sees one table from one viewpoint.

`serving` prepares and runs the server, `app` answers over HTTP, `seats` decides who may enter, `room` is the table, and
`workers` answers slow questions in other processes.
"""
