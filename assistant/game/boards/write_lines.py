"""The entries of `.lines` files, written: chains, labels and facts of a board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...state.tracks import Track, Value
from ...util.errors import quoted
from ...util.patterns import late_pattern
from .features import Basis, HexChain, MapLabel

WIDTH = 120
"""The letters of a line."""


def write_chain(chain: HexChain, tracks: Mapping[str, Track], usual: Basis) -> str:
    """Return a chain as an entry. usual: how entries are known where it stands."""
    name = f'"{chain.name}" ' if chain.name else ""
    words = " ".join(write_fact(tracks, track, value) for track, value in chain.facts)
    path = _write_sides(chain.path) if chain.along else " ".join(chain.path)
    return _write_entry(f"{name}{words}: {path}", chain.basis, usual)


def write_label(label: MapLabel, usual: Basis) -> str:
    """Return a label as an entry. usual: how entries are known where it stands."""
    return _write_entry(f'"{label.name}" {label.kind}: {" ".join(label.hexes)}', label.basis, usual)


def write_facts(
    subjects: Sequence[str], facts: Mapping[str, Value], tracks: Mapping[str, Track], basis: Basis, usual: Basis
) -> str:
    """Return facts that several hexes, or several hexsides, have in common as an entry. usual: how entries are known
    where it stands.
    """
    words = " ".join(write_fact(tracks, track, value) for track, value in facts.items())
    return _write_entry(
        f"{', '.join(subject if '|' in subject else quoted(subject) for subject in subjects)} {words}", basis, usual
    )


def write_fact(tracks: Mapping[str, Track], name: str, value: Value) -> str:
    """Return the word or words that state a value of a track, so that no other track can be meant."""
    track = tracks[name]
    if track.kind == "text":
        return f'{name}="{track.write(value)}"'
    if isinstance(value, str):
        words = {value}
    elif isinstance(value, tuple):
        words = {*value}
    else:
        words = {track.written}
    others = (other for other in tracks.values() if other.on in ("hex", "hexside") and other.name != name)
    if any(words & {*other.values, other.written} for other in others):
        return f"{name}={track.write(value)}"
    return track.word(value)


def _write_basis(basis: Basis) -> str:
    """Return how entries are known, without brackets: `drawn "an atlas" since 1914`."""
    since = f"since {basis.since}" if basis.since else ""
    note = f'"{basis.note}"' if basis.note else ""
    return " ".join(filter(None, (basis.source.value, basis.rule, note, since)))


def _write_entry(text: str, basis: Basis, usual: Basis) -> str:
    """Return an entry on as many lines as it needs; none of them ends within quotation marks or brackets."""
    known = "" if basis == usual else f" [{_write_basis(basis)}]"
    lines = [""]
    for part in _PART.findall(text + known):
        if lines[-1] and len(lines[-1]) + len(part) >= WIDTH:
            lines.append("   ")
        lines[-1] = f"{lines[-1]} {part}" if lines[-1] else part
    return "\n".join(lines)


_PART = late_pattern(r'\[(?:[^\[\]"]|"[^"]*")*\]|(?:"[^"]*"|[^\s"\[])+')


def _write_sides(path: Sequence[str]) -> str:
    """Return hexsides in order, those of one hex behind each other after its number."""
    return " ".join(
        f"{here}|{','.join(beyond)}" for here, beyond in _group_sides([tuple(side.split("|")) for side in path])
    )


def _group_sides(sides: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, list[str]]]:
    """Yield the hexsides of each hex that has several in a row, by that hex."""
    here = ""
    beyond = list[str]()
    for number, (one, other) in enumerate(sides):
        if here in (one, other):
            beyond.append(other if here == one else one)
            continue
        if here:
            yield here, beyond
        follows = sides[number + 1] if number + 1 < len(sides) else ()
        here, there = (other, one) if other in follows and one not in follows else (one, other)
        beyond = [there]
    if here:
        yield here, beyond
