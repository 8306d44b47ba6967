"""Writing positions as notation, for a player to read, correct and paste."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ..game.course import arrival_track
from ..game.games import Game
from ..state.state import HIDDEN, UNSEEN, FactKey, GameState, hexside
from ..state.tracks import Fact, Source, Subject, Track, Value, find_left_behind
from ..state.trust import DEFAULT_SOURCES, write_trust
from ..state.words import OFF_MAP, STATEMENTS
from ..util.errors import InputError
from ..util.limits import Limit
from ..util.patterns import late_pattern
from .chains import NAMED_LINK, join_chains
from .notation import ended_tracks, find_units_gone, read_on
from .positions import Position, shares_answers

FactsOf = Mapping[str, Mapping[str, Fact]]
"""Facts by subject, then by track."""
_MAX_CHAIN_HEXES = 20
"""The maximum number of hexes in the chain on one line."""
_MAX_UNITS_OFF_MAP = 10
"""The maximum number of units on one line of units off the map."""
_RATING = late_pattern(r"\w+")
"""A rating that can be written between hyphens in brackets, such as the 3 of `(3-2-4)`."""
_UNWRITABLE = late_pattern('["\u201c\u201d\u2018\u2019\u2013\u2014\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]')


class WrittenLines(NamedTuple):
    """A position as notation, line by line."""

    head: Sequence[str]
    stacks: Mapping[str, str]
    """The text for each place with units, of one or more lines."""
    rest: Sequence[str]

    @property
    def text(self) -> str:
        """The whole notation."""
        return "\n".join([*self.head, *self.stacks.values(), *self.rest]) + "\n"


def write_notation(position: Position) -> str:
    """Return a position as notation that reads as the same state, questions and answers.

    Lines that were not understood become comments, and facts of an uncertain source assumptions.

    Raises InputError if a unit is not named after its type, or if notation cannot write a name or text.
    """
    return write_lines(position).text


def write_lines(position: Position, earlier: tuple[GameState, WrittenLines] | None = None) -> WrittenLines:
    """Return a position as notation, line by line.

    `earlier`: another state of the game with its lines, for a position without questions. If the two states differ only
    in units on the map and their facts, the lines of unchanged stacks are reused.

    Raises InputError as `write_notation` does.
    """
    game = position.game
    state = position.state
    _check_types(game, state)
    places = _list_places(state)
    if earlier and (places_to_rewrite := _find_places_to_rewrite(game, earlier[0], state)) is not None:
        reused = {place: lines for place, lines in earlier[1].stacks.items() if place not in places_to_rewrite}
        facts_of = state.facts_about(
            {unit.id for place in places if place not in reused for unit in state.stack(place)}
        )
        stacks = {place: reused.get(place) or "\n".join(_write_stack(game, state, place, facts_of)) for place in places}
        return earlier[1]._replace(stacks=stacks)
    head = [f"game {game.id}"]
    if state.board:
        head.append(f"board {state.board}")
    stacks = {place: "\n".join(_write_stack(game, state, place)) for place in places}
    units_off_map = [unit.id for unit in state.units.values() if unit.place is None]
    arrival = arrival_track(game) if units_off_map else ""
    reinforcements = {unit for unit in units_off_map if (arrival, unit) in state.facts}
    # The line with the arrival of a reinforcement already names the unit.
    others_off_map = [
        *_write_units(game, state.facts_of, (unit for unit in units_off_map if unit not in reinforcements))
    ]
    starts = range(0, len(others_off_map), _MAX_UNITS_OFF_MAP)
    off_map = [f"{OFF_MAP}: {', '.join(others_off_map[start : start + _MAX_UNITS_OFF_MAP])}" for start in starts]
    unit_facts = {(name, subject) for name, subject in state.facts if game.tracks[name].on == "unit"}
    written = {(name, subject) for name, subject in unit_facts if subject not in reinforcements}
    comments = [f"# not understood: {unread.what}" for unread in state.unread]
    return WrittenLines(head, stacks, [*off_map, *write_remarks(position, written), *comments])


def _find_places_to_rewrite(game: Game, before: GameState, after: GameState) -> set[str] | None:
    """Return the places whose stack or facts about its units differ, or None if anything else differs too."""
    facts = [*chain(*after.compare_facts(before))]
    are_of_units = all(game.tracks[name].on == "unit" for name, _ in facts)
    if not (are_of_units and after.is_alike_beside_units(before)):
        return None
    names = {*chain(*after.compare_units(before)), *(subject for _, subject in facts)}
    units = [unit for state in (before, after) for name in names if (unit := state.units.get(name))]
    has_unknown_unit = names != {unit.id for unit in units}
    if has_unknown_unit or not all(unit.place for unit in units):
        return None
    return {unit.place for unit in units if unit.place}


def write_remarks(
    position: Position, shown: Collection[FactKey], trusted: Collection[Source] = DEFAULT_SOURCES
) -> list[str]:
    """Return the lines for everything except the stacks: facts, chart cells, rulings, lines and questions.

    `shown`: facts to leave out, because counters on the map show them.
    `trusted`: the sources that a reader trusts before these lines.
    """
    game = position.game
    state = position.state
    return [
        *_write_elsewhere(game, state.elsewhere),
        *write_trust(state.accepts, trusted),
        *_write_facts(game, state, shown),
        *(f"ruling {name}={reading}" for name, reading in state.rulings.items()),
        *(game.charts[name].write(key, cell) for (name, key), cell in state.cells.items()),
        *(f"line {_write_name(name)}: {_write_line(game, state, name)}" for name in state.lines),
        *write_questions(position),
    ]


def write_questions(position: Position) -> list[str]:
    """Return the lines for a position's questions, each followed by its answers so far.

    The answers that all questions share come first, or below the last question if they are read as shared there too.
    """
    lines_by_question = [
        [f"ask {_write_key(asked.question)}{_write_pairs(asked.parameters)}"] for asked in position.asks
    ]
    for asked, lines in zip(position.asks, lines_by_question, strict=True):
        lines += _write_answers(asked.answers)
    may_be_last = shares_answers(position.asks) and not position.asks[-1].answers
    lines_by_question.insert(len(lines_by_question) if may_be_last else 0, [*_write_answers(position.answers)])
    return [line for lines in lines_by_question for line in lines]


def _write_answers(answers: Mapping[str, str]) -> Iterator[str]:
    if answers:
        yield f"answers{_write_pairs(answers)}"


def write_changes(before: Position, after: Position) -> list[str]:
    """Return the lines that turn one position into another.

    Each changed stack is written again, with all facts about its units. Then come the other changed facts; a dropped
    fact is stated as nothing. Units missing in `after` leave the map, but keep their printed facts.

    Raises InputError if notation cannot state a change.
    """
    game = after.game
    old_state = before.state
    new_state = after.state
    if old_state == new_state:
        return []
    dropped_facts = new_state.compare_facts(old_state).gone
    revealed_places = {place for name, place in dropped_facts if name == UNSEEN}
    stacks = _find_changed_stacks(old_state, new_state, revealed_places)
    facts_to_state = _find_facts_to_state(game, old_state, new_state, stacks)
    facts_to_clear, facts_kept = _split_dropped_facts(game, old_state, new_state, stacks)
    facts_to_state |= {key: Fact(game.tracks[key[0]].nothing) for key in facts_to_clear}
    units_leaving_map = _find_units_leaving_map(new_state, stacks)
    lines: list[str] = []
    for place, stack in stacks.items():
        # A stack that only moved away needs no line: its units are written where they are now.
        if stack.after or place in revealed_places or units_leaving_map.intersection(stack.before):
            lines += _write_stack(game, new_state, place)
    changes = _leave_out_known(new_state, old_state, facts_to_state)
    if old_state.elsewhere.keys() - new_state.elsewhere.keys():
        # A single fact of `elsewhere` cannot be removed: an empty line clears all, then the rest is restated.
        lines += ["elsewhere", *_write_elsewhere(game, new_state.elsewhere)]
        changes = msgspec.structs.replace(changes, elsewhere=MappingProxyType({}))
    lines += write_remarks(Position(game, changes), (), old_state.accepts)
    reread = read_on("\n".join(lines), msgspec.structs.replace(before, asks=(), answers={}))
    if not are_alike(reread, after, ignored=facts_kept):
        raise InputError("this cannot be written as lines of a position", hint="state it in a separate line")
    return lines


class _StackChange(NamedTuple):
    """The ids of the units at a place in two states, the top unit first."""

    before: Sequence[str]
    after: Sequence[str]


def _find_changed_stacks(
    old_state: GameState, new_state: GameState, revealed_places: Collection[str]
) -> dict[str, _StackChange]:
    """Return by place the stacks to write again: changed stacks, and stacks at revealed places.

    `revealed_places`: places with something unseen in the old state only.
    """
    candidates = {*revealed_places, *_find_changed_places(old_state, new_state)}
    if not candidates:
        return {}
    in_order = dict.fromkeys([*_list_places(new_state), *_list_places(old_state), *revealed_places])
    stacks = {
        place: _StackChange(_list_stack(old_state, place), _list_stack(new_state, place))
        for place in in_order
        if place in candidates
    }
    return {place: stack for place, stack in stacks.items() if stack.before != stack.after or place in revealed_places}


def _find_units_leaving_map(new_state: GameState, stacks: Mapping[str, _StackChange]) -> set[str]:
    """Return the units of the old stacks that are off the map, or missing, in the new state."""
    return {
        unit
        for stack in stacks.values()
        for unit in stack.before
        if unit not in new_state.units or not new_state.units[unit].place
    }


def _find_facts_to_state(
    game: Game, old_state: GameState, new_state: GameState, stacks: Mapping[str, _StackChange]
) -> dict[FactKey, Fact]:
    """Return the facts of the new state that need a line besides the changed stacks.

    They are the changed facts, and unchanged facts that reading the other lines would drop. The latter are an unseen
    stack in a written place, tracks that end as play continues, and tracks that end as a unit leaves its hex.
    """
    written_units = {unit for stack in stacks.values() for unit in stack.after}
    changed_facts = new_state.compare_facts(old_state).since
    facts = {key: new_state.facts[key] for key in changed_facts if key[1] not in written_units}
    facts |= {(UNSEEN, place): new_state.facts[UNSEEN, place] for place in stacks if (UNSEEN, place) in new_state.facts}
    if ended := ended_tracks(game, old_state, new_state):
        facts |= {key: fact for key, fact in new_state.facts.items() if key[0] in ended and key[1] not in written_units}
    left_behind = find_left_behind(game.tracks, old_state.facts, find_units_gone(old_state, new_state))
    facts |= {key: new_state.facts[key] for key in left_behind & new_state.facts.keys() if key[1] not in written_units}
    return facts


def _split_dropped_facts(
    game: Game, old_state: GameState, new_state: GameState, stacks: Mapping[str, _StackChange]
) -> tuple[list[FactKey], set[FactKey]]:
    """Return the facts that a line must clear, and the facts kept by units missing in the new state.

    Facts that reading the other lines drops are in neither.
    """
    lapsing_tracks = {UNSEEN, *ended_tracks(game, old_state, new_state)}
    left_behind = find_left_behind(game.tracks, old_state.facts, find_units_gone(old_state, new_state))
    units_now_off_map = _find_units_leaving_map(new_state, stacks) & new_state.units.keys()
    missing_units = old_state.units.keys() - new_state.units.keys()
    facts_to_clear: list[FactKey] = []
    facts_kept: set[FactKey] = set()
    for name, subject in new_state.compare_facts(old_state).gone:
        if subject in units_now_off_map or name in lapsing_tracks or (name, subject) in left_behind:
            continue
        if subject in missing_units and _stays_with_unit(game.tracks[name]):
            facts_kept.add((name, subject))
        else:
            facts_to_clear.append((name, subject))
    return facts_to_clear, facts_kept


def _leave_out_known(new_state: GameState, old_state: GameState, facts: Mapping[FactKey, Fact]) -> GameState:
    """Return the new state with only these facts, and without entries that are the same in the old state."""
    return msgspec.structs.replace(
        new_state,
        facts=MappingProxyType(facts),
        elsewhere=new_state.elsewhere if new_state.elsewhere != old_state.elsewhere else MappingProxyType({}),
        rulings=MappingProxyType(
            {name: text for name, text in new_state.rulings.items() if old_state.rulings.get(name) != text}
        ),
        cells=MappingProxyType(
            {key: cell for key, cell in new_state.cells.items() if old_state.cells.get(key) != cell}
        ),
        lines=MappingProxyType({name: hexes for name, hexes in new_state.lines.items() if name not in old_state.lines}),
    )


def _stays_with_unit(track: Track) -> bool:
    """Return whether a fact about a unit stays after the unit has left.

    Printed facts stay, as do hidden ones and those that cannot be stated as nothing.
    """
    if track.on != "unit":
        return False
    if track.printed or track.name == HIDDEN:
        return True
    try:
        track.check(track.nothing)
    except InputError:
        return True
    return False


def _list_places(state: GameState) -> list[str]:
    return [*dict.fromkeys(unit.place for unit in state.units.values() if unit.place)]


def _list_stack(state: GameState, place: str) -> list[str]:
    """Return the ids of the units at a place, the top unit first."""
    return [unit.id for unit in state.stack(place)]


def are_alike(one: Position, other: Position, *, ignored: Collection[FactKey] = ()) -> bool:
    """Return whether two positions of a game have the same stacks, facts, rulings, chart cells and lines.

    A fact that states nothing counts as not stated. Questions, answers and the order of facts do not count.

    `ignored`: facts in which the positions may differ.
    """
    tracks = one.game.tracks
    old_state = one.state
    new_state = other.state

    def read_value(state: GameState, key: FactKey) -> Value | None:
        fact = state.facts.get(key)
        return None if fact is None or fact.value == tracks[key[0]].nothing else fact.value

    keys = (key for key in chain(*new_state.compare_facts(old_state)) if key not in ignored)
    return (
        all(read_value(old_state, key) == read_value(new_state, key) for key in keys)
        and all(
            _list_stack(old_state, place) == _list_stack(new_state, place)
            for place in _find_changed_places(old_state, new_state)
        )
        and (old_state.elsewhere, old_state.accepts, old_state.rulings, old_state.cells, old_state.lines)
        == (new_state.elsewhere, new_state.accepts, new_state.rulings, new_state.cells, new_state.lines)
    )


def _find_changed_places(old_state: GameState, new_state: GameState) -> set[str]:
    """Return the old and new places of the units that differ between two states."""
    names = [*chain(*new_state.compare_units(old_state))]
    return {
        unit.place
        for state in (old_state, new_state)
        for name in names
        if (unit := state.units.get(name)) and unit.place
    }


def _check_types(game: Game, state: GameState) -> None:
    """Raise InputError if a unit has another type than its name implies."""
    for unit in state.units.values():
        if unit.type != game.type_of(unit.id):
            hint = "give it the name of its type, or use JSON"
            raise InputError(f"position notation cannot say that {unit.id} is a {unit.type}", hint=hint)


def _write_stack(game: Game, state: GameState, place: str, facts_of: FactsOf | None = None) -> Iterator[str]:
    """Yield a place with its units, from the top, in as many lines as they need.

    `facts_of`: the facts to write, or None for all facts of the state.
    """
    head, max_length = f"{_write_name(place)}: ", Limit.LINE.most
    words, length = list[str](), len(head)
    for unit in _write_units(game, state.facts_of if facts_of is None else facts_of, _list_stack(state, place)):
        if words and length + len(unit) > max_length:
            yield head + ", ".join(words)
            words, length = [], len(head)
        words.append(unit)
        length += len(unit) + 2
    yield head + ", ".join(words)


def _write_units(game: Game, facts_of: FactsOf, units: Iterable[str]) -> Iterator[str]:
    """Yield each unit with its identity, name, ratings in brackets and other facts, in this order."""
    for unit in units:
        facts = {name: fact for name, fact in facts_of.get(unit, {}).items() if game.tracks[name].on == "unit"}
        identity = [name for name in game.file.notation.identity if name in facts]
        ratings = _write_ratings(game, facts)
        bracketed = game.file.notation.brackets if ratings else ()
        others = [name for name in facts if name not in (*identity, *bracketed)]
        words_before = [_write_fact(game.tracks[name], facts[name]) for name in identity]
        words_after = [_write_fact(game.tracks[name], facts[name]) for name in others]
        # In `1st (2)` the 2 may be a rating or the number of a copy; the name in quotes makes it a rating.
        reads_as_copy = " ".join((unit, *ratings)) in game.copies(unit)[1:]
        needs_quotes = reads_as_copy or game.vocabulary.is_taken("unit", unit)
        name = _write_quoted(unit) if needs_quotes else _write_name(unit)
        yield " ".join([*words_before, name, *ratings, *words_after])


def _write_ratings(game: Game, facts: Mapping[str, Fact]) -> list[str]:
    """Return the ratings of a unit as one word, such as `(3-?-4)`, with `?` for a rating that is not stated.

    The list is empty if no rating is stated, or if one cannot be written between hyphens.
    """
    names = game.file.notation.brackets
    figures = {name: game.tracks[name].write(facts[name].value) for name in names if name in facts}
    if not figures or not all(map(_RATING.fullmatch, figures.values())):
        return []
    doubts = {name: "?" for name in figures if facts[name].doubtful}
    return [f"({'-'.join(figures.get(name, '?') + doubts.get(name, '') for name in names)})"]


def _write_facts(game: Game, state: GameState, shown: Collection[FactKey]) -> Iterator[str]:
    """Yield the roads and railways as chains of hexes, then one line for each other subject.

    `shown`: facts to leave out.
    """
    words_by_subject: dict[tuple[Subject, str], list[str]] = {}
    signs_by_hexside = _find_signs(game, state)
    yield from _write_chains(signs_by_hexside)
    for (name, subject), fact in state.facts.items():
        if (name, subject) not in shown and subject not in signs_by_hexside:
            words = words_by_subject.setdefault((game.tracks[name].on, subject), [])
            words.append(_write_fact(game.tracks[name], fact))
    for (kind, subject), words in words_by_subject.items():
        prefix = f"{kind} " if kind in ("side", "nation", "army") else ""
        about = f"{prefix}{subject if kind == 'hexside' else _write_name(subject)} " if subject else ""
        yield about + " ".join(words)


def _write_elsewhere(game: Game, elsewhere: Mapping[str, Fact]) -> Iterator[str]:
    if elsewhere:
        yield " ".join(["elsewhere", *(_write_fact(game.tracks[name], fact) for name, fact in elsewhere.items())])


def _find_signs(game: Game, state: GameState) -> dict[str, str]:
    """Return the signs of each hexside that a chain of hexes can state: `=` for a railway, for example.

    The hexside has a road or railway, and each fact about it has a sign.
    """
    signs = {word: sign for sign, word in game.file.notation.signs.items()}
    networks = {game.file.picture.rail, game.file.picture.road}
    words_by_hexside: dict[str, dict[str, list[str]]] = {}
    for (name, subject), fact in state.facts.items():
        if (track := game.tracks[name]).on == "hexside":
            words_by_hexside.setdefault(subject, {})[name] = _write_fact(track, fact).split(" ")
    return {
        side: "".join(signs[word] for words in by_track.values() for word in words)
        for side, by_track in words_by_hexside.items()
        if not networks.isdisjoint(by_track) and all(word in signs for words in by_track.values() for word in words)
    }


def _write_chains(signs_by_hexside: Mapping[str, str]) -> Iterator[str]:
    """Yield hexsides with their signs as chains of hexes, a line each, such as `4023=4022-4021`."""
    hex_pairs = [(here, there) for here, _, there in (side.partition("|") for side in signs_by_hexside)]
    for hexes in join_chains(hex_pairs, _MAX_CHAIN_HEXES):
        steps = [f"{signs_by_hexside[hexside(here, there)]}{there}" for here, there in pairwise(hexes)]
        yield "".join([hexes[0], *steps])


def _write_line(game: Game, state: GameState, name: str) -> str:
    """Return the hexes of a line with the facts that only this line states, such as `0101 -river- 0102 clear`."""
    facts: dict[tuple[Subject, str], list[tuple[Track, Fact]]] = {}
    for (track, subject), fact in state.line_facts.get(name, {}).items():
        facts.setdefault((game.tracks[track].on, subject), []).append((game.tracks[track], fact))
    words: list[str] = []
    previous = ""
    for place in state.lines[name]:
        if previous:
            side = hexside(previous, place)
            words += [_write_between(word) for word in _write_stop(facts.pop(("hexside", side), []))]
        words += [_write_name(place), *_write_stop(facts.pop(("hex", place), []))]
        previous = place
    return " ".join(words)


def _write_between(word: str) -> str:
    """Return a word about a hexside as a supply line has it, such as `-river-`.

    Raises InputError if it cannot be read there.
    """
    written = f"-{word}-"
    if not NAMED_LINK.fullmatch(written):
        hint = "use JSON, or change the text"
        raise InputError(f"notation cannot write {word!r} between two hexes of a line", hint=hint)
    return written


def _write_stop(facts: Iterable[tuple[Track, Fact]]) -> list[str]:
    """Return the words for a line's facts about one hex or hexside.

    For a hexside, nothing needs no word if its track has no default.
    """
    words: list[str] = []
    for track, fact in facts:
        if track.on == "hex" or track.absent is not None or fact.doubtful or fact.value != track.nothing:
            word = _write_fact(track, fact)
            words += [word] if track.kind == "text" else word.split(" ")
    return words


def _write_fact(track: Track, fact: Fact) -> str:
    """Return a fact as one or more words, each with a question mark if the fact is doubtful."""
    if track.kind == "text":
        text = track.write(fact.value)
        return f"{track.name}={_write_text(f'{text}?') if fact.doubtful else _write_certain(text)}"
    word = track.word(fact.value)
    return " ".join(f"{part}?" for part in word.split(" ")) if fact.doubtful else word


def _write_certain(text: str) -> str:
    """Return the text of a certain fact, or raise InputError if it ends with a question mark."""
    if text.endswith("?"):
        raise InputError(f"notation cannot write {text!r}: its final ? would mark an assumption")
    return _write_text(text)


def _write_pairs(values: Mapping[str, object]) -> str:
    """Return parameters or answers as ` name=value name=value`."""
    return "".join(f" {_write_key(name)}={_write_parameter(value)}" for name, value in values.items())


def _write_key(name: str) -> str:
    """Return the name of a question, a parameter or an answer, or raise InputError if notation cannot write it.

    An answer named after a unit may contain a space; it is written in quotes.
    """
    if not name or "=" in name:
        raise InputError(f"notation cannot write the name {name!r} here", hint="use JSON")
    return _write_parameter(name)


def _write_parameter(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return _write_quoted(text) if re.search(r"[\s#]", text) else _check_writable(text)


def _write_name(name: str) -> str:
    """Return the name of a unit, a place or a line, or raise InputError if it is empty."""
    if not name:
        raise InputError("notation cannot write an empty name")
    return _write_quoted(name) if name in STATEMENTS else _write_text(name)


def _write_text(text: str) -> str:
    """Return a name or text, in quotes if a character could end the word."""
    return _check_writable(text) if re.fullmatch(r"[\w./'+?*&-]*", text) else _write_quoted(text)


def _write_quoted(text: str) -> str:
    return f'"{_check_writable(text)}"'


def _check_writable(text: str) -> str:
    """Return the text itself, or raise InputError if notation cannot write one of its characters."""
    if match := _UNWRITABLE.search(text):
        raise InputError(f"notation cannot write {match[0]!r} in {text!r}", hint="use JSON, or change the text")
    return text
