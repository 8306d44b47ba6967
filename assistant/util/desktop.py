"""The desktop of the user: terminal, screen and browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from threading import Thread

from .extras import is_program

_WITH_SCREEN = ("win32", "darwin")
"""The systems that always have a screen."""
_BROWSER = "BROWSER"
"""The variable with the user's choice of browser."""
_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", _BROWSER)
"""The variables set on other systems with a screen, or for a browser that needs none."""


def has_terminal() -> bool:
    """Return whether the user types and reads at a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def has_screen() -> bool:
    """Return whether a graphical browser can be shown; without a screen the system may open one for text in the
    terminal.
    """
    return sys.platform in _WITH_SCREEN or any(os.environ.get(name) for name in _SCREENS)


def is_double_clicked() -> bool:
    """Return whether the program in a folder was opened by a double click without a terminal, as on Linux.

    Other systems open a terminal.
    """
    return is_program() and len(sys.argv) == 1 and not has_terminal() and has_screen()


def open_in_browser(address: str) -> bool:
    """Have the browser open an address, without waiting for it.

    Returns False if there is no browser, or only one for text in the terminal that the user did not choose.
    """
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if type(browser) is webbrowser.GenericBrowser and not os.environ.get(_BROWSER):
        return False
    Thread(target=browser.open, args=(address,), daemon=True).start()
    return True
