"""`python -m tests.comparing NAME [COUNT] [SEED] [FIRST]`: tries made-up cases of a search, and keeps those at fault in `build/NAME`."""

import sys

from .search import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
