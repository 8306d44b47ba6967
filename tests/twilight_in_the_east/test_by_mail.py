"""An answer by mail: as seen first, then the range over what may be hidden."""

from __future__ import annotations

from typing import Any

from assistant.asking.report import Report
from assistant.game.viewpoint import reduce_state

from ..conftest import answered, typed

BATTLE = """turn=1
trust charts
40.19: 29/20 (10-?-5-10)
40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)
41.19: {}
41.19 clear
41.19|40.19,40.20 open
"""


def by_mail(stack: str, more: str = "") -> Report[Any]:
    """What a Russian player is told of his attack on a stack."""
    position = typed(BATTLE.format(stack) + more)
    cut = position.with_state(reduce_state(position.game, position.state, "russian"))
    return answered(cut, "battle", at="41.19", attacker_ap="none", defender_ap="none", flanked="no")


def test_the_answer_as_seen_comes_first_where_anything_is_seen() -> None:
    """As printed, and nobody below; it is the same whatever is hidden."""
    report = by_mail("1/1 (12-16-7-11)")
    first, then = report.answers
    assert first == "as seen: column 1:1, Large; roll 2d6 (if the made-up charts are right)"
    assert then.startswith("over what may be hidden: undecided: ")
    assert report.result_as_seen.column == "1:1"
    assert by_mail("1/1 (12-16-7-11) -5, 2/1 (12-16-7-11)").answers == report.answers
    assert by_mail("1/1 (12-16-7-11)", "1/1 masked=central-powers\n").as_seen is None
