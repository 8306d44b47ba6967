"""What an answer is computed from: the fingerprints of its position, game, pack and program."""

from __future__ import annotations

from typing import Any

import msgspec

from ..asking.basis import Basis
from ..asking.report import Report
from ..formats.json_state import write_json
from ..formats.links import write_link
from ..formats.positions import Position
from ..util.errors import InputError
from ..util.limits import Limit
from .fingerprints import (
    compute_fingerprint,
    fingerprint_game,
    fingerprint_pack,
    fingerprint_program,
    program_version,
)


def fingerprint_position(position: Position) -> str:
    """Return the fingerprint of a position with its questions, dice and choices, in whatever order its facts are."""
    values = msgspec.json.decode(write_json(position))
    for name in ("facts", "elsewhere", "cells"):
        if name in values:
            values[name].sort(key=lambda entry: msgspec.json.encode(entry, order="sorted"))
    return compute_fingerprint([("", msgspec.json.encode(values, order="sorted"))])


def find_basis(posed: Position) -> Basis:
    """Return what the answer to the only question of a position is computed from."""
    try:
        fragment, left_out = write_link(posed)
    except InputError as error:  # notation cannot write a name
        fragment, left_out = "", (error.what,)
    if len(fragment) > Limit.LINK.most:
        fragment, left_out = "", ("the position, as its link is too long",)
    if posed.past:
        left_out = ("what the journal knows of earlier turns", *left_out)
    return Basis(
        fingerprint_position(posed),
        fingerprint_game(posed.game),
        fingerprint_pack(posed.game),
        f"{program_version()} {fingerprint_program()}",
        fragment,
        left_out,
    )


def with_basis(report: Report[Any], posed: Position) -> Report[Any]:
    """Return a report with what it was computed from.

    `posed`: the position with the report's question alone, and its dice and choices.
    """
    return msgspec.structs.replace(report, basis=find_basis(posed))
