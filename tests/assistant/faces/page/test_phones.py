"""Several phones at one table never come apart."""

from tests.cases import thorough

from .phones import play


@thorough
def test_each_phone_shows_a_view_of_the_one_journal() -> None:
    play(500)
