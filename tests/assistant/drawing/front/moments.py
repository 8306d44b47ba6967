"""A few moments of a game, for its maps."""

from __future__ import annotations

from assistant import parse
from assistant.asking.view import View
from assistant.drawing.front.strip import Shot

HEAD = "game twilight-in-the-east\nboard east\ntrust counters\n"
MOMENTS = (
    "42.19: 25/3\n42.21: 27/3\n44.20: 35/17\n45.20: 36/17\n",
    "43.19: 25/3\n43.20: 27/3\n44.20: 35/17\n45.20: 36/17\n",
    "44.20: 25/3\n43.20: 27/3\n46.20: 35/17\n45.20: 36/17\n",
)


def view(lines: str) -> View:
    """A moment, from the lines that place its units."""
    position = parse(HEAD + lines)
    return View(position.game, position.state)


def shots(*moments: str, attacked: str = "44.20") -> list[Shot]:
    """Moments as they are drawn, by default those above; the hex attacked in the last one."""
    views = [view(lines) for lines in moments or MOMENTS]
    return [
        Shot(f"GT {number}", "August 1914", seen, [attacked] if attacked and number == len(views) else [])
        for number, seen in enumerate(views, 1)
    ]
