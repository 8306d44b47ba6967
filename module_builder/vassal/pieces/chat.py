"""What the chat of a module says when a player changes a counter or a marker: a sentence, and nothing when nothing changed."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.formats.vassal.traits import Trait
from assistant.state.tracks import Track, Value

from .statuses import Status, Text, strokes_of
from .traits import report

_NAMED = '({0}.equals("offboard") ? "" : {0}+": ")'
_PLACE = _NAMED.format("LocationName")
"""Where a piece is, unless it lies on a sheet without places. VASSAL takes a property for a number where it can, 44.20 for
44.2, but not one that is used as a text.
"""
_UNIT, _HEX = f'{_PLACE}+newPieceName+" "', 'LocationName.trim()+" "'
"""What a sentence begins with, as VASSAL's expressions have it: VASSAL itself hides the name of a counter that is hidden."""


def say_changes(statuses: Sequence[Status], texts: Sequence[Text] = ()) -> Trait:
    """Return the report of all changes of these statuses and texts, of counters or of the markers of hexes.

    Of what only the owners of a counter see the others learn that it changed, and not on which unit.
    """
    cases = [_case(_changed(f"{status.track.name}_Level"), _status(status)) for status in statuses]
    cases += [_case(_changed(text.track.name), _text(text)) for text in texts]
    tracks = [*(status.track for status in statuses), *(text.track for text in texts)]
    return report(strokes_of(tracks), f"{{{''.join(cases)}{_quoted('')}}}")


def say_if_moved(stroke: str, predicate: str, place: str) -> Trait:
    """Return the report of a keystroke that sends a counter elsewhere; nothing if it stayed. place: an expression of
    VASSAL with the hex that the sentence begins with, the one that the counter left or came to.
    """
    said = f"{_NAMED.format(place)}+oldPieceName+{_quoted(f' {predicate}')}"  # by its old name: one face down has no new one
    return report([stroke], f"{{{_changed('CurrentMap')} ? {said} : {_quoted('')}}}")


def _case(changed: str, said: str) -> str:
    return f"{changed} ? {said} : "


def _changed(name: str) -> str:
    """Return whether a property differs from what it was before the key."""
    return f"{_property(f'old{name}')}!={_property(name)}"


def _property(name: str) -> str:
    return f'GetProperty("{name}")'


def _status(status: Status) -> str:
    """Return the sentence on a status, by the level that shows."""
    if status.owners:
        return _secret(status.track)
    level, values = _property(f"{status.track.name}_Level"), status.values
    begins = _HEX if status.track.on == "hex" else _UNIT
    *others, last = [_predicate(status.track, value) for value in values]
    chosen = "".join(f"{level}=={number} ? {said} : " for number, said in enumerate(others, 1))
    return f"{begins}+({chosen}{last})"


def _predicate(track: Track, value: Value | None) -> str:
    """Return what is said of a subject with a value; of one whose value is unknown that it is."""
    if value is None:
        return _quoted(f"has no {track.title} stated")
    written = track.write(value)
    return _quoted(track.said(written).replace("{}", written))


def _text(shown: Text) -> str:
    """Return the sentence on a text, which stands in a property."""
    track = shown.track
    if shown.owners:
        return _secret(track)
    before, mark, after = track.said("*").partition("{}")
    text = f"{track.name}.trim()" if track.name.isidentifier() else _property(track.name)
    typed = f"{_quoted(before)}+{text}+{_quoted(after)}" if mark else _quoted(before)
    nothing = _quoted(track.said("none").replace("{}", "nothing"))
    return f"{_UNIT}+({_property(track.name)}=={_quoted('')} ? {nothing} : {typed})"


def _secret(track: Track) -> str:
    return f"{_PLACE}+{_quoted(f'the {track.title} of a unit changed')}"


def _quoted(text: str) -> str:
    """Return a text of an expression."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
