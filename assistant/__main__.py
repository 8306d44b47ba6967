"""`python -m assistant`."""

from assistant.faces.cli.main import main

if __name__ == "__main__":  # a process that answers beside a server reads this file too
    main()
