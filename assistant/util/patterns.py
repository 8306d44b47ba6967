"""Regular expressions that are compiled at their first use, because most commands need few of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any


class _LatePattern:
    """A regular expression, compiled when one of its methods is first used."""

    def __init__(self, text: str, flags: int = 0) -> None:
        self._compiled = text, flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._compiled), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    late_pattern = re.compile
else:
    late_pattern = _LatePattern
