"""Names of the code that are plain nouns of play, and so may stand on a sheet as they are."""

from __future__ import annotations

from . import phrases


def _list_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DETERMINED = ("the ", "this ", "that ", "all ", "its last ")
"""How a phrase for one thing, or for several, begins."""
PLACES = {
    "here": "this hex",
    "there": "that hex",
    "at": "the hex",
    "to": "the hex that it goes to",
    "end": "the last hex",
    "now": "the present phase",
}
"""Names that are no nouns, with what they stand for."""
_NOUNS = _list_words("""
advance airbase allowance arm armies army artillery attack attacker attackers attacks battle battles board box
boxes branch bridge brigade cavalry chart cities city class column columns combat combats corps cost country day
defender defenders depot depots die division divisions edge enemies enemy entrance entrances events exchange
factors fleet force forces formation fort fortress fortresses front garrison gas gun headquarters hex hexes
hexside hexsides infantry leader leaders length level levels limit line loss losses magazine march marker
markers mission modifier month move movement mover moves nation nations network newcomer objective objectives
order orders owner path phase place places player point points port ports position railroad railroads
reinforcements replacement replacements result results retreat retreats river road roll row ruling scenario sea
sector shift side sides siege size source stack stacks station step steps strength tank tanks target targets
terrain town train trains transfer trench turn turns type unit units value village volunteers voyage weather
winter year zone zones
""")
"""Names that a player reads as the code means them."""
_FIGURES = {
    "count": "number",
    "id": "unit",
    "least": "minimum",
    "most": "maximum",
    "now": "present phase",
    "phasing": "phasing side",
    "who": "nation",
}
"""Names of figures that say what they are only to those who read code."""
_ADJECTIVES = _list_words("""
adjacent attacking austrian british defending enemy first french friendly german hostile italian last moving new
next old other phasing russian second third total turkish
""")


NATIONS = _list_words("""
american austro-hungarian belgian bolshevik british bulgarian czech french german italian nationalist ottoman romanian
russian serbian turkish
""")
"""Words of nations, which a player writes in capitals."""
_NUMBERS = _list_words("""
allowance cost factors length level levels limit loss losses move points roll size steps strength turn value year
""")
"""Nouns that name numbers."""
_PRONOUNS = ("who", "each", "it", "held", "by", "found", "one", "given")
"""Names of things that are told by their class."""


def name_thing(name: str, kind: str = "") -> str:
    """Return what a name of the code names, with its article, or "" if it is no plain noun.

    `kind`: the name of its class, or "" if that is unknown.
    """
    words = phrases.name_in_words(name)
    if words in PLACES:
        return PLACES[words]
    *others, last = words.split() or [""]
    if last in _NOUNS and all(each in _NOUNS or each in _ADJECTIVES for each in others):
        return f"the {words}"
    kinds = phrases.name_in_words(kind)
    if kinds in _NOUNS and words in (*_ADJECTIVES, *_PRONOUNS):
        return f"the {kinds}" if words in _PRONOUNS else f"the {words} {kinds}"
    return ""


def is_number(noun: str) -> bool:
    """Return whether a plain noun names a number."""
    return noun.split()[-1:] != [] and noun.split()[-1] in _NUMBERS


def name_figure(name: str) -> str:
    """Return what an answer puts in the place of a figure, or "" if its name does not say."""
    words = phrases.name_in_words(name)
    if words in _FIGURES:
        return _FIGURES[words]
    if words in PLACES:
        return "hex"
    return name_thing(name).removeprefix("the ")
