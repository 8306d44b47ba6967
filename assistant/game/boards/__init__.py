"""Boards: maps as data files, with the facts and drawings that questions and pictures read."""

from __future__ import annotations

from .board import Board
from .copies import load_board
from .features import LABELS, Basis, Drawing, HexChain, MapLabel, NamedPlace, Outline

__all__ = [
    "LABELS",
    "Basis",
    "Board",
    "Drawing",
    "HexChain",
    "MapLabel",
    "NamedPlace",
    "Outline",
    "load_board",
]
