"""What an answer was computed from, so that it can be reproduced."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ..util.notes import note


class Basis(msgspec.Struct, frozen=True):
    """What an answer was computed from: fingerprints, and the position itself.

    A fingerprint is the beginning of a SHA-256 checksum. From equal fingerprints the same answer is computed.
    """

    position: Annotated[str, note("the fingerprint of the position with its question, dice and choices")]
    game: Annotated[str, note("the fingerprint of the game's rules and data")]
    charts: Annotated[str, note("the fingerprint of the owner's own charts, counters and map, empty without any")]
    program: Annotated[str, note("the version of the program and its fingerprint")]
    asked: Annotated[
        str,
        note("the position with its question, dice and choices as the fragment of a link, empty if it cannot be one"),
    ]
    left_out: Annotated[tuple[str, ...], note("what of the position is not in that link, in words")] = ()
