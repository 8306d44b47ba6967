"""The laptop that answers the page over HTTP: each seat sees one table with one viewpoint, and all see it change.

`seats` has who may enter, `guard` what is refused before anything is read, `connections` how many may be open and how slow
they may be, `room` the table and its seats, `following` the file on disk, `app` the routes and `running` the server.
"""
