"""`python -m module_builder` is `module-builder`."""

from .cli import main

main()
