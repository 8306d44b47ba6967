"""Phrases made of docstrings and notes: statements, their negations, and nouns."""

from __future__ import annotations

import re

from ...util.patterns import late_pattern

MAX_STATEMENT_LETTERS = 170
"""The maximum length of a docstring's summary in a condition, in letters."""
_FALLBACK = late_pattern(
    r",? ?(?:\(?(?:(?:and |or )?(?:\"\"(?: twice)?|None|null|empty|nothing|none|no \w+|0|zero|False))"
    r"(?: (?:if|for|before|where|without|past|as long|unless|when|while|outside|on|until|after) .*|: .*|\)|)$)"
)
"""The end of a docstring that explains a value such as 0 or None."""
_TAIL = late_pattern(
    r"(?<=\w), (?:given|named|in order|in either order|in words|at most|exactly|as far as|the? ?best first|nearest|"
    r"clockwise|as the|once each|each once|be it|whatever|whether)\b[^;]*$"
)
"""The end of a docstring that a noun can do without."""
_NO_VALUE_PART = late_pattern(
    r",? ?\(?(?:\b(?:and|or) )?(?:\"\"(?: twice)?|\bNone\b|\bnull\b|\bempty\b|\bfor none(?=$|[;.]))"
    r"(?: (?:if|for|before|where|without|past|as long|unless|when|while|outside|on|until|after)\b[^;:]*|(?=$|[;.]))"
)
"""The part of a docstring on the value for nothing, such as `or None if the hex is empty`."""
_RAISES = late_pattern(r"[;,] raises? \w+Error\b.*")
"""The part of a docstring that says what an error is raised for."""
_AUXILIARY = late_pattern(
    r"^(?P<subject>(?:it|its|they|he|the|this|their|both)\b.*?) "
    r"(?P<verb>is|are|was|were|may|can|must|will|has been|have been|had to|has) (?P<rest>(?!not\b).+)$"
)
_UNSAFE = late_pattern(
    r"\b(?:that|which|who|whose|where|when|while|if|and|or|but|as|only|all|any|some|every|each|both|no(?:ne|t|thing|body)?|"
    r"never|ever|more|at least|at most|still|already|yet|another|other|what|how|why|so|too)\b|[,;:()]"
)
"""Words that would give a denied verb another meaning."""
_NO_NOUN = late_pattern(
    r"(?:whether|why|what|who|how|if|as|in|by|of|for|from|when|where|which|those|that|none|no|each|every|some|only|with|"
    r"without|it|is|are|may|must|not|to|on|at|such|before|after|also|so|more|more than|whose|like) ",
    re.IGNORECASE,
)
_VERB = late_pattern(
    r"^(?P<subject>(?:it|its|he|the|this)\b(?: [\w'-]+){0,3}?) (?P<verb>lie|stand|control|lead|show|come|belong|begin|end|hold|bear|count|"
    r"use|need|stay|serve|remain|block|fit|enter|start|cost|take|pay|save)s (?P<rest>.+)$"
)
_EITHER = late_pattern(r"((?:it|the|this)(?: \w+)?) is (\w+) or (\w+)")
_PARTICIPLE = late_pattern(r"\w+(?:ed|en|wn|ne|un|ght|ft|ost|ade|id|ut|one)\b")
_PLURAL_SUBJECT = late_pattern(r"^(enemies|enemy units|friendly units|units|friends|others)\b")
_SINGULAR_SUBJECT = late_pattern(r"^(an?|any) (enemy|friendly|other|hostile) ")
_EXISTENCE = late_pattern(r"^there (is|are) (?:an? |any )?(?!no\b)(.+)$")


_TORN_PHRASE = late_pattern(
    r"(?:\b(?:and|or|if|an?|the|its|whose|such|or by|or as|[^ ]+, as)|^)$|\b(?:of of|from of|the what|the the|of in|such that|None|True|False)\b"
    r"|[`_\[\]{}|<>]|\w\(|\"\"|(?<!\w)'|[,;:(]$"
)
"""Signs of a torn sentence, or of code."""
_NOT_PLAIN = late_pattern(
    r"\b(?:of|in|by|as|for|to|with|from|at|that|which|or|and|if|a|an|the|its|whose|such)(?:$|[.,;:)])|\bbe it\b|\b(?:is|are|than|as) (?:its|their)\b"
    r"|\bthe (\w+) (?:is|are)(?: not)? the \1\b(?! of)|\bas far as\b|\brulings?\b|\bis known\b|\bturns on\b|\bhas has\b|\bthe that\b|\bso far is\b|\bof the row\b"
    r"|^unless .*\b(?:no|not|none|nobody|nothing)\b"
)
"""Signs that a phrase may not stand within a condition."""
_CLAUSE = late_pattern(
    r"[,;:()]|\b(?:if|when|where|before|after|as|whether|but|it|they|them|its|their|those|what|who)\b"
)
"""Signs that a thing is named by more than a few words."""
MAX_NOUN_WORDS = 11
"""The maximum number of words of a noun within a condition."""


def is_plain(text: str) -> bool:
    """Return whether a phrase may stand within a condition."""
    return is_whole(text) and _NOT_PLAIN.search(text) is None


def is_whole(text: str) -> bool:
    """Return whether a sentence from a docstring is not torn, and has no code."""
    return _TORN_PHRASE.search(text) is None and text.count('"') % 2 == 0


def is_noun(words: str) -> bool:
    """Return whether some words are a noun with its article, so that a condition can continue with them."""
    bare = re.sub(r"^(?:the|its|their|all) ", "", words)
    return (
        bare != words
        and not _NO_NOUN.match(bare)
        and len(words.split()) <= MAX_NOUN_WORDS
        and is_plain(words)
        and not _CLAUSE.search(bare)
    )


def is_long(noun: str) -> bool:
    """Return whether a noun is more specific than a kind of thing: `the hex of the marker`."""
    return len(noun.split()) > 2 and not noun.startswith(("its ", "their "))


def summary_of(docstring: str) -> str:
    """Return the first sentence of a docstring, without `Return`, or "" if there is none."""
    text = " ".join(docstring.partition("\n\n")[0].split())
    text = re.split(r"(?<=[.)]) (?=[A-Z`]|[\w, ]+: )|\s*Rule: ", text)[0].removesuffix(".").replace("`", "")
    text = re.sub(r'"([a-z][a-z -]*)"', r"\1", text)  # only terms of a sheet are in quotation marks
    return re.sub(r"^(?:Return|Yield) ", "", text)


def lower_first(text: str) -> str:
    """Return a text that begins in small letters, unless its first word is a name."""
    first = text.split(" ", 1)[0]
    is_name = first[1:] != first[1:].lower() or first in ("German", "Russian", "Austro-Hungarian", "I")
    is_name = is_name or re.match(r"(?!The|An?|Its|Whether|All|No|How)\w+ [A-Z]", text) is not None
    return text if is_name else text[:1].lower() + text[1:]


def core_of(summary: str) -> str:
    """Return a summary up to its first explanation."""
    text = re.split(r"; |(?<=\w): (?=[a-z])", summary)[0]
    return _NO_VALUE_PART.sub("", text).rstrip(" ,:")


def head_of(text: str) -> str:
    """Return the summary of a function up to its first explanation."""
    match = re.match(r"(for [^:]*: )?(.*)", text)
    assert match is not None
    return (match[1] or "") + core_of(match[2])


def drop_codes(summary: str) -> str:
    """Return a summary without explanations of values that mean "nothing"."""
    parts = (_NO_VALUE_PART.sub("", part).strip(" ,") for part in _RAISES.sub("", summary).split("; "))
    return "; ".join(filter(None, parts))


def statement_of(docstring: str, *, is_fact: bool = False) -> str:
    """Return the statement that is true if a yes or no is yes, or "" if the docstring does not state it.

    `is_fact`: whether the docstring is a sentence, as that of a fact of a case.
    """
    text = core_of(re.sub(r"^of [^:]*: (?=whether )", "", summary_of(docstring)))
    if re.match(r"[Ww]hether ", text):
        said = text[8:]
    elif (
        is_fact and " " in text and not re.match(r"(?:The|A|An|All|Those|What|Who|How|Every|Each|No) [^.]*", text)
    ) or (is_fact and re.search(r" (?:is|are|was|were|has|have|may|can|must|stands?|lies?|comes?|goes|\w+s) ", text)):
        said = lower_first(text)
    else:
        return ""
    return said if len(said) <= MAX_STATEMENT_LETTERS else ""


def noun_of(docstring: str, *, is_field: bool = False) -> str:
    """Return the noun phrase of a docstring, or "" if the docstring has none in a few words.

    `is_field`: whether the text is a note, which names a thing without an article.
    """
    text = summary_of(docstring)
    text = core_of(re.sub(r"^of [^:]*: ", "", text) if is_field else text)
    text = _FALLBACK.sub("", text).rstrip(" ,")
    text = _TAIL.sub("", text)
    text = re.sub(r"^where ", "the place where ", text) if is_field else text
    text = re.sub(r"^[Hh]ow many (?!of\b|more\b|there\b)((?:[A-Z]\w* )*\w+) ", r"the number of \1 that ", text)
    if len(text) > 90:
        return ""
    if re.match(r"(?:[Tt]he|[Ii]ts|[Tt]heir|[Aa]n?|[Aa]ll) ", text):
        return lower_first(text)
    is_bare = is_field and re.match(r"[\w'-]+ ", text) and not _NO_NOUN.match(text) and not re.search(r"[:;()]", text)
    return f"the {lower_first(text)}" if is_bare else ""


def article_of(words: str) -> str:
    """Return the indefinite article of a noun."""
    return "an" if words[:1] in "aeiou" and not words.startswith(("uni", "use", "eu", "one")) else "a"


def make_agree(noun: str, predicate: str) -> str:
    """Return a noun with a predicate, with its verb in the plural if the noun stands for several things."""
    thing = re.sub(r"^[0-9]+ times ", "", noun)
    is_plural = thing.startswith(("the ", "its ", "their ")) and is_several(thing)
    return f"{noun} {re.sub('^is ', 'are ', predicate)}" if is_plural else f"{noun} {predicate}"


def is_several(noun: str) -> bool:
    """Return whether a noun stands for several things, by its last letter."""
    bare = re.sub(r"^(?:the|an?|all|its|their) ", "", noun)
    head = re.split(
        r",| \(| (?:of|for|that|in|with|from|by|to|on|which|who|where|whose|at|such|without|less|plus|into|left|near|around|adjacent|beyond|open) | there$",
        bare,
    )[0]
    return re.search(r"(?<![sui])s$", head) is not None and head.lower() not in (
        "series",
        "corps",
        "headquarters",
        "gas",
    )


def say_existence(noun: str, *, exists: bool) -> str:
    """Return the statement that a thing exists, or that it does not."""
    if noun.startswith(("its ", "their ")):
        return f"{noun} {'is there' if exists else 'is not there'}"
    bare = re.sub(r"^(?:the|an?|all) ", "", noun)
    is_plural = is_several(bare)
    if exists:
        article = f"{article_of(bare)} "
        return f"there {'are' if is_plural else 'is'} {'' if is_plural else article}{bare}"
    return f"there {'are' if is_plural else 'is'} no {bare}"


def deny_statement(statement: str) -> str:
    """Return the opposite of a statement by its verb, or "" if the result may have another meaning."""
    if match := re.match(r"(for (?:the|this|that) [^:]*: )(.+)", statement):
        denied = deny_statement(match[2])
        return denied and match[1] + denied
    if match := re.match(r"(.+)( \([^()]*\))$", statement):
        denied = deny_statement(match[1])
        return denied and denied + match[2]
    if (match := _EXISTENCE.match(statement)) and not _UNSAFE.search(match[2]):
        return f"there {match[1]} no {match[2]}"
    if match := _PLURAL_SUBJECT.match(statement):
        return f"no {statement}"
    if (match := _SINGULAR_SUBJECT.match(statement)) and not _UNSAFE.search(statement[match.end() :]):
        return f"no {match[2]} {statement[match.end() :]}"
    if match := _EITHER.fullmatch(statement):
        return f"{match[1]} is neither {match[2]} nor {match[3]}"
    match = _VERB.match(statement)
    if match and not _UNSAFE.search(match["subject"]) and not _UNSAFE.search(match["rest"]):
        return f"{match['subject']} does not {match['verb']} {match['rest']}"
    match = _AUXILIARY.match(statement)
    if match and not _UNSAFE.search(match["subject"]) and not _UNSAFE.search(match["rest"]):
        verb, rest = match["verb"], match["rest"]
        if verb == "has":
            if _PARTICIPLE.match(rest):
                return f"{match['subject']} has not {rest}"
            return f"{match['subject']} has no {re.sub(r'^(?:an?|the) ', '', rest)}" if re.match(r"an? ", rest) else ""
        if verb in ("has been", "have been"):
            return f"{match['subject']} {verb.split()[0]} not been {rest}"
        if verb == "had to":
            return ""
        return f"{match['subject']} {verb} not {rest}"
    return ""


def name_in_words(name: str) -> str:
    """Return a name of the code as words: `_GREAT_RIVERS` is great rivers."""
    words = name.strip("_").replace("_", " ")
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", words) if not name.isupper() else words
    return words.lower()


def join_words(words: list[str], joint: str = "and") -> str:
    """Return words as a list: a, b and c."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {joint} {words[-1]}"


def _list_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DETERMINED = ("the ", "this ", "that ", "all ", "its last ")
"""The beginnings of phrases for one thing or several."""
PLACES = {
    "here": "this hex",
    "there": "that hex",
    "at": "the hex",
    "to": "the hex that it goes to",
    "end": "the last hex",
    "now": "the present phase",
}
"""Phrases for names that are not nouns."""
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
"""Names whose meaning is the same for players as in code."""
_FIGURES = {
    "count": "number",
    "id": "unit",
    "least": "minimum",
    "most": "maximum",
    "now": "present phase",
    "phasing": "phasing side",
    "who": "nation",
}
"""Words for figures whose names only programmers understand."""
_ADJECTIVES = _list_words("""
adjacent attacking austrian british defending enemy first french friendly german hostile italian last moving new
next old other phasing russian second third total turkish
""")


NATIONS = _list_words("""
american austro-hungarian belgian bolshevik british bulgarian czech french german italian nationalist ottoman romanian
russian serbian turkish
""")
"""Words for nations, which players capitalize."""
_NUMBERS = _list_words("""
allowance cost factors length level levels limit loss losses move points roll size steps strength turn value year
""")
"""Nouns that name numbers."""
_PRONOUNS = ("who", "each", "it", "held", "by", "found", "one", "given")
"""Names of things that their class describes better."""


def name_thing(name: str, kind: str = "") -> str:
    """Return the words for a name in the code, with an article, or "" if the name is not a plain noun.

    `kind`: the name of its class, or "" if the class is unknown.
    """
    words = name_in_words(name)
    if words in PLACES:
        return PLACES[words]
    *others, last = words.split() or [""]
    if last in _NOUNS and all(each in _NOUNS or each in _ADJECTIVES for each in others):
        return f"the {words}"
    kinds = name_in_words(kind)
    if kinds in _NOUNS and words in (*_ADJECTIVES, *_PRONOUNS):
        return f"the {kinds}" if words in _PRONOUNS else f"the {words} {kinds}"
    return ""


def is_number(noun: str) -> bool:
    """Return whether a plain noun names a number."""
    return noun.split()[-1:] != [] and noun.split()[-1] in _NUMBERS


def name_figure(name: str) -> str:
    """Return the words for a figure in an answer, or "" if its name has none."""
    words = name_in_words(name)
    if words in _FIGURES:
        return _FIGURES[words]
    if words in PLACES:
        return "hex"
    return name_thing(name).removeprefix("the ")
