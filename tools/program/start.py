"""Where the program for machines without Python begins: its commands are all this one, and differ in their names."""

import sys
from importlib import import_module
from pathlib import Path

COMMANDS = {
    "assistant": ("assistant.__main__", "main"),
    "field-staff": ("assistant.__main__", "open_page"),
    "module-builder": ("module_builder.__main__", "main"),
}
"""By the name of each command the module and the function in which it begins."""

if __name__ == "__main__":  # a process that answers beside others reads this file too
    module, function = COMMANDS.get(Path(sys.executable).stem, COMMANDS["assistant"])
    getattr(import_module(module), function)()
