"""The installed plugins except the games: entry points of `field_staff.plugins`.

They have questions, formats or commands.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pluggy

from ..util.errors import InputError, is_of_the_machine, word_plugin_error
from . import hookspecs
from .entry_points import EntryPoint, entry_points


@cache
def plugin_manager() -> pluggy.PluginManager:
    """Return the manager of all plugins except the games.

    Raises PluginError if a plugin cannot be loaded or its hooks do not fit.
    """
    manager = pluggy.PluginManager("field_staff")
    manager.add_hookspecs(hookspecs)
    for entry in entry_points("field_staff.plugins"):
        register_hooks(manager, load_entry(entry), entry.plugin)
    return manager


def register_hooks(manager: pluggy.PluginManager, module: Any, name: str, plugin: str = "") -> None:
    """Register the hooks of a plugin. Raises PluginError if they do not fit, or are registered already."""
    try:
        manager.register(module, name=name)
    except (pluggy.PluginValidationError, ValueError) as error:
        raise word_plugin_error(plugin or name, error, "register its hooks") from error


def load_entry(entry: EntryPoint) -> Any:
    """Return the object of an entry point. Raises PluginError, which names the entry point, for any error of its
    package.
    """
    try:
        return entry.load()
    except (Exception, SystemExit) as error:
        if is_of_the_machine(error):
            raise
        raise word_plugin_error(entry.plugin, error) from error


def hooks() -> Any:
    """Return the hooks of all plugins except the games."""
    return plugin_manager().hook


def call_plugins(hook: str, **arguments: Any) -> None:
    """Call a hook of all plugins, the last one first. Raises PluginError, which names the plugin that fails."""
    for hookimpl in reversed(getattr(hooks(), hook).get_hookimpls()):
        try:
            hookimpl.function(**{name: arguments[name] for name in hookimpl.argnames})
        except InputError:
            raise
        except (Exception, SystemExit) as error:
            if is_of_the_machine(error):
                raise
            raise word_plugin_error(hookimpl.plugin_name, error) from error
