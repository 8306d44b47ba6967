"""What an installation may lack: the packages of an extra, and how they are added to it."""

from __future__ import annotations

import sys


def is_program() -> bool:
    """Whether this is the program in a folder, which has its own Python and into which nothing can be installed."""
    return bool(getattr(sys, "frozen", False))


def how_to_add(extra: str) -> str:
    """What to do where the packages of an extra are missing. extra: serve or mcp."""
    wheel = f'"FILE.whl[{extra}]"'
    if is_program():
        return f"the program in a folder lacks it; install Field Staff from its file: pipx install {wheel}"
    return f"install Field Staff again with it: pipx install --force {wheel}"
