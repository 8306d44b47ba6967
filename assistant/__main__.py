"""Where the commands `assistant`, which is `python -m assistant`, and `field-staff` begin."""

from assistant.util.memory import collect_seldom


def main() -> None:
    """Run the command line."""
    collect_seldom()
    from assistant.faces.cli.main import main as run  # only here: what it loads is made with that setting

    run()


def open_page() -> None:
    """Run the command line of `field-staff`."""
    collect_seldom()
    from assistant.faces.cli.main import open_page as run

    run()


if __name__ == "__main__":  # a process that answers beside a server reads this file too
    main()
