"""Whether a browser is opened: other systems are stood in for."""

from __future__ import annotations

import sys
import threading
import webbrowser
from types import SimpleNamespace

import pytest

from assistant.util.desktop import has_screen, has_terminal, is_double_clicked, open_in_browser


def at(monkeypatch: pytest.MonkeyPatch, *, stdin: bool, stdout: bool) -> None:
    """Stand in for streams. stdin, stdout: whether each is a terminal."""
    for name, is_terminal in (("stdin", stdin), ("stdout", stdout)):
        monkeypatch.setattr(sys, name, SimpleNamespace(isatty=lambda is_terminal=is_terminal: is_terminal))


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(("stdin", "stdout", "there"), [(True, True, True), (True, False, False), (False, True, False)])
def test_terminal_is_typed_at_and_read(stdin: bool, stdout: bool, there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as streams:
        at(streams, stdin=stdin, stdout=stdout)
        assert has_terminal() is there


def test_closed_input_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert not has_terminal()


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_windows_and_macos_have_a_screen(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert has_screen()


@pytest.mark.parametrize("variable", ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"])
def test_linux_has_a_screen_if_it_says_so(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert not has_screen()
    monkeypatch.setenv(variable, "x")
    assert has_screen()


@pytest.mark.parametrize("lacks", ["", "frozen", "screen", "no words", "no terminal"])
def test_double_click_opens_the_program_in_a_folder_without_a_terminal(
    lacks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as stood:
        stood.setattr(sys, "platform", "linux")
        stood.setattr(sys, "frozen", lacks != "frozen", raising=False)
        stood.setattr(sys, "argv", ["field-staff", *(["serve"] if lacks == "no words" else [])])
        if lacks != "screen":
            stood.setenv("DISPLAY", ":0")
        at(stood, stdin=lacks == "no terminal", stdout=lacks == "no terminal")
        assert is_double_clicked() is (lacks == "")


class Standing:
    """Stands in for a browser. opened: the addresses that it was given; ended: lets it come back."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.given, self.ended = threading.Event(), threading.Event()

    def open(self, address: str) -> bool:
        self.opened.append(address)
        self.given.set()
        return self.ended.wait(10)


ADDRESS = "http://127.0.0.1:1914/0/#token"


def test_browser_that_does_not_come_back_keeps_nothing_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Standing()
    monkeypatch.setattr(webbrowser, "get", lambda: browser)
    assert open_in_browser(ADDRESS)
    assert browser.given.wait(10)
    assert browser.opened == [ADDRESS]
    browser.ended.set()


def test_system_without_a_browser_opens_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbrowser, "_tryorder", [])
    assert not open_in_browser(ADDRESS)


@pytest.mark.parametrize("named", [True, False])
def test_browser_in_the_terminal_is_opened_only_if_it_is_named(named: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("true"))
    if named:
        monkeypatch.setenv("BROWSER", "true")
    assert open_in_browser(ADDRESS) is named
