"""Which units may bear the markers of supply units (8.2.7, 10.5.4, 14.2, 24.3, 24.5.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.questions import InputError, View
from assistant.state.state import Unit

from ..terms import DEPOTS, SUPPLY_ARMS

BEARERS = {
    "extended": SUPPLY_ARMS,
    "ap-spent": SUPPLY_ARMS,
    "relocation": DEPOTS,
    "incomplete": ("corps-train",),
    "changed-attachment": ("major-depot",),
}
"""The arms of the units that bear these markers."""
NONE = (None, False, 0, "none")
"""The values of these tracks that are no marker."""


def listed(arms: Sequence[str]) -> str:
    """Arms in words: "corps-train, minor-depot or major-depot"."""
    return " or ".join(filter(None, [", ".join(arms[:-1]), arms[-1]]))


def check_bearers(view: View, units: Iterable[Unit]) -> None:
    """Raises InputError for a unit that is stated to bear a marker which only units of another arm bear."""
    marked = {subject for track, subject in view.stated if track in BEARERS}
    for unit in (unit for unit in units if unit.id in marked):
        for track, arms in BEARERS.items():
            if view.state.value(track, unit.id) in NONE:
                continue
            arm = view.word("arm", unit.id)
            if arm and arm not in arms:
                title = view.game.track(track).title
                hint = f"only a {listed(arms)} bears it: leave out {track} of {unit.id}"
                raise InputError(f"{unit.id} ({arm}): {title}", hint=hint)
