"""How a peer times itself: as `benchmarks.measuring.least` does."""

import json
import sys
import time


def print_least(measured, runs):
    """Print the least CPU time of calls that take turns after one untimed run, by name, as JSON."""
    times = {name: [] for name in measured}
    for number in range(runs + 1):
        for name, call in measured.items():
            before = time.process_time()
            call()
            times[name] += [time.process_time() - before] * (number > 0)
    json.dump({name: min(taken) for name, taken in times.items()}, sys.stdout)
