"""`make explore WHAT=imports COUNT=1000 SEED=1914`: modules made up from seeds, each imported, built again, adopted and read; what does not agree.

With the usual count and seed its figures go into docs/maintaining/runs.md.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from ..runs import record
from .comparing import Difference, Outcome, compare_made, explain
from .making import make

RUN = "Modules of others"
COUNT, SEED = 1000, 1914


def compare(seed: int) -> tuple[Outcome, list[Difference]]:
    """Return what the module of a seed gives, and the differences that nothing explains."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FIELD_STAFF_DATA"] = f"{folder}/data"
        outcome = compare_made(make(seed), Path(folder))
        return outcome, [*explain(outcome)]


def main(count: int, first: int) -> int:
    """Return 1 if any difference is not explained, else 0."""
    found, kinds, pieces = 0, Counter[str](), 0
    for seed in range(first, first + count):
        outcome, differences = compare(seed)
        pieces += outcome.pieces
        if differences:
            found += 1
            kinds.update({difference.kind for difference in differences})
            print(f"SEED={seed} ({', '.join(make(seed).kinds)})")
            for difference in differences[:6]:
                print(f"  {difference.kind}: {difference.what[:400]}")
    print(
        f"{count} modules, {pieces:,} pieces in play, {found} modules with differences that nothing explains: {dict(kinds)}"
    )
    if (count, first) == (COUNT, SEED):
        found_in = f"{found} with differences that `IMPORT.md` does not explain"
        record(
            RUN,
            f"{count:,} modules, {pieces:,} pieces",
            found_in,
            f"make explore WHAT=imports COUNT={COUNT} SEED={SEED}",
        )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
