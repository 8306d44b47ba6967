"""Positions as links: position notation packed into the fragment of an address.

Browsers send no fragment to a server. A fragment is `#fs1.`, then in URL-safe base64 a checksum of four bytes and the
packed text. The first line of the text names the side whose knowledge it is, then notation follows. The digit is the
version of the packing.
"""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import Annotated, NamedTuple

import msgspec

from ..game.games import Game
from ..game.viewpoint import check_viewpoint
from ..state.state import FactKey
from ..state.tracks import CERTAIN, Fact, Source
from ..util.console import format_count
from ..util.errors import InputError, Where, located
from ..util.files import package_folder, read_own
from ..util.limits import Limit
from ..util.notes import note
from .notation import NotationReader
from .positions import LINK, Position

_VERSIONS = ("1",)
"""The versions of the links that can be read."""
_NEWEST_VERSION = "1"
"""The version of the links that are written."""
_CHECKSUM_BYTES = 4


class PositionLink(NamedTuple):
    """A position as a link, and texts on what the link leaves out."""

    fragment: Annotated[str, note("what stands after the address of a page, with its #")]
    left_out: Annotated[tuple[str, ...], note("what of the position is not in it, in words")]


@cache
def common_words(version: str) -> bytes:
    """Return the words common to most positions, the most frequent last, for a version of the links.

    Their file must not change while such links are in use: other words need another version. Positions of a game with
    other words have longer links.
    """
    return read_own(package_folder(__package__).joinpath(f"link_words_{version}.txt"))


# --- writing ----------------------------------------------------------------------------------------------------------


def write_link(position: Position) -> PositionLink:
    """Return a position with its questions and answers as a link.

    The link shows its reader the whole state, so the state must be reduced first to what that reader may know. Chart
    cells, facts from the owner's own copy of the game, and whatever notation cannot state are left out.

    Raises InputError if notation cannot write a name or text.
    """
    state = position.state
    shown = msgspec.structs.replace(
        state,
        cells=MappingProxyType({}),
        facts=_drop_printed(state.facts),
        line_facts=MappingProxyType({name: _drop_printed(facts) for name, facts in state.line_facts.items()}),
    )
    from .notation_writer import write_notation  # imported only here, because links are mostly read

    lines = write_notation(position.with_state(shown)).splitlines()
    kept = [state.seen_by, *(line for line in lines if not line.startswith("#"))]
    comments = (line.removeprefix("# ") for line in lines if line.startswith("#"))
    return PositionLink(pack_text("\n".join(kept)), (*_list_left_out(position), *comments))


def _drop_printed(facts: Mapping[FactKey, Fact]) -> Mapping[FactKey, Fact]:
    return MappingProxyType({key: fact for key, fact in facts.items() if fact.source != Source.PRINTED})


def _list_left_out(position: Position) -> Iterator[str]:
    """Yield texts on what a link leaves out, except what notation cannot state."""
    state = position.state
    roster = position.game.roster
    if state.cells:
        yield f"{format_count(len(state.cells), 'chart cell')}, which stay with the owner of the chart"
    stated = [*chain(state.facts.values(), *(facts.values() for facts in state.line_facts.values()))]
    if printed := sum(fact.source == Source.PRINTED for fact in stated):
        yield f"{format_count(printed, 'fact')} read off the owner's copy of the game"
    if uncertain := sum(fact.source not in CERTAIN for fact in stated):
        yield f"where {format_count(uncertain, 'fact')} came from: the link has them as assumed"
    for unit in state.units.values():
        identity = roster.get(unit.type, {})
        described = (name in state.facts_of.get(unit.id, {}) for name in position.game.file.notation.identity)
        if identity and all(facts[0].source == Source.PRINTED for facts in identity.values()) and not all(described):
            yield f"what kind of unit {unit.id} is, which your own pack alone says: describe it in the position"


def pack_text(text: str) -> str:
    """Return a text as a fragment, with its `#`."""
    data = text.encode()
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=common_words(_NEWEST_VERSION))
    packed = _make_checksum(data) + packer.compress(data) + packer.flush()
    return f"#fs{_NEWEST_VERSION}.{urlsafe_b64encode(packed).decode().rstrip('=')}"


def _make_checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(_CHECKSUM_BYTES, "big")


# --- reading ----------------------------------------------------------------------------------------------------------


def unpack(link: str) -> str:
    """Return the text in a link or its fragment.

    Raises InputError if the link is damaged, of another version or too long, or if its text is too long.
    """
    Limit.LINK.check(len(link), "it holds")
    match = LINK.search(link)
    if match is None:
        raise InputError("this is not a link to a position", hint="copy all of it: the position begins with #fs1.")
    version, letters = match.groups()
    if version not in _VERSIONS:
        raise InputError(f"this link is of version {version}", hint="update Field Staff, which is older than the link")
    most = Limit.NOTATION.most
    try:
        packed = urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
        unpacker = zlib.decompressobj(-zlib.MAX_WBITS, zdict=common_words(version))
        data = unpacker.decompress(packed[_CHECKSUM_BYTES:], most + 1)
        if len(data) > most:
            raise Limit.NOTATION.error("it holds")
        if unpacker.eof and not unpacker.unused_data and packed[:_CHECKSUM_BYTES] == _make_checksum(data):
            return data.decode()
    except (zlib.error, ValueError) as error:
        if isinstance(error, InputError):
            raise
    raise InputError("this link is damaged, or a part of it is missing", hint="copy all of it, to its last letter")


def read_link(data: bytes, name: str, load_game: Callable[[str], Game]) -> Position:
    """Return the position in a link, as its writer saw it.

    Raises InputError if the link cannot be read, or if its game does not know the position.
    """
    with located(Where(name)):
        Limit.LINK.check(len(data), "it holds")
        seen_by, _, text = unpack("".join(data.decode("ascii", "replace").split())).partition("\n")
        position = NotationReader(name, load_game).read(text)
        viewpoint = check_viewpoint(position.game, seen_by)
        return position.with_state(msgspec.structs.replace(position.state, seen_by=viewpoint))
