"""Links, their tokens and sessions."""

from pathlib import Path

import pytest

from assistant.page.serving.links import _MOST, Link, Links
from assistant.util.errors import InputError

UMPIRE, RUSSIAN = Link("0", "", "everything", here=True), Link("1", "russian", "the Russian side")


def test_token_lets_in_once() -> None:
    links = Links([UMPIRE, RUSSIAN])
    token = links.issue(RUSSIAN)
    session = links.enter(RUSSIAN, token)
    assert session
    assert links.has_entered(RUSSIAN, session)
    assert links.enter(RUSSIAN, token) is None


def test_token_and_session_are_of_one_link() -> None:
    links = Links([UMPIRE, RUSSIAN])
    token = links.issue(RUSSIAN)
    assert links.enter(UMPIRE, token) is None
    session = links.enter(RUSSIAN, token)
    assert session
    assert not links.has_entered(UMPIRE, session)


def test_what_no_token_is_does_not_let_in() -> None:
    links = Links([RUSSIAN])
    links.issue(RUSSIAN)
    assert [links.enter(RUSSIAN, token) for token in ("", "x", "ä", "x" * 10_000)] == [None] * 4
    assert not links.has_entered(RUSSIAN, "")


def test_sessions_outlast_the_server_and_no_secret_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "sessions.json"
    links = Links([UMPIRE, RUSSIAN], file)
    token = links.issue(RUSSIAN)
    session = links.enter(RUSSIAN, token)
    assert session
    again = Links([Link("7", "russian", "the Russian side"), Link("1", "", "everybody")], file)
    assert again.has_entered(again.links["7"], session)
    assert not again.has_entered(again.links["1"], session)
    assert again.enter(again.links["7"], token) is None
    assert session.encode() not in file.read_bytes()
    assert token.encode() not in file.read_bytes()


def test_damaged_file_of_sessions_ends_them(tmp_path: Path) -> None:
    file = tmp_path / "sessions.json"
    file.write_bytes(b'{"russian": [')
    links = Links([RUSSIAN], file)
    assert links.enter(RUSSIAN, links.issue(RUSSIAN))


def test_end_of_sessions_is_for_all(tmp_path: Path) -> None:
    links = Links([RUSSIAN], tmp_path / "sessions.json")
    waiting = links.issue(RUSSIAN)
    session = links.enter(RUSSIAN, links.issue(RUSSIAN))
    links.end_sessions()
    assert session
    assert not links.has_entered(RUSSIAN, session)
    assert links.enter(RUSSIAN, waiting) is None
    assert not Links([RUSSIAN], tmp_path / "sessions.json").has_entered(RUSSIAN, session)


def test_tokens_that_wait_are_bounded() -> None:
    links = Links([RUSSIAN])
    first, *others = [links.issue(RUSSIAN) for _ in range(_MOST + 1)]
    assert links.enter(RUSSIAN, first) is None
    assert links.enter(RUSSIAN, others[0])


def test_token_lets_in_later_if_a_session_cannot_be_kept(tmp_path: Path) -> None:
    file = tmp_path / "sessions.json"
    links = Links([RUSSIAN], file)
    token = links.issue(RUSSIAN)
    file.mkdir()
    with pytest.raises(InputError):
        links.enter(RUSSIAN, token)
    file.rmdir()
    assert links.enter(RUSSIAN, token)
