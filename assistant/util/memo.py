"""Memos: results that are computed once for a game or a view."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
M = TypeVar("M")


class Memo(Generic[K, M]):
    """A cache by key, separate for each game or view. It is a constant of a module."""
