"""What a game or a view has worked out once, by what it is and a key."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
M = TypeVar("M")


class Memo(Generic[K, M]):
    """Where one module puts what it has worked out once for a game or a view, by a key: a constant of that module."""
