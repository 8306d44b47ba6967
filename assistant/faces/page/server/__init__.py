"""The laptop that answers the page over HTTP: each seat sees one table with one viewpoint, and all see it change.

`seats` says who may enter, `guard` what is refused unread, `connections` how many may be open and how slow, `room` is
the table, `followed_file` the file on disk, `app` the routes, `sockets` the server.
"""
