"""The entry points of the commands `assistant`, which is `python -m assistant`, and `field-staff`.

Everything is loaded in the functions, so that Ctrl+C ends even the loading with a message of one line.
"""


def main() -> None:
    """Run the command line."""
    try:
        from assistant.util.memory import collect_seldom

        collect_seldom()
        # loaded after `collect_seldom`, which then applies to its objects too
        from assistant.faces.cli.main import main as run

        run()
    except KeyboardInterrupt:
        from assistant.util.signals import end_interrupted

        end_interrupted("assistant")


def open_page() -> None:
    """Run the command line of `field-staff`."""
    try:
        from assistant.util.memory import collect_seldom

        collect_seldom()
        from assistant.faces.cli.main import open_page as run

        run()
    except KeyboardInterrupt:
        from assistant.util.signals import end_interrupted

        end_interrupted("field-staff")


if __name__ == "__main__":  # a server's worker processes import this file too
    main()
