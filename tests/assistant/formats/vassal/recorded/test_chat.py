"""Lines of the chat, as the engine writes them into a log."""

from __future__ import annotations

import pytest

from assistant.formats.vassal.recorded.reading import Line, read_line


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("CHAT*** 2d6: 2,5 = 7 <Tester>", Line("Tester", "2d6", (2, 5))),
        ("CHAT*** 1d6: 3 <A <b> c>", Line("A <b> c", "1d6", (3,))),
        ("CHAT* UNDO: *** 2d6: 6,6 = 12 <Tester>", Line("Tester", "2d6", (6, 6), undone=True)),
        ("CHAT&lt;Tester&gt; - ec.29/20", Line("Tester", text="ec.29/20")),
        ("CHAT<Tester> - two - lines", Line("Tester", text="two - lines")),
        ("CHAT&lt;Tester&gt; - *** 2d6: 6,6 = 12 &lt;Tester&gt;", Line("Tester", text="*** 2d6: 6,6 = 12 <Tester>")),
        ("CHAT*** Rolls = 5 *** <Ann>", Line("Ann", report="Rolls = 5")),
        ("CHAT*** Combat: 2,5 = 7 <Ann>", Line("Ann", report="Combat: 2,5 = 7")),
        ("CHAT** Rolls = 5 <Ann>", Line("Ann", report="Rolls = 5")),
        ("CHAT* UNDO: *** Rolls = 5 *** <Ann>", Line("Ann", report="Rolls = 5", undone=True)),
        ("CHAT*** Rolls = 5 *** <>", None),
        ("CHAT** Turn 3: 1914 <>", None),
        ("CHAT*** Turn 3: 1914 <Ann>", None),
        ("CHAT** Reinforcements due turn: 12 <x>", None),
        ("CHAT* 27/3 moves 40.20 -> 39.20 *", None),
        ("CHAT* 40.20: steps lost of a unit: changed, seen by its own side", None),
        ("CHAT*** 2d6: 9,9 = 18 <Tester>", None),
        ("CHAT*** 2d6: 3 = 3 <Tester>", None),
        ("CHAT*** 1d6: 0 <Tester>", None),
        ("CHAT- Logfile written.", None),
        ("MutableProperty\t2d6_result\t1\t2,5\tModule", None),
    ],
)
def test_throws_and_typed_lines_are_told_apart(command: str, line: Line | None) -> None:
    """Nobody can type what counts as a throw: the engine puts the player before it."""
    assert read_line(command) == line
