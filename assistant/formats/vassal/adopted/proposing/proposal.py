"""A proposal for one entry of a mapping, and how sure it is."""

from __future__ import annotations

from typing import Any, NamedTuple

SURE, LIKELY, GUESS = "sure", "likely", "guess"


class Proposal(NamedTuple):
    """An entry of a section: its name, its value, how sure that is, and why.

    sure: "" for an entry that is left to the player, which the file has as a comment.
    """

    name: str
    value: Any
    sure: str = ""
    why: str = ""
