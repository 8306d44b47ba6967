"""Several phones at one table never come apart."""

from tests.cases import thorough
from tests.comparing.search import tried

from .phones import SEARCH


@thorough
def test_each_phone_shows_a_view_of_the_one_journal() -> None:
    assert tried(SEARCH, range(2)).wrong == []
