"""The clock, by functions that a simulation can replace."""

from __future__ import annotations

import time
from collections.abc import Callable

now: Callable[[], float] = time.time
"""Returns the seconds since 1970."""
work_seconds: Callable[[], float] = time.process_time
"""Returns the processor time of this process, in seconds."""
pause: Callable[[float], object] = time.sleep
"""Waits for a number of seconds."""
