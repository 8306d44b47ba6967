"""What a word means at a table: a fact, a question, a unit, a chart, an event, or a rule with what is computed of
it.
"""

from __future__ import annotations

from ...formats.positions import Position
from ..prompt.help_words import explain_word
from ..prompt.rule_lines import list_rules, rules_under
from .messages.requests import MeaningRequest
from .messages.words import MeaningShown, RuleShown


def word_meaning(position: Position, request: MeaningRequest) -> MeaningShown:
    """Return what a word means: the lines of `help WORD`, and the rules under a number. Raises InputError for a word
    that means nothing, with the nearest ones.
    """
    word = request.word.strip().strip('"')
    titles = rules_under(position.game, word)
    rules = []
    if request.computed:
        for row, names in list_rules(position.game, titles):
            left = "" if names and not row.is_reminder else row.left
            rules.append(RuleShown(rule=row.rule, title=row.title, asked=names, left=left))
    else:
        for rule, title in titles.items():
            rules.append(RuleShown(rule=rule, title=title))
    return MeaningShown(word=word, lines=() if rules else tuple(explain_word(position, word, {})), rules=tuple(rules))
