"""Games in folders read anew: a folder of the same name may hold another game by now."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from assistant.installed import registry
from assistant.installed.plugins import plugin_manager
from assistant.util.errors import MODULE

_load_folder = registry._load_folder


def forget_folders() -> None:
    """Forget the games in folders. An installed game stays the one object that other tests have, and may have put a board into."""
    in_folder = cache(_load_folder.__wrapped__)
    registry._load_folder = lambda named: in_folder(named) if Path(named).is_absolute() else _load_folder(named)


def forget_code() -> None:
    """Forget the games in folders, and their code too: it may have been typed anew."""
    forget_folders()
    for name in [name for name in sys.modules if name.startswith(MODULE)]:
        code = sys.modules.pop(name)
        if plugin_manager().is_registered(code):
            plugin_manager().unregister(code)
