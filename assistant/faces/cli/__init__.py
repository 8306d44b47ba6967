"""The command line."""

import gc

gc.set_threshold(1_000_000)  # a command makes many objects that stay until it ends, and little garbage
