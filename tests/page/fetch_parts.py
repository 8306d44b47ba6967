"""Fetch what the tests of the page need: `python -m tests.page.fetch_parts FOLDER`, with npm on the path.

Into the folder go the parts of the page, as `module-builder page --fetch` has them, and axe-core, which looks for what
people with impairments could not use.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from module_builder.page.command import fetch_parts

AXE = "axe-core@4.14.1"


def fetch(folder: Path) -> None:
    """Put all parts there, as their registries have them: archives of npm, and wheels."""
    fetch_parts(folder)
    done = subprocess.run(["npm", "pack", "--silent", AXE], cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{AXE} could not be fetched:\n{done.stderr}")


if __name__ == "__main__":
    fetch(Path(sys.argv[1]))
