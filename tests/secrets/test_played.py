"""A short run of the games that go the same way for all to see, and what it would notice."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assistant.formats import notation
from assistant.game import viewpoint
from assistant.game.viewpoint import reduce_state
from assistant.records.journal import exchange
from assistant.records.journal.entries import JournalEntry
from twilight_in_the_east.control import question as control
from twilight_in_the_east.entering import consequences

from ..cases import few, thorough
from .played import GAME, differences, pair

PAIRS = [range(first, first + 25) for first in range(0, 100, 25)]


@few(1)
@pytest.mark.parametrize("pairs", PAIRS, ids=str)
def test_what_lies_hidden_changes_nothing_that_the_other_side_learns_of_a_game(pairs: range) -> None:
    found, tried = differences(pairs, 3)
    assert found == []
    assert tried["carried out"] > tried["refused"]


def shows_crossings(eyes: object, track: object, subject: str) -> str:
    return "central-powers"


def tells_answers(entry: JournalEntry, before: object, after: exchange.Journal, side: str) -> list[JournalEntry]:
    return [after.entries[-1]]


@thorough
@pytest.mark.parametrize(
    ("of", "name", "leak"),
    [
        (viewpoint._Eyes, "side_of", shows_crossings),
        (consequences, "hides_units", lambda view: False),
        (consequences, "RUMOUR_RULES", (consequences.change_cover,)),
        (control, "hides_units", lambda view: False),
        (exchange, "_list_seen", tells_answers),
    ],
)
def test_it_would_notice_what_leaks(
    of: object, name: str, leak: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(of, name, leak)
    assert any(differences(range(at, at + 5), 3)[0] for at in range(0, 200, 5))


@pytest.mark.parametrize(
    ("moment", "seen"),
    [
        ("phase=movement phasing=russian", {"russian"}),
        ("phase=counter-movement phasing=russian", {"central-powers"}),
        ("phase=counter-movement phasing=central-powers", {"russian"}),
        ("phase=weather phasing=russian", {"russian", "central-powers"}),
        ("phasing=russian", set()),
        ("phase=movement", set()),
    ],
)
def test_what_has_crossed_and_entrained_is_known_to_the_side_whose_phase_it_is(moment: str, seen: set[str]) -> None:
    lines = f'{moment}\n40.20|40.21 causeway crossed="divisions:1"\n40.20 station-used=3 station-busy=2'
    state = notation.read_notation(f"game {GAME.id}\n{lines}\n".encode(), "x.pos", lambda _: GAME).state
    for side in GAME.file.sides:
        sight = reduce_state(GAME, state, side).facts
        known = [name for name, _ in sight if name in ("crossed", "station-used", "station-busy")]
        assert len(known) == (3 if side in seen else 0)


def test_the_same_pair_in_any_run() -> None:
    assert pair(7, 5) == pair(7, 5)
    assert pair(7, 5) != pair(8, 5)
