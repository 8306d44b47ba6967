"""Boards: maps as data files, and what questions and pictures read of them."""

from __future__ import annotations

from .board import LABELS, Basis, Board, Drawing, HexChain, MapLabel, NamedPlace, Outline
from .copies import load_board
from .files import BoardFile, read_board

__all__ = [
    "LABELS",
    "Basis",
    "Board",
    "BoardFile",
    "Drawing",
    "HexChain",
    "MapLabel",
    "NamedPlace",
    "Outline",
    "load_board",
    "read_board",
]
