"""The desktop of the user: terminal, screen, browser, and the settings of VASSAL."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from threading import Thread

from .extras import is_program

_WITH_SCREEN = ("win32", "darwin")
"""The systems that always have a screen."""
_BROWSER = "BROWSER"
"""The environment variable with the user's choice of browser."""
_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", _BROWSER)
"""The environment variables that are set on other systems with a screen, or for a browser that needs no screen."""


def has_terminal() -> bool:
    """Return whether the user types and reads at a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def has_screen() -> bool:
    """Return whether a graphical browser can be shown.

    Without a screen the system may open a text browser in the terminal.
    """
    return sys.platform in _WITH_SCREEN or any(os.environ.get(name) for name in _SCREENS)


def is_double_clicked() -> bool:
    """Return whether the installed program was opened by a double click without a terminal, as on Linux.

    Other systems open a terminal for it.
    """
    return is_program() and len(sys.argv) == 1 and not has_terminal() and has_screen()


def open_in_browser(address: str) -> bool:
    """Open an address in the browser, without waiting for it.

    Returns False if there is no browser, or only a text browser that the user did not choose.
    """
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if type(browser) is webbrowser.GenericBrowser and not os.environ.get(_BROWSER):
        return False
    Thread(target=browser.open, args=(address,), daemon=True).start()
    return True


def find_vassal_settings(environment: Mapping[str, str], system: str = "") -> Path:
    """Return the folder in which VASSAL keeps its settings, unless its user has chosen another one.

    `environment`: the variables of the user's environment.
    `system`: the name of the system, as in `sys.platform`, or "" for this one.
    """
    home = Path(environment.get("HOME") or Path.home())
    match system or sys.platform:
        case "win32":
            return Path(environment.get("APPDATA") or home / "AppData" / "Roaming") / "VASSAL"
        case "darwin":
            return home / "Library" / "Application Support" / "VASSAL"
        case _:
            return home / ".VASSAL"
