"""Seats, their tokens and sessions."""

from pathlib import Path

import pytest

from assistant.faces.page.server.seats import _MAX_PER_SEAT, Seat, Seats
from assistant.util.errors import InputError

UMPIRE, RUSSIAN = Seat("0", "", "everything", here=True), Seat("1", "russian", "the Russian side")


def test_token_lets_in_once() -> None:
    seats = Seats([UMPIRE, RUSSIAN])
    token = seats.issue(RUSSIAN)
    session = seats.enter(RUSSIAN, token)
    assert session
    assert seats.has_entered(RUSSIAN, session)
    assert seats.enter(RUSSIAN, token) is None


def test_token_and_session_are_of_one_link() -> None:
    seats = Seats([UMPIRE, RUSSIAN])
    token = seats.issue(RUSSIAN)
    assert seats.enter(UMPIRE, token) is None
    session = seats.enter(RUSSIAN, token)
    assert session
    assert not seats.has_entered(UMPIRE, session)


def test_what_no_token_is_does_not_let_in() -> None:
    seats = Seats([RUSSIAN])
    seats.issue(RUSSIAN)
    assert [seats.enter(RUSSIAN, token) for token in ("", "x", "ä", "x" * 10_000)] == [None] * 4
    assert not seats.has_entered(RUSSIAN, "")


def test_sessions_outlast_the_server_and_no_secret_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "sessions.json"
    seats = Seats([UMPIRE, RUSSIAN], file)
    token = seats.issue(RUSSIAN)
    session = seats.enter(RUSSIAN, token)
    assert session
    again = Seats([Seat("7", "russian", "the Russian side"), Seat("1", "", "everybody")], file)
    assert again.has_entered(again.by_path["7"], session)
    assert not again.has_entered(again.by_path["1"], session)
    assert again.enter(again.by_path["7"], token) is None
    assert session.encode() not in file.read_bytes()
    assert token.encode() not in file.read_bytes()


def test_damaged_or_unreadable_file_of_sessions_ends_them(tmp_path: Path) -> None:
    file = tmp_path / "sessions.json"
    file.write_bytes(b'{"russian": [')
    seats = Seats([RUSSIAN], file)
    assert seats.enter(RUSSIAN, seats.issue(RUSSIAN))
    file.unlink()
    file.mkdir()
    assert not Seats([RUSSIAN], file).has_entered(RUSSIAN, "some session")


def test_end_of_sessions_is_for_all(tmp_path: Path) -> None:
    seats = Seats([RUSSIAN], tmp_path / "sessions.json")
    waiting = seats.issue(RUSSIAN)
    session = seats.enter(RUSSIAN, seats.issue(RUSSIAN))
    seats.end_sessions()
    assert session
    assert not seats.has_entered(RUSSIAN, session)
    assert seats.enter(RUSSIAN, waiting) is None
    assert not Seats([RUSSIAN], tmp_path / "sessions.json").has_entered(RUSSIAN, session)


def test_tokens_that_wait_are_bounded() -> None:
    seats = Seats([RUSSIAN])
    first, *others = [seats.issue(RUSSIAN) for _ in range(_MAX_PER_SEAT + 1)]
    assert seats.enter(RUSSIAN, first) is None
    assert seats.enter(RUSSIAN, others[0])


def test_token_lets_in_later_if_a_session_cannot_be_kept(tmp_path: Path) -> None:
    file = tmp_path / "sessions.json"
    seats = Seats([RUSSIAN], file)
    token = seats.issue(RUSSIAN)
    file.mkdir()
    with pytest.raises(InputError):
        seats.enter(RUSSIAN, token)
    file.rmdir()
    assert seats.enter(RUSSIAN, token)


def test_who_sits_at_the_laptop_comes_in_though_its_disk_is_full(tmp_path: Path) -> None:
    """And stays with the next session that can be kept."""
    file = tmp_path / "sessions.json"
    seats = Seats([UMPIRE, RUSSIAN], file)
    token = seats.issue(UMPIRE)
    file.mkdir()
    session = seats.enter(UMPIRE, token)
    assert session
    assert seats.has_entered(UMPIRE, session)
    assert seats.enter(UMPIRE, token) is None
    file.rmdir()
    assert seats.enter(RUSSIAN, seats.issue(RUSSIAN))
    assert Seats([UMPIRE, RUSSIAN], file).has_entered(UMPIRE, session)
