"""A proposed mapping: its entries, and its file that a player can read and correct."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import PurePosixPath
from typing import Any, NamedTuple, TypeVar

import msgspec

from .....game.boards.board import Board
from .....game.games import Game
from .....state.tracks import Subject, Track
from .....util.console import format_count
from .....util.datafiles import write_toml_value
from .....util.errors import InputError
from .....util.patterns import late_pattern
from .....util.texts import folded
from ...controls import Controls, TurnLevel, all_levels
from ...maps import MapWindow
from ...modules import Module
from ...properties import Carried
from ...traits import KINDS, LayerTrait, Trait, read_layer
from ..legend import all_properties, layer_key
from ..mapping import GAME_SUBJECTS, MARKER_SUBJECTS, MAX_NAME_CHARS, UNIT_SUBJECTS, ModuleMapping
from ..meanings import Meanings
from .candidates import GUESS, LIKELY, SURE, Candidate, Proposal, find_candidates, is_fixed, propose_units
from .likeness import Token, has, has_all, likeness, tokens
from .maps import propose_maps

_COMMENT_COLUMN = 48
"""The column of the comment after a short entry."""
_MAX_COMMENT_CHARS = 160
_HEADS = {
    "sides": "Sides: as the module calls them, and as the game does.",
    "maps": (
        "Maps: which one is the game's, and how its hexes are numbered (docs: adopting). aside = true: "
        "pieces there are not in play."
    ),
    "units": (
        'Units: each with its piece, by name, picture or slot (#12), or several: ["29 Div", "29 Div '
        'reduced"]; "" for none.'
    ),
    "markers": (
        "Markers: what a piece states about its hex, or about the unit below it, in the words of position notation."
    ),
    "layers": "Layers: what each level states, in the words of position notation.",
    "properties": (
        "Properties: markers, dynamic properties and text labels. {} stands for their value; or a table: { "
        "VALUE = WORDS }."
    ),
    "traits": (
        "Traits of the module's own code, by the fields of type and state. They may hide pieces: a piece "
        "with one that is not named here is reported to no side."
    ),
    "turn": "Turn: what the levels of the turn tracker state.",
    "dice": 'Dice: the buttons whose throws a log holds, each with the roll that it is for; "" for any roll.',
}


class MappingDraft(NamedTuple):
    """The proposals for a mapping."""

    head: Mapping[str, str]
    """The first entries of the file, before all sections."""
    sections: Mapping[str, Sequence[Proposal]]
    """The proposals of each section."""
    left: Sequence[Candidate]
    """The pieces without a proposal."""
    too_long: Sequence[str] = ()
    """Names that are too long for a mapping."""
    fixed: Sequence[str] = ()
    """Keys of pieces that are drawn as parts of their maps."""

    def counts(self) -> dict[str, Counter[str]]:
        """Return the number of entries of each section by sureness, with "" for entries left to the player."""
        return {name: Counter(proposal.sure for proposal in proposals) for name, proposals in self.sections.items()}


def draft_mapping(
    module: Module, maps: Mapping[str, MapWindow], game: Game, board: str, given: ModuleMapping | None = None
) -> MappingDraft:
    """Return the proposals for a module.

    `maps`: the maps of the module with numbers on every hex.
    `board`: the game's board, or "" for its printed map.
    `given`: known maps, units, markers and layers, for example from an import.
    """
    given = given or ModuleMapping(module=module.about.module, game=game.id)
    known = TrackNames(game)
    pieces = find_candidates(module)
    properties = propose_properties(known, pieces)
    printed = {track.name for track in game.tracks.values() if track.printed == "counter"}
    ratings: dict[str, str] = {}
    for proposal in properties:
        if proposal.sure and isinstance(proposal.value, str):
            track = proposal.value.partition("=")[0]
            if track in printed:
                ratings[proposal.name] = track
    is_complete = game.counters.keys() <= given.units.keys()
    proposed = [] if is_complete else propose_units(game, pieces, ratings)
    proposed_units = [unit for unit in proposed if unit.name not in given.units]
    named = {unit.value if isinstance(unit.value, str) else unit.value[0] for unit in proposed_units}
    named.update(name for unit in given.units for name in given.pieces_of(unit))
    unnamed = [piece for piece in pieces if named.isdisjoint((piece.key, *(f"#{slot}" for slot in piece.slots)))]
    fixed = [piece.key for piece in unnamed if is_fixed(piece.piece)]
    candidates_left = [piece for piece in unnamed if piece.key not in fixed]
    layers = _add_given(given.layers, propose_layers(known, pieces, given.layers))
    unknown = [piece for piece in candidates_left if piece.key not in given.markers]
    guessed = propose_markers(known, unknown, {layer.name: layer.value for layer in layers})
    markers = _add_given(given.markers, guessed)
    marked = {marker.name for marker in markers}
    head = {"module": module.about.module, "version": module.about.module_version, "game": game.id}
    head |= {"folder": game.home, "board": board}
    sections: dict[str, Sequence[Proposal]] = {
        "sides": propose_sides(game, module.controls),
        "maps": _propose_maps(maps, game.board(board), given),
        "units": _add_given(given.units, proposed_units),
        "markers": markers,
        "layers": layers,
        "properties": properties,
        "traits": propose_traits(pieces),
        "turn": propose_turn(known, module.controls),
        "dice": propose_dice(module.controls),
    }
    too_long = [
        entry.name for proposals in sections.values() for entry in proposals if len(entry.name) > MAX_NAME_CHARS
    ]
    sections = {name: _take_first(proposals) for name, proposals in sections.items()}
    return MappingDraft(
        head, sections, [piece for piece in candidates_left if piece.key not in marked], too_long, fixed
    )


def _add_given(given: Mapping[str, object], proposals: Iterable[Proposal]) -> list[Proposal]:
    """Return the known entries as sure, followed by proposals for other names."""
    sure = [Proposal(name, value, SURE) for name, value in given.items()]
    return [*sure, *(proposal for proposal in proposals if proposal.name not in given)]


def _take_first(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Return the first proposal for each name that is not too long.

    Two dice buttons, for example, may share a name.
    """
    first: dict[str, Proposal] = {}
    for proposal in proposals:
        if len(proposal.name) <= MAX_NAME_CHARS:
            first.setdefault(proposal.name, proposal)
    return [*first.values()]


def _propose_maps(maps: Mapping[str, MapWindow], board: Board, given: ModuleMapping) -> list[Proposal]:
    unknown = {name: window for name, window in maps.items() if name not in given.maps}
    proposed = propose_maps(unknown, board) if unknown else []
    return _add_given(msgspec.to_builtins(given.maps), proposed)


def write_draft(draft: MappingDraft) -> str:
    """Return the text of a mapping's file. Entries left to the player are comments."""
    lines = [
        (
            "# What the pieces of a VASSAL module mean, found by `assistant adopt`. Correct it, then check a "
            "save: assistant check SAVE"
        ),
        "# Look at each entry that is marked as a guess or as likely; entries in comments are left to you.",
        "",
        *(f"{name} = {write_toml_value(value)}" for name, value in draft.head.items() if value),
        "",
        "# Pieces that mean nothing to the game: by name, picture or slot.",
        f"ignored = {write_toml_value(list(draft.fixed))}",
    ]
    for name, proposals in draft.sections.items():
        lines += ["", f"# {_HEADS[name]}", *_write_section(name, proposals)]
    if draft.left:
        lines += [
            "",
            "# Pieces for which nothing was found:",
            *sorted(f"#   {_write_comment(_write_piece(piece))}" for piece in draft.left),
        ]
    if draft.too_long:
        lines += ["", f"# Left out, for a name has at most {MAX_NAME_CHARS} letters:"]
        lines += sorted(f"#   {_write_comment(name)}" for name in draft.too_long)
    return "\n".join(lines) + "\n"


def _write_section(name: str, proposals: Sequence[Proposal]) -> Iterator[str]:
    """Yield the lines of a section, its heading first."""
    if name == "maps":
        for proposal in proposals:
            yield from write_map(proposal)
        return
    yield f"[{name}]"
    for proposal in proposals:
        yield write_proposal(proposal)


def write_map(proposal: Proposal) -> Iterator[str]:
    """Yield the lines of a map."""
    yield _write_entry(f"[maps.{write_toml_value(proposal.name)}]", proposal)
    for key, value in proposal.value.items():
        yield f"{key} = {write_toml_value(value)}"


def write_proposal(proposal: Proposal) -> str:
    """Return the line of an entry that is not a map, as a comment if it is left to the player."""
    text = f"{write_toml_value(proposal.name)} = {write_toml_value(proposal.value)}"
    return _write_entry(text if proposal.sure else f"# {text}", proposal)


def _write_entry(entry: str, proposal: Proposal) -> str:
    comment = ": ".join(filter(None, (proposal.sure, _write_comment(proposal.why))))
    return f"{entry.ljust(_COMMENT_COLUMN)}  # {comment}" if comment else entry


def _write_comment(text: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain if len(plain) <= _MAX_COMMENT_CHARS else f"{plain[:_MAX_COMMENT_CHARS]} ..."


def _write_piece(piece: Candidate) -> str:
    return piece.key if piece.title == piece.key else f"{piece.key} ({piece.title})"


# --- layers, properties, markers, sides, turn and dice ----------------------------------------------------------------

_MAX_VALUES = 12
"""Maximum number of values of a property that are examined and written."""
_MIN_SIMILARITY_OF_SIDES = 0.5
_MIN_SIMILARITY = 0.7
"""The minimum similarity, from 0 to 1, at which a name and a track are taken to mean the same."""
_MIN_SURE_SIMILARITY = 0.85
"""The minimum similarity, from 0 to 1, at which the player need not check a match."""
_MIN_LEAD = 0.1
"""The minimum difference in similarity between the best track and the next."""
_DENIALS = ("0", "no", "false", "off", "none")
"""Texts that deny a flag."""
_NUMBER = late_pattern(r"[0-9]{1,3}")


class _Layer(NamedTuple):
    """A layer shared by several pieces."""

    key: str
    title: str
    names: tuple[str, ...]
    images: tuple[str, ...]
    level: int
    """The level in the first of these pieces, negative if the layer is inactive."""
    pieces: int
    bearer: str
    """The name of these pieces, or "" if their names differ."""


def propose_layers(known: TrackNames, pieces: Iterable[Candidate], given: Collection[str] = ()) -> list[Proposal]:
    """Return a proposal for each layer: the words that each of its levels states.

    `given`: names of layers to leave out.
    """
    return [_propose_layer(known, layer) for layer in _find_layers(pieces) if layer.key not in given]


def _find_layers(pieces: Iterable[Candidate]) -> Iterator[_Layer]:
    """Yield the layers with different names or numbers of levels, without those that only have the piece's picture."""
    by_name: dict[tuple[str, int], list[tuple[LayerTrait, str]]] = {}
    levels: dict[tuple[str, int], int] = {}
    for candidate in pieces:
        for trait in candidate.piece.traits:
            if trait.kind == "emb2":
                layer = read_layer(trait.type)
                if layer.name.isprintable() and (layer.name or len(layer.images) > 1):
                    called = layer.name, len(layer.images)
                    if called not in levels:
                        levels[called] = Carried(candidate.piece.traits).level(trait)
                    by_name.setdefault(called, []).append((layer, candidate.title))
    shared = Counter(name for name, _ in by_name)
    for (name, count), alike in by_name.items():
        names, _ = Counter(layer.names for layer, _ in alike).most_common(1)[0]
        images, _ = Counter(layer.images for layer, _ in alike).most_common(1)[0]
        key = name if name and shared[name] == 1 else f"{name}/{count}"
        bearers = {title for _, title in alike}
        yield _Layer(
            key, name, names, images, levels[name, count], len(alike), bearers.pop() if len(bearers) == 1 else ""
        )


def _propose_layer(known: TrackNames, layer: _Layer) -> Proposal:
    counts = any(map(_NUMBER.search, layer.names))
    match = known.track(layer.title, UNIT_SUBJECTS, counts=counts) or known.track(
        layer.bearer, MARKER_SUBJECTS, counts=counts
    )
    track, alike = match if match is not None else (known.find_by_values(layer.names, UNIT_SUBJECTS), _MIN_SIMILARITY)
    why = format_count(layer.pieces, "piece")
    words_by_name = [known.word(name, UNIT_SUBJECTS) for name in layer.names]
    is_clear = any(words_by_name) and all(map(_agree, layer.names, words_by_name))
    if track is not None and (alike >= _MIN_SURE_SIMILARITY or not is_clear):
        words = [known.word(name, UNIT_SUBJECTS, track) for name in layer.names]
        if any(words):
            return Proposal(layer.key, words, SURE if alike >= _MIN_SURE_SIMILARITY else LIKELY, why)
    if any(words_by_name):
        return Proposal(layer.key, words_by_name, SURE if is_clear else LIKELY, why)
    if track is not None:
        words = _number_levels(track, layer)
        if any(words):
            return Proposal(
                layer.key,
                words,
                LIKELY if alike >= _MIN_SURE_SIMILARITY and _read_numbers(layer.images) else GUESS,
                why,
            )
    levels = ", ".join(name for name in layer.names if name)
    return Proposal(layer.key, [""] * len(layer.names), "", why + (f"; levels: {levels}" if levels else ""))


def _agree(name: str, word: str) -> bool:
    """Return whether a level states something if it has a name, and nothing if it has none."""
    return bool(name.strip(" +")) == bool(word)


def _number_levels(track: Track, layer: _Layer) -> list[str]:
    """Return the words for unnamed levels, from the numbers in the pictures' file names, or else by counting.

    Counting begins with 0 if the layer is active, or else with 1.
    """
    count = len(layer.names)
    if track.kind == "flag":
        return [*[""] * (count - 1), track.word(True)] if count <= 2 else []
    if track.kind != "integer":
        return []
    numbers = _read_numbers(layer.images)
    if len(numbers) != count:
        numbers = list(range(count)) if layer.level > 0 else list(range(1, count + 1))
    return [write_number(track, number) for number in numbers]


def _read_numbers(images: Sequence[str]) -> list[int]:
    """Return the last number in each picture's name, or an empty list if a number is missing or repeated."""
    figures = [_NUMBER.findall(PurePosixPath(image).stem) for image in images if image]
    numbers = [int(each[-1]) for each in figures if each]
    return numbers if len({*numbers}) == len(images) else []


def propose_properties(known: TrackNames, pieces: Sequence[Candidate]) -> list[Proposal]:
    """Return a proposal for each property; it is empty unless the name resembles a track's.

    Tracks of printed ratings and of values that vary in play count.
    """
    values: dict[str, Counter[str]] = {}
    for candidate in pieces:
        for name, value in all_properties(candidate.piece.traits):
            values.setdefault(name, Counter())[value] += 1
    return [_propose_property(known, name, counts) for name, counts in values.items() if name.isprintable()]


def _propose_property(known: TrackNames, name: str, counts: Counter[str]) -> Proposal:
    match = known.track(name, UNIT_SUBJECTS, printed=True)
    frequent_values = ", ".join(value for value, _ in counts.most_common(_MAX_VALUES) if value)[:100]
    why = format_count(counts.total(), "piece") + (f": {frequent_values}" if frequent_values else "")
    if match is None:
        return Proposal(name, "", "", why)
    track, alike = match
    sureness = SURE if alike >= _MIN_SURE_SIMILARITY else LIKELY
    plain_values = [value for value in counts if value and not value.startswith("$")]
    if not plain_values and any(counts):
        return Proposal(name, "", "", why)
    pattern = _write_pattern(track)
    if all(_fits(known, pattern, value) for value in plain_values):
        return Proposal(name, pattern, sureness if plain_values else GUESS, why)
    if track.kind in ("choice", "choices", "flag"):
        shown = [value for value in plain_values[:_MAX_VALUES] if value.isprintable()]
        table = {value: word for value in shown if (word := write_scalar(track, value))}
        if table:
            return Proposal(name, table, LIKELY if len(table) == len(plain_values) else GUESS, why)
    return Proposal(name, "", "", why)


def _write_pattern(track: Track) -> str:
    """Return the word for a value of a track, with `{}` for the value, and a minus sign if the track counts down."""
    falls = track.kind == "integer" and track.most is not None and track.most <= 0
    return f"{track.name}=-{{}}" if falls else f"{track.name}={{}}"


def _fits(known: TrackNames, pattern: str, value: str) -> bool:
    try:
        known.meanings.fact(pattern.replace("{}", value.strip()), UNIT_SUBJECTS)
    except InputError:
        return False
    return True


def propose_markers(
    known: TrackNames, pieces: Iterable[Candidate], layers: Mapping[str, Sequence[str]]
) -> Iterator[Proposal]:
    """Yield a proposal for each piece named like a fact of a hex or of the unit below it.

    `layers`: the proposed words of layers, by name.
    """
    for candidate in pieces:
        word = known.word(candidate.title, MARKER_SUBJECTS) or known.word(candidate.key, MARKER_SUBJECTS)
        stated = _find_layer_track(known, candidate, layers)
        if stated is not None and (not word or stated in known.meanings.tracks(word, MARKER_SUBJECTS)):
            # no word is proposed, because players may change the levels
            yield Proposal(candidate.key, "", LIKELY, f"its layers state {stated.title}")
        elif word:
            yield Proposal(candidate.key, word, LIKELY, candidate.title if candidate.title != candidate.key else "")


def _find_layer_track(known: TrackNames, candidate: Candidate, layers: Mapping[str, Sequence[str]]) -> Track | None:
    """Return the track of hexes that a layer of a piece states, or None."""
    for trait in candidate.piece.traits:
        for word in filter(None, layers.get(layer_key(trait, layers), ())):
            for track in known.meanings.tracks(word, MARKER_SUBJECTS):
                if track.on == "hex":
                    return track
    return None


def propose_traits(pieces: Iterable[Candidate]) -> list[Proposal]:
    """Return the kinds of traits of the module's own code, with empty proposals.

    Only the player can know whether such traits hide pieces.
    """
    by_kind: dict[str, tuple[Trait, int]] = {}
    for candidate in pieces:
        for trait in candidate.piece.traits:
            if trait.kind not in KINDS:
                first, count = by_kind.get(trait.kind, (trait, 0))
                by_kind[trait.kind] = (first, count + 1)
    proposals: list[Proposal] = []
    for kind, (trait, count) in by_kind.items():
        if kind.isprintable():
            example = f"{trait.type} with the state {trait.state or 'none'}"
            why = f"{format_count(count, 'piece')}, such as {example}"
            proposals.append(Proposal(kind, {"type": [], "state": []}, "", why))
    return proposals


def propose_sides(game: Game, controls: Controls) -> list[Proposal]:
    """Return a proposal for each side of the module, from the names of the game's sides and nations."""
    return [_propose_side(game, name) for name in controls.sides if name.isprintable()]


def _propose_side(game: Game, name: str) -> Proposal:
    candidates = []
    for side, nations in game.file.sides.items():
        names = (side, game.file.titles.get(side, side))
        name_tokens = tokens(name)
        nation_likeness = 0.7 if any(has_all(name_tokens, tokens(nation)) for nation in nations) else 0.0
        candidates.append((max(likeness(name_tokens, *map(tokens, names)), nation_likeness), side))
    ranked = sorted(candidates, reverse=True)
    if not ranked or ranked[0][0] < _MIN_SIMILARITY_OF_SIDES or (len(ranked) > 1 and ranked[1][0] == ranked[0][0]):
        return Proposal(name, "", "", f"one of {', '.join(game.file.sides)}, or none")
    return Proposal(name, ranked[0][1], SURE if ranked[0][0] >= _MIN_SURE_SIMILARITY else LIKELY)


def propose_turn(known: TrackNames, controls: Controls) -> list[Proposal]:
    """Return a proposal for each level of the turn trackers: the track of a number, or the words of a list."""
    proposals: list[Proposal] = []
    for levels in controls.trackers:
        for number, level in enumerate(all_levels(levels)):
            proposal = _propose_level(known, level, is_first=number == 0) if level.name.isprintable() else None
            if proposal:
                proposals.append(proposal)
    return proposals


def _propose_level(known: TrackNames, level: TurnLevel, *, is_first: bool) -> Proposal:
    if not level.entries:
        return _propose_counter(known, level, is_first=is_first)
    listed = known.find_by_values(level.entries, GAME_SUBJECTS)
    words: list[Any] = [known.word(entry, GAME_SUBJECTS, listed) for entry in level.entries]
    entries = ", ".join(level.entries)
    if any(words):
        return Proposal(level.name, words, LIKELY if all(words) else GUESS, entries)
    return Proposal(level.name, words, "", entries)


def _propose_counter(known: TrackNames, level: TurnLevel, *, is_first: bool) -> Proposal:
    """Return a proposal for a level that is a number: a track with a similar name.

    For the first level it may be the game's first number instead.
    """
    match = known.track(level.name, GAME_SUBJECTS)
    if match is not None and match[0].kind == "integer":
        track, alike = match
        return Proposal(level.name, _write_pattern(track), SURE if alike >= _MIN_SURE_SIMILARITY else GUESS)
    counted = next((track for track in known.tracks(GAME_SUBJECTS) if track.kind == "integer"), None)
    if counted is None or not is_first:
        return Proposal(level.name, "", "", "a number")
    return Proposal(level.name, _write_pattern(counted), GUESS)


def propose_dice(controls: Controls) -> list[Proposal]:
    """Return the dice buttons, which a log names for each throw; only the player can assign them to rolls."""
    return [
        Proposal(button.name, "", LIKELY, f"{button.dice}d{button.faces}")
        for button in controls.dice
        if button.name and button.name.isprintable()
    ]


# --- tracks by their names --------------------------------------------------------------------------------------------


class TrackNames:
    """The tracks of a game by their names."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.meanings = Meanings(game)
        self.called = {track.name: tuple(map(tokens, _list_titles(track))) for track in game.tracks.values()}
        self._by_word: dict[str, set[str]] = defaultdict(set)
        """The tracks by each word of their names and values, and by "" the tracks with a value without words."""
        for track in game.tracks.values():
            values = [tokens(value) for value in track.values]
            for word in chain.from_iterable(chain.from_iterable((*self.called[track.name], *values))):
                self._by_word[word].add(track.name)
            if () in values:
                self._by_word[""].add(track.name)

    def tracks(self, on: Sequence[Subject], *, printed: bool = False) -> list[Track]:
        """Return the tracks of some kinds of subjects that a piece may show.

        `printed`: whether to include tracks printed on counters.
        """
        known = self.game.tracks.values()
        return [
            candidate
            for candidate in known
            if candidate.on in on and (candidate.printed is None or (printed and candidate.printed == "counter"))
        ]

    def track(
        self, name: str, on: Sequence[Subject], *, printed: bool = False, counts: bool = False
    ) -> tuple[Track, float] | None:
        """Return the track most similar to a name, with its similarity, or None if there is no best one.

        `printed`: as in `tracks`.
        `counts`: whether to leave out flags, because the name goes with numbers.
        """
        plain = folded(name).replace("_", "-")
        name_tokens = tokens(name)
        tracks = [track for track in self.tracks(on, printed=printed) if not (counts and track.kind == "flag")]
        if (exact := next((track for track in tracks if track.name == plain), None)) is not None:
            return exact, 1.0
        return _find_best(
            [
                (likeness(name_tokens, *self.called[track.name]), track)
                for track in self._find_named(name_tokens, tracks)
            ]
        )

    def find_by_values(self, values: Sequence[str], on: Sequence[Subject]) -> Track | None:
        """Return the track whose values fit most of the texts, or None if no track fits two.

        Of several equally good tracks it is the first.
        """
        named = [
            (sum(bool(_find_named_values(candidate, tokens(text))) for text in values), candidate)
            for candidate in self._find_named([token for text in values for token in tokens(text)], self.tracks(on))
            if candidate.kind == "choice"
        ]
        ranked = sorted(named, key=lambda pair: -pair[0])
        if not ranked or ranked[0][0] < 2:
            return None
        most, first = ranked[0]
        return first if all(track.values == first.values for named, track in ranked if named == most) else None

    def word(self, text: str, on: Sequence[Subject], track: Track | None = None) -> str:
        """Return the notation for a text, or "" if no fact fits.

        `track`: the track of the fact, if known.
        """
        plain = text.strip(" +()[]")
        if not plain:
            return ""
        if track is not None:
            return write_scalar(track, plain)
        try:
            track_stated, fact = self.meanings.fact(plain.casefold(), on)
            return track_stated.word(fact.value) if track_stated.kind != "text" and track_stated.printed is None else ""
        except InputError:
            return self._by_name(plain, on)

    def _find_named(self, text: Sequence[Token], tracks: Iterable[Track]) -> list[Track]:
        """Return the tracks that share a word with a text, in a name or value. Other tracks cannot be similar."""
        named = set().union(*(self._by_word.get(word, ()) for word in ("", *chain.from_iterable(text))))
        return [track for track in tracks if track.name in named]

    def _by_name(self, text: str, on: Sequence[Subject]) -> str:
        """Return the notation for a text that names a flag, or a track and one of its values, or ""."""
        text_tokens = tokens(text)
        likely: list[tuple[float, tuple[Track, str]]] = []
        for track in self._find_named(text_tokens, self.tracks(on)):
            titles = self.called[track.name]
            if track.kind == "flag":
                alike = likeness(text_tokens, *titles)
                likely.append((alike if alike >= _MIN_SURE_SIMILARITY else 0.0, (track, track.word(True))))
            elif track.kind in ("choice", "choices"):
                for value in _find_named_values(track, text_tokens):
                    other_tokens = [token for token in text_tokens if not has(tokens(value), token)]
                    word = track.word((value,) if track.kind == "choices" else value)
                    likely.append((likeness(other_tokens, *titles), (track, word)))
            elif track.kind == "integer" and (number := _NUMBER.search(text)):
                other_tokens = [token for token in text_tokens if str(int(number[0])) not in token]
                likely.append((likeness(other_tokens, *titles), (track, write_number(track, int(number[0])))))
        best = _find_best(likely)
        return "" if best is None else best[0][1]


Ranked = TypeVar("Ranked")


def _find_best(likely: Sequence[tuple[float, Ranked]]) -> tuple[Ranked, float] | None:
    """Return the best match and its similarity, or None if it is poor or another is nearly as good."""
    ranked = sorted(likely, key=lambda pair: -pair[0])
    if not ranked or ranked[0][0] < _MIN_SIMILARITY or (len(ranked) > 1 and ranked[1][0] > ranked[0][0] - _MIN_LEAD):
        return None
    return ranked[0][1], ranked[0][0]


def _find_named_values(track: Track, text: Sequence[Token]) -> list[str]:
    return [value for value in track.values if has_all(text, tokens(value))]


def _list_titles(track: Track) -> Iterator[str]:
    """Yield the names of a track: its name, its title, and texts of its counters and menus."""
    yield track.name
    yield re.sub(r"\(.*?\)|:.*", "", track.title)
    if track.module is not None:
        yield from track.module.menu


def write_scalar(track: Track, text: str) -> str:
    """Return the notation for the value that a text gives a track, or ""."""
    mine = tokens(text)
    if track.kind == "flag":
        return "" if text.casefold() in _DENIALS else track.word(True)
    if track.kind in ("choice", "choices"):
        named = _find_named_values(track, mine)
        return track.word((named[0],) if track.kind == "choices" else named[0]) if len(named) == 1 else ""
    number = _NUMBER.search(text)
    return write_number(track, int(number[0])) if number and track.kind == "integer" else ""


def write_number(track: Track, number: int) -> str:
    """Return the notation for a number of a track, or "" if the number is the default or not allowed.

    It is negative if the track counts down.
    """
    value = -number if track.most is not None and track.most <= 0 else number
    try:
        return "" if value == track.absent else track.word(track.check(value))
    except InputError:
        return ""
