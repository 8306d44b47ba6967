"""`python -m assistant`."""

from .cli.main import main

main()
