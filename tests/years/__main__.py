"""`python -m tests.years FILE`: plays a history that `make explore WHAT=years` has kept in `build/years`."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from .checking import find_faults
from .histories import read_history

if __name__ == "__main__":
    faults = [*find_faults(read_history(Path(sys.argv[1]).read_text("utf-8")), Counter())]
    print(*faults or ["no fault"], sep="\n")
    sys.exit(int(bool(faults)))
