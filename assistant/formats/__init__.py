"""Files in which a state comes: position notation, JSON, VASSAL saves; plugins may add others.

A file gives a `Position`: the state, what is asked of it and the answers so far stay apart.
"""
