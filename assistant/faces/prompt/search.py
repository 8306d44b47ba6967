"""What a player's own words ask for: the questions, rules and words of a game that they fit, the best first.

Each phrase that describes a target is compared with what was typed, word by word. Endings, misspellings and words of the
same meaning are forgiven, and rare words count more than frequent ones.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from math import log
from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec

from ...asking.question import Question
from ...game.events import read_events
from ...game.games import Game
from ...game.rule_index import rule_titles
from ...installed.registry import questions_of
from ...util.datafiles import read_toml, resolve_within
from ...util.errors import InputError, Where, format_suggestion, plain, similar
from ...util.memo import Memo
from ...util.notes import fields_of, note, notes_of
from ...util.patterns import late_pattern
from ...util.texts import folded
from .rule_lines import rules_under

MAX_HITS = 5
"""The maximum number of hits shown."""
_MAX_HITS_NAMED = 3
"""The maximum number of hits named in an error."""
_MAX_TYPED_CHARS = 200
"""The maximum number of characters that are searched; a longer text finds nothing."""
_MIN_SCORE = 0.2
"""The minimum score of a hit; a perfect one has 1."""
_MIN_SIMILARITY = 0.75
"""The minimum similarity, from 0 to 1, at which a word is taken for a misspelt one."""
_MIN_WORDS_OF_PHRASE = 3
"""The minimum number of common words that are searched as a phrase, such as "what do I do now"."""
_MIN_CORRECTED_LETTERS = 4
"""The minimum number of letters of a word that may be misspelt."""
_IGNORED_WEIGHT = 0.5
"""The weight of a word that says little about a subject. Together such words tell "how far" from "how many"."""
_MISSPELT_WEIGHT = 0.8
"""The weight of a corrected word."""
_SYNONYM_WEIGHT = 0.8
"""The weight of a word of the same meaning."""
_TYPED_SHARE = 0.65
"""The share of a score that counts how much of what was typed fits; the rest counts how much of the phrase does."""
_KIND_WEIGHTS = {"question": 1.0, "rule": 1.0, "word": 0.6}
"""The weights of the kinds of hits."""
_NOTE_WEIGHT = 0.6
"""The weight of a note beside a phrase that says what a question is about."""
_PLURAL_ENDINGS = ("es", "s")
"""Endings of plurals, and of verbs in the third person."""
_ENDINGS = ("ment", "ing", "ion", "er", "ed", "al", "e")
"""Further endings that make no other word."""
_MIN_STEM_LETTERS = 3
_ODDS = late_pattern(r"[0-9]+\s*(?::|against|vs)\s*[0-9]+|^\s*[0-9]{1,3}\s*(?:-|to)\s*[0-9]{1,3}(?=\s*(?:odds|$))")
"""Strengths or odds, such as 14 against 5 and 3:1, and 2-1 at the beginning of a text that says no more."""

SEARCH_FILE = "search.toml"
"""The file with the words that players type, beside this module and in the folder of each game."""

Kind = Literal["question", "rule", "word"]


class PlayersWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `search.toml`."""

    ignored: Annotated[tuple[str, ...], note("words that say little about the subject")] = ()
    alike: Annotated[tuple[tuple[str, ...], ...], note("groups of words of the same meaning")] = ()
    asked: Annotated[
        dict[str, tuple[str, ...]], note("by question or rule, what players type who want to know what it says")
    ] = {}


class Hit(NamedTuple):
    """A question, a rule of the index, or a word that `help` explains."""

    kind: Kind
    name: str
    """The name of the question, the number of the rule, or the word."""
    title: str
    """The answer or the meaning, in a few words."""

    @property
    def says(self) -> str:
        """What to type for it, and what it then says."""
        if self.kind == "question":
            return f"`{self.name}` answers: {self.title}"
        return f"`help {self.name}` explains: {self.title}"


class _Described(NamedTuple):
    hit: Hit
    phrases: Sequence[str]
    """The phrases that say what it is about."""
    notes: Sequence[str] = ()
    """Texts that mention what else it tells."""


class _Phrase(NamedTuple):
    hit: int
    """The number of the hit that the phrase describes."""
    stems: frozenset[str]
    weight: float


class SearchIndex(NamedTuple):
    """The searched phrases of a game."""

    hits: Sequence[Hit]
    phrases: Sequence[_Phrase]
    weights: Mapping[str, float]
    """The weight of each stem: the rarer the stem and those of the same meaning, the greater."""
    synonyms: Mapping[str, frozenset[str]]
    """The stems of the same meaning, by stem."""
    ignored: frozenset[str]
    """The stems that say little about the subject."""


_INDEXES: Memo[None, SearchIndex] = Memo()


def explain_own_words(game: Game, typed: str) -> InputError | None:
    """Return the error for a line in a player's own words that names what they fit, or None if they fit nothing."""
    hits = find_hits(game, typed)
    hint = "; ".join(hit.says for hit in hits[:_MAX_HITS_NAMED])
    return InputError(f"the table does not understand: {typed}", hint=hint) if hits else None


def find_hits(game: Game, typed: str, *, corrects: bool = True) -> list[Hit]:
    """Return the hits for what a player typed, the best first, at most `MAX_HITS`. A number means the rules below it.

    `corrects`: whether misspelt words are corrected.
    """
    if len(typed) > _MAX_TYPED_CHARS:
        return []
    if rules := rules_under(game, typed.strip()):
        return [Hit("rule", rule, title) for rule, title in rules.items()][:MAX_HITS]
    index = game.memo(_INDEXES, None, lambda: _build_index(game))
    wanted = _find_wanted(index, typed, corrects=corrects)
    if not wanted:
        return []
    scores = dict[int, float]()
    for phrase in index.phrases:
        score = _score_phrase(index, phrase, wanted) * phrase.weight
        scores[phrase.hit] = max(score, scores.get(phrase.hit, 0.0))
    best = sorted(
        (number for number, score in scores.items() if score >= _MIN_SCORE), key=lambda number: -scores[number]
    )
    return [index.hits[number] for number in best[:MAX_HITS]]


_Wanted = tuple[float, Mapping[str, float]]
"""The weight of a typed word, and the stems that match it, each with the degree of the match."""


def _find_wanted(index: SearchIndex, typed: str, *, corrects: bool) -> list[_Wanted]:
    """Return the typed words, or none if there are only a few and none says something about the subject."""
    stems = [*dict.fromkeys(_list_stems(typed))]
    if len(stems) < _MIN_WORDS_OF_PHRASE and index.ignored.issuperset(stems):
        return []
    return [wanted for stem in stems if (wanted := _match_stem(index, stem, corrects=corrects))]


def _match_stem(index: SearchIndex, stem: str, *, corrects: bool) -> _Wanted | None:
    degree = 1.0
    if stem not in index.weights and stem not in index.synonyms:
        stem = stem.rstrip("0123456789")  # the result DR2 is described with DR
    if stem not in index.weights and stem not in index.synonyms:
        if not corrects or len(stem) < _MIN_CORRECTED_LETTERS:
            return None
        corrected = similar(stem, index.weights.keys() | index.synonyms.keys(), _MIN_SIMILARITY, max_words=1)
        if not corrected:
            return None
        (stem,) = corrected
        degree = _MISSPELT_WEIGHT
    matches = dict.fromkeys(index.synonyms.get(stem, ()), degree * _SYNONYM_WEIGHT)
    if stem in index.weights:
        matches[stem] = degree
    known = {other: degree for other, degree in matches.items() if other in index.weights}
    return (max(index.weights[other] for other in known), known) if known else None


def _score_phrase(index: SearchIndex, phrase: _Phrase, wanted: Sequence[_Wanted]) -> float:
    typed = found = 0.0
    matched = set[str]()
    for weight, matches in wanted:
        typed += weight
        fitting = [(degree, stem) for stem, degree in matches.items() if stem in phrase.stems]
        if fitting:
            degree, stem = max(fitting)
            found += degree * weight
            matched.add(stem)
    if not matched or (matched <= index.ignored and _says_something(index, wanted)):
        return 0.0
    whole = sum(index.weights[stem] for stem in phrase.stems)
    covered = sum(index.weights[stem] for stem in matched) / whole
    return _TYPED_SHARE * found / typed + (1 - _TYPED_SHARE) * covered


def _says_something(index: SearchIndex, wanted: Sequence[_Wanted]) -> bool:
    return any(not matches.keys() <= index.ignored for _, matches in wanted)


def _build_index(game: Game) -> SearchIndex:
    words = _read_players_words(game)
    ignored = frozenset(_list_stems(" ".join(words.ignored)))
    described = [*_describe_hits(game, words)]
    phrases = [
        _Phrase(number, stems, weight * _KIND_WEIGHTS[description.hit.kind])
        for number, description in enumerate(described)
        for weight, texts in ((1.0, description.phrases), (_NOTE_WEIGHT, description.notes))
        for text in texts
        if (stems := frozenset(_list_stems(text)))
    ]
    synonyms = _list_synonyms(words)
    counts = Counter(
        stem
        for phrase in phrases
        for stem in {*phrase.stems, *(like for stem in phrase.stems for like in synonyms.get(stem, ()))}
    )
    known = {stem for phrase in phrases for stem in phrase.stems}
    weights = {stem: _IGNORED_WEIGHT if stem in ignored else log(1 + len(phrases) / counts[stem]) for stem in known}
    return SearchIndex([description.hit for description in described], phrases, weights, synonyms, ignored)


def _read_players_words(game: Game) -> PlayersWords:
    shared = read_toml(files(__package__) / SEARCH_FILE, PlayersWords)
    own_file = resolve_within(game.folder, SEARCH_FILE)
    own = read_toml(own_file, PlayersWords) if own_file.is_file() else PlayersWords()
    asked = {name: (*shared.asked.get(name, ()), *own.asked.get(name, ())) for name in (*shared.asked, *own.asked)}
    return PlayersWords((*shared.ignored, *own.ignored), (*shared.alike, *own.alike), asked)


def search_faults(game: Game) -> Iterator[InputError]:
    """Yield the mistakes in a game's `search.toml`: of its form, and questions and rules that the game does not have."""
    own_file = resolve_within(game.folder, SEARCH_FILE)
    if not own_file.is_file():
        return
    faults = list[InputError]()
    own = read_toml(own_file, PlayersWords, faults.append)
    yield from faults
    known = [*questions_of(game), *dict(rule_titles(game))]
    for name in sorted(own.asked.keys() - set(known)):
        what = f"{plain(name, 40)!r} under [asked] is neither a question nor a rule"
        yield InputError(what, where=Where(SEARCH_FILE), hint=format_suggestion(name, known))


def _list_synonyms(words: PlayersWords) -> dict[str, frozenset[str]]:
    synonyms: dict[str, frozenset[str]] = {}
    for group in words.alike:
        stems = frozenset(stem for text in group for stem in _list_stems(text))
        for stem in stems:
            synonyms[stem] = synonyms.get(stem, frozenset()) | stems - {stem}
    return synonyms


def _describe_hits(game: Game, words: PlayersWords) -> Iterator[_Described]:
    """Yield everything that can be found."""
    wishes: dict[str, list[str]] = {}
    for wish, answer in game.file.wishes.items():
        wishes.setdefault(answer.partition(":")[0], []).append(wish)
    for name, question in questions_of(game).items():
        own = (question.title, *wishes.get(name, ()))
        phrases = [name, *own, *(clause for text in own for clause in _split(text)), *words.asked.get(name, ())]
        yield _Described(Hit("question", name, question.title), phrases, [*_list_notes(question)])
    for rule, title in rule_titles(game):
        yield _Described(Hit("rule", rule, title), [title, *_list_named(rule), *words.asked.get(rule, ())])
    titles = {name: event.title for name, event in read_events(game).event.items()}
    titles |= {chart.name: chart.title for chart in game.charts.values()}
    titles |= {track.name: track.title for track in game.tracks.values()}
    for name, title in titles.items():
        yield _Described(Hit("word", name, title), [name, title])
    if combat := game.file.prompt.ask:
        parameters = questions_of(game)[combat].parameters
        for field in fields_of(parameters):
            meaning = notes_of(parameters)[field.name]
            yield _Described(Hit("word", field.encode_name, meaning), [field.encode_name], [meaning])


def _list_named(rule: str) -> Iterator[str]:
    """Yield the word in the name of a rule, such as AE in 6.4/AE."""
    _, _, word = rule.partition("/")
    if word.isalpha():
        yield word


def _list_notes(question: Question[Any, Any]) -> Iterator[str]:
    """Yield the meanings of a question's rolls, choices and results."""
    yield from (question.answers or {}).values()
    for result in get_args(question.result) or [question.result]:  # the kinds of a union or tuple, or the only kind
        if result is not ...:  # the ellipsis in a tuple of any length
            yield from notes_of(result).values()


def _split(text: str) -> list[str]:
    """Return the parts of a text between its commas, colons, semicolons and each `and`."""
    return [clause for clause in re.split("[,:;]| and ", text) if clause]


def _list_stems(text: str) -> list[str]:
    text = _ODDS.sub(" odds ", folded(text))
    return [_stem(word) for word in re.findall(r"[a-z]+[0-9]*", text)]


def _stem(word: str) -> str:
    """Return the part of a word that its forms share, nearly enough to compare words."""
    for endings in (_PLURAL_ENDINGS, _ENDINGS):
        stems = (word.removesuffix(ending) for ending in endings if word.endswith(ending))
        word = next((stem for stem in stems if len(stem) >= _MIN_STEM_LETTERS and not stem.endswith("s")), word)
    if len(word) > _MIN_STEM_LETTERS and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    return f"{word[:-1]}i" if word.endswith("y") and len(word) > _MIN_STEM_LETTERS else word
