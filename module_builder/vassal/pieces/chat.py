"""What the chat of a module says when a player changes a counter or a marker: a sentence, and nothing when nothing
changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.formats.vassal.traits import Trait
from assistant.state.tracks import Track, Value

from .statuses import Status, Text, strokes_of
from .traits import report

_NAMED = '({0}.equals("offboard") ? "" : {0}+": ")'
_PLACE = _NAMED.format("LocationName")
"""Where a piece is, unless it lies on a sheet without places. VASSAL takes a property for a number where it can, 44.20
for 44.2, but not one that is used as a text.
"""
_UNIT = f'{_PLACE}+newPieceName+" "'
_HEX = 'LocationName.trim()+" "'


def report_changes(statuses: Sequence[Status], texts: Sequence[Text] = ()) -> Trait:
    """Return the report of all changes of these statuses and texts, of counters or of the markers of hexes.

    Of what only the owners of a counter see the others learn that it changed, and not on which unit.
    """
    cases = [_write_case(_write_changed(f"{status.track.name}_Level"), _write_status(status)) for status in statuses]
    cases += [_write_case(_write_changed(text.track.name), _write_text(text)) for text in texts]
    tracks = [*(status.track for status in statuses), *(text.track for text in texts)]
    return report(strokes_of(tracks), f"{{{''.join(cases)}{_quote('')}}}")


def report_if_moved(stroke: str, predicate: str, place: str) -> Trait:
    """Return the report of a keystroke that sends a counter elsewhere; nothing if it stayed. place: an expression of
    VASSAL with the hex that the sentence begins with, the one that the counter left or came to.
    """
    sentence = f"{_NAMED.format(place)}+oldPieceName+{_quote(f' {predicate}')}"  # by its old name: one face down has no new one
    return report([stroke], f"{{{_write_changed('CurrentMap')} ? {sentence} : {_quote('')}}}")


def _write_case(changed: str, sentence: str) -> str:
    return f"{changed} ? {sentence} : "


def _write_changed(name: str) -> str:
    """Return whether a property differs from what it was before the key."""
    return f"{_write_property(f'old{name}')}!={_write_property(name)}"


def _write_property(name: str) -> str:
    return f'GetProperty("{name}")'


def _write_status(status: Status) -> str:
    """Return the sentence on a status, by the level that shows."""
    if status.owners:
        return _write_secret(status.track)
    level, values = _write_property(f"{status.track.name}_Level"), status.values
    begins = _HEX if status.track.on == "hex" else _UNIT
    sentences = [_write_predicate(status.track, value) for value in values]
    chosen = "".join(f"{level}=={number} ? {sentence} : " for number, sentence in enumerate(sentences[:-1], 1))
    return f"{begins}+({chosen}{sentences[-1]})"


def _write_predicate(track: Track, value: Value | None) -> str:
    """Return what is said of a subject with a value; of one whose value is unknown that it is."""
    if value is None:
        return _quote(f"has no {track.title} stated")
    written = track.write(value)
    return _quote(track.said(written).replace("{}", written))


def _write_text(shown: Text) -> str:
    """Return the sentence on a text, which stands in a property."""
    track = shown.track
    if shown.owners:
        return _write_secret(track)
    before, mark, after = track.said("*").partition("{}")
    text = f"{track.name}.trim()" if track.name.isidentifier() else _write_property(track.name)
    typed = f"{_quote(before)}+{text}+{_quote(after)}" if mark else _quote(before)
    nothing = _quote(track.said("none").replace("{}", "nothing"))
    return f"{_UNIT}+({_write_property(track.name)}=={_quote('')} ? {nothing} : {typed})"


def _write_secret(track: Track) -> str:
    return f"{_PLACE}+{_quote(f'the {track.title} of a unit changed')}"


def _quote(text: str) -> str:
    """Return a text of an expression."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
