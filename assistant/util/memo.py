"""Memos: results that are worked out once for a game or a view."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
M = TypeVar("M")


class Memo(Generic[K, M]):
    """A cache of one module in each game or view, by key. It is a constant of the module."""
