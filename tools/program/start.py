"""The start of the program for machines without Python: all its commands are this one file under different names."""

import sys
from importlib import import_module
from pathlib import Path

COMMANDS = {
    "assistant": ("assistant.__main__", "main"),
    "field-staff": ("assistant.__main__", "open_page"),
    "module-builder": ("module_builder.__main__", "main"),
}
"""The module and the function with which each command begins."""

if __name__ == "__main__":  # a second process imports this file too
    module, function = COMMANDS.get(Path(sys.executable).stem, COMMANDS["assistant"])
    getattr(import_module(module), function)()
