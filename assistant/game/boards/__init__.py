"""Boards: maps as data files, and what questions and pictures read of them."""

from __future__ import annotations

from .board import LABELS, Basis, Board, Chain, Drawing, Label, Outline, Place
from .copies import load_board
from .reading import BoardFile, read_board

__all__ = [
    "LABELS",
    "Basis",
    "Board",
    "BoardFile",
    "Chain",
    "Drawing",
    "Label",
    "Outline",
    "Place",
    "load_board",
    "read_board",
]
