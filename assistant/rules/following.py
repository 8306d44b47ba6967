"""Units that may follow a beaten enemy: units on the winning side of a combat, until they have followed.

A game may declare a track `follows` of units, a text that names hexes. Then its combats state the track (`let_follow`)
and its pursuit reads it (`bars_to_following`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from ..asking.report import Step, step
from ..asking.view import View, changed, moment
from ..state.changes import AnyChange

FOLLOWS = "follows"
"""The track of units with the hexes into which they may follow; a game may lack it."""


def let_follow(
    view: View, entitled: Mapping[str, Iterable[str]], others: Iterable[str], rule: str
) -> Iterator[AnyChange]:
    """Yield the changes that record which units may follow after a combat.

    `entitled`: the units that may follow, each with the hexes open to it.
    `others`: units that may not, such as attackers who did not win.
    """
    for unit in dict.fromkeys((*entitled, *others)):
        yield changed(view, FOLLOWS, unit, " ".join(entitled.get(unit, ())), rule)


def list_following(view: View) -> list[str]:
    """Return the units that may still follow because of combats so far."""
    return [unit for unit in view.stated_about.get(FOLLOWS, ()) if view.word(FOLLOWS, unit)]


def end_following(view: View, unit: str, *, rule: str) -> Iterator[AnyChange]:
    """Yield the change that ends a unit's right to follow, once it has followed."""
    if FOLLOWS in view.game.tracks and view.word(FOLLOWS, unit):
        yield changed(view, FOLLOWS, unit, "", rule)


def may_follow(view: View, unit: str, at: str, held: Callable[[str], bool]) -> bool | None:
    """Return whether a unit may follow into a hex by its part in a combat, or None if the position records no combat.

    The track `follows` decides if it is stated. Otherwise typed facts of a combat decide: attackers have the flag
    `fought`.

    `held`: returns whether the defenders of a hex have won, as typed.
    """
    if (stated := view.value(FOLLOWS, unit)) is not None:
        return at in str(stated).split()
    attacked = _list_flagged(view, "attacked")
    fought = _list_flagged(view, "fought")
    here = str(view.unit(unit).place)
    if unit in fought:
        return at in attacked or attacked.isdisjoint(view.board.neighbours(here))
    if FOLLOWS in view.stated_about:
        return False
    return held(here) or (False if attacked or fought else None)


def _list_flagged(view: View, flag: str) -> set[str]:
    return {subject for subject in view.stated_about.get(flag, ()) if view.flag(flag, subject)}


def find_followers(view: View) -> dict[str, list[str]]:
    """Return the units that may follow, by the cleared hex that they may enter."""
    found: dict[str, list[str]] = {}
    for unit in list_following(view):
        for at in view.word(FOLLOWS, unit).split():
            if all(view.side_of(other.id) == view.side_of(unit) for other in view.stack(at)):
                found.setdefault(at, []).append(unit)
    return found


def bars_to_following(
    view: View,
    units: Iterable[str],
    at: str,
    *,
    held: Callable[[str], bool],
    phases: Collection[str],
    rule: str,
    verb: str,
) -> Iterator[Step]:
    """Yield the reasons why units may not follow into a hex: not in the combat, or already followed.

    If the position records no combat, the player decides who took part, and the report says so.

    `held`: returns whether the defenders of a hex have won, as typed.
    `phases`: the phases in which combats are fought.
    `verb`: the game's word for following, such as `pursue`.
    """
    phase, _ = moment(view)
    unrecorded = list[str]()
    near = view.board.neighbours(at)
    for unit in (name for name in units if view.unit(name).place in near):
        may = may_follow(view, unit, at, held)
        if may is None and phase in ("", *phases):
            unrecorded.append(unit)
        elif not may:
            hexes = view.word(FOLLOWS, unit).split()
            why = f"{{unit}} may not {verb} into {{at}}: {_explain_bar(view.value(FOLLOWS, unit))}"
            yield step(rule, why, unit=unit, at=at, hexes=hexes)
    if unrecorded:
        text = "{units} taken to have won a combat for {at} (not stated)"
        view.premises.assume(step(rule, text, units=unrecorded, at=at))


def _explain_bar(follows: object) -> str:
    if follows is None:
        return "it did not fight there on the winning side (if it attacked, state fought)"
    return "it may into {hexes} alone" if follows else "it has won no combat, or has followed already"
