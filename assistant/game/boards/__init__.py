"""Boards: maps as data files, and what questions and pictures read of them."""

from __future__ import annotations

from .board import Board
from .cache import load_board
from .entries import LABELS, Basis, Chain, Drawing, Label, Place
from .head import BoardFile
from .reading import read_board

__all__ = ["LABELS", "Basis", "Board", "BoardFile", "Chain", "Drawing", "Label", "Place", "load_board", "read_board"]
