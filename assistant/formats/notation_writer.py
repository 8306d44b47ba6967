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
from ..state.trust import USUAL, write_trust
from ..state.words import OFF_MAP, STATEMENTS
from ..util.errors import InputError
from ..util.limits import Limit
from ..util.patterns import late_pattern
from .chains import NAMED, join_chains
from .notation import ended_tracks, find_units_gone, read_on
from .positions import Position, shares_answers

FactsOf = Mapping[str, Mapping[str, Fact]]
"""Facts by subject, then by track."""
_MOST_HEXES = 20
"""The most hexes of a chain on a line."""
_MOST_UNITS = 10
"""The most units off the map on a line."""
_RATING = late_pattern(r"\w+")
"""What may stand between the hyphens of ratings in brackets."""
_UNWRITABLE = late_pattern('["\u201c\u201d\u2018\u2019\u2013\u2014\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]')


class WrittenLines(NamedTuple):
    """A position as notation, line by line."""

    head: Sequence[str]
    stacks: Mapping[str, str]
    """The lines of each place where units stand, one or more of them."""
    rest: Sequence[str]

    @property
    def text(self) -> str:
        """All of them."""
        return "\n".join([*self.head, *self.stacks.values(), *self.rest]) + "\n"


def write_notation(position: Position) -> str:
    """Return a position as notation; reading it gives the same state, questions and answers again.

    What was not understood becomes a comment, a fact of an uncertain source an assumption. Raises InputError for a unit
    that is not called like its type or a copy of it, and for a name or text that notation cannot write.
    """
    return write_lines(position).text


def write_lines(position: Position, earlier: tuple[GameState, WrittenLines] | None = None) -> WrittenLines:
    """Return a position as notation. earlier: for a position without questions, another state of its game and how that was
    written without any: only the stacks that differ are written anew. Raises InputError as `write_notation` does.
    """
    game = position.game
    state = position.state
    _check_types(game, state)
    places = _list_places(state)
    if earlier and (apart := _find_stacks_apart(game, earlier[0], state)) is not None:
        known = {place: line for place, line in earlier[1].stacks.items() if place not in apart}
        own = state.facts_about({unit.id for place in places if place not in known for unit in state.stack(place)})
        stacks = {place: known.get(place) or "\n".join(_write_stack(game, state, place, own)) for place in places}
        return earlier[1]._replace(stacks=stacks)
    head = [f"game {game.id}"]
    if state.board:
        head.append(f"board {state.board}")
    stacks = {place: "\n".join(_write_stack(game, state, place)) for place in places}
    off_the_map = [unit.id for unit in state.units.values() if unit.place is None]
    arrives = arrival_track(game) if off_the_map else ""
    waiting = {unit for unit in off_the_map if (arrives, unit) in state.facts}
    gone = [*_write_units(game, state.facts_of, (unit for unit in off_the_map if unit not in waiting))]
    starts = range(0, len(gone), _MOST_UNITS)
    away = [f"{OFF_MAP}: {', '.join(gone[start : start + _MOST_UNITS])}" for start in starts]
    of_units = {(name, subject) for name, subject in state.facts if game.tracks[name].on == "unit"}
    said = {(name, subject) for name, subject in of_units if subject not in waiting}
    notes = [f"# not understood: {unread.what}" for unread in state.unread]
    return WrittenLines(head, stacks, [*away, *write_remarks(position, said), *notes])


def _find_stacks_apart(game: Game, before: GameState, state: GameState) -> set[str] | None:
    """Return the places whose stacks, or what is stated of their units, differ in two states; None if more does."""
    facts = [*chain(*state.compare_facts(before))]
    of_units = all(game.tracks[name].on == "unit" for name, _ in facts)
    if not (of_units and state.is_alike_beside_units(before)):
        return None
    names = {*chain(*state.compare_units(before)), *(subject for _, subject in facts)}
    units = [unit for then in (before, state) for name in names if (unit := then.units.get(name))]
    has_more = names != {unit.id for unit in units} or not all(unit.place for unit in units)
    return None if has_more else {unit.place for unit in units if unit.place}


def write_remarks(position: Position, said: Collection[FactKey], trusted: Collection[Source] = USUAL) -> list[str]:
    """Return the lines for what a map with its counters does not show: other facts, chart cells, rulings, lines,
    questions.

    said: the facts that the counters show; trusted: what is trusted before these lines.
    """
    game = position.game
    state = position.state
    return [
        *_write_elsewhere(game, state.elsewhere),
        *write_trust(state.accepts, trusted),
        *_write_facts(game, state, said),
        *(f"ruling {name}={reading}" for name, reading in state.rulings.items()),
        *(game.charts[name].write(key, cell) for (name, key), cell in state.cells.items()),
        *(f"line {_write_name(name)}: {_write_line(game, state, name)}" for name in state.lines),
        *write_questions(position),
    ]


def write_questions(position: Position) -> list[str]:
    """Return the lines for the questions of a position, each with its answers so far below it."""
    posed = [[f"ask {_write_key(asked.question)}{_write_pairs(asked.parameters)}"] for asked in position.asks]
    for asked, lines in zip(position.asks, posed, strict=True):
        lines += _write_answers(asked.answers)
    are_below = shares_answers(position.asks) and not position.asks[-1].answers
    posed.insert(len(posed) if are_below else 0, [*_write_answers(position.answers)])
    return [line for lines in posed for line in lines]


def _write_answers(answers: Mapping[str, str]) -> Iterator[str]:
    """Yield a line of dice and choices, if there are any."""
    if answers:
        yield f"answers{_write_pairs(answers)}"


def write_changes(before: Position, after: Position) -> list[str]:
    """Return the lines that state of one position what has come of it: stacks with what is said of their units, and
    facts. Units that the other position does not have leave the map with what their counters print.

    Raises InputError for what notation cannot state.
    """
    game = after.game
    was = before.state
    now = after.state
    if was == now:
        return []
    since, lost, _ = now.compare_facts(was)
    seen = {place for name, place in lost if name == UNSEEN}  # all that is there now
    touched = seen | _find_changed_places(was, now)
    stacks = {
        place: (_list_stack(was, place), _list_stack(now, place))
        for place in ([*_list_places(now), *_list_places(was), *seen] if touched else ())
        if place in touched
    }
    places = [place for place, (old, new) in stacks.items() if old != new or place in seen]
    there = {unit for place in places for unit in stacks[place][1]}
    left = {unit for place in places for unit in stacks[place][0] if unit not in now.units or not now.units[unit].place}
    off = left & now.units.keys()
    facts = {key: now.facts[key] for key in since if key[1] not in there}
    facts |= {(UNSEEN, place): now.facts[UNSEEN, place] for place in places if (UNSEEN, place) in now.facts}
    ended = ended_tracks(game, was, now)  # these lapse by themselves, and what is so again is stated again
    if ended:
        facts |= {key: fact for key, fact in now.facts.items() if key[0] in ended and key[1] not in there}
    left_behind = find_left_behind(game.tracks, was.facts, find_units_gone(was, now))
    facts |= {key: now.facts[key] for key in left_behind & now.facts.keys() if key[1] not in there}
    lapsing = {UNSEEN, *ended}
    gone = [key for key in lost if key[1] not in off and key[0] not in lapsing and key not in left_behind]
    lacking = was.units.keys() - now.units.keys()
    kept = {key for key in gone if key[1] in lacking and _stays_with_unit(game.tracks[key[0]])}
    gone = [key for key in gone if key not in kept]
    facts |= {key: Fact(game.tracks[key[0]].nothing) for key in gone}
    lines: list[str] = []
    for place in places:
        if stacks[place][1] or place in seen or left.intersection(stacks[place][0]):
            lines += _write_stack(game, now, place)
    changed = _leave_out_known(now, was, facts)
    if was.elsewhere.keys() - now.elsewhere.keys():  # some is taken back: all is stated anew
        lines += ["elsewhere", *_write_elsewhere(game, now.elsewhere)]
        changed = msgspec.structs.replace(changed, elsewhere=MappingProxyType({}))
    lines += write_remarks(Position(game, changed), (), was.accepts)
    read = read_on("\n".join(lines), msgspec.structs.replace(before, asks=(), answers={}))
    if not are_alike(read, after, but=kept):
        raise InputError("this cannot be written as lines of a position", hint="state it in a separate line")
    return lines


def _leave_out_known(now: GameState, was: GameState, facts: Mapping[FactKey, Fact]) -> GameState:
    """Return a state without what an earlier one has alike. facts: those that are to be stated."""
    return msgspec.structs.replace(
        now,
        facts=MappingProxyType(facts),
        elsewhere=now.elsewhere if now.elsewhere != was.elsewhere else MappingProxyType({}),
        rulings=MappingProxyType({name: text for name, text in now.rulings.items() if was.rulings.get(name) != text}),
        cells=MappingProxyType({key: cell for key, cell in now.cells.items() if was.cells.get(key) != cell}),
        lines=MappingProxyType({name: way for name, way in now.lines.items() if name not in was.lines}),
    )


def _stays_with_unit(track: Track) -> bool:
    """Return whether what a track says of a unit is not stated away when the unit is out of sight: what its counter
    prints, what is hidden of it, and what cannot be stated as nothing.
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
    """Return the units at a place, the top one first."""
    return [unit.id for unit in state.stack(place)]


def are_alike(one: Position, other: Position, *, but: Collection[FactKey] = ()) -> bool:
    """Return whether two positions of a game are alike in what is comparable: who stands where, what is stated other
    than that nothing is there, and on what answers rest. but: facts that do not matter.
    """
    tracks = one.game.tracks
    was = one.state
    now = other.state

    def read_value(state: GameState, key: FactKey) -> Value | None:
        fact = state.facts.get(key)
        return None if fact is None or fact.value == tracks[key[0]].nothing else fact.value

    keys = (key for key in chain(*now.compare_facts(was)) if key not in but)
    return (
        all(read_value(was, key) == read_value(now, key) for key in keys)
        and all(_list_stack(was, place) == _list_stack(now, place) for place in _find_changed_places(was, now))
        and (was.elsewhere, was.accepts, was.rulings, was.cells, was.lines)
        == (now.elsewhere, now.accepts, now.rulings, now.cells, now.lines)
    )


def _find_changed_places(was: GameState, now: GameState) -> set[str]:
    """Return the places where units stood or stand of which two states say different things."""
    units = [*chain(*now.compare_units(was))]
    return {unit.place for state in (was, now) for name in units if (unit := state.units.get(name)) and unit.place}


def _check_types(game: Game, state: GameState) -> None:
    """Raise InputError for a unit of another type than its name says."""
    for unit in state.units.values():
        if unit.type != game.type_of(unit.id):
            hint = "give it the name of its type, or use JSON"
            raise InputError(f"position notation cannot say that {unit.id} is a {unit.type}", hint=hint)


def _write_stack(game: Game, state: GameState, place: str, stated: FactsOf | None = None) -> Iterator[str]:
    """Yield a place with its units, from the top, in as many lines as they need. stated: what is stated of these, all that
    is by default.
    """
    head, most = f"{_write_name(place)}: ", Limit.LINE.most
    units, length = list[str](), len(head)
    for unit in _write_units(game, state.facts_of if stated is None else stated, _list_stack(state, place)):
        if units and length + len(unit) > most:
            yield head + ", ".join(units)
            units, length = [], len(head)
        units.append(unit)
        length += len(unit) + 2
    yield head + ", ".join(units)


def _write_units(game: Game, stated: FactsOf, units: Iterable[str]) -> Iterator[str]:
    """Yield units by id: each with its identity, name, ratings in brackets and other facts. stated: what is stated of
    them.
    """
    words = game.vocabulary
    for unit in units:
        own = {name: fact for name, fact in stated.get(unit, {}).items() if game.tracks[name].on == "unit"}
        identity = [name for name in game.file.notation.identity if name in own]
        ratings = _write_ratings(game, own)
        bracketed = game.file.notation.brackets if ratings else ()
        others = [name for name in own if name not in (*identity, *bracketed)]
        before = [_write_fact(game.tracks[name], own[name]) for name in identity]
        after = [_write_fact(game.tracks[name], own[name]) for name in others]
        is_copy = " ".join((unit, *ratings)) in game.copies(unit)[1:]  # `1st (2)` where 2 is a rating
        name = _write_quoted(unit) if is_copy or words.is_taken("unit", unit) else _write_name(unit)
        yield " ".join([*before, name, *ratings, *after])


def _write_ratings(game: Game, facts: Mapping[str, Fact]) -> list[str]:
    """Return the ratings in brackets, with a question mark for one not stated; empty if none is stated, or if one
    cannot stand between hyphens.
    """
    names = game.file.notation.brackets
    figures = {name: game.tracks[name].write(facts[name].value) for name in names if name in facts}
    if not figures or not all(map(_RATING.fullmatch, figures.values())):
        return []
    doubts = {name: "?" for name in figures if facts[name].doubtful}
    return [f"({'-'.join(figures.get(name, '?') + doubts.get(name, '') for name in names)})"]


def _write_facts(game: Game, state: GameState, said: Collection[FactKey]) -> Iterator[str]:
    """Yield the facts, one line for each subject."""
    subjects: dict[tuple[Subject, str], list[str]] = {}
    chained = _find_signs(game, state)
    yield from _write_chains(chained)
    for (name, subject), fact in state.facts.items():
        if (name, subject) not in said and subject not in chained:
            subjects.setdefault((game.tracks[name].on, subject), []).append(_write_fact(game.tracks[name], fact))
    for (on, subject), words in subjects.items():
        before = f"{on} " if on in ("side", "nation", "army") else ""
        about = f"{before}{subject if on == 'hexside' else _write_name(subject)} " if subject else ""
        yield about + " ".join(words)


def _write_elsewhere(game: Game, elsewhere: Mapping[str, Fact]) -> Iterator[str]:
    """Yield what holds of all hexes and hexsides not otherwise known: a line, if anything does."""
    if elsewhere:
        yield " ".join(["elsewhere", *(_write_fact(game.tracks[name], fact) for name, fact in elsewhere.items())])


def _find_signs(game: Game, state: GameState) -> dict[str, str]:
    """Return the hexsides of a network, each with the signs for all that is stated of it: those with a road or railway."""
    signs = {word: sign for sign, word in game.file.notation.signs.items()}
    links = {game.file.picture.rail, game.file.picture.road}
    stated: dict[str, dict[str, list[str]]] = {}
    for (name, subject), fact in state.facts.items():
        if (track := game.tracks[name]).on == "hexside":
            stated.setdefault(subject, {})[name] = _write_fact(track, fact).split(" ")
    return {
        side: "".join(signs[word] for words in by_track.values() for word in words)
        for side, by_track in stated.items()
        if not links.isdisjoint(by_track) and all(word in signs for words in by_track.values() for word in words)
    }


def _write_chains(ties: Mapping[str, str]) -> Iterator[str]:
    """Yield hexsides with their signs as chains of hexes, a line each, such as `4023=4022-4021`."""
    for hexes in join_chains([(here, there) for here, _, there in (side.partition("|") for side in ties)], _MOST_HEXES):
        steps = [f"{ties[hexside(here, there)]}{there}" for here, there in pairwise(hexes)]
        yield "".join([hexes[0], *steps])


def _write_line(game: Game, state: GameState, name: str) -> str:
    """Return the hexes of a line, with what the line alone states of them and of the hexsides between them."""
    stated: dict[tuple[Subject, str], list[tuple[Track, Fact]]] = {}
    for (track, subject), fact in state.line_facts.get(name, {}).items():
        stated.setdefault((game.tracks[track].on, subject), []).append((game.tracks[track], fact))
    words: list[str] = []
    before = ""
    for place in state.lines[name]:
        if before:
            side = hexside(before, place)
            words += [_write_between(word) for word in _write_stop(stated.pop(("hexside", side), []))]
        words += [_write_name(place), *_write_stop(stated.pop(("hex", place), []))]
        before = place
    return " ".join(words)


def _write_between(word: str) -> str:
    """Return a word for what lies between two hexes of a line. Raises InputError for a word that cannot stand there."""
    written = f"-{word}-"
    if not NAMED.fullmatch(written):
        hint = "use JSON, or change the text"
        raise InputError(f"notation cannot write {word!r} between two hexes of a line", hint=hint)
    return written


def _write_stop(facts: Iterable[tuple[Track, Fact]]) -> list[str]:
    """Return the words for what a line states of a hex or a hexside; what is not there needs none on a hexside."""
    words: list[str] = []
    for track, fact in facts:
        if track.on == "hex" or track.absent is not None or fact.doubtful or fact.value != track.nothing:
            word = _write_fact(track, fact)
            words += [word] if track.kind == "text" else word.split(" ")
    return words


def _write_fact(track: Track, fact: Fact) -> str:
    """Return a fact as one or more words, with a question mark if it is doubtful."""
    if track.kind == "text":
        text = track.write(fact.value)
        return f"{track.name}={_write_text(f'{text}?') if fact.doubtful else _write_certain(text)}"
    word = track.word(fact.value)
    return " ".join(f"{part}?" for part in word.split(" ")) if fact.doubtful else word


def _write_certain(text: str) -> str:
    """Return a text that is not assumed. Raises InputError for one that ends with a question mark."""
    if text.endswith("?"):
        raise InputError(f"notation cannot write {text!r}: its final ? would mark an assumption")
    return _write_text(text)


def _write_pairs(values: Mapping[str, object]) -> str:
    """Return parameters or answers, with a space before each."""
    return "".join(f" {_write_key(name)}={_write_parameter(value)}" for name, value in values.items())


def _write_key(name: str) -> str:
    """Return the name of a question, a parameter or an answer, in quotes if it contains a space, as those of some units
    do.

    Raises InputError for a name that notation cannot write.
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
    """Return the name of a unit, a place or a line. Raises InputError for an empty one."""
    if not name:
        raise InputError("notation cannot write an empty name")
    return _write_quoted(name) if name in STATEMENTS else _write_text(name)


def _write_text(text: str) -> str:
    """Return a name or text, in quotes if it contains a character that would end a word."""
    return _check_writable(text) if re.fullmatch(r"[\w./'+?*&-]*", text) else _write_quoted(text)


def _write_quoted(text: str) -> str:
    return f'"{_check_writable(text)}"'


def _check_writable(text: str) -> str:
    """Return the text itself. Raises InputError for characters that notation cannot write."""
    if match := _UNWRITABLE.search(text):
        raise InputError(f"notation cannot write {match[0]!r} in {text!r}", hint="use JSON, or change the text")
    return text
