"""Where the program for machines without Python begins: both of its commands are this one, and differ in their names."""

import sys
from importlib import import_module
from pathlib import Path

if __name__ == "__main__":  # a process that answers beside others reads this file too
    import_module(
        "module_builder.cli" if Path(sys.executable).stem == "module-builder" else "assistant.cli.main"
    ).main()
