"""What is at fault in a line whose first word begins none: what that word may have meant."""

from __future__ import annotations

from collections.abc import Sequence

from ...plugins.registry import questions_of
from ...state.words import Word
from ...util.errors import InputError, quoted
from ...util.texts import words_begun
from .abbreviations import LETTERS, Abbreviations
from .questions import Questions

_MOST = 6
"""How many words are named that a few letters may begin."""


def not_understood(words: Sequence[Word], known: Abbreviations, questions: Questions) -> InputError | None:
    """The error of a line whose first word states nothing and asks nothing, as far as that word tells what was meant;
    None if notation may know it.
    """
    first, *behind = words
    name, equals, _ = first.text.partition("=")
    track = known.game.tracks.get(name.casefold())
    if first.quoted:
        return None
    if track and track.on != "game":
        example = {"hex": "HEX ", "unit": "UNIT ", "hexside": "HEX|HEX "}.get(track.on, f"{track.on} NAME ")
        hint = f"put that first: {example}{track.written.replace('{}', '...')}"
        return InputError(f"{track.name} is a fact about a {track.on}", hint=hint)
    also = questions.table.also if questions.table else ()
    if behind and (meant := [name for name in also if name.startswith(first.text.casefold())]):
        return InputError(f"{first.text!r} is not understood", hint=f"type {meant[0]} {behind[0].text}")
    if options := [word for word in known.vocabulary.whole("game") if word.startswith(first.text.casefold())]:
        hint = f"what counts for the whole game needs its whole word: {' or '.join(options)}"
        return InputError(f"{first.text!r} is not understood", hint=hint)
    if equals and (asks := questions.that_take(name)):
        now = f", not of {questions.now.question}" if questions.now else ""
        back = questions.now and questions.combat and questions.table and questions.table.ask in asks
        hint = f"`{asks[0]}` goes back to the combat" if back else f"write {asks[0]} {name}=..."
        return InputError(f"{name} is a parameter of {', '.join(asks[:_MOST])}{now}", hint=hint)
    if not equals and (taken := words_begun(first.text, questions.parameters_now)):
        hint = f"write {' or '.join(f'{one}=...' for one in taken)}"
        return InputError(f"{first.text!r} alone is not understood", hint=hint)
    if not first.text.isalpha():
        return None
    names = questions_of(known.game)
    if len(first.text) < LETTERS and (begun := words_begun(first.text, names)):
        hint = f"{LETTERS} letters are enough" if len(begun) == 1 else "type more letters"
        return InputError(f"{first.text!r} may be {' or '.join(sorted(begun)[:_MOST])}", hint=hint)
    if behind and (question := known.question(first.text, names)):
        hint = "behind a question stands a unit or a hex, and NAME=VALUE for the rest"
        return InputError(f"{question} does not know {behind[0].text!r}", hint=hint)
    return None


def left_over(words: Sequence[Word], question: str) -> InputError:
    """The error of a word that is neither a fact nor a parameter of a question of which the line has some."""
    hint = "several values have commas and no spaces between them: NAME=3,20"
    return InputError(f"{words[0].text!r} is neither a fact nor a parameter of {question}", hint=hint)


def without_sign(hex: Word, letters: str, known: Abbreviations) -> str:
    """The hint about letters behind a hex that state something of a hexside only: the < of a combat is missing; ""
    about others.
    """
    return f"a combat has < between its hexes: < {hex.text}" if _lies_between(letters, known) else ""


def on_a_hexside(
    letters: str, place: str, combat: tuple[str, Sequence[str]], known: Abbreviations, unit: str = ""
) -> str:
    """The hint how letters that may lie on a hexside of a hex are typed; "" if they state nothing of one.

    combat: the attacked hex and those that attack it; unit: the one before which the letters stand.
    """
    if not (place and _lies_between(letters, known)):
        return ""
    (target, attackers), grid = combat, known.board.grid
    here, other = grid.bare(place), next(iter(attackers), "") if place == target else target
    both = f"{grid.bare(other) or 'HEX'}|{here}" if place != target else f"{here}|{grid.bare(other) or 'HEX'}"
    behind = f" or <{here} {letters} {quoted(unit)}" if unit and place != target else ""
    return f"what lies on a hexside is typed {both} {letters}{behind}"


def _lies_between(letters: str, known: Abbreviations) -> bool:
    return bool(known.states("hexside", known.completed("hexside", Word(letters, 0))))
