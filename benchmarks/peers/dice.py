"""Three rolls in a row with icepool and dyce: `dice.py RUNS`; see `three_rolls` in chances.py for the same of ours."""

import sys
import warnings

import dyce
import icepool
from timing import print_least


def outcome(crt, loss, check):
    """Steps lost, and whether the check after them is passed."""
    steps = max(0, crt // 3 + loss - 3)
    return steps, check + steps <= 9


def with_icepool():
    """Staged, as its documentation advises."""
    two, one = 2 @ icepool.d(6), icepool.d(6)
    steps = icepool.map(lambda crt, loss: outcome(crt, loss, 0)[0], two, one)
    return icepool.map(lambda lost, check: icepool.tupleize(lost, check + lost <= 9), steps, two)


def with_dyce():
    """Staged, too; an outcome is a number there, so steps count twice and a check that is passed once."""
    one = dyce.H(6)
    two = 2 @ one
    steps = dyce.expand(lambda crt, loss: outcome(crt.outcome, loss.outcome, 0)[0], two, one)
    return dyce.expand(lambda lost, check: lost.outcome * 2 + (check.outcome + lost.outcome <= 9), steps, two)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # dyce calls the function that it has for this an experiment
    print_least({"icepool": with_icepool, "dyce": with_dyce}, int(sys.argv[1]))
