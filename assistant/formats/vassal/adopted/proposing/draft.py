"""A mapping as proposed: which layer, property or marker of a module means which track, which side, level of the turn
tracker and dice button is which of the game's; and all of it as a file that a player can read and correct.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple, TypeVar

from .....game.games import Game
from .....state.tracks import Subject, Track
from .....util.console import count_text
from .....util.datafiles import toml_value
from .....util.errors import InputError
from .....util.texts import folded
from ...carried import Carried
from ...maps import MapWindow
from ...modules import Controls, Module, TurnLevel, all_levels
from ...traits import KINDS, LayerTrait, Trait, read_layer
from ..legend import all_properties, layer_key
from ..mapping import LONGEST, OF_GAME, OF_MARKER, OF_UNIT, Meanings
from .candidates import (
    GUESS,
    LIKELY,
    SURE,
    Candidate,
    Proposal,
    Token,
    candidates,
    has,
    has_all,
    likeness,
    propose_units,
    tokens,
)
from .maps import propose_maps

#: How alike a name and a track must be at least to be the same, and to be so for sure.
_ALIKE, _SAME = 0.7, 0.85
_CLEAR = 0.1
"""How much more alike than the next one it must be."""
_NO = ("0", "no", "false", "off", "none")
"""Texts that deny a flag."""
_NUMBER = re.compile(r"[0-9]{1,3}")
_MOST_VALUES = 12
"""How many values of a property are looked at, and written."""


class TrackNames:
    """The tracks of a game by what they are called."""

    def __init__(self, game: Game) -> None:
        self.game, self.meanings = game, Meanings(game)
        self.called = {track.name: tuple(map(tokens, _called(track))) for track in game.tracks.values()}

    def tracks(self, on: Sequence[Subject], *, printed: bool = False) -> list[Track]:
        """The tracks of some kinds of subjects that a piece may show. printed: also those printed on counters."""
        known = self.game.tracks.values()
        return [
            candidate
            for candidate in known
            if candidate.on in on and (candidate.printed is None or (printed and candidate.printed == "counter"))
        ]

    def track(
        self, name: str, on: Sequence[Subject], *, printed: bool = False, counts: bool = False
    ) -> tuple[Track, float] | None:
        """The one track that a name is most like, and how much; None if none is, or several are.

        printed: as for `tracks`; counts: leaves out flags, for what has numbers.
        """
        plain, mine = folded(name).replace("_", "-"), tokens(name)
        tracks = [track for track in self.tracks(on, printed=printed) if not (counts and track.kind == "flag")]
        if (same := next((track for track in tracks if track.name == plain), None)) is not None:
            return same, 1.0
        return _best([(likeness(mine, *self.called[track.name]), track) for track in tracks])

    def of_values(self, values: Sequence[str], on: Sequence[Subject]) -> Track | None:
        """The one track of which most of some texts name a value each; None if none has two of them."""
        named = [
            (sum(bool(_name_values(candidate, tokens(text))) for text in values), candidate)
            for candidate in self.tracks(on)
            if candidate.kind == "choice"
        ]
        ranked = sorted(named, key=lambda pair: -pair[0])
        if not ranked or ranked[0][0] < 2 or (len(ranked) > 1 and ranked[1][0] == ranked[0][0]):
            return None
        return ranked[0][1]

    def word(self, text: str, on: Sequence[Subject], track: Track | None = None) -> str:
        """The word of notation that a text stands for, "" if none is found. track: the one that it is about, if known."""
        plain = text.strip(" +()[]")
        if not plain:
            return ""
        if track is not None:
            return _value_word(track, plain)
        try:
            stated, fact = self.meanings.fact(plain.casefold(), on)
            return stated.word(fact.value) if stated.kind != "text" and stated.printed is None else ""
        except InputError:
            return self._by_name(plain, on)

    def _by_name(self, text: str, on: Sequence[Subject]) -> str:
        """The word for a text that names a track and one of its values, or a flag."""
        mine = tokens(text)
        likely: list[tuple[float, tuple[Track, str]]] = []
        for track in self.tracks(on):
            called = self.called[track.name]
            if track.kind == "flag":
                alike = likeness(mine, *called)
                likely.append((alike if alike >= _SAME else 0.0, (track, track.word(True))))
            elif track.kind in ("choice", "choices"):
                for value in _name_values(track, mine):
                    rest = [token for token in mine if not has(tokens(value), token)]
                    word = track.word((value,) if track.kind == "choices" else value)
                    likely.append((likeness(rest, *called), (track, word)))
            elif track.kind == "integer" and (number := _NUMBER.search(text)):
                rest = [token for token in mine if str(int(number[0])) not in token]
                likely.append((likeness(rest, *called), (track, _number_word(track, int(number[0])))))
        best = _best(likely)
        return "" if best is None else best[0][1]


Ranked = TypeVar("Ranked")


def _best(likely: Sequence[tuple[float, Ranked]]) -> tuple[Ranked, float] | None:
    """What is most alike, and how much; None if nothing is alike enough, or two are nearly as much so."""
    ranked = sorted(likely, key=lambda pair: -pair[0])
    if not ranked or ranked[0][0] < _ALIKE or (len(ranked) > 1 and ranked[1][0] > ranked[0][0] - _CLEAR):
        return None
    return ranked[0][1], ranked[0][0]


def _name_values(track: Track, text: Sequence[Token]) -> list[str]:
    """The values of a track of words that a text names."""
    return [value for value in track.values if has_all(text, tokens(value))]


def _called(track: Track) -> Iterator[str]:
    """What a track is called: its name, its title, what its counters and menus say."""
    yield track.name
    yield re.sub(r"\(.*?\)|:.*", "", track.title)
    if track.module is not None:
        yield from track.module.menu


def _value_word(track: Track, text: str) -> str:
    """The word for the value of a track that a text names, "" if it names none."""
    mine = tokens(text)
    if track.kind == "flag":
        return "" if text.casefold() in _NO else track.word(True)
    if track.kind in ("choice", "choices"):
        named = _name_values(track, mine)
        return track.word((named[0],) if track.kind == "choices" else named[0]) if len(named) == 1 else ""
    number = _NUMBER.search(text)
    return _number_word(track, int(number[0])) if number and track.kind == "integer" else ""


def _number_word(track: Track, number: int) -> str:
    """The word for a number of a track that may count downwards, "" for none and for one that is not allowed."""
    value = -number if track.most is not None and track.most <= 0 else number
    try:
        return "" if value == track.absent else track.word(track.check(value))
    except InputError:
        return ""


class _Layer(NamedTuple):
    """A layer that several pieces have. level: of the first of them, negative while it does not show; bearer: what they
    are called, "" for several.
    """

    key: str
    title: str
    names: tuple[str, ...]
    images: tuple[str, ...]
    level: int
    pieces: int
    bearer: str


def propose_layers(known: TrackNames, pieces: Iterable[Candidate]) -> list[Proposal]:
    """A proposal for each different layer that has something to say: what each of its levels states."""
    return [_of_layer(known, layer) for layer in _layers(pieces)]


def _layers(pieces: Iterable[Candidate]) -> Iterator[_Layer]:
    """The layers that differ in name or number of levels; those that only hold a piece's own picture are left out."""
    by_name: dict[tuple[str, int], list[tuple[LayerTrait, int, str]]] = {}
    for candidate in pieces:
        for trait in candidate.piece.traits:
            if trait.kind == "emb2":
                layer = read_layer(trait.type)
                if layer.name.isprintable() and (layer.name or len(layer.images) > 1):
                    by_name.setdefault((layer.name, len(layer.images)), []).append(
                        (layer, Carried(candidate.piece.traits).level(trait), candidate.title)
                    )
    shared = Counter(name for name, _ in by_name)
    for (name, count), alike in by_name.items():
        names, _ = Counter(layer.names for layer, *_ in alike).most_common(1)[0]
        images, _ = Counter(layer.images for layer, *_ in alike).most_common(1)[0]
        key = name if name and shared[name] == 1 else f"{name}/{count}"
        bearers = {title for *_, title in alike}
        yield _Layer(key, name, names, images, alike[0][1], len(alike), bearers.pop() if len(bearers) == 1 else "")


def _of_layer(known: TrackNames, layer: _Layer) -> Proposal:
    counts = any(map(_NUMBER.search, layer.names))
    match = known.track(layer.title, OF_UNIT, counts=counts) or known.track(layer.bearer, OF_MARKER, counts=counts)
    if match is None and (listed := known.of_values(layer.names, OF_UNIT)) is not None:
        match = listed, _ALIKE
    track, alike = match if match is not None else (None, 0.0)
    why = count_text(layer.pieces, "piece")
    meant = [known.word(name, OF_UNIT) for name in layer.names]
    is_clear = any(meant) and all(map(_agree, layer.names, meant))
    if track is not None and (alike >= _SAME or not is_clear):
        words = [known.word(name, OF_UNIT, track) for name in layer.names]
        if any(words):
            return Proposal(layer.key, words, SURE if alike >= _SAME else LIKELY, why)
    if any(meant):
        return Proposal(layer.key, meant, SURE if is_clear else LIKELY, why)
    if track is not None and any(words := _count(track, layer)):
        return Proposal(layer.key, words, LIKELY if alike >= _SAME and _numbers(layer.images) else GUESS, why)
    levels = ", ".join(name for name in layer.names if name)
    return Proposal(layer.key, [""] * len(layer.names), "", why + (f"; levels: {levels}" if levels else ""))


def _agree(name: str, word: str) -> bool:
    """Whether a level without a name states nothing, and one with a name something."""
    return bool(name.strip(" +")) == bool(word)


def _count(track: Track, layer: _Layer) -> list[str]:
    """The words for levels without names: by the numbers in the files of their pictures, or else counted from the one
    that shows nothing.
    """
    count = len(layer.names)
    if track.kind == "flag":
        return [*[""] * (count - 1), track.word(True)] if count <= 2 else []
    if track.kind != "integer":
        return []
    numbers = _numbers(layer.images)
    if len(numbers) != count:
        numbers = list(range(count)) if layer.level > 0 else list(range(1, count + 1))
    return [_number_word(track, number) for number in numbers]


def _numbers(images: Sequence[str]) -> list[int]:
    """The last number in the name of each picture, as far as they all have one and no two the same."""
    figures = [_NUMBER.findall(PurePosixPath(image).stem) for image in images if image]
    numbers = [int(each[-1]) for each in figures if each]
    return numbers if len({*numbers}) == len(images) else []


def propose_properties(known: TrackNames, pieces: Sequence[Candidate]) -> list[Proposal]:
    """A proposal for each property that is named like a track: printed ratings, and what varies in play."""
    values: dict[str, Counter[str]] = {}
    for candidate in pieces:
        for name, value in all_properties(candidate.piece.traits):
            values.setdefault(name, Counter())[value] += 1
    return [_of_property(known, name, said) for name, said in values.items() if name.isprintable()]


def _of_property(known: TrackNames, name: str, said: Counter[str]) -> Proposal:
    match = known.track(name, OF_UNIT, printed=True)
    often = ", ".join(value for value, _ in said.most_common(_MOST_VALUES) if value)[:100]
    why = count_text(said.total(), "piece") + (f": {often}" if often else "")
    if match is None:
        return Proposal(name, "", "", why)
    track, alike = match
    sure = SURE if alike >= _SAME else LIKELY
    given = [value for value in said if value and not value.startswith("$")]
    if not given and any(said):
        return Proposal(name, "", "", why)
    pattern = _pattern(track)
    if all(_fits(known, pattern, value) for value in given):
        return Proposal(name, pattern, sure if given else GUESS, why)
    if track.kind in ("choice", "choices", "flag"):
        shown = [value for value in given[:_MOST_VALUES] if value.isprintable()]
        table = {value: word for value in shown if (word := _value_word(track, value))}
        if table:
            return Proposal(name, table, LIKELY if len(table) == len(given) else GUESS, why)
    return Proposal(name, "", "", why)


def _pattern(track: Track) -> str:
    """The word that states any value of a track, `{}` standing for it; counted downwards where the track is."""
    falls = track.kind == "integer" and track.most is not None and track.most <= 0
    return f"{track.name}=-{{}}" if falls else f"{track.name}={{}}"


def _fits(known: TrackNames, pattern: str, value: str) -> bool:
    try:
        known.meanings.fact(pattern.replace("{}", value.strip()), OF_UNIT)
    except InputError:
        return False
    return True


def propose_markers(
    known: TrackNames, pieces: Iterable[Candidate], layers: Mapping[str, Sequence[str]]
) -> Iterator[Proposal]:
    """A proposal for each piece that is called like a fact of a hex, or like one of the unit below it. layers: as
    proposed, by name.
    """
    for candidate in pieces:
        word = known.word(candidate.title, OF_MARKER) or known.word(candidate.key, OF_MARKER)
        if word:
            yield Proposal(candidate.key, word, LIKELY, _title(candidate))
        elif (stated := _by_layers(known, candidate, layers)) is not None:
            yield Proposal(candidate.key, "", LIKELY, f"its layers state {stated.title}")


def _by_layers(known: TrackNames, candidate: Candidate, layers: Mapping[str, Sequence[str]]) -> Track | None:
    """The track of hexes that a layer of a piece states."""
    for trait in candidate.piece.traits:
        for word in filter(None, layers.get(layer_key(trait, layers), ())):
            for track in known.meanings.tracks(word, OF_MARKER):
                if track.on == "hex":
                    return track
    return None


def _title(candidate: Candidate) -> str:
    return candidate.title if candidate.title != candidate.key else ""


def propose_traits(pieces: Iterable[Candidate]) -> list[Proposal]:
    """The kinds of traits of the module's own code, which only the player can tell: they may hide pieces."""
    by_kind: dict[str, tuple[Trait, int]] = {}
    for candidate in pieces:
        for trait in candidate.piece.traits:
            if trait.kind not in KINDS:
                first, count = by_kind.get(trait.kind, (trait, 0))
                by_kind[trait.kind] = (first, count + 1)
    return [
        Proposal(
            kind,
            {"type": [], "state": []},
            "",
            f"{count_text(count, 'piece')}, such as {trait.type} with the state {trait.state or 'none'}",
        )
        for kind, (trait, count) in by_kind.items()
        if kind.isprintable()
    ]


_ALIKE_NAMES, _SAME_NAME = 0.5, 0.85


def propose_sides(game: Game, controls: Controls) -> list[Proposal]:
    """A proposal for each side of the module: the game's whose name or nations its name tells."""
    return [_of_side(game, name) for name in controls.sides if name.isprintable()]


def _of_side(game: Game, name: str) -> Proposal:
    candidates = []
    for side, nations in game.file.sides.items():
        called = (side, game.file.titles.get(side, side))
        mine = tokens(name)
        nation = any(has_all(mine, tokens(nation_name)) for nation_name in nations)
        candidates.append((max(likeness(mine, *map(tokens, called)), 0.7 * nation), side))
    ranked = sorted(candidates, reverse=True)
    if not ranked or ranked[0][0] < _ALIKE_NAMES or (len(ranked) > 1 and ranked[1][0] == ranked[0][0]):
        return Proposal(name, "", "", f"one of {', '.join(game.file.sides)}, or none")
    return Proposal(name, ranked[0][1], SURE if ranked[0][0] >= _SAME_NAME else LIKELY)


def propose_turn(known: TrackNames, controls: Controls) -> list[Proposal]:
    """A proposal for each level of the turn trackers: a number counts turns, the entries of a list are words."""
    return [
        proposal
        for levels in controls.trackers
        for number, level in enumerate(all_levels(levels))
        if level.name.isprintable() and (proposal := _of_level(known, level, is_first=not number))
    ]


def _of_level(known: TrackNames, level: TurnLevel, *, is_first: bool) -> Proposal:
    if not level.entries:
        return _of_counter(known, level, is_first=is_first)
    listed = known.of_values(level.entries, OF_GAME)
    words: list[Any] = [known.word(entry, OF_GAME, listed) for entry in level.entries]
    entries = ", ".join(level.entries)
    if any(words):
        return Proposal(level.name, words, LIKELY if all(words) else GUESS, entries)
    return Proposal(level.name, words, "", entries)


def _of_counter(known: TrackNames, level: TurnLevel, *, is_first: bool) -> Proposal:
    """A proposal for a level that is a number: the track that it is called like, or for the first one the game's first
    that is a number.
    """
    match = known.track(level.name, OF_GAME)
    if match is not None and match[0].kind == "integer":
        track, alike = match
        return Proposal(level.name, _pattern(track), SURE if alike >= _SAME else GUESS)
    counted = next((track for track in known.tracks(OF_GAME) if track.kind == "integer"), None)
    if counted is None or not is_first:
        return Proposal(level.name, "", "", "a number")
    return Proposal(level.name, _pattern(counted), GUESS)


def propose_dice(controls: Controls) -> list[Proposal]:
    """The dice buttons, whose throws a log holds; which roll one is for only the player can tell."""
    return [
        Proposal(button.name, "", LIKELY, f"{button.dice}d{button.faces}")
        for button in controls.dice
        if button.name and button.name.isprintable()
    ]


# --- the whole mapping ------------------------------------------------------------------------------------------------

_MARGIN = 48
"""The column in which what is said of an entry begins, if it is short."""
_LONGEST = 160
"""The most letters that are said of an entry."""
_HEADS = {
    "sides": "Sides: as the module calls them, and as the game does.",
    "maps": "Maps: which one is the game's, and how its hexes are numbered (docs: adopting). aside = true: pieces there are not in play.",
    "units": 'Units: each with its piece, by name, picture or slot (#12), or several: ["29 Div", "29 Div reduced"]; "" for none.',
    "markers": "Markers: what a piece states about its hex, or about the unit below it, in the words of position notation.",
    "layers": "Layers: what each level states, in the words of position notation.",
    "properties": "Properties: markers, dynamic properties and text labels. {} stands for their value; or a table: { VALUE = WORDS }.",
    "traits": "Traits of the module's own code, by the fields of type and state. They may hide pieces: a piece with one that is not named here is reported to no side.",
    "turn": "Turn: what the levels of the turn tracker state.",
    "dice": 'Dice: the buttons whose throws a log holds, each with the roll that it is for; "" for any roll.',
}


class Draft(NamedTuple):
    """What is proposed. head: the first lines of the file; sections: by name; left: pieces that nothing is proposed
    for; too_long: the names of entries that are longer than a mapping may have.
    """

    head: Mapping[str, str]
    sections: Mapping[str, Sequence[Proposal]]
    left: Sequence[Candidate]
    too_long: Sequence[str] = ()

    def counts(self) -> dict[str, Counter[str]]:
        """How many entries of each section are how sure, "" for those left to the player."""
        return {name: Counter(proposal.sure for proposal in proposals) for name, proposals in self.sections.items()}


def draft_mapping(module: Module, maps: Mapping[str, MapWindow], game: Game, board: str) -> Draft:
    """The proposals for a module. maps: its maps, all numbered; board: the game's, "" for its printed map."""
    known, pieces = TrackNames(game), candidates(module)
    properties = propose_properties(known, pieces)
    printed = {track.name for track in game.tracks.values() if track.printed == "counter"}
    ratings = {
        proposal.name: track
        for proposal in properties
        if proposal.sure and isinstance(proposal.value, str) and (track := proposal.value.partition("=")[0]) in printed
    }
    units = propose_units(game, pieces, ratings)
    taken = {unit.value if isinstance(unit.value, str) else unit.value[0] for unit in units}
    others = [piece for piece in pieces if piece.key not in taken]
    layers = propose_layers(known, pieces)
    markers = list(propose_markers(known, others, {layer.name: layer.value for layer in layers}))
    marked = {marker.name for marker in markers}
    head = {"module": module.about.module, "version": module.about.module_version, "game": game.id}
    head |= {"folder": game.home, "board": board}
    sections: dict[str, Sequence[Proposal]] = {
        "sides": propose_sides(game, module.controls),
        "maps": propose_maps(maps, game.board(board)),
        "units": units,
        "markers": markers,
        "layers": layers,
        "properties": properties,
        "traits": propose_traits(pieces),
        "turn": propose_turn(known, module.controls),
        "dice": propose_dice(module.controls),
    }
    too_long = [entry.name for proposals in sections.values() for entry in proposals if len(entry.name) > LONGEST]
    sections = {
        name: [proposal for proposal in proposals if len(proposal.name) <= LONGEST]
        for name, proposals in sections.items()
    }
    return Draft(head, sections, [piece for piece in others if piece.key not in marked], too_long)


def text_of(draft: Draft) -> str:
    """A mapping as its file: what is left to the player stands in comments."""
    lines = [
        "# What the pieces of a VASSAL module mean, found by `assistant adopt`. Correct it, then check a save: assistant check SAVE",
        "# Look at each entry that is marked as a guess or as likely; entries in comments are left to you.",
        "",
        *(f"{name} = {toml_value(value)}" for name, value in draft.head.items() if value),
        "",
        "# Pieces that mean nothing to the game: by name, picture or slot.",
        "ignored = []",
    ]
    for name, proposals in draft.sections.items():
        lines += ["", f"# {_HEADS[name]}", *_section(name, proposals)]
    if draft.left:
        lines += [
            "",
            "# Pieces for which nothing was found:",
            *sorted(f"#   {_comment(_piece(piece))}" for piece in draft.left),
        ]
    if draft.too_long:
        lines += ["", f"# Left out, for a name has at most {LONGEST} letters:"]
        lines += sorted(f"#   {_comment(name)}" for name in draft.too_long)
    return "\n".join(lines) + "\n"


def _section(name: str, proposals: Sequence[Proposal]) -> Iterator[str]:
    """The lines of a section, its heading first."""
    if name == "maps":
        for proposal in proposals:
            yield from map_entry(proposal)
        return
    yield f"[{name}]"
    for proposal in proposals:
        yield entry(proposal)


def map_entry(proposal: Proposal) -> Iterator[str]:
    """The lines of a map."""
    yield _entry_line(f"[maps.{toml_value(proposal.name)}]", proposal)
    for key, value in proposal.value.items():
        yield f"{key} = {toml_value(value)}"


def entry(proposal: Proposal) -> str:
    """The line of any other entry, a comment if it is left to the player."""
    text = f"{toml_value(proposal.name)} = {toml_value(proposal.value)}"
    return _entry_line(text if proposal.sure else f"# {text}", proposal)


def _entry_line(entry: str, proposal: Proposal) -> str:
    said = ": ".join(filter(None, (proposal.sure, _comment(proposal.why))))
    return f"{entry.ljust(_MARGIN)}  # {said}" if said else entry


def _comment(text: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]} ..."


def _piece(piece: Candidate) -> str:
    return piece.key if piece.title == piece.key else f"{piece.key} ({piece.title})"
