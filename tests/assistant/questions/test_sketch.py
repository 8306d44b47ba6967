"""What a sketch holds: letters for reasons, labels, one part for each hex."""

from __future__ import annotations

from assistant.questions.sketch import WORDS, Arrow, Remark, Sketch, Spot, each_once, way_of


def test_reasons_have_letters_in_their_order_and_hexes_that_share_one_share_its_letter() -> None:
    spots = (
        Spot(hex="1", role="open", label="free"),
        Spot(hex="2", role="barred", why="enemies stand there"),
        Spot(hex="3", role="barred", why="across a river"),
        Spot(hex="4", role="barred", why="enemies stand there"),
    )
    sketch = Sketch(title="T", spots=spots)
    assert sketch.letters == {"a": "enemies stand there", "b": "across a river"}
    assert [sketch.text(spot) for spot in spots] == ["free", "a", "b", "a"]


def test_after_the_last_letter_come_two() -> None:
    sketch = Sketch(title="T", spots=tuple(Spot(hex=str(n), role="barred", why=f"reason {n}") for n in range(28)))
    assert list(sketch.letters)[24:] == ["y", "z", "aa", "ab"]


def test_an_open_hex_without_a_label_says_that_it_is_open() -> None:
    spots = (
        Spot(hex="1", role="open"),
        Spot(hex="2", role="open", label="1 level", why="an EZOC"),
        Spot(hex="3", role="start"),
    )
    sketch = Sketch(title="T", spots=spots)
    assert [sketch.text(spot) for spot in spots] == ["open", "1 level a", ""]


def test_a_hex_has_one_part_and_what_may_be_entered_comes_first() -> None:
    start, shut, free = (Spot(hex="1", role=role) for role in ("start", "barred", "open"))
    assert each_once([start, shut]) == (start,)
    assert each_once([start, free]) == (free,)


def test_all_hexes_that_matter_are_told_once() -> None:
    sketch = Sketch(
        title="T",
        spots=(Spot(hex="1", role="start"),),
        arrows=(Arrow(hexes=("1", "2")),),
        remarks=(Remark(where="2|3", text="-1 river"),),
        focus=("4", "1"),
    )
    assert sketch.hexes == ["1", "2", "3", "4"]


def test_parts_are_called_as_the_question_says_or_else_as_usual() -> None:
    sketch = Sketch(title="T", words={"start": "the guns"})
    assert (sketch.word("start"), sketch.word("open")) == ("the guns", WORDS["open"])


def test_a_way_needs_two_hexes() -> None:
    assert way_of(["1", "2"], "red") == (Arrow(hexes=("1", "2"), side="red"),)
    assert way_of(["", "2"]) == way_of(["1"]) == ()
