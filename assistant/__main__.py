"""Where the commands `assistant`, which is `python -m assistant`, and `field-staff` begin.

Everything is loaded in the functions, so that Ctrl+C is answered in one line while that lasts.
"""


def main() -> None:
    """Run the command line."""
    try:
        from assistant.util.memory import collect_seldom

        collect_seldom()
        from assistant.faces.cli.main import main as run  # only here: what it loads is made with that setting

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


if __name__ == "__main__":  # a process that answers beside a server reads this file too
    main()
