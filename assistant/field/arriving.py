"""How a unit comes to a place: one that the position names moves there, another of the roster enters play."""

from __future__ import annotations

from ..questions.view import View, changed
from ..state.changes import Change, Enter


def bring_unit(view: View, unit: str, at: str | None, rule: str, *, on_top: bool = False) -> Change | Enter:
    """The change that brings a unit to a place, or off the map to wait there if it is None. rule: by which it comes;
    on_top: of the stack, if it enters play; otherwise below it.
    """
    if unit in view.state.units:
        return changed(view, "place", unit, at, rule)
    return Enter(unit, unit, at, len(view.stack(at)) if at and not on_top else 0, rule)
