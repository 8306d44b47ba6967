"""Boards: maps as data files, and what questions and pictures read of them."""

from __future__ import annotations

from .board import LABELS, Basis, Board, Chain, Drawing, Label, Place
from .copies import load_board
from .reading import BoardFile, read_board

__all__ = ["LABELS", "Basis", "Board", "BoardFile", "Chain", "Drawing", "Label", "Place", "load_board", "read_board"]
