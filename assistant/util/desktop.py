"""The desktop on which a program is started: whether somebody sits at a terminal or sees a screen, and the browser
there.
"""

from __future__ import annotations

import os
import sys
import webbrowser
from threading import Thread

from .extras import is_program

_WITH_SCREEN = ("win32", "darwin")
"""Systems on which there is a screen wherever somebody works."""
_BROWSER = "BROWSER"
"""The variable by which somebody names a browser."""
_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", _BROWSER)
"""Variables by which other systems say that there is a screen, or that a browser needs none."""


def has_terminal() -> bool:
    """Return whether somebody types and reads at a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def has_screen() -> bool:
    """Return whether a browser can be shown: without a screen the system may take the terminal for one that shows
    letters alone.
    """
    return sys.platform in _WITH_SCREEN or any(os.environ.get(name) for name in _SCREENS)


def is_double_clicked() -> bool:
    """Return whether the program in a folder was opened by a double click without a terminal, as on Linux; other
    systems open one.
    """
    return is_program() and len(sys.argv) == 1 and not has_terminal() and has_screen()


def open_in_browser(address: str) -> bool:
    """Have the browser open an address, and wait for nothing. Returns False if there is none, or only one that would
    show letters in the terminal, unless it was named for that.
    """
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if type(browser) is webbrowser.GenericBrowser and not os.environ.get(_BROWSER):
        return False
    Thread(target=browser.open, args=(address,), daemon=True).start()
    return True
